"""Who does the runs: any `concurrent.futures.Executor`. A worker that dies is replaced, and its batch is done again.

Results do not depend on the engine, on the number of workers or on their order: every run has its own seed.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from dataclasses import dataclass, field
from multiprocessing.connection import wait as wait_for_end
from pathlib import Path
from typing import Any

from replan.errors import InputError
from replan.experiments.code_version import code_version
from replan.experiments.runs import Measured, Run, perform
from replan.extras import need

BATCH_SECONDS = 1.0
FIRST_GUESS = 0.05  # seconds a run, before any was timed
AHEAD = 2  # batches given to each worker, so that none waits for the next
MOST_DEATHS = 5  # of workers, without a batch done between them: then it is the work that kills them
ENGINES = "processes, threads, or dask:ADDRESS such as dask:tcp://127.0.0.1:8786"


_worker = threading.local()  # of this worker: whether it is to stop


@dataclass
class Batch:
    """Some runs for one worker."""

    runs: list[Run]
    results: list[Measured] = field(default_factory=list)


class Batches:
    """Cuts runs into batches of about a second, by how long runs of the same planner took so far.

    Those that are timed on one problem stay together, for they take turns.
    """

    def __init__(self, runs: Iterable[Run]) -> None:
        self.runs = iter(runs)
        self.seconds: dict[Any, float] = {}

    def __iter__(self) -> Iterator[Batch]:
        batch, expected = Batch([]), 0.0
        for run in self.runs:
            if expected >= BATCH_SECONDS and not self._together(batch.runs[-1], run):
                yield batch
                batch, expected = Batch([]), 0.0
            batch.runs.append(run)
            expected += self.seconds.get(self._kind(run), FIRST_GUESS)
        if batch.runs:
            yield batch

    def learn(self, batch: Batch, took: float) -> None:
        """A batch took so many seconds. Only their sum is known, so all kinds of runs in it are scaled alike."""
        guessed = [self.seconds.get(self._kind(run), FIRST_GUESS) for run in batch.runs]
        scale = took / sum(guessed)
        for run, guess in zip(batch.runs, guessed, strict=True):
            self.seconds[self._kind(run)] = max(1e-6, guess * (0.5 + 0.5 * scale))

    @staticmethod
    def _kind(run: Run) -> Any:
        return run.planner, run.options, run.problem.map.make, run.rounds

    @staticmethod
    def _together(one: Run, next_one: Run) -> bool:
        return bool(one.rounds and next_one.rounds) and one.problem == next_one.problem


def timed(batch: list[Run], version: str) -> tuple[list[Measured], float]:
    """What a worker does, with the seconds it took. Raises InputError if its code is not of the version given."""
    if code_version() != version:
        raise InputError(f"a worker has replan {code_version()}, this is {version}: install the same on all machines")
    begun = time.perf_counter()
    return perform(batch, getattr(_worker, "stopped", lambda: False)), time.perf_counter() - begun


class Engine:
    """An executor that is started again when its workers die.

    start: makes the executor. width: how many batches it works on at a time. deaths: the errors by which a worker's
    end shows itself. stop: an event that its workers look at between runs; without one they finish a batch.
    """

    def __init__(
        self,
        start: Callable[[], Executor],
        width: int,
        deaths: tuple[type[BaseException], ...] = (),
        stop: Any = None,
    ) -> None:
        self.start, self.width, self.stop = start, width, stop
        self.close: Callable[[], object] = lambda: None  # to be called when there will be no more work
        self.deaths: tuple[type[BaseException], ...] = (BrokenExecutor, CancelledError, *deaths)

    def work(self, runs: Iterable[Run]) -> Iterator[Batch]:
        """Do all runs; yields batches as they are done, in any order."""
        shift = Shift(self, Batches(runs))
        try:
            while shift.hand_out():
                yield from shift.collect()
        finally:
            shift.end()


class Shift:
    """The work in progress: batches that are being done, and those to do again because their worker died."""

    def __init__(self, engine: Engine, batches: Batches) -> None:
        self.engine, self.batches, self.waiting = engine, batches, iter(batches)
        self.again: list[Batch] = []
        self.doing: dict[Future[Any], Batch] = {}
        self.lost = 0
        self.executor = engine.start()

    def hand_out(self) -> bool:
        """Give the workers enough to do; False when all is done."""
        while len(self.doing) < self.engine.width * AHEAD:
            batch = self.again.pop() if self.again else next(self.waiting, None)
            if batch is None:
                break
            try:
                self.doing[self.executor.submit(timed, batch.runs, code_version())] = batch
            except self.engine.deaths:
                self.again.append(batch)
                self._start_again()
        return bool(self.doing)

    def collect(self) -> Iterator[Batch]:
        """Wait for something to be finished."""
        finished, _ = wait(self.doing, return_when=FIRST_COMPLETED)
        died = False
        for future in finished:
            batch = self.doing.pop(future)
            try:
                batch.results, took = future.result()
            except self.engine.deaths:
                died = True
                self.again.append(batch)
            else:
                self.lost = 0
                self.batches.learn(batch, took)
                yield batch
        if died:
            self._start_again()

    def _start_again(self) -> None:
        self.lost += 1
        self.again += self.doing.values()
        self.doing.clear()
        self.executor.shutdown(wait=False)
        if self.lost >= MOST_DEATHS:
            raise InputError(f"workers died {self.lost} times in a row, the last time at {self.again[-1].runs[0]}")
        self.executor = self.engine.start()

    def end(self) -> None:
        """Leave undone what has not begun, and stop what has: a batch may take a while, and nobody waits for it."""
        for future in self.doing:
            future.cancel()
        if self.engine.stop is not None:
            self.engine.stop.set()
        self.executor.shutdown(wait=True)
        if self.engine.stop is not None:
            self.engine.stop.clear()


def _begin_worker(stop: Any) -> None:
    _worker.stopped = stop.is_set


def _begin_process(stop: Any) -> None:
    """A worker process leaves Ctrl-C to the coordinator, and ends when the coordinator is gone."""
    _begin_worker(stop)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()

    def leave() -> None:
        assert parent is not None
        wait_for_end([parent.sentinel])
        os._exit(1)

    threading.Thread(target=leave, daemon=True).start()


def processes(workers: int) -> Engine:
    """Processes on this machine."""
    context = multiprocessing.get_context("spawn")  # the only way that is safe on every system
    stop = context.Event()
    return Engine(lambda: ProcessPoolExecutor(workers, context, _begin_process, (stop,)), workers, stop=stop)


def threads(workers: int) -> Engine:
    """Threads of this process: trips run without Python's lock."""
    stop = threading.Event()
    return Engine(lambda: ThreadPoolExecutor(workers, initializer=_begin_worker, initargs=(stop,)), workers, stop=stop)


def dask(address: str, files: Iterable[Path] = (), timeout: float = 10) -> Engine:
    """The workers of a Dask cluster. files: modules of the user's that they need."""
    distributed = need("distributed", extra="cluster", what="a Dask cluster")
    try:
        client = distributed.Client(address, timeout=timeout)
    except (OSError, ValueError) as error:  # a timeout is an OSError
        raise InputError(f"no Dask scheduler answers at {address}: {error}") from None
    for file in files:
        client.upload_file(str(file))
    width = max(1, sum(client.nthreads().values()))
    engine = Engine(lambda: client.get_executor(pure=False), width, deaths=(distributed.scheduler.KilledWorker,))
    engine.close = client.close
    return engine


def engine_from(text: str, workers: int | None, files: Iterable[Path] = ()) -> Engine:
    """An engine from what a user typed. Raises InputError."""
    kind, _, address = text.partition(":")
    if kind == "dask" and address:
        return dask(address, files)
    made = {"processes": processes, "threads": threads}.get(text)
    if made is None:
        raise InputError(f"{text!r} is no engine; there are {ENGINES}")
    return made(workers or os.cpu_count() or 1)
