"""Random games: the cheapest way to learn something about a position, on every machine alike.

Game number i of a seed is the same game on every machine. Sums are taken over fixed groups of games and then added
exactly, so that even rounding does not depend on where they were played.
"""

import math
import time
from dataclasses import dataclass, field
from typing import Any

from zermelo.arguments import whole
from zermelo.bits import u64
from zermelo.compile import as_number, is_finite, kernel, load_float, machine, store_float
from zermelo.compile.patience import Patience, current
from zermelo.compile.random import below, stream, uniform, word
from zermelo.contract import CHANCE, Game, require_game
from zermelo.errors import BrokenContract
from zermelo.running.devices import OutOfPatience, on_best_machine
from zermelo.running.faults import ROUNDING, fault_at
from zermelo.running.nodes import require_sound
from zermelo.running.statuses import ENDLESS, NO_NUMBER, NO_ODDS, TOO_MANY, refuse

GROUP = 64
"""Games in a group: one thread's work at a time on a GPU."""
LONGEST = 100_000
TRIAL = 0.2
"""Share of the time that plain Python has in which it is found out whether it is quick enough."""
TRIAL_MOVES = 32
SMALL_SCALE = 2.0**-600
"""On this scale no sum of squares of floats overflows. It is tried where the squares themselves are too large."""


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

    @property
    def speed(self) -> float:
        """Moves a second."""
        return self.moves / self.time if self.time > 0 else math.inf


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
    of the faults, for which all movers, actions and odds are looked at where the game is `watched`.

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


@kernel
def playout_group(game, s, row, seed, games, longest, memory, stride, scale, out, buffered):
    """Play group number `row`; its sums go to `out`: utilities of all players, the square of player 0's, the moves.

    Utilities count times `scale`. Each row has `stride` words of memory for itself, none where rows run one after the
    other.
    """
    width = game.players + 2
    base = row * width
    total_moves = 0
    for index in range(row * GROUP, min(games, (row + 1) * GROUP)):
        end, moves = playout(game, s, stream(seed, index), longest, memory, row * stride, buffered,
                             index == row * GROUP)  # fmt: skip
        if moves < 0:
            out[base + width - 1] = moves
            return 0
        total_moves += moves
        for player in range(game.players):
            gain = scale * as_number(game.utility(end, player))
            if not is_finite(gain):
                out[base + width - 1] = NO_NUMBER
                return 0
            store_float(out, base + player, load_float(out, base + player) + gain)
            if player == 0:
                place = base + game.players
                store_float(out, place, load_float(out, place) + gain * gain)
    out[base + width - 1] = total_moves
    return 0


def playouts(
    game: Game,
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

    return on_best_machine(game, "playouts", device, play)


def _try(game: Game, s: Any, games: int, seed: int, longest: int, patience: Patience) -> None:
    """OutOfPatience where plain Python would hardly play all games in time, by the first few of them."""
    seconds = patience.left
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


def _play(game: Game, s: Any, games: int, seed: int, longest: int, on: Any) -> Playouts:
    """The games, played on this machine."""
    rows = (games + GROUP - 1) // GROUP
    width = game.players + 2
    out = on.memory(rows * width)
    # A GPU has no room near its cores: there, actions are counted and picked instead of written down.
    buffered = on.name != "cuda" or game.writes_fill
    stride = game.max_actions if on.name == "cuda" and buffered else 0
    room = on.memory(max(game.max_actions, rows * stride))
    arguments = {
        "game": game, "s": s, "seed": u64(seed), "games": games, "longest": longest, "memory": room, "stride": stride,
        "scale": 1.0, "out": out, "buffered": buffered,
    }  # fmt: skip
    on.prepare(playout_group, **arguments)
    started = time.perf_counter()
    for scale in (1.0, SMALL_SCALE):
        on.spread(playout_group, rows, **(arguments | {"scale": scale}))
        sums = on.table(out, rows, width, integers=(width - 1,))
        _refuse(game, sums[width - 1], longest)
        found = _means(sums[: width - 1], games, scale)
        if found is not None:
            break
        on.write(out, 0, [0] * (rows * width))
    else:
        raise BrokenContract(f"{game.name}: at some end utility is no finite number; zermelo.check shows it")
    elapsed = time.perf_counter() - started
    *means, error = found
    return Playouts(
        games=games,
        mean=means[0],
        means=tuple(means),
        error=error,
        moves=sum(sums[width - 1]),
        time=elapsed,
        seed=seed,
        device=on.name,
        game=game,
    )


def _means(sums: Any, games: int, scale: float) -> list[float] | None:
    """Everybody's mean and the standard error of player 0's, by sums of utilities on this scale; None where sums are
    larger than any float."""
    try:
        *means, square = (math.fsum(column) / games for column in sums)
    except (OverflowError, ValueError):  # what fsum says of infinities
        return None
    if not all(map(math.isfinite, (*means, square))):
        return None
    error = math.sqrt(max(0.0, square - means[0] * means[0]) / games)
    return [number / scale for number in (*means, error)]


def _refuse(game: Game, moves: Any, longest: int) -> None:
    refuse(
        game,
        min(0, *moves),
        endless=f"a random game had not ended after {longest:,} moves; raise longest=, or end it by a rule",
    )
