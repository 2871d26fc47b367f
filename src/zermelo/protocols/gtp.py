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
from zermelo.errors import BadParameter, IllegalAction, ZermeloError
from zermelo.protocols.gtp_analysis import Wishes, report, wishes_of
from zermelo.protocols.gtp_client import COLOURS
from zermelo.protocols.gtp_commands import COMMANDS, colour
from zermelo.protocols.gtp_engine import Mind, Settings, mcts
from zermelo.protocols.gtp_session import GtpSession
from zermelo.result import Analysis, Limit

__all__ = ["GtpServer", "Settings"]

COMMAND = re.compile(r"(?:(?P<number>[0-9]+)(?: +|$))?(?P<words>.*)")
CONTROL = dict.fromkeys((*range(9), *range(10, 32), 127)) | {9: " "}
"""Characters that do not count, and the tab, which is a space."""
LONGEST = 300
"""Letters of an error, at most."""


class GtpServer(GtpSession):
    """One engine at the other end of a pipe."""

    def __init__(
        self,
        game: Game,
        settings: Settings | None = None,
        out: TextIO | None = None,
        make: Callable[[Game, Settings], Mind] = mcts,
    ) -> None:
        super().__init__(game, settings or Settings(), make)
        self.out = out or sys.stdout
        self.number = ""
        """The number of the command that is being answered, as it was given."""
        self.thread: threading.Thread | None = None
        self.stopping = threading.Event()

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
            named = self.choose(player, reporter.see)
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

    commands: "dict[str, Callable[[GtpServer, list[str]], str | None]]" = {
        **COMMANDS,
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
