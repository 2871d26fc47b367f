"""Lets a chess program play against itself, and keeps quiet positions with its scores, for `train_chess_network.py`.

    python tools/play_chess_games.py examples --engine stockfish --nodes 800 --seconds 1200 --processes 2

Two kinds of examples are kept. While there are many pieces, the program is asked for the values of all moves at depth
1, which is what it holds of the positions after them; the move that is played is drawn by these values, so that
positions of all kinds come up. With fewer pieces such values are often wrong: then the example is the position itself,
with the score of a search of so many nodes and the result of the game. Positions in check, and those in which something
can be won by a capture, are left out: an estimate is asked of quiet positions only.
"""

import argparse
import math
import multiprocessing
import random
import subprocess
import time
from pathlib import Path
from typing import Any

import numpy as np

from zermelo import kernel, machine, u64
from zermelo.games.chess import Chess

CHESS = Chess()
LARGEST = 2500
"""Scores beyond this many centipawns are decided, and teach nothing."""
LONGEST = 300
MANY = 18
"""With more pieces than these, values at depth 1 are good enough."""
SPREAD = 12.0
"""A move that is worse by so many centipawns is played a third as often."""
PROMOTIONS = {"n": 1, "b": 2, "r": 3, "q": 4}
BOARDS = 9
"""Words of a row: eight boards, the player to move; then score, result, and whether a search found the score."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--engine", default="stockfish")
    parser.add_argument("--nodes", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--begin", type=Path, help="begin games with balanced positions of this file, made before")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    glance(CHESS.initial(), [])  # compile once, before all begin
    until = time.monotonic() + given.seconds
    jobs = [
        (given.folder / f"{seed}.npy", given.engine, given.nodes, until, seed, given.begin)
        for seed in range(given.seed, given.seed + given.processes)
    ]
    with multiprocessing.get_context("spawn").Pool(given.processes) as pool:
        counts = pool.starmap(games, jobs)
    print(f"{sum(counts):,} positions with scores in {given.folder}")


def games(file: Path, engine: str, nodes: int, until: float, seed: int, begin: Path | None = None) -> int:
    """Write the positions of games until a time; how many there are."""
    chance = random.Random(seed)
    first = [] if begin is None else endgames(begin, seed)
    rows: list[list[int]] = []
    with subprocess.Popen([engine], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as program:
        assert program.stdin is not None
        program.stdin.write("setoption name Hash value 4\n")
        while time.monotonic() < until:
            s = chance.choice(first) if first else opened(chance)
            if s is not None:
                rows.extend(game(program, nodes, s, chance))
        program.stdin.write("quit\n")
    np.save(file, np.array(rows, dtype=np.uint64))
    return len(rows)


def opened(chance: random.Random) -> Any:
    """The position after some random moves; None where the game is over."""
    s = CHESS.initial()
    for _ in range(chance.randrange(5, 10)):
        if CHESS.is_terminal(s):
            return None
        s = CHESS.result(s, chance.choice(list(CHESS.actions(s))))
    return s


def endgames(file: Path, seed: int) -> list[Any]:
    """Balanced positions of a file in which endgames are near, without castling and captures in passing."""
    words = np.load(file, mmap_mode="r")
    rows = words[np.sort(np.random.default_rng(seed).choice(len(words), min(len(words), 1_000_000), replace=False))]
    balanced = np.abs(rows[:, 9].view(np.int64)) < 120
    near = [row for row in rows[balanced].tolist() if MANY - 4 <= (row[6] | row[7]).bit_count() <= MANY + 2]
    return [CHESS.State(*map(u64, row[:8]), row[8], u64(0), -1, 0, 1) for row in near]


def game(program: Any, nodes: int, s: Any, chance: random.Random) -> list[list[int]]:
    """The rows of one game."""
    program.stdin.write("ucinewgame\n")
    start, moves, keys = CHESS.format_state(s), [], [CHESS.key(s)]
    rows: list[list[int]] = []
    decided, result, was_many = 0, 0, True
    while len(moves) < LONGEST:
        many = (s.white | s.black).bit_count() > MANY
        values = asked(program, start, moves, "depth 1" if many else f"nodes {nodes}", 256 if many else 1)
        if not values:
            result = 0 if not CHESS.in_check(s) else -1 if s.player == 0 else 1
            break
        score = max(values.values())
        if not moves and abs(score) > 300:
            return []
        if was_many and not many and abs(score) > 300 and chance.random() < 0.85:
            return rows  # most endgames would be decided
        was_many = many
        actions = [action_of(s, move) for move in values]
        action = actions[0]
        if many:
            known = [pair for pair in zip(actions, values.values()) if abs(pair[1]) < LARGEST]
            rows.extend(glance(s, known))
            weights = [math.exp(max(value - score, -2000) / SPREAD) for value in values.values()]
            (action,) = chance.choices(actions, weights)
        elif abs(score) < LARGEST and not CHESS.is_noisy(s, action) and not CHESS.in_check(s):
            rows.append([*(int(board) for board in s[:8]), s.player, score & WORD, 0, 1])
        white = score if s.player == 0 else -score
        decided = decided + 1 if white > 1000 else decided - 1 if white < -1000 else 0
        if abs(decided) >= 6 and (many or chance.random() < 0.4):
            result = 1 if decided > 0 else -1
            break
        if not many and chance.random() < 0.01:
            action = chance.choice(list(CHESS.actions(s)))
        moves.append(CHESS.format_uci(s, action))
        s = CHESS.result(s, action)
        keys.append(CHESS.key(s))
        if CHESS.is_over(s) or keys.count(keys[-1]) >= 3:
            break
    for row in rows:
        row[BOARDS + 1] = (result if row[BOARDS - 1] == 0 else -result) & WORD
    return rows


WORD = (1 << 64) - 1


def asked(program: Any, start: str, moves: list[str], limit: str, lines: int) -> dict[str, int]:
    """The program's moves with their values in centipawns, for the player to move."""
    program.stdin.write(f"setoption name MultiPV value {lines}\nposition fen {start} moves {' '.join(moves)}\n")
    program.stdin.write(f"go {limit}\n")
    found: dict[str, int] = {}
    for line in program.stdout:
        if line.startswith("bestmove"):
            if lines > 1:
                return found
            best = line.split()[1]
            return {} if best == "(none)" else {best: next(iter(found.values()), 0)}
        if " pv " in line:
            kind, value = line.split(" score ", 1)[1].split(None, 2)[:2]
            score = int(value) if kind == "cp" else 30_000 if int(value) > 0 else -30_000
            if lines == 1:
                found.clear()
            found[line.split(" pv ", 1)[1].split(None, 1)[0]] = score
    raise EOFError("the program ended")


