"""The small board, heap and dice games: known values, and rules that say the same on both machines.

Values are worked out here by short recursive functions of the test's own, never by the searches of the package.
"""

import subprocess
import sys
from collections.abc import Iterator
from functools import cache, reduce
from operator import xor
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

from zermelo.bits import u64
from zermelo.compile import kernel, machine
from zermelo.contract import CHANCE, Game
from zermelo.errors import BadParameter, BadState, IllegalAction
from zermelo.games.bucket import Bucket
from zermelo.games.coin_bucket import CoinBucket
from zermelo.games.connect_four import ConnectFour
from zermelo.games.halving import Halving
from zermelo.games.nim import Nim
from zermelo.games.pig import Pig
from zermelo.games.three_player_tic_tac_toe import ThreePlayerTicTacToe
from zermelo.games.tic_tac_toe import TicTacToe

GAMES: list[tuple[Game, int]] = [
    (TicTacToe(), 5),
    (ConnectFour(), 5),
    (ConnectFour(rows=4, cols=5, line=3), 5),
    (ConnectFour(rows=1, cols=6, line=2), 6),
    (Nim(), 4),
    (Nim(heaps=(1, 3, 5), misere=False), 4),
    (Nim(heaps=(4,)), 4),
    (Halving(n=11), 11),
    (Bucket(), 2),
    (CoinBucket(), 3),
    (Pig(), 7),
    (ThreePlayerTicTacToe(), 5),
    (ThreePlayerTicTacToe(rows=2, cols=4, line=3), 6),
]
NAMES = [f"{game.name}-{depth}-{i}" for i, (game, depth) in enumerate(GAMES)]
every_game = pytest.mark.parametrize("game", [game for game, _ in GAMES], ids=NAMES)


def walk(game: Game, seed: int, longest: int = 60) -> Iterator[Any]:
    """The states of one random game."""
    random, s = Random(seed), game.initial()
    yield s
    for _ in range(longest):
        if game.is_terminal(s):
            return
        s = game.result(s, random.choice(list(game.actions(s))))
        yield s


def states(game: Game) -> Iterator[Any]:
    """The states of several random games."""
    for seed in range(20):
        yield from walk(game, seed)


def value(game: Game, s: Any, random_opponent: bool = False) -> float:
    """What `s` is worth to player 0; the opponent is perfect or plays at random."""
    if game.is_terminal(s):
        return game.utility(s, 0)
    mover = game.to_move(s)
    below = [value(game, game.result(s, a), random_opponent) for a in game.actions(s)]
    if mover == CHANCE:
        return sum(v * game.probability(s, a) for v, a in zip(below, game.actions(s), strict=True))
    if mover == 1 and random_opponent:
        return sum(below) / len(below)
    return max(below) if mover == 0 else min(below)


def memoized_value(game: Game) -> float:
    """What the game is worth to player 0, each state looked at once."""

    @cache
    def of(s: Any) -> float:
        if game.is_terminal(s):
            return game.utility(s, 0)
        return (max if game.to_move(s) == 0 else min)(of(game.result(s, a)) for a in game.actions(s))

    return of(game.initial())


def best(game: Game, random_opponent: bool = False) -> tuple[float, str]:
    """The value of the first state and the name of the move that reaches it."""
    s = game.initial()
    worth = {game.format_action(s, a): value(game, game.result(s, a), random_opponent) for a in game.actions(s)}
    name = max(worth, key=worth.__getitem__)
    return worth[name], name


def reachable(game: Game) -> set[Any]:
    """Every state that play can come to."""
    found, waiting = {game.initial()}, [game.initial()]
    while waiting:
        s = waiting.pop()
        for _, after in [] if game.is_terminal(s) else game.successors(s):
            if after not in found:
                found.add(after)
                waiting.append(after)
    return found


def has_line(cells: set[tuple[int, int]], line: int) -> bool:
    """Whether `line` cells stand in a row, cell by cell."""
    steps = ((0, 1), (1, 0), (1, 1), (1, -1))
    return any(
        all((row + i * down, col + i * right) in cells for i in range(line))
        for row, col in cells
        for down, right in steps
    )


# --- the machines -------------------------------------------------------------------------------------------------


