"""Strategies as the verbs print them: mixtures by name, and what is done on which view."""

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from zermelo.draw.words.wording import TERMINAL, number_text, odds
from zermelo.errors import EndlessGame
from zermelo.situations import IMPOSSIBLE, Situation

if TYPE_CHECKING:
    from zermelo.equilibrium.policies.equilibrium import Equilibrium

MOST_NODES = 5_000
"""Up to this size, play of both sides is listed."""
MOST_SITUATIONS = 24
MOST_PARTS = 6
"""More actions of a mixture are counted, not named."""


def mixture_sum(strategy: Sequence[Any], labels: Sequence[str]) -> str:
    """A mixed strategy in words: "rock", or "1/3 rock + 2/3 paper"."""
    parts = [(p, label) for p, label in zip(strategy, labels, strict=True) if p > IMPOSSIBLE]
    if len(parts) == 1:
        return parts[0][1]
    named = [f"{p if isinstance(p, Fraction) else odds(p)} {label}" for p, label in parts[:MOST_PARTS]]
    return " + ".join(named) + (f" + {len(parts) - MOST_PARTS} more" if len(parts) > MOST_PARTS else "")


def numbers_text(values: Sequence[Any]) -> str:
    """Numbers in a row; fractions in full."""
    return ", ".join(str(x) if isinstance(x, Fraction) else number_text(x, TERMINAL) for x in values)


def listed_play(found: "Equilibrium") -> list[Situation]:
    """What everybody does in which situation; nothing where the game is too large to be listed."""
    if found.policy is None:
        return []
    try:
        return found.policy.situations(most=MOST_NODES)
    except EndlessGame:
        return []


def print_play(play: Sequence[Situation], *, off_path: bool = False) -> None:
    """Print a line for each situation, up to a number of them: those first to which this play comes.

    Of the others it says with `off_path` alone what is done there: most methods leave that open.
    """
    for situation in sorted(play, key=lambda situation: not situation.reached)[:MOST_SITUATIONS]:
        seen = " / ".join(line.strip() for line in situation.sees.splitlines())
        named = ", ".join(f"{name} {odds(p)}" for name, p in situation.named.items() if p > IMPOSSIBLE)
        print(f"  player {situation.player} on {seen}: {named if situation.reached or off_path else 'never reached'}")
    if len(play) > MOST_SITUATIONS:
        print(f"  ... {len(play) - MOST_SITUATIONS} more situations (--json lists all)")
