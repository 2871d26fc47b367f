"""Native code made before it is asked for: the calls that people make of a game, each begun and hardly run.

What is compiled is kept, in the user's cache or, for a package that is handed on, in a folder of its own.
"""

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

from zermelo.compile.machine import is_native
from zermelo.compile.program import seconds_compiling
from zermelo.contract import CHANCE, Game
from zermelo.errors import BadState, CompileError, UnsuitableGame, ZermeloError
from zermelo.play.course import Course
from zermelo.play.method_players import helps
from zermelo.result import Limit
from zermelo.searches.methods import DEPTH, ENGINE, GUESSING, METHODS, SAMPLING, usual_method

ONE = Limit(simulations=1)


class Warmed(NamedTuple):
    """One call, and what it took to get its native code."""

    game: str
    call: str
    seconds: float
    """Hardly any where the code was there."""
    error: str = ""
    """Why there is none."""


def warm(game: Game, *, every: bool = False) -> Iterator[Warmed]:
    """Make the native code of a game's usual method, of perft and of playouts; with `every`, of each method that fits
    it."""
    if (reason := is_native(game)) is not None:
        yield Warmed(game.name, "all", 0.0, reason)
        return
    for name, call in _calls(game, every):
        before = time.perf_counter(), seconds_compiling()
        try:
            call()
        except (UnsuitableGame, BadState):
            continue
        except ZermeloError as error:
            yield Warmed(game.name, name, time.perf_counter() - before[0], str(error))
            if isinstance(error, CompileError):
                return
            continue
        yield Warmed(game.name, name, seconds_compiling() - before[1])


def _calls(game: Game, every: bool) -> Iterator[tuple[str, Callable[[], Any]]]:
    """The calls, the most usual one first."""
    import zermelo

    try:
        usual = usual_method(game)
    except UnsuitableGame:
        usual = ""
    s = _first_choice(game)
    for method in sorted(METHODS, key=lambda method: method.name != usual):
        if not every and method.name != usual:
            continue
        search = getattr(zermelo, method.name)
        if method.kind == DEPTH:
            yield method.name, partial(search, game, depth=1, device="cpu")
        elif method.kind == ENGINE:
            yield method.name, partial(search, game, limit=Limit(depth=1), device="cpu")
        elif method.kind == SAMPLING:
            yield method.name, partial(search, game, s, limit=ONE, device="cpu", **helps(game))
        elif method.kind == GUESSING and game.traits.hidden:
            yield method.name, partial(search, game, s, limit=ONE, device="cpu")
    yield "perft", partial(zermelo.perft, game, 1, device="cpu")
    yield "playouts", partial(zermelo.playouts, game, games=1, device="cpu")
    if game.traits.hidden and every:
        yield "cfr", partial(zermelo.cfr, game, iterations=1, device="cpu")


def _first_choice(game: Game) -> Any:
    """The first state in which somebody has a choice."""
    course = Course(game)
    while not course.is_over() and game.to_move(course.state) == CHANCE:
        course.push(next(iter(game.actions(course.state))))
    return course.state
