"""zermelo.check: sound games pass, and every way to break the contract is named with its place and its remedy."""

import itertools
import math
import re
from fractions import Fraction
from typing import NamedTuple

import pytest
from small_games import Subtraction

import zermelo
from zermelo import CHANCE, BadParameter, BrokenContract, Game, ZermeloError, check, game, u64


class Take(Subtraction):
    """Take one or two of five; whoever takes the last one wins. Nothing is wrong with it."""

    n: int = 5

    max_actions = 2
    bounds = (-1.0, 1.0)


class Toss(Take):
    """The same, and a coin is tossed when three are left: heads takes one more away."""

    max_actions = 2

    def to_move(self, s):
        return CHANCE if s.left == 3 else s.player

    def actions(self, s):
        if s.left == 3:
            yield 0
            yield 1
        else:
            yield 1
            if s.left > 1:
                yield 2

    def probability(self, s, action):
        return 0.5

    def result(self, s, action):
        if s.left == 3:
            return self.State(2 - action, s.player)
        return self.State(s.left - action, 1 - s.player)


class Guess(Game):
    """Player 0 hides a coin in one of two hands, player 1 guesses which."""

    max_actions = 2

    class State(NamedTuple):
        hand: int
        guess: int

    def initial(self):
        return self.State(-1, -1)

    def to_move(self, s):
        return 0 if s.hand < 0 else 1

    def actions(self, s):
        yield 0
        yield 1

    def result(self, s, action):
        return self.State(action, -1) if s.hand < 0 else self.State(s.hand, action)

    def is_terminal(self, s):
        return s.guess >= 0

    def utility(self, s, player):
        return 1.0 if (s.hand == s.guess) == (player == 1) else -1.0

    def view(self, s, player):
        return s.hand if player == 0 else -1


# --- sound games ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("of", [Take(), Toss(), Guess()], ids=repr)
def test_sound_games_pass_on_both_machines(of):
    report = check(of)
    assert report.ok
    assert report
    assert report.problems == []
    assert report.machines[:2] == ("python", "cpu")
    assert report.games == 60
    assert report.states > 3
    assert "fine" in str(report)
    assert f"{report.states} states of 60 random games" in str(report)


LARGE = {
    "checkers": ("checkers", 8),
    "chess": ("chess", 2),
    "chinese_checkers": ("chinese_checkers:side=3", 2),
    "go": ("go:size=5", 2),
    "hex": ("hex:size=7", 2),
    "othello": ("othello", 8),
    "twenty48": ("twenty48:target=256", 8),
}
"""The games that take long in plain Python: on which board they are examined, and how often they are played."""


@pytest.mark.parametrize("name", list(zermelo.games))
def test_the_games_of_the_package_pass(name):
    which, games = LARGE.get(name, (name, 40))
    report = check(game(which), games=games, machines=False)
    assert report.ok, str(report)
    assert report.notes == []


@pytest.mark.parametrize(
    "name",
    [
        "connect_four:rows=4,cols=5,line=3",
        "nim:heaps=(3, 4, 5),misere=False",
        "kuhn_poker:players=3",
        "higher_takes:hidden=True",
        "higher_takes:four=diamonds",
        "trails:hidden=False",
        "pig:target=10,sides=4",
        "three_player_tic_tac_toe:rows=4,cols=3,line=3",
        "alliance:armies=(1, 2, 3),rounds=3",
        "backgammon:gammons=False,cube=True",
        "chinese_checkers:players=3,side=2,longest=10",
        "chinese_checkers:players=6,side=2,strict=False,longest=5",
        "hex:size=3,swap=True",
        "twenty48:size=2,target=32",
        "leduc_poker:players=3",
        "liars_dice:dice=2,faces=3,wild=highest",
        "liars_dice:players=3,faces=3,wild=lowest",
        "goofspiel:cards=3,hidden=True,ties=carry,payoff=points",
        "goofspiel:cards=3,players=3,ties=split,order=ascending",
        "goofspiel:order=descending",
        "one_card_poker:cards=5,bet=2",
        "battleship:rows=2,cols=3,ships=(1, 2),shots=3",
        "repeated_prisoners_dilemma:rounds=4",
        "blotto:coins=(4, 3),fields=2,count=fields",
        "morra:fingers=3",
        "morra:guess=False",
        "el_farol:guests=4,seats=1",
    ],
)
def test_the_games_pass_with_other_parameters(name):
    assert check(game(name), games=20, machines=False).ok


