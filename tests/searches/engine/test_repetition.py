"""Positions that come again: draws, forbidden moves, and values that depend on the path."""

from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from zermelo import Engine, Game, Limit

DEEP = Limit(depth=40)
MANY = settings(max_examples=60, deadline=None)


class Walk(Game):
    """A token goes along the arrows of a graph; who is to move stands at the nodes, and ends pay."""

    max_actions = 4
    bounds = (-1.0, 1.0)

    class State(NamedTuple):
        node: int

    def __init__(self, arrows, movers, payoffs):
        self.arrows, self.movers, self.payoffs = arrows, movers, payoffs
        super().__init__()

    def initial(self):
        return self.State(0)

    def to_move(self, s):
        return self.movers[s.node]

    def actions(self, s):
        yield from range(len(self.arrows[s.node]))

    def result(self, s, action):
        return self.State(self.arrows[s.node][action])

    def is_over(self, s):
        return not self.arrows[s.node]

    def utility(self, s, player):
        return self.payoffs[s.node] if player == 0 else 0.0 - self.payoffs[s.node]


class Drawn(Walk):
    repetition = "draw"


class DrawnAtTheThird(Walk):
    repetition = ("draw", 3)


class Forbidden(Walk):
    repetition = "forbidden"


@st.composite
def graphs(draw, largest=6, pays=(-1.0, 0.0, 1.0)):
    """Arrows, movers and payoffs of a small graph; every second node or so is an end."""
    size = draw(st.integers(3, largest))
    nodes = st.integers(0, size - 1)
    first = st.lists(nodes, min_size=1, max_size=3, unique=True).map(tuple)
    arrows = [draw(first)] + [draw(st.just(()) | first | first) for _ in range(size - 1)]
    movers = [draw(st.integers(0, 1)) for _ in range(size)]
    return tuple(arrows), tuple(movers), tuple(draw(st.sampled_from(pays)) for _ in range(size))


def search(of, s=None, **options):
    return zermelo.search(of, s, **{"device": "python", "limit": DEEP, **options})


@pytest.mark.parametrize("kind", [Drawn, DrawnAtTheThird, Forbidden])
def test_any_graph(kind):
    @MANY
    @given(graphs(5 if kind is DrawnAtTheThird else 6))
    def agrees(graph):
        of = kind(*graph)
        found, true = search(of), zermelo.minimax(of, device="python")
        assert found.value == true.value
        if found.bound == "exact" and found.action is not None:
            assert true.moves[found.action] == true.value

    agrees()


@MANY
@given(graphs(pays=(-9.0, -1.0, 0.5, 4.0)))
def test_draws_between_payoffs_of_any_size(graph):
    of = Drawn(*graph)
    of.bounds = None
    assert search(of).value == pytest.approx(zermelo.minimax(of, device="python").value, abs=1e-4)


# --- a tug of war ----------------------------------------------------------------------------------------------------


class Tug(Game):
    """Move the knot by one step; player 0 wins at +3, player 1 at -3."""

    max_actions = 2
    bounds = (-1.0, 1.0)
    repetition = "draw"

    class State(NamedTuple):
        knot: int
        player: int

    def initial(self):
        return self.State(0, 0)

    def to_move(self, s):
        return s.player

    def actions(self, s):
        yield 0
        yield 1

    def result(self, s, action):
        return self.State(s.knot + 1 if action == 1 else s.knot - 1, 1 - s.player)

    def is_terminal(self, s):
        return abs(s.knot) == 3

    def utility(self, s, player):
        ahead = 1.0 if s.knot > 0 else -1.0
        return ahead if player == 0 else -ahead


class ForbiddenTug(Tug):
    repetition = "forbidden"


class LongTug(Tug):
    repetition = ("draw", 3)


@pytest.mark.parametrize("device", ["python", "cpu"])
def test_a_tug_of_war(device):
    drawn = search(Tug(), device=device)
    assert (drawn.value, drawn.bound, drawn.distance) == (0.0, "exact", None)


