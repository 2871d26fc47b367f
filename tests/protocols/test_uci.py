"""`zermelo uci` under a chess interface: a real process at the other end of a pipe."""

import io
import itertools
import queue
import random
import re
import subprocess
import sys
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from talking import Talking

import zermelo
from zermelo.protocols.uci import UciServer, score_text

chess = pytest.importorskip("chess")

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
ENDED = 0.1
"""So long, in seconds of the processor, a search may go on before it hears that it should end: `stop` is read by a
thread that has to get its turn, and clocks of processes count hundredths."""
PATIENCE = 60.0
"""Seconds after which a test gives up; the first search may have to compile."""


class Program(Talking):
    """The process, and what it says."""

    def __init__(self, *arguments):
        super().__init__("uci", *arguments)

    def until(self, word):
        """What it says, up to the first line that begins with the word."""
        said, end = [], time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                said.append(self.lines.get(timeout=max(0.01, end - time.monotonic())))
            except queue.Empty:
                break
            if said[-1].startswith(word):
                return said
        pytest.fail(f"no {word!r} came; it said {said}")

    def ask(self, *lines, answer="bestmove"):
        self.send(*lines)
        return self.until(answer)

    def told(self, *lines):
        """What it tells people about these lines, which it cannot do anything with."""
        said = self.ask(*lines, "isready", answer="readyok")
        return [line.removeprefix("info string ") for line in said[:-1] if line.startswith("info string ")]


@pytest.fixture(scope="module")
def program():
    started = Program()
    yield started
    started.close()


@pytest.fixture
def uci(program):
    """The one process that most tests use, as new."""
    program.send("stop", "setoption name MultiPV value 1", "ucinewgame", "position startpos", "isready")
    program.until("readyok")
    while not program.lines.empty():
        program.lines.get()
    return program


def best_of(said):
    return said[-1].split()[1]


def legal(fen, *moves, board=None):
    board = board or chess.Board(fen)
    for move in moves:
        board.push_uci(move)
    return [move.uci() for move in board.legal_moves]


def infos(said):
    """The `info` lines as dicts."""
    found = []
    for line in said:
        words = line.split()
        if words[:2] == ["info", "depth"]:
            head = words[1 : words.index("pv")]
            values = dict(itertools.pairwise(head))
            values["pv"] = words[words.index("pv") + 1 :]
            values["score"] = tuple(words[words.index("score") + 1 : words.index("score") + 3])
            found.append(values)
    return found


# --- hello -----------------------------------------------------------------------------------------------------------


def test_the_greeting(uci):
    said = uci.ask("uci", answer="uciok")
    assert said[0].startswith("id name zermelo")
    assert said[1].startswith("id author")
    options = {line.split(" type ")[0].removeprefix("option name ") for line in said if line.startswith("option")}
    assert options >= {"Hash", "Threads", "MultiPV", "Ponder", "UCI_LimitStrength", "UCI_Elo", "UCI_Chess960"}
    assert options >= {"OwnBook", "BookFile", "Move Overhead", "Clear Hash"}
    assert uci.ask("isready", answer="readyok") == ["readyok"]


# --- go --------------------------------------------------------------------------------------------------------------

LIMITS = [
    "depth 4", "nodes 3000", "movetime 50", "movetime 0", "movetime 1", "wtime 1000 btime 1000",
    "wtime 1000 btime 1000 winc 50 binc 50", "wtime 2000 btime 1000 movestogo 10", "wtime 100 btime 1 movestogo 1",
    "wtime 0 btime 0", "wtime -50 btime 3000", "depth 3 nodes 500 movetime 1000", "mate 1", "depth 1", "nodes 1",
    "depth -3", "nodes -5", "mate -2",
]  # fmt: skip


@pytest.mark.parametrize("words", LIMITS)
def test_every_kind_of_limit(uci, words):
    for fen in (chess.STARTING_FEN, KIWIPETE):
        began = uci.spent()
        said = uci.ask(f"position fen {fen}", f"go {words}")
        assert best_of(said) in legal(fen)
        assert uci.spent() - began < 5


