"""The errors that bad input raises: one line that says where, what, and the way out."""

from __future__ import annotations

from pathlib import Path

MAX_MESSAGE_LENGTH = 800  # characters of a message


class InputError(ValueError):
    """Something handed in from outside is wrong: a file, a cell, an option.

    The message is one line for a person: the file, the line and the reason, as far as they are
    known. The command line prints it without a traceback and ends with exit code 2.

    >>> raise InputError("row has 3 characters, expected 5", path="cave.map", line=9)
    Traceback (most recent call last):
    ...
    replan.errors.InputError: cave.map, line 9: row has 3 characters, expected 5
    """

    def __init__(self, reason: str, path: str | Path | None = None, line: int | None = None) -> None:
        reason = one_line(reason)
        where = "" if path is None else str(path)
        if line is not None:
            where += f", line {line}" if where else f"line {line}"
        super().__init__(f"{where}: {reason}" if where else reason)
        self.reason = reason
        self.path = path
        self.line = line


class MissingExtra(ImportError):
    """A command needs a library that the usual installation leaves out. The message says how to install it.

    >>> import replan
    >>> print(replan.MissingExtra("GIFs", "images"))
    GIFs needs an extra: pip install 'replan[images]'
    """

    def __init__(self, purpose: str, extra: str) -> None:
        super().__init__(f"{purpose} needs an extra: pip install 'replan[{extra}]'")
        self.extra = extra


def one_line(message: str) -> str:
    """A message that names a value, also where that is a whole array: its lines as one, without the middle of it.

    >>> one_line("a radius needs a grid, not array([[0, 1],\\n       [1, 0]])")
    'a radius needs a grid, not array([[0, 1], [1, 0]])'
    """
    if "\n" in message:
        message = " ".join(message.split())
    return message if len(message) <= MAX_MESSAGE_LENGTH else f"{message[: MAX_MESSAGE_LENGTH // 2]} ... {message[-MAX_MESSAGE_LENGTH // 4 :]}"


def short_repr(value: object) -> str:
    """What somebody has handed in, for a message of one line."""
    text = " ".join(repr(value).split())
    return text if len(text) <= 40 else text[:40] + "..."


def system_reason(error: Exception) -> str:
    """The system's words for an error, without the path that the message names anyway."""
    words = error.strerror if isinstance(error, OSError) else None
    return words or str(error) or type(error).__name__
