"""How a game is sampled: the options of `zermelo.mcts`, what is compiled in for them, and what values mean."""

import math
from dataclasses import dataclass, replace
from typing import Any

from zermelo.arguments import number, whole
from zermelo.compile import Setup
from zermelo.compile.memory import word_to_float
from zermelo.contract import Game
from zermelo.errors import BadParameter, BrokenContract
from zermelo.result import Limit
from zermelo.running import callbacks
from zermelo.running.statuses import OUT_OF_BOUNDS, refuse
from zermelo.running.suitability import require_open
from zermelo.running.sums import both_values, whole_sum
from zermelo.searches.mcts.blocks import (
    LONGEST_PATH,
    NEVER,
    ONE,
    PROVEN,
    SUM,
    VISITS,
    Numbers,
    node_layout,
)
from zermelo.traits import total
from zermelo.types import Evaluate, Prior, Rollout

LONGEST = 10_000
USUAL_LIMIT = Limit(simulations=10_000)
MOST_THREADS = 256
LARGEST_UTILITY = 1e100
APART = 0x9E37_79B9
"""How far the seeds of several trees lie apart."""
FADES_AFTER = 1000
"""Visits after which RAVE counts less than a move's own mean, where the caller gives no number."""


@dataclass(frozen=True)
class MctsOptions:
    """How simulations are made; see `zermelo.mcts`."""

    c: float = math.sqrt(2)
    prior: Prior | bool | None = None
    rollout: Rollout | None = None
    evaluate: Evaluate | None = None
    rollout_depth: int | None = None
    rave: bool | float = False
    urgency: float | None = None
    widening: tuple[float, float] | None = None
    solver: bool = False
    playouts: int = 1
    longest: int = LONGEST

    def check(self, game: Game) -> None:
        """Refuse what makes no sense."""
        number("mcts: c", self.c, 0)
        if self.urgency is not None:
            number("mcts: urgency", self.urgency, 0)
        if self.rollout_depth is not None:
            whole("mcts: rollout_depth", self.rollout_depth, 0)
        whole("mcts: longest", self.longest, 1)
        whole("mcts: playouts", self.playouts, 1)
        if self.rave and self.playouts > 1:
            raise BadParameter("mcts: rave looks at the moves of one playout a leaf; leave out rave or playouts")
        if not isinstance(self.solver, bool):
            raise BadParameter(f"solver must be True or False, not {self.solver!r}")
        if not isinstance(self.rave, bool):
            number("mcts: rave", self.rave, 1)
        if self.widening is not None:
            if not isinstance(self.widening, tuple | list) or len(self.widening) != 2:
                raise BadParameter(f"widening must be two numbers (constant, power), not {self.widening!r}")
            number("mcts: widening's constant", self.widening[0], 0)
            number("mcts: widening's power", self.widening[1], 0, 1)
        if self.rave and game.probability is not None:
            raise BadParameter(
                f"{game.name} has chance moves: actions played later mean something else; leave rave out"
            )


@dataclass(frozen=True, slots=True)
class MctsSetup(Setup):
    """What is compiled into the kernels of a search."""

    prior: Any
    """How promising an action looks, `f(game, s, action)`, or None."""
    weight: Any
    """How likely an action is in playouts, `f(game, s, action)`, or None: all are alike."""
    estimate: Any
    """What replaces the rest of a playout, `f(game, s, player)`, or None."""
    rave: bool
    solver: bool
    widening: bool
    urgency: bool
    """Whether a move that was not tried yet has a value; otherwise it comes first."""
    several: bool
    """Whether everybody's values are summed up, and not only player 0's."""
    bounded: bool
    """Whether the ends of the range of utilities are known."""
    shared: bool
    """Whether several threads work on one tree: then every change is one atomic step, and simulations on their way down
    count as lost already, so that others go elsewhere."""
    stays: bool
    """Whether these threads stay at a node for some simulations. RAVE, proofs and the sums of several players go up to
    the root each time."""
    together: bool
    """Whether a block of a GPU's threads plays from one leaf."""
    buffered: bool
    """Whether actions are written down; otherwise they are counted and picked."""


