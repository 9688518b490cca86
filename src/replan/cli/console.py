"""Output of commands: results go to standard output, progress and notes to standard error."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from replan import _core
from replan.formatting import escape_unprintable


def stdout_console() -> Console:
    """Return a console for standard output, without markup, at most 100 columns wide."""
    console = Console(markup=False, highlight=False, emoji=False)
    console.width = min(console.width, 100)
    return console


def print_note(text: str) -> None:
    """Print a note to standard error."""
    click.echo(f"Note: {escape_unprintable(text)}", err=True)


def note_if_interpreted() -> None:
    """Print a note, once, if the core is not compiled, unless the user has chosen that."""
    if text := _core.uncompiled_warning_once():
        print_note(text)


def print_json(result: Any) -> None:
    """Print a result as one JSON object on one line."""
    click.echo(json.dumps(result, allow_nan=False, default=str))


@contextmanager
def progress_bar(total: int | None) -> Iterator[Callable[[str], None]]:
    """Show a progress bar until the block ends.

    Yields a function: call it with a label before each of the `total` steps. None: the number of steps is unknown.
    Nothing is shown if standard error is not a terminal.
    """
    console = Console(stderr=True, markup=False)
    if not console.is_terminal:
        yield lambda label: None
        return
    count_column = (MofNCompleteColumn(),) if total is not None else ()
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), *count_column)
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=total)
        started = 0

        def step(label: str) -> None:
            nonlocal started
            bar.update(task, completed=started, description=escape_unprintable(label))
            started += 1

        yield step