def test_depth_and_nodes_are_kept(uci):
    assert [int(info["depth"]) for info in infos(uci.ask("go depth 6"))] == [1, 2, 3, 4, 5, 6]
    assert all(int(info["nodes"]) <= 2000 for info in infos(uci.ask("ucinewgame", "go nodes 2000")))


def test_depths_are_those_that_were_finished(uci):
    whole = {int(info["nodes"]): int(info["depth"]) for info in infos(uci.ask("ucinewgame", "go depth 9"))}
    for nodes in (100, 1000, 3000, 9000):
        depths = [int(info["depth"]) for info in infos(uci.ask("ucinewgame", f"go nodes {nodes}"))]
        finished = max((depth for needed, depth in whole.items() if needed <= nodes), default=0)
        assert depths in ([*range(1, finished + 1)], [*range(1, finished + 1), finished])


def test_what_it_says_while_it_thinks(uci):
    for fen in (chess.STARTING_FEN, KIWIPETE, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1"):
        said = uci.ask(f"position fen {fen}", "go depth 7")
        for info in infos(said):
            board = chess.Board(fen)
            for move in info["pv"]:
                board.push_uci(move)
            assert info["score"][0] in ("cp", "mate")
            assert all(int(info[word]) >= 0 for word in ("seldepth", "nodes", "nps", "time"))
        assert best_of(said) == infos(said)[-1]["pv"][0]


def test_the_answer_to_think_about(uci):
    said = uci.ask("position startpos moves e2e4", "go depth 6")
    _, best, word, reply = said[-1].split()
    assert word == "ponder"
    assert reply in legal(chess.STARTING_FEN, "e2e4", best)


def test_clocks_are_kept(uci):
    for words, allowed in (("movetime 100", 0.1), ("wtime 500 btime 500", 0.4), ("wtime 60 btime 60", 0.06)):
        late = []
        for _ in range(3):
            began = uci.spent()
            uci.ask("ucinewgame", f"go {words}")
            late.append(uci.spent() - began - allowed)
        assert sorted(late)[1] < ENDED


@pytest.mark.parametrize("words", ["infinite", "ponder wtime 1000 btime 1000", "depth 200", "infinite depth 3"])
def test_stop_answers_at_once(uci, words):
    late = []
    for _ in range(3):
        uci.send(f"position fen {KIWIPETE}", f"go {words}")
        time.sleep(0.15)
        began = uci.spent()
        assert best_of(uci.ask("stop")) in legal(KIWIPETE)
        late.append(uci.spent() - began)
    assert sorted(late)[1] < ENDED


@pytest.mark.parametrize("lines", [1, 5, 256])
def test_stop_answers_at_once_where_there_are_very_many_moves(uci, lines):
    """Whether it comes before anything is found, or while all that was found is being told."""
    many = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"
    uci.ask(f"setoption name MultiPV value {lines}", f"position fen {many}", "isready", answer="readyok")
    for pause in (0.0, 0.03, 0.15):
        late = []
        for _ in range(3):
            uci.ask("ucinewgame", "isready", answer="readyok")
            uci.send("go infinite")
            time.sleep(pause)
            began = uci.spent()
            assert best_of(uci.ask("stop")) in legal(many)
            late.append(uci.spent() - began)
        assert sorted(late)[1] < ENDED


def test_infinite_waits_even_when_all_is_known(uci):
    uci.send("position fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "go infinite")
    time.sleep(0.3)
    assert not any(line.startswith("bestmove") for line in list(uci.lines.queue))
    assert best_of(uci.ask("stop")) == "d1d8"


@pytest.mark.parametrize("pause", [0.0, 0.01, 0.2])
def test_the_expected_move_was_played(uci, pause):
    """From `ponderhit` on the clock runs, even where it comes before the search has really begun."""
    uci.send("position startpos moves e2e4 e7e5", "go ponder wtime 2000 btime 2000")
    time.sleep(pause)
    began = uci.spent()
    said = uci.ask("ponderhit")
    assert best_of(said) in legal(chess.STARTING_FEN, "e2e4", "e7e5")
    assert uci.spent() - began < 1.5


def test_the_expected_move_was_played_and_there_is_no_clock(uci):
    uci.send("go ponder")
    began = uci.spent()
    assert best_of(uci.ask("ponderhit")) in legal(chess.STARTING_FEN)
    assert uci.spent() - began < 5


def test_another_move_was_played(uci):
    uci.send("position startpos moves e2e4 e7e5", "go ponder wtime 2000 btime 2000")
    uci.ask("stop")
    said = uci.ask("position startpos moves e2e4 c7c5", "go depth 3")
    assert best_of(said) in legal(chess.STARTING_FEN, "e2e4", "c7c5")


def test_only_some_moves(uci):
    said = uci.ask("go depth 4 searchmoves a2a3 h2h4")
    assert best_of(said) in ("a2a3", "h2h4")
    assert best_of(uci.ask("go searchmoves a2a3 depth 3")) == "a2a3"


def test_several_lines(uci):
    said = uci.ask("setoption name MultiPV value 3", f"position fen {KIWIPETE}", "go depth 5")
    last = infos(said)[-3:]
    assert [info["multipv"] for info in last] == ["1", "2", "3"]
    assert len({info["pv"][0] for info in last}) == 3
    scores = [int(info["score"][1]) for info in last]
    assert scores == sorted(scores, reverse=True)
    assert best_of(said) == last[0]["pv"][0]


@pytest.mark.parametrize(
    ("fen", "score"),
    [
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", ("mate", "1")),
        ("5r1k/6pp/7N/3Q4/8/8/8/7K w - - 0 1", ("mate", "2")),
        ("3r4/8/8/8/8/5k2/8/5K2 w - - 0 1", ("mate", "-2")),
        ("8/8/8/8/1k6/8/2K5/q7 b - - 0 1", ("mate", "4")),
    ],
)
def test_mates(uci, fen, score):
    assert infos(uci.ask(f"position fen {fen}", "go depth 22"))[-1]["score"] == score


def test_scores_as_text():
    assert [score_text(score) for score in (0, 35, -120, 999_999, 999_998, 999_997, -999_998, -999_996)] == [
        "cp 0", "cp 35", "cp -120", "mate 1", "mate 1", "mate 2", "mate -1", "mate -2",
    ]  # fmt: skip


@pytest.mark.parametrize("fen", ["7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"])
def test_where_there_is_no_move(uci, fen):
    said = uci.ask(f"position fen {fen}", "go depth 3")
    assert said[-2:] == [f"info depth 0 score {'cp' if 'Q2' in fen else 'mate'} 0", "bestmove 0000"]


@pytest.mark.parametrize("fen", ["7k/8/6K1/8/8/8/8/R7 w - - 100 80", "8/8/8/8/8/8/8/K1k5 w - - 0 1"])
def test_a_draw_that_nobody_claims_is_played_on(uci, fen):
    assert best_of(uci.ask(f"position fen {fen}", "go depth 3")) in legal(fen)


def test_moves_after_fifty_moves_are_searched(uci):
    assert best_of(uci.ask("position fen 7k/R7/6K1/8/8/8/8/8 w - - 100 100", "go depth 5")) == "a7a8"
    assert best_of(uci.ask("position fen k7/8/8/3q4/4B3/8/8/K6R w - - 100 100", "go depth 5")) == "e4d5"


def test_a_move_beyond_all_clocks(uci):
    """The clock of a game that goes on and on counts farther than a FEN may say."""
    shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"] * 251
    assert best_of(uci.ask(f"position startpos moves {' '.join(shuffle)}", "go depth 2")) in legal(chess.STARTING_FEN)


def test_repetition_is_seen_through_the_moves(uci):
    """A queen up, White may not shuffle a third time."""
    start = "6k1/8/8/8/8/8/3Q4/6K1 w - - 0 1"
    shuffle = "d2d1 g8h8 d1d2 h8g8 " * 2
    said = uci.ask(f"position fen {start} moves {shuffle}", "go depth 1 searchmoves d2d1")
    assert infos(said)[-1]["score"] == ("cp", "0")


# --- positions -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("position", "write startpos or fen"),
        ("position nowhere", "write startpos or fen"),
        ("position startpos e2e4", "write startpos or fen"),
        ("position fen", "position:"),
        ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "position:"),
        ("position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1", "position:"),
        ("position startpos moves e2e5", "position: 'e2e5' is not legal"),
        ("position startpos moves e2e4 e2e4", "position: 'e2e4' is not legal"),
        ("position startpos moves zz", "position: 'zz'"),
    ],
)
def test_bad_positions_change_nothing(uci, line, words):
    uci.send("position startpos moves d2d4")
    told = uci.told(line)
    assert len(told) == 1
    assert words in told[0]
    said = uci.ask("d", answer="Fen:")
    assert said[-1].split()[1] == "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR"


