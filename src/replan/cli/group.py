"""Groups of commands: they import a command when it is called, and print errors in one line with an exit code."""

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

EXIT_INTERRUPTED = 130  # exit code of a program that Ctrl-C has ended, as in a shell


class CommandError(click.ClickException):
    """Error that prints `Error: ...` and ends the command with exit code 2."""

    exit_code = 2

    def __init__(self, message: object) -> None:
        super().__init__(escape_unprintable(str(message)))


class SuggestingGroup(click.Group):
    """Group that suggests a command for an unknown name.

    synonyms: other names, each with the command that is meant.
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
    """Group that imports a command only when it is called, so that --help is fast.

    lazy_commands: the line of help of each command. The module `package.name` defines the command as `command`.
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
        with _one_line_errors():  # --version prints here
            return super().make_context(*args, **settings)

    def invoke(self, ctx: click.Context) -> Any:
        _replace_unencodable()
        with _one_line_errors():
            return super().invoke(ctx)


@contextmanager
def _one_line_errors() -> Iterator[None]:
    """End the command with a message and an exit code for errors that are not bugs."""
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
            raise  # the reader has closed the pipe; click ends without a message
        where = f"{error.filename}: " if error.filename else ""
        raise CommandError(where + system_reason(error)) from None


def _replace_unencodable() -> None:
    """Print a question mark for characters that the terminal cannot show."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
