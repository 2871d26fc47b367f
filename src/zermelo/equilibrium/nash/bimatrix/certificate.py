"""Proofs, in floating point, that a basis is a vertex: kernels.

A basis is a guess of an inexact search. Its tableau contains an approximate inverse R of its block M of constraints.
Where all row sums of |1 - RM| stay below some r < 1, M is regular, and the exact solution of Mx = c differs from Rc by
at most r / (1 - r) times the largest entry of Rc: so the signs of all that is farther from zero are proven. What is
nearer to zero may be zero. Times the determinant it is an integer; if that vanishes modulo primes whose product is
larger than the integer can be, it is zero.
"""

from zermelo.compile import kernel, load_float, store_float, table
from zermelo.compile.program import STOP

FOUND, STATUS, ROWS, WIDTH, WORDS, ROOM, SIZE, SHIFT, OPEN, DEPTH, LARGE = range(11)
"""Words of `work`: vertices found; why the search ended; the number of constraints and of unknowns; words of a label
set; for how many vertices there is room; the binary logarithm of the size of the ridge table; the label of the first
unknown; open ridges; vertices on the stack; whether payoffs are too large for proofs that something is zero."""
assert STATUS == STOP
LISTS = 16
"""Where the lists behind these words begin: the variable of each row, that of each column, the rows and the columns of
the block, the rows that may be zero, label sets."""
ROUNDING = 2.0**-50
"""Eight times the relative error of one operation."""
CERTAIN = 2.0
"""A number is known to be positive if it is larger than so many times its error."""
PRIMES = table([2147483647, 2147483629, 2147483587, 2147483579, 2147483563, 2147483549, 2147483543, 2147483497])
SURE, UNSURE = 1, 0
TOO_LARGE = 1e200
"""Sums from here on, or that are no numbers, prove nothing."""


@kernel
def longer(work):
    """The length of a list of rows or columns."""
    return max(work[ROWS], work[WIDTH])


@kernel
def constraints_at(work):
    """Where the constraints begin in the memory of floats, behind the tableau; the perturbations follow them."""
    return work[ROWS] * (work[WIDTH] + 2)


@kernel
def scratch_at(work):
    """Where the room for a block begins in the memory of floats."""
    return constraints_at(work) + work[ROWS] * (work[WIDTH] + 1)


@kernel
def gather(work, numbers):
    """Copy the block of constraints that the basis makes tight; return its size."""
    n, m = work[ROWS], work[WIDTH]
    rows, columns = LISTS + n + m, LISTS + n + m + longer(work)
    size = 0
    for r in range(n):
        if work[LISTS + r] < m:
            work[rows + size] = r
            size += 1
    k = 0
    for c in range(m):
        if work[LISTS + n + c] >= m:
            work[columns + k] = c
            k += 1
    start, block = constraints_at(work), scratch_at(work)
    for a in range(size):
        line = start + (work[LISTS + n + work[columns + a]] - m) * m
        for b in range(size):
            store_float(numbers, block + a * size + b, load_float(numbers, line + work[LISTS + work[rows + b]]))
    return size


@kernel
def residual(work, numbers, size):
    """The largest row sum of |1 - RM|, and that of |R|, with all rounding; the two solutions are left in memory."""
    n, m = work[ROWS], work[WIDTH]
    rows, columns = LISTS + n + m, LISTS + n + m + longer(work)
    block = scratch_at(work)
    line = block + size * size
    first, second = line + size, line + 2 * size
    rounding = (size + 4) * ROUNDING
    worst, norm, every = 0.0, 0.0, 0.0
    for a in range(size):
        for b in range(size):
            store_float(numbers, line + b, 0.0)
        own = work[rows + a] * (m + 2)
        whole, weighed, x, y = 0.0, 0.0, 0.0, 0.0
        for c in range(size):
            column = work[columns + c]
            inverse = load_float(numbers, own + column)
            x += inverse
            y += inverse * load_float(numbers, constraints_at(work) + n * m + work[LISTS + n + column] - m)
            whole += abs(inverse)
            weighed += abs(inverse) * size
            for b in range(size):
                store_float(
                    numbers,
                    line + b,
                    load_float(numbers, line + b) + inverse * load_float(numbers, block + c * size + b),
                )
        store_float(numbers, line + a, load_float(numbers, line + a) - 1.0)
        off = 0.0
        for b in range(size):
            off += abs(load_float(numbers, line + b))
        worst = max(worst, off + rounding * (weighed + size + 1))
        every += worst + off + whole
        norm = max(norm, whole)
        store_float(numbers, first + a, x)
        store_float(numbers, second + a, y)
    # The largest of some numbers forgets those that are none, their sum does not.
    return worst if every < TOO_LARGE else 1.0, norm


@kernel
def largest(numbers, start, size):
    """The largest of some floats, signs aside."""
    most = 0.0
    for a in range(size):
        most = max(most, abs(load_float(numbers, start + a)))
    return most


