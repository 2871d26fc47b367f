"""Programs as players: a stand-in that behaves well or badly, and the real ones where they are installed."""

import os
import shutil
import sys
import time
from pathlib import Path as FilePath

import pytest

import zermelo
from zermelo.errors import BadParameter
from zermelo.play.clock import FREE, Clock
from zermelo.play.course import Course, Path
from zermelo.play.players import CRASH, ILLEGAL, RESIGNED, TIME, PlayerFailed, entrant
from zermelo.protocols import cecp_client, gtp_client, process, uci_client
from zermelo.protocols.process import Process

STAND_IN = FilePath(__file__).with_name("stand_in.py")
PROTOCOLS = ("uci", "gtp", "cecp")
CLIENTS = (uci_client, cecp_client, gtp_client)


def text(protocol, mood="fine", options=""):
    """The stand-in as a player."""
    return f"{protocol}:{sys.executable} {STAND_IN} {protocol} {mood}{options}"


@pytest.fixture
def game():
    return zermelo.game("connect_four")


@pytest.fixture
def made(game):
    """Makes players that are closed after the test."""
    players = []

    def make(who):
        players.append(entrant(who).make(game, False))
        return players[-1]

    yield make
    for player in players:
        player.close()


def moves_of(game, player, count, clock=FREE):
    """What the player plays against itself."""
    course = Course(game)
    player.begin(game, "0")
    for _ in range(count):
        course.push(player(game, course.state, course.history(), clock))
    return [game.format_action(s, action) for s, action in zip(course.states, course.actions, strict=True)]


def is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return FilePath(f"/proc/{pid}/stat").read_text().split()[2] != "Z" if FilePath("/proc/self").exists() else True


# --- a program that behaves ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_games_over_every_protocol(game, made, protocol):
    player = made(text(protocol))
    assert player.name == "Stand In"
    for _ in range(2):
        assert moves_of(game, player, 8) == ["1"] * 6 + ["2"] * 2
    pid = player.process.process.pid
    player.close()
    assert not is_alive(pid)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_any_clock_will_do(game, made, protocol):
    player = made(text(protocol))
    for clock in (Clock(move=2.0), Clock(move=0.5), Clock(remaining=9.0, opponent=8.0, increment=0.1),
                  Clock(remaining=60.0, opponent=60.0, moves_left=3), Clock(depth=3)):  # fmt: skip
        assert moves_of(game, player, 2, clock) == ["1", "1"]


def test_history_without_actions_is_enough(game, made):
    course = Course(game)
    for action in (3, 3, 0, 0, 0, 0, 0):
        course.push(action)
    player = made(text("uci"))
    assert player(game, course.state, list(course.history()), FREE) == 0
    course.push(0)
    assert player(game, course.state, list(course.history()), FREE) == 1
    with pytest.raises(BadParameter, match="no move leads"):
        player(game, course.state, [course.states[2], course.states[0]], FREE)


def test_notes(game, made):
    for protocol, score, depth in (("uci", 31, 5), ("cecp", 25, 3)):
        player = made(text(protocol))
        moves_of(game, player, 1)
        assert (player.note.score, player.note.depth) == (score, depth)


def test_options_reach_the_program(game, made):
    player = made(text("uci", options=",hash=32,Playing Style=wild"))
    moves_of(game, player, 1)
    player.close()
    player.process.readers[1].join(10)
    assert list(player.process.errors) == ["style is wild"]
    made(text("cecp", options=",style=wild"))
    with pytest.raises(BadParameter, match="no option 'Speed'; its options are Hash, Playing Style"):
        made(text("uci", options=",Speed=1"))
    with pytest.raises(BadParameter, match="no option 'speed'; its options are Style"):
        made(text("cecp", options=",speed=1"))
    with pytest.raises(BadParameter, match="GTP has no options"):
        made(text("gtp", options=",speed=1"))


