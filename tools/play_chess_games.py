"""Makes examples for `train_chess_network.py`: quiet positions of fast games, with the scores of another program.

    python tools/play_chess_games.py examples --engine stockfish --seconds 600 --processes 2

The engine plays against itself, a few dozen nodes a move, from random openings. Of each game a few positions are kept,
each after a move that was played or after any other, since searches meet odd positions too. What the other program
holds of them at first sight is their score; of some, most of them endgames, where first sights are often wrong, it is
that of a search. Positions in check, and those in which something can be won by a capture, are left out: an estimate is
asked of quiet positions only.

Positions of one game are much alike. A million examples from as many games teach more than ten million from a few.
"""

import argparse
import multiprocessing
import os
import random
import subprocess
import time
from pathlib import Path
from typing import Any

import numpy as np

from zermelo import Engine, kernel, machine
from zermelo.bits import popcount
from zermelo.compile.random import below, word
from zermelo.games.chess import Chess
from zermelo.result import Limit
from zermelo.searches.engine.deepening import deepen
from zermelo.searches.engine.reports import LINE_HEAD, LINE_SCORE, LINE_WORDS, SLOTS
from zermelo.searches.engine.scores import MAX_PLY

CHESS = Chess()
LARGEST = 2500
"""Scores beyond this many centipawns are decided, and teach nothing."""
FEW, FEWEST = 18, 6
"""With so many pieces or fewer, positions are searched more often; with less than so many, nothing is asked."""
OFTEN, SELDOM = 0.08, 0.015
"""How often a position is searched with few pieces and with many."""
AT_ONCE = 64
"""Questions in one conversation: few enough that what the program says fits into a pipe."""
PIECES, PLAYER, SCORE, WORDS = 32, 32, 33, 34
"""An example in 16-bit words: its pieces, each by colour, kind and square, kings first, then `NOBODY`; the player to
move, and 2 more where a search found the score; the score for that player."""
NOBODY = 65_535
PART = 200_000
"""Examples that are kept in one piece until the end."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--engine", default="stockfish", help="the program whose scores are asked for (stockfish)")
    parser.add_argument("--nodes", type=int, default=800, help="nodes of its searches (800)")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    Player(0).sample()  # compile once, before all begin
    until = time.monotonic() + given.seconds
    jobs = [
        (given.folder / f"{seed}.npy", given.engine, given.nodes, until, seed)
        for seed in range(given.seed, given.seed + given.processes)
    ]
    with multiprocessing.get_context("spawn").Pool(given.processes) as pool:
        counts = pool.starmap(examples, jobs)
    print(f"{sum(counts):,} positions with scores in {given.folder}")


def examples(file: Path, engine: str, nodes: int, until: float, seed: int) -> int:
    """Write positions with scores until a time; how many there are."""
    # The program and this one take turns: on one core, neither has to be woken up on another.
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cores[seed % len(cores)]})
    chance, player = random.Random(seed), Player(seed)
    parts: list[Any] = []
    rows: list[list[int]] = []
    program = subprocess.Popen([engine], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert program.stdin is not None
    program.stdin.write("setoption name Hash value 2\n")
    while time.monotonic() < until:
        asked: list[bool] = []
        shown: list[int] = []
        for seen in player.sample():
            many = (seen[6] | seen[7]).bit_count() > FEW
            asked.append(chance.random() < (SELDOM if many else OFTEN))
            before = seen[:9] if asked[-1] else seen[BEFORE:]
            if before != shown:
                program.stdin.write(f"position fen {fen(before)}\n")
            shown = before
            program.stdin.write(
                f"go nodes {nodes}\n" if asked[-1] else f"go depth 1 searchmoves {name(seen[ACTION])}\n"
            )
            rows.append([*seen[:9], 0, 2 * asked[-1]])
        program.stdin.flush()
        kept = len(rows) - len(asked)
        for row, searched in zip(rows[kept:], asked, strict=True):
            score, quiet = answer(program, row, searched)
            if quiet and abs(score) < LARGEST:
                row[9] = score if searched else -score
                rows[kept] = row
                kept += 1
        del rows[kept:]
        if len(rows) >= PART:
            parts.append(compact(rows))
            rows.clear()
    program.kill()
    program.wait()
    found = np.concatenate([*parts, compact(rows)])
    np.save(file, found)
    return len(found)


def answer(program: Any, row: list[int], searched: bool) -> tuple[int, bool]:
    """The score in centipawns for the player to move, and whether a search found a quiet move best."""
    score = 0
    for line in program.stdout:
        if line.startswith("bestmove"):
            move = line.split()[1]
            if not searched or len(move) != 4:
                return score, not searched
            return score, (row[6] | row[7]) >> SQUARES.index(move[2:4]) & 1 == 0
        at = line.find(" score ")
        if at >= 0:
            kind, value = line[at + 7 : at + 24].split(" ", 2)[:2]
            score = int(value) if kind == "cp" else 30_000 if int(value) > 0 else -30_000
    raise EOFError("the program ended")


# --- what is written about a position --------------------------------------------------------------------------------

SQUARES = [file + rank for rank in "12345678" for file in "abcdefgh"]
FIGURES = ("PNBRQK", "pnbrqk")
WORD = (1 << 64) - 1


def fen(seen: list[int]) -> str:
    """The position as programs read it; without castling, which first sights know nothing of."""
    squares = ["1"] * 64
    for colour in (0, 1):
        for kind in range(6):
            board = seen[kind] & seen[6 + colour] & WORD
            while board:
                low = board & -board
                squares[low.bit_length() - 1] = FIGURES[colour][kind]
                board ^= low
    ranks = "/".join("".join(squares[i : i + 8]) for i in range(56, -1, -8))
    return f"{ranks} {'wb'[seen[8]]} - - 0 1"


def name(action: int) -> str:
    """The move in coordinates."""
    return SQUARES[action & 63] + SQUARES[action >> 6 & 63] + " nbrq"[action >> 12].strip()


def compact(rows: list[list[int]]) -> Any:
    """The rows as examples in 16-bit words."""
    words = np.array([[word & WORD for word in row] for row in rows], dtype=np.uint64).reshape(-1, 11)
    signed = words.view(np.int64)
    found = np.full((len(words), WORDS), NOBODY, dtype=np.uint16)
    found[:, PLAYER] = words[:, 8] + words[:, 10]
    found[:, SCORE] = signed[:, 9].astype(np.int16).view(np.uint16)
    bits = np.unpackbits(words[:, :8].copy().view(np.uint8).reshape(-1, 8, 8), axis=-1, bitorder="little")
    bits = bits.reshape(-1, 8, 64)
    seats = np.zeros(len(words), dtype=np.int64)
    for kind in (5, 0, 1, 2, 3, 4):
        for colour in (0, 1):
            row, square = np.nonzero(bits[:, kind] & bits[:, 6 + colour])
            count = np.bincount(row, minlength=len(words))
            place = np.arange(len(row)) - np.repeat(np.cumsum(count) - count, count)
            found[row, seats[row] + place] = 384 * colour + 64 * kind + square
            seats += count
    return found


# --- games, in native code -------------------------------------------------------------------------------------------

ACTION, BEFORE, SEEN = 9, 10, 19
"""Words of a sample: boards and player to move, the action that led here, boards and player before it."""
LONGEST = 240
NODES_A_MOVE = 50
EVERY = 5
"""One of so many positions is looked at."""
TRIES, SIBLINGS = 8, 3
"""So many of its moves are tried, and so many positions after them kept, if they are quiet."""


class Player:
    """An engine that plays against itself."""

    def __init__(self, seed: int) -> None:
        self.cpu = machine("cpu")
        self.engine = Engine(CHESS, table=1)
        self.engine.search(CHESS.initial(), Limit(nodes=1))  # writes what its desk needs
        self.samples = self.cpu.memory((AT_ONCE + SIBLINGS * LONGEST) * SEEN)
        self.noise = self.cpu.memory(2 * CHESS.max_actions)
        self.key, self.counter = seed + 1, 0

    def sample(self) -> list[list[int]]:
        """Positions of some games, as words."""
        count = 0
        while count < AT_ONCE:
            self.counter += 1
            count = self.cpu.call(
                play_games, game=CHESS, setup=self.engine.setup, s=CHESS.initial(), desk=self.engine.desks[0],
                noise=self.noise, samples=self.samples, seed=self.key * 1_000_003 + self.counter,
            )  # fmt: skip
        words = [word & WORD for word in self.samples.part(0, count * SEEN)]
        return [words[SEEN * i : SEEN * (i + 1)] for i in range(count)]


@kernel
def play_games(game, setup, s, desk, noise, samples, seed):
    """Play games until there are enough samples; how many there are."""
    count, number, drawn = 0, 0, 0
    while count < AT_ONCE and number < 10_000:
        after = s
        length = 4 + below(word(seed, drawn), 6)
        drawn += 1
        for _ in range(length):
            end = game.fill(after, noise, 0)
            if end > 0:
                after = game.result(after, noise[below(word(seed, drawn), end)])
            drawn += 1
        number += 1
        decided, even, ply = 0, 0, 0
        while True:
            desk.nodes, desk.status, desk.deepest, desk.node_limit = 0, 0, 0, NODES_A_MOVE
            desk.table.age, desk.past, desk.depth_limit = desk.table.age % 255 + 1, ply, MAX_PLY
            report, lines = desk.found, desk.found.lines
            report.count = 0
            deepen(game, setup, after, desk)
            if report.count == 0 or game.is_over(after):
                break
            at = (min(report.count, SLOTS) - 1) * report.width * LINE_WORDS
            action, score = lines[at + LINE_HEAD], lines[at + LINE_SCORE]
            if ply == 0 and abs(score) > 300:
                break
            white = score if after.player == 0 else -score
            if abs(white) < 900:
                decided = 0
            else:
                decided = max(decided, 0) + 1 if white > 0 else min(decided, 0) - 1
            even = even + 1 if abs(score) <= 10 else 0
            if abs(decided) >= 8 or even >= 24 or ply >= LONGEST:
                break
            chosen = word(seed, drawn)
            drawn += 1
            if below(chosen, EVERY) == 0:
                count = write_samples(game, after, action, noise, samples, count, seed, drawn)
                drawn += TRIES
            if below(word(seed, drawn), 24) == 0:
                # A blunder now and then: otherwise most games would be quiet draws.
                end = game.fill(after, noise, 0)
                action = noise[below(word(seed, drawn + 1), end)]
            drawn += 2
            key = game.key(after)
            desk.keys[ply] = key
            ply += 1
            after = game.result(after, action)
            times = 0
            key = game.key(after)
            for i in range(ply):
                if desk.keys[i] == key:
                    times += 1
            if times >= 2:
                break
    return count


@kernel
def write_samples(game, s, action, noise, samples, count, seed, drawn):
    """Write quiet positions after this action and others; how many samples there are then."""
    end, kept = game.fill(s, noise, 0), 0
    for i in range(TRIES):
        chosen = i + below(word(seed, drawn + i), max(1, end - i))
        move = action if i == 0 else noise[min(chosen, end - 1)]
        if i > 0 and chosen < end:
            noise[chosen] = noise[i]  # each is tried once
        castles = not game.is_noisy(s, move) and (s.white | s.black) >> (move >> 6 & 63) & 1 != 0
        after = game.result(s, move)
        enough = popcount(after.white | after.black) >= FEWEST
        if i < end and enough and not castles and move >> 6 & 63 != s.passant:
            if kept < SIBLINGS and is_quiet(game, after, noise, game.max_actions):
                at = SEEN * (count + kept)
                write_boards(after, samples, at)
                samples[at + ACTION] = move
                write_boards(s, samples, at + BEFORE)
                kept += 1
    return count + kept


@kernel
def write_boards(s, memory, at):
    """Write the boards and the player to move."""
    memory[at], memory[at + 1], memory[at + 2] = s.pawns, s.knights, s.bishops
    memory[at + 3], memory[at + 4], memory[at + 5] = s.rooks, s.queens, s.kings
    memory[at + 6], memory[at + 7], memory[at + 8] = s.white, s.black, s.player
    return 0


@kernel
def is_quiet(game, s, memory, top):
    """Whether the player to move is neither in check nor wins anything by a capture or a promotion."""
    if game.in_check(s):
        return False
    for i in range(top, game.fill_noisy(s, memory, top)):
        if memory[i] >> 12 or game.exchange(s, memory[i], 1):
            return False
    return True


if __name__ == "__main__":
    main()
