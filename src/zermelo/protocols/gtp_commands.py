"""The commands of GTP that need no search: each takes the words behind its name and returns what is answered."""

import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo import __version__, files
from zermelo.errors import BadNotation, BadParameter, UnsuitableGame
from zermelo.games.go import Go
from zermelo.notation import sgf
from zermelo.protocols.gtp_client import COLOURS

if TYPE_CHECKING:
    from zermelo.protocols.gtp import GtpServer

    Command = Callable[[GtpServer, list[str]], str | None]

STATUSES = ("alive", "seki", "dead")


# --- words -----------------------------------------------------------------------------------------------------------


def colour(words: list[str]) -> int:
    """The player that the first word names."""
    word = words[0].lower() if words else ""
    if word not in (*COLOURS, "black", "white"):
        raise BadParameter("syntax error: write the colour b or w")
    return COLOURS.index(word[0])


def number_at(words: list[str], place: int) -> float:
    """The number that stands at this place among the words."""
    try:
        found = float(words[place])
    except (IndexError, ValueError):
        found = math.nan
    if not math.isfinite(found):
        raise BadParameter("syntax error: a number is missing")
    return found


def whole_at(words: list[str], place: int) -> int:
    """The number, which must be a whole one that is not negative."""
    found = number_at(words, place)
    if found != int(found) or not 0 <= found < 1 << 31:
        raise BadParameter("syntax error: a whole number is missing")
    return int(found)


def seconds(words: list[str], place: int) -> float:
    """The number, as a time."""
    return max(0.0, number_at(words, place))


# --- about the program -----------------------------------------------------------------------------------------------


def protocol_version(server: "GtpServer", words: list[str]) -> str:
    """The protocol's version."""
    return "2"


def name(server: "GtpServer", words: list[str]) -> str:
    """The program's name."""
    return "zermelo" if isinstance(server.game, Go) else f"zermelo ({server.game.name})"


def version(server: "GtpServer", words: list[str]) -> str:
    """The program's version."""
    return __version__


def known_command(server: "GtpServer", words: list[str]) -> str:
    """Whether there is such a command."""
    return "true" if words and words[0] in server.commands else "false"


def list_commands(server: "GtpServer", words: list[str]) -> str:
    """All commands, one a line."""
    return "\n".join(server.commands)


def leave(server: "GtpServer", words: list[str]) -> str:
    """Nothing more is to be done."""
    return ""


def cputime(server: "GtpServer", words: list[str]) -> str:
    """Seconds of computing so far."""
    return f"{time.process_time():.3f}"


# --- setting up ------------------------------------------------------------------------------------------------------


def boardsize(server: "GtpServer", words: list[str]) -> str:
    """Set the size of the board, which is then empty."""
    server.board.begin(_changed(server, "unacceptable size", size=whole_at(words, 0)))
    return ""


def komi(server: "GtpServer", words: list[str]) -> str:
    """Set the komi; the board stays as it is."""
    server.board.change(_changed(server, "unacceptable komi", komi=number_at(words, 0)))
    server.get_ready()
    return ""


def _changed(server: "GtpServer", refusal: str, **parameters: Any) -> Any:
    """The game with another parameter."""
    kind = type(server.game)
    if not parameters.keys() <= kind._fields.keys():
        raise UnsuitableGame(refusal)
    try:
        return kind(**{name: getattr(server.game, name) for name in kind._fields} | parameters)
    except BadParameter:
        raise BadParameter(refusal) from None


def clear_board(server: "GtpServer", words: list[str]) -> str:
    """Begin a new game."""
    server.board.begin(server.game)
    server.thinker.forget()
    server.get_ready()
    return ""


def fixed_handicap(server: "GtpServer", words: list[str]) -> str:
    """Place handicap stones where they always go."""
    _check_new(server)
    return _placed(server, server.board.handicap(whole_at(words, 0)))


def place_free_handicap(server: "GtpServer", words: list[str]) -> str:
    """Place handicap stones where the program likes: on the fixed points, as many as there are."""
    _check_new(server)
    counts = range(min(whole_at(words, 0), 9), 1, -1)
    return _placed(server, next(filter(None, map(server.board.handicap, counts)), []))


def set_free_handicap(server: "GtpServer", words: list[str]) -> str:
    """Place handicap stones where the controller says."""
    _check_new(server)
    points = [server.board.read(word, server.board.state) for word in words]
    skip = server.game.policy_size - 1
    if len(set(points)) < len(points) or not 2 <= len(points) < skip or skip in points:
        raise BadParameter("bad vertex list")
    _placed(server, points)
    return ""


def _check_new(server: "GtpServer") -> None:
    if not isinstance(server.game, Go):
        raise UnsuitableGame(f"{server.game.name} has no handicap stones")
    if not server.board.is_new:
        raise BadParameter("board not empty")


def _placed(server: "GtpServer", points: list[int]) -> str:
    """Place stones; their names."""
    if not points:
        raise BadParameter("invalid number of stones")
    server.board.place(points)
    return " ".join(server.board.named(server.board.state, point) for point in points)


