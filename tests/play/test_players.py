"""Players made from what people write."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from spent import spent

import zermelo
from zermelo.errors import BadParameter, UnsuitableGame, ZermeloError
from zermelo.play.clock import FREE, Clock
from zermelo.play.course import Course, Path
from zermelo.play.method_players import helps, in_points
from zermelo.play.players import Random, entrant, entrants, kinds
from zermelo.searches.methods import usual_method


@pytest.fixture
def toe():
    return zermelo.game("tic_tac_toe")


def first_move(game, text, clock=FREE):
    player = entrant(text).make(game, clock is not FREE)
    if hasattr(player, "begin"):
        player.begin(game, "1")
    return player, player(game, game.initial(), (), clock)


METHODS = ["random", "minimax", "alphabeta:depth=2", "alphabeta:depth=3,symmetry=True", "auto"]


@pytest.mark.parametrize(
    "text",
    [
        *METHODS,
        "search:depth=3,device=python",
        "search:nodes=50,device=python",
        "maxn:depth=2",
        "expectimax:depth=2",
        "mcts:simulations=50,c=0.5",
        "mcts:simulations=50,rave=True,solver=True,threads=1,seed=3,device=python",
    ],
)
def test_methods(toe, text):
    _, action = first_move(toe, text)
    assert action in toe.actions(toe.initial())


def test_notes_of_methods(toe):
    s = toe.parse_state("XX./OO./...")
    for text in ("minimax", "search:depth=4,device=python"):
        player = entrant(text).make(toe, False)
        assert toe.format_action(s, player(toe, s, (), FREE)) == "c1"
        assert player.note.score > 0.9
    s = toe.parse_state("XX./OO./X..")
    player = entrant("minimax").make(toe, False)
    player(toe, s, (), FREE)
    assert player.note.score == 1  # it is the mover's, and O wins


def test_sampling(toe):
    s = toe.parse_state("XX./OO./...")
    for text in ("mcts:simulations=300,device=python", "mcts:time=0.1,device=python"):
        player = entrant(text).make(toe, False)
        player.begin(toe, "1")
        assert toe.format_action(s, player(toe, s, (), FREE)) == "c1"
        assert player.note.score > 0.8
    # A clock that counts nodes counts simulations here; time is a share of what is left.
    player = entrant("mcts:device=python").make(toe, True)
    player(toe, s, (), Clock(nodes=70))
    assert player.note.nodes == 70
    began = spent()
    player(toe, s, (), Clock(remaining=2.0, opponent=2.0))
    assert spent() - began < 1
    with pytest.raises(BadParameter, match="mcts knows no depth"):
        player(toe, s, (), Clock(depth=3))
    assert entrant("mcts:simulations=9,device=python").make(toe, False)(toe, s, (), Clock(depth=3)) in range(9)


def test_sampling_is_led_by_the_seed_of_the_game(toe):
    def visits(text, seed):
        player = entrant(text).make(toe, False)
        player.begin(toe, seed)
        player(toe, toe.initial(), (), FREE)
        found = player.mind.search(limit=zermelo.Limit(simulations=1))
        return [move.visits for move in found.moves.values()]

    free, own = "mcts:simulations=200,device=python", "mcts:simulations=200,device=python,seed=5"
    assert visits(free, "a") == visits(free, "a") != visits(free, "b")
    assert visits(own, "a") == visits(own, "b")


def test_what_helps_sampling():
    go = zermelo.game("go:size=5")
    assert helps(go) == {"rave": True, "prior": True} | go.sampling
    assert {"rave", "prior"} <= helps(go).keys()
    assert helps(zermelo.game("hex:size=3"))["rave"] is True
    toe = zermelo.game("tic_tac_toe")
    assert helps(toe) == toe.sampling
    assert helps(zermelo.game("connect_four")) == {}
    assert "rave" not in helps(zermelo.game("backgammon"))
    assert usual_method(zermelo.game("hex:size=3")) == "mcts"
    assert usual_method(zermelo.game("go:size=5")) == "mcts"


def test_sampling_goes_on_with_its_tree():
    four = zermelo.game("connect_four:rows=4,cols=4,line=3")
    player = entrant("mcts:simulations=200,device=python").make(four, False)
    player.begin(four, "1")
    course = Course(four)
    for _ in range(4):
        course.push(player(four, course.state, course.history(), FREE))
    assert player.note.nodes == 200
    assert len(course) == 4


def test_scores_in_the_units_of_the_game(toe):
    assert in_points(toe, 0.25) == 0.25
    chess = zermelo.game("chess")
    for score in (-800, -3, 0, 55, 1_200):
        assert in_points(chess, chess.expected(score)) == pytest.approx(score, abs=1)


def test_a_clock_limits_what_has_no_limit(toe):
    four = zermelo.game("connect_four")
    assert first_move(four, "alphabeta", Clock(move=0.2))[1] in range(7)
    assert first_move(four, "search:device=python", Clock(move=0.1))[1] in range(7)
    assert first_move(four, "search:device=python", Clock(remaining=2.0, opponent=2.0))[1] in range(7)
    player, _ = first_move(toe, "alphabeta", Clock(depth=2))
    assert player.note.depth == 2


def test_players_keep_to_nodes_and_depth_together(toe):
    four = zermelo.game("connect_four")
    for limits in ("nodes=500", "nodes=500,depth=30", "depth=3,nodes=100000", "nodes=1"):
        player, move = first_move(four, f"alphabeta:device=python,{limits}")
        assert move in range(7)
        assert player.note.nodes <= 500 or player.note.depth == 3


def test_lost_positions_are_prolonged():
    nim = zermelo.game("nim:heaps=(2,2)")
    player = entrant("minimax").make(nim, False)
    assert nim.format_action(nim.initial(), player(nim, nim.initial(), (), FREE))


def test_random_moves_come_from_the_seed(toe):
    player = Random()
    moves = []
    for seed in ("a", "a", "b", "c", "d"):
        player.begin(toe, seed)
        moves.append([player(toe, toe.initial(), (None,) * n, FREE) for n in range(6)])
    assert moves[0] == moves[1]
    assert len({tuple(line) for line in moves}) > 2
    assert len(set(moves[0])) > 1


def test_hidden_information():
    poker = zermelo.game("kuhn_poker")
    assert type(entrant("auto").make(poker, False)).__name__ == "EquilibriumPlayer"
    with pytest.raises(UnsuitableGame, match="hides"):
        entrant("alphabeta").make(poker, False)
    for text in ("search:depth=1", "mcts:simulations=9"):
        with pytest.raises(UnsuitableGame):
            entrant(text).make(poker, False)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no player"),
        ("nobody", "players are random"),
        ("alfabeta", "did you mean alphabeta"),
        ("uci", "did you mean uci:"),
        ("minimax:", "after the colon"),
        ("minimax:depth", "name=value"),
        ("random:depth=3", "no option 'depth'"),
        ("uci:", "names no program"),
        ("uci:,Hash=3", "names no program"),
        ("uci:x,Hash", "'Hash' is no option"),
        ("uci:x,depth=0", "above 0"),
        ("uci:x,time=soon", "above 0"),
        ("uci:'x", "quot"),
        ("missing.py", "no such file"),
        (7, "is no player"),
        (lambda s: 0, "player.game, state, history, clock."),
    ],
)
def test_what_is_no_player(text, words):
    with pytest.raises(BadParameter, match=words):
        entrant(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("minimax:simulations=0", "limited by time, nodes or depth, not by simulations"),
        ("minimax:simulations=3", "limited by time, nodes or depth, not by simulations"),
        ("mcts:depth=3", "limited by time or simulations, not by depth"),
        ("mcts:nodes=3", "limited by time or simulations, not by nodes"),
        ("mcts:simulations=0", "at least 1"),
        ("mcts:simulations=x", "simulations"),
        ("mcts:speed=3", "no option 'speed'"),
        ("mcts:c=-1", "c must be"),
        ("mcts:threads=0", "threads"),
        ("mcts:prior=True", "defines no prior"),
        ("minimax:speed=3", "speed"),
        ("search:speed=3", "speed"),
        ("search:depth=x", "depth"),
        ("alphabeta:depth=-1", "depth"),
        ("uci:/no/such/program", "no such program"),
    ],
)
def test_players_that_cannot_be_made(toe, text, words):
    with pytest.raises(ZermeloError, match=words):
        entrant(text).make(toe, False)


@given(st.text() | st.builds("{}:{}".format, st.sampled_from(["uci", "gtp", "search", "minimax", "random"]), st.text()))
def test_any_text_is_a_player_or_refused(text):
    with contextlib.suppress(BadParameter):
        assert entrant(text).text == text.strip()


def test_names():
    texts = ["random", "random", "search:depth=3,name=Deep", "uci:/usr/bin/engine --fast,Hash=16,depth=3", lambda *_: 0]
    names = [one.name for one in entrants([*texts, "random", "uci:'my engine',name=Mine"])]
    assert names == ["random", "random #2", "Deep", "engine --fast Hash=16", "<lambda>", "random #3", "Mine"]
    assert {"random", "search", "mcts", "minimax", "uci:", "gtp:", "cecp:"} <= set(kinds())


def test_functions_in_files(toe, tmp_path):
    path = tmp_path / "bot.py"
    path.write_text(
        "import helper_of_bot\n\ndef choose(game, state, history, clock):\n    return helper_of_bot.pick(game, state)\n"
    )
    (tmp_path / "helper_of_bot.py").write_text("def pick(game, state):\n    return max(game.actions(state))\n")
    for text in (str(path), f"{path}:choose"):
        assert first_move(toe, text)[1] == 8
    path.write_text("def a(game, s, h, c): ...\ndef b(game, s, h, c): ...\n")
    with pytest.raises(BadParameter, match=r"several functions \(a, b\)"):
        entrant(str(path))
    with pytest.raises(BadParameter, match="no function 'c'"):
        entrant(f"{path}:c")
    path.write_text("1 / 0")
    with pytest.raises(BadParameter, match="ZeroDivisionError"):
        entrant(str(path))
    path.write_text("def a(s): ...")
    with pytest.raises(BadParameter, match="is called as"):
        entrant(str(path))


def test_paths(toe):
    course = Course(toe)
    for action in (4, 0, 8):
        course.push(action)
    path = course.history()
    assert isinstance(path, Path)
    assert (len(path), path.actions) == (3, (4, 0, 8))
    assert Path.of(toe, list(path), course.state).actions == path.actions
    course.pop()
    assert course.state == path[2]
    assert len(course) == 2
