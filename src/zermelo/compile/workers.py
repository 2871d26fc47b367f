"""Threads that wait for work: starting one for every search takes a good part of a millisecond, and so does waiting for
the pages of its stack.
"""

import contextvars
import ctypes
import os
import queue
import threading
from collections.abc import Callable
from typing import Any

STACK = 512 << 20
"""Searches recurse; they run on a stack of this many bytes, of which only what is used is ever taken."""
MOST_IDLE = 8
"""Threads that are kept; further ones end when their work is done."""


class Job:
    """Work in another thread that can be called off before it begins, and after that only be waited for."""

    def __init__(self, work: Callable[[], None]) -> None:
        self.work = work
        self.done = threading.Event()
        self.failed: list[BaseException] = []
        self.door = threading.Lock()
        self.begun = self.off = False

    def run(self) -> None:
        """Do it, unless it was called off."""
        with self.door:
            self.begun = not self.off
        try:
            if self.begun:
                self.work()
        except BaseException as error:
            self.failed.append(error)

    def end(self, interrupt: Callable[[], None]) -> None:
        """Call the job off and wait until it has ended: then its memory may be freed. Ctrl-C does not end the wait."""
        while True:
            try:
                with self.door:
                    self.off = True
                if self.begun:
                    interrupt()
                    self.done.wait()
                return
            except KeyboardInterrupt:
                continue


class Worker(threading.Thread):
    """One thread and the jobs that it has been given."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.jobs: queue.SimpleQueue[Job] = queue.SimpleQueue()

    def run(self) -> None:
        """Do one job after the other."""
        while True:
            job = self.jobs.get()
            job.run()
            with _door:
                kept = len(_idle) < MOST_IDLE
                if kept:
                    _idle.append(self)
            job.done.set()
            del job  # what it worked on may go now
            if not kept:
                return


_idle: list[Worker] = []
_door = threading.Lock()
"""Held while the list of idle threads changes, and while the size of stacks for new threads is raised."""


def _begin_anew() -> None:
    """Start anew in a child process: it has no threads, and a lock that one of them held would stay closed for ever."""
    global _door
    _idle.clear()
    _door = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_anew)


def give(job: Job) -> None:
    """Let some thread do the job."""
    try:
        worker = _idle.pop()
    except IndexError:
        worker = Worker()
        with _door:
            before = threading.stack_size(STACK)
            try:
                worker.start()
            finally:
                threading.stack_size(before)
    worker.jobs.put(job)


def on_large_stack(work: Callable[[], None], interrupt: Callable[[], None]) -> None:
    """Run `work` in a thread with room for deep recursion; errors come back here, Ctrl-C goes to `interrupt`."""
    if isinstance(threading.current_thread(), Worker):
        work()
        return
    job = Job(work)
    try:
        give(job)
        job.done.wait()
    except BaseException:
        # Ctrl-C may come at any moment, also while the job is being given.
        job.end(interrupt)
        raise
    if job.failed:
        raise job.failed[0]


class _Interruptible:
    """Plain Python in another thread, into which Ctrl-C is passed on."""

    def __init__(self, work: Callable[[], Any]) -> None:
        self.work, self.context = work, contextvars.copy_context()
        self.door = threading.Lock()
        self.thread: int | None = None
        self.interrupted = self.off = False
        self.found: Any = None

    def run(self) -> None:
        """Do the work, and wait for an interrupt that is on its way: it must not come later."""
        with self.door:
            self.thread = threading.get_ident()
            if self.off:
                raise KeyboardInterrupt
        try:
            self.found = self.context.run(self.work)
        finally:
            with self.door:
                self.thread = None
            if self.interrupted:
                # Python looks for interrupts at every turn of a loop.
                for _ in range(1000):
                    pass

    def interrupt(self) -> None:
        """Raise KeyboardInterrupt in the thread that works."""
        with self.door:
            self.off = True
            if self.thread is not None and not self.interrupted:
                self.interrupted = True
                raised = ctypes.py_object(KeyboardInterrupt)
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self.thread), raised)


def on_deep_stack(work: Callable[[], Any]) -> Any:
    """The answer of plain Python that recurses deeply, also through C functions: it runs on a large stack."""
    inner = _Interruptible(work)
    on_large_stack(inner.run, inner.interrupt)
    return inner.found
