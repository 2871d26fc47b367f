"""Rows of tables as values: the same numbers in plain Python and in vector registers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo.compile import kernel, load_row, machine, row, row_words, squares_by_row, store_row, table
from zermelo.errors import BadParameter, BrokenContract, CompileError

RANDOM = np.random.default_rng(3)
ROWS = table(RANDOM.integers(-500, 500, (40, 24), dtype=np.int16))
WEIGHTS = table(RANDOM.integers(-127, 128, (5, 24), dtype=np.int16))
NUMBERS = table([1, 2, 3])


@kernel
def weighed_sum(first, last, top, weights):
    """Rows summed up, one of them taken away again, cut off, squared and weighed."""
    total = row(ROWS, first)
    for i in range(first + 1, last):
        total = total + row(ROWS, i)
    total = total - row(ROWS, last - 1)
    return squares_by_row(total, top, WEIGHTS, weights)


@kernel
def row_of_numbers(i):
    """No table of rows."""
    return squares_by_row(row(NUMBERS, i), 3, WEIGHTS, 0)


@given(first=st.integers(0, 38), count=st.integers(1, 12), top=st.integers(0, 32_767), weights=st.integers(0, 4))
@settings(max_examples=60, deadline=None)
def test_python_and_cpu_agree(first, count, top, weights):
    last = min(40, first + count)
    arguments = {"first": first, "last": last, "top": min(top, 1000), "weights": weights}
    plain = ROWS.array[first:last].astype(int).sum(0) - ROWS.array[last - 1]
    expected = (plain.clip(0, arguments["top"]) ** 2 * WEIGHTS.array[weights]).sum()
    assert machine("python").call(weighed_sum, **arguments) == expected
    assert machine("cpu").call(weighed_sum, **arguments) == expected


HEAVY = [table(np.full((1, 256), weight, dtype=np.int16)) for weight in (1, 127, 512, 513, 8191, 32_767, -32_768)]
FULL = table(np.full((1, 256), 181, dtype=np.int16))


@pytest.mark.parametrize("weights", HEAVY, ids=lambda weights: str(weights[0, 0]))
def test_no_sum_leaves_its_bits(weights):
    """Sums are widened as late as the heaviest weight of the table allows."""

    @kernel
    def heaviest():
        return squares_by_row(row(FULL, 0), 181, weights, 0)

    expected = 256 * 181 * 181 * weights[0, 0]
    assert machine("python").call(heaviest) == expected
    assert machine("cpu").call(heaviest) == expected


def test_rows_begin_with_a_cache_line():
    for data in (ROWS, FULL, table(np.zeros((5000, 256), dtype=np.int16))):
        assert data.array.ctypes.data % 64 == 0
        assert not data.array.flags.writeable


@kernel
def kept_in_memory(i, k, memory):
    """Two rows written to memory side by side, read again and weighed."""
    store_row(memory, 1, row(ROWS, i))
    store_row(memory, 1 + row_words(ROWS), row(ROWS, k))
    total = load_row(memory, 1, ROWS) - load_row(memory, 1 + row_words(ROWS), ROWS)
    return squares_by_row(total, 100, WEIGHTS, 0)


@pytest.mark.parametrize("device", ["python", "cpu"])
def test_rows_are_kept_in_memory(device):
    on = machine(device)
    memory = on.memory(2 + 2 * row_words(ROWS))
    memory[0] = memory[1 + 2 * row_words(ROWS)] = 77
    for i, k in ((0, 0), (3, 9), (39, 1)):
        plain = (ROWS.array[i].astype(int) - ROWS.array[k]).clip(0, 100)
        assert on.call(kept_in_memory, i=i, k=k, memory=memory) == (plain**2 * WEIGHTS.array[0]).sum()
    assert memory[0] == memory[1 + 2 * row_words(ROWS)] == 77


@pytest.mark.parametrize("index", [40, -41, 10**9])
@pytest.mark.parametrize(("device", "error"), [("python", IndexError), ("cpu", BrokenContract)])
def test_rows_outside_raise(device, error, index):
    with pytest.raises(error):
        machine(device).call(weighed_sum, first=index, last=index + 1, top=9, weights=0)


@pytest.mark.parametrize("device", ["python", "cpu"])
def test_other_tables_are_refused(device):
    with pytest.raises((BadParameter, CompileError), match="16-bit"):
        machine(device).call(row_of_numbers, i=0)
