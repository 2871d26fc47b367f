"""Nash equilibria: one quickly, or all of them, exact and proven.

>>> from zermelo import Matrix
>>> battle = Matrix([[3, 0], [0, 2]], [[2, 0], [0, 3]])
>>> for equilibrium in nash(battle, all=True, exact=True):
...     print(*(" ".join(map(str, strategy)) for strategy in equilibrium.profile), sep=" | ")
1 0 | 1 0
0 1 | 0 1
3/5 2/5 | 2/5 3/5
"""

import builtins
import itertools
import time
from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Any

from zermelo.arguments import whole
from zermelo.by_hand import AnyGame, as_table
from zermelo.contract import Game, require_game
from zermelo.equilibrium.forms.normal import MOST_CELLS, normal_form
from zermelo.equilibrium.nash.bimatrix.bimatrix import Bimatrix
from zermelo.equilibrium.nash.bimatrix.enumeration import all_equilibria
from zermelo.equilibrium.nash.bimatrix.lemke_howson import from_labels
from zermelo.equilibrium.nash.bimatrix.supports import by_supports
from zermelo.equilibrium.nash.bimatrix.vertices import LARGEST_FLOAT, MOST_VERTICES
from zermelo.equilibrium.policies.equilibrium import Equilibria, Equilibrium, behaviour_of
from zermelo.errors import BadParameter, UnsuitableGame
from zermelo.matrix import Matrix

METHODS = ("vertices", "supports", "lemke-howson", "pure")
QUICK_CELLS = 20_000
"""Where the table of a tree has more cells, one equilibrium is found sooner in the tree."""
SMALL_TABLE = 256
"""Tables of up to so many cells are searched as they are; from larger ones dominated strategies are struck out."""


def nash(
    game: AnyGame,
    *,
    all: bool = False,
    exact: bool = False,
    method: str | None = None,
    reduced: bool = True,
    most: int = MOST_VERTICES,
) -> Equilibria:
    """Nash equilibria of a table, or of any game by its normal form: one of them, or with `all` every one.

    From a table everything is computed and verified in exact arithmetic; with `exact` numbers are fractions, else the
    floats next to them. Floats in tables are read as the simplest fractions that round to them. The list of `all` holds
    the extreme equilibria; `.components` says which mixtures of them are equilibria too, and `.complete` is true where
    it is proven that there are no others (with more than two players, where floating point found none). `method` is
    "vertices", "supports", "lemke-howson" (the ends of the paths from all labels with `all`) or "pure". Games are
    played by their reduced strategies unless `reduced` is false. A polytope with more than `most` vertices is refused.

    Where no method is asked for and one equilibrium is enough, a tree whose table would be large is solved without it:
    by backward induction if nothing is hidden, by the sequence form or Lemke's algorithm on it for two players, else
    by subgames or by the logit path. `.method` says how; `profile` is empty then, and `policy` says how all play.

    >>> from zermelo import game
    >>> found = nash(game("rock_paper_scissors"), all=True, exact=True)
    >>> found, found[0].profile[0]
    (Equilibria(1, complete), (Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)))
    """
    game = as_table(game)
    if method is not None and method not in METHODS:
        raise BadParameter(f"nash: method must be one of {', '.join(METHODS)}, not {method!r}")
    require_game(game, "nash")
    if game.players > 2 and method != "pure":
        if method is not None:
            raise UnsuitableGame(f"nash: {method} needs two players, {game.name} has {game.players}")
        # No table is made before this call: where it would be too large, an equilibrium is found in the tree.
        from zermelo.equilibrium.nash.n_players import equilibria

        return equilibria(game, all=all, exact=exact)
    if all or method is not None or not reduced or isinstance(game, Matrix):
        return _by_table(game, all=all, exact=exact, method=method, reduced=reduced, most=most)
    return _one(game, exact)


