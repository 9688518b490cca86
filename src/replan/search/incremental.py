"""Incremental search: the search of the last episode is kept, and repaired where costs have changed.

One engine serves LPA* (forward from a fixed start) and D* Lite (backward from the goal to a moving agent). It is the
optimised form of D* Lite (Koenig, Likhachev 2002; buckets 2006, Figure 3). Numbers in braces are lines of that figure:
g, rhs, h, k_m, s, u, U (`open`), s_start (`target`), s_goal (each of `roots`). The optimisations:

- A state is in the queue exactly while it is inconsistent (g != rhs). Its key is changed in place (`search/keys.py`).
- The rhs of a root is 0. Expanding an over-consistent u can only lower the rhs of its neighbours: no minimum is taken.
- `next` is the neighbour that rhs comes from. When u is raised, only states whose `next` is u are updated.
- A key that is too small because the agent has moved (k_m) is updated. That is no expansion. Only keys from before the
  last move are compared with their present value.
- The search ends when the target is not under-consistent and no queued state comes before its key. The target itself
  need not be expanded.
- When a cost rises, rhs changes only if the step to `next` has become more expensive.
- The states that an expansion queues are passed in one call, with the request for the next state.

"Predecessors" are the states whose rhs depends on g(u): predecessors of u for D* Lite, and successors of u for LPA*,
which searches in the other direction. Lines of the three figures (M: Main of AD*, Figure 4):

| procedure           | here              | D* Lite | LPA* 2004, Figure 3 | AD* 2005, Figures 3 and 4     |
|---------------------|-------------------|---------|---------------------|-------------------------------|
| key                 | `key_of`          | {01}    | {01}                | 01-04                         |
| Initialize          | `begin`           | {02-06} | {02-05}             | M 01-04                       |
| UpdateVertex        | `recompute_rhs`   | {07}    | {06}                | 05-07                         |
|                     | `update_queue`    | {08-09} | {07-08}             | 08-13                         |
| ComputeShortestPath | `advance`         | {10-20} | {09-16}             | 14-22                         |
| - over-consistent   | `lower_g`         | {15-17} | {11-13}             | 16-19                         |
| - under-consistent  | `raise_g`         | {18-20} | {14-16}             | 20-22                         |
| changed costs       | `on_cost_change`  | {32-34} | {21-23}             | M 09-11                       |
| next iteration      | `begin_iteration` |         |                     | M 16-18                       |

A changed cost reaches the queue in these steps: `on_cost_increase` tests whether rhs can have changed; `on_cost_change`
starts the update; `recompute_rhs` takes the minimum; `set_rhs` writes it; `update_queue` decides whether the state
belongs in the queue; `enqueue` stamps it; `add_to_batch` adds it to the batch that the queue processes with its next
call.

Anytime D* (AD*; Likhachev, Ferguson, Gordon, Stentz, Thrun 2005) has weighted keys, and states that wait for the next
iteration (`search/delayed_states.py`). A new iteration begins when the weight changes *and* after every batch of
changed costs; otherwise a path can run in a circle.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import empty
from replan.clock import now_ns
from replan.errors import InputError
from replan.limits import KEY_UPDATED, LARGEST_BOUND, LOWERED, RAISED
from replan.log import EventLog
from replan.queues.base import OpenList
from replan.search.delayed_states import DelayedStates
from replan.search.keys import Keys
from replan.search.state_table import ALL, ONE_TRIP, Column, StateTable
from replan.serialization import Archive
from replan.signals import check_signals
from replan.spaces.goals import Goals
from replan.spaces.neighbours import Neighbours
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import BATCH, INF, ON_PATH, QUEUED, ints, longs, prefetch_node, select_branchless, vertices
    from replan.search.delayed_states import is_closed, mark_closed
    from replan.spaces.cell_distance import grid_distance

# The fields of `Vertex` (`core.pxd`), in its order.
COLUMNS = (
    Column("g", 2 * LARGEST_BOUND, none_value=INF),
    Column("rhs", 2 * LARGEST_BOUND, none_value=INF),
    Column("stamp", is_shown=False),
    Column("next", none_value=-1),
)
MOVE_STAMP, TRIP_STAMP = 4, 1 << 36  # increments of a stamp


class Incremental(StateTable):
    """The g and rhs of all states, and the queue of the inconsistent ones.

    node[s] has the g, rhs, stamp and next of state s; `g`, `rhs`, `stamp` and `next` are views for Python. The stamp is
    at least x if s was generated in this trip. It tells when the state was queued last: `current_stamp` grows when the
    target moves. The flags QUEUED and ON_PATH are added to it.

    A planner marks the states of the path that it has extracted along `next` with ON_PATH; `path_index` is the index of
    that path (see `PlannedPath`). Below position `lowest_changed_index` the path still follows `next` and need not be
    extracted again. `path_cost_rose` is set when risen costs make the path from one of its states, or from the target,
    more expensive.
    """

    node: Any
    g: Any
    rhs: Any
    stamp: Any
    next: Any
    open: OpenList
    space: Space
    roots: Goals
    keys: Keys
    target: int
    pred_neighbours: Neighbours
    succ_neighbours: Neighbours
    batch_states: memoryview
    batch_f: memoryview
    batch_g: memoryview
    path_index: memoryview
    lowest_changed_index: int
    path_cost_rose: bool
    log: EventLog

    def __init__(
        self,
        open: OpenList,
        heuristic: Any = None,
        is_forward: bool = False,
        is_anytime: bool = False,
        root_moves: bool = False,
    ) -> None:
        StateTable.__init__(self, "search", COLUMNS, "stamp", packed=True, covers_map=True)
        smaller_g = not is_anytime and open.order is not None and open.order.prefer == "smaller g"
        self.is_forward, self.open, self.is_anytime = is_forward, open, is_anytime
        self.keys = Keys(smaller_g, heuristic, is_forward, is_anytime, root_moves)
        self.delayed_states = DelayedStates()
        self.g = self.rhs = self.stamp = self.next = None
        self.batch_states = ints(self.open.batch_states)
        self.batch_f, self.batch_g = longs(self.open.batch_f), longs(self.open.batch_g)
        self.x = self.current_stamp = self.lowest_changed_index = self.batch_count = 0
        self.path_cost_rose = self.is_watched = self.can_truncate = False
        self.expansions = self.key_updates = 0
        self.path_index, self.rebuild_buffer = empty(1, np.int32), empty(1, np.int32)
        self.is_initialized = True

    def bind_arrays(self, n: int) -> None:
        if self.is_anytime:
            self.delayed_states.reserve(n)
        self.node = vertices(self.rows)
        self.g, self.rhs, self.stamp, self.next = (self.arrays[column.name] for column in self.columns)

    def prefault(self) -> None:
        StateTable.prefault(self)
        self.open.reserve(self.n)
        self.open.prefault()

    def first_valid_stamp(self, lifetime: str) -> int:
        return self.x

    def last_stamp(self) -> int:
        return self.current_stamp + QUEUED

    def values(self, name: str) -> np.ndarray[Any, Any]:
        """Return a column as it is in memory, but without the flag ON_PATH, which belongs to the planner."""
        values = StateTable.values(self, name)
        return values & ~ON_PATH if name == "stamp" else values

    def attach(self, space: Space, roots: Goals, target: int) -> None:
        """Search this space from now on, from `roots` towards `target`."""
        self.space, self.roots, self.target, self.row_stride = space, roots, target, space.row_stride
        self.pred_neighbours, self.succ_neighbours = space.make_neighbours(), space.make_neighbours()
        # True if `expand` lists predecessors (successors), as defined above; otherwise `expand_reverse` does. In a
        # symmetric space both list the same states, and `expand` is faster.
        self.preds_by_expand = self.is_forward or space.is_symmetric
        self.succs_by_expand = not self.is_forward or space.is_symmetric
        self.keys.begin(space, target)
        self.begin_trip()
        self.current_stamp = self.x
        self.batch_count = self.lowest_changed_index = 0
        self.open.reseed()
        self.open.clear()

    def begin(self, space: Space, roots: Goals, target: int) -> None:
        """Initialize {02-06}: begin a new search towards `target`."""
        self.attach(space, roots, target)
        self.ensure_key_range()
        for s in roots.states:
            self.initialize_state(s)
            self.set_rhs(s, 0, -1)
        self.flush()

    def begin_trip(self) -> int:
        """Forget all values: they belong to an earlier trip."""
        self.x += TRIP_STAMP
        return self.delayed_states.begin_iteration()

    def is_generated(self, s: int) -> bool:
        """Return True if s was generated in this trip."""
        return self.node[s].stamp >= self.x  # type: ignore[no-any-return]

    def initialize_state(self, s: int) -> int:
        """Generate s: values of an earlier trip become infinite {04}."""
        node = self.node
        if node[s].stamp < self.x:
            node[s].stamp = self.x
            node[s].g = node[s].rhs = INF
            node[s].next = -1
        return 0

    # Keys (see the table in `search/keys.py`).

    def h_of(self, s: int) -> int:
        return grid_distance(self.keys.cell_distance, s) if self.keys.uses_cell_distance else self.keys.h(s)

    def key_of(self, g: int, rhs: int, h: int) -> int:
        """CalcKey {01}: return the first part of the key of an inconsistent state."""
        min_g_rhs, is_over_consistent = min(g, rhs), g >= rhs
        if self.keys.is_anytime:
            return (
                2 * (10 * min_g_rhs + (self.keys.inflation if is_over_consistent else 10) * h + self.keys.k_m)
                + is_over_consistent
            )
        return (
            min_g_rhs + h + self.keys.k_m
            if self.keys.uses_smaller_g_keys
            else 2 * (min_g_rhs + h + self.keys.k_m) + is_over_consistent
        )

    def end_key(self, g: int, rhs: int, h: int) -> int:
        """Return the key of s_start {10}, below which states are expanded; INF while s_start is under-consistent."""
        return INF if rhs > g or rhs >= INF else self.key_of(g, rhs, h)

    # From a changed cost to the queue.

    def on_cost_increase(self, s: int) -> int:
        """Costs of steps that rhs(s) depends on have risen. Update rhs if the step to `next` is among them."""
        v = self.node[s].next if self.is_generated(s) else -1
        if v >= 0:
            cost = self.space.step_cost(v, s) if self.is_forward else self.space.step_cost(s, v)
            if cost != self.node[s].rhs - self.node[v].g:
                return self.on_cost_change(s)
        return 0

    def on_cost_change(self, s: int) -> int:
        """Costs of steps that rhs(s) depends on have changed: UpdateVertex(s) {34}."""
        self.initialize_state(s)
        if self.roots.is_goal(s):
            return 0
        old_rhs = self.node[s].rhs
        self.recompute_rhs(self.space, self.succ_neighbours, s)
        if self.node[s].rhs > old_rhs and (s == self.target or self.node[s].stamp & ON_PATH != 0):
            self.path_cost_rose = True
        return 0

    def recompute_rhs(self, space: Space, neighbours: Neighbours, s: int) -> int:
        """UpdateVertex {07}: rhs(s) := least c(s, v) + g(v) over its successors v."""
        node, succ, cost, x = self.node, neighbours.state, neighbours.cost, self.x
        rhs, next_state = INF, -1
        k = space.expand(neighbours, s) if self.succs_by_expand else space.expand_reverse(neighbours, s)
        for i in range(k):
            v = succ[i]
            if node[v].stamp >= x:
                c = cost[i] + node[v].g
                is_smaller = c < rhs  # False if g(v) is infinite
                rhs = select_branchless(is_smaller, c, rhs)
                next_state = select_branchless(is_smaller, v, next_state)
        return self.set_rhs(s, rhs, next_state)

    def set_rhs(self, s: int, rhs: int, next_state: int) -> int:
        """Set rhs(s), and the successor that it comes from."""
        node = self.node
        stamp = node[s].stamp
        node[s].rhs = rhs
        node[s].next = next_state
        if stamp & ON_PATH != 0:
            self.lowest_changed_index = min(self.lowest_changed_index, self.path_index[s])
        return self.update_queue(s, node[s].g, rhs, stamp)

    def update_queue(self, s: int, g: int, rhs: int, stamp: int) -> int:
        """UpdateVertex {08-09}: keep s in the queue exactly if it is inconsistent. In AD* a closed s waits."""
        node = self.node
        if g != rhs:
            if self.is_anytime and is_closed(self.delayed_states, s):
                return self.delayed_states.add(s)  # AD*, line 13: insert s into INCONS
            return self.enqueue(s, stamp, self.key_of(g, rhs, self.h_of(s)), min(g, rhs))
        if stamp & QUEUED != 0:
            node[s].stamp = stamp - QUEUED
            return self.add_to_batch(-1 - s, -1, 0)
        return 0

    def enqueue(self, s: int, stamp: int, f: int, m: int) -> int:
        """{09, 14}: insert s with this key (f, then m = min(g, rhs)) into U, or change its key."""
        node = self.node
        self.prefetch_neighbours(node, s)
        node[s].stamp = self.current_stamp + QUEUED + (stamp & ON_PATH)
        return self.add_to_batch(-1 - s if stamp & QUEUED != 0 else s, f, m)

    def prefetch_neighbours(self, node: Any, s: int) -> None:
        """Prefetch the neighbours of s in the rows above and below, for the expansion of s."""
        prefetch_node(node, s + self.row_stride)
        prefetch_node(node, s - self.row_stride)

    def add_to_batch(self, entry: int, f: int, m: int) -> int:
        """Add a change of the queue to the batch. The next call of the queue processes it.

        entry: s to insert a state, -1 - s to move a queued one, or to remove it (f < 0).
        """
        if self.batch_count == BATCH:
            self.flush()
        i = self.batch_count
        self.batch_states[i] = entry
        self.batch_f[i] = f
        self.batch_g[i] = m
        self.batch_count = i + 1
        return 0

    def flush(self) -> int:
        """Let the queue process the batch."""
        k = self.batch_count
        self.batch_count = 0
        if k > 0:
            self.open.insert_batch_and_pop(k, -1, 0, 0)
        return 0

    # The agent moves, and keys grow with it.

    def move_target(self, s: int) -> int:
        """{30-31}: the agent is in s now. `keys` adds to k_m."""
        if s != self.target:
            self.keys.move_target(s)
            self.target = s
            self.current_stamp += MOVE_STAMP
        return self.ensure_key_range()

    def ensure_key_range(self) -> int:
        """Rebuild the queue if new keys might not fit its range."""
        if self.keys.are_outgrown():
            with cython.gil:
                self.rebuild_queue()
        return 0

    def rebuild_queue(self) -> int:
        """Insert all queued states into an empty queue, with up-to-date keys."""
        self.flush()  # the batch has old keys, or removals
        if self.open.size > len(self.rebuild_buffer):
            self.rebuild_buffer = empty(2 * self.open.size, np.int32)
        k = self.open.copy_states_to(self.rebuild_buffer)
        self.open.clear()
        self.keys.set_bounds(self.open, self.space.max_path_cost)
        return self.insert_listed(self.open, k)

    def insert_listed(self, open: OpenList, k: int) -> int:
        """Insert rebuild_buffer[:k] into the queue, in this order."""
        node, listed = self.node, ints(self.rebuild_buffer)
        batch_states, batch_f, batch_g = self.batch_states, self.batch_f, self.batch_g
        batch_count = 0
        for i in range(k):
            s = listed[i]
            g, rhs = node[s].g, node[s].rhs
            batch_states[batch_count], batch_g[batch_count] = s, min(g, rhs)
            batch_f[batch_count] = self.key_of(g, rhs, self.h_of(s))
            batch_count += 1
            if batch_count == BATCH:
                open.insert_batch(batch_count)
                batch_count = 0
        return open.insert_batch(batch_count)

    def begin_iteration(self, inflation: int) -> int:
        """Begin an iteration of AD* with this weight, in tenths (Figure 4, lines 16-18)."""
        node = self.node
        self.keys.set_inflation(inflation)
        self.current_stamp += MOVE_STAMP
        k = self.delayed_states.count
        self.delayed_states.begin_iteration()  # 18: CLOSED := empty
        for i in range(k):
            s = self.delayed_states.states[i]
            if node[s].g != node[s].rhs and node[s].stamp & QUEUED == 0:  # not queued in the meantime
                node[s].stamp = node[s].stamp + QUEUED
                self.open.insert(s, 0, 0)  # 16: move s from INCONS into OPEN
        return self.rebuild_queue()  # 17: update all keys

    # For LPA*, whose planner is written in Python.

    def apply_changes(self, states: list[int]) -> None:
        """Update the rhs of these states, whose step costs have changed."""
        self.ensure_key_range()  # the new costs may be larger than the range of keys allows
        for s in states:
            self.on_cost_change(s)
        self.flush()

    def advance_to_end(self) -> None:
        """Search until the path to the target is known."""
        self.ensure_key_range()
        self.advance(INF, 0)

    # The search.

    def advance(self, limit: int, deadline: int) -> int:
        """ComputeShortestPath {10-20}: at most `limit` turns, or until the clock shows `deadline` ns (0: no deadline).

        A turn is an expansion or a key update {14}. s_start is the target, u the first state of the queue, k_old the
        key that u was queued with, and k its up-to-date key.

        Return 1 if the path to the target is known, or no path exists; 0 if the budget is used up.
        """
        node, s_start = self.node, self.target
        self.initialize_state(s_start)
        h_start = self.h_of(s_start)
        turns = first_turn = self.expansions + self.key_updates
        last_turn = turns + limit if limit < INF else INF
        while True:
            g, rhs = node[s_start].g, node[s_start].rhs  # {10}
            # at least one turn, even if the deadline is over: otherwise there might never be progress
            if turns >= last_turn or (turns & 7 == 7 and turns > first_turn and self.is_late(turns, deadline)):
                self.flush()
                return self.open.top_precedes(self.end_key(g, rhs, h_start), rhs) == 0 and self.is_good_enough(rhs)
            u = self.pop_next(self.end_key(g, rhs, h_start), rhs)  # {10-12}
            if u < 0:  # GOAL or EMPTY: the condition of {10} is false
                if self.is_good_enough(rhs) or self.must_end():
                    return 1
                continue
            turns += 1
            g, rhs, stamp = node[u].g, node[u].rhs, node[u].stamp - QUEUED
            if (
                stamp < self.current_stamp
            ):  # queued before the last move of the agent: only then does k_old differ from k
                k = self.key_of(g, rhs, self.h_of(u))
                if self.open.popped_f < k:  # {13}: k_old < CalcKey(u)
                    if self.is_watched:
                        self.log.add(u, KEY_UPDATED, -1)
                    self.key_updates += 1
                    self.enqueue(u, stamp, k, min(g, rhs))  # {14}
                    continue
            node[u].stamp = stamp
            if self.can_truncate:
                if self.can_end_before(u, turns):
                    return 1
                if self.try_truncate(u):
                    continue
            self.expansions += 1
            if self.is_watched:
                self.log.add(u, LOWERED if g >= rhs else RAISED, -1)
            if g > rhs:  # {15}: over-consistent
                self.lower_g(self.space, self.pred_neighbours, u)  # {16-17}
            else:  # {18}: under-consistent (D* Extra Lite lowers a seed here, whose g is rhs)
                self.raise_g(self.space, self.pred_neighbours, self.succ_neighbours, u)  # {19-20}

    def pop_next(self, end: int, rhs: int) -> int:
        """{10-12}: process the batch, and pop the first state u of the queue if its key is below `end`.

        One call of the queue replaces TopKey, Pop, and Insert or Remove for each state of the batch.
        """
        k = self.batch_count
        self.batch_count = 0
        return self.open.insert_batch_and_pop(k, -1, end, rhs)

    def is_good_enough(self, rhs: int) -> bool:
        """Hook: return True if the search may end. No queued state comes before the target, whose rhs is `rhs`."""
        return True

    def must_end(self) -> bool:
        """Hook: return True if the search ends although it is not good enough. Otherwise queue more states."""
        return True

    def can_end_before(self, u: int, turns: int) -> bool:
        """Hook, if `can_truncate`: return True if the search ends before u is expanded. Then u is queued again."""
        return False

    def try_truncate(self, u: int) -> bool:
        """Hook, if `can_truncate`: return True if u is truncated: it leaves the queue without being expanded."""
        return False

    def is_late(self, turns: int, deadline: int) -> bool:
        """Return True if the deadline is over. Check for signals from time to time."""
        if turns & 8191 == 8191:
            check_signals()
        return deadline > 0 and now_ns() >= deadline

    def lower_g(self, space: Space, neighbours: Neighbours, u: int) -> int:
        """{16-17}: expand an over-consistent u: g(u) falls to rhs(u)."""
        node, pred, cost, x = self.node, neighbours.state, neighbours.cost, self.x
        g_u = node[u].rhs
        node[u].g = g_u  # {16}
        if self.is_anytime:
            mark_closed(self.delayed_states, u)  # AD*, line 18: CLOSED := CLOSED + {u}
        k = space.expand(neighbours, u) if self.preds_by_expand else space.expand_reverse(neighbours, u)
        for i in range(k):
            p = pred[i]  # {17}: UpdateVertex(p), without a minimum over its successors
            new_rhs = cost[i] + g_u
            if node[p].stamp < x:
                self.initialize_state(p)
            if new_rhs < node[p].rhs:  # never true of a root, whose rhs is 0
                self.set_rhs(p, new_rhs, u)
        return 0

    def raise_g(self, space: Space, pred_neighbours: Neighbours, succ_neighbours: Neighbours, u: int) -> int:
        """{19-20}: expand an under-consistent u: g(u) becomes infinite, and states whose `next` is u are updated."""
        node, pred, x = self.node, pred_neighbours.state, self.x
        node[u].g = INF  # {19}
        self.update_queue(u, INF, node[u].rhs, node[u].stamp)  # {20} for u itself, whose rhs does not change
        k, count = (
            space.expand(pred_neighbours, u) if self.preds_by_expand else space.expand_reverse(pred_neighbours, u),
            0,
        )
        for i in range(k):  # keep the states whose `next` is u; counting avoids a branch
            p = pred[i]
            pred[count] = p
            count += (node[p].next == u) & (node[p].stamp >= x)
        for i in range(count):
            self.recompute_rhs(space, succ_neighbours, pred[i])  # {20}
        return 0

    # Saving.

    def serialize(self, archive: Archive) -> None:
        """Save or load the generated states and the queue. The planner has set `space` and `roots` before."""
        target = archive.integer("target", self.target if not archive.is_loading else 0, 0, self.n - 1)
        if archive.is_loading:
            self.attach(self.space, self.roots, target)
        move_count = (self.current_stamp - self.x) // MOVE_STAMP
        move_count = archive.integer("moved", move_count, 0, TRIP_STAMP // (2 * MOVE_STAMP))
        self.current_stamp = self.x + MOVE_STAMP * move_count
        self.lowest_changed_index = archive.integer("lowest_changed_index", self.lowest_changed_index, 0, self.n + 1)
        self.path_cost_rose = archive.boolean("path_cost_rose", self.path_cost_rose)
        archive.require(self.batch_count == 0, "its search was interrupted by an error")
        self.keys.serialize(archive, self.open)
        if self.is_anytime:
            self.delayed_states.serialize(archive.nested("delayed"))
        StateTable.serialize(self, archive)
        generated = self.used_states()
        has_next = (self.values("rhs")[generated] >= INF) | (self.values("next")[generated] >= 0)
        has_next |= np.isin(generated, np.asarray(self.roots.state_array)[: self.roots.count])
        archive.require(has_next.all(), "a state with a finite rhs has no next state")
        self.open.serialize(archive.nested("open"), self.n)
        queued = generated[self.values("stamp")[generated] & QUEUED != 0]
        archive.require(
            np.array_equal(self.open.sorted_states(), queued),
            "its queue does not hold the states that are marked as queued",
        )

    def as_arrays(self, states: Any = ALL) -> dict[str, np.ndarray[Any, Any]]:
        """Return g and rhs (-1: infinite), the next states as `parent`, and the queued states as `open`."""
        arrays = StateTable.as_arrays(self, states)
        arrays["parent"] = arrays.pop("next")
        queued = self.values("stamp")[states] & QUEUED != 0
        return {**arrays, "open": self.valid_mask(ONE_TRIP, states) & queued}

    def h_values(self) -> np.ndarray[Any, Any]:
        """Return the h of each generated state, -1 for others. It is not stored: it changes with the target."""
        h = np.full(self.n, -1, np.int64)
        for s in np.flatnonzero(np.asarray(self.stamp) >= self.x).tolist():
            h[s] = self.keys.h(s)
        return h


def raise_cyclic_path() -> None:
    """Raise InputError. With a consistent h, `next` leads to smaller and smaller g."""
    raise InputError(
        "the path runs in a circle: the heuristic is not consistent (check_heuristic=True says where), "
        "or the queue does not order its states"
    )


PSEUDO_CODE = """
## Incremental.recompute_rhs

    rhs(s) := least c(s, v) + g(v) over its successors v
    next(s) := the v of that minimum
    update the queue

## Incremental.update_queue

    g(s) differs from rhs(s): insert s into U with the key
        min(g, rhs) + h + k_m, then min(g, rhs)
    g(s) equals rhs(s): remove s from U

## Incremental.advance

    while U has a state before the key of s_start,
    or rhs(s_start) > g(s_start):
        the budget is used up? stop
        u := first state of U, with key k_old
        k_old < the key of u now (the agent has moved):
            insert u again with its key of now
        g(u) > rhs(u): lower g(u)
        g(u) < rhs(u): raise g(u)

## Incremental.lower_g

    g(u) := rhs(u)
    for each predecessor p of u:
        if c(p, u) + g(u) < rhs(p):
            rhs(p) := c(p, u) + g(u); next(p) := u
            update the queue

## Incremental.raise_g

    g(u) := infinite; update the queue
    for each predecessor p whose `next` is u:
        recompute rhs(p)

## Incremental.begin_iteration

    CLOSED := empty
    move all states from INCONS into OPEN
    recompute all keys, with the new weight on h
"""
