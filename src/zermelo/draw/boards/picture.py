"""What a state looks like: a picture in a notebook, text on a terminal; any game's, whatever it defines."""

from dataclasses import dataclass
from typing import Any

from zermelo.contract import Game, player_name
from zermelo.draw.boards.drawing import fields_svg, text_svg
from zermelo.draw.boards.fields import fields_of


@dataclass(frozen=True, eq=False, repr=False)
class Picture:
    """A state of a game that shows itself: `print` it, or let a notebook draw it.

    It is drawn by the game's `svg`; where there is none, it is the game's `text`; and where there is none either, the
    fields of the state are drawn, tuples and boards of bits as grids. Given a player, it shows what that player sees.
    """

    game: Game
    state: Any
    player: int | None = None

    def text(self) -> str:
        """The state for a terminal."""
        return self.game.text(self.state, self.player)

    def svg(self) -> str:
        """The state as a picture."""
        game, s = self.game, self.state
        if game.svg is not None:
            return str(game.svg(s, self.player))
        if game.writes_text:
            return text_svg(self.text())
        seen = s if self.player is None or game.view is None else game.view(s, self.player)
        return fields_svg(fields_of(seen, game), self._turn())

    def _turn(self) -> str:
        """Who moves; nothing at the end."""
        if self.game.is_terminal(self.state):
            return "the game is over"
        mover = self.game.to_move(self.state)
        return f"{player_name(self.game, mover)} moves"

    def __repr__(self) -> str:
        return self.text()

    def _repr_svg_(self) -> str:
        return self.svg()
