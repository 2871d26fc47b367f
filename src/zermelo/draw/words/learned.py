"""What learning came to, in a few lines of text."""

from typing import Any

from zermelo.draw.plots.curves import player_name
from zermelo.draw.words.payoffs import mixture_text
from zermelo.draw.words.wording import TERMINAL, number_text, payoffs


def learned_text(answer: Any) -> str:
    """What each player came to play, what it is worth, and how far it is from an equilibrium where that is known."""
    mixed = getattr(answer, "average", None) or answer.final
    lines = [f"{answer.game.name}: values {payoffs(answer.values, TERMINAL)}"]
    names = [player_name(answer, player) for player in range(len(mixed))]
    for name, labels, strategy in zip(names, answer.game.labels, mixed, strict=False):
        lines.append(f"  {name:<{max(map(len, names))}}  {mixture_text(labels, strategy)}")
    if hasattr(answer, "regret"):
        lines.append(f"regret {number_text(answer.regret, TERMINAL)}, {answer.iterations:,} iterations")
    return "\n".join(lines)


def path_text(answer: Any) -> str:
    """The way of best responses, step by step, and how it ends."""
    labels = answer.game.labels
    steps = [", ".join(labels[p][choice] for p, choice in enumerate(choices)) for choices in answer.path]
    end = "stable" if answer.stable else "goes in circles" if answer.cycle else "not at its end"
    return f"{answer.game.name}: {' -> '.join(steps)} ({end})"