def test_limits_of_the_players_own(game, made, monkeypatch):
    sent = []
    send = Process.send
    monkeypatch.setattr(Process, "send", lambda self, line, *rest: (sent.append(line), send(self, line, *rest))[1])
    moves_of(game, made(text("uci", options=",depth=3,nodes=500")), 1, Clock(move=1.0))
    assert sent[-1] == "go nodes 500 depth 3"
    moves_of(game, made(text("uci", options=",time=0.25")), 1)
    assert sent[-1] == "go movetime 250"
    moves_of(game, made(text("cecp", options=",depth=3")), 1)
    assert "sd 3" in sent


@pytest.fixture
def sent(monkeypatch):
    """What programs are sent, GTP's numbers left out."""
    lines = []
    send = Process.send

    def noted_send(self, line, *rest):
        lines.append(line.partition(" ")[2] if line[:1].isdigit() else line)
        return send(self, line, *rest)

    monkeypatch.setattr(Process, "send", noted_send)
    return lines


@pytest.mark.parametrize(
    ("clock", "settings", "left"),
    [
        (FREE, [], []),
        (Clock(move=2.9), ["time_settings 0 2 1"], ["time_left b 2 1"]),
        (Clock(move=0.9), ["time_settings 0 1 2"], ["time_left b 1 2"]),
        (Clock(move=0.01), ["time_settings 0 1 100"], ["time_left b 1 100"]),
        (Clock(remaining=59.9, opponent=58.1), ["time_settings 59 0 0"], ["time_left b 59 0", "time_left w 58 0"]),
        (Clock(remaining=0.9, opponent=0.1), ["time_settings 0 0 0"], ["time_left b 0 0", "time_left w 0 0"]),
        (Clock(remaining=9.9, opponent=9.9, moves_left=7), ["time_settings 0 9 7"], ["time_left b 9 7"]),
    ],
)
def test_time_in_gtp(game, made, sent, clock, settings, left):
    """Boards and times are set before a clock runs, and whole seconds are never more than there are."""
    player = made(text("gtp"))
    player.begin(game, "0")
    sent.clear()
    player.ready(game, game.initial(), (), clock)
    assert sent == ["clear_board", *settings]
    sent.clear()
    player(game, game.initial(), Path(), clock)
    assert sent == [*left, "genmove b"]


def test_gtp_programs_are_told_what_is_new(game, made, sent):
    player, course = made(text("gtp")), Course(game)
    for action in (3, 3):
        course.push(action)
    player.begin(game, "0")
    player.ready(game, course.state, course.history(), FREE)
    assert sent[-3:] == ["clear_board", "play b 4", "play w 4"]
    sent.clear()
    for action in (3, 2):
        course.push(action)
    player(game, course.state, course.history(), FREE)
    assert sent == ["play b 4", "play w 3", "genmove b"]
    # Another game than before is told from the start, whether somebody says that it begins or not.
    sent.clear()
    player(game, game.initial(), Path(), FREE)
    assert sent == ["clear_board", "genmove b"]


def test_gtp_programs_without_a_clock_of_their_own(game, made, sent):
    player = made(text("gtp"))
    player.commands.discard("time_left")
    player.begin(game, "0")
    player(game, game.initial(), Path(), Clock(move=3.0))
    assert sent[-2:] == ["time_settings 0 3 1", "genmove b"]
    player.commands.discard("time_settings")
    player(game, game.initial(), Path(), Clock(move=3.0))
    assert sent[-2:] == ["clear_board", "genmove b"]


def test_old_programs_without_features(game, made, monkeypatch):
    monkeypatch.setattr(cecp_client, "TO_TELL", 0.3)
    assert moves_of(game, made(text("cecp", "old")), 7) == ["1"] * 6 + ["2"]


def noted(line):
    return uci_client.note_of_info(line.split())


def test_uci_words(game):
    assert uci_client.go(FREE, 0) == "go movetime 1000"
    clock = Clock(remaining=60, opponent=30, increment=0.5, moves_left=7)
    assert uci_client.go(clock, 0) == "go wtime 60000 btime 30000 winc 500 binc 500 movestogo 7"
    assert uci_client.go(clock, 1) == "go wtime 30000 btime 60000 winc 500 binc 500 movestogo 7"
    assert noted("info depth 9 score mate 3 pv e2e4").score == uci_client.MATE - 3
    assert noted("info depth 9 score mate -2").score == -uci_client.MATE + 2
    assert noted("info depth x score cp nothing") is None
    assert noted("info string score cp 3") is None
    s = game.play(game.initial(), 3)
    assert uci_client.position(game, Path(), s) == f"position fen {game.format_state(s)}"


