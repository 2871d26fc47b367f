"""Equilibria as answers: what everybody plays, what it is worth, and by how much it is not quite an equilibrium."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from zermelo.contract import Game
from zermelo.matrix import UNKNOWN, Matrix
from zermelo.plain_data import as_plain, frame, game_data
from zermelo.policy import COLUMNS, Policy, in_an_answer, rows
from zermelo.result import Real
from zermelo.situations import Situation

if TYPE_CHECKING:
    from pandas import DataFrame


class Behaviour(Policy):
    """How all players play: a map from (player, what that player knows) to the odds of actions."""

    def situation(self, s: Any) -> Any:
        """The mover and what it knows in `s`."""
        mover = self.game.to_move(s)
        return mover, s if self.game.view is None else self.game.view(s, mover)

    def __call__(self, s: Any) -> dict[int, float]:
        """The odds of each action in `s`; uniform where the sampled games never came."""
        if getattr(self.choose, "partial", False) and self.situation(s) not in self.choose:  # type: ignore[operator]
            legal = list(self.game.actions(s))
            return dict.fromkeys(legal, 1 / len(legal))
        return super().__call__(s)

    def key_of(self, found: Situation) -> Any:
        """The mover and what it knows."""
        return found.player, found.view

    def save(self, path: Any) -> None:
        """Write the policy to a file, which `Behaviour.load` reads; `policies.policy_files` says what is in it."""
        from zermelo.equilibrium.policies.policy_files import save

        save(path, self.game, self.choose)

    @classmethod
    def load(cls, path: Any, game: Game) -> "Behaviour":
        """How this game is played, as `save` wrote it; BadNotation where the file is of another game."""
        from zermelo.equilibrium.policies.policy_files import load

        return cls(game, load(path, game))


def behaviour_of(table: Matrix, game: Game, profile: Sequence[Sequence[Any]]) -> Behaviour | None:
    """How all players play when they mix their strategies of the table with these odds; None where one forgets."""
    from zermelo.equilibrium.forms.normal import NormalForm, choices

    if isinstance(table, NormalForm):
        return Behaviour(game, choices(table, profile)) if table.form.perfect_recall else None
    return Behaviour(game, {(p, UNKNOWN): {i: q for i, q in enumerate(own) if q} for p, own in enumerate(profile)})


MIXED_COLUMNS = ("player", "strategy", "name", "odds")
"""Of a table of mixed strategies."""


@dataclass(frozen=True, eq=False)
class Equilibrium:
    """What everybody plays such that nobody gains, or gains much, by playing otherwise.

    `profile` has one mixed strategy a player: a probability for each of its actions in a table, or for each of its
    strategies in the normal form; it is empty where a game was solved without one, and `policy` says how all play.
    `values` are what the players expect. `regret` is the most that any of them could gain by another strategy:
    exactly 0 where everything is exact.
    """

    profile: tuple[tuple[Real, ...], ...]
    values: tuple[Real, ...]
    regret: Real
    method: str
    game: Game = field(repr=False)
    policy: Policy | None = field(default=None, repr=False)
    gains: tuple[Real, ...] = ()
    """What each player could gain by its best response, where that was computed."""
    iterations: int | None = None
    """How many iterations were made, where the method iterates."""
    seed: int | None = None
    time: float = 0.0
    compile_seconds: float = 0.0
    """Seconds that went into making or loading native code for this answer: they are no part of `time`."""
    note: str = ""
    """What is guaranteed, where that is less than an equilibrium."""

    @property
    def value(self) -> Real:
        """What player 0 expects."""
        return self.values[0]

    @property
    def exploitability(self) -> Real:
        """The mean over players of what a best response would gain."""
        return sum(self.gains) / len(self.gains) if self.gains else self.regret

    @property
    def is_pure(self) -> bool:
        """Whether everybody plays one strategy for certain."""
        return bool(self.profile) and all(max(strategy) == 1 for strategy in self.profile)

    @property
    def support(self) -> tuple[tuple[int, ...], ...]:
        """The places of the actions that each player uses."""
        return tuple(tuple(i for i, p in enumerate(strategy) if p > 0) for strategy in self.profile)

    @property
    def strategies(self) -> tuple[tuple[str, ...], ...]:
        """The names of what each player mixes in the profile; empty where there is no profile."""
        from zermelo.draw.words.equilibria import strategy_labels

        return tuple(map(tuple, strategy_labels(self.game, self.profile))) if self.profile else ()

    def to_json(self) -> dict[str, Any]:
        """The answer as plain data; fractions are written as "1/3"."""
        document = {
            "method": self.method,
            "strategies": self.strategies,
            "profile": self.profile,
            "values": self.values,
            "regret": self.regret,
            "gains": self.gains,
            "exploitability": self.exploitability,
            "iterations": self.iterations,
            "seed": self.seed,
            "seconds": self.time,
            "compile_seconds": self.compile_seconds,
            "note": self.note,
        }
        return game_data(self.game) | as_plain(document) | in_an_answer(self.policy)

    def to_frame(self) -> "DataFrame":
        """A table of pandas: a row for each situation and action or, where there is no policy, for each strategy."""
        if self.policy is not None:
            return frame(COLUMNS, rows(self.policy.situations()))
        return frame(MIXED_COLUMNS, self._mixed())

    def _mixed(self) -> Iterator[tuple[Any, ...]]:
        for player, (names, strategy) in enumerate(zip(self.strategies, self.profile, strict=True)):
            for number, (name, p) in enumerate(zip(names, strategy, strict=True)):
                yield player, number, name, p

    def __str__(self) -> str:
        from zermelo.draw.words.equilibria import equilibrium_text

        return equilibrium_text(self)

    def _repr_html_(self) -> str:
        from zermelo.draw.words.equilibria import equilibrium_html

        return equilibrium_html(self)


class Equilibria(list[Equilibrium]):
    """A list of equilibria of one game, and how far it is complete.

    `components` are the connected sets of equilibria, each a list of maximal Nash subsets; a subset is one
    list of places in this list: every mixture of the strategies that these equilibria give to each player is an
    equilibrium too. `complete` says whether every equilibrium of the game is in the list or among those mixtures: for
    two players that is proven in exact arithmetic, for more it is what floating point found, as `note` says.
    """

    def __init__(
        self,
        found: Iterable[Equilibrium],
        *,
        complete: bool,
        components: Sequence[Sequence[Sequence[int]]] = (),
        note: str = "",
    ) -> None:
        super().__init__(found)
        self.complete = complete
        self.components = tuple(tuple(tuple(subset) for subset in component) for component in components)
        self.note = note

    def to_json(self) -> dict[str, Any]:
        """All of them as plain data; components name them by their places in the list."""
        head = game_data(self[0].game) if self else {}
        return head | {
            "complete": self.complete,
            "note": self.note,
            "strategies": as_plain(self[0].strategies) if self else [],
            "equilibria": [one.to_json() for one in self],
            "components": as_plain(self.components),
        }

    def to_frame(self) -> "DataFrame":
        """A table of pandas: the rows of every equilibrium, with its place in the list before them."""
        with_policy = all(one.policy is not None for one in self)
        columns = COLUMNS if with_policy else MIXED_COLUMNS
        return frame(
            ("equilibrium", *columns),
            (
                (place, *row)
                for place, one in enumerate(self)
                for row in (rows(one.policy.situations()) if with_policy and one.policy else one._mixed())
            ),
        )

    def __repr__(self) -> str:
        whole = "complete" if self.complete else "not known to be complete"
        return f"Equilibria({len(self)}, {whole})"

    def __str__(self) -> str:
        from zermelo.draw.words.equilibria import equilibria_text

        return equilibria_text(self)

    def _repr_html_(self) -> str:
        from zermelo.draw.words.equilibria import equilibria_html

        return equilibria_html(self)
