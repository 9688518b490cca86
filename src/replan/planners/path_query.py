"""find_path(): a path on a map that is known, without an agent that walks it.

The arrays of a search are as large as the map, and making them costs more than most searches. So the planner of a call
stays with the space, and the next call there takes it up again. While it searches it belongs to that call alone:
threads share nothing, nor does a search that is started from inside another one. Every call begins anew, on the
map as it then is. A planner that waits knows nothing of the space that keeps it, and is gone as soon as that is. Only
those of small maps stay: a program that makes a new map for every path, of one size, makes the arrays once.
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

MAX_SPACE_KINDS = 4  # of planners that a space keeps
SMALL_SPACE = 1 << 16  # states: the planners of such a space, with 3 MB or less each, wait for any that has as many
MAX_SHARED_KINDS = 8  # kinds of those
shared_planners: dict[Any, list[Planner]] = {}
CACHEABLE_TYPES = (str, int, float, type(None))  # options that are likely to come again


def find_path(space: Space, start: Any, goal: Any, planner: Planner | str = "A*", **options: Any) -> PathResult | None:
    """A path from start to goal, or None if there is none. With A*, the default, it is a cheapest one.

    space: a Grid, a Graph or a Space of your own, as it is now. start, goal: cells (nodes of a graph); the goal may be
    a set, list or array of them, of which the path leads to one. planner: the name of one that searches all the way
    ("A*", "Weighted A*", "BFS", "D* Lite", "ARA*", ...) with its options, as `replan.planner` takes them, or a planner
    that you made. If nothing is said of the queue, it is the quicker one for the costs of this space.

    The first search of a space makes arrays, which later ones use again and which go when the space goes (those of a
    small map stay for the next one of its size). Any number of threads may search at once. A blocked start or goal has
    no path: None. (From a cell to itself there is always one.)

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
    at, goals = key_to_state(space, start), Goals.from_keys(space, goal)
    if isinstance(planner, Planner):
        if options:
            raise InputError(f"give {', '.join(options)} when you make the planner: find_path takes yours as it is")
        return search_path(planner, space, goals, at)
    kept, finder = _take_idle(space, planner, options)
    found = search_path(finder, space, goals, at)
    return_planner(finder, kept)  # not after an error: nobody knows what that has left
    return found


def _take_idle(space: Space, name: Any, options: dict[str, Any]) -> tuple[list[Planner], Planner]:
    """A planner that nobody uses now, and the list that it waits in otherwise."""
    if not isinstance(name, str):
        raise InputError(f"a planner is the name of one, or made by replan.planner(...), not {name!r}")
    small = space.max_edge_round_trip <= MAX_BUCKET_SPAN
    for value in options.values():
        if not isinstance(value, CACHEABLE_TYPES):  # an array or a function, say
            return [], _make_planner(name, options, small)
    kept = _idle_planners(space, (name, small, *options.items()))
    try:
        return kept, kept.pop()
    except IndexError:  # this is the first call, or others are searching
        return kept, _make_planner(name, options, small)


def _idle_planners(space: Space, kind: tuple[Any, ...]) -> list[Planner]:
    """Where planners of this kind wait."""
    lists, most, key = space.idle_planners, MAX_SPACE_KINDS, kind
    if space.n <= SMALL_SPACE:
        lists, most, key = shared_planners, MAX_SHARED_KINDS, (space.n, *kind)
    kept = lists.get(key)
    if kept is None:
        for old in list(lists)[: max(0, len(lists) + 1 - most)]:
            lists.pop(old, None)
        kept = lists.setdefault(key, [])
    return kept


def _make_planner(name: str, options: dict[str, Any], small: bool) -> Planner:
    """A planner with the given options, and with others than usual where they suit a map that is known."""
    spec = find_spec(name)
    usual = {}
    if "when_unreachable" in spec.options:
        usual["when_unreachable"] = "report"  # there is nothing to wait for
    if small and spec.is_optimal and "queue" in spec.options and not options.keys() & {"prefer", "ties", "seed"}:
        usual["queue"] = "buckets"
    return make(name, **{**usual, **options})


def search_path(planner: Planner, space: Space, goals: Goals, at: int) -> PathResult | None:
    trip = start_trip(planner, space, goals)
    planner.warm_up()
    if goals.is_goal(at):
        return PathResult([space.key(at)], 0.0, 0)
    cells: list[Any] = [space.unchecked_key(at)]
    cost, s = 0.0, at
    while not goals.is_goal(s):
        status = run_episode_nogil(planner, s)
        if planner.trip_number != trip:
            raise RuntimeError("the planner has been given to somebody else during the search: make one for each")
        if status == UNREACHABLE:
            return None
        if status == WAITING or (status == PARTIAL and not planner.runs_to_completion):
            _raise_partial(planner)
        planner.planned_path.follow(INF)
        s = planner.planned_path.states[0]  # the goal, but for a planner that hands over its path in pieces
        cost += planner.planned_path.cost(space)
        cells += planner.planned_path.keys(space)
    return PathResult(cells, cost, planner.expansions)


def run_episode_nogil(planner: Planner, s: int) -> int:
    """One episode, without Python's lock: other threads run meanwhile."""
    whole, limit, time_ns, status = False, planner.expansion_limit, planner.time_limit_ns, UNREACHABLE
    planner.begin_search()
    try:
        with cython.nogil:
            status = planner.run_episode(s, limit, deadline_in(time_ns))
        whole = True
    finally:
        planner.end_search(whole)
    return status


def return_planner(finder: Planner, kept: list[Planner]) -> None:
    if finder.release_space():
        kept.append(finder)


def _raise_partial(planner: Planner) -> None:
    spec = getattr(planner, "spec", None)
    name = type(planner).__name__ if spec is None else spec.name
    raise InputError(
        f"{name} has found only the beginning of a path: find_path needs a planner that searches all the way, such as "
        "'A*' (or lookahead=None); let a replan.Agent walk with this one"
    )
