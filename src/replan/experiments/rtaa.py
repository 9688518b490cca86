"""Paper 000 (Koenig, Likhachev: Real-Time Adaptive A*, AAMAS 2006): Table 1, Figure 9 and the decision at its end.

The conventions that give its figures: 151 x 151 cells with the walls and without a border, any free cell as start and
goal, the four cells around the agent seen before the first search, a new search when the frontier state is reached
or the next step is seen blocked, larger g first and remaining ties at random.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from replan.experiments.decide import WORKED
from replan.experiments.experiment import Experiment, Scope, paper_table
from replan.experiments.mazes import maze_problems
from replan.experiments.own import Entry
from replan.experiments.report import Cell, Report
from replan.experiments.runs import Run, pairs
from replan.experiments.statistics import Mean, mean, ratio

MAZES = 2500
LOOKAHEADS = (1, 9, 17, 25, 33, 41, 49, 57, 65, 73, 81, 89, None)
CALLED = {"LRTA*": "LSS-LRTA*"}  # the paper's name and ours
PAPERS = tuple(
    Entry(n, {}) for n in ("RTAA*", "LSS-LRTA*", "D* Lite", "Repeated Forward A*", "Repeated Backward A*")
)
ROUNDED = 0.01 / 12**0.5  # the standard error of a figure printed with two digits


@dataclass(frozen=True)
class Column:
    """A column of the table: a mean over trips, or a total over a total."""

    letter: str
    name: str
    field: str
    part: str
    whole: str | None = None
    scale: float = 1.0
    time: bool = False

    @property
    def title(self) -> str:
        return f"({self.letter}) {self.name}"

    def of(self, trips: pl.DataFrame) -> Mean:
        part = trips[self.part].to_numpy() * self.scale
        return mean(part) if self.whole is None else ratio(part, trips[self.whole].to_numpy())


US = 1e-3
COLUMNS = (
    Column("b", "expansions", "expansions", "expansions"),
    Column("c", "episodes", "episodes", "episodes"),
    Column("d", "cost", "cost", "cost"),
    Column("e", "moves per episode", "moves_per_episode", "moves", "episodes"),
    Column("f", "search µs", "search_us", "search_ns", scale=US, time=True),
    Column("g", "µs per episode", "us_per_episode", "search_ns", "episodes", US, time=True),
    Column("h", "µs per move", "us_per_move", "search_ns", "moves", US, time=True),
    Column("i", "h-increase per update", "h_increase_per_update", "h_increase", "expansions"),
)


def rows(entries: tuple[Entry, ...]) -> list[tuple[Entry, int | None]]:
    """The rows of the table: each planner with each lookahead if it keeps one and the user gave none."""
    found: list[tuple[Entry, int | None]] = []
    for entry in entries:
        many = entry.takes("lookahead") and not {"lookahead", "deadline"} & entry.options.keys()
        found += [(entry, k) for k in LOOKAHEADS] if many else [(entry, entry.options.get("lookahead"))]
    return found


def row_name(planner: str, lookahead: int | None, bounded: bool) -> str:
    return f"{planner} {'∞' if lookahead is None else lookahead}" if bounded else planner


def make_run(entry: Entry, lookahead: int | None, problem: object) -> Run:
    options = entry.with_options(ties="random", lookahead=lookahead)
    bounded = entry.takes("lookahead")
    tags = {"row": row_name(entry.name, lookahead, bounded), "lookahead": lookahead, "bounded": bounded}
    return Run(entry.name, pairs(**options), problem, tags)  # type: ignore[arg-type]


def runs(scope: Scope) -> Iterator[Run]:
    wanted = rows(scope.planners or PAPERS)
    if not scope.planners:
        wanted += [(Entry(CALLED.get(w.planner, w.planner), {}), w.lookahead) for w in WORKED]
    for problem in maze_problems(scope.sample):
        for entry, lookahead in wanted:
            yield make_run(entry, lookahead, problem)


def paper_rows() -> dict[str, dict[str, str]]:
    """The paper's rows by our names for them."""
    found = {}
    for given in paper_table("rtaa_table1.csv"):
        text = given["lookahead"]
        lookahead = None if text in ("inf", "") else int(text)
        found[row_name(CALLED.get(given["planner"], given["planner"]), lookahead, text != "")] = given
    return found


def cells(trips: pl.DataFrame, given: dict[str, str], name: str) -> list[Cell]:
    """A row beside the paper's."""
    found = []
    for column in COLUMNS:
        if not given[column.field] or column.time:
            continue
        ours = column.of(trips)
        error = float(given.get(f"{column.field}_sem") or ours.spread / MAZES**0.5)
        digits = ROUNDED if column.whole else 0.0
        found.append(Cell(name, column.title, float(given[column.field]), (error**2 + digits**2) ** 0.5, ours))
    return found


def report(frame: pl.DataFrame, scope: Scope, into: Report) -> None:
    by_row = {str(name): trips for (name,), trips in frame.group_by("row", maintain_order=True)}
    into.text(f"Means over {frame['problem'].n_unique():,} mazes; the paper has {MAZES:,}.")
    into.heading("Table 1")
    into.table(
        ["planner and lookahead (a)", *(column.title for column in COLUMNS)],
        [[name, *(column.of(trips).value for column in COLUMNS)] for name, trips in by_row.items()],
    )
    given = paper_rows()
    into.heading("Table 1 beside the paper's")
    into.compare([c for name, trips in by_row.items() if name in given for c in cells(trips, given[name], name)])


EXPERIMENT = Experiment("rtaa", "Real-Time Adaptive A* (paper 000)", 40, MAZES, runs, report, counted="mazes")
