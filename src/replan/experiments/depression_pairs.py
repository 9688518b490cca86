"""daRTAA* against RTAA*, case by case, as the text of paper 001 does it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from replan.experiments.report import Cell, Report
from replan.experiments.statistics import Mean, mean, ratio
from replan.experiments.tables import row_name

PAPER_CASES = 6000
SHARE = 10_000 / 102_000  # the paper looks at 10,000 of its 102,000 runs
PAPER = {
    "daRTAA* is cheaper, %": 65.8,
    "both cost the same, %": 24.8,
    "RTAA* is cheaper, %": 9.4,
    "most favourable to RTAA*: daRTAA* costs times": 1.43,
    "most favourable to daRTAA*: RTAA* costs times": 2.79,
    "hardest for RTAA*: RTAA* costs times": 8.37,
    "hardest for daRTAA*: RTAA* costs times": 5.57,
}


def pair_table(trips: Mapping[str, pl.DataFrame], lookaheads: Sequence[int]) -> pl.DataFrame:
    """One row for each case and lookahead that both have: problem, costs of both."""
    both = []
    for k in lookaheads:
        plain, avoiding = trips.get(row_name("RTAA*", k)), trips.get(row_name("daRTAA*", k))
        if plain is not None and avoiding is not None:
            both.append(
                plain.select("problem", plain="cost").join(avoiding.select("problem", avoiding="cost"), on="problem")
            )
    return pl.concat(both) if both else pl.DataFrame()


def pair_figures(both: pl.DataFrame) -> dict[str, Mean]:
    """The paper's seven figures. Runs of the same case hang together, so errors are over cases."""
    d = both["avoiding"] - both["plain"]
    marked = both.with_columns(better=d < 0, tie=d == 0, worse=d > 0, times=both["plain"] / both["avoiding"])
    found = [_share(marked, name) for name in ("better", "tie", "worse")]
    top = max(1, round(SHARE * len(marked)))
    favourable = marked.sort("times")
    found.append(_mean_over_cases(favourable.head(top).with_columns(times=1 / pl.col("times"))))
    found.append(_mean_over_cases(favourable.tail(top)))
    found.append(_mean_over_cases(marked.sort("plain").tail(top)))
    found.append(_mean_over_cases(marked.sort("avoiding").tail(top)))
    return dict(zip(PAPER, found, strict=True))


def _share(marked: pl.DataFrame, name: str) -> Mean:
    """In percent."""
    of_case = marked.group_by("problem").agg(pl.col(name).mean() * 100)
    return mean(of_case[name].to_numpy())


def _mean_over_cases(some: pl.DataFrame) -> Mean:
    of_case = some.group_by("problem").agg(pl.col("times").sum(), pl.len().alias("runs"))
    return ratio(of_case["times"].to_numpy(), of_case["runs"].to_numpy())


def show_pairs(
    trips: Mapping[str, pl.DataFrame], lookaheads: Sequence[int], into: Report, compared: bool
) -> None:
    """The comparison as a table. compared: on the paper's maps, so that its figures may stand beside ours."""
    both = pair_table(trips, lookaheads)
    if both.is_empty():
        return
    into.heading("daRTAA* against RTAA*, case by case")
    into.text(
        f"Over {len(both):,} pairs of runs (cases times lookaheads). The most favourable and the hardest are "
        f"{SHARE:.1%} of them, as in the paper; there, means of the ratios."
    )
    found = pair_figures(both)
    if compared:
        into.compare(
            [Cell("", name, PAPER[name], _paper_error(ours, both), ours) for name, ours in found.items()]
        )
    else:
        into.table(["", "ours", "standard error"], [[name, ours.value, ours.error] for name, ours in found.items()])


def _paper_error(ours: Mean, both: pl.DataFrame) -> float:
    """The error that the paper's figure would have if its cases spread as ours do; it has more of them."""
    return ours.error * float(np.sqrt(both["problem"].n_unique() / PAPER_CASES))
