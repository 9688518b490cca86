"""Taking in and popping in one call, against a twin that does the one and then the other."""

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
noted_states = st.lists(st.tuples(state, st.integers(0, 300)), max_size=5)
batches = st.lists(st.tuples(noted_states, st.one_of(st.just(-1), state)))
QUEUES = {
    "buckets": Buckets,
    "larger-g": lambda: BinaryHeap(Order("larger g", "last-in")),
    "random": lambda: BinaryHeap(Order("smaller g", "random", 3)),
}


@pytest.mark.parametrize("make", QUEUES.values(), ids=list(QUEUES))
@examples(300)
@given(batches=batches)
def test_exchange_is_take_in_and_pop(make, batches):
    one, two = make(), make()
    inside: dict[int, int] = {}
    for queue in (one, two):
        queue.fit(N, 400, 400, 64)
    for noted, unless in batches:
        k = 0
        for s, f in noted:
            if f >= inside.get(s, 1000):
                continue  # only a smaller f moves a state that is inside
            for queue in (one, two):
                queue.new[k] = -1 - s if s in inside else s
                queue.new_f[k], queue.new_g[k] = f, f // 2
            inside[s] = f
            k += 1
        two.take_in(k)
        popped = one.exchange(k, unless)
        assert popped == two.pop(unless)
        assert one.size == two.size and one.percolations == two.percolations
        if popped >= 0:
            assert one.taken_f == two.taken_f == inside.pop(popped)
    assert [one.pop(-1) for _ in range(len(inside) + 1)] == [two.pop(-1) for _ in range(len(inside) + 1)]
