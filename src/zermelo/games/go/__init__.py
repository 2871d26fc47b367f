"""Go: surround more of the board than the other side does.

Black is player 0 and begins. A stone is placed on an empty point and stays there; stones of one colour that are joined
along the lines are a chain, and a chain whose last empty neighbour is taken leaves the board. A stone may not be placed
where its own chain would be left without an empty neighbour, nor so that the stones stand as they stood before
(positional superko). A player may pass instead; two passes in a row end the game. Everybody then counts the stones on
the board and the empty points that only they surround; White adds `komi`. Nobody judges which stones are dead: what
is to leave the board has to be captured first.

Action n places a stone on point n, counted row by row from the upper left corner; the number after the last point is
the pass. `size` is 2 to 19. See `boards` for the sets of points, and `playouts` for the fast games that sampling plays.
"""

import math
from typing import Any, NamedTuple

from zermelo.bits import u64
from zermelo.board_game import BoardGame, turned_cell
from zermelo.compile import hash64
from zermelo.errors import BadParameter
from zermelo.games.go import notation, picture
from zermelo.games.go.boards import (
    all_points,
    first_action,
    holds,
    joined,
    no_points,
    one_point,
    size_of,
    without,
    write_points,
)
from zermelo.games.go.moves import areas, captured, is_ko, placements
from zermelo.games.go.playouts import play_out
from zermelo.games.go.prior import prior as weigh


class Go(BoardGame, notation=notation):
    """Surround more than the other."""

    size: int = 9
    komi: float = 7.5
    playouts: str = "patterns"

    bounds = (-1.0, 1.0)
    repetition = "forbidden"
    symmetry_count = 8
    utility_sum = 0.0
    sampling = {"prior": True, "rave": 1000.0, "c": 0.2}
    """What matches and the command line tell `zermelo.mcts` in this game, unless somebody says otherwise."""

    class State(NamedTuple):
        """The stones of either side, and what else decides what may be played."""

        black: tuple[u64, ...]
        white: tuple[u64, ...]
        ko: int
        """The point where a stone has just been taken and must not be retaken at once, or -1."""
        last: int
        """The point of the last stone, or -1 where there was none or a pass."""
        passes: int
        """How many passes came just before."""
        player: int

    # --- measures ---------------------------------------------------------------------------------------------------

    @property
    def stride(self) -> int:
        """The bits of a row."""
        return self.size + 1

    @property
    def rows(self) -> int:
        """The rows of a word."""
        return 64 // (self.size + 1)

    @property
    def words(self) -> int:
        """The words of a board."""
        return -(-self.size // self.rows)

    @property
    def carry(self) -> int:
        """The bits between the first and the last row of a word."""
        return self.stride * (self.rows - 1)

    @property
    def board(self) -> tuple[u64, ...]:
        """All points."""
        return all_points(self.size)

    @property
    def no_stone(self) -> int:
        """The action that is a pass."""
        return self.size * self.size

    @property
    def width(self) -> int:
        """The cells of a row of the board in memory: one of them is its rim."""
        return self.size + 1

    @property
    def cells(self) -> int:
        """All cells of that board."""
        return (self.size + 2) * self.width + 1

    @property
    def longest(self) -> int:
        """The moves after which a playout is counted as it stands."""
        return 3 * self.size * self.size

    @property
    def rollout_words(self) -> int:
        """The memory of a playout."""
        return self.policy_size + 2 * self.cells + (self.cells + 63) // 64 + 50 + self.size * self.size

    @property
    def max_actions(self) -> int:
        """One for each point, and the pass."""
        return self.size * self.size + 1

    # --- the rules --------------------------------------------------------------------------------------------------

    def initial(self):
        return self.State(no_points(self), no_points(self), -1, -1, 0, 0)

    def to_move(self, s):
        return s.player

    def fill(self, s, out, n):
        if s.passes >= 2:
            return n
        mine, theirs = (s.black, s.white) if s.player == 0 else (s.white, s.black)
        n = write_points(self, placements(self, mine, theirs, s.ko), out, n)
        out[n] = self.no_stone
        return n + 1

    def result(self, s, action):
        if action == self.no_stone:
            return self.State(s.black, s.white, -1, -1, s.passes + 1, 1 - s.player)
        mine, theirs = (s.black, s.white) if s.player == 0 else (s.white, s.black)
        stone = one_point(self, action)
        mine = joined(self, mine, stone)
        taken = captured(self, stone, mine, theirs)
        theirs = without(self, theirs, taken)
        ko = first_action(self, taken) if is_ko(self, stone, mine, theirs, taken) else -1
        black, white = (mine, theirs) if s.player == 0 else (theirs, mine)
        return self.State(black, white, ko, action, 0, 1 - s.player)

    def is_over(self, s):
        return s.passes >= 2

    def utility(self, s, player):
        lead = self.lead(s)
        if lead == 0.0:
            return 0.0
        return 1.0 if (lead > 0.0) == (player == 0) else -1.0

    def lead(self, s):
        """How many points Black is ahead by, komi counted."""
        black, white = areas(self, s.black, s.white)
        return size_of(self, black) - size_of(self, white) - self.komi

    def key(self, s):
        """The stones alone; and the passes, since a pass repeats no position."""
        return hash64((s.black, s.white, s.passes))

    def rollout(self, s, seed, memory, start):
        return play_out(self, s, seed, memory, start)

    def prior(self, s, action):
        return weigh(self, s, action)

    # --- symmetry: bit 0 of k mirrors left and right, bit 1 top and bottom, bit 2 rows and columns ----------------

    def transform(self, s, k):
        black, white = no_points(self), no_points(self)
        for action in range(self.no_stone):
            if holds(self, s.black, action):
                black = joined(self, black, one_point(self, self.transform_action(action, k)))
            elif holds(self, s.white, action):
                white = joined(self, white, one_point(self, self.transform_action(action, k)))
        ko = self.transform_action(s.ko, k) if s.ko >= 0 else -1
        last = self.transform_action(s.last, k) if s.last >= 0 else -1
        return self.State(black, white, ko, last, s.passes, s.player)

    def transform_action(self, action, k):
        if action == self.no_stone:
            return action
        return turned_cell(action, k, self.size, self.size)

    # --- people -----------------------------------------------------------------------------------------------------

    def final_status(self, s: Any, seed: int = 0) -> dict[str, list[list[int]]]:
        """The chains that are alive, in seki and dead when nobody plays on; quick games to the end judge it."""
        from zermelo.games.go.status import statuses

        return statuses(self, s, seed)

    def area(self, s: Any) -> tuple[int, int]:
        """Black's points and White's, without komi; no stone is taken for dead."""
        black, white = areas(self, s.black, s.white)
        return size_of(self, black), size_of(self, white)

    def svg(self, s: Any, player: int | None = None) -> str:
        """The board as a picture."""
        return picture.svg_board(self, s)

    def validate(self) -> None:
        """Refuse boards of other sizes, and playouts that there are not."""
        if not 2 <= self.size <= 19:
            raise BadParameter(f"{self.name}: size must be 2 to 19, not {self.size}")
        if not math.isfinite(self.komi):
            raise BadParameter(f"{self.name}: komi must be a number of points, not {self.komi}")
        if self.playouts not in ("patterns", "uniform"):
            raise BadParameter(f"{self.name}: playouts must be patterns or uniform, not {self.playouts!r}")
