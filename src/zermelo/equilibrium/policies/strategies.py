"""Strategies in their three kinds, and how one becomes another.

A pure strategy is a plan: one action for each information set. A mixed strategy gives odds to plans; a behaviour
strategy gives odds to actions, at each information set on its own. With perfect recall both can do the same
(Kuhn, 1953): for each there is one of the other kind that reaches everything with the same odds.

>>> from zermelo import game
>>> from zermelo.equilibrium.forms.normal import normal_form
>>> table = normal_form(game("share"))
>>> profile = pure(table, "keep", "yes no yes")
>>> profile[0]
(1, 0, 0)
>>> plan_names(table.form, behaviour(table, profile))
('keep', 'yes no yes')
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import prod
from typing import Any

from zermelo.arguments import is_whole
from zermelo.contract import Game
from zermelo.equilibrium.forms.extensive import NOWHERE, ExtensiveForm, extensive_form
from zermelo.equilibrium.forms.forgetting import ANY, Plan
from zermelo.equilibrium.forms.normal import NormalForm, plans
from zermelo.equilibrium.policies.equilibrium import Behaviour
from zermelo.errors import BadParameter, UnsuitableGame
from zermelo.matrix import Matrix
from zermelo.policy import Policy

ROUNDING = 1e-9
Odds = list[list[Any]]
"""For each information set, by number, the odds of its places."""
Profile = tuple[tuple[Any, ...], ...]
"""For each player the odds of its plans."""
Policies = Policy | Sequence[Policy]
"""One policy for all players, or one for each."""


def pure(table: Matrix, *choices: int | str) -> Profile:
    """The profile in which each player follows one plan or plays one action, given by its number or its label.

    >>> from zermelo import Matrix
    >>> pure(Matrix([[1, 2], [3, 4]]), 1, "0")
    ((0, 1), (1, 0))
    """
    if len(choices) != table.players:
        raise BadParameter(f"{table.name}: give {table.players} choices, one a player, not {len(choices)}")
    profile = []
    for player, choice in enumerate(choices):
        labels = table.labels[player]
        place = labels.index(choice) if choice in labels else choice
        if not is_whole(place) or not 0 <= place < len(labels):
            raise BadParameter(f"{table.name}: {choice!r} is no choice of {table.names[player]}: {', '.join(labels)}")
        profile.append(tuple(int(i == place) for i in range(len(labels))))
    return tuple(profile)


def behaviour(table: NormalForm, profile: Sequence[Sequence[Any]]) -> Behaviour:
    """The behaviour strategies that reach everything with the same odds as these mixtures of plans.

    At information sets that the plans themselves keep play from, the behaviour is what the plans say there.
    """
    policy = policy_of(table.form, behaviour_odds(table, profile))
    if policy is None:
        raise UnsuitableGame(f"{table.name}: play differs by the way to a state, which no policy of states can say")
    return policy


def behaviour_odds(table: NormalForm, profile: Sequence[Sequence[Any]]) -> Odds:
    """The odds at each information set that do the same as these mixtures of plans."""
    odds: Odds = [[] for _ in table.form.sets]
    for player, strategy in enumerate(_checked(table, profile)):
        _behave(table, player, strategy, odds)
    return odds


def mixed(table: NormalForm, policies: Policies) -> Profile:
    """The mixtures of plans that reach everything with the same odds as these behaviour strategies.

    >>> from zermelo import Policy, game
    >>> from zermelo.equilibrium.forms.normal import normal_form
    >>> share = game("share")
    >>> mixed(normal_form(share), Policy.uniform(share))[1][0]
    0.125
    """
    return mixed_odds(table.form, odds_of(table.form, policies), table.plans)


def mixed_odds(form: ExtensiveForm, odds: Odds, own: Sequence[Sequence[Plan]]) -> Profile:
    """The odds of each player's plans when it chooses at each information set on its own."""
    again = next((n for n in range(len(form)) if _meets_itself(form, n)), None)
    if again is not None:
        raise UnsuitableGame(
            f"{form.game.name}: a play meets an information set twice; no mixture of plans can do that"
        )
    profile = []
    for player, several in enumerate(own):
        columns = [odds[s.number] for s in form.sets_of(player)]
        profile.append(
            tuple(
                prod((column[place] for column, place in zip(columns, plan, strict=True) if place != ANY), start=1)
                for plan in several
            )
        )
    return tuple(profile)


def small_profile(form: ExtensiveForm, odds: Odds, *, most: int = 4096) -> Profile:
    """The odds of every plan in the full normal form; nothing where some player has more than `most` plans."""
    for player in range(form.players):
        count = 1
        for s in form.sets_of(player):
            count *= len(s.actions)
            if count > most:
                return ()
    return mixed_odds(form, odds, [list(plans(form, player)) for player in range(form.players)])


def odds_of(form: ExtensiveForm, policies: Policies) -> Odds:
    """What policies do at each information set."""
    each = [policies] * form.players if isinstance(policies, Policy) else list(policies)
    if len(each) != form.players:
        raise BadParameter(f"{form.game.name} has {form.players} players; {len(each)} policies were given")
    odds = []
    for s in form.sets:
        chosen = each[s.player](form.way(s.nodes[0])[1])
        odds.append([chosen.get(action, 0) for action in s.actions])
    return odds


