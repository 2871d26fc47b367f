"""The words of a PGN file, one at a time, with the place where each stands."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

NEW_GAME = re.compile(r"\[Event\s+\"")
WORD = re.compile(
    r"""\s+
    | ;(?P<rest>.*)
    | \{(?P<comment>[^}]*)(?P<closed>\}?)
    | \[\s*(?P<name>[A-Za-z0-9_]{1,255})\s*"(?:(?P<tag>(?:[^"\\]|\\.)*)|(?P<loose>.*?))"\s*\]
    | (?P<bracket>\[[^\]]*\]?)
    | (?P<open>\() | (?P<close>\))
    | \$(?P<nag>\d{1,9})(?!\d)
    | (?P<dollar>\$[^\s(){};"]*)
    | (?P<result>1[-–]0|0[-–]1|1/2[-–]1/2|½[-–]½|1/2|\*)(?=[\s(){};\[]|$)
    | (?P<number>\d+\.+|\.+)
    | "(?P<string>(?:[^"\\]|\\.)*)"
    | (?P<glyph>[!?]+)
    | (?P<word>[^\s(){};"$]+)
    | (?P<other>.)
    """,
    re.VERBOSE,
)
"""A tag may stand anywhere, and a loose one has quotation marks of its own in its value."""
BYTE_ORDER_MARK = "\ufeff"


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
        if begun is None:
            # The mark stands before the first line, and where files were joined before others.
            line = line.removeprefix(BYTE_ORDER_MARK)
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
        for found in WORD.finditer(line, at):
            kind = found.lastgroup
            if kind == "closed":
                if not found["closed"]:
                    begun, comment = (number, found.start() + 1), [found["comment"].strip()]
                    break
                kind = "comment"
            place = (number, found.start() + 1)
            match kind:
                case None:
                    continue
                case "rest":
                    yield Token("comment", found[kind], *place)
                case "tag" | "loose":
                    yield Token("tag", re.sub(r"\\([\"\\])", r"\1", found[kind]), *place, found["name"])
                case "bracket":
                    yield Token("fault", 'a tag is written [Name "value"]', *place)
                case "dollar":
                    yield Token("fault", f"{found[kind][:40]!r} is no glyph: one is written $ and a number", *place)
                case "other":
                    yield Token("fault", f"{found[kind]!r} means nothing here", *place)
                case _:
                    yield Token(kind, found[kind], *place)
    if begun is not None:
        yield Token("comment", " ".join(comment), *begun)
        yield Token("fault", "the comment is never closed", *begun)
