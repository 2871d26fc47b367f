"""The verb `match`."""

import json

import pytest
from command_line import refused

import zermelo
from zermelo.cli import main
from zermelo.notation import sgf


@pytest.fixture(autouse=True)
def _plain_errors(monkeypatch):
    monkeypatch.delenv("ZERMELO_DEBUG", raising=False)


def test_a_match(capsys):
    assert main(["match", "tic_tac_toe", "minimax", "random", "--games", "8"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("minimax v. random: 8 games, +")
    assert "score" in out
    assert "Elo" in out
    assert err == ""


def test_the_table_of_several_players(capsys):
    assert main(["match", "tic_tac_toe", "minimax", "random", "random:name=Dice", "--games", "2"]) == 0
    out = capsys.readouterr().out
    assert "2 others" in out
    assert "Dice" in out


def test_json(capsys):
    arguments = ["match", "tic_tac_toe", "minimax", "random", "--games", "6", "--sprt", "0,50", "--seed", "2", "--json"]
    assert main(arguments) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["game"] == "tic_tac_toe"
    assert found["games"] == 6
    assert found["players"] == ["minimax", "random"]
    assert set(found["sprt"]) == {"llr", "lower", "upper", "accepted"}
    assert found["wins"] + found["draws"] + found["losses"] == 6


def test_files(capsys, tmp_path):
    store, pgn = tmp_path / "m.jsonl", tmp_path / "m.pgn"
    command = ["match", "tic_tac_toe", "minimax", "random", "--games", "4", "--store", str(store), "--pgn", str(pgn)]
    assert main(command) == 0
    first = capsys.readouterr().out
    assert main(command) == 0
    assert capsys.readouterr().out == first
    assert pgn.read_text().count("[Event ") == 4


def test_games_in_sgf(capsys, tmp_path):
    path, store = tmp_path / "m.sgf", tmp_path / "m.jsonl"
    command = ["match", "hex:size=3", "alphabeta:depth=1", "random", "--store", str(store), "--sgf", str(path)]
    assert main([*command, "--games", "2"]) == 0
    assert main([*command, "--games", "4"]) == 0
    capsys.readouterr()
    records = list(sgf.read(path, strict=True))
    assert [record.headers["RO"] for record in records] == ["1", "2", "3", "4"]
    assert {record.headers["PB"] for record in records} == {"alphabeta:depth=1", "random"}
    for record in records:
        assert record.game == zermelo.game("hex:size=3")
        end = [*record.states()][-1]
        assert record.game.is_terminal(end)
        assert record.result == ("1-0" if record.game.utility(end, 0) > 0 else "0-1")


def test_lost_games_in_sgf(tmp_path):
    go, path = zermelo.game("go:size=5"), tmp_path / "m.sgf"

    def cheat(game, state, history, clock):
        return 99

    zermelo.match(go, [cheat, "random"], games=2, openings="random:3", sgf=path)
    records = list(sgf.read(path, strict=True))
    assert [record.headers["RE"] for record in records] == ["W+F", "B+F"]
    assert "cheat played 99, which is not legal" in path.read_text()
    assert [len(record.actions) for record in records] == [4, 3]  # after three moves White is to move


def test_sampling_in_a_match(capsys):
    command = ["match", "tic_tac_toe", "mcts:simulations=200,device=python", "random", "--games", "4", "--json"]
    assert main(command) == 0
    first = json.loads(capsys.readouterr().out)
    assert main(command) == 0
    again = json.loads(capsys.readouterr().out)
    for one, other in zip(first.pop("records"), again.pop("records"), strict=True):
        assert one["positions"] == other["positions"]
    assert again == first
    assert first["losses"] == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["tic_tac_toe"], "PLAYER"),
        (["tic_tac_toe", "random"], "two players"),
        (["tic_tac_to", "random", "random"], "tic_tac_toe"),
        (["tic_tac_toe", "random", "randm"], "did you mean random"),
        (["tic_tac_toe", "random", "random", "--games", "0"], "whole number"),
        (["tic_tac_toe", "random", "random", "--clock", "soon"], "no time control"),
        (["tic_tac_toe", "random", "random", "--openings", "missing.txt"], "No such file"),
        (["tic_tac_toe", "random", "random", "--sprt", "1"], "no test"),
        (["tic_tac_toe", "random", "random", "--draw", "8"], "moves and a score"),
        (["tic_tac_toe", "random", "random", "--margin", "x"], "no number"),
        (["tic_tac_toe", "random", "uci:/no/such/program"], "no such program"),
        (["pig", "random", "search:depth=2"], "chance"),
        (["tic_tac_toe", "random", "mcts:depth=3"], "limited by time or simulations, not by"),
        (["tic_tac_toe", "random", "random", "--sgf", "games.sgf"], "not written in SGF"),
    ],
)
def test_mistakes_are_one_line(capsys, arguments, words):
    assert words in refused(capsys, "match", *arguments)
