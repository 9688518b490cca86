"""A file of results, damaged in hundreds of ways."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

Damage = Callable[[Path], None]

VALUES = ["NULL", "''", "'{'", "'[]'", "'[1]'", "'1'", "'null'", "'\"x\"'", "x'ff00fe'", "3.5", "-1", "x'7b7d'"]
CONTENTS = [
    '{"moves": "many"}',
    '{"moves": [1, 2]}',
    '{"moves": {"a": 1}}',
    '{"moves": true}',
    '{"moves": null}',
    '{"moves": 1e999}',
    '{"moves": NaN}',
    '{"moves": 123456789012345678901234567890}',
    '{"moves": 1' + "0" * 5000 + "}",
    '{"planner": 7}',
    '{"machine": 7}',
    '{"search_ns": 1.5}',
    '{"": 1}',
    '{"moves": 1} and more',
    "[" * 100_000,
    '{"a":' * 2_000 + "1" + "}" * 2_000,
    '{"\\ud800": 1}',
]
COLUMNS = ["planner", "options", "setup", "map", "start", "goal", "seed", "code", "counts"]
SCHEMAS = [
    "DROP TABLE runs",
    "DROP TABLE times",
    "DROP TABLE runs; DROP TABLE times",
    "DROP TABLE sittings",
    "UPDATE sittings SET seconds = 'long', workers = x'ff00'",
    "ALTER TABLE runs DROP COLUMN counts",
    "ALTER TABLE runs RENAME COLUMN planner TO plan",
    "ALTER TABLE runs ADD COLUMN times TEXT",
    "ALTER TABLE times RENAME TO clocks",
    "DROP TABLE times; CREATE TABLE times (run, machine, times)",
    "DROP TABLE times; CREATE VIEW times AS SELECT id AS run, 1 AS machine, 2 AS times FROM runs",
    "ALTER TABLE runs RENAME TO old; CREATE VIEW runs AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) "
    "SELECT i AS id, 'x' AS planner FROM n",
    "CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM runs; END",
    "CREATE TABLE more (a)",
    "PRAGMA user_version = 0",
    "PRAGMA user_version = 99",
    "PRAGMA application_id = 0",
    "DELETE FROM times WHERE run = 1",
    "UPDATE times SET run = run + 1000",
]


def every_damage(whole: bytes) -> Iterator[tuple[str, Damage]]:
    """A name and the deed, for a file that holds `whole`."""
    size, pages = len(whole), len(whole) // 4096
    for at in [0, 1, 15, 16, 99, 100, 101, 4095, 4096, *range(512, size, 2048), size - 1]:
        yield f"cut at {at}", lambda path, at=at: path.write_bytes(path.read_bytes()[:at])
    for seed in range(250):
        yield f"flipped {seed}", lambda path, seed=seed: _flip(path, seed)
    for byte in range(100):
        yield f"head {byte}", lambda path, byte=byte: _overwrite(path, byte, b"\xff")
    for page in range(pages):
        for name, content in {"ones": b"\xff" * 4096, "zeros": bytes(4096), "text": b"lorem ipsum " * 341}.items():
            yield f"page {page} {name}", lambda path, page=page, c=content: _overwrite(path, 4096 * page, c[:4096])
    for text in SCHEMAS:
        yield text[:60], lambda path, text=text: _change(path, text)
    for value in VALUES:
        for column in COLUMNS:
            yield f"{column} = {value}", lambda path, c=column, v=value: _force(path, "runs", c, v)
        for column in ("machine", "times"):
            yield f"{column} = {value}", lambda path, c=column, v=value: _force(path, "times", c, v)
    for text in CONTENTS:
        for table, column in (("runs", "counts"), ("times", "times")):
            quoted = "'" + text.replace("'", "''") + "'"
            yield f"{column} {text[:20]}", lambda path, t=table, c=column, v=quoted: _force(path, t, c, v)
    yield "empty", lambda path: path.write_bytes(b"")
    yield "a directory", _directory
    yield "a link to itself", _loop
    yield "nothing", lambda path: path.unlink()
    for name, content in OTHERS.items():
        yield name, lambda path, content=content: path.write_bytes(content)


OTHERS = {
    "text": b"my diary\n" * 99,
    "one byte": b"\n",
    "zeros": bytes(9000),
    "json": b'{"replan": "trip"}',
    "zip": b"PK\x03\x04" + bytes(300),
    "png": b"\x89PNG\r\n\x1a\n" + bytes(300),
    "a head alone": b"SQLite format 3\0",
    "a head and zeros": b"SQLite format 3\0" + bytes(8176),
}


def _overwrite(path: Path, at: int, content: bytes) -> None:
    data = bytearray(path.read_bytes())
    data[at : at + len(content)] = content
    path.write_bytes(data)


def _flip(path: Path, seed: int) -> None:
    rng, data = random.Random(seed), bytearray(path.read_bytes())
    for _ in range(rng.choice((1, 3, 30, 300))):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    path.write_bytes(data)


def _change(path: Path, script: str) -> None:
    file = sqlite3.connect(path)
    file.executescript(script)
    file.close()


def _force(path: Path, table: str, column: str, value: str) -> None:
    """Write what the table's own rules do not allow."""
    file = sqlite3.connect(path)
    rules = file.execute("SELECT sql, name FROM sqlite_master WHERE type = 'table'").fetchall()
    _rule(path, [(sql.replace(" NOT NULL", ""), name) for sql, name in rules])
    file.close()
    file = sqlite3.connect(path)
    with file:
        file.execute(f"UPDATE {table} SET {column} = {value} WHERE rowid = 1")
    file.close()
    _rule(path, rules)


def _rule(path: Path, rules: list[tuple[str, str]]) -> None:
    file = sqlite3.connect(path)
    with file:
        file.execute("PRAGMA writable_schema = ON")
        file.executemany("UPDATE sqlite_master SET sql = ? WHERE name = ?", rules)
    file.close()


def _directory(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _loop(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.name)
