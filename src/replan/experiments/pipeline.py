"""The steps of `replan reproduce`, from the runs of an experiment to its report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from replan.atomic_write import write_bytes
from replan.errors import InputError
from replan.experiments.code_version import code_version
from replan.experiments.engines import Engine
from replan.experiments.experiment import PAPER_TEXT, Experiment, Scope
from replan.experiments.planner_names import NamedPlanner, user_planner_sources, user_planner_version
from replan.experiments.report import Report
from replan.experiments.runs import Run, RunKey, measure_imports
from replan.experiments.store import ResultStore

RESULTS_FILE = "results.sqlite"
RUNS_FILE = "runs.csv"  # the data of the report, a line for each run


def run_keys(runs: Sequence[Run]) -> list[RunKey]:
    """Return the keys of runs, with the current version of the code."""
    versions = {name: code_version() + user_planner_version(name) for name in {run.planner for run in runs}}
    return [run.key(versions[run.planner]) for run in runs]


def unresolved_imports(runs: Sequence[Run]) -> list[str]:
    """Return the reasons why the user's code that runs depend on is not fully known; empty if it is known."""
    planners, measures = {run.planner for run in runs}, {run.measure for run in runs}
    all_sources = [*map(user_planner_sources, sorted(planners)), *map(measure_imports, measures)]
    return [reason for sources in all_sources for reason in sources.unresolved]


def open_store(directory: Path, resume: bool, unresolved: Sequence[str] = ()) -> ResultStore:
    """Open the results in a directory. Raises InputError if there are some and `resume` is False.

    unresolved: reasons why results cannot be told from results of other code. With reasons, nothing is resumed.
    """
    directory.mkdir(parents=True, exist_ok=True)
    store = ResultStore(directory / RESULTS_FILE)
    if len(store) and not resume:
        count = len(store)
        store.close()
        raise InputError(f"there are {count:,} results here; go on with --resume, or take another --out", directory)
    if len(store) and unresolved:
        store.close()
        reason = f"these results may be of other code than there is now, so --resume is refused ({unresolved[0]})"
        raise InputError(f"{reason}; take another --out, or import by import statements", directory)
    return store


def execute_missing_runs(
    runs: Sequence[Run], store: ResultStore, engine: Engine, progress: Callable[[int], None]
) -> None:
    """Execute the runs that the store lacks. `progress` is called with the number of runs done since its last call."""
    key_of = dict(zip(map(id, runs), run_keys(runs), strict=True))
    done = store.measurements().keys()
    missing = list({key_of[id(run)]: run for run in runs if key_of[id(run)] not in done}.values())  # each once
    progress(len(runs) - len(missing))
    if missing:
        store.begin_session(code_version(), engine.worker_count)
    for batch in engine.execute(missing):
        store.add((key_of[id(run)], result) for run, result in zip(batch.runs, batch.results, strict=True))
        progress(len(batch.runs))


def results_frame(runs: Sequence[Run], store: ResultStore) -> pl.DataFrame:
    """Return a row for each executed run: planner, problem, the tags of the experiment, and the measurements."""
    done = store.measurements()
    numbers: dict[Any, int] = {}
    rows = []
    for run, key in zip(runs, run_keys(runs), strict=True):
        number = numbers.setdefault(run.problem, len(numbers))
        if key in done:
            counts, times = done[key]
            rows.append({**_run_columns(run, number), **run.tags, **counts, **times})
    return pl.from_dicts(rows, infer_schema_length=None) if rows else pl.DataFrame()


def _run_columns(run: Run, number: int) -> dict[str, Any]:
    """Return the columns that identify a run. number: index of its problem."""
    problem, options = run.problem, dict(run.options)
    return {
        "planner": run.planner,
        "lookahead": options.pop("lookahead", None),
        "options": ", ".join(f"{name}={value}" for name, value in options.items()),
        "problem": number,
        "map": problem.map.name,
        "start": f"{problem.start}",
        "goal": f"{problem.goal}",
        "seed": problem.seed,
        "sensor": problem.sensor if isinstance(problem.sensor, str) else f"radius {problem.sensor:g}",
        "known": problem.known,
        "rounds": run.timing_repeats,
    }


def _command_line(experiment: Experiment, scope: Scope) -> str:
    """Return the command that makes the report again."""
    words = [experiment.command, f"--sample {scope.sample}"]
    if scope.timed_problems is not None:
        words.append(f"--timed-problems {scope.timed_problems}")
    if scope.maps_directory is not None:
        words.append("--maps DIR")
    if scope.conventions != PAPER_TEXT:
        words.append(f"--conventions {scope.conventions}")
    if scope.planners:
        words.append(f'--planners "{",".join(_planner_argument(planner) for planner in scope.planners)}"')
    return " ".join(words)


def _planner_argument(planner: NamedPlanner) -> str:
    options = ",".join(f"{name}={value}" for name, value in planner.options.items())
    return f"{planner.name}:{options}" if options else planner.name


def _provenance(experiment: Experiment, runs: int, store: ResultStore, scope: Scope) -> str:
    """Return a sentence with the command, the version, and the time that the runs took."""
    origin = f"Made by `{_command_line(experiment, scope)}` with replan {code_version()}"
    sessions = store.sessions(code_version())
    if not runs:
        return f"{origin}."
    seconds = sum(session.seconds for session in sessions)
    workers = " and ".join(f"{n}" for n in sorted({session.workers for session in sessions}))
    pauses = f" in {len(sessions)} sessions" if len(sessions) > 1 else ""
    noun = "worker" if workers == "1" else "workers"
    duration = f" It took {_duration(seconds)}{pauses} with {workers} {noun}." if sessions else ""
    return f"{origin}: {runs:,} runs on {store.machine}.{duration}"


def _duration(seconds: float) -> str:
    """Return a duration in words.

    >>> [_duration(s) for s in (3, 90, 7500)]
    ['3 seconds', '2 minutes', '2 hours 5 minutes']
    """
    minutes = round(seconds / 60)
    if seconds < 90:
        return f"{seconds:.0f} seconds"
    return f"{minutes} minutes" if minutes < 120 else f"{minutes // 60} hours {minutes % 60} minutes"


def write_report(experiment: Experiment, runs: Sequence[Run], store: ResultStore, scope: Scope, out: Path) -> Report:
    """Write the report of the results so far, and return it."""
    report = Report(experiment.title)
    results = results_frame(runs, store)
    if not results.is_empty() or not runs:
        experiment.report(results, scope, report)
    if len(results) < len(runs):
        report.lines[:0] = [f"**Not finished**: {len(results):,} of {len(runs):,} runs are done.", ""]
    report.heading("How it was made")
    report.text(_provenance(experiment, len(results), store, scope))
    report.write(out)
    if not results.is_empty():
        rows = results.with_columns(version=pl.lit(code_version()), machine=pl.lit(store.machine))
        write_bytes(out / RUNS_FILE, rows.write_csv().encode())
    return report
