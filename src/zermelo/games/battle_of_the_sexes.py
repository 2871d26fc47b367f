"""The battle of the sexes. Two people choose at once where to spend the evening, at the ballet or at the fight. Apart
they enjoy neither (0). Together, the one likes the ballet best (2 against 1) and the other the fight.
"""

from zermelo.matrix import Matrix

BEST, GOOD, APART = 2, 1, 0


class BattleOfTheSexes(Matrix):
    """Meet at the ballet or at the fight: both want to meet, each at another place."""

    def __init__(self) -> None:
        hers = [[BEST, APART], [APART, GOOD]]
        his = [[GOOD, APART], [APART, BEST]]
        super().__init__(hers, his, labels=("ballet", "fight"), names=("she", "he"))
