"""The commands of GTP that are answered at once: each takes the words behind its name and returns the answer."""

import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from zermelo import __version__, files
from zermelo.errors import BadNotation, BadParameter, UnsuitableGame
from zermelo.games.go import Go
from zermelo.notation import sgf
from zermelo.protocols.gtp_client import COLOURS
from zermelo.protocols.gtp_session import GtpSession

Command = Callable[[GtpSession, list[str]], str | None]
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


def protocol_version(session: GtpSession, words: list[str]) -> str:
    """The protocol's version."""
    return "2"


def name(session: GtpSession, words: list[str]) -> str:
    """The program's name."""
    return "zermelo" if isinstance(session.game, Go) else f"zermelo ({session.game.name})"


def version(session: GtpSession, words: list[str]) -> str:
    """The program's version."""
    return __version__


def known_command(session: GtpSession, words: list[str]) -> str:
    """Whether there is such a command."""
    return "true" if words and words[0] in session.commands else "false"


def list_commands(session: GtpSession, words: list[str]) -> str:
    """All commands, one a line."""
    return "\n".join(session.commands)


def leave(session: GtpSession, words: list[str]) -> str:
    """Answer `quit`; the server ends the session."""
    return ""


def cputime(session: GtpSession, words: list[str]) -> str:
    """Seconds of computing so far."""
    return f"{time.process_time():.3f}"


# --- setting up ------------------------------------------------------------------------------------------------------


def boardsize(session: GtpSession, words: list[str]) -> str:
    """Set the size of the board, which is then empty."""
    session.board.begin(_changed(session, "unacceptable size", size=whole_at(words, 0)))
    return ""


def komi(session: GtpSession, words: list[str]) -> str:
    """Set the komi; the board stays as it is."""
    session.board.change(_changed(session, "unacceptable komi", komi=number_at(words, 0)))
    session.get_ready()
    return ""


def _changed(session: GtpSession, refusal: str, **parameters: Any) -> Any:
    """The game with another parameter."""
    kind = type(session.game)
    if not parameters.keys() <= kind._fields.keys():
        raise UnsuitableGame(refusal)
    try:
        return kind(**{name: getattr(session.game, name) for name in kind._fields} | parameters)
    except BadParameter:
        raise BadParameter(refusal) from None


def clear_board(session: GtpSession, words: list[str]) -> str:
    """Begin a new game."""
    session.board.begin(session.game)
    session.thinker.forget()
    session.get_ready()
    return ""


def fixed_handicap(session: GtpSession, words: list[str]) -> str:
    """Place handicap stones where they always go."""
    _check_new(session)
    return _placed(session, session.board.handicap(whole_at(words, 0)))


def place_free_handicap(session: GtpSession, words: list[str]) -> str:
    """Place handicap stones where the program likes: on the fixed points, as many as there are."""
    _check_new(session)
    counts = range(min(whole_at(words, 0), 9), 1, -1)
    return _placed(session, next(filter(None, map(session.board.handicap, counts)), []))


def set_free_handicap(session: GtpSession, words: list[str]) -> str:
    """Place handicap stones where the controller says."""
    _check_new(session)
    points = [session.board.read(word, session.board.state) for word in words]
    skip = session.game.policy_size - 1
    if len(set(points)) < len(points) or not 2 <= len(points) < skip or skip in points:
        raise BadParameter("bad vertex list")
    _placed(session, points)
    return ""


def _check_new(session: GtpSession) -> None:
    if not isinstance(session.game, Go):
        raise UnsuitableGame(f"{session.game.name} has no handicap stones")
    if not session.board.is_new:
        raise BadParameter("board not empty")


def _placed(session: GtpSession, points: list[int]) -> str:
    """Place stones; their names."""
    if not points:
        raise BadParameter("invalid number of stones")
    session.board.place(points)
    return " ".join(session.board.named(session.board.state, point) for point in points)


# --- moves -----------------------------------------------------------------------------------------------------------


def play(session: GtpSession, words: list[str]) -> str:
    """Play a move for a colour."""
    player = colour(words)
    if len(words) < 2:
        raise BadParameter("syntax error: write a colour and a vertex")
    session.board.play(player, session.board.read(words[1], session.board.turned(player)))
    return ""


def undo(session: GtpSession, words: list[str]) -> str:
    """Take the last move back."""
    session.board.undo()
    return ""


def genmove(session: GtpSession, words: list[str]) -> str:
    """Find a move for a colour, and play it."""
    return session.choose(colour(words))


