"""The games, one file or folder each. The package itself lists them: `zermelo.games["nim"]`, `print(zermelo.games)`.

>>> import zermelo
>>> "kuhn_poker" in zermelo.games, zermelo.games["nim"], zermelo.games.Nim(heaps=(1, 2))
(True, <class 'zermelo.games.nim.Nim'>, Nim(heaps=(1, 2), misere=True))
"""

import difflib
import importlib
import inspect
import pkgutil
import re
import sys
from collections.abc import Iterator
from functools import cache
from types import ModuleType
from typing import Any

from zermelo.contract import Game, Traits
from zermelo.contract.parameters import parse_parameters
from zermelo.errors import BadParameter, UnknownGame, ZermeloError, beginning


class GamesPackage(ModuleType):
    """The games of this package: what `zermelo.games` is, the package of their files and a list of them at once.

    `games["nim"]` and `games.Nim` are classes, `games.nim` is the file, `print(games)` lists them all.
    """

    def __iter__(self) -> Iterator[str]:
        return iter(_names())

    def __len__(self) -> int:
        return len(_names())

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and _squashed(name) in map(_squashed, _names())

    def __getitem__(self, name: str) -> type[Game]:
        return class_of(name)

    def __getattr__(self, name: str) -> Any:
        if name in _names():
            return _imported(name)
        if name[:1].isupper() and name in self:
            return class_of(name)
        raise AttributeError(f"no game is called {name!r}; `print(games)` lists them all")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *_names()]

    def table(self) -> list[tuple[str, Traits, str]]:
        """Each game's name, its traits, and the first line about it."""
        rows = []
        for name in self:
            kind = class_of(name)
            about = (inspect.getdoc(kind) or "").partition("\n")[0]
            rows.append((name, kind().traits, about))
        return rows

    def __str__(self) -> str:
        rows = self.table()
        width = max((len(name) for name, _, _ in rows), default=0)
        return "\n".join(f"{name:<{width}}  {about}\n{'':<{width}}  {traits}" for name, traits, about in rows)

    def __repr__(self) -> str:
        return f"<{len(self)} games: {', '.join(self)}>"


def named(name: str, /, **parameters: Any) -> Game:
    """The game of this package with this name; the name may carry parameters: `connect_four:rows=5,cols=4`."""
    word, colon, written = name.partition(":")
    return made(class_of(word), name, written if colon else None, parameters)


def class_of(name: str) -> type[Game]:
    """The class of the game of this name, however it is spelled."""
    known = {_squashed(n): n for n in _names()}
    squashed = _squashed(name) if isinstance(name, str) else ""
    if squashed not in known:
        close = difflib.get_close_matches(squashed, known, n=3, cutoff=0.6)
        hint = f"did you mean {' or '.join(known[c] for c in close)}?" if close else "`zermelo games` lists them all"
        raise UnknownGame(f"no game is called {name!r}; {hint}")
    return class_in(_imported(known[squashed]), known[squashed], "")


@cache
def _names() -> tuple[str, ...]:
    """The names of the games: those of the files, none of which is imported for it."""
    return tuple(sorted(m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_")))


def _squashed(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _imported(name: str) -> ModuleType:
    return importlib.import_module(f"{__name__}.{name}")


def made(kind: type[Game], name: str, written: str | None, parameters: dict[str, Any]) -> Game:
    """A game with the parameters written behind the colon of its name (None: there is no colon) and with these.

    Whatever a constructor raises becomes a BadParameter.
    """
    if written is not None and not written.strip():
        raise BadParameter(f"{name!r}: parameters belong after the colon, such as rows=5,cols=4")
    given = parse_parameters(written or "")
    twice = sorted(given.keys() & parameters.keys())
    if twice:
        raise BadParameter(f"{name!r}: {twice[0]} was given twice")
    given |= parameters
    try:
        inspect.signature(kind).bind(**given)
    except TypeError as error:
        takes = ", ".join(inspect.signature(kind).parameters) or "no parameters"
        raise BadParameter(f"{kind.__name__}: {error}; it takes {takes}") from None
    try:
        return kind(**given)
    except ZermeloError:
        raise
    except Exception as error:
        inside = ", ".join(f"{k}={v!r}" for k, v in given.items())
        reason = f"{type(error).__name__}: {error}"
        raise BadParameter(
            f"{kind.__name__}({inside}) cannot be made: {beginning(' '.join(reason.split()), 200)}"
        ) from error


def class_in(module: ModuleType, where: str, wanted: str) -> type[Game]:
    """The game class that a module defines: the one of the wanted name, or the only one."""
    own = {
        name: kind
        for name, kind in vars(module).items()
        if isinstance(kind, type) and issubclass(kind, Game) and f"{kind.__module__}.".startswith(f"{module.__name__}.")
    }
    if wanted:
        if wanted not in own:
            raise UnknownGame(f"{where} has no game class {wanted!r}; it has {', '.join(own) or 'none'}")
        return own[wanted]
    public = {name: kind for name, kind in own.items() if not name.startswith("_")}
    if not public:
        raise UnknownGame(f"{where} defines no game: write a class that derives from zermelo.Game")
    if len(set(public.values())) > 1:
        raise UnknownGame(f"{where} defines several games; say which: {' or '.join(f'{where}:{n}' for n in public)}")
    return next(iter(public.values()))


sys.modules[__name__].__class__ = GamesPackage
