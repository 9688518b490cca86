"""Tables with a row for each planner and lookahead: their runs, their columns, and the paper's figures beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from replan.experiments.common_problems import UNSOLVED_MARK, mark_legend, solved_by_all
from replan.experiments.planner_names import NamedPlanner
from replan.experiments.report import PaperComparison, Report
from replan.experiments.runs import TIMING_REPEATS, Measurement, Problem, Run, make_options, measure_trip
from replan.experiments.statistics import Array, Estimate, Values, mean, median, ratio_of_totals

NS_TO_US, NS_TO_MS = 1e-3, 1e-6  # microseconds and milliseconds in a nanosecond
Z95 = 1.96  # standard errors in half of a 95 % interval

TableRow = tuple[NamedPlanner, int | None]  # a planner and its lookahead
TripsByRow = Mapping[str, pl.DataFrame]  # the runs of each row, by its name
PaperRow = Mapping[str, str]  # what a paper prints in a row, by the name of the column


# Columns.

Statistic = Callable[[pl.DataFrame], Estimate]


@dataclass(frozen=True)
class Column:
    """A column of a table: `of` makes its figure from the runs of a row.

    name: what the code calls it, and also the file of the paper's figures, if the paper has such a column. title: what
    is printed above it. rounded: the last digit that the paper prints. time: it depends on the machine, so the paper's
    figure is shown without a verdict.

    >>> column = Column("cost", "mean cost", mean_of("cost"), rounded=0.1)
    >>> column.of(pl.DataFrame({"cost": [10, 20]})).value, column.paper({"cost": "15.3"}), column.paper_standard_error({})
    (15.0, 15.3, None)
    """

    name: str
    title: str
    estimate: Statistic
    rounding: float = 0.0
    is_time: bool = False

    def paper_value(self, row: PaperRow) -> float | None:
        """The paper's figure, if it has one."""
        text = row.get(self.name)
        return float(text) if text else None

    def paper_standard_error(self, row: PaperRow) -> float | None:
        """The standard error of the paper's figure, if it gives one, or an interval of 95 %."""
        error, interval = row.get(f"{self.name}_sem"), row.get(f"{self.name}_ci95")
        return float(error) if error else float(interval) / Z95 if interval else None


Columns = Mapping[str, Column]


def columns_by_name(*columns: Column) -> Columns:
    """Columns by their names, in this order.

    Raises ValueError for a name that comes twice.

    >>> list(columns_by_name(Column("cost", "mean cost", mean_of("cost")), Column("moves", "moves", mean_of("moves"))))
    ['cost', 'moves']
    """
    found = {column.name: column for column in columns}
    if len(found) < len(columns):
        raise ValueError("two columns have the same name")
    return found


def measured_values(trips: pl.DataFrame, *metrics: str) -> list[Array]:
    """What was measured, of the trips that have all of it: not all are timed.

    >>> import polars as pl
    >>> trips = pl.DataFrame({"cost": [10.0, 20.0], "search_ns": [4000, None], "moves": [5, 10]})
    >>> measured_values(trips, "cost", "search_ns")
    [array([10.]), array([4000.])]
    """
    found = trips.select(metrics).drop_nulls().cast(pl.Float64)
    return [found[name].to_numpy() for name in metrics]


def mean_of(metric: str, scale: float = 1.0) -> Statistic:
    """The mean of what was measured.

    scale: what each is multiplied by, such as `US` for nanoseconds in microseconds.

    >>> import polars as pl
    >>> trips = pl.DataFrame({"cost": [10.0, 20.0], "search_ns": [4000, None], "moves": [5, 10]})
    >>> mean_of("cost")(trips).value, mean_of("search_ns", NS_TO_US)(trips).value
    (15.0, 4.0)
    """
    return lambda trips: mean(measured_values(trips, metric)[0] * scale)


def median_of(metric: str, scale: float = 1.0) -> Statistic:
    """The median of what was measured.

    scale: as for `mean_of`.

    >>> import polars as pl
    >>> trips = pl.DataFrame({"cost": [10.0, 20.0], "search_ns": [4000, None], "moves": [5, 10]})
    >>> median_of("cost")(trips).value
    15.0
    """
    return lambda trips: median(measured_values(trips, metric)[0] * scale)


