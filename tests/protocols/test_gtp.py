"""`zermelo gtp` under a Go interface: every command as the protocol wants it, here and in a process of its own."""

import io
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from talking import Talking

import zermelo
from zermelo.errors import UnsuitableGame
from zermelo.notation import sgf
from zermelo.protocols.gtp import GtpServer, Settings
from zermelo.protocols.gtp_analysis import winning_chance
from zermelo.protocols.gtp_clock import LAG, GtpClock
from zermelo.result import Analysis, Move

PATIENCE = 120.0
"""Seconds after which a test gives up; the first search may have to compile."""
GOLDEN = Path(__file__).with_name("gtp")


class Mind:
    """Thinks nothing: it likes the first legal move best, and says that its value is so much for player 0."""

    value = 0.2

    def __init__(self, game, settings):
        self.game, self.done = game, 0
        self.thought = 0.0
        """Seconds that it was given."""

    def search(self, state, limit, *, history=()):
        legal = [a for a in self.game.actions(state) if self.game.key(self.game.result(state, a)) not in history]
        made = 10 if limit.time is not None else limit.simulations
        self.done += made
        if limit.time is not None:
            self.thought += limit.time
            time.sleep(limit.time)
        moves = {
            a: Move(self.value - i / 50, bound="estimate", visits=self.done - i, interval=(-0.5, 0.5))
            for i, a in enumerate(legal[:3])
        }
        return Analysis(
            value=self.value, values=(self.value, -self.value), action=legal[0] if legal else None,
            line=tuple(legal[:1]), moves=moves, bound="estimate", nodes=made, depth=1, time=0.0, method="mcts",
            device="python", game=self.game, state=state,
        )  # fmt: skip


class Broken(Mind):
    """Cannot think at all."""

    def search(self, state, limit, *, history=()):
        raise ZeroDivisionError("no idea")


class Lost(Mind):
    """Believes that player 0 has lost."""

    value = -0.99


def server(game="go:size=5,komi=0.5", make=Mind, **options):
    return GtpServer(zermelo.game(game), Settings(**({"simulations": 20} | options)), io.StringIO(), make)


def ask(one, *lines):
    """What the server writes to these lines."""
    before = len(one.out.getvalue())
    for line in lines:
        one.answer(line + "\n")
    one.stop()
    return one.out.getvalue()[before:]


def tell(one, line):
    """What the server answers, without the sign; an error is raised."""
    said = ask(one, line)
    assert said.endswith("\n\n")
    assert said[0] == "=", said
    return said[1:].strip()


def refusal(one, line):
    """What is wrong with a line: `?` and nothing else."""
    said = ask(one, line)
    assert said[:2] == "? ", said
    assert said.endswith("\n\n")
    assert said.count("\n") == 2
    return said[2:].strip()


def board_of(one):
    return [row.split(" ", 1)[1] for row in tell(one, "showboard").splitlines()]


# --- lines -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("protocol_version", "= 2\n\n"),
        ("17 protocol_version", "=17 2\n\n"),
        ("0 name", "=0 zermelo\n\n"),
        ("007 name", "=007 zermelo\n\n"),
        ("1 clear_board", "=1\n\n"),
        ("clear_board", "=\n\n"),
        ("\tname\t", "= zermelo\n\n"),
        ("5\tname", "=5 zermelo\n\n"),
        ("na\x07me\x00\r", "= zermelo\n\n"),
        ("name # what is it called", "= zermelo\n\n"),
        ("name#", "= zermelo\n\n"),
        ("", ""),
        ("   \t ", ""),
        ("# 3 name", ""),
        ("\r", ""),
        ("nonsense", "? unknown command\n\n"),
        ("99 nonsense at all", "?99 unknown command\n\n"),
        ("99", "?99 unknown command\n\n"),
        ("NAME", "? unknown command\n\n"),
        ("1a name", "? unknown command\n\n"),
        ("-1 name", "? unknown command\n\n"),
        ("known_command genmove", "= true\n\n"),
        ("known_command nonsense", "= false\n\n"),
        ("known_command", "= false\n\n"),
        ("quit", "=\n\n"),
        ("12 quit", "=12\n\n"),
    ],
)
def test_lines(line, said):
    assert ask(server(), line) == said


