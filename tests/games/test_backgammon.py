"""Backgammon against a plain board, OpenSpiel and GNU Backgammon; forced moves, the cube, notation, the estimate."""

import json
import os
import re
import subprocess
from collections import Counter
from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

import zermelo
from zermelo.bits import u64
from zermelo.errors import BadState, IllegalAction
from zermelo.games.backgammon import Backgammon, evaluation
from zermelo.games.backgammon.moves import BOTH, MOVE, OPENING, OVER, THROW
from zermelo.games.backgammon.notation import counts, pips, planes

GAME, CUBE = Backgammon(), Backgammon(cube=True)
FIRST = "-b----E-C---eE---c-e----B-"

Board = tuple[tuple[int, ...], tuple[int, ...]]
"""Checkers by point: those of the player to move and the opponent's, each side by its own count; 25 is the bar."""


def states(game: Backgammon, games: int, seed: int = 0) -> list[Any]:
    """The states of random games."""
    found, random = [], Random(seed)
    for _ in range(games):
        s = game.initial()
        found.append(s)
        while not game.is_terminal(s):
            s = game.result(s, random.choice(list(game.actions(s))))
            found.append(s)
    return found


def is_full_throw(s: Any) -> bool:
    return s.phase == MOVE and (s.high != s.low or s.left == 4)


def random_throw(random: Random) -> Any:
    """Any position whatever, many of them near the end, with a throw to be played."""
    sides = [[0] * 26, [0] * 26]
    reach = random.choice((6, 6, 9, 24))
    for player in (0, 1):
        for _ in range(random.randint(1, 15)):
            places = [p for p in range(1, reach + 1) if not sides[1 - player][25 - p]]
            if places:
                sides[player][25 if random.random() < 0.05 else random.choice(places)] += 1
    white, black = planes(sides[0]), planes(sides[1][::-1])
    high, low = sorted((random.randint(1, 6), random.randint(1, 6)), reverse=True)
    return GAME.State(white, black, random.randint(0, 1), MOVE, high, low, 4 if high == low else 2, 1, BOTH)


def ends_of(s: Any) -> set[Any]:
    """The positions that a whole throw can lead to."""
    found, seen = set(), set()

    def follow(now: Any) -> None:
        if now in seen:
            return
        seen.add(now)
        if now.phase != MOVE or now.player != s.player:
            found.add((tuple(counts(now.white)), tuple(counts(now.black))))
            return
        for action in GAME.actions(now):
            follow(GAME.result(now, action))

    follow(s)
    return found


# --- a plain board ----------------------------------------------------------------------------------------------------


def plain_moves(board: Board, die: int) -> list[Board]:
    """The boards after one checker's move by this number."""
    mine, theirs = board
    found = []
    for start in range(25, 0, -1):
        if not mine[start] or (mine[25] and start < 25):
            continue
        end = start - die
        after, others = list(mine), list(theirs)
        after[start] -= 1
        if end > 0:
            if theirs[25 - end] > 1:
                continue
            after[end] += 1
            others[25] += theirs[25 - end]
            others[25 - end] = 0
        elif any(mine[7:]) or (end < 0 and any(mine[start + 1 : 7])):
            continue
        found.append((tuple(after), tuple(others)))
    return found


def plain_ends(board: Board, high: int, low: int) -> set[Board]:
    """The boards after a throw, by trying everything and keeping what plays most numbers, then the higher one."""
    orders = [(high,) * 4] if high == low else [(high, low), (low, high)]
    played: dict[tuple[int, ...], set[Board]] = {}
    for order in orders:
        now = {board}
        played.setdefault((), set()).add(board)
        for count, die in enumerate(order, 1):
            now = {after for before in now for after in plain_moves(before, die)}
            if now:
                played.setdefault(tuple(sorted(order[:count])), set()).update(now)
    most = max(played, key=lambda dice: (len(dice), sum(dice)))
    return played[most]


