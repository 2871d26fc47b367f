"""What a search has found so far, as the interfaces of Go programs read it: `lz-analyze` and `kata-analyze`."""

from collections.abc import Callable
from dataclasses import dataclass, field

from zermelo.contract import Game
from zermelo.errors import BadParameter
from zermelo.result import Analysis, Move

USUAL_INTERVAL = 1.0
"""Seconds between two reports, where the controller gives no interval."""
SKIPPED = (
    "ownership",
    "ownershipstdev",
    "movesownership",
    "movesownershipstdev",
    "pvvisits",
    "pvedgevisits",
    "rootinfo",
)
"""Wishes that are accepted and skipped."""


@dataclass
class Wishes:
    """What the controller wants to see."""

    interval: float = USUAL_INTERVAL
    least: int = 0
    most: int = 1 << 30
    avoided: set[str] = field(default_factory=set)
    allowed: set[str] = field(default_factory=set)


def wishes_of(words: list[str]) -> Wishes:
    """The wishes in the words behind the colour: an interval in centiseconds, then names with their values."""
    found = Wishes()
    rest = [word.lower() for word in words]
    if rest and rest[0].isdecimal():
        rest.insert(0, "interval")
    while rest:
        name, *values = rest
        if name in ("avoid", "allow") and len(values) >= 3:
            (found.avoided if name == "avoid" else found.allowed).update(values[1].split(","))
            rest = values[3:]
            continue
        if name in ("interval", "minmoves", "maxmoves") and values and values[0].isascii() and values[0].isdecimal():
            number = int(values[0][:9])
            if name == "interval":
                found.interval = number / 100
            elif name == "minmoves":
                found.least = number
            else:
                found.most = max(1, number)
        elif name not in SKIPPED or not values:
            raise BadParameter(f"syntax error: {name[:20]!r} cannot be asked for; interval, minmoves and maxmoves can")
        rest = values[1:]
    return found


def winning_chance(game: Game, value: float, player: int) -> float:
    """A value of player 0's as the chance of this player to win, from 0 to 1."""
    low, high = game.bounds or (-1.0, 1.0)
    share = min(1.0, max(0.0, (value - low) / (high - low)))
    return share if player == 0 else 1.0 - share


def by_visits(found: Analysis) -> list[tuple[int, Move]]:
    """The first moves that were tried, the best first: the one to play, then those with the most visits."""
    moves = [(action, move) for action, move in found.moves.items() if move.visits]
    return sorted(moves, key=lambda item: (item[0] != found.action, -(item[1].visits or 0)))


def report(found: Analysis, player: int, wishes: Wishes, name: Callable[[int], str], decimal: bool) -> str:
    """One line about the first moves: chances as fractions, or in parts of ten thousand."""
    moves = [(action, move) for action, move in by_visits(found) if _is_wanted(name(action).lower(), wishes)]
    parts = []
    for order, (action, move) in enumerate(moves[: max(wishes.least, wishes.most)]):
        sure = winning_chance(found.game, float(move), player)
        least = sure
        if move.interval is not None:
            least = min(winning_chance(found.game, end, player) for end in move.interval)
        numbers = (sure, least) if decimal else (round(10_000 * sure), round(10_000 * least))
        shown = [f"{number:.6g}" if decimal else str(number) for number in numbers]
        utility = f" utility {2 * sure - 1:.6g}" if decimal else ""
        parts.append(
            f"info move {name(action)} visits {move.visits}{utility} winrate {shown[0]} lcb {shown[1]} "
            f"order {order} pv {' '.join(_line(found, action, name(action)))}"
        )
    return " ".join(parts)


def _is_wanted(name: str, wishes: Wishes) -> bool:
    return name not in wishes.avoided and (not wishes.allowed or name in wishes.allowed)


def _line(found: Analysis, action: int, name: str) -> list[str]:
    """The play that is expected after a first move."""
    if action != found.action or found.line[:1] != (action,):
        return [name]
    return [word.replace(" ", "_") for word in found.line_names]


def explained(found: Analysis, player: int, name: Callable[[int], str]) -> str:
    """What the search thought of its move, for people."""
    lines = []
    for action, move in by_visits(found)[:5]:
        sure = 100 * winning_chance(found.game, float(move), player)
        lines.append(f"{name(action):<6} {sure:5.1f} % in {move.visits} of {found.nodes} simulations")
    line = " ".join(found.line_names)
    return "\n".join([*lines, f"expected: {line}"] if line else lines)
