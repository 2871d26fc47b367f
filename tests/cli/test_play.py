"""Games on the terminal, played by scripts."""

import io
import json

import pytest
from small_games import Push, Ring, written

from zermelo.cli import main


@pytest.fixture
def played(monkeypatch, capsys):
    """Play with these lines as the person's input; the exit code, the output and the error stream."""
    monkeypatch.delenv("ZERMELO_DEBUG", raising=False)

    def play(lines, *arguments):
        monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines) + "\n" * bool(lines)))
        code = main(["play", *arguments])
        return code, *capsys.readouterr()

    return play


def record(out):
    """The names of the moves in a record."""
    return [move["name"] for move in json.loads(out)["moves"]]


def test_a_person_against_a_perfect_machine(played):
    code, out, err = played(["b2", "c1", "b1", "c2", "a3"], "tic_tac_toe", "--second", "alphabeta")
    assert (code, err) == (0, "")
    assert "player 1: a1" in out
    assert "result: player 0 (you)" in out
    assert "player 1 won" in out or "a draw" in out


def test_the_machine_is_second_to_none(played):
    _, out, _ = played(["a1", "a2", "b2"], "tic_tac_toe", "--second", "alphabeta")
    assert "player 0 (you) won" not in out


def test_wrong_moves_get_one_line_and_another_try(played):
    code, out, _ = played(["z9", "", "b2"], "tic_tac_toe", "--json")
    assert code == 0
    code, out, _ = played(["z9", "", "b2"], "tic_tac_toe")
    assert out.count("'z9' is not legal here") == 1
    assert "player 1: " in out


def test_commands(played):
    code, out, _ = played(["help", "moves", "hint", "undo", "quit"], "tic_tac_toe")
    assert code == 0
    assert "to take your last move back" in out
    assert "a1  b1  c1" in out
    assert "hint: a1" in out
    assert "no move of yours" in out
    assert "unfinished" in out


def test_undo_takes_back_the_answer_too(played):
    lines = ["a1", "b3", "undo", "c3", "quit"]
    _, out, _ = played(lines, "tic_tac_toe", "--second", "random", "--seed", "4", "--json")
    _, straight, _ = played(["a1", "c3", "quit"], "tic_tac_toe", "--second", "random", "--seed", "4", "--json")
    assert record(out) == record(straight)
    assert record(out)[0] == "a1"
    assert record(out)[2] == "c3"


def test_the_end_of_the_input_ends_the_game(played):
    for lines in ([], ["a1"]):
        code, out, err = played(lines, "tic_tac_toe")
        assert (code, err) == (0, "")
        assert out.endswith("unfinished\n")


def test_machines_among_themselves(played):
    code, out, err = played([], "nim:heaps=(3,4)", "--first", "alphabeta", "--second", "random", "--seed", "1")
    assert (code, err) == (0, "")
    assert out.splitlines()[-1] == "result: player 0 1, player 1 -1; player 0 won"


def test_the_record(played):
    code, out, err = played([], "pig", "--first", "random", "--second", "random", "--seed", "5", "--json")
    found = json.loads(out)
    assert (code, err) == (0, "")
    assert found["finished"] is True
    assert found["players"] == ["random", "random"]
    assert {move["player"] for move in found["moves"]} == {0, 1, "chance"}
    assert sorted(found["utilities"]) == [-1, 1]
    again = played([], "pig", "--first", "random", "--second", "random", "--seed", "5", "--json")[1]
    other = played([], "pig", "--first", "random", "--second", "random", "--seed", "6", "--json")[1]
    assert out == again != other


def test_with_json_people_read_the_error_stream(played):
    code, out, err = played(["50"], "bucket", "--first", "random", "--second", "human", "--seed", "0", "--json")
    assert code == 0
    assert json.loads(out)["players"] == ["random", "human"]
    assert "moves:" in err