@pytest.mark.slow
def test_chess960(uci):
    """The king castles onto its own rook."""
    fen = "nrk1bbqr/pppppppp/8/8/8/8/PPPPPPPP/NRK1BBQR w HBhb - 0 1"
    board = chess.Board(fen, chess960=True)
    uci.send("setoption name UCI_Chess960 value true", f"position fen {fen}")
    assert best_of(uci.ask("go depth 4")) in legal(fen, board=board)
    assert uci.told(f"position fen {fen} moves c1b1") == []
    board.push_uci("c1b1")
    shown = uci.ask("d", answer="Fen:")[-1].split()[1]
    assert shown == board.board_fen()
    assert best_of(uci.ask("go depth 4")) in [move.uci() for move in board.legal_moves]
    uci.send("setoption name UCI_Chess960 value false")
    assert uci.ask("d", answer="Fen:")[-1].startswith("Fen: rnbqkbnr/pppppppp")


def test_castling_is_written_as_people_expect(uci):
    fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    assert best_of(uci.ask(f"position fen {fen}", "go depth 2 searchmoves e1g1")) == "e1g1"
    uci.send(f"position fen {fen} moves e1c1 e8g8")
    assert uci.ask("d", answer="Fen:")[-1].split()[1] == "r4rk1/8/8/8/8/8/8/2KR3R"


