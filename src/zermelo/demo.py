"""The tour behind `make demo`: games solved on two machines, and what else there is to see.

Everything shown is computed on the spot. Pictures of trees go into a folder, with a page that shows them.
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import zermelo
from zermelo import files
from zermelo.catalogue import game as open_game
from zermelo.contract import Game
from zermelo.draw.words.wording import ASCII, bounded, escape
from zermelo.errors import BadParameter, CompileError, DeviceError
from zermelo.record import RecordedTree
from zermelo.result import Analysis
from zermelo.terminal import Screen

FOUR_IN_A_ROW = "4567245513666563554442"
"""Columns of Connect Four: after these 22 stones column 1 wins and everything else loses."""
LECTURE = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]
SLOW = 0.02
"""Searches that plain Python does faster than this say nothing about speed."""


class Question(NamedTuple):
    """A position to be solved, and by which method."""

    title: str
    game: Game
    method: str
    state: Any = None

    def solve(self, device: str) -> Analysis:
        """The answer of one machine."""
        return getattr(zermelo, self.method)(self.game, self.state, device=device)


def tour(screen: Screen, folder: Path, *, quick: bool = False) -> dict[str, Any]:
    """Give the tour; what it found, as plain data. With `quick` nothing is compiled."""
    started = time.perf_counter()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise BadParameter(f"{str(folder)!r} cannot be made: {getattr(error, 'strerror', None) or error}") from None
    screen.line(f"zermelo {zermelo.__version__}: write a game once, in plain Python; every method works on it", "bold")
    facts: dict[str, Any] = {"version": zermelo.__version__}
    with _quiet_compiler():
        facts["solved"] = _solve(screen, quick)
        if not quick:
            facts["speeds"] = _speeds(screen)
        facts["cut_off"] = _cut_off(screen)
        facts["lost"] = _lost(screen)
        facts["higher_takes"] = _hidden_cards(screen)
        facts["trails"] = _trails(screen)
        facts["kuhn_poker"] = _bluff(screen)
        facts["pictures"] = _pictures(screen, folder)
    facts["seconds"] = time.perf_counter() - started
    screen.line(f"\n{facts['seconds']:.1f} s in all. Go on with `zermelo games` and `zermelo play connect_four`.")
    return facts


# --- values and speeds -----------------------------------------------------------------------------------------------


def _questions() -> list[Question]:
    four = open_game("connect_four")
    return [
        Question("II-Nim", open_game("nim"), "minimax"),
        Question("tic-tac-toe", open_game("tic_tac_toe"), "minimax"),
        Question("tic-tac-toe", open_game("tic_tac_toe"), "alphabeta"),
        Question("bucket, worst case", open_game("bucket"), "minimax"),
        Question("bucket, random opponent", open_game("bucket"), "expectimax"),
        Question("bucket with a coin", open_game("coin_bucket"), "expectiminimax"),
        Question("Connect Four, 22 stones", four, "alphabeta", four.parse_state(FOUR_IN_A_ROW)),
    ]


def _solve(screen: Screen, quick: bool) -> list[dict[str, Any]]:
    """Solve the questions on both machines."""
    screen.heading("Solved to the end" + ("" if quick else ": the same source in plain Python and as native code"))
    if not quick:
        screen.line("compiling what is not yet kept from earlier (some seconds) ...")
    facts, rows, compiling = [], [], 0.0
    for question in _questions():
        plain = question.solve("python")
        native, extra = (None, 0.0) if quick else _native(question)
        compiling += extra
        agree = native is None or (native.value, native.nodes) == (plain.value, plain.nodes)
        row = [question.title, plain.method, bounded(plain.value, plain.bound, ASCII), plain.action_name or "-"]
        row += [f"{plain.nodes:,}", _shown(plain.time)]
        if not quick:
            row.append("-" if native is None else _shown(native.time))
            row.append(f"{plain.time / native.time:,.0f} x" if native is not None and plain.time >= SLOW else "")
        rows.append([*row, "" if agree else "the machines disagree"])
        times = {"python": plain.time} | ({} if native is None else {"cpu": native.time})
        facts.append(plain.to_json() | {"title": question.title, "seconds": times, "agree": agree})
    columns = ["game", "method", ">value", "best move", ">nodes", ">python"]
    screen.table([*columns, *([] if quick else [">native", ">faster"]), ""], rows)
    if not quick:
        screen.line(f"values are player 0's; compiling or loading took {compiling:.1f} s")
    return facts


def _native(question: Question) -> tuple[Analysis | None, float]:
    """The cpu machine's best of three answers, and the time that it took to get there at first."""
    started = time.perf_counter()
    try:
        first = question.solve("cpu")
    except (CompileError, DeviceError):
        return None, 0.0
    spent = time.perf_counter() - started
    best = min((question.solve("cpu") for _ in range(3)), key=lambda answer: answer.time)
    return best, max(0.0, spent - min(first.time, best.time))


