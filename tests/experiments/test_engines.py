"""Who does the work must not matter: engines, numbers of workers, workers that die, an end by force."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from experiments.measures import always_deadly, deadly_walk, slow_walk, small_runs
from replan.errors import InputError
from replan.experiments.engines import Engine, dask, execute_batch_timed, processes, threads
from replan.experiments.pipeline import RESULTS_FILE, execute_missing_runs, open_store, results_frame
from replan.experiments.runs import Measurement, Run

TESTS = Path(__file__).parents[1]
TIMES = ("search_ns",)


def counts(runs: list[Run], directory: Path, engine: Engine) -> list[dict[str, object]]:
    """The counts of all runs, in their order."""
    store = open_store(directory, resume=True)
    try:
        execute_missing_runs(runs, store, engine, lambda done: None)
        found = results_frame(runs, store)
    finally:
        store.close()
    assert len(found) == len(runs)
    return found.drop(TIMES).to_dicts()


@pytest.fixture(autouse=True)
def findable(monkeypatch: pytest.MonkeyPatch) -> None:
    """The processes of a Dask cluster find `experiments.measures`, too."""
    monkeypatch.setenv("PYTHONPATH", str(TESTS))


def test_one_two_and_four_workers_count_the_same(tmp_path: Path) -> None:
    runs = small_runs(12)
    found = [counts(runs, tmp_path / str(n), processes(n)) for n in (1, 2, 4)]
    found += [counts(runs, tmp_path / f"threads {n}", threads(n)) for n in (1, 2, 4)]
    assert all(other == found[0] for other in found)
    assert len({str(row["expansions"]) for row in found[0]}) > 10  # not all alike by accident


def test_a_worker_that_dies_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REPLAN_TEST_MARK", str(tmp_path))
    found = counts(small_runs(8, deadly_walk), tmp_path / "deadly", processes(2))
    assert {file.name for file in tmp_path.glob("?")} == {"0", "1"}, "no worker was killed"
    assert found == counts(small_runs(8), tmp_path / "plain", threads(1))


def test_work_that_kills_every_worker_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"workers died 5 times in a row.*RTAA\*.*maze 0"):
        counts(small_runs(1, always_deadly), tmp_path / "x", processes(1))


def test_a_dask_cluster_loses_a_worker(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        engine = dask(cluster.scheduler_address)
        nannies = list(cluster.workers.values())
        runs = small_runs(12, slow_walk)
        store = open_store(tmp_path / "dask", resume=False)
        killed = []

        def kill_one(done: int) -> None:
            if done and not killed:
                killed.append(nannies[0].process.process.pid)
                os.kill(killed[0], signal.SIGKILL)

        execute_missing_runs(runs, store, engine, kill_one)
        found = results_frame(runs, store).drop(TIMES).to_dicts()
        store.close()
        engine.close()
    assert killed
    assert found == counts(small_runs(12), tmp_path / "plain", threads(1))


def test_a_worker_with_other_code_is_refused() -> None:
    with pytest.raises(InputError, match=r"a worker has replan .*, this is 0\.0\.9-older: install the same"):
        execute_batch_timed(small_runs(1), "0.0.9-older")


def test_no_dask_scheduler_is_refused() -> None:
    pytest.importorskip("distributed")
    with pytest.raises(InputError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:1"):
        dask("tcp://127.0.0.1:1", timeout=0.5)


def test_an_end_before_time_stops_the_workers_between_two_runs() -> None:
    """What takes turns is one batch, which may be long; whoever interrupts does not wait for it."""
    CALLS.clear()
    first = small_runs(8)  # as many as a batch has
    problem = replace(first[0].problem, seed=1000)
    work = threads(1).execute([*first, *(Run("RTAA*", (), problem, measure=counted_walk) for _ in range(500))])
    next(work)
    work.close()
    assert len(CALLS) < 500


CALLS: list[int] = []


def counted_walk(run: Run) -> Measurement:
    CALLS.append(run.problem.seed)
    time.sleep(0.01)
    return {"reached": 1}, {"search_ns": 1}


PROGRAM = """
from pathlib import Path
import sys
sys.path.insert(0, {here!r})
from experiments.measures import small_runs, slow_walk
if __name__ == "__main__":
    from replan.experiments.pipeline import execute_missing_runs, open_store
    from replan.experiments.engines import processes
    execute_missing_runs(small_runs(12, slow_walk), open_store(Path({out!r}), False), processes(2), lambda done: None)
"""


def test_killed_and_resumed(tmp_path: Path) -> None:
    """kill -9 of the coordinator: the file is whole, its workers end, and going on gives the same as if nothing was."""
    out = tmp_path / "killed"
    program = tmp_path / "program.py"
    program.write_text(PROGRAM.format(here=str(TESTS), out=str(out)), encoding="utf-8")
    coordinator = subprocess.Popen([sys.executable, str(program)], stdin=subprocess.DEVNULL)
    results = out / RESULTS_FILE
    until = time.monotonic() + 60
    while time.monotonic() < until and not _stored(results):
        time.sleep(0.02)
    workers = psutil.Process(coordinator.pid).children(recursive=True)
    coordinator.kill()
    coordinator.wait()
    before = _stored(results)
    assert 0 < before < 36
    assert workers
    _, alive = psutil.wait_procs(workers, timeout=20)
    assert not alive, "workers outlive their coordinator"

    runs = small_runs(12, slow_walk)
    done = []
    store = open_store(out, resume=True)
    execute_missing_runs(runs, store, threads(8), done.append)
    found = results_frame(runs, store).drop(TIMES).to_dicts()
    store.close()
    assert done[0] == before, "what was stored is not run again"
    assert found == counts(small_runs(12), tmp_path / "plain", threads(1))


def test_ctrl_c_keeps_what_is_done(tmp_path: Path) -> None:
    words = ["reproduce", "rtaa", "--sample", "60", "--workers", "1", "--out", str(tmp_path)]
    command = [sys.executable, "-c", "from replan.cli import main; main()", *words]
    program = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    until = time.monotonic() + 60
    while time.monotonic() < until and not _stored(tmp_path / RESULTS_FILE):
        time.sleep(0.05)
    program.send_signal(signal.SIGINT)
    _, said = program.communicate(timeout=60)
    assert program.returncode == 130, said
    assert "--resume continues" in said
    assert "Traceback" not in said
    assert _stored(tmp_path / RESULTS_FILE) > 0
    assert "**Not finished**" in (tmp_path / "report.md").read_text(encoding="utf-8")


def _stored(path: Path) -> int:
    if not path.exists():
        return 0
    try:
        with sqlite3.connect(path) as file:
            return int(file.execute("SELECT count(*) FROM runs").fetchone()[0])
    except sqlite3.OperationalError:  # not yet laid out
        return 0
    finally:
        if "file" in locals():
            file.close()
