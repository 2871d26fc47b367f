"""Trains the network that judges chess positions, and writes `games/chess/network.npz`.

    python tools/train_chess_network.py examples --steps 6000

Examples come from `tools/play_chess_games.py`. The network learns to predict them as expected results, so that
differences between won positions count little. It begins with the weights that are there, unless `--fresh`. The sums
are sparse, a few dozen rows a position, so that two cores learn from some hundred thousand examples a second.
"""

import argparse
import math
import time
from pathlib import Path
from typing import Any

import numpy as np
from numba import get_num_threads, njit, prange
from play_chess_games import NOBODY, PIECES, PLAYER, SCORE

from zermelo.games.chess import network

HERE = Path(network.__file__).with_name("network.npz")
BUCKETS, ROWS = 8, network.EMPTY
BATCH = 16_384
STEEPNESS = math.log(10) / 400
LARGEST_WEIGHT = 1.98
"""With thirty-two pieces the sums stay within 16 bits."""


# --- examples --------------------------------------------------------------------------------------------------------


class Examples:
    """Positions as rows of weights in both views, and what they are worth to the player to move."""

    def __init__(self, words: Any) -> None:
        self.places = np.full((len(words), 2, PIECES), ROWS, dtype=np.uint16)
        self.left = np.zeros(len(words), dtype=np.uint8)
        write_places(words, self.places, self.left)
        self.scores = (1 / (1 + np.exp(-words[:, SCORE].view(np.int16) * STEEPNESS))).astype(np.float32)

    def __len__(self) -> int:
        return len(self.left)


zone_of = njit(network.zone)


@njit(parallel=True)
def write_places(words, places, left):
    """Number the rows that the pieces of each position add: first in the mover's view, then in the other's."""
    for i in prange(len(words)):
        count = 0
        while count < PIECES and words[i, count] != NOBODY:
            count += 1
        left[i] = (count - 1) >> 2
        for view in range(2):
            player = int(words[i, PLAYER]) & 1 ^ view
            king = int(words[i, player]) & 63
            flip = (0 if king & 4 else 7) ^ (56 * player)
            first = zone_of(king ^ flip) * network.PLACES
            for k in range(count):
                piece = int(words[i, k])
                others = 0 if (piece >= network.OTHERS) == (player == 1) else network.OTHERS
                places[i, view, k] = first + others + (piece % network.OTHERS ^ flip)


# --- one step --------------------------------------------------------------------------------------------------------


