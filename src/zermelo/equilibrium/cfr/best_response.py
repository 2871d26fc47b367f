"""Best responses: the most that a player can get while the others play on, and what that says about their play.

All of it is exact but for rounding: the whole game is flattened, nothing is sampled.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from zermelo.arguments import player_of
from zermelo.contract import Game, require_game
from zermelo.equilibrium.cfr.assessment import Judge, Responses
from zermelo.equilibrium.cfr.incidence import Form, form_of
from zermelo.equilibrium.forms.flat import MEGABYTES, Flat, flatten
from zermelo.equilibrium.policies.equilibrium import Behaviour, Equilibrium
from zermelo.equilibrium.policies.hashed_strategy import Strategy, odds_in, strategy_of
from zermelo.errors import BadParameter
from zermelo.exact import short
from zermelo.plain_data import as_plain, game_data
from zermelo.policy import Policies, Policy, in_an_answer
from zermelo.running.devices import machine_for

QUICK_ENDS = 5_000
"""With device="auto", games with at most so many ends are assessed in plain Python."""

Play = Policies | Equilibrium
"""How everybody plays: one policy for all, an equilibrium, or one policy for each player."""


class Response(NamedTuple):
    """What a best response gets, and how it plays."""

    value: float
    policy: Policy

    def to_json(self) -> dict[str, Any]:
        """The answer as plain data."""
        return game_data(self.policy.game) | as_plain({"value": self.value}) | in_an_answer(self.policy)


def best_response(
    game: Game, policy: Play, player: int, *, state: Any = None, device: str = "auto", memory: int = MEGABYTES
) -> Response:
    """The most that `player` can get while the others play by `policy`, and how.

    >>> from zermelo import Policy, game
    >>> poker = game("kuhn_poker")
    >>> value, policy = best_response(poker, Policy.uniform(poker), 0)
    >>> round(value, 6), policy(poker.play(poker.initial(), 0, 1))  # with the jack it bluffs
    (0.5, {0: 0.0, 1: 1.0})
    """
    require_game(game, "best_response")
    player_of(game.players, player, game.name)
    form = _form(game, state, device, memory)
    found = _judged(form, policy, device, without=player)
    return Response(found.best[player], Behaviour(game, strategy_of(form.flat, _chosen(form, found), player)))


def nash_conv(game: Game, policy: Play, *, state: Any = None, device: str = "auto", memory: int = MEGABYTES) -> float:
    """The sum over players of what a best response would gain.

    >>> from zermelo import Policy, game
    >>> poker = game("kuhn_poker")
    >>> round(nash_conv(poker, Policy.uniform(poker)), 6)
    0.916667
    """
    require_game(game, "nash_conv")
    return sum(gains(game, policy, state=state, device=device, memory=memory))


def exploitability(
    game: Game, policy: Play, *, state: Any = None, device: str = "auto", memory: int = MEGABYTES
) -> float:
    """The mean over players of what a best response would gain: 0 in an equilibrium.

    >>> from zermelo import Policy, game
    >>> hands = game("rock_paper_scissors")
    >>> exploitability(hands, Policy.uniform(hands)), exploitability(hands, Policy(hands, lambda view: 0))
    (0.0, 1.0)
    """
    return nash_conv(game, policy, state=state, device=device, memory=memory) / game.players


def gains(
    game: Game, policy: Play, *, state: Any = None, device: str = "auto", memory: int = MEGABYTES
) -> tuple[float, ...]:
    """What each player would gain by a best response."""
    return _judged(_form(game, state, device, memory), policy, device).gains


def _form(game: Game, state: Any, device: str, memory: int) -> Form:
    roots = None if state is None else {game.checked_state(state): 1.0}
    return form_of(flatten(game, roots, device=device, memory=memory))


def _judged(form: Form, policy: Play, device: str, without: int | None = None) -> Responses:
    on = machine_for(device, quick=len(form.flat.ends) <= QUICK_ENDS)
    return Judge(form, on).judge(odds_by(form.flat, policy, without))


def odds_by(flat: Flat, play: Play, without: int | None = None) -> Any:
    """The odds of every sequence's last action [sequences]; the player `without` needs no policy."""
    import numpy as np

    game = flat.game
    if isinstance(play, Equilibrium):
        if play.policy is None:
            raise BadParameter("this equilibrium has no policy: give one that has, such as cfr(game)")
        play = play.policy
    if isinstance(play, Policy):
        of: Mapping[int, Policy | None] = dict.fromkeys(range(game.players), play)
    elif isinstance(play, Mapping):
        of = play
    elif isinstance(play, list | tuple):
        of = dict(enumerate(play))
    else:
        raise BadParameter(f"{game.name}: give a policy for all, or one for each player, not {short(play)}")
    for p in range(game.players):
        if p != without and not isinstance(of.get(p), Policy):
            raise BadParameter(f"{game.name}: give a policy for all, or one for each player; player {p} has none")
        own = of.get(p)
        if own is not None and type(own.game) is not type(game):
            raise BadParameter(f"the policy of player {p} is one of {own.game.name}, not of {game.name}")
    sizes = np.diff(flat.first)
    odds = np.concatenate((np.ones(flat.players), np.repeat(1.0 / sizes, sizes)))
    open_sets = flat.player != (-1 if without is None else without)
    for player, policy in of.items():
        if isinstance(policy, Behaviour) and isinstance(policy.choose, Strategy) and policy.game == game:
            own, said = odds_in(flat, policy.choose)
            said &= flat.player == player
            odds[flat.players :] = np.where(np.repeat(said, sizes), own[flat.players :], odds[flat.players :])
            open_sets &= ~said
    for number in np.flatnonzero(open_sets).tolist():
        policy = of[int(flat.player[number])]
        assert policy is not None
        said_here = policy(flat.state(number))
        start = flat.first[number]
        for place, action in enumerate(flat.actions(number)):
            odds[start + place] = float(said_here.get(action, 0.0))
    return odds


def _chosen(form: Form, found: Responses) -> Any:
    """All odds on the best action of each set."""
    import numpy as np

    odds = np.zeros(form.flat.sequences)
    odds[form.flat.first[:-1] + found.choice] = 1.0
    return odds
