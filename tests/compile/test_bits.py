"""64-bit boards and random numbers mean the same in plain Python and in native code."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo import bits
from zermelo.bits import MASK, u64
from zermelo.compile import hash64, kernel, load_float, machine, store_float
from zermelo.compile.random import below, stream, uniform, word

WORDS = st.one_of(st.integers(0, MASK), st.sampled_from([0, 1, MASK, 1 << 63, (1 << 63) - 1, 0xFF]))
SIGNED = st.integers(-(1 << 63), (1 << 63) - 1)
SETTINGS = settings(max_examples=150, deadline=None)


@kernel
def arithmetic(x, y, n, out):
    """Every operator of u64 with u64 and with int."""
    out[0] = x + y
    out[1] = x - y
    out[2] = x * y
    out[3] = x & y
    out[4] = x | y
    out[5] = x ^ y
    out[6] = ~x
    out[7] = -x
    out[8] = x << (n & 127)
    out[9] = x >> (n & 127)
    out[10] = x // (y | 1)
    out[11] = x % (y | 1)
    out[12] = x + n
    out[13] = n - x
    out[14] = n * x
    out[15] = x & n
    out[16] = x < y
    out[17] = x <= y
    out[18] = x == y
    out[19] = x != y
    out[20] = x < n
    out[21] = n < x
    out[22] = x == n
    out[23] = x >= n
    out[24] = 1 if x else 0
    out[25] = 1 if not x else 0
    z = 0
    z |= x
    z ^= y
    out[26] = z
    out[27] = int(x >> 1)
    return 28


@kernel
def functions(x, n, out):
    """Every function of zermelo.bits."""
    out[0] = bits.popcount(x)
    out[1] = bits.lowest(x)
    out[2] = bits.highest(x)
    out[3] = bits.lowest_bit(x)
    out[4] = bits.without_lowest(x)
    out[5] = bits.bit(n)
    out[6] = bits.rotate_left(x, n)
    total = 0
    for square in bits.each(x):
        if square == 3:
            continue
        total = total * 3 + square
    out[7] = u64(total)
    out[8] = hash64((x, n, (n, x)))
    out[9] = hash64(n)
    out[10] = bits.nth(x, n)
    return 11


@kernel
def numbers(seed, index, out):
    """The random generator."""
    key = stream(seed, index)
    for i in range(8):
        bits_ = word(key, i)
        out[3 * i] = bits_
        out[3 * i + 1] = below(bits_, 7)
        store_float(out, 3 * i + 2, uniform(bits_))
    store_float(out, 24, load_float(out, 2) + 0.5)
    return 25


def both(plain, **arguments):
    """The words that a kernel writes on the python and on the cpu machine."""
    answers = []
    for device in ("python", "cpu"):
        on = machine(device)
        out = on.memory(64)
        count = on.call(plain, out=out, **arguments)
        answers.append([int(out[i]) & MASK for i in range(count)])
    return answers


@SETTINGS
@given(WORDS, WORDS, SIGNED)
def test_operators(x, y, n):
    python, cpu = both(arithmetic, x=u64(x), y=u64(y), n=n)
    assert python == cpu


@SETTINGS
@given(WORDS, SIGNED)
def test_functions(x, n):
    python, cpu = both(functions, x=u64(x), n=n)
    assert python == cpu


@SETTINGS
@given(WORDS, st.integers(0, 1 << 40))
def test_random_numbers(seed, index):
    answers = []
    for device in ("python", "cpu"):
        on = machine(device)
        out = on.memory(32)
        on.call(numbers, seed=u64(seed), index=index, out=out)
        whole = [int(out[i]) & MASK for i in range(24) if i % 3 != 2]
        answers.append((whole, [on.floats(out, i, 1) for i in range(2, 25, 3)], on.floats(out, 24, 1)))
    assert answers[0] == answers[1]


@given(WORDS, WORDS)
def test_u64_wraps_like_a_machine_word(x, y):
    a, b = u64(x), u64(y)
    assert int(a + b) == (x + y) % 2**64
    assert int(a - b) == (x - y) % 2**64
    assert int(a * b) == (x * y) % 2**64
    assert int(~a) == MASK - x
    assert type(a + 1) is u64
    assert type(1 + a) is u64
    assert hash(a) == hash(x)
    assert a == x


@given(WORDS)
def test_bits_against_strings(x):
    text = format(x, "064b")[::-1]
    places = [i for i, c in enumerate(text) if c == "1"]
    assert list(bits.each(x)) == places
    assert bits.popcount(x) == len(places)
    assert bits.lowest(x) == (places[0] if places else 64)
    assert [bits.nth(x, n) for n in range(len(places))] == places
    assert len(places) == 64 or bits.nth(x, len(places)) == 64
    assert bits.highest(x) == (places[-1] if places else -1)


@pytest.mark.parametrize("count", [64, 65, 200])
def test_wide_shifts_are_zero(count):
    assert u64(MASK) << count == 0
    assert u64(MASK) >> count == 0


def test_uniform_numbers_are_spread():
    key = stream(u64(7), 0)
    draws = [uniform(word(key, i)) for i in range(4000)]
    assert 0.48 < sum(draws) / len(draws) < 0.52
    assert min(draws) >= 0.0
    assert max(draws) < 1.0
    tens = [sum(int(d * 10) == k for d in draws) for k in range(10)]
    assert all(320 < count < 480 for count in tens)


@kernel
def nth_of(x, n):
    return bits.nth(x, n)


def test_nth_on_processors_without_an_instruction_for_it(monkeypatch, tmp_path):
    from zermelo.compile import program, unsigned

    monkeypatch.setattr(unsigned, "_spreads_bits", lambda triple: False)
    monkeypatch.setattr(program, "_programs", {})
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))
    for x in (0, 1, 1 << 63, MASK, 0xF0F0_0000_8000_0001, 0x8421_0000_1234_5678):
        for n in range(64):
            assert machine("cpu").call(nth_of, x=u64(x), n=n) == bits.nth(x, n)
