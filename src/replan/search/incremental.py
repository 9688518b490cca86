"""Incremental search: keep the last search, and repair it where costs have changed.

One engine serves LPA* (forward from a fixed start) and D* Lite (backward from the goal to an agent that moves). It is
the optimised form of D* Lite (Koenig, Likhachev 2002; buckets 2006, Figure 3). Numbers in braces are lines of that
figure, and the symbols are its own: g, rhs, h, k_m, s, u, U (`open`), s_start (`target`), s_goal (each of `roots`).


- a state is queued exactly while it is inconsistent (g != rhs); its key is changed in place (keys: `search/keys.py`);
- the root's rhs is 0; expanding an over-consistent u can only lower rhs of its neighbours, so it takes no minimum;
- `next` holds the neighbour that rhs comes from, so only states whose `next` is u are looked at when u is raised;
- a key that has gone stale because the agent moved (k_m) is refreshed: that is no expansion; a state that was queued
  since the last move is known to have a fresh key, and none is made to compare it with;
- the search ends when the target is not under-consistent and nothing in the queue comes before its key: the
  target itself need not be expanded;
- a cost that rises concerns a state only if its `next` lies that way;
- what an expansion queues is handed over together with the request for the next state, in one call.

"Predecessors" below are the states whose rhs depends on g(u): those of u for D* Lite, and its successors for LPA*,
which searches the other way.

From a changed cost to the queue it is seven steps, each a method: `costs_rose` asks whether rhs can have changed at
all, `costs_changed` lets it be worked out; `recompute` takes the minimum; `set_rhs` writes it; `update_queue` decides
whether the state belongs in the queue; `enqueue` stamps it; `note` puts it on the list that the queue takes in with the
next call (`flush`, or the exchange of `advance`).

Anytime D* (AD*; Likhachev, Ferguson, Gordon, Stentz, Thrun 2005) is the same engine with weighted keys, and with
states that wait for the next iteration (`search/delayed_states.py`). A new iteration is due when the weight changes *and*
after every batch of changed costs: without it a path can run in a circle.
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
MOVE_STAMP, TRIP_STAMP = 4, 1 << 36  # what a stamp grows by


class Incremental(StateTable):
    """g and rhs of all states, and the queue of the inconsistent ones.

    node[s] has the g, rhs, stamp and next of state s; `g`, `rhs`, `stamp` and `next` show them to Python. The stamp is
    x or more while a state is met; anything below is of an earlier trip. It tells when the state was queued last: `now`
    grows when the target moves. QUEUED and ON_TRAIL are added to it.

    A planner that sets its path along `next` marks it with ON_TRAIL; `path_index` is the index of that path (see
    `PlannedPath`). `cut` is then the lowest position at which the path has changed since: below, it still leads along
    `next`, and need not be set again. `spoilt` is set when costs that have risen make a state on it, or the target,
    dearer.
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
        self.batch_states, self.batch_f, self.batch_g = ints(self.open.batch_states), longs(self.open.batch_f), longs(self.open.batch_g)
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
        """(What is marked as being on a path, its planner says.)"""
        values = StateTable.values(self, name)
        return values & ~ON_PATH if name == "stamp" else values

    def attach(self, space: Space, roots: Goals, target: int) -> None:
        """Search this space from now on, from `roots` towards `target`."""
        self.space, self.roots, self.target, self.row_stride = space, roots, target, space.row_stride
        self.pred_neighbours, self.succ_neighbours = space.make_neighbours(), space.make_neighbours()
        # `outward`: predecessors (see above) are listed by `expand`; `inward`: successors are. Otherwise by `reverse`;
        # where every step can be taken back at the same cost both list the same, and `expand` is quicker.
        self.preds_by_expand = self.is_forward or space.is_symmetric
        self.succs_by_expand = not self.is_forward or space.is_symmetric
        self.keys.begin(space, target)
        self.begin_trip()
        self.current_stamp = self.x
        self.batch_count = self.lowest_changed_index = 0
        self.open.reseed()
        self.open.clear()

    def begin(self, space: Space, roots: Goals, target: int) -> None:
        """Initialize {02-06}: start anew, towards `target`."""
        self.attach(space, roots, target)
        self.ensure_key_range()
        for s in roots.states:
            self.initialize_state(s)
            self.set_rhs(s, 0, -1)
        self.flush()

    def begin_trip(self) -> int:
        """What was found so far is of an earlier trip."""
        self.x += TRIP_STAMP
        return self.delayed_states.begin_iteration()

    def is_generated(self, s: int) -> bool:
        return self.node[s].stamp >= self.x  # type: ignore[no-any-return]

    def initialize_state(self, s: int) -> int:
        """Values of an earlier trip are not seen."""
        node = self.node
        if node[s].stamp < self.x:
            node[s].stamp = self.x
            node[s].g = node[s].rhs = INF
            node[s].next = -1
        return 0

    # Keys: `search/keys.py` has the table of them.

    def h_of(self, s: int) -> int:
        return grid_distance(self.keys.cell_distance, s) if self.keys.uses_cell_distance else self.keys.h(s)

    def key_of(self, g: int, rhs: int, h: int) -> int:
        """CalcKey {01}: the first part of the key of an inconsistent state. `km` is k_m."""
        m, over = min(g, rhs), g >= rhs
        if self.keys.is_anytime:
            return 2 * (10 * m + (self.keys.inflation if over else 10) * h + self.keys.k_m) + over
        return m + h + self.keys.k_m if self.keys.uses_smaller_g_keys else 2 * (m + h + self.keys.k_m) + over

    def end_key(self, g: int, rhs: int, h: int) -> int:
        """{10}: the key of s_start, below which states are expanded. INF while s_start is under-consistent."""
        return INF if rhs > g or rhs >= INF else self.key_of(g, rhs, h)

    # From a changed cost to the queue.

    def on_cost_increase(self, s: int) -> int:
        """Steps that rhs(s) depends on have become dearer. If that to `next` has not, rhs stays."""
        v = self.node[s].next if self.is_generated(s) else -1
        if v >= 0:
            cost = self.space.step_cost(v, s) if self.is_forward else self.space.step_cost(s, v)
            if cost != self.node[s].rhs - self.node[v].g:
                return self.on_cost_change(s)
        return 0

    def on_cost_change(self, s: int) -> int:
        """{34}: UpdateVertex(s). Steps that rhs(s) depends on cost something else now."""
        self.initialize_state(s)
        if self.roots.is_goal(s):
            return 0
        before = self.node[s].rhs
        self.recompute_rhs(self.space, self.succ_neighbours, s)
        if self.node[s].rhs > before and (s == self.target or self.node[s].stamp & ON_PATH != 0):
            self.path_cost_rose = True
        return 0

    def recompute_rhs(self, space: Space, near: Neighbours, s: int) -> int:
        """UpdateVertex {07}: rhs(s) := the least c(s, s') + g(s') over its successors s'."""
        node, succ, cost, x = self.node, near.state, near.cost, self.x
        rhs, next = INF, -1
        k = space.expand(near, s) if self.succs_by_expand else space.expand_reverse(near, s)
        for i in range(k):
            v = succ[i]
            if node[v].stamp >= x:
                c = cost[i] + node[v].g
                better = c < rhs  # never where g is infinite
                rhs = select_branchless(better, c, rhs)
                next = select_branchless(better, v, next)
        return self.set_rhs(s, rhs, next)

    def set_rhs(self, s: int, rhs: int, next: int) -> int:
        """Set rhs(s) and where it comes from."""
        node = self.node
        stamp = node[s].stamp
        node[s].rhs = rhs
        node[s].next = next
        if stamp & ON_PATH != 0:
            self.lowest_changed_index = min(self.lowest_changed_index, self.path_index[s])
        return self.update_queue(s, node[s].g, rhs, stamp)

    def update_queue(self, s: int, g: int, rhs: int, stamp: int) -> int:
        """UpdateVertex {08-09}: let a state be in the queue exactly if it is inconsistent."""
        node = self.node
        if g != rhs:
            if self.is_anytime and is_closed(self.delayed_states, s):
                return self.delayed_states.add(s)
            return self.enqueue(s, stamp, self.key_of(g, rhs, self.h_of(s)), min(g, rhs))
        if stamp & QUEUED != 0:
            node[s].stamp = stamp - QUEUED
            return self.add_to_batch(-1 - s, -1, 0)
        return 0

    def enqueue(self, s: int, stamp: int, f: int, m: int) -> int:
        """{09, 14}: U.Insert, or U.Update where it is inside: let a state have this key in the queue."""
        node = self.node
        self.prefetch_neighbours(node, s)
        node[s].stamp = self.current_stamp + QUEUED + (stamp & ON_PATH)
        return self.add_to_batch(-1 - s if stamp & QUEUED != 0 else s, f, m)

    def prefetch_neighbours(self, node: Any, s: int) -> None:
        """Prefetch the neighbours of s in the rows above and below: they are looked at when s is expanded."""
        prefetch_node(node, s + self.row_stride)
        prefetch_node(node, s - self.row_stride)

    def add_to_batch(self, who: int, f: int, m: int) -> int:
        """Put a state on the list of those that the queue takes in, moves, or takes out (f < 0) with the next call."""
        if self.batch_count == BATCH:
            self.flush()
        i = self.batch_count
        self.batch_states[i] = who
        self.batch_f[i] = f
        self.batch_g[i] = m
        self.batch_count = i + 1
        return 0

    def flush(self) -> int:
        """Let the queue do what has been noted."""
        k = self.batch_count
        self.batch_count = 0
        if k > 0:
            self.open.insert_batch_and_pop(k, -1, 0, 0)
        return 0

    # The agent moves, and keys grow.

    def move_target(self, s: int) -> int:
        """{30-31}: the agent stands on s now; `keys` adds to k_m."""
        if s != self.target:
            self.keys.move_target(s)
            self.target = s
            self.current_stamp += MOVE_STAMP
        return self.ensure_key_range()

    def ensure_key_range(self) -> int:
        """Before keys are made: make room if they would not fit."""
        if self.keys.are_outgrown():
            with cython.gil:
                self.rebuild_queue()
        return 0

    def rebuild_queue(self) -> int:
        """Put all that is queued into the queue anew, with the keys of the present."""
        self.flush()  # what was noted has keys of before, or is to go out
        if self.open.size > len(self.rebuild_buffer):
            self.rebuild_buffer = empty(2 * self.open.size, np.int32)
        k = self.open.copy_states_to(self.rebuild_buffer)
        self.open.clear()
        self.keys.set_bounds(self.open, self.space.max_path_cost)
        return self.insert_listed(self.open, k)

    def insert_listed(self, open: OpenList, k: int) -> int:
        """Put listed[:k] into the queue, one after the other."""
        node, listed, new, new_f, new_g = self.node, ints(self.rebuild_buffer), self.batch_states, self.batch_f, self.batch_g
        noted = 0
        for i in range(k):
            s = listed[i]
            g, rhs = node[s].g, node[s].rhs
            new[noted], new_f[noted], new_g[noted] = s, self.key_of(g, rhs, self.h_of(s)), min(g, rhs)
            noted += 1
            if noted == BATCH:
                open.insert_batch(noted)
                noted = 0
        return open.insert_batch(noted)

    def begin_iteration(self, weight: int) -> int:
        """Begin a new iteration of AD* with this weight: what has waited is queued."""
        node = self.node
        self.keys.set_inflation(weight)
        self.current_stamp += MOVE_STAMP
        k = self.delayed_states.count
        self.delayed_states.begin_iteration()
        for i in range(k):
            s = self.delayed_states.states[i]
            if node[s].g != node[s].rhs and node[s].stamp & QUEUED == 0:  # not queued in the meantime
                node[s].stamp = node[s].stamp + QUEUED
                self.open.insert(s, 0, 0)
        return self.rebuild_queue()

    # For LPA*, which lives in Python.

    def apply_changes(self, states: list[int]) -> None:
        self.ensure_key_range()  # the new costs may be larger than any that keys were made for
        for s in states:
            self.on_cost_change(s)
        self.flush()

    def advance_to_end(self) -> None:
        """Search until the way to the target is known."""
        self.ensure_key_range()
        self.advance(INF, 0)

    # The search.

    def advance(self, limit: int, deadline: int) -> int:
        """ComputeShortestPath {10-20}, for at most `limit` turns or until the clock shows `deadline` (0: none).

        A turn is an expansion or a refresh {14}. s_start is the target, u the first of the queue, k_old the key that it
        was queued with, k its key now. 1 when the way to the target is known, or known not to exist; 0 when the budget
        is used up.
        """
        node, s_start = self.node, self.target
        self.initialize_state(s_start)
        h_start = self.h_of(s_start)
        turns = first = self.expansions + self.key_updates
        stop = turns + limit if limit < INF else INF
        while True:
            g, rhs = node[s_start].g, node[s_start].rhs
            # a deadline that is over leaves a turn: otherwise none might ever be made
            if turns >= stop or (turns & 7 == 7 and turns > first and self.is_late(turns, deadline)):
                self.flush()
                return self.open.top_precedes(self.end_key(g, rhs, h_start), rhs) == 0 and self.is_good_enough(rhs)
            u = self.pop_next(self.end_key(g, rhs, h_start), rhs)
            if u < 0:  # GOAL or EMPTY: the condition of {10} is false
                if self.is_good_enough(rhs) or self.must_end():
                    return 1
                continue
            turns += 1
            g, rhs, stamp = node[u].g, node[u].rhs, node[u].stamp - QUEUED
            if stamp < self.current_stamp:  # queued before the agent's last move: only then can k_old differ from k
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
            if g > rhs:  # {15}
                self.lower_g(self.space, self.pred_neighbours, u)  # {16-17}
            else:  # {18}; a seed of D* Extra Lite, with g = rhs, is lowered there
                self.raise_g(self.space, self.pred_neighbours, self.succ_neighbours, u)  # {19-20}

    def pop_next(self, end: int, rhs: int) -> int:
        """{10-12}: let the queue do what has been noted, and take its first state u out if its key is below `end`.

        One call of the queue replaces TopKey, Pop, and Insert or Remove for each state that was noted.
        """
        k = self.batch_count
        self.batch_count = 0
        return self.open.insert_batch_and_pop(k, -1, end, rhs)

    def is_good_enough(self, rhs: int) -> bool:
        """Hook: True if the search may end. Nothing in the queue comes before the target, whose rhs is this."""
        return True

    def must_end(self) -> bool:
        """Hook: True if the search ends although it is not good enough; otherwise it queues states, and goes on."""
        return True

    def can_end_before(self, u: int, turns: int) -> bool:
        """Hook, where `truncates`: True if the search ends before u, the first of the queue, which it puts back."""
        return False

    def try_truncate(self, u: int) -> bool:
        """Hook, where `truncates`: True if u stays as it is, out of the queue, and is not expanded."""
        return False

    def is_late(self, turns: int, deadline: int) -> bool:
        if turns & 8191 == 8191:
            check_signals()
        return deadline > 0 and now_ns() >= deadline

    def lower_g(self, space: Space, around: Neighbours, u: int) -> int:
        """{16-17}: expand an over-consistent state: its g falls to rhs."""
        node, pred, cost, x = self.node, around.state, around.cost, self.x
        gu = node[u].rhs
        node[u].g = gu  # {16}
        if self.is_anytime:
            mark_closed(self.delayed_states, u)
        k = space.expand(around, u) if self.preds_by_expand else space.expand_reverse(around, u)
        for i in range(k):
            p = pred[i]  # {17}: UpdateVertex(p), without a minimum over its successors
            through = cost[i] + gu
            if node[p].stamp < x:
                self.initialize_state(p)
            if through < node[p].rhs:  # never true of a root, whose rhs is 0
                self.set_rhs(p, through, u)
        return 0

    def raise_g(self, space: Space, around: Neighbours, near: Neighbours, u: int) -> int:
        """{19-20}: expand an under-consistent state: its g rises to infinity, and what came through it is updated."""
        node, pred, x = self.node, around.state, self.x
        node[u].g = INF  # {19}
        self.update_queue(u, INF, node[u].rhs, node[u].stamp)  # {20}, for u itself, whose rhs does not change
        k, m = space.expand(around, u) if self.preds_by_expand else space.expand_reverse(around, u), 0
        for i in range(k):  # keep those that came through u, by counting them: no branch
            p = pred[i]
            pred[m] = p
            m += (node[p].next == u) & (node[p].stamp >= x)
        for i in range(m):
            self.recompute_rhs(space, near, pred[i])  # {20}
        return 0

    # Saving.

    def serialize(self, archive: Archive) -> None:
        """The states that were met, and the queue. The planner has set `space` and `roots`."""
        target = archive.integer("target", self.target if not archive.is_loading else 0, 0, self.n - 1)
        if archive.is_loading:
            self.attach(self.space, self.roots, target)
        self.current_stamp = self.x + MOVE_STAMP * archive.integer("moved", (self.current_stamp - self.x) // MOVE_STAMP, 0, TRIP_STAMP // (2 * MOVE_STAMP))
        self.lowest_changed_index, self.path_cost_rose = archive.integer("lowest_changed_index", self.lowest_changed_index, 0, self.n + 1), archive.boolean("path_cost_rose", self.path_cost_rose)
        archive.require(self.batch_count == 0, "an error has left its search half done")
        self.keys.serialize(archive, self.open)
        if self.is_anytime:
            self.delayed_states.serialize(archive.nested("delayed"))
        StateTable.serialize(self, archive)
        met = self.used_states()
        leads = (self.values("rhs")[met] >= INF) | (self.values("next")[met] >= 0)
        leads |= np.isin(met, np.asarray(self.roots.state_array)[: self.roots.count])
        archive.require(leads.all(), "a state with a way leads nowhere")
        self.open.serialize(archive.nested("open"), self.n)
        queued = met[self.values("stamp")[met] & QUEUED != 0]
        archive.require(np.array_equal(self.open.sorted_states(), queued), "others are queued than marked")

    def as_arrays(self, states: Any = ALL) -> dict[str, np.ndarray[Any, Any]]:
        """g and rhs (-1 for infinite), where each state leads, and who is queued."""
        arrays = StateTable.as_arrays(self, states)
        arrays["parent"] = arrays.pop("next")
        queued = self.values("stamp")[states] & QUEUED != 0
        return {**arrays, "open": self.valid_mask(ONE_TRIP, states) & queued}

    def h_values(self) -> np.ndarray[Any, Any]:
        """The h of each state that was met, -1 of the others. It is not kept: it changes when the target moves."""
        h = np.full(self.n, -1, np.int64)
        for s in np.flatnonzero(np.asarray(self.stamp) >= self.x).tolist():
            h[s] = self.keys.h(s)
        return h


def raise_cyclic_path() -> None:
    """With a consistent h that cannot be: `next` leads to smaller and smaller g."""
    raise InputError(
        "the path runs in a circle: the heuristic is not consistent (check_heuristic=True says where), or the queue has no order"
    )


PSEUDO_CODE = """
## Incremental.recompute_rhs

    rhs(s) := least c(s, v) + g(v) over its successors v
    next(s) := the v that it comes from
    update the queue

## Incremental.update_queue

    g(s) differs from rhs(s): put s into the queue with
        min(g, rhs) + h + k_m, then min(g, rhs)
    g(s) equals rhs(s): take s out of the queue

## Incremental.advance

    while the queue has a state before the agent's key,
    or rhs(agent) > g(agent):
        the budget is used up? stop
        u := first of the queue
        its key is older than the agent's last move,
        and too small: put it back with the right one
        g(u) > rhs(u): lower it
        g(u) < rhs(u): raise it

## Incremental.lower_g

    g(u) := rhs(u)
    for each predecessor p of u:
        if c(p, u) + g(u) < rhs(p):
            rhs(p) := that; next(p) := u
            update the queue

## Incremental.raise_g

    g(u) := infinite; update the queue
    for each predecessor p whose `next` is u:
        work out rhs(p) again

## Incremental.begin_iteration

    nothing is closed
    queue all that have waited
    all keys anew, with the new weight on h
"""
