"""A program that plays Connect Four over UCI, GTP or CECP, well-behaved or not: `stand_in.py PROTOCOL [MOOD [TAG]]`.

It drops its stone into the first column that has room. The mood says what is wrong with it, the tag makes
it known among other processes.
"""

import signal
import subprocess
import sys
import time

COLUMNS, ROWS = 7, 6
mood = sys.argv[2] if len(sys.argv) > 2 else "fine"
moves: list[str] = []
asked = 0


def say(line: str) -> None:
    print(line, flush=True)


def choice() -> str:
    """The move, and what goes wrong with it."""
    global asked
    asked += 1
    if mood == "dies" and asked == 3:
        print("out of memory", file=sys.stderr, flush=True)
        sys.exit(3)
    if mood == "killed" and asked == 2:
        signal.raise_signal(signal.SIGKILL)
    if mood == "hangs" and asked == 2:
        time.sleep(600)
    if mood in ("late", "slow"):
        time.sleep(0.4 if mood == "late" else 0.05)
    if mood == "floods":
        while True:
            say("info string " + "flood " * 20)
    if mood == "chatters":
        for _ in range(3_000):
            say("info string chatter")
    if mood == "garbage":
        sys.stdout.buffer.write(bytes(range(256)) * 40 + b"\n" + b"x" * 3_000_000 + b"\n\n\n")
        sys.stdout.buffer.flush()
    if mood == "illegal" and asked == 2:
        return "9"
    if mood == "speechless" and asked > 1:
        return "0000"
    if mood == "resigns" and asked > 1:
        return "resign"
    return next(str(c + 1) for c in range(COLUMNS) if moves.count(str(c + 1)) < ROWS)


def uci(line: str) -> None:
    global moves
    words = line.split()
    if words[0] == "uci":
        say("id name Stand In")
        say("option name Hash type spin default 16 min 1 max 64")
        say("option name Playing Style type string default none")
        if mood != "mute":
            say("uciok")
    elif words[0] == "isready":
        say("readyok")
    elif words[0] == "setoption" and "Style" in words:
        print(f"style is {words[-1]}", file=sys.stderr, flush=True)
    elif words[0] == "position":
        assert words[1] == "startpos"
        moves = words[3:]
        if mood == "deaf" and len(moves) > 2:
            time.sleep(600)
    elif words[0] == "go":
        say("info depth 5 nodes 1234 score cp 31 pv 1 2 3")
        move = choice()
        say(f"bestmove {move} ponder 1")
        if mood == "leaves":
            sys.exit(0)


def gtp(line: str) -> None:
    number, _, command = line.partition(" ")
    words = command.split()
    if words[0] == "list_commands":
        say(f"={number} name\nlist_commands\nclear_board\nplay\ngenmove\ntime_settings\ntime_left\n")
    elif words[0] == "name":
        say(f"={number} Stand In\n")
    elif words[0] == "clear_board":
        moves.clear()
        say(f"={number}\n")
    elif words[0] == "play":
        moves.append(words[2])
        say(f"={number}\n")
    elif words[0] == "genmove":
        moves.append(choice())
        say(f"={number} {moves[-1]}\n")
    elif words[0] in ("time_settings", "time_left"):
        say(f"={number}\n")
    else:
        say(f"?{number} unknown command\n")


def cecp(line: str) -> None:
    words = line.split()
    if words[0] == "protover" and mood != "old":
        say('feature ping=1 usermove=1 setboard=0 myname="Stand In" option="Style -string plain" done=1')
    elif words[0] == "ping":
        say(f"pong {words[1]}")
    elif words[0] == "new":
        moves.clear()
    elif words[0] == "usermove" or (mood == "old" and words[0].isdecimal()):
        moves.append(words[-1])
    elif words[0] == "go":
        say(" 3    25     1     900  1 2 3")
        move = choice()
        if move == "resign":
            say("resign")
        else:
            moves.append(move)
            say(f"My move is : {move}" if mood == "old" else f"move {move}")


def main() -> None:
    answer = {"uci": uci, "gtp": gtp, "cecp": cecp}[sys.argv[1]]
    if mood == "dead":
        print("no such book", file=sys.stderr, flush=True)
        sys.exit(2)
    if mood == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if mood == "parent":
        subprocess.Popen(["sleep", "600"])
    for line in sys.stdin:
        if line.strip() == "quit" or line.strip().endswith(" quit"):
            if mood == "stubborn":
                continue
            break
        if line.strip() and mood != "silent":
            answer(line)
    if mood == "stubborn":
        time.sleep(600)


if __name__ == "__main__":
    main()
