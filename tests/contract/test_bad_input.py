"""Bad input: one clear error each, which says what is wrong and what to do instead."""

import math
from typing import NamedTuple

import pytest

import zermelo
from zermelo import (
    BadParameter,
    BadState,
    BrokenContract,
    CompileError,
    Game,
    IllegalAction,
    Matrix,
    Policy,
    Tree,
    UnknownGame,
    UnsuitableGame,
    ZermeloError,
    game,
)

TWO_SIDED = (zermelo.minimax, zermelo.alphabeta, zermelo.expectiminimax)
SEARCHES = (*TWO_SIDED, zermelo.maxn, zermelo.paranoid, zermelo.expectimax)


def refused(error, call, *words):
    """The call raises this error, in one line that has all the words."""
    with pytest.raises(error) as caught:
        call()
    message = str(caught.value)
    assert isinstance(caught.value, ZermeloError)
    assert "\n" not in message
    for word in words:
        assert word in message, message


# --- games and their parameters --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "parameters", "error", "words"),
    [
        ("parcheesi", {}, UnknownGame, ("no game is called 'parcheesi'", "zermelo games")),
        ("tic_tac_tow", {}, UnknownGame, ("did you mean", "tic_tac_toe")),
        ("", {}, UnknownGame, ("no game is called",)),
        (7, {}, UnknownGame, ("a word or the path of a file", "7")),
        ("missing.py", {}, UnknownGame, ("missing.py", "no such file")),
        ("nim", {"heap": (2, 2)}, BadParameter, ("heap", "heaps", "misere")),
        ("nim", {"heaps": 5}, BadParameter, ("heaps must be a tuple such as (3, 4)", "5")),
        ("nim", {"heaps": ("a",)}, BadParameter, ("heaps[0] must be an integer", "'a'")),
        ("nim", {"heaps": (-1, 2)}, BadParameter, ("heaps must be sizes",)),
        ("nim", {"misere": 1}, BadParameter, ("misere must be True or False",)),
        ("nim:heaps=(2,2)", {"heaps": (1, 1)}, BadParameter, ("heaps was given twice",)),
        ("nim:", {}, BadParameter, ("parameters belong after the colon",)),
        ("nim:heaps", {}, BadParameter, ("write name=value",)),
        ("halving", {"n": 0}, BadParameter, ("n must be at least 1",)),
        ("halving", {"n": "five"}, BadParameter, ("n must be an integer", "'five'")),
        ("halving", {"n": True}, BadParameter, ("n must be an integer",)),
        ("connect_four", {"rows": 0}, BadParameter, ("rows and cols must be at least 1",)),
        ("connect_four", {"rows": 30, "cols": 30}, BadParameter, ("too large", "63")),
        ("kuhn_poker", {"players": 1}, BadParameter, ("2 to 10 play",)),
        ("higher_takes", {"four": "clubs"}, BadParameter, ("hearts or diamonds",)),
        ("tic_tac_toe", {"size": 4}, BadParameter, ("size", "no parameter")),
    ],
)
def test_games(name, parameters, error, words):
    refused(error, lambda: game(name, **parameters), *words)


def test_classes_refuse_what_they_do_not_know():
    refused(BadParameter, lambda: zermelo.games.Nim((2, 2), True, 3), "nim takes heaps, misere", "3 values")
    refused(BadParameter, lambda: zermelo.games.Nim((2, 2), heaps=(1, 1)), "heaps was given twice")
    refused(BadParameter, lambda: zermelo.games.TicTacToe(4), "tic_tac_toe takes no parameters")


class Unfinished(Game):
    """Nothing but a beginning."""

    def initial(self):
        return 0


def test_games_that_lack_something():
    refused(BrokenContract, Unfinished, "Unfinished lacks the method to_move", "to_move(self, s)")


@pytest.mark.parametrize(
    ("tree", "words"),
    [
        ([], ("the root", "at least one subtree")),
        ([[1, 2], "three"], ("at 1", "'three' is no payoff")),
        ([1, (1, 2)], ("all leaves must agree",)),
        ([1, math.nan], ("at 1",)),
        (zermelo.chance([(0.5, 1), (0.4, 2)]), ("the odds sum to 0.9, not to 1",)),
        (zermelo.chance([1, 2]), ("pairs (odds, subtree)",)),
        (zermelo.move(2, [1, 2]), ("player 2 moves, but the leaves pay players 0 to 1",)),
        ({"a": 1, " a ": 2}, ("two actions have the same name",)),
    ],
)
def test_trees(tree, words):
    refused(BadParameter, lambda: Tree(tree), *words)


