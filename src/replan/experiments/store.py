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
from replan.experiments.runs import Counts, Key, Measured, Times

APPLICATION = 0x52504C4E  # "RPLN" in the file's head
VERSION = 2
KEY = ("planner", "options", "setup", "map", "start", "goal", "seed", "code")
MOST_TEXT = 1 << 20  # bytes in a field
OTHER_PLACE = "take another directory with --out, or move the file away"
ANEW = "`replan reproduce` makes a new one in another directory"

SCHEMA = f"""
CREATE TABLE runs (
    id INTEGER PRIMARY KEY, planner TEXT NOT NULL, options TEXT NOT NULL, setup TEXT NOT NULL, map TEXT NOT NULL,
    start TEXT NOT NULL, goal TEXT NOT NULL, seed INTEGER NOT NULL, code TEXT NOT NULL, counts TEXT NOT NULL,
    UNIQUE ({", ".join(KEY)})
);
CREATE TABLE times (run INTEGER PRIMARY KEY REFERENCES runs (id), machine TEXT NOT NULL, times TEXT NOT NULL);
CREATE TABLE sittings (
    id INTEGER PRIMARY KEY, code TEXT NOT NULL, workers INTEGER NOT NULL, seconds REAL NOT NULL, runs INTEGER NOT NULL
);
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {VERSION};
"""


@dataclass(frozen=True)
class Sitting:
    """Work without a break: how many workers, how many seconds, how many runs."""

    workers: int
    seconds: float
    runs: int


class Store:
    """The results in a file. Raises InputError for a file that is damaged or no file of results."""

    def __init__(self, path: Path, create: bool = True) -> None:
        """create: make the file where there is none."""
        self.path, self.way_out = path, OTHER_PLACE if create else ANEW
        fresh = not path.exists() or (path.is_file() and path.stat().st_size == 0)
        if not create and (fresh or not path.is_file()):
            raise InputError("there are no results here", path)
        with self._refusing():
            self.file = sqlite3.connect(path, isolation_level=None)
            try:
                self.file.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_TEXT)
                if fresh:
                    self.file.executescript(f"BEGIN IMMEDIATE;{SCHEMA}COMMIT;")
                self._check()
            except BaseException:
                self.file.close()
                raise
        self.sitting: int | None = None
        self.begun = time.monotonic()
        self.machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"

    def _refused(self, reason: str) -> InputError:
        return InputError(f"{reason}; {self.way_out}", self.path)

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            raise self._refused(f"the results cannot be read or written: {_short(error)}") from None
        except (sqlite3.Error, UnicodeDecodeError) as error:  # SQLite quotes what is damaged, and that may be no text
            raise self._refused(f"the file is damaged or no results file ({_short(error)})") from None

    def _check(self) -> None:
        (application,) = self.file.execute("PRAGMA application_id").fetchone()
        (version,) = self.file.execute("PRAGMA user_version").fetchone()
        if application != APPLICATION:
            raise self._refused("the file is a database of something else, not results of replan")
        if version != VERSION:
            raise self._refused(f"the results are of version {version}, this replan reads {VERSION}")
        if _schema(self.file) != _our_schema():
            raise self._refused("the file is damaged: its tables are not those of results")
        (found,) = self.file.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise self._refused(f"the file is damaged ({_short(found)})")

    def close(self) -> None:
        self.file.close()

    def __len__(self) -> int:
        return int(self.file.execute("SELECT count(*) FROM runs").fetchone()[0])

    def begin_sitting(self, code: str, workers: int) -> None:
        """From now on the time is taken, until the last batch is added. code: the version that works."""
        with self._refusing():
            into = "INSERT INTO sittings (code, workers, seconds, runs) VALUES (?, ?, 0, 0)"
            self.sitting, self.begun = self.file.execute(into, (code, workers)).lastrowid, time.monotonic()

    def sittings(self, code: str) -> list[Sitting]:
        """Those of a version of the code in which something was done."""
        wanted = "SELECT workers, seconds, runs FROM sittings WHERE code = ? AND runs > 0 ORDER BY id"
        with self._refusing():
            found = self.file.execute(wanted, (code,)).fetchall()
        if not all(type(n) is int and type(s) is float and type(r) is int for n, s, r in found):
            raise self._refused("the file is damaged: how long the work took is no number")
        return [Sitting(*one) for one in found]

    def add(self, results: Iterable[tuple[Key, Measured]]) -> None:
        """Keep the results of a batch: all of them or, if the power fails, none."""
        count = 0
        with self._refusing():
            self.file.execute("BEGIN IMMEDIATE")
            try:
                for key, (counts, times) in results:
                    self._insert(key, json.dumps(counts), json.dumps(times))
                    count += 1
                took = "UPDATE sittings SET seconds = ?, runs = runs + ? WHERE id = ?"
                self.file.execute(took, (time.monotonic() - self.begun, count, self.sitting))
                self.file.execute("COMMIT")
            except BaseException:
                if self.file.in_transaction:  # a full disk has ended it already
                    self.file.execute("ROLLBACK")
                raise

    def _insert(self, key: Key, counts: str, times: str) -> None:
        marks = ",".join("?" * (len(KEY) + 1))
        into = f"INSERT OR IGNORE INTO runs ({', '.join(KEY)}, counts) VALUES ({marks})"
        made = self.file.execute(into, (*key, counts))
        if made.rowcount == 1:  # else the result was there already
            self.file.execute("INSERT INTO times VALUES (?, ?, ?)", (made.lastrowid, self.machine, times))

    def measured(self) -> dict[Key, Measured]:
        """All results by their keys."""
        return {key: (counts, times) for key, counts, _, times in self._rows()}

    def records(self) -> Iterator[dict[str, Any]]:
        """One flat record for each run, with times named `..._ns`."""
        for key, counts, machine, times in self._rows():
            yield dict(zip(KEY, key, strict=True)) | counts | {"machine": machine} | times

    def _rows(self) -> Iterator[tuple[Key, Counts, str, Times]]:
        """Key, counts, machine and times of each run, checked: whoever made the file may have written anything."""
        columns = ", ".join(("id", *KEY, "machine", "counts", "times"))
        wanted = f"SELECT {columns} FROM runs LEFT JOIN times ON run = id ORDER BY id"
        with self._refusing():
            for number, *words, seed, code, machine, counts, times in self.file.execute(wanted):
                if type(seed) is not int or not all(isinstance(word, str) for word in (*words, code, machine)):
                    raise self._refused(f"the file is damaged: run {number} is not described by text and a seed")
                key = cast(Key, (*words, seed, code))
                yield key, self._figures(number, counts), machine, self._figures(number, times)

    def _figures(self, number: int, text: Any) -> dict[str, Any]:
        """Numbers by name, from JSON."""
        try:
            found = json.loads(text) if isinstance(text, str) else None
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict) or not all(_named(name) and _number(value) for name, value in found.items()):
            raise self._refused(f"the file is damaged: run {number} has no figures, but {str(text)[:40]!r}")
        return found


def _named(name: str) -> bool:
    return name.isprintable() and name not in ("", "machine", *KEY)


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
