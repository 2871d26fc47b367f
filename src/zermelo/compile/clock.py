"""The time, for kernels that must stop by themselves."""

import time


def now() -> int:
    """Nanoseconds on a clock that only runs forward; the zero is anywhere."""
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC) if hasattr(time, "clock_gettime_ns") else time.monotonic_ns()
