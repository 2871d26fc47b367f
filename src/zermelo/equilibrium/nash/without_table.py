"""One equilibrium of a game whose table of strategies is too large: by states, sequences or information sets.

Where nothing is hidden, backward induction over states needs no strategies. Where something is, two players who
remember what they knew and did are solved by the sequence form: a linear program where the sum is constant, Lemke's
algorithm where it is not. For the rest there are subgames, and the path of logit equilibria over information sets.
"""

import time
from dataclasses import replace
from fractions import Fraction
from typing import Any

from zermelo.contract import CHANCE, Game, require_game
from zermelo.equilibrium.arithmetic.rational import exact_odds
from zermelo.equilibrium.cfr.best_response import gains
from zermelo.equilibrium.concepts.quantal import quantal_response
from zermelo.equilibrium.concepts.subgames import subgame_perfect, subgames
from zermelo.equilibrium.forms.extensive import extensive_form
from zermelo.equilibrium.forms.size import refuse_huge, without_tree
from zermelo.equilibrium.nash.lemke import lemke
from zermelo.equilibrium.nash.sequence_form import sequence_form
from zermelo.equilibrium.policies.equilibrium import Behaviour, Equilibrium
from zermelo.errors import EndlessGame, UnsuitableGame
from zermelo.exact import exact_numbers, plain
from zermelo.running.nodes import actions_at, mover_at, odds_at, payoffs_at
from zermelo.running.suitability import require_no_repetition
from zermelo.traits import total

MOST_STATES = 50_000
MOST_NODES = 20_000
"""Subgames are looked for in trees of up to so many nodes."""
NO_TABLE = "without the table of strategies, which would be too large"


def in_the_tree(game: Game, *, exact: bool) -> Equilibrium:
    """One equilibrium without a table of strategies; UnsuitableGame where no method fits, with what may help.

    >>> from zermelo import game
    >>> found = in_the_tree(game("leduc_poker"), exact=False)
    >>> round(found.value, 9), found.method
    (-0.085606424, 'sequence form')
    """
    if game.view is None:
        return replace(by_states(game, exact=exact), note=NO_TABLE)
    # Where a linear program is too large, so is all that follows: the first reason is the one to tell.
    zero_sum = game.players == 1 or (game.players == 2 and total(game) is not None)
    ways = [zero_sum_tree, _any_sum] if zero_sum else [_any_sum, _by_subgames, _logit]
    reasons = []
    for way in ways:
        try:
            found = way(game, exact=exact)
            return replace(found, note="; ".join(filter(None, (NO_TABLE, found.note))))
        except UnsuitableGame as error:
            reasons.append(str(error))
    reason = reasons[0 if zero_sum else -1]
    more = "" if "cfr" in reason else (
        '; cfr comes near and says how near (variant="external" where a player forgets, without that promise)'
    )  # fmt: skip
    raise UnsuitableGame(f"nash: the table of strategies is too large, and without it: {reason}{more}")


def zero_sum_tree(game: Game, *, exact: bool) -> Equilibrium:
    """Optimal play of a tree of two players whose payoffs have one sum, by the sequence form."""
    answer = sequence_form(game, exact=exact)
    assert answer.policy is not None
    gained: tuple[Any, ...] = (Fraction(0),) * game.players if exact else gains(game, answer.policy)
    return Equilibrium(
        (), answer.values, max(gained), answer.method, game, answer.policy, gained, time=answer.time
    )  # fmt: skip


def _any_sum(game: Game, *, exact: bool) -> Equilibrium:
    """An equilibrium of a tree of two players, by Lemke's algorithm."""
    found = lemke(game)
    return found if exact else in_floats(found)


def _by_subgames(game: Game, *, exact: bool) -> Equilibrium:
    """An equilibrium of a tree that has subgames, which are solved one by one, for any number of players."""
    form = extensive_form(game, most=MOST_NODES)
    if len(subgames(form)) < 2:
        raise UnsuitableGame(f"{game.name} has no subgame but itself")
    return subgame_perfect(game, exact=exact)[0]