def total_ratio(part: str, whole: str, scale: float = 1.0) -> Statistic:
    """The sum of `part` over all trips, divided by that of `whole`.

    scale: as for `mean_of`.

    >>> import polars as pl
    >>> trips = pl.DataFrame({"cost": [10.0, 20.0], "search_ns": [4000, None], "moves": [5, 10]})
    >>> total_ratio("cost", "moves")(trips).value
    2.0
    """

    def of(trips: pl.DataFrame) -> Estimate:
        parts, wholes = measured_values(trips, part, whole)
        return ratio_of_totals(parts * scale, wholes)

    return of


def mean_ratio(part: str, whole: str) -> Statistic:
    """`part` divided by `whole` trip by trip, and the mean of that.

    >>> import polars as pl
    >>> trips = pl.DataFrame({"cost": [10.0, 20.0], "search_ns": [4000, None], "moves": [5, 10]})
    >>> mean_ratio("cost", "moves")(trips).value
    2.0
    """

    def of(trips: pl.DataFrame) -> Estimate:
        parts, wholes = measured_values(trips.filter(pl.col(whole) > 0), part, whole)
        return mean(parts / wholes)

    return of


# Rows.


def table_rows(planners: Iterable[NamedPlanner], lookaheads: Sequence[int | None]) -> list[TableRow]:
    """Each planner with each lookahead, if it is run with one and the user gave none.

    >>> planners = [NamedPlanner("RTAA*"), NamedPlanner("D* Lite")]
    >>> [(planner.name, lookahead) for planner, lookahead in table_rows(planners, (9, 33))]
    [('RTAA*', 9), ('RTAA*', 33), ('D* Lite', None)]
    """
    found: list[TableRow] = []
    for planner in planners:
        given = planner.options.get("lookahead")
        each = planner.uses_lookahead and "lookahead" not in planner.options
        found += [(planner, k) for k in lookaheads] if each else [(planner, given)]
    return found


def row_name(planner: str, lookahead: int | None, uses_lookahead: bool = True) -> str:
    """
    >>> row_name("RTAA*", None), row_name("RTAA*", 9), row_name("D* Lite", None, bounded=False)
    ('RTAA* ∞', 'RTAA* 9', 'D* Lite')
    """
    return f"{planner} {'∞' if lookahead is None else lookahead}" if uses_lookahead else planner


def row_label(planner: NamedPlanner) -> str:
    """What a planner is called in a table. Its lookahead is left out: `row_name` adds that.

    >>> row_label(NamedPlanner("RTAA*", {"lookahead": 9, "ties": "random"}))
    'RTAA* (ties=random)'
    """
    others = [f"{name}={value}" for name, value in planner.options.items() if name != "lookahead"]
    return f"{planner.name} ({', '.join(others)})" if others else planner.name


def row_runs(
    rows: Sequence[TableRow],
    problems: Iterable[Problem],
    measure: Callable[[Run], Measurement] = measure_trip,
    **options: Any,
) -> Iterator[Run]:
    """All rows on one problem after the other, so that an early end leaves comparable figures.

    options: given to each planner that knows them, unless the user chose otherwise.

    >>> from replan.experiments.mazes import maze_problems
    >>> wanted = table_rows([NamedPlanner("RTAA*"), NamedPlanner("D* Lite")], (9,))
    >>> [(run.tags["row"], dict(run.options)) for run in row_runs(wanted, maze_problems(1, 21), ties="random")]
    [('RTAA* 9', {'lookahead': 9, 'ties': 'random'}), ('D* Lite', {'ties': 'random'})]
    """
    prepared = []
    for planner, lookahead in rows:
        tags = {"row": row_name(row_label(planner), lookahead, planner.uses_lookahead), "lookahead": lookahead}
        limits = {"lookahead": lookahead} if planner.uses_lookahead else {}
        prepared.append((planner.name, make_options(**planner.with_options(**options, **limits)), tags))
    for problem in problems:
        for name, chosen, tags in prepared:
            yield Run(name, chosen, problem, tags, measure)


