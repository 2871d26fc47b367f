"""Counterfactual regret minimisation over whole trees: known values, all variants, bad input, subgames, files."""

import itertools
import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from zermelo import BadParameter, Matrix, Policy, Tree, chance, game, move
from zermelo.equilibrium.cfr.best_response import exploitability, nash_conv
from zermelo.equilibrium.cfr.cfr import cfr
from zermelo.equilibrium.cfr.resolving import public_state, resolve
from zermelo.equilibrium.cfr.variants import VARIANTS, variant_of
from zermelo.equilibrium.policies.equilibrium import Behaviour
from zermelo.errors import BadNotation, UnsuitableGame
from zermelo.games.leduc_poker import LeducPoker

KUHN, LEDUC = game("kuhn_poker"), LeducPoker()
LEDUC_VALUE = -0.085606424
PASS, BET = 0, 1


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("simultaneous", [False, True])
def test_every_variant_solves_kuhn_poker(variant, simultaneous):
    found = cfr(KUHN, iterations=2000, variant=variant, simultaneous=simultaneous, device="python")
    assert found.value == pytest.approx(-1 / 18, abs=2e-3)
    assert found.exploitability < (1e-2 if simultaneous else 1e-3)
    assert found.exploitability == sum(found.gains) / 2
    assert found.regret == max(found.gains)
    assert (found.method, found.iterations, found.note) == (variant, 2000, "")
    assert nash_conv(KUHN, found) == pytest.approx(sum(found.gains), abs=1e-12)


def test_kuhn_poker_ends_in_kuhns_family_of_equilibria():
    """Player 0 bluffs the jack with some odds a <= 1/3, bets the king with 3a and calls with the queen at a + 1/3;
    player 1 has one equilibrium strategy (Kuhn, 1950)."""
    found = cfr(KUHN, iterations=20_000, variant="predictive", device="cpu")

    def odds(*actions):
        return found.policy(KUHN.play(KUHN.initial(), *actions))[BET]

    a = odds(0, 1)
    assert -1e-6 <= a <= 1 / 3 + 1e-4
    assert odds(2, 0) == pytest.approx(3 * a, abs=1e-3)
    assert odds(1, 0) == pytest.approx(0, abs=1e-3)
    assert odds(1, 0, PASS, BET) == pytest.approx(a + 1 / 3, abs=1e-3)
    assert odds(0, 1, PASS, BET) == pytest.approx(0, abs=1e-3)
    assert odds(2, 1, PASS, BET) == pytest.approx(1, abs=1e-3)
    assert odds(1, 0, PASS) == pytest.approx(1 / 3, abs=1e-3)
    assert odds(0, 1, BET) == pytest.approx(1 / 3, abs=1e-3)
    assert odds(0, 2, BET) == pytest.approx(1, abs=1e-3)
    assert found.value == pytest.approx(-1 / 18, abs=1e-6)


def test_leduc_poker():
    found = cfr(LEDUC, until=1e-3)
    assert found.exploitability <= 1e-3
    assert found.value == pytest.approx(LEDUC_VALUE, abs=1e-3)
    better = cfr(LEDUC, iterations=3000, variant="predictive")
    assert better.value == pytest.approx(LEDUC_VALUE, abs=1e-5)
    assert better.exploitability < 5e-4


def test_tables():
    hands = cfr(game("rock_paper_scissors"))
    assert hands.profile == (pytest.approx((1 / 3,) * 3), pytest.approx((1 / 3,) * 3))
    pennies = cfr(Matrix([[2, -1], [-1, 1]]), iterations=5000, variant="predictive")
    assert pennies.value == pytest.approx(1 / 5, abs=1e-4)
    assert pennies.profile[0] == pytest.approx((2 / 5, 3 / 5), abs=1e-3)
    dilemma = cfr(game("prisoners_dilemma"))
    assert "general sum" in dilemma.note
    assert dilemma.regret < 1e-4


@given(
    st.lists(st.lists(st.integers(-9, 9), min_size=3, max_size=3), min_size=2, max_size=4), st.sampled_from([*VARIANTS])
)
@settings(max_examples=25, deadline=None)
def test_random_tables_against_linear_programming(rows, variant):
    table = Matrix(rows)
    found = cfr(table, iterations=300, variant=variant, device="python")
    exact = zermelo.sequence_form(table).value
    best = sum(found.gains)
    assert found.value == pytest.approx(exact, abs=best + 1e-9), "no further off than best responses gain"
    assert best <= 18 * 3 * 3 / math.sqrt(300) * 4, "regret shrinks as promised"
    assert nash_conv(table, found.policy) == pytest.approx(best, abs=1e-9)


