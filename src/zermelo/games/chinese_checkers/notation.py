"""Chinese checkers for people: names of cells, the star on one line or several, pictures, and what is no position."""

import re
from functools import cache
from itertools import accumulate, pairwise
from typing import Any

from zermelo.bits import u64
from zermelo.board_game import svg_picture
from zermelo.errors import BadState, IllegalAction
from zermelo.games.chinese_checkers.star import HEIGHTS, has, places, row_lengths, union_of

LETTERS = "abcdefghijklmnopq"
SIGNS = "ABCDEF"
COLOURS = ("#dc2626", "#2563eb", "#16a34a", "#d97706", "#7c3aed", "#0891b2")
PASS = 0


@cache
def row_starts(side: int) -> tuple[int, ...]:
    """The first cell of each row, and the number of all cells."""
    return tuple(accumulate(row_lengths(side), initial=0))


@cache
def cell_names(side: int) -> tuple[str, ...]:
    """The letter of the row and the place in the row, of every cell."""
    return tuple(f"{LETTERS[row]}{n + 1}" for row, length in enumerate(row_lengths(side)) for n in range(length))


def format_action(game: Any, s: Any, action: int) -> str:
    """The two cells, each as row and place in the row: d2-f3; or pass."""
    names = cell_names(game.side)
    return "pass" if action == PASS else f"{names[action // game.cells]}-{names[action % game.cells]}"


def parse_action(game: Any, s: Any, text: str) -> int:
    """The legal action between these cells, or the pass."""
    word, names = re.sub(r"\s", "", text.lower()), cell_names(game.side)
    start, _, end = word.partition("-")
    over = game.is_terminal(s)
    if not over and start in names and end in names and has(s.marbles[s.player], names.index(start)):
        # The moves of this marble alone: with all of them a list of names would take long to read.
        moves = [0] * game.cells
        count = game.fill_from(s, names.index(start), union_of(s.marbles), moves, 0)
        action = names.index(start) * game.cells + names.index(end)
        if action in moves[:count]:
            return action
    legal = {format_action(game, s, action): action for action in ([] if over else game.actions(s))}
    if word == "pass" and word in legal:
        return legal[word]
    near = [name for name in legal if name.partition("-")[0] == start] or list(legal)
    shown = ", ".join(near[:12]) or "none, the game is over"
    raise IllegalAction(f"{text.strip()!r} is not legal in {game.name} here; legal: {shown}")


def rows_of(game: Any, s: Any) -> list[str]:
    """The rows, one sign for each cell."""
    owners = ["."] * game.cells
    for sign, board in zip(SIGNS, s.marbles, strict=False):
        owners = [sign if has(board, cell) else before for cell, before in enumerate(owners)]
    return ["".join(owners[first:last]) for first, last in pairwise(row_starts(game.side))]


def format_state(game: Any, s: Any) -> str:
    """The rows from top to bottom, A for the marbles of player 0 and so on; who moves; how many moves were made."""
    return f"{'/'.join(rows_of(game, s))} {SIGNS[s.player]} {s.moves}"


def parse_state(game: Any, text: str) -> Any:
    """The state so written."""
    signs = SIGNS[: game.players]
    found = re.fullmatch(rf"([{signs}./]+) ([{signs}]) (\d{{1,9}})", text.strip())
    rows = found[1].split("/") if found else []
    if not found or [len(row) for row in rows] != row_lengths(game.side):
        raise BadState(
            f"{text!r} is no star of {game.name}; write rows of {', '.join(map(str, row_lengths(game.side)))} signs "
            f"{', '.join(signs)} or . with / between them, the player to move, and how many moves were made"
        )
    cells = "".join(rows)
    boards = [sum(1 << cell for cell, sign in enumerate(cells) if sign == own) for own in signs]
    marbles = tuple((u64(board), u64(board >> 64)) for board in boards)
    return game.checked_state(game.State(marbles, climbed(game, marbles), SIGNS.index(found[2]), int(found[3])))


