"""Fits the weights of chess's features to scored positions, and writes `games/chess/weights.py`.

    python tools/fit_chess_weights.py positions.txt [more.txt ...]

A line of such a file is `FEN|score|result`: the score of a search in centipawns and the result of the game (1, 1/2 as
0.5, or 0), both for White. Positions should be quiet. The weights are found by least squares between the expected
result by the features and that by score and result, starting from the present weights and drawn slightly towards them.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sparse
from scipy.optimize import minimize

from zermelo.compile import kernel, machine
from zermelo.games.chess import Chess, evaluation
from zermelo.games.chess.weights import WEIGHTS

WEIGHTS_FILE = Path(evaluation.__file__).with_name("weights.py")
BY_SCORE = 0.8
"""How much the score counts beside the result."""
PULL = 3e-10
STEEPNESS = np.log(10) / 400
HEAD = '"""The weights of the features, as (middle game, endgame) in centipawns; see `evaluation` for their order."""\n'


@kernel
def count_features(game, s, counts):
    """Write the counts of all features."""
    evaluation.tally_of(s, counts)
    return 0


def positions(files: list[str]) -> Iterator[tuple[Any, float, float]]:
    """Each position once, with its score and its result."""
    chess, seen = Chess(), set()
    for file in files:
        for line in Path(file).read_text().splitlines():
            fen, score, result = line.split("|")
            place = fen.rsplit(" ", 2)[0]
            if place not in seen:
                seen.add(place)
                yield chess.parse_state(fen), float(score), float(result)


def table_of(files: list[str]) -> tuple[Any, Any]:
    """One row of features for each position, scaled by phase for both sets of weights; and what is expected of it."""
    cpu = machine("cpu")
    counts = cpu.memory(evaluation.COUNT)
    rows: list[Any] = []
    columns: list[Any] = []
    values: list[Any] = []
    expected = []
    for row, (s, score, result) in enumerate(positions(files)):
        counts.fill([0] * evaluation.COUNT)
        cpu.call(count_features, game=Chess(), s=s, counts=counts)
        found = np.array(counts.words())
        used = np.nonzero(found)[0]
        left = evaluation.phase(s) / evaluation.ALL_PHASES
        scale = evaluation.scale_of(s, score) / 64
        rows += [row] * (2 * len(used))
        columns += [*used, *(used + evaluation.COUNT)]
        values += [*(found[used] * left * scale), *(found[used] * (1 - left) * scale)]
        expected.append(BY_SCORE * expectation(score) + (1 - BY_SCORE) * result)
    shape = (len(expected), 2 * evaluation.COUNT)
    return sparse.csr_matrix((values, (rows, columns)), shape=shape), np.array(expected)


def expectation(score: Any) -> Any:
    """The expected result by a score, from 0 to 1."""
    return 1 / (1 + np.exp(-np.clip(STEEPNESS * score, -40, 40)))


def fitted(features: Any, wanted: Any, start: Any) -> Any:
    """The weights with the least squared error."""

    def error(weights: Any) -> tuple[float, Any]:
        found = expectation(features @ weights)
        off, pull = found - wanted, weights - start
        slope = features.T @ (2 * off * found * (1 - found) * STEEPNESS) / len(wanted)
        # The optimiser's tolerance is meant for larger numbers.
        return 1e4 * (np.mean(off**2) + PULL * pull @ pull), 1e4 * (slope + 2 * PULL * pull)

    options = {"maxiter": 1000, "ftol": 1e-13, "gtol": 1e-9}
    return minimize(error, start, jac=True, method="L-BFGS-B", options=options).x


def main(files: list[str]) -> None:
    """Fit, say how well, and write."""
    features, wanted = table_of(files)
    start = np.array(WEIGHTS, dtype=float).T.ravel()
    last = len(wanted) // 12
    weights = fitted(features[last:], wanted[last:], start)
    for name, of in (("before", start), ("after", weights)):
        print(f"{name}: mean squared error {np.mean((expectation(features[:last] @ of) - wanted[:last]) ** 2):.5f}")
    lines, line = [HEAD, "WEIGHTS = ("], "   "
    for middle, end in weights.reshape(2, -1).T.round().astype(int):
        item = f" ({middle}, {end}),"
        if len(line) + len(item) > 118:
            lines.append(line)
            line = "   "
        line += item
    WEIGHTS_FILE.write_text("\n".join([*lines, line, ")  # fmt: skip\n"]))


if __name__ == "__main__":
    main(sys.argv[1:])
