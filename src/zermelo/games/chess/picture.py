"""A chess board for terminals and for pages. The pieces are drawn here: a few curves each, on a field of 45 by 45."""

from typing import Any

from zermelo.bits import lowest
from zermelo.board_game import svg_picture
from zermelo.games.chess.moves import in_check, own
from zermelo.games.chess.san import format_uci, legal_actions
from zermelo.games.chess.squares import FILES, RANKS, sign_on, square_name

FIGURES = dict(zip("KQRBNPkqrbnp", "♔♕♖♗♘♙♚♛♜♝♞♟", strict=True))
FIELD = 45
LIGHT, DARK, FRAME, ALARM = "#eef1f4", "#93a9bf", "#4a5a6a", "#d9480f"
PAPER, INK = "#fdfdfb", "#20262d"
FOOT = "M11 39.5 V37.6 Q11 34.8 14 34.8 H31 Q34 34.8 34 37.6 V39.5 Z"
SHAPES = {
    "p": (
        "M15.2 34.8 C16 28.4 19.8 26.4 20 21.2 H25 C25.2 26.4 29 28.4 29.8 34.8 Z"
        "M17 21.2 Q17 19.2 19 19.2 H26 Q28 19.2 28 21.2 Z M22.5 8.6 A5.3 5.3 0 1 1 22.4 8.6 Z"
    ),
    "r": (
        "M14.6 34.8 L16 20.4 H29 L30.4 34.8 Z"
        "M12.2 9 H16.6 V12.4 H20 V9 H25 V12.4 H28.4 V9 H32.8 V16.6 L29.6 20.4 H15.4 L12.2 16.6 Z"
    ),
    "n": (
        "M14.4 34.8 C14.6 28.2 21 26 21.8 20.6 C19.2 22.6 16.6 22.4 14.6 24.6 C12.6 26.8 9 25.8 9.2 22.6"
        "C9.4 20.4 11.8 18 12.8 14.8 C13.6 12 15.6 10.4 18 9.6 L18.6 5.6 L22.4 8.8 C30.6 10.2 33.4 19 31.2 34.8 Z"
    ),
    "b": (
        "M17.2 34.8 C17.6 31.8 18.6 30 18.8 27.6 H26.2 C26.4 30 27.4 31.8 27.8 34.8 Z"
        "M16.8 27.6 C12.4 22.4 15 15.6 22.5 10 C30 15.6 32.6 22.4 28.2 27.6 Z M22.5 5.2 A2.4 2.4 0 1 1 22.4 5.2 Z"
    ),
    "q": (
        "M13.6 34.8 C14 32.4 13.2 30.6 12.4 28.6 L8.4 14.6 L15 20.8 L16.6 10.4 L22.5 20 L28.4 10.4 L30 20.8 L36.6 14.6"
        "L32.6 28.6 C31.8 30.6 31 32.4 31.4 34.8 Z"
        "M8.2 10.6 A2.1 2.1 0 1 1 8.1 10.6 Z M16.4 6.4 A2.1 2.1 0 1 1 16.3 6.4 Z"
        "M28.6 6.4 A2.1 2.1 0 1 1 28.5 6.4 Z M36.8 10.6 A2.1 2.1 0 1 1 36.7 10.6 Z"
    ),
    "k": (
        "M13.6 34.8 C14 32 12.6 30.2 11 27.8 C6.6 21 11 14.6 16.4 15.6 C19.4 16.2 21.4 18.2 22.5 21"
        "C23.6 18.2 25.6 16.2 28.6 15.6 C34 14.6 38.4 21 34 27.8 C32.4 30.2 31 32 31.4 34.8 Z"
        "M21.1 13.8 V10.4 H18 V7.6 H21.1 V4.4 H23.9 V7.6 H27 V10.4 H23.9 V13.8 Z"
    ),
}
LINES = {
    "p": "",
    "r": "M15.4 20.4 H29.6 M15 31 H30",
    "n": "M16.4 14.8 L17.8 14.2 M11.8 22.8 L12.2 22.2 M25.4 13.2 C28.2 17 28.6 23 27.6 30",
    "b": "M24.6 15.4 L20.6 21.2 M18 31.2 H27",
    "q": "M12.8 28.8 Q22.5 25.6 32.2 28.8 M13.8 31.8 Q22.5 29.2 31.2 31.8",
    "k": "M11.8 28.8 Q22.5 25.2 33.2 28.8 M13.4 31.8 Q22.5 28.8 31.6 31.8 M22.5 21 V26.4",
}