def test_the_list_of_commands():
    listed = tell(server(), "list_commands").split("\n")
    required = """
        protocol_version name version known_command list_commands quit boardsize clear_board komi fixed_handicap
        place_free_handicap set_free_handicap play genmove undo time_settings time_left final_score final_status_list
        loadsgf reg_genmove showboard printsgf kgs-time_settings kgs-genmove_cleanup lz-analyze kata-analyze cputime
        lz-genmove_analyze kata-genmove_analyze gomill-explain_last_move gomill-cpu_time
    """
    assert set(listed) == set(required.split())
    assert tell(server(), "version") == zermelo.__version__
    assert float(tell(server(), "cputime")) > 0


def test_nothing_is_said_after_quit():
    one = server()
    one.serve(io.StringIO("name\nquit\nname\n"))
    assert one.out.getvalue() == "= zermelo\n\n=\n\n"


# --- setting up ------------------------------------------------------------------------------------------------------


def test_size_and_komi():
    one = server("go")
    assert one.game == zermelo.game("go")
    assert ask(one, "boardsize 13", "komi 6.5", "boardsize 7") == "=\n\n" * 3
    assert one.game == zermelo.game("go", size=7, komi=6.5)
    ask(one, "play b c3", "komi -2.5")
    assert one.game.komi == -2.5
    assert tell(one, "undo") == ""
    ask(one, "play b c3", "boardsize 7")
    assert one.board.is_new


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("boardsize", "syntax error"),
        ("boardsize x", "syntax error"),
        ("boardsize 9.5", "syntax error"),
        ("boardsize -9", "syntax error"),
        ("boardsize 99", "unacceptable size"),
        ("boardsize 1", "unacceptable size"),
        ("boardsize 1e30", "syntax error"),
        ("komi", "syntax error"),
        ("komi nan", "syntax error"),
        ("komi inf", "syntax error"),
        ("komi much", "syntax error"),
        ("play", "syntax error: write the colour b or w"),
        ("play b", "syntax error"),
        ("play x c3", "syntax error: write the colour b or w"),
        ("play b i3", "syntax error"),
        ("play b f3", "syntax error"),
        ("play b a6", "syntax error"),
        ("play b a0", "syntax error"),
        ("play b 3c", "syntax error"),
        ("play b resign", "syntax error"),
        ("undo", "cannot undo"),
        ("genmove", "syntax error: write the colour b or w"),
        ("genmove c3", "syntax error: write the colour b or w"),
        ("reg_genmove", "syntax error"),
        ("fixed_handicap 2", "invalid number of stones"),
        ("fixed_handicap x", "syntax error"),
        ("place_free_handicap 1", "invalid number of stones"),
        ("set_free_handicap a1", "bad vertex list"),
        ("set_free_handicap a1 a1", "bad vertex list"),
        ("set_free_handicap a1 pass", "bad vertex list"),
        ("set_free_handicap a1 z9", "syntax error"),
        ("time_settings 1 2", "syntax error"),
        ("time_settings 1 2 x", "syntax error"),
        ("time_left b 1", "syntax error"),
        ("time_left x 1 0", "syntax error"),
        ("kgs-time_settings", "syntax error"),
        ("kgs-time_settings blitz 3", "syntax error"),
        ("kgs-time_settings byoyomi 3 4", "syntax error"),
        ("final_status_list", "syntax error"),
        ("final_status_list undead", "syntax error"),
        ("loadsgf", "cannot load file"),
        ("loadsgf /no/such/file.sgf", "cannot load file: /no/such/file.sgf: there is no such file"),
        ("printsgf /no/such/folder/file.sgf", "printsgf failed"),
        ("lz-analyze b x", "syntax error"),
        ("lz-analyze b interval", "syntax error"),
        ("lz-analyze b 10 colour blue", "syntax error"),
        ("kgs-genmove_cleanup", "syntax error"),
    ],
)
def test_what_is_refused(line, words):
    one = server()
    assert refusal(one, line).startswith(words)
    assert one.board.is_new
    assert one.game == zermelo.game("go", size=5, komi=0.5)


HANDICAPS = {
    (9, 2): "C3 G7", (9, 3): "C3 G7 C7", (9, 4): "C3 G7 C7 G3", (9, 5): "C3 G7 C7 G3 E5",
    (9, 6): "C3 G7 C7 G3 C5 G5", (9, 7): "C3 G7 C7 G3 C5 G5 E5", (9, 8): "C3 G7 C7 G3 C5 G5 E3 E7",
    (9, 9): "C3 G7 C7 G3 C5 G5 E3 E7 E5", (19, 4): "D4 Q16 D16 Q4", (8, 4): "C3 F6 C6 F3",
}  # fmt: skip


