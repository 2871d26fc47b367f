"""The verbs of game theory: `zermelo nash`, `zermelo cfr` and `zermelo form`."""

import contextlib
import io
import json
import signal
import subprocess
import sys
import time
from fractions import Fraction

import pytest
from command_line import refused
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from zermelo.cli import main
from zermelo.errors import BadParameter

DILEMMA = 'Matrix([[3, 0], [5, 1]], [[3, 5], [0, 1]], labels=("silent", "confess"))'


@pytest.fixture(autouse=True)
def _plain_errors(monkeypatch):
    monkeypatch.delenv("ZERMELO_DEBUG", raising=False)
    monkeypatch.setenv("ZERMELO_QUIET", "1")


def printed(capsys, *arguments, code=0):
    assert main(list(arguments)) == code
    return capsys.readouterr().out


def answer(capsys, *arguments, code=0):
    return json.loads(printed(capsys, *arguments, "--json", code=code))


# --- nash ------------------------------------------------------------------------------------------------------------


def test_nash_of_a_table_marks_and_lists_the_equilibrium(capsys):
    out = printed(capsys, "nash", "prisoners_dilemma")
    assert "[1*, 1*]" in out
    assert "1  defect  defect  1, 1" in out
    assert "--all finds all" in out


def test_nash_finds_all_and_says_so(capsys):
    out = printed(capsys, "nash", "battle_of_the_sexes", "--all", "--exact")
    assert "3 equilibria, which are all" in out
    assert "2/3 ballet + 1/3 fight  1/3 ballet + 2/3 fight  2/3, 2/3" in out
    found = answer(capsys, "nash", "battle_of_the_sexes", "--all", "--exact")
    assert found["complete"] is True
    assert found["strategies"] == [["ballet", "fight"]] * 2
    assert [one["profile"] for one in found["equilibria"]][2] == [["2/3", "1/3"], ["1/3", "2/3"]]
    assert {one["regret"] for one in found["equilibria"]} == {"0"}


def test_nash_of_the_share_game_counts_its_sets(capsys):
    out = printed(capsys, "nash", "share", "--all")
    assert "21 extreme equilibria; mixtures within 4 sets in 1 component are equilibria too" in out
    assert "share     no yes yes" in out
    found = answer(capsys, "nash", "share", "--all")
    assert len(found["equilibria"]) == 21
    assert [len(component) for component in found["components"]] == [4]


def test_nash_of_a_game_lists_its_play(capsys):
    out = printed(capsys, "nash", "kuhn_poker", "--exact")
    assert "values -1/18, 1/18; regret 0" in out
    assert "player 1 on ? J | pass: pass 2/3, bet 1/3" in out
    found = answer(capsys, "nash", "kuhn_poker", "--exact")
    assert found["equilibria"][0]["values"] == ["-1/18", "1/18"]
    sure = [row for row in found["equilibria"][0]["policy"] if row["sees"] == "? K | pass"]
    assert [(row["player"], row["odds"], row["reached"]) for row in sure] == [(1, {"pass": "0", "bet": "1"}, True)]


def test_nash_needs_no_table_where_sums_are_zero(capsys):
    found = answer(capsys, "nash", "leduc_poker")
    assert found["equilibria"][0]["method"] == "sequence form"
    assert found["equilibria"][0]["values"][0] == pytest.approx(-0.085606424, abs=1e-8)
    assert found["equilibria"][0]["regret"] < 1e-7


def test_nash_of_tables_typed_by_hand(capsys):
    out = printed(capsys, "nash", "Matrix([[1, -1], [-1, 1/2]])", "--exact")
    assert "3/7 0 + 4/7 1  3/7 0 + 4/7 1  -1/7, 1/7" in out
    assert "confess  confess  1, 1" in printed(capsys, "nash", DILEMMA)
    assert "no payoff table" in refused(capsys, "nash", "Matrix([[1, 2], [3")
    assert "no payoff table" in refused(capsys, "nash", "Matrix(open('x'))")
    assert "ragged" in refused(capsys, "nash", "Matrix([[1, 2], [3]])")


