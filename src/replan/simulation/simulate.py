"""simulate(): trips of one agent through a world."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from numbers import Integral, Real
from typing import Any, overload

from replan.errors import InputError
from replan.limits import INF
from replan.planners.base import Planner
from replan.simulation.agent import Agent
from replan.simulation.recorder import Recorder
from replan.simulation.trip import STORED_METRICS, Trip
from replan.simulation.trip_runner import TripRunner
from replan.spaces.goals import Goals
from replan.spaces.space import Space, key_to_state
from replan.worlds.world import World

MAX_SECONDS_LIMIT = 1e9  # seconds
# metrics that the planner counts; of these, costs (a trip has them in steps) and times (None unless timed); the rest
COUNTED_METRICS = [metric.name for metric in STORED_METRICS if metric.description.is_counted]
COUNTED_IN_STEPS = [
    metric.name for metric in STORED_METRICS if metric.description.is_counted and metric.description.unit == "steps"
]
UNTIMED_VALUES = dict.fromkeys(
    metric.name for metric in STORED_METRICS if metric.description.is_counted and metric.description.unit == "ns"
)
METRIC_READERS = [
    (metric.name, metric.description.read_value)
    for metric in STORED_METRICS
    if metric.description.read_value is not None
]


@overload
def simulate(
    world: World | Space,
    planner: Planner | str,
    start: Any,
    goal: Any = ...,
    max_moves: int | None = ...,
    timing: str = ...,
    trials: None = ...,
    max_seconds: float | None = ...,
) -> Trip: ...


@overload
def simulate(
    world: World | Space,
    planner: Planner | str,
    start: Any,
    goal: Any = ...,
    max_moves: int | None = ...,
    timing: str = ...,
    *,
    trials: int,
    max_seconds: float | None = ...,
) -> list[Trip]: ...


def simulate(
    world: World | Space,
    planner: Planner | str,
    start: Any,
    goal: Any = None,
    max_moves: int | None = None,
    timing: str = "trip",
    trials: int | None = None,
    max_seconds: float | None = None,
) -> Trip | list[Trip]:
    """Let an agent walk from start to goal.

    Parameters
    ----------
    world
        A World, or a space: the agent then knows all of it.
    planner
        A planner, or the name of one.
    start
        The cell (node of a graph) on which the agent starts.
    goal
        A cell, or a set of cells: the agent goes to the nearest one. None if the world has a target: that is the goal.
    max_moves
        Limit of moves and waits together, from 0. None: no limit.
    timing
        "trip" measures the time of the whole loop, "episode" that of each search.
    trials
        Number of trips from the same start, from 1. What the agent has seen and learned lasts from one to the next.
        None: one trip, which is not returned as a list.
    max_seconds
        Time limit for computing a trip, in seconds, above 0. A search that has begun is finished. None: no limit.

    Returns
    -------
    Trip or list of Trip
        The trip; with `trials`, the list of all trips.

    Raises
    ------
    InputError
        If the start, the goal or an option is not possible.

    Notes
    -----
    If no path is known, the agent waits as long as the world may change, and otherwise gives up. Over many trials,
    RTAA*, LSS-LRTA* and LRTA* converge to a cheapest path (RTAA* 2006, Theorem 4). Their a and da forms need not.

    Examples
    --------
    >>> import numpy as np, replan
    >>> maze = np.array([[0, 1, 0], [0, 1, 0], [0, 0, 0]], bool)
    >>> trip = simulate(replan.World(replan.Grid(maze, neighbors=4)), "Repeated Forward A*", (0, 0), (0, 2))
    >>> trip.why, trip.moves, trip.episodes
    ('reached', 6, 2)
    """
    world = as_world(world)
    check_options(timing, trials, max_moves, max_seconds)
    new_runner = partial(make_runner, max_moves, timing, max_seconds)
    trips: Trip | list[Trip] = world._call_alone(lambda: _run_trips(world, planner, start, goal, new_runner, trials))
    return trips


def _run_trips(
    world: World,
    planner: Planner | str,
    start: Any,
    goal: Any,
    new_runner: Callable[[], TripRunner],
    trials: int | None,
) -> Trip | list[Trip]:
    """Run one trip, or several trials. The world is marked as busy."""
    agent = make_agent(world, planner, start, goal)
    trips = []
    for trial in range(trials or 1):
        if trial > 0:
            restart_agent(world, agent, start)
        counts_before = planner_counts(agent.planner)
        runner = new_runner()
        runner.run(agent, world)
        trips.append(make_trip(runner, agent, world, counts_before))
    return trips[0] if trials is None else trips


# The parts of a trip, for `simulate` and `watch`.


def as_world(terrain: Any) -> World:
    """Return the world, or a world in which the agent knows all of a space."""
    if isinstance(terrain, Space):
        return World(terrain, sensor="everything", known="everything")
    if not isinstance(terrain, World):
        raise InputError("a trip takes place in a World, a Grid or a Graph; of an array, make one: replan.Grid(...)")
    return terrain


def make_runner(
    max_moves: int | None, timing: str, max_seconds: float | None, recorder: Recorder | None = None
) -> TripRunner:
    """Return the runner of one trip, with the options of `simulate`."""
    max_ns = 0 if max_seconds is None else max(1, round(1e9 * max_seconds))
    return TripRunner(INF if max_moves is None else max_moves, timing == "episode", max_ns, recorder)


def make_agent(world: World, planner: Planner | str, start: Any, goal: Any, has_own_spaces: bool = False) -> Agent:
    """Return an agent at the start of its trip. has_own_spaces: truth and belief may be changed from outside."""
    belief = world._begin(has_own_spaces)
    if world.target is not None:
        if goal is not None:
            raise InputError("the goal is the target of this world: leave goal out")
        goal = world.space.key(world.target_state)
    elif goal is None:
        raise InputError("there is no goal: give a cell or a set of cells")
    _check_ends(world, start, goal)
    return Agent(planner, belief, start, goal)


def restart_agent(world: World, agent: Agent, start: Any) -> None:
    """Begin another trial: put the agent at the start. It keeps what it has seen and learned."""
    world._rewind()
    agent.restart(start)
    if world.target is not None and not agent.goals._contains(world.target_state):
        agent.retarget(world.space.key(world.target_state))


def planner_counts(planner: Planner) -> dict[str, int]:
    """Return the counts of the planner since it was made."""
    return {name: planner.count_of(name) for name in COUNTED_METRICS}


def _is_int(value: object) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


def check_options(timing: str, trials: int | None, max_moves: int | None, max_seconds: float | None) -> None:
    """Raise InputError if an option of `simulate` is not possible."""
    if timing not in ("trip", "episode"):
        raise InputError(f"timing is 'trip' or 'episode', not {timing!r}")
    if trials is not None and (not _is_int(trials) or trials < 1):
        raise InputError(f"trials is a whole number from 1, not {trials!r}")
    if max_moves is not None and (not _is_int(max_moves) or not 0 <= max_moves <= INF):
        raise InputError(f"max_moves is a whole number from 0, or None for no limit, not {max_moves!r}")
    if max_seconds is not None and not (isinstance(max_seconds, Real) and 0 < max_seconds < MAX_SECONDS_LIMIT):
        raise InputError(f"max_seconds is a number above 0, or None for no limit, not {max_seconds!r}")


def _check_ends(world: World, start: Any, goal: Any) -> None:
    """Raise InputError if the start is blocked, or all goals are and no change may free one."""
    truth = world.truth
    start_state, goals = key_to_state(truth, start), Goals.from_keys(truth, goal)
    if truth.locations_are_states:
        if truth.get_value(start_state) == 0:
            raise InputError(f"the start {truth.key(start_state)} is blocked")
        states = list(goals.states)
        if all(truth.get_value(s) == 0 for s in states) and not world._may_become_free(states):
            raise InputError(f"the goal {goal} is blocked, and no change frees it")


def make_trip(runner: TripRunner, agent: Agent, world: World, counts_before: dict[str, int]) -> Trip:
    """Return the record of a trip that has ended. counts_before: counts of the planner when it began."""
    planner, space, record = agent.planner, world.space, runner.arrays()
    counts: dict[str, Any] = {name: count - counts_before[name] for name, count in planner_counts(planner).items()}
    for name in COUNTED_IN_STEPS:
        counts[name] /= space.units_per_step
    if not runner.is_timed:
        counts.update(UNTIMED_VALUES)
    return Trip(
        planner=planner.spec.name if planner.spec else type(planner).__name__,
        cost=space.display_cost(record["path"], record["paid"]),
        states=record["path"].copy(),
        space=space,
        **{name: read(runner, planner) for name, read in METRIC_READERS},
        **counts,
    )
