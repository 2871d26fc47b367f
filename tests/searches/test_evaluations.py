"""Evaluations by name: what they are made of, their values by hand, and that they mean the same on both machines."""

import json
import random
from typing import NamedTuple

import pytest

import zermelo
from zermelo import BadParameter, Evaluation, Game, evaluate, game
from zermelo.cli import main
from zermelo.games.chess.moves import write_legal

CHESS = game("chess")
ITALIAN = CHESS.parse_state("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4")
NAMED = [(name, key) for name in ("chess", "tic_tac_toe") for key in game(name).evaluations]


def features(position: str, name: str) -> dict[str, float]:
    return evaluate(CHESS, CHESS.parse_state(position), name).features


def test_material_in_pawns() -> None:
    found = evaluate(CHESS, CHESS.parse_state("3qk3/8/8/8/8/8/PP6/R3K1N1 w - - 0 1"), "material")
    assert found.features == {"pawns": 2, "knights": 1, "bishops": 0, "rooks": 1, "queens": -1}
    assert found.total == 2 * 1 + 3 + 5 - 9
    assert 0 < found.value < 1


def test_four_features() -> None:
    found = evaluate(CHESS, CHESS.parse_state("3qk3/8/8/8/8/8/PP6/R3K1N1 w - - 0 1"), "four_features")
    assert found.features["material"] == 2 * 1 + 5 + 8 - 16
    assert found.total == pytest.approx(sum(found.weights[name] * x for name, x in found.features.items()))
    assert features("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "four_features")["mobility"] == 10 + 5 - 5
    assert features("6k1/8/8/8/8/8/5PPP/6K1 w - - 0 1", "four_features")["king safety"] == 3
    assert features("4k3/8/8/8/3P4/8/8/4K3 w - - 0 1", "four_features")["centre control"] == 1 + 1


def test_mobility_counts_legal_moves() -> None:
    drawn = random.Random(1)
    for _ in range(5):
        s = CHESS.initial()
        while not CHESS.is_terminal(s):
            actions = list(CHESS.actions(s))
            assert write_legal(s, None, 0, False) == len(actions)
            s = CHESS.result(s, drawn.choice(actions))


def test_a_formula_that_is_no_weighted_sum() -> None:
    full, bare = "4k3/pppppppp/8/8/8/8/PPPPPPPP/R3K3 w - - 0 1", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"
    assert features(full, "nonlinear")["material"] == features(bare, "nonlinear")["material"] == 5
    worth = [evaluate(CHESS, CHESS.parse_state(position), "nonlinear") for position in (full, bare)]
    assert worth[0].total == 5 * (2 - 19 / 32) < worth[1].total == 5 * (2 - 3 / 32)
    assert worth[0].weights is None


def test_a_relaxed_game() -> None:
    assert features("4k3/8/4p3/8/8/8/4P3/4K3 w - - 0 1", "relaxed") == {"moves to a queen": 0}
    assert features("4k3/8/4p3/8/8/4P3/8/4K3 w - - 0 1", "relaxed") == {"moves to a queen": 0}
    assert features("4k3/P7/4p3/8/8/8/8/4K3 w - - 0 1", "relaxed") == {"moves to a queen": 4}
    toe = game("tic_tac_toe")
    s = toe.parse_state("XX./.O./...")
    assert evaluate(toe, toe.play(s, 8), "relaxed").features == {"moves to a line": 1}
    assert evaluate(toe, toe.parse_state(".../.X./..."), "lines").features == {"open lines": 4}


@pytest.mark.parametrize(("name", "key"), NAMED)
def test_both_machines_agree(name: str, key: str) -> None:
    of = game(name)
    s = ITALIAN if of == CHESS else of.initial()
    order = "captures_threats_forward" if of == CHESS else None
    one, two = (zermelo.alphabeta(of, s, depth=2, evaluate=key, order=order, device=on) for on in ("python", "cpu"))
    assert (one.value, one.line, one.nodes) == (two.value, two.line, two.nodes)
    assert one.bound == "estimate"


def test_every_search_takes_them() -> None:
    toe = game("tic_tac_toe")
    for method in (zermelo.minimax, zermelo.alphabeta, zermelo.expectiminimax, zermelo.maxn, zermelo.expectimax):
        assert method(toe, depth=1, evaluate="lines").value == pytest.approx(4 / 8), method
    assert zermelo.search(toe, limit=zermelo.Limit(depth=1), evaluate="lines").action_name == "b2"


def test_threats_come_before_forward_moves() -> None:
    of = CHESS.orders["captures_threats_forward"]
    rank = {CHESS.format_action(ITALIAN, a): of(CHESS, ITALIAN, a) for a in CHESS.actions(ITALIAN)}
    assert rank["Bxf7+"] > rank["Qxf7#"] > 3000, "the pawn by the cheaper piece"
    assert rank["d4"] == 2 > rank["a3"] == 1 > rank["Kd1"] == 0 > rank["Bf1"]
    check = CHESS.parse_state("4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
    assert (
        of(CHESS, check, CHESS.parse_action(check, "Ra8+")) > 2000 > of(CHESS, check, CHESS.parse_action(check, "Ra7"))
    )


def test_forward_pruning_looks_at_the_most_promising_moves() -> None:
    found = zermelo.alphabeta(CHESS, ITALIAN, depth=1, order="captures_threats_forward", keep=3, record=True)
    assert (len(found.moves), found.nodes, found.bound) == (3, 4, "estimate")
    assert found.tree.cut_off == len(list(CHESS.actions(ITALIAN))) - 3
    mate = zermelo.alphabeta(CHESS, ITALIAN, depth=2, order="captures_threats_forward", keep=3)
    assert (mate.action_name, mate.value) == ("Qxf7#", 1.0)
    both = [
        zermelo.alphabeta(CHESS, ITALIAN, depth=2, evaluate="material", order=True, keep=4, device=device).nodes
        for device in ("python", "cpu")
    ]
    assert both[0] == both[1] <= 1 + 4 + 16
    with pytest.raises(BadParameter, match="order"):
        zermelo.alphabeta(CHESS, depth=1, keep=3)


class Stones(Game):
    """Take one or two stones; who takes the last one wins."""

    bounds = (-1.0, 1.0)

    class State(NamedTuple):
        left: int
        player: int

    def initial(self):
        return self.State(9, 0)

    def to_move(self, s):
        return s.player

    def actions(self, s):
        yield from range(1, min(2, s.left) + 1)

    def result(self, s, action):
        return self.State(s.left - action, 1 - s.player)

    def is_terminal(self, s):
        return s.left == 0

    def utility(self, s, player):
        return -1.0 if player == s.player else 1.0

    def many(s):  # noqa: N805
        return s.left

    def turn(game, s):  # noqa: N805
        return 1 if s.player == 0 else -1

    def guess(s):  # noqa: N805
        """A plain function."""
        return 0.25

    evaluations = {
        "both": Evaluation("two features", {"many": many, "turn": turn}, {"many": 0.5, "turn": 2}, half=10),
        "plain": guess,
    }
    orders = {"two first": lambda s, action: action}


@pytest.mark.parametrize("device", ["python", "cpu"])
def test_a_game_of_ones_own_has_them_too(device: str) -> None:
    stones = Stones()
    assert evaluate(stones, evaluation="both").features == {"many": 9, "turn": 1}
    assert evaluate(stones, evaluation="plain").total == 0.25
    found = zermelo.alphabeta(stones, depth=1, evaluate="both", order="two first", device=device)
    assert list(found.moves) == [2, 1]
    assert found.moves[1].value == pytest.approx(2 / (10 + 2))
    assert zermelo.alphabeta(stones, depth=1, evaluate="plain", device=device).value == 0.25
    assert zermelo.alphabeta(
        stones, depth=1, evaluate=stones.evaluations["both"], device=device
    ).value == pytest.approx(2 / 12)


def test_mistakes_are_told() -> None:
    with pytest.raises(BadParameter, match="chess has no evaluation 'matter'; it has material, four_features"):
        zermelo.alphabeta(CHESS, depth=1, evaluate="matter")
    with pytest.raises(BadParameter, match="no order of moves 'best'; it has captures_threats_forward"):
        zermelo.alphabeta(CHESS, depth=1, order="best")
    with pytest.raises(BadParameter, match="nim has no evaluation 'x'; it has none"):
        zermelo.minimax(game("nim"), depth=1, evaluate="x")
    for wrong in ({}, {"weights": {"b": 1}}, {"weights": {"a": 1}, "half": 0}, {"weights": {"a": 1}, "total": abs}):
        with pytest.raises(BadParameter, match="an Evaluation"):
            Evaluation("wrong", {"a": abs}, **wrong)


def test_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", "chess", "--moves", "e4 d5 exd5"]) == 0
    out = capsys.readouterr().out
    assert "chess, material: 1 (" in out
    assert "(material in pawns, 1-3-3-5-9)\n  pawns       1 x 1\n" in out
    assert main(["evaluate", "chess", "--evaluate", "relaxed", "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["evaluations"]
    assert (row["name"], row["features"]) == ("relaxed", {"moves to a queen": 0})
    verb = ["analyse", "chess", "--depth", "2", "--method", "alphabeta", "--json"]
    assert main([*verb, "--evaluate", "material", "--order", "captures_threats_forward", "--keep", "5"]) == 0
    assert len(json.loads(capsys.readouterr().out)["moves"]) == 5
    with pytest.raises(zermelo.BadParameter, match=r"evaluate: \[\[3\]\] is no game"):
        zermelo.evaluate([[3]])  # type: ignore[arg-type]
    assert main(["evaluate", "nim"]) == 2
    assert "nim has no evaluations" in capsys.readouterr().err
