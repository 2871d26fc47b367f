"""Finding games: by name, with parameters in the name, or in a file of the user's.

>>> game("higher_takes:hidden=True")
HigherTakes(hidden=True, four='hearts')
"""

import copyreg
import hashlib
import importlib
import importlib.util
import re
import sys
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

from zermelo.contract import Game
from zermelo.errors import BadParameter, UnknownGame, beginning
from zermelo.games import class_in, made, named

FILE = re.compile(r"(?P<path>.+?\.py)(?::(?P<rest>.*))?", re.DOTALL)
DATA = re.compile(r"(?P<path>.+?\.(?:efg|nfg))(?::(?P<rest>.*))?", re.DOTALL)
"""A tree or a table in a file of Gambit."""
PROTOCOL = 4
"""The version of Python's pickles in which classes of files say how they are made again."""


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
        from zermelo.notation import gambit  # few games are in files of Gambit

        path = Path(data["path"])
        return gambit.read(_source(path)[0], file=str(path))
    file = FILE.fullmatch(name.strip())
    if not file:
        return named(name, **parameters)
    path, rest = Path(file["path"]), file["rest"] or ""
    first, colon, behind = rest.partition(":")
    wanted = "" if "=" in first else first.strip()
    kind = class_in(_loaded(path), path.name, wanted)
    written = behind if wanted else rest
    return made(kind, name, written if colon or written.strip() else None, parameters)


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
    for kind in _classes(module, name):
        copyreg.pickle(kind, partial(_with_its_file, GameFile(place, name)))
    return module


def _source(path: Path) -> tuple[bytes, str]:
    """What stands in a file, and its full name."""
    try:
        return path.read_bytes(), str(path.resolve())
    except (OSError, ValueError) as error:
        missing = isinstance(error, FileNotFoundError)
        raise UnknownGame(f"{path}: " + ("there is no such file" if missing else f"cannot be read ({error})")) from None


def _load_failure(path: Path, place: str, error: BaseException) -> str:
    """One line: the file, the line and what went wrong there."""
    if isinstance(error, SyntaxError) and error.filename == place:
        return f"{path}:{error.lineno}: {error.msg}"
    own = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == place]
    where = f"{path}:{own[-1]}" if own else str(path)
    return f"{where}: loading it raised {type(error).__name__}: {beginning(' '.join(str(error).split()), 200)}"


# --- pickles of what comes from files --------------------------------------------------------------------------------


@dataclass(frozen=True)
class GameFile:
    """A file of the user's as a pickle names it: where it lies, and the name of its module."""

    place: str
    module: str

    def __reduce__(self) -> tuple[Any, ...]:
        return _opened_again, (self.place, self.module)


def _with_its_file(file: GameFile, value: Any) -> Any:
    """How an instance of one of the file's classes is pickled: the file stands before what its module has to be there
    for, since no other process could import that by its name."""
    reduced = value.__reduce_ex__(PROTOCOL)
    if isinstance(reduced, str):
        return reduced
    make, arguments, *rest = reduced
    return (_made_again, (file, make, arguments), *rest)


def _opened_again(place: str, module: str) -> GameFile:
    """Load the file unless this process knows it already. What it says now counts, as with every module of Python."""
    if module not in sys.modules:
        try:
            sys.modules[module] = _loaded(Path(place))
        except UnknownGame as error:
            raise UnknownGame(f"this was pickled with a game from a file, which is wanted again: {error}") from None
    return GameFile(place, module)


def _made_again(file: GameFile, make: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    return make(*arguments)


def _classes(owner: Any, module: str) -> Iterator[type]:
    """The classes that a module defines, those within classes included."""
    for value in list(vars(owner).values()):
        if isinstance(value, type) and value.__module__ == module and value is not owner:
            yield value
            yield from _classes(value, module)
