"""The vertices of a simple polytope, one after the other along its edges: kernels.

The polytope is {x >= 0, Cx <= 1} for a positive matrix C, with every right-hand side 1 moved by its own infinitesimal
perturbation: then each vertex has as many tight constraints (labels) as there are unknowns, and each edge one less. A
vertex is known by its labels, an edge (a ridge here) by the labels that its two ends share. Every vertex opens its
ridges or closes those that its neighbour has opened; when no ridge is open, all vertices are found, for the graph of a
polytope is connected. No step but the proof that a basis is a vertex has to be trusted.
"""

from zermelo.compile import hash64, kernel, load_float, prefetch, store_float
from zermelo.equilibrium.nash.bimatrix.certificate import (
    DEPTH,
    FOUND,
    LISTS,
    OPEN,
    ROOM,
    ROWS,
    SHIFT,
    SIZE,
    STATUS,
    SURE,
    WIDTH,
    WORDS,
    certify,
    constraints_at,
    longer,
)

LABELS = 60
"""Labels in one word of a label set; the bits above are marks in the ridge table."""
TAKEN, CLOSED = 1 << 62, 1 << 61
DONE, FULL, LOST = 0, 1, 2
"""How the search ends: with all vertices, without room, or at a basis about which nothing could be proven."""
TINY = 1e-10
"""A tableau entry below this does not serve as a pivot."""
TIE, NARROW_TIE = 1e-9, 1e-13
"""Ratios that are as near to each other are taken for equal, at the first and at the second attempt."""
DRIFT = 1e-9
"""An inverse that is off by more than this is computed anew."""


@kernel
def set_at(work):
    """Where the words of the current basis, as a label set, begin; behind them those of a ridge, and the first
    places of the ridges."""
    return LISTS + work[ROWS] + work[WIDTH] + 3 * longer(work) + 1


@kernel
def label_of(work, variable):
    """The label that is tight where a variable is zero."""
    return (variable + work[SHIFT]) % (work[ROWS] + work[WIDTH])


@kernel
def start_over(work, numbers):
    """Set the tableau to the vertex 0, where all slacks are basic."""
    n, m = work[ROWS], work[WIDTH]
    constraints = constraints_at(work)
    for r in range(n):
        work[LISTS + r] = m + r
        for c in range(m):
            store_float(numbers, r * (m + 2) + c, load_float(numbers, constraints + r * m + c))
        store_float(numbers, r * (m + 2) + m, 1.0)
        store_float(numbers, r * (m + 2) + m + 1, load_float(numbers, constraints + n * m + r))
    for c in range(m):
        work[LISTS + n + c] = c
    return 0


@kernel
def pivot(work, numbers, row, column):
    """Exchange the variables of a row and a column."""
    n, m = work[ROWS], work[WIDTH]
    width = m + 2
    own = row * width
    inverse = 1.0 / load_float(numbers, own + column)
    store_float(numbers, own + column, 1.0)
    for c in range(width):
        store_float(numbers, own + c, load_float(numbers, own + c) * inverse)
    for r in range(n):
        if r != row:
            line = r * width
            factor = load_float(numbers, line + column)
            store_float(numbers, line + column, 0.0)
            for c in range(width):
                store_float(numbers, line + c, load_float(numbers, line + c) - factor * load_float(numbers, own + c))
    work[LISTS + row], work[LISTS + n + column] = work[LISTS + n + column], work[LISTS + row]
    return 0