@pytest.mark.parametrize("device", ["python", pytest.param("cpu", marks=pytest.mark.slow)])
def test_a_tug_of_war_that_must_go_on(device):
    won = search(ForbiddenTug(), device=device)
    assert (won.value, won.bound, won.line, won.distance) == (1.0, "exact", (1, 1, 1), 3)


def test_where_nothing_is_left_the_game_is_over():
    """Both moves would repeat: what `utility` says counts, as in the plain methods."""
    of = ForbiddenTug()
    s = of.State(1, 1)
    history = [of.State(0, 0), of.State(2, 0)]
    plain, found = zermelo.minimax(of, s, history=history), search(of, s, history=history)
    assert (found.value, found.action, found.bound) == (plain.value, plain.action, "exact") == (1.0, None, "exact")


def test_forbidden_first_moves_are_never_played():
    of = ForbiddenTug()
    s = of.State(1, 1)
    for limit in (Limit(depth=0), Limit(nodes=1), Limit(depth=1), DEEP):
        assert search(of, s, history=[of.State(0, 0)], limit=limit).action == 1


def test_history_counts():
    """Before the search a position counts as often as the rules say; on the path once is enough."""
    of = LongTug()
    first, ahead = of.State(0, 0), of.State(1, 1)
    options = {"limit": Limit(depth=1), "lines": 2, "evaluate": lambda s: 0.5}
    once = search(of, first, history=[first, ahead], **options)
    assert once.scores == (400_000, 400_000)
    twice = search(of, first, history=[first, ahead, first, ahead], **options)
    assert (twice.scores, twice.lines) == ((400_000, 0), ((0,), (1,))), "pulling ahead a third time is a draw"


# --- values that depend on the path ----------------------------------------------------------------------------------

ARROWS = ((1, 2), (2, 3), (1,), ())
"""Min chooses at 0 between 1 and 2. At 1 Max goes to 2, or to 3 and wins. From 2 the only way is to 1."""
MOVERS = (1, 0, 0, 0)
PAYS = (0.0, 0.0, 0.0, 1.0)


def test_a_draw_on_one_path_is_none_on_another():
    """Below 1 the position 2 is a draw, because 1 would come again; as Min's first move it loses.

    A table that keeps the draw gives it to Min, who thinks to be safe.
    """
    of = Drawn(ARROWS, MOVERS, PAYS)
    limit = Limit(depth=6)
    assert zermelo.minimax(of).value == 1.0
    assert search(of, limit=limit, deepening=False, path_values=True).value == 1.0
    assert search(of, limit=limit, deepening=False, path_values=False).value == 0.0, "wrong, as every naive table"
    assert search(of, limit=limit, deepening=False, path_values=False, table=False).value == 1.0


def test_what_is_forbidden_depends_on_the_path_as_well():
    """One player, who wins by getting stuck at 3. Through 2 and 3 to 1 is a dead end, but 1, 2, 3 is the way."""
    of = Forbidden(((2, 1), (2,), (3,), (1, 2)), (0, 0, 0, 0), (-1.0, -1.0, -1.0, 1.0))
    limit = Limit(depth=8)
    assert zermelo.minimax(of).line == search(of).line == (1, 0, 0)
    assert search(of, limit=limit, deepening=False).value == 1.0
    assert search(of, limit=limit, deepening=False, path_values=False).value == -1.0, "1 is a dead end, it thinks"


def test_an_engine_remembers_nothing_that_hung_on_the_history():
    """The same engine, with one history and then without."""
    of = Drawn(((1,), (2, 3), (1, 4), (), ()), (0, 0, 1, 0, 0), (0.0, 0.0, 0.0, -1.0, -1.0))
    engine = Engine(of, device="python")
    s = of.State(2)
    assert engine.search(s, DEEP, history=[of.State(1)]).value == zermelo.minimax(of, s, history=[of.State(1)]).value
    assert engine.search(s, DEEP).value == zermelo.minimax(of, s).value


# --- mirror images ---------------------------------------------------------------------------------------------------


def mirror(node):
    """0 and 1 are their own images, 2 and 3 are each other's, and so on."""
    return node if node < 2 else node ^ 1