@njit(parallel=True, fastmath=True)
def learn(places, left, expected, chosen, pieces, empty, output, bias, slopes, g_empty, g_output, g_bias):
    """The slopes of the loss over the chosen examples, a share of them a thread."""
    threads, width = slopes.shape[0], pieces.shape[1]
    for t in prange(threads):
        slopes[t], g_empty[t], g_output[t], g_bias[t] = 0, 0, 0, 0
        sums, ways = np.empty((2, width), np.float32), np.empty(width, np.float32)
        for n in range(len(chosen) * t // threads, len(chosen) * (t + 1) // threads):
            i = chosen[n]
            bucket = left[i]
            value = guess(places[i], bucket, pieces, empty, output, bias, sums)
            miss = value - expected[i]
            way = 2 * miss * value * (1 - value) * np.float32(network.SPREAD * STEEPNESS)
            g_bias[t, bucket] += way
            for view in range(2):
                for k in range(width):
                    cut = min(max(sums[view, k], np.float32(0)), np.float32(1))
                    g_output[t, bucket, view, k] += way * cut * cut
                    inside = cut if cut < 1 else np.float32(0)
                    ways[k] = 2 * way * output[bucket, view, k] * inside
                    g_empty[t, k] += ways[k]
                for place in places[i, view]:
                    if place == ROWS:
                        break
                    for k in range(width):
                        slopes[t, place, k] += ways[k]


@njit(fastmath=True)
def guess(places, bucket, pieces, empty, output, bias, sums):
    """The expected result of a position, and the sums of both views."""
    total = bias[bucket]
    for view in range(2):
        for k in range(len(empty)):
            sums[view, k] = empty[k]
        for place in places[view]:
            if place == ROWS:
                break
            for k in range(len(empty)):
                sums[view, k] += pieces[place, k]
        part = np.float32(0)
        for k in range(len(empty)):
            cut = min(max(sums[view, k], np.float32(0)), np.float32(1))
            part += cut * cut * output[bucket, view, k]
        total += part
    return np.float32(1 / (1 + np.exp(-total * np.float32(network.SPREAD * STEEPNESS))))


@njit(parallel=True)
def guesses(places, left, pieces, empty, output, bias):
    """What the network says of all."""
    found = np.empty(len(left), np.float32)
    for i in prange(len(left)):
        sums = np.empty((2, len(empty)), np.float32)
        found[i] = guess(places[i], left[i], pieces, empty, output, bias, sums)
    return found


@njit(fastmath=True)
def follow(weights, slope, mean, square, rate, step):
    """One step of Adam."""
    fast, slow = 1 - 0.9**step, 1 - 0.999**step
    for i in range(len(weights)):
        mean[i] += np.float32(0.1) * (slope[i] - mean[i])
        square[i] += np.float32(0.001) * (slope[i] * slope[i] - square[i])
        weights[i] -= np.float32(rate) * (mean[i] / fast) / (np.sqrt(square[i] / slow) + np.float32(1e-8))


class Weights:
    """All weights. Those of a zone are common ones and its own, so that rare zones learn from the others."""

    def __init__(self, width: int, chance: Any) -> None:
        self.common = chance.normal(0, 0.06, (network.PLACES, width)).astype(np.float32)
        self.own = np.zeros((network.ZONES, network.PLACES, width), np.float32)
        self.empty = np.full(width, 0.2, np.float32)
        self.output = chance.normal(0, 0.03, (BUCKETS, 2, width)).astype(np.float32)
        self.bias = np.zeros(BUCKETS, np.float32)
        self.moments = [(np.zeros(part.size, np.float32), np.zeros(part.size, np.float32)) for part in self.parts()]

    def parts(self) -> list[Any]:
        """What learns."""
        return [self.common, self.own, self.empty, self.output, self.bias]

    def begin_with(self, file: Path) -> None:
        """Take over what was learned before; sums that were not there begin anew."""
        with np.load(file) as known:
            rows = known["pieces"].astype(np.float32) / network.ONE
            width = rows.shape[1]
            zones = rows[:-1].reshape(network.ZONES, network.PLACES, width)
            self.common[:, :width] = zones.mean(0)
            self.own[:, :, :width] = zones - zones.mean(0)
            self.empty[:width] = rows[-1]
            self.output[:, :, :width] = known["output"].reshape(BUCKETS, 2, width) / network.UNIT
            self.bias[:] = known["bias"] / (network.ONE * network.UNIT)

    def pieces(self) -> Any:
        """The rows of all zones."""
        rows = (self.common + self.own).clip(-LARGEST_WEIGHT, LARGEST_WEIGHT)
        return rows.reshape(ROWS, -1)

    def step(self, slopes: list[Any], rate: float, number: int) -> None:
        """Go downhill, as far as integers can follow."""
        for part, slope, (mean, square) in zip(self.parts(), slopes, self.moments, strict=True):
            follow(part.reshape(-1), slope.reshape(-1), mean, square, rate, number)
        np.clip(self.output, -LARGEST_WEIGHT, LARGEST_WEIGHT, out=self.output)

    def write(self, file: Path) -> None:
        """Round the weights and write them."""
        rows = np.concatenate([self.pieces(), self.empty[None]])
        np.savez_compressed(
            file,
            pieces=np.round(rows * network.ONE).astype(np.int16),
            output=np.round(self.output.reshape(2 * BUCKETS, -1) * network.UNIT).astype(np.int16),
            bias=np.round(self.bias * network.ONE * network.UNIT).astype(np.int64),
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--searched", type=float, default=0.08, help="share of scores of searches in a batch (0.08)")
    parser.add_argument("--begin", type=Path, default=HERE, help="begin with the weights of this file")
    parser.add_argument("--fresh", action="store_true", help="begin with random weights")
    parser.add_argument("--out", type=Path, default=HERE)
    given = parser.parse_args()
    chance = np.random.default_rng(0)
    words = np.concatenate([np.load(file) for file in sorted(given.folder.glob("*.npy"))])
    held = len(words) // 50
    kinds = [Examples(words[held:][words[held:, PLAYER] >> 1 == kind]) for kind in (0, 1)]
    tests = [Examples(words[:held][words[:held, PLAYER] >> 1 == kind]) for kind in (0, 1)]
    del words
    print(f"{len(kinds[0]):,} scores of glances, {len(kinds[1]):,} of searches")
    weights = Weights(given.width, chance)
    if not given.fresh:
        weights.begin_with(given.begin)
    everything = [np.concatenate([getattr(k, name) for k in kinds]) for name in ("places", "left", "scores")]
    threads, width = get_num_threads(), given.width
    slopes = np.zeros((threads, ROWS, width), np.float32)
    others = [np.zeros((threads, *part.shape), np.float32) for part in (weights.empty, weights.output, weights.bias)]
    deep, began = int(BATCH * given.searched), time.perf_counter()
    for number in range(given.steps + 1):
        small = [weights.empty, weights.output, weights.bias]
        if number % 500 == 0 or number == given.steps:
            found = [
                np.square(guesses(t.places, t.left, weights.pieces(), *small) - t.scores).mean() for t in tests
            ]  # fmt: skip
            shown = f"{found[0]:.5f} (glances), {found[1]:.5f} (searches)"
            print(f"step {number:,}, {time.perf_counter() - began:.0f} s: squared error {shown} held out", flush=True)
            weights.write(given.out)
        falling = 0.5 * (1 + math.cos(math.pi * number / given.steps))
        rate = given.rate * min(1, number / 200) * (0.004 + 0.996 * falling)
        chosen = np.concatenate([
            chance.integers(0, len(kinds[0]), BATCH - deep),
            len(kinds[0]) + chance.integers(0, len(kinds[1]), deep),
        ])  # fmt: skip
        learn(*everything, chosen, weights.pieces(), *small, slopes, *others)
        zones = (slopes.sum(0) / BATCH).reshape(weights.own.shape)
        weights.step([zones.sum(0), zones, *(part.sum(0) / BATCH for part in others)], rate, number + 1)


if __name__ == "__main__":
    main()
