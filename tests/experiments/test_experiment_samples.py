"""A tiny sample of each experiment, as a user would run it, and what its report must have."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from replan.cli import main


def reproduce(name: str, out: Path, sample: int, *more: str) -> str:
    """The report of an experiment. Threads: they start at once."""
    arguments = ["reproduce", name, "--sample", str(sample), "--out", str(out), "--engine", "threads", *more]
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 0, done.output
    assert (out / "report.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    return (out / "report.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def rtaa(tmp_path_factory: pytest.TempPathFactory) -> str:
    return reproduce("rtaa", tmp_path_factory.mktemp("rtaa"), 2)


def test_rtaa_has_all_rows_and_columns(rtaa: str) -> None:
    for letter in "abcdefghi":
        assert f"({letter})" in rtaa
    for row in ("RTAA* 1 ", "RTAA* ∞", "LSS-LRTA* 89", "D* Lite", "Repeated Forward A*", "Repeated Backward A*"):
        assert f"| {row}" in rtaa
    assert "| RTAA* 9 | (d) cost | 56,708 |" in rtaa
