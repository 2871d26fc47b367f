"""What a policy says, situation by situation, in the order of play."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from zermelo.contract import CHANCE, Game
from zermelo.errors import EndlessGame
from zermelo.plain_data import as_plain
from zermelo.running.nodes import actions_at, mover_at, outcomes_at

MANY = 200_000
"""So many states are looked at to list the situations of a policy."""
IMPOSSIBLE = 1e-9
"""Odds that are no larger are rounding: play does not come there."""

Odds = Mapping[int, Any]


class Situation(NamedTuple):
    """A player's decision: what it knows, and with which odds it takes which action."""

    player: int
    view: Any
    """What the player knows: its view, or the state where nothing is hidden."""
    sees: str
    """The state as the player may see it."""
    odds: dict[int, Any]
    names: dict[int, str]
    """The actions as people write them."""
    reached: bool
    """Whether play comes here; what the policy leaves open may happen."""

    @property
    def named(self) -> dict[str, Any]:
        """The odds by the names of the actions."""
        return {self.names[action]: p for action, p in self.odds.items()}

    def to_json(self) -> dict[str, Any]:
        """The situation as plain data, with the odds and the numbers of its actions by name."""
        return {
            "player": self.player,
            "sees": self.sees,
            "view": as_plain(self.view),
            "odds": as_plain(self.named),
            "actions": {self.names[action]: action for action in self.odds},
            "reached": self.reached,
        }


def situations(
    game: Game, says: Callable[[Any], Odds | None], state: Any = None, *, whole: bool = True, most: int = MANY
) -> list[Situation]:
    """All situations of which `says(state)` gives the odds, in the order of play; where not `whole`, those alone to
    which play comes. EndlessGame where the states are too many."""
    start = game.initial() if state is None else game.checked_state(state)
    said: dict[Any, Odds | None] = {}

    def odds_in(s: Any) -> Odds | None:
        known = _known(game, s)
        if known not in said:
            said[known] = says(s)
        return said[known]

    played = dict.fromkeys(_states(game, start, odds_in, most))
    reached = {_known(game, s) for s in played}
    found: dict[Any, Situation] = {}
    for s in _states(game, start, lambda s: None, most) if whole else played:
        known = _known(game, s)
        odds = None if known in found else odds_in(s)
        if odds is not None:
            mover, view = known
            all_odds = {action: odds.get(action, 0) + 0 for action in actions_at(game, s)}  # no -0.0
            names = {action: game.format_action(s, action) for action in all_odds}
            found[known] = Situation(mover, view, game.text(s, mover), all_odds, names, known in reached)
    return list(found.values())


def _known(game: Game, s: Any) -> tuple[int, Any]:
    """Who moves in `s`, and what it knows."""
    mover = game.to_move(s)
    return mover, s if game.view is None else game.view(s, mover)


def _states(game: Game, start: Any, odds_in: Callable[[Any], Odds | None], most: int) -> Iterator[Any]:
    """Each state once in which a player moves, level by level, as far as these odds lead; None: all actions."""
    level, seen = [start], {start}
    while level:
        below = []
        for s in level:
            if game.is_terminal(s):
                continue
            mover = mover_at(game, s)
            if mover != CHANCE:
                yield s
            odds = outcomes_at(game, s) if mover == CHANCE else odds_in(s)
            for action in actions_at(game, s):
                if odds is None or odds.get(action, 0) > IMPOSSIBLE:
                    after = game.result(s, action)
                    if after not in seen:
                        seen.add(after)
                        below.append(after)
            if len(seen) > most:
                raise EndlessGame(f"{game.name} has more than {most:,} states: too many to list what is done in them")
        level = below