@pytest.mark.parametrize(("size", "count"), HANDICAPS)
def test_fixed_handicap(size, count):
    one = server(f"go:size={size}")
    wanted = HANDICAPS[size, count]
    assert sorted(tell(one, f"fixed_handicap {count}").split()) == sorted(wanted.split())
    assert one.board.state.player == 1
    assert refusal(one, "fixed_handicap 2") == "board not empty"
    assert refusal(one, "set_free_handicap a1 b1") == "board not empty"
    assert refusal(one, "undo") == "cannot undo"
    tell(one, "clear_board")
    assert (
        tell(one, f"place_free_handicap {count}").split()
        == tell(server(f"go:size={size}"), f"fixed_handicap {count}").split()
    )


def test_handicaps_of_gnugo(need):
    program = need("/usr/games/gnugo")
    cases = [(size, count) for size in range(5, 20) for count in range(1, 11)]
    lines = "".join(f"boardsize {size}\nclear_board\nfixed_handicap {count}\n" for size, count in cases)
    said = subprocess.run(
        [program, "--mode", "gtp"], input=lines + "quit\n", text=True, capture_output=True, timeout=60, check=True
    ).stdout.split("\n\n")[2::3]
    one = server("go")
    for (size, count), answer in zip(cases, said, strict=False):
        ours = ask(one, f"boardsize {size}", f"fixed_handicap {count}").split("\n\n")[1]
        assert ours[0] == answer[0], (size, count)
        if answer[0] == "=":
            assert sorted(ours.split()) == sorted(answer.split())


def test_free_handicap():
    one = server("go")
    assert tell(one, "set_free_handicap A1 c3 J9") == ""
    assert one.board.state.player == 1
    assert [len(side) for side in one.board.stones()] == [3, 0]
    assert len(tell(server("go"), "place_free_handicap 40").split()) == 9
    assert len(tell(server("go:size=8"), "place_free_handicap 40").split()) == 4
    one = server("connect_four")
    assert refusal(one, "fixed_handicap 2") == "connect_four has no handicap stones"


# --- moves -----------------------------------------------------------------------------------------------------------


def test_play_and_undo():
    one = server()
    assert ask(one, "play b c3", "play White D4", "play B pass", "play w PASS") == "=\n\n" * 4
    assert ask(one, "undo", "undo", "undo", "undo") == "=\n\n" * 4
    assert one.board.is_new
    assert refusal(one, "undo") == "cannot undo"


def test_a_colour_may_move_twice_and_after_passes():
    one = server()
    assert ask(one, "play b c3", "play b d3", "play w pass", "play w c2", "play b pass", "play b pass") == "=\n\n" * 6
    assert ask(one, "play w pass", "play w b2", "play b b1") == "=\n\n" * 3
    stones = one.board.stones()
    assert [len(side) for side in stones] == [3, 2]
    for _ in range(9):
        tell(one, "undo")
    assert one.board.is_new


def test_illegal_moves():
    one = server()
    tell(one, "play b c3")
    assert refusal(one, "play w c3") == "illegal move"
    ask(one, "play b a2", "play b b1")
    assert refusal(one, "play w a1") == "illegal move"
    assert tell(one, "play b a1") == ""


def test_repetition():
    """A ko may not be retaken at once, and no position of stones comes again, whoever is to move."""
    one = server()
    for line in ("b b1", "w c1", "b a2", "w d2", "b b3", "w c3", "b c2", "w b2"):
        assert ask(one, f"play {line}") == "=\n\n"
    assert refusal(one, "play b c2") == "illegal move"
    assert ask(one, "play b e5", "play w e4") == "=\n\n" * 2
    assert tell(one, "play b c2") == ""
    assert ask(one, "undo", "undo", "undo") == "=\n\n" * 3
    # Whose move it is changes nothing: the stones would stand as they stood.
    assert refusal(one, "play b c2") == "illegal move"
    tell(one, "play b pass")
    tell(one, "play w pass")
    assert refusal(one, "play b c2") == "illegal move"


def test_showboard():
    one = server("go:size=3")
    ask(one, "play b a1", "play w c3")
    said = ask(one, "showboard")
    assert said.startswith("=\n")
    assert said.endswith("\n\n")
    assert "\n\n" not in said[:-2]
    assert said.count("A B C") >= 1
    assert tell(one, "showboard").replace(" ", "")


