"""The stag hunt. Two hunters choose at once what to hunt. It takes both to catch the stag (4 each); a hare can be
caught alone (3), and whoever waits for the stag alone goes home with nothing (0).
"""

from zermelo.matrix import Matrix

STAG, HARE, NOTHING = 4, 3, 0


class StagHunt(Matrix):
    """Hunt the stag together or a hare alone: the stag is better, the hare is safer."""

    def __init__(self) -> None:
        first = [[STAG, NOTHING], [HARE, HARE]]
        second = [[STAG, HARE], [NOTHING, HARE]]
        super().__init__(first, second, labels=("stag", "hare"), names=("first", "second"))