def test_tables():
    refused(BadParameter, lambda: Matrix([[1, 2], [3]]), "ragged", "equally long")
    refused(BadParameter, lambda: Matrix(5), "nested lists")
    refused(BadParameter, lambda: Matrix([[1, 2]], [[1], [2]]), "the same shape")


# --- actions and states ----------------------------------------------------------------------------------------------


def test_illegal_actions():
    of = game("tic_tac_toe")
    s = of.play(of.initial(), 4)
    refused(IllegalAction, lambda: of.play(s, 4), "4 is not legal", "legal: 0 (a1), 1 (b1), 2 (c1), 3 (a2), 5 (c2)")
    refused(IllegalAction, lambda: of.play(s, 99), "99 is not legal", "legal:")
    refused(IllegalAction, lambda: of.play(s, -1), "-1 is not legal", "legal:")
    refused(IllegalAction, lambda: of.play(s, "b2"), "'b2' is not legal", "legal: a1, b1, c1, a2, c2, a3, b3, c3")
    refused(IllegalAction, lambda: of.play(of.parse_state("XXX/OO./..."), "c3"), "the game is over")
    refused(IllegalAction, lambda: of.play(of.parse_state("XXX/OO./..."), 8), "the game is over")


def test_illegal_words():
    of = game("tic_tac_toe")
    refused(IllegalAction, lambda: of.parse_action(of.initial(), "d4"), "'d4' is not legal", "a1")
    refused(IllegalAction, lambda: game("bucket").parse_action(game("bucket").initial(), "D"), "'D'", "A, B, C")
    four = game("connect_four")
    refused(IllegalAction, lambda: four.parse_action(four.initial(), "8"), "no free column", "1, 2, 3, 4, 5, 6, 7")


def test_illegal_policies():
    of = game("rock_paper_scissors")
    refused(IllegalAction, lambda: Policy(of, lambda view: 7)(of.initial()), "plays 7", "legal: [0, 1, 2]")
    refused(BadParameter, lambda: Policy(of, lambda view: {0: 2.0})(of.initial()), "[0, 1]")


STRANGE = [
    game("halving").initial(),
    game("connect_four").initial(),
    (0, 0, 0),
    5,
    None.__class__,
    "X../.../...",
]


@pytest.mark.parametrize("state", STRANGE, ids=repr)
def test_states_of_another_game(state):
    of = game("tic_tac_toe")
    calls = [lambda search=search: search(of, state) for search in SEARCHES]
    calls += [
        lambda: zermelo.perft(of, 2, state),
        lambda: zermelo.perft_divide(of, 2, state),
        lambda: zermelo.playouts(of, state, games=1),
        lambda: zermelo.reachable(of, state),
        lambda: zermelo.sequence_form(of, state),
        lambda: zermelo.expected_values(of, [Policy.uniform(of)] * 2, state),
    ]
    for call in calls:
        refused(BadState, call, "tic_tac_toe wants a TicTacToe.State")


def test_impossible_states():
    of = game("tic_tac_toe")
    refused(BadState, lambda: zermelo.minimax(of, of.State(1, 1, 0)), "no cell belongs to both players")
    refused(BadState, lambda: zermelo.minimax(of, of.State(7, 0, 1)), "X begins")
    refused(BadState, lambda: zermelo.perft(of, 1, of.State(-1, 0, 0)), "tic_tac_toe")
    refused(BadState, lambda: zermelo.minimax(game("nim"), game("nim").State((2, 2, 2), 0)), "nim", "2")
    refused(BadState, lambda: zermelo.minimax(Tree([1, 2]), Tree.State(3)), "node 3 is not in this tree", "0 to 2")
    refused(BadState, lambda: zermelo.minimax(of, history=[3.5]), "tic_tac_toe")


@pytest.mark.parametrize("text", ["", "X", "XXX/XXX/XXX", "(0, 0, 0)", "X../.../..9", "O../.../..."])
def test_states_that_cannot_be_read(text):
    refused(BadState, lambda: game("tic_tac_toe").parse_state(text), "X")


@pytest.mark.parametrize("text", ["", "(", "(1, 2, 3)", "'five'", "(5,)", "(5.0, 0)", "(" * 500, "[5, 0]", "(-1, 0)"])
def test_states_of_a_plain_game_that_cannot_be_read(text):
    refused(BadState, lambda: game("halving").parse_state(text), "halving")


