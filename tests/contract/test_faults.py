"""Rules that return what nobody can calculate with: every method refuses them in one line, where it first sees them."""

import math
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


class StillCoin(Coin):
    """Nobody tosses anything: the players take turns."""

    probability = None

    def to_move(self, s):
        return s.turn % 2


def coin(base=Coin, **changes):
    return type("Coin", (base,), changes)()


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


class TooLittle(Coin):
    def probability(self, s, action):
        return 0.1


class TooMuch(Coin):
    def probability(self, s, action):
        return 0.5


class FarTooMuch(Coin):
    def probability(self, s, action):
        return 5.0


class Negative(Coin):
    def probability(self, s, action):
        return -1.0


class PartlyNegative(Coin):
    def probability(self, s, action):
        return 1.5 if action == 0 else -0.25


class OddsNan(Coin):
    def probability(self, s, action):
        return math.nan


class OddsInfinite(Coin):
    def probability(self, s, action):
        return math.inf


class UtilityNan(Coin):
    def utility(self, s, player):
        return math.nan


class UtilityInfinite(Coin):
    def utility(self, s, player):
        return math.inf if player == 0 else -math.inf


class Seventh(Coin):
    def to_move(self, s):
        return 7


class SeventhLater(Coin):
    def to_move(self, s):
        return 7 if s.turn == 2 else CHANCE if s.turn % 2 == 1 else 0


class BeforeChance(Coin):
    def to_move(self, s):
        return -2


class NegativeActions(Coin):
    def actions(self, s):
        yield -1
        yield 1


class WithoutOdds(Coin):
    probability = None


BROKEN = {
    TooLittle: "the odds",
    TooMuch: "the odds",
    FarTooMuch: "the odds",
    Negative: "the odds",
    PartlyNegative: "the odds",
    OddsNan: "the odds",
    OddsInfinite: "the odds",
    UtilityNan: "no finite number",
    UtilityInfinite: "no finite number",
    Seventh: "nobody who plays",
    SeventhLater: "nobody who plays",
    BeforeChance: "nobody who plays",
    WithoutOdds: "chance moves only where",
    NegativeActions: "no integer >= 0",
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
GAMES: list[tuple[type[Game], str]] = list(BROKEN.items())
GAMES += [(type(name, (Coin,), changes), words) for name, (changes, words) in ONLY_IN_PYTHON.items()]
WITH_SOUND_ODDS = [(broken, words) for broken, words in GAMES if words != "the odds" and broken is not WithoutOdds]
WITH_BROKEN_ACTIONS = [(broken, words) for broken, words in GAMES if words == "no integer >= 0"]


def refused(call, game, device, words):
    with pytest.raises(ZermeloError) as caught:
        call(game, device)
    message = str(caught.value)
    assert isinstance(caught.value, BrokenContract), repr(caught.value)
    assert words in message
    assert "\n" not in message


@pytest.mark.parametrize(("broken", "words"), GAMES)
@pytest.mark.parametrize("method", CALLS)
def test_plain_python(method, broken, words):
    refused(CALLS[method], broken(), "python", words)


@pytest.mark.parametrize(("broken", "words"), WITH_SOUND_ODDS)
@pytest.mark.parametrize("method", WITHOUT_DICE)
def test_plain_python_without_dice(method, broken, words):
    refused(WITHOUT_DICE[method], type("Still", (broken, StillCoin), {})(), "python", words)


@pytest.mark.parametrize(("broken", "words"), WITH_BROKEN_ACTIONS)
@pytest.mark.parametrize("device", ["python", "auto"])
def test_perft(broken, words, device):
    refused(lambda g, d: zermelo.perft(g, 3, device=d), broken(), device, words)


@pytest.mark.slow
@pytest.mark.parametrize(("broken", "words"), BROKEN.items())
def test_native_code(broken, words):
    for method in ("expectiminimax", "star2", "maxn", "mcts", "solver", "many", "playouts", "ismcts"):
        refused(CALLS[method], broken(), "cpu", words)


@pytest.mark.parametrize(
    ("broken", "method"), [(TooMuch, "expectiminimax"), (SeventhLater, "mcts"), (UtilityNan, "playouts")]
)
def test_native_code_of_some(broken, method):
    refused(CALLS[method], broken(), "cpu", BROKEN[broken])


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
    still = coin(StillCoin, bounds=(-2, 2))
    with pytest.raises(BrokenContract, match="lies outside the bounds"):
        zermelo.alphabeta(still, bounds=True, device=device)
    with pytest.raises(BadParameter, match="lies outside the bounds"):
        zermelo.alphabeta(still, bounds=(-1, 1), device=device)
    with pytest.raises(BrokenContract, match="outside bounds"):
        zermelo.mcts(still, limit=FEW, device=device)
    # Nothing rests on bounds that nobody prunes by.
    assert zermelo.alphabeta(still, device=device).value == zermelo.minimax(still, device=device).value