# --- thinking --------------------------------------------------------------------------------------------------------


def test_genmove_plays_and_reg_genmove_does_not():
    one = server()
    assert tell(one, "reg_genmove b") == "A5"
    assert one.board.is_new
    assert tell(one, "genmove b") == "A5"
    assert tell(one, "genmove w") == "B5"
    assert tell(one, "genmove w") == "C5"
    assert len(one.board.steps) == 3
    assert tell(one, "undo") == ""
    assert tell(one, "genmove b") == "C5"


def test_what_it_thought():
    one = server()
    assert tell(one, "gomill-explain_last_move") == ""
    tell(one, "genmove b")
    assert tell(one, "gomill-explain_last_move").splitlines() == [
        "A5      60.0 % in 20 of 20 simulations",
        "B5      59.0 % in 19 of 20 simulations",
        "C5      58.0 % in 18 of 20 simulations",
        "expected: A5",
    ]


def test_resigning():
    one = server(make=Lost)
    assert tell(one, "genmove b") == "resign"
    assert one.board.is_new
    assert tell(one, "reg_genmove b") == "A5"
    assert tell(one, "genmove w") == "A5"
    assert tell(server(make=Lost, resign=0.0), "genmove b") == "A5"
    assert tell(server(make=Lost, resign=0.004), "genmove b") == "A5"


def test_passing():
    """After a pass of the other side the game ends, if it is won as it stands."""
    one = server()
    ask(one, "play b c3", "play w pass")
    assert tell(one, "genmove b") == "pass"
    assert one.board.is_over(one.board.state)
    one = server()
    ask(one, "play w c3", "play w pass")
    assert tell(one, "genmove b") == "A5"
    one = server("go:size=5,komi=30.5")
    ask(one, "play b c3", "play w pass")
    assert tell(one, "genmove b") == "A5"


def test_thinking_goes_on_after_two_passes():
    one = server()
    ask(one, "play b c3", "play w pass", "play b pass")
    assert tell(one, "genmove w") == "A5"


def test_games_that_are_over():
    one = server("tic_tac_toe")
    for line in ("b a1", "w a2", "b b1", "w b2", "b c1"):
        tell(one, f"play {line}")
    assert refusal(one, "genmove w") == "the game is over"
    assert refusal(one, "lz-analyze w 10") == "the game is over"
    assert tell(one, "final_score") == "B+1"


# --- time ------------------------------------------------------------------------------------------------------------


def shares(*commands, player=0, moves=25):
    one = server("go", simulations=None)
    for command in commands:
        one.answer(command)
    share = one.clock.share(player, moves)
    return None if share is None else round(share, 2)


@pytest.mark.parametrize(
    ("commands", "share"),
    [
        ((), None),
        (("time_settings 0 10 0",), None),
        (("kgs-time_settings none",), None),
        (("time_settings 100 0 0",), 4 - LAG),
        (("kgs-time_settings absolute 100",), 4 - LAG),
        (("time_settings 0 10 1",), 10 - LAG - 0.05),
        (("time_settings 0 10 5",), 2 - LAG),
        (("time_settings 100 20 10",), 4 + 0.75 * 2 - LAG),
        (("kgs-time_settings canadian 100 20 10",), 4 + 0.75 * 2 - LAG),
        (("kgs-time_settings byoyomi 100 10 3",), 4 + 0.75 * 10 - LAG),
        (("kgs-time_settings byoyomi 0 10 3",), 10 - LAG),
        (("kgs-time_settings byoyomi 100 10 3", "time_left b 7 2"), 7 - LAG),
        (("kgs-time_settings byoyomi 100 10 3", "time_left b 7 0"), 17 - LAG),
        (("time_settings 100 20 10", "time_left b 10 0"), 3 - LAG),
        (("time_settings 100 20 10", "time_left b 12 4"), 3 - LAG),
        (("time_settings 100 20 10", "time_left w 1 4"), 4 + 0.75 * 2 - LAG),
        (("time_left b 50 0",), 2 - LAG),
        (("time_left b -3 0",), 0.0),
        (("time_settings 0 0 0",), 0.0),
        (("time_settings 100 0 0", "kgs-time_settings none"), None),
        (("time_settings 100 0 0", "time_settings 0 1 0"), None),
        (("time_settings 0.2 0 0",), 0.01),
    ],
)
def test_shares_of_the_time(commands, share):
    assert shares(*commands) == (None if share is None else pytest.approx(share, abs=0.011))