# --- methods that do not fit -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("search", SEARCHES)
def test_hidden_information(search):
    for name in ("kuhn_poker", "rock_paper_scissors", "trails"):
        refused(
            UnsuitableGame,
            lambda name=name: search(game(name)),
            f"{name} hides information (it defines view)",
            f"zermelo.opened({name})",
        )


@pytest.mark.parametrize("search", [zermelo.minimax, zermelo.alphabeta])
def test_chance(search):
    for name in ("coin_bucket", "pig"):
        refused(UnsuitableGame, lambda name=name: search(game(name)), f"{name} has chance moves", "use expectiminimax")


@pytest.mark.parametrize("search", TWO_SIDED)
def test_three_players(search):
    for name in ("alliance", "three_player_tic_tac_toe"):
        refused(UnsuitableGame, lambda name=name: search(game(name)), f"{name} has 3 players", "use maxn or paranoid")


@pytest.mark.parametrize("search", TWO_SIDED)
def test_general_sums(search):
    refused(UnsuitableGame, lambda: search(game("share")), "share is not zero sum", "use maxn")
    refused(UnsuitableGame, lambda: search(Tree([(1, 1), (0, 3)])), "not zero sum", "use maxn")
    assert search(Tree([(1, 9), (3, 7)])).values == (3.0, 7.0), "a constant sum is as good as zero"


def test_the_sequence_form():
    refused(UnsuitableGame, lambda: zermelo.sequence_form(game("prisoners_dilemma")), "not a zero-sum game of two")
    refused(UnsuitableGame, lambda: zermelo.sequence_form(game("kuhn_poker", players=3)), "not a zero-sum game of two")


# --- options ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("depth", [-1, 1.5, "3", True, math.inf])
def test_depth(search, depth):
    refused(BadParameter, lambda: search(game("bucket"), depth=depth), "depth must be an integer >= 0")


@pytest.mark.parametrize("window", [(1, 1), (2, 1), (1,), 3, (1, 2, 3), ("a", 2), (math.nan, 1), None])
def test_window(window):
    refused(BadParameter, lambda: zermelo.alphabeta(game("bucket"), window=window), "window must be two numbers")


@pytest.mark.parametrize("bounds", [(2, 1), (1,), 3, ("a", 2), (math.nan, 1)])
def test_bounds(bounds):
    refused(BadParameter, lambda: zermelo.alphabeta(game("bucket"), bounds=bounds), "must be two numbers")
    refused(BadParameter, lambda: zermelo.expectiminimax(game("coin_bucket"), prune="star1", bounds=bounds), "must be")


class Boundless(zermelo.games.CoinBucket):
    """Says nothing about what can be won."""

    bounds = None


def test_pruning_needs_bounds():
    for prune in ("star1", "star2"):
        words = ("least and the greatest utility", "bounds=(low, high)")
        refused(BadParameter, lambda prune=prune: zermelo.expectiminimax(Boundless(), prune=prune), *words)
        assert zermelo.expectiminimax(Boundless(), prune=prune, bounds=(-50, 50)).value == -2.0
    refused(BadParameter, lambda: zermelo.expectiminimax(game("coin_bucket"), prune="star3"), '"star1" or "star2"')


def test_when_lost():
    for search in (zermelo.minimax, zermelo.alphabeta):
        words = ('None, "delay" or "hope"', "'resign'")
        refused(BadParameter, lambda search=search: search(game("nim"), when_lost="resign"), *words)


@pytest.mark.parametrize("player", [-1, 2, "Max", True, 0.0])
def test_player(player):
    for search in (zermelo.paranoid, zermelo.expectimax):
        call = lambda search=search: search(game("bucket"), player=player)  # noqa: E731
        refused(BadParameter, call, "bucket: the players are 0 to 1")


def test_functions_of_the_caller():
    of = game("bucket")
    refused(BadParameter, lambda: zermelo.minimax(of, depth=1, evaluate=3), "evaluate must be a function evaluate(s)")
    refused(BadParameter, lambda: zermelo.minimax(of, depth=1, evaluate=lambda: 0), "evaluate(s)", "takes 0")
    refused(BadParameter, lambda: zermelo.alphabeta(of, order=lambda s: 0), "order(s, action)", "takes 1")
    refused(BadParameter, lambda: zermelo.alphabeta(of, order=True), "bucket defines no order(s, action)")
    refused(BadParameter, lambda: zermelo.alphabeta(of, symmetry=True), "bucket defines no transform(s, k)")
    refused(BadParameter, lambda: zermelo.maxn(of, depth=1, evaluate=3), "evaluate must be a function")