def _one(game: Game, exact: bool) -> Equilibria:
    """One equilibrium of a game of at most two players: by its table where that is small, or else in the tree."""
    from zermelo.equilibrium.nash.without_table import in_the_tree

    try:
        return _by_table(game, exact=exact, cells=QUICK_CELLS)
    except UnsuitableGame:
        pass
    try:
        return Equilibria([in_the_tree(game, exact=exact)], complete=False)
    except UnsuitableGame as reason:
        # Where a player forgets, only a table has its strategies.
        try:
            return _by_table(game, exact=exact)
        except UnsuitableGame:
            raise reason from None


def _by_table(
    game: Game, *, exact: bool, all: bool = False, method: str | None = None, reduced: bool = True,
    most: int = MOST_VERTICES, cells: int = MOST_CELLS,
) -> Equilibria:  # fmt: skip
    """The equilibria of a game of at most two players by its table; with `method="pure"`, of any number of players."""
    table = game if isinstance(game, Matrix) else normal_form(game, reduced=reduced, most=cells)
    if method == "pure" or table.players == 1:
        return _first(_pure(table, game, exact), all)
    pair = Bimatrix(table, game)
    if method == "supports":
        return _first(by_supports(pair, exact=exact), all)
    if method == "vertices" or (method is None and all):
        return _first(_every(pair, exact=exact, most=most), all)
    return from_labels(pair, None if all else 0, exact=exact)


def lemke_howson(game: AnyGame, label: int | None = None, *, exact: bool = True, reduced: bool = True) -> Equilibria:
    """The equilibria at the ends of Lemke and Howson's paths: from one label, or from all labels, each once.

    Label k is the first player's action k, or behind those an action of the second. `iterations` is the length of the
    path.

    >>> from zermelo import Matrix
    >>> [found] = lemke_howson(Matrix([[1, -1], [-1, 1]]), 0)
    >>> found.profile[0], found.iterations
    ((Fraction(1, 2), Fraction(1, 2)), 4)
    """
    game = as_table(game)
    return from_labels(_pair(game, "lemke_howson", reduced), label, exact=exact)


def support_enumeration(game: AnyGame, *, exact: bool = True, reduced: bool = True) -> Equilibria:
    """All extreme equilibria of a two-player game, by trying all supports; only for small games.

    >>> from zermelo import Matrix
    >>> len(support_enumeration(Matrix([[2, 0], [0, 1]], [[1, 0], [0, 2]])))
    3
    """
    game = as_table(game)
    return by_supports(_pair(game, "support_enumeration", reduced), exact=exact)


def vertex_enumeration(
    game: AnyGame, *, exact: bool = True, reduced: bool = True, most: int = MOST_VERTICES
) -> Equilibria:
    """All extreme equilibria of a two-player game, by the vertices of its best-response polytopes; proven to be all.

    >>> from zermelo import Matrix
    >>> found = vertex_enumeration(Matrix([[0, 0], [0, 0]]))
    >>> len(found), found.components
    (4, (((0, 1, 2, 3),),))
    """
    game = as_table(game)
    return _every(_pair(game, "vertex_enumeration", reduced), exact=exact, most=most)


def pure_equilibria(game: AnyGame, *, exact: bool = True, reduced: bool = True) -> Equilibria:
    """All equilibria in pure strategies, for any number of players.

    >>> from zermelo import game
    >>> [found.profile for found in pure_equilibria(game("prisoners_dilemma"))]
    [((Fraction(0, 1), Fraction(1, 1)), (Fraction(0, 1), Fraction(1, 1)))]
    """
    game = as_table(game)
    return _pure(_table(game, "pure_equilibria", reduced=reduced), game, exact)


def _table(game: Game, method: str, *, reduced: bool) -> Matrix:
    require_game(game, method)
    return game if isinstance(game, Matrix) else normal_form(game, reduced=reduced)


