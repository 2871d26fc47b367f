"""Alpha-beta: minimax without the branches that cannot matter (Knuth and Moore, 1975), fail-soft or fail-hard."""

from collections.abc import Sequence
from typing import Any

from zermelo.arguments import whole
from zermelo.by_hand import AnyGame, as_game
from zermelo.compile import kernel
from zermelo.errors import BadParameter
from zermelo.result import Limit
from zermelo.running.callbacks import evaluation, ordering
from zermelo.running.statuses import FINE
from zermelo.running.suitability import require_no_chance, require_open, require_two_sides
from zermelo.searches.limits import limit_of
from zermelo.searches.plain.call import Call
from zermelo.searches.plain.deepening import plain_search
from zermelo.searches.plain.node import WalkSetup, arrive, keep_first
from zermelo.searches.plain.window import ANYWHERE, INFINITY, bounds_of, window_of
from zermelo.types import Evaluate, Order


@plain_search
def alphabeta(
    game: AnyGame,
    state: Any = None,
    *,
    time: float | None = None,
    nodes: int | None = None,
    depth: int | None = None,
    limit: Limit | None = None,
    evaluate: Evaluate | None = None,
    window: tuple[float, float] = ANYWHERE,
    bounds: tuple[float, float] | bool | None = None,
    order: Order | bool | None = None,
    keep: int | None = None,
    symmetry: bool = False,
    fail: str = "soft",
    device: str = "auto",
    record: bool = False,
    history: Sequence[Any] = (),
    when_lost: str | None = None,
) -> Call:
    """The minimax value without the branches that cannot change it.

    `bounds` are the least and the greatest utility (True: the game's own): with two outcomes the search stops at the
    first win, and a utility or an estimate that lies outside is refused. `order` sorts the moves (True: the game's own
    `order`; a text: one of its `orders`), `symmetry` skips mirror images of earlier moves. `keep` prunes forward: in
    each position it looks at so many moves alone, the first by `order`, and the value is an estimate.

    `fail` says what a node returns whose value lies outside of its window: "soft" what was found there, which is the
    better bound; "hard" the edge of the window, as in many textbooks. Both look at the same nodes.

    `depth` looks so many moves ahead. With `time` in seconds, or `nodes`, it looks one move ahead, then two, and so on,
    and the deepest search that was finished is the answer. `limit` is a `Limit` in place of these.
    """
    game = as_game(game)
    require_open(game, "alphabeta")
    require_no_chance(game, "alphabeta")
    require_two_sides(game, "alphabeta")
    limit = limit_of("alphabeta", limit, time=time, nodes=nodes, depth=depth)
    low, high = window_of(window)
    least, most = bounds_of(game, True, "alphabeta") if game.bounds is not None else ANYWHERE
    bounded = bounds is not None and bounds is not False
    if bounded:
        least, most = bounds_of(game, bounds, "alphabeta")
    # In a full search, the game's own bounds say whether a value at an edge of the window is exact: they are checked.
    checked = bounded or (limit == Limit() and (low > -INFINITY or high < INFINITY))
    if bounded:
        low, high = max(low, least), min(high, most)
    if symmetry and game.transform is None:
        raise BadParameter(f"{game.name} defines no transform(s, k): symmetry=True has nothing to work with")
    if keep is not None and order in (None, False):
        raise BadParameter("keep= takes the most promising moves: pass an order= too, such as order=True")
    if fail not in ("soft", "hard"):
        raise BadParameter(f'fail must be "soft" or "hard", not {fail!r}')
    kept = 0 if keep is None else whole("alphabeta: keep", keep, 1)
    setup = WalkSetup(
        forward=keep is not None, hard=fail == "hard",
        windowed=alphabeta_value, evaluate=evaluation(game, evaluate), order=ordering(game, order),
        symmetry=bool(symmetry), checked=checked,
    )  # fmt: skip
    return Call(
        "alphabeta", game, state, limit, history, setup, device=device, record=record, when_lost=when_lost,
        window=(low, high), bounds=(least, most), keep=kept,
    )  # fmt: skip


@kernel
def alphabeta_value(game, setup, s, alpha, beta, depth, walk):
    """The value v of `s` for player 0, as far as the window tells.

    If alpha < v < beta it is the minimax value; v <= alpha is an upper bound of it and v >= beta a lower one, which
    fail-hard search makes alpha and beta.
    """
    if setup.record is not None:
        setup.record.window(alpha, beta)
    top = walk.top
    end = arrive(game, setup, s, depth, walk)
    if end == top:
        return walk.value
    low, high = alpha, beta
    mover, best, choice = walk.mover, 0.0, -1
    for i in range(top, end):
        action = walk.actions[i]
        if setup.record is not None:
            setup.record.branch(action)
        value = alphabeta_value(game, setup, game.result(s, action), low, high, depth - 1, walk)
        if walk.status != FINE:
            return 0.0
        if top == 0:
            keep_first(walk, i, value)
        if i == top or (value > best if mover == 0 else value < best):
            best, choice = value, action
        if mover == 0:
            low = best if best > low else low
        else:
            high = best if best < high else high
        if low >= high:
            if setup.record is not None:
                setup.record.cut_off(walk.actions, i + 1, end, low, high, mover)
            break
    walk.top = top
    if setup.hard:
        best = alpha if best < alpha else beta if best > beta else best
    if setup.record is not None:
        setup.record.leave_window(best, choice, alpha, beta)
    return best