def policy_of(form: ExtensiveForm, odds: Odds) -> Behaviour | None:
    """The policy with these odds at each information set.

    None where one state, reached on several ways, is to be played with different odds: that happens only in games that
    hide nothing, whose policies know states, not ways.
    """
    chosen: dict[Any, dict[int, Any]] = {}
    for s, own in zip(form.sets, odds, strict=True):
        choice = {action: p for action, p in zip(s.actions, own, strict=True) if p}
        if chosen.setdefault((s.player, s.view), choice) != choice:
            return None
    return Behaviour(form.game, chosen)


def plan_names(form: ExtensiveForm, policies: Policies) -> tuple[str, ...]:
    """What each player does, information set by information set; mixed choices as "1/3 yes + 2/3 no"."""
    odds = odds_of(form, policies)
    names = []
    for player in range(form.players):
        words = []
        for s in form.sets_of(player):
            parts = [(p, label) for p, label in zip(odds[s.number], s.labels, strict=True) if p]
            words.append(parts[0][1] if len(parts) == 1 else "(" + " + ".join(f"{p} {name}" for p, name in parts) + ")")
        names.append(" ".join(words) or "-")
    return tuple(names)


def realisation(form: ExtensiveForm, player: int, strategy: Policy | Mapping[Plan, Any]) -> dict[tuple[int, int], Any]:
    """For each own action of a player, the probability that it makes all own decisions up to it, the action included.

    Actions are pairs of an information set and a place there. The strategy is a policy, or plans with their odds.
    """
    form.require_recall("realisation")
    own = form.sets_of(player)
    if isinstance(strategy, Policy):
        odds = odds_of(form, strategy)
        weights: dict[tuple[int, int], Any] = {}
        for s in own:
            before = weights[s.before] if s.before[0] != NOWHERE else 1
            weights |= {(s.number, place): before * p for place, p in enumerate(odds[s.number])}
        return weights
    return _sequence_weights(form, player, strategy)


def realisation_equivalent(
    game: Game | ExtensiveForm, player: int, first: Policy | Mapping[Plan, Any], second: Policy | Mapping[Plan, Any]
) -> bool:
    """Whether two strategies of a player reach everything with the same odds, whatever the others do.

    >>> from zermelo import Tree, move
    >>> tree = Tree(move(0, {"out": (1, 1), "in": move(1, {"l": (0, 0), "r": move(0, {"a": (2, 2), "b": (3, 0)})})}))
    >>> realisation_equivalent(tree, 0, {(0, 0): 1}, {(0, 1): 1})
    True
    """
    form = game if isinstance(game, ExtensiveForm) else extensive_form(game)
    one, two = realisation(form, player, first), realisation(form, player, second)
    return all(abs(one[key] - two[key]) <= ROUNDING for key in one)


def _checked(table: NormalForm, profile: Sequence[Sequence[Any]]) -> Profile:
    if len(profile) != table.players:
        raise BadParameter(f"{table.name}: give {table.players} mixed strategies, one a player, not {len(profile)}")
    return tuple(tuple(table._strategy(player, strategy)) for player, strategy in enumerate(profile))


def _behave(table: NormalForm, player: int, strategy: Sequence[Any], odds: Odds) -> None:
    """Write down what a mixture of plans does at each information set of its player."""
    form = table.form
    used = {plan: p for plan, p in zip(table.plans[player], strategy, strict=True) if p}
    if len(used) > 1:
        form.require_recall("turning a mixture of plans into behaviour")
    weights = _sequence_weights(form, player, used) if form.perfect_recall else {}
    for column, s in enumerate(form.sets_of(player)):
        places = range(len(s.actions))
        row = [weights.get((s.number, place), 0) for place in places]
        if not sum(row):
            row = [sum(p for plan, p in used.items() if plan[column] == place) for place in places]
        whole = sum(row)
        exact = not isinstance(whole, float)
        odds[s.number] = [(Fraction(x) / whole if exact else x / whole) for x in row] if whole else _even(places)


def _even(places: Sequence[int]) -> list[Any]:
    return [Fraction(1, len(places)) for _ in places]


def _sequence_weights(form: ExtensiveForm, player: int, used: Mapping[Plan, Any]) -> dict[tuple[int, int], Any]:
    """For each own action the total odds of the plans that play it and all own actions that lead to it."""
    own = form.sets_of(player)
    column = {s.number: i for i, s in enumerate(own)}
    bad = next((plan for plan in used if len(plan) != len(own)), None)
    if bad is not None:
        raise BadParameter(f"{form.game.name}: a plan of player {player} has {len(own)} choices, not {len(bad)}")
    weights: dict[tuple[int, int], Any] = {(s.number, i): 0 for s in own for i in range(len(s.actions))}
    for plan, p in used.items():
        reached = set()
        for s in own:
            number, place = s.before
            if number == NOWHERE or (number in reached and plan[column[number]] == place):
                reached.add(s.number)
                choice = plan[column[s.number]]
                if (s.number, choice) not in weights:
                    raise BadParameter(f"{form.game.name}: {choice!r} is no place at information set {s.number}")
                weights[s.number, choice] += p
    return weights


def actions_to(form: ExtensiveForm, node: int) -> tuple[int, ...]:
    """The actions on the way to a node."""
    return form.way(node)[0]


def _meets_itself(form: ExtensiveForm, node: int) -> bool:
    """Whether the path to a node passes through the information set of the node before."""
    if form.perfect_recall or form.at[node] == NOWHERE:
        return False
    here, above = form.at[node], form.parent[node]
    while above != NOWHERE and form.at[above] != here:
        above = form.parent[above]
    return above != NOWHERE
