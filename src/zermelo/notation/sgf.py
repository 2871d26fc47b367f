"""SGF, the smart game format (FF[4]): games of Go, and of Othello and Hex, in and out.

    for record in sgf.read(Path("games.sgf")):
        print(record.headers.get("PB"), record.result, len(record.actions))

`parse` reads any SGF, whatever game it is about, as trees of nodes; `read` turns them into records of games as PGN's
are, with variations, comments and glyphs. A file that is no SGF raises BadNotation with its line and column; a game
that cannot be played to its end has `errors`, and the moves before them. Player 0 is Black, in all games: a result of
`1-0` means that Black has won. The headers of a record have the names that SGF gives them: PB and PW are the players,
RE is the result as it is written.
"""

import codecs
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from zermelo import __version__
from zermelo.contract import Game
from zermelo.errors import BadParameter, IllegalAction
from zermelo.games.go import Go
from zermelo.games.hex import Hex
from zermelo.notation import BadNotation
from zermelo.notation.game_record import GameNode, Record, played_line
from zermelo.notation.sgf_boards import SgfBoard, sgf_board
from zermelo.notation.sgf_reader import SETTING, read_record, result_of
from zermelo.notation.sgf_tree import NAME, SgfNode, parse_text, unbroken

__all__ = ["GameNode", "Record", "SgfNode", "parse", "read", "tree_of", "write", "write_record"]

CHARSET = re.compile(rb"(?<![A-Za-z])CA\s*\[\s*(?P<name>[\w.:+-]{1,40})\s*\]")
NO_CHARSET = re.compile("escape|idna", re.IGNORECASE)
"""Codecs of Python that are no character sets."""
ASCII = bytes(range(32, 127))
MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"),
)  # fmt: skip
FROM_PGN = {"White": "PB", "Black": "PW", "Event": "EV", "Site": "PC", "Date": "DT", "Round": "RO", "Annotator": "AN"}
"""Headers of PGN, in which White is whoever begins, and the properties that say the same."""
RESULTS = {"1-0": 1.0, "0-1": -1.0, "1/2-1/2": 0.0, "*": None, "": None}
"""What records say about the end, and what it means for player 0; None where it is not told."""
GLYPHS = {1: ("TE", "1"), 2: ("BM", "1"), 3: ("TE", "2"), 4: ("BM", "2"), 5: ("IT", ""), 6: ("DO", "")}
"""Annotation glyphs as properties of a move: good, bad, very good, very bad, interesting, doubtful."""


# --- reading ---------------------------------------------------------------------------------------------------------


def parse(source: str | bytes | Path | IO[Any], *, encoding: str | None = None) -> list[SgfNode]:
    """The roots of all games of a file or of a text; BadNotation, with line and column, where it is no SGF.

    A text of one line that ends in .sgf is the name of a file. Bytes are read as the first property CA says, as UTF-8
    where there is none, or as Latin-1 where they are no UTF-8; `encoding` overrules it. Text that is written back is
    Unicode, and CA then says UTF-8.

    >>> (root,) = parse("(;GM[1]SZ[9];B[ee]C[Tengen.];W[ce])")
    >>> [node.get("B") or node.get("W") for node in root.main_line()], root.children[0]["C"]
    (['', 'ee', 'ce'], 'Tengen.')
    """
    data = _loaded(source)
    text = data.removeprefix("\ufeff") if isinstance(data, str) else _decoded(data, encoding)
    roots = parse_text(text)
    for root in roots:
        if "CA" in root or not text.isascii():
            root.set("CA", "UTF-8")
    return roots


def read(
    source: str | bytes | Path | IO[Any],
    *,
    game: Game | None = None,
    strict: bool = False,
    encoding: str | None = None,
) -> Iterator[Record]:
    """The games of a file or of a text as records; `strict` raises BadNotation at the first error in one.

    `game` says what is played where the file does not: the properties GM, SZ and KM are then not looked at.
    """
    for root in parse(source, encoding=encoding):
        record = read_record(root, game)
        if strict and record.errors:
            raise BadNotation(record.errors[0])
        yield record


def _loaded(source: str | bytes | Path | IO[Any]) -> str | bytes:
    if isinstance(source, bytes):
        return source
    if isinstance(source, Path) or (isinstance(source, str) and source.endswith(".sgf") and "\n" not in source):
        try:
            return Path(source).read_bytes()
        except (OSError, ValueError) as error:
            missing = isinstance(error, FileNotFoundError)
            reason = "there is no such file" if missing else f"cannot be read ({error})"
            raise BadNotation(f"{source}: {reason}") from None
    return source if isinstance(source, str) else source.read()


def _decoded(data: bytes, encoding: str | None) -> str:
    """The text of a file."""
    named = CHARSET.search(data)
    marked = next((name for mark, name in MARKS if data.startswith(mark)), None)
    name = encoding or marked or (named["name"].decode() if named else None)
    if name is None:
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            return data.decode("latin-1")
    try:
        # SGF cannot be parsed in a character set that does not keep ASCII, since its brackets are then other bytes.
        if name != marked and (NO_CHARSET.search(name) or ASCII.decode(name) != ASCII.decode()):
            raise LookupError
    except (LookupError, ValueError):
        at = named.start() if named and not encoding else 0
        raise _wrong(data, at, f"there is no character set {name!r} that SGF can be written in") from None
    try:
        return data.decode(name)
    except UnicodeDecodeError as error:
        raise _wrong(data, error.start, f"byte {data[error.start]:#04x} is no {name}; give encoding=...") from None
    except ValueError:
        raise _wrong(data, 0, f"the file cannot be read as {name}; give encoding=...") from None


