"""The El Farol bar (Brian Arthur, 1994). Everybody decides at once whether to go to the bar, which has a few seats.
Those who go enjoy it (1) if there are seats for all of them, and suffer (-1) if it is crowded; those who stay at home
get 0.
"""

from itertools import product
from typing import Any

from zermelo.arguments import is_whole
from zermelo.errors import BadParameter
from zermelo.matrix import Matrix

STAY, GO = 0, 1


class ElFarol(Matrix):
    """Go to a bar with few seats or stay at home: it is worth going only if few enough go."""

    guests: int = 3
    seats: int = 2

    def __init__(self, guests: int = 3, seats: int = 2) -> None:
        if not is_whole(guests) or not 1 <= guests <= 10:
            raise BadParameter(f"el_farol: 1 to 10 guests, not {guests!r}")
        if not is_whole(seats) or not 0 <= seats <= guests:
            raise BadParameter(f"el_farol: seats must be 0 to {guests}, not {seats!r}")
        self.guests, self.seats = guests, seats
        worth = {went: 1 if sum(went) <= seats else -1 for went in product((STAY, GO), repeat=guests)}
        tables = [_nested({went: worth[went] * went[p] for went in worth}, (), guests) for p in range(guests)]
        super().__init__(*tables, labels=("stay", "go"))


def _nested(cells: dict[tuple[int, ...], int], so_far: tuple[int, ...], players: int) -> Any:
    if len(so_far) == players:
        return cells[so_far]
    return [_nested(cells, (*so_far, choice), players) for choice in (STAY, GO)]
