"""Play a game on the terminal: people enter moves by name, machines search, chance rolls with the seed.

By default you are the first player and machines have the other seats. While it is your turn you may also type help,
moves, undo, hint or quit.
"""

import argparse
import random
import sys
from typing import Any

from zermelo.cli import search_options as search
from zermelo.cli.players import Seats
from zermelo.cli.shared_arguments import (
    add_device,
    add_game,
    add_position,
    add_seed,
    integer,
    open_game,
    open_position,
    print_json,
    seconds,
)
from zermelo.contract import CHANCE
from zermelo.draw.words.wording import abbreviated
from zermelo.errors import IllegalAction, ZermeloError
from zermelo.plain_data import game_data
from zermelo.play.course import Course

LONGEST = 10_000
HELP = """\
type a move by its name, or
  moves  to see all legal moves
  hint   to see what a machine would do
  undo   to take your last move back
  quit   to end the game"""


class PlayerLeft(Exception):
    """The person has gone."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Name what the verb takes."""
    add_game(parser)
    add_position(parser)
    parser.add_argument(
        "--first", metavar="WHO", help="player 0: human, or a player as `zermelo match` knows it (human)"
    )
    parser.add_argument("--second", metavar="WHO", help="player 1 (auto)")
    parser.add_argument(
        "--players", metavar="WHO,WHO,...", help="all players; with ; between them where one has commas"
    )
    parser.add_argument("--depth", type=integer(1, search.DEEPEST), metavar="N", help="how far machines look ahead")
    parser.add_argument("--time", type=seconds, metavar="SECONDS", help="or for how long, each move (1)")
    add_seed(parser)
    add_device(parser)


def run(options: argparse.Namespace) -> int:
    """Play, and print the result or the record."""
    game = open_game(options.game)
    state, history = open_position(game, options)
    table = Seats(game, options)
    match = TableGame(Course(game, state, history), table, options)
    try:
        match.play()
    finally:
        table.close()
    if options.json:
        print_json(match.record())
    return 0


