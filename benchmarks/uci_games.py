"""Fast games of `zermelo uci` with itself: nobody may overstep the time, crash, or play an illegal move.

    python benchmarks/uci_games.py                          1,000 games of 1 s each, and 0.01 s more for every move
    python benchmarks/uci_games.py --games 50 --clock 0.01  50 games with 10 ms a move

It prints how the games ended, and exits with 1 where one ended by a fault. With `--store FILE` it can be interrupted,
and goes on where it was. Run it on a quiet machine, with a core for each game that is played at once: a program
that is not let onto a core cannot keep its time.
"""

import argparse
import collections
import sys
import time
from pathlib import Path

from measure import watching

import zermelo
from zermelo.play.match import FAULTS


def main() -> int:
    """Play the games and count their ends."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--clock", default="1+0.01", help="a time control of `zermelo match` (1+0.01)")
    parser.add_argument("--concurrency", type=int, default=1, help="games at the same time; each uses two processes")
    parser.add_argument("--pgn", type=Path, help="add the games to this file")
    parser.add_argument("--store", type=Path, help="keep the games in this file, and go on with it")
    parser.add_argument("--options", default="Hash=4", help="options of the engine (Hash=4)")
    given = parser.parse_args()
    chess = zermelo.game("chess")
    zermelo.Engine(chess)  # what has to be compiled is compiled before any clock runs
    program = f"uci:{sys.executable} -m zermelo uci,{given.options}"
    began = time.perf_counter()
    played = zermelo.match(
        chess, [f"{program},name=one", f"{program},name=other"], games=given.games, clock=given.clock,
        openings="random:4", concurrency=given.concurrency, pgn=given.pgn, store=given.store, watch=watching(50),
    )  # fmt: skip
    ends = collections.Counter(record.end for record in played.games)
    moves = sum(len(record.actions) - record.given for record in played.games)
    seconds = time.perf_counter() - began
    print(f"{len(played.games)} games, {moves} moves in {seconds:.0f} s; clock {given.clock}")
    for end, count in ends.most_common():
        print(f"{count:>6}  {end}")
    bad = [record for record in played.games if record.end in FAULTS]
    print(", ".join(f"{sum(record.end == end for record in bad)} by {end}" for end in FAULTS))
    for record in bad[:20]:
        print(f"game {record.number}, move {len(record.actions)}: {record.reason}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
