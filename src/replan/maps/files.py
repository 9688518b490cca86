"""Reading files. Every failure is an InputError."""

from __future__ import annotations

import json
import os
import stat
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

from replan.errors import InputError, system_reason
from replan.maps.limits import MAX_FILE_BYTES, MAX_SUGGESTION_NAMES
from replan.suggest import did_you_mean

PathLike: TypeAlias = str | os.PathLike[str]

UTF8_BOM = b"\xef\xbb\xbf"


def check_file(path: Path, limit: int | None = MAX_FILE_BYTES) -> int:
    """The size of a file in bytes. Raises InputError unless it is a regular file, not empty, and within the limit."""
    try:
        found = path.stat()
    except FileNotFoundError:
        raise InputError(f"no such file{did_you_mean(path.name, sibling_names(path))}", path) from None
    except (OSError, ValueError) as error:  # ValueError: a NUL character in the name
        raise InputError(f"cannot be read: {system_reason(error)}", path) from None
    if stat.S_ISDIR(found.st_mode):
        raise InputError("is a directory, expected a file", path)
    if not stat.S_ISREG(found.st_mode):
        raise InputError("is not a regular file", path)
    if found.st_size == 0:
        raise InputError("the file is empty", path)
    if limit is not None and found.st_size > limit:
        raise InputError(f"the file has {found.st_size} bytes, more than the limit of {limit}", path)
    return found.st_size


def sibling_names(path: Path) -> list[str]:
    """The names of files in the folder of `path`, for suggestions; none if the folder cannot be read."""
    try:
        with os.scandir(path.parent) as entries:
            return sorted(entry.name for entry in islice(entries, MAX_SUGGESTION_NAMES) if entry.is_file())
    except (OSError, ValueError):
        return []


def read_bytes(path: Path, max_bytes: int = MAX_FILE_BYTES) -> bytes:
    """Read a whole file. Its size is checked first, so a huge file uses no memory.

    Parameters
    ----------
    path
        The file.
    max_bytes
        Size limit in bytes.

    Returns
    -------
    bytes
        Content of the file.

    Raises
    ------
    InputError
        If the file cannot be read, or is larger than the limit.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "notes.txt")
    ...     _ = file.write_text("..#")
    ...     print(read_bytes(file))
    b'..#'
    """
    check_file(path, max_bytes)
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot be read: {system_reason(error)}", path) from None


def read_text_bytes(path: Path, limit: int = MAX_FILE_BYTES) -> bytes:
    """The whole file without the UTF-8 mark that Windows editors put before the first line."""
    return read_bytes(path, limit).removeprefix(UTF8_BOM)


def read_json(path: Path, limit: int) -> Any:
    """What a JSON file holds. Raises InputError, with the line for a slip in the JSON."""
    read = read_text_bytes(path, limit)
    try:
        return json.loads(read)
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", None)
        raise InputError(f"is no JSON: {getattr(error, 'msg', None) or 'it cannot be read'}", path, line) from None
