"""What an open list is: states in the order in which a search takes them."""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import zeros
from replan.errors import InputError
from replan.initialized import Initialized
from replan.queues.order import Order
from replan.serialization import Archive, not_copyable_error

BATCH = 16  # states that are handed over in one call
EMPTY, GOAL = -1, -2  # answers of `exchange` that are no state


class OpenList(Initialized):
    """States ordered by f, then as `order` says (None: by f alone, last in first out). `size` states are in it.

    The contract, for searches and for queues:

    - The search knows which states are inside (its stamps say so): `insert` takes one that is not, `decrease`, `update`
      and `remove` one that is.
    - A queue may be asked to go back: A* with a consistent h takes states in the order of growing f, but D* Lite, LPA*
      and any h that is not consistent insert states that come before those that were taken.
    - `percolations` counts the levels that entries moved, up or down, in a heap. `taken_f` is the f of the state that
      was taken last.
    - A state that comes alone, is not inside and has an f up to `min_f` would be taken at once: the search may do so
      itself, and say so in `taken_f`.

    These methods check nothing and cannot be called from Python: `replan.queues.checked` can. A queue of your own, in
    plain Python, derives from `replan.Queue`.
    """

    order: Order | None
    size: int
    percolations: int
    popped_f: int
    min_f: int  # -1 where nobody can tell without a look
    batch_states: memoryview
    batch_f: memoryview
    batch_g: memoryview

    def init_empty(self, order: Order | None) -> None:
        self.check_not_initialized()
        self.batch_states, self.batch_f, self.batch_g = zeros(BATCH, np.int32), zeros(BATCH, np.int64), zeros(BATCH, np.int64)
        self.is_claimed, self.order = False, order
        self.size = self.percolations = self.popped_f = 0
        self.min_f = -1

    def claim(self) -> None:
        """Whoever uses an open list claims it first: it serves one search at a time."""
        self.check_initialized()
        if self.is_claimed:
            raise InputError(f"this {type(self).__name__} is in use already: make one for each planner")
        self.is_claimed = True

    def describe(self) -> str:
        """The order in words."""
        return "buckets: smaller f, last-in" if self.order is None else str(self.order)

    def set_bounds(self, n: int, f_bound: int, g_bound: int, span: int) -> int:
        """Make room for states below n, f and g up to these bounds, and f-values that lie within `span`."""
        raise NotImplementedError

    def reserve(self, n: int) -> None:
        """Have memory for states below n. Nothing else changes; if there was less, the list has to be empty."""
        raise NotImplementedError

    def prefault(self) -> None:
        """Have all memory at hand."""
        self.check_initialized()
        raise NotImplementedError

    def insert(self, s: int, f: int, g: int) -> int:
        raise NotImplementedError

    def decrease(self, s: int, f: int, g: int) -> int:
        raise NotImplementedError

    def insert_batch(self, k: int) -> int:
        """Insert `k` states that the caller has noted in `new`, `new_f` and `new_g`, at most BATCH.

        One that is inside already is noted as -1 - s: it is decreased. (A call for each state would cost as much as
        the work itself.)
        """
        raise NotImplementedError

    def insert_batch_and_pop(self, k: int, goal: int, f: int, g: int) -> int:
        """Take in `k` states and then pop, both in one call: the inner loop of every search.

        EMPTY if no state is inside. GOAL if the search has come to its goal: the first state is `goal`, or does not
        come before (f, g) where f is not INF; it stays inside. The states are noted as for `take_in`; here one that is
        inside moves up or down, or goes out if its f is below 0.
        """
        raise NotImplementedError

    def top(self) -> int:
        """The first state, left where it is; EMPTY when there is none."""
        raise NotImplementedError

    def top_f(self) -> int:
        """The f of the first state. Only where there is one."""
        raise NotImplementedError

    def top_precedes(self, f: int, g: int) -> bool:
        """Is there a first state, and would it be taken before one with this f and g? (Any would before f = INF.)"""
        raise NotImplementedError

    def update(self, s: int, f: int, g: int) -> int:
        """Move a state that is inside, up or down."""
        raise NotImplementedError

    def remove(self, s: int) -> int:
        """Take out a state that is inside."""
        raise NotImplementedError

    def orders_by_exact_g(self) -> bool:
        """Are all bits of g part of the order?"""
        raise NotImplementedError

    def pop(self) -> int:
        """Take the first state out; EMPTY when there is none."""
        raise NotImplementedError

    def copy_states_to(self, out: memoryview) -> int:
        """Write all states to `out`, in no particular order, and return how many they are."""
        raise NotImplementedError

    def clear(self) -> int:
        raise NotImplementedError

    def reseed(self) -> int:
        """Begin the random ties and the count anew, so that a second trip takes the same steps."""
        raise NotImplementedError

    def rng_state(self) -> int:
        """Where the random ties stand, for `set_rng_state`; 0 where there are none."""
        return 0

    def set_rng_state(self, state: int) -> int:
        """Go on with the random ties where they stood: a search that serves many has those of each."""
        return 0

    def set_first_state(self, first: int) -> int:
        """States below `first` do not come until this is called again: what is kept of the others may stand closer."""
        return 0


    # Saving.

    def __reduce__(self) -> Any:
        raise not_copyable_error(self, "a planner")

    def constructor_args(self) -> tuple[Any, ...]:
        """Hook: the class whose `__init__` makes an empty list of this kind, and its arguments."""
        raise NotImplementedError

    def serialize(self, archive: Archive, n: int) -> None:
        """What is inside, states below n, in its order, and what the next ones will be ordered by."""
        self.percolations = archive.integer("percolations", self.percolations, 0)
        self.serialize_entries(archive, n)

    def serialize_entries(self, archive: Archive, n: int) -> None:
        """Hook: what is inside, and where ties are."""
        raise NotImplementedError

    def sorted_states(self) -> np.ndarray[Any, Any]:
        """All states that are inside, sorted."""
        out = zeros(self.size, np.int32)
        k = self.copy_states_to(out)
        return np.sort(np.asarray(out)[:k]).astype(np.int64)


def claim_queue(open: Any) -> Any:
    """An open list that somebody hands in, for its one owner."""
    if not isinstance(open, OpenList):
        raise InputError(f"an open list is made by replan.queues.factory.open_list, not {open!r}")
    _claim(open)
    return open


def restore_open_lists(args: tuple[Any, ...]) -> list[Any]:
    """Arguments that were saved, with an open list for what `OpenList.made_from` has told of one: it has one owner."""
    return [arg[0](*arg[1:]) if _is_list(arg) else arg for arg in args]


def _is_list(arg: Any) -> bool:
    return isinstance(arg, tuple) and bool(arg) and isinstance(arg[0], type) and issubclass(arg[0], OpenList)


def _claim(open: OpenList) -> None:
    open.claim()
