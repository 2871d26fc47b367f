"""The conformance test for anybody's game: does the class keep what a Game promises?

Random games are played from a seed and every state on the way is examined. What breaks the contract raises
BrokenContract; what merely closes a door (no native code, no perfect recall) is noted in the report.
"""

import inspect
import itertools
import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from zermelo.arguments import is_whole
from zermelo.bits import u64
from zermelo.by_hand import AnyGame, as_game
from zermelo.compile import hash64, kernel, machine, store_float
from zermelo.compile.layout import state_layout
from zermelo.compile.machine import is_native
from zermelo.compile.program import told_as
from zermelo.contract import CHANCE, Game, has_players, is_hashable, require_instance
from zermelo.contract.bounded import unbounded
from zermelo.errors import BrokenContract, CompileError, DeviceError, ZermeloError
from zermelo.plain_data import as_plain, game_data

LONGEST = 2_000
OVER = object()
"""Stands for the successor of an end."""
ENOUGH_STATES = 2_000
"""After so many different states no further game is begun: a game of chess takes a second."""
MANY = 12
"""Problems after which the examination stops."""


@dataclass
class Report:
    """What an examination found: how much was looked at, and what is worth knowing."""

    game: Game
    states: int = 0
    games: int = 0
    machines: tuple[str, ...] = ("python",)
    notes: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems

    def __bool__(self) -> bool:
        return self.ok

    def to_json(self) -> dict[str, Any]:
        """The report as plain data."""
        names = ("ok", "states", "games", "machines", "problems", "notes")
        return game_data(self.game) | as_plain({name: getattr(self, name) for name in names})

    def __str__(self) -> str:
        head = f"{self.game!r}: {'fine' if self.ok else 'broken'}"
        seen = f"{self.states} states of {self.games} random games, machines {', '.join(self.machines)}"
        wrong, notes = (f"  wrong: {p}" for p in self.problems), (f"  note: {n}" for n in self.notes)
        return "\n".join([f"{head} ({seen})", *wrong, *notes])

    def _repr_html_(self) -> str:
        from zermelo.draw.words.report import report_html

        return report_html(self)


