"""What was tried to find the paper's 2.79: other runs than the tenth with the largest ratios, and other averages."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import polars as pl

from replan.experiments.report import Report, format_number
from replan.experiments.statistics import RELEVANT_DIFFERENCE, Array
from replan.papers.depression.columns import LOOKAHEADS

RunSelection = Callable[[pl.DataFrame, float], pl.DataFrame]
RATIO = pl.col("usual") / pl.col("avoiding")


def largest_share(both: pl.DataFrame, share: float, by: pl.Expr = RATIO) -> pl.DataFrame:
    """The share of the runs in which something is largest."""
    return both.sort(by, maintain_order=True).tail(max(1, round(share * len(both))))


def largest_share_of_each_map(both: pl.DataFrame, share: float) -> pl.DataFrame:
    return pl.concat([largest_share(of_map, share) for _, of_map in both.group_by("map", maintain_order=True)])


def largest_share_of_cases(both: pl.DataFrame, share: float) -> pl.DataFrame:
    """The costs of a case with all lookaheads together."""
    return largest_share(both.group_by("problem", maintain_order=True).agg(pl.col("usual", "avoiding").sum()), share)


RUN_SELECTIONS: Mapping[str, RunSelection] = {
    "the tenth with the largest ratios": largest_share,
    "the same without lookahead 1": lambda both, share: largest_share(both.filter(pl.col("lookahead") > 1), share),
    f"the same with lookahead {LOOKAHEADS[-1]} alone": lambda both, share: largest_share(
        both.filter(pl.col("lookahead") == LOOKAHEADS[-1]), share
    ),
    "a tenth of each map": largest_share_of_each_map,
    "a tenth of the cases, their lookaheads together": largest_share_of_cases,
    "the tenth with the largest differences": lambda both, share: largest_share(
        both, share, pl.col("usual") - pl.col("avoiding")
    ),
    "all runs that daRTAA* wins": lambda both, share: both.filter(pl.col("avoiding") < pl.col("usual")),
    "all runs": lambda both, share: both,
}
AVERAGES: Mapping[str, Callable[[Array, Array], float]] = {
    "all costs together": lambda usual, avoiding: float(usual.sum() / avoiding.sum()),
    "mean": lambda usual, avoiding: float((usual / avoiding).mean()),
    "one over the mean of the inverse": lambda usual, avoiding: float(1 / (avoiding / usual).mean()),
    "geometric mean": lambda usual, avoiding: float(np.exp(np.log(usual / avoiding).mean())),
    "median": lambda usual, avoiding: float(np.median(usual / avoiding)),
}


def show_tried_averages(both: pl.DataFrame, share: float, paper_value: float, report: Report) -> None:
    """Each average of each choice of runs, and which of them come near the paper's figure."""
    near, rows = [], []
    for name, choose in RUN_SELECTIONS.items():
        selected = choose(both, share)
        costs = [selected[planner].cast(pl.Float64).to_numpy() for planner in ("usual", "avoiding")]
        values = {method: average(*costs) if len(selected) else float("nan") for method, average in AVERAGES.items()}
        near += [
            f"{name}, {method}"
            for method, value in values.items()
            if abs(value - paper_value) <= RELEVANT_DIFFERENCE * paper_value
        ]
        rows.append([name, *map(format_number, values.values())])
    report.text(f"For {paper_value:g} also other runs and other averages were tried, RTAA* to daRTAA*:")
    report.table(["", *AVERAGES], rows)
    matches = f"{len(near)} ({'; '.join(near)})" if near else "none"
    report.text(
        f"Within {RELEVANT_DIFFERENCE:.0%} of it, of these {len(RUN_SELECTIONS) * len(AVERAGES)} figures: {matches}. "
        "So many tries hit something by chance; none of them is what the paper's sentence says, so none was chosen."
    )