# --- programs that do not --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_programs_that_do_not_start(made, protocol, monkeypatch, tmp_path):
    for module in CLIENTS:
        monkeypatch.setattr(module, "TO_START", 0.5)
    with pytest.raises(BadParameter, match="no such program"):
        made(f"{protocol}:/no/such/program")
    with pytest.raises(BadParameter, match=r"exit code 2\); it said last: 'no such book'"):
        made(text(protocol, "dead"))
    if protocol != "cecp":  # a silent CECP program may be an old one
        with pytest.raises(BadParameter, match=r"does not speak .*: .* did not answer"):
            made(text(protocol, "silent"))
    broken = tmp_path / "broken"
    broken.write_text("#!/no/such/interpreter\n")
    broken.chmod(0o755)
    with pytest.raises(BadParameter, match="cannot be started"):
        made(f"{protocol}:{broken}")


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_files_that_cannot_be_executed(made, protocol, tmp_path):
    plain = tmp_path / "plain"
    plain.write_text("no program\n")
    with pytest.raises(BadParameter, match="that file cannot be executed"):
        made(f"{protocol}:{plain}")


def test_a_uci_program_that_knows_no_move(game, made):
    with pytest.raises(PlayerFailed, match="knew no move") as failed:
        moves_of(game, made(text("uci", "speechless")), 6)
    assert failed.value.kind == ILLEGAL


def test_a_program_that_never_ends_its_greeting(made, monkeypatch):
    monkeypatch.setattr(uci_client, "TO_START", 0.5)
    with pytest.raises(BadParameter, match="did not answer `uci` with `uciok`"):
        made(text("uci", "mute"))


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(
    ("mood", "kind", "words"),
    [
        ("dies", CRASH, "exit code 3.; it said last: 'out of memory'"),
        ("killed", CRASH, "was ended by SIGKILL"),
        ("illegal", ILLEGAL, "played '9', which is not legal in"),
        ("resigns", RESIGNED, "resigned"),
    ],
)
def test_programs_that_fail_in_the_game(game, made, protocol, mood, kind, words):
    player = made(text(protocol, mood))
    with pytest.raises(PlayerFailed, match=words) as failed:
        moves_of(game, player, 6)
    assert failed.value.kind == kind


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("mood", ["hangs", "floods"])
def test_programs_that_never_answer(game, made, protocol, mood, monkeypatch):
    for module in CLIENTS:
        monkeypatch.setattr(module, "TO_STOP", 0.3)
    player = made(text(protocol, mood))
    started = time.monotonic()
    with pytest.raises(PlayerFailed, match="did not answer") as failed:
        moves_of(game, player, 3, Clock(move=0.2))
    assert failed.value.kind == TIME
    assert time.monotonic() - started < 10
    pid = player.process.process.pid
    player.close()
    assert not is_alive(pid)


@pytest.mark.skipif(shutil.which("yes") is None, reason="needs the program yes")
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_flood_from_the_start(made, protocol, monkeypatch):
    for module in CLIENTS:
        monkeypatch.setattr(module, "TO_START", 0.3)
    monkeypatch.setattr(cecp_client, "TO_TELL", 0.2)
    if protocol == "cecp":
        made("cecp:yes")  # it may be an old program, which has no features
    else:
        with pytest.raises(BadParameter, match="it said last: 'y'"):
            made(f"{protocol}:yes")


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_noise_does_no_harm(game, made, protocol):
    assert moves_of(game, made(text(protocol, "garbage")), 3) == ["1"] * 3
    assert moves_of(game, made(text(protocol, "chatters")), 3) == ["1"] * 3


def test_a_program_that_leaves_after_its_move(game, made):
    player = made(text("uci", "leaves"))
    with pytest.raises(PlayerFailed, match="exit code 0") as failed:
        moves_of(game, player, 2)
    assert failed.value.kind == CRASH


