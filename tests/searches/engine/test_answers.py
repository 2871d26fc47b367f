"""What the engine answers, how it keeps its limits, and what it refuses."""

import math
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import NamedTuple

import pytest
from spent import AT_ONCE, spent

import zermelo
from zermelo import (
    BadParameter,
    BadState,
    BrokenContract,
    Busy,
    Engine,
    Game,
    IllegalAction,
    Limit,
    Tree,
    UnsuitableGame,
    game,
)
from zermelo.compile.patience import Patience
from zermelo.searches.engine.techniques import TECHNIQUES

TOE = game("tic_tac_toe")
FOUR = game("connect_four")
LECTURE = Tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]])


def search(of, s=None, **options):
    return zermelo.search(of, s, **{"device": "python", **options})


# --- the answer ------------------------------------------------------------------------------------------------------


def test_the_tree_of_the_lectures():
    found = search(LECTURE)
    assert (found.value, found.values, found.action, found.line) == (3, (3, -3), 0, (0, 0))
    assert (found.bound, found.method, found.device) == ("exact", "search", "python")
    assert found.moves[0] == 3
    assert found.state == LECTURE.initial()


def test_a_position_that_is_over():
    s = TOE.parse_state("XXX/OO./...")
    found = search(TOE, s)
    assert (found.value, found.action, found.line, found.bound) == (1.0, None, (), "exact")


def test_lines_are_the_best_moves():
    s = TOE.parse_state("XX./OO./...")
    plain = zermelo.minimax(TOE, s)
    found = search(TOE, s, lines=3, symmetry=False)
    firsts = [line[0] for line in found.lines]
    assert len(set(firsts)) == 3
    assert firsts[0] == found.action
    assert found.lines[0] == found.line
    assert found.scores[0] == found.score
    assert list(found.scores) == sorted(found.scores, reverse=True)
    values = sorted(plain.moves.values(), reverse=True)[:3]
    assert [plain.moves[action] for action in firsts] == values


def test_lines_for_the_second_player_are_worst_first_for_the_first():
    s = TOE.parse_state("XX./O../...")
    found = search(TOE, s, lines=4, symmetry=False)
    assert list(found.scores) == sorted(found.scores)


def test_more_lines_than_moves():
    found = search(LECTURE, lines=3, table=False)
    assert [line[0] for line in found.lines] == [0, 1, 2]
    assert [LECTURE.utility(LECTURE.play(LECTURE.initial(), *line), 0) for line in found.lines] == [3, 2, 2]


def test_only_some_first_moves():
    engine = Engine(LECTURE, device="python")
    found = engine.search(among=[1, 2])
    assert found.value == 2
    assert found.action in (1, 2)
    assert set(found.moves) <= {1, 2}
    *_, last = engine.stream(among=[2])
    assert (last.action, last.value) == (2, 2)


def test_a_stream_grows():
    seen = list(zermelo.search.stream(TOE, limit=Limit(depth=6), device="python"))
    assert [found.depth for found in seen] == [1, 2, 3, 4, 5, 6]
    assert [found.nodes for found in seen] == sorted(found.nodes for found in seen)
    assert all(found.action in range(9) for found in seen)
    assert seen[0].bound == "estimate"


def test_a_stream_can_be_left():
    stream = zermelo.search.stream(FOUR, limit=Limit(time=60), device="python")
    first = next(stream)
    stream.close()
    assert first.depth == 1


def test_an_engine_remembers():
    engine = Engine(TOE, device="python")
    first = engine.search(limit=Limit(depth=6))
    again = engine.search(limit=Limit(depth=6))
    assert again.value == first.value
    assert again.nodes < first.nodes
    engine.new_game()
    assert engine.search(limit=Limit(depth=6)).nodes == first.nodes


def test_the_same_question_gets_the_same_answer():
    a, b = (search(FOUR, limit=Limit(depth=5)) for _ in range(2))
    assert (a.nodes, a.score, a.line) == (b.nodes, b.score, b.line)


def test_evaluate_replaces_the_estimate():
    def corner(s):
        return 0.5 if s.x & 1 else 0.0

    found = search(TOE, limit=Limit(depth=1), evaluate=corner)
    assert (found.action, found.value, found.score) == (0, pytest.approx(0.5), 400_000)


def test_an_estimate_for_players_is_asked_for_the_first():
    """A function of state and player is known by its names from one of game and state."""

    def corner(s, player):
        return (0.5 if s.x & 1 else 0.0) * (1 if player == 0 else -1)

    for evaluate in (corner, lambda state, p: corner(state, p), lambda x, player: corner(x, player)):
        for method in (search, zermelo.alphabeta):
            limits = {"limit": Limit(depth=1)} if method is search else {"depth": 1}
            found = method(TOE, evaluate=evaluate, **limits)
            assert (found.action, found.value) == (0, pytest.approx(0.5))
    assert search(TOE, evaluate=lambda game, s: corner(s, 0), limit=Limit(depth=1)).action == 0