def test_nash_of_three_players_has_every_column(capsys):
    out = printed(capsys, "nash", "el_farol", "--all")
    assert "7 equilibria, which are all" in out
    assert "0.293 stay + 0.707 go  0.293 stay + 0.707 go  0.293 stay + 0.707 go  0, 0, 0" in out


@pytest.mark.parametrize(
    "method", ["vertices", "supports", "lemke-howson", "pure", "lemke", "subgame-perfect", "trembling-hand",
               "quasi-perfect"]
)  # fmt: skip
def test_methods_of_nash(capsys, method):
    share = zermelo.game("share")
    [found] = answer(capsys, "nash", "share", "--method", method)["equilibria"]
    assert float(Fraction(found["regret"])) == 0
    every = {tuple(map(float, one.values)) for one in zermelo.nash(share, all=True)}
    assert tuple(float(Fraction(v)) for v in found["values"]) in every


def test_the_logit_path_comes_near(capsys):
    [found] = answer(capsys, "nash", "stag_hunt", "--method", "logit")["equilibria"]
    assert found["method"] == "logit quantal response"
    assert 0 <= found["regret"] < 1e-3


def test_refinements_say_what_is_done_off_the_path(capsys):
    out = printed(capsys, "nash", "share", "--method", "subgame-perfect")
    assert "player 1 on give: 0 for player 0, 2 for player 1: yes 1" in out
    assert "give: 0 for player 0, 2 for player 1: never reached" in printed(capsys, "nash", "share")
    both = printed(capsys, "nash", "share", "--method", "subgame-perfect", "--all")
    assert "keep      yes yes yes  2, 0" in both
    assert "share     no yes yes   1, 1" in both


def test_methods_that_find_none_or_do_not_fit(capsys):
    assert "no equilibrium found" in printed(capsys, "nash", "rock_paper_scissors", "--method", "pure")
    assert "leave --all out" in refused(capsys, "nash", "share", "--all", "--method", "lemke")
    assert "--exact" in refused(capsys, "nash", "share", "--exact", "--method", "logit")
    assert "two players" in refused(capsys, "nash", "odd_man_out", "--method", "vertices")
    assert "cfr" in refused(capsys, "nash", "leduc_poker", "--all")
    assert "zero" in refused(capsys, "nash", "stag_hunt", "--method", "zero-sum")


def test_zero_sum_in_fractions(capsys):
    found = answer(capsys, "nash", "kuhn_poker", "--method", "zero-sum", "--exact")["equilibria"][0]
    assert (found["values"], found["regret"]) == (["-1/18", "1/18"], "0")
    assert "0, 0" in printed(capsys, "nash", "matching_pennies", "--method", "zero-sum")


# --- cfr -------------------------------------------------------------------------------------------------------------


def test_cfr_stops_where_it_was_told(capsys):
    found = answer(capsys, "cfr", "kuhn_poker", "--until", "1e-2", "--device", "python")
    assert found["exploitability"] <= 1e-2 < found["curve"][-2]["exploitability"]
    assert found["values"][0] == pytest.approx(-1 / 18, abs=1e-2)
    assert found["interrupted"] is False
    assert len(found["policy"]) == 12
    out = printed(capsys, "cfr", "kuhn_poker", "--iterations", "20", "--device", "python")
    assert "cfr+, 20 iterations" in out
    assert "player 1 on ? K | bet: " in out


def test_cfr_of_a_table_names_its_strategies(capsys):
    out = printed(capsys, "cfr", "rock_paper_scissors", "--iterations", "10")
    assert "row: 1/3 rock + 1/3 paper + 1/3 scissors" in out
    assert "coarse correlated" in printed(capsys, "cfr", "prisoners_dilemma", "--iterations", "10")


def test_sampling_is_seeded(capsys):
    given = ("cfr", "kuhn_poker", "--variant", "external", "--iterations", "300", "--device", "python")
    runs = [answer(capsys, *given, "--seed", seed) for seed in ("1", "1", "2")]
    assert runs[0]["policy"] == runs[1]["policy"] != runs[2]["policy"]
    assert runs[0]["seed"] == 1
    unknown = answer(capsys, *given, "--no-assess")
    assert "exploitability unknown" in unknown["note"]


