"""Atomic writing of files: a draft beside the file is renamed. A reader finds the old file or the new file."""

from __future__ import annotations

import csv
import io
import os
import secrets
import shutil
import stat
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from replan.errors import InputError, system_reason


def write_bytes(path: str | Path, content: bytes) -> None:
    """Write a file atomically; raise InputError if that fails, with the old file unchanged.

    A link is followed. A path that is no file (`/dev/stdout`, a pipe) is written directly.
    """

    def write(file: BinaryIO) -> None:
        file.write(content)

    write_stream(path, write)


def write_stream(path: str | Path, write: Callable[[BinaryIO], None]) -> None:
    """Like `write_bytes`, for content too large for memory: `write(file)` writes into the open file."""
    try:
        target = Path(path)
        if target.exists() and not _is_replaceable(target):
            with target.open("wb") as file:
                write(file)
        else:
            _write_and_rename(Path(os.path.realpath(target)), write)
    except (OSError, ValueError) as error:  # ValueError: a NUL character in the name
        if isinstance(error, InputError):
            raise
        raise InputError(f"cannot be written: {system_reason(error)}", path) from None


def write_text(path: str | Path, text: str) -> None:
    """Like `write_bytes`, for text in UTF-8, with its line ends unchanged."""
    write_bytes(path, text.encode(errors="surrogateescape"))


def write_csv(path: str | Path, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Write a table as comma-separated values atomically; None is an empty field."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    write_text(path, text.getvalue())


def _is_replaceable(path: Path) -> bool:
    """True for a regular file, and for a directory: renaming onto it raises the right error."""
    mode = path.stat().st_mode
    return stat.S_ISREG(mode) or stat.S_ISDIR(mode)


def _write_and_rename(path: Path, write: Callable[[BinaryIO], None]) -> None:
    """Write a draft beside the file, then rename it."""
    # Not tempfile: it makes files that only their owner can read, and the user's umask should decide.
    draft = path.with_name(f".{path.name[:40]}.{secrets.token_hex(4)}.tmp")
    try:
        with draft.open("xb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())  # a full disk may be detected only here
        if path.is_file():
            shutil.copymode(path, draft)
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)
