"""What a search is to do: its options, how a node is laid out for them, and the numbers that kernels work with."""

import math
from dataclasses import dataclass
from typing import Any

from zermelo.arguments import number, whole
from zermelo.compile.memory import float_to_word, word_to_float
from zermelo.compile.program import STOPPED
from zermelo.contract import Game, require_game
from zermelo.errors import BadParameter, BrokenContract, EndlessGame, Interrupted, too_many_actions
from zermelo.result import Limit
from zermelo.running import callbacks
from zermelo.running.statuses import ENDLESS, OUT_OF_BOUNDS, TOO_MANY, fault
from zermelo.running.suitability import require_open
from zermelo.running.sums import both_values, whole_sum
from zermelo.searches.mcts import blocks as at
from zermelo.searches.mcts.playouts import actions_at
from zermelo.traits import total

LONGEST = 10_000
USUAL_LIMIT = Limit(simulations=10_000)
MOST_THREADS = 256
LARGEST_UTILITY = 1e100
FADES_AFTER = 1000
"""Visits after which what RAVE says counts less than what was seen, where nobody gives a number."""


@dataclass(frozen=True)
class Options:
    """How simulations are made; see `zermelo.mcts`."""

    c: float = math.sqrt(2)
    prior: Any = None
    rollout: Any = None
    evaluate: Any = None
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
        for name in ("solver",):
            if not isinstance(getattr(self, name), bool):
                raise BadParameter(f"{name} must be True or False, not {getattr(self, name)!r}")
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


