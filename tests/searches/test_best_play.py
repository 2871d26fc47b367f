"""`minimax(...).policy` and the like: the move in every state that best play needs."""

import pickle

import pytest

import zermelo
from zermelo import BadParameter, EndlessGame, expected_values, game
from zermelo.policy import Policy

TOE, NIM = game("tic_tac_toe"), game("nim", heaps=(3, 2))


@pytest.mark.parametrize("method", [zermelo.minimax, zermelo.alphabeta, zermelo.expectiminimax, zermelo.maxn])
def test_it_says_the_best_move_in_every_state(method) -> None:
    policy = method(NIM).policy
    for s in zermelo.reachable(NIM):
        if not NIM.is_terminal(s):
            assert policy(s) == {method(NIM, s).action: 1.0}


def test_it_lists_what_player_0_needs_and_no_more() -> None:
    policy = zermelo.alphabeta(TOE).policy
    listed = policy.to_dict()
    assert TOE.initial() in listed
    assert all(TOE.to_move(s) == 0 for s in listed)
    s = TOE.initial()
    for answer in (4, 8):  # whatever the opponent answers, the next move is there
        (action,) = listed[s]
        s = TOE.result(TOE.result(s, action), answer)
        assert s in listed
    assert len(listed) < 200


def test_whoever_follows_it_gets_the_value() -> None:
    policy = zermelo.minimax(TOE, device="cpu").policy
    stranger = Policy.uniform(TOE)
    assert expected_values(TOE, [policy, policy]) == (0.0, 0.0)
    assert expected_values(TOE, [policy, stranger])[0] > 0.9
    worst = min(zermelo.minimax(TOE, s, device="cpu").value for s in policy.to_dict())
    assert worst == 0.0


def test_chance_and_further_players() -> None:
    coin = game("coin_bucket")
    assert zermelo.expectiminimax(coin).policy.to_dict() == {coin.initial(): {2: 1.0}}
    dice = game("pig", target=8, sides=3)
    needed = zermelo.expectiminimax(dice, depth=3).policy
    assert needed(dice.initial()) == {zermelo.expectiminimax(dice, depth=3).action: 1.0}
    alliance = game("alliance")
    asked = zermelo.paranoid(alliance, player=1).policy
    assert {alliance.to_move(s) for s in asked.to_dict()} <= {1}


def test_a_random_opponent_plays_all_alike() -> None:
    bucket = game("bucket")
    policy = zermelo.expectimax(bucket).policy
    assert policy(bucket.initial()) == {2: 1.0}
    assert policy(bucket.result(bucket.initial(), 2)) == {0: 0.5, 1: 0.5}
    assert expected_values(bucket, [policy, policy])[0] == 5.0


def test_too_many_states_are_told() -> None:
    with pytest.raises(EndlessGame, match="more than 500 states: too many to list"):
        zermelo.alphabeta(game("connect_four"), depth=1, device="python").policy.situations(most=500)


def test_it_leaves_python_as_data() -> None:
    answer = zermelo.alphabeta(NIM)
    listed = answer.policy.to_dict()
    rows = answer.to_json()["policy"]
    assert rows == answer.policy.to_json()["policy"]
    assert [(row["player"], row["reached"]) for row in rows] == [(0, True)] * len(listed)
    assert [max(row["odds"].values()) for row in rows] == [1.0] * len(listed)
    assert [x.view for x in answer.policy.situations()] == list(listed)


def test_a_search_that_looks_ahead_is_not_listed_with_its_answer() -> None:
    # It would go on from state to state: as deep as the game is, not as deep as was asked for.
    document = zermelo.alphabeta(TOE, depth=2).to_json()
    assert document["policy"] is None
    assert "the policy is left out" in document["policy_note"]


def test_what_limits_a_search_limits_its_policy_by_depth() -> None:
    answer = zermelo.alphabeta(TOE, nodes=200)
    s = TOE.result(TOE.initial(), 4)
    assert answer.policy(TOE.initial()) == {answer.action: 1.0}
    assert answer.policy(s) == {zermelo.alphabeta(TOE, s, depth=answer.depth).action: 1.0}


def test_it_comes_back_from_a_pickle() -> None:
    policy = zermelo.alphabeta(NIM, symmetry=True, device="python").policy
    again = pickle.loads(pickle.dumps(policy))
    assert again.to_dict() == policy.to_dict()


def test_functions_without_a_name_stay_behind() -> None:
    """A pickle cannot hold a lambda: what is known by then comes back, and an answer does not fail for it."""
    answer = zermelo.alphabeta(TOE, depth=2, evaluate=lambda s: 0.0)
    after = TOE.result(TOE.initial(), 0)
    answer.policy(after)
    again = pickle.loads(pickle.dumps(answer))
    for s in (TOE.initial(), after):
        assert again.policy(s) == answer.policy(s)
    with pytest.raises(BadParameter, match="the policy says nothing about"):
        again.policy(TOE.result(after, 1))
    assert list(again.policy.to_dict()) == [TOE.initial()]


def test_an_unfinished_search_has_none() -> None:
    four = game("connect_four")
    answer = zermelo.alphabeta(four, nodes=30)
    assert answer.policy is None or answer.policy(four.initial()) == {answer.action: 1.0}
