"""Every example in the README and the docs runs and shows what it really prints.

Blocks of one page run in order and share their names. A page's ```python blocks are laid out in a file line by line as
on the page, so that games in them compile natively and errors name the page's own lines. One that begins with
`# file: NAME.py` becomes that file, and one that begins with `# add to: NAME.py` goes to the end of it, into its last
class. ```pycon blocks are doctests. In ```console blocks the lines after `$ ` are run, all of them calls of `zermelo`,
and what stands below must be what they print; the exit code is 0, unless the command ends in `# exit code N`. Blocks of
other kinds (`sh`, `text`) are not run.
"""

import doctest
import importlib.util
import io
import re
import shlex
import shutil
import sys
import textwrap
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest

from zermelo.cli import main

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^(?P<indent> *)```(?P<kind>\w*)[^\n]*\n(?P<body>.*?)^(?P=indent)```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"# (?P<verb>file|add to): (?P<name>\S+)\n")
COMMAND = re.compile(r"(?:printf (?P<typed>'[^']*') \| )?(?P<call>zermelo\b.*?)(?:\s+# exit code (?P<code>\d+))?")
LOOSE = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
CHECKER = doctest.OutputChecker()


class Block(NamedTuple):
    """A fenced block of a page."""

    kind: str
    text: str
    line: int
    """The line of the page on which the text begins, counted from 0."""


def blocks(page: str) -> Iterator[Block]:
    """The fenced blocks of a page."""
    for found in FENCE.finditer(page):
        yield Block(found["kind"], textwrap.dedent(found["body"]), page[: found.start("body")].count("\n"))


class Reader:
    """Runs the blocks of one page, one after the other."""

    def __init__(self, page: Path, folder: Path) -> None:
        self.page = page
        text = page.read_text(encoding="utf-8")
        self.blocks = list(blocks(text))
        self.module = ModuleType("page_" + re.sub(r"\W", "_", str(page.relative_to(ROOT).with_suffix(""))))
        self.source = folder / f"{self.module.__name__}.py"
        self.module.__file__ = str(self.source)
        self.source.write_text(self._laid_out(text.count("\n") + 1), encoding="utf-8")

    def _laid_out(self, height: int) -> str:
        lines = [""] * height
        for block in self.blocks:
            if self._runs_as_it_is(block):
                written = block.text.splitlines()
                lines[block.line : block.line + len(written)] = written
        return "\n".join(lines) + "\n"

    @staticmethod
    def _runs_as_it_is(block: Block) -> bool:
        return block.kind == "python" and not FILE.match(block.text)

    def read(self) -> None:
        """Run them all."""
        for block in self.blocks:
            if block.kind == "console":
                self._console(block)
            elif block.kind == "pycon":
                self._doctest(block)
            elif self._runs_as_it_is(block):
                exec(compile("\n" * block.line + block.text, self.source, "exec"), self.module.__dict__)
            elif block.kind == "python":
                self._write(block)

    @staticmethod
    def _write(block: Block) -> None:
        head = FILE.match(block.text)
        assert head is not None
        path, body = Path(head["name"]), block.text[head.end() :]
        whole = body if head["verb"] == "file" else path.read_text(encoding="utf-8") + textwrap.indent(body, "    ")
        path.write_text(whole, encoding="utf-8")

    def _doctest(self, block: Block) -> None:
        parsed = doctest.DocTestParser().get_doctest(block.text, {}, self.page.name, str(self.page), block.line)
        parsed.globs = self.module.__dict__
        said: list[str] = []
        runner = doctest.DocTestRunner(CHECKER, optionflags=LOOSE, verbose=False)
        failed, _ = runner.run(parsed, out=said.append, clear_globs=False)
        assert not failed, "".join(said)

    def _console(self, block: Block) -> None:
        calls = re.split(r"^\$ ", block.text, flags=re.MULTILINE)
        assert not calls[0].strip(), f"{self.page}:{block.line + 1}: a console block begins with a command"
        for call in calls[1:]:
            line, _, wanted = call.partition("\n")
            command = COMMAND.fullmatch(line)
            assert command is not None, f"{self.page}: {line!r} is no call of zermelo"
            code, printed = run(shlex.split(command["call"])[1:], typed(command["typed"]))
            assert code == int(command["code"] or 0), f"$ {line}\n{printed}"
            if wanted.strip():
                assert CHECKER.check_output(wanted, printed, LOOSE), f"$ {line}\n{printed}\nis not\n\n{wanted}"


