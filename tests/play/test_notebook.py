"""A new user in a notebook: README's game, typed into a cell of a real kernel, is played to its end."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

README = Path(__file__).parents[2] / "README.md"
PATIENCE = 120


class Notebook:
    """Cells that a kernel runs."""

    def __init__(self, client: Any) -> None:
        self.client = client

    def run(self, cell: str, typed: Callable[[], str] | None = None) -> dict[str, str]:
        """Run a cell; what it shows, by kind. `typed` answers where it asks for input."""
        shown: dict[str, str] = {"printed": ""}

        def output(message: Any) -> None:
            content = message["content"]
            if message["msg_type"] == "execute_result":
                shown.update(content["data"])
            elif message["msg_type"] == "stream" and content["name"] == "stdout":
                shown["printed"] += content["text"]
            elif message["msg_type"] == "error":
                shown["error"] = f"{content['ename']}: {content['evalue']}"

        def answer(message: Any) -> None:
            assert typed is not None, f"it asks: {message['content']['prompt']}"
            self.client.input(typed())

        self.client.execute_interactive(
            cell, timeout=PATIENCE, output_hook=output, stdin_hook=answer, allow_stdin=typed is not None
        )
        return shown


@pytest.fixture(scope="module")
def notebook() -> Iterator[Notebook]:
    """A notebook whose first cells define README's game and import the package."""
    pytest.importorskip("ipykernel")
    from jupyter_client.manager import start_new_kernel

    manager, client = start_new_kernel(startup_timeout=PATIENCE)
    try:
        notebook = Notebook(client)
        game = re.search(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
        assert game is not None
        assert "error" not in notebook.run(game[1])
        assert "error" not in notebook.run("import zermelo")
        yield notebook
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def test_readmes_game_is_played_to_its_end(notebook: Notebook) -> None:
    begun = notebook.run("nim = zermelo.play(Nim())\nnim")
    assert "<svg" in begun["text/html"]
    assert "player 0 (you) moves: a-1, a-2, b-1, b-2" in begun["text/plain"]
    for _ in range(4):
        shown = notebook.run("nim.move(nim.legal[0])")
        assert "error" not in shown
        if "result: " in shown["text/plain"]:
            break
    assert 'type="radio"' in shown["text/html"]
    assert notebook.run("nim.finished, nim.utilities")["text/plain"] == "(True, (-1.0, 1.0))"


def test_a_wrong_move_is_one_clear_line(notebook: Notebook) -> None:
    shown = notebook.run('zermelo.play(Nim()).move("7")')
    assert shown["error"] == "IllegalAction: '7' is not legal here; legal: a-1, a-2, b-1, b-2"


def test_games_states_reports_and_matches_show_themselves(notebook: Notebook) -> None:
    assert "<svg" in notebook.run("Nim()")["text/html"]
    assert notebook.run("Nim().show()")["image/svg+xml"].startswith("<svg")
    assert ">fine<" in notebook.run("zermelo.check(Nim(), machines=False)")["text/html"]
    result = notebook.run('zermelo.match(Nim(), ["alphabeta", "random"], games=2)')["text/html"]
    assert "<table" in result
    assert 'type="radio"' in result


def test_completion_offers_what_answers(notebook: Notebook) -> None:
    notebook.run("game = Nim()")
    notebook.client.complete("game.", 5)
    reply = notebook.client.get_shell_msg(timeout=PATIENCE)
    names = {name.removeprefix("game.") for name in reply["content"]["matches"]}
    assert {"play", "show", "initial", "heaps"} <= names
    assert not {"noted_score", "probability", "rollout_words", "solver", "view"} & names


def test_asked_for_it_takes_moves_by_input(notebook: Notebook) -> None:
    lines = iter(["moves", "a-1", "a-1", "a-1", "quit"])
    shown = notebook.run("zermelo.play(Nim(), ask=True).finished", lambda: next(lines))
    assert shown["text/plain"] == "True"
    assert "a-1  a-2  b-1  b-2" in shown["printed"]
    assert "player 1 won" in shown["printed"]
