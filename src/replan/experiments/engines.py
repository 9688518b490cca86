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
from replan.experiments.runs import Measurement, Run, execute_batch
from replan.extras import import_extra

BATCH_SECONDS = 1.0
INITIAL_RUN_SECONDS = 0.05  # seconds a run, before any was timed
BATCHES_PER_WORKER = 2  # batches given to each worker, so that none waits for the next
MAX_WORKER_FAILURES = 5  # of workers, without a batch done between them: then it is the work that kills them
ENGINES = "processes, threads, or dask:ADDRESS such as dask:tcp://127.0.0.1:8786"


_worker_state = threading.local()  # of this worker: whether it is to stop


@dataclass
class Batch:
    """Some runs for one worker."""

    runs: list[Run]
    results: list[Measurement] = field(default_factory=list)


class BatchBuilder:
    """Cuts runs into batches of about a second, by how long runs of the same planner took so far.

    Those that are timed on one problem stay together, for they take turns.
    """

    def __init__(self, runs: Iterable[Run]) -> None:
        self._runs = iter(runs)
        self._expected_seconds: dict[Any, float] = {}

    def __iter__(self) -> Iterator[Batch]:
        batch, expected = Batch([]), 0.0
        for run in self._runs:
            if expected >= BATCH_SECONDS and not self._must_stay_together(batch.runs[-1], run):
                yield batch
                batch, expected = Batch([]), 0.0
            batch.runs.append(run)
            expected += self._expected_seconds.get(self._timing_key(run), INITIAL_RUN_SECONDS)
        if batch.runs:
            yield batch

    def record_duration(self, batch: Batch, took: float) -> None:
        """A batch took so many seconds. Only their sum is known, so all kinds of runs in it are scaled alike."""
        guessed = [self._expected_seconds.get(self._timing_key(run), INITIAL_RUN_SECONDS) for run in batch.runs]
        scale = took / sum(guessed)
        for run, guess in zip(batch.runs, guessed, strict=True):
            self._expected_seconds[self._timing_key(run)] = max(1e-6, guess * (0.5 + 0.5 * scale))

    @staticmethod
    def _timing_key(run: Run) -> Any:
        return run.planner, run.options, run.problem.map.make, run.timing_repeats

    @staticmethod
    def _must_stay_together(one: Run, next_one: Run) -> bool:
        return bool(one.timing_repeats and next_one.timing_repeats) and one.problem == next_one.problem


def execute_batch_timed(batch: list[Run], version: str) -> tuple[list[Measurement], float]:
    """What a worker does, with the seconds it took. Raises InputError if its code is not of the version given."""
    if code_version() != version:
        raise InputError(f"a worker has replan {code_version()}, this is {version}: install the same on all machines")
    begun = time.perf_counter()
    return execute_batch(batch, getattr(_worker_state, "stopped", lambda: False)), time.perf_counter() - begun


class Engine:
    """An executor that is started again when its workers die.

    start: makes the executor. width: how many batches it works on at a time. deaths: the errors by which a worker's
    end shows itself. stop: an event that its workers look at between runs; without one they finish a batch.
    """

    def __init__(
        self,
        make_executor: Callable[[], Executor],
        worker_count: int,
        failure_types: tuple[type[BaseException], ...] = (),
        stop_event: Any = None,
    ) -> None:
        self.make_executor, self.worker_count, self.stop_event = make_executor, worker_count, stop_event
        self.close: Callable[[], object] = lambda: None  # to be called when there will be no more work
        self.failure_types: tuple[type[BaseException], ...] = (BrokenExecutor, CancelledError, *failure_types)

    def execute(self, runs: Iterable[Run]) -> Iterator[Batch]:
        """Do all runs; yields batches as they are done, in any order."""
        shift = _Dispatcher(self, BatchBuilder(runs))
        try:
            while shift.submit_batches():
                yield from shift.collect_results()
        finally:
            shift.shut_down()