@kernel
def signature(game, s, depth, memory, top):
    """A number that depends on everything that the rules say down to a depth."""
    total = u64(game.key(s)) * 31 + (game.to_move(s) + 2)
    if game.transform is not None:
        for k in range(game.symmetry_count):
            total = total * 31 + game.key(game.transform(s, k))
    if game.evaluate is not None:
        total = total * 31 + int(1000.0 * game.evaluate(s))
    if game.is_over(s) or game.is_terminal(s):
        for player in range(game.players):
            total = total * 31 + int(2.0 * game.utility(s, player))
        return total
    if depth == 0:
        return total
    end = game.fill(s, memory, top)
    for i in range(top, end):
        total = total * 31 + memory[i]
        if game.transform_action is not None:
            for k in range(game.symmetry_count):
                total = total * 31 + game.transform_action(memory[i], k)
        if game.probability is not None and game.to_move(s) < 0:
            total = total * 31 + int(5040.0 * game.probability(s, memory[i]))
        total = total * 31 + signature(game, game.result(s, memory[i]), depth - 1, memory, end)
    return total


@kernel
def perft(game, s, depth, memory, top):
    """The number of ways to play exactly `depth` actions."""
    if depth == 0:
        return 1
    if game.is_over(s):
        return 0
    end, paths = game.fill(s, memory, top), 0
    for i in range(top, end):
        paths += perft(game, game.result(s, memory[i]), depth - 1, memory, end)
    return paths


@pytest.mark.parametrize(("game", "depth"), GAMES, ids=NAMES)
def test_machines_agree(game: Game, depth: int) -> None:
    answers = []
    for device in ("python", "cpu"):
        m = machine(device)
        memory = m.memory(game.max_actions * (depth + 1))
        answers.append(m.call(signature, game=game, s=game.initial(), depth=depth, memory=memory, top=0))
    assert answers[0] == answers[1]


# --- the contract -------------------------------------------------------------------------------------------------


@every_game
def test_actions_and_odds(game: Game) -> None:
    for s in states(game):
        assert hash(s) == hash(game.checked_state(s))
        if game.is_terminal(s):
            continue
        actions = list(game.actions(s))
        assert 0 < len(actions) <= game.max_actions
        assert len(set(actions)) == len(actions)
        assert all(0 <= a < game.policy_size for a in actions)
        if game.to_move(s) == CHANCE:
            assert sum(game.probability(s, a) for a in actions) == pytest.approx(1.0)


@every_game
def test_utilities_sum_to_zero_within_the_bounds(game: Game) -> None:
    assert game.bounds is not None
    for s in filter(game.is_terminal, states(game)):
        assert sum(game.utility(s, player) for player in range(game.players)) == 0.0
        assert game.bounds[0] <= game.utility(s, 0) <= game.bounds[1]


@every_game
def test_names_and_states_are_read_back(game: Game) -> None:
    for s in states(game):
        assert game.parse_state(game.format_state(s)) == s
        assert "\n" not in game.format_state(s)
        assert game.text(s)
        for action in [] if game.is_terminal(s) else game.actions(s):
            assert game.parse_action(s, f" {game.format_action(s, action)} ") == action
    with pytest.raises(IllegalAction):
        game.parse_action(game.initial(), "no such move")


@every_game
def test_symmetries_commute_with_the_rules(game: Game) -> None:
    if game.transform is None:
        assert game.symmetry_count == 1
        return
    for s in states(game):
        assert game.transform(s, 0) == s
        for k in range(game.symmetry_count):
            turned = game.transform(s, k)
            assert game.is_terminal(turned) == game.is_terminal(s)
            assert game.to_move(turned) == game.to_move(s)
            if game.is_terminal(s):
                assert game.utility(turned, 0) == game.utility(s, 0)
                continue
            assert {game.transform_action(a, k) for a in game.actions(s)} == set(game.actions(turned))
            for a in game.actions(s):
                assert game.transform(game.result(s, a), k) == game.result(turned, game.transform_action(a, k))


@every_game
def test_pictures_offer_the_legal_actions(game: Game) -> None:
    for s in states(game) if game.svg is not None else ():
        offered = [
            int(e.attrib["data-action"])
            for e in ElementTree.fromstring(game.svg(s)).iter()
            if "data-action" in e.attrib
        ]
        assert sorted(offered) == ([] if game.is_terminal(s) else sorted(game.actions(s)))


def test_games_load_no_heavy_packages() -> None:
    names = sorted({type(game).__module__ for game, _ in GAMES})
    code = f"import sys, {', '.join(names)}; print({{'numba', 'numpy', 'scipy', 'torch'}} & set(sys.modules) or 'none')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "none"


@pytest.mark.parametrize(
    ("kind", "parameters"),
    [
        (ConnectFour, {"rows": 0}),
        (ConnectFour, {"cols": -1}),
        (ConnectFour, {"rows": 8, "cols": 8}),
        (ConnectFour, {"line": 1}),
        (Nim, {"heaps": ()}),
        (Nim, {"heaps": (0, 0)}),
        (Nim, {"heaps": (2, -1)}),
        (Halving, {"n": 0}),
        (Pig, {"target": 0}),
        (Pig, {"sides": 1}),
        (ThreePlayerTicTacToe, {"rows": 9, "cols": 9}),
        (ThreePlayerTicTacToe, {"line": 0}),
    ],
)
def test_senseless_parameters_are_refused(kind: type[Game], parameters: dict[str, Any]) -> None:
    with pytest.raises(BadParameter, match=next(iter(parameters))):
        kind(**parameters)


