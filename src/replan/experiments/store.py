"""Where results are kept: one SQLite file, written by the coordinator alone, in one transaction for each batch.

Counts are exact and do not depend on the machine; times do, so they have a table of their own. A third table says how
long the work took, sitting by sitting.
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

APPLICATION = 0x52504C4E  # "RPLN" in the file's head
VERSION = 2
KEY_COLUMNS = ("planner", "options", "setup", "map", "start", "goal", "seed", "code")
MAX_FIELD_BYTES = 1 << 20  # bytes in a field
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
    """Work without a break: how many workers, how many seconds, how many runs."""

    workers: int
    seconds: float
    runs: int


class ResultStore:
    """The results in a file. Raises InputError for a file that is damaged or no file of results."""

    def __init__(self, path: Path, create: bool = True) -> None:
        """create: make the file where there is none."""
        self._path, self._remedy = path, OTHER_DIRECTORY_HINT if create else NEW_RESULTS_HINT
        fresh = not path.exists() or (path.is_file() and path.stat().st_size == 0)
        if not create and (fresh or not path.is_file()):
            raise InputError("there are no results here", path)
        with self._translate_errors():
            self._connection = sqlite3.connect(path, isolation_level=None)
            try:
                self._connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_FIELD_BYTES)
                if fresh:
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
        except (sqlite3.Error, UnicodeDecodeError) as error:  # SQLite quotes what is damaged, and that may be no text
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
        (found,) = self._connection.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise self._input_error(f"the file is damaged ({_short(found)})")

    def close(self) -> None:
        self._connection.close()

    def __len__(self) -> int:
        return int(self._connection.execute("SELECT count(*) FROM runs").fetchone()[0])

    def begin_session(self, code: str, workers: int) -> None:
        """From now on the time is taken, until the last batch is added. code: the version that works."""
        with self._translate_errors():
            into = "INSERT INTO sittings (code, workers, seconds, runs) VALUES (?, ?, 0, 0)"
            self._session_id, self._session_start = (
                self._connection.execute(into, (code, workers)).lastrowid,
                time.monotonic(),
            )

    def sessions(self, code: str) -> list[WorkSession]:
        """Those of a version of the code in which something was done."""
        wanted = "SELECT workers, seconds, runs FROM sittings WHERE code = ? AND runs > 0 ORDER BY id"
        with self._translate_errors():
            found = self._connection.execute(wanted, (code,)).fetchall()
        if not all(type(n) is int and type(s) is float and type(r) is int for n, s, r in found):
            raise self._input_error("the file is damaged: how long the work took is no number")
        return [WorkSession(*one) for one in found]

    def add(self, results: Iterable[tuple[RunKey, Measurement]]) -> None:
        """Keep the results of a batch: all of them or, if the power fails, none."""
        count = 0
        with self._translate_errors():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                for key, (counts, times) in results:
                    self._insert(key, json.dumps(counts), json.dumps(times))
                    count += 1
                took = "UPDATE sittings SET seconds = ?, runs = runs + ? WHERE id = ?"
                self._connection.execute(took, (time.monotonic() - self._session_start, count, self._session_id))
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:  # a full disk has ended it already
                    self._connection.execute("ROLLBACK")
                raise

    def _insert(self, key: RunKey, counts: str, times: str) -> None:
        marks = ",".join("?" * (len(KEY_COLUMNS) + 1))
        into = f"INSERT OR IGNORE INTO runs ({', '.join(KEY_COLUMNS)}, counts) VALUES ({marks})"
        made = self._connection.execute(into, (*key, counts))
        if made.rowcount == 1:  # else the result was there already
            self._connection.execute("INSERT INTO times VALUES (?, ?, ?)", (made.lastrowid, self.machine, times))

    def measurements(self) -> dict[RunKey, Measurement]:
        """All results by their keys."""
        return {key: (counts, times) for key, counts, _, times in self._rows()}

    def records(self) -> Iterator[dict[str, Any]]:
        """One flat record for each run, with times named `..._ns`."""
        for key, counts, machine, times in self._rows():
            yield dict(zip(KEY_COLUMNS, key, strict=True)) | counts | {"machine": machine} | times

    def _rows(self) -> Iterator[tuple[RunKey, Counts, str, Times]]:
        """Key, counts, machine and times of each run, checked: whoever made the file may have written anything."""
        columns = ", ".join(("id", *KEY_COLUMNS, "machine", "counts", "times"))
        wanted = f"SELECT {columns} FROM runs LEFT JOIN times ON run = id ORDER BY id"
        with self._translate_errors():
            for number, *words, seed, code, machine, counts, times in self._connection.execute(wanted):
                if type(seed) is not int or not all(isinstance(word, str) for word in (*words, code, machine)):
                    raise self._input_error(f"the file is damaged: run {number} is not described by text and a seed")
                key = cast(RunKey, (*words, seed, code))
                yield key, self._parse_numbers(number, counts), machine, self._parse_numbers(number, times)

    def _parse_numbers(self, number: int, text: Any) -> dict[str, Any]:
        """Numbers by name, from JSON."""
        try:
            found = json.loads(text) if isinstance(text, str) else None
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict) or not all(_named(name) and _number(value) for name, value in found.items()):
            raise self._input_error(f"the file is damaged: run {number} has no figures, but {str(text)[:40]!r}")
        return found


def _named(name: str) -> bool:
    return name.isprintable() and name not in ("", "machine", *KEY_COLUMNS)


def _number(value: Any) -> bool:
    return value is None or isinstance(value, float) or (isinstance(value, int) and abs(value) < 2**63)


def _short(said: object) -> str:
    """What SQLite says, in half a line."""
    text = str(said.object) if isinstance(said, UnicodeDecodeError) else str(said)
    text = " ".join(text.removeprefix("*** in database main ***").split())
    return text if len(text) <= 80 else f"{text[:80]}..."


def _schema(file: sqlite3.Connection) -> list[tuple[Any, ...]]:
    return file.execute("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name").fetchall()


@cache
def _our_schema() -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(":memory:")) as file:
        file.executescript(SCHEMA)
        return _schema(file)
