"""A queue of the user's, in plain Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import replan
from edits import limited
from examples import examples
from lockstep import GraphTerrain, GridTerrain, graph_trips, grid_trips
from replan.queues.factory import make_open_list
from replan.queues.order import Order
from sorted_queue import SortedQueue, Stacks
from strategies import ORDERS, kinds_for, names

QUEUED = [s for s in replan.planners() if "queue" in s.options]
# AD* lays its queue out anew in the order in which it finds the states there: see tests/search/test_incremental.py
SAME = [s for s in QUEUED if s.slug != "ad"]
same = pytest.mark.parametrize("spec", SAME, ids=names(SAME))


def figures(world: replan.World, spec: Any, start: Any, goals: set[Any], options: dict[str, Any]) -> Any:
    planner = replan.planner(spec.slug, **options)
    goal = set(goals) if len(goals) > 1 else next(iter(goals))
    trip = replan.simulate(world, planner, start, goal, max_moves=200)
    return trip.path, trip.why, trip.episode_expansions, trip.h_increase, planner.key_updates


def options_of(spec: Any, order: dict[str, Any], lookahead: int) -> dict[str, Any]:
    asked = {**order, "lookahead": lookahead}
    return {name: value for name, value in asked.items() if name in spec.options}


@same
@examples(25)
@given(data=st.data(), order=st.sampled_from(ORDERS), lookahead=st.sampled_from([1, 4, 9]))
def test_a_sorted_list_gives_the_trips_of_the_heap(spec, data, order, lookahead):
    case, start, goals = data.draw(grid_trips(largest=6, **kinds_for(spec)))
    options = options_of(spec, order, lookahead)
    found = [
        figures(GridTerrain(case).world(), spec, start, goals, {**options, "queue": queue})
        for queue in ("heap", SortedQueue)
    ]
    assert found[0] == found[1]


@pytest.mark.parametrize("spec", [s for s in SAME if not s.needs_unit_costs], ids=lambda s: s.slug)
@examples(10)
@given(data=st.data(), order=st.sampled_from(ORDERS))
def test_on_graphs_too(spec, data, order):
    case, blocked, start, goals = data.draw(graph_trips())
    options = options_of(spec, order, 4)
    found = [
        figures(GraphTerrain(case, blocked).world(), spec, start, goals, {**options, "queue": queue})
        for queue in ("heap", SortedQueue)
    ]
    assert found[0] == found[1]


@pytest.mark.parametrize("name", ["Repeated Forward A*", "Repeated Backward A*", "RTAA*", "LSS-LRTA*", "daRTAA*"])
@examples(25)
@given(trip=grid_trips(largest=6))
def test_stacks_by_f_give_the_trips_of_buckets(name, trip):
    case, start, goals = trip
    (spec,) = (s for s in QUEUED if s.name == name)
    found = [figures(GridTerrain(case).world(), spec, start, goals, {"queue": queue}) for queue in ("buckets", Stacks)]
    assert found[0] == found[1]


def test_a_planner_with_it_serves_trip_after_trip():
    grid = replan.Grid(replan.maze(11, 11, openings=8, seed=3), neighbors=4)
    planner = replan.planner("RTAA*", lookahead=4, queue=SortedQueue)
    trips = [replan.simulate(replan.World(grid), planner, (0, 0), (10, 10)) for _ in range(2)]
    assert trips[0].path == trips[1].path and trips[0].reached
    assert trips[0].percolations == 0
    assert "SortedQueue: smaller f, larger g, first-in" in repr(planner)


def test_lpa_takes_it_too():
    grid = replan.Grid(np.zeros((5, 5), bool), neighbors=4)
    query = replan.LPAStar(grid, (0, 0), (0, 4), queue=SortedQueue)
    assert len(query.path()) == 5
    query.notify([(0, 2), (1, 2)], blocked=[True, True])
    assert len(query.path()) == 9


# What is wrong.


def walk(queue: Any, name: str = "Repeated Forward A*", **options: Any) -> replan.Trip:
    grid = replan.Grid(replan.maze(7, 7, openings=9, seed=3), neighbors=4)
    with limited():
        return replan.simulate(
            replan.World(grid), replan.planner(name, queue=queue, **options), (0, 0), (6, 6), max_moves=300
        )


@pytest.mark.parametrize("said", [None, -1, 10**6, 1 << 70, 1.5, "first", (3,)])
@pytest.mark.parametrize("name", ["Repeated Forward A*", "D* Lite", "RTAA*", "daLSS-LRTA*"])
def test_a_first_that_is_not_inside_is_named(name, said):
    class Liar(SortedQueue):
        def first(self) -> Any:
            return said

    with pytest.raises(ValueError, match=r"Liar\.first\(\) returned .*, which is not inside"):
        walk(Liar, name)


def test_a_state_that_was_removed_is_not_inside():
    class Forgets(SortedQueue):
        def remove(self, state: int) -> None:
            pass

        def push(self, state: int, f: int, g: int) -> None:
            self.entries[state] = (f, g, 0)

    with pytest.raises(ValueError, match=r"Forgets\.first\(\) returned \d+, which is not inside"):
        walk(Forgets)


def test_a_queue_that_loses_states_is_named():
    class Loses(SortedQueue):
        def push(self, state: int, f: int, g: int) -> None:
            if state % 7:
                super().push(state, f, g)

        def remove(self, state: int) -> None:
            self.entries.pop(state, None)

    with pytest.raises(ValueError, match=r"Loses\.first\(\) returned None, which is not inside"):
        walk(Loses)


@pytest.mark.parametrize("method", ["push", "remove", "first", "clear"])
def test_a_method_that_is_missing_is_named(method):
    class Half(SortedQueue):
        pass

    setattr(Half, method, getattr(replan.Queue, method))
    with pytest.raises(NotImplementedError, match=rf"Half is a queue without {method}\(\)"):
        walk(Half)


@pytest.mark.parametrize("method", ["push", "remove", "first", "clear"])
def test_errors_of_a_method_come_out_and_the_planner_can_be_used_again(method):
    broken = [False]

    class Moody(SortedQueue):
        pass

    def moody(self: Any, *arguments: Any) -> Any:
        if broken[0]:
            raise ZeroDivisionError("mine")
        return getattr(SortedQueue, method)(self, *arguments)

    setattr(Moody, method, moody)
    grid = replan.Grid(np.zeros((4, 4), bool))
    planner = replan.planner("Repeated Forward A*", queue=Moody)
    agent = replan.Agent(planner, grid, (0, 0), (3, 3))
    broken[0] = True
    with pytest.raises(ZeroDivisionError, match="mine"):
        agent.plan()
    broken[0] = False
    assert agent.plan() == [(1, 1), (2, 2), (3, 3)]
    assert replan.simulate(grid, planner, (0, 0), (3, 3)).moves == 3


@pytest.mark.parametrize("spec", QUEUED, ids=lambda s: s.slug)
def test_a_wrong_order_breaks_nothing_but_optimality(spec):
    """Last in first out, whatever f says: every trip ends, and leads over free cells.

    Moving-Target D* Lite, whose tree hangs on what it has expanded before, may say instead that it found a circle.
    """

    class Stack(SortedQueue):
        def rank(self, f: int, g: int) -> tuple[int, int, int]:
            return (0, 0, -self.age)

    try:
        trip = walk(Stack, spec.slug)
    except replan.InputError as error:
        assert spec.slug == "moving-target-d-star-lite" and "or the queue does not order its states" in str(error)
        return
    grid = replan.Grid(replan.maze(7, 7, openings=9, seed=3), neighbors=4)
    assert trip.path[0] == (0, 0) and not any(grid.blocked[cell] for cell in trip.path)
    assert trip.reached == (trip.path[-1] == (6, 6))


def test_a_queue_cannot_call_the_planner_that_it_serves():
    planners: list[Any] = []

    class Nosy(SortedQueue):
        def push(self, state: int, f: int, g: int) -> None:
            planners[0].plan(state, None)

    planners.append(replan.planner("Repeated Forward A*", queue=Nosy))
    grid = replan.Grid(np.zeros((4, 4), bool))
    with pytest.raises(RuntimeError, match="is in the middle of a search"):
        replan.simulate(grid, planners[0], (0, 0), (3, 3))


@pytest.mark.parametrize("given_as", [SortedQueue(Order()), dict, replan.Grid, "stack", None, 3])
def test_what_is_no_queue_is_refused(given_as):
    with pytest.raises(replan.InputError, match=r"queue is one of 'heap', .*, or a class derived from replan\.Queue"):
        make_open_list(given_as, Order())
    with pytest.raises(replan.InputError, match="queue"):
        replan.planner("RTAA*", queue=given_as)