@pytest.mark.parametrize(
    ("game", "text"),
    [
        (TicTacToe(), ""),
        (TicTacToe(), "XXX/OOO/..."),
        (TicTacToe(), "XX./.../..."),
        (TicTacToe(), "XXX/OO./..O"),
        (ConnectFour(), "0"),
        (ConnectFour(), "4444444"),
        (ConnectFour(), "12121212"),
        (ConnectFour(), "X....../......./......./......./......./......."),
        (ConnectFour(rows=2, cols=2), ".X/.X"),
        (Nim(), "((1, 2, 3), 0)"),
        (Nim(), "((1, 3), 0)"),
        (Nim(), "((-1, 2), 0)"),
        (Halving(), "(-1, 0)"),
        (Bucket(), "(-1, 1)"),
        (CoinBucket(), "(1, False, 0)"),
        (Pig(), "((-1, 0), 0, 0, False)"),
        (Pig(), "((20, 20), 0, 0, False)"),
        (Pig(), "((5, 0), 15, 0, True)"),
        (Pig(), "((5, 0), 21, 0, False)"),
        (ThreePlayerTicTacToe(), "OOX/.../..."),
        (ThreePlayerTicTacToe(), "XXX/OOO/ZZ."),
    ],
)
def test_impossible_states_are_refused(game: Game, text: str) -> None:
    with pytest.raises(BadState):
        game.parse_state(text)


# --- known values -------------------------------------------------------------------------------------------------


def test_tic_tac_toe_counts() -> None:
    game = TicTacToe()
    nodes, ends = 0, {1.0: 0, 0.0: 0, -1.0: 0}
    waiting = [game.initial()]
    while waiting:
        s = waiting.pop()
        nodes += 1
        if game.is_terminal(s):
            ends[game.utility(s, 0)] += 1
        else:
            waiting += [game.result(s, a) for a in game.actions(s)]
    assert nodes == 549_946
    assert sum(ends.values()) == 255_168
    assert ends == {1.0: 131_184, 0.0: 46_080, -1.0: 77_904}


def test_tic_tac_toe_states() -> None:
    game = TicTacToe()
    found = reachable(game)
    assert len(found) == 5_478
    assert len({min(game.transform(s, k) for k in range(8)) for s in found}) == 765
    assert len({min(game.transform_action(a, k) for k in range(8)) for a in range(9)}) == 3
    assert memoized_value(game) == 0.0


def test_tic_tac_toe_lines() -> None:
    game = TicTacToe()
    for board in range(512):
        assert game.has_line(board) == has_line({divmod(cell, 3) for cell in range(9) if board >> cell & 1}, 3)


def test_connect_four_perft() -> None:
    game, m = ConnectFour(), machine("cpu")
    counts = [m.call(perft, game=game, s=game.initial(), depth=d, memory=m.memory(200), top=0) for d in range(9)]
    assert counts == [1, 7, 49, 343, 2401, 16_807, 117_649, 823_536, 5_673_234]
    assert perft(game, game.initial(), 5, [0] * 200, 0) == 16_807


@pytest.mark.parametrize("size", [(6, 7, 4), (4, 5, 3), (5, 4, 5), (3, 3, 2), (1, 9, 3), (8, 7, 6), (2, 21, 7)])
def test_connect_four_against_a_plain_board(size: tuple[int, int, int]) -> None:
    rows, cols, line = size
    game = ConnectFour(rows, cols, line)
    for seed in range(30):
        random, s = Random(seed), game.initial()
        columns: list[list[int]] = [[] for _ in range(cols)]
        while True:
            free = [col for col in range(cols) if len(columns[col]) < rows]
            own = [{(r, c) for c in range(cols) for r, p in enumerate(columns[c]) if p == who} for who in (0, 1)]
            won = [has_line(cells, line) for cells in own]
            assert game.is_terminal(s) == (any(won) or not free)
            if game.is_terminal(s):
                assert game.utility(s, 0) == won[0] - won[1]
                break
            assert list(game.actions(s)) == free
            col = random.choice(free)
            columns[col].append(game.to_move(s))
            s = game.result(s, col)


def test_connect_four_small_boards() -> None:
    game = ConnectFour(rows=4, cols=4)
    assert len(reachable(game)) == 161_029
    assert memoized_value(game) == 0.0


