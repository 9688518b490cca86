"""Planners side by side on the same problems: `replan.compare`, and what the command of that name is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from replan.errors import InputError
from replan.experiments.planner_names import every_planner, parse_planner, parse_planners
from replan.experiments.rows import Rows
from replan.extras import need
from replan.planners.base import Planner
from replan.planners.registry import planner as make_planner
from replan.simulation.simulate import simulate
from replan.simulation.trip import FIGURES, Trip
from replan.spaces.grid import Grid
from replan.spaces.space import Space
from replan.worlds.problems import StartAndGoal, random_problems
from replan.worlds.world import World

MOVES_A_STATE, PATIENCE = 100, 2_000_000  # the most moves of a trip, where the user sets no limit
AVERAGED = ("cost", "ratio", *(name for name, figure in FIGURES.items() if figure.number and name != "cost"))

Trial = dict[str, float | None]  # the figures of one trip that are numbers
Step = Callable[[str], None]


def compare(
    world: World | Space,
    planners: Iterable[str | Planner] | Mapping[str, str | Planner] | str | None = None,
    problems: Iterable[Any] | int = 10,
    *,
    max_moves: int | None = None,
    intervals: bool = False,
    seed: int = 0,
    step: Step = lambda what: None,
) -> Rows:
    """Give several planners the same problems: a row for each planner, with the means of its trips.

    world: a World, or a Grid or Graph, which is then known. planners: names with options such as "rtaa:lookahead=9",
    your own as "mine.py:MyPlanner", or planners; a dict gives them names of your choice; None: every planner there is
    (`left_out` of the table says which cannot solve the problems). problems: pairs of start and goal, or how many to
    draw with `seed` on a grid; those without a solution are left out. max_moves: ends a trip; usually 100 for each
    state, but at most 2 million. step: is called with the planner's name before each trip.

    Columns: planner, trips, reached (how many arrived), then means: cost (of trips that arrived), ratio (cost over that
    of a cheapest path on the known map), all other figures of a Trip that are numbers, and us_per_episode
    (microseconds). intervals: also NAME_low and NAME_high, a bootstrap interval of 95 % for each mean (extra:
    experiments).

    >>> import replan
    >>> grid = replan.Grid(replan.maze(15, 15, seed=1), neighbors=4)
    >>> table = compare(replan.World(grid), ["RTAA*", "D* Lite"], problems=3)
    >>> [(row["planner"], row["reached"]) for row in table]
    [('RTAA* lookahead=9', 3), ('D* Lite', 3)]
    """
    place = world if isinstance(world, World) else World(world, sensor="everything", known="everything")
    made, listed = planners_by_label(planners), problem_list(place, problems, seed)
    contest = Contest(place, made, listed, patience(place.space, max_moves), strict=planners is not None)
    contest.play(step)
    return contest.rows(intervals)


class Contest:
    """A world with its problems, and the trials of each planner on them so far.

    strict: the user named the planners, so one that cannot do it is an error.
    """

    def __init__(
        self,
        world: World,
        planners: dict[str, Planner],
        problems: list[StartAndGoal],
        max_moves: int,
        strict: bool = True,
    ) -> None:
        self.world, self.planners, self.problems = world, planners, problems
        self.max_moves, self.strict = max_moves, strict
        self.optimal: list[float | None] = []  # of the problems so far; None: there is no way
        self.trials: dict[str, list[Trial]] = {label: [] for label in planners}
        self.left_out: dict[str, str] = {}

    def play(self, step: Step) -> None:
        """All planners on one problem after the other, so that an early end leaves comparable figures."""
        optimum = Optimum(self.world)
        for problem in self.problems:
            self.optimal.append(optimum.cost(problem))
            for label, planner in self.planners.items():
                step(label)
                if self.world.target is not None or self.optimal[-1] is not None:
                    self.try_out(label, planner, problem)

    def try_out(self, label: str, planner: Planner, problem: StartAndGoal) -> None:
        if label in self.left_out:
            return
        try:
            trip = simulate(self.world, planner, problem.start, problem.goal, self.max_moves, timing="episode")
        except InputError as error:
            if self.strict:
                raise
            self.left_out[label] = str(error)
        else:
            self.trials[label].append(figures(trip, self.optimal[-1]))

    def rows(self, intervals: bool = False) -> Rows:
        found = (means(label, trials, intervals) for label, trials in self.trials.items() if trials)
        return Rows(found, left_out=self.left_out)


class Optimum:
    """The cost of cheapest paths on the map as it is at first, were it known: A*."""

    def __init__(self, world: World) -> None:
        self.world, self.search = world, make_planner("Repeated Forward A*")

    def cost(self, problem: StartAndGoal) -> float | None:
        """In steps; None if no way leads there, or the goal moves. Raises InputError for cells blocked or outside."""
        if self.world.target is not None:
            return None
        trip = simulate(self.world.space, self.search, problem.start, problem.goal)
        return trip.cost if trip.reached else None


def patience(space: Space, max_moves: int | None) -> int:
    """The most moves of a trip: what the user says, else more than a trip that gets anywhere needs.

    Without a limit, a planner that runs in circles, or one that cannot tell that there is no way, would go on for ever.
    """
    if max_moves is not None:
        return max_moves
    states = int((~space.blocked).sum()) if isinstance(space, Grid) else space.n
    return min(MOVES_A_STATE * states, PATIENCE)


def figures(trip: Trip, optimal: float | None) -> Trial:
    """The figures of a trip that are numbers, and `ratio`: how many times the cost of a cheapest path.

    (A trip's path is long; means need none.) There is no ratio for a trip that did not arrive or had nowhere to go.
    """
    ratio = trip.cost / optimal if trip.reached and optimal else None
    return {**trip.numbers(), "reached": trip.reached, "ratio": ratio}


def means(label: str, trials: Sequence[Trial], intervals: bool = False) -> dict[str, Any]:
    """A row of the table."""
    row: dict[str, Any] = {"planner": label, "trips": len(trials), "reached": sum(map(bool, _of(trials, "reached")))}
    for name, values in _samples(trials).items():
        row[name] = float(np.mean(values)) if values else None
        if intervals:
            row[f"{name}_low"], row[f"{name}_high"] = _interval(values)
    return row


def _of(trials: Sequence[Trial], name: str) -> list[float]:
    return [value for trial in trials if (value := trial[name]) is not None]


def _samples(trials: Sequence[Trial]) -> dict[str, list[float]]:
    """For each mean the values that it is the mean of."""
    found = {name: _of(trials, name) for name in AVERAGED}
    found["cost"] = _of([trial for trial in trials if trial["reached"]], "cost")
    times, episodes = np.array(found["search_ns"]) / 1000, np.array(found["episodes"])
    found["us_per_episode"] = []
    if episodes.sum():
        total = times.sum() / episodes.sum()  # a ratio of totals, linearised: a trip of more episodes has more weight
        found["us_per_episode"] = (total + (times - total * episodes) / episodes.mean()).tolist()
    return found


def _interval(values: Sequence[float]) -> tuple[float | None, float | None]:
    need("scipy", extra="experiments", what="an interval")
    from replan.experiments.statistics import interval

    return interval(values) if len(values) > 1 else (None, None)


# What people hand in.


def planners_by_label(
    given: Iterable[str | Planner] | Mapping[str, str | Planner] | str | None,
) -> dict[str, Planner]:
    """Planners, each with the name that its row gets. Raises InputError."""
    if given is None:
        return {named.label: named.make() for named in every_planner()}
    if isinstance(given, str):
        return {named.label: named.make() for named in parse_planners(given)}
    if isinstance(given, Mapping):
        return {str(label): _made(one)[1] for label, one in given.items()}
    found: dict[str, Planner] = {}
    for label, made in map(_made, given):
        same = sum(other == label or other.startswith(f"{label} (") for other in found)
        found[f"{label} ({same + 1})" if same else label] = made
    return found


def _made(given: str | Planner) -> tuple[str, Planner]:
    if isinstance(given, Planner):
        spec = getattr(given, "spec", None)
        return (type(given).__name__ if spec is None else spec.name), given
    if not isinstance(given, str):
        raise InputError(f"a planner is a name such as 'rtaa:lookahead=9' or a replan.Planner, not {given!r}")
    named = parse_planner(given)
    return named.label, named.make()


def problem_list(world: World, given: Iterable[Any] | int, seed: int) -> list[StartAndGoal]:
    """Problems from pairs of start and goal, or drawn. Raises InputError."""
    if isinstance(given, int):
        if given < 1 or isinstance(given, bool) or not isinstance(world.space, Grid) or world.target is not None:
            raise InputError(
                f"problems are pairs of start and goal, or a number from 1 of problems to draw (on a grid, without a "
                f"moving target), not {given!r}"
            )
        return random_problems(world.space, given, seed)
    found = []
    for one in given:
        if not isinstance(one, StartAndGoal) and (not isinstance(one, (tuple, list)) or len(one) != 2):
            raise InputError(f"a problem is a pair of start and goal, such as ((0, 0), (7, 9)), not {one!r}")
        found.append(one if isinstance(one, StartAndGoal) else StartAndGoal(*one))
    return found