def test_a_book_is_asked_first():
    class Centre:
        """Knows one position."""

        def lookup(self, game, s):
            return None if s != game.initial() else zermelo.minimax(game, game.play(s, 4))

    assert search(TOE, book=Centre()).method == "minimax"
    assert search(TOE, TOE.parse_state("X../.../..."), book=(Centre(), Centre())).method == "search"


# --- limits ----------------------------------------------------------------------------------------------------------


def test_depth_and_nodes():
    assert search(TOE, limit=Limit(depth=3)).depth == 3
    for nodes in (1, 2, 10, 100, 1000):
        found = search(TOE, limit=Limit(nodes=nodes))
        assert found.nodes <= nodes
        assert found.action in range(9)


@pytest.mark.parametrize("device", ["python", "cpu"])
def test_a_depth_that_was_cut_off_does_not_count(device):
    engine = Engine(FOUR, device=device)
    whole = [(found.depth, found.nodes) for found in engine.stream(limit=Limit(depth=7))]
    cut_off = 0
    for nodes in range(5, whole[-1][1], whole[-1][1] // 40):
        finished = max((depth for depth, needed in whole if needed <= nodes), default=0)
        engine.new_game()
        seen = [found.depth for found in engine.stream(limit=Limit(nodes=nodes))]
        engine.new_game()
        assert engine.search(limit=Limit(nodes=nodes)).depth == finished
        assert seen in ([*range(1, finished + 1)], [*range(1, finished + 1), finished])
        cut_off += len(seen) > finished > 0
    assert cut_off > 5, "mostly there is something new in the last depth"


@pytest.mark.parametrize("device", ["python", "cpu"])
def test_a_depth_that_was_cut_off_keeps_the_lines_of_the_one_before(device):
    engine = Engine(FOUR, device=device)
    for nodes in range(300, 3000, 90):
        engine.new_game()
        found = engine.search(limit=Limit(nodes=nodes), lines=3)
        assert found.depth >= 1
        assert len({line[0] for line in found.lines}) == len(found.lines) == len(found.scores) == 3
        assert (found.action, found.score) == (found.lines[0][0], found.scores[0])


def test_no_time_at_all_still_gives_a_move():
    for limit in (Limit(time=0.0), Limit(depth=0), Limit(nodes=0)):
        found = search(FOUR, limit=limit)
        assert found.action in range(7)
        assert found.bound == "estimate"


@pytest.mark.parametrize("limit", [Limit(time=math.inf), Limit(time=1e30), Limit(nodes=1 << 80)])
def test_no_limit_is_too_far(limit):
    """The game is searched to its end, as without a limit."""
    assert search(TOE, limit=limit, device="cpu").bound == "exact"


def test_a_hasty_answer_takes_a_win():
    s = TOE.parse_state("XX./OO./...")
    assert search(TOE, s, limit=Limit(nodes=1)).action_name == "c1"


def test_a_hasty_answer_mates_where_estimates_have_units_of_their_own():
    chess = game("chess")
    s = chess.parse_state("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")
    found = search(chess, s, limit=Limit(nodes=1))
    assert (found.action_name, found.value) == ("Rd8#", 1.0)


@pytest.mark.parametrize("device", ["python", "cpu"])
def test_time_is_kept(device):
    engine = Engine(FOUR, device=device)
    for seconds in (0.02, 0.1, 0.3):
        late = []
        for _ in range(3):
            engine.new_game()
            began = spent()
            found = engine.search(limit=Limit(time=seconds))
            late.append(spent() - began - seconds)
            assert found.action in range(7)
        assert sorted(late)[1] < AT_ONCE


class Stakes(Game):
    """Five ways on at every node; the longer the game, the more it is about. Nobody says how much that can be."""

    max_actions = 5

    class State(NamedTuple):
        seed: int
        ply: int
        over: int

    def initial(self):
        return self.State(1, 0, 0)

    def to_move(self, s):
        return s.ply % 2

    def actions(self, s):
        yield from range(5)

    def result(self, s, action):
        seed = (s.seed * 1103515245 + 12345 + action * 7919) % 2147483648
        return self.State(seed, s.ply + 1, 1 if s.ply > 3 and (seed >> 8) % 7 == 0 else 0)

    def is_terminal(self, s):
        return s.over == 1 or s.ply >= 40

    def utility(self, s, player):
        most = 10.0 ** (s.ply - 4)
        return most if ((s.seed >> 12) % 2 == 1) == (player == 0) else -most


@pytest.mark.parametrize("device", ["python", "cpu"])
def test_limits_hold_where_nobody_knows_how_large_payoffs_are(device):
    for nodes in (1, 100, 3_000, 20_000):
        seen = list(zermelo.search.stream(Stakes(), limit=Limit(nodes=nodes), device=device))
        assert all(found.nodes <= nodes for found in seen)
        depths = [found.depth for found in seen]
        assert depths == sorted(depths)
        assert len(set(depths)) >= len(depths) - 1, "the last depth may be cut off"
        assert [found.nodes for found in seen] == sorted(found.nodes for found in seen)
        assert [found.time for found in seen] == sorted(found.time for found in seen)


def test_time_counts_from_the_call_and_a_large_table_takes_none_of_it():
    search(FOUR, device="cpu", limit=Limit(depth=1))
    late = []
    for _ in range(5):
        began = spent()
        assert search(FOUR, device="cpu", table=1024, limit=Limit(time=0.1)).depth > 0
        late.append(spent() - began - 0.1)
    assert sorted(late)[2] < AT_ONCE


def test_patience_that_is_over_before_a_search_begins_ends_it():
    engine = Engine(FOUR, device="python")
    assert engine.search(limit=Limit(depth=40), patience=Patience(0.0)).depth < 3
    assert engine.ran_out_of_patience
    assert engine.search(limit=Limit(depth=3)).depth == 3


class Slow(Game):
    """Every move takes some milliseconds."""

    utility_sum = 0.0
    deadline, late = math.inf, 0

    def initial(self):
        return 60, 0

    def to_move(self, s):
        return s[1]

    def actions(self, s):
        yield from range(1, 4)

    def result(self, s, action):
        self.late += time.monotonic() > self.deadline
        time.sleep(0.005)
        return max(0, s[0] - action), 1 - s[1]

    def is_terminal(self, s):
        return s[0] == 0

    def utility(self, s, player):
        return 1.0 if player == s[1] else -1.0


def test_time_is_kept_where_moves_are_slow():
    """Few moves are looked at when the time is up: those of the node at which that is seen."""
    late = []
    for _ in range(3):
        of = Slow()
        search(of, limit=Limit(depth=1))
        of.late, of.deadline = 0, time.monotonic() + 0.2
        assert search(of, limit=Limit(time=0.2)).action in (1, 2, 3)
        late.append(of.late)
    assert sorted(late)[1] <= 10


def test_a_soft_limit_begins_no_new_depth():
    engine = Engine(FOUR, device="python")
    found = engine.search(limit=Limit(time=20.0), soft=0.0)
    assert found.depth == 1


@pytest.mark.parametrize("device", ["python", "cpu"])
def test_stopped_from_another_thread(device):
    engine = Engine(FOUR, device=device)
    threading.Timer(0.3, engine.stop).start()
    began = time.perf_counter()
    found = engine.search(limit=Limit(time=60.0))
    assert time.perf_counter() - began < 10
    assert found.action in range(7)
    assert engine.search(limit=Limit(depth=3)).depth == 3, "the engine can be used again"


@pytest.mark.parametrize("device", ["python", "cpu"])
def test_an_engine_searches_one_position_at_a_time(device):
    engine = Engine(FOUR, device=device)
    stream = engine.stream(limit=Limit(time=60.0))
    first = next(stream)
    for ask in (engine.search, engine.new_game, lambda: next(engine.stream())):
        with pytest.raises(Busy, match="this engine is searching: stop it"):
            ask()
    engine.stop()
    *_, last = stream
    assert first.depth <= last.depth
    assert engine.search(limit=Limit(depth=3)).depth == 3


PROGRAM = """
import os, signal, threading, time, zermelo
engine = zermelo.Engine(zermelo.game("connect_four"), device="cpu")
threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
began = time.monotonic()
try:
    engine.search(limit=zermelo.Limit(time=60.0))
    print("finished")
except KeyboardInterrupt:
    print("interrupted", time.monotonic() - began < 20, engine.search(limit=zermelo.Limit(depth=4)).depth)
"""


def test_control_c():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False, timeout=120)
    assert done.stdout.split() == ["interrupted", "True", "4"], done.stderr


