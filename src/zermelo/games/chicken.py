"""Chicken. Two drivers race towards each other and choose at once whether to swerve or to go straight on. Whoever
swerves alone loses face (-1) to the other (1); if both swerve nothing happens (0), and if none does they crash (-10).
"""

from zermelo.matrix import Matrix

SAFE, FACE, CRASH = 0, 1, -10


class Chicken(Matrix):
    """Swerve or go straight on: each wants to be the one who does not swerve, and not to crash."""

    def __init__(self) -> None:
        first = [[SAFE, -FACE], [FACE, CRASH]]
        second = [[SAFE, FACE], [-FACE, CRASH]]
        super().__init__(first, second, labels=("swerve", "straight"), names=("first", "second"))