def as_plain(s: Any) -> Board:
    white, black = tuple(counts(s.white)), tuple(counts(s.black))[::-1]
    return (white, black) if s.player == 0 else (black, white)


def test_throws_on_a_plain_board() -> None:
    throws = [s for s in states(GAME, 6) if is_full_throw(s)]
    random = Random(1)
    throws += [random_throw(random) for _ in range(1500)]
    for s in throws:
        wanted = plain_ends(as_plain(s), s.high, s.low)
        mirrored = {(mine, theirs[::-1]) if s.player == 0 else (theirs, mine[::-1]) for mine, theirs in wanted}
        assert ends_of(s) == mirrored, GAME.text(s)


def test_no_throw_has_more_actions_than_it_says() -> None:
    random = Random(2)
    assert max(len(list(GAME.actions(random_throw(random)))) for _ in range(500)) <= GAME.max_actions
    spread = GAME.parse_state(f"-a{'-' * 8}{'A' * 15}-:0:0:1:21")
    assert len(list(GAME.actions(spread))) == GAME.max_actions


# --- other programs ---------------------------------------------------------------------------------------------------


def from_openspiel(state: Any, player: int) -> list[int]:
    """The checkers of one side by point, as White counts."""
    found = [0] * 26
    for place in range(24):
        found[24 - place] = state.board(player, place)
    found[25 if player == 0 else 0] = state.board(player, 100)
    return found


def openspiel_ends(state: Any, player: int) -> set[Any]:
    if state.is_terminal() or state.current_player() != player:
        return {tuple(tuple(from_openspiel(state, side)) for side in (0, 1))}
    return set().union(*(openspiel_ends(state.child(action), player) for action in state.legal_actions()))


def compare_with_openspiel(throws: int, seed: int) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    theirs = pyspiel.load_game("backgammon(scoring_type=full_scoring)")
    random, state, found = Random(seed), theirs.new_initial_state(), 0
    while found < throws:
        if state.is_terminal():
            state = theirs.new_initial_state()
        if state.is_chance_node():
            state.apply_action(random.choice([action for action, _ in state.chance_outcomes()]))
            continue
        written, player = str(state), state.current_player()
        dice = sorted(int(number) for number in re.search(r"Dice: (\d\d)", written)[1])
        if dice[1] <= 6 and "Extra turn: 0" in written:
            white, black = (planes(from_openspiel(state, side)) for side in (0, 1))
            left = 4 if dice[0] == dice[1] else 2
            s = GAME.State(white, black, player, MOVE, dice[1], dice[0], left, 1, BOTH)
            assert ends_of(s) == openspiel_ends(state, player), written
            found += 1
        state.apply_action(random.choice(state.legal_actions()))
        if state.is_terminal():
            white, black = (planes(from_openspiel(state, side)) for side in (0, 1))
            s = GAME.State(white, black, player, OVER, 0, 0, 0, 1, BOTH)
            assert [GAME.utility(s, side) for side in (0, 1)] == state.returns()


def test_throws_in_openspiel() -> None:
    compare_with_openspiel(400, 1)


@pytest.mark.slow
def test_ten_thousand_throws_in_openspiel() -> None:
    compare_with_openspiel(10_000, 2)


ASK = """
import gnubg, json
for line in ["set automatic game off", "set automatic roll off", "set automatic move off", "set player 0 human",
             "set player 1 human", "set display off", "new game", "set evaluation chequerplay eval plies 0"]:
    gnubg.command(line)
for xgid in json.load(open(POSITIONS)):
    gnubg.command("set xgid XGID=" + xgid)
    answer = gnubg.hint(10000)
    print("FOUND " + json.dumps([move["move"] for move in answer["hint"]] if answer else []))
"""


