"""How a plain search is called, and how it keeps to limits: it looks one move ahead, then two, then three, and so on.

A method is a function that says what is to be searched, as a `Call`; `plain_search` makes of it what people call.
"""

import inspect
from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import replace
from functools import partial, wraps
from typing import Any, ParamSpec, Protocol, cast

from zermelo.contract import CHANCE
from zermelo.result import Analysis, Limit
from zermelo.running.repetition import history_keys, new_positions
from zermelo.running.watching import known_when_interrupted
from zermelo.searches.limits import NAMES, naming_limits, spent_on
from zermelo.searches.plain.budget import Budget, Spent
from zermelo.searches.plain.call import Call

P = ParamSpec("P")

OF_ONE_CALL = ("game", "state", "history", "record", "window", "limit", *NAMES)
"""What a call says of the state that it is about; the rest says how to search, in that state and in others."""
MOMENT = 0.2
"""Seconds for an answer where a search is stopped before it knows anything."""


class PlainSearch(Protocol[P]):
    """A plain search as people call it."""

    __name__: str

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Analysis:
        """The answer: as deep as `depth` says, or as deep as time and nodes allow."""

    def stream(self, *args: P.args, **kwargs: P.kwargs) -> Iterator[Analysis]:
        """The answers after depth 1, 2, 3, ...; the last is the best."""


def plain_search(prepare: Callable[P, Call]) -> PlainSearch[P]:
    """The search that a method prepares, with its stream of answers."""
    checked, signature = naming_limits(prepare), inspect.signature(prepare)

    def call(*args: P.args, **kwargs: P.kwargs) -> Call:
        made, given = checked(*args, **kwargs), signature.bind(*args, **kwargs).arguments
        options = {name: value for name, value in given.items() if name not in OF_ONE_CALL}
        if "player" in signature.parameters:
            made.planner = options["player"] = made.me
        made.again = partial(told, **options)
        return made

    @wraps(prepare)
    @known_when_interrupted()
    def search(*args: P.args, **kwargs: P.kwargs) -> Analysis:
        return answer_to(call(*args, **kwargs))

    def stream(*args: P.args, **kwargs: P.kwargs) -> Iterator[Analysis]:
        """The answers after depth 1, 2, 3, ...; the last is the best."""
        return answers_to(call(*args, **kwargs))

    told: Any = search
    told.__signature__ = signature.replace(return_annotation=Analysis)
    told.__annotations__ = prepare.__annotations__ | {"return": Analysis}
    told.stream = wraps(prepare, assigned=("__module__", "__annotations__"))(stream)
    told.stream.__signature__ = signature.replace(return_annotation=Iterator[Analysis])
    return cast(PlainSearch[P], search)


def answer_to(call: Call) -> Analysis:
    """The answer of one search where nothing but its depth is limited; else the last of deeper and deeper ones."""
    if call.limit.time is None and call.limit.nodes is None:
        budget = Budget(call.limit)
        with known_when_interrupted(lambda: call.so_far(budget) or at_short_notice(call)):
            return call.search_to(call.limit.depth, budget)
    *_, last = answers_to(call)
    return last


def answers_to(call: Call) -> Iterator[Analysis]:
    """The answers of depth 1, 2, 3, ...: until one rests on no estimate, or as deep as was asked for, or until time or
    nodes run out. Then the deepest comes once more, with all nodes and a note."""
    limit, budget = call.limit, Budget(call.limit)
    finished: list[Analysis] = []

    def known() -> Analysis | None:
        return finished[-1] if finished else call.so_far(budget)

    depth = 1 if limit.depth is None else min(1, limit.depth)
    while True:
        try:
            with known_when_interrupted(known):
                found = call.search_to(depth, budget)
        except Spent as spent:
            nodes = budget.seen + spent.nodes
            break
        budget.seen += found.nodes
        ends_deepening = call.is_whole and len(finished) > 0
        own = f"the last of deeper and deeper searches looked at {found.nodes:,} nodes" if ends_deepening else ""
        finished.append(
            replace(
                found, nodes=budget.seen, time=budget.spent, compile_seconds=budget.compile_seconds,
                note=_joined(found.note, own),
            )
        )  # fmt: skip
        yield finished[-1]
        if call.is_whole or depth == limit.depth:
            return
        depth += 1
    last = known() or at_a_glance(call)
    yield replace(
        last, nodes=max(nodes, last.nodes), time=budget.spent, compile_seconds=budget.compile_seconds,
        note=_joined(last.note, spent_on(limit)),
    )  # fmt: skip


def at_short_notice(call: Call) -> Analysis:
    """What plain Python finds in a moment: the answer where a long search was stopped within its first move."""
    quick = copy(call)
    quick.device, quick.limit = "python", Limit(time=MOMENT, depth=call.limit.depth)
    *_, last = answers_to(quick)
    return replace(last, note=f"not even the first move was searched to its end; {MOMENT:g} s of Python find this")


def at_a_glance(call: Call) -> Analysis:
    """The answer where a limit left no time for any move: the estimate of the state, and its first legal move."""
    found, game, s = call.search_to(0, Budget(Limit())), call.game, call.state
    if call.is_whole or game.to_move(s) == CHANCE:
        return found
    actions = list(game.actions(s))
    if game.forbids_repetition:
        actions = new_positions(game, s, actions, history_keys(game, call.history))
    return replace(found, action=actions[0], line=(actions[0],), note="no time for any move: this one is the first")


def _joined(*notes: str) -> str:
    return "; ".join(filter(None, notes))
