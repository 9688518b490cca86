"""The file of results: what it refuses, what it keeps."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner

from experiments.damage import every_damage
from experiments.measures import small_runs
from replan.cli import main
from replan.errors import InputError
from replan.experiments.code_version import code_version
from replan.experiments.engines import threads
from replan.experiments.pipeline import RESULTS_FILE, execute_missing_runs, open_store, results_frame, run_keys
from replan.experiments.store import ResultStore


def filled(directory: Path) -> Path:
    store = open_store(directory, resume=False)
    execute_missing_runs(small_runs(4), store, threads(1), lambda done: None)
    store.close()
    return directory / RESULTS_FILE


def said(*words: object) -> str:
    """What a command that is refused says."""
    done = CliRunner().invoke(main, [str(word) for word in words])
    assert done.exit_code == 2, done.output
    assert "Traceback" not in done.output
    return " ".join(done.output.split())


def test_a_foreign_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / RESULTS_FILE).write_bytes(b"my diary, not to be overwritten" * 100)
    message = said("reproduce", "rtaa", "--sample", 1, "--out", tmp_path, "--resume")
    assert RESULTS_FILE in message
    assert "damaged or no results file" in message
    assert "--out" in message
    assert (tmp_path / RESULTS_FILE).read_bytes().startswith(b"my diary")


def test_another_database_is_refused(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / RESULTS_FILE) as file:
        file.execute("CREATE TABLE runs (id INTEGER)")
    file.close()
    assert "database of something else" in said("results", "export", tmp_path, "--csv", tmp_path / "x.csv")
    assert not (tmp_path / "x.csv").exists()


def test_another_version_is_refused(tmp_path: Path) -> None:
    path = filled(tmp_path)
    with sqlite3.connect(path) as file:
        file.execute("PRAGMA user_version = 99")
    file.close()
    with pytest.raises(InputError, match="version 99"):
        ResultStore(path)


@pytest.mark.parametrize("at", ["middle", "end"])
def test_a_damaged_file_is_refused(tmp_path: Path, at: str) -> None:
    path = filled(tmp_path)
    data = bytearray(path.read_bytes())
    if at == "middle":
        data[4096:8192] = b"\xff" * 4096
    else:
        del data[len(data) // 2 :]
    path.write_bytes(data)
    with pytest.raises(InputError, match="damaged"):
        ResultStore(path)


def test_whatever_happened_to_a_file_is_told_in_a_sentence(tmp_path: Path) -> None:
    """Cut, flipped, overwritten, another schema, other types, other kinds of files: each is refused in one line.

    What cannot be noticed (a flipped bit in a number) is exported.
    """
    whole = filled(tmp_path / "good").read_bytes()
    folder, wrong, refused = tmp_path / "bad", [], 0
    for number, (name, damage) in enumerate(every_damage(whole)):
        path = folder / str(number) / RESULTS_FILE
        path.parent.mkdir(parents=True)
        path.write_bytes(whole)
        damage(path)
        done = CliRunner().invoke(main, ["results", "export", str(path.parent), "--csv", str(tmp_path / "x.csv")])
        lines = done.output.splitlines()
        refused += done.exit_code == 2
        told = done.exit_code == 2 and len(lines) == 1 and lines[0].startswith(f"Error: {path}: ")
        if not told and done.exit_code != 0:
            wrong.append((name, done.exit_code, done.output, done.exception))
    assert not wrong, f"{len(wrong)}, such as {wrong[0]}"
    assert refused > 300


def test_a_full_disk_is_called_that(tmp_path: Path) -> None:
    store = open_store(tmp_path, resume=False)
    store._connection.execute("PRAGMA max_page_count = 4")  # as many as there are
    keyed = [(key, ({"moves": 1}, {"search_ns": 1})) for key in run_keys(small_runs(60))]
    with pytest.raises(InputError, match=r"results.sqlite: the results cannot .*: database or disk is full; take"):
        store.add(keyed)
    assert len(store) == 0
    store._connection.execute("PRAGMA max_page_count = 4000")
    store.add(keyed)
    assert len(store) == len(keyed)
    store.close()


@pytest.mark.parametrize("kind", ["--csv", "--parquet"])
def test_where_nothing_can_be_written(tmp_path: Path, kind: str) -> None:
    filled(tmp_path)
    message = said("results", "export", tmp_path, kind, tmp_path / "nowhere" / "x")
    assert message == f"Error: {tmp_path / 'nowhere' / 'x'}: cannot be written: No such file or directory"


def test_results_are_not_mixed_without_being_asked(tmp_path: Path) -> None:
    filled(tmp_path)
    assert "--resume" in said("reproduce", "rtaa", "--sample", 1, "--out", tmp_path)


def test_there_is_nothing_to_export(tmp_path: Path) -> None:
    assert "no results here" in said("results", "export", tmp_path, "--csv", tmp_path / "x.csv")
    assert "--csv FILE or --parquet FILE" in said("results", "export", tmp_path)


def test_a_batch_is_kept_whole_or_not_at_all(tmp_path: Path) -> None:
    store = open_store(tmp_path, resume=False)
    key = run_keys(small_runs(1))[0]

    def broken():  # type: ignore[no-untyped-def]
        yield key, ({"moves": 1}, {"search_ns": 1})
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store.add(broken())
    assert len(store) == 0
    store.close()


def test_results_of_other_code_are_run_again(tmp_path: Path) -> None:
    path = filled(tmp_path)
    with sqlite3.connect(path) as file:
        file.execute("UPDATE runs SET code = 'older' WHERE seed < 2")
    file.close()
    store = open_store(tmp_path, resume=True)
    done: list[int] = []
    execute_missing_runs(small_runs(4), store, threads(1), done.append)
    assert done[0] == 6
    assert sum(done) == 12
    assert len(store) == 18
    store.close()


def test_more_problems_are_added_to_those_there(tmp_path: Path) -> None:
    filled(tmp_path)
    store = open_store(tmp_path, resume=True)
    done: list[int] = []
    execute_missing_runs(small_runs(6), store, threads(1), done.append)
    assert done[0] == 12
    assert len(results_frame(small_runs(6), store)) == 18
    store.close()


def test_export_has_a_row_for_each_run(tmp_path: Path) -> None:
    filled(tmp_path)
    to = ["--csv", str(tmp_path / "x.csv"), "--parquet", str(tmp_path / "x.pq")]
    done = CliRunner().invoke(main, ["results", "export", str(tmp_path), *to])
    assert done.exit_code == 0, done.output
    table = pl.read_csv(tmp_path / "x.csv")
    assert len(table) == 12
    assert table["code"].unique().to_list() == [code_version()]
    assert [name for name in table.columns if name.endswith("_ns")] == ["search_ns", "apply_changes_ns"]
    assert pl.read_parquet(tmp_path / "x.pq").drop("cost", "h_increase").equals(table.drop("cost", "h_increase"))