@kernel
def certify(work, numbers, integers):
    """Whether the basis is proven to be a vertex of the perturbed polytope; its two right-hand sides are written anew.

    Every basic variable must be positive, or else zero with a positive perturbation. Rows of zeros are listed.
    """
    n, m = work[ROWS], work[WIDTH]
    size = gather(work, numbers)
    worst, norm = residual(work, numbers, size)
    doubtful = LISTS + n + m + 2 * longer(work)
    work[doubtful] = 0
    if not worst < 0.5:
        return UNSURE, worst
    first = scratch_at(work) + size * size + size
    rounding = (size + 4) * ROUNDING
    share = worst / (1.0 - worst)
    most, moved = largest(numbers, first, size), largest(numbers, first + size, size)
    error = share * (most + rounding * norm) + rounding * norm
    shifted = share * (moved + rounding * norm) + rounding * norm
    known, bound = 0, 0.0
    for r in range(n):
        value, off, push, away = 0.0, error, 0.0, shifted
        if work[LISTS + r] < m:
            value, push = load_float(numbers, first + known), load_float(numbers, first + size + known)
            known += 1
        else:
            value, off, push, away = slack(work, numbers, work[LISTS + r] - m, size, error, shifted, most, moved)
        if not value > CERTAIN * off:
            if not (value >= -CERTAIN * off and push > CERTAIN * away):
                return UNSURE, worst
            bound = max(bound, abs(value) + off)
            work[doubtful] += 1
            work[doubtful + work[doubtful]] = r
            value = 0.0
        store_float(numbers, r * (m + 2) + m, value)
        store_float(numbers, r * (m + 2) + m + 1, push)
    if work[doubtful] > 0 and (work[LARGE] or not vanish(work, numbers, integers, size, bound)):
        return UNSURE, worst
    return SURE, worst


@kernel
def slack(work, numbers, constraint, size, error, shifted, most, moved):
    """What a constraint leaves free, its error, and the same for the perturbation."""
    n, m = work[ROWS], work[WIDTH]
    rows = LISTS + n + m
    first = scratch_at(work) + size * size + size
    line = constraints_at(work) + constraint * m
    value, push, whole = 1.0, load_float(numbers, constraints_at(work) + n * m + constraint), 0.0
    for a in range(size):
        entry = load_float(numbers, line + work[LISTS + work[rows + a]])
        whole += entry
        value -= entry * load_float(numbers, first + a)
        push -= entry * load_float(numbers, first + size + a)
    rounding = (size + 4) * ROUNDING
    off = whole * error + rounding * (1.0 + whole * most)
    away = whole * shifted + rounding * (1.0 + whole * moved)
    return value, off, push, away


@kernel
def vanish(work, numbers, integers, size, bound):
    """Whether all doubtful rows are exactly zero: their numerators are, modulo primes of a large enough product.

    The numerator of a number is the number times the determinant, which is at most the product of the rows' lengths.
    """
    n, m = work[ROWS], work[WIDTH]
    columns = LISTS + n + m + longer(work)
    rest = bound
    for a in range(size):
        square = 0.0
        line = (work[LISTS + n + work[columns + a]] - m) * m
        for b in range(size):
            entry = float(integers[line + work[LISTS + work[LISTS + n + m + b]]])
            square += entry * entry
        rest *= square**0.5 * (1.0 + ROUNDING * size)
    rest = 2.0 * rest + 2.0
    for k in range(8):
        p = PRIMES[k]
        outcome = vanish_modulo(work, integers, size, p)
        if outcome < 0:
            return False
        if outcome > 0:
            rest /= p
        if rest < 1.0:
            return True
    return False


@kernel
def vanish_modulo(work, integers, size, p):
    """1 if all doubtful rows are zero modulo a prime, -1 if some is not, 0 if the block is singular there."""
    n, m = work[ROWS], work[WIDTH]
    rows, columns = LISTS + n + m, LISTS + n + m + longer(work)
    doubtful = columns + longer(work)
    width = size + 1
    block = n * m
    for a in range(size):
        line = (work[LISTS + n + work[columns + a]] - m) * m
        for b in range(size):
            integers[block + a * width + b] = integers[line + work[LISTS + work[rows + b]]] % p
        integers[block + a * width + size] = 1
    for a in range(size):
        if not eliminate(integers, block, size, a, p):
            return 0
    for i in range(work[doubtful]):
        r = work[doubtful + 1 + i]
        if work[LISTS + r] < m:
            place = 0
            while work[rows + place] != r:
                place += 1
            if integers[block + place * width + size] != 0:
                return -1
        else:
            line = (work[LISTS + r] - m) * m
            total = 1
            for a in range(size):
                entry = integers[line + work[LISTS + work[rows + a]]] % p
                total = (total - entry * integers[block + a * width + size]) % p
            if total % p != 0:
                return -1
    return 1


@kernel
def eliminate(integers, block, size, a, p):
    """Make column `a` of a block a unit vector, modulo a prime; False where it is singular."""
    width = size + 1
    pivot = a
    while pivot < size and integers[block + pivot * width + a] == 0:
        pivot += 1
    if pivot == size:
        return False
    inverse = inverse_modulo(integers[block + pivot * width + a], p)
    for b in range(a, width):
        entry = integers[block + pivot * width + b] * inverse % p
        integers[block + pivot * width + b] = integers[block + a * width + b]
        integers[block + a * width + b] = entry
    for i in range(size):
        factor = integers[block + i * width + a]
        if i != a and factor != 0:
            for b in range(a, width):
                integers[block + i * width + b] = (
                    integers[block + i * width + b] + (p - factor) * integers[block + a * width + b]
                ) % p
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
