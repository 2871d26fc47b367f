"""Rock, paper, scissors. Both players show a hand at once: paper wraps rock, scissors cut paper, rock breaks
scissors. The winner gets 1, the loser loses 1.
"""

from zermelo.matrix import Matrix


class RockPaperScissors(Matrix):
    """Two hands shown at once: paper beats rock, scissors beat paper, rock beats scissors."""

    def __init__(self) -> None:
        super().__init__([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], labels=("rock", "paper", "scissors"))
