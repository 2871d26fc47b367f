"""Rules that return what nobody can calculate with: every method refuses them in one line, where it first sees them."""

from fractions import Fraction
from typing import NamedTuple

import pytest

import zermelo
from zermelo import CHANCE, BadParameter, BrokenContract, Game, Limit, ZermeloError

FEW = Limit(simulations=300)


class Coin(Game):
    """A coin is tossed twice between two moves, and player 0 gets what was chosen."""

    class State(NamedTuple):
        turn: int = 0
        sum: int = 0

    def initial(self):
        return self.State()

    def to_move(self, s):
        return CHANCE if s.turn % 2 == 1 else s.turn // 2

    def actions(self, s):
        yield from range(3)

    def result(self, s, action):
        return self.State(s.turn + 1, s.sum + action)

    def is_terminal(self, s):
        return s.turn == 4

    def utility(self, s, player):
        return s.sum - 4 if player == 0 else 4 - s.sum

    def probability(self, s, action):
        return 1 / 3


def coin(**changes):
    return type("Coin", (Coin,), changes)()


CALLS = {
    "expectiminimax": lambda g, d: zermelo.expectiminimax(g, device=d),
    "star1": lambda g, d: zermelo.expectiminimax(g, prune="star1", bounds=(-4, 4), device=d),
    "star2": lambda g, d: zermelo.expectiminimax(g, prune="star2", bounds=(-4, 4), device=d),
    "maxn": lambda g, d: zermelo.maxn(g, device=d),
    "paranoid": lambda g, d: zermelo.paranoid(g, device=d),
    "expectimax": lambda g, d: zermelo.expectimax(g, device=d),
    "mcts": lambda g, d: zermelo.mcts(g, limit=FEW, device=d),
    "solver": lambda g, d: zermelo.mcts(g, limit=FEW, solver=True, device=d),
    "many": lambda g, d: zermelo.mcts.many(g, [g.initial()] * 2, limit=FEW, device=d),
    "playouts": lambda g, d: zermelo.playouts(g, games=300, device=d),
    "ismcts": lambda g, d: zermelo.ismcts(g, limit=FEW, device=d),
    "pimc": lambda g, d: zermelo.pimc(g, limit=FEW, device=d),
}
WITHOUT_DICE = {
    "minimax": lambda g, d: zermelo.minimax(g, device=d),
    "alphabeta": lambda g, d: zermelo.alphabeta(g, device=d),
    "symmetric": lambda g, d: zermelo.alphabeta(g, order=lambda s, a: 1, device=d),
    "hopeless": lambda g, d: zermelo.minimax(g, when_lost="hope", device=d),
}
PERFT = {"perft": lambda g, d: zermelo.perft(g, 3, device=d)}


def too_little(self, s, action):
    return 0.1


def too_much(self, s, action):
    return 0.5


def far_too_much(self, s, action):
    return 5.0


def below_nothing(self, s, action):
    return -1.0


def partly_below(self, s, action):
    return 1.5 if action == 0 else -0.25


def not_a_number(self, s, action):
    return float("nan")


def without_end(self, s, action):
    return float("inf")


def the_seventh(self, s):
    return 7


def the_seventh_later(self, s):
    return 7 if s.turn == 2 else CHANCE if s.turn % 2 == 1 else 0


def before_chance(self, s):
    return -2


def in_turn(self, s):
    return s.turn % 2


def negative(self, s):
    yield -1
    yield 1


BROKEN = {
    "odds too little": ({"probability": too_little}, "the odds"),
    "odds too much": ({"probability": too_much}, "the odds"),
    "odds far too much": ({"probability": far_too_much}, "the odds"),
    "odds negative": ({"probability": below_nothing}, "the odds"),
    "odds partly negative": ({"probability": partly_below}, "the odds"),
    "odds no number": ({"probability": not_a_number}, "the odds"),
    "odds infinite": ({"probability": without_end}, "the odds"),
    "utility nan": ({"utility": not_a_number}, "no finite number"),
    "utility infinite": ({"utility": without_end}, "no finite number"),
    "mover seven": ({"to_move": the_seventh}, "nobody who plays"),
    "mover seven later": ({"to_move": the_seventh_later}, "nobody who plays"),
    "mover below": ({"to_move": before_chance}, "nobody who plays"),
    "chance without odds": ({"probability": None}, "chance moves only where"),
    "negative actions": ({"actions": negative}, "no integer >= 0"),
}
ONLY_IN_PYTHON = {
    "odds none": ({"probability": lambda self, s, action: None}, "the odds"),
    "odds in words": ({"probability": lambda self, s, action: "1/3"}, "the odds"),
    "utility none": ({"utility": lambda self, s, player: None}, "no finite number"),
    "utility in words": ({"utility": lambda self, s, player: "1"}, "no finite number"),
    "utility complex": ({"utility": lambda self, s, player: 1j}, "no finite number"),
    "mover none": ({"to_move": lambda self, s: None}, "nobody who plays"),
    "mover a word": ({"to_move": lambda self, s: "0"}, "nobody who plays"),
    "mover a half": ({"to_move": lambda self, s: 0.5}, "nobody who plays"),
    "actions in words": ({"actions": lambda self, s: iter("AB")}, "no integer >= 0"),
    "actions in pairs": ({"actions": lambda self, s: iter([(0, 1), (1, 0)])}, "no integer >= 0"),
    "actions none": ({"actions": lambda self, s: iter([None])}, "no integer >= 0"),
    "actions in floats": ({"actions": lambda self, s: iter([0.5])}, "no integer >= 0"),
}