def test_the_clock_runs_where_nobody_tells():
    clock = GtpClock()
    clock.set(10, 5, 2)
    clock.spend(0, 4)
    assert (clock.sides[0].seconds, clock.sides[0].stones) == (6, 0)
    clock.spend(0, 8)
    assert (clock.sides[0].seconds, clock.sides[0].stones) == (3, 1)
    clock.spend(0, 1)
    assert (clock.sides[0].seconds, clock.sides[0].stones) == (5, 2)
    clock.spend(0, 99)
    assert (clock.sides[0].seconds, clock.sides[0].stones) == (0, 1)
    assert (clock.sides[1].seconds, clock.sides[1].stones) == (10, 0)
    clock.set(1, 5, 3, by_period=True)
    clock.spend(1, 3)
    assert (clock.sides[1].seconds, clock.sides[1].stones) == (5, 3)
    GtpClock().spend(0, 1)


def test_a_game_never_takes_longer_than_the_clock():
    """All that a clock ever allows, move by move, fits into it: main time alone is never used up."""
    clock = GtpClock()
    clock.set(10, 0, 0)
    spent = 0.0
    for _ in range(150):
        share = clock.share(0, 25)
        clock.spend(0, share + 0.001)
        spent += share
    assert spent < 10


def test_limits():
    one = server("go", simulations=None)
    limit = one.thinker.limit(one.board, 0, one.clock)
    assert (limit.time, limit.simulations) == (1.0, None)
    one.clock.set(0, 0.5, 1)
    assert one.thinker.limit(one.board, 0, one.clock).time < 0.5
    one = server("go", simulations=50)
    limit = one.thinker.limit(one.board, 0, one.clock)
    assert (limit.time, limit.simulations) == (None, 50)
    one = server("go", simulations=None, seconds=2.0)
    one.clock.set(1000, 0, 0)
    assert one.thinker.limit(one.board, 0, one.clock).time == 2.0
    one.clock.set(10, 0, 0)
    assert one.thinker.limit(one.board, 0, one.clock).time < 0.5


def test_time_is_kept():
    one = server("go", simulations=None)
    tell(one, "time_settings 0 1 5")
    for colour in "bwbw":
        tell(one, f"genmove {colour}")
    assert one.thinker._mind.thought < 1.0
    assert one.clock.sides[0].stones == 3


# --- analysis --------------------------------------------------------------------------------------------------------

LZ = "info move A5 visits N winrate 6000 lcb 2500 order 0 pv A5"
SECOND = "info move B5 visits N winrate 5900 lcb 2500 order 1 pv B5"
KATA = "info move A5 visits N utility 0.2 winrate 0.6 lcb 0.25 order 0 pv A5"
WHITE = "info move A5 visits N winrate 4000 lcb 2500 order 0 pv A5"


def test_analysis_ends_with_the_next_line():
    one = server()

    def said(*lines):
        return re.sub(r"visits \d+", "visits N", ask(one, *lines))

    assert said("5 lz-analyze b 100 maxmoves 2", "6 name") == f"=5\n{LZ} {SECOND}\n\n=6 zermelo\n\n"
    assert said("kata-analyze interval 100 maxmoves 1", "", "name") == f"=\n{KATA}\n\n= zermelo\n\n"
    assert said("lz-analyze w 100 maxmoves 1") == f"=\n{WHITE}\n\n"
    assert one.board.is_new


def test_analysis_goes_on_until_then():
    one = server()
    one.answer("lz-analyze 5 minmoves 1 maxmoves 1 ownership true")
    began = time.monotonic()
    while one.out.getvalue().count("info") < 5 and time.monotonic() - began < PATIENCE:
        time.sleep(0.01)
    lines, passed = one.out.getvalue().splitlines(), time.monotonic() - began
    assert lines[0] == "="
    assert 5 <= len(lines) - 1 <= passed / 0.05 + 1
    one.answer("1 name")
    said = one.out.getvalue()
    assert said.endswith("\n\n=1 zermelo\n\n")
    visits = [int(line.split()[4]) for line in said.splitlines() if line.startswith("info")]
    assert visits == sorted(visits)
    time.sleep(0.1)
    assert one.out.getvalue() == said
    one.serve(iter(["lz-analyze 1\n", "quit\n", "name\n"]))
    assert one.out.getvalue().endswith("\n\n=\n\n")


