"""A game for notebooks: what it is called, what kind it is, and how it begins."""

import inspect

from zermelo.contract import Game
from zermelo.draw.boards.picture import Picture
from zermelo.draw.words.wording import escape

_STYLE = """
.zermelo-game { line-height: 1.45; }
.zermelo-game .quiet { opacity: 0.65; }
.zermelo-game svg { margin-top: 0.6em; }
"""


def game_html(game: Game) -> str | None:
    """The game and its first state; None where its rules are not yet finished, so that it shows its name alone."""
    try:
        kind, first = str(game.traits), Picture(game, game.initial()).svg()
    except Exception:
        return None
    about = (inspect.getdoc(type(game)) or "").partition("\n")[0]
    return "\n".join(
        [
            f'<div class="zermelo-game"><style>{_STYLE}</style>',
            f"<div><b>{escape(repr(game))}</b></div>",
            f"<div>{escape(about)}</div>" if about else "",
            f'<div class="quiet">{escape(kind)}</div>',
            f"{first}</div>",
        ]
    )
