"""A* that can be stopped and resumed: the lookahead of real-time planners, and the complete search of the others.

One `Search` serves all episodes of an agent. Nothing is reset between searches: the stamp of a state tells which search
wrote its values last. So g-values of earlier searches and h-values towards earlier goals are ignored.

| stamp of s              | meaning                                                                                |
|-------------------------|----------------------------------------------------------------------------------------|
| below `known_h_stamp`   | h(s) is not known                                                                      |
| below `current_h_stamp` | h(s) is outdated: the goal has moved, or a search was recorded (`record_f`) since.     |
|                         | `current_h` updates it when it is next read.                                           |
| below x                 | s is not generated in the current search, whose stamp is x                             |
| x                       | s is generated: its g, h and parent are valid. It is open, unless a rule has popped it. |
| x + 1                   | s is expanded                                                                          |

The search stops when a goal is first in the open list (RTAA* 2006, Figure 1, line {03}). The goal stays in the list,
which learning rules read.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import empty, grown, prefault, with_capacity
from replan.clock import now_ns
from replan.errors import InputError
from replan.extensions import checked_integer
from replan.limits import H_CHANGED, LARGEST_BOUND, LARGEST_H_WEIGHT, LARGEST_KEY, LARGEST_STAMP
from replan.log import EventLog
from replan.queues.base import OpenList
from replan.search.state_table import ALL, ONE_CHARACTER, ONE_SEARCH, Column, StateTable
from replan.serialization import Archive
from replan.signals import check_signals
from replan.spaces.cell_distance import CellDistance, Heuristic
from replan.spaces.goals import Goals
from replan.spaces.heuristics import DistanceFromOrigin, DistanceToGoals, ZeroHeuristic
from replan.spaces.neighbours import Neighbours
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython


if not cython.compiled:
    from replan.interpreted import BATCH, GOAL, INF, ints, longs, nodes, nodes_from, prefetch_node
    from replan.spaces.cell_distance import grid_distance

# The fields of `Node` (`core.pxd`), in its order. `computed_h` needs the g of earlier searches.
COLUMNS = (
    Column("g", INF >> 4, lifetime=ONE_SEARCH),
    Column("h", INF, lifetime=ONE_CHARACTER),
    Column("stamp", is_shown=False, lifetime=ONE_CHARACTER),
    Column("parent", lifetime=ONE_SEARCH),
)


class Terminator(StateTable):
    """Ends a search before it reaches a goal: at a state from which the rest of the path is known."""

    def can_end_at(self, search: Search, space: Space, s: int) -> bool:
        """Return True if the search may end at s, the first state of the open list."""
        return False


class Search(StateTable):
    """The values of an A* search over all states of a space.

    node[s] has the g, h, stamp and parent of state s; `g`, `h`, `stamp` and `parent` are views for Python.
    closed[:expanded] are the expanded states, in the order of their expansion.
    """

    node: Any
    g: Any
    h: Any
    stamp: Any
    parent: Any
    closed: memoryview
    heuristic: Heuristic
    occupancy: memoryview
    log: EventLog

    def __init__(
        self, open: OpenList, is_backward: bool = False, inflation: int = 10, covers_map: bool = False
    ) -> None:
        """Begin without a space. `covers_map`: searches are expected to generate most states of the map."""
        StateTable.__init__(self, "search", COLUMNS, "stamp", packed=True, covers_map=covers_map)
        self.open, self.is_in_progress = open, False
        self.g = self.h = self.stamp = self.parent = None
        self.closed = empty(1, np.int32)
        self.x = self.known_h_stamp = self.current_h_stamp = 2
        self.goal_move_stamps, self.goal_move_h_offsets = empty(16, np.int64), empty(16, np.int64)
        self.goal_move_count = self.h_offset = 0
        self.last_move_stamp = self.x  # the first search after the last move of the goal
        self.remembered_f, self.remembered_count = empty(1, np.int64), 0
        self.terminator: Any = None  # a Terminator, or None
        self.learned_h: Any = None  # in a crowd: the LearnedHStore of the current character; else None
        self.avoids_occupied = False  # True: states with occupancy[s] > 0 characters are not generated
        self.stop_state = -1  # the state, popped from OPEN, at which the terminator has ended the search; -1: none
        self.h_increase = 0  # the sum by which recorded searches have raised h
        self.expanded = self.pending_start_count = self.expansions_since_signal_check = 0
        self.max_path_cost, self.h_cap, self.first_h_cap, self.unweighted_h_limit = INF - 1, INF, INF, -1
        self.max_h_factor = 1  # learned h-values are at most so many times too large
        self.is_backward, self.is_watched = is_backward, False
        self.reopens_closed = True  # True: an expanded state is opened again if a cheaper path to it is found
        self.pathmax = False  # True: f is at least the f of the parent; for an inconsistent h
        self.followup_time = 0  # time reserved for what follows the search, in 1/16 ns per expansion
        # tenths: 10 is A*, 15 is weighted A* with weight 1.5
        self.inflation = checked_integer("inflation", inflation, 10, LARGEST_H_WEIGHT)
        self.set_heuristic(ZeroHeuristic())
        self.target = -1
        self.queue_bound = -1
        self.neighbours: Any = None  # Neighbours

    def bind_arrays(self, n: int) -> None:
        self.node = nodes(self.rows)
        self.g, self.h, self.stamp, self.parent = (self.arrays[column.name] for column in self.columns)
        self.closed, self.expanded = empty(n, np.int32), 0

    def attach(self, space: Space) -> None:
        """Search this space from now on: the same states, another map."""
        self.space, self.neighbours = space, space.make_neighbours(self.neighbours)
        self.queue_bound = -1  # the bounds are set in the next search
        self.open.reseed()
        self.open.clear()

    def first_valid_stamp(self, lifetime: str) -> int:
        if lifetime == ONE_CHARACTER:
            return self.known_h_stamp
        # right after a move of the goal there is no search yet, only states whose h was updated
        return self.x if self.x > self.current_h_stamp else self.x + 2

    def last_stamp(self) -> int:
        return self.x + 1

    def prefault(self) -> None:
        StateTable.prefault(self)
        prefault(self.closed)
        self.open.reserve(self.n)
        self.open.prefault()

    def set_heuristic(self, heuristic: Heuristic) -> None:
        self.heuristic = heuristic
        # on grids the loop computes h inline, which saves three calls per new state
        self.uses_cell_distance = False
        if isinstance(heuristic, CellDistance) and self.inflation == 10:
            self.uses_cell_distance, self.cell_distance = True, heuristic

    def set_goals(self, goals: Goals, heuristic: Heuristic, target: int = -1) -> None:
        """Forget all h-values, and search for other goals (a backward search: for the state `target`)."""
        self.goals = goals
        self.set_heuristic(heuristic)
        self.target = target if self.is_backward else goals.single_state
        self.x += 2
        self.known_h_stamp = self.current_h_stamp = self.last_move_stamp = self.x
        self.goal_move_count = self.h_offset = self.remembered_count = 0
        # the estimates of the space are consistent with the smallest possible costs
        consistent = CellDistance, DistanceToGoals, DistanceFromOrigin, ZeroHeuristic
        self.has_consistent_first_h = isinstance(heuristic, consistent)

    def retarget(self, goals: Goals, heuristic: Heuristic) -> None:
        """Set other goals, and keep what was learned as far as it still holds.

        (Lazy Moving-Target Adaptive A*: Koenig, Likhachev, Sun 2007.) Let d be the h-value of the new goal. Then h(s) -
        d is consistent towards the new goal, and so is the maximum of it and the first h. `computed_h` updates each
        state when it is next read.
        """
        d = 0
        for i in range(goals.count):
            d = max(d, self.current_h(goals.state_array[i]))
        if self.goal_move_count == len(self.goal_move_stamps):
            stamps = grown(self.goal_move_stamps, 2 * self.goal_move_count)
            offsets = grown(self.goal_move_h_offsets, 2 * self.goal_move_count)
            self.goal_move_stamps, self.goal_move_h_offsets = stamps, offsets
        self.goal_move_stamps[self.goal_move_count] = self.last_move_stamp
        self.goal_move_h_offsets[self.goal_move_count] = self.h_offset
        self.goal_move_count += 1
        self.goals, self.target = goals, goals.single_state
        self.set_heuristic(heuristic)
        self.h_offset += d
        self.x += 2
        self.current_h_stamp = self.last_move_stamp = self.x

    def begin_character(self, first_state: int) -> int:
        """Serve another character of a crowd: forget all h-values. It reaches no state below `first_state`."""
        self.node, self.x = nodes_from(self.rows, first_state), self.x + 2
        self.known_h_stamp = self.current_h_stamp = self.last_move_stamp = self.x
        return 0

    def record_f(self, f: int) -> int:
        """Record that each state s generated in this search is at least f - g(s) from the goals. 0: nothing is known.

        (What Adaptive A* learns from a search, lazily.) `computed_h` updates each state when it is next read.
        """
        search_number = (self.x - self.known_h_stamp) >> 1
        if search_number >= len(self.remembered_f):
            with cython.gil:
                self.remembered_f = grown(self.remembered_f, 2 * search_number + 2)
        while self.remembered_count < search_number:
            self.remembered_f[self.remembered_count] = 0
            self.remembered_count += 1
        self.remembered_f[search_number] = f
        self.remembered_count = search_number + 1
        self.x += 2
        self.current_h_stamp = self.x
        return 0

    def begin(self, space: Space, open: OpenList) -> int:
        """Begin a new search, with an empty open list."""
        if self.queue_bound != space.max_path_cost:
            with cython.gil:
                self.set_bounds(space, open, space.max_path_cost)
        self.x += 2
        self.expanded = self.pending_start_count = 0
        self.stop_state = -1
        open.clear()
        return 0

    def set_bounds(self, space: Space, open: OpenList, bound: int) -> None:
        """Prepare keys for path costs up to `bound`. Raise InputError if they do not fit."""
        if (1.0 + bound) * (10 + self.inflation * self.max_h_factor) / 10 >= LARGEST_KEY:
            raise InputError("costs times the weight do not fit 62 bits: use smaller costs or a smaller weight")
        self.queue_bound = -1
        self.max_path_cost = bound
        self.unweighted_h_limit = bound if self.inflation == 10 else -1  # up to this value h is the estimate itself
        self.first_h_cap = (bound + 1) * self.inflation // 10  # no true h is larger, so larger ones are cut down to it
        self.h_cap = self.max_h_factor * self.first_h_cap
        open.set_bounds(space.n, bound + self.h_cap, bound, space.max_edge_round_trip)
        self.queue_bound = bound

    def first_h(self, s: int) -> int:
        """Return the h-value of a state before any learning: the estimate times the weight."""
        h = self.heuristic.estimate(s)
        if h > self.unweighted_h_limit:
            if h > self.max_path_cost:  # more than any path costs; times the weight it might not fit the keys
                return self.first_h_cap
            h = h * self.inflation // 10  # rounded down, which keeps the bound on the cost of the path
        return h

    def initial_h(self, s: int) -> int:
        """Return like `first_h`, but use the h-value that the current character has learned, if any."""
        return self.first_h(s) if self.learned_h is None else self.learned_h.h_of(s, self.first_h(s))

    def computed_h(self, s: int) -> int:
        """Return the up-to-date h-value of a state whose stamp is below `current_h_stamp`."""
        node = self.node
        if node[s].stamp < self.known_h_stamp:
            return self.initial_h(s)
        h: int = node[s].h
        search_number = (node[s].stamp - self.known_h_stamp) >> 1  # the search that generated s last
        if search_number < self.remembered_count:
            increase = min(self.remembered_f[search_number] - node[s].g, self.h_cap) - h
            if increase > 0:
                self.h_increase += increase
                h += increase
        if node[s].stamp >= self.last_move_stamp:
            return h
        low, high = 0, self.goal_move_count  # binary search: the last move of the goal before that search
        while high - low > 1:
            middle = (low + high) >> 1
            if self.goal_move_stamps[middle] <= node[s].stamp:
                low = middle
            else:
                high = middle
        return max(self.first_h(s), h - (self.h_offset - self.goal_move_h_offsets[low]))

    def current_h(self, s: int) -> int:
        """Return the h-value of any state, known or not."""
        node = self.node
        if node[s].stamp < self.known_h_stamp:
            return self.initial_h(s)
        if node[s].stamp < self.current_h_stamp:
            node[s].h = self.computed_h(s)
            node[s].stamp = self.current_h_stamp
        h: int = node[s].h
        return h

    def is_generated(self, s: int) -> bool:
        """Return True if the current search has generated s."""
        return bool(self.node[s].stamp >= self.x)

    def refresh_h(self, s: int) -> bool:
        """Update the h of a state. Return False if it is not known: then its first h is consistent with any costs."""
        node = self.node
        if node[s].stamp < self.known_h_stamp and self.has_consistent_first_h:
            return False
        if node[s].stamp < self.current_h_stamp:
            node[s].h = self.computed_h(s)
            node[s].stamp = self.current_h_stamp
        return True

    def set_h(self, s: int, h: int) -> None:
        """Set the h-value of a state, from Python. It is limited to `h_cap`, which no true h exceeds."""
        node = self.node
        if not 0 <= s < self.n or h < 0:
            raise InputError(f"h of state {s} cannot become {h}: h is 0 or more, and states are numbers below {self.n}")
        if self.learned_h is not None and not self.has_expanded(s):
            raise InputError("in a crowd a rule may only change the h of expanded states: those in lookahead.closed")
        if self.is_watched:
            self.log.add(s, H_CHANGED, self.current_h(s))
        node[s].h = min(h, self.h_cap)
        node[s].stamp = max(node[s].stamp, self.current_h_stamp)

    def has_expanded(self, s: int) -> bool:
        """Return True if the current search has expanded s (with an inconsistent h, s may be open again)."""
        return bool(self.is_generated(s) and s in np.asarray(self.closed)[: self.expanded])

    def read_h(self, s: int) -> int:
        """Return the h-value of a state, for Python."""
        if not 0 <= s < self.n:
            raise IndexError(f"there is no state {s}: states are numbers from 0 to {self.n - 1}")
        return self.current_h(s)

    def add_start(self, open: OpenList, s: int) -> int:
        """Add a start state. `advance` inserts it into the open list."""
        node = self.node
        if node[s].stamp < self.current_h_stamp:
            node[s].h = self.computed_h(s)
        node[s].stamp = self.x
        node[s].g = 0
        node[s].parent = s
        if self.pending_start_count == BATCH:
            self.insert_starts(open)
        i = self.pending_start_count
        open.batch_states[i], open.batch_f[i], open.batch_g[i] = s, node[s].h, 0
        self.pending_start_count = i + 1
        return 0

    def insert_starts(self, open: OpenList) -> int:
        """Insert the start states into the open list now, for callers that do not advance the search."""
        k = self.pending_start_count
        self.pending_start_count = 0
        return open.insert_batch(k)

    def advance(self, space: Space, open: OpenList, limit: int, deadline: int) -> int:
        """Expand until `limit` states are closed, or until the clock shows `deadline` ns (0: no deadline).

        Return 1 if the search is over (a goal is first in the open list, or the list is empty), else 0.
        """
        check_interval = 8 if deadline > 0 else 4096
        is_over = 0
        last_check = now_ns() if deadline > 0 else 0
        while is_over == 0 and self.expanded < limit:
            stop = min(limit, self.expanded + check_interval)
            if stop > len(self.closed):  # with an inconsistent h a state may be expanded more than once
                with cython.gil:
                    self.closed = grown(self.closed, 2 * stop)
            self.expansions_since_signal_check -= self.expanded
            is_over = self.loop(space, self.neighbours, open, stop)
            self.expansions_since_signal_check += self.expanded + 1
            if self.expansions_since_signal_check > 16384:
                self.expansions_since_signal_check = 0
                check_signals()
            if deadline > 0:  # stop if another round as long as this one, and what follows the search, would be late
                now = now_ns()
                if 2 * now - last_check + ((self.expanded + check_interval) * self.followup_time >> 4) >= deadline:
                    break
                last_check = now
        return is_over

    def loop(self, space: Space, neighbours: Neighbours, open: OpenList, limit: int) -> int:
        """A* (RTAA* 2006, Figure 1, line {03}), until a goal would be expanded or CLOSED has `limit` states.

        Symbols of the figure: s, succ, c, g, h, CLOSED (`closed[:n]`). v is succ(s, a), and f is g + h. The figure's
        s_bar, the state that would be expanded next, is the first of OPEN when the search has ended.

        Return 1 if the search is over: s_bar is a goal, or OPEN is empty and s_bar is FAILURE. Return 0 if the limit is
        reached.
        """
        n, x, h_stamp, goal, row_stride = self.expanded, self.x, self.current_h_stamp, self.target, space.row_stride
        has_plain_steps = not self.is_backward and not self.avoids_occupied
        has_hooks = self.pathmax or self.terminator is not None
        node, closed, succ, c = self.node, ints(self.closed), neighbours.state, neighbours.cost
        last_reopenable_stamp = x + 1 if self.reopens_closed else x  # the stamp of an expanded state is x + 1
        # states for OPEN are collected in a batch, which the next pop inserts
        batch_states, batch_f, batch_g = ints(open.batch_states), longs(open.batch_f), longs(open.batch_g)
        batch_count, self.pending_start_count = self.pending_start_count, 0
        entry, f, parent_f = -1, 0, 0
        while n < limit:  # {02}: lookahead
            # s := the state in OPEN with the smallest f
            if self.can_skip_queue(open, batch_count, entry, f, goal):
                s, open.popped_f = entry, f
            else:
                s = self.pop_next(open, batch_count, goal)
            batch_count = 0
            if s < 0:  # GOAL: s_bar stays in OPEN. EMPTY: s_bar = FAILURE {04-05}
                break
            if has_hooks:
                if self.terminator is not None and self.terminator.can_end_at(self, space, s):
                    self.stop_state = s
                    break
                parent_f = open.popped_f if self.pathmax else 0
            # move s from OPEN to CLOSED
            closed[n] = s
            n += 1
            node[s].stamp = x + 1
            g_s = node[s].g
            if has_plain_steps:
                k = space.expand_onward(neighbours, s, node[s].parent)
            else:
                k = self.list_neighbours(space, neighbours, s)
            for i in range(k):
                v = succ[i]
                g_v = g_s + c[i]
                old_stamp = node[v].stamp
                if old_stamp < h_stamp:
                    node[v].h = self.h_of(v, old_stamp)
                elif old_stamp >= x and (g_v >= node[v].g or old_stamp > last_reopenable_stamp):
                    continue  # g(v) is no larger already, or v is closed and closed states are not opened again
                self.prefetch_neighbours(node, v, row_stride)
                # g[v] := g[s] + c[s, a]; put v into OPEN
                node[v].g, node[v].parent = g_v, s
                node[v].stamp = x  # also if v is expanded: with an inconsistent h it is opened again
                entry, f = v if old_stamp != x else -1 - v, max(g_v + node[v].h, parent_f)
                batch_states[batch_count], batch_f[batch_count], batch_g[batch_count] = entry, f, g_v
                batch_count = self.flush_if_full(open, batch_count + 1)
        open.insert_batch(batch_count)
        self.expanded = n
        return n < limit

    # Helpers of the loop: the first has its goal test, the others exist for speed.

    def pop_next(self, open: OpenList, batch_count: int, goal: int) -> int:
        """Insert the batch into OPEN and pop its first state. Return GOAL if it is a goal (it stays in); EMPTY if none.

        goal: the only goal; -1 if there are several, which the open list cannot test.
        """
        if goal >= 0:
            return open.insert_batch_and_pop(batch_count, goal, INF, 0)
        open.insert_batch(batch_count)
        s = open.top()
        return GOAL if s >= 0 and self.goals.is_goal(s) else open.pop()

    def can_skip_queue(self, open: OpenList, batch_count: int, entry: int, f: int, goal: int) -> bool:
        """Corridor shortcut: True if OPEN would return the only state of the batch at once, and it is no goal.

        It replaces a call of `insert_batch_and_pop`. It tests for one goal only: `goal` is -1 if there are several.
        """
        return batch_count == 1 and f <= open.min_f and entry >= 0 and entry != goal and goal >= 0

    def flush_if_full(self, open: OpenList, batch_count: int) -> int:
        """Insert the batch into OPEN if it is full. Return the size of the batch afterwards.

        Batches replace a call of `insert` or `decrease` for each state.
        """
        if batch_count < BATCH:
            return batch_count
        open.insert_batch(batch_count)
        return 0

    def h_of(self, v: int, old_stamp: int) -> int:
        """Return h of a state whose `old_stamp` is below `current_h_stamp`. On grids h is computed inline."""
        if old_stamp >= self.known_h_stamp or not self.uses_cell_distance:
            return self.computed_h(v)
        h = grid_distance(self.cell_distance, v)
        return h if self.learned_h is None else self.learned_h.h_of(v, h)

    def prefetch_neighbours(self, node: Any, v: int, row_stride: int) -> None:
        """Prefetch the neighbours of v in the rows above and below, for the expansion of v."""
        prefetch_node(node, v + row_stride)
        prefetch_node(node, v - row_stride)

    def list_neighbours(self, space: Space, neighbours: Neighbours, s: int) -> int:
        """List the neighbours of a state for a backward search, or without occupied states."""
        if self.is_backward:
            k = space.expand_reverse(neighbours, s)
        else:
            k = space.expand_onward(neighbours, s, self.node[s].parent)
        return neighbours.remove_marked(self.occupancy, k) if self.avoids_occupied else k

    # Saving.

    def is_shareable(self) -> bool:
        """Return True: each character has its h in a `LearnedHStore`."""
        return True

    def serialize(self, archive: Archive) -> None:
        """Save or load all h-values and the last search; the open list is checked if that search is in progress."""
        queue_bound = archive.integer("queue_bound", self.queue_bound, -1, LARGEST_BOUND)
        if archive.is_loading and queue_bound >= 0:
            self.set_bounds(self.space, self.open, queue_bound)
        self.serialize_numbers(archive)
        StateTable.serialize(self, archive)
        g, parent, stamp = self.values("g"), self.values("parent"), self.values("stamp")
        generated = np.flatnonzero(self.valid_mask(ONE_SEARCH))
        parents = parent[generated]
        leads_to_start = self.valid_mask(ONE_SEARCH, parents) & (g[parents] < g[generated])
        archive.require((leads_to_start | (parents == generated)).all(), "its search tree does not lead to the start")
        self.open.serialize(archive.nested("open"), self.n)
        if self.is_in_progress:
            open_states = generated[stamp[generated] == self.first_valid_stamp(ONE_SEARCH)]
            is_consistent = queue_bound >= 0 and np.array_equal(self.open.sorted_states(), open_states)
            archive.require(is_consistent, "its open list does not hold the open states")

    def serialize_numbers(self, archive: Archive) -> None:
        """Save or load the stamps, the moves of the goal, and the f-values of recorded searches."""
        self.known_h_stamp = archive.integer("known_h_stamp", self.known_h_stamp, 2, LARGEST_STAMP)
        move, current = self.last_move_stamp, self.current_h_stamp
        self.last_move_stamp = archive.integer("last_move_stamp", move, self.known_h_stamp, LARGEST_STAMP)
        self.current_h_stamp = archive.integer("current_h_stamp", current, self.last_move_stamp, LARGEST_STAMP)
        self.x = archive.integer("x", self.x, self.current_h_stamp, LARGEST_STAMP)
        stamps = self.known_h_stamp | self.last_move_stamp | self.current_h_stamp | self.x
        archive.require(stamps & 1 == 0, "one of its stamps is odd")
        n = self.goal_move_count
        last = self.last_move_stamp - 1
        move_stamps = archive.integers("goal_move_stamps", self.goal_move_stamps[:n], self.known_h_stamp, last)
        move_offsets = archive.integers("goal_move_h_offsets", self.goal_move_h_offsets[:n], 0, INF, len(move_stamps))
        has_moved = self.last_move_stamp > self.known_h_stamp
        is_ordered = (np.diff(move_stamps) > 0).all() and (len(move_stamps) > 0) == has_moved
        archive.require(is_ordered, "the moves of its goal are not in order")
        self.h_offset = archive.integer("h_offset", self.h_offset, 0, INF)
        recorded_f = archive.integers("remembered_f", self.remembered_f[: self.remembered_count], 0, INF)
        search_count = (self.x - self.known_h_stamp) // 2 + 1
        archive.require(len(recorded_f) <= search_count, "it has recorded more searches than there were")
        self.h_increase = archive.integer("h_increase", self.h_increase, 0)
        self.followup_time = archive.integer("followup_time", self.followup_time, 0, INF)
        closed = archive.states("closed", self.closed[: self.expanded], self.n)
        if archive.is_loading:
            self.goal_move_stamps = with_capacity(move_stamps, 16, np.int64)
            self.goal_move_h_offsets = with_capacity(move_offsets, 16, np.int64)
            self.remembered_f = with_capacity(recorded_f, 1, np.int64)
            self.closed = with_capacity(closed, self.n, np.int32)
            self.goal_move_count, self.remembered_count, self.expanded = len(move_stamps), len(recorded_f), len(closed)

    def as_arrays(self, states: Any = ALL) -> dict[str, np.ndarray[Any, Any]]:
        """Return the columns as arrays, with up-to-date h-values, and which states are open and closed."""
        arrays = StateTable.as_arrays(self, states)
        stamp, h_increase = self.values("stamp")[states], self.h_increase
        outdated = np.flatnonzero((stamp >= self.known_h_stamp) & (stamp < self.current_h_stamp))
        try:
            if len(outdated) > 0:
                for i, s in zip(outdated.tolist(), np.arange(self.n)[states][outdated].tolist(), strict=True):
                    arrays["h"][i] = self.computed_h(s)
        finally:
            self.h_increase = h_increase  # reading the values does not count as learning
        x = self.first_valid_stamp(ONE_SEARCH)
        return {**arrays, "open": stamp == x, "closed": stamp == x + 1}


PSEUDO_CODE = """
## Search.loop

    while fewer than `limit` states are expanded:
        s := state of OPEN with the smallest f
        if s is a goal: stop (s stays in OPEN)
        if the terminator allows it (an old path
            leads from s to a goal): stop
        move s to CLOSED
        for each neighbour v of s:
            gv := g(s) + c(s, v)
            if v is new in this search, or gv < g(v):
                g(v) := gv; parent(v) := s
                put v into OPEN with f := gv + h(v)
                (pathmax: f at least f(s))
    not stopped: the budget is used up

## Search.first_h

    h(s) := estimate of the space (or yours)
    h(s) := h(s) * weight, rounded down

## Search.retarget

    d := h of the new goal, towards the old one
    from now on, subtract d from every older h
    (`computed_h` does it, when h(s) is next read)

## Search.computed_h

    s was never generated: h(s) := first estimate
    the search that generated s has recorded an F:
        h(s) := max(h(s), F - g(s))
    the goal has moved since:
        h(s) := max(first estimate,
                    h(s) - all d since then)

## Search.record_f

    F := smallest f of the open states
    record: each s that this search has generated
        is at least F - g(s) from the goals
    (`computed_h` uses it, when h(s) is next read)
"""