def test_connect_four_names() -> None:
    game = ConnectFour()
    s = game.parse_state("4455")
    assert game.text(s).splitlines()[-2:] == [". . . X X . .", "1 2 3 4 5 6 7"]
    full = game.parse_state("333333")
    assert game.parse_action(full, "4") == 3
    with pytest.raises(IllegalAction, match="1, 2, 4, 5, 6, 7"):
        game.parse_action(full, "3")


def test_two_heap_nim_is_lost() -> None:
    game = Nim()
    assert game.parameters == {"heaps": (2, 2), "misere": True}
    assert value(game, game.initial()) == -1.0
    assert game.format_action(game.initial(), 1) == "2 from heap 1"


@pytest.mark.parametrize("misere", [False, True])
def test_nim_theory(misere: bool) -> None:
    for heaps in [(a, b, c) for a in range(5) for b in range(a + 1) for c in range(b + 1) if a]:
        even = reduce(xor, heaps) == 0
        lost = not even if misere and max(heaps) == 1 else even
        assert memoized_value(Nim(heaps, misere)) == (-1.0 if lost else 1.0)


def test_halving() -> None:
    assert value(Halving(n=5), Halving(n=5).initial()) == 1.0
    assert [n for n in range(1, 16) if memoized_value(Halving(n)) < 0] == [1, 4, 6, 10, 14]


def test_buckets() -> None:
    assert best(Bucket()) == (1.0, "B")
    assert best(Bucket(), random_opponent=True) == (5.0, "C")
    assert best(CoinBucket()) == (-2.0, "C")
    game = Bucket()
    s = game.result(game.initial(), game.parse_action(game.initial(), "a"))
    assert game.parse_action(s, "-50") == 0
    with pytest.raises(IllegalAction, match="-50, 50"):
        game.parse_action(s, "1")


def test_pig_with_a_coin() -> None:
    # Two sides, target 2: one roll wins or passes, so that the mover wins with p = 1/2 + (1 - p)/2 = 2/3.
    game = Pig(target=2, sides=2)

    @cache
    def of(s: Any, depth: int) -> float:
        if game.is_terminal(s):
            return game.utility(s, 0)
        if depth == 0:
            return 0.0
        below = [of(game.result(s, a), depth - 1) for a in game.actions(s)]
        if game.to_move(s) == CHANCE:
            return sum(below) / len(below)
        return max(below) if game.to_move(s) == 0 else min(below)

    assert of(game.initial(), 100) == pytest.approx(1 / 3)
    assert len(reachable(Pig(target=5))) < 500


def test_pig_turns() -> None:
    game = Pig(target=10)
    s = game.play(game.initial(), 1, 6)
    assert (s.turn, s.player, game.to_move(s)) == (6, 0, 0)
    assert game.play(s, 1, 1) == game.State((0, 0), 0, 1, False)
    s = game.play(s, 0)
    assert s == game.State((6, 0), 0, 1, False)
    assert list(game.actions(s)) == [1]
    assert list(game.actions(game.play(s, 1, 5, 1, 5))) == [0]
    won = game.play(s, 1, 1, 1, 4, 0)
    assert game.is_terminal(won)
    assert game.utility(won, 0) == 1.0


def test_three_player_tic_tac_toe_is_drawn() -> None:
    game = ThreePlayerTicTacToe()

    @cache
    def of(s: Any) -> tuple[float, ...]:
        if game.is_terminal(s):
            return tuple(game.utility(s, player) for player in range(3))
        mover = game.to_move(s)
        return max((of(game.result(s, a)) for a in game.actions(s)), key=lambda values: values[mover])

    assert of(game.initial()) == (0.0, 0.0, 0.0)
    won = game.play(game.initial(), 0, 3, 6, 1, 4, 7, 2)
    assert [game.utility(won, player) for player in range(3)] == [1.0, -0.5, -0.5]


@pytest.mark.parametrize("size", [(3, 3, 3), (3, 4, 3), (4, 4, 2), (1, 6, 2), (5, 2, 3)])
def test_three_player_lines(size: tuple[int, int, int]) -> None:
    rows, cols, line = size
    game = ThreePlayerTicTacToe(rows, cols, line)
    for seed in range(30):
        for s in walk(game, seed):
            marks = "".join(game.format_state(s).split("/"))
            own = [{divmod(i, cols) for i, mark in enumerate(marks) if mark == name} for name in "XOZ"]
            won = [has_line(cells, line) for cells in own]
            assert game.is_terminal(s) == (any(won) or "." not in marks)
            if any(won):
                assert [game.utility(s, player) > 0 for player in range(3)] == won
