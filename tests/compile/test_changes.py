"""What rules read may change while a process runs: every machine then plays by the rules as they are now."""

import sys
import textwrap
import types

import pytest

import zermelo

SOURCE = """
    from typing import NamedTuple
    from zermelo import Game

    WORTH = 8
    LIST = [3, 5]
    MOST = 2
    LENGTH = 2

    def doubled(x):
        return 2 * x

    class Pick(Game):
        max_actions = 8

        class State(NamedTuple):
            taken: int
            pile: tuple[int, ...]

        def initial(self):
            return self.State(0, (1,) * LENGTH)

        def to_move(self, s):
            return 0

        def actions(self, s):
            for n in range(1, MOST + 1):
                yield n

        def result(self, s, action):
            return self.State(action, s.pile)

        def is_terminal(self, s):
            return s.taken > 0

        def utility(self, s, player):
            value = doubled(s.taken) * WORTH + sum(s.pile)
            return float(value if player == 0 else -value)

    def guess(s):
        return float(WORTH)
"""


@pytest.fixture
def rules():
    module = types.ModuleType("rules_that_change")
    sys.modules[module.__name__] = module
    source = textwrap.dedent(SOURCE)
    path = f"<{module.__name__}>"
    lines = source.splitlines(keepends=True)
    __import__("linecache").cache[path] = (len(source), None, lines, path)
    exec(compile(source, path, "exec"), vars(module))
    yield module
    del sys.modules[module.__name__]


def both(game, **options):
    return [zermelo.alphabeta(game, device=device, **options).value for device in ("python", "cpu")]


def test_a_constant_changes(rules):
    game = rules.Pick()
    assert both(game) == [34.0, 34.0]
    rules.WORTH = 100
    assert both(game) == [402.0, 402.0]
    rules.WORTH = 8
    assert both(game) == [34.0, 34.0]


def test_actions_change(rules):
    game = rules.Pick()
    assert both(game) == [34.0, 34.0]
    rules.MOST = 3
    assert both(game) == [50.0, 50.0]


def test_a_function_changes(rules):
    game = rules.Pick()
    assert both(game) == [34.0, 34.0]
    source = "def doubled(x):\n    return 3 * x\n"
    __import__("linecache").cache["<other>"] = (len(source), None, source.splitlines(keepends=True), "<other>")
    exec(compile(source, "<other>", "exec"), vars(rules))
    assert both(game) == [50.0, 50.0]


def test_a_method_changes(rules):
    game = rules.Pick()
    assert both(game) == [34.0, 34.0]

    def utility(self, s, player):
        return 1.0 if player == 0 else -1.0

    rules.Pick.utility = utility
    assert both(game) == [1.0, 1.0]


def test_the_shape_of_states_changes(rules):
    game = rules.Pick()
    assert both(game) == [34.0, 34.0]
    rules.LENGTH = 3
    assert both(game) == [35.0, 35.0]


def test_an_estimate_changes(rules):
    game = rules.Pick()
    assert both(game, depth=0, evaluate=rules.guess) == [8.0, 8.0]
    rules.WORTH = 9
    assert both(game, depth=0, evaluate=rules.guess) == [9.0, 9.0]


def test_traits_are_found_out_again(rules):
    game = rules.Pick()
    assert game.traits.zero_sum

    def utility(self, s, player):
        return float(s.taken)

    rules.Pick.utility = utility
    with pytest.raises(zermelo.UnsuitableGame, match="zero sum"):
        zermelo.alphabeta(game)
    assert not game.traits.zero_sum


@pytest.mark.parametrize("device", ["python", "cpu"])
def test_what_searches_keep_from_move_to_move_ends_with_the_rules(rules, device):
    game = rules.Pick()
    engine, player = zermelo.Engine(game, device=device), zermelo.Mcts(game, device=device, seed=1)
    few = zermelo.Limit(simulations=50)
    assert engine.search(limit=zermelo.Limit(depth=3)).value == 34.0
    assert player.search(limit=few).moves[2].value == 34.0
    rules.WORTH = 100
    assert engine.search(limit=zermelo.Limit(depth=3)).value == 402.0
    assert player.search(limit=few).moves[2].value == 402.0


def test_what_rules_write_themselves_is_no_change(rules):
    """A count of calls, a memory of what was found out."""
    source = """
    class Counting(Pick):
        seen = 0

        def result(self, s, action):
            global WORTH
            WORTH = WORTH + 0.0
            type(self).seen += 1
            KNOWN[s, action] = self.seen
            return self.State(action, s.pile)
    """
    vars(rules)["KNOWN"] = {}
    exec(textwrap.dedent(source), vars(rules))
    game = rules.Counting()
    traits = game.traits
    for _ in range(3):
        assert zermelo.alphabeta(game, device="python").value == 34.0
    assert game.traits is traits
    assert len(rules.KNOWN) == 2


def test_what_a_game_remembers_is_no_part_of_its_digest():
    from zermelo.compile.reach import game_digest

    tree = zermelo.Tree([[3, 12], [2, 4]])
    before = game_digest(tree)
    hash(tree), repr(tree), tree.traits
    assert game_digest(tree) == before


def test_a_file_that_was_edited_under_a_running_process_is_refused(tmp_path, monkeypatch):
    """Native code is made of what the file says, plain code of what it said: what differs would even be kept."""
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path / "native"))
    path = tmp_path / "edited.py"
    source = textwrap.dedent(SOURCE)
    path.write_text(source)
    game = zermelo.game(f"{path}:Pick")
    path.write_text(source.replace("s.taken > 0", "s.taken < 0").replace("else -value", "else +value"))
    with pytest.raises(zermelo.CompileError, match="the file has changed since it was loaded"):
        zermelo.alphabeta(game, device="cpu")
    assert zermelo.alphabeta(game, device="python").value == 34.0
    assert zermelo.alphabeta(zermelo.game(f"{path}:Pick"), depth=0, device="cpu").bound == "estimate"
