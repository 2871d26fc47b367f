"""The words of Gambit's files, one at a time, with the place where each stands."""

import re
from bisect import bisect_right
from fractions import Fraction
from typing import NamedTuple

from zermelo.equilibrium.arithmetic.rational import exact_number
from zermelo.errors import BadNotation

WORD = re.compile(
    r"""[\s,]+
    | "(?P<text>(?:[^"\\]|\\.)*)"
    | (?P<number>[+-]?(?:\d+/\d+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)(?![^\s,{}"]))
    | (?P<open>\{) | (?P<close>\})
    | (?P<name>[^\s,{}"]+)
    | (?P<unclosed>")
    """,
    re.VERBOSE | re.DOTALL | re.ASCII,
)
QUOTED = re.compile(r'\\(["\\])')
EXPONENT = re.compile(r"[eE]([+-]?\d+)")
LONGEST_NUMBER = 1_000
LARGEST_EXPONENT = 400


class Word(NamedTuple):
    """A word: its kind (a group of WORD, or end), its text without quotes, and how many letters stand before it."""

    kind: str
    text: str
    at: int


class GambitWords:
    """The words of a file, read from the first to the last. Commas are blanks."""

    def __init__(self, text: str, file: str = "") -> None:
        self.file = file
        self._starts = [0, *(found.end() for found in re.finditer(r"\r\n|\n|\r", text))]
        self._words = [self._word(found) for found in WORD.finditer(text) if found.lastgroup is not None]
        self._words.append(Word("end", "", len(text)))
        self._next = 0

    def _word(self, found: re.Match[str]) -> Word:
        kind = found.lastgroup
        assert kind is not None
        word = Word(kind, found[kind], found.start())
        if kind == "unclosed":
            raise self.wrong("the quotation that begins here is never closed", word)
        return word._replace(text=QUOTED.sub(r"\1", word.text)) if kind == "text" else word

    @property
    def word(self) -> Word:
        """The word that comes next."""
        return self._words[self._next]

    @property
    def left(self) -> int:
        """How many words are left."""
        return len(self._words) - 1 - self._next

    def wrong(self, what: str, word: Word | None = None) -> BadNotation:
        """The error that names the file and the place of a word, or else of the one that comes next."""
        at = (word or self.word).at
        line = bisect_right(self._starts, at)
        file = f"{self.file}, " if self.file else ""
        return BadNotation(f"{file}line {line}, column {at - self._starts[line - 1] + 1}: {what}")

    def unexpected(self, expected: str) -> BadNotation:
        """The error that something else stands here than what was expected."""
        kind, text, _ = self.word
        shown = repr(text if len(text) <= 40 else text[:37] + "...")
        return self.wrong(f"expected {expected}, not " + ("the end of the file" if kind == "end" else shown))

    def take(self, kind: str, expected: str) -> Word:
        """The word that comes next, which must be of this kind."""
        word = self.word
        if word.kind != kind:
            raise self.unexpected(expected)
        self._next += 1
        return word

    def comes(self, kind: str) -> bool:
        """Whether the next word is of this kind."""
        return self.word.kind == kind

    def texts(self, what: str) -> list[str]:
        """The texts between two braces."""
        self.take("open", f"{{ before {what}")
        texts = []
        while self.comes("text"):
            texts.append(self.take("text", what).text.strip())
        self.take("close", f"{what} in quotes or }}")
        return texts

    def integer(self, what: str) -> int:
        """A whole number that is not negative."""
        word = self.take("number", what)
        if not word.text.isdecimal() or len(word.text) > 9:
            raise self.wrong(f"expected {what}, a whole number, not {word.text[:40]!r}", word)
        return int(word.text)

    def exact(self, what: str) -> int | Fraction:
        """A number as it is written, without rounding."""
        word = self.take("number", what)
        exponent = EXPONENT.search(word.text)
        if len(word.text) > LONGEST_NUMBER or (exponent and abs(int(exponent[1])) > LARGEST_EXPONENT):
            raise self.wrong(f"{what} has too many digits", word)
        try:
            value = Fraction(word.text)
            float(value)
        except ZeroDivisionError:
            raise self.wrong(f"{what} {word.text!r} divides by zero", word) from None
        except OverflowError:
            raise self.wrong(f"{what} is too large for a float", word) from None
        return value.numerator if value.denominator == 1 else value

    def payoffs(self, players: int) -> tuple[int | Fraction, ...]:
        """A payoff for each player, up to the brace that closes them."""
        values = tuple(self.exact(f"payoff {i + 1} of {players}") for i in range(players))
        self.take("close", f"}} after {players} payoffs")
        return values


def title_and_players(words: GambitWords, kind: str, version: str) -> tuple[str, list[str]]:
    """What stands in the first lines: the title, and the players' names, no two alike."""
    if words.word.text != kind:
        raise words.unexpected(kind)
    words.take("name", kind)
    number = words.take("number", f"the version, {version}")
    if number.text != version:
        raise words.wrong(f"expected version {version} of {kind}, not {number.text[:40]!r}", number)
    numbers = words.take("name", "R or D")
    if numbers.text not in ("R", "D"):
        raise words.wrong(f"expected R or D, not {numbers.text[:40]!r}", numbers)
    title = words.take("text", "the title in quotes").text.strip()
    start = words.word
    names = words.texts("the players' names")
    if not names:
        raise words.wrong("expected one player at least", start)
    return title, distinct(names, [f"player {i + 1}" for i in range(len(names))])


def distinct(labels: list[str], numbers: list[str]) -> list[str]:
    """The labels, no two alike and none empty: an empty one becomes its number, a repeated one says which it is."""
    given = set(labels)
    taken: set[str] = set()
    found = []
    for label, number in zip(labels, numbers, strict=True):
        base = label or number
        fresh, count = base, 2
        while fresh in taken or (fresh != label and fresh in given):
            fresh, count = f"{base} ({count})", count + 1
        taken.add(fresh)
        found.append(fresh)
    return found


def quoted(text: str) -> str:
    """The text in quotes."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def written(value: int | float | Fraction) -> str:
    """A number as the files have it; a float as the simplest fraction that it stands for."""
    simple = exact_number(value)
    return str(simple if float(simple) == float(value) else Fraction(repr(value)))
