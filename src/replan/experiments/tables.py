"""Tables with a row for each planner and lookahead: their runs, their columns, and the figures of the paper."""

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
    """A column of a table.

    Parameters
    ----------
    name
        Name in the code. It is also the name of the column in the file of the paper's figures.
    title
        Text above the column.
    estimate
        Function that computes the figure from the runs of a row.
    rounding
        Last digit that the paper prints, such as 0.1.
    is_time
        True: the figure depends on the machine, so the paper's figure is shown without a verdict.

    Examples
    --------
    >>> column = Column("cost", "mean cost", mean_of("cost"), rounding=0.1)
    >>> column.estimate(pl.DataFrame({"cost": [10, 20]})).value, column.paper_value({"cost": "15.3"})
    (15.0, 15.3)
    """

    name: str
    title: str
    estimate: Statistic
    rounding: float = 0.0
    is_time: bool = False

    def paper_value(self, row: PaperRow) -> float | None:
        """Figure of the paper.

        Parameters
        ----------
        row
            Row of the paper, by names of columns.

        Returns
        -------
        float or None
            The figure; None if the paper has none.
        """
        text = row.get(self.name)
        return float(text) if text else None

    def paper_standard_error(self, row: PaperRow) -> float | None:
        """Standard error of the paper's figure, from its standard error or its 95 % interval.

        Parameters
        ----------
        row
            Row of the paper, by names of columns.

        Returns
        -------
        float or None
            The standard error; None if the paper gives neither.

        Examples
        --------
        >>> column = Column("cost", "mean cost", mean_of("cost"))
        >>> row = {"cost": "15.3", "cost_sem": "0.2"}
        >>> column.paper_standard_error(row), column.paper_standard_error({"cost": "15.3"})
        (0.2, None)
        """
        error, interval = row.get(f"{self.name}_sem"), row.get(f"{self.name}_ci95")
        return float(error) if error else float(interval) / Z95 if interval else None


Columns = Mapping[str, Column]


def columns_by_name(*columns: Column) -> Columns:
    """Index columns by their names.

    Parameters
    ----------
    *columns
        The columns, in their order.

    Returns
    -------
    dict
        The columns by name.

    Raises
    ------
    ValueError
        If two columns have the same name.

    Examples
    --------
    >>> list(columns_by_name(Column("cost", "mean cost", mean_of("cost")), Column("moves", "moves", mean_of("moves"))))
    ['cost', 'moves']
    """
    by_name = {column.name: column for column in columns}
    if len(by_name) < len(columns):
        raise ValueError("two columns have the same name")
    return by_name


def measured_values(trips: pl.DataFrame, *metrics: str) -> list[Array]:
    """Measured values of the trips that have all of them. Not all trips are timed.

    Parameters
    ----------
    trips
        Table with a row for each run.
    *metrics
        Names of columns.

    Returns
    -------
    list of ndarray
        An array for each metric.

    Examples
    --------
    >>> import polars as pl
    >>> trips = pl.DataFrame({"cost": [10.0, 20.0], "search_ns": [4000, None], "moves": [5, 10]})
    >>> measured_values(trips, "cost", "search_ns")
    [array([10.]), array([4000.])]
    """
    complete = trips.select(metrics).drop_nulls().cast(pl.Float64)
    return [complete[name].to_numpy() for name in metrics]


def mean_of(metric: str, scale: float = 1.0) -> Statistic:
    """Statistic: the mean of a metric.

    Parameters
    ----------
    metric
        Name of the measured column.
    scale
        Factor for each value, such as `NS_TO_US`.

    Returns
    -------
    callable
        Function from a table of runs to an `Estimate`.

    Examples
    --------
    >>> import polars as pl
    >>> trips = pl.DataFrame({"cost": [10.0, 20.0], "search_ns": [4000, None], "moves": [5, 10]})
    >>> mean_of("cost")(trips).value, mean_of("search_ns", NS_TO_US)(trips).value
    (15.0, 4.0)
    """
    return lambda trips: mean(measured_values(trips, metric)[0] * scale)


def median_of(metric: str, scale: float = 1.0) -> Statistic:
    """Statistic: the median of a metric.

    Parameters
    ----------
    metric
        Name of the measured column.
    scale
        Factor for each value, such as `NS_TO_US`.

    Returns
    -------
    callable
        Function from a table of runs to an `Estimate`.

    Examples
    --------
    >>> import polars as pl
    >>> trips = pl.DataFrame({"cost": [10.0, 20.0], "search_ns": [4000, None], "moves": [5, 10]})
    >>> median_of("cost")(trips).value
    15.0
    """
    return lambda trips: median(measured_values(trips, metric)[0] * scale)