# --- options ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("setoption", "write: setoption name NAME value VALUE"),
        ("setoption value 3", "write: setoption name NAME value VALUE"),
        ("setoption name Hash", "hash must be an integer from 1 to"),
        ("setoption name Hash value many", "hash must be an integer from 1 to 65536, not 'many'"),
        ("setoption name Hash value 1_6", "hash must be an integer from 1 to 65536, not '1_6'"),
        ("setoption name Hash value ١٦", "hash must be an integer from 1 to"),
        ("setoption name Hash value 0", "hash must be an integer from 1 to"),
        ("setoption name Threads value -1", "threads must be an integer from 1 to 256, not '-1'"),
        ("setoption name MultiPV value 1.5", "multipv must be an integer from 1 to"),
        ("setoption name UCI_LimitStrength value maybe", "uci_limitstrength must be true or false, not 'maybe'"),
        ("setoption name Contempt value 3", "there is no option 'contempt'; the options are Hash, Threads"),
        ("setoption name BookFile value /no/such/book.bin", None),
    ],
)
def test_bad_options(uci, line, words):
    told = uci.told(line)
    assert (told == []) if words is None else (len(told) == 1 and words in told[0])


def test_options_that_set_the_engine_up_anew(uci):
    uci.send("setoption name Hash value 8", "setoption name Threads value 2", "setoption name Clear Hash")
    assert best_of(uci.ask("go depth 6")) in legal(chess.STARTING_FEN)
    uci.send("setoption name Threads value 1", "setoption name Hash value 64")
    assert best_of(uci.ask("go depth 3")) in legal(chess.STARTING_FEN)


def test_the_book(uci):
    uci.send("setoption name BookFile value <empty>", "setoption name OwnBook value true")
    said = uci.ask("go depth 12")
    assert said[0] == "info string from the book"
    assert best_of(said) in legal(chess.STARTING_FEN)
    told = uci.told("setoption name BookFile value /no/such/book.bin")
    assert len(told) == 1
    assert "there is no such file" in told[0]
    uci.send("setoption name BookFile value <empty>")
    assert uci.ask("go depth 2")[0] == "info string from the book"
    uci.send("setoption name OwnBook value false")
    assert infos(uci.ask("go depth 2"))


