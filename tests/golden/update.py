"""Rewrites what the golden tests compare with: `python tests/golden/update.py`, when a change is meant to be one.

A signature is what a search of a game comes to: value, nodes and line. A playthrough is a random game of a fixed seed
with all that can be seen of it. Both are committed, so that a change of behaviour shows in the diff.
"""

import inspect
import json
import random
from pathlib import Path
from typing import Any

import zermelo
from zermelo import CHANCE

HERE = Path(__file__).parent
SIGNATURES = HERE / "signatures.json"
PLAYTHROUGHS = HERE / "playthroughs"

LONGEST = 60
"""States after which a playthrough breaks off: chess goes on for hundreds."""

Case = tuple[str, str, dict[str, Any]]

SEARCHES: list[Case] = [
    ("tic_tac_toe", "minimax", {"depth": 5}),
    ("tic_tac_toe", "minimax", {"device": "cpu"}),
    ("tic_tac_toe", "alphabeta", {"device": "cpu"}),
    ("tic_tac_toe", "alphabeta", {"bounds": True, "device": "cpu"}),
    ("tic_tac_toe", "alphabeta", {"symmetry": True, "device": "cpu"}),
    ("tic_tac_toe", "alphabeta", {"symmetry": True, "bounds": True, "position": "X../.O./..X"}),
    ("tic_tac_toe", "alphabeta", {"window": [-0.5, 0.5], "depth": 6, "device": "cpu"}),
    ("connect_four", "minimax", {"depth": 4}),
    ("connect_four", "alphabeta", {"depth": 8, "device": "cpu"}),
    ("connect_four", "alphabeta", {"depth": 8, "symmetry": True, "device": "cpu"}),
    ("connect_four", "alphabeta", {"position": "44444222", "depth": 5}),
    ("connect_four:rows=3,cols=4,line=3", "alphabeta", {}),
    ("nim", "minimax", {}),
    ("nim", "minimax", {"when_lost": "delay"}),
    ("nim", "minimax", {"when_lost": "hope"}),
    ("nim", "alphabeta", {}),
    ("nim", "alphabeta", {"bounds": True}),
    ("nim:heaps=(3, 2, 1)", "alphabeta", {"symmetry": True}),
    ("nim:heaps=(3, 2, 1),misere=False", "alphabeta", {}),
    ("halving:n=14", "minimax", {}),
    ("halving:n=14", "alphabeta", {"bounds": True}),
    ("bucket", "minimax", {}),
    ("bucket", "alphabeta", {}),
    ("bucket", "expectimax", {}),
    ("bucket", "paranoid", {}),
    ("coin_bucket", "expectiminimax", {}),
    ("coin_bucket", "expectiminimax", {"prune": "star1"}),
    ("coin_bucket", "expectiminimax", {"prune": "star2"}),
    ("coin_bucket", "expectimax", {}),
    ("pig", "expectiminimax", {"depth": 6}),
    ("pig", "expectiminimax", {"depth": 6, "prune": "star1"}),
    ("pig", "expectiminimax", {"depth": 6, "prune": "star2"}),
    ("pig:target=6,sides=3", "maxn", {"depth": 7}),
    ("share", "maxn", {}),
    ("share", "paranoid", {}),
    ("share", "expectimax", {}),
    ("alliance", "maxn", {}),
    ("alliance", "paranoid", {}),
    ("alliance", "expectimax", {}),
    ("alliance:rounds=1", "maxn", {}),
    ("three_player_tic_tac_toe", "maxn", {"depth": 4}),
    ("three_player_tic_tac_toe", "paranoid", {"depth": 4}),
    ("higher_takes", "minimax", {}),
    ("higher_takes", "alphabeta", {}),
    ("higher_takes:four=diamonds", "alphabeta", {}),
    ("trails:hidden=False", "expectiminimax", {}),
]

PLAYED = [
    *zermelo.games,
    "connect_four:rows=4,cols=5,line=3",
    "nim:heaps=(3, 4, 5),misere=False",
    "kuhn_poker:players=3",
    "leduc_poker:players=3",
    "liars_dice:dice=2,faces=3,wild=highest",
    "goofspiel:cards=3,players=3,hidden=True,ties=split,payoff=points",
    "battleship:rows=2,cols=3,ships=(1, 2),shots=3",
    "higher_takes:hidden=True",
    "trails:hidden=False",
    "pig:target=10,sides=4",
]


