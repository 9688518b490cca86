"""The errors for invalid input. The message is one line: the file and line, what is wrong, and the remedy."""

from __future__ import annotations

from pathlib import Path

MAX_MESSAGE_LENGTH = 800  # characters of a message


class InputError(ValueError):
    """Error for invalid input: a file, a cell, an option.

    The message is one line. The command line prints it without a traceback and exits with code 2.

    Parameters
    ----------
    reason
        What is wrong, the value, and the remedy.
    path
        File in which the error is; None: no file.
    line
        Line of the file, from 1; None: unknown.

    Examples
    --------
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
    """Error for an optional library that is not installed. The message says how to install it.

    Parameters
    ----------
    purpose
        What needs the library: the beginning of the message.
    extra
        Name of the extra of this package that installs the library.

    Examples
    --------
    >>> import replan
    >>> print(replan.MissingExtra("GIFs", "images"))
    GIFs needs an extra: pip install 'replan[images]'
    """

    def __init__(self, purpose: str, extra: str) -> None:
        super().__init__(f"{purpose} needs an extra: pip install 'replan[{extra}]'")
        self.extra = extra


def one_line(message: str) -> str:
    """Return a message as one line of limited length, without the middle part of a long message.

    >>> one_line("a radius needs a grid, not array([[0, 1],\\n       [1, 0]])")
    'a radius needs a grid, not array([[0, 1], [1, 0]])'
    """
    if "\n" in message:
        message = " ".join(message.split())
    return (
        message
        if len(message) <= MAX_MESSAGE_LENGTH
        else f"{message[: MAX_MESSAGE_LENGTH // 2]} ... {message[-MAX_MESSAGE_LENGTH // 4 :]}"
    )


def short_repr(value: object) -> str:
    """Return the beginning of the repr of a value, for a message."""
    text = " ".join(repr(value).split())
    return text if len(text) <= 40 else text[:40] + "..."


def system_reason(error: Exception) -> str:
    """Return the operating system's text for an error, without the path, which the message names anyway."""
    text = error.strerror if isinstance(error, OSError) else None
    return text or str(error) or type(error).__name__