def test_playing_weaker(uci):
    uci.send("setoption name UCI_LimitStrength value true", "setoption name UCI_Elo value 800")
    said = uci.ask("go movetime 2000")
    assert best_of(said) in legal(chess.STARTING_FEN)
    assert all(int(info["nodes"]) <= 60 for info in infos(said))
    uci.send("setoption name UCI_LimitStrength value false")


def test_playing_weaker_keeps_to_the_moves_asked_for(uci):
    uci.send("setoption name UCI_LimitStrength value true", "setoption name UCI_Elo value 800")
    # At this strength one move in eight is drawn by lot.
    assert {best_of(uci.ask("go depth 1 searchmoves a2a3")) for _ in range(60)} == {"a2a3"}
    uci.send("setoption name UCI_LimitStrength value false")


# --- tools -----------------------------------------------------------------------------------------------------------


def test_perft(uci):
    for command in ("go perft 3", "perft 3"):
        said = uci.ask(command, answer="Nodes searched")
        assert said[-1] == "Nodes searched: 8902"
        assert "e2e4: 600" in said


def test_bench_is_a_signature(uci):
    first, again = (uci.ask("bench 4", answer="Nodes/second") for _ in range(2))
    nodes = [line for line in first if line.startswith("Nodes searched")]
    assert nodes == [line for line in again if line.startswith("Nodes searched")]
    assert sum(line.startswith("Position") for line in first) == 8


LONG = ["perft 12", "go perft 12", "bench 40"]
"""Commands that take hours."""


@pytest.mark.parametrize("command", LONG)
def test_long_tools_are_stopped_at_once(uci, command):
    word, late = command.split()[-2], []
    uci.ask(f"{word} 4", answer="Nodes searched")  # compiled before any clock runs
    for _ in range(3):
        uci.send(command)
        time.sleep(0.15)
        # It answers while it counts: only later does it say that it was stopped.
        said = uci.ask("isready", answer="readyok")
        assert not any(line.startswith(("Nodes searched", "info string")) for line in said)
        began = uci.spent()
        said = uci.ask("stop", answer="info string")
        late.append(uci.spent() - began)
        assert said[-1] == f"info string {word}: stopped before its end"
        said += uci.ask("isready", answer="readyok")
        assert not any(line.startswith(("Nodes searched", "bestmove")) for line in said)
    assert sorted(late)[1] < ENDED


@pytest.mark.parametrize("command", LONG)
def test_isready_is_answered_even_before_long_tools_have_begun(uci, command):
    said = uci.ask(command, "isready", answer="readyok")
    assert not any(line.startswith(("Nodes searched", "info string")) for line in said)
    said = uci.ask("stop", answer="info string")
    assert said[-1].endswith("stopped before its end")


@pytest.mark.parametrize("command", LONG)
def test_other_commands_wait_for_long_tools(uci, command):
    """Until somebody says `stop`, which ends the tool and does not lose what came in between."""
    stopped = f"info string {command.split()[-2]}: stopped before its end"
    uci.send(command, "position startpos moves e2e4", "go depth 2")
    time.sleep(0.1)
    said = uci.ask("stop")
    assert said.count(stopped) == 1
    assert best_of(said) in legal(chess.STARTING_FEN, "e2e4")


@pytest.mark.parametrize("last", ["", "quit\n"])
def test_a_list_of_commands_is_done_from_first_to_last(last):
    lines = f"go perft 3\nposition startpos moves e2e4\nperft 2\nbench 2\nposition fen {KIWIPETE}\ngo perft 2\n{last}"
    asked = [sys.executable, "-m", "zermelo", "uci"]
    ended = subprocess.run(asked, input=lines, capture_output=True, text=True, timeout=10 * PATIENCE)
    sums = [line.split(": ")[1] for line in ended.stdout.splitlines() if line.startswith("Nodes searched:")]
    assert sums == ["8902", "600", "2039"]
    assert ended.stdout.count("Nodes/second") == 1
    assert ended.returncode == 0


