"""The prisoner's dilemma. Two prisoners choose at once whether to cooperate with each other or to defect. Both are
well off (3) if both cooperate and badly off (1) if both defect, but whoever defects alone gets most (5) and leaves
nothing (0) to the other. Defecting is better whatever the other does; both doing so is worse for both.
"""

from zermelo.matrix import Matrix

REWARD, SUCKER, TEMPTATION, PUNISHMENT = 3, 0, 5, 1


class PrisonersDilemma(Matrix):
    """Cooperate or defect, both at once: each is better off defecting, both together are worse off."""

    def __init__(self) -> None:
        row = [[REWARD, SUCKER], [TEMPTATION, PUNISHMENT]]
        column = [[REWARD, TEMPTATION], [SUCKER, PUNISHMENT]]
        super().__init__(row, column, labels=("cooperate", "defect"), names=("first", "second"))
