"""A user's file satisfies type checkers as strict as they can be, with the package installed beside it."""

import os
import runpy
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
from pathlib import Path

import pytest

import zermelo

ROOT = Path(__file__).parents[2]
FILE = Path(__file__).with_name("users_file.py")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the user's file and an environment into which the package is installed."""
    folder = tmp_path_factory.mktemp("project")
    shutil.copy(FILE, folder)
    venv.create(folder / "env")
    places = {"base": str(folder / "env"), "platbase": str(folder / "env")}
    packages = Path(sysconfig.get_path("purelib", vars=places))
    source = Path(zermelo.__file__).parent
    shutil.copytree(source, packages / "zermelo", ignore=shutil.ignore_patterns("__pycache__"))
    (packages / "others.pth").write_text(f"{sysconfig.get_path('purelib')}\n", encoding="utf-8")
    return folder


def checked(project: Path, *command: str) -> None:
    """What a checker says must be that nothing is wrong."""
    surroundings = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "MYPYPATH")}
    run = subprocess.run(
        [sys.executable, "-m", *command], cwd=project, env=surroundings, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_mypy_is_satisfied(project: Path) -> None:
    pytest.importorskip("mypy")
    checked(project, "mypy", "--strict", "--python-executable", str(project / "env" / "bin" / "python"), FILE.name)


def test_pyright_is_satisfied(project: Path) -> None:
    pytest.importorskip("basedpyright")
    settings = '{"typeCheckingMode": "strict", "include": ["users_file.py"], "venvPath": ".", "venv": "env"}'
    (project / "pyrightconfig.json").write_text(settings, encoding="utf-8")
    checked(project, "basedpyright")


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