def _logit(game: Game, *, exact: bool) -> Equilibrium:
    """An approximate equilibrium of a tree of any number of players: the end of the logit path."""
    if exact:
        raise UnsuitableGame(f"{game.name}: exact=True has no method for it, exact=False has the logit path")
    return quantal_response(game).equilibrium


def in_floats(found: Equilibrium) -> Equilibrium:
    """The same equilibrium with the floats next to its fractions."""
    assert isinstance(found.policy, Behaviour)
    choose: Any = found.policy.choose
    odds = {known: {action: float(p) for action, p in own.items()} for known, own in choose.items()}
    return replace(
        found,
        profile=tuple(tuple(map(float, own)) for own in found.profile),
        values=tuple(map(float, found.values)),
        gains=tuple(map(float, found.gains)),
        regret=float(found.regret),
        policy=Behaviour(found.game, odds),
    )


# --- by states -------------------------------------------------------------------------------------------------------


def by_states(game: Game, *, exact: bool, most: int = MOST_STATES) -> Equilibrium:
    """The equilibrium of a game without hidden information by backward induction (Zermelo, 1913; Kuhn, 1953): each
    state is solved once however it is reached, and its mover takes the first of the best actions.

    >>> from zermelo import game
    >>> by_states(game("tic_tac_toe"), exact=True).values
    (Fraction(0, 1), Fraction(0, 1))
    """
    started = time.perf_counter()
    require_game(game, "nash")
    start = game.initial()
    refuse_huge(game, start, most)
    require_no_repetition(game)
    order, ends = _states(game, start, most)
    payoffs = iter(exact_numbers(x for own in ends.values() for x in own))
    worth = {s: tuple(next(payoffs) for _ in own) for s, own in ends.items()}
    choose: dict[Any, Any] = {}
    one: Any = Fraction(1) if exact else 1.0
    for s, mover, below, odds in order:
        if mover == CHANCE:
            weighed = list(zip(exact_odds(odds), (worth[below[action]] for action in below), strict=True))
            worth[s] = tuple(sum(p * values[i] for p, values in weighed) for i in range(game.players))
        else:
            best = max(below, key=lambda action: worth[below[action]][mover])
            worth[s] = worth[below[best]]
            choose[mover, s] = {action: one if action == best else 0 * one for action in below}
    shown: Any = Fraction if exact else float
    none = (shown(0),) * game.players
    return Equilibrium(
        (), tuple(map(shown, worth[start])), none[0], "backward induction", game, Behaviour(game, choose), none,
        time=time.perf_counter() - started,
    )  # fmt: skip


Node = tuple[Any, int, dict[int, Any], tuple[Any, ...]]
"""A state, its mover, the state after each action, and the odds of the actions where chance moves."""


def _states(game: Game, start: Any, most: int) -> tuple[list[Node], dict[Any, tuple[Any, ...]]]:
    """All states but the ends, each after its successors; and what every player gets at the ends."""
    order: list[Node] = []
    ends: dict[Any, tuple[Any, ...]] = {}
    opened: dict[Any, Node | None] = {}
    stack = [start]
    while stack:
        s = stack[-1]
        if s in opened:
            node = opened[s]
            if node is not None:
                order.append(node)
                opened[s] = None
            stack.pop()
        elif game.is_terminal(s):
            ends[s] = tuple(map(plain, payoffs_at(game, s)))
            opened[stack.pop()] = None
        else:
            mover, actions = mover_at(game, s), actions_at(game, s)
            odds = tuple(map(plain, odds_at(game, s, actions))) if mover == CHANCE else ()
            below = {action: game.result(s, action) for action in actions}
            opened[s] = s, mover, below, odds
            for after in below.values():
                if opened.get(after) is not None:
                    raise EndlessGame(f"{game.name}: play comes back to a state where it was: its rules allow loops")
            stack += [after for after in reversed(below.values()) if after not in opened]
        if len(opened) > most:
            raise EndlessGame(f"{game.name} has more than {most:,} states: {without_tree(game)}")
    return order, ends
