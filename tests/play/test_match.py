"""Matches: results, faults, clocks, adjudication, files, and going on after an interruption."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from small_games import Ring

import zermelo
from zermelo import Policy, expected_values, sequence_form
from zermelo.errors import BadParameter, UnsuitableGame
from zermelo.play.clock import FREE
from zermelo.play.course import Course
from zermelo.play.match import match
from zermelo.play.method_players import Note
from zermelo.play.players import entrant
from zermelo.play.ratings import Sprt

STAND_IN = Path(__file__).parents[1] / "protocols" / "stand_in.py"


def program(mood="fine", tag=""):
    """The stand-in as a player."""
    return f"uci:{sys.executable} {STAND_IN} uci {mood} {tag},name={mood}"


@pytest.fixture
def toe():
    return zermelo.game("tic_tac_toe")


@pytest.fixture
def four():
    return zermelo.game("connect_four")


def last(game, state, history, clock):
    return max(game.actions(state))


def first(game, state, history, clock):
    return min(game.actions(state))


# --- results ---------------------------------------------------------------------------------------------------------


def test_a_perfect_player_against_chance(toe):
    result = match(toe, ["minimax", "random"], games=30, openings="none")
    assert result.counts[0] == 0
    assert result.score > 0.8
    assert result.los > 0.99
    assert len(result.games) == 30
    assert sum(result.pairs) == 15
    assert result.interval[0] < result.elo < result.interval[1]
    assert result.error == pytest.approx((result.interval[1] - result.interval[0]) / 2)
    assert {record.end for record in result.games} == {"rules"}


def test_games_come_in_pairs_with_sides_changed(toe):
    result = match(toe, ["random", "minimax"], games=10, seed=4)
    for one, other in zip(result.games[::2], result.games[1::2], strict=True):
        assert one.seats == other.seats[::-1] == (0, 1)
        assert one.actions[:2] == other.actions[:2]
    assert len({record.actions[:2] for record in result.games}) == 5


def test_the_same_seed_gives_the_same_match(toe):
    games = [match(toe, ["random", "random"], games=6, seed=seed).games for seed in (1, 1, 2)]
    plays = [[record.actions for record in some] for some in games]
    assert plays[0] == plays[1] != plays[2]


def test_several_at_once_are_the_same_games(toe):
    alone, together = (match(toe, ["random", "minimax"], games=12, concurrency=n) for n in (1, 3))
    assert [record.actions for record in alone.games] == [record.actions for record in together.games]
    assert alone.score == together.score


@pytest.mark.slow
def test_engines_at_two_tables_keep_their_time(four):
    result = match(four, ["search", "search:depth=3"], games=8, clock="0.1", margin=1.0, concurrency=2)
    assert result.faults == {}
    assert result.score > 0.6


def test_an_odd_number_of_games(toe):
    result = match(toe, [first, last], games=3)
    assert len(result.games) == 3
    assert sum(result.counts) == 3
    assert sum(result.pairs) == 1
    assert result.score == (result.counts[2] + result.counts[1] / 2) / 3
    assert match(toe, [first, last], games=1).games[0].number == 0


def test_round_robins(four):
    result = match(four, ["alphabeta:depth=3", "random", "alphabeta:depth=1"], games=4)
    assert len(result.games) == 12
    assert [standing.games for standing in result.standings] == [8, 8, 8]
    assert result.standings[0].name == "alphabeta:depth=3"
    assert sum(standing.points for standing in result.standings) == 12
    assert sum(standing.elo for standing in result.standings) == pytest.approx(0, abs=1e-6)
    numbers = [record.number for record in result.games]
    assert numbers == list(range(12))


def test_the_result_as_text_and_as_data(toe):
    result = match(toe, ["minimax", "random"], games=4, sprt=(0, 100))
    shown = str(result)
    assert shown.startswith("minimax v. random: 4 games, +")
    assert "SPRT   LLR" in shown
    data = json.loads(json.dumps(result.to_json(), default=str))
    assert data["games"] == 4
    assert data["sprt"]["accepted"] is None


def test_tests_stop_the_match(toe):
    result = match(toe, ["minimax", "random"], games=400, sprt=Sprt(0, 200), openings="none")
    assert result.sprt.accepted == "H1"
    assert len(result.games) < 100
    result = match(toe, ["random", "minimax"], games=400, sprt=(0, 200), openings="none", concurrency=2)
    assert result.sprt.accepted == "H0"


def test_what_no_match_can_be_made_of(toe):
    for wrong in ({"games": 0}, {"games": True}, {"concurrency": 0}, {"clock": "x"}, {"margin": -1}, {"longest": 0},
                  {"draw": (0, 1)}, {"resign": (1, -1)}, {"sprt": (5, 0)}, {"openings": "random:99"}):  # fmt: skip
        with pytest.raises(BadParameter):
            match(toe, ["random", "random"], **wrong)
    with pytest.raises(BadParameter, match="two players"):
        match(toe, ["random"])
    with pytest.raises(BadParameter, match="compares two"):
        match(toe, ["random"] * 3, sprt=(0, 10))
    with pytest.raises(UnsuitableGame, match="3 players"):
        match(zermelo.game("alliance"), ["random", "random"])
    with pytest.raises(BadParameter, match="no game"):
        match("tic_tac_toe", ["random", "random"])


# --- repetition and length -------------------------------------------------------------------------------------------


class DrawnRing(Ring):
    """A place that comes up for the third time ends the game, and nobody has won."""

    repetition = ("draw", 3)


class Endless(DrawnRing):
    """The same without an end."""

    repetition = None


class Forbidden(DrawnRing):
    """The same, where nobody may come back to where the piece has been."""

    repetition = "forbidden"


def test_positions_that_come_again_are_a_draw():
    ring = DrawnRing()
    result = match(ring, [first, first], games=2, openings="none")
    assert [(record.end, record.points) for record in result.games] == [("repetition", 0.5)] * 2
    assert len(result.games[0].actions) == 8


def test_a_game_may_not_last_for_ever():
    ring = Endless()
    result = match(ring, [first, last], games=2, openings="none", longest=20)
    assert [(record.end, record.points, len(record.actions)) for record in result.games] == [("length", 0.5, 20)] * 2


def test_forbidden_repetition_is_an_illegal_move():
    result = match(Forbidden(), [first, first], games=2, openings="none")
    assert [(record.end, len(record.actions)) for record in result.games] == [("rules", 3)] * 2

    def goes_back(game, state, history, clock):
        return 0 if history else 1

    result = match(Forbidden(), ["random", "random"], games=4, openings="none")
    assert {record.end for record in result.games} == {"rules"}
    result = match(Forbidden(), [goes_back, goes_back], games=2, openings="none")
    assert [(record.end, len(record.actions)) for record in result.games] == [("illegal move", 1)] * 2


# --- faults ----------------------------------------------------------------------------------------------------------


def test_faults_lose_the_game_and_the_match_goes_on(toe):
    def raises(game, state, history, clock):
        raise ValueError("I give\nup")

    def cheats(game, state, history, clock):
        return 99

    def shrugs(game, state, history, clock):
        return None

    for bad, end, words in (
        (raises, "crash", "raises raised ValueError: I give up"),
        (cheats, "illegal move", "cheats played 99"),
        (shrugs, "illegal move", "played None"),
    ):
        result = match(toe, [bad, "random"], games=4)
        assert result.score == 0
        assert all(record.end == end and words in record.reason for record in result.games)
        assert result.faults == {bad.__name__: {end: 4}}
        assert f"lost by {end} (4)" in str(result)


def test_programs_that_fail_are_started_anew(four):
    result = match(four, [program("dies"), "random"], games=4)
    assert result.faults["dies"] == {"crash": 4}
    assert all("out of memory" in record.reason for record in result.games)
    assert match(four, [program("illegal"), "random"], games=2).faults["illegal"] == {"illegal move": 2}
    resigned = match(four, [program("resigns"), "random"], games=2)
    assert {record.end for record in resigned.games} == {"resigned"}
    assert resigned.faults == {}


def test_two_programs_at_several_tables(four):
    result = match(four, [program(), program("chatters")], games=6, concurrency=3)
    assert len(result.games) == 6
    assert result.faults == {}
    assert result.score == 0.5


def test_late_moves_lose(four, toe):
    def slow(game, state, history, clock):
        time.sleep(0.1 if len(history) > 3 else 0)
        return min(game.actions(state))

    result = match(toe, [slow, "random"], games=2, clock="0.02", margin=0.01)
    assert result.faults["slow"]["time"] == 2
    assert "took 0.1" in result.games[0].reason
    assert not match(toe, [slow, first], games=2, clock="0.02", margin=5.0).faults
    result = match(four, [program("late"), "random"], games=2, clock="0.1", margin=0.1)
    assert result.faults["late"] == {"time": 2}


def test_a_whole_clock(toe):
    seen = []

    def watches(game, state, history, clock):
        seen.append(clock)
        return min(game.actions(state))

    match(toe, [watches, "random"], games=1, openings="none", clock="5+1")
    assert [round(clock.remaining) for clock in seen[:3]] == [5, 6, 7]
    assert seen[0].increment == 1
    assert seen[0].opponent is not None


def test_players_that_do_not_start_are_an_error(toe):
    with pytest.raises(BadParameter, match="no such program"):
        match(toe, ["random", "uci:/no/such/program"], games=2)


# --- adjudication ----------------------------------------------------------------------------------------------------


class Sure:
    """Plays the first move and always thinks the same of it."""

    def __init__(self, score):
        self.note = Note(score=score)

    def __call__(self, game, state, history, clock):
        return min(game.actions(state))


def test_adjudication(four):
    result = match(four, [Sure(5), Sure(-5)], games=2, draw=(3, 10), openings="none")
    assert [(record.end, record.points, len(record.actions)) for record in result.games] == [
        ("adjudicated", 0.5, 6)
    ] * 2
    result = match(four, [Sure(900), Sure(-900)], games=2, resign=(2, 500), openings="none")
    assert result.score == 1
    assert [len(record.actions) for record in result.games] == [4, 3]
    result = match(four, [Sure(5), first], games=2, draw=(1, 10), openings="none")
    assert {record.end for record in result.games} == {"rules"}


# --- files -----------------------------------------------------------------------------------------------------------


def test_a_match_goes_on_from_its_store(toe, tmp_path):
    store = tmp_path / "match.jsonl"
    whole = match(toe, ["random", "minimax"], games=10, seed=3)
    match(toe, ["random", "minimax"], games=4, seed=3, store=store)
    text = store.read_text()
    result = match(toe, ["random", "minimax"], games=10, seed=3, store=store)
    assert store.read_text().startswith(text)
    assert [record.actions for record in result.games] == [record.actions for record in whole.games]
    assert len(store.read_text().splitlines()) == 11
    again = match(toe, ["random", "minimax"], games=10, seed=3, store=store)
    assert again.score == result.score
    assert len(store.read_text().splitlines()) == 11
    assert len(match(toe, ["random", "minimax"], games=2, seed=3, store=store).games) == 2


def test_a_torn_line_is_played_again(toe, tmp_path):
    store = tmp_path / "match.jsonl"
    match(toe, ["random", "minimax"], games=4, store=store)
    text = store.read_bytes()
    for cut in (1, 20, len(text.splitlines()[-1])):
        store.write_bytes(text[:-cut])
        result = match(toe, ["random", "minimax"], games=4, store=store)
        assert len(result.games) == 4
        lines = [json.loads(line) for line in store.read_text().splitlines()]
        assert sorted(line["number"] for line in lines[1:]) == [0, 1, 2, 3]
    store.write_bytes(text[:30])
    assert len(match(toe, ["random", "minimax"], games=4, store=store).games) == 4


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda lines: ["{}", *lines[1:]], "no file of a match"),
        (lambda lines: ["hello", "world"], "no file of a match"),
        (lambda lines: [lines[0], "{", *lines[1:]], "line 2: it is no JSON"),
        (lambda lines: [*lines, '{"number": 3}'], "line 4: it is no record"),
        (lambda lines: [*lines, lines[1].replace('"points": ', '"points": 7')], "line 4: its numbers"),
        (lambda lines: [*lines, "[1, 2]"], "line 4: it is no record"),
    ],
)
def test_broken_stores(toe, tmp_path, change, words):
    store = tmp_path / "match.jsonl"
    match(toe, ["random", "minimax"], games=2, store=store)
    broken = "\n".join(change(store.read_text().splitlines())) + "\n"
    store.write_text(broken)
    with pytest.raises(BadParameter, match=words):
        match(toe, ["random", "minimax"], games=2, store=store)
    assert store.read_text() == broken


def test_another_match_has_another_store(toe, tmp_path):
    store = tmp_path / "match.jsonl"
    match(toe, ["random", "minimax"], games=2, store=store)
    for other in ({"seed": 1}, {"clock": "1"}, {"openings": "none"}, {"longest": 5}):
        with pytest.raises(BadParameter, match="holds another match"):
            match(toe, ["random", "minimax"], games=2, store=store, **other)
    with pytest.raises(BadParameter, match="its players is"):
        match(toe, ["random", "random"], games=2, store=store)
    with pytest.raises(BadParameter, match="cannot be written"):
        match(toe, ["random", "random"], games=2, store=tmp_path)


def test_two_matches_do_not_share_a_store(toe, tmp_path):
    store = tmp_path / "match.jsonl"

    def again(result):
        with pytest.raises(BadParameter, match="another match is writing"):
            match(toe, ["random", "random"], games=2, store=store)

    match(toe, ["random", "random"], games=2, store=store, watch=again)


def test_mates_are_written_as_such(tmp_path):
    """`[%eval #2]`, whoever says so: our own engine, or a program in its protocol."""
    from zermelo.notation import pgn
    from zermelo.protocols import cecp_client, uci_client

    chess = zermelo.game("chess")
    path, openings = tmp_path / "games.pgn", tmp_path / "mates.epd"
    openings.write_text("7k/8/5K2/8/8/8/8/6R1 b - - 0 1\n")
    match(chess, ["search:depth=6", "search:depth=6"], games=2, openings=openings, pgn=path)
    for record in pgn.read(path):
        said = [record.comments[i] for i in sorted(record.comments)]
        # Kh7 Rg2 Kh8 Rh2# or the like: Black is mated, White mates.
        assert "[%eval #1]" in said[-1], said
        assert "[%eval #" in said[0], said
        assert "9999" not in " ".join(said)
    assert uci_client.note_of_info(["info", "depth", "9", "score", "mate", "-4", "nodes", "8", "pv", "e2e4"]).mate == -4
    assert cecp_client.note_of_thought(-100_003.0, 5, 9).mate == -3
    assert cecp_client.note_of_thought(250.0, 5, 9).mate is None


def test_pgn(toe, tmp_path):
    path = tmp_path / "games.pgn"
    result = match(toe, ["random", "minimax"], games=4, pgn=path)
    assert path.read_text().count("[Event ") == 4
    from zermelo.notation import pgn

    records = list(pgn.read(path))
    assert [record.actions for record in records] == [record.actions for record in result.games]
    assert records[1].headers["White"] == "minimax"
    assert result.pgn().count("[Event ") == 4
    with pytest.raises(BadParameter, match="cannot be written"):
        match(toe, ["random", "minimax"], games=2, pgn=tmp_path)


def test_a_game_that_was_cut_off_in_the_file_takes_no_other_with_it(toe, tmp_path):
    from zermelo.notation import pgn

    path, store = tmp_path / "games.pgn", tmp_path / "games.jsonl"
    match(toe, ["random", "minimax"], games=2, pgn=path, store=store)
    path.write_bytes(path.read_bytes()[:-12])
    match(toe, ["random", "minimax"], games=4, pgn=path, store=store)
    assert [record.headers["Round"] for record in pgn.read(path)] == ["1", "2", "3", "4"]


def test_watching(toe):
    seen = []
    match(toe, ["random", "minimax"], games=5, watch=lambda result: seen.append(len(result.games)))
    assert seen == [1, 2, 3, 4, 5]


# --- interruption ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("concurrency", ["1", "2"])
def test_control_c_leaves_nothing_running_and_the_match_goes_on(tmp_path, concurrency):
    store = tmp_path / "match.jsonl"
    command = [sys.executable, "-m", "zermelo", "match", "connect_four", program("slow", tmp_path), "random",
               "--games", "6", "--store", str(store), "--concurrency", concurrency]  # fmt: skip
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while not (store.exists() and store.read_text().count("\n") >= 2) and time.monotonic() < deadline:
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=30)
    assert running.returncode == 130, err
    assert "the same command goes on" in err
    assert out == ""
    left = subprocess.run(["pgrep", "-f", f"uci slow {tmp_path}"], capture_output=True, text=True, check=False)
    assert not left.stdout.strip()
    assert 1 <= store.read_text().count("\n") - 1 < 6
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert "6 games" in done.stdout
    assert "lost by" not in done.stdout


def test_an_error_of_the_watcher_ends_the_match(toe):
    def broken(result):
        raise RuntimeError("enough")

    for concurrency in (1, 2):
        with pytest.raises(RuntimeError, match="enough"):
            match(toe, ["random", "random"], games=8, watch=broken, concurrency=concurrency)


def test_entrants_are_players_too(toe):
    assert match(toe, [entrant("random"), first], games=2).names == ("random", "first")


# --- dice and hidden cards -------------------------------------------------------------------------------------------


def test_both_games_of_a_pair_have_the_same_dice():
    result = match(zermelo.game("pig"), ["expectiminimax:depth=2", "random"], games=12)
    assert result.score > 0.6
    firsts = []
    for first, second in zip(result.games[::2], result.games[1::2], strict=True):
        assert first.seats == second.seats[::-1]
        same = next(i for i, pair in enumerate(zip(first.actions, second.actions)) if pair[0] != pair[1])
        # The first difference is a player's, never a roll.
        assert same > 0
        firsts.append(first.actions[:8])
    assert len(set(firsts)) > 1


def test_cards_are_dealt_alike_to_both_and_chips_are_counted():
    poker = zermelo.game("kuhn_poker")
    result = match(poker, ["sequence_form", "random"], games=400)
    for first, second in zip(result.games[::2], result.games[1::2], strict=True):
        assert first.actions[:2] == second.actions[:2]
        assert sum(first.utilities) == sum(second.utilities) == 0
    got, error = result.gain
    # What the equilibrium wins of uniform play, over both seats, by the exact values of the two policies.
    ours, theirs = sequence_form(poker).policy, Policy.uniform(poker)
    wanted = (expected_values(poker, [ours, theirs])[0] + expected_values(poker, [theirs, ours])[1]) / 2
    assert abs(got - wanted) < 2 * error
    assert f"gain   {got:+.3f} ± {error:.3f} a game" in str(result)
    assert result.to_json()["gain"] == [got, error]


def test_points_alone_where_games_pay_alike(toe):
    assert match(toe, ["random", "random"], games=4).gain is None


@pytest.mark.parametrize("player", ["pimc:worlds=8", "ismcts:simulations=60"])
def test_sampling_players_see_their_own_cards_alone(player):
    poker = zermelo.game("kuhn_poker")
    guesser = entrant(player).make(poker, False)
    for seen in range(3):
        played = set()
        for other in {0, 1, 2} - {seen}:
            course = Course(poker)
            course.push(seen)
            course.push(other)
            guesser.begin(poker, "1")
            played.add(guesser(poker, course.state, course.history(), FREE))
        assert len(played) == 1
    assert match(poker, [player, "random"], games=4).faults == {}
    for wrong, words in (
        ("foo=1", "foo"),
        ("depth=3", "limited by time or simulations, not by"),
        ("simulations=0", "at least 1"),
    ):
        with pytest.raises(BadParameter, match=words):
            entrant(f"{player},{wrong}" if "simulations" not in wrong else f"{player.partition(':')[0]}:{wrong}").make(
                poker, False
            )
    with pytest.raises(UnsuitableGame, match="hides nothing"):
        entrant(player).make(zermelo.game("tic_tac_toe"), False)


def test_a_store_of_earlier_fields_goes_on(toe, tmp_path):
    store = tmp_path / "old.jsonl"
    match(toe, ["random", "random"], games=2, store=store)
    lines = [json.loads(line) for line in store.read_text().splitlines()]
    for line in lines[1:]:
        for name in ("utilities", "positions", "values", "times", "clocks"):
            del line[name]
    store.write_text("".join(json.dumps(line) + "\n" for line in lines))
    games = match(toe, ["random", "random"], games=4, store=store).games
    assert [len(record.positions) > 0 for record in games] == [False, False, True, True]


def test_records_say_what_was_seen_and_how_long_it_took(toe, tmp_path):
    store = tmp_path / "match.jsonl"
    asked = {"games": 2, "openings": "random:2", "clock": "60+1", "store": store}
    (first, _) = match(toe, ["alphabeta:depth=3", "random"], **asked).games
    assert first.positions[0] == toe.format_state(toe.initial())
    assert first.values[:2] == first.clocks[:2] == (None, None)
    assert all(left is not None and 59 < left <= 70 for left in first.clocks[2:])
    assert sum(first.times) == pytest.approx(sum(first.seconds), abs=2e-3)
    assert match(toe, ["alphabeta:depth=3", "random"], **asked).games[0] == first
    store.write_text(store.read_text().replace('"times": [0.0, ', '"times": ['))
    with pytest.raises(BadParameter, match="same number of things"):
        match(toe, ["alphabeta:depth=3", "random"], **asked)
