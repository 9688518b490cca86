"""Planners side by side on the same problems: `replan.compare`, and what the command of that name is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from numbers import Integral
from typing import Any

import numpy as np

from replan.errors import InputError
from replan.experiments.common_problems import solved_by_all
from replan.experiments.planner_names import all_planners, parse_planner, parse_planners
from replan.experiments.result_tables import ComparisonTable
from replan.extras import import_extra
from replan.planners.base import Planner
from replan.planners.registry import planner as make_planner
from replan.simulation.simulate import simulate
from replan.simulation.trip import METRICS, Trip
from replan.spaces.grid import Grid
from replan.spaces.space import Space
from replan.worlds.problems import StartAndGoal, random_problems
from replan.worlds.world import World

MAX_MOVES_PER_STATE, DEFAULT_MAX_MOVES = 100, 2_000_000  # the most moves of a trip, where the user sets no limit
AVERAGED_METRICS = ("cost", "ratio", *(name for name, figure in METRICS.items() if figure.is_number and name != "cost"))

COST_METRICS = ("cost", "ratio")  # compared on the problems that all solved

TripMetrics = dict[str, float | None]  # the figures of one trip that are numbers
ProgressCallback = Callable[[str], None]


def compare(
    world: World | Space | Iterable[World | Space] | Mapping[str, World | Space],
    planners: Iterable[str | Planner] | Mapping[str, str | Planner] | str | None = None,
    problems: Iterable[Any] | int | Mapping[str, Iterable[Any] | int] = 10,
    *,
    max_moves: int | None = None,
    intervals: bool = False,
    seed: int = 0,
    progress: ProgressCallback = lambda what: None,
) -> ComparisonTable:
    """Compare planners on the same problems.

    Parameters
    ----------
    world
        A World; or a Grid or Graph, which is then known; or several, as a list or as a dict with names.
    planners
        Names with options such as "rtaa:lookahead=9", your own as "mine.py:MyPlanner", or planners. A dict gives them
        other names. None: all planners.
    problems
        Pairs of start and goal, or the number of problems to draw on a grid. A dict gives each world its own. Problems
        without a solution are left out.
    max_moves
        Largest number of moves of a trip. None: 100 for each state, at most 2 million.
    intervals
        True: also NAME_low and NAME_high, a bootstrap interval of 95 % of each mean (extra: experiments). It assumes
        independent trips: many worlds with one problem each are better than the reverse.
    seed
        Seed of the drawn problems.
    progress
        Function that is called with the name of the planner before each trip.

    Returns
    -------
    ComparisonTable
        A row for each planner: planner, trips, reached (trips that arrived), compared (trips in the means of cost and
        ratio), then means: cost and ratio (to the cost of a cheapest path on the known map), both of the problems that
        all planners solved; the other numbers of a Trip, of all trips; us_per_episode (microseconds). `trips` has a
        row for each trip, and `left_out` names the planners that cannot solve the problems.

    Raises
    ------
    InputError
        If an argument is not possible.

    Notes
    -----
    All planners have the same problems in the same order, so the figures in `trips` can be paired. In print, a planner
    that did not always arrive is marked.

    Examples
    --------
    >>> import replan
    >>> grid = replan.Grid(replan.maze(15, 15, seed=1), neighbors=4)
    >>> table = compare(replan.World(grid), ["RTAA*", "D* Lite"], problems=3)
    >>> [(row["planner"], row["reached"]) for row in table]
    [('RTAA* lookahead=9', 3), ('D* Lite', 3)]
    >>> mazes = [replan.World(replan.Grid(replan.maze(15, 15, seed=n), neighbors=4)) for n in range(20)]
    >>> table = compare(mazes, ["RTAA*", "D* Lite"], problems=[((0, 0), (14, 14))])
    >>> [(row["planner"], row["trips"]) for row in table], len(table.trips)
    ([('RTAA* lookahead=9', 20), ('D* Lite', 20)], 40)
    """
    worlds, made = worlds_by_name(world), planners_by_label(planners)
    contests = []
    for name, given in problems_by_name(worlds, problems).items():
        with naming_world_in_errors(name, len(worlds) > 1):
            place = worlds[name]
            limit = resolve_max_moves(place.space, max_moves)
            contests.append(
                WorldComparison(name, place, made, resolve_problems(place, given, seed), limit, planners is not None)
            )
    for contest in contests:
        with naming_world_in_errors(contest.name, len(worlds) > 1):
            contest.run(progress)
    return comparison_table(contests, intervals)


class WorldComparison:
    """A world with its problems, and the trials of each planner on them so far.

    name: of the world. strict: the user named the planners, so one that cannot do it is an error.
    """

    def __init__(
        self,
        name: str | int,
        world: World,
        planners: dict[str, Planner],
        problems: list[StartAndGoal],
        max_moves: int,
        raises_errors: bool,
    ) -> None:
        self.name, self.world, self.planners, self.problems = name, world, planners, problems
        self.max_moves, self._raises_errors = max_moves, raises_errors
        self.optimal_costs: list[float | None] = []  # of the problems so far; None: there is no way
        self.metrics: dict[str, dict[int, TripMetrics]] = {label: {} for label in planners}  # by the problem's number
        self.left_out: dict[str, str] = {}

    def run(self, progress: ProgressCallback) -> None:
        """All planners on one problem after the other, so that an early end leaves comparable figures."""
        optimum = OptimalCostSearch(self.world)
        for problem in self.problems:
            self.optimal_costs.append(optimum.cost(problem))
            for label, planner in self.planners.items():
                progress(label)
                if self.world.target is not None or self.optimal_costs[-1] is not None:
                    self._run_trip(label, planner, problem)

    def _run_trip(self, label: str, planner: Planner, problem: StartAndGoal) -> None:
        if label in self.left_out:
            return
        try:
            trip = simulate(self.world, planner, problem.start, problem.goal, self.max_moves, timing="episode")
        except InputError as error:
            if self._raises_errors:
                raise
            self.left_out[label] = str(error)
        else:
            self.metrics[label][len(self.optimal_costs) - 1] = trip_metrics(trip, self.optimal_costs[-1])

    def trip_rows(self) -> Iterator[dict[str, Any]]:
        """A row for each trip, problem by problem."""
        for number, problem in enumerate(self.problems):
            for label, trials in self.metrics.items():
                if number in trials:
                    where = {"world": self.name, "problem": number, "start": problem.start, "goal": problem.goal}
                    yield {**where, "planner": label, **trials[number]}


def comparison_table(contests: Sequence[WorldComparison], intervals: bool = False) -> ComparisonTable:
    """A row for each planner, over all worlds. Who cannot do one of them is left out: other means are of other trips.

    All contests have the same planners.
    """
    left_out = {label: reason for contest in contests for label, reason in contest.left_out.items()}
    trials = {
        label: {(i, number): trial for i, c in enumerate(contests) for number, trial in c.metrics[label].items()}
        for label in contests[0].planners
        if label not in left_out
    }
    common = solved_by_all([key for key, trial in of_it.items() if trial["reached"]] for of_it in trials.values())
    found = (
        mean_row(label, [*of_it.values()], [of_it[key] for key in sorted(common) if of_it[key]["reached"]], intervals)
        for label, of_it in trials.items()
        if of_it
    )
    trips = (trip for contest in contests for trip in contest.trip_rows() if trip["planner"] not in left_out)
    return ComparisonTable(found, trips, left_out)


class OptimalCostSearch:
    """The cost of cheapest paths on the map as it is at first, were it known: A*."""

    def __init__(self, world: World) -> None:
        self._world, self._planner = world, make_planner("Repeated Forward A*")

    def cost(self, problem: StartAndGoal) -> float | None:
        """In steps; None if no way leads there, or the goal moves. Raises InputError for cells blocked or outside."""
        if self._world.target is not None:
            return None
        trip = simulate(self._world.space, self._planner, problem.start, problem.goal)
        return trip.cost if trip.reached else None


def resolve_max_moves(space: Space, max_moves: int | None) -> int:
    """The most moves of a trip: what the user says, else more than a trip that gets anywhere needs.

    Without a limit, a planner that runs in circles, or one that cannot tell that there is no way, would go on for ever.
    """
    if max_moves is not None:
        return max_moves
    return min(MAX_MOVES_PER_STATE * space.count_free_states(), DEFAULT_MAX_MOVES)


def trip_metrics(trip: Trip, optimal: float | None) -> TripMetrics:
    """The figures of a trip that are numbers, and `ratio`: how many times the cost of a cheapest path.

    (A trip's path is long; means need none.) There is no ratio for a trip that did not arrive or had nowhere to go.
    """
    ratio = trip.cost / optimal if trip.reached and optimal else None
    return {"reached": trip.reached, "ratio": ratio, **trip.numeric_metrics()}


def mean_row(
    label: str, trials: Sequence[TripMetrics], solved_trials: Sequence[TripMetrics], intervals: bool = False
) -> dict[str, Any]:
    """A row of the table. compared: those of the trials that cost and ratio are means of."""
    reached = sum(map(bool, _of(trials, "reached")))
    row: dict[str, Any] = {"planner": label, "trips": len(trials), "reached": reached, "compared": len(solved_trials)}
    for name, values in _samples(trials, solved_trials).items():
        row[name] = float(np.mean(values)) if values else None
        if intervals:
            row[f"{name}_low"], row[f"{name}_high"] = _interval(values)
    return row


def _of(trials: Sequence[TripMetrics], name: str) -> list[float]:
    return [value for trial in trials if (value := trial[name]) is not None]


def single_trip_row(label: str, trial: TripMetrics) -> dict[str, Any]:
    """A row for a single trip. It has a cost if it arrived."""
    return mean_row(label, [trial], [trial] if trial["reached"] else [])


def _samples(trials: Sequence[TripMetrics], compared: Sequence[TripMetrics]) -> dict[str, list[float]]:
    """For each mean the values that it is the mean of."""
    found = {name: _of(compared if name in COST_METRICS else trials, name) for name in AVERAGED_METRICS}
    times, episodes = np.array(found["search_ns"]) / 1000, np.array(found["episodes"])
    found["us_per_episode"] = []
    if episodes.sum():
        total = times.sum() / episodes.sum()  # a ratio of totals, linearised: a trip of more episodes has more weight
        found["us_per_episode"] = (total + (times - total * episodes) / episodes.mean()).tolist()
    return found


def _interval(values: Sequence[float]) -> tuple[float | None, float | None]:
    import_extra("scipy", extra="experiments", purpose="an interval")
    from replan.experiments.statistics import bootstrap_interval

    return bootstrap_interval(values) if len(values) > 1 else (None, None)


# What people hand in.


def worlds_by_name(given: Any) -> dict[Any, World]:
    """Worlds by their names, or by their numbers where they have none. Raises InputError."""
    found: dict[Any, World]
    if isinstance(given, Mapping):
        found = {str(name): _world(one) for name, one in given.items()}
        if len(found) < len(given):
            raise InputError("two worlds have the same name")
    elif isinstance(given, Iterable) and not isinstance(given, (World, Space, str, np.ndarray)):
        found = dict(enumerate(map(_world, given)))
    else:
        found = {0: _world(given)}
    if not found:
        raise InputError("there is no world to compare planners in: the list of worlds is empty")
    return found


def _world(given: Any) -> World:
    return given if isinstance(given, World) else World(given, sensor="everything", known="everything")


def problems_by_name(worlds: Mapping[Any, World], given: Any) -> dict[Any, Any]:
    """What was given for each world. Raises InputError for a dict that has other names than the worlds."""
    if not isinstance(given, Mapping):
        return dict.fromkeys(worlds, list(given) if isinstance(given, Iterator) else given)
    if given.keys() != worlds.keys():
        without = [name for name in worlds if name not in given] or [name for name in given if name not in worlds]
        raise InputError(
            f"a dict of problems has those of each world by its name; {without[0]!r} is not in both "
            f"(the worlds are {', '.join(map(repr, [*worlds][:5]))}{', ...' if len(worlds) > 5 else ''})"
        )
    return {name: given[name] for name in worlds}


@contextmanager
def naming_world_in_errors(world: str | int, several: bool) -> Iterator[None]:
    """Have errors say in which world, where there are several."""
    try:
        yield
    except InputError as error:
        if not several:
            raise
        raise InputError(f"in world {world!r}: {error}") from error


def planners_by_label(
    given: Iterable[str | Planner] | Mapping[str, str | Planner] | str | None,
) -> dict[str, Planner]:
    """Planners, each with the name that its row gets. Raises InputError."""
    if given is None:
        return {named.label: named.make() for named in all_planners()}
    if isinstance(given, str):
        return {named.label: named.make() for named in parse_planners(given)}
    if isinstance(given, Mapping):
        return {str(label): _label_and_planner(one)[1] for label, one in given.items()}
    found: dict[str, Planner] = {}
    for label, made in map(_label_and_planner, given):
        same = sum(other == label or other.startswith(f"{label} (") for other in found)
        found[f"{label} ({same + 1})" if same else label] = made
    return found


def _label_and_planner(given: str | Planner) -> tuple[str, Planner]:
    if isinstance(given, Planner):
        spec = getattr(given, "spec", None)
        return (type(given).__name__ if spec is None else spec.name), given
    if not isinstance(given, str):
        raise InputError(f"a planner is a name such as 'rtaa:lookahead=9' or a replan.Planner, not {given!r}")
    named = parse_planner(given)
    return named.label, named.make()


def resolve_problems(world: World, given: Iterable[Any] | int, seed: int) -> list[StartAndGoal]:
    """Problems from pairs of start and goal, or drawn. Raises InputError."""
    if isinstance(given, Integral):
        if given < 1 or isinstance(given, bool) or not isinstance(world.space, Grid) or world.target is not None:
            raise InputError(
                f"problems are pairs of start and goal, or a number from 1 of problems to draw (on a grid, without a "
                f"moving target), not {given!r}"
            )
        return random_problems(world.space, int(given), seed)
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise InputError(f"problems are pairs of start and goal, or a number of them to draw, not {given!r}")
    found = []
    for one in _pairs(given):
        if not isinstance(one, StartAndGoal) and (not isinstance(one, (tuple, list)) or len(one) != 2):
            raise InputError(f"a problem is a pair of start and goal, such as ((0, 0), (7, 9)), not {one!r}")
        found.append(one if isinstance(one, StartAndGoal) else StartAndGoal(*one))
    if not found:
        raise InputError("there are no problems: the list of starts and goals is empty")
    return found


def _pairs(given: Iterable[Any]) -> Iterable[Any]:
    """Of an array, n x 2 x 2, too, as starts and goals that are tuples."""
    if not isinstance(given, np.ndarray):
        return given
    if given.size and given.shape[1:] != (2, 2):
        raise InputError(f"an array of problems has the shape (n, 2, 2), start and goal of each, not {given.shape}")
    return [[tuple(cell) for cell in pair] for pair in given.tolist()]
