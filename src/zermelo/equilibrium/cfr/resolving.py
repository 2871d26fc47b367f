"""Subgames: play from a public state on, when it is known with which odds everybody got there.

A public state holds the states that look like the present one to some player, those that look like one of these to some
player, and so on. Where a game says `public(s)`, it is the states that share it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Unpack

from zermelo.contract import CHANCE, Game, require_game
from zermelo.equilibrium.cfr.cfr import cfr
from zermelo.equilibrium.policies.equilibrium import Equilibrium
from zermelo.errors import BadParameter, UnsuitableGame
from zermelo.policy import Policy
from zermelo.running.nodes import actions_at, mover_at, outcomes_at
from zermelo.types import ResolveOptions

MANY = 1_000_000
"""At most so many states are visited to find those of a public state."""

Ranges = Sequence[Mapping[Any, float] | None]


def resolve(
    game: Game,
    state: Any,
    policy: Policy | None = None,
    *,
    ranges: Ranges | None = None,
    **options: Unpack[ResolveOptions],
) -> Equilibrium:
    """Equilibrium play from the public state of `state` on; the options are those of `cfr`.

    How likely each state is follows from `policy`, by which all played so far, or from `ranges`: for each player, how
    likely it plays so far with each of its views (None: all alike). Values are means over those states. The play before
    is taken as given: who could have played otherwise then may still do better than these values say.

    >>> from zermelo import game
    >>> poker = game("kuhn_poker")
    >>> bet = poker.play(poker.initial(), 2, 1, 1)  # player 0 has the king, player 1 the queen, and 0 has bet
    >>> honest = {poker.view(poker.play(poker.initial(), card, other, 1), 0): odds
    ...           for card, other, odds in ((0, 1, 0.0), (1, 0, 0.0), (2, 0, 1.0))}
    >>> found = resolve(poker, bet, ranges=[honest, None])
    >>> round(found.policy(bet)[0], 3)  # against kings alone the queen folds
    1.0
    """
    require_game(game, "resolve")
    found = cfr(game, roots=public_state(game, state, policy, ranges=ranges), **options)
    given = "play before this state is taken as given"
    return replace(found, note=f"{given}; {found.note}" if found.note else given)


def public_state(
    game: Game, state: Any, policy: Policy | None = None, *, ranges: Ranges | None = None
) -> dict[Any, float]:
    """The states of the public state of `state`, and how likely each is; they sum to 1.

    >>> from zermelo import Policy, game
    >>> poker = game("kuhn_poker")
    >>> len(public_state(poker, poker.play(poker.initial(), 2, 1, 1), Policy.uniform(poker)))
    6
    """
    s = game.checked_state(state)
    if game.is_terminal(s) or game.to_move(s) == CHANCE:
        raise BadParameter("resolve: give a state in which a player moves")
    if (policy is None) == (ranges is None):
        raise BadParameter("resolve: give the policy by which all played so far, or ranges=, one map for each player")
    if ranges is not None and len(ranges) != game.players:
        raise BadParameter(f"resolve: {game.name} has {game.players} players; {len(ranges)} ranges were given")
    together = _shared(game, s, _reached(game, s, policy))
    weights = {}
    for other, weight in _reached(game, s, policy, together).items():
        for player in range(game.players if ranges is not None else 0):
            known = ranges[player] if ranges is not None else None
            weight *= 1.0 if known is None else float(known.get(_view(game, other, player), 0.0))
        if not weight >= 0.0:
            raise BadParameter(f"resolve: odds in ranges must be numbers >= 0; they give {weight!r}")
        if weight > 0.0:
            weights[other] = weight
    whole = sum(weights.values())
    if not whole > 0.0:
        raise BadParameter("resolve: by this policy or these ranges, play never comes to this public state")
    return {other: weight / whole for other, weight in weights.items()}


def _reached(game: Game, like: Any, policy: Policy | None, edge: Mapping[Any, None] | None = None) -> dict[Any, float]:
    """The states in which the same player moves as in `like`, and how likely chance and, where given, the policy lead
    there; with an edge, only its states, and none that is reached through another of them."""
    mover = game.to_move(like)
    out: dict[Any, float] = {}
    stack, left = [(game.initial(), 1.0)], MANY
    while stack:
        s, weight = stack.pop()
        left -= 1
        if left < 0:
            raise UnsuitableGame(f"{game.name}: a public state is looked for among {MANY:,} states at most")
        if game.is_terminal(s):
            continue
        now = mover_at(game, s)
        if now == mover and (edge is None or s in edge):
            out[s] = out.get(s, 0.0) + weight
            if edge is not None:
                continue
        if now == CHANCE:
            odds: Mapping[int, float] = outcomes_at(game, s)
        elif policy is not None:
            odds = policy(s)
        else:
            odds = dict.fromkeys(actions_at(game, s), 1.0)
        stack += [(game.result(s, a), weight * p) for a, p in odds.items()]
    return out


def _shared(game: Game, s: Any, reached: dict[Any, float]) -> dict[Any, None]:
    """The states of the public state of `s`."""
    if s not in reached:
        raise BadParameter("resolve: play never comes to this state")
    if game.public is not None:
        here = game.public(s)
        return dict.fromkeys(other for other in reached if game.public(other) == here)
    alike: dict[Any, list[Any]] = {}
    for other in reached:
        for player in range(game.players):
            alike.setdefault((player, _view(game, other, player)), []).append(other)
    found: dict[Any, None] = {}
    stack = [s]
    while stack:
        other = stack.pop()
        if other in found:
            continue
        found[other] = None
        for player in range(game.players):
            stack += alike.pop((player, _view(game, other, player)), [])
    return found


def _view(game: Game, s: Any, player: int) -> Any:
    return s if game.view is None else game.view(s, player)
