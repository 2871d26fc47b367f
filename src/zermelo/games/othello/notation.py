"""Othello for people: names of cells, boards on one line or several, pictures, and what is no board at all."""

import re
from typing import Any

from zermelo.bits import each, popcount
from zermelo.board_game import svg_picture
from zermelo.errors import BadState, IllegalAction
from zermelo.games.othello.evaluation import neighbours
from zermelo.games.othello.moves import full_board

LETTERS = "abcdefgh"
PASSES = ("pass", "--", "pa", "ps")
SIGNS, NAMES = "XO", ("Black", "White")
FILLS = ("#111827", "#f8fafc")


def format_action(game: Any, s: Any, action: int) -> str:
    """The cell as column and row, d3, or pass."""
    if action == game.size * game.size:
        return "pass"
    return f"{LETTERS[action % game.size]}{action // game.size + 1}"


def parse_action(game: Any, s: Any, text: str) -> int:
    """The cell, in small or capital letters; pass may be written -- too."""
    word = text.strip().lower()
    names = {format_action(game, s, action): action for action in game.actions(s)}
    word = "pass" if word in PASSES else word
    if word not in names:
        legal = ", ".join(names) or "none, the game is over"
        raise IllegalAction(f"{text.strip()!r} is not legal in {game.name} here; legal: {legal}")
    return names[word]


def signs(game: Any, s: Any) -> str:
    """One sign for each cell."""
    cells = range(game.size * game.size)
    return "".join("X" if s.black >> cell & 1 else "O" if s.white >> cell & 1 else "-" for cell in cells)


def format_state(game: Any, s: Any) -> str:
    """The cells row by row, X, O or -, and the sign of the player to move."""
    return f"{signs(game, s)} {SIGNS[s.player]}"


def parse_state(game: Any, text: str) -> Any:
    """The state so written, or the one after the cells that were played, such as f5d6c3; passes are left out."""
    written = "".join(text.split()).upper().replace(".", "-")
    cells = game.size * game.size
    if re.fullmatch(rf"[XO-]{{{cells}}}[XO]", written):
        black, white = (sum(1 << n for n in range(cells) if written[n] == sign) for sign in SIGNS)
        return game.checked_state(game.State(black, white, SIGNS.index(written[-1])))
    moves = written.lower()
    if re.fullmatch(r"([a-h][1-8])+", moves):
        return after(game, [moves[i : i + 2] for i in range(0, len(moves), 2)])
    raise BadState(
        f"{text!r} is no board of {game.name}; write {cells} signs X, O or - row by row and the sign of the player to"
        " move, or the cells in the order of play, such as f5d6"
    )


def after(game: Any, moves: list[str]) -> Any:
    """The state after these cells; players who cannot place a disc pass without a word."""
    s = game.initial()
    for count, move in enumerate(moves, 1):
        actions = list(game.actions(s))
        if actions == [game.size * game.size]:
            s = game.result(s, actions[0])
        try:
            s = game.result(s, parse_action(game, s, move))
        except IllegalAction as error:
            raise BadState(f"move {count}: {error}") from None
    return s


def checked(game: Any, s: Any) -> Any:
    """`s`, if play or its mirror image can come to it as far as that is easily seen."""
    board = s.black | s.white
    if s.black & s.white or board & ~full_board(game.size):
        raise BadState(f"{game.name}: discs lie on the board, and no cell has two")
    if s.player not in (0, 1):
        raise BadState(f"{game.name}: the player to move is 0 or 1, not {s.player}")
    first = game.initial()
    middle = first.black | first.white
    if board & middle != middle:
        raise BadState(f"{game.name}: the four cells in the middle are never empty")
    joined = middle
    while joined != joined | neighbours(joined, game.size) & board:
        joined |= neighbours(joined, game.size) & board
    if joined != board:
        apart = format_action(game, s, next(each(board & ~joined)))
        raise BadState(f"{game.name}: the disc on {apart} stands apart, but each is placed next to another")
    return s


def text(game: Any, s: Any) -> str:
    """The board with the names of its columns and rows, the count of discs, and who moves."""
    row, size = signs(game, s), game.size
    lines = [f"{n + 1} {' '.join(row[n * size : (n + 1) * size])}" for n in range(size)]
    count = f"X {popcount(s.black)}, O {popcount(s.white)}; {SIGNS[s.player]} moves"
    return "\n".join([f"  {' '.join(LETTERS[:size])}", *lines, count])


def svg(game: Any, s: Any) -> str:
    """The board as a picture; cells where a disc can be placed carry their action, and so does a pass."""
    size, actions = game.size, list(game.actions(s))
    side, skip = size * 40, game.size * game.size
    lines = "".join(f"M{40 * n} 0V{side}M0 {40 * n}H{side}" for n in range(1, size))
    parts = [f'<rect width="{side}" height="{side}" fill="#15803d"/>', f'<path d="{lines}" stroke="#14532d"/>']
    for board, fill in ((s.black, FILLS[0]), (s.white, FILLS[1])):
        for cell in each(board):
            parts.append(f'<circle {centre(game, cell)} r="16" fill="{fill}"/>')
    for action in actions:
        title = f'data-action="{action}"><title>{format_action(game, s, action)}</title>'
        if action == skip:
            label = f"{NAMES[s.player]} passes"
            place = f'x="{side // 2}" y="{side // 2 + 6}" text-anchor="middle" font-family="sans-serif" fill="#fde047"'
            parts.append(f"<text {place} {title}{label}</text>")
        else:
            ring = f'fill="transparent" stroke="{FILLS[s.player]}" stroke-opacity="0.4"'
            parts.append(f'<circle {centre(game, action)} r="16" {ring} {title}</circle>')
    return svg_picture(parts, side, side)


def centre(game: Any, cell: int) -> str:
    """Where the middle of a cell is in the picture."""
    return f'cx="{cell % game.size * 40 + 20}" cy="{cell // game.size * 40 + 20}"'