class Examination:
    """Walks through a game and collects what is wrong."""

    def __init__(self, game: Game, games: int, seed: int) -> None:
        self.game = game
        self.report = Report(game)
        self.random = random.Random(seed)
        self.games = games
        self.seen: dict[Any, None] = {}
        self.information_sets: dict[Any, Any] = {}
        self.recall: dict[Any, Any] = {}
        self.same: dict[Any, Any] = {}

    def wrong(self, s: Any, what: str, remedy: str) -> None:
        """Note a problem, once for each kind."""
        where = f" in {_short(s)}" if s is not None else ""
        text = f"{what}{where}: {remedy}"
        if not any(known.startswith(what) for known in self.report.problems):
            self.report.problems.append(text)

    def run(self, machines: bool) -> Report:
        """The whole examination."""
        first = self.start()
        if first is not None:
            for _ in range(self.games):
                self.play(first)
                self.report.games += 1
                if len(self.report.problems) >= MANY or len(self.seen) >= ENOUGH_STATES:
                    break
        self.report.states = len(self.seen)
        if self.report.ok and machines:
            self.compare_machines()
        return self.report

    def start(self) -> Any:
        """The first state, or None where there is none to go on from."""
        game = self.game
        if not has_players(game):
            self.wrong(None, f"players is {game.players!r}", "write a number >= 1")
            return None
        try:
            first, again = game.initial(), game.initial()
        except Exception as error:
            self.wrong(None, f"initial() raises {_error(error)}", "return the first state")
            return None
        if not is_hashable(first):
            self.wrong(first, "the state is not hashable", "use a NamedTuple of integers and tuples, no lists")
            return None
        if first != again:
            self.wrong(first, "initial() returns different states", "put dice and deals into chance moves (CHANCE)")
        return first

    def play(self, s: Any) -> None:
        """One random game."""
        memories: list[tuple[Any, ...]] = [()] * self.game.players
        for _ in range(LONGEST):
            try:
                following = self.examine(s, memories)
            except ZermeloError as error:
                self.wrong(s, str(error), "see the message")
                return
            except Exception as error:
                self.wrong(s, f"a rule raises {_error(error)}", "rules must work in every state that play can reach")
                return
            if following is OVER:
                return
            s = following
        self.note(f"some random games are longer than {LONGEST} moves: searches will need a depth")

    def note(self, text: str) -> None:
        """Something worth knowing that is not wrong."""
        if text not in self.report.notes:
            self.report.notes.append(text)

    # --- one state -------------------------------------------------------------------------------------------------

    def examine(self, s: Any, memories: list[tuple[Any, ...]]) -> Any:
        """Look at `s`; a random successor, or OVER at the end."""
        game = self.game
        fresh = s not in self.seen
        self.seen[s] = None
        before = hash(s)
        if fresh:
            self.fields(s)
            self.writing(s)
        over = game.is_terminal(s)
        if not isinstance(over, bool | int) or bool(over) != bool(game.is_terminal(s)):
            self.wrong(s, "is_terminal is not True or False, or changes its mind", "return a comparison of the state")
        if not over and game.is_over(s):
            self.wrong(s, "is_over is true where is_terminal is false", "is_over may only be true at an end")
        if over:
            if fresh:
                self.end(s)
            return OVER
        mover = game.to_move(s)
        if not is_whole(mover) or not CHANCE <= mover < game.players:
            self.wrong(s, f"to_move returns {mover!r}", f"return 0 .. {game.players - 1}, or CHANCE")
            return OVER
        actions = self.actions(s)
        if not actions:
            return OVER
        if fresh:
            self.results(s, actions)
            self.symmetries(s, actions)
            self.estimates(s)
        if mover == CHANCE:
            action = self.chance(s, actions)
        else:
            action = self.random.choice(actions)
        self.views(s, mover, actions, action, memories)
        following = game.result(s, action)
        if following is None:
            self.wrong(s, "result returns None", "end every path of it with return self.State(...)")
            return OVER
        if hash(s) != before:
            self.wrong(s, "result changes the state that it was given", "states are values: build a new State")
        return following

    def fields(self, s: Any) -> None:
        """Every field has the type that its annotation says."""
        kind = getattr(self.game, "State", None)
        if kind is None or is_native(self.game) is not None:
            return
        if not isinstance(s, kind):
            self.wrong(s, f"the state is a {type(s).__name__}, not a State", "return self.State(...)")
            return
        for path, leaf in _leaves(s):
            if type(leaf) not in (int, bool, u64):
                if isinstance(leaf, str | float) or type(leaf).__module__ == "numpy":
                    what = f"the field {path} is {type(leaf).__name__}"
                    self.wrong(s, what, "integers only: // instead of /, int(...)")
            elif type(leaf) is int and not -(1 << 63) <= leaf < 1 << 63:
                self.wrong(s, f"the field {path} does not fit into 64 bits", "annotate boards as u64, or use two words")

    def writing(self, s: Any) -> None:
        """Names and numbers lead back to what they name."""
        game = self.game
        try:
            back = game.parse_state(game.format_state(s))
        except ZermeloError as error:
            if is_native(game) is None:
                self.wrong(s, f"parse_state refuses what format_state wrote ({error})", "make them inverses")
            return
        if back != s:
            self.wrong(s, "parse_state(format_state(s)) is another state", "make them inverses")

    def actions(self, s: Any) -> list[int]:
        """The actions of `s`, all of them sound."""
        game = self.game
        enough = 2 * game.max_actions + 1000  # a generator that never ends is caught here
        actions = list(itertools.islice(unbounded(game, s), enough))
        if actions != list(itertools.islice(unbounded(game, s), enough)):
            self.wrong(s, "actions yields something else the second time", "rules must depend on the state alone")
        if not actions:
            self.wrong(s, "a state that is not terminal has no actions", "make is_terminal true there, or yield a pass")
        if len(actions) > game.max_actions:
            remedy = f"set max_actions = {len(actions)} or more in the class"
            self.wrong(s, f"{len(actions)} actions are more than max_actions = {game.max_actions}", remedy)
            return []
        for action in actions:
            if type(action) not in (int, u64) or not 0 <= action < 1 << 63:
                self.wrong(s, f"the action {action!r} is no integer >= 0", "number the actions 0, 1, 2, ...")
                return []
        if len(set(actions)) != len(actions):
            self.wrong(s, "actions yields the same action twice", "yield each once")
        names = [game.format_action(s, a) for a in actions]
        if len(set(names)) != len(names):
            self.wrong(s, "two actions have the same name", "make format_action tell them apart")
        elif any(game.parse_action(s, name) != a for name, a in zip(names, actions, strict=True)):
            self.wrong(s, "parse_action(format_action(a)) is another action", "make them inverses")
        return actions

    def results(self, s: Any, actions: list[int]) -> None:
        """Results are states, and always the same ones."""
        # Dice often fall twice alike: the first states are asked more often.
        repeats = 6 if len(self.seen) < 20 else 1
        for action in actions:
            following = self.game.result(s, action)
            if not is_hashable(following):
                self.wrong(s, "the result is not hashable", "use a NamedTuple of integers and tuples, no lists")
            elif any(following != self.game.result(s, action) for _ in range(repeats)):
                self.wrong(s, "result differs the second time", "put dice and deals into chance moves (CHANCE)")

    def end(self, s: Any) -> None:
        """Utilities are numbers within their bounds."""
        game = self.game
        gains = [game.utility(s, player) for player in range(game.players)]
        for player, gain in enumerate(gains):
            if isinstance(gain, str) or not hasattr(gain, "__float__") or not math.isfinite(gain):
                self.wrong(s, f"utility(s, {player}) is {gain!r}", "return a finite number")
                return
            if player == 0 and game.bounds is not None and not game.bounds[0] <= gain <= game.bounds[1]:
                self.wrong(s, f"utility(s, 0) = {gain} is outside bounds = {game.bounds}", "widen bounds in the class")
        if game.utility_sum is not None and abs(math.fsum(gains) - game.utility_sum) > 1e-9:
            self.wrong(s, f"utilities sum to {math.fsum(gains):g}, not {game.utility_sum:g}", "leave utility_sum out")

    def chance(self, s: Any, actions: list[int]) -> int:
        """Odds are positive and sum to 1; one outcome drawn by them."""
        game = self.game
        if game.probability is None:
            self.wrong(s, "chance moves but there is no probability(s, action)", "define it; the odds must sum to 1")
            return actions[0]
        odds = [float(game.probability(s, action)) for action in actions]
        if any(not 0 < p <= 1 for p in odds):
            self.wrong(s, "an outcome has odds outside (0, 1]", "yield only outcomes that can happen")
        elif abs(math.fsum(odds) - 1) > 1e-9:
            self.wrong(s, f"the odds sum to {math.fsum(odds):.12g}", "make them sum to 1")
        return self.random.choices(actions, [max(p, 0.0) or 1e-9 for p in odds])[0]

    def views(self, s: Any, mover: int, actions: list[int], action: int, memories: list[tuple[Any, ...]]) -> None:
        """States that look the same to the mover offer the same actions; players remember what they did and saw."""
        game = self.game
        if game.view is None:
            return
        for player in range(game.players):
            seen = game.view(s, player)
            if not is_hashable(seen):
                self.wrong(s, f"view(s, {player}) is not hashable", "return an integer or a NamedTuple of integers")
                return
            if game.public is not None and game.private is not None:
                parts = game.public(s), game.private(s, player)
                by_view = self.same.setdefault(("view", player, seen), parts)
                by_parts = self.same.setdefault(("parts", player, parts), seen)
                if (by_view, by_parts) != (parts, seen):
                    what = f"public(s) and private(s, {player}) tell other states apart than view(s, {player})"
                    self.wrong(s, what, "leave view out: it is then derived from the two")
        if mover == CHANCE:
            return
        seen = (mover, game.view(s, mover))
        if self.information_sets.setdefault(seen, actions) != actions:
            what = "two states with the same view offer different actions"
            self.wrong(s, what, "a player must not learn from the list of actions what the view hides")
        if self.recall.setdefault(seen, memories[mover]) != memories[mover]:
            self.note("imperfect recall: a player's view does not tell everything that the player saw and did before")
        memories[mover] = (*memories[mover], (seen, action))

    def symmetries(self, s: Any, actions: list[int]) -> None:
        """Symmetries commute with the rules."""
        game = self.game
        if game.transform is None:
            return
        if game.transform(s, 0) != s:
            self.wrong(s, "transform(s, 0) is not s", "number 0 is the identity")
        for k in range(1, game.symmetry_count):
            mirrored = game.transform(s, k)
            if game.transform_action is None:
                continue
            if sorted(game.transform_action(a, k) for a in actions) != sorted(game.actions(mirrored)):
                self.wrong(s, f"symmetry {k} maps the actions wrongly", "transform_action must follow transform")
                continue
            for a in actions:
                if game.transform(game.result(s, a), k) != game.result(mirrored, game.transform_action(a, k)):
                    self.wrong(s, f"symmetry {k} does not commute with result", "transform must follow the board")
                    break

    def estimates(self, s: Any) -> None:
        """Evaluations are numbers within the bounds; table entries are in range."""
        game = self.game
        if game.evaluate is None:
            return
        for player in range(1 if _estimates_alone(game) else game.players):
            guess = game.evaluate(s) if _estimates_alone(game) else game.evaluate(s, player)
            if not isinstance(guess, int | float) or not math.isfinite(guess):
                self.wrong(s, f"evaluate returns {guess!r}", "return a finite number")
            elif player == 0 and game.bounds is not None and not game.bounds[0] <= guess <= game.bounds[1]:
                self.wrong(s, f"evaluate returns {guess}, outside bounds = {game.bounds}", "stay on utility's scale")

    # --- machines --------------------------------------------------------------------------------------------------

    def compare_machines(self) -> None:
        """The rules mean the same on every machine that is here."""
        game = self.game
        try:
            state_layout(game)
        except CompileError as error:
            self.note(f"python machine only: {error}")
            return
        states = list(self.seen)
        states = self.random.sample(states, min(200, len(states)))
        wanted = [_meaning_or_error(game, s, "python") for s in states]
        for device in ("cpu", "cuda"):
            try:
                found = [_meaning_or_error(game, s, device) for s in states]
            except CompileError as error:
                self.note(f"python machine only: {error}")
                return
            except DeviceError:
                continue
            self.report.machines += (device,)
            for s, left, right in zip(states, wanted, found, strict=True):
                if left != right and not (isinstance(left, str) and isinstance(right, str)):
                    remedy = "integers beyond 64 bits? use u64 for boards, // for division, no / on states"
                    said = f" ({right})" if isinstance(right, str) else ""
                    self.wrong(s, f"python and {device} disagree", remedy + said)
                    break