def _speeds(screen: Screen) -> list[dict[str, Any]]:
    """Count and sample on both machines."""
    four = open_game("connect_four")
    screen.heading("Counting and sampling Connect Four")
    facts = []
    for device, depth, games in (("python", 5, 500), ("cpu", 9, 200_000)):
        try:
            zermelo.perft(four, 1, device=device)
            zermelo.playouts(four, games=1, device=device)
            started = time.perf_counter()
            paths = zermelo.perft(four, depth, device=device)
            spent = time.perf_counter() - started
            sampled = zermelo.playouts(four, games=games, seed=1, device=device)
        except (CompileError, DeviceError) as error:
            screen.line(f"{device}: {error}")
            continue
        facts.append(
            {"device": device, "depth": depth, "paths": paths, "paths_per_second": paths / spent, "games": games}
            | {"mean": sampled.mean, "error": sampled.error, "moves_per_second": sampled.speed}
        )
    rows = [
        (
            "native" if f["device"] == "cpu" else str(f["device"]),
            f"{f['paths']:,} to depth {f['depth']}",
            f"{f['paths_per_second']:,.0f}",
            f"{f['games']:,}",
            f"{f['mean']:+.3f} ± {f['error']:.3f}",
            f"{f['moves_per_second']:,.0f}",
        )
        for f in facts
    ]
    columns = ("machine", ">paths", ">paths/s", ">random games", ">mean of the first player", ">moves/s")
    screen.table(columns, rows)
    return facts


# --- what the methods see --------------------------------------------------------------------------------------------


def _cut_off(screen: Screen) -> dict[str, Any]:
    """The lecture's tree, with what alpha-beta does not look at."""
    screen.heading("Alpha-beta on a tree typed by hand: [[3, 12, 8], [2, 4, 6], [14, 5, 2]]")
    answer = zermelo.alphabeta(zermelo.Tree(LECTURE), record=True)
    assert answer.tree is not None
    screen.line(answer.tree.text())
    return {"value": answer.value, "nodes": answer.nodes}


def _lost(screen: Screen) -> list[dict[str, str]]:
    """The two ways to choose where everything loses."""
    screen.heading("Losing anyway: delay the loss, or hope for a mistake")
    nim, toe = open_game("nim"), open_game("tic_tac_toe")
    facts = []
    for title, game, state in (
        ("II-Nim", nim, nim.initial()),
        ("tic-tac-toe, O to move in XOO/X../.X.", toe, toe.parse_state("XOO/X../.X.")),
    ):
        answers = {way: zermelo.minimax(game, state, when_lost=way) for way in ("delay", "hope")}
        why = answers["hope"].note.rpartition("; chosen")[0]
        screen.line(f"{title}: {why}")
        facts.append({"title": title, "why": why} | {way: a.action_name or "" for way, a in answers.items()})
    return facts


def _hidden_cards(screen: Screen) -> dict[str, dict[str, float]]:
    """Higher takes, open and hidden."""
    screen.heading("Higher takes: Max leads from ♥6 ♦6 ♣9 ♣8; Min has ♠2 ♣10 ♣5 and a red four")
    cases = [zermelo.minimax(open_game("higher_takes", four=four)) for four in ("hearts", "diamonds")]
    hidden = zermelo.sequence_form(open_game("higher_takes", hidden=True))
    facts = {}
    for action, unseen in hidden.moves.items():
        name = cases[0].game.format_action(cases[0].state, action)
        each = [float(case.moves[action]) for case in cases]
        facts[name] = {"hearts": each[0], "diamonds": each[1], "average": sum(each) / 2, "hidden": round(unseen, 9)}
    rows = [(name, *(f"{value:+g}" if value else "0" for value in row.values())) for name, row in facts.items()]
    screen.table(("lead", ">four is ♥4", ">four is ♦4", ">average of the two", ">four is hidden"), rows)
    screen.line("tricks won less tricks lost: averaging open games does not see that Max will have to guess")
    return facts


def _trails(screen: Screen) -> dict[str, float]:
    """The trails, hidden and averaged."""
    hidden = zermelo.sequence_form(open_game("trails")).value
    seen = zermelo.expectimax(open_game("trails", hidden=False)).value
    screen.line(
        f"the trails: worth {hidden:g} (gold); whoever hopes to see the signs later expects {seen:g}, and a bus"
    )
    return {"hidden": hidden, "open": seen}


def _bluff(screen: Screen) -> dict[str, Any]:
    """Kuhn poker's equilibrium."""
    poker = open_game("kuhn_poker")
    found = zermelo.sequence_form(poker)
    value, policy = found.value, found.policy
    assert policy is not None
    screen.heading(f"Kuhn poker: worth {value:.4f} (-1/18) to the first player, and bluffing is part of it")
    play = [situation for situation in policy.situations() if situation.reached]
    rows = []
    for situation in play:
        does = ", ".join(f"{name} {p:.0%}" for name, p in situation.named.items() if p > 1e-9)
        rows.append((f"player {situation.player}", situation.sees, does))
    screen.table(("who", "sees", "does"), rows)
    return {"value": value, "play": [{"player": x.player, "sees": x.sees, "odds": x.named} for x in play]}


