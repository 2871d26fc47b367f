"""`zermelo` as a process of its own, at the other end of a pipe."""

import os
import queue
import subprocess
import sys
import threading

from spent import spent


class Talking:
    """A verb of the command line that reads and writes lines, and what it says."""

    def __init__(self, *words):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "zermelo", *words],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=os.environ | {"ZERMELO_QUIET": "1"},
        )  # fmt: skip
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line.decode().rstrip("\n"))

    def send(self, *lines):
        for line in lines:
            self.process.stdin.write(line if isinstance(line, bytes) else line.encode() + b"\n")
        self.process.stdin.flush()

    def spent(self):
        """The processor's seconds that it has had."""
        return spent(self.process.pid)

    def close(self):
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            stream.close()