def test_a_program_that_does_not_read(game, made, monkeypatch):
    monkeypatch.setattr(uci_client, "TO_STOP", 0.2)
    player = made(text("uci", "deaf"))
    with pytest.raises(PlayerFailed, match="did not answer"):
        moves_of(game, player, 6, Clock(move=0.1))
    with pytest.raises(PlayerFailed, match="does not read"):
        player.process.send("x" * 10_000_000, 0.1)


def test_stubborn_programs_and_their_children_end_too(game, made, monkeypatch):
    monkeypatch.setattr(process, "TO_LEAVE", 0.2)
    player = made(text("uci", "stubborn"))
    pid = player.process.process.pid
    player.close()
    assert not is_alive(pid)
    player = made(text("uci", "parent"))
    pid = player.process.process.pid
    children = FilePath(f"/proc/{pid}/task/{pid}/children")
    family = [int(child) for child in children.read_text().split()] if children.exists() else []
    player.close()
    time.sleep(0.1)
    assert not any(is_alive(child) for child in [pid, *family])


# --- the real ones ---------------------------------------------------------------------------------------------------

REAL = [
    "uci:/usr/games/stockfish,Hash=16,UCI_LimitStrength=true,UCI_Elo=2000",
    "uci:/usr/games/gnuchess --uci,OwnBook=false",
    "cecp:/usr/games/gnuchess --xboard",
    "cecp:/usr/games/sjeng",
    "cecp:/usr/games/fairymax",
]


@pytest.mark.parametrize("who", REAL)
def test_real_programs(who, tmp_path, monkeypatch, need):
    need(who.split(":")[1].split(",")[0].split()[0])
    monkeypatch.setenv("HOME", str(tmp_path))  # some write into the folder of their user
    chess = zermelo.game("chess")
    player = entrant(who).make(chess, True)
    try:
        for clock in (Clock(move=0.05), Clock(remaining=1.0, opponent=1.0, increment=0.1), Clock(depth=2)):
            course = Course(chess)
            for move in ("e2e4", "e7e5", "g1f3"):
                course.push(chess.parse_uci(course.state, move))
            player.begin(chess, "0")
            for _ in range(3):
                course.push(player(chess, course.state, course.history(), clock))
            assert len(course) == 6
        assert player.note.depth >= 1
    finally:
        player.close()
    assert not is_alive(player.process.process.pid)


@pytest.mark.parametrize("who", REAL)
def test_real_programs_from_a_position(who, tmp_path, monkeypatch, need):
    need(who.split(":")[1].split(",")[0].split()[0])
    monkeypatch.setenv("HOME", str(tmp_path))
    chess = zermelo.game("chess")
    player = entrant(who).make(chess, True)
    course = Course(chess, chess.parse_state("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"))
    try:
        player.begin(chess, "0")
        if "fairymax" in who:
            with pytest.raises(PlayerFailed, match="openings written as moves"):
                player(chess, course.state, course.history(), Clock(move=0.1))
            return
        action = player(chess, course.state, course.history(), Clock(move=0.3))
        assert chess.format_action(course.state, action) == "Rd8#"
    finally:
        player.close()


def test_gnugo(need, sent):
    program = need("/usr/games/gnugo")
    go = zermelo.game("go", size=7, komi=5.5)
    player = entrant(f"gtp:{program} --mode gtp --level 1 --chinese-rules").make(go, True)
    try:
        for clock in (Clock(move=0.3), Clock(remaining=8.5, opponent=8.5), Clock(remaining=8.5, moves_left=5), FREE):
            course = Course(go)
            course.push(go.parse_action(course.state, "D4"))
            player.begin(go, "0")
            player.ready(go, course.state, course.history(), clock)
            assert [line for line in sent if "time" not in line][-4:-1] == ["boardsize 7", "clear_board", "komi 5.5"]
            for _ in range(3):
                course.push(player(go, course.state, course.history(), clock))
            assert len(course) == 4
        course = Course(go, go.parse_state("...X.../7/7/7/7/7/7 X".replace("7", ".......")))
        player.begin(go, "0")
        with pytest.raises(PlayerFailed, match="openings written as moves"):
            player.ready(go, course.state, course.history(), FREE)
    finally:
        player.close()
    assert not is_alive(player.process.process.pid)