class MirroredDrawn(Drawn):
    max_actions = 8
    symmetry_count = 2

    def transform(self, s, k):
        return self.State(mirror(s.node)) if k else s


class MirroredDrawnAtTheThird(MirroredDrawn):
    repetition = ("draw", 3)


class MirroredForbidden(MirroredDrawn):
    repetition = "forbidden"


@st.composite
def mirrored_graphs(draw):
    """Small graphs that are their own mirror images, and numbers by which a walk in them goes."""
    size = 2 + 2 * draw(st.integers(1, 3))
    nodes = st.sets(st.integers(0, size - 1), min_size=1, max_size=3)
    arrows, movers, pays = [()] * size, [0] * size, [0.0] * size
    for node in (0, 1, *range(2, size, 2)):
        there = draw(nodes if node == 0 else st.just(set()) | nodes | nodes)
        if node < 2:
            there = there | {mirror(other) for other in there}
        twin, goes = mirror(node), there - {node}
        arrows[node], arrows[twin] = tuple(sorted(goes)), tuple(sorted(mirror(other) for other in goes))
        movers[node] = movers[twin] = draw(st.integers(0, 1))
        pays[node] = pays[twin] = draw(st.sampled_from((-1.0, 0.0, 1.0)))
    return (tuple(arrows), tuple(movers), tuple(pays)), draw(st.lists(st.integers(0, 2), max_size=3))


@pytest.mark.parametrize("kind", [MirroredDrawn, MirroredDrawnAtTheThird, MirroredForbidden])
def test_mirror_images_with_any_past(kind):
    @MANY
    @given(mirrored_graphs())
    def agrees(graph_and_walk):
        graph, walk = graph_and_walk
        of = kind(*graph)
        s, history = of.initial(), []
        for number in walk:
            if of.is_terminal(s):
                break
            actions = list(of.actions(s))
            after = of.result(s, actions[number % len(actions)])
            if after in (*history, s):
                break
            history.append(s)
            s = after
        true = zermelo.minimax(of, s, history=history, device="python")
        assert search(of, s, history=history).value == true.value
        assert zermelo.alphabeta(of, s, history=history, symmetry=True, device="python").value == true.value

    agrees()


def test_mirror_images_are_worth_the_same_only_where_the_past_is_symmetric():
    """Max goes to 4 or 5, Min from there to 2 or 3, and Max wins. But 2 was there before, and 3 was not."""
    arrows = ((4, 5), (), (0, 6), (0, 7), (2,), (3,), (), ())
    of = MirroredDrawn(arrows, (0, 0, 0, 0, 1, 1, 0, 0), (0.0,) * 6 + (1.0, 1.0))
    s, past = of.initial(), [of.State(2)]
    assert zermelo.minimax(of, s, history=past).line == (1, 0, 1)
    for found in (search(of, s, history=past), zermelo.alphabeta(of, s, history=past, symmetry=True)):
        assert (found.value, found.bound, found.line) == (1.0, "exact", (1, 0, 1))


def test_without_a_past_mirror_images_are_skipped():
    """Each of two players chooses between two ways that are mirror images; then one of them has won."""
    arrows = ((2, 3), (), (4, 5), (4, 5), (6,), (7,), (), ())
    of = MirroredDrawn(arrows, (0, 0, 1, 1, 0, 0, 0, 0), (0.0,) * 6 + (1.0, 1.0))
    on, off = (search(of, symmetry=switch, table=False, limit=Limit(depth=4)) for switch in (True, False))
    assert on.value == off.value == 1.0
    assert on.nodes < off.nodes
    assert search(of, lines=2).lines == ((0, 0, 0), (1, 0, 0)), "who asks for more is told about both"


def test_the_smallest_board_of_go():
    """The first player takes it; with twins left out at every second move the second did."""
    go = zermelo.game("go", size=2, komi=0.5)
    found = zermelo.search(go, limit=Limit(time=20.0))
    assert (found.value, found.bound) == (1.0, "exact")
