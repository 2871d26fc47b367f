"""The trees of SGF files: nodes with properties, read from text and written back.

A node keeps the values of its properties as the file has them, escapes included, so that what nobody here knows is
written back unchanged. `node["C"]` is a value as people read it.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator

from zermelo.errors import BadNotation, BadParameter

BEGINNING = re.compile(r"\(\s*;")
"""Where a game begins: whatever stands before, between and behind games is no part of them."""
WORD = re.compile(
    r"(?P<space>\s+)|(?P<open>\()|(?P<close>\))|(?P<node>;)|(?P<name>[A-Za-z][A-Za-z0-9]*)"
    r"|\[(?P<value>[^\]\\]*(?:\\.[^\]\\]*)*)\]|(?P<other>.)",
    re.DOTALL,
)
NAME = re.compile(r"[A-Z][A-Z0-9]*")
OPENED, INSIDE, CLOSED = range(3)
"""Where a word stands: behind (, in a node, or behind ) or before everything."""
LINE_END = re.compile(r"\r\n|\n\r|\n|\r")
ESCAPED = re.compile(
    r"\\(?P<soft>\r\n|\n\r|\n|\r)|\\(?P<letter>.)|(?P<end>\r\n|\n\r|\n|\r)|(?P<blank>[\t\v\f])", re.DOTALL
)
COLON = re.compile(r"(?:[^\\:]|\\.)*", re.DOTALL)
WIDTH = 79


class SgfNode:
    """A node of a game tree: its properties, and the nodes that may follow; the first of them is the main line.

    >>> node = SgfNode({"B": ["dd"], "C": ["well [played\\\\]"]})
    >>> node["B"], node["C"], str(node)
    ('dd', 'well [played]', '(;B[dd]C[well [played\\\\]])')
    """

    __slots__ = ("children", "column", "line", "properties")

    def __init__(self, properties: dict[str, list[str]] | None = None, line: int = 0, column: int = 0) -> None:
        self.properties = {} if properties is None else properties
        """The values of each property as the file has them."""
        self.children: list[SgfNode] = []
        self.line, self.column = line, column
        """Where the node stands in its file, both counted from 1; 0 where it comes from none."""

    # --- values ------------------------------------------------------------------------------------------------------

    def __contains__(self, name: str) -> bool:
        return name in self.properties

    def __getitem__(self, name: str) -> str:
        return readable(self.properties[name][0])

    def get(self, name: str, default: str = "") -> str:
        """The first value of a property as people read it."""
        return self[name] if name in self.properties else default

    def values(self, name: str) -> list[str]:
        """All values of a property as people read them; none where the node does not have it."""
        return [readable(value) for value in self.properties.get(name, ())]

    def pairs(self, name: str) -> list[tuple[str, str]]:
        """The values of a property, each cut at its colon: a label's point and text, a program's name and version."""
        return [_cut(value) for value in self.properties.get(name, ())]

    def set(self, name: str, *values: str) -> None:
        """Give the node a property with these values, or take it away where there are none."""
        if not NAME.fullmatch(name):
            raise BadParameter(f"{name!r} cannot be the name of a property of SGF: capital letters only")
        if values:
            self.properties[name] = [escaped(value) for value in values]
        else:
            self.properties.pop(name, None)

    def wrong(self, what: str) -> BadNotation:
        """The error that names where this node stands."""
        return BadNotation(f"line {self.line}, column {self.column}: {what}")

    # --- the tree ----------------------------------------------------------------------------------------------------

    def add(self, properties: dict[str, list[str]] | None = None) -> "SgfNode":
        """A new node that may follow this one."""
        child = SgfNode(properties)
        self.children.append(child)
        return child

    def main_line(self) -> Iterator["SgfNode"]:
        """This node, the first that follows it, the first that follows that one, and so on."""
        node = self
        yield node
        while node.children:
            node = node.children[0]
            yield node

    def __iter__(self) -> Iterator["SgfNode"]:
        """All nodes from this one on: each before those that follow it."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SgfNode):
            return NotImplemented
        waiting = [(self, other)]
        while waiting:
            one, two = waiting.pop()
            if one.properties != two.properties or len(one.children) != len(two.children):
                return False
            waiting.extend(zip(one.children, two.children, strict=True))
        return True

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"SgfNode({self.properties!r}, {len(self.children)} children)"

    def __str__(self) -> str:
        return _wrapped(_words(self))


# --- values ----------------------------------------------------------------------------------------------------------


def readable(value: str) -> str:
    """A value as people read it: escapes undone, lines ended by \\n, soft line breaks joined."""

    def undone(found: re.Match[str]) -> str:
        if found["soft"] is not None:
            return ""
        if found["letter"] is not None:
            return " " if found["letter"] in "\t\v\f" else found["letter"]
        return "\n" if found["end"] is not None else " "

    return ESCAPED.sub(undone, value)


