"""Go for people: names of points, boards on one line or several, and what is no position at all."""

import re
from typing import Any

from zermelo.bits import u64
from zermelo.errors import BadState, IllegalAction
from zermelo.games.go.boards import (
    beside,
    common,
    first_point,
    flooded,
    holds,
    is_empty,
    joined,
    no_points,
    one_point,
    without,
)
from zermelo.games.go.moves import has_liberty

LETTERS = "ABCDEFGHJKLMNOPQRST"
"""The columns: no I, which looks like a 1."""
SIGNS, NAMES = "XO", ("Black", "White")
NONE = "-"


def format_action(game: Any, s: Any, action: int) -> str:
    """The point as column and row, D4, or pass."""
    if action == game.no_stone:
        return "pass"
    return f"{LETTERS[action % game.size]}{game.size - action // game.size}"


def point_number(game: Any, text: str) -> int | None:
    """The action of this name, or None."""
    word = text.strip().upper()
    if word in ("PASS", "--"):
        return game.no_stone
    found = re.fullmatch(r"([A-HJ-T])([1-9]\d?)", word)
    if found is None:
        return None
    column, row = LETTERS.index(found[1]), game.size - int(found[2])
    return row * game.size + column if column < game.size and row >= 0 else None


def parse_action(game: Any, s: Any, text: str) -> int:
    """The point, in capital or small letters."""
    action = point_number(game, text)
    if action is None:
        last = f"{LETTERS[game.size - 1]}{game.size}"
        raise IllegalAction(f"{text.strip()!r} is no point of {game.name}: write A1 to {last}, or pass")
    if game.is_over(s):
        raise IllegalAction(f"{text.strip()!r} is not legal in {game.name} here: the game is over")
    if action not in game.actions(s):
        raise IllegalAction(f"{text.strip()!r} is not legal in {game.name} here: {why_not(game, s, action)}")
    return action


def why_not(game: Any, s: Any, action: int) -> str:
    """What speaks against a stone there."""
    if holds(game, joined(game, s.black, s.white), action):
        return "there is a stone already"
    if action == s.ko:
        return "the ko may not be retaken at once"
    return "the stone would have no liberty"


def sign(game: Any, s: Any, action: int) -> str:
    """X, O or a dot."""
    return "X" if holds(game, s.black, action) else "O" if holds(game, s.white, action) else "."


def rows(game: Any, s: Any) -> list[str]:
    """One sign for each point, row by row from above."""
    size = game.size
    return ["".join(sign(game, s, row * size + column) for column in range(size)) for row in range(size)]


def format_state(game: Any, s: Any) -> str:
    """The rows from above, X black, O white; who moves; the ko, the last stone and the passes before."""
    ko, last = (NONE if action < 0 else format_action(game, s, action) for action in (s.ko, s.last))
    return f"{'/'.join(rows(game, s))} {SIGNS[s.player]} ko {ko} last {last} passes {s.passes}"


def parse_state(game: Any, text: str) -> Any:
    """The position so written; what comes after the player may be left out."""
    found = re.fullmatch(
        r"\s*([XO./]+)\s+([XO])(?:\s+ko\s+(\S+))?(?:\s+last\s+(\S+))?(?:\s+passes\s+(\d+))?\s*", text, re.IGNORECASE
    )
    board = found[1].upper().split("/") if found else []
    if found is None or len(board) != game.size or any(len(row) != game.size for row in board):
        example = format_state(game, game.initial())
        raise BadState(f"{text[:200]!r} is no position of {game!r}; the first one is written {example}")
    black, white = (stones(game, "".join(board), sign) for sign in SIGNS)
    ko, last = (named(game, word) for word in (found[3], found[4]))
    passes = int(found[5] or 0)
    return game.checked_state(game.State(black, white, ko, last, passes, SIGNS.index(found[2].upper())))


def stones(game: Any, signs: str, wanted: str) -> tuple[u64, ...]:
    """The points with this sign."""
    found = no_points(game)
    for action, there in enumerate(signs):
        if there == wanted:
            found = joined(game, found, one_point(game, action))
    return found


