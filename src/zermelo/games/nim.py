"""Nim: heaps of matches; players take turns to take any number of matches, at least one, from one heap.

Misère, as here by default: whoever takes the last match loses. Otherwise whoever takes it wins. The action
`heap * stride + n - 1` takes n matches from a heap; the stride is the size of the largest heap.
"""

from typing import Any, NamedTuple

from zermelo.board_game import svg_picture
from zermelo.compile import freeze, replace, thaw
from zermelo.contract import Game
from zermelo.errors import BadParameter, BadState

MOST = 100_000
"""Matches, all heaps together."""


class Nim(Game):
    """Take matches from one heap; mind the last one."""

    heaps: tuple[int, ...] = (2, 2)
    misere: bool = True

    bounds = (-1.0, 1.0)
    symmetry_count = 2

    class State(NamedTuple):
        """The matches in each heap, and who moves."""

        heaps: tuple[int, ...]
        player: int

    def validate(self) -> None:
        """Refuse heaps of less than nothing, and no matches at all."""
        if not self.heaps or min(self.heaps) < 0 or max(self.heaps) == 0:
            raise BadParameter(f"nim: heaps must be sizes such as (3, 4, 5), not {self.heaps!r}")
        if sum(self.heaps) > MOST:
            raise BadParameter(f"nim: {sum(self.heaps):,} matches are too many; up to {MOST:,} are allowed")

    @property
    def stride(self) -> int:
        """How many actions belong to each heap."""
        return max(self.heaps)

    @property
    def max_actions(self) -> int:
        """One action for each match: take it and all above it."""
        return sum(self.heaps)

    @property
    def policy_size(self) -> int:
        """All actions are below this."""
        return len(self.heaps) * self.stride

    def initial(self):
        return self.State(self.heaps, 0)

    def to_move(self, s):
        return s.player

    def actions(self, s):
        for heap in range(len(s.heaps)):
            for n in range(1, s.heaps[heap] + 1):
                yield heap * self.stride + n - 1

    def result(self, s, action):
        heap, n = action // self.stride, action % self.stride + 1
        return self.State(replace(s.heaps, heap, s.heaps[heap] - n), 1 - s.player)

    def is_terminal(self, s):
        return all(matches == 0 for matches in s.heaps)

    def utility(self, s, player):
        # Whoever would move now did not take the last match.
        if self.misere:
            return 1.0 if player == s.player else -1.0
        return -1.0 if player == s.player else 1.0

    # --- symmetry: k = 1 puts the heaps in reverse order ----------------------------------------------------------

    def transform(self, s, k):
        heaps = thaw(s.heaps)
        for heap in range(len(s.heaps)):
            heaps[self.moved(heap, k)] = s.heaps[heap]
        return self.State(freeze(heaps), s.player)

    def moved(self, heap, k):
        """Where a heap lies under symmetry k."""
        return heap if k == 0 else len(self.heaps) - 1 - heap

    def transform_action(self, action, k):
        return self.moved(action // self.stride, k) * self.stride + action % self.stride

    # --- people ---------------------------------------------------------------------------------------------------

    def format_action(self, s: Any, action: int) -> str:
        """How many matches, and from which heap, counted from 1."""
        return f"{action % self.stride + 1} from heap {action // self.stride + 1}"

    def checked_state(self, s: Any) -> Any:
        """`s` itself where it has the right number of heaps and none is too large."""
        s = super().checked_state(s)
        if len(s.heaps) != len(self.heaps) or min(s.heaps) < 0 or max(s.heaps) > self.stride or s.player not in (0, 1):
            raise BadState(
                f"nim: a state has {len(self.heaps)} heaps of 0 to {self.stride} matches and player 0 or 1;"
                f" {s!r} has not"
            )
        return s

    def text(self, s: Any, player: int | None = None) -> str:
        """One line a heap, one stroke a match."""
        return "\n".join(f"heap {number}: {'|' * n or '-'} ({n})" for number, n in enumerate(s.heaps, 1))

    def svg(self, s: Any, player: int | None = None) -> str:
        """The heaps as rows of matches; a click on a match takes it and all to its right."""
        wide, high = 30 + 20 * self.stride, 50 * len(s.heaps)
        parts = []
        for heap, matches in enumerate(s.heaps):
            y = heap * 50
            parts.append(f'<text x="4" y="{y + 31}" font-family="sans-serif" font-size="14">{heap + 1}</text>')
            for i in range(matches):
                x, action = 30 + 20 * i, heap * self.stride + matches - i - 1
                drawn = (
                    f'<rect x="{x + 2}" y="{y + 10}" width="6" height="34" fill="#d6b370"/>'
                    f'<circle cx="{x + 5}" cy="{y + 10}" r="5" fill="#b91c1c"/>'
                )
                parts.append(f'<g data-action="{action}"><title>{self.format_action(s, action)}</title>{drawn}</g>')
        return svg_picture(parts, wide, high)
