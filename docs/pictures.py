"""The pictures of the docs, drawn by the package itself whenever the docs are built (a hook of MkDocs)."""

import math
import random
import re
import tempfile
import textwrap
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import zermelo
from zermelo import Limit, Tree, chance, move
from zermelo.bits import popcount
from zermelo.draw.plots.curves import convergence_svg, play_svg
from zermelo.draw.plots.grid import grid_svg
from zermelo.draw.plots.responses import responses_svg
from zermelo.draw.plots.simplex import simplex_svg
from zermelo.draw.theme import DARK, FONT, LIGHT, player_color
from zermelo.draw.words.payoffs import table_svg
from zermelo.equilibrium.nash.both_sides import best_policies, whole_tree
from zermelo.searches.engine.techniques import TECHNIQUES

HERE = Path(__file__).parent
LECTURE = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]
FAR = {"left": 5, "right": [[[3, 9], [7, 8]], 6]}
"""A node whose sibling branches are cut off by what the root already has, three levels above."""
LOTTERIES = {"risky": chance([(0.5, 0), (0.5, 3)]), "safe": chance([(0.5, 1), (0.5, 1)])}
STRETCHED = {"risky": chance([(0.5, 0), (0.5, 3)]), "safe": chance([(0.5, 2), (0.5, 2)])}
ROLL = {"low": (0.5, move(1, {"a": -8, "b": 3})), "high": (0.5, move(1, {"a": 9, "b": 10}))}
STAR = {"stay": 2, "roll": chance(ROLL)}


def on_pre_build(config: Any) -> None:
    """Draw everything before MkDocs looks for files."""
    draw(Path(config.docs_dir) / "pictures")


def draw(folder: Path) -> None:
    """Draw every picture into the folder; files that are right already are left alone."""
    folder.mkdir(exist_ok=True)
    for name, svg in pictures():
        path = folder / f"{name}.svg"
        if not path.exists() or path.read_text(encoding="utf-8") != svg:
            path.write_text(svg, encoding="utf-8")


def pictures() -> Iterator[tuple[str, str]]:
    """Each picture's name, and the picture: mostly of what a search saw."""

    def searched(method: str, game: Any, state: Any = None, *, boards: bool = False, **options: Any) -> str:
        return getattr(zermelo, method)(game, state, record=True, **options).tree.svg(show_states=boards)

    yield "minimax", searched("minimax", Tree(LECTURE))
    yield "alphabeta", searched("alphabeta", Tree(LECTURE))
    yield "far-cut-off", searched("alphabeta", Tree(FAR))
    yield "nim", searched("minimax", zermelo.game("nim"))
    yield "nim-small", searched("minimax", zermelo.game("nim", heaps=(1, 2)))
    yield "bucket", searched("minimax", zermelo.game("bucket"))
    yield "bucket-random", searched("expectimax", zermelo.game("bucket"))
    yield "coin-bucket", searched("expectiminimax", zermelo.game("coin_bucket"))
    yield "lotteries", searched("expectiminimax", Tree(LOTTERIES))
    yield "lotteries-stretched", searched("expectiminimax", Tree(STRETCHED))
    yield "star1", searched("expectiminimax", Tree(STAR), prune="star1", bounds=(-10, 10))
    yield "alliance", searched("maxn", zermelo.game("alliance"))
    toe = zermelo.game("tic_tac_toe")
    yield "symmetry", searched("alphabeta", toe, depth=2, symmetry=True)
    yield "tic-tac-toe", searched("alphabeta", toe, toe.parse_state("XO./OXX/..O"), boards=True)
    yield "mcts-tree", zermelo.mcts(toe, limit=Limit(simulations=100), record=True).tree.svg(max_nodes=30)
    yield "trails", whole_tree(zermelo.game("trails"), None).svg()
    for name in ("rock_paper_scissors", "kuhn_poker"):
        game = zermelo.game(name)
        yield name.replace("_", "-"), whole_tree(game, best_policies(game)).svg()
    yield "engine-nodes", curves(nodes_by_depth())
    yield from of_sampling()
    yield from of_equilibria()
    with tempfile.TemporaryDirectory() as folder:
        chomp = Path(folder) / "chomp.py"
        chomp.write_text(tutorial_game(), encoding="utf-8")
        yield "chomp", searched("alphabeta", zermelo.game(str(chomp), rows=2, cols=2))


# --- how many nodes the engine takes ---------------------------------------------------------------------------------

