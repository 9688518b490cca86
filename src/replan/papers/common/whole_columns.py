"""Whole columns of a table beside the paper's: a pattern is a finding even where no single cell is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isnan
from typing import Any

import numpy as np
from scipy import stats

from replan.experiments.report import AGREES, DIFFERS, TOO_FEW, Report, format_with_error
from replan.experiments.statistics import (
    RELEVANT_DIFFERENCE,
    SIGNIFICANCE_LEVEL,
    Estimate,
    detectable_difference,
    has_enough_values,
    holm,
    mean,
    welch_p_value,
)
from replan.experiments.tables import Columns, PaperRow, TripsByRow


def show_whole_columns(
    report: Report, trips: TripsByRow, paper_rows: Mapping[str, PaperRow], columns: Columns, paper_cases: int
) -> None:
    """Add a line for each planner and column to a report. paper_cases: number of cases of the paper."""
    columns_found = [
        column for name in _planners(trips) for column in whole_columns(name, trips, paper_rows, columns, paper_cases)
    ]
    if not columns_found:
        return
    signs = holm([column.p_signs for column in columns_found])
    mean_p_values = holm([column.p_mean for column in columns_found])
    report.text(
        "Whole columns: of each planner the cells below and above the paper's, with a sign test, and all cells "
        "together, as the mean of ours / paper. The cells of a column come from the same problems, so they tend to be "
        "low or high together, and signs alone are no finding: the test of all together takes that into account. Both "
        "p are corrected for all columns (Holm)."
    )
    titles = ["planner", "measure", "below", "above", "p (signs)", "ours / paper", "p (together)", "verdict"]
    lines = [
        [*column.label_cells(), f"{sign:.3f}", format_with_error(column.ratio), f"{p:.3f}", column.verdict(sign, p)]
        for column, sign, p in zip(columns_found, signs, mean_p_values, strict=True)
    ]
    report.table(titles, lines)


@dataclass(frozen=True)
class WholeColumn:
    """The cells of one planner in a column beside the paper's."""

    planner: str
    title: str
    below: int
    above: int
    ratio: Estimate
    cases: int

    @property
    def p_signs(self) -> float:
        count = self.below + self.above
        return float(stats.binomtest(self.below, count).pvalue) if count else 1.0

    @property
    def p_mean(self) -> float:
        p = welch_p_value(self.ratio, 1.0, self.ratio.standard_deviation / self.cases**0.5)
        return 1.0 if isnan(p) else p

    def label_cells(self) -> list[Any]:
        return [self.planner, self.title, self.below, self.above]

    def verdict(self, p_signs: float, p: float) -> str:
        if not has_enough_values(self.ratio):
            return TOO_FEW
        if p < SIGNIFICANCE_LEVEL:
            return f"{DIFFERS}: {'low' if self.ratio.value < 1 else 'high'}"
        detectable = detectable_difference(
            self.ratio, self.ratio.standard_deviation / self.cases**0.5, SIGNIFICANCE_LEVEL
        )
        if not detectable <= RELEVANT_DIFFERENCE:
            return TOO_FEW
        return AGREES if p_signs >= SIGNIFICANCE_LEVEL else f"{AGREES}, though the signs are uneven"


def _planners(trips: TripsByRow) -> list[str]:
    """Return the planners that have a row for each lookahead."""
    return list(dict.fromkeys(name.rpartition(" ")[0] for name, t in trips.items() if t["lookahead"][0] is not None))


def whole_columns(
    planner: str, trips: TripsByRow, paper_rows: Mapping[str, PaperRow], columns: Columns, cases: int
) -> Iterator[WholeColumn]:
    rows = [name for name in trips if name in paper_rows and name.rpartition(" ")[0] == planner]
    for column in columns.values():
        cells = [
            (column.paper_value(paper_rows[name]), column.estimate(trips[name])) for name in rows if not column.is_time
        ]
        compared = [(paper, ours) for paper, ours in cells if paper and ours.contributions is not None]
        if len(compared) > 1 and len({ours.count for _, ours in compared}) == 1:
            ratios = np.mean([np.asarray(ours.contributions) / paper for paper, ours in compared], axis=0)
            differences = [
                ours.value - paper for paper, ours in compared if abs(ours.value - paper) > column.rounding / 2
            ]
            below = sum(off < 0 for off in differences)
            yield WholeColumn(planner, column.title, below, len(differences) - below, mean(ratios), cases)
