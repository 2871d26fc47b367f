"""The techniques of the engine, each a bit that can be switched off to see what it gives.

Kernels test these bits while they run. A test costs a predictable branch, less than can be measured; if the bits were
constants of a set-up, every combination would be compiled anew.
"""

from collections.abc import Iterable, Mapping

from zermelo.errors import BadParameter

TECHNIQUES = {
    "deepening": "search depth 1, then 2, then 3, ..., each ordered by the one before",
    "zero_window": "principal variation search: after the first move only ask whether another is better",
    "aspiration": "begin each depth with a narrow window around the last value",
    "table": "a transposition table: positions reached by other orders of moves are looked up",
    "captures_first": "try noisy moves first, and of others those that look best ahead (`order`, `is_noisy`)",
    "killers": "try quiet moves early that refuted a neighbouring position",
    "history_moves": "order quiet moves by how often they were best",
    "counter_moves": "order moves by what refuted the move before",
    "quiescence": "search on at the depth limit while there are noisy moves, and estimate quiet positions only",
    "check_extensions": "search one ply deeper where the player to move is in check",
    "singular_extensions": "search the table's move one ply deeper where all others are clearly worse",
    "reductions": "search late moves less deep, and again in full when they surprise",
    "null_move": "where even a pass is good enough, cut off (games with `null`)",
    "margins": "leave out what cannot matter near the depth limit, judged by the estimate (games with `advantage`)",
    "win_distance": "cut off where a shorter win is known already",
    "symmetry": "skip mirror images of earlier moves near the root (games with `transform`)",
    "path_values": "keep values that depend on a repetition out of the table",
    "corrections": "correct estimates by what searches of like positions found (games with `structure`)",
    "glances": "look at all moves before any is searched: one may end the game, or the table may know enough of it",
    "proof": "where all lines end within the depth, go on without all that is inexact until the value is proved",
}
"""What each technique does."""

INEXACT = (
    "quiescence", "check_extensions", "singular_extensions", "reductions", "null_move", "margins", "corrections",
)  # fmt: skip
"""The techniques that can change the value of a search to a given depth; all others change only its cost."""

(
    DEEPENING, ZERO_WINDOW, ASPIRATION, USE_TABLE, CAPTURES_FIRST, KILLERS, HISTORY, COUNTER_MOVES, QUIESCENCE,
    CHECK_EXTENSIONS, SINGULAR_EXTENSIONS, REDUCTIONS, NULL_MOVE, MARGINS, WIN_DISTANCE, SYMMETRY, PATH_VALUES,
    CORRECTIONS, GLANCES, PROOF,
) = (1 << i for i in range(len(TECHNIQUES)))  # fmt: skip
PROVING = 1 << len(TECHNIQUES)
"""Set while all inexact techniques are off, and nothing is believed of the table but what rests on ends of the game."""
ALL_INEXACT = sum(1 << i for i, name in enumerate(TECHNIQUES) if name in INEXACT)
SELECTIVE = REDUCTIONS | NULL_MOVE | MARGINS | CHECK_EXTENSIONS | SINGULAR_EXTENSIONS
"""Where any of these is on, depths are nominal, and the table may answer with deeper searches than asked for."""


def check_names(names: Iterable[str]) -> None:
    """Refuse what is no technique."""
    for name in names:
        if name not in TECHNIQUES:
            raise BadParameter(f"search knows no technique {name!r}; it knows {', '.join(TECHNIQUES)}")


def switched_on(techniques: Mapping[str, object], table: int | bool) -> int:
    """The bits of the techniques that are on."""
    check_names(techniques)
    for name, value in techniques.items():
        if not isinstance(value, bool):
            raise BadParameter(f"{name} must be True or False, not {value!r}")
    if not isinstance(table, bool) and (not isinstance(table, int) or not 1 <= table <= 1 << 20):
        raise BadParameter(f"table must be a size in megabytes, True or False, not {table!r}")
    on = {**dict.fromkeys(TECHNIQUES, True), **techniques, "table": table is not False}
    return sum(1 << i for i, name in enumerate(TECHNIQUES) if on[name])
