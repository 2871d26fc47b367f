"""The list of rooms is whole, and pages show it as it is; nobody but the compiler's room imports Numba."""

import ast
import configparser
import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


def tool(name: str) -> ModuleType:
    """A script of the folder `tools` as a module."""
    where = importlib.util.spec_from_file_location(f"tools_{name}", ROOT / "tools" / f"{name}.py")
    assert where is not None
    assert where.loader is not None
    module = importlib.util.module_from_spec(where)
    where.loader.exec_module(module)
    return module


rooms = tool("list_rooms")


def test_every_room_has_its_place_in_the_list() -> None:
    listed = rooms.layers()
    assert len(listed) == len(set(listed))
    missing, gone = rooms.rooms_there_are() - set(listed), set(listed) - rooms.rooms_there_are()
    assert not missing, f"{sorted(missing)}: say in `.importlinter`, under layers, between which rooms they stand"
    assert not gone, f"{sorted(gone)}: strike them from the layers in `.importlinter`"


@pytest.mark.parametrize("page", rooms.PAGES, ids=lambda page: page.name)
def test_pages_show_the_list_as_it_is(page: Path) -> None:
    assert page.read_text(encoding="utf-8") == rooms.with_list(page), (
        "the list of rooms is stale: run `python tools/list_rooms.py`"
    )


def test_the_contract_on_numba_names_who_may_import_it_and_so_covers_new_rooms() -> None:
    contracts = configparser.ConfigParser()
    contracts.read(ROOT / ".importlinter", encoding="utf-8")
    contract = contracts["importlinter:contract:numba"]
    assert contract["type"] == "protected"
    assert contract["protected_modules"].split() == ["numba", "llvmlite"]
    assert contract["allowed_importers"].split() == ["zermelo.compile"]
    assert "ignore_imports" not in contract


def test_only_the_compiler_room_imports_numba() -> None:
    """The contract again, without import-linter."""
    for path in (ROOT / "src" / "zermelo").rglob("*.py"):
        if path.relative_to(rooms.PACKAGE).parts[0] != "compile":
            imported = {
                name.split(".")[0]
                for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
                for name in _named_by(node)
            }
            assert not imported & {"numba", "llvmlite"}, path


def _named_by(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [node.module or ""] if isinstance(node, ast.ImportFrom) else []
