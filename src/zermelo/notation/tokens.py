"""The words of a PGN file, one at a time, with the place where each stands."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

TAG_LINE = re.compile(r"\s*\[\s*[A-Za-z0-9_]+\s*\"")
TAG = re.compile(r"\s*\[\s*(?P<name>[A-Za-z0-9_]{1,255})\s*\"(?P<value>(?:[^\"\\]|\\.)*)\"\s*\]")
LOOSE_TAG = re.compile(r"\s*\[\s*(?P<name>[A-Za-z0-9_]{1,255})\s*\"(?P<value>.*)\"\s*\]\s*")
"""A tag whose value has quotation marks of its own."""
NEW_GAME = re.compile(r"\[Event\s+\"")
WORD = re.compile(
    r"""\s+
    | ;(?P<rest>.*)
    | \{(?P<comment>[^}]*)(?P<closed>\}?)
    | (?P<open>\() | (?P<close>\))
    | \$(?P<nag>\d{1,3})(?!\d)
    | (?P<result>1-0|0-1|1/2-1/2|½-½|1/2|\*)(?=[\s(){};]|$)
    | (?P<number>\d+\.+|\.+)
    | "(?P<string>(?:[^"\\]|\\.)*)"
    | (?P<glyph>[!?]+)
    | (?P<word>[^\s(){};"]+)
    | (?P<other>.)
    """,
    re.VERBOSE,
)


class Token(NamedTuple):
    """A word: its kind, its text and where it stands, both counted from 1."""

    kind: str
    text: str
    line: int
    column: int
    name: str = ""
    """The name of a tag."""


def tokens(lines: Iterable[str]) -> Iterator[Token]:
    """The words of the file; what is no word of PGN comes as kind `fault`, with what is wrong as its text."""
    comment: list[str] = []
    begun: tuple[int, int] | None = None
    blank = True
    for number, line in enumerate(lines, 1):
        line = line.rstrip("\r\n")
        if begun is not None and blank and NEW_GAME.match(line):
            yield Token("comment", " ".join(comment), *begun)
            yield Token("fault", "the comment is never closed", *begun)
            begun = None
        blank = not line.strip()
        at = 0
        if begun is not None:
            inside, brace, _ = line.partition("}")
            comment.append(inside.strip())
            if not brace:
                continue
            yield Token("comment", " ".join(comment), *begun)
            begun, at = None, len(inside) + 1
        elif line.startswith("%"):
            continue
        elif TAG_LINE.match(line):
            yield from _tags(line, number)
            continue
        for found in WORD.finditer(line, at):
            kind = found.lastgroup
            if kind == "closed":
                if not found["closed"]:
                    begun, comment = (number, found.start() + 1), [found["comment"].strip()]
                    break
                kind = "comment"
            if kind == "other":
                yield Token("fault", f"{found[kind]!r} means nothing here", number, found.start() + 1)
            elif kind is not None:
                yield Token("comment" if kind == "rest" else kind, found[kind], number, found.start() + 1)
    if begun is not None:
        yield Token("comment", " ".join(comment), *begun)
        yield Token("fault", "the comment is never closed", *begun)


def _tags(line: str, number: int) -> Iterator[Token]:
    """The tags on a line."""
    at = 0
    while line[at:].strip():
        found = TAG.match(line, at) or LOOSE_TAG.fullmatch(line, at)
        if found is None:
            yield Token("fault", 'a tag is written [Name "value"]', number, at + 1)
            return
        value = re.sub(r"\\([\"\\])", r"\1", found["value"])
        yield Token("tag", value, number, at + 1, found["name"])
        at = found.end()
