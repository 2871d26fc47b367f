"""A fixed set of positions: how many nodes the engine needs for them is the signature of what it does."""

import time
from collections.abc import Iterator

from zermelo.contract import Game
from zermelo.errors import Interrupted
from zermelo.result import Limit
from zermelo.searches.engine.engine import Engine

CHESS = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 1",
    "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
)


class Bench:
    """Searches of all the positions. `stop` may be called from another thread: the lines then end by Interrupted."""

    def __init__(self, game: Game, depth: int) -> None:
        self.game, self.limit = game, Limit(depth=depth)
        self.engine = Engine(game, table=16)
        self.stopped = False

    def stop(self) -> None:
        """End the search that is running, and those that follow."""
        self.stopped = True
        self.engine.stop()

    def lines(self) -> Iterator[str]:
        """A line for every position, then the sums; the sum of the nodes is the same on every computer."""
        game, engine = self.game, self.engine
        states = [game.parse_state(text) for text in CHESS] if game.name == "chess" else [game.initial()]
        nodes, began = 0, time.perf_counter()
        for i, s in enumerate(states, 1):
            engine.new_game()
            found = engine.search(s, self.limit)
            if self.stopped:
                raise Interrupted("bench was stopped")
            nodes += found.nodes
            yield f"Position {i}/{len(states)}: {found.nodes} nodes, {found.action_name}"
        seconds = time.perf_counter() - began
        yield f"Total time (ms) : {int(seconds * 1000)}"
        yield f"Nodes searched  : {nodes}"
        yield f"Nodes/second    : {int(nodes / max(seconds, 1e-6))}"