def after_gnubg(s: Any, line: str) -> Any:
    """White's move in the words of GNU Backgammon, such as bar/22*/18 6/5(2), played on a plain board."""
    white, black = counts(s.white), counts(s.black)
    for way, times in re.findall(r"([^\s(]+)(?:\((\d)\))?", line):
        places = way.split("/")
        for _ in range(int(times or 1)):
            for start, end in zip(places, places[1:], strict=False):
                white[25 if start == "bar" else int(start.rstrip("*"))] -= 1
                if end != "off":
                    place = int(end.rstrip("*"))
                    white[place] += 1
                    black[0], black[place] = black[0] + black[place], 0
    return tuple(white), tuple(black)


def test_throws_in_gnu_backgammon(need: Any, tmp_path: Path) -> None:
    program = need("/usr/games/gnubg")
    throws = [s for s in states(GAME, 20, seed=3) if is_full_throw(s) and s.player == 0][::9]
    positions, ask = tmp_path / "positions.json", tmp_path / "ask.py"
    positions.write_text(json.dumps([f"{GAME.format_state(s)}:0:0:0:0:10" for s in throws]))
    ask.write_text(ASK.replace("POSITIONS", repr(str(positions))))
    done = subprocess.run(
        [program, "-t", "-q", "-r", "-p", str(ask)], input="", capture_output=True, text=True, timeout=120,
        env={**os.environ, "HOME": str(tmp_path)},
    )  # fmt: skip
    answers = [json.loads(line[6:]) for line in done.stdout.splitlines() if line.startswith("FOUND ")]
    assert len(answers) == len(throws) > 50
    for s, answer in zip(throws, answers, strict=True):
        if not answer:
            assert [GAME.format_action(s, action) for action in GAME.actions(s)] == ["pass"]
        else:
            assert ends_of(s) == {after_gnubg(s, line) for line in answer}, GAME.text(s)


def path_to(s: Any, end: Any) -> list[int]:
    """The actions of a throw that lead to a position."""
    stack: list[tuple[Any, list[int]]] = [(s, [])]
    while stack:
        now, path = stack.pop()
        if now.phase != MOVE or now.player != s.player:
            if (tuple(counts(now.white)), tuple(counts(now.black))) == end:
                return path
            continue
        stack += [(GAME.result(now, action), [*path, action]) for action in GAME.actions(now)]
    raise AssertionError(f"no way leads to {end} from {GAME.format_state(s)}")


TALK = ASK.replace("for xgid in json.load(open(POSITIONS)):", "import sys\nfor xgid in iter(sys.stdin.readline, ''):")