def signature(case: Case) -> dict[str, Any]:
    """The case and what its search comes to."""
    name, method, options = case
    of = zermelo.game(name)
    given = {k: v for k, v in options.items() if k != "position"}
    state = of.parse_state(options["position"]) if "position" in options else None
    found = getattr(zermelo, method)(of, state, **{"device": "python", **given})
    asked = {"game": name, "method": method, "options": {k: v for k, v in options.items() if k != "device"}}
    return {**asked, "value": found.value, "bound": found.bound, "nodes": found.nodes, "line": list(found.line)}


def playthrough(name: str) -> str:
    """The transcript of one random game."""
    of = zermelo.game(name)
    # Of all methods of a random generator, only `random` is promised to stay the same in later Pythons.
    source = random.Random(1913)
    lines = [
        f"game: {of!r}",
        f"traits: {of.traits}",
        f"actions at most: {of.max_actions}, policy size: {of.policy_size}",
        f"bounds: {of.bounds}, symmetries: {of.symmetry_count}, repetition: {of.repetition}",
    ]
    s, count = of.initial(), 0
    while True:
        lines += ["", f"--- state {count}", *seen(of, s)]
        if of.is_terminal(s):
            lines.append(f"utilities: {', '.join(str(of.utility(s, player)) for player in range(of.players))}")
            return "\n".join(lines) + "\n"
        if count == LONGEST:
            return "\n".join([*lines, "", "and so on"]) + "\n"
        legal = list(of.actions(s))
        action = legal[int(source.random() * len(legal))]
        lines += [*choices(of, s, legal), f"played: {action} ({of.format_action(s, action)})"]
        s, count = of.result(s, action), count + 1


def seen(of: Any, s: Any) -> list[str]:
    """What there is to see in a state."""
    lines = [*(f"| {line}".rstrip() for line in of.text(s).split("\n"))]
    lines += [f"state: {s!r}", f"written: {of.format_state(s)}", f"key: {int(of.key(s)) % (1 << 64):016x}"]
    if of.view is not None:
        for player in range(of.players):
            lines.append(f"view of player {player}: {of.view(s, player)!r}")
            lines += [f"{player}| {line}".rstrip() for line in of.text(s, player).split("\n")]
    if of.evaluate is not None:
        one_for_all = len(inspect.signature(of.evaluate).parameters) == 1
        found = [of.evaluate(s)] if one_for_all else [of.evaluate(s, player) for player in range(of.players)]
        lines.append(f"evaluation: {', '.join(f'{value:.12g}' for value in found)}")
    return lines


def choices(of: Any, s: Any, legal: list[int]) -> list[str]:
    """Who moves, and how."""
    mover = of.to_move(s)
    lines = [f"mover: {'chance' if mover == CHANCE else mover}"]
    lines.append(f"actions: {', '.join(f'{action} ({of.format_action(s, action)})' for action in legal)}")
    if mover == CHANCE:
        lines.append(f"odds: {', '.join(f'{float(of.probability(s, action)):.12g}' for action in legal)}")
    return lines


def file_of(name: str) -> Path:
    """Where a playthrough is kept."""
    word = "".join(letter if letter.isalnum() else "_" for letter in name)
    return PLAYTHROUGHS / f"{'_'.join(part for part in word.split('_') if part)}.txt"


def main() -> None:
    """Write everything anew."""
    rows = ",\n".join(json.dumps(signature(case)) for case in SEARCHES)
    SIGNATURES.write_text(f"[\n{rows}\n]\n", encoding="utf-8")
    PLAYTHROUGHS.mkdir(exist_ok=True)
    for old in PLAYTHROUGHS.glob("*.txt"):
        old.unlink()
    for name in PLAYED:
        file_of(name).write_text(playthrough(name), encoding="utf-8")
    print(f"{len(SEARCHES)} signatures and {len(PLAYED)} playthroughs written")


if __name__ == "__main__":
    main()
