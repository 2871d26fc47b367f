"""Go against a board of its own, point by point, and OpenSpiel; known numbers; playouts on the board in memory."""

import itertools
import re
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

import zermelo
from zermelo import conformance
from zermelo.bits import u64
from zermelo.compile import kernel, machine
from zermelo.errors import BadParameter, BadState, IllegalAction
from zermelo.games.go import Go, crowd, playouts
from zermelo.games.go.boards import holds
from zermelo.games.go.notation import rows
from zermelo.games.go.stones import (
    KO,
    cell_of,
    colour_at,
    extra_words,
    head_of,
    is_atari,
    is_eye,
    is_legal,
    last_liberty,
    place,
    set_up,
)
from zermelo.notation import sgf
from zermelo.play.course import Course

SIZES = [2, 3, 5, 7, 9, 13, 19]


def states(game: Go, seed: int = 0, longest: int = 150) -> list[Any]:
    """The states of a random game, in which a pass is rare."""
    random, s, found = Random(seed), game.initial(), [game.initial()]
    while not game.is_over(s) and len(found) < longest:
        legal = list(game.actions(s))
        stones = [a for a in legal if a != game.no_stone]
        s = game.result(s, random.choice(stones) if stones and random.random() < 0.97 else game.no_stone)
        found.append(s)
    return found


def names(game: Go, s: Any) -> set[str]:
    """What may be played, by name."""
    return {game.format_action(s, action) for action in game.actions(s)}


def play(game: Go, s: Any, *moves: str) -> Any:
    """The state after these moves."""
    for move in moves:
        s = game.result(s, game.parse_action(s, move))
    return s


# --- a plain board ----------------------------------------------------------------------------------------------------


class Plain:
    """A board as a dictionary of points, with all positions that were there."""

    def __init__(self, size: int) -> None:
        self.size, self.stones, self.player, self.passes = size, {}, 0, 0
        self.before = {frozenset()}

    def around(self, point: int) -> list[int]:
        row, col = divmod(point, self.size)
        near = [(row - 1, col), (row, col - 1), (row, col + 1), (row + 1, col)]
        return [r * self.size + c for r, c in near if 0 <= r < self.size and 0 <= c < self.size]

    def region(self, stones: dict[int, int], point: int) -> tuple[set[int], set[int]]:
        """What is joined to a point and of its colour, and the points beside that."""
        colour, found, edge, waiting = stones.get(point), {point}, set(), [point]
        while waiting:
            for other in self.around(waiting.pop()):
                if stones.get(other) != colour:
                    edge.add(other)
                elif other not in found:
                    found.add(other)
                    waiting.append(other)
        return found, edge

    def has_liberty(self, stones: dict[int, int], point: int) -> bool:
        return any(other not in stones for other in self.region(stones, point)[1])

    def after(self, point: int) -> dict[int, int] | None:
        """The stones after a move; None where it is suicide or the point is taken."""
        if point in self.stones:
            return None
        stones = {**self.stones, point: self.player}
        for other in self.around(point):
            if stones.get(other) == 1 - self.player and not self.has_liberty(stones, other):
                for taken in self.region(stones, other)[0]:
                    del stones[taken]
        return stones if self.has_liberty(stones, point) else None

    def legal(self) -> list[int]:
        """The points where a stone may be placed, and the pass."""
        found = []
        for point in range(self.size**2):
            stones = self.after(point)
            if stones is not None and frozenset(stones.items()) not in self.before:
                found.append(point)
        return [*found, self.size**2]

    def push(self, action: int) -> None:
        if action == self.size**2:
            self.passes += 1
        else:
            stones = self.after(action)
            assert stones is not None
            self.stones, self.passes = stones, 0
            self.before.add(frozenset(stones.items()))
        self.player = 1 - self.player

    def areas(self) -> tuple[int, int]:
        """The points of both sides."""
        count = [0, 0]
        for point in range(self.size**2):
            owner = {self.stones.get(point)}
            if point not in self.stones:
                owner = {self.stones[other] for other in self.region(self.stones, point)[1]}
            if len(owner) == 1:
                count[owner.pop()] += 1
        return count[0], count[1]


