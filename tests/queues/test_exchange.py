"""Taking in and popping in one call: as A* does it, and as incremental searches do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples import examples
from replan.limits import INF
from replan.queues.base import EMPTY, GOAL
from replan.queues.buckets import Buckets
from replan.queues.checked import CheckedQueue
from replan.queues.factory import make_open_list
from replan.queues.heap import BinaryHeap
from replan.queues.order import Order
from sorted_queue import SortedQueue

N = 12
state = st.integers(0, N - 1)
QUEUES = {
    "buckets": Buckets,
    "larger-g": lambda: BinaryHeap(Order("larger g")),
    "smaller-g": lambda: BinaryHeap(Order("smaller g", "last-in")),
    "random": lambda: BinaryHeap(Order("larger g", "random", 3)),
    "plain": lambda: BinaryHeap(Order("smaller g", "random", 3), inserts_all_first=True),
    "own": lambda: make_open_list(SortedQueue, Order("larger g", "last-in")),
    "own-smaller-g": lambda: make_open_list(SortedQueue, Order("smaller g")),
}
queues = pytest.mark.parametrize("make", QUEUES.values(), ids=list(QUEUES))

falling = st.lists(st.tuples(state, st.integers(0, 300)), max_size=5)
batches = st.lists(st.tuples(falling, st.one_of(st.just(-1), state)))


@queues
@examples(300)
@given(batches=batches)
def test_insert_batch_and_pop_is_both_in_turn(make, batches):
    one, two = CheckedQueue(make()), CheckedQueue(make())
    inside: dict[int, int] = {}
    for queue in (one, two):
        queue.set_bounds(N, 400, 400, 64)
    for drawn, goal in batches:
        noted, before = [], set(inside)
        for s, f in drawn:
            if f < inside.get(s, 1000):  # only a smaller f moves a state that is inside
                noted.append((s, f, f // 2))
                inside[s] = f
        at_once = len(noted) == 1 and noted[0][0] not in before and noted[0][1] <= one.min_f
        two.insert_batch(noted)
        popped = one.insert_batch_and_pop(noted, goal)
        assert not at_once or popped == (noted[0][0] if noted[0][0] != goal else GOAL), "`min_f` says so"
        assert popped == (GOAL if goal >= 0 and two.top() == goal else two.pop())
        assert one.size == two.size
        if popped >= 0:
            assert one.popped_f == two.popped_f == inside.pop(popped)
    assert [one.pop() for _ in range(len(inside) + 1)] == [two.pop() for _ in range(len(inside) + 1)]


@examples(100)
@given(batches=st.lists(st.lists(st.integers(0, 300), max_size=5), max_size=40))
def test_only_a_plain_heap_lets_every_state_percolate(batches):
    plain, twin, heap = (CheckedQueue(BinaryHeap(Order("larger g"), plain)) for plain in (True, True, False))
    for queue in (plain, twin, heap):
        queue.set_bounds(300, 400, 400, 64)
    fresh = 0
    for batch in batches:
        noted = [(fresh + i, f, 0) for i, f in enumerate(batch)]
        fresh += len(batch)
        twin.insert_batch(noted)
        popped = twin.pop()
        assert plain.insert_batch_and_pop(noted) == heap.insert_batch_and_pop(noted) == popped
        assert plain.percolations == twin.percolations


OUT = -1  # the f of a state that is to be taken out
moved = st.tuples(state, st.one_of(st.just(OUT), st.integers(0, 60)), st.integers(0, 9))
ends = st.one_of(st.just((INF, 0)), st.tuples(st.integers(0, 60), st.integers(0, 9)))
turns = st.lists(st.tuples(st.lists(moved, max_size=5), ends), max_size=30)


@queues
@examples(200)
@given(turns=turns)
def test_the_first_goes_if_it_comes_before_the_end(make, turns):
    """States move up and down, several times in one batch too, or leave."""
    queue = CheckedQueue(make())
    queue.set_bounds(N, 100, 20, 64)
    sign = 0 if queue.order is None else {"larger g": -1, "smaller g": 1}[queue.order.prefer]
    inside: dict[int, tuple[int, int]] = {}
    for drawn, (end, end_g) in turns:
        noted = []
        for s, f, g in drawn:
            if f == OUT and s not in inside:
                continue
            noted.append((s, f, g))
            if f == OUT:
                del inside[s]
            else:
                inside[s] = (f, sign * g)
        first = min(inside.values(), default=(INF, 0))
        ahead = first < (end, sign * end_g)
        popped = queue.insert_batch_and_pop(noted, -1, end, end_g)
        assert (popped >= 0) == ahead
        assert ahead or popped == (GOAL if inside else EMPTY)
        if ahead:
            assert inside.pop(popped) == first and queue.popped_f == first[0]
        assert queue.size == len(inside)
        assert queue.top_precedes(end, end_g) == (min(inside.values(), default=(INF, 0)) < (end, sign * end_g))
    assert sorted(queue.states()) == sorted(inside)


calls = st.lists(st.tuples(st.sampled_from(["put", "put", "put", "out", "pop"]), moved.filter(lambda m: m[1] >= 0)))


@queues
@examples(100)
@given(calls=calls)
def test_states_move_and_leave_one_by_one(make, calls):
    queue = CheckedQueue(make())
    queue.set_bounds(N, 100, 20, 64)
    sign = 0 if queue.order is None else {"larger g": -1, "smaller g": 1}[queue.order.prefer]
    inside: dict[int, tuple[int, int]] = {}
    for what, (s, f, g) in calls:
        if what == "put":
            (queue.update if s in inside else queue.insert)(s, f, g)
            inside[s] = (f, sign * g)
        elif what == "out" and s in inside:
            queue.remove(s)
            del inside[s]
        elif what == "pop":
            taken = queue.pop()
            assert (taken >= 0) == bool(inside)
            if inside:
                assert inside[taken] == min(inside.values())
                assert queue.popped_f == inside.pop(taken)[0]
        assert queue.size == len(inside) and sorted(queue.states()) == sorted(inside)
        if inside:
            assert inside[queue.top()] == min(inside.values())
            assert queue.top_f() == min(inside.values())[0]
        else:
            assert queue.top() == -1
