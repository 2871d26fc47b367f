"""The table of methods: every row is a public function, and whoever reads the table knows all of them."""

import importlib.util
from pathlib import Path

import pytest

import zermelo
from zermelo.cli import main
from zermelo.play.players import kinds
from zermelo.searches.methods import METHODS, usual_method


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_rows_are_public(method):
    found = getattr(zermelo, method.name)
    assert callable(found)
    assert f"{found.__module__}.".startswith(f"zermelo.{method.home}."), "a row names the home of its function"
    assert method.name in kinds(), "matches know it as a player"


def test_the_command_line_offers_every_method(capsys):
    assert main(["analyse", "--help"]) == 0
    help_text = " ".join(capsys.readouterr().out.split())
    for method in METHODS:
        assert method.name in help_text
        for option in method.options:
            assert f"--{option.replace('_', '-')}" in help_text


@pytest.mark.parametrize("name", zermelo.games)
def test_one_method_fits_each_game(name):
    of = zermelo.game(name)
    fitting = [method.name for method in METHODS if method.is_usual(of)]
    assert len(fitting) == 1, f"{name}: {fitting}"
    if of.traits.hidden and of.players > 2:
        with pytest.raises(zermelo.UnsuitableGame, match="no search here solves it"):
            usual_method(of)
    elif not of.traits.hidden:
        assert usual_method(of) == fitting[0]


def test_the_reference_lists_every_method():
    docs = Path(__file__).parents[2] / "docs"
    spec = importlib.util.spec_from_file_location("docs_methods", docs / "methods.py")
    page = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(page)
    text = page.on_page_markdown((docs / "reference" / "functions.md").read_text(encoding="utf-8"))
    assert page.PLACE not in text
    for method in METHODS:
        assert f"| `{method.name}` | {method.about} |" in text
