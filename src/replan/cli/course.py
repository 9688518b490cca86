"""`replan course`: check the program of one student, or all programs in a folder."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import click
from rich.table import Table

from replan.atomic_write import write_text
from replan.cli.console import progress_bar, stdout_console
from replan.cli.options import refuse_unwritable
from replan.course.assignment import DEFAULT_WORLD_COUNT, TASKS
from replan.course.checker import Verdict, check_program
from replan.course.report import describe_verdict
from replan.course.rules import Mistake
from replan.course.student_process import ANSWER_TIMEOUT
from replan.errors import InputError
from replan.formatting import escape_unprintable

EXIT_WRONG = 1  # exit code
NOT_FOUND = "there is no such file or folder"
time_limit_option = click.option(
    "--time-limit",
    type=click.FloatRange(0.1, 600),
    default=ANSWER_TIMEOUT,
    show_default=True,
    metavar="S",
    help="Time limit of one search, in seconds.",
)
worlds_option = click.option(
    "--worlds",
    type=click.IntRange(0, 100_000),
    default=DEFAULT_WORLD_COUNT,
    show_default=True,
    help="Number of worlds.",
)


@click.group("course")
def command() -> None:
    """Check student programs for the fast-replanning project. The assignment is in docs/course.

    Each program runs in a separate process, with limits on time, memory and printing. It has your permissions: it can
    read, change and delete your files. Check programs that you do not trust on a machine where that does not matter.
    """


@command.command("check")
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE.py")
@worlds_option
@time_limit_option
@click.pass_context
def check_one(context: click.Context, file: Path, worlds: int, time_limit: float) -> None:
    """Run the searches of FILE.py on many worlds. Show the first mistake of each, with the smallest world that has it.

    The exit code is 0 if the program is correct, 1 if it is not, and 2 for an error.
    """
    _refuse_missing(file)
    try:
        with progress_bar(len(TASKS) * (worlds + 1)) as step:
            verdicts = check_program(file, worlds, time_limit, lambda: step("worlds"))
    except Mistake as mistake:
        click.echo(f"{escape_unprintable(file.name)}: {mistake.text}.")
        context.exit(EXIT_WRONG)
    click.echo("\n\n".join(describe_verdict(verdict) for verdict in verdicts))
    missing = [f"{TASKS[task]} ({task})" for task in TASKS if task not in [v.task for v in verdicts]]
    if missing:
        click.echo(f"\nNot in the file yet: {', '.join(missing)}.")
    if not all(verdict.is_correct for verdict in verdicts):
        context.exit(EXIT_WRONG)


@command.command("mark")
@click.argument("folder", type=click.Path(path_type=Path), metavar="FOLDER")
@worlds_option
@time_limit_option
@click.option("--csv", "csv_file", metavar="FILE", help="Also write the table as comma-separated values.")
def mark(folder: Path, worlds: int, time_limit: float, csv_file: str | None) -> None:
    """Check all .py files in FOLDER. Show a table of the solved tasks and the first mistake of each program."""
    if csv_file is not None:
        refuse_unwritable(csv_file)
    if not folder.is_dir():
        raise InputError("this is a file: use `replan course check`" if folder.exists() else NOT_FOUND, folder)
    files = sorted(folder.glob("*.py"))
    if not files:
        raise InputError("there is no .py file in this folder", folder)
    rows = []
    with progress_bar(len(files)) as step:
        for file in files:
            step(file.name)
            rows.append(_mark_row(file, worlds, time_limit))
    columns = ["program", *TASKS, "right", "first thing wrong"]
    table = Table(*columns)
    for row in rows:
        table.add_row(*map(str, row))
    stdout_console().print(table)
    if csv_file is not None:
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([columns, *rows])
        write_text(Path(csv_file), text.getvalue())


def _mark_row(file: Path, worlds: int, time_limit: float) -> list[object]:
    """Return the row of a program in the table."""
    try:
        verdicts = {verdict.task: verdict for verdict in check_program(file, worlds, time_limit)}
    except Mistake as mistake:
        return [escape_unprintable(file.name), *("" for _ in TASKS), 0, mistake.text]
    marks = ["" if task not in verdicts else "right" if verdicts[task].is_correct else "wrong" for task in TASKS]
    return [escape_unprintable(file.name), *marks, marks.count("right"), _first_mistake(list(verdicts.values()))]


def _first_mistake(verdicts: list[Verdict]) -> str:
    """Return the first mistake as text; empty if there is none."""
    wrong = [verdict for verdict in verdicts if verdict.failure is not None]
    return f"{wrong[0].task}: {wrong[0].failure.mistake.text}" if wrong and wrong[0].failure else ""


def _refuse_missing(file: Path) -> None:
    """Raise InputError if this is not a Python file."""
    if not file.exists():
        raise InputError(NOT_FOUND, file)
    if file.is_dir():
        raise InputError("this is a folder: use `replan course mark`", file)
    if file.suffix != ".py":
        raise InputError("this is no Python file: the name does not end in .py", file)