# --- moves -----------------------------------------------------------------------------------------------------------


def play(server: "GtpServer", words: list[str]) -> str:
    """Play a move for a colour."""
    player = colour(words)
    if len(words) < 2:
        raise BadParameter("syntax error: write a colour and a vertex")
    server.board.play(player, server.board.read(words[1], server.board.turned(player)))
    return ""


def undo(server: "GtpServer", words: list[str]) -> str:
    """Take the last move back."""
    server.board.undo()
    return ""


# --- time ------------------------------------------------------------------------------------------------------------


def time_settings(server: "GtpServer", words: list[str]) -> str:
    """Set main time, overtime, and the stones that are to be played in it."""
    server.clock.set(seconds(words, 0), seconds(words, 1), whole_at(words, 2))
    server.get_ready()
    return ""


def kgs_time_settings(server: "GtpServer", words: list[str]) -> str:
    """Set the time as the server KGS does."""
    match [word.lower() for word in words[:1]]:
        case ["none"]:
            server.clock.free()
        case ["absolute"]:
            server.clock.set(seconds(words, 1), 0.0, 0)
        case ["byoyomi" | "canadian" as kind]:
            server.clock.set(seconds(words, 1), seconds(words, 2), whole_at(words, 3), by_period=kind == "byoyomi")
        case _:
            raise BadParameter("syntax error: write none, absolute, byoyomi or canadian, and its times")
    server.get_ready()
    return ""


def time_left(server: "GtpServer", words: list[str]) -> str:
    """Note what a clock shows."""
    server.clock.tell(colour(words), seconds(words, 1), whole_at(words, 2))
    server.get_ready()
    return ""


# --- the end ---------------------------------------------------------------------------------------------------------


def final_score(server: "GtpServer", words: list[str]) -> str:
    """Who has won, and by how much; in Go dead stones are taken off the board first."""
    game, s = server.game, server.board.state
    if isinstance(game, Go):
        lead = float(game.lead(server.board.without(server.dead_stones())))
    elif game.is_terminal(s):
        lead = float(game.utility(s, 0))
    else:
        raise UnsuitableGame("cannot score")
    return f"B+{lead:g}" if lead > 0 else f"W+{-lead:g}" if lead < 0 else "0"


def final_status_list(server: "GtpServer", words: list[str]) -> str:
    """The stones that are alive, in seki or dead, a chain on each line."""
    kind = words[0].lower() if words else ""
    if kind not in STATUSES:
        raise BadParameter(f"syntax error: write one of {', '.join(STATUSES)}")
    s = server.board.state
    return "\n".join(" ".join(server.board.named(s, n) for n in chain) for chain in server.chains()[kind])


# --- boards and files ------------------------------------------------------------------------------------------------


def showboard(server: "GtpServer", words: list[str]) -> str:
    """The board, for people."""
    return "\n" + server.game.text(server.board.state)


def loadsgf(server: "GtpServer", words: list[str]) -> str:
    """Load a game: all of it, or up to the position before the move of this number."""
    if not words:
        raise BadParameter("cannot load file: write its name")
    until = max(0, whole_at(words, 1) - 1) if len(words) > 1 else None
    try:
        record = next(sgf.read(Path(words[0])))
    except BadNotation as error:
        raise BadNotation(f"cannot load file: {error}") from None
    actions = record.actions[:until]
    if record.errors and (until is None or len(actions) < until):
        raise BadNotation(f"cannot load file: {record.errors[0]}")
    if type(record.game) is not type(server.game):
        raise BadNotation(f"cannot load file: it is no game of {server.game.name}")
    server.board.begin(record.game, record.start)
    for action in actions:
        server.board.push(action)
    server.get_ready()
    return ""


def printsgf(server: "GtpServer", words: list[str]) -> str:
    """The game so far as SGF: as the answer, or in a file."""
    text = str(server.board.tree({}))
    if not words or files.is_output(words[0]):
        return text
    try:
        files.write(words[0], text + "\n")
    except BadParameter as error:
        raise BadParameter(f"printsgf failed: {error}") from None
    return ""


COMMANDS: "dict[str, Command]" = {
    "protocol_version": protocol_version, "name": name, "version": version, "known_command": known_command,
    "list_commands": list_commands, "quit": leave, "boardsize": boardsize, "clear_board": clear_board, "komi": komi,
    "fixed_handicap": fixed_handicap, "place_free_handicap": place_free_handicap,
    "set_free_handicap": set_free_handicap, "play": play, "undo": undo, "time_settings": time_settings,
    "time_left": time_left, "kgs-time_settings": kgs_time_settings, "final_score": final_score,
    "final_status_list": final_status_list, "showboard": showboard, "loadsgf": loadsgf, "printsgf": printsgf,
    "cputime": cputime, "gomill-cpu_time": cputime,
}  # fmt: skip