def test_a_tree_without_hidden_information():
    tree = Tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
    assert cfr(tree, iterations=1000).value == pytest.approx(3, abs=1e-3)


def test_states_that_are_reached_in_several_ways_are_played_alike():
    tic = game("tic_tac_toe")
    s = tic.play(tic.initial(), 0, 4, 8, 2)
    found = cfr(tic, state=s, iterations=100)
    assert found.exploitability == pytest.approx(exploitability(tic, found, state=s), abs=1e-12)
    assert found.value == pytest.approx(zermelo.minimax(tic, s).value, abs=1e-2)


def test_three_players():
    found = cfr(game("kuhn_poker", players=3), iterations=500)
    assert "3 players" in found.note
    assert len(found.gains) == 3
    assert found.regret < 1e-3
    assert sum(found.values) == pytest.approx(0, abs=1e-12)


def test_an_end_is_worth_what_it_gives():
    tree = Tree([3, 5])
    found = cfr(tree, state=tree.play(tree.initial(), 1))
    assert (found.values, found.gains) == ((5.0, -5.0), (0.0, 0.0))


def test_one_player_finds_the_best():
    assert cfr(Matrix([1, 5, 2]), iterations=500).value == pytest.approx(5, abs=1e-3)


def test_stream():
    steps = list(cfr.stream(KUHN, iterations=100, variant="cfr+"))
    assert [iteration for iteration, _ in steps][-1] == 100
    assert steps[-1].exploitability < steps[0].exploitability
    for step in (steps[0], steps[-1]):
        answer = step.answer()
        assert answer.exploitability == step.exploitability == exploitability(KUHN, answer)
    assert answer.gains == cfr(KUHN, iterations=100).gains, "looking does not disturb"


def test_a_stream_can_be_left():
    seen = []
    for step in cfr.stream(KUHN, until=1e-9):
        seen.append(step)
        if step.iteration > 50:
            break
    assert seen[-1].answer().exploitability == seen[-1].exploitability > 1e-9


def test_until_that_is_not_reached_is_said():
    found = cfr(KUHN, until=1e-9, iterations=20)
    assert "before exploitability 1e-09 was reached" in found.note
    assert found.iterations == 20