def reg_genmove(session: GtpSession, words: list[str]) -> str:
    """Find a move for a colour, and do not play it."""
    return session.suggest(colour(words))


def clean_up(session: GtpSession, words: list[str]) -> str:
    """Find a move for a colour and play it; pass only when no dead stones are left to be captured."""
    return session.clean_up(colour(words))


def explain_last_move(session: GtpSession, words: list[str]) -> str:
    """What the last search thought of its moves."""
    return session.explanation


# --- time ------------------------------------------------------------------------------------------------------------


def time_settings(session: GtpSession, words: list[str]) -> str:
    """Set main time, overtime, and the stones that are to be played in it."""
    session.clock.set(seconds(words, 0), seconds(words, 1), whole_at(words, 2))
    session.get_ready()
    return ""


def kgs_time_settings(session: GtpSession, words: list[str]) -> str:
    """Set the time as the server KGS does."""
    match [word.lower() for word in words[:1]]:
        case ["none"]:
            session.clock.free()
        case ["absolute"]:
            session.clock.set(seconds(words, 1), 0.0, 0)
        case ["byoyomi" | "canadian" as kind]:
            session.clock.set(seconds(words, 1), seconds(words, 2), whole_at(words, 3), by_period=kind == "byoyomi")
        case _:
            raise BadParameter("syntax error: write none, absolute, byoyomi or canadian, and its times")
    session.get_ready()
    return ""


def time_left(session: GtpSession, words: list[str]) -> str:
    """Note what a clock shows."""
    session.clock.tell(colour(words), seconds(words, 1), whole_at(words, 2))
    session.get_ready()
    return ""


# --- the end ---------------------------------------------------------------------------------------------------------


def final_score(session: GtpSession, words: list[str]) -> str:
    """Who has won, and by how much; in Go dead stones are taken off the board first."""
    game, s = session.game, session.board.state
    if isinstance(game, Go):
        lead = float(game.lead(session.board.without(session.dead_stones())))
    elif game.is_terminal(s):
        lead = float(game.utility(s, 0))
    else:
        raise UnsuitableGame("cannot score")
    return f"B+{lead:g}" if lead > 0 else f"W+{-lead:g}" if lead < 0 else "0"


def final_status_list(session: GtpSession, words: list[str]) -> str:
    """The stones that are alive, in seki or dead, a chain on each line."""
    kind = words[0].lower() if words else ""
    if kind not in STATUSES:
        raise BadParameter(f"syntax error: write one of {', '.join(STATUSES)}")
    s = session.board.state
    return "\n".join(" ".join(session.board.named(s, n) for n in chain) for chain in session.chains()[kind])


# --- boards and files ------------------------------------------------------------------------------------------------


def showboard(session: GtpSession, words: list[str]) -> str:
    """The board, for people."""
    return "\n" + session.game.text(session.board.state)


def loadsgf(session: GtpSession, words: list[str]) -> str:
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
    if type(record.game) is not type(session.game):
        raise BadNotation(f"cannot load file: it is no game of {session.game.name}")
    session.board.begin(record.game, record.start)
    for action in actions:
        session.board.push(action)
    session.get_ready()
    return ""


def printsgf(session: GtpSession, words: list[str]) -> str:
    """The game so far as SGF: as the answer, or in a file."""
    text = str(session.board.tree({}))
    if not words or files.is_output(words[0]):
        return text
    try:
        files.write(words[0], text + "\n")
    except BadParameter as error:
        raise BadParameter(f"printsgf failed: {error}") from None
    return ""


COMMANDS: dict[str, Command] = {
    "protocol_version": protocol_version, "name": name, "version": version, "known_command": known_command,
    "list_commands": list_commands, "quit": leave, "boardsize": boardsize, "clear_board": clear_board, "komi": komi,
    "fixed_handicap": fixed_handicap, "place_free_handicap": place_free_handicap,
    "set_free_handicap": set_free_handicap, "play": play, "undo": undo, "time_settings": time_settings,
    "time_left": time_left, "kgs-time_settings": kgs_time_settings, "final_score": final_score,
    "final_status_list": final_status_list, "showboard": showboard, "loadsgf": loadsgf, "printsgf": printsgf,
    "cputime": cputime, "gomill-cpu_time": cputime, "genmove": genmove, "reg_genmove": reg_genmove,
    "kgs-genmove_cleanup": clean_up, "gomill-explain_last_move": explain_last_move,
}  # fmt: skip