# --- machines and threads --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("of", [TOE, FOUR], ids=["tic_tac_toe", "connect_four"])
def test_python_and_native_code_agree(of):
    for depth in (1, 3, 6):
        for off in ({}, {"table": False}, {"reductions": False}):
            python, cpu = (search(of, limit=Limit(depth=depth), device=on, **off) for on in ("python", "cpu"))
            assert (cpu.score, cpu.nodes, cpu.line) == (python.score, python.nodes, python.line)
            assert cpu.moves == python.moves
            assert (cpu.device, python.device) == ("cpu", "python")


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_threads_find_the_same_value(threads):
    found = search(TOE, threads=threads, device="cpu", limit=Limit(time=20.0))
    assert (found.value, found.bound) == (0.0, "exact")
    s = FOUR.parse_state("44444326233")
    found = search(FOUR, s, threads=threads, device="cpu", limit=Limit(depth=9))
    assert found.action in list(FOUR.actions(s))


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_threads_share_the_nodes(threads):
    assert search(FOUR, threads=threads, device="cpu", limit=Limit(nodes=20_000)).nodes <= 20_000


def test_threads_in_plain_python():
    found = search(LECTURE, threads=2)
    assert (found.value, found.bound) == (3, "exact")


# --- what is refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"limit": 3}, "limit must be a Limit, such as"),
        ({"limit": Limit(simulations=5)}, "search is limited by time, nodes or depth, not by simulations"),
        ({"lines": 0}, "lines must be an integer from 1 to"),
        ({"lines": True}, "lines must be an integer from 1 to"),
        ({"threads": 0}, "threads must be an integer from 1 to 256, not 0"),
        ({"threads": "two"}, "threads must be an integer from 1 to 256, not 'two'"),
        ({"table": 0}, "table must be a size in megabytes, True or False, not 0"),
        ({"table": -1}, "table must be a size in megabytes"),
        ({"table": 1.5}, "table must be a size in megabytes"),
        ({"quiessence": False}, "search knows no technique 'quiessence'; it knows deepening, zero_window"),
        ({"killers": 1}, "killers must be True or False, not 1"),
        ({"device": "gpu"}, "device must be one of"),
        ({"device": "cuda"}, "search runs on the CPU"),
        ({"evaluate": 7}, "evaluate must be a function"),
        ({"book": 7}, "book must be a book"),
        ({"book": [None]}, "book must be a book"),
        ({"history": 7}, "history must be states or keys in the order of play, not 7"),
    ],
    ids=str,
)
def test_bad_arguments(options, words):
    with pytest.raises(BadParameter, match=words):
        search(TOE, **options)