# --- pictures --------------------------------------------------------------------------------------------------------


class Picture(NamedTuple):
    """A tree to be drawn."""

    file: str
    title: str
    about: str
    tree: RecordedTree


def _drawn() -> Iterator[Picture]:
    """The trees of the tour."""
    from zermelo.equilibrium.nash.both_sides import best_policies, whole_tree

    def searched(method: str, game: Game, state: Any = None) -> RecordedTree:
        return getattr(zermelo, method)(game, state, record=True).tree

    lecture = zermelo.Tree(LECTURE)
    yield Picture("minimax", "Minimax", "Max takes the best of what Min leaves.", searched("minimax", lecture))
    about = "The same tree: what cannot change the answer is cut off, and the window says why."
    yield Picture("alphabeta", "Alpha-beta", about, searched("alphabeta", lecture))
    about = "Two heaps of two matches; whoever takes the last one loses. The first player is lost."
    yield Picture("nim", "II-Nim", about, searched("minimax", open_game("nim")))
    about = "The opponent picks the smaller number: B."
    yield Picture("bucket", "Bucket game", about, searched("minimax", open_game("bucket")))
    about = "The opponent picks at random: C."
    yield Picture("bucket_random", "Bucket game, random opponent", about, searched("expectimax", open_game("bucket")))
    about = "A coin may move the bucket: chance nodes average."
    yield Picture("bucket_coin", "Bucket game with a coin", about, searched("expectiminimax", open_game("coin_bucket")))
    toe = open_game("tic_tac_toe")
    about = "X to move, three cells left to decide it."
    yield Picture("tic_tac_toe", "Tic-tac-toe", about, searched("alphabeta", toe, toe.parse_state("XO./OXX/..O")))
    about = "Three players, each for itself: the weak two join against the strong one."
    yield Picture("alliance", "Alliance", about, searched("maxn", open_game("alliance")))
    for name, title, about in (
        ("rock_paper_scissors", "Rock, paper, scissors", "The second player cannot tell three nodes apart."),
        ("kuhn_poker", "Kuhn poker", "Nodes that look the same to their player are joined; branches have their odds."),
    ):
        hidden = open_game(name)
        yield Picture(name, title, about, whole_tree(hidden, best_policies(hidden)))


def _pictures(screen: Screen, folder: Path) -> list[str]:
    """Draw the trees and the page that shows them."""
    screen.heading("Pictures")
    parts, names = [], []
    for picture in _drawn():
        svg = picture.tree.svg()
        files.write(folder / f"{picture.file}.svg", svg)
        names.append(f"{picture.file}.svg")
        parts.append(
            f'<figure id="{picture.file}"><figcaption><h2>{escape(picture.title)}</h2><p>{escape(picture.about)} '
            f'<a href="{picture.file}.svg">{picture.file}.svg</a></p></figcaption>\n'
            f'<div class="picture">{svg}</div></figure>'
        )
    files.write(folder / "index.html", PAGE.replace("PICTURES", "\n".join(parts)))
    screen.line(f"{len(names)} trees and a page that shows them: {folder / 'index.html'}")
    return [*names, "index.html"]


PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>zermelo: trees</title>
<style>
:root { color-scheme: light dark; }
body { margin: 0 auto; max-width: 1200px; padding: 1.5rem; background: #f4f6f8; color: #1b2530;
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; }
h1 { margin: 0; }
figure { margin: 1.5rem 0; padding: 1rem 1.25rem; background: #fff; border: 1px solid #dde3e9; border-radius: 10px; }
h2 { margin: 0; font-size: 1.15rem; }
p { margin: 0.2rem 0 0.8rem; opacity: 0.8; }
.picture { overflow-x: auto; text-align: center; }
.picture svg { max-width: 100%; height: auto; }
a { color: #0068a8; }
@media (prefers-color-scheme: dark) {
  body { background: #0e1114; color: #e8ecf0; }
  figure { background: #15191e; border-color: #2a313a; }
  a { color: #5ab4ee; }
}
</style>
</head>
<body>
<h1>zermelo</h1>
<p>Trees as the searches saw them. Triangles point up where Max moves and down where Min does; point at a node to read
more about it.</p>
PICTURES
</body>
</html>
"""


def _shown(seconds: float) -> str:
    """The time in seconds or milliseconds."""
    return f"{seconds:.2f} s" if seconds >= 0.1 else f"{seconds * 1000:.1f} ms"


@contextmanager
def _quiet_compiler() -> Iterator[None]:
    """The tour says itself that it compiles."""
    before = os.environ.get("ZERMELO_QUIET")
    os.environ["ZERMELO_QUIET"] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ["ZERMELO_QUIET"]
        else:
            os.environ["ZERMELO_QUIET"] = before
