"""Does the method fit the game? Refusals name the method that does."""

from zermelo.contract import Game, require_game
from zermelo.errors import UnsuitableGame
from zermelo.traits import survey, total


def require_open(game: Game, method: str) -> None:
    """Refuse games with hidden information."""
    require_game(game, method)
    if game.view is not None:
        raise UnsuitableGame(
            f"{game.name} hides information (it defines view) and {method} would let every player see it; "
            f"sequence_form({game.name}) solves it as it is (two players, zero sum), and zermelo.opened({game.name}) "
            "is the same game with all cards on the table"
        )


def require_two_sides(game: Game, method: str, instead: str = "maxn") -> None:
    """Refuse games that are not a contest of at most two."""
    if game.players > 2:
        raise UnsuitableGame(f"{game.name} has {game.players} players and {method} knows two; use maxn or paranoid")
    # Where random play never ends nothing is known about sums, and the author is believed.
    if game.players == 2 and survey(game).sums and total(game) is None:
        raise UnsuitableGame(
            f"{game.name} is not zero sum: what one player gains the other does not lose, and {method} would be wrong; "
            f"use {instead}"
        )


def require_no_chance(game: Game, method: str) -> None:
    """Refuse games with dice."""
    if game.probability is not None:
        raise UnsuitableGame(f"{game.name} has chance moves (it defines probability); use expectiminimax, not {method}")


def require_no_repetition(game: Game, why: str = "") -> None:
    """Refuse games whose rules look at earlier positions, for methods that know a position by its state alone.

    `why` says what such a rule would come to: "and pimc makes up states that have no past".
    """
    if game.repetition is not None:
        raise UnsuitableGame(
            f"{game.name} has a rule about repeated positions (repetition = {game.repetition!r}){why and f' {why}'}: "
            "lay the rule down, or count repetitions in the state"
        )
