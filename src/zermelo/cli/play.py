"""Play a game on the terminal: people enter moves by name, machines search, chance rolls with the seed.

By default you are the first player and machines have the other seats. While it is your turn you may also type help,
moves, undo, hint or quit.
"""

import argparse
import random
import sys
from typing import Any

from zermelo.cli import search
from zermelo.cli.arguments import (
    add_device,
    add_game,
    add_position,
    add_seed,
    described,
    open_game,
    open_position,
    print_json,
    seconds,
    whole,
)
from zermelo.cli.players import KINDS, Table
from zermelo.contract import CHANCE, Game
from zermelo.draw.wording import shortened
from zermelo.errors import IllegalAction, ZermeloError

LONGEST = 10_000
HELP = """\
type a move by its name, or
  moves  to see all legal moves
  hint   to see what a machine would do
  undo   to take your last move back
  quit   to end the game"""


class Left(Exception):
    """The person has gone."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Name what the verb takes."""
    add_game(parser)
    add_position(parser)
    parser.add_argument("--first", choices=KINDS, metavar="WHO", help="player 0: human, random or a method (human)")
    parser.add_argument("--second", choices=KINDS, metavar="WHO", help="player 1 (auto)")
    parser.add_argument("--players", metavar="WHO,WHO,...", help="all players, for games of more than two")
    parser.add_argument("--depth", type=whole(1, search.DEEPEST), metavar="N", help="how far machines look ahead")
    parser.add_argument("--time", type=seconds, metavar="SECONDS", help="or for how long, each move (1)")
    add_seed(parser)
    add_device(parser)


def run(options: argparse.Namespace) -> int:
    """Play, and print the result or the record."""
    game = open_game(options.game)
    state, history = open_position(game, options)
    match = Match(game, state, history, Table(game, options), options)
    match.play()
    if options.json:
        print_json(match.record())
    return 0


class Match:
    """One game at the table: its path so far, and what people see of it."""

    def __init__(self, game: Game, state: Any, history: list[Any], table: Table, options: argparse.Namespace) -> None:
        self.game, self.table, self.seed = game, table, options.seed
        self.before = history
        self.path: list[tuple[Any, int]] = []
        """States, and the actions taken there."""
        self.state = state
        self.finished = False
        self.out = sys.stderr if options.json else sys.stdout
        self.humans = table.humans()

    def play(self) -> None:
        """Play until the end, or until a person leaves."""
        seats = ", ".join(f"{self.who(seat)} is {player.kind}" for seat, player in enumerate(self.table.players))
        self.say(f"{self.game.name}: {seats}" + ("; `help` shows the commands" if self.humans else ""))
        try:
            while not self.over():
                self.step()
            self.finished = True
        except Left:
            self.say("the game is left unfinished")
        self.show_result()

    def over(self) -> bool:
        """Whether the game has ended: by its rules, by repetition, or because it does not end by itself."""
        game = self.game
        if game.is_terminal(self.state) or self.repeated() or not self.legal():
            return True
        if len(self.path) >= LONGEST:
            raise IllegalAction(f"{game.name}: after {LONGEST:,} moves there is still no end")
        return False

    def repeated(self) -> bool:
        """Whether the position is a draw because it came up before."""
        game = self.game
        if not game.draws_by_repetition:
            return False
        return sum(game.key(s) == game.key(self.state) for s in self.history()) + 1 >= game.repetition_count

    def legal(self) -> list[int]:
        """The actions that may be taken here."""
        game, s = self.game, self.state
        actions = list(game.actions(s))
        if not game.forbids_repetition:
            return actions
        seen = {game.key(before) for before in (*self.history(), s)}
        return [action for action in actions if game.key(game.result(s, action)) not in seen]

    def history(self) -> list[Any]:
        """The states before this one."""
        return [*self.before, *(s for s, _ in self.path)]

    def step(self) -> None:
        """One move, or one undo."""
        game, s = self.game, self.state
        mover = game.to_move(s)
        # Each move has randomness of its own, so that taking moves back changes no roll of the dice.
        source = random.Random(f"{self.seed} {len(self.path)}")
        if mover == CHANCE:
            actions = list(game.actions(s))
            action = source.choices(actions, [float(game.probability(s, a)) for a in actions])[0]
        elif mover in self.humans:
            chosen = self.ask(mover)
            if chosen is None:
                return
            action = chosen
        else:
            action = self.table.players[mover].choose(s, self.history(), source)
        if mover not in self.humans:
            self.announce(mover, action)
        self.path.append((s, action))
        self.state = game.result(s, action)

    # --- people --------------------------------------------------------------------------------------------------

    def say(self, text: str) -> None:
        """Print to people; with --json that is not the standard output, and nothing where only machines play."""
        if self.humans or self.out is sys.stdout:
            print(text, file=self.out, flush=True)

    def who(self, player: int) -> str:
        """What the player is called."""
        if player == CHANCE:
            return "chance"
        names = getattr(self.game, "names", None)
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
        self.say(f"moves: {shortened(', '.join(self.names()), 200)}")
        while True:
            print(f"{self.who(player)} > ", end="", file=self.out, flush=True)
            line = sys.stdin.readline()
            if not line:
                self.say("")
                raise Left
            word = line.strip()
            if word and word not in self.names():
                if word in ("quit", "exit"):
                    raise Left
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
                    if action in self.legal():
                        return action
                    self.say(f"{word!r} is forbidden: it repeats an earlier position")
                except ZermeloError as error:
                    self.say(str(error))

    def names(self) -> list[str]:
        """The legal moves by name."""
        return [self.game.format_action(self.state, action) for action in self.legal()]

    def answer(self, word: str) -> str:
        """What help, moves and hint say."""
        if word == "help":
            return HELP
        if word == "moves":
            return "  ".join(self.names())
        return f"hint: {self.table.hint(self.state, self.history())}"

    def undo(self, player: int) -> bool:
        """Go back to the person's last decision; false where there was none."""
        for i in range(len(self.path) - 1, -1, -1):
            if self.game.to_move(self.path[i][0]) == player:
                self.state = self.path[i][0]
                del self.path[i:]
                return True
        return False

    # --- the end -------------------------------------------------------------------------------------------------

    def utilities(self) -> list[float]:
        """What everybody gets; a game that ends by repetition is a draw."""
        game = self.game
        if self.repeated():
            return [0.0] * game.players
        return [float(game.utility(self.state, player)) for player in range(game.players)]

    def show_result(self) -> None:
        """The last position, and who gets what."""
        game = self.game
        viewer = self.humans[0] if len(self.humans) == 1 else None
        if not self.finished:
            return
        self.say("")
        self.say(game.text(self.state, viewer))
        gains = self.utilities()
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
        for s, action in self.path:
            mover = game.to_move(s)
            player = "chance" if mover == CHANCE else mover
            moves.append({"player": player, "action": action, "name": game.format_action(s, action)})
        return described(game) | {
            "players": [player.kind for player in self.table.players],
            "seed": self.seed,
            "moves": moves,
            "finished": self.finished,
            "position": game.format_state(self.state),
            "utilities": self.utilities() if self.finished else None,
        }
