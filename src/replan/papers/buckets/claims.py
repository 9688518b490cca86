"""Claims of buckets 2006. Tests take the runs of the experiment as `Table1Data`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from replan.experiments.statistics import Estimate, ratio_of_totals
from replan.experiments.tables import PaperRow, TripsByRow, paired_values
from replan.papers.buckets.figures import ExpansionCounts
from replan.papers.common.claims import Claim
from replan.papers.common.verdicts import ABOUT_FACTOR, Finding, less_than, observation, within_factor, within_tolerance

PAPER = "Buckets 2006"
HEAP, BUCKETS = "D* Lite (prefer=larger g)", "D* Lite (queue=buckets)"  # the rows of our table
SMALLER, PLAIN = "D* Lite (prefer=smaller g)", "D* Lite (queue=plain heap)"
MAZE_BY_MAZE = "maze by maze, mean and ranks"


@dataclass(frozen=True)
class Table1Data:
    """Our runs by row, the paper's rows by our names, and the counts of our Figure 2."""

    trips: TripsByRow
    paper_rows: Mapping[str, PaperRow]
    counts: ExpansionCounts

    def has_rows(self, *rows: str) -> bool:
        return set(rows) <= self.trips.keys()

    def less_than(self, metric: str, first: str, second: str) -> Iterator[Finding]:
        if self.has_rows(first, second):
            values = paired_values(self.trips[first], self.trips[second], metric)
            if len(values[0]):
                yield less_than(f"{first} < {second}", *values)

    def time_ratio(self, first: str, second: str) -> Estimate | None:
        """Return the ratio of search times; None if they were not measured."""
        times = (
            paired_values(self.trips[first], self.trips[second], "search_ns")
            if self.has_rows(first, second)
            else ((), ())
        )
        return ratio_of_totals(*times) if len(times[0]) else None

    @property
    def paper_time_ratio(self) -> float:
        """Ratio of search times of buckets to a heap in the paper."""
        return float(self.paper_rows[BUCKETS]["runtime_us"]) / float(self.paper_rows[HEAP]["runtime_us"])


def headline(table: Table1Data) -> Iterator[Finding]:
    ratio = table.time_ratio(BUCKETS, HEAP)
    if ratio is not None:
        yield within_factor(
            f"buckets to heap; the paper: {table.paper_time_ratio:.2f}", ratio, table.paper_time_ratio, ""
        )


def expansion_ratio_agrees(table: Table1Data) -> Iterator[Finding]:
    if table.has_rows(HEAP, BUCKETS):
        paper_ratio = float(table.paper_rows[BUCKETS]["expansions"]) / float(table.paper_rows[HEAP]["expansions"])
        both = paired_values(table.trips[BUCKETS], table.trips[HEAP], "expansions")
        yield within_tolerance(f"buckets to heap; the paper: {paper_ratio:.3f}", ratio_of_totals(*both), paper_ratio)
    yield from table.less_than("expansions", HEAP, BUCKETS)


def expands_intersection(table: Table1Data) -> Iterable[Finding]:
    c = table.counts
    evidence = (
        f"of {c.d_star_lite} free cells that D* Lite expands {c.in_both} are in both; the other {c.outside_both} have "
        f"changed, too; {c.changed} have changed in all, Backward A* expands {c.backward}"
    )
    return [observation("one search of a small world", ABOUT_FACTOR * c.in_both >= c.d_star_lite, evidence)]


CLAIMS = (
    Claim(
        PAPER,
        "abstract; experiments; Table 1",
        "buckets halve the run time of D* Lite",
        "search times, buckets to heap, within 1.5 times of the paper's ratio; best of three taken alternately",
        headline,
    ),
    Claim(
        PAPER,
        "Table 1",
        "D* Lite is quicker with buckets than with a heap",
        f"search times, {MAZE_BY_MAZE}",
        lambda table: table.less_than("search_ns", BUCKETS, HEAP),
    ),
    Claim(
        PAPER,
        "Table 1",
        "buckets, which know no larger g, expand hardly more cells",
        f"expansions: the ratio within a tenth of the paper's, and fewer with a heap, {MAZE_BY_MAZE}",
        expansion_ratio_agrees,
    ),
    Claim(
        PAPER,
        "overview of D* Lite",
        "larger g first expands fewer cells than smaller g first, the original order",
        f"expansions, {MAZE_BY_MAZE}",
        lambda table: table.less_than("expansions", HEAP, SMALLER),
    ),
    Claim(
        PAPER,
        "overview of D* Lite",
        "larger g first is quicker than smaller g first",
        f"search times, {MAZE_BY_MAZE}",
        lambda table: table.less_than("search_ns", HEAP, SMALLER),
    ),
    Claim(
        PAPER,
        "Figure 2",
        "D* Lite expands about the cells that both an uninformed incremental search and Backward A* expand",
        "counted in our Figure 2, blocked cells left out: two of three that D* Lite expands are such",
        expands_intersection,
    ),
    Claim(
        PAPER,
        "experiments",
        "the speed-up is like that of buckets for other versions of A*",
        "",
        untested_reason="the course project tests that for A*: Extra Credit 2 of its report",
    ),
    Claim(
        PAPER,
        "D* Lite with buckets",
        "the keys of the buckets satisfy the two properties that D* Lite needs",
        "",
        untested_reason="a proof, which is right; tests compare D* Lite in each order with an oracle, search by search",
    ),
)
