"""`minimax(...).policy` and the like: the move in every state that best play needs."""

import pytest

import zermelo
from zermelo import EndlessGame, expected_values, game
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


def test_too_many_states_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.searches.plain.best_play.MANY", 500)
    with pytest.raises(EndlessGame, match=r"ask for one by policy\(s\)"):
        zermelo.alphabeta(game("connect_four"), depth=1, device="python").policy.to_dict()