def total_ratio(numerator: str, denominator: str, scale: float = 1.0) -> Statistic:
    """Statistic: the sum of one metric over the sum of another.

    Parameters
    ----------
    numerator
        Name of the first column.
    denominator
        Name of the second column.
    scale
        Factor for each value, such as `NS_TO_US`.

    Returns
    -------
    callable
        Function from a table of runs to an `Estimate`.

    Examples
    --------
    >>> import polars as pl
    >>> trips = pl.DataFrame({"cost": [10.0, 20.0], "search_ns": [4000, None], "moves": [5, 10]})
    >>> total_ratio("cost", "moves")(trips).value
    2.0
    """

    def estimate(trips: pl.DataFrame) -> Estimate:
        numerators, denominators = measured_values(trips, numerator, denominator)
        return ratio_of_totals(numerators * scale, denominators)

    return estimate


def mean_ratio(numerator: str, denominator: str) -> Statistic:
    """Statistic: the mean of the ratios of two metrics, trip by trip.

    Parameters
    ----------
    numerator
        Name of the first column.
    denominator
        Name of the second column.

    Returns
    -------
    callable
        Function from a table of runs to an `Estimate`.

    Examples
    --------
    >>> import polars as pl
    >>> trips = pl.DataFrame({"cost": [10.0, 20.0], "search_ns": [4000, None], "moves": [5, 10]})
    >>> mean_ratio("cost", "moves")(trips).value
    2.0
    """

    def estimate(trips: pl.DataFrame) -> Estimate:
        numerators, denominators = measured_values(trips.filter(pl.col(denominator) > 0), numerator, denominator)
        return mean(numerators / denominators)

    return estimate


# Rows.


def table_rows(planners: Iterable[NamedPlanner], lookaheads: Sequence[int | None]) -> list[TableRow]:
    """Rows of a table: each planner with each lookahead.

    Parameters
    ----------
    planners
        The planners.
    lookaheads
        Lookaheads for the planners that have one and for which the user gave none.

    Returns
    -------
    list of tuple
        A planner and its lookahead for each row.

    Examples
    --------
    >>> planners = [NamedPlanner("RTAA*"), NamedPlanner("D* Lite")]
    >>> [(planner.name, lookahead) for planner, lookahead in table_rows(planners, (9, 33))]
    [('RTAA*', 9), ('RTAA*', 33), ('D* Lite', None)]
    """
    rows: list[TableRow] = []
    for planner in planners:
        takes_all = planner.uses_lookahead and "lookahead" not in planner.options
        rows += [(planner, k) for k in (lookaheads if takes_all else [planner.options.get("lookahead")])]
    return rows


def row_name(planner: str, lookahead: int | None, uses_lookahead: bool = True) -> str:
    """Name of a row of a table.

    Parameters
    ----------
    planner
        Name of the planner.
    lookahead
        Lookahead of the row; None for no limit.
    uses_lookahead
        False: the planner has no lookahead.

    Returns
    -------
    str
        The name.

    Examples
    --------
    >>> row_name("RTAA*", None), row_name("RTAA*", 9), row_name("D* Lite", None, uses_lookahead=False)
    ('RTAA* ∞', 'RTAA* 9', 'D* Lite')
    """
    return f"{planner} {'∞' if lookahead is None else lookahead}" if uses_lookahead else planner