def test_cfr_saves_what_it_found(capsys, tmp_path):
    path = tmp_path / "policy"
    out = printed(capsys, "cfr", "kuhn_poker", "--iterations", "50", "--device", "python", "--save", str(path))
    assert str(path) in out
    poker = zermelo.game("kuhn_poker")
    policy = zermelo.Behaviour.load(path, poker)
    assert zermelo.exploitability(poker, policy, device="python") < 0.05
    nowhere = str(tmp_path / "nowhere" / "policy")
    assert "no such folder" in refused(capsys, "cfr", "kuhn_poker", "--save", nowhere)
    assert "cannot be written" in refused(capsys, "cfr", "kuhn_poker", "--iterations", "1", "--save", str(tmp_path))


def test_an_interrupt_gives_the_answer_so_far():
    """In a process of its own: an interrupt may come anywhere, also into what measures the tests."""
    command = [sys.executable, "-m", "zermelo", "cfr", "kuhn_poker", "--until", "1e-15", "--device", "python", "--json"]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    time.sleep(3)
    running.send_signal(signal.SIGINT)
    found = json.loads(running.communicate(timeout=60)[0])
    assert running.returncode == 130
    assert found["interrupted"] is True
    assert 0 < found["iterations"] == found["curve"][-1]["iteration"]
    assert found["policy"]


def test_cfr_refuses_what_makes_no_sense(capsys):
    assert "above 0" in refused(capsys, "cfr", "kuhn_poker", "--until", "0")
    assert "above 0" in refused(capsys, "cfr", "kuhn_poker", "--until", "nan")
    assert "whole number" in refused(capsys, "cfr", "kuhn_poker", "--iterations", "0")
    assert "invalid choice" in refused(capsys, "cfr", "kuhn_poker", "--variant", "best")


# --- form ------------------------------------------------------------------------------------------------------------


def test_form_shows_information_sets(capsys):
    out = printed(capsys, "form", "kuhn_poker")
    assert "58 nodes, 30 ends, 4 chance nodes, 6 + 6 information sets" in out
    assert "strategies 64 x 64, reduced 27 x 64" in out
    assert "     0  J ? | pass bet  fold, call      2" in out
    found = answer(capsys, "form", "share", "--extensive")
    assert [s["player"] for s in found["sets"]] == [0, 1, 1, 1]
    assert found["perfect_recall"] is True


def test_form_shows_tables(capsys):
    out = printed(capsys, "form", "share", "--normal")
    assert "share: 3 x 8 strategies" in out
    assert "give   0, 2" in out
    found = answer(capsys, "form", "share", "--normal")
    assert found["shape"] == [3, 8]
    assert found["payoffs"][0] == [2, 0]
    assert "too large to be shown" in printed(capsys, "form", "kuhn_poker", "--reduced")
    assert "2 x 2 payoff table" in printed(capsys, "form", "prisoners_dilemma")
    assert "1 + 1 information sets" in printed(capsys, "form", "prisoners_dilemma", "--extensive")


def test_form_says_who_forgets(capsys):
    forgetful = 'move(0, {"a": move(0, [1, 2], information_set="x"), "b": move(0, [3, 4], information_set="x")})'
    assert "No perfect recall: tree: player 0 forgets" in printed(capsys, "form", forgetful)


def test_forms_are_written_and_read_again(capsys, tmp_path):
    tree, table, whole = (str(tmp_path / name) for name in ("share.efg", "share.nfg", "table.efg"))
    assert "10 nodes" in printed(capsys, "form", "share", "--to", tree)
    assert "3 x 8 strategies" in printed(capsys, "form", "share", "--to", table)
    printed(capsys, "form", "share", "--normal", "--to", whole)
    assert zermelo.normal_form(zermelo.game(tree)).shape == (3, 8)
    assert zermelo.game(table).shape == (3, 8)
    assert [len(zermelo.extensive_form(zermelo.game(whole)).sets_of(p)) for p in (0, 1)] == [1, 1]
    pure = answer(capsys, "nash", table, "--all", "--method", "pure")
    assert len(pure["equilibria"]) == 9
    perfect = answer(capsys, "nash", tree, "--all", "--method", "subgame-perfect")
    assert [[float(Fraction(v)) for v in one["values"]] for one in perfect["equilibria"]] == [[2, 0], [1, 1]]