def stones_on(game: Go, s: Any) -> dict[int, int]:
    signs = "".join(rows(game, s))
    return {point: "XO".index(sign) for point, sign in enumerate(signs) if sign != "."}


@pytest.mark.parametrize("size", SIZES)
def test_random_play_on_a_plain_board(size: int) -> None:
    """Legal moves, repetition included, stones and areas, at every move of random games."""
    game = Go(size, komi=0.5)
    for seed in range({2: 60, 3: 40, 5: 6}.get(size, 1)):
        random, course, plain = Random(seed), Course(game), Plain(size)
        for _ in range(400 if size < 9 else 150 if size < 13 else 60):
            assert stones_on(game, course.state) == plain.stones
            assert game.is_over(course.state) == (plain.passes == 2)
            if plain.passes == 2:
                break
            legal = course.legal()
            assert legal == plain.legal()
            action = random.choice(legal)
            course.push(action)
            plain.push(action)
        assert game.area(course.state) == plain.areas()
        black, white = plain.areas()
        assert game.lead(course.state) == black - white - 0.5


@pytest.mark.parametrize("size", [3, 5, 9, 19])
def test_random_play_in_openspiel(size: int) -> None:
    """Legal moves and results; OpenSpiel ends a game that repeats a position, where ours forbids the move."""
    pyspiel = pytest.importorskip("pyspiel")
    game = Go(size, komi=3.5)
    theirs = pyspiel.load_game("go", {"board_size": size, "komi": 3.5, "max_game_length": 500})
    # Its points are counted from the lower left corner.
    point = [(size - 1 - a // size) * size + a % size for a in range(size * size)] + [size * size]
    finished = 0
    for seed in range(12 if size < 9 else 1):
        random, course, state = Random(seed), Course(game), theirs.new_initial_state()
        while not state.is_terminal() and len(course) < (300 if size < 19 else 40):
            ours = list(game.actions(course.state))
            assert sorted(point[a] for a in ours) == sorted(state.legal_actions())
            legal = course.legal()
            pauses = len(course) > 2 * size * size and random.random() < 0.3
            action = game.no_stone if pauses else random.choice(legal)
            course.push(action)
            state.apply_action(point[action])
        if state.is_terminal():
            assert game.is_over(course.state)
            assert [game.utility(course.state, player) for player in (0, 1)] == state.returns()
            finished += 1
    assert finished or size == 19


def test_counts_of_legal_positions() -> None:
    """1x1 is too small for us; 2x2 has 57 and 3x3 12,675 (Tromp and Farneback, Combinatorics of Go, 2007)."""
    for size, wanted in ((2, 57), (3, 12_675)):
        game, count = Go(size), 0
        for signs in itertools.product(".XO", repeat=size * size):
            board = "/".join("".join(signs[n : n + size]) for n in range(0, size * size, size))
            try:
                game.parse_state(f"{board} X")
            except BadState:
                continue
            count += 1
        assert count == wanted


@pytest.mark.parametrize(
    ("komi", "value"),
    [(1.5, -1.0), pytest.param(1.0, 0.0, marks=pytest.mark.slow), pytest.param(0.5, 1.0, marks=pytest.mark.slow)],
)
def test_black_wins_two_by_two_by_one_point(komi: float, value: float) -> None:
    found = zermelo.alphabeta(Go(2, komi=komi), bounds=True, device="cpu")
    assert (found.value, found.bound) == (value, "exact")


# --- the rules, one by one --------------------------------------------------------------------------------------------


def test_captures() -> None:
    game = Go(5)
    s = play(game, game.parse_state("...../..X../.XO../..X../..... X"), "D3")
    assert rows(game, s)[2] == ".X.X."
    corner = play(game, game.parse_state("OO.../XX.../...../...../..... X"), "C5")
    assert rows(game, corner)[:2] == ["..X..", "XX..."]
    # A stone without a liberty of its own may be placed where it takes something: three chains at once.
    three = play(game, game.parse_state(".OX../OOX../XX.../...../..... X"), "A5")
    assert rows(game, three)[:3] == ["X.X..", "..X..", "XX..."]
    both = play(game, game.parse_state(".O.OX/XX.XX/..X../...../..... X"), "C5")
    assert rows(game, both)[0] == ".OX.X"


def test_suicide_is_forbidden() -> None:
    game = Go(5)
    s = game.parse_state(".O.../OO.../...../...../..... X")
    assert "A5" not in names(game, s)
    with pytest.raises(IllegalAction, match="no liberty"):
        game.parse_action(s, "A5")
    several = game.parse_state(".XO../XXO../OO.../...../..... X")
    assert "A5" not in names(game, several)
    assert "A5" in names(game, several._replace(player=1))


def test_a_ko_is_not_retaken_at_once() -> None:
    game = Go(5)
    s = play(game, game.parse_state(".XO../XO.O./.XO../...../..... X"), "C4")
    assert s.ko == game.parse_action(game.initial(), "B4")
    assert "B4" not in names(game, s)
    with pytest.raises(IllegalAction, match="the ko may not be retaken at once"):
        game.parse_action(s, "B4")
    later = play(game, s, "A1", "E1")
    assert "B4" in names(game, later)
    assert rows(game, play(game, later, "B4"))[1] == "XO.O."
    # Where two stones are taken, or the taker is not alone, there is no ko.
    assert play(game, game.parse_state("OO.../XX.../...../...../..... X"), "C5").ko == -1


def test_no_position_comes_again() -> None:
    """Positional superko: who is to move does not matter. Random play on 2x2 meets it soon."""
    game, met = Go(2), 0
    for seed in range(40):
        random, course = Random(seed), Course(game)
        while not game.is_over(course.state) and len(course) < 60:
            legal = course.legal()
            met += len(list(game.actions(course.state))) - len(legal)
            assert game.no_stone in legal
            course.push(random.choice(legal))
        boards = [(s.black, s.white) for s in (*course.states, course.state) if s.passes == 0]
        assert len(set(boards)) == len(boards)
    assert met > 0


def test_two_passes_end_the_game() -> None:
    game = Go(3, komi=0.5)
    s = play(game, game.initial(), "B2", "pass")
    assert not game.is_over(s)
    assert game.is_over(play(game, s, "pass"))
    assert not game.is_over(play(game, s, "A1", "pass"))
    with pytest.raises(IllegalAction, match="the game is over"):
        game.parse_action(play(game, s, "pass"), "A1")
    assert list(game.actions(play(game, s, "pass"))) == []


def test_areas_and_komi() -> None:
    board = ".X.O./.X.O./.X.O./.X.O./.X.O. X passes 2"
    for komi, value in ((-0.5, 1.0), (0.0, 0.0), (0.5, -1.0), (7.5, -1.0)):
        game = Go(5, komi=komi)
        s = game.parse_state(board)
        assert game.area(s) == (10, 10)
        assert game.lead(s) == -komi
        assert [game.utility(s, player) for player in (0, 1)] == [value, -value]
    game = Go(5)
    assert game.area(game.initial()) == (0, 0)
    assert game.area(play(game, game.initial(), "C3")) == (25, 0)
    # Nobody judges what is dead.
    assert game.area(game.parse_state(".X.../XX.../..X../.O.X./..... X")) == (6, 1)


# --- what the package asks --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [5, 9, 13, 19])
def test_it_keeps_the_contract(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conformance, "LONGEST", {5: 40, 9: 8, 13: 3, 19: 1}[size])
    assert zermelo.check(Go(size), games=1)


@pytest.mark.parametrize("size", [2, 5, 9, 19])
def test_symmetries(size: int) -> None:
    game = Go(size)
    for s in states(game, longest=60)[:: 6 if size < 19 else 30]:
        pictures = set()
        for k in range(8):
            turned = game.transform(s, k)
            assert game.checked_state(turned) == turned
            assert game.area(turned) == game.area(s)
            actions = [] if game.is_over(s) else list(game.actions(s))
            assert sorted(game.transform_action(a, k) for a in actions) == sorted(game.actions(turned))
            for action in actions[:8]:
                moved = game.result(turned, game.transform_action(action, k))
                assert moved == game.transform(game.result(s, action), k)
                assert game.prior(s, action) == pytest.approx(game.prior(turned, game.transform_action(action, k)))
            pictures.add(turned)
        assert len(pictures) in (1, 2, 4, 8)


# --- machines ---------------------------------------------------------------------------------------------------------


@kernel
def mixed(game, s, depth, memory, top):
    """A number in which every state, action and weight below `s` has a part."""
    total = u64(game.key(s)) * 31 + (s.ko + 1 + 400 * (s.last + 1))
    if depth == 0 or game.is_over(s):
        return total * 31 + (int(2.0 * game.lead(s)) + 1000)
    end = game.fill(s, memory, top)
    for i in range(top, end):
        total = total * 31 + (memory[i] + int(1000.0 * game.prior(s, memory[i])))
    for i in range(top, end, 1 + (end - top) // 6):
        total = total * 31 + mixed(game, game.result(s, memory[i]), depth - 1, memory, end)
    return total


@kernel
def rollout(game, s, seed, memory):
    """One playout."""
    return game.rollout(s, seed, memory, 5)


@pytest.mark.parametrize("size", [3, 9, 19])
def test_the_machines_agree_on_states(size: int) -> None:
    game = Go(size)
    for s in states(game, longest=100)[:: 25 if size < 19 else 50]:
        found = [
            on.call(mixed, game=game, s=s, depth=2, memory=on.memory(4 * game.max_actions), top=0)
            for on in map(machine, ("python", "cpu"))
        ]
        assert found[0] == found[1]


@pytest.mark.parametrize("playouts", ["uniform", "patterns"])
@pytest.mark.parametrize("size", [3, 9])
def test_the_machines_agree_on_playouts(size: int, playouts: str) -> None:
    game = Go(size, playouts=playouts)
    for seed, s in enumerate(states(game, longest=90)[:: 15 if size < 9 else 44]):
        found = []
        for on in map(machine, ("python", "cpu")):
            memory = on.memory(game.rollout_words + 6)
            for i in range(game.rollout_words + 6):
                memory[i] = 77
            value = on.call(rollout, game=game, s=s, seed=seed, memory=memory)
            found.append((value, [memory[i] for i in range(5 + game.policy_size)]))
            assert [memory[i] for i in range(5)] == [77] * 5
            assert memory[game.rollout_words + 5] == 77
        assert found[0] == found[1]
        assert found[0][0] in (-1.0, 1.0)
        assert set(found[0][1][5:]) <= {0, 1, 2}


# --- the board in memory ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
def test_crowds_of_threads_play_the_same_games(size: int) -> None:
    """What a GPU plays on boards of bits is, stone by stone, what others play on the board in memory."""
    game = zermelo.game("go", size=size, playouts="uniform")
    along = states(game, seed=size)
    for seed, s in enumerate(along[:: 1 + len(along) // 4]):
        one, other = [0] * game.rollout_words, [0] * game.rollout_words
        assert playouts.play_out(game, s, u64(seed), one, 0) == crowd.play_out(game, s, u64(seed), other, 0)
        assert one[: game.policy_size] == other[: game.policy_size]


@pytest.mark.parametrize("size", [2, 3, 5, 9, 19])
def test_stones_in_memory_follow_the_rules(size: int) -> None:
    """After every move of a random game: colours, ko, what is legal, and which chains are in atari."""
    game, base = Go(size), 3
    memory = [0] * (base + game.rollout_words)
    s = game.initial()
    set_up(game, s, memory, base)
    for after in states(game, seed=size, longest=200 if size < 19 else 60)[1:]:
        if after.last < 0:
            set_up(game, after, memory, base)
        else:
            place(game, memory, base, cell_of(game, after.last), 2 - after.player)
        s, plain = after, Plain(size)
        plain.stones = stones_on(game, s)
        ko = memory[base + extra_words(game) + KO]
        assert ko == (cell_of(game, s.ko) if s.ko >= 0 else 0)
        legal = set() if game.is_over(s) else set(game.actions(s))
        for action in range(size * size):
            p = cell_of(game, action)
            colour = colour_at(memory, base, p)
            assert colour == plain.stones.get(action, -1) + 1
            if colour == 0 and not game.is_over(s):
                assert is_legal(game, memory, base, p, s.player + 1) == (action in legal)
            elif colour:
                chain, edge = plain.region(plain.stones, action)
                assert head_of(memory, base, p) in {cell_of(game, stone) for stone in chain}
                liberties = [other for other in edge if other not in plain.stones]
                counted = memory[base + game.cells + head_of(memory, base, p)]
                assert is_atari(counted) == (len(liberties) == 1)
                if len(liberties) == 1:
                    assert last_liberty(counted) == cell_of(game, liberties[0])


@pytest.mark.parametrize("playouts", ["uniform", "patterns"])
def test_playouts_fill_no_eyes(playouts: str) -> None:
    game, on = Go(5, playouts=playouts, komi=0.5), machine("cpu")
    s = game.parse_state(".XOO./XXO.O/.XOOO/XXXXX/..... O")
    eyes = [game.parse_action(s._replace(player=0), name) for name in ("A5", "A3")]
    memory = on.memory(game.rollout_words + 5)
    for seed in range(200):
        assert on.call(rollout, game=game, s=s, seed=seed, memory=memory) == 1.0
        assert {memory[5 + eye] for eye in eyes} == {0}


def test_eyes() -> None:
    """The corners of a point decide whether it is a true eye: one may be the other's, none at the edge."""
    game = Go(5)
    memory = [0] * game.rollout_words

    def eye(board: str, name: str) -> bool:
        s = game.parse_state(f"{board} X")
        set_up(game, s, memory, 0)
        return is_eye(memory[cell_of(game, game.parse_action(s, name))] & 0xFFFF, 1)

    assert eye("...../..XX./.X.X./.XXX./.....", "C3")
    assert eye("...../.OXX./.X.X./.XXX./.....", "C3")
    assert not eye("...../.OXX./.X.X./.XXO./.....", "C3")
    assert not eye("...../..X../.X.../..X../.....", "C3")
    assert eye(".X.../XX.../...../...../.....", "A5")
    assert not eye(".X.../XO.../...../...../.....", "A5")


def test_priors() -> None:
    game = Go(5)
    s = game.parse_state(".XOO./XXO.O/.XOOO/XXXXX/..... O")
    assert game.prior(s, game.parse_action(s, "E5")) == 0.0
    takes = game.parse_state("...../.XO../.XOX./..X../..... X last -")
    weights = {game.format_action(takes, action): game.prior(takes, action) for action in game.actions(takes)}
    assert weights["C5"] > 3 * max(weights[name] for name in ("A1", "E1", "A5", "E5"))
    assert weights["pass"] < 0.1
    ahead = play(game, game.parse_state("X..../.X.../..X../...../..... O"), "pass")
    assert game.prior(ahead, game.no_stone) == 100.0


def test_sampling_opens_in_the_centre_and_wins() -> None:
    """On 5x5 Black owns the board after C3 (van der Werf, 2003)."""
    game = Go(5, komi=0.5)
    found = zermelo.mcts(game, limit=zermelo.Limit(simulations=8000), seed=1, device="cpu", **game.sampling)
    assert game.format_action(game.initial(), found.action) == "C3"
    assert found.value > 0.3
    assert sum(move.visits for move in found.moves.values()) == 8000


def test_sampling_keeps_to_the_rule_of_repetition() -> None:
    game = Go(5)
    s = game.parse_state(".XO../XO.O./.XO../...../..... X")
    taken = play(game, s, "C4")
    limit = zermelo.Limit(simulations=300)
    found = zermelo.mcts(game, taken, limit=limit, history=[s], device="python", **game.sampling)
    assert {game.format_action(taken, action) for action in found.moves}.isdisjoint({"B4"})


# --- names and boards -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
def test_positions_are_read_back(size: int) -> None:
    game = Go(size)
    for s in states(game, seed=3, longest=80)[:: 1 if size < 9 else 20]:
        assert game.parse_state(game.format_state(s)) == s
        for action in [] if game.is_over(s) else game.actions(s):
            name = game.format_action(s, action)
            assert game.parse_action(s, name) == game.parse_action(s, f" {name.lower()} ") == action
        picture = game.svg(s)
        ElementTree.fromstring(picture)
        drawn = [int(action) for action in re.findall(r'data-action="(\d+)"', picture)]
        assert drawn == ([] if game.is_over(s) else list(game.actions(s)))


def test_names_have_no_i() -> None:
    game = Go(19)
    assert game.format_action(game.initial(), 8) == "J19"
    assert game.format_action(game.initial(), 360) == "T1"
    assert game.parse_action(game.initial(), "a1") == 342
    assert game.format_action(game.initial(), 361) == "pass"
    for word in ("I5", "A0", "A20", "U1", "", "5A", "A", "resign"):
        with pytest.raises(IllegalAction, match="no point of go: write A1 to T19, or pass"):
            game.parse_action(game.initial(), word)
    with pytest.raises(IllegalAction, match="a stone already"):
        game.parse_action(play(game, game.initial(), "D4"), "D4")


def test_text() -> None:
    game = Go(3, komi=0.5)
    s = play(game, game.initial(), "B2", "C3")
    assert game.text(s).splitlines() == [
        "  A B C",
        "3 . . O 3",
        "2 . X . 2",
        "1 . . . 1",
        "  A B C",
        "Black (X) moves; last C3",
    ]
    assert game.text(play(game, s, "pass")).endswith("White (O) moves; the other passed")
    assert game.text(play(game, s, "pass", "pass")).endswith("White wins by 0.5")
    assert game.text(play(Go(3, komi=0.0), s, "pass", "pass")).endswith("White wins by 0.5")
    assert Go(9).text(Go(9).initial()).count("+") == 5
    assert Go(19).text(Go(19).initial()).count("+") == 9


def test_games_travel_as_sgf() -> None:
    game = Go(9, komi=6.5)
    course = Course(game)
    random = Random(5)
    for _ in range(60):
        course.push(random.choice(course.legal()))
    (record,) = sgf.read(sgf.write({}, game, None, course.actions))
    assert record.game == game
    assert list(record.actions) == course.actions
    assert record.errors == []


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no position"),
        (".../.../... Z", "no position"),
        (".../.../.. X", "no position"),
        (".../.../...", "no position"),
        (".../.../.../... X", "no position"),
        ("XO./OO./... X", "the chain of A3 has no liberty"),
        ("XXX/XXX/XXX X", "has no liberty"),
        (".../.../... X ko D1", "no point of the board"),
        (".../.../... X ko pass", "no point of the board"),
        (".../.../... X ko B2", "an empty point beside the last stone"),
        (".../.O./... O last B2", "just moved"),
        (".../.O./... X last B2 passes 1", "just moved"),
        (".../.O./... X ko B3 last B2", "stones of its colour around"),
        (".../.../... X passes 3", "0, 1 or 2 passes"),
    ],
)
def test_impossible_positions_are_refused(text: str, reason: str) -> None:
    with pytest.raises(BadState, match=reason):
        Go(3).parse_state(text)


def test_impossible_states_and_parameters_are_refused() -> None:
    game = Go(3)
    s = play(game, game.initial(), "B2")
    for wrong in (
        s._replace(white=s.black), s._replace(player=2), s._replace(passes=-1), s._replace(last=0), s._replace(ko=99),
        s._replace(black=tuple(word << 40 for word in s.black)), s._replace(last=4, player=0),
    ):  # fmt: skip
        with pytest.raises(BadState):
            game.checked_state(wrong)
    for size in (1, 0, 20, -3):
        with pytest.raises(BadParameter, match="size must be 2 to 19"):
            Go(size)
    for komi in (float("nan"), float("inf")):
        with pytest.raises(BadParameter, match="komi must be a number of points"):
            Go(9, komi)
    with pytest.raises(BadParameter, match="playouts must be patterns or uniform"):
        Go(playouts="clever")
    assert holds(game, s.black, 4)