DEEPEST = 7
STEPS = {
    "alpha-beta": (),
    "+ order": ("deepening", "killers", "history_moves", "counter_moves"),
    "+ table": ("table", "zero_window", "aspiration"),
    "+ symmetry": ("symmetry", "win_distance", "path_values"),
    "+ reductions": ("reductions",),
}
"""What each curve has beside all that stands above it."""


def middle(s):
    """Stones near the middle are worth more."""
    score = 0
    for column, weight in ((21, 3), (14, 2), (28, 2), (7, 1), (35, 1)):
        score += weight * (popcount(s.x >> column & 63) - popcount(s.o >> column & 63))
    return score / 100


def nodes_by_depth() -> dict[str, list[int]]:
    """The nodes that Connect Four takes to depth 1, 2, ..., with more and more techniques."""
    four, on, found = zermelo.game("connect_four"), set(), {}
    for name, more in STEPS.items():
        on |= {*more}
        switches = {technique: technique in on for technique in TECHNIQUES}
        found[name] = [
            zermelo.search(four, limit=Limit(depth=depth), evaluate=middle, device="python", **switches).nodes
            for depth in range(1, DEEPEST + 1)
        ]
    return found


def curves(rows: dict[str, list[int]]) -> str:
    """Nodes by depth as a chart; the scale is logarithmic, each line a power of ten."""
    width, height, left, right, top, bottom = 640, 360, 64, 150, 16, 40
    top_power = math.ceil(math.log10(max(max(row) for row in rows.values())))

    def x(depth: int) -> float:
        return left + (depth - 1) * (width - left - right) / (DEEPEST - 1)

    def y(nodes: float) -> float:
        return height - bottom - math.log10(nodes) * (height - bottom - top) / top_power

    marks = []
    for power in range(top_power + 1):
        at = y(10**power)
        marks.append(f'<path class="grid" d="M{left} {at:.1f}H{width - right}"/>')
        marks.append(f'<text x="{left - 6}" y="{at + 4:.1f}" text-anchor="end">{10**power:,}</text>')
    for depth in range(1, DEEPEST + 1):
        marks.append(f'<text x="{x(depth):.1f}" y="{height - bottom + 18}" text-anchor="middle">{depth}</text>')
    marks.append(f'<text x="{(left + width - right) / 2}" y="{height - 4}" text-anchor="middle">depth</text>')
    ends: list[float] = []
    for i, (name, row) in enumerate(rows.items()):
        points = " ".join(f"{x(d):.1f},{y(n):.1f}" for d, n in enumerate(row, 1))
        marks.append(f'<polyline class="c{i}" points="{points}"/>')
        ends.append(max(y(row[-1]) + 4, ends[-1] + 14 if ends else 0))
        marks.append(f'<text class="c{i}" x="{x(DEEPEST) + 8:.1f}" y="{ends[-1]:.1f}">{name} {row[-1]:,}</text>')
    paper = [_chart_colours(LIGHT, len(rows), dark=False), _chart_colours(DARK, len(rows), dark=True)]
    style = f"text {{ font: 12px {FONT}; }} polyline {{ fill: none; stroke-width: 2; }} {paper[0]}"
    style += f" @media (prefers-color-scheme: dark) {{ {paper[1]} }}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img"><title>Nodes by depth</title><style>{style}</style>'
        f'<rect class="paper" width="{width}" height="{height}"/>{"".join(marks)}</svg>\n'
    )


def _chart_colours(paper: dict[str, str], count: int, *, dark: bool) -> str:
    rules = [
        f".paper {{ fill: {paper['paper']}; }} text {{ fill: {paper['soft']}; }} .grid {{ stroke: {paper['faint']}; }}"
    ]
    for i in range(count):
        colour = player_color(i, dark=dark)
        rules.append(f"polyline.c{i} {{ stroke: {colour}; }} text.c{i}, polygon.c{i} {{ fill: {colour}; }}")
    return " ".join(rules)


# --- how sampling converges ------------------------------------------------------------------------------------------

Points = list[tuple[float, float]]
TIC = zermelo.game("tic_tac_toe")
CORNER = TIC.result(TIC.initial(), 0)
"""X has taken a corner: only the centre holds the draw."""