def _pair(game: Game, method: str, reduced: bool) -> Bimatrix:
    table = _table(game, method, reduced=reduced)
    if table.players != 2:
        raise UnsuitableGame(f"{method} needs two players, {game.name} has {table.players}: use nash")
    return Bimatrix(table, game)


def _every(pair: Bimatrix, *, exact: bool, most: int) -> Equilibria:
    """All equilibria, by vertices; a large table is first reduced by strict dominance.

    No equilibrium uses a strategy that another one always beats, so those of the smaller table are those of the whole.
    """
    whole("nash: most", most, least=1)
    large = max(max(row) for payoffs in (pair.first, pair.second) for row in payoffs.rows) > LARGEST_FLOAT
    if pair.m * pair.n <= SMALL_TABLE or large:
        return all_equilibria(pair, exact=exact, most=most)
    from zermelo.equilibrium.concepts.dominance import eliminate

    # On the integers that the search itself uses: a strategy that is struck out is dominated for certain.
    left = eliminate(Matrix(pair.first.rows, pair.second.rows))
    if not left.steps:
        return all_equilibria(pair, exact=exact, most=most)
    part = all_equilibria(Bimatrix(left.reduced, left.reduced), exact=True, most=most)
    found = []
    for one in part:
        weights = [
            _weights([Fraction(p) for p in odds], own, size)
            for odds, own, size in zip(one.profile, left.surviving, (pair.m, pair.n))
        ]
        found.append(pair.equilibrium(*weights, method=one.method, exact=exact, time=one.time))
    gone = f"{len(left.steps)} strategies that others" if len(left.steps) > 1 else "a strategy that others"
    said = f"struck out first: {gone} always beat, and no equilibrium uses"
    return Equilibria(
        found,
        complete=part.complete and builtins.all(one.regret == 0 for one in found),
        components=part.components,
        note="; ".join(filter(None, (part.note, said))),
    )


def _weights(odds: Sequence[Fraction], places: Sequence[int], size: int) -> list[int]:
    """The odds of some actions as integers, one for each action of the whole table."""
    unit = lcm(*(p.denominator for p in odds))
    weights = [0] * size
    for place, p in zip(places, odds, strict=True):
        weights[place] = p.numerator * (unit // p.denominator)
    return weights


def _first(found: Equilibria, all: bool) -> Equilibria:
    """The whole list, or the first of it."""
    return found if all or len(found) < 2 else Equilibria(found[:1], complete=False, note=found.note)


def _pure(table: Matrix, game: Game, exact: bool) -> Equilibria:
    """The cells in which no player gains by another action.

    With one player, these are all equilibria; with more, there may be mixed ones too.
    """
    started = time.perf_counter()
    payoffs = table.exact_cells
    shape, players = table.shape, range(table.players)
    best: list[dict[Any, Fraction]] = [{} for _ in players]
    for choices, cell in zip(itertools.product(*map(range, shape)), payoffs, strict=True):
        for p in players:
            others = choices[:p] + choices[p + 1 :]
            best[p][others] = max(best[p].get(others, cell[p]), cell[p])
    zero: Any = Fraction(0) if exact else 0.0
    found = []
    for choices, cell in zip(itertools.product(*map(range, shape)), payoffs, strict=True):
        if not builtins.all(cell[p] == best[p][choices[:p] + choices[p + 1 :]] for p in players):
            continue
        profile = tuple(
            tuple(zero + (i == choice) for i in range(size)) for choice, size in zip(choices, shape, strict=True)
        )
        values: Any = tuple(map(Fraction if exact else float, cell))
        elapsed, policy = time.perf_counter() - started, behaviour_of(table, game, profile)
        gains = (zero,) * len(shape)
        found.append(Equilibrium(profile, values, zero, "pure", game, policy, gains, time=elapsed))
    alone = table.players == 1
    return Equilibria(
        found,
        complete=alone,
        components=[[range(len(found))]] if alone else (),
        note="" if alone else "all in pure strategies; others may be mixed",
    )
