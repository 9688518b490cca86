"""The interface of open lists: states in the order in which a search expands them."""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import zeros
from replan.errors import InputError
from replan.initialized import Initialized
from replan.queues.order import Order
from replan.serialization import Archive, not_copyable_error

BATCH = 16  # the largest number of states that are passed in one call
EMPTY, GOAL = -1, -2  # results of `insert_batch_and_pop` that are not states


class OpenList(Initialized):
    """States ordered by f, then as `order` says (None: by f alone, last in first out). It holds `size` states.

    The contract between searches and queues:

    - The search knows from its stamps which states are in the queue. `insert` takes a state that is not in the queue;
      `decrease`, `update` and `remove` take one that is.
    - Keys may decrease. A* with a consistent h pops states in the order of increasing f. But D* Lite, LPA* and searches
      with an inconsistent h insert states that come before states that were popped already.
    - `percolations` counts the levels that entries moved up or down in a heap. `popped_f` is the f of the state that
      was popped last.
    - `min_f`: a single new state whose f is at most `min_f` would be popped at once. Then the search may expand it
      without the queue, if it sets `popped_f`.

    These methods check nothing and cannot be called from Python; `replan.queues.checked` has checked ones. A queue of
    your own, in plain Python, derives from `replan.Queue`.
    """

    order: Order | None
    size: int
    percolations: int
    popped_f: int
    min_f: int  # -1 if it is not known
    batch_states: memoryview
    batch_f: memoryview
    batch_g: memoryview

    def init_empty(self, order: Order | None) -> None:
        """Begin empty, with this order."""
        self.check_not_initialized()
        self.batch_states = zeros(BATCH, np.int32)
        self.batch_f, self.batch_g = zeros(BATCH, np.int64), zeros(BATCH, np.int64)
        self.is_claimed, self.order = False, order
        self.size = self.percolations = self.popped_f = 0
        self.min_f = -1

    def claim(self) -> None:
        """Reserve the list for one search. Raise InputError if it is in use."""
        self.check_initialized()
        if self.is_claimed:
            raise InputError(f"this {type(self).__name__} is in use already: make another one for this planner")
        self.is_claimed = True

    def describe(self) -> str:
        """Return the order in words."""
        return "buckets: smaller f, last-in" if self.order is None else str(self.order)

    def set_bounds(self, n: int, f_bound: int, g_bound: int, span: int) -> int:
        """Prepare for states below n, f and g up to these bounds, and f-values within `span` of each other."""
        raise NotImplementedError

    def reserve(self, n: int) -> None:
        """Reserve memory for states below n. The list must be empty if this needs more memory."""
        raise NotImplementedError

    def prefault(self) -> None:
        """Prefault all memory."""
        self.check_initialized()
        raise NotImplementedError

    def insert(self, s: int, f: int, g: int) -> int:
        """Insert a state that is not in the queue."""
        raise NotImplementedError

    def decrease(self, s: int, f: int, g: int) -> int:
        """Decrease the key of a state in the queue."""
        raise NotImplementedError

    def insert_batch(self, k: int) -> int:
        """Insert the first `k` states of `batch_states`, `batch_f` and `batch_g`; k is at most BATCH.

        A state that is in the queue is given as -1 - s: its key is decreased. (A call for each state would cost as much
        as the work itself.)
        """
        raise NotImplementedError

    def insert_batch_and_pop(self, k: int, goal: int, f: int, g: int) -> int:
        """Insert a batch of `k` states, then pop the first state: the inner loop of every search, in one call.

        Return EMPTY if the queue is empty. Return GOAL, and pop nothing, if the first state is `goal`, or does not come
        before (f, g), where f is not INF. The batch is that of `insert_batch`, but here the key of a state in the queue
        may also increase, and the state is removed if its f is negative.
        """
        raise NotImplementedError

    def top(self) -> int:
        """Return the first state without popping it; EMPTY if there is none."""
        raise NotImplementedError

    def top_f(self) -> int:
        """Return the f of the first state. The queue must not be empty."""
        raise NotImplementedError

    def top_precedes(self, f: int, g: int) -> bool:
        """Return True if the first state comes before one with this f and g. (Any comes before f = INF.)"""
        raise NotImplementedError

    def update(self, s: int, f: int, g: int) -> int:
        """Set the key of a state in the queue."""
        raise NotImplementedError

    def remove(self, s: int) -> int:
        """Remove a state in the queue."""
        raise NotImplementedError

    def orders_by_exact_g(self) -> bool:
        """Return True if all bits of g are part of the order."""
        raise NotImplementedError

    def pop(self) -> int:
        """Pop the first state; EMPTY if there is none."""
        raise NotImplementedError

    def copy_states_to(self, out: memoryview) -> int:
        """Write all states to `out`, in no particular order, and return their number."""
        raise NotImplementedError

    def clear(self) -> int:
        """Remove all states."""
        raise NotImplementedError

    def reseed(self) -> int:
        """Restart random ties and the counter, so that a second trip takes the same steps."""
        raise NotImplementedError

    def rng_state(self) -> int:
        """Return the state of the generator of random ties, for `set_rng_state`; 0 if there is none."""
        return 0

    def set_rng_state(self, state: int) -> int:
        """Set the state of the generator of random ties. In a crowd each character has its own."""
        return 0

    def set_first_state(self, first: int) -> int:
        """Use no states below `first` until the next call, so that the memory per state is closer together."""
        return 0


    # Saving.

    def __reduce__(self) -> Any:
        raise not_copyable_error(self, "a planner")

    def constructor_args(self) -> tuple[Any, ...]:
        """Hook: return the class whose `__init__` makes an empty list of this kind, and its arguments."""
        raise NotImplementedError

    def serialize(self, archive: Archive, n: int) -> None:
        """Save or load the states, all below n, in their order, and the state of the ties."""
        self.percolations = archive.integer("percolations", self.percolations, 0)
        self.serialize_entries(archive, n)

    def serialize_entries(self, archive: Archive, n: int) -> None:
        """Hook: save or load the entries and the state of the ties."""
        raise NotImplementedError

    def sorted_states(self) -> np.ndarray[Any, Any]:
        """Return all states in the queue, in increasing order."""
        out = zeros(self.size, np.int32)
        k = self.copy_states_to(out)
        return np.sort(np.asarray(out)[:k]).astype(np.int64)


def claim_queue(open: Any) -> Any:
    """Return `open`, claimed for one search. Raise InputError if it is no open list."""
    if not isinstance(open, OpenList):
        raise InputError(f"an open list is made by replan.queues.factory.make_open_list, not {open!r}")
    _claim(open)
    return open


def restore_open_lists(args: tuple[Any, ...]) -> list[Any]:
    """Replace the constructor arguments of open lists among `args` by new open lists. Each has one owner."""
    return [arg[0](*arg[1:]) if _is_list(arg) else arg for arg in args]


def _is_list(arg: Any) -> bool:
    return isinstance(arg, tuple) and bool(arg) and isinstance(arg[0], type) and issubclass(arg[0], OpenList)


def _claim(open: OpenList) -> None:
    open.claim()
