"""The engine on chess, in native code."""

import importlib.util
import json
import random
import threading
from pathlib import Path

import pytest
from spent import AT_ONCE, spent

import zermelo
from zermelo import Engine, Limit, game
from zermelo.searches.engine.techniques import INEXACT, TECHNIQUES

chess = pytest.importorskip("chess")

CHESS = game("chess")
FEATURES = game("chess", learned=False)
PLAIN = dict.fromkeys(INEXACT, False)
BARE = dict.fromkeys(TECHNIQUES, False)
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def search(fen=None, limit=None, of=CHESS, **options):
    s = CHESS.initial() if fen is None else CHESS.parse_state(fen)
    return zermelo.search(of, s, limit=limit, device="cpu", table=options.pop("table", 4), **options)


def walk(seed, moves):
    """A position after so many random moves; None where the game ended before."""
    source, s = random.Random(seed), CHESS.initial()
    for _ in range(moves):
        if CHESS.is_terminal(s):
            return None
        s = CHESS.result(s, source.choice(list(CHESS.actions(s))))
    return None if CHESS.is_terminal(s) else s


# --- the value -------------------------------------------------------------------------------------------------------


def score(game, s):
    """The game's own score on a scale that alpha-beta can take back exactly."""
    return game.score(s) / 2.0**20


def of_alphabeta(s, depth):
    """The score by plain alpha-beta, and whether it is a mate."""
    found = zermelo.alphabeta(CHESS, s, depth=depth, evaluate=score, device="cpu").value
    return (round(found * 2**20), None) if abs(found) < 1.0 else (None, found)


def assert_same(s, depth):
    points, mate = of_alphabeta(s, depth)
    ways = [PLAIN, BARE, PLAIN | {"table": False}, PLAIN | {"zero_window": False}, PLAIN | {"deepening": False}]
    for switches in ways:
        found = Engine(CHESS, device="cpu", **{"table": 4, **switches}).search(s, Limit(depth=depth))
        if mate is None:
            assert found.score == points, (CHESS.format_state(s), depth, switches)
        else:
            assert found.distance is not None
            assert found.value == mate


@pytest.mark.parametrize("seed", range(6))
def test_at_every_depth_the_value_of_alphabeta(seed):
    s = walk(seed, 9 + 7 * seed)
    for depth in (1, 2, 3) if s is not None else ():
        assert_same(s, depth)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 140))
def test_more_of_them(seed):
    s = walk(seed, 4 + seed % 50)
    for depth in (1, 2, 3, 4) if s is not None else ():
        assert_same(s, depth)


def test_python_and_native_code_agree():
    for fen in (None, KIWIPETE, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"):
        for off in ({}, {"quiescence": False}):
            limit = Limit(depth=2)
            s = CHESS.initial() if fen is None else CHESS.parse_state(fen)
            plain = zermelo.search(CHESS, s, limit=limit, device="python", **off)
            native = zermelo.search(CHESS, s, limit=limit, device="cpu", **off)
            assert (native.score, native.nodes, native.line) == (plain.score, plain.nodes, plain.line)


# --- what the techniques give ----------------------------------------------------------------------------------------


def test_order_against_disorder():
    """Same depth, same value: the moves in good order, and as they are generated."""
    order, disorder = (search(limit=Limit(depth=5), of=FEATURES, **switches) for switches in (PLAIN, BARE))
    assert order.score == disorder.score
    assert order.nodes * 5 < disorder.nodes


@pytest.mark.parametrize(("off", "fen"), [("table", None), ("zero_window", None), ("captures_first", KIWIPETE)])
def test_each_saves_nodes(off, fen):
    on, without = (search(fen, Limit(depth=4), FEATURES, **PLAIN | switch) for switch in ({}, {off: False}))
    assert on.score == without.score
    assert on.nodes < without.nodes


@pytest.mark.parametrize("only", ["reductions", "null_move", "margins"])
def test_selective_ones_save_more(only):
    """Each by itself: together they cut off the same moves."""
    on, without = (search(KIWIPETE, Limit(depth=6), **PLAIN | {only: switch}) for switch in (True, False))
    assert on.nodes * 2 < without.nodes


# --- mates -----------------------------------------------------------------------------------------------------------

MATES = [
    # A position, and after how many moves of the winner's it is mate; negative where the side to move is mated.
    ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 1),
    ("7k/8/8/8/8/8/R7/1R5K w - - 0 1", 2),
    ("5r1k/6pp/7N/3Q4/8/8/8/7K w - - 0 1", 2),
    ("r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1", 2),
    ("3r4/8/8/8/8/5k2/8/5K2 w - - 0 1", -2),
    ("8/8/8/8/1k6/8/2K5/q7 b - - 0 1", 4),
]


def mates_within(board, moves):
    """Whether the side to move can mate in so many moves, by brute force."""
    for move in list(board.legal_moves):
        board.push(move)
        done = board.is_checkmate() or (
            moves > 1 and any(board.legal_moves) and all(_answered(board, reply, moves) for reply in board.legal_moves)
        )
        board.pop()
        if done:
            return True
    return False


