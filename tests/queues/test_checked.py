"""The door to open lists for Python: whatever is not so is refused, and harms nothing."""

from __future__ import annotations

from typing import Any

import pytest

import replan
from replan.queues.base import BATCH, EMPTY, GOAL
from replan.queues.checked import CheckedQueue
from replan.queues.factory import QUEUES, make_open_list
from replan.queues.order import Order
from replan.queues.user_queue import UserQueueAdapter
from sorted_queue import SortedQueue

every = pytest.mark.parametrize("name", [*QUEUES, SortedQueue], ids=[*QUEUES, "own"])


def filled(name: Any) -> CheckedQueue:
    queue = CheckedQueue(make_open_list(name, Order()))
    queue.set_bounds(10, 100, 100, 64)
    queue.insert(3, 70, 5)
    queue.insert(4, 65, 5)
    return queue


WRONG = {
    "insert what is inside": lambda q: q.insert(3, 60, 5),
    "insert no state": lambda q: q.insert(10, 60, 5),
    "insert below all states": lambda q: q.insert(-1, 60, 5),
    "insert a huge number": lambda q: q.insert(10**12, 60, 5),
    "f too large": lambda q: q.insert(5, 101, 5),
    "f below 0": lambda q: q.insert(5, -1, 5),
    "g too large": lambda q: q.insert(5, 60, 101),
    "g below 0": lambda q: q.insert(5, 60, -1),
    "decrease what is outside": lambda q: q.decrease(5, 60, 5),
    "decrease upwards": lambda q: q.decrease(3, 71, 5),
    "update what is outside": lambda q: q.update(5, 60, 5),
    "update no state": lambda q: q.update(10**12, 60, 5),
    "remove what is outside": lambda q: q.remove(5),
    "remove no state": lambda q: q.remove(-1),
    "take in upwards": lambda q: q.insert_batch([(3, 71, 5)]),
    "take in no state": lambda q: q.insert_batch([(10, 60, 5)]),
    "take in too many": lambda q: q.insert_batch([(5, 60, 5)] * (BATCH + 1)),
    "take out what is outside": lambda q: q.insert_batch_and_pop([(5, -1, 0)]),
    "exchange no state": lambda q: q.insert_batch_and_pop([(-1, 60, 5)]),
    "exchange too many": lambda q: q.insert_batch_and_pop([(5, 60, 5)] * (BATCH + 1)),
    "take in a state and none": lambda q: q.insert_batch([(5, 60, 5), (10, 60, 5)]),
    "exchange a state and none": lambda q: q.insert_batch_and_pop([(5, 60, 5), (10, 60, 5)]),
    "take out a state and one that is outside": lambda q: q.insert_batch_and_pop([(3, -1, 0), (5, -1, 0)]),
    "fit while in use": lambda q: q.set_bounds(20),
}


@every
@pytest.mark.parametrize("wrong", WRONG.values(), ids=list(WRONG))
def test_a_wrong_call_is_refused(name, wrong):
    queue = filled(name)
    with pytest.raises(replan.InputError):
        wrong(queue)
    assert queue.size == 2
    queue.insert(5, 80, 0)
    assert [queue.pop() for _ in range(4)] == [4, 3, 5, -1]


@every
def test_an_empty_queue(name):
    queue = filled(name)
    queue.clear()
    assert (queue.size, queue.top(), queue.pop(), queue.states(), queue.top_precedes(1 << 62, 0)) == (
        0,
        -1,
        -1,
        [],
        False,
    )
    with pytest.raises(replan.InputError, match="the queue is empty"):
        queue.top_f()
    queue.insert(3, 1, 1)
    assert (queue.top_f(), queue.insert_batch_and_pop([], 3), queue.pop(), queue.insert_batch_and_pop([], 3)) == (
        1,
        GOAL,
        3,
        EMPTY,
    )


@every
def test_a_queue_that_was_not_fitted_takes_nothing(name):
    queue = CheckedQueue(make_open_list(name, Order()))
    with pytest.raises(replan.InputError):
        queue.insert(0, 0, 0)
    for n in (0, -1, 1 << 24):
        with pytest.raises(replan.InputError, match="can be fitted to fewer than"):
            queue.set_bounds(n)
    assert queue.pop() == -1


def test_the_queue_of_a_planner_is_out_of_reach():
    """Whoever searches with it relies on what is inside."""
    planner = replan.planner("D* Lite")
    grid = replan.Grid([[0, 0, 0], [0, 0, 0]])
    replan.Agent(planner, grid, (0, 0), (1, 2))
    planner.advance(grid.state((0, 0)), replan.Expansions(1))
    assert planner.open.size > 0
    with pytest.raises(replan.InputError):
        CheckedQueue(planner.open)


@every
def test_a_queue_whose_init_has_not_run(name):
    """Not even after the part of `__init__` that all queues share: reading its arrays would crash."""
    made = type(make_open_list(name, Order()))
    unmade = made.__new__(made)
    if hasattr(unmade, "init_empty"):  # interpreted
        unmade.init_empty(Order())
    with pytest.raises(replan.InputError, match="not made yet"):
        CheckedQueue(unmade)
    if made is not UserQueueAdapter:
        with pytest.raises(replan.InputError, match="not made yet"):
            unmade.prefault()