class TableGame:
    """One game at the table: its path so far, and what people see of it."""

    def __init__(self, course: Course, table: Seats, options: argparse.Namespace) -> None:
        self.game, self.course, self.table, self.seed = course.game, course, table, options.seed
        self.finished = False
        self.out = sys.stderr if options.json else sys.stdout
        self.humans = table.humans()

    @property
    def state(self) -> Any:
        """Where the game stands."""
        return self.course.state

    def play(self) -> None:
        """Play until the end, or until a person leaves."""
        seats = ", ".join(f"{self.who(seat)} is {kind}" for seat, kind in enumerate(self.table.kinds))
        self.say(f"{self.game.name}: {seats}" + ("; `help` shows the commands" if self.humans else ""))
        try:
            while not self.over():
                self.step()
            self.finished = True
        except PlayerLeft:
            self.say("the game is left unfinished")
        self.show_result()

    def over(self) -> bool:
        """Whether the game has ended: by its rules, by repetition, or because it does not end by itself."""
        if self.course.is_over():
            return True
        if len(self.course) >= LONGEST:
            raise IllegalAction(f"{self.game.name}: after {LONGEST:,} moves there is still no end")
        return False

    def step(self) -> None:
        """One move, or one undo."""
        game, s = self.game, self.state
        mover = game.to_move(s)
        if mover == CHANCE:
            # Each move has randomness of its own, so that taking moves back changes no roll of the dice.
            action = self.course.rolled(random.Random(f"{self.seed} {len(self.course)}"))
        elif mover in self.humans:
            chosen = self.ask(mover)
            if chosen is None:
                return
            action = chosen
        else:
            action = self.table.choose(mover, self.course)
        if mover not in self.humans:
            self.announce(mover, action)
        self.course.push(action)

    # --- people --------------------------------------------------------------------------------------------------

    def say(self, text: str) -> None:
        """Print to people; with --json that is not the standard output, and nothing where only machines play."""
        if self.humans or self.out is sys.stdout:
            print(text, file=self.out, flush=True)

    def who(self, player: int) -> str:
        """What the player is called."""
        if player == CHANCE:
            return "chance"
        names = self.game.names
        name = names[player] if names else f"player {player}"
        return f"{name} (you)" if self.humans == [player] else name

    def announce(self, mover: int, action: int) -> None:
        """Tell of a move, unless somebody at the table may not see it."""
        game, s = self.game, self.state
        if all(self.sees(player, action) for player in self.humans):
            self.say(f"{self.who(mover)}: {game.format_action(s, action)}")

    def sees(self, player: int, action: int) -> bool:
        """Whether the player can tell this move of another from all others."""
        game, s = self.game, self.state
        if game.view is None:
            return True
        seen = game.view(game.result(s, action), player)
        return all(other == action or game.view(game.result(s, other), player) != seen for other in game.actions(s))

    def ask(self, player: int) -> int | None:
        """The person's move; None where one was taken back."""
        game, s = self.game, self.state
        self.say("")
        self.say(game.text(s, player))
        self.say(f"moves: {abbreviated(', '.join(self.names()), 200)}")
        while True:
            print(f"{self.who(player)} > ", end="", file=self.out, flush=True)
            line = sys.stdin.readline()
            if not line:
                self.say("")
                raise PlayerLeft
            word = line.strip()
            if word and word not in self.names():
                if word in ("quit", "exit"):
                    raise PlayerLeft
                if word == "undo":
                    if self.undo(player):
                        return None
                    self.say("there is no move of yours to take back")
                    continue
                if word in ("help", "moves", "hint"):
                    self.say(self.answer(word))
                    continue
            if word:
                try:
                    action = game.parse_action(s, word)
                    if action in self.course.legal():
                        return action
                    self.say(f"{word!r} is forbidden: it repeats an earlier position")
                except ZermeloError as error:
                    self.say(str(error))

    def names(self) -> list[str]:
        """The legal moves by name."""
        return [self.game.format_action(self.state, action) for action in self.course.legal()]

    def answer(self, word: str) -> str:
        """What help, moves and hint say."""
        if word == "help":
            return HELP
        if word == "moves":
            return "  ".join(self.names())
        return f"hint: {self.table.hint(self.course)}"

    def undo(self, player: int) -> bool:
        """Go back to the person's last decision; false where there was none."""
        if not any(self.game.to_move(s) == player for s in self.course.states):
            return False
        self.course.pop()
        while self.game.to_move(self.state) != player:
            self.course.pop()
        return True

    # --- the end -------------------------------------------------------------------------------------------------

    def show_result(self) -> None:
        """The last position, and who gets what."""
        game = self.game
        viewer = self.humans[0] if len(self.humans) == 1 else None
        if not self.finished:
            return
        self.say("")
        self.say(game.text(self.state, viewer))
        gains = self.course.utilities()
        line = "result: " + ", ".join(f"{self.who(p)} {gain:g}" for p, gain in enumerate(gains))
        if game.players > 1 and game.traits.zero_sum:
            winners = [p for p, gain in enumerate(gains) if gain == max(gains)]
            if len(winners) == 1:
                line += f"; {self.who(winners[0])} won"
            elif len(winners) == game.players:
                line += "; a draw"
        self.say(line)

    def record(self) -> dict[str, Any]:
        """The game as plain data."""
        game = self.game
        moves = []
        for s, action in zip(self.course.states, self.course.actions, strict=True):
            mover = game.to_move(s)
            player = "chance" if mover == CHANCE else mover
            moves.append({"player": player, "action": action, "name": game.format_action(s, action)})
        return game_data(game) | {
            "players": self.table.kinds,
            "seed": self.seed,
            "moves": moves,
            "finished": self.finished,
            "position": game.format_state(self.state),
            "utilities": self.course.utilities() if self.finished else None,
        }
