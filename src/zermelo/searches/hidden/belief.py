"""What a player can know of the state: every state that fits what was seen, and how likely each is."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

from zermelo.arguments import whole
from zermelo.bits import u64
from zermelo.compile.random import stream
from zermelo.contract import Game, require_game
from zermelo.errors import BadParameter, BadState, BrokenContract, UnsuitableGame
from zermelo.plain_data import as_plain
from zermelo.policy import Policies
from zermelo.running.suitability import require_no_repetition
from zermelo.searches.hidden.filtering import Odds, Sample, decisions, effective, enumerated, sampled, ways
from zermelo.searches.hidden.seen import Seen, seen_by, view_of

MOST_OPENED = 20_000
"""At most so many states are opened to find every way of play that fits; where there are more, a sample is taken."""
PARTICLES = 1_000
TRIES = (1, 10)
"""The sample begins with the wanted particles times each of these in turn, until enough of them fit."""
FEW = 10
"""A sample in which fewer particles than this fit is refused, unless fewer were wanted."""


@dataclass(frozen=True)
class Belief:
    """States in which a player may be, and their odds."""

    player: int
    states: dict[Any, float]
    """Every state, the likeliest first, and its odds; they sum to 1."""
    exact: bool
    """Whether these are all states, with their exact odds."""
    acceptance: float
    """The share of sampled ways of play that fit what the player saw; 1 where none were sampled."""
    effective: float
    """How many states drawn by their exact odds would be worth as much; where exact, the number of states."""
    seen: Seen = field(repr=False)

    def to_json(self) -> dict[str, Any]:
        """The belief as plain data; states are written as lists."""
        names = ("player", "exact", "acceptance", "effective")
        states = [{"state": s, "odds": p} for s, p in self.states.items()]
        return as_plain({name: getattr(self, name) for name in names} | {"states": states})

    def draw(self, count: int, source: random.Random) -> list[Any]:
        """So many states, each drawn by its odds."""
        return source.choices(list(self.states), cum_weights=list(accumulate(self.states.values())), k=count)


def belief(
    game: Game,
    state: Any = None,
    *,
    player: int | None = None,
    history: Sequence[Any] = (),
    policy: Policies | None = None,
    particles: int = PARTICLES,
    seed: int = 0,
) -> Belief:
    """The states that fit what the player to move has seen, and their odds.

    `state` is a whole state, of which only the player's view is used, or a `Seen`. `history` are the states before it,
    from the first on: what the player saw in them is used too. Others are taken to play by `policy` (a Policy, or a
    list or dict with one for each player), or to play every action alike. Small games are enumerated; in others,
    `particles` are led along what was seen. Where no policy is given and the game has its own
    `sample(view, player, bits)`, that draws.

    >>> from zermelo import game
    >>> poker = game("kuhn_poker")
    >>> s = poker.play(poker.initial(), 0, 2)
    >>> {poker.text(world): odds for world, odds in belief(poker, s).states.items()}
    {'J Q': 0.5, 'J K': 0.5}
    """
    require_game(game, "belief")
    seen = seen_by(game, state, player, history, "belief")
    return belief_of(game, seen, policy=policy, particles=particles, seed=seed)


def belief_of(
    game: Game, seen: Seen, *, policy: Policies | None = None, particles: int = PARTICLES, seed: int = 0
) -> Belief:
    """The states that fit what was seen."""
    require_no_repetition(game, "and belief makes up states that have no past")
    whole("particles", particles, least=1)
    whole("seed", seed)
    odds = Odds(game, policy)
    if game.view is None:
        return _open(game, seen)
    if game.sample is not None and policy is None:
        return _of(seen, _own_sample(game, seen, particles, seed), False, 1.0)
    way = ways(game, seen, odds)
    found = enumerated(way, MOST_OPENED)
    if found is not None:
        if not found:
            raise BadState(_nothing_fits(game, seen))
        return _of(seen, list(found.items()), True, 1.0)
    enough = min(FEW, particles)
    for times in TRIES:
        sample = sampled(way, particles * times, random.Random(seed))
        if len(sample.records) == 1:
            # All sampled ways to this view looked the same to the player: what it saw before is known.
            return belief_of(game, *sample.records, policy=policy, particles=particles, seed=seed)
        if sample.fewest >= enough:
            return _of(seen, sample.states, False, sample.acceptance)
    raise UnsuitableGame(_too_few(game, seen, sample))


def conceivable(game: Game, known: Belief, policy: Policies | None = None) -> dict[Any, float] | None:
    """The states that some player may think possible, or may think that another thinks possible, ...; with their odds.

    The player knows what it holds itself; the others do not, and think of other states too. None where they cannot be
    enumerated, and where the player knows more than its view says.
    """
    if game.view is None:
        return known.states
    reached = decisions(game, known.player, Odds(game, policy), MOST_OPENED)
    if reached is None:
        return None
    alike: dict[Any, list[Any]] = {}
    for s in reached:
        for player in range(game.players):
            alike.setdefault((player, view_of(game, s, player)), []).append(s)
    if set(alike.get((known.player, known.seen.last), ())) != known.states.keys():
        return None
    out: dict[Any, float] = {}
    stack = list(known.states)
    while stack:
        s = stack.pop()
        if s in out:
            continue
        out[s] = reached[s]
        for player in range(game.players):
            stack += alike.pop((player, view_of(game, s, player)), [])
    whole = sum(out.values())
    return {s: weight / whole for s, weight in out.items()}


def _open(game: Game, seen: Seen) -> Belief:
    """Nothing is hidden: the view is the state."""
    s = game.checked_state(seen.last)
    if game.is_terminal(s) or game.to_move(s) != seen.player:
        raise BadParameter(f"{game.name}: player {seen.player} does not move in this state")
    return _of(seen, [(s, 1.0)], True, 1.0)


def _of(seen: Seen, weighted: list[tuple[Any, float]], exact: bool, acceptance: float) -> Belief:
    whole = sum(weight for _, weight in weighted)
    states: dict[Any, float] = {}
    for s, weight in weighted:
        states[s] = states.get(s, 0.0) + weight / whole
    ranked = dict(sorted(states.items(), key=lambda item: -item[1]))
    worth = float(len(states)) if exact else effective(weighted)
    return Belief(seen.player, ranked, exact, acceptance, worth, seen)


def _own_sample(game: Game, seen: Seen, count: int, seed: int) -> list[tuple[Any, float]]:
    """States that the game itself draws."""
    out = []
    for i in range(count):
        s = game.sample(seen.last, seen.player, u64(stream(seed, i)))
        if game.view(s, seen.player) != seen.last or game.is_terminal(s) or game.to_move(s) != seen.player:
            raise BrokenContract(
                f"{game.name}: sample(view, {seen.player}, bits) returned a state in which player {seen.player} does "
                "not move or sees something else"
            )
        out.append((s, 1.0))
    return out


def _nothing_fits(game: Game, seen: Seen) -> str:
    return (
        f"{game.name}: no way of play leads to a state in which player {seen.player} moves and has seen this "
        f"({seen.last!r}); if chance moves there first, give the state after it"
    )


def _too_few(game: Game, seen: Seen, sample: Sample) -> str:
    if seen.whole:
        remedy = "let the game define sample(view, player, bits), which returns a state that fits"
    else:
        remedy = "give the states before it as history=, or let the game define sample(view, player, bits)"
    return (
        f"{game.name}: of {sample.tried:,} sampled ways of play {sample.fewest} fit what player {seen.player} saw "
        f"(acceptance rate {sample.acceptance:.2g}), too few to go by; {remedy}"
    )
