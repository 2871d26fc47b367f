"""Trains the network that judges chess positions, and writes `games/chess/network.npz`.

    python tools/train_chess_network.py examples --seconds 400

Examples come from `tools/play_chess_games.py`. The network learns to predict them as expected results, so that
differences between won positions count little. It begins with the weights that are there, unless `--fresh`. It needs
torch, and wants a GPU: four million examples a second on an H200, some ten thousand on two cores.
"""

import argparse
import math
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from play_chess_games import NOBODY, PIECES, PLAYER, SCORE
from torch.nn.functional import embedding_bag, one_hot, pad

from zermelo.games.chess import network

HERE = Path(network.__file__).with_name("network.npz")
BUCKETS, ROWS = 8, network.EMPTY
BATCH = 16_384
STEEPNESS = math.log(10) / 400
LARGEST_WEIGHT = 1.98
"""With thirty-two pieces the sums stay within 16 bits."""
MOST_HELD = 400_000
"""So many examples at most are held out."""


class Examples:
    """Positions as `play_chess_games` writes them, on the device where they are learned from."""

    def __init__(self, words: Any, device: str) -> None:
        self.words = torch.from_numpy(np.ascontiguousarray(words).view(np.int16)).to(device)
        self.zones = torch.tensor([network.zone(square) if square & 4 else 0 for square in range(64)], device=device)

    def __len__(self) -> int:
        return len(self.words)

    def some(self, count: int) -> tuple[Any, Any, Any]:
        """So many, drawn at random."""
        return self.batch(torch.randint(len(self), (count,), device=self.words.device))

    def batch(self, chosen: Any) -> tuple[Any, Any, Any]:
        """The rows that the pieces add, first in the mover's view, then in the other's; which weights the number of
        pieces asks for; what the positions are worth to the mover."""
        words = self.words[chosen].long() & 0xFFFF
        pieces = words[:, :PIECES]
        here = pieces != NOBODY
        views = []
        for view in range(2):
            player = words[:, PLAYER, None] & 1 ^ view
            king = pieces.gather(1, player) & 63
            flip = torch.where(king & 4 != 0, 0, 7) ^ 56 * player
            others = torch.where((pieces >= network.OTHERS) == (player == 1), 0, network.OTHERS)
            places = self.zones[king ^ flip] * network.PLACES + others + (pieces % network.OTHERS ^ flip)
            views.append(torch.where(here, places, ROWS))
        scores = torch.sigmoid(words[:, SCORE].short().float() * STEEPNESS)
        return torch.stack(views, 1), here.sum(1) - 1 >> 2, scores


