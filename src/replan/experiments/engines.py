"""Engines that execute runs: processes, threads, or the workers of a Dask cluster.

An engine wraps a `concurrent.futures.Executor`. It replaces a worker that dies and executes its batch again. Results do
not depend on the engine, on the number of workers or on their order, since every run has its own seed.
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
INITIAL_RUN_SECONDS = 0.05  # guessed duration of a run before any was timed
BATCHES_PER_WORKER = 2  # submitted per worker, so that none is idle between batches
MAX_WORKER_FAILURES = 5  # in a row, without a finished batch: then the work itself kills the workers
ENGINES = "processes, threads, or dask:ADDRESS such as dask:tcp://127.0.0.1:8786"


_worker_state = threading.local()  # `stopped`: function that returns True if this worker must stop


@dataclass
class Batch:
    """Runs that one worker executes, with their results."""

    runs: list[Run]
    results: list[Measurement] = field(default_factory=list)


class BatchBuilder:
    """Iterator over batches of runs that take about a second each, estimated from earlier runs of the same planner.

    Timed runs on the same problem stay in one batch, because they are executed in turn.
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

    def record_duration(self, batch: Batch, seconds: float) -> None:
        """Update the expected durations. Only the sum is known, so all kinds of runs are scaled by the same factor."""
        expected = [self._expected_seconds.get(self._timing_key(run), INITIAL_RUN_SECONDS) for run in batch.runs]
        scale = seconds / sum(expected)
        for run, duration in zip(batch.runs, expected, strict=True):
            self._expected_seconds[self._timing_key(run)] = max(1e-6, duration * (0.5 + 0.5 * scale))

    @staticmethod
    def _timing_key(run: Run) -> Any:
        return run.planner, run.options, run.problem.map.make, run.timing_repeats

    @staticmethod
    def _must_stay_together(first: Run, second: Run) -> bool:
        """True if both runs are timed on the same problem."""
        return bool(first.timing_repeats and second.timing_repeats) and first.problem == second.problem


def execute_batch_timed(batch: list[Run], version: str) -> tuple[list[Measurement], float]:
    """Execute a batch in a worker; return results and seconds. Raises InputError if its code has another version."""
    if code_version() != version:
        raise InputError(f"a worker has replan {code_version()}, this is {version}: install the same on all machines")
    start = time.perf_counter()
    return execute_batch(batch, getattr(_worker_state, "stopped", lambda: False)), time.perf_counter() - start


class Engine:
    """An executor that is started again when its workers die.

    Parameters
    ----------
    make_executor
        Function that makes the executor.
    worker_count
        Number of batches that it executes at the same time.
    failure_types
        Types of errors, besides those of `concurrent.futures`, that mean that a worker died.
    stop_event
        Event that workers check between runs. None: they finish their batch.
    """

    def __init__(
        self,
        make_executor: Callable[[], Executor],
        worker_count: int,
        failure_types: tuple[type[BaseException], ...] = (),
        stop_event: Any = None,
    ) -> None:
        self.make_executor, self.worker_count, self.stop_event = make_executor, worker_count, stop_event
        self.close: Callable[[], object] = lambda: None  # call it after the last run
        self.failure_types: tuple[type[BaseException], ...] = (BrokenExecutor, CancelledError, *failure_types)

    def execute(self, runs: Iterable[Run]) -> Iterator[Batch]:
        """Execute all runs. Yield batches as they finish, in any order."""
        dispatcher = _Dispatcher(self, BatchBuilder(runs))
        try:
            while dispatcher.submit_batches():
                yield from dispatcher.collect_results()
        finally:
            dispatcher.shut_down()


class _Dispatcher:
    """Work in progress: pending batches, and the batches to repeat because their worker died."""

    def __init__(self, engine: Engine, batches: BatchBuilder) -> None:
        self.engine, self.batches, self.batch_iterator = engine, batches, iter(batches)
        self.retries: list[Batch] = []
        self.pending: dict[Future[Any], Batch] = {}
        self.failures_in_a_row = 0
        self.executor = engine.make_executor()

    def submit_batches(self) -> bool:
        """Submit batches until all workers are busy. Return False if no batch is pending."""
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
        """Wait for finished batches and yield them."""
        finished, _ = wait(self.pending, return_when=FIRST_COMPLETED)
        worker_died = False
        for future in finished:
            batch = self.pending.pop(future)
            try:
                batch.results, seconds = future.result()
            except self.engine.failure_types:
                worker_died = True
                self.retries.append(batch)
            else:
                self.failures_in_a_row = 0
                self.batches.record_duration(batch, seconds)
                yield batch
        if worker_died:
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
        """Cancel batches that have not begun, and tell the workers to stop after their current run."""
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
    """Set up a worker process: it ignores Ctrl-C, and exits when its parent has exited."""
    _init_worker(stop)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()

    def exit_with_parent() -> None:
        assert parent is not None
        wait_for_end([parent.sentinel])
        os._exit(1)

    threading.Thread(target=exit_with_parent, daemon=True).start()


def processes(workers: int) -> Engine:
    """Return an engine of processes on this machine."""
    context = multiprocessing.get_context("spawn")  # the only way that is safe on every system
    stop = context.Event()
    return Engine(lambda: ProcessPoolExecutor(workers, context, _init_process, (stop,)), workers, stop_event=stop)


def threads(workers: int) -> Engine:
    """Return an engine of threads of this process; trips run without Python's lock."""
    stop = threading.Event()
    return Engine(
        lambda: ThreadPoolExecutor(workers, initializer=_init_worker, initargs=(stop,)), workers, stop_event=stop
    )


def dask(address: str, files: Iterable[Path] = (), timeout: float = 10) -> Engine:
    """Return an engine of the workers of a Dask cluster, with `files` (the user's modules) uploaded to them."""
    distributed = import_extra("distributed", extra="cluster", purpose="a Dask cluster")
    try:
        client = distributed.Client(address, timeout=timeout)
    except (OSError, ValueError) as error:  # a timeout is an OSError
        raise InputError(f"no Dask scheduler answers at {address}: {error}") from None
    for file in files:
        client.upload_file(str(file))
    worker_count = max(1, sum(client.nthreads().values()))
    killed = distributed.scheduler.KilledWorker
    engine = Engine(lambda: client.get_executor(pure=False), worker_count, failure_types=(killed,))
    engine.close = client.close
    return engine


def parse_engine(text: str, workers: int | None, files: Iterable[Path] = ()) -> Engine:
    """Return the engine that a user named. Raises InputError."""
    kind, _, address = text.partition(":")
    if kind == "dask" and address:
        return dask(address, files)
    make_engine = {"processes": processes, "threads": threads}.get(text)
    if make_engine is None:
        raise InputError(f"{text!r} is no engine; there are {ENGINES}")
    return make_engine(workers or os.cpu_count() or 1)