class Sampling:
    """How a game is sampled: the options of the caller, and what follows from them."""

    def __init__(self, game: Game, seed: int, shared: bool, options: dict[str, Any]) -> None:
        require_open(game, "mcts")
        self.game, self.seed = game, whole("mcts: seed", seed)
        self.options = options_of(options)
        self.options.check(game)
        self.sums = 1 if game.players == 1 or (game.players == 2 and total(game) is not None) else game.players
        self.whole = whole_sum(game) if self.sums == 1 else None
        self.middle, self.half, bounded = _scale(game, self.sums)
        self.setup = _setup(game, self.options, self.sums > 1, bounded, shared)
        self.layout = node_layout(game, self.setup)
        self.width = self.layout.width

    def setup_on(self, device: str) -> MctsSetup:
        """What is compiled into kernels for this machine."""
        # A GPU has no room near its cores: there, actions are counted and picked instead of written down.
        buffered = device != "cuda" or self.game.writes_fill or self.setup.weight is not None
        return replace(self.setup, buffered=buffered, together=device == "cuda" and self.options.playouts > 1)

    def numbers(self, on: Any, before: int) -> Any:
        """The numbers that kernels on a machine go by, with `before` positions before the root."""
        options, numbers = self.options, on.block(Numbers)
        numbers.width, numbers.rave_at, numbers.others_at, numbers.exact_at = self.layout
        numbers.sums, numbers.before, numbers.playouts = self.sums, before, options.playouts
        numbers.longest = options.longest
        numbers.cut = options.rollout_depth or 0
        numbers.exploration = float(options.c)
        numbers.urgency = 0.5 if options.urgency is None else float(options.urgency)
        numbers.bias = 1.0 / (FADES_AFTER if isinstance(options.rave, bool) else options.rave)
        numbers.widening, numbers.growth = map(float, options.widening or (0.0, 0.0))
        numbers.middle, numbers.half = self.middle, self.half
        if self.setup.bounded and self.game.bounds is not None:
            numbers.lowest, numbers.highest = map(float, self.game.bounds)
        return numbers

    @property
    def first_ends(self) -> tuple[int, int]:
        """The least and the greatest value in a tree without simulations."""
        return (-ONE, ONE) if self.setup.bounded else (NEVER, -NEVER)

    def key_words(self, before: int) -> int:
        """How much memory a thread needs for the keys of positions."""
        return before + LONGEST_PATH + 2 if self.game.repetition is not None else 1

    # --- what nodes say ---------------------------------------------------------------------------------------------

    def sum_at(self, player: int) -> int:
        """Where the sum of a player's values stands in a node."""
        return SUM if player == 0 else self.layout.others_at + player - 1

    def utility_of(self, value: float) -> float:
        """A mean of the tree on the scale of utilities."""
        return self.middle + self.half * value / ONE

    def is_sure(self, nodes: Any, node: int) -> bool:
        """Whether the value of a node is known for certain."""
        return self.setup.solver and bool(nodes[node + PROVEN])

    def values_at(self, nodes: Any, node: int) -> tuple[Any, ...]:
        """What everybody gets at a node, for certain or on average."""
        if self.is_sure(nodes, node):
            first = node + self.layout.exact_at + self.sums
            found = [as_float(word) for word in nodes[first : first + self.sums]]
            return self._of_all(found)
        return self.means_at(nodes, node)

    def means_at(self, nodes: Any, node: int) -> tuple[Any, ...]:
        """What everybody got on average in the simulations that came through a node."""
        visits = max(1, nodes[node + VISITS])
        return self._of_all(
            [self.utility_of(nodes[node + self.sum_at(player)] / visits) for player in range(self.sums)]
        )

    def _of_all(self, found: list[Any]) -> tuple[Any, ...]:
        return tuple(found) if self.sums > 1 else both_values(found[0], self.whole)

    # --- what kernels report ----------------------------------------------------------------------------------------

    def widen(self) -> None:
        """Assume a range of utilities sixteen times as large."""
        self.half *= 16.0
        if self.half > LARGEST_UTILITY:
            raise BrokenContract(
                f"{self.game.name}: a utility or an estimate is no number below {LARGEST_UTILITY:g}; "
                "return finite numbers"
            )

    def refuse(self, status: int) -> None:
        """Raise what a kernel reported."""
        if status == OUT_OF_BOUNDS:
            raise BrokenContract(
                f"{self.game.name}: a utility lies outside bounds = {self.game.bounds}: widen bounds in the class"
            )
        endless = (
            f"a playout had not ended after {self.options.longest:,} moves; raise longest=, "
            "end it by a rule, or cut playouts off by rollout_depth="
        )
        refuse(self.game, status, endless=endless)


# --- arguments -------------------------------------------------------------------------------------------------------


def options_of(given: dict[str, Any]) -> MctsOptions:
    """The options of a call, by their names."""
    known = MctsOptions.__dataclass_fields__
    unknown = sorted(given.keys() - known.keys())
    if unknown:
        raise BadParameter(f"mcts knows no option {unknown[0]!r}; it knows {', '.join(known)}")
    return MctsOptions(**given)


def _setup(game: Game, options: MctsOptions, several: bool, bounded: bool, shared: bool) -> MctsSetup:
    return MctsSetup(
        prior=callbacks.prior(game, options.prior),
        weight=callbacks.rollout(options.rollout),
        estimate=_estimate_of(game, options),
        rave=bool(options.rave),
        solver=options.solver,
        widening=bool(options.widening),
        urgency=options.urgency is not None,
        several=several,
        bounded=bounded,
        shared=shared,
        stays=shared and not several and not options.rave and not options.solver,
        together=False,
        buffered=True,
    )


def _estimate_of(game: Game, options: MctsOptions) -> Any:
    """The estimate that replaces the rest of a playout, or None: playouts go to the end."""
    if options.rollout_depth is None:
        if options.evaluate is not None:
            raise BadParameter("evaluate= replaces the rest of a playout: say after how many moves by rollout_depth=")
        return None
    if options.evaluate is None and game.evaluate is None:
        raise BadParameter(f"{game.name} defines no evaluate(s): rollout_depth= needs evaluate=your_function")
    return callbacks.evaluation_for_players(game, options.evaluate)


def _scale(game: Game, sums: int) -> tuple[float, float, bool]:
    """The middle of the range of utilities, half its width, and whether its ends are known."""
    if sums == 1 and game.bounds is not None:
        low, high = (float(edge) / 2 for edge in game.bounds)
        if low < high:
            return low + high, high - low, True
        # All is worth the same.
        return 2 * low, 1.0, False
    return 0.0, 1.0, False


def as_float(word: Any) -> float:
    """The float in a word, as plain Python or native code keeps it."""
    return word if isinstance(word, float) else word_to_float(word)


def signed(word: int) -> int:
    """The word as a signed integer."""
    word &= (1 << 64) - 1
    return word - (1 << 64) if word >> 63 else word