def action_of(s: Any, move: str) -> int:
    """The action that a legal move in coordinates is (`parse_uci` would generate all moves first); castling is the
    king's move to its rook."""
    start, end = square(move[:2]), square(move[2:4])
    if s.kings >> start & 1 and abs(end - start) == 2:
        end = end + 1 if end > start else end - 2
    return start | end << 6 | (PROMOTIONS[move[4]] << 12 if len(move) > 4 else 0)


def square(name: str) -> int:
    """The number of a square."""
    return ord(name[0]) - ord("a") + 8 * (int(name[1]) - 1)


# --- the positions after a position -----------------------------------------------------------------------------------


def glance(s: Any, pairs: list[tuple[int, int]]) -> list[list[int]]:
    """Rows of the quiet positions after these actions, whose values are given for the player who moves."""
    cpu = machine("cpu")
    memory = cpu.memory(CHESS.max_actions * (BOARDS + 3))
    memory.fill([action for action, _ in pairs])
    cpu.call(write_children, game=CHESS, s=s, count=len(pairs), memory=memory)
    words = memory.part(CHESS.max_actions, BOARDS * len(pairs))
    rows = []
    for i, (_, value) in enumerate(pairs):
        boards = words[BOARDS * i : BOARDS * (i + 1)]
        if boards[5]:
            rows.append([*(word & WORD for word in boards), -value & WORD, 0, 0])
    return rows


@kernel
def write_children(game, s, count, memory):
    """Write the boards and the player after each action; nothing where that position is not quiet."""
    for i in range(count):
        after = game.result(s, memory[i])
        at = game.max_actions + 9 * i
        memory[at + 5] = 0
        if is_quiet(game, after, memory, game.max_actions * 11):
            memory[at], memory[at + 1], memory[at + 2] = after.pawns, after.knights, after.bishops
            memory[at + 3], memory[at + 4], memory[at + 5] = after.rooks, after.queens, after.kings
            memory[at + 6], memory[at + 7], memory[at + 8] = after.white, after.black, after.player
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
