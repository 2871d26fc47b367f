"""Books: what to play in positions that are known by heart.

A book is anything with `moves(game, state)`, which says how much each move weighs. `lookup(game, state)` picks one and
answers like a search, so that a search can ask its books first and stop there.
"""

import mmap
import random
import re
import time
from abc import ABC, abstractmethod
from functools import cache
from itertools import accumulate, chain
from pathlib import Path
from typing import Any

from zermelo import files
from zermelo.contract import Game
from zermelo.errors import IllegalAction
from zermelo.games.chess import Chess, polyglot
from zermelo.games.chess.polyglot import ENTRY, Entry
from zermelo.games.chess.squares import square_name
from zermelo.notation import BadNotation, pgn
from zermelo.notation.game_record import Record
from zermelo.notation.pgn_reader import PgnReader
from zermelo.notation.pgn_tokens import tokens
from zermelo.result import Analysis, Move

MOST_WEIGHT = 65_535
SAMPLES = 64
"""How many keys of a file are looked at before it is believed to be sorted."""


class AnyBook(ABC):
    """The moves that are known in a position, and how much each weighs."""

    @abstractmethod
    def moves(self, game: Game, state: Any) -> dict[int, int]:
        """The weight of each move that the book knows here, all of them legal."""

    def lookup(self, game: Game, state: Any, seed: int | None = None) -> Analysis | None:
        """The book's move, or None where it has none: the heaviest one, or with a seed any one by its weight."""
        begun = time.perf_counter()
        weights = self.moves(game, state)
        if not weights:
            return None
        action = max(weights, key=lambda a: weights[a]) if seed is None else _drawn(weights, seed ^ game.key(state))
        value = sum(game.bounds) / 2 if game.bounds is not None else 0.0
        return Analysis(
            value=value, values=(value,) * game.players, action=action, line=(action,),
            moves={a: Move(value, bound="estimate", visits=weight) for a, weight in weights.items()},
            bound="estimate", nodes=0, depth=0, time=time.perf_counter() - begun, method="book", device="python",
            game=game, state=state, seed=seed,
            note=f"from the book: {weights[action]} of {sum(weights.values())} by weight",
        )  # fmt: skip


def _drawn(weights: dict[int, int], seed: int) -> int:
    """A move drawn by its weight."""
    sums = list(accumulate(weights.values()))
    point = random.Random(seed).random() * sums[-1]
    return next(action for action, upto in zip(weights, sums, strict=True) if point < upto)


# --- books of any game -----------------------------------------------------------------------------------------------


