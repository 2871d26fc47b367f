"""The engine under any Go interface: the server side of GTP, version 2.

It speaks about Go by default, and in the same way about Hex, Othello, Connect Four and other board games of two
players, with the names of their moves; player 0 is Black. It thinks by Monte Carlo tree search. A line that it does not
understand is answered with an error, and changes nothing.
"""

import re
import sys
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, TextIO

from zermelo.contract import Game
from zermelo.errors import BadParameter, IllegalAction, UnsuitableGame, ZermeloError
from zermelo.games.go import Go
from zermelo.protocols.gtp_analysis import Wishes, explained, report, wishes_of
from zermelo.protocols.gtp_board import GtpBoard
from zermelo.protocols.gtp_client import COLOURS
from zermelo.protocols.gtp_clock import GtpClock
from zermelo.protocols.gtp_commands import COMMANDS, colour
from zermelo.protocols.gtp_engine import Mind, Settings, Thinker, mcts
from zermelo.result import Analysis, Limit

__all__ = ["GtpServer", "Settings"]

COMMAND = re.compile(r"(?:(?P<number>[0-9]+)(?: +|$))?(?P<words>.*)")
CONTROL = dict.fromkeys((*range(9), *range(10, 32), 127)) | {9: " "}
"""Characters that do not count, and the tab, which is a space."""
LONGEST = 300
"""Letters of an error, at most."""


