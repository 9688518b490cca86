"""The binary heap against a sorted list."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import replan
from examples import examples
from replan.queues.base import EMPTY, GOAL
from replan.queues.checked import CheckedQueue
from replan.queues.heap import BinaryHeap
from replan.queues.order import Order

N = 12

# (what, state, f, g): what is insert or decrease, pop, pop unless the state is the goal, or clear
ACTIONS = st.lists(
    st.tuples(
        st.sampled_from(["put", "put", "put", "pop", "pop", "pop but the goal", "clear", "top"]),
        st.integers(0, N - 1),
        st.integers(0, 6),
        st.integers(0, 6),
    ),
    max_size=60,
)


class SortedList:
    """The same, slowly: entries are sorted by (f, g as preferred, age)."""

    def __init__(self, prefer: str, ties: str) -> None:
        self.sign = -1 if prefer == "larger g" else 1
        self.young = -1 if ties == "last-in" else 1
        self.entries: dict[int, tuple[int, int, int]] = {}
        self.age = 0

    def put(self, s: int, f: int, g: int) -> None:
        self.age += 1
        self.entries[s] = (f, self.sign * g, self.young * self.age)

    def top(self) -> int:
        return min(self.entries, key=lambda s: self.entries[s], default=EMPTY)

    def exchange(self, goal: int) -> int:
        s = self.top()
        if s == goal and s != EMPTY:
            return GOAL
        self.entries.pop(s, None)
        return s


@examples(300)
@given(
    ACTIONS,
    st.sampled_from(["larger g", "smaller g"]),
    st.sampled_from(["first-in", "last-in"]),
    st.sampled_from([1, 1000, 10**9, 1 << 40]),
    st.sampled_from([1, 1000, 10**6]),
)
def test_takes_states_in_the_order_of_a_sorted_list(actions, prefer, ties, f_scale, g_scale):
    heap, slow = CheckedQueue(BinaryHeap(Order(prefer, ties))), SortedList(prefer, ties)
    heap.set_bounds(N, 7 * f_scale, 7 * g_scale, 0)
    for what, s, f, g in actions:
        f, g = f * f_scale, g * g_scale
        if what == "put" and s not in slow.entries:
            heap.insert(s, f, g)
            slow.put(s, f, g)
        elif what == "put":
            old_f, old_g, _ = slow.entries[s]
            if (f, slow.sign * g) < (old_f, old_g):  # only a rise of its rank is a decrease
                heap.decrease(s, f, g)
                slow.put(s, f, g)
        elif what == "clear":
            heap.clear()
            slow.entries.clear()
        elif what != "top":
            expected = slow.entries.get(slow.top())
            taken = heap.insert_batch_and_pop([], s) if what == "pop but the goal" else heap.pop()
            assert taken == slow.exchange(s if what == "pop but the goal" else -1)
            if taken >= 0:
                assert heap.popped_f == expected[0]
        assert heap.top() == slow.top()
        assert heap.size == len(slow.entries)
        assert sorted(heap.states()) == sorted(slow.entries)


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 3)), max_size=60))
def test_without_ties_equal_entries_do_not_move_past_each_other(actions):
    """A textbook's heap with strict comparisons: the same states at the same places, and as many levels moved."""
    heap, slow = CheckedQueue(BinaryHeap(Order(ties="none"), inserts_all_first=True)), list[tuple[int, int]]()
    heap.set_bounds(len(actions) + 1, 3, 1, 0)
    moved = 0
    for s, (put, f) in enumerate(actions):
        if put:
            heap.insert(s, f, 0)
            slow.append((f, s))
            i = len(slow) - 1
            while i > 0 and slow[i][0] < slow[(i - 1) // 2][0]:
                slow[i], slow[(i - 1) // 2] = slow[(i - 1) // 2], slow[i]
                i, moved = (i - 1) // 2, moved + 1
        elif slow:
            assert heap.pop() == slow[0][1]
            slow[0] = slow[-1]
            del slow[-1]
            i = 0
            while below := [j for j in (2 * i + 1, 2 * i + 2) if j < len(slow)]:
                least = min(below, key=lambda j: slow[j][0])
                if slow[i][0] <= slow[least][0]:
                    break
                slow[i], slow[least] = slow[least], slow[i]
                i, moved = least, moved + 1
        assert heap.states() == [state for _, state in slow] and heap.percolations == moved


@given(st.integers(1, 62), st.integers(1, 62), st.sampled_from(["larger g", "smaller g"]))
def test_f_always_decides_however_many_bits_it_takes(f_bits, g_bits, prefer):
    heap = CheckedQueue(BinaryHeap(Order(prefer)))
    f_bound, g_bound = (1 << f_bits) - 1, (1 << g_bits) - 1
    heap.set_bounds(4, f_bound, g_bound, 0)
    assert heap.orders_by_exact_g() == (f_bits + g_bits <= 63)
    heap.insert(0, f_bound, g_bound)
    heap.insert(1, f_bound, 0)
    heap.insert(2, f_bound - 1, g_bound)
    heap.insert(3, f_bound - 1, 0)
    taken = [heap.pop() for _ in range(4)]
    assert set(taken[:2]) == {2, 3}
    if f_bits + g_bits <= 63:  # g has all its bits
        assert taken == ([2, 3, 0, 1] if prefer == "larger g" else [3, 2, 1, 0])


def test_more_bits_than_there_are_is_refused():
    """Keys of AD* are ten times its weight as large as costs."""
    graph = replan.Graph([("a", "b", 1 << 40)], nodes=range(16_000))
    with pytest.raises(replan.InputError, match="62 bits"):
        replan.simulate(graph, replan.planner("AD*", weight=10), "a", "b")
    assert replan.simulate(graph, "D* Lite", "a", "b").reached


@given(st.integers(0, 2**31 - 1), st.integers(2, 40))
def test_random_ties_are_those_of_their_seed(seed, n):
    def order(heap: CheckedQueue) -> list[int]:
        for s in range(n):
            heap.insert(s, 5, 5)
        return [heap.pop() for _ in range(n)]

    heap, twin = (CheckedQueue(BinaryHeap(Order(ties="random", seed=seed))) for _ in range(2))
    heap.set_bounds(n, 10, 10, 0)
    twin.set_bounds(n, 10, 10, 0)
    first, second = order(heap), order(heap)
    assert sorted(first) == list(range(n))
    assert [order(twin), order(twin)] == [first, second]
    heap.reseed()
    assert order(heap) == first


def test_random_ties_shuffle():
    heap = CheckedQueue(BinaryHeap(Order(ties="random", seed=1)))
    heap.set_bounds(100, 10, 10, 0)
    orders = set()
    for _ in range(5):
        for s in range(100):
            heap.insert(s, 5, 5)
        orders.add(tuple(heap.pop() for _ in range(100)))
    assert len(orders) == 5
    firsts = [o[0] for o in orders]
    assert len(set(firsts)) > 1


def test_percolations_count_levels():
    heap = CheckedQueue(BinaryHeap())
    heap.set_bounds(8, 100, 100, 0)
    for s, f in enumerate([50, 40, 30]):
        heap.insert(s, f, 0)
    assert heap.percolations == 2  # 40 rises one level, 30 rises one
    heap.decrease(0, 10, 0)
    assert heap.percolations == 3
    assert heap.pop() == 0
    assert heap.percolations == 4  # 40, the last, sinks below 30
    heap.clear()
    assert heap.percolations == 4
    heap.reseed()
    assert heap.percolations == 0


@pytest.mark.parametrize(
    "order", [("big g",), ("larger g", "fifo"), ("larger g", "random", -1), ("larger g", "random", 2**31)]
)
def test_bad_orders_are_refused(order):
    with pytest.raises(replan.InputError):
        Order(*order)


@pytest.mark.parametrize("prefer", ["larger g", "smaller g"])
@pytest.mark.parametrize("name", ["Repeated Forward A*", "Adaptive A*", "D* Lite", "ARA*"])
def test_without_ties_a_search_ends_at_the_goal(name, prefer):
    """What is held back is first only if it would be first inside: where all keys are equal it is not."""
    for goal in [(0, 2), (0, 0), (1, 0), (0, 1)]:
        planner = replan.planner(name, ties="none", prefer=prefer, heuristic="zero")
        agent = replan.Agent(planner, replan.Grid(np.zeros((2, 3), bool), 4), (1, 2), goal)
        assert agent.plan()[-1] == goal
