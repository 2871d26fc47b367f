"""Random games: the cheapest way to learn something about a position, on every machine alike.

Game number i of a seed is the same game on every machine. Sums are taken over fixed groups of games and then added
exactly, so that even rounding does not depend on where they were played.
"""

import math
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from zermelo.arguments import whole
from zermelo.bits import u64
from zermelo.by_hand import AnyGame, as_game
from zermelo.compile import Array, Block, Memory, Setup, array, as_number, is_finite, kernel, machine
from zermelo.compile.patience import Patience, current
from zermelo.compile.program import told_as
from zermelo.compile.random import below, stream, uniform, word
from zermelo.contract import CHANCE, Game, require_game
from zermelo.errors import BrokenContract
from zermelo.plain_data import as_plain, frame, game_data
from zermelo.running.devices import OutOfPatience, on_best_machine
from zermelo.running.faults import ROUNDING, fault_at
from zermelo.running.nodes import require_sound
from zermelo.running.statuses import ENDLESS, NO_NUMBER, NO_ODDS, TOO_MANY, refuse
from zermelo.running.thinking import Thinking

if TYPE_CHECKING:
    from pandas import DataFrame

GROUP = 64
"""Games in a group: one thread's work at a time on a GPU."""
LONGEST = 100_000
TRIAL = 0.2
"""The share of plain Python's time that is spent on finding out whether it is quick enough."""
TRIAL_MOVES = 32
SMALL_SCALE = 2.0**-600
"""On this scale no sum of squares of floats overflows. It is used where sums overflow without a scale."""


@dataclass(frozen=True)
class Playouts:
    """What random games came to: `mean` is player 0's mean utility, `means` everybody's."""

    games: int
    mean: float
    means: tuple[float, ...]
    error: float
    """The standard error of `mean`."""
    moves: int
    """All moves of all games."""
    time: float
    seed: int
    device: str
    game: Game = field(repr=False)
    compile_seconds: float = 0.0
    """Seconds that went into making or loading native code: they are no part of `time`."""

    @property
    def speed(self) -> float:
        """Moves a second."""
        return self.moves / self.time if self.time > 0 else math.inf

    def to_json(self) -> dict[str, Any]:
        """The answer as plain data."""
        names = ("games", "mean", "means", "error", "moves", "seed", "device")
        speed = {"seconds": self.time, "compile_seconds": self.compile_seconds, "moves_per_second": self.speed}
        return game_data(self.game) | as_plain({name: getattr(self, name) for name in names} | speed)

    def to_frame(self) -> "DataFrame":
        """A table of pandas: a row for each player; the standard error is known of player 0's mean."""
        return frame(
            ("player", "mean", "error", "games", "moves", "seed"),
            (
                (player, mean, self.error if player == 0 else None, self.games, self.moves, self.seed)
                for player, mean in enumerate(self.means)
            ),
        )


@kernel
def chance_outcome(game, s, bits, count, memory, base, buffered):
    """An outcome drawn by its odds; NO_ODDS where these are seen to be none."""
    if game.draw is not None:
        return game.draw(s, bits)
    left = uniform(bits)
    action = -1
    for i in range(count):
        action = memory[base + i] if buffered else game.nth_action(s, i)
        odds = as_number(game.probability(s, action))
        if not 0.0 <= odds <= 1.0 + ROUNDING:
            return NO_ODDS
        left -= odds
        if left < 0.0:
            return action
    return action if left < ROUNDING else NO_ODDS


@kernel
def playout(game, s, key, longest, memory, base, buffered, watched):
    """The end of a random game from `s`, and its number of moves, or what is wrong with it: ENDLESS, TOO_MANY or one
    of the faults, for which all movers, actions and odds are checked where the game is `watched`.

    Two moves share one random word: the first takes its upper half, the second its lower.
    """
    moves = 0
    bits = u64(0)
    while not game.is_over(s):
        if moves >= longest:
            return s, ENDLESS
        count = game.fill(s, memory, base) - base if buffered else game.action_count(s)
        if count <= 0:
            return s, moves if count == 0 else TOO_MANY
        if game.is_watched and watched and buffered:
            wrong = fault_at(game, s, memory, base, base + count)
            if wrong != 0:
                return s, wrong
        bits = word(key, moves >> 1) if moves & 1 == 0 else bits << 32
        if game.probability is not None and game.to_move(s) == CHANCE:
            action = chance_outcome(game, s, bits, count, memory, base, buffered)
            if action < 0:
                return s, NO_ODDS
        else:
            chosen = below(bits, count)
            action = memory[base + chosen] if buffered else game.nth_action(s, chosen)
        s = game.result(s, action)
        moves += 1
    return s, moves


class Games(Block):
    """The random games that are wanted."""

    count: int  # how many
    seed: u64  # of all of them; each has a stream of its own
    longest: int  # moves after which a game is taken for endless
    scale: float  # what utilities are multiplied by before they are added
    actions: Memory  # room for the actions of a state
    stride: int  # words of `actions` for each group; 0 where groups are played one after the other and share them


class Sums(Block):
    """What the games of one group came to."""

    moves: int  # all moves of all games, or what is wrong with one of them
    squares: float  # of player 0's utilities
    gains: Array[float] = array(lambda game: game.players)  # everybody's utilities


@dataclass(frozen=True)
class PlayoutSetup(Setup):
    """How actions are picked."""

    buffered: bool
    """Whether they are written to memory, or counted and found one by one."""


