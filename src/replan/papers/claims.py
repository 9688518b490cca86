"""The table of claims: all statements of the papers that are tested here.

The claims of a paper are in its package, in `claims.py`; its report is made from them. `replan.papers.common.claims`
describes a claim. Each report writes its claims with their verdicts as `claims.csv`. The command

    python -m replan.papers.claims docs/reproductions

combines the claims of all reports below a directory, as its `claims.md`.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

from replan.experiments.report import Report
from replan.papers.buckets.claims import CLAIMS as BUCKETS
from replan.papers.common.claims import Claim
from replan.papers.common.verdicts import UNTESTED
from replan.papers.course.claims import CLAIMS as COURSE
from replan.papers.depression.claims import CLAIMS as DEPRESSION
from replan.papers.rtaa.claims import CLAIMS as RTAA
from replan.papers.rtd.claims import CLAIMS as RTD

#: The claims by the name of the experiment that tests them.
CLAIMS: dict[str, tuple[Claim, ...]] = {
    "rtaa": RTAA,
    "depression": DEPRESSION,
    "buckets": BUCKETS,
    "course": COURSE,
    "rtd": RTD,
}

NO_REPORT = "there is no report of it here"


def claims_overview(directory: Path) -> str:
    """Return all claims with their verdicts as Markdown, read from the reports below a directory."""
    report = Report("What the papers say, and what came out")
    report.text(
        "Each paper's report has the evidence. Made by `python -m replan.papers.claims` from their `claims.csv`."
    )
    for name, claims in CLAIMS.items():
        verdicts = _read_verdicts(directory / name / "claims.csv")
        report.heading(claims[0].paper)
        if verdicts:
            report.text(f"[The report]({name}/report.md).")
        rows = []
        for claim in claims:
            verdict, summary = verdicts.get((claim.section, claim.statement), (UNTESTED, NO_REPORT))
            rows.append([claim.section, claim.statement, claim.method, verdict, summary])
        report.table(["where", "what the paper says", "how it is tested", "verdict", "found"], rows)
    return report.markdown()


def _read_verdicts(file: Path) -> dict[tuple[str, str], tuple[str, str]]:
    """Return verdict and evidence by section and statement; empty if there is no file."""
    if not file.is_file():
        return {}
    with open(file, newline="", encoding="utf-8") as lines:
        return {(row["place"], row["says"]): (row["verdict"], row["found"]) for row in csv.DictReader(lines)}


if __name__ == "__main__":
    (Path(sys.argv[1]) / "claims.md").write_text(claims_overview(Path(sys.argv[1])), encoding="utf-8")
