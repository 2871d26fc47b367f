"""The compiler room: one source on three machines. The only room that knows Numba.

Read in this order: `program` (what a kernel is), `specialize` (how plain source becomes native source), `native`
(what the primitives are in machine code), `cache` and `cpu` (how code is kept and loaded), `cuda`.
"""

from zermelo.compile.hashing import hash64
from zermelo.compile.machine import Machine, machine
from zermelo.compile.memory import freeze, load_float, load_shared, make_room, replace, store_float, thaw
from zermelo.compile.program import kernel
from zermelo.compile.table import Table, table

__all__ = [
    "Machine",
    "Table",
    "freeze",
    "hash64",
    "kernel",
    "load_float",
    "load_shared",
    "machine",
    "make_room",
    "replace",
    "store_float",
    "table",
    "thaw",
]