@pytest.mark.parametrize(
    "evaluate",
    [
        lambda s: math.nan,
        lambda s: math.inf,
        lambda s: "much",
        lambda s: None,
        lambda s: math.nan if s.x else 0.0,
        lambda s: "much" if s.x else 0.0,
    ],
)
def test_estimates_that_are_no_numbers(evaluate):
    with pytest.raises(BadParameter, match=r"evaluate must return a finite number; for .* it returned"):
        search(TOE, evaluate=evaluate, limit=Limit(depth=2))


def no_number(s):
    return math.nan if s.x and s.o else 0.0


def test_estimates_that_are_no_numbers_in_native_code():
    engine = Engine(TOE, evaluate=no_number, device="cpu")
    with pytest.raises(BadParameter, match="evaluate must return finite numbers; in some position"):
        engine.search(limit=Limit(depth=3))
    assert engine.search(limit=Limit(depth=1)).depth == 1


def test_ends_that_pay_no_numbers():
    tree = Tree([1, 2])
    tree.bounds, tree.utility = None, lambda s, player: math.nan
    with pytest.raises(BrokenContract, match="tree: a utility or an estimate is no finite number"):
        search(tree)


def test_bad_positions():
    with pytest.raises(BadState, match=r"wants a TicTacToe\.State"):
        search(TOE, 7)
    with pytest.raises(BadState):
        search(TOE, FOUR.initial())
    with pytest.raises(BadState):
        search(FOUR, history=["nothing"])
    with pytest.raises(IllegalAction, match="9 is not legal"):
        Engine(TOE, device="python").search(among=[9])


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("pig", "has chance moves .* use expectiminimax"),
        ("coin_bucket", "has chance moves .* use expectiminimax"),
        ("kuhn_poker", "hides information .* sequence_form"),
        ("matching_pennies", "hides information"),
        ("three_player_tic_tac_toe", "has 3 players and search knows two; use maxn or paranoid"),
        ("share", "is not zero sum.* use maxn"),
    ],
)
def test_unsuitable_games(name, words):
    with pytest.raises(UnsuitableGame, match=words):
        zermelo.search(game(name))
    with pytest.raises(UnsuitableGame, match=words):
        Engine(game(name))


def test_no_game_at_all():
    with pytest.raises(BadParameter, match="is no game"):
        zermelo.search("chess")


def test_every_technique_is_described():
    page = (Path(__file__).parents[3] / "docs/how-to/engine.md").read_text(encoding="utf-8")
    assert [name for name in TECHNIQUES if f"| `{name}` |" not in page] == []
    assert all(len(words) > 20 for words in TECHNIQUES.values())
    assert "zermelo.search" in repr(zermelo.search)