@kernel
@told_as("check")
def meaning(game, s, memory, out, alone):
    """A digest of all that the rules say about `s`; the utilities go to `out`."""
    if game.is_over(s):
        for player in range(game.players):
            store_float(out, player, 0.0 + game.utility(s, player))
        return hash64((1, 0, hash64(s)))
    end = game.fill(s, memory, 0)
    digest = hash64((0, game.to_move(s), hash64(s)))
    odds = 0.0
    for i in range(end):
        digest = hash64((digest, memory[i], hash64(game.result(s, memory[i]))))
        if game.probability is not None and game.to_move(s) == CHANCE:
            odds += (i + 1) * game.probability(s, memory[i])
    if game.view is not None:
        for player in range(game.players):
            digest = hash64((digest, hash64(game.view(s, player))))
    if game.evaluate is not None:
        if alone:
            odds += game.evaluate(s)
        else:
            for player in range(game.players):
                odds += (player + 1) * game.evaluate(s, player)
    store_float(out, 0, odds)
    return digest


def _meaning_or_error(game: Game, s: Any, device: str) -> Any:
    try:
        return _meaning(game, s, device)
    except BrokenContract as error:
        return str(error)


def _meaning(game: Game, s: Any, device: str) -> tuple[int, tuple[float, ...]]:
    on = machine(device)
    out, memory = on.memory(max(1, game.players)), on.memory(game.max_actions)
    digest = on.call(meaning, game=game, s=s, memory=memory, out=out, alone=_estimates_alone(game))
    return digest, on.floats(out, 0, game.players)


def check(game: AnyGame, *, games: int = 60, seed: int = 0, machines: bool = True) -> Report:
    """A report on a game that keeps the contract; BrokenContract, naming every fault, on one that does not.

    >>> from zermelo import game
    >>> check(game("nim"), machines=False).ok
    True
    """
    game = as_game(game)
    require_instance(game, "check")
    report = Examination(game, games, seed).run(machines)
    if not report.ok:
        lines = "\n  ".join(report.problems)
        raise BrokenContract(f"{game.name} breaks the contract of a game:\n  {lines}")
    return report


def _estimates_alone(game: Game) -> bool:
    """Whether the game's estimate is player 0's; with several players it may be asked for each of them."""
    return game.evaluate is None or len(inspect.signature(game.evaluate).parameters) == 1


def _leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, tuple):
        names = getattr(value, "_fields", range(len(value)))
        for name, item in zip(names, value, strict=True):
            yield from _leaves(item, f"{path}.{name}" if path else str(name))
    else:
        yield path, value


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 100 else text[:97] + "..."


def _error(error: Exception) -> str:
    return f"{type(error).__name__} ({str(error)[:120]})"
