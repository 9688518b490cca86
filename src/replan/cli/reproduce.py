"""`replan reproduce`: the tables and figures of the papers."""

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
    """A bar with the remaining time; call the function with the number of runs done."""
    console = Console(stderr=True, markup=False)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("runs", total=total)
        yield lambda done: bar.advance(task, done)


def execution_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Where results go, who does the work, and whether it goes on from earlier."""
    options = (
        click.option("--out", type=click.Path(path_type=Path), metavar="DIR", help="[default: reproduce-NAME]"),
        click.option("--workers", type=click.IntRange(1, 1024), metavar="N", help="[default: one for each core]"),
        click.option("--engine", default="processes", metavar="ENGINE", help="processes, threads, or dask:ADDRESS"),
        click.option(
            "--timed",
            type=click.IntRange(0, MAX_PROBLEMS),
            metavar="N",
            help="Take times on the first N problems, three times each.  [default: as many as is sensible]",
        ),
        click.option("--resume", is_flag=True, help="Go on with the results in DIR: run only what is missing."),
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
    help="How many problems: mazes, cases a map...  [default: some minutes' worth]",
)
@click.option("--full", is_flag=True, help="As many problems as the paper has.")
@execution_options
@click.option("--planners", "planner_text", metavar="LIST", help='Others than the paper\'s: "RTAA*,mine:MyPlanner".')
@click.option("--maps", type=click.Path(path_type=Path), metavar="DIR", help="Where the Moving AI maps are.")
@click.option(
    "--conventions",
    type=SuggestingChoice(["text", "authors"]),
    default="text",
    show_default=True,
    help="authors: also as the authors' own program has it, where that is known to differ from the paper's text.",
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
    """Run the experiment NAME of a paper again and write a report: the paper's figures beside ours.

    Without NAME, list the experiments. FILE.py:NAME is one of your own, from a file (examples/own_experiment.py). The
    report (report.md, report.html), its plots and the results go into DIR. Ctrl-C keeps what is done; --resume goes on.
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
    """Raises MissingExtra."""
    for library in LIBRARIES:
        import_extra(library, extra="experiments", purpose="an experiment")


def run_experiment(context: click.Context, name: str, sample: int | None, full: bool, **options: Any) -> None:
    """Run an experiment by its name as `options` say. Exits with INTERRUPTED after Ctrl-C."""
    need_libraries()
    if sample is not None and full:
        raise InputError("--sample and --full exclude each other")
    if options["workers"] is not None and options["engine"].startswith("dask"):
        raise InputError("--workers is for this machine: a Dask cluster has the workers that it has")
    note_if_interpreted()
    from replan.experiments.code_version import code_version

    code_version()  # refuses extensions of other sources now rather than when the problems are drawn
    found = find_experiment(name)
    count = sample if sample is not None else found.full_sample if full else found.default_sample
    if not _reproduce(found, count, **options):
        context.exit(EXIT_INTERRUPTED)


def _reproduce(
    found: Any,
    count: int,
    out: Path | None,
    workers: int | None,
    engine: str,
    resume: bool,
    planners: tuple[Any, ...],
    maps: Path | None,
    timed: int | None,
    conventions: str = "text",
) -> bool:
    """Run an experiment and write its report; False when interrupted."""
    from replan.experiments.engines import parse_engine
    from replan.experiments.experiment import AUTHORS_PROGRAM, Scope
    from replan.experiments.pipeline import RESULTS_FILE, open_store, unresolved_imports, write_report
    from replan.experiments.planner_names import user_planner_files

    scope = Scope(count, maps, planners, timed, conventions)
    if conventions == AUTHORS_PROGRAM and not found.has_authors_conventions:
        raise InputError(f"of {found.name} no other conventions are known than those of the text")
    out = out or Path(f"reproduce-{found.name}")
    if (out / RESULTS_FILE).exists():
        open_store(out, resume).close()  # refuses before the problems are drawn, which may take a while
    with Console(stderr=True).status("drawing the problems"):
        runs = found.planned_runs(scope)
    files = [*found.worker_files, *user_planner_files([planner.name for planner in planners])]
    worker = parse_engine(engine, workers, files)
    store = open_store(out, resume, unresolved_imports(runs))
    if runs:
        full = "all of them" if found.full_sample >= MAX_PROBLEMS else f"{found.full_sample:,} {found.problem_noun}"
        print_note(f"{count:,} {found.problem_noun}, {len(runs):,} runs; --full is {full}")
    try:
        finished = _execute_with_progress(runs, store, worker)
        report = write_report(found, runs, store, scope, out)
    finally:
        store.close()
        worker.close()
    stdout_console().print(report.verdict_summary() or report.title)
    stdout_console().print(f"The report is {out / 'report.html'} (and report.md).")
    return finished


def _execute_with_progress(runs: list[Any], store: Any, worker: Any) -> bool:
    """Do the runs that are missing; False when interrupted."""
    from replan.experiments.pipeline import execute_missing_runs

    try:
        with run_progress(len(runs)) as step:
            execute_missing_runs(runs, store, worker, step)
    except KeyboardInterrupt:
        print_note("interrupted; the report has what is done, and --resume goes on")
        return False
    return True
