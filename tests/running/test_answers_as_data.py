"""Answers leave Python: as pickles, those of games in files of the user's too, as JSON and as tables."""

import inspect
import json
import pickle
import re
import subprocess
import sys
import textwrap
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from answers import ANSWERS, POKER, TOE
from small_games import Countdown

import zermelo
import zermelo.types
from zermelo import Policy, UnknownGame
from zermelo.cli import main
from zermelo.policy import in_an_answer
from zermelo.record import RecordedTree

RULES = """
from typing import NamedTuple
from zermelo import Game

class Nim(Game):
    class State(NamedTuple):
        left: int
        player: int

    def initial(self):
        return self.State(3, 0)
    def to_move(self, s):
        return s.player
    def actions(self, s):
        yield from range(1, min(s.left, 2) + 1)
    def result(self, s, action):
        return self.State(s.left - action, 1 - s.player)
    def is_terminal(self, s):
        return s.left == 0
    def utility(self, s, player):
        return -1.0 if player == s.player else 1.0
"""


def known(answer: Any) -> str:
    """All that an answer shows of itself."""
    return re.sub(" at 0x[0-9a-f]+", "", f"{answer!r}\n{answer}")


@pytest.fixture(scope="module", params=ANSWERS)
def answer(request: pytest.FixtureRequest) -> Any:
    """Each kind of answer."""
    return ANSWERS[request.param]()


def test_every_answer_pickles(answer: Any) -> None:
    again = pickle.loads(pickle.dumps(answer))
    assert type(again) is type(answer)
    assert known(again) == known(answer)


def test_policies_say_the_same_when_they_come_back() -> None:
    for name in ("cfr", "cfr by sampling", "sequence form"):
        policy = ANSWERS[name]().policy
        again = pickle.loads(pickle.dumps(policy))
        for cards in ((0, 1), (0, 2), (1, 0), (2, 1)):
            s = POKER.play(POKER.initial(), *cards)
            assert again(s) == policy(s)
        assert sorted(again.choose) == sorted(policy.choose)
    uniform = pickle.loads(pickle.dumps(Policy.uniform(POKER)))
    assert uniform(POKER.play(POKER.initial(), 0, 1)) == {0: 0.5, 1: 0.5}


def test_trees_of_long_games_pickle() -> None:
    tree = zermelo.minimax(Countdown(600), record=True, device="python").tree
    again = pickle.loads(pickle.dumps(tree))
    assert isinstance(again, RecordedTree)
    assert [*again.root.walk()][-1].path == (1,) * 600
    assert [node.value for node in again.root.walk()] == [node.value for node in tree.root.walk()]


def test_games_that_were_used_pickle_small() -> None:
    game = zermelo.game("kuhn_poker")
    assert game.name == "kuhn_poker"
    before = len(pickle.dumps(game))
    zermelo.cfr(game, iterations=1)
    assert len(pickle.dumps(game)) == before
    assert pickle.loads(pickle.dumps(zermelo.Tree([1, 2], title="by hand"))).name == "by hand"


def unpickled_elsewhere(path: Path, expression: str) -> str:
    """What another process makes of a pickle, without importing anything before."""
    code = f"import pickle\nfound = pickle.load(open({str(path)!r}, 'rb'))\nprint({expression})"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=path.parent)
    return run.stdout.strip() or run.stderr.strip().splitlines()[-1]


def test_games_in_files_pickle(tmp_path: Path) -> None:
    file, kept = tmp_path / "my games.py", tmp_path / "kept"
    file.write_text(textwrap.dedent(RULES), encoding="utf-8")
    game = zermelo.game(str(file))
    answer = zermelo.minimax(game, record=True)
    assert pickle.loads(pickle.dumps(answer)).game == game
    kept.write_bytes(pickle.dumps([game.initial(), answer, game]))
    assert unpickled_elsewhere(kept, "found[0], found[1].value, found[2]") == "State(left=3, player=0) -1.0 Nim()"
    file.write_text(RULES + "    # a remark\n", encoding="utf-8")
    assert unpickled_elsewhere(kept, "found[1].line_names, len(found[1].tree)") == "('1', '2') 7"
    file.unlink()
    said = unpickled_elsewhere(kept, "found")
    assert said.startswith(f"{UnknownGame.__module__}.UnknownGame: this was pickled with a game from a file")
    assert str(file) in said


WITH_FRAMES = {
    "Analysis": "value",
    "Behaviour": "odds",
    "BestPlay": "odds",
    "BestResponses": "action",
    "Divided": "paths",
    "Equilibria": "equilibrium",
    "Equilibrium": "odds",
    "FictitiousPlay": "average",
    "GameRecord": "position",
    "MatchResult": "points",
    "Playouts": "mean",
    "Policy": "odds",
    "QuantalPath": "precision",
    "RegretMatching": "current",
    "Replicated": "current",
    "Solved": "score",
}
"""The answers that become tables, and a column of each."""


def test_every_document_is_json(answer: Any) -> None:
    if hasattr(answer, "to_json"):
        document = answer.to_json()
        assert json.loads(json.dumps(document, allow_nan=False)) == document


def test_answers_become_tables(answer: Any) -> None:
    pytest.importorskip("pandas")
    column = WITH_FRAMES.get(type(answer).__name__)
    assert hasattr(answer, "to_frame") == (column is not None)
    if column is not None:
        table = answer.to_frame()
        # Where chance moves first, no move was looked at.
        assert len(table) > 0 or not answer.moves
        assert table[column].notna().any() or table.empty