def test_a_draw_that_nobody_claims_is_counted_on(uci):
    for times in (30, 300):  # the clock of the second one counts farther than a FEN may say
        uci.send(f"position startpos moves {'g1f3 g8f6 f3g1 f6g8 ' * times}")
        assert uci.ask("perft 3", answer="Nodes searched")[-1] == "Nodes searched: 8902"


def test_dead_positions_are_counted_on_as_other_programs_do(uci):
    uci.send("position fen 4k3/1P6/8/8/8/8/K7/8 w - - 0 1")
    assert uci.ask("go perft 6", answer="Nodes searched")[-1] == "Nodes searched: 217342"


def test_counts_that_cannot_be(uci):
    for line in ("perft 0", "perft -1", "go perft 1001"):
        assert "depth must be an integer from 1 to 1000" in uci.told(line)[0]


def test_the_end_of_input_waits_for_tools():
    for line, last in (("perft 2", "Nodes searched: 400"), ("bench 2", "Nodes/second")):
        out = io.StringIO()
        UciServer(zermelo.game("chess"), out).serve([line])
        assert out.getvalue().splitlines()[-1].startswith(last)


def test_the_estimate_part_by_part(uci):
    said = uci.ask(f"position fen {KIWIPETE}", "eval", answer="total")
    parts = [int(line.split()[-1]) for line in said]
    assert parts[-1] == sum(parts[:-1])


# --- nonsense --------------------------------------------------------------------------------------------------------


def test_nonsense_is_told_and_skipped(uci):
    told = uci.told("xyzzy", "", "   ", "joho debug on", "perft banana")
    assert [line.split(";")[0].split(" (")[0] for line in told] == [
        "there is no command 'xyzzy'", "perft: cannot be understood",
    ]  # fmt: skip
    assert best_of(uci.ask("please go depth 2")) in legal(chess.STARTING_FEN)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("GO depth 1", "there is no command 'GO'"),
        ("go perft deep", "depth wants a whole number, not 'deep'"),
        ("perft deep", "depth wants a whole number, not 'deep'"),
        ("bench x", "depth wants a whole number, not 'x'"),
    ],
)
def test_what_is_wrong_is_named(uci, line, words):
    (told,) = uci.told(line)
    assert words in told


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("go movetime soon nodes 100", "go: movetime wants a whole number, not 'soon'"),
        ("go wtime 100 btime 1e3", "go: btime wants a whole number, not '1e3'"),
        ("go depth x", "go: depth wants a whole number, not 'x'"),
        ("go searchmoves e2e5 e7e5 depth 2", "go: 'e2e5' is not legal here"),
        ("go depth 2 searchmoves e2e5 e2e4", "go: 'e2e5' is not legal here"),
    ],
)
def test_what_is_wrong_in_go_is_left_out(uci, line, words):
    """An interface that has said `go` waits for a move."""
    said = uci.ask("position startpos", line)
    assert any(words in other for other in said), said
    best = best_of(said)
    assert best in legal(chess.STARTING_FEN)
    assert best == "e2e4" or "e2e4" not in line


@pytest.mark.parametrize("moves", [0, -2])
def test_a_clock_without_moves_to_go(uci, moves):
    said = uci.ask(f"go wtime 1000 btime 1000 movestogo {moves}")
    assert best_of(said) in legal(chess.STARTING_FEN)


def test_long_lines_are_not_echoed_whole(uci):
    (told,) = uci.told("x" * 200_000)
    assert len(told) < 1000


@pytest.mark.parametrize("game", ["pig", "kuhn_poker"])
def test_games_that_the_engine_cannot_search_are_refused_at_once(game):
    ended = subprocess.run([sys.executable, "-m", "zermelo", "uci", game], input="", capture_output=True, text=True)
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert game in ended.stderr
    assert ended.stderr.count("\n") == 1


def test_bytes_that_are_no_text(uci):
    told = uci.told(b"\xff\xfe\x00garbage\x80\n", b"position fen \xed\xa0\xbd\n")
    assert len(told) == 2
    assert best_of(uci.ask("go depth 2")) in legal(chess.STARTING_FEN)


