"""simulate(): one trip of one agent through a world."""

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
# what a trip tells: counts of the planner, those of them that people see in steps or not unless timed, and the rest
COUNTED_METRICS = [figure.name for figure in STORED_METRICS if figure.description.is_counted]
COUNTED_IN_STEPS = [figure.name for figure in STORED_METRICS if figure.description.is_counted and figure.description.unit == "steps"]
UNTIMED_VALUES = dict.fromkeys(figure.name for figure in STORED_METRICS if figure.description.is_counted and figure.description.unit == "ns")
METRIC_READERS = [(figure.name, figure.description.read_value) for figure in STORED_METRICS if figure.description.read_value is not None]


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
    """Let an agent walk from start to goal and report the trip.

    world: a World, or a Grid or Graph, which is then known. planner: a planner or the name of one. start, goal:
    cells; the goal may be a set, and is the target of the world where it has one. max_moves: the most moves and
    waits. timing: "trip" times the whole loop, "episode" each search. max_seconds: the longest that the trip may take
    to compute; a search that has begun is finished.

    trials: that many trips from the same start, as a list. What the agent has seen and learned lasts from one to the
    next. RTAA*, LSS-LRTA* and LRTA* then come to walk a cheapest path (RTAA* 2006, Theorem 4); their a and da forms
    need not.

    When no way is known the agent waits as long as the world has changes to come, and otherwise gives up.

    >>> import numpy as np, replan
    >>> maze = np.array([[0, 1, 0], [0, 1, 0], [0, 0, 0]], bool)
    >>> trip = simulate(replan.World(replan.Grid(maze, neighbors=4)), "Repeated Forward A*", (0, 0), (0, 2))
    >>> trip.why, trip.moves, trip.episodes
    ('reached', 6, 2)
    """
    world = as_world(world)
    check_options(timing, trials, max_moves, max_seconds)
    walk_anew = partial(make_runner, max_moves, timing, max_seconds)
    trips: Trip | list[Trip] = world._call_alone(lambda: _run_trips(world, planner, start, goal, walk_anew, trials))
    return trips


def _run_trips(
    world: World, planner: Planner | str, start: Any, goal: Any, walk_anew: Callable[[], TripRunner], trials: int | None
) -> Trip | list[Trip]:
    agent = make_agent(world, planner, start, goal)
    trips = []
    for trial in range(trials or 1):
        if trial > 0:
            restart_agent(world, agent, start)
        before = planner_counts(agent.planner)
        walk = walk_anew()
        walk.run(agent, world)
        trips.append(make_trip(walk, agent, world, before))
    return trips[0] if trials is None else trips


# What trips consist of, whether they are watched or not.


def as_world(given: Any) -> World:
    """A World, or that of a space which is known."""
    if isinstance(given, Space):
        return World(given, sensor="everything", known="everything")
    if not isinstance(given, World):
        raise InputError("a trip takes place in a World, a Grid or a Graph; of an array, make one: replan.Grid(...)")
    return given


def make_runner(max_moves: int | None, timing: str, max_seconds: float | None, recorder: Recorder | None = None) -> TripRunner:
    most = INF if max_moves is None else max_moves
    return TripRunner(most, timing == "episode", 0 if max_seconds is None else max(1, round(1e9 * max_seconds)), recorder)


def make_agent(world: World, planner: Planner | str, start: Any, goal: Any, has_own_spaces: bool = False) -> Agent:
    """An agent at the start of its trip. apart: truth and belief can be changed on the way."""
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
    """Another trial: the agent stands at the start again, with all that it has seen and learned."""
    world._rewind()
    agent.restart(start)
    if world.target is not None and not agent.goals._contains(world.target_state):
        agent.retarget(world.space.key(world.target_state))


def planner_counts(planner: Planner) -> dict[str, int]:
    return {name: planner.count_of(name) for name in COUNTED_METRICS}


def _is_int(value: object) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


def check_options(timing: str, trials: int | None, max_moves: int | None, max_seconds: float | None) -> None:
    if timing not in ("trip", "episode"):
        raise InputError(f"timing is 'trip' or 'episode', not {timing!r}")
    if trials is not None and (not _is_int(trials) or trials < 1):
        raise InputError(f"trials is a whole number from 1, not {trials!r}")
    if max_moves is not None and (not _is_int(max_moves) or not 0 <= max_moves <= INF):
        raise InputError(f"max_moves is a whole number from 0, or None for no limit, not {max_moves!r}")
    if max_seconds is not None and not (isinstance(max_seconds, Real) and 0 < max_seconds < MAX_SECONDS_LIMIT):
        raise InputError(f"max_seconds is a number above 0, or None for no limit, not {max_seconds!r}")


def _check_ends(world: World, start: Any, goal: Any) -> None:
    truth = world.truth
    at, goals = key_to_state(truth, start), Goals.from_keys(truth, goal)
    if truth.locations_are_states:
        if truth.get_value(at) == 0:
            raise InputError(f"the start {truth.key(at)} is blocked")
        states = list(goals.states)
        if all(truth.get_value(s) == 0 for s in states) and not world._may_become_free(states):
            raise InputError(f"the goal {goal} is blocked, and no change frees it")


def make_trip(walk: TripRunner, agent: Agent, world: World, before: dict[str, int]) -> Trip:
    planner, space, record = agent.planner, world.space, walk.arrays()
    spent: dict[str, Any] = {name: now - before[name] for name, now in planner_counts(planner).items()}
    for name in COUNTED_IN_STEPS:
        spent[name] /= space.units_per_step
    if not walk.is_timed:
        spent.update(UNTIMED_VALUES)
    return Trip(
        planner=planner.spec.name if planner.spec else type(planner).__name__,
        cost=space.display_cost(record["path"], record["paid"]),
        states=record["path"].copy(),
        space=space,
        **{name: read(walk, planner) for name, read in METRIC_READERS},
        **spent,
    )
