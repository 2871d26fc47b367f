"""Makes broken games: sound rules with one defect at one place, shown always or only deep in the game.

As a program it runs some of them, by number, on two machines, and writes a line of JSON about each: a child process may
die of a game, and whoever started it goes on with the next.
"""

import importlib.util
import itertools
import json
import math
import sys
from pathlib import Path
from typing import Any, NamedTuple

RULES = """
import math
from typing import NamedTuple

from zermelo import CHANCE, Game, table
from zermelo.bits import each, popcount, u64

TABLE = table([3, 1, 4])
WORDS = {{1: 2}}


def again(n):
    return again(n + 1) + 1


class {name}(Game):
    players = {players}
    max_actions = 4

    class State(NamedTuple):
        n: int
        x: int
        pair: tuple[int, int]

    def initial(self):
        return self.State(5, 3, (1, 2))

    def to_move(self, s):
        d = 0
        {to_move}
        return {mover}

    {actions_or_fill}

    def result(self, s, action):
        d = 0
        {result}
        return self.State(s.n - 1, (s.x * 3 + action + d) % 11, (s.pair[1], action))

    def is_terminal(self, s):
        d = 0
        {is_terminal}
        return s.n == 0 or d == 12345

    def utility(self, s, player):
        d = 0
        {utility}
        return {gain}

    def probability(self, s, action):
        d = 0
        {probability}
        return 0.5 + 0.0 * d

    def evaluate(self, s):
        d = 0
        {evaluate}
        return 0.125 * (s.x % 3) + d

    def inwards(self, n):
        return self.inwards(n - 1) * 2 + self.outwards(n)

    def outwards(self, n):
        return self.inwards(n + 2)
"""
ACTIONS = """def actions(self, s):
        d = 0
        {actions}
        yield 0 + d
        if s.x % 2:
            yield 1 + d
"""
FILL = """def fill(self, s, out, n):
        d = 0
        {actions}
        out[n] = 0
        out[n + 1] = 1
        return n + 2
"""
DEFECTS = {
    "quotient by zero": "d = 12 // (s.n - s.n)",
    "rest by zero": "d = 12 % (s.x - s.x)",
    "float by zero": "d = int(1.0 / (s.n - s.n))",
    "floor of a float by zero": "d = int(7.5 // (0.0 * s.n))",
    "divmod by zero": "d = divmod(5, s.n * 0)[0]",
    "least by minus one": "d = (-9223372036854775807 - 1 + 0 * s.n) // (0 * s.n - 1)",
    "shift by a negative": "d = 1 << (s.n - 99)",
    "shift right by a negative": "d = 1 >> (s.n - 99)",
    "shift too far": "d = (s.n + 1) << (70 + s.n)",
    "shift right far": "d = (s.x + 1) >> (70 + s.n)",
    "shift into the sign": "d = (1 << (63 + s.n * 0)) % 5",
    "product too large": "d = (s.n + 2**40) * (s.x + 2**40) % 7",
    "sum too large": "d = (9223372036854775807 + s.n + 1) % 7",
    "difference too large": "d = (-9223372036854775807 - s.n - 2) % 7",
    "total too large": "d = sum(v for v in (2**62, 2**62, s.n)) % 3",
    "power too large": "d = (s.n + 9) ** 40 % 5",
    "power of a negative": "d = int(2 ** (0 - s.n - 1))",
    "float power too large": "d = int(10.0 ** (400 + s.n)) % 3",
    "root of a negative": "d = int(math.sqrt(-1.0 - s.n))",
    "logarithm of zero": "d = int(math.log(0 * s.n))",
    "exponential too large": "d = int(math.exp(1000 + s.n) > 1)",
    "integer of infinity": "d = int(1e308 * 10 * (s.n + 1))",
    "integer of no number": "d = int((1e308 * 10) * 0.0 * s.n)",
    "integer of a large float": "d = int(1e200 * (s.x + 1)) % 3",
    "rounding no number": "d = round((1e308 * 10) * 0.0 * s.n)",
    "opposite of the least": "d = -(-9223372036854775807 - 1 + 0 * s.n) % 5",
    "large integers divided": "d = int((2**60 + s.n) / (2**59 + 1))",
    "assertion": "assert s.n > 99, 'never'",
    "raise": "raise ValueError('on purpose')",
    "raise of a text": "raise RuntimeError(f'at {s.n}')",
    "index beyond": "d = (1, 2, 3)[s.n + 5]",
    "index before": "d = (1, 2, 3)[-9 - s.n]",
    "index into a field": "d = s.pair[s.x + 2]",
    "index into a table": "d = TABLE[s.n + 40]",
    "index from the end": "d = (1, 2, 3)[-1 - s.n % 3] + TABLE[-1]",
    "recursion": "d = self.inwards(s.n)",
    "recursion of a function": "d = again(s.n)",
    "best of nothing": "d = max(v for v in s.pair if v > 99)",
    "float in a field": "d = 0.5",
    "nothing": "d = None",
    "a word": "d = 'two'",
    "board by zero": "d = int(u64(5) // u64(s.n - s.n))",
    "board by a negative": "d = int(u64(5) % (0 - s.n - 1))",
    "board shifted by a negative": "d = int(u64(5) << (s.n - 99))",
    "board that is no integer": "d = int(u64(2**63 + s.n)) % 5",
    "boards": "d = popcount(u64(s.x) << 60) + sum(at for at in each(u64(s.n)))",
    "a dictionary": "d = WORDS[1]",
    "a list": "d = len([v for v in range(s.n)])",
    "a tuple that grows": "t = ()\n        for i in range(s.n + 1):\n            t = (*t, i)\n        d = len(t)",
    "try": "try:\n            d = 1 // (s.n - s.n)\n        except ZeroDivisionError:\n            d = 1",
    "a name too late": "if s.n > 99:\n            late = 1\n        d = late",
    "a loop that never ran": "for item in range(s.n - 99):\n            pass\n        d = item",
    "another type": "d = 1.5 if s.x % 2 else 1",
    "an attribute that is not there": "d = s.missing",
    "a function that is not there": "d = missing(s.n)",
    "a text": "d = len(str(s.n))",
    "bits": "d = (s.x ^ -1) & 3 | s.n.bit_count()",
    "exact": "d = (s.x - 7) // 3 - (s.x - 9) % 4 + (s.n << 3) - (-5 >> 1) + 3**2 - abs(s.x - 9)",
}
"""What goes wrong, or what must not: a statement in which `s` is the state, and which sets the integer `d`."""
PLACES = ("result", "utility", "actions", "is_terminal", "to_move", "probability", "evaluate")
WHEN = {"always": "True", "deep": "s.n <= 2"}
IN_FILL = {
    "beyond": "out[n + 5] = 1",
    "wild": "out[n + 3_000_000_000 * (s.n + 1)] = 1",
    "before": "out[n - 1] = 1",
    "reads beyond": "d = out[n + 2_000_000_000]",
    "far too large": "return n + 1_000_000",
    "too large": "return n + 3",
    "smaller": "return n - 2",
    "a float": "return n + 0.5",
}
AT_PLACES = {
    "actions without end": ("actions", "while True:\n            yield 1"),
    "too many actions": ("actions", "yield 2\n        yield 3\n        yield 4\n        yield 5\n        yield 6"),
    "a float as an action": ("actions", "yield 0.5 + s.n"),
    "utility of no number": ("utility", "d = (1e308 * 10) * 0.0"),
    "a large utility": ("utility", "d = 1e300 * s.x"),
    "odds of nothing": ("probability", "return 'half'"),
    "a loop in is_terminal": ("is_terminal", "d = sum(1 for a in self.actions(s) if a > 9)"),
    "a mover of another kind": ("to_move", "return 0.5"),
    "a state that is none": ("result", "return s.n"),
    "a shorter state": ("result", "return (s.n - 1, s.x)"),
    "a field too large": ("result", "return self.State(s.n - 1, s.x + 2**70, s.pair)"),
    "a float in a tuple": ("result", "return self.State(s.n - 1, s.x, (s.x / 2, 1))"),
    "a wider tuple": ("result", "return self.State(s.n - 1, s.x, (*s.pair, 1))"),
    "a float by _replace": ("result", "return s._replace(n=s.n - 0.5)"),
}


