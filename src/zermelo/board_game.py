"""Games whose rules stand in one file, and how people write and see them in another."""

from typing import Any, ClassVar

from zermelo.contract import Game


class BoardGame(Game):
    """A game whose moves and positions are written, read and drawn by the functions of a module, its notation:
    `class Hex(BoardGame, notation=notation)`. Each takes the game first.
    """

    notation: ClassVar[Any]

    def __init_subclass__(cls, notation: Any = None, **options: Any) -> None:
        super().__init_subclass__(**options)
        if notation is not None:
            cls.notation = notation

    def format_action(self, s: Any, action: int) -> str:
        """The action as people write it."""
        return self.notation.format_action(self, s, action)

    def parse_action(self, s: Any, text: str) -> int:
        """The legal action that `text` names; IllegalAction where none does."""
        return self.notation.parse_action(self, s, text)

    def format_state(self, s: Any) -> str:
        """The state on one line."""
        return self.notation.format_state(self, s)

    def parse_state(self, text: str) -> Any:
        """The state that is so written."""
        return self.notation.parse_state(self, text)

    def checked_state(self, s: Any) -> Any:
        """`s` itself where play may come to it, as far as that is easily seen; BadState where it may not."""
        return self.notation.checked(self, super().checked_state(s))

    def text(self, s: Any, player: int | None = None) -> str:
        """The board for a terminal; everybody sees all of it."""
        return self.notation.text(self, s)

    def svg(self, s: Any, player: int | None = None) -> str:
        """The board as a picture, in which what can be played carries its action."""
        return self.notation.svg(self, s)
