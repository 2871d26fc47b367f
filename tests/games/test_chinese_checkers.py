"""Chinese checkers against a plain star and OpenSpiel; who may rest where; how games end; notation."""

import re
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

import zermelo
from zermelo.errors import BadParameter, BadState, IllegalAction
from zermelo.games.chinese_checkers import PASS, ChineseCheckers
from zermelo.games.chinese_checkers.notation import rows_of
from zermelo.games.chinese_checkers.star import SIDES, places, row_lengths

GAMES = [
    ChineseCheckers(),
    ChineseCheckers(players=2, side=2, longest=40),
    ChineseCheckers(players=3, side=3),
    ChineseCheckers(players=4, side=4, strict=False),
    ChineseCheckers(players=6, side=2, longest=30),
    ChineseCheckers(players=6, side=4),
]


def states(game: ChineseCheckers, games: int = 1, seed: int = 0, eager: float = 3.0) -> list[Any]:
    """The states of games in which moves are drawn at random, those that climb more often."""
    found, random = [], Random(seed)
    for _ in range(games):
        s = game.initial()
        found.append(s)
        while not game.is_terminal(s):
            legal = list(game.actions(s))
            s = game.result(s, random.choices(legal, [game.prior(s, action) ** eager for action in legal])[0])
            found.append(s)
    return found


# --- a plain star -----------------------------------------------------------------------------------------------------

AROUND = [(0, 2), (0, -2), (1, 1), (1, -1), (-1, 1), (-1, -1)]


def point_of(side: int, place: tuple[int, int]) -> int | None:
    """The point of the star in which a place lies, counted clockwise from the top; None in the middle."""
    row, col = place
    if abs(row) > side:
        return 0 if row < 0 else 3
    # What a row has beyond the hexagon of side + 1 cells is in the points to the left and to the right.
    if abs(col) <= 2 * side - abs(row):
        return None
    return (1 if row < 0 else 2) if col > 0 else (5 if row < 0 else 4)