class Case(NamedTuple):
    """A game with a defect, and the method that it is given to."""

    number: int
    defect: str
    place: str
    when: str
    chance: bool
    method: str


def cases() -> list[Case]:
    """All of them, in an order that never changes."""
    made: list[tuple[str, str, str]] = list(itertools.product(DEFECTS, PLACES, WHEN))
    made += [(defect, "fill", when) for defect in IN_FILL for when in WHEN]
    made += [(defect, place, when) for defect, (place, _) in AT_PLACES.items() for when in WHEN]
    out = []
    for number, (defect, place, when) in enumerate(made):
        chance = place == "probability" or number % 5 == 4
        methods = ("expectiminimax", "playouts", "perft") if chance else ("minimax", "alphabeta", "playouts", "perft")
        if place in ("evaluate", "probability"):
            methods = ("expectiminimax",) if chance else ("minimax", "alphabeta")
        elif number % 23 == 0:
            methods = ("mcts",) if chance else ("search", "mcts")
        out.append(Case(number, defect, place, when, chance, methods[number // 7 % len(methods)]))
    return out


def source(case: Case) -> str:
    """The rules as a file."""
    at = "actions" if case.place == "fill" else case.place
    statement = {**DEFECTS, **IN_FILL, **{name: text for name, (_, text) in AT_PLACES.items()}}[case.defect]
    indented = statement.replace("\n        ", "\n            ")
    holes = dict.fromkeys(PLACES, "pass")
    holes[at] = f"if {WHEN[case.when]}:\n            {indented}"
    moves = (FILL if case.place == "fill" else ACTIONS).format(actions=holes.pop("actions"))
    text = RULES.format(
        name=f"Broken{case.number}", players=2, actions_or_fill=moves,
        mover="(CHANCE if s.n % 2 and s.x % 2 else s.n % 2) + d" if case.chance else "s.n % 2 + d",
        gain="(s.x - 5 + d) * (1 if player == 0 else -1)", **holes,
    )  # fmt: skip
    if not case.chance:
        start = text.index("    def probability")
        text = text[:start] + text[text.index("    def evaluate") :]
    if case.place != "evaluate":
        start = text.index("    def evaluate")
        text = text[:start] + text[text.index("    def inwards") :]
    return text


def load(case: Case, folder: Path) -> Any:
    """The game, from a file of its own."""
    path = folder / f"broken_{case.number}.py"
    path.write_text(source(case))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return getattr(module, f"Broken{case.number}")()


def outcome(case: Case, game: Any, device: str) -> dict[str, Any]:
    """What the method gives on a machine: a value, a refusal, or an error that is none of this package's."""
    import zermelo

    limited = {"depth": 3} if case.place == "evaluate" else {}
    methods = {
        "minimax": lambda: zermelo.minimax(game, device=device, **limited).value,
        "alphabeta": lambda: zermelo.alphabeta(game, device=device, **limited).value,
        "expectiminimax": lambda: zermelo.expectiminimax(game, device=device, **limited).value,
        "playouts": lambda: zermelo.playouts(game, games=40, device=device).mean,
        "perft": lambda: zermelo.perft(game, 5, device=device),
        "search": lambda: zermelo.search(game, limit=zermelo.Limit(depth=4), device=device).value,
        "mcts": lambda: zermelo.mcts(game, limit=zermelo.Limit(simulations=60), device=device).value,
    }
    try:
        return {"value": float(methods[case.method]())}
    except zermelo.ZermeloError as error:
        return {"refused": type(error).__name__, "said": str(error)}
    except Exception as error:
        return {"raw": type(error).__name__, "said": str(error)[:500]}


LIMITS = (
    "64 bits",
    "cannot be divided exactly",
    "negative power of an integer",
    "cannot run natively",
    "cannot hold",
    "in native code",
)
"""Words of refusals that are the machine's and not the game's: plain Python may well know the answer."""


def fault(python: dict[str, Any], native: dict[str, Any]) -> str | None:
    """What is wrong with two outcomes; None where they are the same, or both refusals, or a limit that is told."""
    for name, found in (("python", python), ("cpu", native)):
        if "raw" in found:
            return f"{name} raised {found['raw']}: {found['said']}"
        if "\n" in found.get("said", ""):
            return f"{name} said more than one line: {found['said']}"
    if "refused" in native:
        refused = "refused" in python or native["refused"] == "CompileError" or any(w in native["said"] for w in LIMITS)
        return None if refused else f"only native code refused: {native['said']} (python: {python})"
    if "refused" in python:
        return f"only python refused: {python['said']} (cpu: {native})"
    here, there = python["value"], native["value"]
    same = here == there or (math.isnan(here) and math.isnan(there)) or math.isclose(here, there, rel_tol=1e-12)
    return None if same else f"python {here}, cpu {there}"


def main() -> None:
    """`broken_games.py FOLDER NUMBER...`"""
    folder = Path(sys.argv[1])
    known = cases()
    for number in map(int, sys.argv[2:]):
        case = known[number]
        print(json.dumps({"begins": number}), flush=True)
        game = load(case, folder)
        found = {device: outcome(case, game, device) for device in ("python", "cpu")}
        print(json.dumps({"number": number, **found}), flush=True)


if __name__ == "__main__":
    main()