class Plan:
    """A game and options, and what follows from them."""

    def __init__(self, game: Game, seed: int, shared: bool, options: dict[str, Any]) -> None:
        require_game(game, "mcts")
        require_open(game, "mcts")
        self.game, self.seed = game, whole("mcts: seed", seed)
        self.options = options_of(options)
        self.options.check(game)
        self.prior = callbacks.prior(game, self.options.prior)
        self.weight = callbacks.rollout(self.options.rollout)
        self.estimate = estimate_of(game, self.options)
        self.sums = 1 if game.players == 1 or (game.players == 2 and total(game) is not None) else game.players
        self.whole = whole_sum(game) if self.sums == 1 else None
        self.middle, self.half, self.sure = _scale(game, self.sums)
        self.ends = game.bounds if self.sure and game.bounds is not None else (0.0, 0.0)
        self.shared = shared
        width = at.LARGE_NODE if self.prior is not None or self.options.solver else at.NODE
        self.rave_at = width if self.options.rave else 0
        width += 3 if self.options.rave else 0
        self.others_at = width
        width += self.sums - 1
        self.exact_at = width if self.options.solver else 0
        width += 2 * self.sums if self.options.solver else 0
        self.width = width

    def kernel_arguments(self, machine: str) -> dict[str, Any]:
        """What every kernel of a search on this machine is given."""
        # A GPU has no room near its cores: there, actions are counted and picked instead of written down.
        buffered = machine != "cuda" or self.game.writes_fill or self.weight is not None
        return {
            "game": self.game, "prior": self.prior, "weight": self.weight, "estimate": self.estimate,
            "rave": bool(self.options.rave), "solver": self.options.solver, "several": self.sums > 1,
            "shared": self.shared, "stays": self.stays, "buffered": buffered,
        }  # fmt: skip

    @property
    def stays(self) -> bool:
        """Whether threads that share a tree stay at a node for some simulations. RAVE, proofs and the sums of several
        players go up to the root each time."""
        return self.shared and self.sums == 1 and not self.options.rave and not self.options.solver

    def sum_at(self, player: int) -> int:
        """Where the sum of a player's values stands in a node."""
        return at.SUM if player == 0 else self.others_at + player - 1

    def utility_of(self, value: float) -> float:
        """A mean of the tree on the scale of utilities."""
        return self.middle + self.half * value / at.ONE

    def values_of(self, means: list[float]) -> tuple[float, ...]:
        """What everybody gets, from the means of those sums that are kept."""
        if self.sums > 1:
            return tuple(map(self.utility_of, means))
        return both_values(self.utility_of(means[0]), self.whole)

    def sure_values(self, words: Any, row: int) -> tuple[Any, ...]:
        """What everybody gets for certain at a node."""
        first = row + self.exact_at + self.sums
        found = tuple(as_float(word) for word in words[first : first + self.sums])
        return found if self.sums > 1 else both_values(found[0], self.whole)

    def is_sure(self, words: Any, row: int) -> bool:
        """Whether the value of a node is known for certain."""
        return self.options.solver and bool(words[row + at.PROVEN])

    def mean(self, words: Any, row: int, player: int) -> float:
        """What a node is worth to a player, in the tree's units."""
        if self.is_sure(words, row):
            return words[row + self.exact_at + player]
        return words[row + self.sum_at(player)] / max(1, words[row + at.VISITS])

    def values_at(self, words: Any, row: int) -> tuple[float, ...]:
        """What everybody gets at a node."""
        if self.is_sure(words, row):
            return self.sure_values(words, row)
        return self.values_of([self.mean(words, row, player) for player in range(self.sums)])

    def bare_tree(self, capacity: int) -> list[int]:
        """The words of a tree that is a root and nothing else."""
        words = [0] * (at.HEAD + self.width)
        words[at.TOP], words[at.CAPACITY] = at.ROOT + self.width, capacity
        words[at.LEAST], words[at.GREATEST] = (-at.ONE, at.ONE) if self.sure else (at.NEVER, -at.NEVER)
        return words

    def work(self, native: bool, limit: int, end: int, seed: int, history: int) -> list[Any]:
        """The words with which a thread begins."""
        options = self.options
        words: list[Any] = [0] * at.WORDS
        words[at.LIMIT], words[at.DEADLINE], words[at.SEED] = limit, end, signed(seed)
        words[at.WIDTH], words[at.SUMS], words[at.RAVE_AT] = self.width, self.sums, self.rave_at
        words[at.OTHERS_AT], words[at.EXACT_AT] = self.others_at, self.exact_at
        words[at.FLAGS] = at.HAS_URGENCY * (options.urgency is not None) + at.HAS_WIDENING * bool(options.widening)
        fades = FADES_AFTER if isinstance(options.rave, bool) else options.rave
        constant, power = options.widening or (0.0, 0.0)
        floats = {
            at.EXPLORATION: options.c, at.URGENCY: 0.5 if options.urgency is None else options.urgency,
            at.BIAS: 1.0 / fades, at.WIDENING: constant, at.GROWTH: power, at.MIDDLE: self.middle, at.HALF: self.half,
            at.LOWEST: self.ends[0], at.HIGHEST: self.ends[1],
        }  # fmt: skip
        for word, value in floats.items():
            words[word] = float_to_word(float(value)) if native else float(value)
        words[at.LONGEST] = options.longest
        words[at.CUT] = at.NO_CUT if options.rollout_depth is None else options.rollout_depth
        words[at.PATH], words[at.SURE_ENDS], words[at.PLAYOUTS] = history, int(self.sure), options.playouts
        return words

    @property
    def stack_words(self) -> int:
        """How much memory a thread needs for its path, its playouts and its actions."""
        return actions_at(self.game) + 2 * self.game.max_actions

    def key_words(self, history: int) -> int:
        """How much memory a thread needs for the keys of its path."""
        return history + at.LONGEST_PATH + 2 if self.game.repetition is not None else 1

    def widen(self) -> None:
        """Think of utilities as sixteen times as large."""
        self.half *= 16.0
        if self.half > LARGEST_UTILITY:
            raise BrokenContract(
                f"{self.game.name}: a utility or an estimate is no number below {LARGEST_UTILITY:g}; "
                "return finite numbers"
            )

    def refuse(self, status: int) -> None:
        """Raise what a kernel reported."""
        if status == ENDLESS:
            raise EndlessGame(
                f"{self.game.name}: a playout had not ended after {self.options.longest:,} moves; raise longest=, "
                "end it by a rule, or cut playouts off by rollout_depth="
            )
        if status == TOO_MANY:
            raise too_many_actions(self.game.name, self.game.max_actions)
        if status == OUT_OF_BOUNDS:
            raise BrokenContract(
                f"{self.game.name}: a utility lies outside bounds = {self.game.bounds}: widen bounds in the class"
            )
        if status == STOPPED:
            raise Interrupted("the search was stopped")
        if (error := fault(self.game, status)) is not None:
            raise error


# --- arguments -------------------------------------------------------------------------------------------------------


def estimate_of(game: Game, options: Any) -> Any:
    """The estimate that replaces the rest of a playout, as `f(game, s, player)`, or None: playouts go to the end."""
    if options.rollout_depth is None:
        if options.evaluate is not None:
            raise BadParameter("evaluate= replaces the rest of a playout: say after how many moves by rollout_depth=")
        return None
    if options.evaluate is None and game.evaluate is None:
        raise BadParameter(f"{game.name} defines no evaluate(s): rollout_depth= needs evaluate=your_function")
    return callbacks.evaluation_for_players(game, options.evaluate)


def options_of(given: dict[str, Any]) -> Options:
    known = Options.__dataclass_fields__
    unknown = sorted(given.keys() - known.keys())
    if unknown:
        raise BadParameter(f"mcts knows no option {unknown[0]!r}; it knows {', '.join(known)}")
    return Options(**given)


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
