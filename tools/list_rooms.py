"""`python tools/list_rooms.py` writes the list of rooms into the page on architecture, and its folders into the README.

The order is that of the layers in `.importlinter`, the lowest first, so that each room imports only from those above
it in the list. What a room holds is the first sentence of its docstring. `--check` writes nothing and says what is
stale.
"""

import ast
import configparser
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "zermelo"
README = ROOT / "README.md"
PAGES = [README, ROOT / "docs" / "design" / "architecture.md"]
BEGIN, END = "<!-- rooms -->\n", "<!-- /rooms -->"
NOT_ROOMS = {"__init__", "__main__"}
"""Modules of the package's own folder that are no rooms."""
LISTED_ELSEWHERE = {"games"}
"""Rooms whose folders are too many for the list."""


def layers(contract: str = "rooms") -> list[str]:
    """The names of all rooms, the lowest first; or of all rooms inside of one that has a contract of its own."""
    contracts = configparser.ConfigParser()
    contracts.read(ROOT / ".importlinter", encoding="utf-8")
    section = f"importlinter:contract:{contract}"
    lines = contracts[section]["layers"].split("\n") if section in contracts else []
    names = [name.strip("() ") for line in lines for name in re.split("[|:]", line)]
    return [name.removeprefix("zermelo.") for name in reversed(names) if name]


def rooms_there_are() -> set[str]:
    """The names of all modules and folders of the package."""
    files = {path.stem for path in PACKAGE.glob("*.py")} - NOT_ROOMS
    return files | {path.parent.name for path in PACKAGE.glob("*/__init__.py")}


def first_sentence(path: Path) -> str:
    """What a module says that it holds."""
    words = " ".join((ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").split())
    found = re.match(r".*?[.?](?=\s|$)", words)
    if found is None:
        raise ValueError(f"{path} begins with no sentence that says what it holds")
    return found[0].removesuffix(".")


def row(name: str) -> str:
    """A line of the list."""
    folder = PACKAGE / name
    is_folder = folder.is_dir()
    path = folder / "__init__.py" if is_folder else folder.with_suffix(".py")
    depth = name.count("/")
    shown = f"{'&emsp;' * depth}`{name}{'/' if is_folder else ''}`"
    return f"| {shown} | {first_sentence(path)} |"


def short_table() -> str:
    """The rooms that are folders."""
    rows = ["| room | what it holds |", "|---|---|"]
    return "\n".join(rows + [row(name) for name in layers() if (PACKAGE / name).is_dir()]) + "\n"


def table() -> str:
    """All rooms, and those inside of them."""
    rows = ["| room | what it holds |", "|---|---|"]
    for name in layers():
        rows.append(row(name))
        if name not in LISTED_ELSEWHERE:
            order = layers(name)
            folders = sorted(path.parent.name for path in (PACKAGE / name).glob("*/__init__.py"))
            inside = sorted(folders, key=lambda folder: order.index(folder) if folder in order else -1)
            rows += [row(f"{name}/{folder}") for folder in inside]
    return "\n".join(rows) + "\n"


def with_list(path: Path) -> str:
    """What a page says with its list between the markers."""
    before, begin, rest = path.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{path} has no markers {BEGIN.strip()} and {END}")
    return before + begin + (short_table() if path == README else table()) + end + after


def main() -> int:
    """Write the list, or check it."""
    stale = [path for path in PAGES if path.read_text(encoding="utf-8") != with_list(path)]
    for path in stale:
        if "--check" in sys.argv[1:]:
            print(f"{path.relative_to(ROOT)} is stale: python tools/list_rooms.py", file=sys.stderr)
        else:
            path.write_text(with_list(path), encoding="utf-8")
            print(f"{path.relative_to(ROOT)}: written")
    return 1 if stale and "--check" in sys.argv[1:] else 0


if __name__ == "__main__":
    sys.exit(main())
