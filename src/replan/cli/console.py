"""Where text goes: results to standard output, progress and notes to standard error."""

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
    """Standard output; text is shown as it is, without markup, at most 100 columns wide."""
    console = Console(markup=False, highlight=False, emoji=False)
    console.width = min(console.width, 100)
    return console


def print_note(text: str) -> None:
    """Tell something that is no result, on standard error."""
    click.echo(f"Note: {escape_unprintable(text)}", err=True)


def note_if_interpreted() -> None:
    """What every command that plans says first when the core is not compiled and nobody asked for that."""
    if text := _core.uncompiled_warning_once():
        print_note(text)


def print_json(result: Any) -> None:
    """Exactly one JSON object, on one line."""
    click.echo(json.dumps(result, allow_nan=False, default=str))


@contextmanager
def progress_bar(total: int | None) -> Iterator[Callable[[str], None]]:
    """A bar that goes away when done; call the function that this gives before each of the `total` steps (None: many).

    Nothing is shown when standard error is no terminal.
    """
    console = Console(stderr=True, markup=False)
    if not console.is_terminal:
        yield lambda label: None
        return
    counted = (MofNCompleteColumn(),) if total is not None else ()
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), *counted)
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=total)
        begun = 0

        def step(label: str) -> None:
            nonlocal begun
            bar.update(task, completed=begun, description=escape_unprintable(label))
            begun += 1

        yield step
