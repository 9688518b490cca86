"""daRTAA* against RTAA*, case by case, as the text of paper 001 does it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from replan.experiments.report import DIFFERS, Cell, Report
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
CONTRADICTION = (
    "the paper's own figures exclude one another: the cases with the largest ratios cannot have a smaller one (2.79) "
    "than the hardest cases have (8.37); so how these two were averaged is not known"
)


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
    found.append(_ratio_of_costs(favourable.head(top), "avoiding", "plain"))
    for most in (favourable, marked.sort("plain"), marked.sort("avoiding")):
        found.append(_ratio_of_costs(most.tail(top), "plain", "avoiding"))
    return dict(zip(PAPER, found, strict=True))


def _share(marked: pl.DataFrame, name: str) -> Mean:
    """In percent."""
    of_case = marked.group_by("problem").agg(pl.col(name).mean() * 100)
    return mean(of_case[name].to_numpy())


def _ratio_of_costs(some: pl.DataFrame, dear: str, cheap: str) -> Mean:
    of_case = some.group_by("problem").agg(pl.col("plain", "avoiding").sum())
    return ratio(of_case[dear].to_numpy(), of_case[cheap].to_numpy())


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
        f"{SHARE:.1%} of them, as in the paper; there, the ratio of what all of them cost together."
    )
    found = pair_figures(both)
    if compared:
        into.compare([_cell(name, ours, both) for name, ours in found.items()])
    else:
        into.table(["", "ours", "standard error"], [[name, ours.value, ours.error] for name, ours in found.items()])


def _cell(name: str, ours: Mean, both: pl.DataFrame) -> Cell:
    cell = Cell("", name, PAPER[name], _paper_error(ours, both), ours)
    contradicted = cell.verdict == DIFFERS and name.startswith("most favourable")
    return replace(cell, reason=CONTRADICTION) if contradicted else cell


def _paper_error(ours: Mean, both: pl.DataFrame) -> float:
    """The error that the paper's figure would have if its cases spread as ours do; it has more of them."""
    return ours.error * float(np.sqrt(both["problem"].n_unique() / PAPER_CASES))
