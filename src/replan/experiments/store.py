"""Storage of results: one SQLite file, written by the coordinator alone, in one transaction for each batch.

Counts are exact and do not depend on the machine. Times do, so they have a table of their own. The third table (named
`sittings` in the file) has the duration of each work session.
"""

from __future__ import annotations

import json
import os
import platform
import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast

from replan.errors import InputError
from replan.experiments.runs import Counts, Measurement, RunKey, Times

APPLICATION = 0x52504C4E  # "RPLN" in the header of the file
VERSION = 2
KEY_COLUMNS = ("planner", "options", "setup", "map", "start", "goal", "seed", "code")
MAX_FIELD_BYTES = 1 << 20
OTHER_DIRECTORY_HINT = "take another directory with --out, or move the file away"
NEW_RESULTS_HINT = "`replan reproduce` makes a new one in another directory"

SCHEMA = f"""
CREATE TABLE runs (
    id INTEGER PRIMARY KEY, planner TEXT NOT NULL, options TEXT NOT NULL, setup TEXT NOT NULL, map TEXT NOT NULL,
    start TEXT NOT NULL, goal TEXT NOT NULL, seed INTEGER NOT NULL, code TEXT NOT NULL, counts TEXT NOT NULL,
    UNIQUE ({", ".join(KEY_COLUMNS)})
);
CREATE TABLE times (run INTEGER PRIMARY KEY REFERENCES runs (id), machine TEXT NOT NULL, times TEXT NOT NULL);
CREATE TABLE sittings (
    id INTEGER PRIMARY KEY, code TEXT NOT NULL, workers INTEGER NOT NULL, seconds REAL NOT NULL, runs INTEGER NOT NULL
);
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {VERSION};
"""


@dataclass(frozen=True)
class WorkSession:
    """One execution of `replan reproduce`: its number of workers, its duration in seconds, and its number of runs."""

    workers: int
    seconds: float
    runs: int


