"""Buckets against a sorted list: by f, then last in first out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import replan
from examples import examples
from replan.queues.base import EMPTY, GOAL
from replan.queues.buckets import Buckets
from replan.queues.checked import CheckedQueue

N = 12

NEAR = st.integers(0, 70)
FAR = st.sampled_from([0, 1, 63, 64, 65, 127, 128, 1000, 4095, 4096, 5000, 100_000, 300_001])
ACTIONS = st.lists(
    st.tuples(
        st.sampled_from(["put", "put", "put", "pop", "pop", "pop but the goal", "clear"]),
        st.integers(0, N - 1),
        NEAR | FAR,
    ),
    max_size=60,
)


@examples(300)
@given(ACTIONS, st.sampled_from([0, 1155, 5000]), st.sampled_from([0, 10**6, 1 << 45]))
def test_takes_states_in_the_order_of_a_sorted_list(actions, span, base):
    """Also where f-values fall below the smallest, or spread so far that the ring must grow."""
    buckets = CheckedQueue(Buckets())
    buckets.set_bounds(N, 1 << 50, 1 << 50, span)
    entries: dict[int, tuple[int, int]] = {}
    age = 0

    def first() -> int:
        return min(entries, key=lambda s: entries[s], default=EMPTY)

    for what, s, f in actions:
        f += base
        if what == "put":
            age += 1
            if s not in entries:
                buckets.insert(s, f, 0)
            elif f < entries[s][0]:
                buckets.decrease(s, f, 0)
            else:
                continue
            entries[s] = (f, -age)
        elif what == "clear":
            buckets.clear()
            entries.clear()
        else:
            at_goal = what == "pop but the goal" and first() == s
            expected = GOAL if at_goal else first()
            assert (buckets.insert_batch_and_pop([], s) if what == "pop but the goal" else buckets.pop()) == expected
            if expected >= 0:
                assert buckets.popped_f == entries.pop(expected)[0]
        assert buckets.size == len(entries)
        assert buckets.top() == first()
        assert sorted(buckets.states()) == sorted(entries)


def test_a_spread_beyond_all_bounds_is_refused_and_does_no_harm():
    buckets = CheckedQueue(Buckets())
    buckets.set_bounds(4, 1 << 50, 1 << 50, 0)
    buckets.insert(0, 0, 0)
    with pytest.raises(replan.InputError, match="heap"):
        buckets.insert(1, 1 << 40, 0)
    buckets.insert(1, 5, 0)
    assert (buckets.size, buckets.pop(), buckets.pop()) == (2, 0, 1)
    buckets.insert(0, 0, 0)
    buckets.clear()
    buckets.insert(2, 7, 0)
    assert (buckets.size, buckets.pop(), buckets.pop()) == (1, 2, -1)


def test_fit_for_more_states_after_use():
    buckets = CheckedQueue(Buckets())
    buckets.set_bounds(2, 100, 100, 0)
    buckets.insert(1, 5, 0)
    buckets.clear()
    buckets.set_bounds(1000, 10**6, 10**6, 5000)
    for s in range(1000):
        buckets.insert(s, 3 * s, 0)
    assert [buckets.pop() for _ in range(1000)] == list(range(1000))
    assert buckets.percolations == 0