def given_by(kind: Any) -> Iterator[type]:
    """The classes of this package in what a function returns."""
    if isinstance(kind, type) and kind.__module__.startswith("zermelo."):
        yield kind
    for part in typing.get_args(kind):
        yield from given_by(part)


def test_every_kind_of_answer_is_tried() -> None:
    called = [getattr(zermelo, name) for name in zermelo.__all__ if callable(getattr(zermelo, name))]
    # Plain searches are made of functions that prepare them.
    plain = [f if hasattr(f, "__signature__") else inspect.unwrap(f) for f in called if not isinstance(f, type)]
    functions = [f if inspect.isfunction(f) else type(f).__call__ for f in plain]
    # Pieces of trees, programs for other machines, and a game that is being played: no answers.
    inputs = {"Play", "Decision", "Lottery", "Machine", "Kernel", "Table"}
    # Names that a module has for type checkers alone are public ones.
    known = vars(zermelo.types) | {name: getattr(zermelo, name) for name in zermelo.__all__}
    kinds = {kind for f in functions for kind in given_by(typing.get_type_hints(f, localns=known).get("return"))}
    tried = {base for make in ANSWERS.values() for base in type(make()).__mro__}
    missing = {kind.__name__ for kind in kinds - tried} - inputs
    assert not missing


def test_policies_are_maps() -> None:
    for name in ("cfr", "sequence form", "sequence form, nothing hidden", "nash of a tree"):
        found = ANSWERS[name]()
        policy = found[0].policy if isinstance(found, list) else found.policy
        said = policy.to_dict()
        assert dict(policy) == said
        again = type(policy)(policy.game, said)
        listed = policy.situations()
        assert len(listed) > 0
        assert {again.key_of(x): x.odds for x in again.situations() if x.reached} == {
            policy.key_of(x): x.odds for x in listed if x.reached
        }


def test_policies_say_where_play_comes() -> None:
    poker = zermelo.game("kuhn_poker")
    timid = zermelo.Behaviour(poker, dict.fromkeys(zermelo.cfr(poker, iterations=1).policy.to_dict(), 0))
    reached = {row["sees"]: row["reached"] for row in timid.to_json()["policy"]}
    assert len(reached) == 12
    assert reached["J ?"]
    assert reached["? K | pass"]
    assert not reached["? K | bet"]
    assert next(row["odds"] for row in timid.to_json()["policy"]) == {"pass": 1.0, "bet": 0}


def test_documents_leave_large_policies_out() -> None:
    game = zermelo.game("goofspiel:cards=5")
    found = zermelo.cfr(game, iterations=1, variant="external", assess=False, seed=1)
    document = found.to_json()
    assert document["policy"] is None
    assert "to_json lists it" in document["policy_note"]
    searching = Policy.best(TOE, zermelo.minimax)
    assert in_an_answer(searching, nodes=1_000_000)["policy"] is None


def test_the_command_line_prints_what_to_json_says(capsys: pytest.CaptureFixture[str]) -> None:
    timed = {"seconds", "moves_per_second", "interrupted", "curve", "saved", "seed", "clock", "paths_per_second"}
    for command, answer in (
        (["analyse", "kuhn_poker"], lambda: zermelo.sequence_form(POKER)),
        (["nash", "prisoners_dilemma"], lambda: zermelo.nash(zermelo.game("prisoners_dilemma"))),
        (["cfr", "kuhn_poker", "--iterations", "10"], lambda: zermelo.cfr(POKER, iterations=10)),
        (["playouts", "kuhn_poker", "--games", "10"], lambda: zermelo.playouts(POKER, games=10)),
        (["perft", "tic_tac_toe", "2", "--divide"], lambda: zermelo.perft_divide(TOE, 2)),
        (["form", "share"], lambda: zermelo.extensive_form(zermelo.game("share"))),
        (["tree", "[[3, 5], [2, 9]]"], lambda: zermelo.alphabeta(zermelo.Tree([[3, 5], [2, 9]]), record=True).tree),
        (
            ["check", "nim", "--python-only", "--games", "3"],
            lambda: zermelo.check(zermelo.game("nim"), games=3, machines=False),
        ),
        (["solve", "connect_four:rows=4,cols=4"], lambda: zermelo.solve(zermelo.game("connect_four:rows=4,cols=4"))),
    ):
        assert main([*command, "--json"]) == 0
        printed, said = json.loads(capsys.readouterr().out), answer().to_json()
        for document in (printed, said, *printed.get("equilibria", ()), *said.get("equilibria", ())):
            for name in timed & document.keys():
                del document[name]
        assert {name: printed[name] for name in said} == said, command


def test_records_carry_their_states() -> None:
    result = ANSWERS["match"]()
    for record in result.games:
        assert [result.game.format_state(s) for s in record.states(result.game)] == list(record.positions)
        assert len(record.move_names) == len(record.actions) == len(record.values) == len(record.times)
        assert set(record.clocks) == {None}
        assert sum(record.times) == pytest.approx(sum(record.seconds), abs=2e-3)
        searched = {seat for seat in (0, 1) if record.seats[seat] == 0}
        movers = [result.game.to_move(s) for s in record.states(result.game)[:-1]]
        assert [mover in searched for mover in movers] == [value is not None for value in record.values]


def test_what_is_missing_is_said_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(zermelo.MissingPackage, match=r"pip install 'zermelo\[data\]'"):
        zermelo.playouts(POKER, games=10).to_frame()
    assert issubclass(zermelo.MissingPackage, ImportError)
