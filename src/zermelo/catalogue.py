"""Finding games: by name, with parameters in the name, or in a file of the user's.

>>> game("higher_takes:hidden=True")
HigherTakes(hidden=True, four='hearts')
"""

import ast
import difflib
import hashlib
import importlib
import importlib.util
import inspect
import pkgutil
import re
import sys
import traceback
import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from zermelo.contract import Game, Traits
from zermelo.errors import BadParameter, UnknownGame, ZermeloError

FILE = re.compile(r"(?P<path>.+?\.py)(?::(?P<rest>.*))?", re.DOTALL)
DATA = re.compile(r"(?P<path>.+?\.(?:efg|nfg))(?::(?P<rest>.*))?", re.DOTALL)
"""A tree or a table in a file of Gambit."""
WORD = re.compile(r"[^\W\d][\w-]*")
OPENING, CLOSING = "([{", ")]}"


def game(name: str, /, **parameters: Any) -> Game:
    """The game of this name, with these parameters.

    The name may be spelled tic_tac_toe, tic-tac-toe or TicTacToe and may carry parameters, as in
    `connect_four:rows=5,cols=4`. A file of one's own is named by its path, `mygame.py`, and where it has several
    games by path and class, `mygame.py:MyGame`. So are files of Gambit: `mygame.efg`, `mygame.nfg`.
    """
    if not isinstance(name, str):
        raise UnknownGame(f"a game is named by a word or the path of a file, not {name!r}")
    data = DATA.fullmatch(name.strip())
    if data:
        if data["rest"] is not None or parameters:
            raise BadParameter(f"{data['path']}: a game in a file of Gambit takes no parameters")
        return _data_game(Path(data["path"]))
    file = FILE.fullmatch(name.strip())
    if file:
        first, colon, rest = (file["rest"] or "").partition(":")
        wanted = "" if "=" in first else first.strip()
        written = rest if wanted else (file["rest"] or "")
        kind = _own_class(Path(file["path"]), wanted)
    else:
        word, colon, written = name.partition(":")
        kind = class_of(word)
    if colon and not written.strip():
        raise BadParameter(f"{name!r}: parameters belong after the colon, such as rows=5,cols=4")
    given = parse_parameters(written)
    twice = sorted(given.keys() & parameters.keys())
    if twice:
        raise BadParameter(f"{name!r}: {twice[0]} was given twice")
    return _make(kind, given | parameters)


def parse_parameters(text: str) -> dict[str, Any]:
    """The parameters written in `text`, separated by commas; values are Python's, words need no quotes.

    >>> parse_parameters("heaps=(3, 4), variant=misere")
    {'heaps': (3, 4), 'variant': 'misere'}
    """
    given: dict[str, Any] = {}
    for part in _split(text) if text.strip() else ():
        name, equals, value = part.partition("=")
        name = name.strip()
        if not equals or not name.isidentifier():
            raise BadParameter(f"{part.strip()!r} is no parameter: write name=value, separated by commas")
        if name in given:
            raise BadParameter(f"{name} was given twice")
        given[name] = _value(name, value.strip())
    return given


def _value(name: str, text: str) -> Any:
    if WORD.fullmatch(text) and text not in ("True", "False", "None"):
        return text
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            return ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        raise BadParameter(f"{name}: {text!r} is no value: write a number, a word, True, False or (1, 2)") from None


def _split(text: str) -> list[str]:
    """The parts between the commas that stand outside all brackets and quotes."""
    parts, start, depth, quote = [], 0, 0, ""
    for i, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote and text[i - 1] != "\\" else quote
        elif letter in "\"'":
            quote = letter
        elif letter in OPENING:
            depth += 1
        elif letter in CLOSING:
            depth -= 1
        elif letter == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    return [*parts, text[start:]]


def _make(kind: type[Game], parameters: dict[str, Any]) -> Game:
    """An instance; whatever a constructor raises becomes a BadParameter."""
    try:
        inspect.signature(kind).bind(**parameters)
    except TypeError as error:
        takes = ", ".join(inspect.signature(kind).parameters) or "no parameters"
        raise BadParameter(f"{kind.__name__}: {error}; it takes {takes}") from None
    try:
        return kind(**parameters)
    except ZermeloError:
        raise
    except Exception as error:
        inside = ", ".join(f"{k}={v!r}" for k, v in parameters.items())
        reason = f"{type(error).__name__}: {error}"
        raise BadParameter(f"{kind.__name__}({inside}) cannot be made: {_one_line(reason)}") from error


# --- classes -----------------------------------------------------------------------------------------------------


class Catalogue(ModuleType):
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


def class_of(name: str) -> type[Game]:
    """The class of the game of this name, however it is spelled."""
    known = {_squashed(n): n for n in _names()}
    squashed = _squashed(name) if isinstance(name, str) else ""
    if squashed not in known:
        close = difflib.get_close_matches(squashed, known, n=3, cutoff=0.6)
        hint = f"did you mean {' or '.join(known[c] for c in close)}?" if close else "`zermelo games` lists them all"
        raise UnknownGame(f"no game is called {name!r}; {hint}")
    return _class_in(_imported(known[squashed]), known[squashed], "")


@cache
def _names() -> tuple[str, ...]:
    """The names of the games: those of the files, none of which is imported for it."""
    folder = str(Path(__file__).parent / "games")
    return tuple(sorted(m.name for m in pkgutil.iter_modules([folder]) if not m.name.startswith("_")))


def _squashed(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _imported(name: str) -> ModuleType:
    return importlib.import_module(f"zermelo.games.{name}")


def _own_class(path: Path, wanted: str) -> type[Game]:
    return _class_in(_loaded(path), path.name, wanted)


def _class_in(module: ModuleType, where: str, wanted: str) -> type[Game]:
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


def _loaded(path: Path) -> ModuleType:
    """The module in a file; a file that has not changed is loaded once."""
    source, place = _source(path)
    digest = hashlib.sha256(place.encode(errors="surrogateescape") + b"\0" + source).hexdigest()[:16]
    name = f"zermelo_file_{re.sub(r'[^0-9A-Za-z_]', '_', path.stem)}_{digest}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    folder = str(Path(place).parent)
    sys.path.insert(0, folder)  # the file may import its neighbours, as it could when run itself
    try:
        spec.loader.exec_module(module)
    except KeyboardInterrupt:
        del sys.modules[name]
        raise
    except BaseException as error:
        del sys.modules[name]
        raise UnknownGame(_load_failure(path, place, error)) from error
    finally:
        if folder in sys.path:
            sys.path.remove(folder)
    return module


def _source(path: Path) -> tuple[bytes, str]:
    """What stands in a file, and its full name."""
    try:
        return path.read_bytes(), str(path.resolve())
    except (OSError, ValueError) as error:
        missing = isinstance(error, FileNotFoundError)
        raise UnknownGame(f"{path}: " + ("there is no such file" if missing else f"cannot be read ({error})")) from None


def _data_game(path: Path) -> Game:
    from zermelo.notation import gambit

    return gambit.read(_source(path)[0], file=str(path))


def _load_failure(path: Path, place: str, error: BaseException) -> str:
    """One line: the file, the line and what went wrong there."""
    if isinstance(error, SyntaxError) and error.filename == place:
        return f"{path}:{error.lineno}: {error.msg}"
    own = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == place]
    where = f"{path}:{own[-1]}" if own else str(path)
    return f"{where}: loading it raised {type(error).__name__}: {_one_line(str(error))}"


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 200 else line[:197] + "..."
