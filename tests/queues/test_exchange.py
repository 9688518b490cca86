"""Taking in and popping in one call: as A* does it, and as incremental searches do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples import examples
from replan.limits import INF
from replan.queues.buckets import Buckets
from replan.queues.heap import BinaryHeap
from replan.queues.order import Order

N = 12
state = st.integers(0, N - 1)
QUEUES = {
    "buckets": Buckets,
    "larger-g": lambda: BinaryHeap(Order("larger g")),
    "smaller-g": lambda: BinaryHeap(Order("smaller g", "last-in")),
    "random": lambda: BinaryHeap(Order("larger g", "random", 3)),
    "plain": lambda: BinaryHeap(Order("smaller g", "random", 3), plain=True),
}
queues = pytest.mark.parametrize("make", QUEUES.values(), ids=list(QUEUES))

falling = st.lists(st.tuples(state, st.integers(0, 300)), max_size=5)
batches = st.lists(st.tuples(falling, st.one_of(st.just(-1), state)))


@queues
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
        popped = one.exchange(k, unless, INF, 0)
        assert popped == two.pop(unless)
        assert one.size == two.size
        if popped >= 0:
            assert one.taken_f == two.taken_f == inside.pop(popped)
    assert [one.pop(-1) for _ in range(len(inside) + 1)] == [two.pop(-1) for _ in range(len(inside) + 1)]


@examples(100)
@given(batches=st.lists(st.lists(st.integers(0, 300), max_size=5), max_size=40))
def test_only_a_plain_heap_lets_every_state_percolate(batches):
    plain, twin, heap = (BinaryHeap(Order("larger g"), plain) for plain in (True, True, False))
    for queue in (plain, twin, heap):
        queue.fit(300, 400, 400, 64)
    fresh = 0
    for batch in batches:
        for k, f in enumerate(batch):
            for queue in (plain, twin, heap):
                queue.new[k], queue.new_f[k], queue.new_g[k] = fresh, f, 0
            fresh += 1
        twin.take_in(len(batch))
        popped = twin.pop(-1)
        assert plain.exchange(len(batch), -1, INF, 0) == heap.exchange(len(batch), -1, INF, 0) == popped
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
    queue = make()
    queue.fit(N, 100, 20, 64)
    sign = {"larger g": -1, "smaller g": 1}.get(queue.order.prefer) if isinstance(queue, BinaryHeap) else 0
    inside: dict[int, tuple[int, int]] = {}
    for noted, (end, end_g) in turns:
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
        first = min(inside.values(), default=(INF, 0))
        ahead = first < (end, sign * end_g)
        popped = queue.exchange(k, -1, end, end_g)
        assert (popped >= 0) == ahead
        if ahead:
            assert inside.pop(popped) == first and queue.taken_f == first[0]
        assert queue.size == len(inside)
        assert queue.before(end, end_g) == (min(inside.values(), default=(INF, 0)) < (end, sign * end_g))
    listed = memoryview(bytearray(4 * N)).cast("i")
    assert sorted(listed[: queue.list_to(listed)]) == sorted(inside)
