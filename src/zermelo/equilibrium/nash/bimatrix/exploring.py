"""The vertices of a simple polytope, one after the other along its edges: kernels.

The polytope is {x >= 0, Cx <= 1} for a positive matrix C, with every right-hand side 1 moved by its own infinitesimal
perturbation: then each vertex has as many tight constraints (labels) as there are unknowns, and each edge one less. A
vertex is known by its labels, an edge (a ridge here) by the labels that its two ends share. Every vertex opens its
ridges or closes those that its neighbour has opened; when no ridge is open, all vertices are found, for the graph of a
polytope is connected. No step but the proof that a basis is a vertex has to be trusted.
"""

from zermelo.compile import hash64, kernel, load_float, prefetch, store_float
from zermelo.equilibrium.nash.bimatrix.certificate import SURE, certify
from zermelo.running.statuses import FINE

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
def explore(walk):
    """Find all vertices from 0 on; how the search ended."""
    start_over(walk)
    aim(walk)
    certify(walk)
    column = record(walk)
    while walk.open > 0 and walk.status == FINE:
        if walk.found + 1 >= walk.capacity:
            return FULL
        if column == -1:
            column = resume(walk)
        if column < 0 or not step(walk, column):
            return LOST
        column = record(walk)
    return DONE if walk.open == 0 and column != -2 else LOST


@kernel
def step(walk, column):
    """Go from the last vertex on the stack along the ridge of a column: whether its other end is proven."""
    entering = walk.free[column]
    for attempt in range(2):
        if attempt > 0:
            start_over(walk)
            go_to(walk, walk.stack[walk.depth - 1])
            certify(walk)
            column = 0
            while walk.free[column] != entering:
                column += 1
        row = leaving_row(walk, column, NARROW_TIE if attempt > 0 else TIE)
        if row >= 0:
            pivot(walk, row, column)
            aim(walk)
            outcome, drift = certify(walk)
            if outcome == SURE:
                return drift < DRIFT or refresh(walk)
    return False


@kernel
def refresh(walk):
    """Compute the tableau of the current basis from the start; whether it is proven again."""
    words = walk.label_words
    for w in range(words):
        walk.vertices[2 * words * walk.found + w] = walk.labels[w]
    start_over(walk)
    go_to(walk, walk.found)
    aim(walk)
    outcome, _ = certify(walk)
    return outcome == SURE


