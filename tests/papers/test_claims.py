"""The table of claims: every row says all that it has to, and has a test or a reason."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from replan.papers.claims import CLAIMS, NO_REPORT, claims_overview
from replan.papers.registry import EXPERIMENTS, find_experiment

ROWS = [(name, claim) for name, claims in CLAIMS.items() for claim in claims]


@pytest.mark.parametrize(("name", "claim"), ROWS, ids=[f"{name}: {claim.statement}"[:60] for name, claim in ROWS])
def test_a_row_is_whole(name: str, claim) -> None:  # type: ignore[no-untyped-def]
    assert claim.paper and claim.section and claim.statement
    assert (claim.test is None) == bool(claim.untested_reason), "a test or a reason, and not both"
    assert claim.method or claim.untested_reason
    assert not claim.statement.endswith("."), "it stands in a cell of a table"


@pytest.mark.parametrize("name", CLAIMS)
def test_rows_belong_to_one_paper_and_are_told_apart(name: str) -> None:
    assert name in EXPERIMENTS
    assert len({claim.paper for claim in CLAIMS[name]}) == 1
    assert len({(claim.section, claim.statement) for claim in CLAIMS[name]}) == len(CLAIMS[name])
    assert find_experiment(name).title.startswith(CLAIMS[name][0].paper)


def test_all_claims_in_one_table(tmp_path: Path) -> None:
    """Of the reports that are there; of the others it says that there are none."""
    first = CLAIMS["rtaa"][0]
    (tmp_path / "rtaa").mkdir()
    with open(tmp_path / "rtaa" / "claims.csv", "w", newline="", encoding="utf-8") as file:
        lines = csv.writer(file)
        lines.writerow(["paper", "place", "says", "how", "verdict", "found"])
        lines.writerow([first.paper, first.section, first.statement, first.method, "✓ holds", "in all of them"])
    text = claims_overview(tmp_path)
    assert f"| {first.statement} | {first.method} | ✓ holds | in all of them |" in text
    assert text.count(NO_REPORT) == len(ROWS) - 1
