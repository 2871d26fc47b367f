"""What an answer says, in words that text and pages share."""

from typing import Any

from zermelo.contract import CHANCE
from zermelo.draw.words.wording import PRINT, Script, abbreviated, bounded, payoffs
from zermelo.result import Analysis, Move


def title(analysis: Analysis) -> str:
    """The game with its parameters, as far as they are short: nim:heaps=(2, 2)."""
    known = analysis.game.parameters.items()
    inside = ",".join(f"{name}={value!r}" for name, value in known if isinstance(value, int | float | str | tuple))
    return abbreviated(f"{analysis.game.name}:{inside}" if inside else analysis.game.name, 72)


def mover_of(analysis: Analysis) -> int | None:
    """Who moves; None where the game is over."""
    return analysis.game.to_move(analysis.state) if analysis.moves else None


def best_first(analysis: Analysis) -> list[tuple[int, Move]]:
    """The moves that were looked at, the best first and then by what they are worth to the mover."""
    mover = mover_of(analysis)
    moves = list(analysis.moves.items())
    if mover is None or mover == CHANCE:
        return moves
    return sorted(moves, key=lambda item: (item[0] != analysis.action, -gain(item[1], mover)))


def gain(move: Move, player: int) -> Any:
    """What the move is worth to the player, where only player 0's value may be known."""
    if move.values is not None:
        return move.values[player]
    return move.value if player == 0 else -move.value


def needs_payoffs(analysis: Analysis) -> bool:
    """Whether player 0's value does not determine the others'."""
    return len(analysis.values) > 2 or (len(analysis.values) == 2 and abs(sum(analysis.values)) > 1e-9)


def move_text(analysis: Analysis, move: Move, script: Script = PRINT) -> str:
    """The move's value behind the sign of its bound, or all players' values."""
    if move.values is not None and needs_payoffs(analysis):
        return f"({payoffs(move.values, script)})"
    return bounded(move.value, move.bound, script)


def value_text(analysis: Analysis, script: Script = PRINT) -> str:
    """The value of the state, with how far it can be trusted."""
    if needs_payoffs(analysis):
        return f"({payoffs(analysis.values, script)}), {analysis.bound}"
    known = f"{bounded(analysis.value, analysis.bound, script)}, {analysis.bound}"
    if analysis.distance is not None:
        return f"{known}: over in {analysis.distance} move" + "s" * (analysis.distance != 1)
    return known if analysis.score is None or analysis.game.score is None else f"{known} (score {analysis.score:+})"


def line_text(names: tuple[str, ...], most: int) -> str:
    """The moves one after the other, at most so many."""
    comma = ", " if any(" " in name for name in names) else " "
    return comma.join(names[:most]) + (" ..." if len(names) > most else "")


def evidence(analysis: Analysis) -> list[str]:
    """What the answer rests on: nodes, time, speed, depth, seed."""
    unit = "simulation" if analysis.method == "mcts" else "node"
    facts = [f"{analysis.nodes:,} {unit}" + "s" * (analysis.nodes != 1), f"{_seconds(analysis.time)} s"]
    if analysis.time > 0 and analysis.nodes > 0:
        facts.append(f"{_rounded(analysis.nodes / analysis.time)} {unit}s/s")
    if analysis.depth is not None:
        facts.append(f"depth {analysis.depth}")
    if analysis.seed is not None:
        facts.append(f"seed {analysis.seed}")
    return facts


def _seconds(time: float) -> str:
    return f"{time:.1f}" if time >= 10 else f"{time:.3g}" if time >= 0.001 else f"{time:.6f}"


def _rounded(speed: float) -> str:
    """The speed to three digits: 1,230,000."""
    digits = max(0, len(str(int(speed))) - 3)
    return f"{round(speed, -digits):,.0f}"