class ResultStore:
    """The results in a file. Raises InputError if the file is damaged or has no results.

    Parameters
    ----------
    path
        The file.
    create
        True: make the file if there is none. False: raise InputError.
    """

    def __init__(self, path: Path, create: bool = True) -> None:
        self._path, self._remedy = path, OTHER_DIRECTORY_HINT if create else NEW_RESULTS_HINT
        is_new = not path.exists() or (path.is_file() and path.stat().st_size == 0)
        if not create and (is_new or not path.is_file()):
            raise InputError("there are no results here", path)
        with self._translate_errors():
            self._connection = sqlite3.connect(path, isolation_level=None)
            try:
                self._connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_FIELD_BYTES)
                if is_new:
                    self._connection.executescript(f"BEGIN IMMEDIATE;{SCHEMA}COMMIT;")
                self._check()
            except BaseException:
                self._connection.close()
                raise
        self._session_id: int | None = None
        self._session_start = time.monotonic()
        self.machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"

    def _input_error(self, reason: str) -> InputError:
        return InputError(f"{reason}; {self._remedy}", self._path)

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            raise self._input_error(f"the results cannot be read or written: {_short(error)}") from None
        except (sqlite3.Error, UnicodeDecodeError) as error:  # SQLite quotes damaged text
            raise self._input_error(f"the file is damaged or no results file ({_short(error)})") from None

    def _check(self) -> None:
        (application,) = self._connection.execute("PRAGMA application_id").fetchone()
        (version,) = self._connection.execute("PRAGMA user_version").fetchone()
        if application != APPLICATION:
            raise self._input_error("the file is a database of something else, not results of replan")
        if version != VERSION:
            raise self._input_error(f"the results are of version {version}, this replan reads {VERSION}")
        if _schema(self._connection) != _our_schema():
            raise self._input_error("the file is damaged: its tables are not those of results")
        (problem,) = self._connection.execute("PRAGMA quick_check(1)").fetchone()
        if problem != "ok":
            raise self._input_error(f"the file is damaged ({_short(problem)})")

    def close(self) -> None:
        self._connection.close()

    def __len__(self) -> int:
        return int(self._connection.execute("SELECT count(*) FROM runs").fetchone()[0])

    def begin_session(self, code: str, workers: int) -> None:
        """Begin a session of the version `code`. Its duration ends with the last batch that is added."""
        with self._translate_errors():
            statement = "INSERT INTO sittings (code, workers, seconds, runs) VALUES (?, ?, 0, 0)"
            self._session_id = self._connection.execute(statement, (code, workers)).lastrowid
            self._session_start = time.monotonic()

    def sessions(self, code: str) -> list[WorkSession]:
        """Return the sessions of a version of the code in which runs were executed."""
        query = "SELECT workers, seconds, runs FROM sittings WHERE code = ? AND runs > 0 ORDER BY id"
        with self._translate_errors():
            rows = self._connection.execute(query, (code,)).fetchall()
        if not all(type(n) is int and type(s) is float and type(r) is int for n, s, r in rows):
            raise self._input_error("the file is damaged: the duration of a session is no number")
        return [WorkSession(*row) for row in rows]

    def add(self, results: Iterable[tuple[RunKey, Measurement]]) -> None:
        """Store the results of a batch in one transaction: all of them, or none."""
        count = 0
        with self._translate_errors():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                for key, (counts, times) in results:
                    self._insert(key, json.dumps(counts), json.dumps(times))
                    count += 1
                statement = "UPDATE sittings SET seconds = ?, runs = runs + ? WHERE id = ?"
                self._connection.execute(statement, (time.monotonic() - self._session_start, count, self._session_id))
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:  # False after a full disk
                    self._connection.execute("ROLLBACK")
                raise

    def _insert(self, key: RunKey, counts: str, times: str) -> None:
        marks = ",".join("?" * (len(KEY_COLUMNS) + 1))
        statement = f"INSERT OR IGNORE INTO runs ({', '.join(KEY_COLUMNS)}, counts) VALUES ({marks})"
        cursor = self._connection.execute(statement, (*key, counts))
        if cursor.rowcount == 1:  # 0: the store had the result already
            self._connection.execute("INSERT INTO times VALUES (?, ?, ?)", (cursor.lastrowid, self.machine, times))

    def measurements(self) -> dict[RunKey, Measurement]:
        """Return all results by their keys."""
        return {key: (counts, times) for key, counts, _, times in self._rows()}

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield a flat record for each run, with times named `..._ns`."""
        for key, counts, machine, times in self._rows():
            yield dict(zip(KEY_COLUMNS, key, strict=True)) | counts | {"machine": machine} | times

    def _rows(self) -> Iterator[tuple[RunKey, Counts, str, Times]]:
        """Yield key, counts, machine and times of each run. All are checked: the file may hold anything."""
        columns = ", ".join(("id", *KEY_COLUMNS, "machine", "counts", "times"))
        query = f"SELECT {columns} FROM runs LEFT JOIN times ON run = id ORDER BY id"
        with self._translate_errors():
            for number, *words, seed, code, machine, counts, times in self._connection.execute(query):
                if type(seed) is not int or not all(isinstance(word, str) for word in (*words, code, machine)):
                    raise self._input_error(f"the file is damaged: run {number} is not described by text and a seed")
                key = cast(RunKey, (*words, seed, code))
                yield key, self._parse_numbers(number, counts), machine, self._parse_numbers(number, times)

    def _parse_numbers(self, number: int, text: Any) -> dict[str, Any]:
        """Return numbers by name, from JSON."""
        try:
            numbers = json.loads(text) if isinstance(text, str) else None
        except (ValueError, RecursionError):
            numbers = None
        if not isinstance(numbers, dict) or not all(_is_name(k) and _is_number(v) for k, v in numbers.items()):
            raise self._input_error(f"the file is damaged: run {number} has no numbers, but {str(text)[:40]!r}")
        return numbers


def _is_name(name: str) -> bool:
    """True if a measurement may have this name."""
    return name.isprintable() and name not in ("", "machine", *KEY_COLUMNS)


def _is_number(value: Any) -> bool:
    """True for None, floats, and integers of 64 bits."""
    return value is None or isinstance(value, float) or (isinstance(value, int) and abs(value) < 2**63)


def _short(error: object) -> str:
    """Return a message of SQLite in at most 80 characters."""
    text = str(error.object) if isinstance(error, UnicodeDecodeError) else str(error)
    text = " ".join(text.removeprefix("*** in database main ***").split())
    return text if len(text) <= 80 else f"{text[:80]}..."


def _schema(file: sqlite3.Connection) -> list[tuple[Any, ...]]:
    return file.execute("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name").fetchall()


@cache
def _our_schema() -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(":memory:")) as file:
        file.executescript(SCHEMA)
        return _schema(file)
