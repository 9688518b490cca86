"""A queue of chunks of work, and a pool of threads that do them without Python's lock.

The calling thread adds chunks to the queue, does chunks itself, and returns when all chunks are done. The threads of
the pool help while there are chunks to claim. The caller does not wait for a thread that has not claimed a chunk.

Exceptions: the first error of a chunk is stored, the chunk counts as done, and the calling thread raises the error when
no chunk is running. Ctrl-C can only interrupt a chunk of the calling thread (`check_signals`): a single call that no
signal can interrupt starts a thread, and the thread itself claims its job, so that two threads never do the same job.
A thread that finds no chunk for some milliseconds ends.
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

DONE_LINE, FIRST_SHARE_LINE = 0, 1  # cache lines: the number of finished chunks, then one share per worker
NEXT_CHUNK, CHUNK_END, CHUNK_OFFSET, LINE_WORDS = 0, 1, 2, 8  # numbers in a share; 64-bit numbers in a cache line
MAX_IDLE_TRIES = 940  # a thread ends after this many tries without a chunk
EXIT_TIMEOUT = 1.0  # seconds that the process waits at its end for threads

active_jobs: set[Any] = set()  # (pool, worker) of each thread that is running


@atexit.register
def wait_for_threads() -> None:
    """Wait until the threads have ended, before the interpreter frees their memory."""
    end = monotonic() + EXIT_TIMEOUT
    while active_jobs and monotonic() < end:
        sleep(0.001)


class WorkQueue:
    """Queue of numbered chunks. Each worker has a share, the same part of the list each time.

    A worker whose share is done claims chunks of other shares. The counters grow from one `add_chunks` to the next, so
    that a late worker cannot claim a chunk of an earlier one.
    """

    def __init__(self, workers: int) -> None:
        self.counters: Any = zeros(LINE_WORDS * (FIRST_SHARE_LINE + workers + 1), np.int64)
        self.workers, self.added_count = workers, 0
        self.lock = None if cython.compiled else allocate_lock()

    def add_chunks(self, chunks: int) -> int:
        """Add this number of chunks. All earlier chunks are done."""
        begin = 0
        self.added_count += chunks
        for worker in range(self.workers):
            share, end = LINE_WORDS * (FIRST_SHARE_LINE + worker), chunks * (worker + 1) // self.workers
            self.counters[share + CHUNK_OFFSET] = begin - self.counters[share + CHUNK_END]
            self.add_atomic(share + CHUNK_END, end - begin)
            begin = end
        return 0

    def claim(self, worker: int) -> int:
        """Return the number of a chunk, from 0, for this worker alone; -1 if there is none."""
        for i in range(self.workers):
            share = LINE_WORDS * (FIRST_SHARE_LINE + (worker + i) % self.workers)
            chunk = self.claim_from(share)
            if chunk >= 0:
                return chunk + self.counters[share + CHUNK_OFFSET]  # type: ignore[no-any-return]
        return -1

    def claim_from(self, share: int) -> int:
        """Return the counter of a chunk of this share; -1 if all are claimed."""
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
        """Count a claimed chunk as done, after an error, too."""
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
        """Add n to a counter atomically."""
        if cython.compiled:
            replan_add(self.counters, i, n)  # type: ignore[name-defined]  # noqa: F821
        else:
            with self.lock:  # type: ignore[union-attr]
                self.counters[i] += n
        return 0

    def read_atomic(self, i: int) -> int:
        """Read a counter atomically."""
        if cython.compiled:
            return replan_read(self.counters, i)  # type: ignore[name-defined, no-any-return]  # noqa: F821
        else:
            return int(self.counters[i])

    def back_off(self, tries: int) -> int:
        """Pause, longer after many tries."""
        if cython.compiled:
            replan_back_off(tries)  # type: ignore[name-defined]  # noqa: F821
        else:
            sleep(0)
        return 0


class Job:
    """Work of one worker. A subclass defines `run`."""

    def run(self, start: int, end: int) -> int:
        """Hook: do a chunk, the items from `start` to `end` of a list."""
        with cython.gil:
            raise NotImplementedError(f"{type(self).__name__} does not define run()")


class WorkerPool:
    """Pool that does the chunks of a list with one job per worker. The calling thread runs the first job."""

    def __init__(self, jobs: list[Job]) -> None:
        self.jobs, self.queue = jobs, WorkQueue(len(jobs))
        self.job_locks = [allocate_lock() for _ in jobs]  # locked: a thread is running this job
        self.error: BaseException | None = None
        self.start = self.end = self.chunk_size = 0

    def start_threads(self) -> None:
        """Start the threads that are not running."""
        for worker in range(1, len(self.jobs)):
            if not self.job_locks[worker].locked():
                start_new_thread(self.run_thread, (worker,))

    def run(self, start: int, stop: int, size: int) -> int:
        """Do the items from `start` to `stop` in chunks of this size. Raises the error of a failed chunk."""
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
        """Run the job of a worker in a thread."""
        if not self.job_locks[worker].acquire(False):
            return  # another thread has claimed this job
        active_jobs.add((self, worker))
        try:
            self.run_job(worker, MAX_IDLE_TRIES)
        finally:
            active_jobs.discard((self, worker))
            self.job_locks[worker].release()

    def run_job(self, worker: int, tries: int) -> int:
        """Do chunks, and store an error; an error of the calling thread replaces others."""
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
        """Do chunks, until there was none for this number of tries."""
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
