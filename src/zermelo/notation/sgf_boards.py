"""Boards as SGF writes them: the points and stones of Go, Othello and Hex.

SGF names a point by two letters, the column from the left and the row from the top: `aa` is the upper left corner. Only
cells of Hex are a letter and a number.
"""

import itertools
import re
from collections.abc import Iterable
from typing import Any

from zermelo.bits import bit
from zermelo.contract import Game
from zermelo.errors import BadNotation, BadParameter, UnsuitableGame
from zermelo.games.go import Go
from zermelo.games.go.boards import holds, joined, no_points, one_point
from zermelo.games.go.moves import is_sound
from zermelo.games.hex import Hex
from zermelo.games.othello import Othello
from zermelo.notation.sgf_tree import SgfNode

LETTERS = "abcdefghijklmnopqrstuvwxyz"
OLD_PASS = "tt"
"""A pass of old files, on boards where there is no such point."""
SWAP = "swap-pieces"
CELL = re.compile(r"\s*(?P<column>[A-Za-z])(?P<row>[1-9][0-9]?)\s*")
KINDS = {
    1: "Go", 2: "Othello", 3: "chess", 4: "Gomoku", 5: "Nine Men's Morris", 6: "backgammon", 7: "Chinese chess",
    8: "Shogi", 9: "Lines of Action", 10: "Ataxx", 11: "Hex",
}  # fmt: skip
"""What the numbers of the property GM mean."""
NUMBERED = re.compile(r"[0-9]{1,3}")
SIZE = re.compile(r"\s*(?P<across>[0-9]{1,3})\s*(?::\s*(?P<down>[0-9]{1,3})\s*)?")
NUMBER = re.compile(r"\s*[+-]?[0-9]{1,6}(?:[.,][0-9]{0,6})?\s*")


class SgfBoard:
    """The points of a square board: action n is the point in row n // size and column n % size."""

    number = 0
    """The number of the game in the property GM."""

    def __init__(self, game: Any) -> None:
        self.game = game
        self.size: int = game.size

    # --- moves -------------------------------------------------------------------------------------------------------

    def written(self, action: int) -> str:
        """The move as a value of B or W."""
        row, column = divmod(action, self.size)
        return LETTERS[column] + LETTERS[row] if row < self.size else ""

    def read(self, text: str) -> int:
        """The action of a move; BadNotation where it is none."""
        text = text.strip()
        if not text or (text == OLD_PASS and self.size < 20):
            return self.size * self.size
        return self.point(text)

    def point(self, text: str) -> int:
        """The action of a point."""
        places = [LETTERS.find(letter) for letter in text.strip()]
        if len(places) != 2 or not all(0 <= place < self.size for place in places):
            raise BadNotation(f"{text[:20]!r} is no point of a board of size {self.size}: write two letters, as in cd")
        return places[1] * self.size + places[0]

    def points(self, values: Iterable[str]) -> list[int]:
        """The actions of points; two corners with a colon between them are a rectangle."""
        found = []
        for value in values:
            corners = [self.point(corner) for corner in value.split(":")]
            if len(corners) > 2:
                raise BadNotation(f"{value[:20]!r} is no rectangle: write two corners, as in aa:cd")
            (top, left), (bottom, right) = (divmod(corner, self.size) for corner in (corners[0], corners[-1]))
            if top > bottom or left > right:
                raise BadNotation(f"{value[:20]!r} is no rectangle: the upper left corner comes first")
            found += [row * self.size + col for row in range(top, bottom + 1) for col in range(left, right + 1)]
        return found

    # --- positions ---------------------------------------------------------------------------------------------------

    def stones(self, s: Any) -> tuple[list[int], list[int]]:
        """The points with stones of player 0 and of player 1."""
        cells = range(self.size * self.size)
        return [n for n in cells if s.black >> n & 1], [n for n in cells if s.white >> n & 1]

    def with_stones(self, black: Iterable[int], white: Iterable[int], player: int) -> Any:
        """The state with these stones and this player to move."""
        sides = [sum(bit(n) for n in set(points)) for points in (black, white)]
        return self.game.checked_state(self.game.State(*sides, player))

    def is_over(self, s: Any) -> bool:
        """Whether the game has ended."""
        return self.game.is_terminal(s)

    def is_legal(self, s: Any, action: int) -> bool:
        """Whether the action may be taken, without regard to earlier positions."""
        return not self.is_over(s) and action in self.game.actions(s)

    def turned(self, s: Any, player: int) -> Any:
        """The position with this player to move; None where the rules do not allow that."""
        return s if self.game.to_move(s) == player else None


