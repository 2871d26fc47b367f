"""The time, for kernels that must stop by themselves."""

import time


def now() -> int:
    """Nanoseconds on a clock that only runs forward; its zero is arbitrary."""
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC) if hasattr(time, "clock_gettime_ns") else time.monotonic_ns()


def nanoseconds(seconds: float) -> int:
    """Seconds on that clock, no more than a word can hold together with the time that it is: for ever, if need be."""
    return int(min(seconds * 1e9, 1 << 61))
