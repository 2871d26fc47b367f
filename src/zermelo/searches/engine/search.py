"""`zermelo.search`: the engine as people call it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from zermelo.compile import now
from zermelo.compile.patience import Patience, current
from zermelo.contract import Game
from zermelo.errors import BadParameter, Interrupted
from zermelo.result import Analysis, Limit
from zermelo.running.devices import on_best_machine
from zermelo.searches.engine.engine import Engine
from zermelo.searches.engine.settings import require_fit

__all__ = ["Engine", "search"]


class Search:
    """The best move that can be found in a given time, and the line of play that it expects.

    Techniques are switched off by their names, as in `search(game, null_move=False, reductions=False)`;
    `zermelo.searches.engine.techniques.TECHNIQUES` says what each does.

    >>> from zermelo import game, search, Limit
    >>> search(game("tic_tac_toe"), limit=Limit(depth=9), device="python").value
    0.0
    """

    def __call__(
        self,
        game: Game,
        state: Any = None,
        *,
        limit: Limit | None = None,
        history: Sequence[Any] = (),
        lines: int = 1,
        book: Any = None,
        threads: int = 1,
        table: int | bool = True,
        evaluate: Any = None,
        device: str = "auto",
        **techniques: bool,
    ) -> Analysis:
        """The answer: searched within `limit` (a second where none is given), or found in the book.

        `history` are the positions before this one, which may not or should not come again; `lines` asks for so many
        best moves; `threads` search at once and share a table of `table` megabytes; `evaluate` replaces the game's own
        estimate. A `book` is anything with `lookup(game, state)`, or several of them: they are asked first. Time counts
        from this call on, but for what goes into compiling, and into plain Python where native code then answers.
        """
        (last,) = self.stream(
            game, state, limit=limit, history=history, lines=lines, book=book, every=False, threads=threads,
            table=table, evaluate=evaluate, device=device, **techniques,
        )  # fmt: skip
        return last

    def stream(
        self,
        game: Game,
        state: Any = None,
        *,
        limit: Limit | None = None,
        history: Sequence[Any] = (),
        lines: int = 1,
        book: Any = None,
        every: bool = True,
        **options: Any,
    ) -> Iterator[Analysis]:
        """The answers after depth 1, 2, 3, ...; the last is the best, and without `every` the only one.

        The last depth may be cut off: then what it found so far comes last, with the depth of the answer before.
        """
        require_fit(game)
        once = limit if isinstance(limit, Limit) else Limit(time=1.0)
        asked: dict[str, Any] = {"history": history, "lines": lines, "every": every}

        def begin(device: str) -> Iterator[Analysis]:
            # What another machine began and did not finish is no part of the time to think.
            began = now()
            engine = Engine(game, once=once, **options | {"device": device})
            found = look_up(game, state, book)
            if found is not None:
                return iter((found,))
            if (patience := current()) is not None:
                return iter(quick_answers(engine, state, once, patience, **asked))
            return engine.stream(state, limit, since=began + engine.loading, **asked)

        yield from on_best_machine(game, "search", options.pop("device", "auto"), begin)

    def __repr__(self) -> str:
        return "zermelo.search(game, state=None, *, limit=Limit(time=1.0), ...)"


search = Search()


def quick_answers(engine: Engine, state: Any, limit: Limit, patience: Patience, **asked: Any) -> list[Analysis]:
    """What plain Python finds in time where that is all there is to find; Interrupted where it is not."""
    with patience.ends(engine.stop):
        # Its own time would end a search before all is found; nobody waits longer than patience lasts.
        answers = list(engine.stream(state, replace(limit, time=None), **asked))
    if engine.halted:
        raise Interrupted("the search was stopped")
    return answers


def look_up(game: Game, state: Any, sources: Any) -> Analysis | None:
    """What the first book or table that knows the position says about it."""
    if sources is None:
        return None
    s = game.initial() if state is None else game.checked_state(state)
    for source in sources if isinstance(sources, tuple | list) else (sources,):
        if not hasattr(source, "lookup"):
            raise BadParameter(f"search: book must be a book (anything with lookup(game, state)), not {source!r}")
        found = source.lookup(game, s)
        if found is not None:
            return found
    return None
