"""Writing files: beside their place, then renamed. A reader finds the old file or the new one, never half of one."""

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
    """Put a whole file in place at once.

    Raises InputError if the folder or the disk does not take it; what was there before is then untouched. A link is
    followed. What is no file (`/dev/stdout`, a pipe) is written straight into.
    """

    def write(file: BinaryIO) -> None:
        file.write(content)

    write_stream(path, write)


def write_stream(path: str | Path, write: Callable[[BinaryIO], None]) -> None:
    """The same for what is too long to be held in memory: `write` gets the open file."""
    try:
        place = Path(path)
        if place.exists() and not _is_replaceable(place):
            with place.open("wb") as file:
                write(file)
        else:
            _write_and_rename(Path(os.path.realpath(place)), write)
    except (OSError, ValueError) as error:  # ValueError: a NUL character in the name
        if isinstance(error, InputError):
            raise
        raise InputError(f"cannot be written: {system_reason(error)}", path) from None


def write_text(path: str | Path, text: str) -> None:
    """The same for text, in UTF-8, with the line ends that it has."""
    write_bytes(path, text.encode(errors="surrogateescape"))


def write_csv(path: str | Path, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """A table as comma-separated values; None is an empty field."""
    into = io.StringIO(newline="")
    writer = csv.writer(into, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    write_text(path, into.getvalue())


def _is_replaceable(place: Path) -> bool:
    mode = place.stat().st_mode
    return stat.S_ISREG(mode) or stat.S_ISDIR(mode)  # renaming onto a directory fails with the right words


def _write_and_rename(place: Path, write: Callable[[BinaryIO], None]) -> None:
    # Not tempfile: it makes files that only their owner can read, and the user's umask should decide.
    draft = place.with_name(f".{place.name[:40]}.{secrets.token_hex(4)}.tmp")
    try:
        with draft.open("xb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())  # a disk may be found full only here
        if place.is_file():
            shutil.copymode(place, draft)
        os.replace(draft, place)
    finally:
        draft.unlink(missing_ok=True)