@kernel
def go_to(work, numbers, found, vertex):
    """Bring the tableau to the basis of a vertex, by the largest pivots there are."""
    n, m = work[ROWS], work[WIDTH]
    start = 2 * work[WORDS] * vertex
    while True:
        best, row, column = 0.0, -1, -1
        for c in range(m):
            label = label_of(work, work[LISTS + n + c])
            if not found[start + label // LABELS] >> label % LABELS & 1:
                for r in range(n):
                    leaves = label_of(work, work[LISTS + r])
                    size = abs(load_float(numbers, r * (m + 2) + c))
                    if size > best and found[start + leaves // LABELS] >> leaves % LABELS & 1:
                        best, row, column = size, r, c
        if row < 0:
            return 0
        pivot(work, numbers, row, column)


@kernel
def leaving_row(work, numbers, column, tie):
    """The row whose variable reaches zero first when that of a column grows, ties broken by the perturbation."""
    n, width = work[ROWS], work[WIDTH] + 2
    least = 1e300
    for r in range(n):
        entry = load_float(numbers, r * width + column)
        if entry > TINY:
            least = min(least, load_float(numbers, r * width + width - 2) / entry)
    limit = least + tie * (1.0 + abs(least))
    chosen, lowest = -1, 1e300
    for r in range(n):
        entry = load_float(numbers, r * width + column)
        if entry > TINY and load_float(numbers, r * width + width - 2) / entry <= limit:
            moved = load_float(numbers, r * width + width - 1) / entry
            if moved < lowest:
                chosen, lowest = r, moved
    return chosen


@kernel
def first_place(work, key):
    """Where a ridge is looked for first in the table."""
    mixed = 0
    for w in range(work[WORDS]):
        mixed = hash64((mixed, work[key + w]))
    return mixed & (1 << work[SIZE]) - 1


@kernel
def place_of(work, ridges, key, place):
    """Where a ridge lies in the table, or the free place that it would take, from its first place on."""
    words, last = work[WORDS], (1 << work[SIZE]) - 1
    while True:
        entry = ridges[place * words]
        if entry == 0:
            return place * words
        same = entry & ~(TAKEN | CLOSED) == work[key]
        for w in range(1, words):
            same = same and ridges[place * words + w] == work[key + w]
        if same:
            return place * words
        place = place + 1 & last


@kernel
def touch(work, ridges, key, place):
    """Note that a vertex has a ridge: 1 if it is the first, 0 if it is the second, -1 if it is one too many."""
    place = place_of(work, ridges, key, place)
    if ridges[place] == 0:
        for w in range(1, work[WORDS]):
            ridges[place + w] = work[key + w]
        ridges[place] = work[key] | TAKEN
        work[OPEN] += 1
        return 1
    if ridges[place] & CLOSED:
        return -1
    ridges[place] |= CLOSED
    work[OPEN] -= 1
    return 0


@kernel
def set_ridge(work, label):
    """Write the label set of the current basis without one label behind it."""
    words, key = work[WORDS], set_at(work)
    for w in range(words):
        work[key + words + w] = work[key + w]
    work[key + words + label // LABELS] ^= 1 << label % LABELS
    return key + words


@kernel
def aim(work, ridges):
    """Write the label set of the current basis and the first places of its ridges, and let them be fetched."""
    n, m, words, key = work[ROWS], work[WIDTH], work[WORDS], set_at(work)
    for w in range(words):
        work[key + w] = 0
    for c in range(m):
        label = label_of(work, work[LISTS + n + c])
        work[key + label // LABELS] |= 1 << label % LABELS
    for c in range(m):
        place = first_place(work, set_ridge(work, label_of(work, work[LISTS + n + c])))
        work[key + 2 * words + c] = place
        prefetch(ridges, place * words)
    return 0


@kernel
def record(work, ridges, found, stack):
    """Keep the current vertex and touch its ridges: the last column whose ridge is open, -1, or -2 if it was known."""
    n, m, words = work[ROWS], work[WIDTH], work[WORDS]
    key, vertex = set_at(work), 2 * work[WORDS] * work[FOUND]
    for w in range(words):
        found[vertex + w] = found[vertex + words + w] = work[key + w]
    doubtful = LISTS + n + m + 2 * longer(work)
    for i in range(work[doubtful]):
        label = label_of(work, work[LISTS + work[doubtful + 1 + i]])
        found[vertex + words + label // LABELS] |= 1 << label % LABELS
    stack[work[DEPTH]] = work[FOUND]
    work[DEPTH] += 1
    work[FOUND] += 1
    open_column = -1
    for c in range(m):
        ridge = set_ridge(work, label_of(work, work[LISTS + n + c]))
        outcome = touch(work, ridges, ridge, work[key + 2 * words + c])
        if outcome < 0:
            return -2
        if outcome > 0:
            open_column = c
    return open_column


@kernel
def resume(work, numbers, ridges, found, stack):
    """Go back to the last vertex with an open ridge; the column of that ridge."""
    n, m, words = work[ROWS], work[WIDTH], work[WORDS]
    key = set_at(work)
    while True:
        vertex = stack[work[DEPTH] - 1]
        for w in range(words):
            work[key + w] = found[2 * words * vertex + w]
        for label in range(n + m):
            if work[key + label // LABELS] >> label % LABELS & 1:
                ridge = set_ridge(work, label)
                if not ridges[place_of(work, ridges, ridge, first_place(work, ridge))] & CLOSED:
                    go_to(work, numbers, found, vertex)
                    column = 0
                    while label_of(work, work[LISTS + n + column]) != label:
                        column += 1
                    return column
        work[DEPTH] -= 1


@kernel
def step(work, numbers, integers, ridges, found, stack, column):
    """Go from the last vertex on the stack along the ridge of a column: whether its other end is proven."""
    n = work[ROWS]
    entering = work[LISTS + n + column]
    for attempt in range(2):
        if attempt > 0:
            start_over(work, numbers)
            go_to(work, numbers, found, stack[work[DEPTH] - 1])
            certify(work, numbers, integers)
            column = 0
            while work[LISTS + n + column] != entering:
                column += 1
        row = leaving_row(work, numbers, column, NARROW_TIE if attempt > 0 else TIE)
        if row >= 0:
            pivot(work, numbers, row, column)
            aim(work, ridges)
            outcome, drift = certify(work, numbers, integers)
            if outcome == SURE:
                return drift < DRIFT or refresh(work, numbers, integers, ridges, found)
    return False


@kernel
def refresh(work, numbers, integers, ridges, found):
    """Compute the tableau of the current basis from the start; whether it is proven again."""
    words, key = work[WORDS], set_at(work)
    for w in range(words):
        found[2 * words * work[FOUND] + w] = work[key + w]
    start_over(work, numbers)
    go_to(work, numbers, found, work[FOUND])
    aim(work, ridges)
    outcome, _ = certify(work, numbers, integers)
    return outcome == SURE


@kernel
def explore(work, numbers, integers, ridges, found, stack):
    """Find all vertices from 0 on; how the search ended."""
    start_over(work, numbers)
    aim(work, ridges)
    certify(work, numbers, integers)
    column = record(work, ridges, found, stack)
    while work[OPEN] > 0 and work[STATUS] == 0:
        if work[FOUND] + 1 >= work[ROOM]:
            return FULL
        if column == -1:
            column = resume(work, numbers, ridges, found, stack)
        if column < 0 or not step(work, numbers, integers, ridges, found, stack, column):
            return LOST
        column = record(work, ridges, found, stack)
    return DONE if work[OPEN] == 0 and column != -2 else LOST