class GoBoard(SgfBoard):
    """Go."""

    number = 1

    def stones(self, s: Any) -> tuple[list[int], list[int]]:
        """The points with stones of Black and of White."""
        points = range(self.size * self.size)
        black, white = ([n for n in points if holds(self.game, side, n)] for side in (s.black, s.white))
        return black, white

    def with_stones(self, black: Iterable[int], white: Iterable[int], player: int) -> Any:
        """The state with these stones and this player to move."""
        sides = []
        for points in (black, white):
            side = no_points(self.game)
            for n in points:
                side = joined(self.game, side, one_point(self.game, n))
            sides.append(side)
        return self.game.checked_state(self.game.initial()._replace(black=sides[0], white=sides[1], player=player))

    def is_over(self, s: Any) -> bool:
        """Whether two passes have ended the game."""
        return self.game.is_over(s)

    def is_legal(self, s: Any, action: int) -> bool:
        """Whether the action may be taken; only its own point is tested, since listing all legal points takes long."""
        if self.is_over(s) or action == self.game.no_stone:
            return not self.is_over(s)
        mine, theirs = (s.black, s.white) if s.player == 0 else (s.white, s.black)
        if action == s.ko or holds(self.game, mine, action) or holds(self.game, theirs, action):
            return False
        return is_sound(self.game, one_point(self.game, action), mine, theirs)

    def turned(self, s: Any, player: int) -> Any:
        """The position with this player to move; a game that passes have ended goes on."""
        if s.player == player and not self.game.is_over(s):
            return s
        if s.player == player:
            return s._replace(passes=0)
        return s._replace(player=player, ko=-1, last=-1, passes=0)


class OthelloBoard(SgfBoard):
    """Othello."""

    number = 2


class HexBoard(SgfBoard):
    """Hex, whose cells SGF names as players do: c4 is in the third column of the fourth row."""

    number = 11

    def written(self, action: int) -> str:
        """The cell, or the swap of the first stone."""
        row, column = divmod(action, self.size)
        return f"{LETTERS[column]}{row + 1}" if row < self.size else SWAP

    def read(self, text: str) -> int:
        """The action of a move."""
        return self.size * self.size if text.strip().lower() in (SWAP, "swap-sides", "swap") else self.point(text)

    def point(self, text: str) -> int:
        """The action of a cell."""
        found = CELL.fullmatch(text)
        row = int(found["row"]) - 1 if found else -1
        column = LETTERS.index(found["column"].lower()) if found else -1
        if not (0 <= row < self.size and 0 <= column < self.size):
            raise BadNotation(f"{text[:20]!r} is no cell of a board of size {self.size}: write it as in c4")
        return row * self.size + column

    def stones(self, s: Any) -> tuple[list[int], list[int]]:
        """The cells with stones of Red and of Blue."""
        places = [(n, n + n // self.size) for n in range(self.size * self.size)]
        red, blue = ([n for n, at in places if side[at >> 6] >> (at & 63) & 1] for side in (s.red, s.blue))
        return red, blue

    def with_stones(self, black: Iterable[int], white: Iterable[int], player: int) -> Any:
        """The state with these stones and this player to move."""
        s = self.game.initial()
        for mover, points in enumerate((black, white)):
            for n in points:
                s = self.game.result(s._replace(player=mover), n)
        return self.game.checked_state(s._replace(player=player))


BOARDS: dict[type[Game], type[SgfBoard]] = {Go: GoBoard, Othello: OthelloBoard, Hex: HexBoard}


def sgf_board(game: Game) -> SgfBoard:
    """How SGF writes this game."""
    for kind, board in BOARDS.items():
        if isinstance(game, kind):
            return board(game)
    names = ", ".join(kind.__name__ for kind in BOARDS)
    raise UnsuitableGame(f"{game.name} is not written in SGF here, only {names}; use PGN")


def game_of(root: SgfNode) -> Game:
    """The game that the properties GM, SZ, KM and RU name."""
    kinds = {board.number: kind for kind, board in BOARDS.items()}
    number = root.get("GM", "1").strip()
    kind = kinds.get(int(number)) if NUMBERED.fullmatch(number) else None
    if kind is None:
        name = KINDS.get(int(number), "a game") if NUMBERED.fullmatch(number) else "no game"
        readable = ", ".join(f"GM[{n}] ({k.__name__})" for n, k in sorted(kinds.items()))
        raise BadNotation(f"GM[{number[:20]}] is {name} that is not read from SGF here, only {readable}")
    parameters: dict[str, Any] = {}
    size, komi = root.get("SZ"), root.get("KM")
    if size.strip() or kind is Go:
        across = SIZE.fullmatch(size.strip() or "19")
        if across is None or across["across"] != (across["down"] or across["across"]):
            raise BadNotation(f"SZ[{size[:20]}] is no size of a square board: write one number")
        parameters["size"] = int(across["across"])
    if komi.strip() and kind is Go:
        if not NUMBER.fullmatch(komi):
            raise BadNotation(f"KM[{komi[:20]}] is no komi: write a number, as in 6.5")
        parameters["komi"] = float(komi.replace(",", "."))
    if kind is Hex:
        first = itertools.islice(root.main_line(), 4)
        parameters["swap"] = "swap" in root.get("RU") or any("swap" in node.get("W") for node in first)
    try:
        return kind(**parameters)
    except BadParameter as error:
        raise BadNotation(str(error)) from None
