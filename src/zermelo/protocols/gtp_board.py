"""What a GTP program has before it: the game, the position, and how it came about."""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from zermelo.contract import Game
from zermelo.errors import IllegalAction, UnsuitableGame, ZermeloError
from zermelo.games.go import Go
from zermelo.notation.sgf import sgf_root
from zermelo.notation.sgf_boards import SgfBoard, sgf_board
from zermelo.notation.sgf_tree import SgfNode
from zermelo.protocols.process import spelled

COLUMNS = "abcdefghjklmnopqrst"
VERTEX = re.compile(r"(?P<column>[a-hj-t])(?P<row>[1-9][0-9]?)")
CORNERS, SIDES, ENDS = ((0, 0), (2, 2), (0, 2), (2, 0)), ((0, 1), (2, 1)), ((1, 0), (1, 2))
"""Handicap points by column and row, in the order in which they are taken: low, middle and high."""
MIDDLE = (1, 1)


class Step(NamedTuple):
    """A move that was played: from where, by whom, and what."""

    before: Any
    player: int
    action: int


class GtpBoard:
    """A game in progress in which either player may move at any time, where the rules allow it."""

    def __init__(self, game: Game) -> None:
        self.begin(game)

    def begin(self, game: Game, start: Any = None) -> None:
        """A new game, from the first state or from another."""
        self.change(game)
        self.start = self.state = game.initial() if start is None else start
        self.steps: list[Step] = []

    def change(self, game: Game) -> None:
        """Play by other rules from now on: what is on the board stays there."""
        self.game = game
        try:
            self.board: SgfBoard | None = sgf_board(game)
        except UnsuitableGame:
            self.board = None

    @property
    def is_new(self) -> bool:
        """Whether nothing is on the board."""
        return not self.steps and self.start == self.game.initial()

    # --- moves -------------------------------------------------------------------------------------------------------

    def turned(self, player: int) -> Any:
        """The position with this player to move."""
        game, s = self.game, self.state
        found = self.board.turned(s, player) if self.board is not None else s
        if found is None or game.to_move(found) != player:
            raise IllegalAction("illegal move: the other side is to move")
        return found

    def read(self, text: str, s: Any) -> int:
        """The action that a word names, whether it is legal or not; IllegalAction where it names none."""
        if isinstance(self.game, Go):
            word, size = text.lower(), self.game.size
            found = VERTEX.fullmatch(word)
            if word == "pass":
                return self.game.no_stone
            if found is None or COLUMNS.index(found["column"]) >= size or int(found["row"]) > size:
                raise IllegalAction(f"syntax error: {text[:20]!r} is no vertex of this board")
            return (size - int(found["row"])) * size + COLUMNS.index(found["column"])
        names = {spelled(self.game, s, action).lower(): action for action in self.game.actions(s)}
        if text.lower() in names:
            return names[text.lower()]
        try:
            return self.game.parse_action(s, text)
        except ZermeloError:
            raise IllegalAction("illegal move") from None

    def play(self, player: int, action: int) -> None:
        """Play a move that must be legal."""
        s = self.turned(player)
        if not self.is_legal(s, action):
            raise IllegalAction("illegal move")
        self.steps.append(Step(self.state, player, action))
        self.state = self.game.result(s, action)

    def push(self, action: int) -> None:
        """Play a move of a game that was played elsewhere, perhaps by other rules of repetition."""
        self.steps.append(Step(self.state, self.game.to_move(self.state), action))
        self.state = self.game.result(self.state, action)

    def is_over(self, s: Any) -> bool:
        """Whether the game has ended."""
        return self.game.is_terminal(s) if self.board is None else self.board.is_over(s)

    def is_legal(self, s: Any, action: int) -> bool:
        """Whether the action may be taken, repetition included."""
        game = self.game
        if self.board is not None and not self.board.is_legal(s, action):
            return False
        if self.board is None and (self.is_over(s) or action not in game.actions(s)):
            return False
        if not game.forbids_repetition or action == self.skip:
            return True
        return game.key(game.result(s, action)) not in (*self.history(), game.key(s))

    def undo(self) -> None:
        """Take the last move back."""
        if not self.steps:
            raise IllegalAction("cannot undo")
        self.state = self.steps.pop().before

    @property
    def skip(self) -> int | None:
        """The action that passes, where there is one at all times."""
        return self.game.no_stone if isinstance(self.game, Go) else None

    def passed(self, player: int) -> bool:
        """Whether the other side has just passed."""
        last = self.steps[-1] if self.steps else None
        return last is not None and last.player != player and last.action == self.skip

    def history(self) -> list[int]:
        """The keys of the positions before this one. A position after a pass repeats the last one and is left out."""
        if self.game.repetition is None:
            return []
        return [self.game.key(step.before) for step in self.steps if getattr(step.before, "passes", 0) == 0]

    def named(self, s: Any, action: int) -> str:
        """The action as GTP writes it."""
        return spelled(self.game, s, action)

    def stones(self) -> tuple[set[int], set[int]]:
        """The points with stones of either player."""
        assert self.board is not None
        black, white = self.board.stones(self.state)
        return set(black), set(white)

    def without(self, points: set[int]) -> Any:
        """The position without the stones on these points."""
        assert self.board is not None
        black, white = self.stones()
        return self.board.with_stones(black - points, white - points, self.game.to_move(self.state))

    # --- handicap ----------------------------------------------------------------------------------------------------

    def place(self, points: Sequence[int]) -> None:
        """Put handicap stones on the empty board; White is then to move."""
        assert self.board is not None
        self.begin(self.game, self.board.with_stones(points, (), 1))

    def handicap(self, count: int) -> list[int]:
        """The points of a fixed handicap; none where there is no such handicap on this board."""
        size = self.game.parameters.get("size", 0)
        most = 0 if size < 7 else 4 if size == 7 or size % 2 == 0 else 9
        if not isinstance(self.game, Go) or not 2 <= count <= most:
            return []
        places = [*CORNERS, *SIDES, *ENDS][: count - (count in (5, 7, 9))]
        if count in (5, 7, 9):
            places.append(MIDDLE)
        edge = 3 if size > 11 else 2
        lines = (edge, size // 2, size - 1 - edge)
        return [(size - 1 - lines[row]) * size + lines[column] for column, row in places]

    # --- SGF ---------------------------------------------------------------------------------------------------------

    def tree(self, headers: dict[str, str]) -> SgfNode:
        """The game so far as SGF."""
        root = node = sgf_root(self.game, self.start, headers)
        assert self.board is not None
        for step in self.steps:
            node = node.add()
            node.set("BW"[step.player], self.board.written(step.action))
        return root