def test_a_game_against_gnu_backgammon(need: Any, tmp_path: Path) -> None:
    """White is GNU Backgammon, Black samples; the dice are ours, and either side's moves are legal for the other."""
    program, talk, random, moves = need("/usr/games/gnubg"), tmp_path / "talk.py", Random(1), 0
    talk.write_text(TALK)
    player = zermelo.Mcts(GAME, device="cpu", seed=1, rollout_depth=0)
    with subprocess.Popen(
        [program, "-t", "-q", "-r", "-p", str(talk)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        env={**os.environ, "HOME": str(tmp_path)},
    ) as gnubg:  # fmt: skip
        assert gnubg.stdin is not None
        assert gnubg.stdout is not None
        s = GAME.initial()
        while not GAME.is_terminal(s):
            legal = list(GAME.actions(s))
            if GAME.to_move(s) == zermelo.CHANCE:
                s = GAME.result(s, random.choices(legal, [GAME.probability(s, action) for action in legal])[0])
            elif GAME.format_action(s, legal[0]) == "pass":
                s = GAME.result(s, legal[0])
            elif s.player == 1:
                action = player.search(s, zermelo.Limit(simulations=300)).action
                assert action is not None
                s = GAME.result(s, action)
            else:
                gnubg.stdin.write(f"{GAME.format_state(s)}:0:0:0:0:10\n")
                gnubg.stdin.flush()
                (best, *_) = json.loads(next(line for line in gnubg.stdout if line.startswith("FOUND "))[6:])
                s, moves = GAME.play(s, *path_to(s, after_gnubg(s, best))), moves + 1
        gnubg.stdin.close()
    assert moves > 5
    assert abs(GAME.utility(s, 0)) in (1.0, 2.0, 3.0)


# --- what must be played ----------------------------------------------------------------------------------------------


def position(white: dict[int, int], held: tuple[int, ...], dice: str, turn: int = 1) -> str:
    """White's checkers by point, and two of Black's on each of the points that Black holds."""
    signs = ["-"] * 26
    for point, count in white.items():
        signs[point] = chr(64 + count)
    for point in held:
        signs[point] = "b"
    return f"{''.join(signs)}:0:0:{turn}:{dice}"


@pytest.mark.parametrize(
    ("white", "held", "dice", "wanted"),
    [
        # Either number can be played but not both: the higher one must be.
        ({10: 1, 24: 1}, (18, 19), "65", "10/4"),
        ({10: 1, 24: 1}, (18, 19, 4), "65", "10/5"),
        # After 13/8 no two could be played, but after the others there is a five.
        ({13: 1, 24: 1}, (6, 17, 22), "52", "13/11 24/19"),
        # From the bar first of all.
        ({25: 1, 6: 5, 8: 3}, (20,), "54", "bar/21"),
        ({25: 2, 6: 5}, (20, 21), "54", "pass"),
        ({25: 1, 6: 5}, (19, 20, 21, 22, 23, 24), "63", "pass"),
        # Off the board: by the number, by a higher one from the highest point, else inside.
        ({4: 1, 2: 1}, (24,), "65", "4/off"),
        ({6: 1, 4: 1}, (24,), "54", "4/off 6/1 6/2"),
        ({6: 2, 3: 1}, (1, 24), "55", "pass"),
        ({6: 1, 7: 1}, (24,), "61", "6/5 7/1 7/6"),
        ({3: 1}, (24,), "52", "3/1"),
        ({8: 1}, (24,), "66", "8/2"),
    ],
)
def test_forced_moves(white: dict[int, int], held: tuple[int, ...], dice: str, wanted: str) -> None:
    s = GAME.parse_state(position(white, held, dice))
    assert sorted(GAME.format_action(s, action) for action in GAME.actions(s)) == wanted.split()


def test_doubles_are_played_four_times_or_as_often_as_possible() -> None:
    s = GAME.parse_state(position({24: 2, 13: 2}, (6,), "44"))
    for _ in range(4):
        assert (s.player, s.phase) == (0, MOVE)
        s = GAME.play(s, GAME.parse_action(s, "24/20" if s.left > 2 else "13/9"))
    assert (s.player, s.phase) == (1, THROW)
    s = GAME.parse_state(position({24: 1}, (12, 16), "44"))
    s = GAME.play(s, GAME.parse_action(s, "24/20"))
    assert (s.player, s.phase) == (1, THROW)


def test_a_hit_sends_a_checker_to_the_bar() -> None:
    s = GAME.parse_state("-b----E-C---eE---c-d--a-B-:0:0:1:62")
    assert "24/22*" in [GAME.format_action(s, action) for action in GAME.actions(s)]
    s = GAME.play(s, GAME.parse_action(s, "24/22"), GAME.parse_action(s, "24/18"))
    s = GAME.play(s, 6 * 5 + 2)  # a six and a three for Black
    assert [GAME.format_action(s, action) for action in GAME.actions(s)] == ["bar/22"]
    assert pips(s.black, 1) == 167 - 3 + 22


# --- dice -------------------------------------------------------------------------------------------------------------


def test_the_first_throw_has_no_doubles() -> None:
    s = GAME.initial()
    outcomes = list(GAME.actions(s))
    assert len(outcomes) == 30
    assert {GAME.probability(s, action) for action in outcomes} == {1 / 30}
    begins = Counter(GAME.to_move(GAME.result(s, action)) for action in outcomes)
    assert begins == {0: 15, 1: 15}
    assert GAME.format_action(s, 6 * 2 + 4) == "35"
    after = GAME.play(s, GAME.parse_action(s, "3-5"))
    assert (after.player, after.high, after.low, after.left) == (1, 5, 3, 2)


def test_later_throws() -> None:
    s = GAME.State(*GAME.initial()[:2], 0, THROW, 0, 0, 0, 1, BOTH)
    odds = {GAME.format_action(s, action): GAME.probability(s, action) for action in GAME.actions(s)}
    assert len(odds) == 21
    assert sum(odds.values()) == pytest.approx(1)
    assert (odds["66"], odds["61"]) == (1 / 36, 1 / 18)
    assert GAME.parse_action(s, "16") == GAME.parse_action(s, "6 1") == GAME.parse_action(s, "61")
    for of, parts in ((s, 36), (GAME.initial(), 30)):
        drawn = Counter(GAME.draw(of, u64((i << 64) // parts + (1 << 40))) for i in range(parts))
        assert drawn == {action: round(GAME.probability(of, action) * parts) for action in GAME.actions(of)}


@cache
def plain_lines(board: Board, dice: tuple[int, ...], depth: int) -> int:
    """The number of ways to play on by single moves; without dice, to throw."""
    if depth == 0 or not any(board[1]) or not any(board[0]):
        return depth == 0
    if not dice:
        throws = [(a, b) if a != b else (a,) * 4 for a in range(1, 7) for b in range(1, a + 1)]
        return sum(plain_lines(board, throw, depth - 1) for throw in throws)
    count = 0
    for after, rest in plain_choices(board, dice):
        goes_on = any(plain_moves(after, die) for die in rest) or not any(after[0])
        count += plain_lines(after if goes_on else after[::-1], rest if goes_on else (), depth - 1)
    return count or plain_lines(board[::-1], (), depth - 1)


def plain_choices(board: Board, dice: tuple[int, ...]) -> list[tuple[Board, tuple[int, ...]]]:
    """The boards after one move, with the numbers that are left. Who leaves by either number leaves by the higher."""
    single: dict[Any, tuple[int, ...]] = {}
    for die in sorted(set(dice)):
        rest = list(dice)
        rest.remove(die)
        for after in plain_moves(board, die):
            leaves = sum(after[0]) < sum(board[0])
            single[after, None if leaves else die] = tuple(rest)
    if len(set(dice)) < 2:
        return [(after, rest) for (after, _), rest in single.items()]
    both = [(after, rest) for (after, _), rest in single.items() if plain_moves(after, rest[0])]
    higher = [(after, rest) for (after, _), rest in single.items() if rest == (min(dice),)]
    return both or higher or [(after, rest) for (after, _), rest in single.items()]


def perft_entries() -> list[tuple[str, int, int]]:
    """The counts that are kept in tests/searches/perft."""
    found, where = [], ""
    for line in (Path(__file__).parents[1] / "searches" / "perft" / "backgammon.perft").read_text().splitlines():
        word, _, rest = line.partition(" ")
        where = rest if word == "position" else where
        if word == "perft":
            found.append((where, *map(int, rest.split())))
    return found


@pytest.mark.parametrize(("where", "depth", "count"), [entry for entry in perft_entries() if entry[2] < 400_000])
def test_perft_on_a_plain_board(where: str, depth: int, count: int) -> None:
    s = GAME.initial() if where == "-" else GAME.parse_state(where)
    if s.phase == OPENING:
        throws = [(a, b) for a in range(1, 7) for b in range(1, 7) if a != b]
        assert sum(plain_lines(as_plain(s), throw, depth - 1) for throw in throws) == count
    else:
        dice = () if s.phase == THROW else (s.high, s.low) if s.high != s.low else (s.high,) * s.left
        assert plain_lines(as_plain(s), dice, depth) == count


# --- ends, and the cube -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("black", "stakes"),
    [
        ("------------------------a-", 1),
        ("-------o------------------", 2),
        ("o-------------------------", 3),
        ("--a---------n-------------", 3),
        ("------------------------o-", 2),
    ],
)
def test_gammons(black: str, stakes: int) -> None:
    s = GAME.parse_state(f"{black}:0:0:1:00")
    assert GAME.is_terminal(s)
    assert [GAME.utility(s, player) for player in (0, 1)] == [stakes, -stakes]
    plain = Backgammon(gammons=False)
    assert plain.utility(plain.parse_state(f"{black}:0:0:1:00"), 0) == 1
    mirrored = black[::-1].upper()
    s = GAME.parse_state(f"{mirrored}:0:0:-1:00")
    assert [GAME.utility(s, player) for player in (0, 1)] == [-stakes, stakes]


def test_the_cube() -> None:
    s = CUBE.play(CUBE.initial(), CUBE.parse_action(CUBE.initial(), "31"))
    s = CUBE.play(s, CUBE.parse_action(s, "8/5"))
    s = CUBE.play(s, CUBE.parse_action(s, "6/5"))
    assert [CUBE.format_action(s, action) for action in CUBE.actions(s)] == ["roll", "double"]
    assert (CUBE.to_move(s), s.player) == (1, 1)
    offered = CUBE.play(s, CUBE.parse_action(s, "double"))
    assert CUBE.to_move(offered) == 0
    dropped = CUBE.play(offered, CUBE.parse_action(offered, "drop"))
    assert CUBE.is_terminal(dropped)
    assert [CUBE.utility(dropped, player) for player in (0, 1)] == [-1, 1]
    taken = CUBE.play(offered, CUBE.parse_action(offered, "take"))
    assert (taken.stake, taken.owner, CUBE.to_move(taken)) == (2, 0, zermelo.CHANCE)
    # Black may not double again before White has; White may.
    seen = {0: set(), 1: set()}
    for seed in range(3):
        random, s = Random(seed), taken
        while not CUBE.is_terminal(s) and s.stake == 2:
            legal = [CUBE.format_action(s, action) for action in CUBE.actions(s)]
            if "double" in legal:
                seen[s.player].add(s.owner)
                s = CUBE.play(s, CUBE.parse_action(s, "roll"))
            else:
                s = CUBE.play(s, random.choice(list(CUBE.actions(s))))
    assert seen == {0: {0}, 1: set()}
    highest = CUBE.parse_state(f"{FIRST}:6:1:1:00")
    assert CUBE.to_move(highest) == zermelo.CHANCE
    assert (CUBE.bounds, GAME.bounds, Backgammon(gammons=False).bounds) == ((-192, 192), (-3, 3), (-1, 1))


# --- names and boards -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [GAME, CUBE, Backgammon(gammons=False)], ids=repr)
def test_positions_are_read_back(game: Backgammon) -> None:
    for s in states(game, 4):
        assert game.parse_state(game.format_state(s)) == s
        ElementTree.fromstring(game.svg(s))
        legal = [] if game.is_terminal(s) else list(game.actions(s))
        for action in legal:
            assert game.parse_action(s, game.format_action(s, action)) == action
        drawn = re.findall(r'data-action="(\d+)"', game.svg(s))
        assert [int(action) for action in drawn] == (legal if legal and game.to_move(s) >= 0 else [])


def test_xgid() -> None:
    s = GAME.parse_state(f"XGID={FIRST}:0:0:1:36:0:0:0:0:10")
    assert s == GAME.State(*GAME.initial()[:2], 0, MOVE, 6, 3, 2, 1, BOTH)
    assert GAME.format_state(s) == f"{FIRST}:0:0:1:63"
    assert GAME.format_state(GAME.initial()) == f"{FIRST}:0:0:0:00"
    assert [pips(side, player) for player, side in enumerate((s.white, s.black))] == [167, 167]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "is no position"),
        (FIRST, "is no position"),
        (f"{FIRST}:0:0:1:70", "is no position"),
        (f"{FIRST}:0:0:1:63:x", "is no position"),
        (f"A{FIRST[1:]}:0:0:1:63", "own bar"),
        (f"{FIRST[:-1]}a:0:0:1:63", "own bar"),
        (f"-O{FIRST[2:]}:0:0:1:63", "15 checkers"),
        ("-" * 26 + ":0:0:1:63", "over"),
        ("-A" + "-" * 24 + ":0:0:1:00", "over"),
        ("-A" + "-" * 24 + ":0:0:-1:63", "over"),
        (f"-c{FIRST[2:]}:0:0:1:63", "15 checkers"),
        (f"{FIRST.replace('b', 'a')}:0:0:0:00", "first position"),
        (f"{FIRST}:1:1:1:63", "the cube stands at 1 "),
        (f"{FIRST}:0:0:1:D", "may not double"),
        (position({24: 1}, (18, 12), "1x6"), "the turn is over"),
    ],
)
def test_impossible_positions_are_refused(text: str, reason: str) -> None:
    with pytest.raises(BadState, match=reason):
        GAME.parse_state(text)


