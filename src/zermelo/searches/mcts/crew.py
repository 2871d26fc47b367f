"""Many searches in one launch: a row of a launch searches a tree, or a block of a GPU's threads does so together.

In a block the first thread goes down the tree and back up, and all of them play from the leaf. They meet twice in every
simulation. Sums are integers: nothing depends on who comes first.
"""

from zermelo.bits import u64
from zermelo.compile import barrier, fetch_add, kernel, load_state, part, state_words, store_state
from zermelo.compile.random import stream
from zermelo.running.statuses import FINE
from zermelo.searches.mcts.backing_up import back_up, prove
from zermelo.searches.mcts.blocks import HEAD, LIMIT, PATH, PLAYOUTS, SEED, STATUS, SUMS, WIDTH, WORDS
from zermelo.searches.mcts.choosing import write_summary
from zermelo.searches.mcts.playouts import average, play_on, values_at
from zermelo.searches.mcts.simulation import descend, is_settled, next_number, simulate

LANES = 128
"""Threads of a block."""
DOING, KEY, PLY, SUMS_AT = 0, 1, 2, 3
"""Words of the desk where a block meets: what is to be done, the key of the simulation, how deep it is, and then the
sums of all players and the leaf."""
END, SETTLED, PLAY = range(3)


@kernel
def begin(game, number, fresh, template, bare, orders, history, tree, keys, work):
    """Lay out the words to work with, and a tree unless there is one already."""
    for i in range(WORDS):
        work[i] = template[i]
    work[SEED], work[LIMIT] = orders[2 * number], orders[2 * number + 1]
    if fresh:
        for i in range(HEAD + work[WIDTH]):
            tree[i] = bare[i]
    if game.repetition is not None:
        for i in range(work[PATH]):
            keys[i] = history[i]
    return 0


@kernel
def search_row(
    game, row, fresh, spacing, prior, weight, estimate, shared, stays, rave, solver, several, buffered, states, orders,
    template, bare, history, forest, capacity, rooms, room, paths, path, works, out, size,
):  # fmt: skip
    """Search tree number `row` alone. Rows that run one after the other use the same memory: their `spacing` is 0."""
    slot = row * spacing
    tree, memory = part(forest, slot * capacity), part(rooms, slot * room)
    keys, work = part(paths, slot * path), part(works, slot * WORDS)
    begin(game, row, fresh != 0, template, bare, orders, history, tree, keys, work)
    s = load_state(game, states, row * state_words(game))
    simulate(
        game, s, prior, weight, estimate, shared, stays, rave, solver, several, buffered, tree, memory, keys, work
    )  # fmt: skip
    write_summary(game, s, solver, several, tree, work, part(out, row * size))


@kernel
def search_block(
    game, row, fresh, prior, weight, estimate, rave, solver, several, buffered, states, orders, template, bare,
    history, forest, capacity, rooms, room, paths, path, works, out, size, desks, desk_words,
):  # fmt: skip
    """Search tree number `row // LANES` together with the other threads of the block."""
    slot, lane = row // LANES, row % LANES
    tree, memory = part(forest, slot * capacity), part(rooms, row * room)
    keys, work = part(paths, slot * path), part(works, slot * WORDS)
    desk = part(desks, slot * desk_words)
    s = load_state(game, states, slot * state_words(game))
    if lane == 0:
        begin(game, slot, fresh != 0, template, bare, orders, history, tree, keys, work)
    while True:
        if lane == 0:
            desk[DOING] = lead(game, s, prior, rave, solver, several, tree, memory, keys, work, desk)
        barrier()
        doing = desk[DOING]
        if doing == END:
            break
        if doing == PLAY:
            leaf = load_state(game, desk, SUMS_AT + game.players)
            for i in range(lane, work[PLAYOUTS], LANES):
                key = u64(desk[KEY]) if i == 0 else stream(u64(desk[KEY]), i)
                play_on(game, leaf, weight, estimate, True, False, several, buffered, key, tree, memory, work)
                for player in range(work[SUMS]):
                    fetch_add(desk, SUMS_AT + player, memory[values_at(game) + player])
        barrier()
        if lane == 0 and work[STATUS] == FINE:
            if doing == PLAY:
                for player in range(work[SUMS]):
                    memory[values_at(game) + player] = average(desk[SUMS_AT + player], work[PLAYOUTS])
            back_up(game, False, False, rave, several, desk[PLY], tree, memory, work)
            if solver:
                prove(game, several, desk[PLY], tree, memory, work)
    if lane == 0:
        write_summary(game, s, solver, several, tree, work, part(out, slot * size))


@kernel
def lead(game, s, prior, rave, solver, several, tree, memory, keys, work, desk):
    """Go down the tree and lay the leaf on the desk; what the block is to do."""
    number = next_number(False, solver, tree, work)
    if number < 0:
        return END
    key = stream(work[SEED], number)
    leaf, ply, drawn = descend(game, s, prior, False, False, rave, solver, several, key, tree, memory, keys, work)
    if work[STATUS] != FINE:
        return END
    desk[KEY], desk[PLY] = key, ply
    if is_settled(game, leaf, solver, False, drawn, ply, tree, memory, work):
        return SETTLED
    for player in range(work[SUMS]):
        desk[SUMS_AT + player] = 0
    store_state(game, desk, SUMS_AT + game.players, leaf)
    return PLAY


@kernel
def desk_words_of(game):
    """The words of a desk."""
    return SUMS_AT + game.players + state_words(game)