def _answered(board, reply, moves):
    board.push(reply)
    done = mates_within(board, moves - 1)
    board.pop()
    return done


@pytest.mark.parametrize(("fen", "moves"), MATES)
def test_mates(fen, moves):
    found = search(fen, Limit(depth=24))
    side = 1 if fen.split()[1] == "w" else -1
    assert found.value == side * (1 if moves > 0 else -1)
    assert found.distance == (2 * moves - 1 if moves > 0 else -2 * moves)
    board = chess.Board(fen)
    if 0 < moves <= 2:
        assert mates_within(board, moves)
        assert not mates_within(board, moves - 1) or moves == 1
    for name in found.line_names:
        board.push_san(name)
    assert len(found.line) == found.distance
    assert board.is_checkmate()


ZUGZWANG = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"
"""Morphy's problem: Black would be safe if there were no need to move."""


def test_forward_pruning_off_finds_a_quiet_first_move():
    found = search(ZUGZWANG, Limit(depth=4), null_move=False, margins=False, reductions=False)
    assert (found.action_name, found.distance) == ("Ra6", 3)
    assert mates_within(chess.Board(ZUGZWANG), 2)


def test_a_mate_is_never_let_go():
    """Every move of the line brings the mate nearer."""
    fen = "8/8/8/8/1k6/8/2K5/q7 b - - 0 1"
    engine, s = Engine(CHESS, device="cpu", table=4), CHESS.parse_state(fen)
    history, left = [], 8
    while not CHESS.is_terminal(s):
        found = engine.search(s, Limit(depth=20), history=history)
        assert found.distance < left
        left = found.distance
        history.append(s)
        s = CHESS.result(s, found.action)
    assert CHESS.utility(s, 1) == 1.0


# --- repetition ------------------------------------------------------------------------------------------------------


def test_a_third_time_is_a_draw():
    """White is a queen up, and shuffled twice already: the same shuffle once more is worth nothing."""
    s = CHESS.parse_state("6k1/8/8/8/8/8/3Q4/6K1 w - - 0 1")
    history = []
    for name in ("Qd1", "Kh8", "Qd2", "Kg8") * 2:
        history.append(s)
        s = CHESS.play(s, CHESS.parse_action(s, name))
    engine, again = Engine(CHESS, device="cpu", table=4), CHESS.parse_action(s, "Qd1")
    assert engine.search(s, Limit(depth=1), among=[again]).score > 500
    assert engine.search(s, Limit(depth=1), among=[again], history=history).score == 0
    best = engine.search(s, Limit(depth=6), history=history)
    assert best.action != again
    assert best.score > 500


# --- limits and threads ----------------------------------------------------------------------------------------------


def test_time_is_kept():
    engine = Engine(CHESS, device="cpu", table=4)
    for seconds in (0.01, 0.1):
        late = []
        for seed in range(5):
            s = walk(seed, 20)
            began = spent()
            engine.search(s, Limit(time=seconds))
            late.append(spent() - began - seconds)
        assert sorted(late)[2] < AT_ONCE


def test_stop_comes_back_at_once():
    engine = Engine(CHESS, device="cpu", table=4)
    late = []
    for _ in range(3):
        stopped = []

        def stop(stopped=stopped):
            stopped.append(spent())
            engine.stop()

        threading.Timer(0.1, stop).start()
        engine.search(limit=Limit(time=60.0))
        late.append(spent() - stopped[0])
    assert sorted(late)[1] < AT_ONCE


def test_two_threads():
    engine = Engine(CHESS, device="cpu", threads=2, table=4)
    found = engine.search(limit=Limit(depth=8))
    assert found.action_name in [CHESS.format_action(CHESS.initial(), a) for a in CHESS.actions(CHESS.initial())]
    mate = engine.search(CHESS.parse_state("5r1k/6pp/7N/3Q4/8/8/8/7K w - - 0 1"), Limit(depth=20))
    assert (mate.value, mate.distance, mate.action_name) == (1.0, 3, "Qg8+")


def test_three_lines():
    found = search(KIWIPETE, Limit(depth=5), lines=3)
    assert len({line[0] for line in found.lines}) == 3
    assert list(found.scores) == sorted(found.scores, reverse=True)
    assert found.score == found.scores[0]
    assert all(CHESS.play(found.state, *line) for line in found.lines)


# --- the signature ---------------------------------------------------------------------------------------------------


def updater():
    where = importlib.util.spec_from_file_location("engine_update", Path(__file__).with_name("update.py"))
    module = importlib.util.module_from_spec(where)
    where.loader.exec_module(module)
    return module


def test_signatures():
    """What the engine does is what it did; otherwise run `python tests/searches/engine/update.py` and say why."""
    update = updater()
    kept = json.loads(update.SIGNATURES.read_text(encoding="utf-8"))
    for case, row in zip(update.SEARCHES, kept, strict=True):
        now = update.signature(case, "cpu" if case[0] == "chess" else "python")
        assert now == row | {"parameters": case[1]}
