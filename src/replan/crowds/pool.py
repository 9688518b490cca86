"""Threads that do chunks of work together, without Python's lock: a queue of chunks, and a pool of workers.

The calling thread opens a number of chunks, does chunks itself, and goes on when all of them are done. The threads of
the pool help as long as there are chunks to claim. A thread that the system has given no time is not waited for.

Exceptions: the first error of a chunk is kept, the chunk counts as finished, and the calling thread raises the error
when no chunk is running any more. Ctrl-C reaches a chunk of the calling thread (`check_signals`) or nothing: threads
are started by one call that no signal can break off, and a thread claims its job itself, so that no job is ever done
by two threads. A thread that had nothing to do for some milliseconds ends.
"""

from __future__ import annotations

import atexit
from _thread import allocate_lock, start_new_thread
from time import monotonic, sleep
from typing import Any

import numpy as np

from replan.arrays import zeros

try:
    import cython
except ImportError:
    from replan import _cython as cython

DONE_LINE, FIRST_SHARE_LINE = 0, 1  # lines of memory: a number, then one line for the share of each worker
NEXT_CHUNK, CHUNK_END, CHUNK_OFFSET, LINE_WORDS = 0, 1, 2, 8  # what stands in a share; numbers of 64 bits in a line
MAX_IDLE_TRIES = 940  # a thread that has found nothing to do so many times ends
EXIT_TIMEOUT = 1.0  # seconds: the process waits so long, at most, for threads that are about to end

active_jobs: set[Any] = set()  # the pools and jobs that threads work for at this moment


@atexit.register
def wait_for_threads() -> None:
    """Threads have ended before the interpreter takes their memory away."""
    end = monotonic() + EXIT_TIMEOUT
    while active_jobs and monotonic() < end:
        sleep(0.001)


class WorkQueue:
    """Chunks, which have numbers. Every worker has a share of them, the same part of the list each time, so that it
    mostly finds what it needs in its own memory. A worker whose share is done claims chunks of the others.

    The numbers go on from one opening to the next: no worker claims a chunk of an opening that is over.
    """

    def __init__(self, workers: int) -> None:
        self.counters: Any = zeros(LINE_WORDS * (FIRST_SHARE_LINE + workers + 1), np.int64)
        self.workers, self.added_count = workers, 0
        self.lock = None if cython.compiled else allocate_lock()

    def add_chunks(self, chunks: int) -> int:
        """From now on so many chunks can be claimed. All earlier ones are done."""
        begin = 0
        self.added_count += chunks
        for worker in range(self.workers):
            share, end = LINE_WORDS * (FIRST_SHARE_LINE + worker), chunks * (worker + 1) // self.workers
            self.counters[share + CHUNK_OFFSET] = begin - self.counters[share + CHUNK_END]
            self.add_atomic(share + CHUNK_END, end - begin)
            begin = end
        return 0

    def claim(self, worker: int) -> int:
        """A chunk that no other worker gets, from 0 on; -1 if there is none."""
        for i in range(self.workers):
            share = LINE_WORDS * (FIRST_SHARE_LINE + (worker + i) % self.workers)
            chunk = self.claim_from(share)
            if chunk >= 0:
                return chunk + self.counters[share + CHUNK_OFFSET]  # type: ignore[no-any-return]
        return -1

    def claim_from(self, share: int) -> int:
        """The number of a chunk of this share; -1 if all are claimed."""
        if cython.compiled:
            return replan_claim(self.counters, share + NEXT_CHUNK, share + CHUNK_END)  # type: ignore[name-defined, no-any-return]  # noqa: F821
        else:
            with self.lock:  # type: ignore[union-attr]
                chunk: int = self.counters[share + NEXT_CHUNK]
                if chunk >= self.counters[share + CHUNK_END]:
                    return -1
                self.counters[share + NEXT_CHUNK] += 1
                return chunk

    def mark_done(self) -> int:
        """A chunk that was claimed is done, or has failed."""
        return self.add_atomic(LINE_WORDS * DONE_LINE, 1)

    def wait(self) -> int:
        """Wait for running chunks. Chunks that no worker has claimed are cancelled."""
        while self.claim(0) >= 0:
            self.mark_done()
        tries = 0
        while self.read_atomic(LINE_WORDS * DONE_LINE) < self.added_count:
            self.back_off(tries)
            tries += 1
        return 0

    def add_atomic(self, i: int, n: int) -> int:
        if cython.compiled:
            replan_add(self.counters, i, n)  # type: ignore[name-defined]  # noqa: F821
        else:
            with self.lock:  # type: ignore[union-attr]
                self.counters[i] += n
        return 0

    def read_atomic(self, i: int) -> int:
        if cython.compiled:
            return replan_read(self.counters, i)  # type: ignore[name-defined, no-any-return]  # noqa: F821
        else:
            return int(self.counters[i])

    def back_off(self, tries: int) -> int:
        """For a moment, a longer one after many tries."""
        if cython.compiled:
            replan_back_off(tries)  # type: ignore[name-defined]  # noqa: F821
        else:
            sleep(0)
        return 0


class Job:
    """What one worker does."""

    def run(self, start: int, end: int) -> int:
        """Hook: do a chunk, the items from `start` to `stop` of a list."""
        with cython.gil:
            raise NotImplementedError(f"{type(self).__name__} does not say what it does")


class WorkerPool:
    """Does the chunks of a list, by one job for each worker: the calling thread does the first one."""

    def __init__(self, jobs: list[Job]) -> None:
        self.jobs, self.queue = jobs, WorkQueue(len(jobs))
        self.job_locks = [allocate_lock() for _ in jobs]  # locked: a thread does this job
        self.error: BaseException | None = None
        self.start = self.end = self.chunk_size = 0

    def start_threads(self) -> None:
        """Have the threads help with what follows."""
        for worker in range(1, len(self.jobs)):
            if not self.job_locks[worker].locked():
                start_new_thread(self.run_thread, (worker,))

    def run(self, start: int, stop: int, size: int) -> int:
        """Do the items from `start` to `stop` in chunks of this size. Raises the error of a chunk that has failed."""
        self.start, self.end, self.chunk_size = start, stop, size
        self.queue.add_chunks((stop - start + size - 1) // size)
        try:
            self.run_job(0, 1)
        finally:
            with cython.nogil:
                self.queue.wait()
        error, self.error = self.error, None
        if error is not None:
            raise error
        return 0

    def run_thread(self, worker: int) -> None:
        """What a thread does."""
        if not self.job_locks[worker].acquire(False):
            return  # another thread is quicker
        active_jobs.add((self, worker))
        try:
            self.run_job(worker, MAX_IDLE_TRIES)
        finally:
            active_jobs.discard((self, worker))
            self.job_locks[worker].release()

    def run_job(self, worker: int, tries: int) -> int:
        """Do chunks, and keep the error of one that fails; that of the calling thread comes before the others."""
        job: Job = self.jobs[worker]
        try:
            with cython.nogil:
                self.run_chunks(job, worker, tries)
        except BaseException as error:
            if worker == 0 or self.error is None:
                self.error = error
            self.queue.mark_done()
        return 0

    def run_chunks(self, job: Job, worker: int, tries: int) -> int:
        """Do chunks until there were none so many times."""
        tried = 0
        while tried < tries:
            chunk = self.queue.claim(worker)
            if chunk < 0:
                tried += 1
                self.queue.back_off(tried)
            else:
                tried = 0
                start = self.start + chunk * self.chunk_size
                job.run(start, min(self.end, start + self.chunk_size))
                self.queue.mark_done()
        return 0