def typed(quoted: str | None) -> str:
    """What `printf` would write."""
    return "" if quoted is None else quoted[1:-1].replace("\\n", "\n")


def run(arguments: list[str], given: str) -> tuple[int, str]:
    """The exit code of the command, and all that it printed."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    before, sys.stdin = sys.stdin, io.StringIO(given)
    try:
        with redirect_stdout(stream), redirect_stderr(stream):
            code = main(arguments)
    finally:
        sys.stdin = before
    return code, stream.buffer.getvalue().decode()  # type: ignore[attr-defined]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_examples_of(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delenv("ZERMELO_DEBUG", raising=False)
    monkeypatch.setenv("ZERMELO_QUIET", "1")
    known = set(sys.modules)
    reader = Reader(page, tmp_path)
    monkeypatch.setitem(sys.modules, reader.module.__name__, reader.module)
    try:
        reader.read()
    finally:
        for name in set(sys.modules) - known:
            if str(getattr(sys.modules[name], "__file__", None)).startswith(str(tmp_path)):
                del sys.modules[name]


def test_every_page_is_in_the_navigation() -> None:
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    for page in PAGES[1:]:
        assert f" {page.relative_to(ROOT / 'docs').as_posix()}\n" in navigation


def test_pages_show_pictures_that_are_drawn(tmp_path: Path) -> None:
    where = importlib.util.spec_from_file_location("docs_pictures", ROOT / "docs" / "pictures.py")
    assert where is not None
    assert where.loader is not None
    pictures = importlib.util.module_from_spec(where)
    where.loader.exec_module(pictures)
    pictures.draw(tmp_path)
    drawn = {path.name for path in tmp_path.iterdir()}
    for path in tmp_path.iterdir():
        assert ET.parse(path).getroot().tag.endswith("svg")
    shown = {name for page in PAGES for name in re.findall(r"pictures/([\w-]+\.svg)", page.read_text(encoding="utf-8"))}
    assert shown == drawn


def test_the_site_builds_and_asks_nobody_else_for_anything(tmp_path: Path) -> None:
    pytest.importorskip("material")
    from mkdocs.commands.build import build
    from mkdocs.config import load_config

    pages, site = tmp_path / "docs", tmp_path / "site"
    shutil.copytree(ROOT / "docs", pages, ignore=shutil.ignore_patterns("pictures", "__pycache__"))
    build(load_config(str(ROOT / "mkdocs.yml"), docs_dir=str(pages), site_dir=str(site), strict=True))
    for page in site.rglob("*.html"):
        outside = re.findall(
            r'<(?:script|link|img)\b[^>]*(?:src|href)="https?://[^"]*"', page.read_text(encoding="utf-8")
        )
        assert not outside, page


def test_the_picture_of_the_readme_is_drawn_by_its_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (command,) = re.findall(r"^\$ (zermelo tree .*--svg (?:\S+))$", readme, re.MULTILINE)
    Reader._write(next(block for block in blocks(readme) if block.kind == "python"))
    code, said = run(shlex.split(command)[1:], "")
    assert code == 0, said
    drawn, kept = Path("first-game.svg").read_bytes(), (ROOT / "docs" / "first-game.svg").read_bytes()
    assert drawn == kept, f"draw docs/first-game.svg anew: {command}"
    assert "](docs/first-game.svg)" in readme


LECTURES = """AlphaGo, backward induction, branching factor, expectiminimax, horizon effect, information set, max^n,
minimax, paranoid, ply, quiescence, regret matching, singular extension, Star1, subgame perfect, transposition,
trembling hand, UCB1, UCT, utility, zero-sum"""


def test_the_glossary_knows_the_words_of_lectures() -> None:
    page = (ROOT / "docs" / "reference" / "glossary.md").read_text(encoding="utf-8")
    terms = re.findall(r"^## (.+)\n(.+(?:\n.+)*)", page, re.MULTILINE)
    names = [name.lower() for name, _ in terms]
    assert names == sorted(names)
    for word in re.split(r",\s+", LECTURES):
        assert any(word.lower() in re.sub("-(?=perfect)", " ", name) for name in names), word