def test_discounts_are_those_of_linear_regret():
    one = cfr(KUHN, iterations=50, variant="discounted", alpha=1, beta=1, gamma=1)
    other = cfr(KUHN, iterations=50, variant="linear")
    assert one.gains == other.gains


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"variant": "cfr-"}, "variant must be one of cfr, cfr"),
        ({"iterations": 0}, "iterations must be an integer >= 1"),
        ({"until": 0}, "until must be an exploitability > 0"),
        ({"until": math.nan}, "until must be"),
        ({"seed": 1.5}, "seed must be an integer"),
        ({"device": "tpu"}, "device must be one of"),
        ({"alpha": 2.0}, 'belong to variant="discounted"'),
        ({"variant": "discounted", "gamma": -1}, "gamma must lie between"),
        ({"variant": "external", "device": "cuda"}, "walks the rules on one core"),
        ({"variant": "outcome", "exploration": 2}, "exploration must lie between"),
        ({"variant": "external", "simultaneous": True}, "has no simultaneous"),
        ({"memory": 0}, "memory must be an integer"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(BadParameter, match=message):
        cfr(KUHN, **options)


class Forgetful(Matrix):
    """One player who moves twice and has forgotten the first move."""

    def __init__(self):
        super().__init__([[1, 0], [0, 1]])

    def to_move(self, s):
        return 0

    def view(self, s, player):
        return 0


def test_a_player_who_forgets_is_refused():
    with pytest.raises(UnsuitableGame, match="player 0 forgets what it did"):
        cfr(Forgetful())
    found = cfr(Forgetful(), variant="external", iterations=10, device="python")
    assert math.isnan(found.exploitability)


def test_a_tree_that_is_too_large_is_refused_before_it_is_kept():
    with pytest.raises(zermelo.EndlessGame, match='variant="external"'):
        cfr(game("kuhn_poker", players=6), memory=1, device="python")


# --- subgames --------------------------------------------------------------------------------------------------------


def test_a_public_state_holds_what_anybody_may_take_for_the_case():
    bet = KUHN.play(KUHN.initial(), 2, 1, BET)
    states = public_state(KUHN, bet, Policy.uniform(KUHN))
    assert sum(states.values()) == pytest.approx(1)
    assert set(states) == {KUHN.play(KUHN.initial(), a, b, BET) for a, b in itertools.permutations(range(3), 2)}


def test_a_subgame_solved_from_the_ranges_of_an_equilibrium_keeps_its_value():
    whole = cfr(KUHN, iterations=5000, variant="predictive", device="cpu")
    at_root = KUHN.play(KUHN.initial(), 0, 1)
    assert resolve(KUHN, at_root, whole.policy, iterations=2000).value == pytest.approx(-1 / 18, abs=1e-3)
    bet = KUHN.play(KUHN.initial(), 0, 1, BET)
    found = resolve(KUHN, bet, whole.policy, iterations=2000)
    king, jack = (KUHN.play(KUHN.initial(), a, b, BET) for a, b in ((1, 2), (1, 0)))
    assert found.policy(king)[BET] == pytest.approx(1, abs=1e-2)
    assert found.policy(jack)[BET] == pytest.approx(0, abs=1e-2)
    assert "taken as given" in found.note


def test_leduc_from_the_second_round_on():
    whole = cfr(LEDUC, until=1e-3)
    second = LEDUC.play(LEDUC.initial(), 0, 2, 1, 1, 4)
    roots = public_state(LEDUC, second, whole.policy)
    assert len(roots) == 5 * 4
    found = cfr(LEDUC, roots=roots, iterations=300)
    assert found.exploitability < 1e-2
    ranges = [
        {LEDUC.view(s, p): odds for s, odds in public_state(LEDUC, second, Policy.uniform(LEDUC)).items()}
        for p in range(2)
    ]
    assert len(public_state(LEDUC, second, ranges=ranges)) == 20


def test_bad_subgames():
    s = KUHN.play(KUHN.initial(), 0, 1)
    with pytest.raises(BadParameter, match="give the policy"):
        resolve(KUHN, s)
    with pytest.raises(BadParameter, match="2 players; 1 ranges"):
        resolve(KUHN, s, ranges=[None])
    with pytest.raises(BadParameter, match="never comes to this public state"):
        resolve(KUHN, s, ranges=[{}, None])
    with pytest.raises(BadParameter, match="in which a player moves"):
        resolve(KUHN, KUHN.initial(), Policy.uniform(KUHN))


# --- files -----------------------------------------------------------------------------------------------------------


def test_policies_are_kept_in_files(tmp_path):
    found = cfr(KUHN, iterations=100)
    found.policy.save(tmp_path / "kuhn.npz")
    again = Behaviour.load(tmp_path / "kuhn.npz", KUHN)
    assert dict(again.choose) == dict(found.policy.choose)
    assert len(again.choose) == 12
    assert exploitability(KUHN, again) == found.exploitability
    plain = Behaviour(KUHN, dict(found.policy.choose))
    plain.save(tmp_path / "kuhn.npz")
    assert dict(Behaviour.load(tmp_path / "kuhn.npz", KUHN).choose) == dict(plain.choose)
    assert [path.name for path in tmp_path.iterdir()] == ["kuhn.npz"], "nothing is left beside it"


def test_files_of_other_games_and_broken_ones_are_refused(tmp_path):
    path = tmp_path / "kuhn.npz"
    cfr(KUHN, iterations=10).policy.save(path)
    with pytest.raises(BadNotation, match="is about kuhn_poker"):
        Behaviour.load(path, game("kuhn_poker", players=3))
    with pytest.raises(BadNotation, match="no such file"):
        Behaviour.load(tmp_path / "other.npz", KUHN)
    whole, source = path.read_bytes(), random.Random(1)
    for _ in range(200):
        broken = bytearray(whole)
        if source.random() < 0.5:
            del broken[source.randrange(len(broken)) :]
        else:
            broken[source.randrange(len(broken))] ^= 1 << source.randrange(8)
        path.write_bytes(bytes(broken))
        try:
            read = Behaviour.load(path, KUHN)
        except BadNotation:
            continue
        assert len(read.choose) == 12
    with pytest.raises(BadParameter, match="a policy that is a function"):
        Behaviour(KUHN, lambda situation: 0).save(path)


# --- random trees ----------------------------------------------------------------------------------------------------


def dealt_tree(payoffs, odds, seen):
    """Both players get one of two cards; player 0 moves, then player 1, who sees the move or does not."""
    left = iter(payoffs)

    def second(card, action):
        name = f"second {card} {action if seen else ''}"
        return move(1, [next(left), next(left)], name)

    def first(mine, theirs):
        return move(0, [second(theirs, 0), second(theirs, 1)], f"first {mine}")

    deals = [(mine, theirs) for mine in range(2) for theirs in range(2)]
    whole = sum(odds)
    return Tree(chance([(p / whole, first(*deal)) for p, deal in zip(odds, deals, strict=True)]))


@given(
    st.lists(st.integers(-5, 5), min_size=16, max_size=16),
    st.lists(st.integers(1, 4), min_size=4, max_size=4),
    st.booleans(),
)
@settings(max_examples=25, deadline=None)
def test_random_trees_against_linear_programming(payoffs, odds, seen):
    tree = dealt_tree(payoffs, odds, seen)
    found = cfr(tree, iterations=400, variant="predictive", device="python")
    exact = zermelo.sequence_form(tree).value
    assert found.value == pytest.approx(exact, abs=sum(found.gains) + 1e-9)
    assert sum(found.gains) < 0.2
    assert nash_conv(tree, found) == pytest.approx(sum(found.gains), abs=1e-9)


def test_predictive_is_the_published_algorithm():
    # Predictive regret matching+ (Farina, Kroer and Sandholm 2021), alternating, averaged with t^2, written out.
    payoffs = np.random.default_rng(3).integers(-5, 6, (4, 5)).astype(float)
    tables = (payoffs, -payoffs.T)
    kept, last, sums = ([np.zeros(size) for size in payoffs.shape] for _ in range(3))
    play = [np.full(size, 1 / size) for size in payoffs.shape]
    for t in range(1, 51):
        for p in range(2):
            worth = tables[p] @ play[1 - p]
            sums[p] += t * t * play[p]
            last[p] = worth - play[p] @ worth
            kept[p] = np.maximum(kept[p] + last[p], 0)
            wish = np.maximum(kept[p] + last[p], 0)
            play[p] = wish / wish.sum() if wish.sum() > 0 else np.full(len(wish), 1 / len(wish))
    found = cfr(Matrix(payoffs), iterations=50, variant="predictive", device="python")
    for own, odds in zip(found.profile, sums, strict=True):
        assert own == pytest.approx(odds / odds.sum(), abs=1e-12)


def test_predictive_is_ahead_where_play_settles_and_behind_in_leduc():
    def left(tree, variant):
        return cfr(tree, iterations=300, variant=variant, device="cpu").exploitability

    for quick in (KUHN, game("goofspiel", cards=4), game("liars_dice", faces=4)):
        assert left(quick, "predictive") < 0.1 * left(quick, "cfr+")
    assert left(LEDUC, "cfr+") < left(LEDUC, "predictive") < 3 * left(LEDUC, "cfr+")


def test_exponents_that_are_too_large_for_floats_keep_all():
    assert VARIANTS["cfr"].pace(0, 3).tolist() == [1, 1, 1] * 3
    large = variant_of("discounted", 1e5, -1e5, 0.0).pace(0, 3).reshape(3, 3)
    assert large[:, 0].tolist() == [0.5, 1.0, 1.0]
    assert large[:, 1].tolist() == [0.5, 0.0, 0.0]


@pytest.mark.filterwarnings("error")
def test_large_exponents_still_solve_kuhn_poker():
    found = cfr(KUHN, iterations=500, variant="discounted", alpha=1e5, beta=-1e5, device="python")
    assert found.exploitability < 1e-2


def test_options_that_do_not_exist():
    with pytest.raises(BadParameter, match="cfr: there is no option 'foo'; it takes iterations, until, time, limit"):
        cfr(KUHN, foo=3)


def test_a_folder_is_no_place_for_a_policy(tmp_path):
    found = cfr(KUHN, iterations=1)
    for place in (tmp_path, ".", "/"):
        with pytest.raises(BadParameter, match="it is a folder"):
            found.policy.save(place)
