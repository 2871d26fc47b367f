"""Equilibria that withstand trembles: limits of equilibria of games in which every action has positive odds.

Trembles are powers of an infinitesimal e, and arithmetic with polynomials in e is exact: what holds for all small e > 0
is decided by the first coefficients that differ, and no numerical limit is taken.
"""

import itertools
import time
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import prod
from typing import Any

from zermelo.by_hand import AnyGame, as_table
from zermelo.contract import Game, require_game
from zermelo.equilibrium.concepts.quantal import behaviour_answer
from zermelo.equilibrium.forms.extensive import ExtensiveForm, extensive_form, paths
from zermelo.equilibrium.forms.sequences import OwnSet
from zermelo.equilibrium.nash.lemke import Polynomial, answer, exact_form, perturbed_plans
from zermelo.equilibrium.nash.n_players import equilibria
from zermelo.equilibrium.policies.equilibrium import Equilibrium
from zermelo.errors import UnsuitableGame
from zermelo.matrix import Matrix

MOST_NODES = 2_000
MOST_PROFILES = 20_000
MOST_CELLS = 20_000
POWERS, MOST_SLIPS = 3, 2_000
"""The highest power of e that a slip has; the most ways to assign powers to slips that are tried."""
TREMBLES = tuple(Fraction(1, 10**k) for k in (2, 3, 4, 5, 6))


def quasi_perfect(game: AnyGame, state: Any = None) -> Equilibrium:
    """A quasi-perfect equilibrium of a game of two players with perfect recall, in fractions.

    At every information set, reached or not, its owner does what is best given that the others may slip. In a payoff
    table the equilibrium is trembling-hand perfect: nobody plays a weakly dominated strategy.

    >>> weak = Matrix([[1, 1], [0, 1]], [[1, 0], [1, 1]])  # both bottom right is an equilibrium, but not a safe one
    >>> quasi_perfect(weak).profile
    ((Fraction(1, 1), Fraction(0, 1)), (Fraction(1, 1), Fraction(0, 1)))
    """
    game = as_table(game)
    started = time.perf_counter()
    form = exact_form(game, state, "quasi_perfect")
    plans = perturbed_plans(form, trembles=True)
    policy = form.behaviour([[p[0] for p in plan] for plan in plans])
    choose: dict[Any, dict[int, Any]] = dict(policy.choose)  # type: ignore[arg-type]
    for player, (sets, plan) in enumerate(zip(form.sets, plans, strict=True)):
        for own in sets:
            choose[player, own.view] = _leading_odds(own, plan)
    policy.choose = choose
    limit = [[p[0] for p in plan] for plan in plans]
    return answer(form, limit, "perturbed sequence form", started, policy=policy, note="quasi-perfect")


def _leading_odds(own: OwnSet, plan: Sequence[Polynomial]) -> dict[int, Fraction]:
    """The limit of the odds at a set as e vanishes: by the first power of e in which its sequences appear."""
    weights = [plan[sequence] for sequence in own.after]
    power = next(k for k in range(len(weights[0])) if any(w[k] for w in weights))
    whole = sum(w[power] for w in weights)
    return {action: w[power] / whole for action, w in zip(own.actions, weights, strict=True)}


class Tremble:
    """A polynomial in an infinitesimal e > 0, ordered by its first coefficients: 0 < e² < e < 1.

    >>> Tremble(0, 1) * Tremble(0, 1) < Tremble(0, 1) < Tremble(1, -5)
    True
    """

    __slots__ = ("coefficients",)

    def __init__(self, *coefficients: Any) -> None:
        last = len(coefficients)
        while last and not coefficients[last - 1]:
            last -= 1
        self.coefficients = coefficients[:last]

    def __add__(self, other: Any) -> "Tremble":
        pairs = itertools.zip_longest(self.coefficients, _coefficients(other), fillvalue=0)
        return Tremble(*(a + b for a, b in pairs))

    __radd__ = __add__

    def __mul__(self, other: Any) -> "Tremble":
        theirs = _coefficients(other)
        out: list[Any] = [0] * max(0, len(self.coefficients) + len(theirs) - 1)
        for i, a in enumerate(self.coefficients):
            for j, b in enumerate(theirs):
                out[i + j] += a * b
        return Tremble(*out)

    __rmul__ = __mul__

    def __lt__(self, other: "Tremble") -> bool:
        pairs = itertools.zip_longest(self.coefficients, other.coefficients, fillvalue=0)
        return next((a < b for a, b in pairs if a != b), False)

    def __bool__(self) -> bool:
        return bool(self.coefficients)


def _coefficients(x: Any) -> tuple[Any, ...]:
    return x.coefficients if isinstance(x, Tremble) else (x,)


def trembling_hand(game: AnyGame, state: Any = None) -> Equilibrium:
    """A trembling-hand perfect equilibrium: every information set does what is best given that all others may slip.

    For any number of players. A pure one is found and proved exactly, where slips that are powers of e show it; where
    none is, tables of two players are solved exactly, and other games as a limit of equilibria under trembles down to
    one in a million, which the note says.

    >>> trembling_hand(Matrix([[1, 1], [0, 1]], [[1, 0], [1, 1]])).profile
    ((Fraction(1, 1), Fraction(0, 1)), (Fraction(1, 1), Fraction(0, 1)))
    """
    game = as_table(game)
    started = time.perf_counter()
    form = _small_form(game, state, "trembling_hand")
    if prod(len(s.actions) for s in form.sets) <= MOST_PROFILES:
        pure = next(_perfect(form, started), None)
        if pure is not None:
            return pure
    if isinstance(game, Matrix) and game.players == 2:
        return quasi_perfect(game, state)
    return _limit(form, started)