def row_label(planner: NamedPlanner) -> str:
    """Label of a planner in a table, without its lookahead, which `row_name` adds.

    Parameters
    ----------
    planner
        The planner.

    Returns
    -------
    str
        The label.

    Examples
    --------
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
    """Yield the runs of a table: all rows on one problem after the other.

    An early end then leaves comparable figures.

    Parameters
    ----------
    rows
        The rows, as of `table_rows`.
    problems
        The problems.
    measure
        Function that measures a run.
    **options
        Options for each planner that knows them, unless the user chose otherwise.

    Yields
    ------
    Run
        The next run.

    Examples
    --------
    >>> from replan.experiments.mazes import maze_problems
    >>> rows = table_rows([NamedPlanner("RTAA*"), NamedPlanner("D* Lite")], (9,))
    >>> [(run.tags["row"], dict(run.options)) for run in row_runs(rows, maze_problems(1, 21), ties="random")]
    [('RTAA* 9', {'lookahead': 9, 'ties': 'random'}), ('D* Lite', {'ties': 'random'})]
    """
    prepared = []
    for planner, lookahead in rows:
        tags = {"row": row_name(row_label(planner), lookahead, planner.uses_lookahead), "lookahead": lookahead}
        limits = {"lookahead": lookahead} if planner.uses_lookahead else {}
        prepared.append((planner.name, make_options(**planner.with_options(**options, **limits)), tags))
    for problem in problems:
        for name, options_of_row, tags in prepared:
            yield Run(name, options_of_row, problem, tags, measure)


def trips_by_row(frame: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """Runs of each row, in the order of the rows.

    Parameters
    ----------
    frame
        Table with a row for each run.

    Returns
    -------
    dict
        A table of runs for each row, by its name.

    Examples
    --------
    >>> frame = pl.DataFrame({"row": ["RTAA* 9", "D* Lite", "RTAA* 9"], "cost": [10, 9, 20]})
    >>> {name: trips["cost"].to_list() for name, trips in trips_by_row(frame).items()}
    {'RTAA* 9': [10, 20], 'D* Lite': [9]}
    """
    return {str(name): trips for (name,), trips in frame.group_by("row", maintain_order=True)}


def rows_by_lookahead(planner: str, trips: TripsByRow, lookaheads: Iterable[int]) -> dict[int, pl.DataFrame]:
    """Runs of a planner by lookahead.

    Parameters
    ----------
    planner
        Label of the planner.
    trips
        Runs of each row, by its name.
    lookaheads
        Lookaheads to look for.

    Returns
    -------
    dict
        A table of runs for each lookahead that was run.

    Examples
    --------
    >>> trips = trips_by_row(pl.DataFrame({"row": ["RTAA* 9", "D* Lite", "RTAA* 33"], "cost": [10, 9, 8]}))
    >>> {k: row["cost"].to_list() for k, row in rows_by_lookahead("RTAA*", trips, (1, 9, 33)).items()}
    {9: [10], 33: [8]}
    """
    return {k: trips[row_name(planner, k)] for k in lookaheads if row_name(planner, k) in trips}


def costs_at_lookahead(lookahead: float, rows: Mapping[int, pl.DataFrame]) -> pl.DataFrame:
    """Cost of each problem at a lookahead, interpolated between those that were run.

    Parameters
    ----------
    lookahead
        Lookahead between the smallest and the largest of `rows`.
    rows
        Runs by lookahead.

    Returns
    -------
    DataFrame
        Columns problem and cost.

    Examples
    --------
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
    """Values of a metric in two rows, on the problems that both have. Times are in microseconds.

    Parameters
    ----------
    first
        Runs of the first row.
    second
        Runs of the second row.
    metric
        Name of the measured column.

    Returns
    -------
    tuple
        Values of the first row, and of the second.

    Examples
    --------
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
    """Sentence that says how the times of a report were taken.

    Parameters
    ----------
    frame
        Table with a row for each run.

    Returns
    -------
    str
        The sentence.

    Examples
    --------
    >>> timing_note(pl.DataFrame({"problem": [0, 1, 2], "rounds": [3, 0, 0]})).partition("), ")[2]
    'on the first 1 of 3 problems.'
    """
    timed, problems = (some["problem"].n_unique() for some in (frame.filter(pl.col("rounds") > 0), frame))
    if not timed:
        return "No times were taken."
    where = f"on all {problems:,} problems" if timed == problems else f"on the first {timed:,} of {problems:,} problems"
    return (
        f"Times are the best of {TIMING_REPEATS}, taken alternately (all planners on a problem in turn, and again), "
        f"{where}."
    )


# What a report shows.


def show_table(report: Report, row_title: str, trips: TripsByRow, columns: Columns) -> None:
    r"""Add our table to a report.

    Parameters
    ----------
    report
        The report.
    row_title
        Title above the names of the rows.
    trips
        Runs of each row, by its name.
    columns
        Columns by name.

    Examples
    --------
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
    """Trips of each row on the problems that all rows solved.

    A row without a solved problem is ignored. Otherwise a planner that gives up on hard problems would look good.

    Parameters
    ----------
    trips
        Runs of each row, by its name.

    Returns
    -------
    dict
        Runs of each row. All of them, if every trip arrived.

    Examples
    --------
    >>> both = pl.DataFrame({"problem": [0, 1], "cost": [9, 20], "reached": [1, 1]})
    >>> near = both.with_columns(reached=pl.Series([1, 0]))
    >>> common = trips_on_common_problems({"near": near, "both": both})
    >>> {name: row["cost"].to_list() for name, row in common.items()}
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


def compare_counts(
    name: str, trips: pl.DataFrame, paper_row: PaperRow, columns: Columns, paper_cases: int
) -> list[PaperComparison]:
    """Compare the counts of a row with those of the paper.

    Parameters
    ----------
    name
        Name of the row.
    trips
        Runs of the row.
    paper_row
        Row of the paper, by names of columns.
    columns
        Columns by name.
    paper_cases
        Number of cases in the paper, for errors that it does not give.

    Returns
    -------
    list of PaperComparison
        A comparison for each column that the paper has.

    Examples
    --------
    >>> columns = columns_by_name(Column("cost", "mean cost", mean_of("cost")))
    >>> trips = pl.DataFrame({"cost": [10.0, 12.0] * 50})
    >>> compared = compare_counts("RTAA* 9", trips, {"cost": "11.0"}, columns, 100)
    >>> [(c.paper_value, c.ours.value, c.verdict) for c in compared]
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
    """Add a table of times beside those of the paper. They are of another machine, so there is no verdict.

    Parameters
    ----------
    report
        The report.
    trips
        Runs of each row, by its name.
    paper_rows
        Rows of the paper, by their names.
    columns
        Columns by name.

    Examples
    --------
    >>> columns = columns_by_name(Column("time", "µs a search", mean_of("search_ns", NS_TO_US), is_time=True))
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
