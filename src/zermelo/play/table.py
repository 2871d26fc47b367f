"""A game at the table: people and machines take turns, chance rolls, and nobody sees what is hidden from them."""

import random
from collections.abc import Callable
from typing import Any

from zermelo.contract import CHANCE, Game, player_name
from zermelo.errors import BadParameter, IllegalAction
from zermelo.plain_data import game_data
from zermelo.play.course import Course
from zermelo.play.seats import Seats

LONGEST = 10_000


class Play:
    """A game that is being played, or has been: where it stands, how it came there, and who plays.

    `move` takes a person's move, by name or by number, and the machines answer at once. Each call returns the game
    itself, which notebooks draw and `print` prints.
    """

    def __init__(self, course: Course, seats: Seats) -> None:
        self.game: Game = course.game
        self.news: list[str] = []
        """What the people at the table saw happen since one of them moved."""
        self._course, self._seats = course, seats
        self._humans = seats.humans()

    # --- where it stands -----------------------------------------------------------------------------------------

    @property
    def state(self) -> Any:
        """Where the game stands."""
        return self._course.state

    @property
    def states(self) -> tuple[Any, ...]:
        """All states from the first to the present one."""
        return (*self._course.states, self._course.state)

    @property
    def actions(self) -> tuple[int, ...]:
        """The actions that led here, those of chance too."""
        return tuple(self._course.actions)

    @property
    def moves(self) -> tuple[str, ...]:
        """The same as people write them."""
        return tuple(self.game.format_action(s, a) for s, a in zip(self._course.states, self.actions, strict=True))

    @property
    def legal(self) -> tuple[str, ...]:
        """The moves that may be played here, by name."""
        return tuple(self.game.format_action(self.state, action) for action in self._course.moves())

    @property
    def finished(self) -> bool:
        """Whether the game has ended: by its rules, by repetition, or because nothing may be played."""
        return self._course.is_over()

    @property
    def utilities(self) -> tuple[float, ...] | None:
        """What everybody got; None while the game goes on."""
        return tuple(self._course.utilities()) if self.finished else None

    @property
    def players(self) -> tuple[str, ...]:
        """Who plays, in the order of the seats."""
        return tuple(self._seats.kinds)

    @property
    def seed(self) -> int:
        """Where randomness began."""
        return self._seats.seed

    @property
    def humans(self) -> tuple[int, ...]:
        """The seats of people."""
        return tuple(self._humans)

    @property
    def viewer(self) -> int | None:
        """By whose eyes the table is seen: the person's or, of several, those of the one to move; None: nobody's."""
        if len(self._humans) == 1:
            return self._humans[0]
        mover = CHANCE if self.finished else self.game.to_move(self.state)
        return mover if mover in self._humans else None

    # --- play ----------------------------------------------------------------------------------------------------

    def move(self, move: int | str) -> "Play":
        """Play a person's move, and let the machines answer; where the answer fails, the move is not made."""
        action, count = self.chosen(move), len(self._course)
        self.push(action)
        try:
            return self.advance()
        except BaseException:
            while len(self._course) > count:
                self._course.pop()
            raise

    def undo(self) -> "Play":
        """Go back to the last decision of the person whose turn it is or, at the end, of any person."""
        mover = CHANCE if self.finished else self.game.to_move(self.state)
        if not self._take_back([mover] if mover in self._humans else self._humans):
            raise BadParameter("there is no move of yours to take back")
        return self

    def hint(self) -> str:
        """What a machine would do in the person's place."""
        if self.finished:
            raise IllegalAction("the game is over")
        return self._seats.hint(self._course)

    def chosen(self, move: int | str) -> int:
        """The legal action that a move names."""
        if self.finished:
            raise IllegalAction(f"{move!r}: the game is over")
        action = self.game.parse_action(self.state, move) if isinstance(move, str) else move
        if action in self._course.legal():
            return action
        self.game.play(self.state, action)  # says what is wrong where that is not repetition
        raise IllegalAction(f"{move!r} is forbidden: it repeats an earlier position")

    def advance(self, tell: Callable[[str], None] | None = None) -> "Play":
        """Let machines and chance move until a person is to move or the game is over; each move is told at once."""
        while not self.finished:
            if len(self._course) >= LONGEST:
                raise IllegalAction(f"{self.game.name}: after {LONGEST:,} moves there is still no end")
            mover = self.game.to_move(self.state)
            if mover in self._humans:
                break
            if mover == CHANCE:
                # Each move has randomness of its own, so that taking moves back changes no roll of the dice.
                action = self._course.rolled(random.Random(f"{self.seed} {len(self._course)}"))
            else:
                action = self._seats.choose(mover, self._course)
            if all(self.sees(player, self.state, action) for player in self._humans):
                news = f"{self.who(mover)}: {self.game.format_action(self.state, action)}"
                self.news += [news] if self._humans else []
                if tell is not None:
                    tell(news)
            self._course.push(action)
        return self

    def push(self, action: int) -> None:
        """Take an action, and leave it at that."""
        self.news.clear()
        self._course.push(action)

    def _take_back(self, people: list[int]) -> bool:
        """Go back to the last decision of one of these people; false where there was none."""
        if not any(self.game.to_move(s) in people for s in self._course.states):
            return False
        self.news.clear()
        self._course.pop()
        while self.game.to_move(self.state) not in people:
            self._course.pop()
        return True

    def close(self) -> None:
        """Let programs that play end."""
        self._seats.close()

    # --- for people ----------------------------------------------------------------------------------------------

    def who(self, player: int) -> str:
        """What the player is called."""
        name = player_name(self.game, player)
        return f"{name} (you)" if self._humans == [player] else name

    def sees(self, player: int, s: Any, action: int) -> bool:
        """Whether the player can tell this action in `s` from all others."""
        game = self.game
        if game.view is None:
            return True
        seen = game.view(game.result(s, action), player)
        return all(other == action or game.view(game.result(s, other), player) != seen for other in game.actions(s))

    @property
    def title(self) -> str:
        """Which game it is, and who plays."""
        return f"{self.game.name}: " + ", ".join(f"{self.who(seat)} is {who}" for seat, who in enumerate(self.players))

    @property
    def result(self) -> str:
        """What everybody got, and who won; nothing while the game goes on."""
        gains = self.utilities
        if gains is None:
            return ""
        line = "result: " + ", ".join(f"{self.who(p)} {gain:g}" for p, gain in enumerate(gains))
        if self.game.players > 1 and self.game.traits.zero_sum:
            winners = [p for p, gain in enumerate(gains) if gain == max(gains)]
            if len(winners) == 1:
                line += f"; {self.who(winners[0])} won"
            elif len(winners) == len(gains):
                line += "; a draw"
        return line

    def to_json(self) -> dict[str, Any]:
        """The game as plain data."""
        game, gains = self.game, self.utilities
        movers = [game.to_move(s) for s in self._course.states]
        played = zip(movers, self.actions, self.moves, strict=True)
        return game_data(game) | {
            "players": list(self.players),
            "seed": self.seed,
            "moves": [
                {"player": "chance" if mover == CHANCE else mover, "action": action, "name": name}
                for mover, action, name in played
            ],
            "finished": gains is not None,
            "position": game.format_state(self.state),
            "utilities": None if gains is None else list(gains),
        }

    def replay(self) -> Any:
        """The game again, move by move: something that notebooks draw."""
        from zermelo.draw.boards.replay import Replay

        shown = tuple(
            self.game.format_action(s, action) if all(self.sees(p, s, action) for p in self._humans) else "?"
            for s, action in zip(self._course.states, self.actions, strict=True)
        )
        return Replay(self.game, self.states, shown, self.title, self.viewer)

    def __repr__(self) -> str:
        from zermelo.draw.boards.play import play_text

        return play_text(self)

    def _repr_html_(self) -> str:
        from zermelo.draw.boards.play import play_html

        return play_html(self)