def test_sampling_sits_at_the_table(played):
    who = ["--first", "mcts:simulations=100", "--second", "random", "--device", "python", "--seed", "2", "--json"]
    code, out, err = played([], "tic_tac_toe", *who)
    assert (code, err) == (0, "")
    assert json.loads(out)["players"] == ["mcts:simulations=100", "random"]
    assert json.loads(out)["utilities"][0] >= 0
    _, out, _ = played([], "pig:target=5", "--players", "mcts:simulations=30;random", "--device", "python", "--json")
    assert json.loads(out)["finished"] is True
    code, _, err = played([], "tic_tac_toe", "--first", "mcts", "--depth", "3", "--device", "python")
    assert (code, "mcts knows no depth" in err) == (2, True)


def test_three_players(played):
    code, out, _ = played([], "alliance", "--players", "maxn,maxn,maxn", "--depth", "9", "--json")
    assert code == 0
    assert json.loads(out)["utilities"] == [0.5, 0.5, 0]
    code, out, _ = played(["attack 2", "quit"], "alliance", "--depth", "9")
    assert "player 1: attack 2" in out


def test_two_people_at_one_terminal(played):
    code, out, _ = played(["A", "-50"], "bucket", "--first", "human", "--second", "human")
    assert code == 0
    assert "player 1 > " in out
    assert "result: player 0 -50, player 1 50" in out


def test_people_see_their_own_cards_alone(played):
    _, out, _ = played(["bet"], "kuhn_poker", "--seed", "3")
    lines = out.splitlines()
    assert [line for line in lines if line.startswith("chance")] == ["chance: Q"]
    assert "Q ?" in lines
    assert not any(line.startswith(("Q J", "Q K")) for line in lines)


def test_hands_that_are_shown_at_once_stay_hidden(played):
    _, out, _ = played([], "rock_paper_scissors", "--first", "random", "--second", "human")
    assert "\nrow: " not in out
    _, out, _ = played(["paper"], "rock_paper_scissors", "--first", "random", "--second", "human")
    assert "\nrow: " in out


def test_hints_in_hidden_games_tell_odds(played):
    _, out, _ = played(["hint"], "rock_paper_scissors")
    assert "hint: rock 33%, paper 33%, scissors 33%" in out
    _, out, _ = played(["hint"], "prisoners_dilemma")
    assert "no method here" in out


def test_an_equilibrium_sits_at_the_table(played):
    _, out, _ = played([], "kuhn_poker", "--first", "sequence_form", "--second", "auto", "--json")
    assert json.loads(out)["players"] == ["sequence_form", "sequence_form"]


def test_machines_that_do_not_fit_are_refused_at_once(played):
    for arguments, reason in (
        (["kuhn_poker", "--first", "alphabeta"], "hides"),
        (["pig", "--second", "minimax"], "chance"),
        (["share", "--second", "alphabeta"], "zero sum"),
        (["nim", "--first", "nobody"], "no player"),
        (["nim", "--players", "human"], "2 players"),
        (["nim", "--players", "human,nobody"], "no player"),
        (["nim", "--players", "human,random", "--first", "human"], "not both"),
        (["trails", "--second", "random"], "one player"),
        (["kuhn_poker", "--depth", "2"], "depth makes no sense"),
    ):
        code, out, err = played([], *arguments)
        assert (code, out) == (2, ""), arguments
        assert reason in err
        assert err.count("\n") == 1


def test_a_game_may_begin_anywhere(played):
    _, out, _ = played(["a3"], "tic_tac_toe", "--moves", "a1 b1 a2 b2", "--json")
    assert json.loads(out)["utilities"] == [1, -1]


def test_repeated_positions(played, tmp_path):
    for rule, moves in (('("draw", 2)', 20), ('"forbidden"', 5)):
        path = tmp_path / "ring.py"
        path.write_text(f"{written(Push, Ring)}\n    repetition = {rule}\n")
        code, out, _ = played([], f"{path}:Ring", "--first", "random", "--second", "random", "--json")
        found = json.loads(out)
        assert code == 0
        assert found["finished"] is True
        assert 2 <= len(found["moves"]) <= moves
