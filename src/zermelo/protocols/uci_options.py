"""What can be set in the engine through UCI."""

import random
import re
from collections.abc import Iterator, Sequence
from typing import Any

from zermelo.contract import Game
from zermelo.errors import BadParameter
from zermelo.result import Analysis, Limit

LEAST_ELO, MOST_ELO = 800, 2600
MOST_HASH, MOST_LINES, MOST_THREADS = 65_536, 256, 256
PLAIN_HASH = 64
WHOLE = re.compile(r"[+-]?[0-9]{1,100}")
"""A whole number as the protocol writes it."""


class UciOptions:
    """The options and their values."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.hash, self.threads, self.lines = PLAIN_HASH, 1, 1
        self.overhead = 0.01
        self.weak, self.elo = False, 2000
        self.use_book, self.book_file = False, ""
        self.book: Any = None
        self.random = random.Random()

    def described(self) -> Iterator[str]:
        """The options as UCI lists them."""
        yield f"option name Hash type spin default {PLAIN_HASH} min 1 max {MOST_HASH}"
        yield f"option name Threads type spin default 1 min 1 max {MOST_THREADS}"
        yield f"option name MultiPV type spin default 1 min 1 max {MOST_LINES}"
        yield "option name Ponder type check default false"
        yield "option name Clear Hash type button"
        yield "option name Move Overhead type spin default 10 min 0 max 5000"
        yield "option name UCI_LimitStrength type check default false"
        yield f"option name UCI_Elo type spin default 2000 min {LEAST_ELO} max {MOST_ELO}"
        if self.game.name == "chess":
            yield "option name UCI_Chess960 type check default false"
            yield "option name OwnBook type check default false"
            yield "option name BookFile type string default <empty>"

    def set(self, words: list[str]) -> bool:
        """Set what `setoption name NAME value VALUE` says; whether the engine must be set up anew."""
        if words[:1] != ["name"]:
            raise BadParameter("write: setoption name NAME value VALUE")
        cut = words.index("value") if "value" in words else len(words)
        name, value = " ".join(words[1:cut]).lower(), " ".join(words[cut + 1 :])
        match name:
            case "hash":
                self.hash = _whole(name, value, 1, MOST_HASH)
                return True
            case "threads":
                self.threads = _whole(name, value, 1, MOST_THREADS)
                return True
            case "clear hash":
                return True
            case "multipv":
                self.lines = _whole(name, value, 1, MOST_LINES)
            case "move overhead":
                self.overhead = _whole(name, value, 0, 5000) / 1000
            case "ponder":
                _truth(name, value)
            case "uci_limitstrength":
                self.weak = _truth(name, value)
            case "uci_elo":
                self.elo = _whole(name, value, LEAST_ELO, MOST_ELO)
            case "uci_chess960" if self.game.name == "chess":
                self.game = type(self.game)(variant="chess960" if _truth(name, value) else "standard")
                return True
            case "ownbook" if self.game.name == "chess":
                self.use_book = _truth(name, value)
                self._open_book()
            case "bookfile" if self.game.name == "chess":
                self.book_file = "" if value == "<empty>" else value
                self._open_book()
            case _:
                known = ", ".join(line.split(" name ")[1].split(" type ")[0] for line in self.described())
                raise BadParameter(f"there is no option {name!r}; the options are {known}")
        return False

    def _open_book(self) -> None:
        from zermelo.play.book import PolyglotBook, own_book

        self.close()
        if self.use_book:
            self.book = PolyglotBook(self.book_file) if self.book_file else own_book(self.game.name)

    def close(self) -> None:
        """Close the book's file; the package's own book stays open for others."""
        from zermelo.play.book import own_book

        if self.book is not None and self.book is not own_book(self.game.name):
            self.book.close()
        self.book = None

    @property
    def opening_book(self) -> Any:
        """The book, where it is used."""
        return self.book if self.use_book else None

    # --- playing weaker --------------------------------------------------------------------------------------------

    def weakened(self, limit: Limit) -> Limit:
        """The limit for the strength that was asked for: fewer nodes."""
        if not self.weak:
            return limit
        nodes = int(60 * 2 ** ((self.elo - LEAST_ELO) / 130))
        return Limit(time=limit.time, nodes=min(nodes, limit.nodes or nodes), depth=limit.depth)

    def chosen(self, best: Analysis, among: Sequence[int] = ()) -> int:
        """The best move, or, where strength is limited, now and then a random one of `among` (of all if empty)."""
        assert best.action is not None
        if not self.weak:
            return best.action
        if self.random.random() < (MOST_ELO - self.elo) / 1800 * 0.12:
            return self.random.choice(among or list(best.game.actions(best.state)))
        return best.action


def _whole(name: str, value: str, least: int, most: int) -> int:
    number = int(value) if WHOLE.fullmatch(value) else least - 1
    if not least <= number <= most:
        raise BadParameter(f"{name} must be an integer from {least} to {most}, not {value!r}")
    return number


def _truth(name: str, value: str) -> bool:
    if value.lower() not in ("true", "false"):
        raise BadParameter(f"{name} must be true or false, not {value!r}")
    return value.lower() == "true"