@pytest.mark.slow
@pytest.mark.parametrize("name", list(zermelo.games))
def test_the_games_pass_on_both_machines(name):
    assert check(game(name)).machines[:2] == ("python", "cpu")


def test_trees_and_tables_pass():
    third = Fraction(1, 3)
    tree = zermelo.Tree([[3, 4], zermelo.chance([(third, [1, 2]), (1 - third, 5)]), zermelo.move(0, [7, [8]])])
    for of in (tree, zermelo.Matrix([[1, 2], [3, 4]], [[4, 3], [2, 1]]), zermelo.opened(game("kuhn_poker"))):
        assert check(of, machines=False).ok


def test_the_same_seed_examines_the_same_states():
    first, again, other = (check(game("tic_tac_toe"), games=5, seed=seed, machines=False) for seed in (1, 1, 2))
    assert first.states == again.states
    assert first.games == 5
    assert other.ok


# --- broken games -----------------------------------------------------------------------------------------------------


class Counter:
    """Something that changes whenever it is looked at."""

    def __init__(self):
        self.ticks = itertools.count()

    def tick(self):
        return next(self.ticks)


CLOCK = Counter()


def breaks(base=Take, /, **members):
    """A class that differs from a sound game in these members."""
    return type("Broken", (base,), members)


class Mutable:
    """A hashable state that can be changed: the mistake that NamedTuples prevent."""

    def __init__(self, left, player):
        self.left, self.player = left, player

    def __hash__(self):
        return hash((self.left, self.player))

    def __eq__(self, other):
        return (self.left, self.player) == (other.left, other.player)

    def __repr__(self):
        return f"Mutable({self.left}, {self.player})"


def changes_its_argument(self, s, action):
    following = Mutable(s.left - action, 1 - s.player)
    s.player = 7
    return following


def first_only(self, s):
    yield 1
    if CLOCK.tick() % 2 and s.left > 1:
        yield 2


def three_of_them(self, s):
    yield from (1, 2, 3)


def the_same_twice(self, s):
    yield 1
    yield 1


def none_in_the_middle(self, s):
    if s.left != 3:
        yield 1


def below_zero(self, s):
    yield -1


def not_whole(self, s):
    yield 1.0


def raises_zero_division(self, s):
    return 1 / (s.left - 3) > 9


def refuses(self, s, player):
    raise zermelo.BadState("the state is beyond me")


def is_over(self, s):
    return s.left <= 2


class SideState(NamedTuple):
    left: int
    player: int