def escaped(text: str) -> str:
    """Text as the value of a property.

    >>> escaped("a]b"), escaped("c\\\\d")
    ('a\\\\]b', 'c\\\\\\\\d')
    """
    return text.replace("\\", "\\\\").replace("]", "\\]")


def unbroken(text: str) -> str:
    """The text as SGF's SimpleText: without line breaks."""
    return " ".join(text.split())


def _cut(value: str) -> tuple[str, str]:
    first = COLON.match(value)
    assert first is not None
    return readable(first[0]), readable(value[first.end() + 1 :])


# --- reading ---------------------------------------------------------------------------------------------------------


class Places:
    """Finds the line and column of a place in a text, given by how many letters stand before it."""

    def __init__(self, text: str) -> None:
        self.starts = [0, *(found.end() for found in LINE_END.finditer(text))]

    def __call__(self, at: int) -> tuple[int, int]:
        line = bisect_right(self.starts, at)
        return line, at - self.starts[line - 1] + 1

    def wrong(self, at: int, what: str) -> BadNotation:
        """The error that names the place."""
        line, column = self(at)
        return BadNotation(f"line {line}, column {column}: {what}")


def parse_text(text: str) -> list[SgfNode]:
    """The roots of all games in the text; BadNotation where it is no SGF."""
    places = Places(text)
    roots, at = [], 0
    while found := BEGINNING.search(text, at):
        root, at = _tree(text, found.start(), places)
        roots.append(root)
    if not roots:
        raise places.wrong(0, "there is no game here: SGF begins with (;")
    return roots


def _tree(text: str, begun: int, places: Places) -> tuple[SgfNode, int]:
    """The game that begins here, and where it ends."""
    node = above = SgfNode()
    name, where = "", CLOSED
    open_trees: list[tuple[SgfNode, int]] = []
    """The node before each tree that is open, and where the tree begins."""
    for found in WORD.finditer(text, begun):
        kind, at = found.lastgroup, found.start()
        if kind == "space":
            continue
        if kind == "value" and name:
            node.properties.setdefault(name, []).append(found["value"])
            continue
        if found[0] == "[":
            raise places.wrong(at, "the value that begins here is never closed")
        if name and name not in node.properties:
            raise places.wrong(at, f"the property {name} has no value: write {name}[...]")
        name = ""
        match kind:
            case "name" if where == INSIDE:
                name = capitals(found["name"])
            case "node" if where != CLOSED:
                child = SgfNode({}, *places(at))
                node.children.append(child)
                node, where = child, INSIDE
            case "open" if where != OPENED:
                open_trees.append((node, at))
                where = OPENED
            case "close" if where != OPENED:
                node, where = open_trees.pop()[0], CLOSED
                if not open_trees:
                    return above.children[0], found.end()
            case _:
                raise places.wrong(at, _misplaced(kind, found[0], where))
        if kind == "name" and not name:
            raise places.wrong(at, f"{found[0][:40]!r} is no name of a property: it has no capital letter")
    raise places.wrong(open_trees[-1][1], "the game tree that begins here is never closed")


def _misplaced(kind: str | None, word: str, where: int) -> str:
    """What is wrong with a word that cannot stand here."""
    if kind == "value":
        return "the value has no property: write NAME[value]"
    if where == OPENED:
        return "a variation begins with a node: write (;"
    if where == CLOSED and kind in ("node", "name"):
        return "behind a variation there can be another one or the end of the tree, but no node"
    return f"{word[:40]!r} means nothing here"


def capitals(name: str) -> str:
    """The name of a property without the small letters that old files put in: SiZe is SZ."""
    return "".join(letter for letter in name if not letter.islower())


# --- writing ---------------------------------------------------------------------------------------------------------


def _words(root: SgfNode) -> Iterator[str]:
    """The words in which the tree is written, cut where lines may end; an empty word ends a line."""
    waiting: list[SgfNode | str] = [")", root, "("]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            yield item
            continue
        pieces = [
            (name if i == 0 else "") + f"[{value}]"
            for name, values in item.properties.items()
            for i, value in enumerate(values or [""])
        ]
        yield ";" + (pieces[0] if pieces else "")
        yield from pieces[1:]
        if item is root and item.children:
            yield ""
        if len(item.children) == 1:
            waiting.append(item.children[0])
        else:
            for child in reversed(item.children):
                waiting += [")", child, "(", ""]


def _wrapped(words: Iterable[str]) -> str:
    """The words one behind the other, in lines that are as long as may be."""
    parts: list[str] = []
    length = 0
    for word in words:
        if length and (not word or length + len(word.partition("\n")[0]) > WIDTH) and word != ")":
            parts.append("\n")
            length = 0
        parts.append(word)
        length = len(word) + (length if "\n" not in word else -word.rindex("\n") - 1)
    return "".join(parts)
