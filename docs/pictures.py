"""The pictures of the docs, drawn by the package itself whenever the docs are built (a hook of MkDocs)."""

import re
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import zermelo
from zermelo import Tree, chance, move
from zermelo.equilibrium.both_sides import best_policies, whole_tree

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
    yield "trails", whole_tree(zermelo.game("trails"), None).svg()
    for name in ("rock_paper_scissors", "kuhn_poker"):
        game = zermelo.game(name)
        yield name.replace("_", "-"), whole_tree(game, best_policies(game)).svg()
    with tempfile.TemporaryDirectory() as folder:
        chomp = Path(folder) / "chomp.py"
        chomp.write_text(tutorial_game(), encoding="utf-8")
        yield "chomp", searched("alphabeta", zermelo.game(str(chomp), rows=2, cols=2))


def tutorial_game() -> str:
    """The game of the tutorial, put together from its page."""
    page = (HERE / "tutorial" / "your-first-game.md").read_text(encoding="utf-8")
    parts = re.findall(r"```python\n# (file|add to): chomp\.py\n(.*?)```", page, re.DOTALL)
    return "".join(body if verb == "file" else textwrap.indent(body, "    ") for verb, body in parts)
