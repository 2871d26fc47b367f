"""Checkers for people: squares and jumps, the FEN of draughts, boards and pictures, and what is no board at all."""

import re
from collections.abc import Iterator
from typing import Any

from zermelo.bits import each, lowest, popcount
from zermelo.board_game import svg_picture
from zermelo.errors import BadState, IllegalAction
from zermelo.games.checkers.moves import BOARD, FIRST, LAST, PATH, captures, shifted, square_of

SIDE = 12
"""The pieces of one side at the beginning."""
SIDES = ("B", "W")
NAMES = ("Black", "White")
MOVE = re.compile(r"\d{1,2}(?:[-x:]\d{1,2})+")
FEN = re.compile(r"([BW]):([BW])([K0-9,-]*):([BW])([K0-9,-]*)(?::H(\d{1,6}))?(?::F\d{1,6})?\.?")
PIECES = re.compile(r"(K?)(\d{1,2})(?:-(\d{1,2}))?")
FILLS = ("#1f2937", "#f8fafc")


def visited(action: int) -> list[int]:
    """The squares of an action, counted from 1: where the piece stands, where it lands, and where it lands again."""
    here, path, steps = 1 << (action & 63), action >> PATH, captures(action)
    squares = [here]
    for _ in range(max(steps, 1)):
        here = shifted(here, path & 3)
        squares.append(shifted(here, path & 3) if steps else here)
        here, path = squares[-1], path >> 2
    return [square_of(lowest(square)) + 1 for square in squares]


def format_action(game: Any, s: Any, action: int) -> str:
    """The squares, with - between them for a step and x for captures: 11-15, 15x22x31."""
    return ("x" if captures(action) else "-").join(map(str, visited(action)))


def parse_action(game: Any, s: Any, text: str) -> int:
    """The legal action with these squares; those in the middle of a jump may be left out where one jump fits."""
    word = text.strip().lower()
    legal = {action: visited(action) for action in game.actions(s)}
    wanted = [int(number) for number in re.findall(r"\d+", word)] if MOVE.fullmatch(word) else []
    if "-" not in word:
        fitting = [action for action in legal if captures(action) and leads_through(wanted, legal[action])]
    else:
        fitting = [action for action in legal if leads_through(wanted, legal[action])]
    whole = [action for action in fitting if legal[action] == wanted]
    if len(fitting) == 1 or whole:
        return (whole or fitting)[0]
    if fitting:
        names = " or ".join(format_action(game, s, action) for action in fitting)
        raise IllegalAction(f"{text.strip()!r} may be several jumps: write {names}")
    names = ", ".join(format_action(game, s, action) for action in legal) or "none, the game is over"
    raise IllegalAction(f"{text.strip()!r} is not legal in {game.name} here; legal: {names}")


def leads_through(wanted: list[int], squares: list[int]) -> bool:
    """Whether the squares begin and end as wanted and pass the others in this order."""
    if not wanted or (wanted[0], wanted[-1]) != (squares[0], squares[-1]):
        return False
    rest = iter(squares[1:-1])
    return all(square in rest for square in wanted[1:-1])


# --- positions ------------------------------------------------------------------------------------------------------


def format_state(game: Any, s: Any) -> str:
    """The FEN of draughts, such as B:W21,22,K30:B1,2; H and a number say for how long only kings have moved."""
    sides = [f"{sign}{','.join(listed(board, s.kings))}" for sign, board in (("W", s.white), ("B", s.black))]
    return ":".join([SIDES[s.player], *sides, *([f"H{s.quiet}"] if s.quiet else [])])


def listed(board: int, kings: int) -> Iterator[str]:
    """The squares of a board, those of kings with a K before them."""
    for place in each(board):
        yield f"{'K' if kings >> place & 1 else ''}{square_of(place) + 1}"


def parse_state(game: Any, text: str) -> Any:
    """The state of this FEN."""
    found = FEN.fullmatch("".join(text.split()).upper())
    if found is None or found[2] == found[4]:
        raise BadState(
            f"{text!r} is no position of {game.name}; write the side to move, then the squares of each side, kings"
            " with a K, such as B:W21,22,K30:B1,2"
        )
    boards, kings = {"B": 0, "W": 0}, 0
    for side, squares in ((found[2], found[3]), (found[4], found[5])):
        for part in squares.split(",") if squares else ():
            board = pieces(game, text, part)
            if board & (boards["B"] | boards["W"]):
                raise BadState(f"{text!r}: {part} names a square that is taken already")
            boards[side] |= board
            kings |= board if part.startswith("K") else 0
    quiet = int(found[6] or 0)
    return game.checked_state(game.State(boards["B"], boards["W"], kings, SIDES.index(found[1]), quiet))


