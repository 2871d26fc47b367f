"""The sequence form: exact play of two-player zero-sum games with hidden information by one linear program.

A player's plan is described by the odds of its sequences of actions instead of by whole strategies, of which there are
exponentially many (von Stengel, 1996; Koller, Megiddo and von Stengel, 1996). The program finds player 0's plan; its
dual prices are player 1's.
"""

import time
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from zermelo.by_hand import AnyGame, as_game
from zermelo.contract import Game, require_game
from zermelo.equilibrium.arithmetic.rational import unique_solution
from zermelo.equilibrium.forms.extensive import extensive_form
from zermelo.equilibrium.forms.flat import flatten
from zermelo.equilibrium.forms.sequences import EMPTY, OwnSet, SequenceForm, best_plan, from_extensive, from_flat, worth
from zermelo.errors import BadParameter, UnsuitableGame
from zermelo.policy import Policy
from zermelo.result import Analysis, Move
from zermelo.traits import ROUNDING as SUMS_ROUNDING
from zermelo.traits import total

ROUNDING = 1e-9
TIGHT = 1e-8
"""What the linear program leaves below this is 0 in truth."""
MOST_NODES_EXACT = 100_000
MEGABYTES = 1024
"""What the flattened game may take."""
MOST_SEQUENCES = 200_000
NUDGES = (0.0, 1e-6, 1e-5, 1e-4, 1e-3)
"""Weights of random terms in the objective, which make the linear program end in a corner; 0 is tried first."""
Plan = list[Any]


def sequence_form(game: AnyGame, state: Any = None, *, exact: bool = False) -> Analysis:
    """The value of a zero-sum game of at most two players in which something is hidden, and how both play.

    Where player 0 has one first information set, `moves` holds the value of each action there if it must be played.
    With `exact`, the value and the policy are fractions, proved to be optimal in exact arithmetic.

    >>> from zermelo import game
    >>> round(sequence_form(game("kuhn_poker")).value * 18, 6)
    -1.0
    >>> sequence_form(game("kuhn_poker"), exact=True).value
    Fraction(-1, 18)
    """
    game = as_game(game)
    require_game(game, "sequence_form")
    whole = total(game)
    if game.players > 2 or (game.players == 2 and whole is None):
        raise _not_zero_sum(game)
    started = time.perf_counter()
    s = game.initial() if state is None else game.checked_state(state)
    form = _form(game, s, exact)
    _check_sums(form, whole or 0.0)
    together: Any = _exact_sum(form) if exact else whole or 0.0
    value: Any
    value, plans = solve(form)
    if exact:
        value, plans = _exact(form, plans)
    moves = _first_moves(form)
    chosen = next((a for a, move in moves.items() if move >= value - ROUNDING), None)
    here = not game.is_terminal(s) and game.to_move(s) == 0
    rest = together - value
    return Analysis(
        value=value,
        values=(value,) if game.players == 1 else (value, rest if exact else rest + 0.0),
        action=chosen,
        line=(chosen,) if chosen is not None and here else (),
        moves=moves,
        bound="exact",
        nodes=form.nodes,
        depth=None,
        time=time.perf_counter() - started,
        method="sequence form",
        device="python",
        game=game,
        state=s,
        policy=_policy(form, plans),
        decision=first_decision(game, s),
    )


def _form(game: Game, s: Any, exact: bool) -> SequenceForm:
    """The sequence form from a state on, in fractions or in floats."""
    if exact:
        return from_extensive(extensive_form(game, s, most=MOST_NODES_EXACT))
    flat = flatten(game, {s: 1.0}, memory=MEGABYTES)
    if flat.sequences > MOST_SEQUENCES:
        raise UnsuitableGame(
            f"{game.name} has {flat.sequences:,} sequences, more than {MOST_SEQUENCES:,}: too many for a linear "
            "program; use cfr"
        )
    return from_flat(flat)


def _check_sums(form: SequenceForm, whole: float) -> None:
    """Refuse a game that looked zero-sum in random play, but has an end where the payoffs do not sum to 0."""
    import numpy as np

    if form.game.players < 2 or abs(whole) > SUMS_ROUNDING:
        return
    mine, theirs = (np.array(payoffs, dtype=float) for payoffs in form.payoffs)
    if np.abs(mine + theirs).max(initial=0.0) > SUMS_ROUNDING:
        raise _not_zero_sum(form.game)


def _exact_sum(form: SequenceForm) -> Fraction:
    """What the payoffs of every end sum to, exactly."""
    sums = {(mine + theirs) / p for mine, theirs, p in zip(*form.payoffs, form.odds, strict=True) if p}
    if sums and max(sums) - min(sums) > SUMS_ROUNDING:
        raise _not_zero_sum(form.game)
    if len(sums) > 1:
        raise UnsuitableGame(
            f"{form.game.name}: payoffs sum to the same but for rounding, which exact=True does not overlook: give "
            "fractions, or use lemke"
        )
    return Fraction(sums.pop()) if sums else Fraction(0)


