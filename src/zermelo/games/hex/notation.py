"""Hex for people: names of cells, boards on one line or several, pictures, and what is no board at all."""

import re
from typing import Any

from zermelo.board_game import svg_picture
from zermelo.errors import BadState, IllegalAction
from zermelo.games.hex.boards import board_of, common, has_bit, joined, overlap

LETTERS = "abcdefghijklmnopqrs"
SIGNS, NAMES = "RB", ("Red", "Blue")
FILLS = {"R": "#dc2626", "B": "#2563eb", ".": "#f1f5f9"}
NOBODY = -1


def format_action(game: Any, s: Any, action: int) -> str:
    """The cell as column and row, d3, or swap."""
    if action == game.size * game.size:
        return "swap"
    return f"{LETTERS[action % game.size]}{action // game.size + 1}"


def parse_action(game: Any, s: Any, text: str) -> int:
    """The cell, in small or capital letters, or swap."""
    word, size = text.strip().lower(), game.size
    if game.is_over(s):
        raise IllegalAction(f"{text.strip()!r} is not legal in {game.name} here: the game is over")
    can_swap = game.swap and game.can_swap(s)
    if word == "swap" and can_swap:
        return size * size
    found = re.fullmatch(r"([a-s])([1-9]\d?)", word)
    if found and LETTERS.index(found[1]) < size >= int(found[2]):
        action = (int(found[2]) - 1) * size + LETTERS.index(found[1])
        if not has_bit(s.red, action + action // size) and not has_bit(s.blue, action + action // size):
            return action
    last, more = format_action(game, s, size * size - 1), " or swap" if can_swap else ""
    raise IllegalAction(f"{text.strip()!r} is no empty cell of {game.name}; write one from a1 to {last}{more}")


def signs(game: Any, s: Any) -> list[str]:
    """The rows, one sign for each cell."""
    rows = []
    for row in range(game.size):
        places = range(row * (game.size + 1), row * (game.size + 1) + game.size)
        rows.append("".join("R" if has_bit(s.red, p) else "B" if has_bit(s.blue, p) else "." for p in places))
    return rows


def format_state(game: Any, s: Any) -> str:
    """The rows from top to bottom, R, B or ., with a slash between them, and the letter of the player to move."""
    return f"{'/'.join(signs(game, s))} {SIGNS[s.player]}"


def parse_state(game: Any, text: str) -> Any:
    """The state so written, or the one after the cells that were played, such as d3 c4 e2."""
    written = text.strip()
    if re.fullmatch(r"([a-s]\d+|swap|[\s,])+", written.lower()) and any(letter.isdecimal() for letter in written):
        return after(game, re.findall(r"[a-s]\d+|swap", written.lower()))
    board, _, mover = written.partition(" ")
    rows = board.split("/")
    if [len(row) for row in rows] != [game.size] * game.size or set(board) - set("RB./") or mover not in tuple(SIGNS):
        raise BadState(
            f"{text!r} is no board of {game.name}; write {game.size} rows of {game.size} signs R, B or . with / between"
            " them and R or B for the player to move, or the cells in the order of play, such as d3 c4"
        )
    # The slashes stand where the boards of bits have their empty bits.
    red, blue = ([place for place, sign in enumerate(board) if sign == own] for own in SIGNS)
    return game.checked_state(state_of(game, red, blue, SIGNS.index(mover)))


def state_of(game: Any, red: list[int], blue: list[int], player: int) -> Any:
    """The state with these stones."""
    boards = board_of(red, game.size), board_of(blue, game.size)
    sides, goals = (game.top, game.left), (game.bottom, game.right)
    links = [joined(common(board, side), board, game.size) for board, side in zip(boards, sides, strict=True)]
    winners = [p for p in (0, 1) if overlap(links[p], goals[p])]
    return game.State(*boards, *links, player, winners[0] if winners else NOBODY)


def after(game: Any, moves: list[str]) -> Any:
    """The state after these moves."""
    s = game.initial()
    for count, move in enumerate(moves, 1):
        try:
            s = game.result(s, parse_action(game, s, move))
        except IllegalAction as error:
            raise BadState(f"move {count}: {error}") from None
    return s


def checked(game: Any, s: Any) -> Any:
    """`s`, if play can come to it as far as the numbers of stones and the chains tell."""
    if any(word & ~inside for board in (s.red, s.blue) for word, inside in zip(board, game.cells, strict=True)):
        raise BadState(f"{game.name}: stones lie on the board")
    if overlap(s.red, s.blue):
        raise BadState(f"{game.name}: no cell has two stones")
    red, blue = (sum(word.bit_count() for word in board) for board in (s.red, s.blue))
    orders = [(0, 0), (1, 1)] + ([(-1, 0), (0, 1)] if game.swap and blue > 0 else [])
    if (red - blue, s.player) not in orders:
        raise BadState(f"{game.name}: Red begins and they take turns; {red} red and {blue} blue stones do not fit")
    places = range(game.size * (game.size + 1))
    wanted = ([place for place in places if has_bit(board, place)] for board in (s.red, s.blue))
    if s != state_of(game, next(wanted), next(wanted), s.player):
        raise BadState(f"{game.name}: the stones joined to a side, or the winner, are not those of the board")
    if s.winner == s.player:
        raise BadState(f"{game.name}: {NAMES[s.player]} had won before the last stone")
    return s


def text(game: Any, s: Any) -> str:
    """The board with the names of its columns and rows; each row is shifted, as its cells are."""
    lines = [f"   {' '.join(LETTERS[: game.size])}"]
    lines += [f"{' ' * n}{n + 1:2} {' '.join(row)}" for n, row in enumerate(signs(game, s))]
    message = f"{NAMES[s.player]} moves" if s.winner == NOBODY else f"{NAMES[s.winner]} has won"
    return "\n".join([*lines, f"{' ' * game.size}   {message}"])


def svg(game: Any, s: Any) -> str:
    """The board as a picture; empty cells carry their action."""
    wide, high, last = 45 * game.size + 25, 26 * game.size + 34, game.size - 1
    legal = set() if game.is_terminal(s) else set(game.actions(s))
    (ax, ay), (bx, _), (cx, cy), (dx, _) = (middle(r, c) for r, c in ((0, 0), (0, last), (last, last), (last, 0)))
    above, below, centre = ay - 22, cy + 22, f"{(ax + cx) // 2} {(ay + cy) // 2}"
    upper_left, upper_right = f"{ax - 32} {above}", f"{bx + 16} {above}"
    lower_left, lower_right = f"{dx - 16} {below}", f"{cx + 32} {below}"
    parts = [
        f'<path d="M{upper_left}L{upper_right}L{centre}L{lower_left}L{lower_right}L{centre}z" fill="{FILLS["R"]}"/>',
        f'<path d="M{upper_left}L{lower_left}L{centre}L{upper_right}L{lower_right}L{centre}z" fill="{FILLS["B"]}"/>',
    ]
    for row, marks in enumerate(signs(game, s)):
        for col, mark in enumerate(marks):
            (x, y), action = middle(row, col), row * game.size + col
            play = f' data-action="{action}"' if action in legal else ""
            edge = f'd="M{x} {y - 17}l15 8.5v17l-15 8.5l-15 -8.5v-17z" fill="{FILLS["."]}" stroke="#94a3b8"'
            parts.append(f"<path {edge}{play}><title>{format_action(game, s, action)}</title></path>")
            if mark != ".":
                parts.append(f'<circle cx="{x}" cy="{y}" r="11" fill="{FILLS[mark]}"/>')
    if game.size * game.size in legal:
        place = f'x="4" y="{high - 8}" font-family="sans-serif" font-size="13" fill="{FILLS["B"]}"'
        parts.append(f'<text {place} data-action="{game.size * game.size}">swap</text>')
    return svg_picture(parts, wide, high)


def middle(row: int, col: int) -> tuple[int, int]:
    """The middle of a cell in the picture."""
    return 30 * col + 15 * row + 36, 26 * row + 30
