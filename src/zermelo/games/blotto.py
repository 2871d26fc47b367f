"""Colonel Blotto (Émile Borel, 1921). Two colonels spread their troops over the same battlefields at once, neither
seeing what the other does. Whoever has more troops on a field takes it. Whoever takes more fields wins 1; with
`count="fields"` the colonel wins the number of fields taken less the number of fields lost.
"""

from collections.abc import Iterator
from math import comb

from zermelo.arguments import is_whole
from zermelo.errors import BadParameter
from zermelo.matrix import Matrix

MOST_PLANS = 2_000


class Blotto(Matrix):
    """Spread troops over battlefields; whoever has more on more of the fields wins."""

    coins: tuple[int, int] = (5, 5)
    fields: int = 3
    count: str = "most"

    def __init__(self, coins: int | tuple[int, int] = 5, fields: int = 3, count: str = "most") -> None:
        troops = (coins, coins) if isinstance(coins, int) else coins
        if not isinstance(troops, list | tuple) or len(troops) != 2 or not all(_is_number(n, 0) for n in troops):
            raise BadParameter(f"blotto: coins must be how many troops a colonel has, 5 or (5, 4), not {coins!r}")
        if not _is_number(fields, 1):
            raise BadParameter(f"blotto: there is one field at least, not {fields!r}")
        if count not in ("most", "fields"):
            raise BadParameter(f"blotto: count must be most or fields, not {count!r}")
        plans = [comb(n + fields - 1, fields - 1) for n in troops]
        if max(plans) > MOST_PLANS:
            raise BadParameter(f"blotto: {max(plans):,} ways to spread the troops are too many; {MOST_PLANS:,} at most")
        self.coins, self.fields, self.count = (troops[0], troops[1]), fields, count
        own, other = (list(_spread(n, fields)) for n in troops)
        labels = [["-".join(map(str, plan)) for plan in plans] for plans in (own, other)]
        payoffs = [[_won(a, b, count) for b in other] for a in own]
        super().__init__(payoffs, labels=labels, names=("Blotto", "the enemy"))


def _is_number(value: object, least: int) -> bool:
    return is_whole(value) and value >= least


def _spread(troops: int, fields: int) -> Iterator[tuple[int, ...]]:
    """Every way to spread the troops over the fields."""
    if fields == 1:
        yield (troops,)
        return
    for first in range(troops + 1):
        for rest in _spread(troops - first, fields - 1):
            yield (first, *rest)


def _won(own: tuple[int, ...], other: tuple[int, ...], count: str) -> int:
    ahead = sum((a > b) - (a < b) for a, b in zip(own, other, strict=True))
    return ahead if count == "fields" else (ahead > 0) - (ahead < 0)