def climbed(game: Any, marbles: Any) -> tuple[int, ...]:
    """How high the marbles of each player have come."""
    found = []
    for player, board in enumerate(marbles):
        heights = [HEIGHTS[game.side - 2, cell, game.goal(player)] for cell in range(game.cells) if has(board, cell)]
        found.append(sum(heights) + game.way // 2)
    return tuple(found)


def checked(game: Any, s: Any) -> Any:
    """`s`, if play can come to it as far as the marbles tell."""
    if len(s.marbles) != game.players or s.player not in range(game.players) or len(s.climbed) != game.players:
        raise BadState(f"{game.name}: {game.players} play, and {s!r} has others")
    boards = [low | high << 64 for low, high in ((int(low), int(high)) for low, high in s.marbles)]
    if any(board >> game.cells for board in boards) or _meet(boards):
        raise BadState(f"{game.name}: marbles lie on the star, and no cell has two")
    counts = [board.bit_count() for board in boards]
    if counts != [game.number] * game.players:
        raise BadState(f"{game.name}: everybody has {game.number} marbles, not {', '.join(map(str, counts))}")
    if s.climbed != climbed(game, s.marbles):
        raise BadState(f"{game.name}: the heights are {climbed(game, s.marbles)}, not {s.climbed}")
    if not 0 <= s.moves <= game.longest * game.players or s.moves % game.players != s.player:
        raise BadState(f"{game.name}: after {s.moves} moves it is not {SIGNS[s.player]}'s turn, or the game is over")
    last = (s.player + game.players - 1) % game.players
    if any(height == game.way for player, height in enumerate(s.climbed) if player != last):
        raise BadState(f"{game.name}: the game was over before the last move")
    return s


def _meet(boards: list[int]) -> bool:
    """Whether two boards have a cell in common."""
    return any(board & other for n, board in enumerate(boards) for other in boards[:n])


def message(game: Any, s: Any) -> str:
    """Who moves, or how the game has ended."""
    if not game.is_terminal(s):
        return f"{SIGNS[s.player]} moves"
    if max(s.climbed) == game.way:
        return f"{SIGNS[s.climbed.index(game.way)]} has won"
    return f"over after {game.longest} moves of each"


def text(game: Any, s: Any) -> str:
    """The star with the letters of its rows."""
    wide = 2 * max(row_lengths(game.side)) - 1
    rows = [" ".join(row).center(wide).rstrip() for row in rows_of(game, s)]
    shares = ", ".join(f"{SIGNS[player]} {100 * height // game.way} %" for player, height in enumerate(s.climbed))
    return "\n".join([*(f"{LETTERS[n]} {row}" for n, row in enumerate(rows)), f"{message(game, s)}; {shares}"])


def svg(game: Any, s: Any) -> str:
    """The star as a picture; every legal move is a line that carries it."""
    wide, high = 28 * (3 * game.side + 1) + 8, 24 * (4 * game.side + 1) + 8
    spots = [(14 * col + wide // 2, 24 * row + high // 2) for row, col in places(game.side)]
    parts = [f'<rect width="{wide}" height="{high}" rx="8" fill="#f5e9d3"/>']
    for (x, y), sign in zip(spots, "".join(rows_of(game, s)), strict=True):
        fill = "#d6c3a0" if sign == "." else COLOURS[SIGNS.index(sign)]
        parts.append(f'<circle cx="{x}" cy="{y}" r="{6 if sign == "." else 10}" fill="{fill}"/>')
    for action in [] if game.is_terminal(s) else game.actions(s):
        (x, y), (to_x, to_y) = spots[action // game.cells], spots[action % game.cells]
        if action != PASS:
            style = f'stroke="{COLOURS[s.player]}" stroke-width="3" stroke-opacity="0.35" fill="none"'
            bend = f"Q{(x + to_x) // 2 + (to_y - y) // 6} {(y + to_y) // 2 - (to_x - x) // 6} {to_x} {to_y}"
            parts.append(f'<path d="M{x} {y}{bend}" {style} data-action="{action}">')
            parts.append(f"<title>{format_action(game, s, action)}</title></path>")
        else:
            font = f'font-family="sans-serif" text-anchor="middle" fill="{COLOURS[s.player]}"'
            parts.append(f'<text x="{wide // 2}" y="{high // 2}" {font} data-action="{action}">pass</text>')
    return svg_picture(parts, wide, high)
