"""Proofs, in floating point, that a basis is a vertex: kernels.

A basis is a guess of an inexact search. Its tableau contains an approximate inverse R of its block M of constraints.
Where all row sums of |1 - RM| stay below some r < 1, M is regular, and the exact solution of Mx = c differs from Rc by
at most r / (1 - r) times the largest entry of Rc: so the signs of all that is farther from zero are proven. A
number nearer to zero may be zero. Times the determinant it is an integer; if that integer is 0 modulo primes whose
product is larger than it can be, the number is zero.
"""

from zermelo.compile import Block, Memory, kernel, load_float, store_float, table

ROUNDING = 2.0**-50
"""Eight times the relative error of one operation."""
CERTAIN = 2.0
"""A number is known to be positive if it is larger than so many times its error."""
PRIMES = table([2147483647, 2147483629, 2147483587, 2147483579, 2147483563, 2147483549, 2147483543, 2147483497])
SURE, UNSURE = 1, 0
TOO_LARGE = 1e200
"""Sums from here on, or that are not numbers, prove nothing."""


class Exploration(Block):
    """A walk over the vertices of a polytope: where it stands, and what it has found.

    The variables are the unknowns, then a slack for each constraint. Those of the tableau's rows are basic, those of
    its columns are zero. The basis is a block of constraints without slack, in the unknowns that are not zero.
    """

    status: int  # who stopped it
    rows: int  # the number of constraints
    width: int  # the number of unknowns
    shift: int  # the label of the first unknown
    is_large: int  # 1 where payoffs are too large for proofs that something is zero
    basic: Memory  # [rows] the variable of each row
    free: Memory  # [width] the variable of each column
    tableau: Memory  # [rows, width + 2] floats: the entries, the right-hand side and its perturbation
    constraints: Memory  # [rows, width] floats
    perturbation: Memory  # [rows] floats
    integers: Memory  # [rows, width] the constraints before they were scaled

    size: int  # the number of rows, and of columns, of the block
    block_rows: Memory  # [size] its rows in the tableau
    block_columns: Memory  # [size] its columns there
    block: Memory  # [size, size] floats: its constraints
    line: Memory  # [size] floats: a row of RM - 1
    solution: Memory  # [size] floats: the unknowns
    push: Memory  # [size] floats: their perturbation
    residues: Memory  # [size, size + 1] the block and its right-hand side modulo a prime
    zeros: int  # how many rows may be zero
    zero_rows: Memory  # [zeros] which ones

    found: int  # vertices found
    capacity: int  # vertices for which there is room
    open: int  # ridges that have one known end
    depth: int  # vertices on the stack
    label_words: int  # words of a set of labels
    table_bits: int  # the binary logarithm of the number of places in the table of ridges
    labels: Memory  # [label_words] the labels of this basis
    ridge: Memory  # [label_words] the labels of one of its ridges
    places: Memory  # [width] where each of its ridges is looked for first
    ridges: Memory  # [places, label_words] the table of ridges
    vertices: Memory  # [vertices, 2, label_words] for each vertex the labels of its basis, then all that it has
    stack: Memory  # [vertices] those that may have open ridges


@kernel
def gather(walk):
    """Copy the block of constraints that the basis makes tight."""
    m = walk.width
    size = 0
    for r in range(walk.rows):
        if walk.basic[r] < m:
            walk.block_rows[size] = r
            size += 1
    k = 0
    for c in range(m):
        if walk.free[c] >= m:
            walk.block_columns[k] = c
            k += 1
    walk.size = size
    block, constraints, rows, basic = walk.block, walk.constraints, walk.block_rows, walk.basic
    for a in range(size):
        line = (walk.free[walk.block_columns[a]] - m) * m
        for b in range(size):
            store_float(block, a * size + b, load_float(constraints, line + basic[rows[b]]))
    return 0


@kernel
def residual(walk):
    """The largest row sum of |1 - RM|, and that of |R|, with all rounding; the two solutions are left in memory."""
    m, size, rows, columns, free = walk.width, walk.size, walk.block_rows, walk.block_columns, walk.free
    tableau, perturbation, block, line = walk.tableau, walk.perturbation, walk.block, walk.line
    rounding = (size + 4) * ROUNDING
    worst, norm, every = 0.0, 0.0, 0.0
    for a in range(size):
        for b in range(size):
            store_float(line, b, 0.0)
        own = rows[a] * (m + 2)
        whole, weighed, x, y = 0.0, 0.0, 0.0, 0.0
        for c in range(size):
            column = columns[c]
            inverse = load_float(tableau, own + column)
            x += inverse
            y += inverse * load_float(perturbation, free[column] - m)
            whole += abs(inverse)
            weighed += abs(inverse) * size
            for b in range(size):
                store_float(line, b, load_float(line, b) + inverse * load_float(block, c * size + b))
        store_float(line, a, load_float(line, a) - 1.0)
        off = 0.0
        for b in range(size):
            off += abs(load_float(line, b))
        worst = max(worst, off + rounding * (weighed + size + 1))
        every += worst + off + whole
        norm = max(norm, whole)
        store_float(walk.solution, a, x)
        store_float(walk.push, a, y)
    # A maximum ignores floats that are not numbers; a sum does not.
    return worst if every < TOO_LARGE else 1.0, norm


@kernel
def largest(numbers, size):
    """The largest of some floats, signs aside."""
    most = 0.0
    for a in range(size):
        most = max(most, abs(load_float(numbers, a)))
    return most


