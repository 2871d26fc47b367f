"""The papers for contributors name what there is: files, verbs, the version."""

import re
from pathlib import Path

import zermelo

ROOT = Path(__file__).parents[2]
NAMED = re.compile(r"`((?:src|tests|docs|tools|benchmarks)/[\w./]+)`|\]\(((?!https?:)[^)#]+)(?:#[^)]*)?\)")
PLACEHOLDER = re.compile(r"(?<![A-Za-z])[A-Z]{3,}")
"""A part of a path that contributors replace by a name of their own."""


def test_contributing_names_files_that_exist() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = {first or second for first, second in NAMED.findall(page)}
    assert len(named) > 40
    missing = sorted(path for path in named if not (ROOT / path).exists() and not PLACEHOLDER.search(path))
    assert not missing, f"CONTRIBUTING.md names {', '.join(missing)}: say where these are now"


def test_the_folders_of_placeholders_exist() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for first, _ in NAMED.findall(page):
        path = Path(first)
        while PLACEHOLDER.search(str(path)):
            path = path.parent
        assert (ROOT / path).exists(), first


def test_the_citation_has_what_the_format_asks_for() -> None:
    lines = (ROOT / "CITATION.cff").read_text(encoding="utf-8").splitlines()
    fields = dict(line.split(": ", 1) for line in lines if re.match(r"[\w-]+: ", line))
    assert {"cff-version", "message", "title"} <= fields.keys()
    assert "authors:" in lines
    assert (fields["version"], fields["license"]) == (zermelo.__version__, "MIT")


def test_the_changelog_knows_the_version() -> None:
    page = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert zermelo.__version__ in page
    assert re.findall(r"^## \[([^\]]+)\]", page, re.MULTILINE)[0] in ("Unreleased", zermelo.__version__)


def test_the_readme_is_read_in_one_go() -> None:
    assert (ROOT / "README.md").read_text(encoding="utf-8").count("\n") <= 200
