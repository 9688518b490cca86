"""Where results are kept: one SQLite file, written by the coordinator alone, in one transaction for each batch.

Counts are exact and do not depend on the machine; times do, so they have a table of their own.
"""

from __future__ import annotations

import json
import os
import platform
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from replan.errors import InputError
from replan.experiments.runs import Key, Measured

APPLICATION = 0x52504C4E  # "RPLN" in the file's head
VERSION = 1
KEY = ("planner", "options", "setup", "map", "start", "goal", "seed", "code")
WAY_OUT = "take another directory with --out, or move the file away"

SCHEMA = f"""
CREATE TABLE runs (
    id INTEGER PRIMARY KEY, planner TEXT NOT NULL, options TEXT NOT NULL, setup TEXT NOT NULL, map TEXT NOT NULL,
    start TEXT NOT NULL, goal TEXT NOT NULL, seed INTEGER NOT NULL, code TEXT NOT NULL, counts TEXT NOT NULL,
    UNIQUE ({", ".join(KEY)})
);
CREATE TABLE times (run INTEGER PRIMARY KEY REFERENCES runs (id), machine TEXT NOT NULL, times TEXT NOT NULL);
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {VERSION};
"""


class Store:
    """The results in a file. Raises InputError for a file that is damaged or no file of results."""

    def __init__(self, path: Path, create: bool = True) -> None:
        self.path = path
        if not create and not path.is_file():
            raise InputError("there are no results here", path)
        fresh = not path.exists() or path.stat().st_size == 0
        with self._refusing():
            self.file = sqlite3.connect(path, isolation_level=None)
            try:
                if fresh:
                    self.file.executescript(f"BEGIN IMMEDIATE;{SCHEMA}COMMIT;")
                self._check()
            except BaseException:
                self.file.close()
                raise
        self.machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            raise InputError(f"the results cannot be read or written: {error}; {WAY_OUT}", self.path) from None
        except sqlite3.DatabaseError as error:
            raise InputError(f"the file is damaged or no results file ({error}); {WAY_OUT}", self.path) from None

    def _check(self) -> None:
        (application,) = self.file.execute("PRAGMA application_id").fetchone()
        (version,) = self.file.execute("PRAGMA user_version").fetchone()
        if application != APPLICATION:
            raise InputError(f"the file is a database of something else, not results of replan; {WAY_OUT}", self.path)
        if version != VERSION:
            raise InputError(f"the results are of version {version}, this replan reads {VERSION}; {WAY_OUT}", self.path)
        (found,) = self.file.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise InputError(f"the file is damaged ({found}); {WAY_OUT}", self.path)

    def close(self) -> None:
        self.file.close()

    def __len__(self) -> int:
        return int(self.file.execute("SELECT count(*) FROM runs").fetchone()[0])

    def add(self, results: Iterable[tuple[Key, Measured]]) -> None:
        """Keep the results of a batch: all of them or, if the power fails, none."""
        with self._refusing():
            self.file.execute("BEGIN IMMEDIATE")
            try:
                for key, (counts, times) in results:
                    self._insert(key, json.dumps(counts), json.dumps(times))
            except BaseException:
                self.file.execute("ROLLBACK")
                raise
            self.file.execute("COMMIT")

    def _insert(self, key: Key, counts: str, times: str) -> None:
        marks = ",".join("?" * (len(KEY) + 1))
        into = f"INSERT OR IGNORE INTO runs ({', '.join(KEY)}, counts) VALUES ({marks})"
        made = self.file.execute(into, (*key, counts))
        if made.rowcount == 1:  # else the result was there already
            self.file.execute("INSERT INTO times VALUES (?, ?, ?)", (made.lastrowid, self.machine, times))

    def measured(self) -> dict[Key, Measured]:
        """All results by their keys."""
        return {row[: len(KEY)]: (json.loads(row[-2]), json.loads(row[-1])) for row in self._rows("counts, times")}

    def records(self) -> Iterator[dict[str, Any]]:
        """One flat record for each run, with times named `..._ns`."""
        for row in self._rows("counts, machine, times"):
            *key, counts, machine, times = row
            yield dict(zip(KEY, key, strict=True)) | json.loads(counts) | {"machine": machine} | json.loads(times)

    def _rows(self, columns: str) -> Iterator[tuple[Any, ...]]:
        wanted = f"SELECT {', '.join(KEY)}, {columns} FROM runs LEFT JOIN times ON run = id ORDER BY id"
        with self._refusing():
            yield from self.file.execute(wanted)
