"""`find_path`: a path on a known map, without an agent that walks it.

The arrays of a search are as large as the map, and making them costs more than most searches. So planners are cached:

- A space keeps the idle planners of earlier calls. The next call on that space takes one of them.
- A planner belongs to one call while it searches, so threads and nested searches share nothing.
- Every call begins a new trip, on the map as it is then.
- An idle planner does not refer to its space, and is freed with it. Planners of small maps are shared by all spaces
  of one size: a program that makes a new map for every path makes the arrays once.
"""

from __future__ import annotations

from typing import Any

from replan.clock import deadline_in
from replan.errors import InputError
from replan.limits import INF, PARTIAL, UNREACHABLE, WAITING
from replan.planners.base import Planner
from replan.planners.path_result import PathResult
from replan.planners.registry import find_spec
from replan.planners.registry import planner as make
from replan.planners.trip_start import start_trip
from replan.queues.factory import MAX_BUCKET_SPAN
from replan.spaces.goals import Goals
from replan.spaces.space import Space, key_to_state

try:
    import cython
except ImportError:
    from replan import _cython as cython

MAX_SPACE_KINDS = 4  # kinds of planners that a space keeps
SMALL_SPACE = 1 << 16  # states: planners of spaces up to this size (3 MB or less each) are shared by size
MAX_SHARED_KINDS = 8  # kinds of shared planners
shared_planners: dict[Any, list[Planner]] = {}
CACHEABLE_TYPES = (str, int, float, type(None))  # types of options that are likely to be used again


def find_path(space: Space, start: Any, goal: Any, planner: Planner | str = "A*", **options: Any) -> PathResult | None:
    """Find a path from start to goal. With A*, the default, it is a cheapest one.

    The first search of a space makes arrays that later searches use again. Any number of threads may search at once.

    Parameters
    ----------
    space
        A Grid, a Graph or a Space of your own, as it is now.
    start
        A cell (node of a graph).
    goal
        A cell, or a set, list or array of cells. The path leads to one of them.
    planner
        Name of a planner that searches all the way ("A*", "Weighted A*", "BFS", "D* Lite", "ARA*", ...), or a planner
        that you made.
    **options
        Options of the named planner, as `replan.planner` takes them. If no option concerns the queue, the faster one
        for the costs of this space is used.

    Returns
    -------
    PathResult or None
        The path; from a cell to itself it always exists. None if there is no path, or if the start or the goal is
        blocked.

    Raises
    ------
    InputError
        If a cell is not on the map, an option is wrong, or the planner does not search all the way.

    Examples
    --------
    >>> import numpy as np, replan
    >>> grid = replan.Grid(np.array([[0, 1, 0], [0, 1, 0], [0, 0, 0]], bool), neighbors=4)
    >>> path = replan.find_path(grid, (0, 0), (0, 2))
    >>> path.cells
    [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2)]
    >>> path.cost
    6.0
    >>> print(replan.find_path(grid, (0, 0), (0, 1)))
    None
    """
    agent_state, goals = key_to_state(space, start), Goals.from_keys(space, goal)
    if isinstance(planner, Planner):
        if options:
            raise InputError(f"give {', '.join(options)} when you make the planner: find_path takes yours as it is")
        return search_path(planner, space, goals, agent_state)
    idle_planners, cached_planner = _take_idle(space, planner, options)
    result = search_path(cached_planner, space, goals, agent_state)
    return_planner(cached_planner, idle_planners)  # not after an error: its state is unknown then
    return result


def _take_idle(space: Space, name: Any, options: dict[str, Any]) -> tuple[list[Planner], Planner]:
    """Return a planner for one call, and the list to which it returns afterwards."""
    if not isinstance(name, str):
        raise InputError(f"a planner is the name of one, or made by replan.planner(...), not {name!r}")
    has_small_costs = space.max_edge_round_trip <= MAX_BUCKET_SPAN
    for value in options.values():
        if not isinstance(value, CACHEABLE_TYPES):  # an array or a function, say
            return [], _make_planner(name, options, has_small_costs)
    idle_planners = _idle_planners(space, (name, has_small_costs, *options.items()))
    try:
        return idle_planners, idle_planners.pop()
    except IndexError:  # this is the first call, or other calls are searching
        return idle_planners, _make_planner(name, options, has_small_costs)


def _idle_planners(space: Space, kind: tuple[Any, ...]) -> list[Planner]:
    """Return the list of idle planners of this kind."""
    lists, max_kinds, key = space.idle_planners, MAX_SPACE_KINDS, kind
    if space.n <= SMALL_SPACE:
        lists, max_kinds, key = shared_planners, MAX_SHARED_KINDS, (space.n, *kind)
    idle_planners = lists.get(key)
    if idle_planners is None:
        for old in list(lists)[: max(0, len(lists) + 1 - max_kinds)]:
            lists.pop(old, None)
        idle_planners = lists.setdefault(key, [])
    return idle_planners


def _make_planner(name: str, options: dict[str, Any], has_small_costs: bool) -> Planner:
    """Make a planner with the given options, and defaults that suit a known map."""
    spec = find_spec(name)
    defaults = {}
    if "when_unreachable" in spec.options:
        defaults["when_unreachable"] = "report"  # there is nothing to wait for
    if (
        has_small_costs
        and spec.is_optimal
        and "queue" in spec.options
        and not options.keys() & {"prefer", "ties", "seed"}
    ):
        defaults["queue"] = "buckets"
    return make(name, **{**defaults, **options})


def search_path(planner: Planner, space: Space, goals: Goals, agent_state: int) -> PathResult | None:
    """Run a trip of the planner from agent_state to a goal, and return its path."""
    trip_number = start_trip(planner, space, goals)
    planner.warm_up()
    if goals.is_goal(agent_state):
        return PathResult([space.key(agent_state)], 0.0, 0)
    cells: list[Any] = [space.unchecked_key(agent_state)]
    cost, s = 0.0, agent_state
    while not goals.is_goal(s):
        status = run_episode_nogil(planner, s)
        if planner.trip_number != trip_number:
            raise RuntimeError("the planner was used elsewhere during the search: make one for each user")
        if status == UNREACHABLE:
            return None
        if status == WAITING or (status == PARTIAL and not planner.runs_to_completion):
            _raise_partial(planner)
        planner.planned_path.follow(INF)
        s = planner.planned_path.states[0]  # the goal, unless the planner returns its path in segments
        cost += planner.planned_path.cost(space)
        cells += planner.planned_path.keys(space)
    return PathResult(cells, cost, planner.expansions)


def run_episode_nogil(planner: Planner, s: int) -> int:
    """Run one episode without Python's lock (GIL), so that other threads run meanwhile."""
    is_complete, limit, time_ns, status = False, planner.expansion_limit, planner.time_limit_ns, UNREACHABLE
    planner.begin_search()
    try:
        with cython.nogil:
            status = planner.run_episode(s, limit, deadline_in(time_ns))
        is_complete = True
    finally:
        planner.end_search(is_complete)
    return status


def return_planner(planner: Planner, idle_planners: list[Planner]) -> None:
    """Put a planner back into its list of idle planners, unless it cannot release its space."""
    if planner.release_space():
        idle_planners.append(planner)


def _raise_partial(planner: Planner) -> None:
    """Raise InputError: the planner returned only a part of a path."""
    spec = getattr(planner, "spec", None)
    name = type(planner).__name__ if spec is None else spec.name
    raise InputError(
        f"{name} has found only the beginning of a path: find_path needs a planner that searches all the way, such as "
        "'A*' (or lookahead=None); let a replan.Agent walk with this one"
    )
