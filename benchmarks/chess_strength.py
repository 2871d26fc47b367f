"""Claim: at equal time the chess engine scores over half against Stockfish at 2300, GNU Chess and Sjeng.

A tenth of a second a move, one thread each, openings of six random moves that each side plays once, 100 games each:
`python benchmarks/chess_strength.py [GAMES]`. It takes hours and a quiet machine; `run.py` leaves it out, and the
figures are kept in chess_strength.json.
"""

import datetime
import json
import sys
from pathlib import Path

from measure import Finding, report

import zermelo

HERE = Path(__file__).parent
GAMES, CLOCK = 100, "0.1"
OPPONENTS = {
    "Stockfish at UCI_Elo 2300": "uci:/usr/games/stockfish,UCI_LimitStrength=true,UCI_Elo=2300,Hash=16",
    "GNU Chess": "cecp:/usr/games/gnuchess --xboard",
    "Sjeng": "cecp:/usr/games/sjeng",
}


def main() -> None:
    """Play and print."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 and sys.argv[1].isdecimal() else GAMES
    chess = zermelo.game("chess")
    findings, figures = [], {}
    own = f"uci:{sys.executable} -m zermelo uci,Hash=16"
    for name, opponent in OPPONENTS.items():
        result = zermelo.match(chess, [own, opponent], games=games, clock=CLOCK, openings="random:6", seed=1)
        findings.append(
            Finding(f"score against {name}", result.score, 0.5, shown=f"{result.score:.0%}", shown_wanted="50%")
        )
        figures[name] = {"games": games, "score": result.score, "elo": result.elo, "interval": result.interval}
    report("Chess strength", findings, figures)
    kept = {"date": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d"), "clock": CLOCK, "results": figures}
    (HERE / "chess_strength.json").write_text(json.dumps(kept, indent=2) + "\n")


if __name__ == "__main__":
    main()
