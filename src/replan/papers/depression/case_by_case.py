"""daRTAA* against RTAA*, case by case, as the text of depression avoidance 2011 does it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from replan.experiments.report import AGREES, DIFFERS, Comparison, Report, with_error
from replan.experiments.statistics import Estimate, mean, ratio
from replan.experiments.tables import Trips, row_name
from replan.papers.depression.maps import PAPER_CASES
from replan.papers.depression.tried import show_tried

SHARE = 10_000 / 102_000  # the paper looks at 10,000 of its 102,000 runs

# What is counted, as the report calls it, and the paper's figures for it.
AVOIDING_CHEAPER, SAME, USUAL_CHEAPER = "daRTAA* is cheaper, %", "both cost the same, %", "RTAA* is cheaper, %"
FOR_USUAL = "most favourable to RTAA*: daRTAA* costs times"
FOR_AVOIDING = "most favourable to daRTAA*: RTAA* costs times"
HARD_FOR_USUAL = "hardest for RTAA*: RTAA* costs times"
HARD_FOR_AVOIDING = "hardest for daRTAA*: RTAA* costs times"
PAPER = {
    AVOIDING_CHEAPER: 65.8,
    SAME: 24.8,
    USUAL_CHEAPER: 9.4,
    FOR_USUAL: 1.43,
    FOR_AVOIDING: 2.79,
    HARD_FOR_USUAL: 8.37,
    HARD_FOR_AVOIDING: 5.57,
}
CONTRADICTION = (
    "no reading of the sentence gives 2.79: where the hardest tenth of the runs has a ratio of 8.37, the tenth with "
    "the largest ratios can hardly have a smaller one"
)
TOTALS, INVERSE = "ratio of all costs together", "one over the mean of the inverse ratios"
READINGS = (TOTALS, "mean of the ratios", INVERSE)
CHOSEN = {FOR_USUAL: INVERSE, FOR_AVOIDING: INVERSE, HARD_FOR_USUAL: TOTALS, HARD_FOR_AVOIDING: TOTALS}


def pair_table(trips: Trips, lookaheads: Sequence[int]) -> pl.DataFrame:
    """One row for each case and lookahead that both have: problem, map and lookahead, and the costs of both."""
    both = []
    for k in lookaheads:
        usual, avoiding = trips.get(row_name("RTAA*", k)), trips.get(row_name("daRTAA*", k))
        if usual is not None and avoiding is not None:
            costs = usual.select("problem", "map", lookahead=pl.lit(k), usual="cost")
            both.append(costs.join(avoiding.select("problem", avoiding="cost"), on="problem", maintain_order="left"))
    return pl.concat(both) if both else pl.DataFrame()


def pair_figures(both: pl.DataFrame) -> dict[str, Estimate]:
    """The paper's seven figures. Runs of the same case depend on one another, so errors are over cases."""
    d = both["avoiding"] - both["usual"]
    marked = both.with_columns(better=d < 0, tie=d == 0, worse=d > 0)
    shares = {AVOIDING_CHEAPER: "better", SAME: "tie", USUAL_CHEAPER: "worse"}
    found = {name: _share(marked, column) for name, column in shares.items()}
    return found | {name: reading(*some, CHOSEN[name]) for name, some in extremes(both).items()}


def extremes(both: pl.DataFrame) -> dict[str, tuple[pl.DataFrame, str, str]]:
    """The runs of each extreme tenth, with the names of the dearer and the cheaper planner's column."""
    top = max(1, round(SHARE * len(both)))
    favourable = both.sort(both["usual"] / both["avoiding"], maintain_order=True)
    return {
        FOR_USUAL: (favourable.head(top), "avoiding", "usual"),
        FOR_AVOIDING: (favourable.tail(top), "usual", "avoiding"),
        HARD_FOR_USUAL: (both.sort("usual", maintain_order=True).tail(top), "usual", "avoiding"),
        HARD_FOR_AVOIDING: (both.sort("avoiding", maintain_order=True).tail(top), "usual", "avoiding"),
    }


def reading(some: pl.DataFrame, dear: str, cheap: str, how: str) -> Estimate:
    """How many times dearer, "on average": what that means is not said."""
    terms = {
        TOTALS: (pl.col(dear), pl.col(cheap)),
        "mean of the ratios": (pl.col(dear) / pl.col(cheap), pl.lit(1.0)),
        INVERSE: (pl.lit(1.0), pl.col(cheap) / pl.col(dear)),
    }
    above, below = terms[how]
    summed = some.select("problem", above=above, below=below).group_by("problem", maintain_order=True).sum()
    return ratio(summed["above"].to_numpy(), summed["below"].to_numpy())


def _share(marked: pl.DataFrame, name: str) -> Estimate:
    """In percent."""
    of_case = marked.group_by("problem", maintain_order=True).agg(pl.col(name).mean() * 100)
    return mean(of_case[name].to_numpy())


def show_case_by_case(trips: Trips, lookaheads: Sequence[int], into: Report, compared: bool) -> None:
    """The comparison as a table. compared: on the paper's maps, so that its figures may stand beside ours."""
    both = pair_table(trips, lookaheads)
    if both.is_empty():
        return
    into.heading("daRTAA* against RTAA*, case by case")
    into.text(
        f"Over {len(both):,} pairs of runs (cases times lookaheads). The most favourable and the hardest are "
        f"{SHARE:.1%} of them, as in the paper. How it averages is not said."
    )
    found = pair_figures(both)
    if compared:
        beside = [_beside_paper(name, ours, both) for name, ours in found.items()]
        into.compare(beside)
        _how_chosen(beside, into)
    else:
        into.table(["", "ours", "standard error"], [[name, ours.value, ours.error] for name, ours in found.items()])
    rows = []
    for name, some in extremes(both).items():
        rows.append([name, PAPER[name], *(with_error(reading(*some, how)) for how in READINGS)])
    into.table(["", "paper", *READINGS], rows)
    if compared:
        show_tried(both, SHARE, PAPER[FOR_AVOIDING], into)


def _how_chosen(beside: Sequence[Comparison], into: Report) -> None:
    ways = [one for one in beside if one.column in CHOSEN]
    agree = sum(one.verdict == AGREES for one in ways)
    differ = sum(one.verdict == DIFFERS for one in ways)
    into.text(
        f"Which averages stand beside the paper's last {len(ways)} figures was **chosen because they fit** as well as "
        f"any: of the {len(ways)}, {agree} agree here, {differ} differ, and for {len(ways) - agree - differ} the cases "
        "are too few to tell. All averages:"
    )


def _beside_paper(name: str, ours: Estimate, both: pl.DataFrame) -> Comparison:
    comparison = Comparison("", name, PAPER[name], _paper_error(ours, both), ours)
    contradicted = comparison.verdict == DIFFERS and name == FOR_AVOIDING
    return replace(comparison, reason=CONTRADICTION) if contradicted else comparison


def _paper_error(ours: Estimate, both: pl.DataFrame) -> float:
    """The error that the paper's figure would have if its cases spread as ours do; it has more of them."""
    return ours.error * float(np.sqrt(both["problem"].n_unique() / PAPER_CASES))
