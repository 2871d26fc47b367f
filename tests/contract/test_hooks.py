"""What a game may define beyond the six functions: each hook is declared once, and the package asks for no other."""

import ast
import inspect
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

import zermelo
from zermelo import Game, games
from zermelo.contract.hooks import HOOKS, Hook, Hooks
from zermelo.games.go import Go

PACKAGE = Path(zermelo.__file__).parent
ALL = [hook for hooks in HOOKS.values() for hook in hooks]
NAMES = [hook.name for hook in ALL]
ROOMS = {room for hook in ALL for room in hook.callers}
OF_ONE_KIND = {"games", "solving", "notation", "protocols", "draw", "cli", "equilibrium", "contract"}
"""Rooms with modules for one kind of game (Go, tables), of which they may ask what others do not have."""
THEIR_OWN = {"compile", "games", "demo"}
"""The compiler knows all rules by name, and the others are no callers: games ask themselves, the tour shows."""
every_hook = pytest.mark.parametrize("hook", ALL, ids=NAMES)


def room_of(path: Path) -> str:
    """The room that a file is in, as callers are named."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    module = ".".join(part for part in parts if part != "__init__")
    inside = [room for room in ROOMS if f"{module}.".startswith(f"{room}.")]
    return max(inside, key=len, default=parts[0])


def asked_of_games(path: Path, *, by_word: bool = False) -> Iterator[str]:
    """The names that a file asks games for, as `game.name` or by `getattr` and `hasattr`; `by_word`: those alone."""
    holders = {"game", "_game", "self"} if room_of(path) == "contract" else {"game", "_game"}

    def is_game(node: ast.expr) -> bool:
        return getattr(node, "id", None) in holders or getattr(node, "attr", None) in ("game", "_game")

    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute) and is_game(node.value) and not by_word:
            yield node.attr
        elif isinstance(node, ast.Call) and getattr(node.func, "id", None) in ("getattr", "hasattr"):
            if is_game(node.args[0]) and isinstance(node.args[1], ast.Constant):
                yield node.args[1].value


@cache
def asked() -> dict[str, set[str]]:
    """For each room what it asks games for."""
    found = defaultdict(set)
    for path in PACKAGE.rglob("*.py"):
        found[room_of(path)].update(asked_of_games(path))
    return found


def test_each_is_declared_once() -> None:
    assert len(set(NAMES)) == len(NAMES)
    declared = {name for name in [*vars(Hooks), *Hooks.__annotations__] if not name.startswith("_")}
    assert declared <= set(NAMES)
    assert set(NAMES) - declared == {"is_over", "fill"}


@every_hook
def test_games_have_it_or_none(hook: Hook) -> None:
    member = inspect.getattr_static(Game, hook.name)
    if inspect.isfunction(member):
        assert list(inspect.signature(member).parameters)[1:] == parameters(hook)


@every_hook
def test_those_who_call_it_are_named(hook: Hook) -> None:
    callers = {room for room, names in asked().items() if hook.name in names} - THEIR_OWN
    if "contract" not in hook.callers:
        callers.discard("contract")
    named = set(hook.callers)
    assert callers == named, f"contract/hooks.py, {hook.name}: add {callers - named}, leave out {named - callers}"


def test_each_is_asked_for() -> None:
    assert [hook.name for hook in ALL if not hook.callers] == []


def test_nothing_else_is_asked_for() -> None:
    known = set(dir(Game)) | set(Game.__annotations__) | {"State", "initial", "to_move", "result", "utility"}
    for room, names in asked().items():
        if room not in OF_ONE_KIND:
            assert names - known == set(), room
    for path in PACKAGE.rglob("*.py"):
        assert set(asked_of_games(path, by_word=True)) - known == set(), path


@pytest.mark.parametrize("name", sorted(games))
def test_games_define_them_as_declared(name: str) -> None:
    for hook in ALL:
        member = inspect.unwrap(inspect.getattr_static(games[name], hook.name))
        if inspect.isfunction(member):
            own = list(inspect.signature(member).parameters.values())[1:]
            needed = [p for p in own if p.default is p.empty]
            more = hook.name == "evaluate"  # of several players
            assert len(needed) <= len(parameters(hook)) + more, hook.name
            assert len(own) >= len(parameters(hook)), hook.name


def parameters(hook: Hook) -> list[str]:
    """The parameters that its signature names."""
    inside = hook.signature.partition("(")[2].rstrip(")")
    return [name.strip() for name in inside.split(",")] if inside else []


class Everyday(Game):
    """A game whose parameters and helpers have everyday names."""

    size: int = 3
    index: int = 0
    features = "none"

    class State(NamedTuple):
        planes: int
        player: int

    def initial(self):
        return self.state_at(self.size)

    def state_at(self, planes):
        return self.State(planes, 0)

    def is_valid(self, s):
        return s.planes >= 0

    def predecessors(self, s):
        return s.planes + 1

    def to_move(self, s):
        return s.player

    def actions(self, s):
        yield from range(self.index, min(2, s.planes))

    def result(self, s, action):
        return self.State(s.planes - action - 1, 1 - s.player)

    def is_terminal(self, s):
        return s.planes == 0

    def utility(self, s, player):
        return 1.0 if player != s.player else -1.0


def test_everyday_words_are_free() -> None:
    game = Everyday(size=4)
    assert game.parameters == {"size": 4, "index": 0}
    assert zermelo.check(game)
    for device in ("python", "cpu"):
        assert zermelo.minimax(game, device=device).value == 1.0
    assert Go().size == 9
