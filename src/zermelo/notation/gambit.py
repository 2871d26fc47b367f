"""Gambit's files: payoff tables (.nfg) and game trees (.efg), read and written.

>>> table = read('NFG 1 R "coordination" { "Ann" "Bob" } { { "left" "right" } { "left" "right" } } 2 2 0 0 0 0 1/2 1')
>>> print(table)
       left  right
left   2, 2  0, 0
right  0, 0  1/2, 1
>>> read(write(table)) == table
True
"""

from pathlib import Path
from typing import IO, Any

from zermelo.contract import Game, require_game
from zermelo.equilibrium.forms.normal import normal_form
from zermelo.errors import BadNotation, BadParameter
from zermelo.matrix import Matrix
from zermelo.notation.gambit_table import read_table, write_table
from zermelo.notation.gambit_tree import GambitTreeReader, write_tree
from zermelo.notation.gambit_words import GambitWords
from zermelo.tree import Tree

SUFFIXES = (".efg", ".nfg")


def read(source: str | bytes | Path | IO[Any], *, file: str = "") -> Matrix | Tree:
    """The game in a file or a text of Gambit: a Matrix of an .nfg, a Tree of an .efg.

    A text of one line that ends in .efg or .nfg is the name of a file. Numbers stay exact, decimals too. BadNotation
    names the file (`file` where the source does not say it), the line, the column and what was expected there.
    """
    name, text = _loaded(source)
    words = GambitWords(text, name or file)
    if words.word.text == "NFG":
        return read_table(words)
    if words.word.text == "EFG":
        return GambitTreeReader(words).tree()
    raise words.unexpected("EFG or NFG")


def _loaded(source: str | bytes | Path | IO[Any]) -> tuple[str, str]:
    """The name of the file, where there is one, and its text."""
    file = ""
    if isinstance(source, Path) or (isinstance(source, str) and source.endswith(SUFFIXES) and "\n" not in source):
        file = str(source)
        try:
            source = Path(source).read_bytes()
        except (OSError, ValueError) as error:
            missing = isinstance(error, FileNotFoundError)
            reason = "there is no such file" if missing else f"cannot be read ({error})"
            raise BadNotation(f"{file}: {reason}") from None
    data: Any = source if isinstance(source, str | bytes) else source.read()
    if isinstance(data, bytes):
        try:
            data = data.decode("utf-8")
        except UnicodeDecodeError:
            data = data.decode("latin-1")
    return file, data.removeprefix("\ufeff")


def write(game: Game, *, form: str | None = None, title: str | None = None) -> str:
    """The game as a text of Gambit: a Matrix as a table, any other game as its tree.

    `form` is "nfg" for the table of a game's strategies, or "efg" for the tree of a Matrix.

    >>> from zermelo import game
    >>> print(write(game("matching_pennies")))
    NFG 1 R "matching_pennies" { "matcher" "other" }
    <BLANKLINE>
    { { "heads" "tails" }
      { "heads" "tails" }
    }
    ""
    <BLANKLINE>
    1 -1 -1 1
    -1 1 1 -1
    <BLANKLINE>
    """
    require_game(game, "gambit.write")
    if form not in (None, "nfg", "efg"):
        raise BadParameter(f"gambit.write: form must be nfg or efg, not {form!r}")
    title = game.name if title is None else title
    if form == "nfg" or (form is None and isinstance(game, Matrix)):
        return write_table(normal_form(game), title)
    return write_tree(game, title)
