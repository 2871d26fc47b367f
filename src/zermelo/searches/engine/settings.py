"""What an engine is told when it is made or asked: checked, and in the units in which it computes."""

from zermelo.compile import nanoseconds
from zermelo.contract import Game
from zermelo.errors import BadParameter
from zermelo.result import Limit
from zermelo.running.suitability import require_no_chance, require_open, require_two_sides
from zermelo.searches.engine import desk as words
from zermelo.searches.engine.techniques import TECHNIQUES, check_names


def times(start: int, limit: Limit, soft: float | None) -> tuple[int, int]:
    """When a search that begins now has to end, and from when on it begins no new depth."""
    end = words.NEVER if limit.time is None else start + _allowed(limit.time)
    return end, words.NEVER if soft is None else start + nanoseconds(soft)


def _allowed(seconds: float) -> int:
    """Nanoseconds for the search itself: a little of the time goes into giving the answer."""
    return nanoseconds(max(0.0, seconds - min(0.004, 0.1 * seconds)))


def require_fit(game: Game) -> None:
    """Refuse games that the engine cannot search."""
    require_open(game, "search")
    require_no_chance(game, "search")
    require_two_sides(game, "search")


def switched_on(techniques: dict[str, bool], table: int | bool) -> int:
    """The bits of the techniques that are on."""
    check_names(techniques)
    for name, value in techniques.items():
        if not isinstance(value, bool):
            raise BadParameter(f"{name} must be True or False, not {value!r}")
    if not isinstance(table, bool) and (not isinstance(table, int) or not 1 <= table <= 1 << 20):
        raise BadParameter(f"table must be a size in megabytes, True or False, not {table!r}")
    on = dict.fromkeys(TECHNIQUES, True) | techniques | {"table": table is not False}
    return sum(1 << i for i, name in enumerate(TECHNIQUES) if on[name])


def power_of_two(n: int) -> int:
    """The largest one up to `n`, and 2 at least."""
    return 1 << max(1, n.bit_length() - 1)


def has_range(game: Game) -> bool:
    """Whether the game says how much there is to win and to lose."""
    return game.bounds is not None and game.bounds[0] < game.bounds[1]


def range_of(game: Game) -> tuple[float, float]:
    """The least and the greatest utility; where nobody knows them, some that scores are shown in proportion to."""
    if game.bounds is not None and has_range(game):
        return 0.0 + game.bounds[0], 0.0 + game.bounds[1]
    return -1.0, 1.0
