"""The prisoner's dilemma, played several times by the same two. In every round both choose at once whether to cooperate
or to defect, then see what the other chose; at the end each has the sum of what the rounds paid (3 each if both
cooperate, 1 each if both defect, 5 and 0 if one defects alone). Backward induction says: defect in every round.
"""

from typing import NamedTuple

from zermelo.compile import replace
from zermelo.contract import Game
from zermelo.errors import BadParameter

COOPERATE, DEFECT = 0, 1
PAYOFFS = ((3, 0), (5, 1))  # what one gets, by the own choice and the other's
WORDS = ("cooperate", "defect")


class RepeatedPrisonersDilemma(Game):
    """The prisoner's dilemma a number of times over, each seeing what the other did in the rounds before."""

    rounds: int = 2
    max_actions = 2

    class State(NamedTuple):
        turns: int  # how many choices were made; player 0 makes the first of each round
        chosen: tuple[int, int]  # each player's choices, one bit a round, the last one lowest
        sums: tuple[int, int]

    class View(NamedTuple):
        rounds: int  # completed
        own: int
        other: int  # what the other chose in those rounds
        waits: int  # whether the own choice of this round is made

    def validate(self):
        if not 1 <= self.rounds <= 60:
            raise BadParameter(f"repeated_prisoners_dilemma: 1 to 60 rounds, not {self.rounds}")
        self.bounds = (0.0, 5.0 * self.rounds)

    def initial(self):
        return self.State(0, (0, 0), (0, 0))

    def to_move(self, s):
        return s.turns % 2

    def actions(self, s):
        yield COOPERATE
        yield DEFECT

    def result(self, s, action):
        player = s.turns % 2
        chosen = replace(s.chosen, player, s.chosen[player] << 1 | action)
        if player == 0:
            return self.State(s.turns + 1, chosen, s.sums)
        first = chosen[0] & 1
        sums = (s.sums[0] + PAYOFFS[first][action], s.sums[1] + PAYOFFS[action][first])
        return self.State(s.turns + 1, chosen, sums)

    def is_terminal(self, s):
        return s.turns == 2 * self.rounds

    def utility(self, s, player):
        return float(s.sums[player])

    def view(self, s, player):
        # In the middle of a round player 0 has chosen already, which player 1 must not see.
        begun = s.turns % 2
        other = s.chosen[1 - player]
        return self.View(
            s.turns // 2, s.chosen[player], other >> begun if player == 1 else other, begun if player == 0 else 0
        )

    # --- people ------------------------------------------------------------------------------------------------

    def format_action(self, s, action):
        """Cooperate or defect."""
        return WORDS[action]

    def text(self, s, player=None):
        """The rounds so far, player 0's choice first, C or D, and the sums; player 1 does not see an open round."""
        done, begun = divmod(s.turns, 2)
        rows = [[(chosen >> (made - 1 - i)) & 1 for i in range(made)]
                for chosen, made in zip(s.chosen, (done + begun, done), strict=True)]  # fmt: skip
        words = ["CD"[a] + "CD"[b] for a, b in zip(rows[0], rows[1], strict=False)]
        if begun:
            words.append("?" if player == 1 else "CD"[rows[0][-1]])
        return f"{' '.join(words) or 'nothing chosen'}; sums {s.sums[0]}, {s.sums[1]}"