def refused(call, game, device, words):
    with pytest.raises(ZermeloError) as caught:
        call(game, device)
    message = str(caught.value)
    assert isinstance(caught.value, BrokenContract), repr(caught.value)
    assert words in message
    assert "\n" not in message


@pytest.mark.parametrize("broken", [*BROKEN, *ONLY_IN_PYTHON])
@pytest.mark.parametrize("method", CALLS)
def test_plain_python(method, broken):
    changes, words = (BROKEN | ONLY_IN_PYTHON)[broken]
    refused(CALLS[method], coin(**changes), "python", words)


SOUND_ODDS = {name: fault for name, fault in (BROKEN | ONLY_IN_PYTHON).items() if "odds" not in name}


@pytest.mark.parametrize("broken", SOUND_ODDS)
@pytest.mark.parametrize("method", WITHOUT_DICE)
def test_plain_python_without_dice(method, broken):
    changes, words = SOUND_ODDS[broken]
    still = {"probability": None, "to_move": in_turn} | changes
    refused(WITHOUT_DICE[method], coin(**still), "python", words)


@pytest.mark.parametrize("broken", [b for b in (BROKEN | ONLY_IN_PYTHON) if b.startswith(("actions", "negative"))])
@pytest.mark.parametrize("device", ["python", "auto"])
def test_perft(broken, device):
    changes, words = (BROKEN | ONLY_IN_PYTHON)[broken]
    refused(lambda g, d: zermelo.perft(g, 3, device=d), coin(**changes), device, words)


@pytest.mark.slow
@pytest.mark.parametrize("broken", BROKEN)
def test_native_code(broken):
    changes, words = BROKEN[broken]
    for method in ("expectiminimax", "star2", "maxn", "mcts", "solver", "many", "playouts", "ismcts"):
        refused(CALLS[method], coin(**changes), "cpu", words)


def test_native_code_of_some():
    for broken, method in (
        ("odds too much", "expectiminimax"),
        ("mover seven later", "mcts"),
        ("utility nan", "playouts"),
    ):
        changes, words = BROKEN[broken]
        refused(CALLS[method], coin(**changes), "cpu", words)


@pytest.mark.parametrize("method", CALLS)
def test_sound_rules_are_not_refused(method):
    exact = coin(probability=lambda self, s, action: Fraction(1, 3))
    never = coin(probability=lambda self, s, action: 1 if action == 0 else 0)
    for game in (coin(), exact, never):
        CALLS[method](game, "python")


@pytest.mark.parametrize("players", [0, -1, 1.5, "2", None, True])
def test_players_are_counted(players):
    with pytest.raises(BrokenContract, match="players is") as caught:
        zermelo.minimax(coin(players=players, probability=None))
    assert "\n" not in str(caught.value)


# --- bounds that do not hold -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("device", ["python", "cpu"])
@pytest.mark.parametrize("prune", ["star1", "star2"])
def test_star_refuses_estimates_outside_its_bounds(prune, device):
    game = coin()

    def far(s):
        return 50.0

    with pytest.raises(BadParameter, match=r"estimate of 50\.0 lies outside the bounds \(-4\.0, 4\.0\)") as caught:
        zermelo.expectiminimax(game, depth=2, evaluate=far, prune=prune, bounds=(-4, 4), device=device)
    assert "\n" not in str(caught.value)
    wide = zermelo.expectiminimax(game, depth=2, evaluate=far, prune=prune, bounds=(-50, 50), device=device)
    assert wide.value == pytest.approx(50.0)


@pytest.mark.parametrize("device", ["python", "cpu"])
def test_utilities_outside_the_bounds_are_refused(device):
    wrong = coin(bounds=(-2, 2))
    for prune in ("star1", "star2"):
        with pytest.raises(BrokenContract, match=r"a utility of .* lies outside the bounds \(-2\.0, 2\.0\)"):
            zermelo.expectiminimax(wrong, prune=prune, device=device)
    still = coin(probability=None, to_move=in_turn, bounds=(-2, 2))
    with pytest.raises(BrokenContract, match="lies outside the bounds"):
        zermelo.alphabeta(still, bounds=True, device=device)
    with pytest.raises(BadParameter, match="lies outside the bounds"):
        zermelo.alphabeta(still, bounds=(-1, 1), device=device)
    with pytest.raises(BrokenContract, match="outside bounds"):
        zermelo.mcts(still, limit=FEW, device=device)
    # Nothing rests on bounds that nobody prunes by.
    assert zermelo.alphabeta(still, device=device).value == zermelo.minimax(still, device=device).value