def of_sampling() -> Iterator[tuple[str, str]]:
    """The pictures of Monte Carlo tree search."""
    values, visits, reach = convergence()
    reply = "simulations; X has begun in a corner"
    yield "mcts-values", chart("Mean values for X by simulations", values, (-1, 1), reply, band=reach)
    yield "mcts-visits", chart("Visits by simulations", visits, (0, 100), reply, unit=" %")
    found = {f"{n} simulations": [(c, right_replies(n, c)) for c in CONSTANTS] for n in (100, 300, 1000)}
    yield "mcts-constant", chart("Right replies by c", found, (0, 100), "c; the reply to a corner", unit=" %")
    held = {f"as {'XO'[side]}": [(n, not_lost(n, side)) for n in NUMBERS] for side in (0, 1)}
    yield "mcts-minimax", chart("Games held against minimax", held, (0, 100), "simulations a move", unit=" %")


CONSTANTS = [0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 1.0, math.sqrt(2), 2.0, 3.0, 5.0]
NUMBERS = [5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000]
TRIES = 400


def convergence() -> tuple[dict[str, Points], dict[str, Points], tuple[Points, Points]]:
    """Values and visits of three replies, and the interval of the right one."""
    steps = list(zermelo.mcts.stream(TIC, CORNER, limit=Limit(simulations=50_000), seed=1, device="cpu"))
    replies = {"centre": 4, "corner": 8, "edge": 1}
    known = {name: [(step.nodes, step.moves[a]) for step in steps if a in step.moves] for name, a in replies.items()}
    values = {name: [(float(n), found.value) for n, found in row] for name, row in known.items()}
    visits = {name: [(float(n), 100 * found.visits / n) for n, found in row] for name, row in known.items()}
    low, high = ([(float(n), found.interval[end]) for n, found in known["centre"]] for end in (0, 1))
    return values, visits, (low, high)


def right_replies(simulations: int, c: float) -> float:
    """How many of a hundred searches find the only reply to a corner."""
    limit = Limit(simulations=simulations)
    found = zermelo.mcts.many(TIC, [CORNER] * TRIES, limit=limit, c=c, device="cpu")
    return 100 * sum(answer.action == 4 for answer in found) / TRIES


def not_lost(simulations: int, side: int) -> float:
    """How many of a hundred games against minimax, which draws among its best moves, are not lost."""
    draw, states = random.Random(1), [TIC.initial()] * TRIES
    for ply in range(9):
        going = [i for i in range(TRIES) if not TIC.is_terminal(states[i])]
        if ply % 2 == side:
            limit, roots = Limit(simulations=simulations), [states[i] for i in going]
            found = zermelo.mcts.many(TIC, roots, limit=limit, seed=ply * TRIES, device="cpu")
            chosen = [answer.action for answer in found]
        else:
            chosen = [draw.choice(best_moves(states[i])) for i in going]
        for i, action in zip(going, chosen, strict=True):
            states[i] = TIC.result(states[i], action)
    return 100 * sum(TIC.utility(s, side) >= 0 for s in states) / TRIES


@cache
def best_moves(s: Any) -> list[int]:
    """The moves that minimax finds equally good."""
    values = {a: exact(child) for a, child in TIC.successors(s)}
    best = (max if TIC.to_move(s) == 0 else min)(values.values())
    return [a for a, value in values.items() if value == best]


@cache
def exact(s: Any) -> float:
    """Player 0's value under best play."""
    if TIC.is_terminal(s):
        return TIC.utility(s, 0)
    return (max if TIC.to_move(s) == 0 else min)(exact(child) for _, child in TIC.successors(s))