def test_impossible_states_are_refused() -> None:
    s = GAME.parse_state(f"{FIRST}:0:0:1:63")
    for wrong in (
        s._replace(player=2), s._replace(phase=9), s._replace(low=0), s._replace(left=3), s._replace(stake=3),
        s._replace(owner=0), s._replace(phase=THROW), s._replace(white=s.black), s._replace(phase=OPENING),
    ):  # fmt: skip
        with pytest.raises(BadState):
            GAME.checked_state(wrong)
    for wrong in ("13/9", "8/2*", "25/24", "off", "", "pass"):
        with pytest.raises(IllegalAction, match="legal: "):
            GAME.parse_action(s, wrong)


def test_text() -> None:
    s = GAME.parse_state("-BAbBaC--B--bB-b-aad-a-aBA:0:0:-1:2x2")
    assert GAME.text(s).splitlines() == [
        "+12-11-10--9--8--7-------6--5--4--3--2--1-+",
        "| X     O     O  O |   | O     O     O  X |  O Black 155",
        "| X     O          |   | O              X |",
        "|                  |   | O                |",
        "|                  |   | O                |",
        "|                  |   |                  |",
        "|                  |BAR|                  |  Black plays 2 and 2",
        "|                  |   |                  |",
        "|                  |   |                  |",
        "|                  |   | X                |",
        "| O        X       |   | X     X  O     X |",
        "| O        X       | X | X  O  X  O  X  X |  X White 147",
        "+13-14-15-16-17-18------19-20-21-22-23-24-+",
    ]
    crowded = GAME.text(GAME.parse_state("-O----------------------o-:0:0:1:11"))
    assert crowded.count("15 |") == 2


