"""Trains the network that judges chess positions, and writes `games/chess/network.npz`.

    python tools/train_chess_network.py examples.npz [more.npz ...] --steps 35000

Examples come from `tools/score_chess_positions.py`. The network learns to predict them as expected results, so that
differences between won positions count little. It needs torch, and a GPU where there are millions of examples.
"""

import argparse
import math
from pathlib import Path
from typing import Any

import numpy as np
import torch

from zermelo.games.chess import network

WIDTH = 256
BUCKETS = 8
BATCH = 16_384
STEEPNESS = math.log(10) / 400
LARGEST_WEIGHT = 1.98
"""With thirty-two pieces the sums stay within 16 bits."""


class Network(torch.nn.Module):
    """What `games.chess.network` computes, in floating point."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces = torch.nn.Parameter(torch.randn(network.EMPTY, WIDTH) * 0.06)
        self.empty = torch.nn.Parameter(torch.full((WIDTH,), 0.2))
        self.output = torch.nn.Parameter(torch.randn(BUCKETS, 2 * WIDTH) * 0.06)
        self.bias = torch.nn.Parameter(torch.zeros(BUCKETS))

    def forward(self, boards: Any, players: Any) -> Any:
        """What positions are worth for the player to move, in units of `network.SPREAD` centipawns."""
        views = [seen_by(boards, player) @ self.pieces + self.empty for player in (players, 1 - players)]
        values = torch.cat([view.clamp(0, 1) ** 2 for view in views], 1)
        left = (boards > 0).sum(1) - 1 >> 2
        return (values * self.output[left]).sum(1) + self.bias[left]

    def hold(self) -> None:
        """Keep the weights where integers can follow."""
        with torch.no_grad():
            self.pieces.clamp_(-LARGEST_WEIGHT, LARGEST_WEIGHT)
            self.output.clamp_(-LARGEST_WEIGHT, LARGEST_WEIGHT)

    def write(self, file: Path) -> None:
        """Round the weights and write them."""
        rows = torch.cat([self.pieces, self.empty[None]]).detach().cpu().numpy()
        output = self.output.detach().cpu().numpy().reshape(2 * BUCKETS, WIDTH)
        bias = self.bias.detach().cpu().numpy()
        np.savez_compressed(
            file,
            pieces=np.round(rows * network.ONE).astype(np.int16),
            output=np.round(output * network.UNIT).astype(np.int16),
            bias=np.round(bias * network.ONE * network.UNIT).astype(np.int64),
        )


def seen_by(boards: Any, players: Any) -> Any:
    """One where a piece stands, as a player sees the board: own pieces first, own king on the right half."""
    codes, own_side = boards.long(), players.long()[:, None]
    turned = torch.where(codes == 0, 0, (codes + 5) % 12 + 1)
    codes = torch.where(own_side == 0, codes, turned)
    king = (codes == 6).float().argmax(1)[:, None]
    squares = torch.arange(64, device=boards.device)[None] ^ torch.where(own_side == 0, 0, 56) ^ torch.where(
        king % 8 >= 4, 0, 7
    )  # fmt: skip
    return torch.zeros(len(codes), 13 * 64, device=boards.device).scatter_(1, codes * 64 + squares, 1.0)[:, 64:]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("examples", type=Path, nargs="+")
    parser.add_argument("--steps", type=int, default=35_000)
    parser.add_argument("--rate", type=float, default=1.5e-3)
    parser.add_argument("--out", type=Path, default=Path(network.__file__).with_name("network.npz"))
    given = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    parts = [np.load(file) for file in given.examples]
    boards, players, scores = (
        torch.from_numpy(np.concatenate([part[name] for part in parts])).to(device)
        for name in ("boards", "players", "scores")
    )
    expected = torch.sigmoid(scores.float() * STEEPNESS)
    held = max(1, len(scores) // 100)
    model = Network().to(device)
    optimiser = torch.optim.Adam(model.parameters(), lr=given.rate)
    for step in range(given.steps):
        for group in optimiser.param_groups:
            falling = 0.5 * (1 + math.cos(math.pi * step / given.steps))
            group["lr"] = given.rate * min(1, step / 500) * (0.005 + 0.995 * falling)
        batch = torch.randint(held, len(scores), (BATCH,), device=device)
        guess = torch.sigmoid(model(boards[batch], players[batch]) * network.SPREAD * STEEPNESS)
        loss = (guess - expected[batch]).abs().pow(2.2).mean()
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        model.hold()
        if (step + 1) % 2000 == 0 or step + 1 == given.steps:
            with torch.no_grad():
                guess = torch.sigmoid(model(boards[:held], players[:held]) * network.SPREAD * STEEPNESS)
            print(
                f"step {step + 1:,}: squared error {(guess - expected[:held]).square().mean():.5f} on examples held out"
            )
            model.write(given.out)


if __name__ == "__main__":
    main()