class _Dispatcher:
    """The work in progress: batches that are being done, and those to do again because their worker died."""

    def __init__(self, engine: Engine, batches: BatchBuilder) -> None:
        self.engine, self.batches, self.batch_iterator = engine, batches, iter(batches)
        self.retries: list[Batch] = []
        self.pending: dict[Future[Any], Batch] = {}
        self.failures_in_a_row = 0
        self.executor = engine.make_executor()

    def submit_batches(self) -> bool:
        """Give the workers enough to do; False when all is done."""
        while len(self.pending) < self.engine.worker_count * BATCHES_PER_WORKER:
            batch = self.retries.pop() if self.retries else next(self.batch_iterator, None)
            if batch is None:
                break
            try:
                self.pending[self.executor.submit(execute_batch_timed, batch.runs, code_version())] = batch
            except self.engine.failure_types:
                self.retries.append(batch)
                self._restart_executor()
        return bool(self.pending)

    def collect_results(self) -> Iterator[Batch]:
        """Wait for something to be finished."""
        finished, _ = wait(self.pending, return_when=FIRST_COMPLETED)
        died = False
        for future in finished:
            batch = self.pending.pop(future)
            try:
                batch.results, took = future.result()
            except self.engine.failure_types:
                died = True
                self.retries.append(batch)
            else:
                self.failures_in_a_row = 0
                self.batches.record_duration(batch, took)
                yield batch
        if died:
            self._restart_executor()

    def _restart_executor(self) -> None:
        self.failures_in_a_row += 1
        self.retries += self.pending.values()
        self.pending.clear()
        self.executor.shutdown(wait=False)
        if self.failures_in_a_row >= MAX_WORKER_FAILURES:
            raise InputError(
                f"workers died {self.failures_in_a_row} times in a row, the last time at {self.retries[-1].runs[0]}"
            )
        self.executor = self.engine.make_executor()

    def shut_down(self) -> None:
        """Leave undone what has not begun, and stop what has: a batch may take a while, and nobody waits for it."""
        for future in self.pending:
            future.cancel()
        if self.engine.stop_event is not None:
            self.engine.stop_event.set()
        self.executor.shutdown(wait=True)
        if self.engine.stop_event is not None:
            self.engine.stop_event.clear()


def _init_worker(stop: Any) -> None:
    _worker_state.stopped = stop.is_set


def _init_process(stop: Any) -> None:
    """A worker process leaves Ctrl-C to the coordinator, and ends when the coordinator is gone."""
    _init_worker(stop)
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
    return Engine(lambda: ProcessPoolExecutor(workers, context, _init_process, (stop,)), workers, stop_event=stop)


def threads(workers: int) -> Engine:
    """Threads of this process: trips run without Python's lock."""
    stop = threading.Event()
    return Engine(
        lambda: ThreadPoolExecutor(workers, initializer=_init_worker, initargs=(stop,)), workers, stop_event=stop
    )


def dask(address: str, files: Iterable[Path] = (), timeout: float = 10) -> Engine:
    """The workers of a Dask cluster. files: modules of the user's that they need."""
    distributed = import_extra("distributed", extra="cluster", purpose="a Dask cluster")
    try:
        client = distributed.Client(address, timeout=timeout)
    except (OSError, ValueError) as error:  # a timeout is an OSError
        raise InputError(f"no Dask scheduler answers at {address}: {error}") from None
    for file in files:
        client.upload_file(str(file))
    width = max(1, sum(client.nthreads().values()))
    engine = Engine(lambda: client.get_executor(pure=False), width, failure_types=(distributed.scheduler.KilledWorker,))
    engine.close = client.close
    return engine


def parse_engine(text: str, workers: int | None, files: Iterable[Path] = ()) -> Engine:
    """An engine from what a user typed. Raises InputError."""
    kind, _, address = text.partition(":")
    if kind == "dask" and address:
        return dask(address, files)
    made = {"processes": processes, "threads": threads}.get(text)
    if made is None:
        raise InputError(f"{text!r} is no engine; there are {ENGINES}")
    return made(workers or os.cpu_count() or 1)
