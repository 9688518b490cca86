"""`replan reproduce`: repeat the experiments of the papers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from replan.cli.console import note_if_interpreted, print_note, stdout_console
from replan.cli.group import EXIT_INTERRUPTED
from replan.cli.suggesting_choice import SuggestingChoice
from replan.errors import InputError
from replan.extras import import_extra
from replan.papers.registry import EXPERIMENTS, find_experiment

MAX_PROBLEMS = 1_000_000
LIBRARIES = ("scipy", "polars", "matplotlib")


@contextmanager
def run_progress(total: int) -> Iterator[Callable[[int], None]]:
    """Show a bar with the remaining time. Yields a function: call it with the number of finished runs."""
    console = Console(stderr=True, markup=False)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("runs", total=total)
        yield lambda done: bar.advance(task, done)


def execution_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for the output directory, the workers, and resuming."""
    options = (
        click.option("--out", type=click.Path(path_type=Path), metavar="DIR", help="[default: reproduce-NAME]"),
        click.option("--workers", type=click.IntRange(1, 1024), metavar="N", help="[default: one for each core]"),
        click.option("--engine", default="processes", metavar="ENGINE", help="processes, threads, or dask:ADDRESS"),
        click.option(
            "--timed-problems",
            type=click.IntRange(0, MAX_PROBLEMS),
            metavar="N",
            help="Measure times on the first N problems, three times each.  [default: depends on the experiment]",
        ),
        click.option("--resume", is_flag=True, help="Continue with the results in DIR: run only the missing ones."),
    )
    for option in reversed(options):
        function = option(function)
    return function


@click.command("reproduce")
@click.argument("name", metavar="[NAME | FILE.py:NAME]", required=False)
@click.option(
    "--sample",
    type=click.IntRange(1, MAX_PROBLEMS),
    metavar="N",
    help="Number of problems (mazes, cases per map ...).  [default: enough for some minutes]",
)
@click.option("--full", is_flag=True, help="Run as many problems as the paper.")
@execution_options
@click.option(
    "--planners", "planner_text", metavar="LIST", help='Planners instead of those in the paper: "RTAA*,mine:MyPlanner".'
)
@click.option("--maps", type=click.Path(path_type=Path), metavar="DIR", help="Directory of the Moving AI maps.")
@click.option(
    "--conventions",
    type=SuggestingChoice(["text", "authors"]),
    default="text",
    show_default=True,
    help="authors: also with the conventions of the authors' program, if they are known to differ from the paper.",
)
@click.pass_context
def command(
    context: click.Context,
    /,
    name: str | None,
    sample: int | None,
    full: bool,
    planner_text: str | None,
    **options: Any,
) -> None:
    """Repeat the experiment NAME of a paper and write a report with the figures of the paper and ours.

    Without NAME, list the experiments. FILE.py:NAME is an experiment of your own (examples/own_experiment.py). The
    report (report.md, report.html), its plots and the results go to DIR. Ctrl-C keeps finished runs; --resume
    continues.
    """
    if name is None:
        shown = click.HelpFormatter()
        shown.write_dl([(known, about) for known, (about, _) in EXPERIMENTS.items()])
        click.echo(shown.getvalue(), nl=False)
        return
    need_libraries()
    from replan.experiments.planner_names import parse_planners

    planners = tuple(parse_planners(planner_text)) if planner_text is not None else ()
    run_experiment(context, name, sample, full, planners=planners, **options)


def need_libraries() -> None:
    """Raise MissingExtra if a library is not installed."""
    for library in LIBRARIES:
        import_extra(library, extra="experiments", purpose="an experiment")


def run_experiment(context: click.Context, name: str, sample: int | None, full: bool, **options: Any) -> None:
    """Run an experiment by its name. Exits with EXIT_INTERRUPTED after Ctrl-C."""
    need_libraries()
    if sample is not None and full:
        raise InputError("--sample and --full exclude each other")
    if options["workers"] is not None and options["engine"].startswith("dask"):
        raise InputError("--workers is for this machine: leave it out with a Dask cluster")
    note_if_interpreted()
    from replan.experiments.code_version import code_version

    code_version()  # raises for outdated extensions now, before the problems are drawn
    experiment = find_experiment(name)
    count = sample if sample is not None else experiment.full_sample if full else experiment.default_sample
    if not _reproduce(experiment, count, **options):
        context.exit(EXIT_INTERRUPTED)


def _reproduce(
    experiment: Any,
    count: int,
    out: Path | None,
    workers: int | None,
    engine: str,
    resume: bool,
    planners: tuple[Any, ...],
    maps: Path | None,
    timed_problems: int | None,
    conventions: str = "text",
) -> bool:
    """Run an experiment and write its report. Returns False if interrupted."""
    from replan.experiments.engines import parse_engine
    from replan.experiments.experiment import AUTHORS_PROGRAM, Scope
    from replan.experiments.pipeline import RESULTS_FILE, open_store, unresolved_imports, write_report
    from replan.experiments.planner_names import user_planner_files

    scope = Scope(count, maps, planners, timed_problems, conventions)
    if conventions == AUTHORS_PROGRAM and not experiment.has_authors_conventions:
        raise InputError(f"{experiment.name} has no conventions other than those of the text: leave --conventions out")
    out = out or Path(f"reproduce-{experiment.name}")
    if (out / RESULTS_FILE).exists():
        open_store(out, resume).close()  # raises now, before the problems are drawn
    with Console(stderr=True).status("drawing the problems"):
        runs = experiment.planned_runs(scope)
    files = [*experiment.worker_files, *user_planner_files([planner.name for planner in planners])]
    running_engine = parse_engine(engine, workers, files)
    store = open_store(out, resume, unresolved_imports(runs))
    if runs:
        full = (
            "all of them"
            if experiment.full_sample >= MAX_PROBLEMS
            else f"{experiment.full_sample:,} {experiment.problem_noun}"
        )
        print_note(f"{count:,} {experiment.problem_noun}, {len(runs):,} runs; --full is {full}")
    try:
        finished = _execute_with_progress(runs, store, running_engine)
        report = write_report(experiment, runs, store, scope, out)
    finally:
        store.close()
        running_engine.close()
    stdout_console().print(report.verdict_summary() or report.title)
    stdout_console().print(f"The report is {out / 'report.html'} (and report.md).")
    return finished


def _execute_with_progress(runs: list[Any], store: Any, engine: Any) -> bool:
    """Execute the missing runs. Returns False if interrupted."""
    from replan.experiments.pipeline import execute_missing_runs

    try:
        with run_progress(len(runs)) as step:
            execute_missing_runs(runs, store, engine, step)
    except KeyboardInterrupt:
        print_note("interrupted; the report has the finished runs, and --resume continues")
        return False
    return True
