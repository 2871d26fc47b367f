"""The compiler room: one source on three machines. The only room that knows Numba.

Read in this order: `program` (what a kernel is), `specialize` (how plain source becomes native source), `native`
(what the primitives are in machine code), `reach` (what code depends on), `cache` and `cpu` (how code is kept and
loaded), `cuda`.
"""

from zermelo.compile.block import Array, Block, Memory, Setup, array
from zermelo.compile.clock import nanoseconds, now
from zermelo.compile.given import NOBODY, as_number, as_whole, divided, is_finer, is_finite, is_float, store_number
from zermelo.compile.hashing import hash64
from zermelo.compile.lanes import load_row, row, row_words, squares_by_row, store_row
from zermelo.compile.machine import Machine, machine
from zermelo.compile.memory import (
    barrier,
    exchange_if,
    fetch_add,
    freeze,
    is_crowded,
    load_float,
    load_state,
    make_room,
    part,
    prefetch,
    replace,
    state_words,
    store_float,
    store_state,
    thaw,
)
from zermelo.compile.program import inlined, kernel
from zermelo.compile.tables import Table, table

__all__ = [
    "NOBODY",
    "Array",
    "Block",
    "Machine",
    "Memory",
    "Setup",
    "Table",
    "array",
    "as_number",
    "as_whole",
    "barrier",
    "divided",
    "exchange_if",
    "fetch_add",
    "freeze",
    "hash64",
    "inlined",
    "is_crowded",
    "is_finer",
    "is_finite",
    "is_float",
    "kernel",
    "load_float",
    "load_row",
    "load_state",
    "machine",
    "make_room",
    "nanoseconds",
    "now",
    "part",
    "prefetch",
    "replace",
    "row",
    "row_words",
    "squares_by_row",
    "state_words",
    "store_float",
    "store_number",
    "store_row",
    "store_state",
    "table",
    "thaw",
]
