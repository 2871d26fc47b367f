"""Counts of lines of play against published ones, kept in the files beside this one.

A file has lines `game NAME`, `id TEXT`, `position TEXT` (as the game reads it; - is the first state) and
`perft DEPTH COUNT`; what follows # is comment.
"""

import threading
import time
from pathlib import Path
from typing import NamedTuple

import pytest

import zermelo
from zermelo.searches.perft import PathCounter

HERE = Path(__file__).parent
QUICK = 20_000
"""Counts up to this one are made in plain Python."""
LONG = 300_000_000
"""Counts from this one on are left to `make test-all`."""


class Entry(NamedTuple):
    file: str
    game: str
    id: str
    position: str
    depth: int
    count: int


def entries(path):
    known = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        word, _, rest = line.partition("#")[0].strip().partition(" ")
        if word in ("game", "id", "position"):
            known[word] = rest.strip()
        elif word == "perft":
            depth, count = map(int, rest.split())
            yield Entry(path.name, known["game"], known["id"], known["position"], depth, count)
        elif word:
            raise ValueError(f"{path.name}, line {number}: {line!r}")


ALL = [entry for path in sorted(HERE.glob("*.perft")) for entry in entries(path)]
MARKED = [pytest.param(entry, marks=pytest.mark.slow) if entry.count >= LONG else entry for entry in ALL]


def prepared(entry):
    of = zermelo.game(entry.game)
    return of, None if entry.position == "-" else of.parse_state(entry.position)


@pytest.mark.parametrize("entry", MARKED, ids=lambda entry: f"{entry.game} {entry.id} {entry.depth}")
def test_perft(entry):
    of, state = prepared(entry)
    device = "python" if entry.count <= QUICK else "cpu"
    assert zermelo.perft(of, entry.depth, state, device=device) == entry.count


@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four"])
def test_both_machines_count_alike(name):
    for entry in ALL:
        if entry.game == name and entry.count <= QUICK:
            of, state = prepared(entry)
            assert zermelo.perft(of, entry.depth, state, device="cpu") == entry.count


def test_divide_adds_up():
    for entry in ALL:
        if 0 < entry.count <= QUICK:
            of, state = prepared(entry)
            parts = zermelo.perft_divide(of, entry.depth, state, device="python")
            assert sum(parts.values()) == entry.count
            assert list(parts) == list(of.actions(of.initial() if state is None else state))


def test_connect_four_positions():
    """OEIS A212693: positions after n stones, each counted once."""
    found = zermelo.reachable(zermelo.game("connect_four"), depth=6)
    assert found.levels == (1, 7, 49, 238, 1120, 4263, 16422)


def test_games_that_end_add_up_to_all_tic_tac_toe_games():
    counts = {entry.depth: entry.count for entry in ALL if entry.id == "the empty board" and "tic" in entry.game}
    # A game that has not ended after n marks has 9 - n ways on.
    ended = [counts[n] - counts[n + 1] // (9 - n) for n in range(1, 9)] + [counts[9]]
    assert ended == [0, 0, 0, 0, 1_440, 5_328, 47_952, 72_576, 127_872]
    assert sum(ended) == 255_168


@pytest.mark.parametrize("device", ["python", "cpu"])
def test_a_count_can_be_stopped_from_another_thread(device):
    of = zermelo.game("connect_four")
    zermelo.perft(of, 3, device=device)  # compiled before any clock runs
    counter = PathCounter(of, device)
    began = time.monotonic()
    threading.Timer(0.2, counter.stop).start()
    with pytest.raises(zermelo.Interrupted):
        counter.paths(20)
    assert time.monotonic() - began < 10
    with pytest.raises(zermelo.Interrupted):
        counter.paths(2)
    assert zermelo.perft(of, 3, device=device) == 343