def perfect_profiles(game: Game, state: Any = None) -> list[Equilibrium]:
    """The pure equilibria of a small game that are perfect, proved exactly by slips that are powers of e.

    >>> from zermelo import game
    >>> len(perfect_profiles(game("prisoners_dilemma")))
    1
    """
    started = time.perf_counter()
    form = _small_form(game, state, "perfect_profiles")
    count = prod(len(s.actions) for s in form.sets)
    if count > MOST_PROFILES:
        raise UnsuitableGame(
            f"{game.name} has {count:,} pure profiles, more than {MOST_PROFILES:,}: use quasi_perfect"
        )  # fmt: skip
    return list(_perfect(form, started))


def _small_form(game: Game, state: Any, method: str) -> ExtensiveForm:
    """The extensive form with all numbers read as fractions."""
    require_game(game, method)
    form = extensive_form(game, state, most=MOST_NODES)
    form.require_recall(method)
    form.payoffs, form.odds = form.exact_payoffs, form.exact_odds
    return form


def _perfect(form: ExtensiveForm, started: float) -> Iterator[Equilibrium]:
    """The pure profiles that are best everywhere under some slips."""
    sizes = [len(s.actions) for s in form.sets]
    below = _ends_below(form)
    for places in itertools.product(*map(range, sizes)):
        own = [[Fraction(int(i == place)) for i in range(size)] for place, size in zip(places, sizes, strict=True)]
        # The profile must be an equilibrium without slips too, which is quick to check.
        if _is_stable(form, own, places, below) and any(
            _is_stable(form, slips, places, below) for slips in _slips(sizes, places)
        ):
            yield behaviour_answer(form, own, "trembling hand", time.perf_counter() - started, note="perfect")


def _slips(sizes: Sequence[int], places: Sequence[int]) -> Iterator[list[list["Tremble"]]]:
    """Ways to slip off a pure profile: each other action by a power of e, all by the same one first."""
    others = sum(sizes) - len(sizes)
    for powers in itertools.islice(itertools.product(range(1, POWERS + 1), repeat=others), MOST_SLIPS):
        left = iter(powers)
        own = []
        for size, place in zip(sizes, places, strict=True):
            odds: list[Any] = [None if i == place else Tremble(*[0] * next(left), 1) for i in range(size)]
            odds[place] = sum((p * -1 for p in odds if p is not None), Tremble(1))
            own.append(odds)
        yield own


def _ends_below(form: ExtensiveForm) -> list[list[list[int]]]:
    """For each information set and each of its actions, the ends below that action."""
    below: list[list[list[int]]] = [[[] for _ in s.actions] for s in form.sets]
    for end in form.payoffs:
        node = end
        while node:
            parent = form.parent[node]
            if form.mover[parent] >= 0:
                below[form.at[parent]][form.place[node]].append(end)
            node = parent
    return below


def _is_stable(form: ExtensiveForm, own: Any, places: Sequence[int], below: Any) -> bool:
    """Whether no information set gains by another action than that of `places`, while all others play `own`."""
    return all(_is_best(form, own, number, place, below) for number, place in enumerate(places))


def _is_best(form: ExtensiveForm, own: Any, number: int, place: int, below: Any) -> bool:
    sure = [*own[:number], [1] * len(own[number]), *own[number + 1 :]]
    reach = paths(form, sure)
    player = form.sets[number].player
    pays = [sum((reach[end] * form.payoffs[end][player] for end in ends), Tremble()) for ends in below[number]]
    return not any(pays[place] < other for other in pays)


def _limit(form: ExtensiveForm, started: float) -> Equilibrium:
    """The limit of equilibria of the games in which every information set is a player that slips, ever less often."""
    import numpy as np

    sizes = [len(s.actions) for s in form.sets]
    if prod(sizes) * len(sizes) > MOST_CELLS:
        raise UnsuitableGame(
            f"{form.game.name} has {len(sizes)} information sets: too many for trembling_hand; use quasi_perfect for "
            "two players, or cfr"
        )
    cells = np.zeros((*sizes, len(sizes)))
    for places in itertools.product(*map(range, sizes)):
        values = _payoffs_of(form, places)
        cells[places] = [values[s.player] for s in form.sets]
    for tremble in TREMBLES:
        slips = [np.full((k, k), float(tremble)) + (1 - k * float(tremble)) * np.eye(k) for k in sizes]
        table = cells
        for axis, slip in enumerate(slips):
            table = np.moveaxis(np.tensordot(slip, table, axes=(1, axis)), 0, axis)
        found = equilibria(Matrix(table) if len(sizes) > 1 else Matrix(table[:, 0]))[0]
    own = [[_rounded(float(p)) for p in odds] for odds in found.profile]
    own = [[p / sum(odds) for p in odds] for odds in own]
    note = f"near the limit of trembles: equilibrium of the game with trembles of {float(TREMBLES[-1]):g}"
    return behaviour_answer(form, own, "trembling hand", time.perf_counter() - started, note=note)


def _payoffs_of(form: ExtensiveForm, places: Sequence[int]) -> list[float]:
    """What every player expects when each information set plays the action given in `places`."""
    own = [[int(i == place) for i in range(len(s.actions))] for s, place in zip(form.sets, places, strict=True)]
    reach = paths(form, own)
    return [
        float(sum(reach[end] * payoffs[player] for end, payoffs in form.payoffs.items() if reach[end]))
        for player in range(form.players)
    ]


def _rounded(p: float) -> float:
    """Odds, with those as small as the trembles set to 0."""
    return 0.0 if p < 1e-5 else p
