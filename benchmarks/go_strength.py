"""Claim: on 9 x 9, with two seconds a move on one core, sampling scores at least 60 % against GNU Go 3.8 at level 10.

    python benchmarks/go_strength.py                       40 games at 2 seconds a move, sides changed after each
    python benchmarks/go_strength.py --simulations 20000   so many simulations a move instead
    python benchmarks/go_strength.py --set c=0.6           another option of `zermelo.mcts` than the game's own

It takes an hour and a quiet machine, and `run.py` leaves it out. Games that were played are kept in benchmarks/build:
the same call goes on with what is missing, and every game is there in SGF. Positions are counted as they stand, so that
GNU Go is told to capture what is dead, and the rule of repetition.
"""

import argparse
import os
import re
import shutil
import sys
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from measure import pin

import zermelo
from zermelo.contract.parameters import parse_parameters
from zermelo.notation import sgf
from zermelo.play.clock import Clock
from zermelo.play.match import FAULTS
from zermelo.play.method_players import Note, known_keys
from zermelo.play.players import Entrant
from zermelo.play.ratings import expected_score

BUILD = Path(__file__).parent / "build"
RULES = "--chinese-rules --positional-superko --forbid-suicide --capture-all-dead"
PROGRAM = shutil.which("gnugo") or "/usr/games/gnugo"
LOST = (3, 0.94)
"""We give up after so many moves in a row of such a value or a worse one."""
WANTED = 0.6


class Sampler:
    """Monte Carlo tree search that keeps its tree while a game goes on."""

    def __init__(self, game: Any, limit: zermelo.Limit, options: dict[str, Any]) -> None:
        self.limit, self.options = limit, options
        self.note: Note | None = None
        self.begin(game, "0")
        self.mind.search(game.initial(), zermelo.Limit(simulations=1))

    def begin(self, game: Any, seed: str) -> None:
        """Begin a game with a tree of its own."""
        self.mind = zermelo.Mcts(game, device="cpu", memory=1024, seed=zlib.crc32(seed.encode()), **self.options)

    def __call__(self, game: Any, state: Any, history: Sequence[Any], clock: Clock) -> int:
        """The most visited move; a pass where that ends the game with a win."""
        mover = game.to_move(state)
        over = game.result(state, game.no_stone)
        if game.is_over(over) and game.utility(over, mover) > 0:
            self.note = Note(score=1.0)
            return game.no_stone
        found = self.mind.search(state, self.limit, history=known_keys(history))
        self.note = Note(score=found.values[mover], depth=found.depth, nodes=found.nodes)
        assert found.action is not None
        return found.action


def arguments() -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=40)
    limit = parser.add_mutually_exclusive_group()
    limit.add_argument("--time", type=float, default=2.0, help="seconds a move (2)")
    limit.add_argument("--simulations", type=int, help="simulations a move, whatever time they take")
    parser.add_argument("--set", default="", metavar="OPTIONS", help="options of mcts, such as c=0.6,rave=500.0")
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--komi", type=float, default=7.5)
    parser.add_argument("--level", type=int, default=10, help="GNU Go's level (10)")
    parser.add_argument("--openings", default="none", help="as `zermelo match` takes them; none is the empty board")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    return parser.parse_args()


def write_games(played: Any, folder: Path) -> None:
    """Every game in a file of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    for record in played.games:
        first, second = (played.names[seat] for seat in record.seats)
        result = {1.0: "1-0", 0.0: "0-1", 0.5: "1/2-1/2"}[record.points]
        headers = {"PB": first, "PW": second, "RO": str(record.number + 1), "Result": result}
        comments = {record.given + i: comment for i, comment in enumerate(record.comments)}
        if record.reason:
            comments[len(record.actions) - 1] = record.reason
        text = sgf.write(headers, played.game, None, record.actions, comments)
        (folder / f"{record.number + 1:03}.sgf").write_text(text, encoding="utf-8")


def main() -> int:
    """Play what has not been played yet, and print what came of it."""
    given = arguments()
    pin()
    game = zermelo.game("go", size=given.size, komi=given.komi)
    options = {**game.sampling, **parse_parameters(given.set)}
    if given.simulations is None:
        limit, pace = zermelo.Limit(time=given.time), f"{given.time:g} s"
    else:
        limit, pace = zermelo.Limit(simulations=given.simulations), f"{given.simulations} simulations"
    name = f"zermelo, {pace}" + (f", {given.set}" if given.set else "")
    ours = Entrant(name, lambda of, timed: Sampler(of, limit, options), f"{name} {sorted(options.items())}")
    command = f"{PROGRAM} --mode gtp --level {given.level} {RULES} --seed {given.seed}"
    theirs = f"gtp:{command},name=GNU Go level {given.level}"
    key = f"go_strength {given.size} {given.komi:g} {given.level} {name} {given.openings} {given.seed}"
    place = BUILD / re.sub(r"[^\w.=]+", "_", key)
    place.parent.mkdir(exist_ok=True)
    played = zermelo.match(
        game, [ours, theirs], games=given.games, openings=given.openings, seed=given.seed, resign=LOST,
        store=f"{place}.jsonl", watch=lambda so_far: write_games(so_far, place),
    )  # fmt: skip
    write_games(played, place)
    low, high = map(expected_score, played.interval)
    if given.json:
        import json

        print(json.dumps(played.to_json() | {"pace": pace, "options": options}))
    else:
        print(played)
        print(f"  share  {played.score:.1%}, 95 % interval {low:.1%} to {high:.1%} ({WANTED:.0%} wanted)")
        print(f"  games  {os.path.relpath(place)}")
    return 1 if any(record.end in FAULTS for record in played.games) else 0


if __name__ == "__main__":
    sys.exit(main())