def text_board(s: Any, player: int | None = None, *, unicode: bool = False) -> str:
    """The board with its files and ranks, seen from White's side or the given player's."""
    ranks, files = _seen_by(player)
    lines = []
    for rank in ranks:
        signs = [sign_on(s, 8 * rank + file) or "." for file in files]
        lines.append(" ".join([RANKS[rank], *(FIGURES.get(sign, sign) if unicode else sign for sign in signs)]))
    return "\n".join([*lines, " ".join([" ", *(FILES[file] for file in files)])])


def _seen_by(player: int | None) -> tuple[list[int], list[int]]:
    """The ranks from the top down and the files from left to right."""
    ranks, files = list(range(7, -1, -1)), list(range(8))
    return (ranks[::-1], files[::-1]) if player == 1 else (ranks, files)


def svg_board(game: Any, s: Any, player: int | None = None) -> str:
    """The board as a picture.

    Every square carries its name as `data-square`; a square that a move leaves carries those moves too, as
    `data-moves="e2e4:1804 e2e3:1292"`: coordinates and action.
    """
    moves = _moves(game, s)
    alarm = lowest(s.kings & own(s)) if in_check(s) else -1
    ranks, files = _seen_by(player)
    side = 8 * FIELD + 8
    parts = [f'<rect width="{side}" height="{side}" rx="5" fill="{FRAME}"/>']
    for row, rank in enumerate(ranks):
        for column, file in enumerate(files):
            square = 8 * rank + file
            place = f"translate({column * FIELD + 4} {row * FIELD + 4})"
            inside = _square(square, square == alarm, file == files[0], rank == ranks[-1])
            inside += _piece(sign_on(s, square))
            going = f' data-moves="{moves[square]}"' if square in moves else ""
            parts.append(f'<g transform="{place}" data-square="{square_name(square)}"{going}>{inside}</g>')
    return svg_picture(parts, side, side)


def _moves(game: Any, s: Any) -> dict[int, str]:
    """The moves from each square, as coordinates and action."""
    found: dict[int, list[str]] = {}
    for action in () if game.is_terminal(s) else legal_actions(s):
        found.setdefault(action & 63, []).append(f"{format_uci(game, s, action)}:{action}")
    return {square: " ".join(moves) for square, moves in found.items()}


def _square(square: int, alarm: bool, leftmost: bool, lowermost: bool) -> str:
    """A square, with its rank or file in a corner where it stands at the edge; red under a king in check."""
    light = (square + (square >> 3)) & 1
    fill, ink = (LIGHT, FRAME) if light else (DARK, LIGHT)
    drawn = f'<rect width="{FIELD}" height="{FIELD}" fill="{fill}"/>'
    if alarm:
        drawn += f'<rect width="{FIELD}" height="{FIELD}" fill="{ALARM}" fill-opacity="0.55"/>'
    letters = f'font-family="sans-serif" font-size="8.5" font-weight="600" fill="{ink}"'
    if leftmost:
        drawn += f'<text x="2.5" y="9.5" {letters}>{RANKS[square >> 3]}</text>'
    if lowermost:
        drawn += f'<text x="{FIELD - 2.5}" y="{FIELD - 3}" text-anchor="end" {letters}>{FILES[square & 7]}</text>'
    return drawn


def _piece(sign: str) -> str:
    """The drawing of a piece."""
    if not sign:
        return ""
    kind = sign.lower()
    fill, edge, inner = (PAPER, INK, INK) if sign.isupper() else (INK, INK, PAPER)
    body = f'<path d="{SHAPES[kind]}{FOOT}" fill="{fill}" stroke="{edge}" stroke-width="1.3" stroke-linejoin="round"/>'
    if not LINES[kind]:
        return body
    return body + f'<path d="{LINES[kind]}" fill="none" stroke="{inner}" stroke-width="1.2" stroke-linecap="round"/>'
