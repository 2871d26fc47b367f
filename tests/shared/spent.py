"""How long something works, in seconds of the processor: other programs that use the computer cannot make that more."""

import os
import time
from pathlib import Path

AT_ONCE = 0.05
"""What ends at once works no longer than this."""


def spent(pid=None):
    """The processor's seconds that this process, or another, has had in all its threads."""
    status = Path(f"/proc/{pid}/stat")
    if pid is None or not status.exists():
        return time.process_time() if pid is None else time.monotonic()
    # The name of the program comes second, in brackets, and may hold anything.
    words = status.read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")
