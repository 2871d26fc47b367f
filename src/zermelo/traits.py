"""What kind of game it is, found out from its definition and from some random play, so that no author declares it.

Chance and hidden information show in the hooks that a game defines. Sums of utilities and simultaneous moves show in
play: 64 random games with a fixed seed, fewer where they are long or slow. A game of which random play tells too
little, or too slowly, may say what utilities sum to (`utility_sum`): where nothing is hidden, no game is then played.
"""

import itertools
import random
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from zermelo.compile.given import as_number, is_finer
from zermelo.compile.reach import kept
from zermelo.contract import CHANCE, Game, Traits

PLAYOUTS = 64
LONGEST = 1_000
ENOUGH_MOVES = 1_000
"""Once this many moves are made and one game is finished, no further one is begun."""
ENOUGH_SECONDS, TOO_MANY_SECONDS = 0.25, 2.0
"""Seconds after which no further game is begun if one is finished, and after which play stops even if none is."""
WAITING = 3
"""So many seconds on the clock count as one second of processor time."""
ROUNDING = 1e-9


class Survey(NamedTuple):
    """What random play showed: the sum of utilities at each end, and whether somebody moved unseen."""

    sums: tuple[Any, ...]
    simultaneous: bool


def infer(game: Game) -> Traits:
    """The game's traits. What cannot be found out, because the rules raise errors or games never end, is False."""
    players = game.players
    return Traits(
        players=players,
        chance=game.probability is not None,
        hidden=game.view is not None,
        simultaneous=survey(game).simultaneous,
        zero_sum=players != 1 and total(game) is not None,
    )


def total(game: Game) -> Any:
    """What all players' utilities sum to, where random play always ended in the same sum; None where it did not.

    What the game itself says about it is believed. It is a float, unless no float holds it.

    >>> from zermelo.tree import Tree
    >>> total(Tree([(3, 7), (8, 2)]))
    10.0
    """
    sums = survey(game).sums
    if not sums:
        return None
    least, most = min(sums), max(sums)
    if most - least > ROUNDING or (most != least and (is_finer(most) or is_finer(least))):
        return None
    return sums[0] if is_finer(sums[0]) else float(sums[0]) + 0.0


def survey(game: Game, seed: int = 0) -> Survey:
    """What random play of the game shows, or the game says; kept with the game."""
    return kept(game, f"survey {seed}", lambda: _told(game) or _play(game, random.Random(seed)))


def _told(game: Game) -> Survey | None:
    """What the game says about itself, where that is all there is to know."""
    said = game.utility_sum
    return None if said is None or game.view is not None else Survey((float(said),), False)


def _play(game: Any, source: random.Random) -> Survey:
    sums: list[float] = []
    simultaneous, moves, spent = False, 0, _stopwatch()
    for _ in range(PLAYOUTS):
        so_far = spent()
        if (sums and (moves >= ENOUGH_MOVES or so_far > ENOUGH_SECONDS)) or so_far > TOO_MANY_SECONDS:
            break
        # Traits are asked for first, so errors of a broken game pass in silence here: `check` names the fault.
        try:
            s = game.initial()
            for _ in range(LONGEST):
                if spent() > TOO_MANY_SECONDS:
                    break
                if game.is_terminal(s):
                    whole = sum(as_number(game.utility(s, player)) for player in range(game.players))
                    if whole - whole == 0:
                        sums.append(whole)
                    break
                actions = list(itertools.islice(game.actions(s), game.max_actions + 1))
                if game.view is not None and not simultaneous:
                    simultaneous = _moves_unseen(game, s, actions)
                s = game.result(s, source.choice(actions))
                moves += 1
        except Exception:
            continue
    return Survey(tuple(sums), simultaneous)


def _stopwatch() -> Callable[[], float]:
    """The processor time since this call, in seconds: traits must not depend on what else the computer does. Rules may
    wait for something, so time on the clock counts too, for less."""
    worked, began = time.thread_time(), time.monotonic()
    return lambda: max(time.thread_time() - worked, (time.monotonic() - began) / WAITING)


def _moves_unseen(game: Any, s: Any, actions: list[int]) -> bool:
    """Whether another player moves next, who sees the same whichever of the actions is played here."""
    mover = game.to_move(s)
    if mover == CHANCE or len(actions) < 2:
        return False
    seen = None
    for action in actions:
        after = game.result(s, action)
        if game.is_terminal(after) or game.to_move(after) in (mover, CHANCE):
            return False
        known = (game.to_move(after), game.view(after, game.to_move(after)))
        if seen not in (None, known):
            return False
        seen = known
    return True
