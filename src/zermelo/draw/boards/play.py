"""A game at the table for notebooks and for `print`: the board, what happened, and what may be played."""

from typing import TYPE_CHECKING

from zermelo.draw.boards.picture import Picture
from zermelo.draw.words.wording import abbreviated, escape

if TYPE_CHECKING:
    from zermelo.play.table import Play

MOVES = 60
"""How many legal moves are listed."""

_STYLE = """
.zermelo-play { line-height: 1.45; }
.zermelo-play .quiet { opacity: 0.65; }
.zermelo-play .board { margin: 0.5em 0; overflow-x: auto; }
.zermelo-play code { margin-right: 0.5em; }
"""


def play_text(play: "Play") -> str:
    """The game for a terminal."""
    board = Picture(play.game, play.state, play.viewer).text()
    if play.finished:
        end = play.result
    else:
        end = f"{play.who(play.game.to_move(play.state))} moves: {abbreviated(', '.join(play.legal), 200)}"
    return "\n".join([play.title, *play.news, board, end])


def play_html(play: "Play") -> str:
    """The game as a piece of HTML: while it goes on its board, at the end all of it again."""
    parts = [f'<div class="zermelo-play"><style>{_STYLE}</style>', f"<div><b>{escape(play.title)}</b></div>"]
    parts += [f"<div>{escape(news)}</div>" for news in play.news]
    if play.finished:
        parts += [f"<div><b>{escape(play.result)}</b></div>", play.replay().html()]
    else:
        board = Picture(play.game, play.state, play.viewer).svg()
        parts += [f'<div class="board">{board}</div>', *_how_to_go_on(play)]
    return "\n".join([*parts, "</div>"])


def _how_to_go_on(play: "Play") -> list[str]:
    """The moves that the person may choose from, and how they are made."""
    legal = play.legal
    listed = "".join(f"<code>{escape(name)}</code>" for name in legal[:MOVES])
    more = f"and {len(legal) - MOVES} more in <code>.legal</code>" if len(legal) > MOVES else ""
    example = escape(f".move({legal[0]!r})".replace("'", '"') if '"' not in legal[0] else f".move({legal[0]!r})")
    mover = escape(play.who(play.game.to_move(play.state)))
    return [
        f"<div>{mover} moves: {listed}{more}</div>",
        f'<div class="quiet">go on with <code>{example}</code><code>.hint()</code><code>.undo()</code></div>',
    ]