def test_a_search_that_fails(capsys):
    one = server(make=Broken)
    assert refusal(one, "genmove b") == "genmove failed: no idea"
    assert ask(one, "lz-analyze b 10", "3 name") == "=\n\n=3 zermelo\n\n"
    assert ask(one, "4 lz-genmove_analyze b 10", "5 name") == "=4\n\n=5 zermelo\n\n"
    assert capsys.readouterr().err == "zermelo: no idea\n" * 2


def test_only_some_moves_are_shown():
    one = server()
    said = ask(one, "lz-analyze b 100 avoid b a5,b5 1")
    assert said.startswith("=\ninfo move C5 ")
    assert ask(one, "lz-analyze b 100 allow b b5 1").count("info") == 1


def test_moves_with_analysis():
    one = server()
    assert ask(one, "3 lz-genmove_analyze b 100 maxmoves 1").splitlines() == [
        "=3", "info move A5 visits 20 winrate 6000 lcb 2500 order 0 pv A5", "play A5", "",
    ]  # fmt: skip
    assert ask(one, "kata-genmove_analyze w 100 maxmoves 1").splitlines()[-2:] == ["play B5", ""]
    assert len(one.board.steps) == 2
    assert ask(server(make=Lost), "lz-genmove_analyze b 100").splitlines()[-2:] == ["play resign", ""]
    assert refusal(one, "lz-genmove_analyze b what").startswith("syntax error")


def test_chances():
    go = zermelo.game("go")
    assert winning_chance(go, 1.0, 0) == 1.0
    assert winning_chance(go, 1.0, 1) == 0.0
    assert winning_chance(go, -3.0, 0) == 0.0
    assert winning_chance(go, 0.0, 1) == 0.5


# --- files -----------------------------------------------------------------------------------------------------------


def test_sgf_out_and_in(tmp_path):
    one = server("go:size=9,komi=6.5")
    assert tell(one, "printsgf").startswith("(;FF[4]CA[UTF-8]GM[1]SZ[9]AP[zermelo:")
    ask(one, "set_free_handicap c3 g7", "play w e5", "play b c5", "play b pass")
    path = tmp_path / "game.sgf"
    assert tell(one, f"printsgf {path}") == ""
    text = path.read_text()
    assert text.strip() == tell(one, "printsgf")
    assert "KM[6.5]AB[gc][cg]HA[2]PL[W]\n;W[ee];B[ce];B[])" in text
    other = server("go:size=5")
    assert tell(other, f"loadsgf {path}") == ""
    assert other.game == one.game
    assert other.board.stones() == one.board.stones()
    tell(other, f"loadsgf {path} 2")
    assert [step.action for step in other.board.steps] == [40]
    tell(other, f"loadsgf {path} 1")
    assert other.board.steps == []
    tell(other, f"loadsgf {path} 99")
    assert len(other.board.steps) == 4


def test_files_that_cannot_be_loaded(tmp_path):
    one = server()
    path = tmp_path / "game.sgf"
    for text, words in (
        ("nothing", "line 1, column 1: there is no game here"),
        ("(;SZ[9];B[cc];W[cc])", "line 1, column 14: White's move C7 is not legal"),
        ("(;GM[2])", "it is no game of go"),
        ("(;GM[3])", "GM[3] is chess"),
    ):
        path.write_text(text)
        assert words in refusal(one, f"loadsgf {path}")
        assert one.board.is_new
    path.write_text("(;SZ[9];B[cc];W[cc])")
    assert tell(one, f"loadsgf {path} 2") == ""
    assert len(one.board.steps) == 1
    assert refusal(one, f"loadsgf {path} x").startswith("syntax error")
    assert "connect_four is not written in SGF" in refusal(server("connect_four"), "printsgf")


# --- the end ---------------------------------------------------------------------------------------------------------


def played(one, black, white):
    for colour, vertices in (("b", black), ("w", white)):
        for vertex in vertices.split():
            tell(one, f"play {colour} {vertex}")