BROKEN = {
    # the class that breaks it: (words that name the fault, words that name the remedy)
    "players": (breaks(players=0), "players is 0", "a number >= 1"),
    "players not a number": (breaks(players=True), "players is True", "a number >= 1"),
    "initial raises": (
        breaks(initial=lambda self: self.State(1 // 0, 0)),
        r"initial\(\) raises ZeroDivisionError",
        "return the first state",
    ),
    "initial not hashable": (
        breaks(initial=lambda self: self.State([5], 0)),
        "the state is not hashable",
        "no lists",
    ),
    "initial differs": (
        breaks(initial=lambda self: self.State(5 + CLOCK.tick() % 100, 0)),
        r"initial\(\) returns different states",
        "chance moves",
    ),
    "a rule raises": (
        breaks(is_terminal=raises_zero_division),
        r"a rule raises ZeroDivisionError .* in State\(left=3",
        "in every state that play can reach",
    ),
    "a rule raises an error of ours": (breaks(utility=refuses), "the state is beyond me", "see the message"),
    "is_terminal not a truth value": (
        breaks(is_terminal=lambda self, s: "yes" if s.left == 0 else ""),
        "is_terminal is not True or False",
        "return a comparison",
    ),
    "is_terminal changes its mind": (
        breaks(is_terminal=lambda self, s: s.left == 0 or CLOCK.tick() % 2 == 1),
        "is_terminal is not True or False, or changes its mind",
        "return a comparison",
    ),
    "is_over without an end": (
        breaks(is_over=is_over),
        "is_over is true where is_terminal is false",
        "only be true at an end",
    ),
    "a player who is not there": (
        breaks(to_move=lambda self, s: s.player + 1),
        "to_move returns 2",
        r"return 0 \.\. 1, or CHANCE",
    ),
    "a mover that is no number": (breaks(to_move=lambda self, s: None), "to_move returns None", r"0 \.\. 1"),
    "not a State": (
        breaks(result=lambda self, s, action: SideState(s.left - action, 1 - s.player)),
        "the state is a SideState, not a State",
        r"return self\.State",
    ),
    "a float in a field": (
        breaks(result=lambda self, s, action: self.State((s.left - action) / 1, 1 - s.player)),
        "the field left is float",
        "// instead of /",
    ),
    "a word in a field": (
        breaks(initial=lambda self: self.State(5, "0"), to_move=lambda self, s: int(s.player)),
        "the field player is str",
        "integers only",
    ),
    "a field too large": (
        breaks(initial=lambda self: self.State(1 << 63, 0)),
        "the field left does not fit into 64 bits",
        "u64",
    ),
    "parse_state refuses": (
        breaks(format_state=lambda self, s: "what?"),
        "parse_state refuses what format_state wrote",
        "make them inverses",
    ),
    "parse_state reads another state": (
        breaks(format_state=lambda self, s: "(5, 0)"),
        r"parse_state\(format_state\(s\)\) is another state",
        "make them inverses",
    ),
    "actions change": (breaks(actions=first_only), "actions yields something else the second time", "state alone"),
    "no actions": (
        breaks(actions=none_in_the_middle),
        r"a state that is not terminal has no actions in State\(left=3",
        "yield a pass",
    ),
    "too many actions": (
        breaks(actions=three_of_them, is_terminal=lambda self, s: s.left <= 0),
        "3 actions are more than max_actions = 2",
        "set max_actions = 3 or more",
    ),
    "negative actions": (breaks(actions=below_zero), "the action -1 is no integer >= 0", "number the actions 0, 1"),
    "actions that are no integers": (breaks(actions=not_whole), r"the action 1\.0 is no integer >= 0", "number the"),
    "an action twice": (breaks(actions=the_same_twice), "actions yields the same action twice", "yield each once"),
    "two of a name": (
        breaks(format_action=lambda self, s, action: "take"),
        "two actions have the same name",
        "make format_action tell them apart",
    ),
    "names lead elsewhere": (
        breaks(parse_action=lambda self, s, text: 1),
        r"parse_action\(format_action\(a\)\) is another action",
        "make them inverses",
    ),
    "results not hashable": (
        breaks(result=lambda self, s, action: self.State([s.left - action], 1 - s.player)),
        "the result is not hashable",
        "no lists",
    ),
    "results differ": (
        breaks(result=lambda self, s, action: self.State(s.left - 1 - CLOCK.tick() % 2 * (s.left > 1), 1 - s.player)),
        "result differs the second time",
        "chance moves",
    ),
    "result changes its argument": (
        breaks(State=None, initial=lambda self: Mutable(5, 0), result=changes_its_argument),
        "result changes the state that it was given|result differs the second time",
        "build a new State|chance moves",
    ),
    "a word for a utility": (breaks(utility=lambda self, s, player: "won"), "is 'won'", "finite number"),
    "no utility": (breaks(utility=lambda self, s, player: None), r"utility\(s, 0\) is None", "finite number"),
    "an endless utility": (breaks(utility=lambda self, s, player: math.inf), "is inf", "finite number"),
    "utility out of bounds": (
        breaks(utility=lambda self, s, player: 2.0),
        r"utility\(s, 0\) = 2.0 is outside bounds = \(-1.0, 1.0\)",
        "widen bounds",
    ),
    "chance without odds": (
        breaks(Toss, probability=None),
        r"chance moves but there is no probability\(s, action\)",
        "the odds must sum to 1",
    ),
    "odds of nothing": (
        breaks(Toss, probability=lambda self, s, action: float(action)),
        r"an outcome has odds outside \(0, 1\]",
        "only outcomes that can happen",
    ),
    "odds that do not sum": (
        breaks(Toss, probability=lambda self, s, action: 0.4),
        "the odds sum to 0.8",
        "make them sum to 1",
    ),
    "a view that is a list": (
        breaks(Guess, view=lambda self, s, player: [s.hand]),
        r"view\(s, 0\) is not hashable",
        "NamedTuple of integers",
    ),
    "actions that tell": (
        breaks(Guess, actions=lambda self, s: iter((0, 1) if s.hand < 1 else (1,))),
        "two states with the same view offer different actions",
        "what the view hides",
    ),
    "no identity": (
        breaks(transform=lambda self, s, k: self.State(s.left, 1 - s.player), symmetry_count=1),
        r"transform\(s, 0\) is not s",
        "number 0 is the identity",
    ),
    "symmetric actions": (
        breaks(transform=lambda self, s, k: s, transform_action=lambda self, a, k: a + k, symmetry_count=2),
        "symmetry 1 maps the actions wrongly",
        "transform_action must follow transform",
    ),
    "symmetric results": (
        breaks(
            transform=lambda self, s, k: self.State(4, s.player) if k and s.left == 5 else s,
            transform_action=lambda self, a, k: a,
            symmetry_count=2,
        ),
        "symmetry 1 does not commute with result",
        "transform must follow the board",
    ),
    "an estimate that is none": (breaks(evaluate=lambda self, s: None), "evaluate returns None", "finite number"),
    "an endless estimate": (breaks(evaluate=lambda self, s: math.nan), "evaluate returns nan", "finite number"),
    "an estimate out of bounds": (
        breaks(evaluate=lambda self, s: 100.0),
        r"evaluate returns 100.0, outside bounds = \(-1.0, 1.0\)",
        "stay on utility's scale",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_broken_is_named(name):
    kind, fault, remedy = BROKEN[name]
    with pytest.raises(BrokenContract, match="broken breaks the contract of a game") as caught:
        check(kind(), machines=False)
    assert isinstance(caught.value, ZermeloError)
    lines = str(caught.value).splitlines()[1:]
    assert any(re.search(fault, line) and re.search(remedy, line) for line in lines), str(caught.value)


def test_each_fault_is_named_once():
    with pytest.raises(BrokenContract) as caught:
        check(breaks(utility=lambda self, s, player: 2.0)(), machines=False)
    assert len(str(caught.value).splitlines()) == 2


def test_all_faults_are_named_together():
    kind = breaks(utility=lambda self, s, player: 2.0, evaluate=lambda self, s: -7.0)
    with pytest.raises(BrokenContract) as caught:
        check(kind(), machines=False)
    assert len(str(caught.value).splitlines()) == 3
    assert "utility(s, 0) = 2.0" in str(caught.value)
    assert "evaluate returns -7.0" in str(caught.value)


class Wraps(Take):
    """Multiplies beyond 64 bits, which plain Python does exactly and a processor does not."""

    class State(NamedTuple):
        left: int
        player: int
        mark: int

    def initial(self):
        return self.State(5, 0, 1)

    def result(self, s, action):
        mixed = (s.mark + action) * 6_364_136_223_846_793_005 % 1_000_003
        return self.State(s.left - action, 1 - s.player, mixed)


def test_machines_that_disagree_are_named():
    assert check(Wraps(), machines=False).ok
    with pytest.raises(BrokenContract, match=r"python and cpu disagree in State.*u64"):
        check(Wraps())


# --- what is worth knowing but not wrong ------------------------------------------------------------------------------


class Forgetful(Game):
    """Player 0 moves twice and has forgotten the first move at the second."""

    players = 1
    max_actions = 2

    class State(NamedTuple):
        first: int
        second: int

    def initial(self):
        return self.State(-1, -1)

    def to_move(self, s):
        return 0

    def actions(self, s):
        yield 0
        yield 1

    def result(self, s, action):
        return self.State(action, -1) if s.first < 0 else self.State(s.first, action)

    def is_terminal(self, s):
        return s.second >= 0

    def utility(self, s, player):
        return 1.0 if s.first == s.second else 0.0

    def view(self, s, player):
        return 0 if s.first < 0 else 1


def test_imperfect_recall_is_noted():
    report = check(Forgetful(), machines=False)
    assert report.ok
    assert any("imperfect recall" in note for note in report.notes)
    assert "note: imperfect recall" in str(report)
    assert check(game("kuhn_poker"), machines=False).notes == []


class Words(Take):
    """States that native code cannot hold."""

    State = None

    def initial(self):
        return ("matches", 5, 0)

    def to_move(self, s):
        return s[2]

    def actions(self, s):
        yield 1
        if s[1] > 1:
            yield 2

    def result(self, s, action):
        return ("matches", s[1] - action, 1 - s[2])

    def is_terminal(self, s):
        return s[1] == 0

    def utility(self, s, player):
        return -1.0 if player == s[2] else 1.0


def test_games_of_plain_python_alone_are_noted():
    report = check(Words())
    assert report.ok
    assert report.machines == ("python",)
    assert any(note.startswith("python machine only") for note in report.notes)


class Endless(Take):
    """Nobody ever takes anything."""

    def actions(self, s):
        yield 0

    def result(self, s, action):
        return self.State(s.left, 1 - s.player)


def test_long_games_are_noted():
    report = check(Endless(), games=2, machines=False)
    assert report.ok
    assert any("longer than 2000 moves: searches will need a depth" in note for note in report.notes)


class ForEach(Game):
    """Three players, each with an estimate of its own."""

    players = 3
    max_actions = 2

    class State(NamedTuple):
        turn: int
        sum: int

    def initial(self):
        return self.State(0, 0)

    def to_move(self, s):
        return s.turn

    def actions(self, s):
        yield 0
        yield 1

    def result(self, s, action):
        return self.State(s.turn + 1, s.sum + action)

    def is_terminal(self, s):
        return s.turn == 3

    def utility(self, s, player):
        return 1.0 if s.sum == player else 0.0

    def evaluate(self, s, player):
        return 0.5 if s.sum == player else 0.0


def test_an_estimate_may_ask_for_the_player():
    assert zermelo.maxn(ForEach(), depth=1).values == (0.5, 0.0, 0.0)
    assert check(ForEach()).ok


class Boards(Take):
    """A board of 64 cells, the highest of them taken first."""

    class State(NamedTuple):
        board: u64
        player: int

    max_actions = 1

    def initial(self):
        return self.State((1 << 63) | 1, 0)

    def actions(self, s):
        yield 0

    def result(self, s, action):
        return self.State(s.board & (s.board - 1), 1 - s.player)

    def is_terminal(self, s):
        return s.board == 0


def test_boards_of_64_bits_pass():
    assert check(Boards()).machines[:2] == ("python", "cpu")


# --- bad input --------------------------------------------------------------------------------------------------------


def test_a_class_instead_of_a_game():
    with pytest.raises(BadParameter, match="is no game; make an instance of it"):
        check(Take)


@pytest.mark.parametrize("what", [42, None, object(), int])
def test_something_else_than_a_game(what):
    with pytest.raises(BadParameter, match="is no game; give a Game"):
        check(what)