class Book(AnyBook):
    """A book of any game, in memory: positions by their key, and the moves played there."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.positions: dict[int, tuple[Any, dict[int, int]]] = {}

    def __len__(self) -> int:
        return len(self.positions)

    def moves(self, game: Game, state: Any) -> dict[int, int]:
        """The moves that were played here, the heaviest first."""
        same = game == self.game or (isinstance(game, Chess) and isinstance(self.game, Chess))
        known = self.positions.get(game.key(state)) if same else None
        if known is None:
            return {}
        legal = set(game.actions(state))
        return {a: w for a, w in sorted(known[1].items(), key=lambda item: -item[1]) if w > 0 and a in legal}

    def add(self, state: Any, action: int, weight: int = 1) -> None:
        """Count a move."""
        _, weights = self.positions.setdefault(int(self.game.key(state)), (state, {}))
        weights[action] = weights.get(action, 0) + weight

    @classmethod
    def from_text(cls, game: Game, text: str) -> "Book":
        """A book from lines of play: `Ruy Lopez: 1. e4 e5 2. Nf3 Nc6 3. Bb5`. What follows # is comment.

        The name and the numbers of the moves may be missing. A move weighs as much as there are lines with it.
        """
        book = cls(game)
        for number, line in enumerate(text.split("\n"), 1):
            moves = re.sub(r"^[^:]*:\s", "", re.sub(r"(?:^|\s)#.*", "", line))
            for record in PgnReader(tokens([moves]), game).records() if moves.strip() else ():
                if record.errors:
                    raise BadNotation(f"line {number}: {record.errors[0].partition(': ')[2]}")
                book._count(record, len(record.actions), (1,) * game.players)
        return book

    @classmethod
    def from_pgn(cls, sources: Any, max_ply: int = 20, *, game: Game | None = None) -> "Book":
        """A book from the games of PGN files or texts, up to so many moves of each.

        A move weighs 2 for every win of the player who played it, 1 for a draw or an unfinished game. Games that cannot
        be read to their end count as far as they can.
        """
        book = cls(Chess() if game is None else game)
        single = isinstance(sources, str | Path) or hasattr(sources, "read")
        for source in [sources] if single else sources:
            for record in pgn.read(source, game=game):
                if record.start is not None and type(record.game) is type(book.game):
                    worth = {"1-0": (2, 0), "0-1": (0, 2)}.get(record.result, (1,) * book.game.players)
                    book._count(record, max_ply, worth)
        return book

    def _count(self, record: Record, most: int, worth: tuple[int, ...]) -> None:
        for s, action in zip(record.states(), record.actions[:most], strict=False):
            self.add(s, action, worth[record.game.to_move(s)])

    def save_polyglot(self, path: str | Path) -> int:
        """Write the book in Polyglot's format, which chess programs read; the number of entries."""
        if not isinstance(self.game, Chess):
            raise BadNotation(f"Polyglot's books are of chess, not of {self.game.name}")
        entries = []
        for state, weights in self.positions.values():
            key, most = polyglot.key(state), max(weights.values())
            for action, weight in weights.items():
                scaled = weight if most <= MOST_WEIGHT else max(1, weight * MOST_WEIGHT // most) if weight else 0
                entries.append(Entry(key, polyglot.swapped(action), scaled))
        entries.sort(key=lambda entry: (entry.key, -entry.weight, entry.move))
        files.write(path, b"".join(ENTRY.pack(*entry) for entry in entries))
        return len(entries)


# --- Polyglot --------------------------------------------------------------------------------------------------------


class PolyglotBook(AnyBook):
    """A book of chess in Polyglot's format; the file is searched where it lies, whatever its size."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        try:
            size = self.path.stat().st_size
            if size == 0 or size % ENTRY.size:
                raise BadNotation(
                    f"{path}: {size} bytes are no Polyglot book; its entries have {ENTRY.size} bytes each"
                )
            with self.path.open("rb") as file:
                self.data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as error:
            if isinstance(error, BadNotation):
                raise
            reason = "there is no such file" if isinstance(error, FileNotFoundError) else f"cannot be read ({error})"
            raise BadNotation(f"{path}: {reason}") from None
        self._check_order()

    def _check_order(self) -> None:
        step = max(1, len(self) // SAMPLES)
        keys = [self.entry(i).key for i in range(0, len(self), step)]
        if keys != sorted(keys):
            raise BadNotation(f"{self.path}: the entries are not sorted by key; this is no Polyglot book")

    def __len__(self) -> int:
        return len(self.data) // ENTRY.size

    def entry(self, index: int) -> Entry:
        """The entry of this index."""
        return Entry(*ENTRY.unpack_from(self.data, index * ENTRY.size))

    def entries(self, key: int) -> list[Entry]:
        """All entries of a key."""
        low, high = 0, len(self)
        while low < high:
            middle = (low + high) // 2
            if self.entry(middle).key < key:
                low = middle + 1
            else:
                high = middle
        found = []
        while low < len(self) and (entry := self.entry(low)).key == key:
            found.append(entry)
            low += 1
        return found

    def moves(self, game: Game, state: Any) -> dict[int, int]:
        """The legal moves among the entries of the position; castling may be written e1h1 or e1g1."""
        if not isinstance(game, Chess):
            return {}
        found: dict[int, int] = {}
        for entry in chain.from_iterable(map(self.entries, polyglot.keys(state))):
            action = _legal(game, state, polyglot.swapped(entry.move))
            if action is not None and entry.weight > 0:
                found[action] = found.get(action, 0) + entry.weight
        return dict(sorted(found.items(), key=lambda item: -item[1]))

    def close(self) -> None:
        """Let go of the file."""
        self.data.close()


def _legal(game: Chess, state: Any, action: int) -> int | None:
    """The legal move that an entry means; None where there is none."""
    if action in game.actions(state):
        return action
    try:
        return game.parse_uci(state, square_name(action & 63) + square_name(action >> 6 & 63))
    except IllegalAction:
        return None


# --- the package's own -----------------------------------------------------------------------------------------------


@cache
def own_book(name: str = "chess") -> AnyBook | None:
    """The package's own book of a game; None where it has none."""
    path = Path(__file__).with_name("books") / f"{name}.bin"
    return PolyglotBook(path) if path.exists() else None