def test_the_end_of_a_game():
    """Two walls, and a white stone that is lost behind the black one."""
    one = server("go:size=7,komi=0.5")
    played(one, "c1 c2 c3 c4 c5 c6 c7 a6 b5", "d1 d2 d3 d4 d5 d6 d7 f4 f6 a2")
    assert tell(one, "final_status_list dead") == "A2"
    assert tell(one, "final_status_list seki") == ""
    alive = tell(one, "final_status_list alive").splitlines()
    assert "C7 C6 B5 C5 C4 C3 C2 C1" in alive
    assert tell(one, "final_score") == "W+7.5"


def test_dead_stones_are_captured_before_it_passes():
    one = server("go:size=7,komi=0.5")
    played(one, "c1 c2 c3 c4 c5 c6 c7 a6 b5", "d1 d2 d3 d4 d5 d6 d7 f4 f6 a2")
    assert tell(one, "kgs-genmove_cleanup w") == "pass"
    assert tell(one, "kgs-genmove_cleanup b") != "pass"


def test_scores_of_other_games():
    assert refusal(server("tic_tac_toe"), "final_score") == "cannot score"
    assert refusal(server("tic_tac_toe"), "final_status_list dead").startswith("stones of tic_tac_toe are neither")


# --- other games -----------------------------------------------------------------------------------------------------


def test_connect_four():
    one = server("connect_four")
    assert tell(one, "name") == "zermelo (connect_four)"
    assert ask(one, "play b 4", "play w 4") == "=\n\n" * 2
    assert refusal(one, "play w 4") == "illegal move: the other side is to move"
    assert refusal(one, "play b 9") == "illegal move"
    assert refusal(one, "boardsize 7") == "unacceptable size"
    assert refusal(one, "komi 7") == "unacceptable komi"
    assert tell(one, "genmove b") == "1"
    assert tell(one, "undo") == ""


def test_othello():
    one = server("othello")
    assert tell(one, "boardsize 6") == ""
    assert one.game == zermelo.game("othello", size=6)
    move = tell(one, "genmove b")
    assert one.board.steps[0].action in zermelo.game("othello", size=6).actions(one.game.initial())
    assert tell(one, "undo") == ""
    assert tell(one, f"play black {move.upper()}") == ""
    assert "GM[2]SZ[6]" in tell(one, "printsgf")


@pytest.mark.parametrize("name", ["kuhn_poker", "pig", "three_player_tic_tac_toe"])
def test_games_that_are_not_for_boards(name):
    with pytest.raises(UnsuitableGame, match="is no board game of two players"):
        server(name)


# --- nonsense --------------------------------------------------------------------------------------------------------

VOCABULARY = """
    protocol_version name version known_command list_commands boardsize clear_board komi fixed_handicap b w B white
    place_free_handicap set_free_handicap play genmove reg_genmove undo time_settings time_left showboard printsgf
    kgs-time_settings lz-analyze kata-analyze lz-genmove_analyze gomill-explain_last_move cputime a1 C3 e5 pass resign
    i9 0 1 2 5 -1 7.5 1e9 nan inf 99999999999999999999 interval minmoves maxmoves avoid allow none absolute byoyomi #
    dead alive loadsgf . / \t
"""
WORDS = st.sampled_from(VOCABULARY.split())
LINES = st.lists(WORDS | WORDS | st.text(max_size=6), max_size=6).map(" ".join)


@settings(max_examples=100, deadline=None)
@given(st.lists(LINES, max_size=8))
def test_any_lines_at_all(lines):
    """Whatever comes, every command is answered once, and the next one too."""
    one = server("go:size=5")
    for line in lines:
        line = line.replace("\n", " ")
        # Nobody waits for the playouts of unfinished games here, nor are files written.
        if any(word in line for word in ("final", "printsgf", "quit", "boardsize")):
            continue
        assert one.answer(line + "\n")
    said = ask(one, "", "1 clear_board", "2 play b c3", "3 genmove w", "4 quit")
    assert said.endswith("=1\n\n=2\n\n=3 A5\n\n=4\n\n")
    for answer in one.out.getvalue().split("\n\n")[:-1]:
        assert answer[:1] in "=?"


# --- a process of its own --------------------------------------------------------------------------------------------


class Program(Talking):
    """`zermelo gtp` at the other end of a pipe."""

    def __init__(self, *arguments):
        super().__init__("gtp", *arguments)

    def answer(self):
        """The lines of the next answer."""
        said = []
        while not said or said[-1]:
            said.append(self.lines.get(timeout=PATIENCE))
        return said[:-1]

    def ask(self, line):
        self.send(line)
        return self.answer()