def chart(
    title: str,
    rows: dict[str, Points],
    between: tuple[float, float],
    below: str,
    *,
    unit: str = "",
    band: tuple[Points, Points] | None = None,
) -> str:
    """Curves over a logarithmic axis; around the first lies a band."""
    width, height, left, right, top, bottom = 640, 340, 56, 140, 16, 44
    across = [x for row in rows.values() for x, _ in row]
    first, last = math.log10(min(across)), math.log10(max(across))
    low, high = between

    def point(x: float, y: float) -> str:
        place = left + (math.log10(x) - first) * (width - left - right) / (last - first)
        return f"{place:.1f},{height - bottom - (y - low) * (height - bottom - top) / (high - low):.1f}"

    marks = []
    for k in range(5):
        y = low + k * (high - low) / 4
        at = float(point(10**first, y).split(",")[1])
        marks.append(f'<path class="grid" d="M{left} {at:.1f}H{width - right}"/>')
        marks.append(f'<text x="{left - 6}" y="{at + 4:.1f}" text-anchor="end">{y:g}{unit}</text>')
    for power in range(math.ceil(first), math.floor(last) + 1):
        at = float(point(10.0**power, low).split(",")[0])
        marks.append(f'<text x="{at:.1f}" y="{height - bottom + 18}" text-anchor="middle">{10.0**power:,g}</text>')
    marks.append(f'<text x="{(left + width - right) / 2}" y="{height - 6}" text-anchor="middle">{below}</text>')
    if band is not None:
        around = " ".join(point(*p) for p in [*band[0], *reversed(band[1])])
        marks.append(f'<polygon class="c0" points="{around}" opacity="0.18"/>')
    ends: list[tuple[float, int, str]] = []
    for i, (name, row) in enumerate(rows.items()):
        marks.append(f'<polyline class="c{i}" points="{" ".join(point(*p) for p in row)}"/>')
        ends.append((float(point(*row[-1]).split(",")[1]) + 4, i, name))
    before = 0.0
    for at, i, name in sorted(ends):
        before = max(at, before + 14)
        marks.append(f'<text class="c{i}" x="{width - right + 8}" y="{before:.1f}">{name}</text>')
    paper = [_chart_colours(LIGHT, len(rows), dark=False), _chart_colours(DARK, len(rows), dark=True)]
    style = f"text {{ font: 12px {FONT}; }} polyline {{ fill: none; stroke-width: 2; }} {paper[0]}"
    style += f" @media (prefers-color-scheme: dark) {{ {paper[1]} }}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img"><title>{title}</title><style>{style}</style>'
        f'<rect class="paper" width="{width}" height="{height}"/>{"".join(marks)}</svg>\n'
    )


# --- equilibria ------------------------------------------------------------------------------------------------------

VARIANTS = ("cfr", "linear", "cfr+", "discounted", "predictive")


def of_equilibria() -> Iterator[tuple[str, str]]:
    """The pictures of game theory: tables, best responses, learning, poker."""
    share, battle = zermelo.normal_form(zermelo.game("share")), zermelo.game("battle_of_the_sexes")
    yield "payoff-share", table_svg(share, zermelo.nash(share, all=True, exact=True))
    both = zermelo.nash(battle, all=True, exact=True)
    yield "payoff-battle", table_svg(battle, both)
    yield "responses-battle", responses_svg(battle, both)
    bar = zermelo.game("el_farol")
    yield "payoff-bar", table_svg(bar, zermelo.nash(bar, all=True))
    cautious = zermelo.Matrix([[1, 1], [0, 2]], [[1, 1], [2, 0]], labels=("stay", "go"))
    yield "responses-line", responses_svg(cautious, zermelo.nash(cautious, all=True, exact=True))
    perfect = zermelo.subgame_perfect(zermelo.game("share"))[0]
    yield "share-tree", whole_tree(perfect.game, perfect.policy, off_path=True).svg()
    hands = zermelo.normal_form(zermelo.game("rock_paper_scissors"))
    middle = zermelo.nash(hands, all=True)
    learned = zermelo.regret_matching(hands, iterations=2000, seed=1)
    yield "simplex-rps", simplex_svg(learned, middle)
    yield "play-rps", play_svg(learned)
    yield "simplex-fictitious", simplex_svg(zermelo.fictitious_play(hands, 2000), middle)
    shares = zermelo.replicator(hands, (0.6, 0.25, 0.15), populations=1, time=10)
    yield "simplex-replicator", simplex_svg(shares, middle)
    yield "kuhn-grid", grid_svg(zermelo.cfr(zermelo.game("kuhn_poker"), iterations=1000))
    leduc = zermelo.game("leduc_poker")
    yield "leduc-grid", grid_svg(zermelo.cfr(leduc, iterations=1000), most=2)
    runs = {name: list(zermelo.cfr.stream(leduc, iterations=1000, variant=name)) for name in VARIANTS}
    yield "cfr-curve", convergence_svg(runs)


def tutorial_game() -> str:
    """The game of the tutorial, put together from its page."""
    page = (HERE / "tutorial" / "your-first-game.md").read_text(encoding="utf-8")
    parts = re.findall(r"```python\n# (file|add to): chomp\.py\n(.*?)```", page, re.DOTALL)
    return "".join(body if verb == "file" else textwrap.indent(body, "    ") for verb, body in parts)