@kernel
def resume(walk):
    """Go back to the last vertex with an open ridge; the column of that ridge."""
    words, labels = walk.label_words, walk.labels
    while True:
        vertex = walk.stack[walk.depth - 1]
        for w in range(words):
            labels[w] = walk.vertices[2 * words * vertex + w]
        for label in range(walk.rows + walk.width):
            if labels[label // LABELS] >> label % LABELS & 1:
                set_ridge(walk, label)
                if not walk.ridges[place_of(walk, first_place(walk))] & CLOSED:
                    go_to(walk, vertex)
                    column = 0
                    while label_of(walk, walk.free[column]) != label:
                        column += 1
                    return column
        walk.depth -= 1


# --- the tableau -----------------------------------------------------------------------------------------------------


@kernel
def label_of(walk, variable):
    """The label that is tight where a variable is zero."""
    return (variable + walk.shift) % (walk.rows + walk.width)


@kernel
def start_over(walk):
    """Set the tableau to the vertex 0, where all slacks are basic."""
    m, tableau, constraints = walk.width, walk.tableau, walk.constraints
    for r in range(walk.rows):
        walk.basic[r] = m + r
        for c in range(m):
            store_float(tableau, r * (m + 2) + c, load_float(constraints, r * m + c))
        store_float(tableau, r * (m + 2) + m, 1.0)
        store_float(tableau, r * (m + 2) + m + 1, load_float(walk.perturbation, r))
    for c in range(m):
        walk.free[c] = c
    return 0


@kernel
def pivot(walk, row, column):
    """Exchange the variables of a row and a column."""
    tableau, width = walk.tableau, walk.width + 2
    own = row * width
    inverse = 1.0 / load_float(tableau, own + column)
    store_float(tableau, own + column, 1.0)
    for c in range(width):
        store_float(tableau, own + c, load_float(tableau, own + c) * inverse)
    for r in range(walk.rows):
        if r != row:
            line = r * width
            factor = load_float(tableau, line + column)
            store_float(tableau, line + column, 0.0)
            for c in range(width):
                store_float(tableau, line + c, load_float(tableau, line + c) - factor * load_float(tableau, own + c))
    walk.basic[row], walk.free[column] = walk.free[column], walk.basic[row]
    return 0


@kernel
def go_to(walk, vertex):
    """Bring the tableau to the basis of a vertex, by the largest pivots there are."""
    n, m, tableau, vertices = walk.rows, walk.width, walk.tableau, walk.vertices
    start = 2 * walk.label_words * vertex
    while True:
        best, row, column = 0.0, -1, -1
        for c in range(m):
            label = label_of(walk, walk.free[c])
            if not vertices[start + label // LABELS] >> label % LABELS & 1:
                for r in range(n):
                    leaves = label_of(walk, walk.basic[r])
                    size = abs(load_float(tableau, r * (m + 2) + c))
                    if size > best and vertices[start + leaves // LABELS] >> leaves % LABELS & 1:
                        best, row, column = size, r, c
        if row < 0:
            return 0
        pivot(walk, row, column)


@kernel
def leaving_row(walk, column, tie):
    """The row whose variable reaches zero first when that of a column grows, ties broken by the perturbation."""
    n, width, tableau = walk.rows, walk.width + 2, walk.tableau
    least = 1e300
    for r in range(n):
        entry = load_float(tableau, r * width + column)
        if entry > TINY:
            least = min(least, load_float(tableau, r * width + width - 2) / entry)
    limit = least + tie * (1.0 + abs(least))
    chosen, lowest = -1, 1e300
    for r in range(n):
        entry = load_float(tableau, r * width + column)
        if entry > TINY and load_float(tableau, r * width + width - 2) / entry <= limit:
            moved = load_float(tableau, r * width + width - 1) / entry
            if moved < lowest:
                chosen, lowest = r, moved
    return chosen


# --- vertices and ridges ---------------------------------------------------------------------------------------------


@kernel
def record(walk):
    """Keep the current vertex and touch its ridges: the last column whose ridge is open, -1, or -2 if it was known."""
    words, vertices, vertex = walk.label_words, walk.vertices, 2 * walk.label_words * walk.found
    for w in range(words):
        vertices[vertex + w] = vertices[vertex + words + w] = walk.labels[w]
    for i in range(walk.zeros):
        label = label_of(walk, walk.basic[walk.zero_rows[i]])
        vertices[vertex + words + label // LABELS] |= 1 << label % LABELS
    walk.stack[walk.depth] = walk.found
    walk.depth += 1
    walk.found += 1
    open_column = -1
    for c in range(walk.width):
        set_ridge(walk, label_of(walk, walk.free[c]))
        outcome = touch(walk, walk.places[c])
        if outcome < 0:
            return -2
        if outcome > 0:
            open_column = c
    return open_column


@kernel
def aim(walk):
    """Write the label set of the current basis and the first places of its ridges, and prefetch these places."""
    for w in range(walk.label_words):
        walk.labels[w] = 0
    for c in range(walk.width):
        label = label_of(walk, walk.free[c])
        walk.labels[label // LABELS] |= 1 << label % LABELS
    for c in range(walk.width):
        set_ridge(walk, label_of(walk, walk.free[c]))
        place = first_place(walk)
        walk.places[c] = place
        prefetch(walk.ridges, place * walk.label_words)
    return 0


@kernel
def set_ridge(walk, label):
    """Write the label set of the current basis without one label as that of the ridge."""
    labels, ridge = walk.labels, walk.ridge
    for w in range(walk.label_words):
        ridge[w] = labels[w]
    ridge[label // LABELS] ^= 1 << label % LABELS
    return 0


@kernel
def first_place(walk):
    """Where the ridge is looked for first in the table."""
    mixed = 0
    for w in range(walk.label_words):
        mixed = hash64((mixed, walk.ridge[w]))
    return mixed & (1 << walk.table_bits) - 1


@kernel
def place_of(walk, place):
    """Where the ridge lies in the table, or the free place that it would take, from its first place on."""
    words, last, ridges, ridge = walk.label_words, (1 << walk.table_bits) - 1, walk.ridges, walk.ridge
    while True:
        entry = ridges[place * words]
        if entry == 0:
            return place * words
        same = entry & ~(TAKEN | CLOSED) == ridge[0]
        for w in range(1, words):
            same = same and ridges[place * words + w] == ridge[w]
        if same:
            return place * words
        place = place + 1 & last


@kernel
def touch(walk, place):
    """Note that a vertex has the ridge: 1 if it is the first, 0 if it is the second, -1 if it is one too many."""
    ridges, ridge, place = walk.ridges, walk.ridge, place_of(walk, place)
    if ridges[place] == 0:
        for w in range(1, walk.label_words):
            ridges[place + w] = ridge[w]
        ridges[place] = ridge[0] | TAKEN
        walk.open += 1
        return 1
    if ridges[place] & CLOSED:
        return -1
    ridges[place] |= CLOSED
    walk.open -= 1
    return 0
