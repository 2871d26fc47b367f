"""PGN, portable game notation: games of chess, and of any other game here, in and out.

    for record in pgn.read(Path("games.pgn")):
        print(record.headers["White"], record.result, len(record.actions))

Reading is tolerant and goes on: a game that cannot be read to its end has `errors`, each with its line and column, and
the moves before them. Null moves (--) are such errors, since nobody can play them: the line ends before one, which in
most files is a variation. Glyphs may have any number, though the standard ends at $255.

Writing is strict: the seven tags first, lines below 80 columns. Games other than chess are named by the tag Variant, as
`zermelo.game` knows them (`connect_four:rows=5,cols=4`); their moves are those of `format_action`, and a name that PGN
would misread stands in quotation marks.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from zermelo.contract import Game
from zermelo.errors import BadParameter, IllegalAction
from zermelo.games.chess import Chess
from zermelo.notation import BadNotation
from zermelo.notation.game_record import GameNode, Record, played_line
from zermelo.notation.pgn_reader import PgnReader
from zermelo.notation.pgn_tokens import tokens

__all__ = ["GameNode", "Record", "read", "write", "write_record"]

ROSTER = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
UNKNOWN = {"Date": "????.??.??", "Result": "*"}
RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
TAG_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_]{0,254}")
PLAIN_MOVE = re.compile(
    r"(?![;$*!?%.])(?!\d+\.)(?!(?:1[-–]0|0[-–]1|1/2[-–]1/2|1/2|½[-–]½)$)[^\s(){};$\"\[\]\\]*[^\s(){};$\"\[\]\\!?]"
)
UNIT = re.compile(r"(?:\[%[^\]]*\]|\S)+")
"""A word of a comment; a command to programs, such as [%clk 0:10:00], is one word."""
LINE_END, OLD_LINE_END = re.compile(r"\r\n|\n|\r"), re.compile(r"\r(?!\n|\Z)")
"""Lines of a text end in any of three ways; those of files are cut at \\n already, and at a lone \\r in old ones."""
WIDTH = 79


def read(
    source: str | Path | IO[Any] | Iterable[str], *, game: Game | None = None, strict: bool = False
) -> Iterator[Record]:
    """The games of a file or of a text, one at a time; `strict` raises BadNotation at the first error.

    A text of one line that ends in .pgn is the name of a file. `game` says what is played where the file does not, as
    for a game of your own.
    """
    for record in PgnReader(tokens(_lines(source)), game).records():
        if strict and record.errors:
            raise BadNotation(record.errors[0])
        yield record


def _lines(source: str | Path | IO[Any] | Iterable[str]) -> Iterator[str]:
    """The lines of a file, of UTF-8 or, where they are not, of Latin-1."""
    if isinstance(source, str) and not (source.endswith(".pgn") and "\n" not in source):
        yield from LINE_END.split(source)
    elif isinstance(source, str | Path):
        try:
            with Path(source).open("rb") as file:
                yield from _lines(file)
        except (OSError, ValueError) as error:
            missing = isinstance(error, FileNotFoundError)
            reason = "there is no such file" if missing else f"cannot be read ({error})"
            raise BadNotation(f"{source}: {reason}") from None
    else:
        for line in source:
            yield from OLD_LINE_END.split(_decoded(line) if isinstance(line, bytes) else line)


def _decoded(line: bytes) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        return line.decode("latin-1")


# --- writing ---------------------------------------------------------------------------------------------------------


def write(
    headers: Mapping[str, str],
    game: Game,
    start_state: Any,
    actions: Sequence[int],
    comments: Mapping[int, str] | None = None,
) -> str:
    """One game in PGN. `comments` follow the action of their index; -1 is said before all moves.

    Without a result among the headers, it is what the last state says. A `start_state` of None is the first one.

    >>> from zermelo import game
    >>> of = game("connect_four")
    >>> print(write({"White": "X"}, of, None, [3, 3, 2], {2: "threatens"}).splitlines()[-1])
    1. 4 4 2. 3 {threatens} *
    """
    start = game.initial() if start_state is None else start_state
    record = Record(dict(headers), game, start, played_line(actions, comments or {}))
    record.result = headers.get("Result") or _result(record)
    return write_record(record)


def _result(record: Record) -> str:
    """What the last state says: who won, if it is an end and two play."""
    *_, last = _checked_states(record)
    game = record.game
    if game.players != 2 or not game.is_terminal(last):
        return "*"
    mine, theirs = game.utility(last, 0), game.utility(last, 1)
    return "1-0" if mine > theirs else "0-1" if mine < theirs else "1/2-1/2"


def _checked_states(record: Record) -> Iterator[Any]:
    s = record.start
    yield s
    for action in record.actions:
        s = _after(record.game, s, action)
        yield s


def _after(game: Game, s: Any, action: int) -> Any:
    """The state after a move that must be legal; chess may go on after a draw that nobody has claimed."""
    if action not in game.actions(s) or not (isinstance(game, Chess) or not game.is_terminal(s)):
        raise IllegalAction(f"{action!r} is not legal in {game.name} in {game.format_state(s)}")
    return game.result(s, action)


def write_record(record: Record) -> str:
    """A game in PGN, with its variations, comments and glyphs."""
    if record.game is None:
        raise BadParameter(f"a record of an unknown game cannot be written: {'; '.join(record.errors)}")
    if record.result not in RESULTS:
        raise BadParameter(f"the result of a game is one of {', '.join(RESULTS)}, not {record.result!r}")
    headers = {name: record.headers.get(name) or UNKNOWN.get(name, "?") for name in ROSTER}
    headers["Result"] = record.result
    special = _setting(record)
    rest = {k: v for k, v in record.headers.items() if k not in ROSTER and k not in ("SetUp", "FEN", "Variant")}
    headers |= dict(sorted((rest | special).items()))
    tags = "\n".join(_tag(name, value) for name, value in headers.items())
    words = [*_comment(record.root.comment), *_line(record.game, record.root, record.start, 0), record.result]
    return f"{tags}\n\n{_wrapped(words)}\n"


def _tag(name: str, value: str) -> str:
    if not TAG_NAME.fullmatch(name):
        raise BadParameter(f"{name!r} cannot be the name of a tag: letters, digits and _ only")
    plain = " ".join(str(value).split()).replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{plain}"]'


def _setting(record: Record) -> dict[str, str]:
    """The tags that say what is played, and from where."""
    game, tags = record.game, {}
    chess = isinstance(game, Chess)
    if not chess:
        tags["Variant"] = written_name(game)
    elif game.variant == "chess960":
        tags["Variant"] = "Chess960"
    if record.start != game.initial() or tags.get("Variant") == "Chess960":
        tags |= {"SetUp": "1", "FEN": game.format_state(record.start)}
    return tags


def written_name(game: Game) -> str:
    """The game as `zermelo.game` reads it: its name, and the parameters that are not the usual ones."""
    kind = type(game)
    values = {name: getattr(game, name) for name in kind._fields}
    other = [f"{name}={value!r}" for name, value in values.items() if getattr(kind, name, None) != value]
    return game.name + (":" + ",".join(other) if other else "")


def _line(game: Game, node: GameNode, s: Any, index: int, interrupted: bool = True) -> Iterator[str]:
    """The words of all that follows a node; a variation stands behind the move that it replaces."""
    while node.following:
        main, *others = node.following
        yield from _move(game, s, index, main, interrupted)
        for other in others:
            after = _after(game, s, _action(other))
            words = [*_move(game, s, index, other), *_line(game, other, after, index + 1, bool(other.comment))]
            words[0] = "(" + words[0]
            words[-1] += ")"
            yield from words
        interrupted = bool(main.comment or others)
        s, node, index = _after(game, s, _action(main)), main, index + 1


def _action(node: GameNode) -> int:
    if node.action is None:
        raise BadParameter("a node without an action can stand at the root only")
    return node.action


def _move(game: Game, s: Any, index: int, node: GameNode, numbered: bool = True) -> Iterator[str]:
    """The words of one move: its number where one is due, its name, glyphs and comment."""
    yield from _comment(node.before)
    turn, place = (s.turn, s.player) if isinstance(game, Chess) else (index // game.players + 1, index % game.players)
    if place == 0 or numbered or node.before:
        yield f"{turn}." if place == 0 else f"{turn}..."
    name = game.format_action(s, _action(node))
    yield name if PLAIN_MOVE.fullmatch(name) else _quoted(name)
    yield from (f"${nag}" for nag in node.nags)
    yield from _comment(node.comment)


def _quoted(text: str) -> str:
    return '"' + " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"') + '"'


def _comment(text: str) -> Iterator[str]:
    """The words of a comment. What is said to programs stays on one line, and no line begins with a bracket."""
    words: list[str] = []
    for word in UNIT.findall(text.replace("}", ")")):
        if words and word[0] in "[%":
            words[-1] += f" {word}"
        else:
            words.append(word)
    if words:
        words[0] = "{" + words[0]
        words[-1] += "}"
        yield from words


def _wrapped(words: Iterable[str]) -> str:
    """The words in lines that are as long as may be."""
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + 1 + len(word) > WIDTH:
            lines.append(word)
        else:
            lines[-1] += f" {word}" if lines[-1] else word
    return "\n".join(lines)
