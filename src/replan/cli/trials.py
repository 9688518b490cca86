"""Planners on problems: the figures of single trips and their means, and the tables that show them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rich import box
from rich.console import Console
from rich.table import Table

from replan import Grid, Trip, planner, simulate
from replan.worlds.problems import Problem

LARGE = 10_000
NARROW = 80  # a terminal of that width has no room to spare for long names
MOVES_A_CELL, MOST_MOVES = 100, 2_000_000  # where the user sets no limit


class Optimum:
    """The cost of shortest paths on a map that is known: A*."""

    def __init__(self, grid: Grid) -> None:
        self.grid, self.search = grid, planner("Repeated Forward A*")

    def cost(self, problem: Problem) -> float | None:
        """In steps; None if no way leads there. Raises InputError for cells that are blocked or outside."""
        trip = simulate(self.grid, self.search, problem.start, problem.goal)
        return trip.cost if trip.reached else None


def patience(grid: Grid, max_moves: int | None) -> int:
    """The most moves of a trip: what the user says, else more than a trip that gets anywhere needs.

    Without a limit, a planner that runs in circles, or one that cannot tell that there is no way, would go on for ever.
    """
    if max_moves is not None:
        return max_moves
    return min(MOVES_A_CELL * int((~grid.blocked).sum()), MOST_MOVES)


@dataclass(frozen=True)
class Trial:
    """The figures of one trip beside the cost of the shortest path. (A trip's path is long; means need none.)"""

    reached: bool
    cost: float
    optimal: float | None
    moves: int
    steps: int
    episodes: int
    expansions: int
    search_ns: int

    @classmethod
    def of(cls, trip: Trip, optimal: float | None) -> Trial:
        counts = trip.moves, trip.steps, trip.episodes, trip.expansions
        return cls(trip.reached, trip.cost, optimal, *counts, trip.search_ns)

    @property
    def ratio(self) -> float | None:
        """How many times the cost of the shortest path; None for a trip that did not arrive or had nowhere to go."""
        return self.cost / self.optimal if self.reached and self.optimal else None


@dataclass(frozen=True)
class Figures:
    """The means over some trips of a planner; cost and ratio over those that arrived."""

    planner: str
    trips: int
    reached: int
    cost: float | None
    ratio: float | None
    moves: float | None
    steps: float | None
    episodes: float | None
    expansions: float | None
    us_per_episode: float | None

    @classmethod
    def of(cls, label: str, trials: Sequence[Trial]) -> Figures:
        def mean(of: Callable[[Trial], float | None]) -> float | None:
            values = [value for value in map(of, trials) if value is not None]
            return sum(values) / len(values) if values else None

        episodes = sum(trial.episodes for trial in trials)
        return cls(
            planner=label,
            trips=len(trials),
            reached=sum(trial.reached for trial in trials),
            cost=mean(lambda trial: trial.cost if trial.reached else None),
            ratio=mean(lambda trial: trial.ratio),
            moves=mean(lambda trial: trial.moves),
            steps=mean(lambda trial: trial.steps),
            episodes=mean(lambda trial: trial.episodes),
            expansions=mean(lambda trial: trial.expansions),
            us_per_episode=sum(trial.search_ns for trial in trials) / episodes / 1000 if episodes else None,
        )


def figures_table(title: str, rows: Sequence[Figures], console: Console) -> Table:
    """A table of planners, as wide as the console."""
    micro = "us" if console.options.ascii_only else "µs"
    table = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, show_edge=False)
    table.padding, table.pad_edge = (0, 1 if console.width > NARROW else 0, 0, 0), False
    table.add_column("planner", overflow="fold")
    waits = any(row.steps != row.moves for row in rows)  # then time counts, not only the way
    counted = ("steps", "episodes", "expan-\nsions") if waits else ("episodes", "expansions")  # names fit 80 columns
    for name in ("reached", "cost", "cost /\noptimal", *counted):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column(f"{micro} per\nepisode", justify="right", no_wrap=True)
    single = all(row.trips == 1 for row in rows)
    for row in rows:
        reached = ("yes" if row.reached else "no") if single else f"{row.reached}/{row.trips}"
        counts = (*([row.steps] if waits else []), row.episodes, row.expansions)
        shown = (_figure(count, 0 if single else 1) for count in counts)
        costs = _figure(row.cost, 1), _figure(row.ratio, 2)
        table.add_row(row.planner, reached, *costs, *shown, _figure(row.us_per_episode, 1))
    return table


def left_out(planner: str, reason: str) -> str:
    """Why a planner is missing in a table."""
    return f"{planner} is left out: {reason.removeprefix(planner).lstrip()}"


def _figure(value: float | None, digits: int) -> str:
    """Large numbers need no digits behind the point."""
    return "-" if value is None else f"{value:,.{digits if value < LARGE else 0}f}"
