"""The group of all commands: finds a command when it is called, and turns errors into one line and an exit code."""

from __future__ import annotations

import errno
import importlib
import io
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import click

from replan.errors import InputError, MissingExtra, system_reason
from replan.formatting import escape_unprintable
from replan.suggest import did_you_mean

EXIT_INTERRUPTED = 130  # what a shell reports for a program that Ctrl-C ended


class CommandError(click.ClickException):
    """Prints `Error: ...` and ends with exit code 2."""

    exit_code = 2

    def __init__(self, message: object) -> None:
        super().__init__(escape_unprintable(str(message)))


class SuggestingGroup(click.Group):
    """Says which command may have been meant by a name that there is not.

    synonyms: what people may call a command.
    """

    def __init__(self, *args: Any, synonyms: Mapping[str, str] | None = None, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.synonyms = synonyms or {}

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-"):
            commands = self.list_commands(ctx)
            hint = did_you_mean(name, {**self.synonyms, **dict(zip(commands, commands, strict=True))})
            ctx.fail(escape_unprintable(f"No such command {name!r}{hint}; the commands are {', '.join(commands)}."))
        return super().resolve_command(ctx, args)


class LazyGroup(SuggestingGroup):
    """Imports a command, `package.name`, only when it is called, so that --help is quick.

    lazy_commands: each command with its line of help. The module `package.name` defines it as `command`.
    """

    def __init__(self, *args: Any, package: str, lazy_commands: Mapping[str, str], **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.package, self.lazy_commands = package, lazy_commands

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.lazy_commands)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.lazy_commands:
            return None
        command = importlib.import_module(f"{self.package}.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(self.lazy_commands.items()))

    def make_context(self, *args: Any, **settings: Any) -> click.Context:
        with _one_line_errors():  # --version prints already here
            return super().make_context(*args, **settings)

    def invoke(self, ctx: click.Context) -> Any:
        _replace_unencodable()
        with _one_line_errors():
            return super().invoke(ctx)


@contextmanager
def _one_line_errors() -> Iterator[None]:
    """What can go wrong without being a bug ends the command with a message and an exit code."""
    try:
        yield
    except (InputError, MissingExtra) as error:
        raise CommandError(error) from None
    except MemoryError:
        raise CommandError("there is not enough memory for this; take a smaller map") from None
    except KeyboardInterrupt:
        click.echo("Interrupted.", err=True)
        raise click.exceptions.Exit(EXIT_INTERRUPTED) from None
    except OSError as error:
        if error.errno == errno.EPIPE:
            raise  # the reader has gone; click ends quietly
        where = f"{error.filename}: " if error.filename else ""
        raise CommandError(where + system_reason(error)) from None


def _replace_unencodable() -> None:
    """A terminal that lacks a character shows a question mark instead."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