class GtpServer:
    """One engine at the other end of a pipe."""

    def __init__(
        self,
        game: Game,
        settings: Settings | None = None,
        out: TextIO | None = None,
        make: Callable[[Game, Settings], Mind] = mcts,
    ) -> None:
        if game.players != 2 or game.probability is not None or game.view is not None:
            raise UnsuitableGame(f"{game.name} is no board game of two players, which GTP is for; try `zermelo play`")
        self.out = out or sys.stdout
        self.board, self.clock = GtpBoard(game), GtpClock()
        self.thinker = Thinker(settings or Settings(), make)
        self.explanation = ""
        """What the last search thought of its moves."""
        self.number = ""
        """Of the command that is being answered, as it was given."""
        self.thread: threading.Thread | None = None
        self.stopping = threading.Event()

    @property
    def game(self) -> Game:
        """What is played."""
        return self.board.game

    # --- lines -------------------------------------------------------------------------------------------------------

    def serve(self, lines: Iterable[str]) -> None:
        """Answer commands until `quit` or the end of input."""
        try:
            for line in lines:
                if not self.answer(line):
                    break
        finally:
            self.stop()

    def answer(self, line: str) -> bool:
        """Do what one line says; False where it was `quit`. Any line ends an analysis, an empty one too."""
        self.stop()
        found = COMMAND.fullmatch(line.translate(CONTROL).partition("#")[0].strip())
        assert found is not None
        self.number = found["number"] or ""
        name, *words = found["words"].split() or [""]
        if not name and not self.number:
            return True
        try:
            if name not in self.commands:
                raise BadParameter("unknown command")
            said = self.commands[name](self, words)
        except ZermeloError as error:
            self.reply("?", str(error))
        except BrokenPipeError:
            raise
        except Exception as error:  # whatever it is, the game goes on
            self.reply("?", f"{name} failed: {error}")
        else:
            if said is not None:
                self.reply("=", said)
        return name != "quit"

    def reply(self, sign: str, text: str) -> None:
        """One answer, without empty lines in it: they would end it. An error is one line."""
        if sign == "?":
            text = " ".join(text.split())[:LONGEST]
        first, *lines = [line.rstrip() for line in text.splitlines()] or [""]
        head = f"{sign}{self.number} {first}".rstrip()
        self.say("\n".join([head, *filter(None, lines)]) + "\n")

    def say(self, text: str) -> None:
        """A line, or several, to the other end."""
        self.out.write(text + "\n")
        self.out.flush()

    # --- moves -------------------------------------------------------------------------------------------------------

    def get_ready(self) -> None:
        """Compile before the clock runs, where there is one."""
        if self.clock.sides is not None:
            self.thinker.get_ready(self.game)

    def genmove(self, words: list[str], watch: Callable[[Analysis], None] | None = None, **how: bool) -> str:
        """Find a move for a colour, and play it; its name, or `resign`."""
        began, player = time.monotonic(), colour(words)
        limit = self.thinker.limit(self.board, player, self.clock)
        action = self.thinker.choose(self.board, player, limit, watch=watch, **how)
        named = self.named(player, action)
        if action is not None:
            self.board.play(player, action)
        self.clock.spend(player, time.monotonic() - began)
        return named

    def reg_genmove(self, words: list[str]) -> str:
        """Find a move for a colour, and do not play it."""
        player = colour(words)
        self.thinker.forget()
        limit = self.thinker.limit(self.board, player, GtpClock())
        return self.named(player, self.thinker.choose(self.board, player, limit, may_resign=False))

    def clean_up(self, words: list[str]) -> str:
        """Find a move and play it, but do not pass as long as there are dead stones to be captured."""
        player = colour(words)
        mine = self.board.stones()[player]
        if all(n in mine for n in self.dead_stones()):
            assert self.board.skip is not None
            self.board.play(player, self.board.skip)
            return "pass"
        return self.genmove(words, may_resign=False, cleans_up=True)

    def named(self, player: int, action: int | None) -> str:
        """The name of a move that was found; what was thought of it is kept."""
        s, thought = self.board.turned(player), self.thinker.thought
        self.explanation = ""
        if thought is not None:
            self.explanation = explained(thought, player, lambda move: self.board.named(s, move))
        return "resign" if action is None else self.board.named(s, action)

    def explain_last_move(self, words: list[str]) -> str:
        """What the last search thought of its moves."""
        return self.explanation

    # --- dead stones -------------------------------------------------------------------------------------------------

    def chains(self) -> dict[str, list[list[int]]]:
        """The chains on the board: alive or dead."""
        if not isinstance(self.game, Go):
            raise UnsuitableGame(f"stones of {self.game.name} are neither alive nor dead")
        from zermelo.games.go.status import statuses

        return statuses(self.game, self.board.state, self.thinker.settings.seed)

    def dead_stones(self) -> set[int]:
        """The points of all dead stones."""
        return {n for chain in self.chains()["dead"] for n in chain}

    # --- analysis ----------------------------------------------------------------------------------------------------

    def analyse(self, words: list[str], decimal: bool = False) -> None:
        """Think about the position until the next line comes, and tell what is found meanwhile."""
        player, s, wishes = self.asked(words)
        self.say(f"={self.number}")
        self.stopping.clear()
        reporter = Reporter(self, s, player, wishes, decimal)
        self.thread = threading.Thread(target=self._analyse, args=(s, reporter), daemon=True)
        self.thread.start()

    def _analyse(self, s: Any, reporter: "Reporter") -> None:
        try:
            for found in self.thinker.stream(self.board, s, Limit()):
                reporter.see(found)
                if self.stopping.is_set():
                    break
        except Exception as error:  # the answer has begun, and must have an end
            print(f"zermelo: {error}", file=sys.stderr)
        self.stopping.wait()
        with suppress(OSError):
            reporter.close()
            self.say("")

    def genmove_analyse(self, words: list[str], decimal: bool = False) -> None:
        """Find a move for a colour and play it, and tell what is found meanwhile."""
        player, s, wishes = self.asked(words)
        self.say(f"={self.number}")
        reporter = Reporter(self, s, player, wishes, decimal)
        try:
            named = self.genmove([COLOURS[player]], reporter.see)
        except Exception as error:
            print(f"zermelo: {error}", file=sys.stderr)
            self.say("")
            return
        reporter.close()
        self.say(f"play {named}\n")

    def asked(self, words: list[str]) -> tuple[int, Any, Wishes]:
        """Whose move is to be analysed, in which state, and how: the colour may be left out."""
        has_colour = bool(words) and words[0].lower() in (*COLOURS, "black", "white")
        player = colour(words) if has_colour else self.game.to_move(self.board.state)
        wishes = wishes_of(words[has_colour:])
        s = self.board.turned(player)
        if self.board.is_over(s):
            raise IllegalAction("the game is over")
        return player, s, wishes

    def stop(self) -> None:
        """End the analysis that is going on."""
        if self.thread is not None:
            self.stopping.set()
            self.thread.join()
            self.thread = None

    commands: "dict[str, Callable[[GtpServer, list[str]], str | None]]" = COMMANDS | {
        "genmove": genmove, "reg_genmove": reg_genmove, "kgs-genmove_cleanup": clean_up,
        "gomill-explain_last_move": explain_last_move,
        "lz-analyze": analyse, "kata-analyze": lambda self, words: self.analyse(words, decimal=True),
        "lz-genmove_analyze": genmove_analyse,
        "kata-genmove_analyze": lambda self, words: self.genmove_analyse(words, decimal=True),
    }  # fmt: skip


class Reporter:
    """Tells what a search finds, as often as is wanted, and at least once."""

    def __init__(self, server: GtpServer, s: Any, player: int, wishes: Wishes, decimal: bool) -> None:
        self.server, self.s, self.player, self.wishes, self.decimal = server, s, player, wishes, decimal
        self.told = time.monotonic()
        self.last: Analysis | None = None
        self.silent = True

    def see(self, found: Analysis) -> None:
        """Take note of an answer, and tell it if it is time to."""
        self.last = found
        if time.monotonic() - self.told >= self.wishes.interval:
            self.tell()

    def tell(self) -> None:
        """Tell the last answer."""
        assert self.last is not None
        self.told = time.monotonic()
        line = report(self.last, self.player, self.wishes, lambda a: self.server.board.named(self.s, a), self.decimal)
        if line:
            self.server.say(line)
            self.silent = False

    def close(self) -> None:
        """Tell the last answer, if none was told yet."""
        if self.silent and self.last is not None:
            self.tell()
