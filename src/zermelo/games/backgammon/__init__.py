"""Backgammon: race fifteen checkers round the board and off it; hit those that stand alone.

White is player 0 and goes from point 24 to point 1, Black goes the other way; each counts the points from his own
side. First each throws one die, both again if they are equal; the higher begins and plays both numbers. After that a
player throws two dice a turn and moves one checker by the one number and one, or the same, by the other; doubles are
played four times. A point where the opponent has two checkers or more is blocked. A single checker there is hit: it
goes to the bar and must enter again, by a number that leads to an open point, before its owner moves anything else.
Once all checkers of a player are on his points 1 to 6 they may leave the board, each by the number of its point, or by
a higher one where no checker stands higher.

Both numbers must be played if that is possible, and of doubles as many as possible. Where either can be played but not
both, it must be the higher one.

Who has taken off all checkers wins: twice the stake (a gammon) if the opponent has taken off none, three times (a
backgammon) if besides one of his is on the bar or on the winner's points 1 to 6. `gammons=False` counts all wins alike.
With `cube=True` a player may offer to double the stake before he throws. Who does not take it loses the stake as it
was; who does may be the next to double, up to 64.

An action moves one checker. See `moves` for the boards.
"""

from typing import Any, NamedTuple

from zermelo.bits import each
from zermelo.board_game import BoardGame
from zermelo.compile.random import below
from zermelo.contract import CHANCE
from zermelo.games.backgammon import evaluation, notation, picture
from zermelo.games.backgammon.moves import (
    ANSWER,
    BLACK_BAR,
    BLACK_HOME,
    BOTH,
    DOUBLE,
    DROP,
    DROPPED,
    FIRST_BLACK,
    FIRST_WHITE,
    LAST_STAKE,
    MOVE,
    OFFER,
    OPENING,
    OVER,
    PASS,
    ROLL,
    TAKE,
    THROW,
    WHITE_BAR,
    WHITE_HOME,
    goes_on,
    held,
    leavers,
    movers,
    occupied,
    own_point,
    steppers,
    target,
    with_checker,
    without_checker,
)