def plain_moves(game: ChineseCheckers, owners: dict[tuple[int, int], str], player: int) -> set[Any]:
    """Pairs of places: from where to where the player's marbles may go."""
    home, found = 6 * player // game.players, set()
    for start in [place for place, owner in owners.items() if owner == "ABCDEF"[player]]:
        ends = {(start[0] + r, start[1] + c) for r, c in AROUND if owners.get((start[0] + r, start[1] + c)) == "."}
        lifted, hops, waiting = owners | {start: "."}, {start}, [start]
        while waiting:
            row, col = waiting.pop()
            for r, c in AROUND:
                over, end = (row + r, col + c), (row + 2 * r, col + 2 * c)
                if lifted.get(over, ".") != "." and lifted.get(end) == "." and end not in hops:
                    hops.add(end)
                    waiting.append(end)
        goal = (home + 3) % 6
        for end in (ends | hops) - {start}:
            inside = point_of(game.side, end)
            stays = inside == goal if point_of(game.side, start) == goal else inside in (None, home, goal)
            if stays or not game.strict:
                found.add((start, end))
    return found


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_moves_on_a_plain_star(game: ChineseCheckers) -> None:
    cells, long_chains = places(game.side), 0
    for s in states(game, seed=1)[:300:4]:
        if game.is_terminal(s):
            continue
        owners = dict(zip(cells, "".join(rows_of(game, s)), strict=True))
        legal = list(game.actions(s))
        assert len(legal) <= game.max_actions
        wanted = plain_moves(game, owners, s.player)
        assert {(cells[a // game.cells], cells[a % game.cells]) for a in legal if a != PASS} == wanted
        assert (legal == [PASS]) == (not wanted)
        for action in legal:
            after = game.result(s, action)
            start, end = cells[action // game.cells], cells[action % game.cells]
            long_chains += max(abs(start[0] - end[0]), abs(start[1] - end[1])) > 4
            if action != PASS:
                moved = owners | {start: ".", end: owners[start]}
                assert "".join(rows_of(game, after)) == "".join(moved.values())
    assert long_chains > 0


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_turns_in_openspiel(players: int) -> None:
    """OpenSpiel plays hops one by one; what a whole turn leads to is the same."""
    pyspiel = pytest.importorskip("pyspiel")
    game = ChineseCheckers(players=players, strict=False, longest=1000)
    random, s = Random(players), game.initial()
    state = pyspiel.load_game(f"chinese_checkers(players={players})").new_initial_state()

    def board(of: Any) -> str:
        signs = "".join(sign for line in str(of).split("\n")[:17] for sign in line.split())
        return signs.translate(str.maketrans("123456", "ABCDEF"))

    def turns(of: Any, mover: int, path: tuple[int, ...], found: dict[str, Any], seen: set[str]) -> None:
        if of.is_terminal() or of.current_player() != mover:
            found.setdefault(board(of), path)
        elif board(of) not in seen:
            seen.add(board(of))
            for action in of.legal_actions():
                turns(of.child(action), mover, (*path, action), found, seen)

    for _ in range(60):
        assert state.current_player() == game.to_move(s)
        theirs: dict[str, Any] = {}
        turns(state, state.current_player(), (), theirs, set())
        theirs.pop(board(state), None)  # there and back again
        ours = {"".join(rows_of(game, game.result(s, action))): action for action in game.actions(s)}
        assert set(ours) == set(theirs)
        chosen = random.choice(sorted(ours))
        s = game.result(s, ours[chosen])
        for action in theirs[chosen]:
            state.apply_action(action)


# --- the star ---------------------------------------------------------------------------------------------------------


def test_the_star() -> None:
    assert row_lengths(4) == [1, 2, 3, 4, 13, 12, 11, 10, 9, 10, 11, 12, 13, 4, 3, 2, 1]
    assert [ChineseCheckers(side=side).cells for side in SIDES] == [37, 73, 121]
    assert [ChineseCheckers(side=side).number for side in SIDES] == [3, 6, 10]
    for side in SIDES:
        points = [point_of(side, place) for place in places(side)]
        assert [points.count(point) for point in range(6)] == [side * (side + 1) // 2] * 6
        for players, homes in ((2, (0, 3)), (3, (0, 2, 4)), (4, (0, 1, 3, 4)), (6, (0, 1, 2, 3, 4, 5))):
            game = ChineseCheckers(players=players, side=side)
            written = "".join(rows_of(game, game.initial()))
            for player, home in enumerate(homes):
                cells = [cell for cell, sign in enumerate(written) if sign == "ABCDEF"[player]]
                assert cells == [cell for cell, point in enumerate(points) if point == home]


def test_first_moves_of_the_common_star() -> None:
    """Each marble of the two front rows has two ways out."""
    game = ChineseCheckers()
    names = [game.format_action(game.initial(), action) for action in game.actions(game.initial())]
    assert names == [
        "c1-e5", "c1-e7", "c2-e6", "c2-e8", "c3-e7", "c3-e9", "d1-e5", "d1-e6", "d2-e6", "d2-e7", "d3-e7", "d3-e8",
        "d4-e8", "d4-e9",
    ]  # fmt: skip
    assert zermelo.perft(game, 2, device="python") == 14 * 14


# --- how games end ----------------------------------------------------------------------------------------------------


def test_who_is_first_wins() -> None:
    game = ChineseCheckers(players=3, side=2, longest=50)
    # A needs one more step, into the lowest row.
    s = game.parse_state("./../......./...B../.B.B./.C.C../..AC.../.A/A A 30")
    assert s.climbed[0] == game.way - 1
    s = game.play(s, game.parse_action(s, "g3-h1"))
    assert game.is_terminal(s)
    assert [game.utility(s, player) for player in range(3)] == [1.0, -0.5, -0.5]
    assert "A has won" in game.text(s)


def test_after_the_last_move_the_way_counts() -> None:
    game = ChineseCheckers(players=2, side=2, longest=3)
    s = game.initial()
    for name in ("b2-c5", "h1-g4", "c5-d4", "g4-h1", "d4-e3", "h1-g4"):
        assert not game.is_terminal(s)
        s = game.play(s, game.parse_action(s, name))
    assert game.is_terminal(s)
    assert (s.climbed, game.way) == ((3, 1), 20)
    assert [game.utility(s, player) for player in (0, 1)] == pytest.approx([0.05, -0.05])
    assert "over after 3 moves of each" in game.text(s)


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_utilities_sum_to_nothing_and_stay_in_bounds(game: ChineseCheckers) -> None:
    for s in states(game, 1):
        for player in range(game.players):
            assert -1 <= game.evaluate(s, player) <= 1
    assert sum(game.utility(s, player) for player in range(game.players)) == pytest.approx(0)
    assert all(-1 <= game.utility(s, player) <= 1 for player in range(game.players))


def eager(game: ChineseCheckers, s: Any, random: Random) -> int:
    """An action that climbs as much as any."""
    return max(game.actions(s), key=lambda action: (game.order(s, action), random.random()))


def test_eager_players_beat_random_ones() -> None:
    game, total = ChineseCheckers(players=2, side=3), 0.0
    for seed in range(6):
        random, s, ours = Random(seed), game.initial(), seed % 2
        while not game.is_terminal(s):
            s = game.result(s, eager(game, s, random) if s.player == ours else random.choice(list(game.actions(s))))
        assert game.utility(s, ours) > 0
        total += game.utility(s, ours)
    assert total > 2


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_eager_players_come_home(players: int) -> None:
    """Somebody wins long before the last move."""
    game, random = ChineseCheckers(players=players, side=2), Random(5)
    s = game.initial()
    while not game.is_terminal(s):
        s = game.result(s, eager(game, s, random))
    assert max(s.climbed) == game.way
    assert s.moves < 40 * players


def test_marbles_stay_in_the_opposite_point() -> None:
    game, free = ChineseCheckers(side=2), ChineseCheckers(side=2, strict=False)
    written = "A/../......./....../..B../..B.../...B.../AA/. A 0"
    names = {}
    for of in (game, free):
        s = of.parse_state(written)
        names[of.strict] = {of.format_action(s, action) for action in of.actions(s)}
    assert names[True] < names[False]
    left = {name for name in names[False] if name[0] == "h" and name.partition("-")[2][0] not in "hi"}
    assert left
    assert not left & names[True]


def test_who_cannot_move_passes() -> None:
    """All of A's marbles are at home, and nobody leaves a cell to go to or to hop to."""
    game = ChineseCheckers(players=6, side=2)
    s = game.parse_state("A/AA/BBBCCC./DDDEEE/FFF../....../......./../. A 0")
    assert [game.format_action(s, action) for action in game.actions(s)] == ["pass"]
    after = game.play(s, game.parse_action(s, "pass"))
    assert (after.player, after.moves, after.marbles) == (1, 1, s.marbles)
    assert 'data-action="0"' in game.svg(s)


# --- symmetry ---------------------------------------------------------------------------------------------------------


def test_left_and_right() -> None:
    for game in GAMES:
        assert game.symmetry_count == (2 if game.players == 2 else 1)
    game = ChineseCheckers(side=3)
    for s in states(game):
        mirrored = game.transform(s, 1)
        assert [row[::-1] for row in rows_of(game, mirrored)] == rows_of(game, s)
        assert game.transform(mirrored, 1) == s
        if not game.is_terminal(s):
            assert {game.transform_action(a, 1) for a in game.actions(s)} == set(game.actions(mirrored))


# --- names and boards -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_positions_are_read_back(game: ChineseCheckers) -> None:
    for s in states(game)[::17]:
        assert game.parse_state(game.format_state(s)) == s
        picture = game.svg(s)
        ElementTree.fromstring(picture)
        drawn = [int(action) for action in re.findall(r'data-action="(\d+)"', picture)]
        assert drawn == ([] if game.is_terminal(s) else list(game.actions(s)))
        for action in drawn:
            assert game.parse_action(s, game.format_action(s, action)) == action


def test_text() -> None:
    game = ChineseCheckers(players=3, side=2)
    assert game.text(game.initial()).splitlines() == [
        "a       A",
        "b      A A",
        "c . . . . . . .",
        "d  . . . . . .",
        "e   . . . . .",
        "f  C . . . . B",
        "g C C . . . B B",
        "h      . .",
        "i       .",
        "A moves; A 0 %, B 0 %, C 0 %",
    ]


FIRST = "A/AA/......./....../...../....../......./BB/B"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no star"),
        (FIRST, "no star"),
        (f"{FIRST} C 0", "no star"),
        (f"{FIRST[:-1]}C A 0", "no star"),
        (f"{FIRST[:-2]} A 0", "no star"),
        (f"{FIRST[:-1]}. A 0", "everybody has 3 marbles, not 3, 2"),
        (f"{FIRST} A 1", "not A's turn"),
        (f"{FIRST} B 2", "not B's turn"),
        (f"{FIRST} A 9999", "the game is over"),
        ("B/BB/......./....../...../....../......./AA/A A 8", "over before"),
        ("B/BB/......./....../A..../A...../A....../../. B 7", "over before"),
    ],
)
def test_impossible_positions_are_refused(text: str, reason: str) -> None:
    with pytest.raises(BadState, match=reason):
        ChineseCheckers(side=2).parse_state(text)


def test_impossible_states_are_refused() -> None:
    game = ChineseCheckers(side=2)
    s = game.initial()
    for wrong in (
        s._replace(player=2), s._replace(climbed=(1, 0)), s._replace(marbles=(s.marbles[0], s.marbles[0])),
        s._replace(marbles=s.marbles[::-1]), s._replace(moves=-1),
        s._replace(marbles=(s.marbles[0], (s.marbles[1][0], s.marbles[1][0]))),
    ):  # fmt: skip
        with pytest.raises(BadState):
            game.checked_state(wrong)
    for word in ("a1-c1", "pass", "", "c1", "b1-b2"):
        with pytest.raises(IllegalAction, match="legal: "):
            game.parse_action(s, word)
    for parameters in ({"players": 5}, {"players": 1}, {"side": 1}, {"side": 5}, {"longest": 0}):
        with pytest.raises(BadParameter):
            ChineseCheckers(**parameters)
