"""Claim: at equal time the chess engine scores over half against Stockfish at 2300, GNU Chess and Sjeng.

A tenth of a second a move, one thread each, openings of six random moves that each side plays once, 100 games each:

    python benchmarks/chess_strength.py [--games 100] [--concurrency 1] [OPPONENT ...]

It takes hours and a quiet machine, with a core for each game that is played at the same time; `run.py` leaves it out,
and the figures are kept in chess_strength.json, with those of opponents that were not asked for this time.
"""

import argparse
import datetime
import json
import sys
from pathlib import Path

from measure import Finding, report, watching

import zermelo

KEPT = Path(__file__).with_name("chess_strength.json")
GAMES, CLOCK = 100, "0.1"
OPPONENTS = {
    "Stockfish at UCI_Elo 2300": "uci:/usr/games/stockfish,UCI_LimitStrength=true,UCI_Elo=2300,Hash=16",
    "GNU Chess": "cecp:/usr/games/gnuchess --xboard",
    "Sjeng": "cecp:/usr/games/sjeng",
}


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--concurrency", type=int, default=1, help="games at the same time (1)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("opponents", nargs="*", choices=[[], *OPPONENTS], metavar="OPPONENT", help=", ".join(OPPONENTS))
    given = parser.parse_args()
    chess = zermelo.game("chess")
    zermelo.Engine(chess)  # what has to be compiled is compiled before any clock runs
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    findings = []
    own = f"uci:{sys.executable} -m zermelo uci,Hash=16"
    for name in given.opponents or OPPONENTS:
        result = zermelo.match(
            chess, [own, OPPONENTS[name]], games=given.games, clock=CLOCK, openings="random:6", seed=given.seed,
            concurrency=given.concurrency, watch=watching(),
        )  # fmt: skip
        shown = f"{result.score:.1%}, Elo {result.elo:+.0f} ({result.interval[0]:+.0f} to {result.interval[1]:+.0f})"
        findings.append(Finding(f"score against {name}", result.score, 0.5, shown=shown, shown_wanted="50%"))
        kept[name] = {
            "games": given.games, "score": result.score, "elo": result.elo, "interval": result.interval, "clock": CLOCK,
            "at once": given.concurrency, "date": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d"),
        }  # fmt: skip
        KEPT.write_text(json.dumps(kept, indent=2) + "\n")
    report("Chess strength", findings, {name: kept[name] for name in given.opponents or OPPONENTS})


if __name__ == "__main__":
    main()