def test_form_refuses_what_it_cannot_write(capsys, tmp_path):
    assert ".nfg" in refused(capsys, "form", "nim", "--to", str(tmp_path / "nim.txt"))
    assert ".efg" in refused(capsys, "form", "nim", "--extensive", "--to", str(tmp_path / "nim.nfg"))
    assert "cannot be written" in refused(capsys, "form", "share", "--to", str(tmp_path / "no" / "share.efg"))
    assert "sequence_form or cfr" in refused(capsys, "form", "leduc_poker", "--reduced")
    broken = tmp_path / "broken.nfg"
    broken.write_text('NFG 1 R "x" { "a" "b" } { 2 2 } 1 2 3')
    assert "broken.nfg" in refused(capsys, "form", str(broken))
    assert "no such file" in refused(capsys, "nash", str(tmp_path / "missing.efg"))


# --- whatever is typed -----------------------------------------------------------------------------------------------

WORDS = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=8)
GAMES = (
    st.sampled_from(
        ["share", "stag_hunt", "trails", "bucket", "coin_bucket", "el_farol", "odd_man_out", "x.nfg", ".efg"]
    )
    | st.sampled_from(
        ["[[1, 5], [2, 3]]", "[[]]", "(1, 2)", "Matrix([1, 2])", "Matrix([[0]])", "Matrix()", "Matrix(1)"]
    )
    | WORDS.map("Matrix({})".format)
)
OPTIONS = {
    "nash": [["--all"], ["--exact"], ["--method", "pure"], ["--method", "lemke"], ["--method", "subgame-perfect"]],
    "cfr": [["--variant", "cfr"], ["--variant", "outcome"], ["--until", "1"], ["--seed", "3"], ["--until", "x"]],
    "form": [["--normal"], ["--reduced"], ["--extensive"], ["--to", "x"], ["--to", "/nowhere/x.efg"]],
}
SHORT = {"nash": [], "cfr": ["--iterations", "5", "--device", "python"], "form": []}


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_verbs_with_anything(data):
    verb = data.draw(st.sampled_from(sorted(OPTIONS)))
    chosen = data.draw(st.lists(st.sampled_from([*OPTIONS[verb], ["--json"]]), max_size=3))
    arguments = [verb, data.draw(GAMES), *SHORT[verb], *(word for words in chosen for word in words)]
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(arguments)
    assert code in (0, 2), (arguments, err.getvalue())
    assert "ZERMELO_DEBUG" not in err.getvalue(), (arguments, err.getvalue())
    if code == 0 and "--json" in arguments and "--help" not in arguments:
        json.loads(out.getvalue())


@pytest.mark.parametrize("typed", ["Matrix([[1, 2], [3, 4]])", "[[3, 5], [2, 9]]"])
def test_json_names_no_tables_as_parameters(capsys, typed):
    for verb in ("nash", "form"):
        assert answer(capsys, verb, typed)["parameters"] == {}
    assert answer(capsys, "form", "nim:heaps=(1,1)")["parameters"]["heaps"] == [1, 1]


def test_subgame_perfect_in_fractions(capsys):
    assert "values -1/18, 1/18" in printed(capsys, "nash", "kuhn_poker", "--method", "subgame-perfect", "--exact")


def test_what_was_learned_is_printed_even_if_it_cannot_be_saved(capsys, monkeypatch, tmp_path):
    def full(*_):
        raise BadParameter(f"{place!r} cannot be written: No space left on device")

    place = str(tmp_path / "kuhn.policy")
    monkeypatch.setattr(zermelo.Behaviour, "save", full)
    assert main(["cfr", "kuhn_poker", "--iterations", "10", "--save", place]) == 2
    out, err = capsys.readouterr()
    assert "exploitability" in out
    assert place not in out
    assert err == f"zermelo: {place!r} cannot be written: No space left on device\n"
    assert "it is a folder" in refused(capsys, "cfr", "kuhn_poker", "--iterations", "10", "--save", ".")