def pieces(game: Any, text: str, part: str) -> int:
    """The board of a square or of a row of them, such as 7, K7 or 21-32."""
    found = PIECES.fullmatch(part)
    first, last = (int(found[2]), int(found[3] or found[2])) if found else (0, 0)
    if not 1 <= first <= last <= 32:
        raise BadState(f"{text!r}: {part!r} is no square; {game.name} has squares 1 to 32")
    return sum(1 << (square + square // 8) for square in range(first - 1, last))


def checked(game: Any, s: Any) -> Any:
    """`s`, if its pieces are possible."""
    if min(s.black, s.white, s.kings) < 0 or (s.black | s.white) & ~BOARD or s.black & s.white:
        raise BadState(f"{game.name}: pieces stand on the 32 dark squares, one on each")
    if s.kings & ~(s.black | s.white):
        raise BadState(f"{game.name}: kings are pieces of Black or of White")
    if s.player not in (0, 1):
        raise BadState(f"{game.name}: the player to move is 0 or 1, not {s.player}")
    for name, board in zip(NAMES, (s.black, s.white), strict=True):
        if popcount(board) > SIDE:
            raise BadState(f"{game.name}: {name} has {popcount(board)} pieces, but nobody has more than {SIDE}")
    for name, board, row in ((NAMES[0], s.black, LAST), (NAMES[1], s.white, FIRST)):
        if board & row & ~s.kings:
            square = square_of(lowest(board & row & ~s.kings)) + 1
            raise BadState(f"{game.name}: {name}'s man on {square} would be a king; write K{square}")
    if not (s.white if s.player == 0 else s.black):
        raise BadState(f"{game.name}: {NAMES[1 - s.player]} has just moved, but has no piece")
    movers = (s.white, s.black) if s.player == 0 else (s.black, s.white)
    if s.quiet < 0 or any(not board & s.kings for board in movers[: s.quiet]):
        raise BadState(f"{game.name}: only kings have moved for {s.quiet} actions, but there are none who could have")
    if s.quiet > game.draw_after:
        raise BadState(f"{game.name}: the game was drawn after {game.draw_after} such actions, not {s.quiet}")
    return s


# --- pictures -------------------------------------------------------------------------------------------------------


def sign(s: Any, place: int) -> str:
    """The sign of the piece at a bit: b, w, B, W or a dot."""
    if not (s.black | s.white) >> place & 1:
        return "."
    letter = "b" if s.black >> place & 1 else "w"
    return letter.upper() if s.kings >> place & 1 else letter


def text(game: Any, s: Any) -> str:
    """The board with the numbers of its squares: b and w are men, B and W kings."""
    lines = []
    for row in range(8):
        marks = [sign(s, 4 * row + row // 2 + column) for column in range(4)]
        line = ("  " if row % 2 == 0 else "") + "   ".join(marks)
        lines.append(f"{line:<16}{4 * row + 1:>2}-{4 * row + 4}")
    quiet = f", {s.quiet} moves by kings alone" if s.quiet else ""
    return "\n".join([*lines, f"{NAMES[s.player]} moves{quiet}"])


def svg(game: Any, s: Any) -> str:
    """The board as a picture; every legal action is a line that carries it."""
    parts = ['<rect width="320" height="320" fill="#e7d9bf"/>']
    for square in range(1, 33):
        x, y = middle(square)
        place = square - 1 + (square - 1) // 8
        parts.append(f'<rect x="{x - 20}" y="{y - 20}" width="40" height="40" fill="#8a9a5b"/>')
        parts.append(f'<text x="{x - 18}" y="{y - 11}" font-size="8" font-family="sans-serif">{square}</text>')
        for player, board in enumerate((s.black, s.white)):
            if board >> place & 1:
                fill, line = FILLS[player], FILLS[1 - player]
                parts.append(f'<circle cx="{x}" cy="{y}" r="15" fill="{fill}" stroke="{line}"/>')
                if s.kings >> place & 1:
                    crown = f"M{x - 8} {y + 6}v-12l4 5 4-7 4 7 4-5v12z"
                    parts.append(f'<path d="{crown}" fill="{line}"/>')
    for action in [] if game.is_terminal(s) else game.actions(s):
        line = " ".join(f"{x},{y}" for x, y in map(middle, visited(action)))
        ink = 'fill="none" stroke="#eab308" stroke-opacity="0.5" stroke-width="6" stroke-linecap="round"'
        title = f"<title>{format_action(game, s, action)}</title>"
        parts.append(f'<polyline points="{line}" {ink} data-action="{action}">{title}</polyline>')
    return svg_picture(parts, 320, 320)


def middle(square: int) -> tuple[int, int]:
    """Where the middle of a square is in the picture."""
    row, column = divmod(square - 1, 4)
    return 80 * column + (60 if row % 2 == 0 else 20), 40 * row + 20