def trips_by_row(frame: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """The runs of each row, in the order of the rows.

    >>> frame = pl.DataFrame({"row": ["RTAA* 9", "D* Lite", "RTAA* 9"], "cost": [10, 9, 20]})
    >>> {name: trips["cost"].to_list() for name, trips in trips_by_row(frame).items()}
    {'RTAA* 9': [10, 20], 'D* Lite': [9]}
    """
    return {str(name): trips for (name,), trips in frame.group_by("row", maintain_order=True)}


def rows_by_lookahead(planner: str, trips: TripsByRow, lookaheads: Iterable[int]) -> dict[int, pl.DataFrame]:
    """The runs of a planner by lookahead.

    >>> trips = trips_by_row(pl.DataFrame({"row": ["RTAA* 9", "D* Lite", "RTAA* 33"], "cost": [10, 9, 8]}))
    >>> {lookahead: of_row["cost"].to_list() for lookahead, of_row in rows_by_lookahead("RTAA*", trips, (1, 9, 33)).items()}
    {9: [10], 33: [8]}
    """
    return {k: trips[row_name(planner, k)] for k in lookaheads if row_name(planner, k) in trips}


def costs_at_lookahead(lookahead: float, rows: Mapping[int, pl.DataFrame]) -> pl.DataFrame:
    """The cost of each problem at a lookahead, interpolated between those that were run: columns problem and cost.

    lookahead: between the least and the largest that were run.

    >>> rows = {9: pl.DataFrame({"problem": [0], "cost": [20]}), 33: pl.DataFrame({"problem": [0], "cost": [10]})}
    >>> costs_at_lookahead(21, rows)["cost"].to_list()
    [15.0]
    """
    below, above = max(k for k in rows if k <= lookahead), min(k for k in rows if k >= lookahead)
    near, far = (rows[k].select("problem", "cost") for k in (below, above))
    share = (lookahead - below) / (above - below) if above > below else 0.0
    cost = pl.col("cost") + share * (pl.col("cost_right") - pl.col("cost"))
    return near.join(far, on="problem", maintain_order="left").select("problem", cost.alias("cost"))


def paired_values(first: pl.DataFrame, second: pl.DataFrame, metric: str) -> tuple[Values, Values]:
    """What was measured in two rows on the problems that both have; times in microseconds.

    >>> one, other = (pl.DataFrame({"problem": [0, 1], "search_ns": times}) for times in ([4000, 8000], [5000, None]))
    >>> paired_values(one, other, "search_ns")
    (array([4.]), array([5.]))
    """
    columns = ("problem", metric)
    both = first.select(columns).join(second.select(columns), on="problem", maintain_order="left")
    unit = NS_TO_US if metric.endswith("_ns") else 1
    ours, others = measured_values(both, metric, f"{metric}_right")
    return ours * unit, others * unit


def timing_note(frame: pl.DataFrame) -> str:
    """How the times of a report were taken, in a sentence: to be said beside them.

    >>> timing_note(pl.DataFrame({"problem": [0, 1, 2], "rounds": [3, 0, 0]})).partition("), ")[2]
    'on the first 1 of 3 problems.'
    """
    timed, problems = (some["problem"].n_unique() for some in (frame.filter(pl.col("rounds") > 0), frame))
    if not timed:
        return "No times were taken."
    where = f"on all {problems:,} problems" if timed == problems else f"on the first {timed:,} of {problems:,} problems"
    return f"Times are the best of {TIMING_REPEATS}, taken alternately (all planners on a problem in turn, and again), {where}."


# What a report shows.


def show_table(report: Report, row_title: str, trips: TripsByRow, columns: Columns) -> None:
    r"""Our table. head: what is printed above the names of the rows.

    >>> into, trips = Report("Mazes"), {"RTAA* 9": pl.DataFrame({"cost": [10, 20], "reached": [1, 1]})}
    >>> show_table(into, "planner", trips, columns_by_name(Column("cost", "mean cost", mean_of("cost"))))
    >>> print("\n".join(into.lines[:3]))
    | planner | mean cost |
    | --- | ---: |
    | RTAA* 9 | 15.0 |
    """
    lost = {name: len(of_row) - int(of_row["reached"].sum()) for name, of_row in trips.items()}
    names = [f"{name} {UNSOLVED_MARK}" if count else name for name, count in lost.items()]
    found = trips_on_common_problems(trips)
    lines: list[list[Any]] = [
        [name, *(column.estimate(of_row).value if len(of_row) else None for column in columns.values())]
        for name, of_row in zip(names, found.values(), strict=True)
    ]
    titles = [row_title, *(column.title for column in columns.values())]
    if any(lost.values()):
        titles.append("did not arrive")
        lines = [[*line, count or ""] for line, count in zip(lines, lost.values(), strict=True)]
    report.table(titles, lines)
    report.lines += [line for line in [_common_problems_note(trips, found)] if line]


def trips_on_common_problems(trips: TripsByRow) -> dict[str, pl.DataFrame]:
    """The trips of each row on the problems that all rows solved, but for those that solved none.

    Where all trips arrived that is all of them. A planner that gives up what is hard would look good otherwise.

    >>> both = pl.DataFrame({"problem": [0, 1], "cost": [9, 20], "reached": [1, 1]})
    >>> near = both.with_columns(reached=pl.Series([1, 0]))
    >>> {name: of_row["cost"].to_list() for name, of_row in trips_on_common_problems({"near": near, "both": both}).items()}
    {'near': [9], 'both': [9]}
    """
    if all(bool((of_row["reached"] == 1).all()) for of_row in trips.values()):
        return dict(trips)
    arrived = {name: of_row.filter(pl.col("reached") == 1) for name, of_row in trips.items()}
    common = solved_by_all(of_row["problem"] for of_row in arrived.values())
    return {name: of_row.filter(pl.col("problem").is_in(list(common))) for name, of_row in arrived.items()}


def _common_problems_note(trips: TripsByRow, found: TripsByRow) -> str:
    """On what `solved` compares them, in a sentence; empty where all arrived."""
    rows = [
        {"reached": int(of_row["reached"].sum()), "trips": len(of_row), "compared": found[name]["problem"].n_unique()}
        for name, of_row in trips.items()
        if "problem" in of_row.columns
    ]
    return mark_legend(rows, "Figures")


def compare_counts(name: str, trips: pl.DataFrame, paper_row: PaperRow, columns: Columns, paper_cases: int) -> list[PaperComparison]:
    """The counts of a row beside the paper's. cases: how many the paper has, for the errors that it does not give.

    >>> columns = columns_by_name(Column("cost", "mean cost", mean_of("cost")))
    >>> trips = pl.DataFrame({"cost": [10.0, 12.0] * 50})
    >>> [(c.paper, c.ours.value, c.verdict) for c in compare_counts("RTAA* 9", trips, {"cost": "11.0"}, columns, 100)]
    [(11.0, 11.0, '✓ agrees')]
    """
    found = []
    for column in columns.values():
        paper = column.paper_value(paper_row)
        if paper is not None and not column.is_time:
            ours = column.estimate(trips)
            error = column.paper_standard_error(paper_row)
            error = ours.standard_deviation / paper_cases**0.5 if error is None else error
            error = (error**2 + (column.rounding / 12**0.5) ** 2) ** 0.5
            found.append(PaperComparison(name, column.title, paper, error, ours))
    return found


def show_times(report: Report, trips: TripsByRow, paper_rows: Mapping[str, PaperRow], columns: Columns) -> None:
    """Times beside the paper's: those are of another machine, so there is no verdict.

    >>> columns = columns_by_name(Column("time", "µs a search", mean_of("search_ns", NS_TO_US), time=True))
    >>> into = Report("Mazes")
    >>> show_times(into, {"RTAA* 9": pl.DataFrame({"search_ns": [4000, 6000]})}, {"RTAA* 9": {"time": "50"}}, columns)
    >>> print(into.lines[2])
    | RTAA* 9 | µs a search | 50.0 | 5.00 | 1.00 | 10.0 |
    """
    titles = ["", "measure", "paper", "ours", "standard error", "paper / ours"]
    lines: list[list[Any]] = []
    for name in trips:
        for column in columns.values():
            paper = column.paper_value(paper_rows.get(name, {}))
            if paper is not None and column.is_time:
                ours = column.estimate(trips[name])
                lines.append([name, column.title, paper, ours.value, ours.standard_error, paper / ours.value])
    if lines:
        report.table(titles, lines)
