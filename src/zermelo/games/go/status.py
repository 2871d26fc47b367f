"""Which stones of Go are dead when nobody plays on: judged by how fast games from there end.

By the rules nobody judges it: what is to leave the board has to be captured. People stop earlier, and interfaces ask.
"""

from typing import Any

from zermelo.bits import u64
from zermelo.compile import kernel, machine
from zermelo.compile.machine import is_native
from zermelo.games.go import Go
from zermelo.games.go.boards import first_point, flooded, holds, is_empty, without
from zermelo.games.go.moves import areas
from zermelo.games.go.playouts import stones_of
from zermelo.games.go.stones import BLACK, WHITE

PLAYOUTS = 256
"""Games that are played, half of them with either side to move."""
DEAD = 0.7
"""A chain is dead where at least so many of its points end up the other side's, over all games."""


@kernel
def tally(game, s, seed, count, memory):
    """Play games to the end, and add up in the first words of memory how often each point was Black's."""
    points = game.size * game.size
    for n in range(points):
        memory[n] = 0
    for i in range(count):
        game.rollout(s, seed + i, memory, points)
        base = points + game.policy_size
        black, _ = areas(game, stones_of(game, memory, base, BLACK), stones_of(game, memory, base, WHITE))
        for n in range(points):
            memory[n] += 1 if holds(game, black, n) else 0
    return count


def owned(game: Go, s: Any, seed: int = 0) -> list[float]:
    """For each point, in which part of all games it ends up Black's."""
    game = type(game)(size=game.size, playouts=game.playouts)  # komi decides nothing here, and need not be compiled
    on = machine("cpu" if is_native(game) is None else "python")
    points = game.size * game.size
    memory = on.memory(points + game.rollout_words)
    sums = [0] * points
    for player in (0, 1):
        begun = s._replace(player=player, passes=0, ko=-1, last=-1)
        # The seeds of either half are far apart, so that no game is played twice.
        first = (seed + player * (1 << 32)) & (1 << 62) - 1
        on.call(tally, game=game, s=begun, seed=first, count=PLAYOUTS // 2, memory=memory)
        for n in range(points):
            sums[n] += memory[n]
    return [total / PLAYOUTS for total in sums]


def chains(game: Go, stones: tuple[u64, ...]) -> list[list[int]]:
    """The chains of one side, each as its points."""
    found = []
    while not is_empty(game, stones):
        chain = flooded(game, first_point(game, stones), stones)
        found.append([n for n in range(game.size * game.size) if holds(game, chain, n)])
        stones = without(game, stones, chain)
    return found


def statuses(game: Go, s: Any, seed: int = 0) -> dict[str, list[list[int]]]:
    """The chains that are alive and those that are dead; a seki is not told from life."""
    black = owned(game, s, seed)
    found: dict[str, list[list[int]]] = {"alive": [], "seki": [], "dead": []}
    for player, stones in enumerate((s.black, s.white)):
        for chain in chains(game, stones):
            lost = sum(black[n] if player == 1 else 1 - black[n] for n in chain) / len(chain)
            found["dead" if lost >= DEAD else "alive"].append(chain)
    return found