@pytest.mark.parametrize("search", SEARCHES)
def test_device(search):
    refused(BadParameter, lambda: search(game("bucket"), device="gpu"), "auto, python, cpu, cuda", "'gpu'")
    refused(BadParameter, lambda: search(game("bucket"), device="cpu", record=True), "record=True", 'device="auto"')


def test_device_of_counting_and_playing():
    refused(BadParameter, lambda: zermelo.perft(game("bucket"), 2, device="gpu"), "auto, python, cpu, cuda")
    refused(BadParameter, lambda: zermelo.playouts(game("bucket"), device="gpu"), "auto, python, cpu, cuda")


class InWords(Game):
    """States of plain Python, which native code cannot hold."""

    def initial(self):
        return "start"

    def to_move(self, s):
        return 0

    def actions(self, s):
        yield 0

    def result(self, s, action):
        return "end"

    def is_terminal(self, s):
        return s == "end"

    def utility(self, s, player):
        return 0.0


def test_a_machine_that_cannot_run_the_game():
    for device in ("cpu", "cuda"):
        refused(CompileError, lambda device=device: zermelo.minimax(InWords(), device=device), "in_words")
        refused(CompileError, lambda device=device: zermelo.playouts(InWords(), device=device), "in_words")
    assert zermelo.minimax(InWords()).device == "python"


@pytest.mark.parametrize("depth", [-1, 1.0, "2", True, None, 10**9])
def test_perft_depth(depth):
    refused(BadParameter, lambda: zermelo.perft(game("bucket"), depth), "depth must be an integer from 0 to 1000")


@pytest.mark.parametrize("depth", [0, -1, 1.0, "2", True, None])
def test_perft_divide_depth(depth):
    refused(BadParameter, lambda: zermelo.perft_divide(game("bucket"), depth), "perft: depth must be")


@pytest.mark.parametrize("games", [0, -5, 1.5, "many", True, None])
def test_games_to_play(games):
    refused(BadParameter, lambda: zermelo.playouts(game("bucket"), games=games), "games must be an integer >= 1")


@pytest.mark.parametrize("seed", [1.5, "luck", None, True])
def test_seed(seed):
    refused(BadParameter, lambda: zermelo.playouts(game("bucket"), seed=seed), "seed must be an integer")


def test_limits():
    refused(BadParameter, lambda: zermelo.Limit(time=-1), "time must be a number >= 0")
    refused(BadParameter, lambda: zermelo.Limit(depth=1.5), "depth must be an integer")
    refused(BadParameter, lambda: zermelo.reachable(game("tic_tac_toe"), limit=100), "more than 100 states", "limit=")


# --- games that turn out to be broken while they are searched --------------------------------------------------------


class TooMany(Game):
    """Three actions where two were announced, and a state without any."""

    max_actions = 2

    class State(NamedTuple):
        step: int

    def initial(self):
        return self.State(0)

    def to_move(self, s):
        return 0

    def actions(self, s):
        yield from range(3 - s.step)

    def result(self, s, action):
        return self.State(s.step + 1)

    def is_terminal(self, s):
        return s.step > 5

    def utility(self, s, player):
        return 0.0


@pytest.mark.parametrize("device", ["python", "cpu"])
def test_more_actions_than_announced(device):
    words = ("too_many", "more than max_actions = 2 actions", "raise it")
    refused(BrokenContract, lambda: zermelo.minimax(TooMany(), device=device), *words)
    refused(BrokenContract, lambda: zermelo.perft(TooMany(), 3, device=device), *words)
    refused(BrokenContract, lambda: zermelo.playouts(TooMany(), games=1, device=device), *words)


@pytest.mark.parametrize("device", ["python", "cpu"])
def test_no_actions_before_the_end(device):
    words = ("too_many", "a state that is not terminal has no actions", "zermelo.check")
    refused(BrokenContract, lambda: zermelo.minimax(TooMany(), TooMany.State(1), device=device), *words)


def test_something_that_is_no_game():
    for search in SEARCHES:
        for what in (42, "nim", None, zermelo.games.Nim):
            refused(BadParameter, lambda search=search, what=what: search(what), "is no game")
    for call in (
        lambda: zermelo.perft(42, 3),
        lambda: zermelo.playouts("nim"),
        lambda: zermelo.reachable(None),
    ):
        refused(BadParameter, call, "is no game")