class Backgammon(BoardGame, notation=notation):
    """Race fifteen checkers home and off the board; dice decide how far, players which."""

    gammons: bool = True
    cube: bool = False

    max_actions = 30

    class State(NamedTuple):
        """The checkers of both sides, whose turn it is, what is to be done, and the numbers that are left to play.

        While `high` and `low` differ both are left; once they are equal `left` says how often.
        """

        white: tuple[int, int, int, int]
        black: tuple[int, int, int, int]
        player: int
        phase: int
        high: int
        low: int
        left: int
        stake: int
        owner: int
        """Who may double next: a player, or BOTH."""

    @property
    def bounds(self) -> tuple[float, float]:
        """What a backgammon pays with the cube at its highest."""
        most = (3.0 if self.gammons else 1.0) * (LAST_STAKE if self.cube else 1)
        return -most, most

    @property
    def policy_size(self) -> int:
        """Moves by point and number, the pass, and what is said about the cube."""
        return DROP + 1 if self.cube else PASS + 1

    def initial(self):
        return self.State(FIRST_WHITE, FIRST_BLACK, 0, OPENING, 0, 0, 0, 1, BOTH)

    def to_move(self, s):
        if s.phase <= THROW:
            return CHANCE
        return 1 - s.player if s.phase == ANSWER else s.player

    def fill(self, s, out, n):
        if s.phase == MOVE:
            return self.fill_moves(s, out, n)
        if s.phase == OFFER:
            out[n], out[n + 1] = ROLL, DOUBLE
            return n + 2
        if s.phase == ANSWER:
            out[n], out[n + 1] = TAKE, DROP
            return n + 2
        for first in range(6):
            for second in range(6):
                if first > second or (first < second if s.phase == OPENING else first == second):
                    out[n] = 6 * first + second
                    n += 1
        return n

    def probability(self, s, action):
        if s.phase == OPENING:
            return 1.0 / 30.0
        return 1.0 / 36.0 if action % 7 == 0 else 1.0 / 18.0

    def draw(self, s, bits):
        """Two dice: in the opening White's and Black's, later the higher and the lower."""
        if s.phase == OPENING:
            first, second = below(bits, 30) // 5, below(bits, 30) % 5
            return 6 * first + second + (1 if second >= first else 0)
        first, second = below(bits, 36) // 6, below(bits, 36) % 6
        return 6 * max(first, second) + min(first, second)

    # --- the moves of a throw -------------------------------------------------------------------------------------

    def fill_moves(self, s, out, n):
        """Write the moves that leave as many numbers to be played as possible; the pass where there is none."""
        mine, blocked = (s.white, held(s.black)) if s.player == 0 else (s.black, held(s.white))
        here, start = occupied(mine), n
        if s.high != s.low:
            for number in range(2):
                die, other = (s.high, s.low) if number == 0 else (s.low, s.high)
                points = self.distinct_movers(s, here, blocked, die)
                for point in each(points):
                    if goes_on(mine, blocked, point, die, other, s.player):
                        out[n] = action_of(point, die, s.player)
                        n += 1
        if n > start:
            return n
        die = s.high
        points = movers(here, blocked, die, s.player)
        if points == 0:
            die = s.low
            points = movers(here, blocked, die, s.player)
        for point in each(points):
            out[n] = action_of(point, die, s.player)
            n += 1
        if n == start:
            out[n] = PASS
            n += 1
        return n

    def distinct_movers(self, s, here, blocked, die):
        """The points to move from by this number; a checker that leaves by either number leaves by the higher one."""
        points = leavers(here, die, s.player)
        if die < s.high:
            points &= ~leavers(here, s.high, s.player)
        return points | steppers(here, blocked, die, s.player)

    # --- results --------------------------------------------------------------------------------------------------

    def result(self, s, action):
        if s.phase == MOVE:
            return self.next_turn(s) if action == PASS else self.moved(s, action)
        if s.phase <= THROW:
            first, second = action // 6 + 1, action % 6 + 1
            player = (0 if first > second else 1) if s.phase == OPENING else s.player
            return self.thrown(s, player, max(first, second), min(first, second))
        if action == ROLL:
            return self.turned(s, THROW, s.stake, s.owner)
        if action == DOUBLE:
            return self.turned(s, ANSWER, s.stake, s.owner)
        if action == TAKE:
            return self.turned(s, THROW, 2 * s.stake, 1 - s.player)
        return self.turned(s, DROPPED, s.stake, s.owner)

    def moved(self, s, action):
        """The state after a checker's move; the turn goes on as long as a number that is left can be played."""
        die, point = action % 6 + 1, own_point(action // 6 + 1, s.player)
        mine, theirs = (s.white, s.black) if s.player == 0 else (s.black, s.white)
        to = target(point, die, s.player)
        mine = without_checker(mine, 1 << point)
        if to:
            mine = with_checker(mine, to)
            if occupied(theirs) & to:
                theirs = with_checker(without_checker(theirs, to), BLACK_BAR if s.player == 0 else WHITE_BAR)
        white, black = (mine, theirs) if s.player == 0 else (theirs, mine)
        left = s.left - 1
        number = s.low if die == s.high else s.high
        here = occupied(mine)
        after = self.State(white, black, s.player, MOVE, number, number, left, s.stake, s.owner)
        if here == 0:
            return self.State(white, black, s.player, OVER, 0, 0, 0, s.stake, s.owner)
        if left > 0 and movers(here, held(theirs), number, s.player) != 0:
            return after
        return self.next_turn(after)

    def next_turn(self, s):
        """The other player's turn: to throw, or to choose whether to double."""
        phase = THROW
        if self.cube and s.stake < LAST_STAKE and s.owner != s.player:
            phase = OFFER
        return self.State(s.white, s.black, 1 - s.player, phase, 0, 0, 0, s.stake, s.owner)

    def thrown(self, s, player, high, low):
        """The state after a throw; doubles are played four times."""
        left = 4 if high == low else 2
        return self.State(s.white, s.black, player, MOVE, high, low, left, s.stake, s.owner)

    def turned(self, s, phase, stake, owner):
        """The same checkers with something done about the cube."""
        return self.State(s.white, s.black, s.player, phase, 0, 0, 0, stake, owner)

    def is_over(self, s):
        return s.phase >= DROPPED

    def utility(self, s, player):
        if s.phase == DROPPED:
            return 1.0 * s.stake if player == s.player else -1.0 * s.stake
        won = s.stake * self.win(s)
        return 1.0 * won if player == s.player else -1.0 * won

    def win(self, s):
        """What a win is worth in stakes: the winner is the player whose turn it was."""
        loser = s.black if s.player == 0 else s.white
        if not self.gammons or evaluation.checkers(loser) < 15:
            return 1
        deep = WHITE_BAR | BLACK_BAR | (WHITE_HOME if s.player == 0 else BLACK_HOME)
        return 3 if occupied(loser) & deep else 2

    # --- search ---------------------------------------------------------------------------------------------------

    def evaluate(self, s):
        return s.stake * evaluation.estimate(s)

    # --- people ---------------------------------------------------------------------------------------------------

    def explain(self, s: Any) -> dict[str, int]:
        """The parts of the estimate by name, in thousandths for White."""
        black, white = evaluation.as_black(s.black), evaluation.as_black(s.white)
        parts = {part.__name__: part(s.white, s.black) - part(black, white) for part in evaluation.PARTS}
        return parts | {"turn": evaluation.turn(s)}

    def svg(self, s: Any, player: int | None = None) -> str:
        """The board as a picture; every legal move is an arrow that carries it."""
        return picture.svg(self, s)


def action_of(point, die, player):
    """The number of the action that moves a checker from this point by this number."""
    return 6 * (own_point(point, player) - 1) + die - 1
