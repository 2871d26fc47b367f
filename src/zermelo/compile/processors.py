"""Which processor code is made for: this computer's own, or a level that many have, for code that is handed on."""

import os
import platform
from collections.abc import Mapping
from functools import cache as once

from zermelo.compile import cache

SECOND = ("cx16", "popcnt", "sse3", "sse4.1", "sse4.2", "ssse3")
LEVELS: dict[str, dict[str, tuple[str, ...]]] = {
    "x86_64": {
        "x86-64-v3": (*SECOND, "avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe"),
        "x86-64-v2": SECOND,
    },
    "aarch64": {"generic": ("neon",)},
}
"""The levels of each architecture, the best one first, and the features that a processor must have for each."""


def name_of(meaning: str) -> str:
    """The name in the cache of a program with this meaning, for the processor that code is made for now."""
    level = os.environ.get("NUMBA_CPU_NAME")
    return cache.name_of(meaning, _host()) if level is None else cache.ready_name_of(meaning, _place(level))


def ready(meaning: str, fields: Mapping[str, type]) -> cache.Entry | None:
    """Code for a program with this meaning that came with the package and runs here."""
    if "NUMBA_CPU_NAME" in os.environ:
        return None
    for level in _levels_here():
        found = cache.load_ready(cache.ready_name_of(meaning, _place(level)), fields)
        # What calls Numba's own library belongs to one version of it.
        if found is not None and not found[0]["numba"]:
            return found
    return None


def has(feature: str) -> bool:
    """Whether the processor that code is made for now has this feature."""
    level = os.environ.get("NUMBA_CPU_NAME")
    if level is not None:
        return feature in LEVELS.get(platform.machine(), {}).get(level, ())
    import llvmlite.binding as llvm

    return bool(llvm.get_host_cpu_features().get(feature, False))


def settings_for(level: str) -> dict[str, str]:
    """The environment in which code is made for a level and not for this processor."""
    return {"NUMBA_CPU_NAME": level, "NUMBA_CPU_FEATURES": ""}


def levels() -> tuple[str, ...]:
    """The levels of this architecture."""
    return tuple(LEVELS.get(platform.machine(), ()))


@once
def _levels_here() -> tuple[str, ...]:
    """The levels that this processor has."""
    import llvmlite.binding as llvm

    has = llvm.get_host_cpu_features()
    known = LEVELS.get(platform.machine(), {})
    return tuple(level for level, needed in known.items() if all(has.get(feature, False) for feature in needed))


@once
def _host() -> str:
    import llvmlite.binding as llvm

    return f"{llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()} {llvm.get_process_triple()}"


@once
def _place(level: str) -> str:
    """A level on this system, in which objects are linked as they are here."""
    import llvmlite.binding as llvm

    return f"{level} {llvm.get_process_triple()}"