def _wrong(data: bytes, at: int, what: str) -> BadNotation:
    before = data[:at].split(b"\n")
    return BadNotation(f"line {len(before)}, column {len(before[-1]) + 1}: {what}")


# --- writing ---------------------------------------------------------------------------------------------------------


def write(
    headers: Mapping[str, str],
    game: Game,
    start_state: Any,
    actions: Sequence[int],
    comments: Mapping[int, str] | None = None,
) -> str:
    """One game in SGF. `comments` follow the action of their index; -1 is said before all moves.

    Headers have the names of SGF's properties or those of PGN; without a result among them, it is what the last state
    says. A `start_state` of None is the first one.

    >>> from zermelo import game
    >>> print(write({"PB": "One"}, game("go", size=5, komi=0.5), None, [12, 7]).splitlines()[-1])
    ;B[cc];W[cb])
    """
    start = game.initial() if start_state is None else start_state
    record = Record(dict(headers), game, start, played_line(actions, comments or {}))
    record.result = headers.get("Result", "")
    return write_record(record)


def write_record(record: Record) -> str:
    """A game in SGF, with its variations, comments and glyphs."""
    return f"{tree_of(record)}\n"


def tree_of(record: Record) -> SgfNode:
    """The game as a tree of SGF nodes."""
    if record.game is None:
        raise BadParameter(f"a record of an unknown game cannot be written: {'; '.join(record.errors)}")
    if record.result not in RESULTS:
        raise BadParameter(f"the result of a game is one of {', '.join(RESULTS)[:-2]}, not {record.result!r}")
    game, board = record.game, sgf_board(record.game)
    root = sgf_root(game, record.start, record.headers)
    _annotate(root, record.root)
    last = record.start
    waiting = [(record.root, root, record.start, True)]
    while waiting:
        node, written, s, is_main = waiting.pop()
        if is_main:
            last = s
        for i, following in enumerate(node.following):
            action, player = following.action, game.to_move(s)
            if action is None:
                raise BadParameter("a node without an action can stand at the root only")
            if not board.is_legal(s, action):
                raise IllegalAction(f"{action!r} is not legal in {game.name} in {game.format_state(s)}")
            child = written.add()
            child.set("BW"[player], board.written(action))
            _annotate(child, following)
            waiting.append((following, child, game.result(s, action), is_main and i == 0))
    result = _result(record, last)
    if result:
        root.set("RE", result)
    return root


def _annotate(written: SgfNode, node: GameNode) -> None:
    """Write what is said about a move."""
    for nag in node.nags:
        if nag in GLYPHS:
            name, value = GLYPHS[nag]
            written.set(name, value)
    comment = "\n".join(filter(None, (node.before, node.comment)))
    if comment:
        written.set("C", comment)


def sgf_root(game: Game, start: Any, headers: Mapping[str, str]) -> SgfNode:
    """A root that says what is played, by whom, and from where."""
    root, board = SgfNode(), sgf_board(game)
    for name, value in (("FF", "4"), ("CA", "UTF-8"), ("GM", str(board.number)), ("SZ", str(board.size))):
        root.set(name, value)
    root.set("AP", f"zermelo:{__version__}")
    if isinstance(game, Go):
        root.set("KM", f"{game.komi:g}")
    if isinstance(game, Hex) and game.swap:
        root.set("RU", "swap")
    for name, value in headers.items():
        known = FROM_PGN.get(name, name)
        if known in SETTING or known == "Result" or str(value).strip() in ("", "?"):
            continue
        if not NAME.fullmatch(known):
            raise BadParameter(f"{name!r} cannot be the name of a property of SGF: capital letters only, as in EV")
        root.set(known, unbroken(str(value)))
    _set_up(root, start, game, board)
    return root


def _set_up(root: SgfNode, start: Any, game: Game, board: SgfBoard) -> None:
    """Write the stones of a position that is not the first one, and who is to move."""
    if start == game.initial():
        return
    sides = board.stones(start)
    for name, points in zip(("AB", "AW"), sides, strict=True):
        root.set(name, *map(board.written, points))
    if isinstance(game, Go) and len(sides[0]) > 1 and not sides[1] and game.to_move(start) == 1:
        root.set("HA", str(len(sides[0])))
    root.set("PL", "BW"[game.to_move(start)])


def _result(record: Record, last: Any) -> str:
    """The result as SGF writes it: the header's where it does not contradict the record's, or what the end says."""
    game, told = record.game, record.headers.get("RE", "")
    over = sgf_board(game).is_over(last)
    if told and record.result in ("", "*", result_of(told)):
        return unbroken(told)
    mine = RESULTS[record.result]
    if mine is None and not over:
        return ""
    if mine is None:
        mine = float(game.utility(last, 0))
    if mine == 0:
        return "0"
    lead = game.lead(last) if over and isinstance(game, Go) else 0.0
    return ("B+" if mine > 0 else "W+") + (f"{abs(lead):g}" if lead * mine > 0 else "")
