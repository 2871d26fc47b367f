"""Write `zermelo/__init__.pyi`, by which type checkers know the public names that `zermelo/__init__.py` loads lazily.

Run it after a change to `_HOMES`: `python tools/write_stub.py`. A test compares the file with what is written here.
"""

import inspect
import sys
from pathlib import Path

import zermelo

STUB = Path(zermelo.__file__).with_suffix(".pyi")
HEAD = '''"""The public names, for type checkers. Written by tools/write_stub.py from `_HOMES`: do not edit it."""

# ruff: noqa: I001
from zermelo import bits as bits
from zermelo.games import GamesPackage
from zermelo.play import PlayRoom
'''


def stub() -> str:
    """The text of the file: a line for each public name."""
    lines = sorted(f"from {home_of(name)} import {name} as {name}\n" for name in zermelo._HOME)
    return HEAD + "".join(lines) + "\n__version__: str\ngames: GamesPackage\nplay: PlayRoom\n"


def home_of(name: str) -> str:
    """The module that defines a name: rooms have files that are called like functions in them."""
    value = getattr(zermelo, name)
    if inspect.isclass(value) or inspect.isfunction(inspect.unwrap(value)):
        assert vars(sys.modules[value.__module__])[name] is value
        return value.__module__
    return f"zermelo.{zermelo._HOME[name]}"


if __name__ == "__main__":
    STUB.write_text(stub(), encoding="utf-8")