def test_commands_in_the_middle_of_a_search(uci):
    uci.send("go infinite")
    assert uci.ask("isready", answer="readyok")[-1] == "readyok"
    uci.send("go depth 2")
    uci.until("bestmove")
    uci.until("bestmove")
    uci.send("go infinite", "position startpos moves e2e4")
    uci.until("bestmove")
    uci.send("go infinite", "ucinewgame")
    uci.until("bestmove")
    assert best_of(uci.ask("go depth 2")) in legal(chess.STARTING_FEN, "e2e4")
    assert uci.told("stop", "ponderhit", "stop") == []


@pytest.mark.parametrize(
    ("running", "last"),
    [("go infinite", "quit"), ("go infinite", ""), ("perft 12", "stop\nquit"), ("bench 40", "stop\nquit")],
)
def test_leaving_in_the_middle(running, last):
    other = Program()
    try:
        other.ask("isready", answer="readyok")
        other.send(running)
        time.sleep(0.1)
        if last:
            other.send(last)
        other.process.stdin.close()
        assert other.process.wait(timeout=PATIENCE) == 0
        assert other.process.stderr.read() == b""
    finally:
        other.close()


@pytest.mark.parametrize("running", ["go infinite", "perft 5"])
def test_nobody_listens_any_more(running):
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-m", "zermelo", "uci"], text=True, **pipes) as other:
        print("isready", file=other.stdin, flush=True)
        assert other.stdout.readline() == "readyok\n"
        other.stdout.close()
        print(running, file=other.stdin, flush=True)
        time.sleep(0.2)
        print("quit", file=other.stdin, flush=True)
        assert other.wait(timeout=PATIENCE) == 0
        assert other.stderr.read() == ""


FENS = (
    chess.STARTING_FEN, KIWIPETE, "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "k7/8/8/8/8/8/8/K6q w - - 0 1", "8/8/8/8/8/8/8/K1k5 w - - 0 1",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", "8/8/8/8/8/8/8/8 w - - 0 1",
    "QQQQQQQQ/QQQQQQQQ/8/8/8/8/8/K1k5 w - - 0 1", "rnbq1bnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
    "7k/R7/6K1/8/8/8/8/8 w - - 100 100", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "4k3/8/8/3pP3/8/8/8/4K3 w - e9 0 1",
)  # fmt: skip
HOSTILE = (
    *(f"position fen {fen}" for fen in FENS), "position startpos moves e2e4 e7e5", "position startpos moves 0000",
    "go infinite", "go infinite depth 2", "go ponder", "go ponder wtime 500 btime 500", "go depth 200", "go depth 3",
    "go nodes 500", "go movetime 5", "go movetime -1", "go wtime 30 btime 0 movestogo -2", "go mate 1 infinite",
    "go depth 2 searchmoves a7a8q", "go depth x", "go", "go depth", "go perft 9", "perft 9", "perft 2", "bench 40",
    "bench -1", "stop", "ponderhit", "ucinewgame", "isready", "d", "eval", "uci", "x" * 50_000, b"\xff\x00\x80\n",
    "setoption name MultiPV value 5", "setoption name MultiPV value 256", "setoption name MultiPV value 0",
    "setoption name Threads value 2", "setoption name Threads value 1", "setoption name Hash value 1",
    "setoption name Hash value -1", "setoption name Move Overhead value 99999999999999999999",
)  # fmt: skip
SAID = re.compile(
    r"(id (name|author) \S.*|uciok|readyok|bestmove \S+( ponder \S+)?|info string .*|option name .+ type .+|"
    r"info depth \d+ (seldepth \d+ multipv \d+ )?score (cp|mate) -?\d+( nodes \d+ nps \d+ time \d+ pv( \S+)+)?)"
)


