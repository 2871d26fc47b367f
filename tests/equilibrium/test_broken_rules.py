"""Rules that no method may overlook: wrong odds, movers, utilities and actions are named where they are first met."""

import math
from typing import NamedTuple

import pytest

import zermelo
from zermelo import CHANCE, Game, Policy
from zermelo.equilibrium.cfr.best_response import best_response, exploitability
from zermelo.equilibrium.cfr.resolving import public_state
from zermelo.equilibrium.nash.both_sides import whole_tree
from zermelo.equilibrium.nash.sequence_form import sequence_form
from zermelo.equilibrium.nash.without_table import by_states
from zermelo.errors import BrokenContract


class Coin(Game):
    """A coin falls, player 0 sees it and chooses, player 1 guesses; parameters break the rules."""

    heads: float = 0.5
    tails: float = 0.5
    pays: float = 1.0
    second: int = 1
    lowest: int = 0
    max_actions = 4

    class State(NamedTuple):
        moves: int
        coin: int
        choice: int
        guess: int

    def initial(self):
        return self.State(0, 0, 0, 0)

    def to_move(self, s):
        return CHANCE if s.moves == 0 else 0 if s.moves == 1 else self.second

    def actions(self, s):
        if s.moves == 0:
            yield 0
            yield 1
        else:
            yield self.lowest
            yield self.lowest + 1

    def result(self, s, action):
        if s.moves == 0:
            return self.State(1, action, 0, 0)
        if s.moves == 1:
            return self.State(2, s.coin, action - self.lowest, 0)
        return self.State(3, s.coin, s.choice, action - self.lowest)

    def is_terminal(self, s):
        return s.moves == 3

    def utility(self, s, player):
        won = self.pays if s.guess != s.coin else -1.0
        return won if player == 0 else -won

    def probability(self, s, action):
        return self.heads if action == 0 else self.tails

    def view(self, s, player):
        return s.moves, s.coin if player == 0 else 0, s.choice


class OpenCoin(Coin):
    """The same with the coin on the table."""

    view = None


class Nobody(Coin):
    """Nobody plays."""

    players = 0


class Words(OpenCoin):
    """Actions are words."""

    def actions(self, s):
        return ("a", "b") if s.moves else (0, 1)

    def result(self, s, action):
        return super().result(s, "ab".index(action) if s.moves else action)


METHODS = {
    "normal_form": zermelo.normal_form,
    "extensive_form": zermelo.extensive_form,
    "nash": zermelo.nash,
    "nash of all": lambda g: zermelo.nash(g, all=True),
    "lemke": zermelo.lemke,
    "quasi_perfect": zermelo.quasi_perfect,
    "subgame_perfect": zermelo.subgame_perfect,
    "trembling_hand": zermelo.trembling_hand,
    "quantal_response": zermelo.quantal_response,
    "correlated": zermelo.correlated,
    "eliminate": zermelo.eliminate,
    "security_level": zermelo.security_level,
    "sequence_form": sequence_form,
    "exact sequence_form": lambda g: sequence_form(g, exact=True),
    "by_states": lambda g: by_states(g, exact=True),
    "best_response": lambda g: best_response(g, Policy.uniform(g), 0),
    "exploitability on cpu": lambda g: exploitability(g, Policy.uniform(g), device="cpu"),
    "cfr": lambda g: zermelo.cfr(g, iterations=2),
    "expected_values": lambda g: zermelo.expected_values(g, [Policy.uniform(g)] * g.players),
    "whole_tree": lambda g: whole_tree(g, Policy.uniform(g)),
}
for way, device in (("external", "python"), ("outcome", "python"), ("chance", "python"), ("external", "cpu")):
    METHODS[f"{way} on {device}"] = lambda g, way=way, device=device: zermelo.cfr(
        g, iterations=20, variant=way, device=device, assess=False
    )
FAULTS = {
    "odds": [{"heads": 0.1, "tails": 0.1}, {"heads": 5.0, "tails": 5.0}, {"heads": -1.0, "tails": 2.0},
             {"heads": math.nan}],
    "finite": [{"pays": math.nan}, {"pays": math.inf}],
    "to_move": [{"second": 7}, {"second": -2}],
    "action": [{"lowest": -1}],
}  # fmt: skip


@pytest.mark.parametrize("method", METHODS)
def test_each_method_names_what_is_wrong(method):
    native = "cpu" in method
    for kind in (OpenCoin,) if method == "by_states" else (Coin,) if native else (Coin, OpenCoin):
        METHODS[method](kind())
        for said, broken in FAULTS.items():
            # Each of them is compiled: one of a kind is enough.
            for given in broken[:1] if native else broken:
                with pytest.raises(BrokenContract, match=said) as caught:
                    METHODS[method](kind(**given))
                assert "\n" not in str(caught.value)
    with pytest.raises(BrokenContract, match="players"):
        METHODS[method](Nobody())


@pytest.mark.parametrize("method", [m for m in METHODS if "cpu" not in m])
def test_words_are_no_actions(method):
    with pytest.raises(BrokenContract, match="number the actions"):
        METHODS[method](Words())


def test_so_it_is_where_single_states_are_looked_for():
    for given in ({"heads": 5.0}, {"second": 7}):
        broken = Coin(**given)
        s = broken.play(broken.initial(), 0)
        with pytest.raises(BrokenContract):
            public_state(broken, s, Policy.uniform(broken))
        with pytest.raises(BrokenContract):
            Policy.uniform(broken).situations()
