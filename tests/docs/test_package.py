"""What is built of the package: its metadata, and what the wheel and the source archive hold."""

import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email import message_from_bytes
from email.message import Message
from pathlib import Path

import pytest

import zermelo

ROOT = Path(__file__).parents[2]
BUILD = "from setuptools import build_meta as b; b.build_sdist('dist'); b.build_wheel('dist')"
DATA = {"py.typed", "__init__.pyi", "play/books/chess.bin", "play/books/chess.txt", "games/chess/network.npz"}
BESIDE_SOURCES = ("build", "dist", "demo", "site", "pictures", "__pycache__", "*.egg-info")
PICTURE = re.compile(r"!\[[^\]]*\]\(([^)]+)\)")


def project() -> dict:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder with a wheel and an archive, made by what pyproject.toml asks for, and what was said meanwhile."""
    folder = tmp_path_factory.mktemp("built")
    tools, copy = folder / "tools", folder / "copy"
    wanted = project()["build-system"]["requires"]
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target", str(tools)]
    if subprocess.run([*pip, *wanted], capture_output=True).returncode:
        pytest.skip(f"{', '.join(wanted)} cannot be had here")
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".[!i]*", *BESIDE_SOURCES))
    code = f"import sys; sys.path.insert(0, {str(tools)!r}); {BUILD}"
    done = subprocess.run([sys.executable, "-I", "-W", "always", "-c", code], cwd=copy, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return copy / "dist", done.stderr


def metadata(archive: zipfile.ZipFile) -> Message:
    (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
    return message_from_bytes(archive.read(name))


def test_pyproject_names_the_licence_as_an_expression() -> None:
    about = project()["project"]
    assert (about["license"], about["license-files"]) == ("MIT", ["LICENSE"])
    assert not any(line.startswith("License ::") for line in about["classifiers"])
    assert (ROOT / "LICENSE").read_text(encoding="utf-8").startswith("MIT License")
    assert about["version"] == zermelo.__version__


def test_it_builds_without_a_warning(built: tuple[Path, str]) -> None:
    _, said = built
    assert not re.findall(r"^.*(?:warning|deprecat).*$", said, re.IGNORECASE | re.MULTILINE)


def test_the_wheel_holds_all_of_the_package(built: tuple[Path, str]) -> None:
    (path,) = built[0].glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        names = {name.removeprefix("zermelo/") for name in archive.namelist() if name.startswith("zermelo/")}
        about, licences = metadata(archive), [name for name in archive.namelist() if "/licenses/" in name]
    package = ROOT / "src" / "zermelo"
    sources = {source.relative_to(package).as_posix() for source in package.rglob("*.py")}
    assert names == sources | DATA
    assert [name.rpartition("/")[2] for name in licences] == ["LICENSE"]
    assert about["License-Expression"] == "MIT"
    assert about["Version"] == zermelo.__version__
    assert about["Requires-Python"] == ">=3.11"
    assert about.get_payload().startswith("# zermelo\n")


def test_the_source_archive_holds_what_a_checkout_does(built: tuple[Path, str]) -> None:
    (path,) = built[0].glob("*.tar.gz")
    with tarfile.open(path) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    pictures = PICTURE.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    assert pictures
    assert {*pictures, "LICENSE", "Makefile", "mkdocs.yml", ".importlinter", "constraints.txt"} <= names
    for folder in ("docs", "tests", "benchmarks", "tools"):
        ours = {
            found.relative_to(ROOT).as_posix()
            for found in (ROOT / folder).rglob("*")
            if found.is_file() and not {"__pycache__", "pictures", "build"} & {*found.relative_to(ROOT).parts}
        }
        assert ours <= names, f"{sorted(ours - names)}: name these in MANIFEST.in"