@pytest.mark.parametrize("seed", range(3))
def test_every_search_has_one_answer(uci, seed):
    """Lines in any order, some while others run: all that is said is UCI, and each `go` that it takes is answered."""
    source = random.Random(seed)
    for turn in range(60):
        lines = source.choices(HOSTILE, k=source.randrange(1, 7))
        for line in lines:
            uci.send(line)
            time.sleep(source.choice([0.0, 0.0, 0.01]))
        said = uci.ask("stop", f"end of turn {turn}", answer="info string there is no command 'end'")
        tools = any(str(line).startswith(("perft", "bench", "go perft", "d", "eval")) for line in lines)
        assert all(tools or SAID.fullmatch(line) for line in said), lines
        asked = sum(isinstance(line, str) and line[:2] == "go" and "perft" not in line for line in lines)
        assert sum(line.startswith("bestmove") for line in said) == asked, lines
    uci.send("setoption name Threads value 1", "setoption name Hash value 64")


VOCABULARY = """
    go depth nodes movetime wtime btime winc binc movestogo mate infinite ponder searchmoves position startpos fen moves
    e2e4 e7e5 e1g1 0000 a7a8q setoption name value Hash Threads MultiPV Clear UCI_Elo UCI_LimitStrength Move
    Overhead OwnBook true false stop ponderhit isready uci ucinewgame d eval debug register perft bench -1 0 1 2 3 1e9
    nan 99999999999999999999 8/8/8/8/8/8/8/8 rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w b KQkq - ...
"""
WORDS = st.sampled_from(VOCABULARY.split())
LINES = st.lists(WORDS | WORDS | st.text(max_size=6), max_size=9).map(" ".join)


@settings(max_examples=30, deadline=None)
@given(st.lists(LINES, max_size=6))
def test_any_lines_at_all(lines):
    """Whatever comes, the engine goes on, and answers what it understands."""
    out = io.StringIO()
    server = UciServer(zermelo.game("chess"), out)
    try:
        for line in lines:
            server.answer(line)
        server.answer("setoption name UCI_LimitStrength value false")
        assert server.answer("position startpos moves e2e4")
        assert server.answer("go depth 2")
        server.thread.join(PATIENCE)
    finally:
        server.stop()
    moves = [line.split()[1] for line in out.getvalue().splitlines() if line.startswith("bestmove")]
    assert moves[-1] in legal(chess.STARTING_FEN, "e2e4")
    assert server.answer("quit") is False


# --- games -----------------------------------------------------------------------------------------------------------


def test_another_game():
    other = Program("tic_tac_toe")
    try:
        assert "(tic_tac_toe)" in other.ask("uci", answer="uciok")[0]
        said = other.ask("position startpos moves b2 a2", "go depth 9")
        assert best_of(said) in ("a1", "c1", "a3", "c3", "b1", "b3", "c2")
        assert infos(said)[-1]["score"][0] == "mate"
        assert other.told("position startpos moves b2 b2")
    finally:
        other.close()


def test_moves_whose_names_have_spaces():
    """Each is one word, as for the programs that play here."""
    out = io.StringIO()
    UciServer(zermelo.game("nim", heaps=(2, 2)), out).serve(
        ["position startpos moves 1_from_heap_1 2_from_heap_2", "go depth 5", "position startpos moves 3_from_heap_1"]
    )
    *_, best, told = (line for line in out.getvalue().splitlines() if not line.startswith("info depth"))
    assert best == "bestmove 1_from_heap_1"
    assert "'3_from_heap_1'" in told


def faults(games, clock):
    """How the games of the program with itself ended, and how many of them by a fault.

    The margin is wide, since others use the computer too; benchmarks/uci_games.py is strict.
    """
    of = zermelo.game("chess")
    zermelo.Engine(of)  # compiled before any clock runs
    who = f"uci:{sys.executable} -m zermelo uci,Hash=4"
    played = zermelo.match(of, [f"{who},name=a", f"{who},name=b"], games=games, clock=clock, margin=1.0)
    ends = [record.end for record in played.games]
    return ends, [end for end in ends if end in ("time", "crash", "illegal move")]


def test_games_with_itself():
    ends, bad = faults(2, "1+0.01")
    assert len(ends) == 2
    assert bad == []


@pytest.mark.slow
def test_more_games_with_itself():
    for clock in ("1+0.01", "0.02", "40/2"):
        ends, bad = faults(6, clock)
        assert len(ends) == 6
        assert bad == []
