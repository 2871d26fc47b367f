"""Trees and answers as text, for terminals."""

from collections.abc import Iterator
from itertools import groupby

from zermelo.draw.trees.fold import Branch, fold
from zermelo.draw.words import analysis as answer
from zermelo.draw.words.set_names import set_names
from zermelo.draw.words.wording import (
    ASCII,
    TERMINAL,
    Script,
    abbreviated,
    needs_payoffs,
    number_text,
    odds,
    value_of,
    who_moves,
    window,
    wins_of,
)
from zermelo.errors import BadParameter
from zermelo.record import Node, RecordedTree
from zermelo.result import Analysis

MOVES = 20
"""How many moves an answer lists."""
_SHAPES = {"max": "▲", "min": "▼", "chance": "○", "end": "■", "pruned": "✂"}
_ASCII_SHAPES = {"max": "^", "min": "v", "chance": "o", "end": "#", "pruned": "x"}


def tree_text(tree: RecordedTree, *, max_nodes: int = 200, depth: int | None = None, unicode: bool = True) -> str:
    """The tree as indented lines for about `max_nodes` nodes; an arrow marks the best line.

    A line has the move with its odds, the shape of who moves (▲ Max, ▼ Min, ◆ further players, ○ chance, ■ an end,
    ✂ pruned, with the reason), the value, the information set in braces, and the window with which the search came.
    Of simulations it has those that were won by whoever's move leads here, out of all: 37/100.
    """
    if max_nodes < 1 or (depth is not None and depth < 0):
        raise BadParameter("tree_text: max_nodes must be above 0, and depth at least 0")
    top = fold(tree.root, max_nodes=max_nodes, depth=depth)
    line = _Line(tree, needs_payoffs(tree), unicode)
    pass_by, turn, through, plain, best = "├└│─→" if unicode else "|`|-*"
    lines = []
    stack: list[tuple[list[Branch], str, str]] = [([top], "", "")]
    while stack:
        together, lead, indent = stack.pop()
        lines.append((lead + line.text(together)).rstrip())
        families = list(_families(together[0].children))
        last = len(families) - 1
        for i in range(last, -1, -1):
            corner = turn if i == last else pass_by
            arrow = best if families[i][0].best else plain
            below = indent + (" " if i == last else through) + "  "
            stack.append((families[i], f"{indent}{corner}{plain}{arrow} ", below))
    return "\n".join(lines)


def _families(branches: list[Branch]) -> Iterator[list[Branch]]:
    """The branches line by line: each alone, but neighbours pruned for one reason together."""
    for reason, run in groupby(branches, key=lambda branch: None if branch.rest else branch.node.pruned):
        together = list(run)
        if reason is None:
            yield from ([branch] for branch in together)
        else:
            yield together


class _Line:
    """Writes one line of a tree."""

    def __init__(self, tree: RecordedTree, tuples: bool, unicode: bool) -> None:
        self.tree, self.tuples, self.unicode = tree, tuples, unicode
        self.more, self.script = ("…", TERMINAL) if unicode else ("...", ASCII)
        self.sets = set_names(tree)

    def text(self, together: list[Branch]) -> str:
        """A branch, or several that were pruned for one reason."""
        branch = together[0]
        node = branch.node
        if branch.rest:
            return self._rest(branch)
        parts = [abbreviated(", ".join(one.node.name for one in together), 60)]
        if node.probability is not None:
            parts.append(f"({odds(node.probability)})")
        parts += [_shape(node, self.unicode), node.pruned or "", wins_of(node)]
        parts.append(value_of(node, self.tuples, self.script))
        if node.information_set in self.sets:
            parts.append(f"{{{self.sets[node.information_set]}}}")
        if node.random_player is not None:
            parts.append(f"({who_moves(self.tree.game, node, self.tuples)})")
        if node.window is not None and node.children:
            parts.append(window(node.window, self.script))
        if node.visits is not None and node.wins is None:
            parts.append(f"({node.visits:,} visit{'s' * (node.visits != 1)})")
        elif node.kind == "cut" and node.visits is None:
            parts.append("(depth limit)")
        if branch.folded:
            parts.append(f"{self.more} {branch.hidden - 1:,} more node{'s' * (branch.hidden != 2)}")
        return " ".join(part for part in parts if part)

    def _rest(self, branch: Branch) -> str:
        count = len(branch.rest)
        inside = f" ({branch.hidden:,} nodes)" if branch.hidden > count else ""
        return f"{self.more} {count:,} more branch{'es' * (count != 1)}{inside}"


def _shape(node: Node, unicode: bool) -> str:
    kind = node.kind
    if kind == "cut" and node.player in (0, 1):
        kind = ("max", "min")[node.player]
    known = (_SHAPES if unicode else _ASCII_SHAPES).get(kind)
    return known or f"{'◆' if unicode else '@'}{node.player}"


def analysis_text(analysis: Analysis, *, unicode: bool = True) -> str:
    """The answer in a few lines: game and method, value, best line, the moves with their values, and the cost."""
    script = TERMINAL if unicode else ASCII
    lines = [
        f"{answer.title(analysis)}: {analysis.method} on {analysis.device}",
        f"value  {answer.value_text(analysis, script)}",
    ]
    if analysis.action is not None:
        then = answer.line_text(analysis.line_names[1:], MOVES)
        lines.append(f"best   {analysis.action_name}" + (f", then {then}" if then else ""))
    lines += _move_table(analysis, script, mark="→" if unicode else "*")
    lines.append(", ".join(answer.evidence(analysis)))
    if analysis.note:
        lines.append(analysis.note)
    return "\n".join(lines)


def _move_table(analysis: Analysis, script: Script, *, mark: str) -> list[str]:
    """The moves in columns: the best marked, name, value, and visits and interval where they are known."""
    rows = []
    for action, move in answer.best_first(analysis)[:MOVES]:
        name = abbreviated(analysis.name_of(action), 30)
        visits = "" if move.visits is None else f"{move.visits:,} visits"
        interval = "" if move.interval is None else " to ".join(number_text(end, script) for end in move.interval)
        chosen = mark if action == analysis.action else " "
        rows.append((chosen, name, answer.move_text(analysis, move, script), visits, interval))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for chosen, name, worth, visits, interval in rows:
        cells = f"{name:<{widths[1]}}  {worth:>{widths[2]}}  {visits:>{widths[3]}}  {interval}"
        lines.append(f"  {chosen} {cells.rstrip()}")
    hidden = len(analysis.moves) - MOVES
    return lines + ([f"    ... {hidden} more"] if hidden > 0 else [])