def _not_zero_sum(game: Game) -> UnsuitableGame:
    """The error for a game that is not a zero-sum game of two; it names a method that fits."""
    other = "maxn" if game.view is None else "lemke, nash or cfr" if game.players == 2 else "nash or cfr"
    return UnsuitableGame(f"{game.name} is not a zero-sum game of two: sequence_form cannot solve it; use {other}")


def solve(form: SequenceForm, forced: int | None = None, nudge: float = 0.0) -> tuple[float, tuple[Plan, Plan]]:
    """The value for player 0 and both plans: the odds of each player's sequences; one of player 0's may be forced.

    Variables are player 0's plan, then the values to which player 1 holds it from the root (0) and from each of player
    1's sets on. With a nudge, the values at sets and the odds count a little too: of many best plans that picks one.
    """
    import numpy as np
    from scipy.optimize import linprog
    from scipy.sparse import coo_array, csr_array, hstack

    (n, m), values = form.counts, len(form.sets[1]) + 1
    payoffs = np.array(form.payoffs[0], dtype=float)
    table = coo_array((payoffs, (form.columns, form.rows)), shape=(m, n)).tocsr()  # [sequences of 1, sequences of 0]
    rules, other_rules = constraints(form.sets[0], n), constraints(form.sets[1], m)
    holds = hstack([-table, other_rules.T]).tocsc()
    plan = hstack([rules, csr_array((rules.shape[0], values))]).tocsc()
    aim, right = np.zeros(n + values), np.zeros(rules.shape[0])
    aim[n], right[0] = -1.0, 1.0
    if nudge:
        source = np.random.default_rng(0)
        aim[:n] -= nudge * source.random(n)
        aim[n + 1 :] -= nudge * (0.5 + source.random(values - 1))
    bounds = np.full((n + values, 2), (0.0, np.inf))
    bounds[n:, 0] = -np.inf
    if forced is not None:
        bounds[forced] = 1.0
    found = linprog(aim, holds, np.zeros(m), plan, right, bounds)
    if not found.success:
        raise BadParameter(f"{form.game.name}: the linear program has no solution ({found.message})")
    mine, theirs = np.clip(found.x[:n], 0.0, 1.0), np.clip(-found.ineqlin.marginals, 0.0, 1.0)
    return float(-found.fun + 0.0), (mine.tolist(), theirs.tolist())


def constraints(sets: list[OwnSet], sequences: int) -> Any:
    """The matrix of the equations of a plan.

    The empty sequence has odds 1; the odds of the sequences that leave a set sum to those of the one that reaches it.
    Its first row is the empty sequence; then comes one row for each set.
    """
    from scipy.sparse import coo_array

    rows, columns, entries = [0], [EMPTY], [1.0]
    for number, own in enumerate(sets, start=1):
        rows += [number] * (1 + len(own.actions))
        columns += [own.before, *own.after]
        entries += [-1.0] + [1.0] * len(own.actions)
    return coo_array((entries, (rows, columns)), shape=(len(sets) + 1, sequences)).tocsr()


def _first_moves(form: SequenceForm) -> dict[int, Move]:
    """What each first action of player 0 is worth if it must be played; empty unless its first set is unique."""
    first = form.first_sets
    if len(first) != 1:
        return {}
    own = first[0]
    return {a: Move(solve(form, sequence)[0]) for a, sequence in zip(own.actions, own.after, strict=True)}


def _policy(form: SequenceForm, plans: tuple[Plan, Plan]) -> Policy:
    """The policy of both players. Where nothing is hidden, several paths lead to equal states, and a plan may be poor
    on some of them: there the policy is that of a search."""
    if form.game.view is not None:
        return form.behaviour(plans)
    from zermelo.searches.plain.expectiminimax import expectiminimax
    from zermelo.searches.plain.minimax import minimax

    return Policy.best(form.game, minimax if form.game.probability is None else expectiminimax)


def first_decision(game: Game, s: Any) -> Any:
    """The first state, in the order of play, in which player 0 decides; None where it never does."""
    stack = [s]
    while stack:
        s = stack.pop()
        if game.is_terminal(s):
            continue
        if game.to_move(s) == 0:
            return s
        stack += [game.result(s, action) for action in reversed(list(game.actions(s)))]
    return None


# --- exact -----------------------------------------------------------------------------------------------------------