@kernel
def certify(walk):
    """Whether the basis is proven to be a vertex of the perturbed polytope; its two right-hand sides are written anew.

    Every basic variable must be positive, or else zero with a positive perturbation. Rows of zeros are listed.
    """
    gather(walk)
    worst, norm = residual(walk)
    walk.zeros = 0
    if not worst < 0.5:
        return UNSURE, worst
    m, size = walk.width, walk.size
    rounding = (size + 4) * ROUNDING
    share = worst / (1.0 - worst)
    most, moved = largest(walk.solution, size), largest(walk.push, size)
    error = share * (most + rounding * norm) + rounding * norm
    shifted = share * (moved + rounding * norm) + rounding * norm
    known, bound = 0, 0.0
    for r in range(walk.rows):
        value, off, push, away = 0.0, error, 0.0, shifted
        if walk.basic[r] < m:
            value, push = load_float(walk.solution, known), load_float(walk.push, known)
            known += 1
        else:
            value, off, push, away = slack(walk, walk.basic[r] - m, error, shifted, most, moved)
        if not value > CERTAIN * off:
            if not (value >= -CERTAIN * off and push > CERTAIN * away):
                return UNSURE, worst
            bound = max(bound, abs(value) + off)
            walk.zero_rows[walk.zeros] = r
            walk.zeros += 1
            value = 0.0
        store_float(walk.tableau, r * (m + 2) + m, value)
        store_float(walk.tableau, r * (m + 2) + m + 1, push)
    if walk.zeros > 0 and (walk.is_large or not vanish(walk, bound)):
        return UNSURE, worst
    return SURE, worst


@kernel
def slack(walk, constraint, error, shifted, most, moved):
    """The slack of a constraint and its error; then the perturbation of the slack and the error of that."""
    size, rows, basic, constraints = walk.size, walk.block_rows, walk.basic, walk.constraints
    solution, moves = walk.solution, walk.push
    line = constraint * walk.width
    value, push, whole = 1.0, load_float(walk.perturbation, constraint), 0.0
    for a in range(size):
        entry = load_float(constraints, line + basic[rows[a]])
        whole += entry
        value -= entry * load_float(solution, a)
        push -= entry * load_float(moves, a)
    rounding = (size + 4) * ROUNDING
    off = whole * error + rounding * (1.0 + whole * most)
    away = whole * shifted + rounding * (1.0 + whole * moved)
    return value, off, push, away


# --- zeros, modulo primes --------------------------------------------------------------------------------------------


@kernel
def vanish(walk, bound):
    """Whether all rows that may be zero are: their numerators are 0 modulo primes of a large enough product.

    The numerator of a number is the number times the determinant, which is at most the product of the rows' lengths.
    """
    m, size, rows = walk.width, walk.size, walk.block_rows
    rest = bound
    for a in range(size):
        square = 0.0
        line = (walk.free[walk.block_columns[a]] - m) * m
        for b in range(size):
            entry = float(walk.integers[line + walk.basic[rows[b]]])
            square += entry * entry
        rest *= square**0.5 * (1.0 + ROUNDING * size)
    rest = 2.0 * rest + 2.0
    for k in range(8):
        p = PRIMES[k]
        outcome = vanish_modulo(walk, p)
        if outcome < 0:
            return False
        if outcome > 0:
            rest /= p
        if rest < 1.0:
            return True
    return False


@kernel
def vanish_modulo(walk, p):
    """1 if all rows that may be zero are so modulo a prime, -1 if some is not, 0 if the block is singular there."""
    m, size, rows, basic = walk.width, walk.size, walk.block_rows, walk.basic
    integers, residues = walk.integers, walk.residues
    width = size + 1
    for a in range(size):
        line = (walk.free[walk.block_columns[a]] - m) * m
        for b in range(size):
            residues[a * width + b] = integers[line + basic[rows[b]]] % p
        residues[a * width + size] = 1
    for a in range(size):
        if not eliminate(residues, size, a, p):
            return 0
    for i in range(walk.zeros):
        r = walk.zero_rows[i]
        if basic[r] < m:
            place = 0
            while rows[place] != r:
                place += 1
            if residues[place * width + size] != 0:
                return -1
        else:
            line = (basic[r] - m) * m
            total = 1
            for a in range(size):
                entry = integers[line + basic[rows[a]]] % p
                total = (total - entry * residues[a * width + size]) % p
            if total % p != 0:
                return -1
    return 1


@kernel
def eliminate(residues, size, a, p):
    """Make column `a` of a block a unit vector, modulo a prime; False where it is singular."""
    width = size + 1
    pivot = a
    while pivot < size and residues[pivot * width + a] == 0:
        pivot += 1
    if pivot == size:
        return False
    inverse = inverse_modulo(residues[pivot * width + a], p)
    for b in range(a, width):
        entry = residues[pivot * width + b] * inverse % p
        residues[pivot * width + b] = residues[a * width + b]
        residues[a * width + b] = entry
    for i in range(size):
        factor = residues[i * width + a]
        if i != a and factor != 0:
            for b in range(a, width):
                residues[i * width + b] = (residues[i * width + b] + (p - factor) * residues[a * width + b]) % p
    return True


@kernel
def inverse_modulo(value, p):
    """The inverse of a number modulo a prime."""
    old, new, before, now = p, value, 0, 1
    while new != 0:
        whole = old // new
        old, new = new, old - whole * new
        before, now = now, before - whole * now
    return before % p