# --- the estimate -----------------------------------------------------------------------------------------------------


def test_the_estimate_is_fair() -> None:
    for s in states(GAME, 3):
        turned = s._replace(white=evaluation.as_black(s.black), black=evaluation.as_black(s.white), player=1 - s.player)
        assert evaluation.score(turned) == -evaluation.score(s)
        assert sum(GAME.explain(s).values()) == evaluation.score(s)
        assert [evaluation.pips(s.white), evaluation.pips(evaluation.as_black(s.black))] == [
            pips(s.white, 0), pips(s.black, 1)
        ]  # fmt: skip


def test_one_move_ahead_beats_random_play() -> None:
    """The player who takes the best estimate after each single move wins nearly always."""
    games, wins, points = 40, 0, 0.0
    for seed in range(games):
        random, s, ours = Random(seed), GAME.initial(), seed % 2
        sign = 1 if ours == 0 else -1
        while not GAME.is_terminal(s):
            legal = list(GAME.actions(s))
            if GAME.to_move(s) == ours:
                s = max((GAME.result(s, action) for action in legal), key=lambda after: sign * GAME.evaluate(after))
            elif GAME.to_move(s) == 1 - ours:
                s = GAME.result(s, random.choice(legal))
            else:
                odds = [GAME.probability(s, action) for action in legal]
                s = GAME.result(s, random.choices(legal, odds)[0])
        wins += GAME.utility(s, ours) > 0
        points += GAME.utility(s, ours)
    assert wins >= 36
    assert points >= 60