def _exact(form: SequenceForm, plans: tuple[Plan, Plan]) -> tuple[Fraction, tuple[Plan, Plan]]:
    """The value and plans in fractions, of which each is shown to be a best answer to the other.

    The linear program stops in a corner: the equations that hold there have one solution, which is found exactly. In
    degenerate games prices need not be a corner, nor need a corner of the program be one of the plans: then a program
    for each player, with nudges, finds its plan. If this fails too, Lemke's algorithm, which never rounds, is used.
    """
    for tried in _near(form, plans):
        mine, theirs = (_corner(form, player, tried) for player in (0, 1))
        if mine is not None and theirs is not None and _is_saddle(form, mine, theirs):
            break
    else:
        from zermelo.equilibrium.nash.lemke import check_rows, complementary_plans

        check_rows(form, "sequence_form: no proof in fractions was found", "exact=False")
        mine, theirs = complementary_plans(form)
    return -best_plan(form.sets[1], worth_against(form, 1, mine))[0], (mine, theirs)


def _near(form: SequenceForm, plans: tuple[Plan, Plan]) -> Iterator[tuple[Plan, Plan]]:
    """Best plans of both players, the given ones first, as far as linear programs find them."""
    yield plans
    for nudge in NUDGES:
        try:
            yield solve(form, nudge=nudge)[1][0], solve(_turned(form), nudge=nudge)[1][0]
        except BadParameter:
            continue  # The solver gave up.


def _turned(form: SequenceForm) -> SequenceForm:
    """The same zero-sum game with the players in the other order."""
    lost = [-x for x in form.payoffs[0]]
    return SequenceForm(
        form.game, form.nodes, form.counts[::-1], form.sets[::-1], form.columns, form.rows, (lost, form.payoffs[0])
    )


def worth_against(form: SequenceForm, player: int, plan: Plan) -> list[Any]:
    """What each sequence of a player is worth in the zero-sum game, when the other follows `plan`."""
    if player == 0:
        return worth(form, 0, plan)
    turned = SequenceForm(
        form.game, form.nodes, form.counts, form.sets, form.rows, form.columns,
        (form.payoffs[0], [-x for x in form.payoffs[0]]),
    )  # fmt: skip
    return worth(turned, 1, plan)


def _is_saddle(form: SequenceForm, mine: Plan, theirs: Plan) -> bool:
    """Whether no odds are negative, and both best responses give player 0 the same payoff."""
    if min(mine) < 0 or min(theirs) < 0:
        return False
    gets = best_plan(form.sets[0], worth_against(form, 0, theirs))[0]
    return gets == -best_plan(form.sets[1], worth_against(form, 1, mine))[0]


def _corner(form: SequenceForm, player: int, plans: tuple[Plan, Plan]) -> Plan | None:
    """The plan of a player from the equations that hold in the corner where the linear program stopped."""
    import numpy as np
    from scipy.sparse import coo_array

    own, other = form.sets[player], form.sets[1 - player]
    plan = plans[player]
    used = [sequence for sequence, p in enumerate(plan) if p > TIGHT]
    place = {sequence: i for i, sequence in enumerate(used)}
    # What each sequence of the other is worth, and how far it is from the best that can be had at its set.
    rows, columns = (form.rows, form.columns) if player == 0 else (form.columns, form.rows)
    payoffs = np.array(form.payoffs[0], dtype=float) * (-1 if player == 0 else 1)
    shape = form.counts[1 - player], form.counts[player]
    total_worth = (coo_array((payoffs, (columns, rows)), shape=shape).tocsr() @ np.array(plan)).tolist()
    best = [0.0] * len(other)
    for i in range(len(other) - 1, -1, -1):
        best[i] = max(total_worth[sequence] for sequence in other[i].after)
        total_worth[other[i].before] += best[i]
    equations: list[dict[int, Any]] = [{place[EMPTY]: 1}]
    for s in own:
        row = {place[q]: 1 for q in s.after if q in place}
        if s.before in place:
            row[place[s.before]] = -1
        equations.append(row)
    exact_rows: dict[int, dict[int, Any]] = {}
    for i, j, payoff in zip(rows, columns, form.payoffs[0], strict=True):
        if payoff and i in place:
            row = exact_rows.setdefault(j, {})
            row[place[i]] = row.get(place[i], 0) + (-payoff if player == 0 else payoff)
    # A sequence that is as good as any at its set: what it pays and leads to is the value of that set.
    for number, s in enumerate(other):
        for q in s.after:
            if total_worth[q] >= best[number] - TIGHT:
                row = dict(exact_rows.get(q, {}))
                for later, t in enumerate(other):
                    if t.before == q:
                        row[len(used) + later] = row.get(len(used) + later, 0) + 1
                row[len(used) + number] = -1
                equations.append(row)
    found = unique_solution(equations, [1] + [0] * (len(equations) - 1), len(used) + len(other))
    if found is None:
        return None
    out = [Fraction(0)] * form.counts[player]
    for sequence, i in place.items():
        out[sequence] = found[i]
    return out