@kernel
@told_as("playouts")
def playout_group(game, setup, s, row, games, sums):
    """Play the games of group number `row`, and add up what they come to."""
    group, first = sums[row], row * GROUP
    longest, actions, base, scale = games.longest, games.actions, row * games.stride, games.scale
    total_moves = 0
    for index in range(first, min(games.count, first + GROUP)):
        key = stream(games.seed, index)
        end, moves = playout(game, s, key, longest, actions, base, setup.buffered, index == first)
        if moves < 0:
            group.moves = moves
            return 0
        total_moves += moves
        for player in range(game.players):
            gain = scale * as_number(game.utility(end, player))
            if not is_finite(gain):
                group.moves = NO_NUMBER
                return 0
            group.gains[player] += gain
            if player == 0:
                group.squares += gain * gain
    group.moves = total_moves
    return 0


def playouts(
    game: AnyGame,
    state: Any = None,
    *,
    games: int = 1000,
    seed: int = 0,
    device: str = "auto",
    longest: int = LONGEST,
) -> Playouts:
    """The mean result of `games` random games; the same seed gives the same games on every machine.

    >>> from zermelo import game
    >>> playouts(game("tic_tac_toe"), games=1000, seed=1, device="python").games
    1000
    """
    game = as_game(game)
    require_game(game, "playouts")
    for name, value in (("games", games), ("longest", longest)):
        whole(f"playouts: {name}", value, least=1)
    whole("playouts: seed", seed)
    s = game.initial() if state is None else game.checked_state(state)
    require_sound(game, s)

    def play(on: str) -> Playouts:
        if (patience := current()) is not None:
            _try(game, s, games, seed, longest, patience)
        return _play(game, s, games, seed, longest, machine(on))

    thinking = Thinking()
    found = on_best_machine(game, "playouts", device, play)
    return replace(found, compile_seconds=thinking.compile_seconds)


def _try(game: Game, s: Any, games: int, seed: int, longest: int, patience: Patience) -> None:
    """Raise OutOfPatience where the first few games show that plain Python is too slow to play all of them in time."""
    seconds = patience.left
    if math.isinf(seconds):
        # Native code is on its way, and nothing could turn plain Python back.
        raise OutOfPatience(f"{game.name}: plain Python is too slow for this")
    on = machine("python")
    memory = on.memory(game.max_actions)
    for done in range(games):
        here, moves = s, 0
        while moves < longest:
            here, made = on.call(
                playout, game=game, s=here, key=stream(seed + moves, done), longest=TRIAL_MOVES, memory=memory, base=0,
                buffered=True, watched=False,
            )  # fmt: skip
            spent = seconds - patience.left
            if spent >= TRIAL * seconds:
                # The game under way counts as a whole one.
                if spent * games >= seconds * (done + 1):
                    raise OutOfPatience(f"{game.name}: plain Python is too slow for this")
                return
            if made != ENDLESS:
                break
            moves += TRIAL_MOVES


def _play(game: Game, s: Any, count: int, seed: int, longest: int, on: Any) -> Playouts:
    """The games, played on this machine."""
    groups = (count + GROUP - 1) // GROUP
    games, setup = _games(game, groups, on)
    games.count, games.seed, games.longest, games.scale = count, u64(seed), longest, 1.0
    sums = on.blocks(Sums, groups, game)
    on.prepare(playout_group, game=game, setup=setup, s=s, games=games, sums=sums)
    started = time.perf_counter()
    for games.scale in (1.0, SMALL_SCALE):
        sums = on.blocks(Sums, groups, game)
        on.spread(playout_group, groups, game=game, setup=setup, s=s, games=games, sums=sums)
        moves = on.column(sums, "moves")
        endless = f"a random game had not ended after {longest:,} moves; raise longest=, or end it by a rule"
        refuse(game, min(0, *moves), endless=endless)
        gains = [on.column(sums, "gains", player) for player in range(game.players)]
        found = _means([*gains, on.column(sums, "squares")], count, games.scale)
        if found is not None:
            break
    else:
        raise BrokenContract(f"{game.name}: at some end utility is no finite number; zermelo.check shows it")
    elapsed = time.perf_counter() - started
    *means, error = found
    return Playouts(
        games=count,
        mean=means[0],
        means=tuple(means),
        error=error,
        moves=sum(moves),
        time=elapsed,
        seed=seed,
        device=on.name,
        game=game,
    )


def _games(game: Game, groups: int, on: Any) -> tuple[Any, PlayoutSetup]:
    """Room for games on this machine, and how actions are picked there."""
    # A GPU has no room near its cores: there, actions are counted and picked instead of written down.
    buffered = on.name != "cuda" or game.writes_fill
    games = on.block(Games)
    games.stride = game.max_actions if on.name == "cuda" and buffered else 0
    games.actions = on.memory(max(game.max_actions, groups * games.stride))
    return games, PlayoutSetup(buffered)


def _means(sums: Any, games: int, scale: float) -> list[float] | None:
    """Everybody's mean and the standard error of player 0's, by sums of utilities on this scale; None where sums are
    larger than any float."""
    try:
        *means, square = (math.fsum(column) / games for column in sums)
    except (OverflowError, ValueError):  # fsum raises these for infinities
        return None
    if not all(map(math.isfinite, (*means, square))):
        return None
    error = math.sqrt(max(0.0, square - means[0] * means[0]) / games)
    return [number / scale for number in (*means, error)]