class SumsByProduct(torch.autograd.Function):
    """Sums of rows as a product with a matrix of noughts and ones: on a GPU quicker than to gather them."""

    COLUMNS = -(-ROWS // 128) * 128 + 128
    """A round number: products of others are slow."""

    @staticmethod
    def forward(ctx: Any, places: Any, rows: Any) -> Any:
        hot = torch.zeros(len(places), SumsByProduct.COLUMNS, device=places.device, dtype=torch.bfloat16)
        hot.scatter_(1, places, 1.0)
        hot[:, ROWS] = 0
        ctx.save_for_backward(hot)
        rows = pad(rows, (0, 0, 0, SumsByProduct.COLUMNS - ROWS))
        # Two numbers of eight digits are one of sixteen.
        high = rows.bfloat16()
        low = (rows - high.float()).bfloat16()
        return (hot @ high).float() + (hot @ low).float()

    @staticmethod
    def backward(ctx: Any, *slopes: Any) -> Any:
        (hot,) = ctx.saved_tensors
        return None, (hot.T @ slopes[0].bfloat16()).float()[:ROWS]


class Network(torch.nn.Module):
    """All weights. Those of a zone are common ones and its own, so that rare zones learn from the others."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.common = torch.nn.Parameter(torch.randn(network.PLACES, width) * 0.06)
        self.own = torch.nn.Parameter(torch.zeros(network.ZONES, network.PLACES, width))
        self.empty = torch.nn.Parameter(torch.full((width,), 0.2))
        self.output = torch.nn.Parameter(torch.randn(BUCKETS, 2 * width) * 0.03)
        self.bias = torch.nn.Parameter(torch.zeros(BUCKETS))

    def begin_with(self, file: Path) -> None:
        """Take over what was learned before; sums that were not there begin anew."""
        with np.load(file) as known, torch.no_grad():
            rows = torch.from_numpy(known["pieces"] / network.ONE)
            width = rows.shape[1]
            zones = rows[:-1].reshape(network.ZONES, network.PLACES, width)
            self.common[:, :width] = zones.mean(0)
            self.own[:, :, :width] = zones - zones.mean(0)
            self.empty[:width] = rows[-1]
            output = torch.from_numpy(known["output"] / network.UNIT).reshape(BUCKETS, 2, width)
            self.output.view(BUCKETS, 2, -1)[:, :, :width] = output
            self.bias[:] = torch.from_numpy(known["bias"] / (network.ONE * network.UNIT))

    def rows(self) -> Any:
        """The rows of all zones."""
        return (self.common + self.own).reshape(ROWS, -1)

    def forward(self, places: Any, left: Any) -> Any:
        """Expected results."""
        places = places.reshape(-1, PIECES)
        if places.is_cuda:
            sums = SumsByProduct.apply(places, self.rows())
        else:
            sums = embedding_bag(places, pad(self.rows(), (0, 0, 0, 1)), mode="sum", padding_idx=ROWS)
        cut = (sums + self.empty).reshape(len(left), -1).clamp(0, 1) ** 2
        which = one_hot(left, BUCKETS).float()
        total = (cut * (which @ self.output)).sum(1) + which @ self.bias
        return torch.sigmoid(total * (network.SPREAD * STEEPNESS))

    def keep_within_bounds(self) -> None:
        """Integers of 16 bits must be able to follow."""
        with torch.no_grad():
            rows = self.common + self.own
            self.own += rows.clamp(-LARGEST_WEIGHT, LARGEST_WEIGHT) - rows
            self.output.clamp_(-LARGEST_WEIGHT, LARGEST_WEIGHT)

    def error(self, examples: Examples) -> float:
        """The mean squared error over all examples."""
        total = 0.0
        with torch.no_grad():
            for part in torch.arange(len(examples), device=examples.words.device).split(1 << 15):
                places, left, scores = examples.batch(part)
                total += (self(places, left) - scores).square().sum().item()
        return total / max(1, len(examples))

    def write(self, file: Path) -> None:
        """Round the weights and write them."""
        pieces, output, bias = (
            part.detach().cpu().numpy() for part in (torch.cat([self.rows(), self.empty[None]]), self.output, self.bias)
        )
        np.savez_compressed(
            file,
            pieces=np.round(pieces * network.ONE).astype(np.int16),
            output=np.round(output.reshape(2 * BUCKETS, -1) * network.UNIT).astype(np.int16),
            bias=np.round(bias * network.ONE * network.UNIT).astype(np.int64),
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--seconds", type=float, default=400)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--searched", type=float, default=0.08, help="share of scores of searches in a batch (0.08)")
    parser.add_argument("--begin", type=Path, default=HERE, help="begin with the weights of this file")
    parser.add_argument("--fresh", action="store_true", help="begin with random weights")
    parser.add_argument("--out", type=Path, default=HERE)
    given = parser.parse_args()
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    words = np.concatenate([np.load(file) for file in sorted(given.folder.glob("*.npy"))])
    held = min(len(words) // 50, MOST_HELD)
    tests, kinds = (
        [Examples(part[part[:, PLAYER] >> 1 == kind], device) for kind in (0, 1)]
        for part in (words[:held], words[held:])
    )
    print(f"{len(kinds[0]):,} scores of glances, {len(kinds[1]):,} of searches")
    model = Network(given.width)
    if not given.fresh:
        model.begin_with(given.begin)
    model.to(device)
    learner = torch.optim.Adam(model.parameters(), lr=given.rate, fused=device == "cuda")
    deep = int(BATCH * given.searched)
    began, number, shown = time.perf_counter(), 0, -math.inf
    while True:
        passed = time.perf_counter() - began
        done = passed >= given.seconds
        if done or passed - shown > 20:
            found = [model.error(test) for test in tests]
            shares = f"{found[0]:.5f} (glances), {found[1]:.5f} (searches)"
            print(f"{number * BATCH:,} examples, {passed:.0f} s: squared error {shares} held out", flush=True)
            model.write(given.out)
            shown = passed
        if done:
            break
        # The rate falls with time, to nearly nothing.
        falling = 0.5 * (1 + math.cos(math.pi * passed / given.seconds))
        for group in learner.param_groups:
            group["lr"] = given.rate * min(1, (number + 1) / 200) * (0.004 + 0.996 * falling)
        drawn = zip(kinds[0].some(BATCH - deep), kinds[1].some(deep), strict=True)
        places, left, scores = (torch.cat(parts) for parts in drawn)
        loss = (model(places, left) - scores).square().mean()
        learner.zero_grad(set_to_none=True)
        loss.backward()
        learner.step()
        model.keep_within_bounds()
        number += 1


if __name__ == "__main__":
    main()