@pytest.fixture(scope="module")
def program():
    started = Program("go:size=5,komi=0.5", "--simulations", "200", "--seed", "1")
    yield started
    started.close()


@pytest.fixture
def gtp(program):
    """The one process that most tests use, as new."""
    program.ask("clear_board")
    return program


def test_a_process(gtp):
    assert gtp.ask("1 name") == ["=1 zermelo"]
    move = gtp.ask("2 genmove b")[0].split()
    assert move[0] == "=2"
    assert zermelo.game("go", size=5).parse_action(zermelo.game("go", size=5).initial(), move[1]) < 25


def test_either_colour_may_be_thought_about(gtp):
    gtp.ask("play b C3")
    assert gtp.ask("genmove b")[0].startswith("= ")
    assert gtp.ask("reg_genmove b")[0].startswith("= ")
    gtp.send("lz-analyze b 1", "lz-analyze w 1", "name")
    for _ in range(2):
        assert len(gtp.answer()) > 1
    assert gtp.answer() == ["= zermelo"]


def test_analysis_of_a_process_ends_at_once(gtp):
    gtp.ask("genmove b")
    late = []
    for _ in range(5):
        gtp.send("lz-analyze w 1")
        while not gtp.lines.get(timeout=PATIENCE).startswith("info"):
            pass
        time.sleep(0.1)
        began = gtp.spent()
        gtp.send("name")
        gtp.answer()
        assert gtp.answer() == ["= zermelo"]
        late.append(gtp.spent() - began)
    assert sorted(late)[2] < 0.1


def test_clocks_are_kept():
    """A second for five moves, again and again; the first answer may take as long as compiling does."""
    other = Program("connect_four")
    try:
        assert other.ask("time_settings 0 1 5") == ["="]
        late = []
        for _ in range(3):
            assert other.ask("clear_board") == ["="]
            for colour in "bwbwbw":
                began = other.spent()
                assert other.ask(f"genmove {colour}")[0][0] == "="
                late.append(other.spent() - began)
        # The median: the first answer has to be compiled.
        assert sorted(late)[len(late) // 2] < 0.25
    finally:
        other.close()


def test_bytes_that_are_no_text(gtp):
    gtp.send(b"\xff\xfe\x00garbage\x80\n", b"play b \xed\xa0\xbd\n")
    assert gtp.answer() == ["? unknown command"]
    assert gtp.answer()[0].startswith("? syntax error")
    assert gtp.ask("name") == ["= zermelo"]


@pytest.mark.parametrize("last", ["quit", ""])
def test_leaving_in_the_middle_of_an_analysis(last):
    other = Program("tic_tac_toe")
    try:
        other.send("lz-analyze b 1")
        assert other.lines.get(timeout=PATIENCE) == "="
        time.sleep(0.2)
        if last:
            other.send(last)
        other.process.stdin.close()
        assert other.process.wait(timeout=PATIENCE) == 0
        assert other.process.stderr.read() == b""
    finally:
        other.close()


# --- whole games -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.txt")), ids=lambda path: path.stem)
def test_transcripts(path):
    """The same seed, the same moves: sessions come out to the letter as they did. `update.py` writes them anew."""
    text = path.read_text(encoding="utf-8")
    first, *lines = text.splitlines(keepends=True)
    game, simulations, seed = first.removeprefix("# ").split()
    one = GtpServer(zermelo.game(game), Settings(simulations=int(simulations), seed=int(seed)), io.StringIO())
    said = [first]
    for line in lines:
        if line.startswith("> "):
            said += [line, ask(one, line[2:])]
    assert "".join(said) == text


@pytest.mark.slow
def test_games_against_gnugo(need):
    """Two small games, to the end and without a fault, though gnugo leaves dead stones where they are."""
    program = need("/usr/games/gnugo")
    of = zermelo.game("go", size=5, komi=0.5)
    ours = f"gtp:{sys.executable} -m zermelo gtp go:size=5 --simulations 100,name=ours"
    theirs = f"gtp:{program} --mode gtp --level 1 --chinese-rules --positional-superko,name=theirs"
    played = zermelo.match(of, [ours, theirs], games=2, openings="none")
    assert played.faults == {}
    assert len(played.games) == 2
    for record in played.games:
        text = sgf.write({}, of, None, record.actions)
        (again,) = sgf.read(text, strict=True)
        assert again.actions == tuple(record.actions)
