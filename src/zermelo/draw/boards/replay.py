"""A game again, move by move: a board and the list of moves, of which each shows the board after it.

Notebooks, mail and printed pages run no scripts. So the moves are radio buttons, of which a stylesheet shows the board
of the one that is chosen: a click goes to any move, and the arrow keys go back and forth.
"""

import itertools
import re
import secrets
from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import Any

from zermelo.contract import Game, player_name
from zermelo.draw.boards.picture import Picture
from zermelo.draw.theme import player_color
from zermelo.draw.words.wording import abbreviated, escape

MOST = 400
"""How many boards are drawn: the last ones."""
REPEATED = (re.compile(r"<path [^<>]{80,}/>"), re.compile(r"<g [^<>]*>(?:(?!<g\b).){80,}?</g>", re.DOTALL))
"""Parts of pictures that are long enough to be written once, such as a chess piece and the square that it stands on."""
TO_BE_PLAYED = re.compile(r' data-[\w-]+="[^"]*"')
"""What pictures say of moves: here nothing can be played."""
STYLE_SHEET = re.compile(r"<style>.*?</style>", re.DOTALL)

_numbers = itertools.count(1)
_session = secrets.token_hex(3)

_STYLE = """
.zermelo-replay { position: relative; display: flex; flex-wrap: wrap; gap: 1em; line-height: 1.45; margin: 0.4em 0; }
.zermelo-replay > input { position: absolute; opacity: 0; pointer-events: none; }
.zermelo-replay .frame { display: none; }
.zermelo-replay .bar { display: flex; gap: 0.8em; margin-top: 0.3em; }
.zermelo-replay .bar span { opacity: 0.65; }
.zermelo-replay label { cursor: pointer; padding: 0.05em 0.4em; border-radius: 3px; white-space: nowrap; }
.zermelo-replay label:hover { background: rgba(128, 128, 128, 0.2); }
.zermelo-replay .moves { flex: 1 1 12em; max-width: 26em; max-height: 22em; overflow: auto; align-self: flex-start; }
.zermelo-replay .moves label { display: inline-block; border-bottom: 2px solid transparent; }
"""


@dataclass(frozen=True, eq=False, repr=False)
class Replay:
    """A game that was played, for notebooks; `print` shows its last position and its moves."""

    game: Game
    states: tuple[Any, ...]
    moves: tuple[str, ...]
    """What led from each state to the next, as people write it."""
    title: str = ""
    player: int | None = None
    """By whose eyes it is seen."""

    def __repr__(self) -> str:
        last = Picture(self.game, self.states[-1], self.player).text()
        return "\n".join(filter(None, [self.title, " ".join(self.moves), last]))

    def _repr_html_(self) -> str:
        head = f"<div><b>{escape(self.title)}</b></div>" if self.title else ""
        return f'<div class="zermelo-replay-of">{head}{self.html()}</div>'

    def html(self) -> str:
        """The board and the list of moves."""
        first = max(0, len(self.states) - MOST)
        states, key = self.states[first:], f"z{_session}{next(_numbers)}"
        drawn = [Picture(self.game, s, self.player).svg() for s in states]
        shared, pictures = shared_parts(drawn, key)
        last = len(states) - 1
        inputs = [
            f'<input type="radio" name="{key}" id="{key}-{n}"{" checked" if n == last else ""}>'
            for n in range(last + 1)
        ]
        frames = [
            f'<div class="frame f{n}">{picture}{self._bar(key, n, last, first)}</div>'
            for n, picture in enumerate(pictures)
        ]
        labels = [f'<label class="m0" for="{key}-0">{"start" if not first else f"after {first}"}</label>']
        labels += [self._label(key, n, first + n - 1) for n in range(1, last + 1)]
        return "".join(
            [
                f'<div class="zermelo-replay"><style>{_STYLE}{_chosen(key, last)}</style>{"".join(inputs)}{shared}',
                f'<div class="stage">{"".join(frames)}</div><div class="moves">{" ".join(labels)}</div></div>',
            ]
        )

    def _label(self, key: str, number: int, move: int) -> str:
        """A move in the list, underlined in its player's colour."""
        mover = self.game.to_move(self.states[move])
        name = escape(abbreviated(self.moves[move], 30))
        about = f'class="m{number}" title="{escape(player_name(self.game, mover))}"'
        return f'<label {about} for="{key}-{number}" style="border-color:{player_color(mover)}">{name}</label>'

    def _bar(self, key: str, number: int, last: int, first: int) -> str:
        """The way back and forth, below a board."""
        back, forth = max(0, number - 1), min(last, number + 1)
        count = f"<span>{first + number} of {first + last}</span>"
        return (
            f'<div class="bar"><label for="{key}-0">«</label><label for="{key}-{back}">‹</label>{count}'
            f'<label for="{key}-{forth}">›</label><label for="{key}-{last}">»</label></div>'
        )


def _chosen(key: str, last: int) -> str:
    """What shows the board of the chosen move, and marks it in the list."""
    boards = ", ".join(f"#{key}-{n}:checked ~ .stage .f{n}" for n in range(last + 1))
    marks = ", ".join(f"#{key}-{n}:checked ~ .moves .m{n}" for n in range(last + 1))
    return f"{boards} {{ display: block; }}\n{marks} {{ font-weight: 600; background: rgba(128, 128, 128, 0.25); }}\n"


def shared_parts(pictures: list[str], key: str) -> tuple[str, list[str]]:
    """What several pictures have in common, written once, and the pictures that refer to it."""
    sheets = dict.fromkeys(sheet for picture in pictures for sheet in STYLE_SHEET.findall(picture))
    pictures = [TO_BE_PLAYED.sub("", STYLE_SHEET.sub("", picture)) for picture in pictures]
    defined: list[str] = []
    for pattern in REPEATED:
        counted = Counter(part for picture in pictures for part in pattern.findall(picture))
        # What has a class is drawn by its picture's stylesheet, and must stay inside.
        repeated = [part for part, count in counted.items() if count > 1 and "class=" not in part]
        names = {part: f"{key}p{len(defined) + n}" for n, part in enumerate(repeated)}
        defined += [f'<g id="{name}">{part}</g>' for part, name in names.items()]
        pictures = [pattern.sub(partial(_referring, names), picture) for picture in pictures]
    hidden = f'<svg width="0" height="0" style="position:absolute"><defs>{"".join(defined)}</defs></svg>'
    return "".join(sheets) + (hidden if defined else ""), pictures


def _referring(names: dict[str, str], part: re.Match[str]) -> str:
    return f'<use href="#{names[part[0]]}"/>' if part[0] in names else part[0]
