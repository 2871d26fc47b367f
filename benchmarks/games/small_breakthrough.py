"""Breakthrough on a small board, as a user would write it: no hooks but an estimate, a board that is a tuple."""

from typing import NamedTuple

from zermelo import Game


class SmallBreakthrough(Game):
    """Pawns go forward; they capture diagonally. Whoever reaches the far row wins."""

    rows: int = 5
    cols: int = 5
    max_actions = 64

    class State(NamedTuple):
        board: tuple[int, ...]
        player: int
        won: int

    def initial(self):
        n = self.rows * self.cols
        board = [0] * n
        for i in range(2 * self.cols):
            board[i] = 1
            board[n - 1 - i] = 2
        return self.State(tuple(board), 0, -1)

    def to_move(self, s):
        return s.player

    def mine(self, s):
        return 1 if s.player == 0 else 2

    def actions(self, s):
        step = 1 if s.player == 0 else -1
        me = self.mine(s)
        for place in range(self.rows * self.cols):
            if s.board[place] == me:
                row, col = place // self.cols, place % self.cols
                for side in range(-1, 2):
                    if 0 <= row + step < self.rows and 0 <= col + side < self.cols:
                        goal = (row + step) * self.cols + col + side
                        there = s.board[goal]
                        if there == 0 or (side != 0 and there != me):
                            yield place * 3 + side + 1

    def result(self, s, action):
        step = 1 if s.player == 0 else -1
        place, side = action // 3, action % 3 - 1
        goal = place + step * self.cols + side
        board = list(s.board)
        board[goal] = board[place]
        board[place] = 0
        row = goal // self.cols
        won = -1
        if (s.player == 0 and row == self.rows - 1) or (s.player == 1 and row == 0):
            won = s.player
        others = 2 if s.player == 0 else 1
        if not any(p == others for p in board):
            won = s.player
        return self.State(tuple(board), 1 - s.player, won)

    def is_terminal(self, s):
        return s.won >= 0 or not any(True for a in self.actions(s))

    def utility(self, s, player):
        winner = s.won if s.won >= 0 else 1 - s.player
        return 1.0 if winner == player else -1.0

    def evaluate(self, s):
        mine = sum(1 for p in s.board if p == 1)
        yours = sum(1 for p in s.board if p == 2)
        return (mine - yours) / (2.0 * self.cols + 1)
