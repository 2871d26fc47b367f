"""Policies in files that somebody changed: refused in one line, or played only where the game allows it."""

import contextlib
import math
import os
import random

import numpy as np
import pytest

from zermelo import BadParameter, game
from zermelo.equilibrium.cfr.best_response import exploitability
from zermelo.equilibrium.cfr.cfr import cfr
from zermelo.equilibrium.policies.equilibrium import Behaviour
from zermelo.errors import BadNotation, IllegalAction

KUHN = game("kuhn_poker")


def rewritten(path, change):
    """Let somebody change the arrays of a file."""
    with np.load(path) as file:
        arrays = {name: file[name] for name in file}
    change(arrays)
    np.savez_compressed(path, **arrays)


def set_all(name, value):
    return lambda arrays: arrays[name].fill(value)


def put(name, array):
    return lambda arrays: arrays.update({name: np.array(array)})


def retyped(name, kind):
    return lambda arrays: arrays.update({name: arrays[name].astype(kind)})


WRONG = {
    "actions of another game": (set_all("action", 77), "named twice"),
    "one action of another game": (lambda a: a["action"].__setitem__(1, 77), r"one of \[0, 77\].*offers \[0, 1\]"),
    "negative actions": (lambda a: a["action"].__setitem__(0, -1), "integers >= 0"),
    "no odds": (set_all("odds", math.nan), "outside"),
    "odds over 1": (set_all("odds", 2.0), "outside"),
    "odds below 0": (lambda a: a["odds"].__setitem__(slice(2), [-0.5, 1.5]), "outside"),
    "odds that do not sum to 1": (set_all("odds", 0.4), "sum to 1"),
    "a number for an array": (put("key", 3), "fit together|other things"),
    "no sets": (put("first", np.zeros(0, np.int64)), "fit together"),
    "a table of sets": (lambda a: a.update(key=a["key"].reshape(-1, 2)), "fit together"),
    "a table of odds": (lambda a: a.update(odds=a["odds"].reshape(2, -1)), "fit together"),
    "fewer odds": (lambda a: a.update(odds=a["odds"][1:]), "fit together"),
    "sets without end": (lambda a: a["first"].__setitem__(-1, 1 << 60), "fit together"),
    "sets backwards": (lambda a: a.update(key=a["key"][::-1]), "in order"),
    "floats for actions": (retyped("action", float), "other things"),
    "words for actions": (retyped("action", str), "other things"),
    "small floats for odds": (retyped("odds", np.float32), "other things"),
    "words for whether it is partial": (
        lambda a: a.update(head=np.frombuffer(bytes(a["head"]).replace(b"false", b'"no" '), np.uint8)), "no policy",
    ),
    "half of it": (lambda a: a.pop("odds"), "damaged"),
}  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG)
def test_files_that_somebody_changed_are_refused_in_one_line(tmp_path, wrong):
    change, said = WRONG[wrong]
    path = tmp_path / "kuhn.npz"
    cfr(KUHN, iterations=10).policy.save(path)
    rewritten(path, change)
    with pytest.raises(BadNotation, match=said) as caught:
        Behaviour.load(path, KUHN)
    assert "kuhn.npz" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_is_no_file_is_no_policy(tmp_path):
    with pytest.raises(BadNotation, match="no file"):
        Behaviour.load(tmp_path, KUHN)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(BadNotation, match="no file"):
        Behaviour.load(tmp_path / "pipe", KUHN)


def test_changed_arrays_are_refused_or_say_something_that_can_be_played(tmp_path):
    path, source = tmp_path / "kuhn.npz", random.Random(3)
    cfr(KUHN, iterations=10).policy.save(path)
    whole = path.read_bytes()
    for _ in range(100):
        path.write_bytes(whole)

        def change(arrays):
            array = arrays[source.choice(["key", "first", "action", "odds"])]
            values = [0, 1, -1, 2, 77, 1 << 40, 0.5]
            for _ in range(source.randrange(1, 4)):
                array[source.randrange(len(array))] = source.choice(values)

        rewritten(path, change)
        try:
            read = Behaviour.load(path, KUHN)
        except BadNotation:
            continue
        # Where a set is gone, the policy says nothing about it.
        with contextlib.suppress(BadParameter):
            assert 0 <= exploitability(KUHN, read) < 2


def test_actions_count_by_name_and_not_by_place(tmp_path):
    known = dict(cfr(KUHN, iterations=50).policy.choose)
    turned = Behaviour(KUHN, {seen: dict(reversed(odds.items())) for seen, odds in known.items()})
    turned.save(tmp_path / "turned.npz")
    again = Behaviour.load(tmp_path / "turned.npz", KUHN)
    assert exploitability(KUHN, again) == pytest.approx(exploitability(KUHN, Behaviour(KUHN, known)))
    few = Behaviour(KUHN, {seen: {max(odds, key=odds.get): 1.0} for seen, odds in known.items()})
    few.save(tmp_path / "few.npz")
    assert exploitability(KUHN, Behaviour.load(tmp_path / "few.npz", KUHN)) == pytest.approx(exploitability(KUHN, few))


def test_a_policy_of_other_actions_is_refused_where_it_is_played():
    known = dict(cfr(KUHN, iterations=5).policy.choose)
    key = next(iter(known))
    wrong = Behaviour(KUHN, known | {key: {77: 1.0}})
    with pytest.raises(IllegalAction, match="77"):
        exploitability(KUHN, wrong)