def named(game: Any, word: str | None) -> int:
    """The point of this name; -1 for none."""
    if word is None or word == NONE:
        return -1
    action = point_number(game, word)
    if action is None or action == game.no_stone:
        raise BadState(f"{game.name}: {word!r} is no point of the board")
    return action


def checked(game: Any, s: Any) -> Any:
    """`s`, if stones can stand so."""
    points = game.size * game.size
    for side in (s.black, s.white):
        if any(int(word) & ~int(board) for word, board in zip(side, game.board, strict=True)):
            raise BadState(f"{game.name}: stones stand on the {points} points of the board")
    if not is_empty(game, common(game, s.black, s.white)):
        raise BadState(f"{game.name}: no point has two stones")
    if s.player not in (0, 1) or s.passes not in (0, 1, 2):
        raise BadState(f"{game.name}: the player to move is 0 or 1, and there were 0, 1 or 2 passes just before")
    check_liberties(game, s)
    check_marks(game, s)
    return s


def check_liberties(game: Any, s: Any) -> None:
    """Refuse chains that should have left the board."""
    empty = without(game, game.board, joined(game, s.black, s.white))
    for side in (s.black, s.white):
        left = side
        while not is_empty(game, left):
            stone = first_point(game, left)
            if not has_liberty(game, stone, side, empty):
                name = next(format_action(game, s, a) for a in range(game.no_stone) if holds(game, stone, a))
                raise BadState(f"{game.name}: the chain of {name} has no liberty and would have been captured")
            left = without(game, left, flooded(game, stone, side))


def check_marks(game: Any, s: Any) -> None:
    """Refuse a ko or a last stone where there can be none."""
    theirs = s.white if s.player == 0 else s.black
    if s.last != -1 and not (0 <= s.last < game.no_stone and s.passes == 0 and holds(game, theirs, s.last)):
        raise BadState(f"{game.name}: the last stone is one of the player's who has just moved, and no pass came since")
    if s.ko == -1:
        return
    if s.last == -1 or not 0 <= s.ko < game.no_stone or holds(game, joined(game, s.black, s.white), s.ko):
        raise BadState(f"{game.name}: a ko is an empty point beside the last stone")
    around = common(game, beside(game, one_point(game, s.ko)), game.board)
    if not holds(game, around, s.last) or not is_empty(game, without(game, around, theirs)):
        raise BadState(f"{game.name}: a ko is an empty point beside the last stone, with stones of its colour around")


def text(game: Any, s: Any) -> str:
    """The board with its coordinates, and who moves."""
    width = len(str(game.size))
    letters = " " * width + " " + " ".join(LETTERS[: game.size])
    lines = []
    for n, row in enumerate(rows(game, s)):
        marked = [there if there != "." or not is_star(game.size, n, c) else "+" for c, there in enumerate(row)]
        lines.append(f"{game.size - n:>{width}} {' '.join(marked)} {game.size - n}")
    return "\n".join([letters, *lines, letters, status(game, s)])


def status(game: Any, s: Any) -> str:
    """Who moves, and what came just before."""
    if s.passes >= 2:
        lead = game.lead(s)
        return "a draw" if lead == 0 else f"{NAMES[lead < 0]} wins by {abs(lead):g}"
    before = "" if s.last < 0 else f"; last {format_action(game, s, s.last)}"
    ko = "" if s.ko < 0 else f"; ko at {format_action(game, s, s.ko)}"
    return f"{NAMES[s.player]} ({SIGNS[s.player]}) moves{'; the other passed' if s.passes else ''}{before}{ko}"


def is_star(size: int, row: int, column: int) -> bool:
    """Whether the point is marked on real boards: handicap stones are placed there."""
    if size < 7:
        return False
    edge = 2 if size < 12 else 3
    lines = {edge, size - 1 - edge} | ({size // 2} if size % 2 else set())
    if row not in lines or column not in lines:
        return False
    middle = (row == size // 2) + (column == size // 2) if size % 2 else 0
    return middle != 1 or size >= 15
