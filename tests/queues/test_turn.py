"""Turns of an incremental search against a sorted list."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples import examples
from replan.queues.buckets import Buckets
from replan.queues.heap import BinaryHeap
from replan.queues.order import Order

N = 12
state = st.integers(0, N - 1)
OUT = -1  # the f of a state that is to be taken out
f = st.one_of(st.just(OUT), st.integers(0, 60))
turns = st.lists(st.tuples(st.booleans(), st.lists(st.tuples(state, f, st.integers(0, 9)), max_size=5)), max_size=30)
QUEUES = {
    "larger-g": lambda: BinaryHeap(Order("larger g")),
    "smaller-g": lambda: BinaryHeap(Order("smaller g", "last-in")),
    "random": lambda: BinaryHeap(Order("larger g", "random", 3)),
    "buckets": Buckets,
}


@pytest.mark.parametrize("make", QUEUES.values(), ids=list(QUEUES))
@examples(200)
@given(turns=turns)
def test_the_first_is_a_smallest_after_every_turn(make, turns):
    queue = make()
    queue.fit(N, 100, 20, 64)
    sign = {"larger g": -1, "smaller g": 1}.get(queue.order.prefer) if isinstance(queue, BinaryHeap) else 0
    inside: dict[int, tuple[int, int]] = {}
    first = -1
    for drop, noted in turns:
        drop = drop and first >= 0
        if drop:
            del inside[first]
        k = 0
        for s, f, g in noted:
            if f == OUT and s not in inside:
                continue
            queue.new[k] = -1 - s if s in inside else s
            queue.new_f[k], queue.new_g[k] = f, g
            k += 1
            if f == OUT:
                del inside[s]
            else:
                inside[s] = (f, sign * g)
        first = queue.turn(k, drop)
        assert queue.size == len(inside)
        if not inside:
            assert first == -1
        else:
            assert inside[first] == min(inside.values()) and queue.taken_f == inside[first][0]
    listed = memoryview(bytearray(4 * N)).cast("i")
    assert sorted(listed[: queue.list_to(listed)]) == sorted(inside)
