"""Scores quiet chess positions by another program, as examples for `tools/train_chess_network.py`.

    python tools/score_chess_positions.py positions.txt examples.npz --engine stockfish --random 1

A line of the first file is a FEN, or begins with one and a bar. Of each position, after so many random moves, the
program is asked for the values of all moves at once at depth 1, which is what it holds of the positions after them.
Those in which nothing can be won by a capture are kept: an estimate is asked of quiet positions only.
"""

import argparse
import random
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.games.chess import Chess
from zermelo.games.chess.network import of_kind

CHESS = Chess()
AT_ONCE = 64
LARGEST = 2500
"""Scores beyond this many centipawns are decided, and teach nothing."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("positions", type=Path)
    parser.add_argument("examples", type=Path)
    parser.add_argument("--engine", default="stockfish")
    parser.add_argument("--random", type=int, default=0, help="random moves before the position is scored")
    parser.add_argument("--children", type=int, default=9, help="positions kept of each")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    chance = random.Random(given.seed)
    states = [s for line in given.positions.read_text().splitlines() if (s := start(line, given.random, chance))]
    boards, players, scores = [], [], []
    for s, values in zip(states, answers(given.engine, states), strict=True):
        quiet = [(after, -value) for after, value in children(s, values) if is_quiet(after)]
        for after, value in chance.sample(quiet, min(given.children, len(quiet))):
            boards.append(codes(after))
            players.append(after.player)
            scores.append(value)
    np.savez_compressed(
        given.examples,
        boards=np.array(boards, dtype=np.uint8),
        players=np.array(players, dtype=np.uint8),
        scores=np.array(scores, dtype=np.int16),
    )
    print(f"{len(scores):,} positions with scores in {given.examples}")


def start(line: str, moves: int, chance: random.Random) -> Any:
    """The position of a line after so many random moves; None where the game is over."""
    s = CHESS.parse_state(line.split("|")[0])
    for _ in range(moves):
        if CHESS.is_terminal(s):
            return None
        s = CHESS.result(s, chance.choice(list(CHESS.actions(s))))
    return None if CHESS.is_terminal(s) else s


def answers(engine: str, states: list[Any]) -> Iterator[dict[str, int]]:
    """What the program says of all moves of each position, in centipawns for the player to move."""
    with subprocess.Popen([engine], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        ask, room = program.stdin, threading.Semaphore(AT_ONCE)

        def feed() -> None:
            ask.write("setoption name Hash value 1\nsetoption name MultiPV value 256\n")
            for s in states:
                room.acquire()
                ask.write(f"position fen {CHESS.format_state(s)}\ngo depth 1\n")
                ask.flush()
            ask.write("quit\n")
            ask.flush()

        threading.Thread(target=feed, daemon=True).start()
        values: dict[str, int] = {}
        for line in program.stdout:
            words = line.split()
            if line.startswith("info depth 1 ") and "pv" in words and words[words.index("score") + 1] == "cp":
                values[words[words.index("pv") + 1]] = int(words[words.index("score") + 2])
            elif line.startswith("bestmove"):
                room.release()
                yield values
                values = {}


def children(s: Any, values: dict[str, int]) -> Iterator[tuple[Any, int]]:
    """The positions after the moves with their values, for the player who moved."""
    for move, value in values.items():
        if abs(value) < LARGEST:
            yield CHESS.result(s, CHESS.parse_uci(s, move)), value


def is_quiet(s: Any) -> bool:
    """Whether the player to move is neither in check nor wins anything by a capture or a promotion."""
    if CHESS.in_check(s):
        return False
    noisy = (action for action in CHESS.actions(s) if CHESS.is_noisy(s, action))
    return not any(action >> 12 or CHESS.exchange(s, action, 1) for action in noisy)


def codes(s: Any) -> list[int]:
    """A number for each square: 0 empty, 1 to 6 White's pawn to king, 7 to 12 Black's."""
    board = [0] * 64
    for kind in range(6):
        for square in range(64):
            if of_kind(s, kind) >> square & 1:
                board[square] = 1 + kind + (6 if s.black >> square & 1 else 0)
    return board


if __name__ == "__main__":
    main()
