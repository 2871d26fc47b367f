"""Threads that wait for work."""

import threading

import pytest

from zermelo.compile.workers import MOST_IDLE, Job, Worker, give, on_large_stack


def nothing():
    """Nobody interrupts."""


def test_one_thread_serves_again_and_again():
    seen = []
    for _ in range(5):
        on_large_stack(lambda: seen.append(threading.current_thread()), nothing)
    assert len(seen) == 5
    assert len(set(seen)) == 1
    assert isinstance(seen[0], Worker)


def test_work_within_work_stays_in_its_thread():
    seen = []

    def outer():
        on_large_stack(lambda: seen.append(threading.current_thread()), nothing)
        seen.append(threading.current_thread())

    on_large_stack(outer, nothing)
    assert seen[0] is seen[1]


def test_errors_come_back():
    with pytest.raises(ZeroDivisionError):
        on_large_stack(lambda: 1 // 0, nothing)
    on_large_stack(nothing, nothing)


def test_many_at_once_and_few_are_kept():
    gate, jobs = threading.Event(), []
    for _ in range(3 * MOST_IDLE):
        jobs.append(Job(lambda: gate.wait(10)))
        give(jobs[-1])
    gate.set()
    for job in jobs:
        assert job.done.wait(10)
    alive = [thread for thread in threading.enumerate() if isinstance(thread, Worker)]
    for thread in alive:
        thread.join(0.2)
    assert sum(thread.is_alive() for thread in alive) <= MOST_IDLE


def test_a_job_that_is_called_off_is_never_done():
    done = []
    job = Job(lambda: done.append(1))
    job.end(nothing)
    give(job)
    assert job.done.wait(10)
    assert done == []
