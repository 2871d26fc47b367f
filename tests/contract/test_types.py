"""A user's file satisfies type checkers as strict as they can be, with the package installed beside it."""

import ast
import json
import os
import re
import runpy
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
from pathlib import Path
from typing import Any

import pytest

import zermelo
from zermelo import types
from zermelo.equilibrium.cfr import cfr
from zermelo.searches.engine.techniques import TECHNIQUES
from zermelo.searches.hidden.ismcts import IsmctsOptions
from zermelo.searches.mcts.options import MctsOptions

ROOT = Path(__file__).parents[2]
FILE = Path(__file__).with_name("users_file.py")
MISTAKES = Path(__file__).with_name("users_mistakes.txt")
"""A file of Python, but nobody may run it."""
WRONG = "users_mistakes.py"
FILES = (FILE.name, "readme.py")
"""What has no mistakes in it: a file that uses all that is public, and the README's game."""
SIGNATURES = {
    "initial(self)": "initial(self) -> State",
    "to_move(self, s)": "to_move(self, s: State) -> int",
    "actions(self, s)": "actions(self, s: State) -> Iterator[int]",
    "result(self, s, action)": "result(self, s: State, action: int) -> State",
    "is_terminal(self, s)": "is_terminal(self, s: State) -> bool",
    "utility(self, s, player)": "utility(self, s: State, player: int) -> float",
    "format_action(self, s, action)": "format_action(self, s: State, action: int) -> str",
}
"""How the README's functions look to those who annotate everything."""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the user's file and an environment into which the package is installed."""
    folder = tmp_path_factory.mktemp("project")
    shutil.copy(FILE, folder)
    shutil.copy(MISTAKES, folder / WRONG)
    (folder / "readme.py").write_text(annotated(readmes_game()), encoding="utf-8")
    (folder / "as_it_is.py").write_text(readmes_game(), encoding="utf-8")
    venv.create(folder / "env")
    places = {"base": str(folder / "env"), "platbase": str(folder / "env")}
    packages = Path(sysconfig.get_path("purelib", vars=places))
    source = Path(zermelo.__file__).parent
    shutil.copytree(source, packages / "zermelo", ignore=shutil.ignore_patterns("__pycache__"))
    (packages / "others.pth").write_text(f"{sysconfig.get_path('purelib')}\n", encoding="utf-8")
    return folder


def readmes_game() -> str:
    """The game with which the README begins."""
    found = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    return found[1]


def annotated(game: str) -> str:
    """The game with the types of its functions."""
    for plain, typed in SIGNATURES.items():
        assert f"def {plain}:" in game
        game = game.replace(f"def {plain}:", f"def {typed}:")
    return f"from collections.abc import Iterator\n{game}"


def said(project: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """What a checker says."""
    surroundings = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "MYPYPATH")}
    return subprocess.run(
        [sys.executable, "-m", *command], cwd=project, env=surroundings, capture_output=True, text=True
    )


def refused_lines(text: str) -> set[int]:
    """The lines of the file of mistakes that a checker names as errors."""
    return {int(line) for line in re.findall(rf"{WRONG}:(\d+)(?::\d+)?:? (?:-? ?error)", text)}


def mistakes() -> set[int]:
    """The lines that are marked as mistakes."""
    lines = MISTAKES.read_text(encoding="utf-8").splitlines()
    return {number for number, line in enumerate(lines, 1) if line.endswith("# refused")}


def checked(project: Path, *command: str) -> None:
    """What a checker says must be that nothing is wrong."""
    run = said(project, *command)
    assert run.returncode == 0, run.stdout + run.stderr


def test_mypy_is_satisfied(project: Path) -> None:
    pytest.importorskip("mypy")
    python = str(project / "env" / "bin" / "python")
    checked(project, "mypy", "--strict", "--python-executable", python, *FILES)
    checked(project, "mypy", "--check-untyped-defs", "--python-executable", python, "as_it_is.py")
    run = said(project, "mypy", "--strict", "--python-executable", python, WRONG)
    assert refused_lines(run.stdout) == mistakes(), run.stdout


def test_pyright_is_satisfied(project: Path) -> None:
    pytest.importorskip("basedpyright")
    settings = {"typeCheckingMode": "strict", "include": [*FILES, WRONG], "venvPath": ".", "venv": "env"}
    (project / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    run = said(project, "basedpyright")
    assert refused_lines(run.stdout) == mistakes(), run.stdout
    for name in FILES:
        assert f"{name}:" not in run.stdout, run.stdout
    settings |= {"typeCheckingMode": "standard", "include": ["as_it_is.py"]}
    (project / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    checked(project, "basedpyright")


def test_the_users_file_uses_every_public_name() -> None:
    """A new name needs a line there, so that its types are checked as users meet them."""
    tree = ast.parse(FILE.read_text(encoding="utf-8"))
    used = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "zermelo"
    }
    imported = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module == "zermelo"]
    used |= {alias.name for node in imported for alias in node.names}
    assert set(zermelo.__all__) <= used


@pytest.mark.parametrize(
    ("written", "known"),
    [
        (types.Techniques, set(TECHNIQUES) - {"table"}),
        (types.SamplingOptions, set(MctsOptions.__dataclass_fields__)),
        (types.ObserverOptions, set(IsmctsOptions.__dataclass_fields__)),
        (types.CfrOptions, set(cfr.OPTIONS.split(", ")) - {"iterations", "until", "time", "limit"}),
    ],
    ids=lambda kind: getattr(kind, "__name__", ""),
)
def test_options_have_their_types(written: Any, known: set[str]) -> None:
    assert set(written.__annotations__) | set(getattr(written, "__optional_keys__", ())) == known


def test_the_users_file_runs() -> None:
    lines, number, values, words = runpy.run_path(str(FILE))["everything"]()
    assert len(lines) > 100
    assert number > 0
    assert len(values) > 20
    assert "tic_tac_toe" in words


def test_checkers_know_all_public_names() -> None:
    stub = runpy.run_path(str(ROOT / "tools" / "write_stub.py"))
    written = stub["STUB"].read_text(encoding="utf-8")
    assert written == stub["stub"](), "the public names have changed: run python tools/write_stub.py"
    for name in zermelo.__all__:
        assert f" {name}\n" in written or f"\n{name}: " in written


def test_what_checkers_need_is_packed() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    packed = settings["tool"]["setuptools"]["package-data"]["zermelo"]
    assert {"py.typed", "__init__.pyi"} <= set(packed)
    assert (Path(zermelo.__file__).parent / "py.typed").exists()
