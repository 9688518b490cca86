"""A* that can be stopped: a lookahead of real-time planners, a whole search of the others.

One `Search` serves all episodes of an agent. Nothing is reset between them: a stamp says which search last met a
state, so that g-values of earlier searches are not seen, and h-values of earlier goals neither.

    stamp[s] <  base    h[s] is not known
    stamp[s] <  era     h[s] is known, but of an earlier place of a moving goal, or of an earlier search that something
                        was learned from (`remember`): it is brought up to date when it is next read
    stamp[s] <  x       s is not generated in this search, whose stamp is x
    stamp[s] == x       s is generated: its g, h and parent hold; it is open, unless a choosing rule has taken it out
    stamp[s] == x + 1   s is expanded

The search stops when a goal is first in the open list (RTAA* 2006, Figure 1, line {03}), where it stays: the open list
is then what learning rules read.
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

# The fields of `Node` (`core.pxd`), in its order. g tells `renew` what an earlier search has taught.
COLUMNS = (
    Column("g", INF >> 4, lifetime=ONE_SEARCH),
    Column("h", INF, lifetime=ONE_CHARACTER),
    Column("stamp", is_shown=False, lifetime=ONE_CHARACTER),
    Column("parent", lifetime=ONE_SEARCH),
)


class Terminator(StateTable):
    """What ends a search before it comes to a goal: a state from which the rest of the way is known."""

    def can_end_at(self, search: Search, space: Space, s: int) -> bool:
        """May the search end at s, which is first in the open list?"""
        return False


class Search(StateTable):
    """The values of an A* search over all states of a space.

    node[s] has the g, h, stamp and parent of state s; `g`, `h`, `stamp` and `parent` show them to Python.
    closed[:expanded] are the expanded states, in that order.
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
        """all_over: is it expected to come by everywhere?"""
        StateTable.__init__(self, "search", COLUMNS, "stamp", packed=True, covers_map=covers_map)
        self.open, self.is_in_progress = open, False
        self.g = self.h = self.stamp = self.parent = None
        self.closed = empty(1, np.int32)
        self.x = self.known_h_stamp = self.current_h_stamp = 2
        self.goal_move_stamps, self.goal_move_h_offsets = empty(16, np.int64), empty(16, np.int64)
        self.goal_move_count = self.h_offset = 0
        self.last_move_stamp = self.x  # the search since which the goal is where it is
        self.remembered_f, self.remembered_count = empty(1, np.int64), 0
        self.terminator: Any = None  # an Ending, if there is one
        self.learned_h: Any = None  # a Memory, if this search serves many: what the one that it serves now has learned
        self.avoids_occupied = False  # True: occupied states are left out (`occupancy[s]` characters stand on s)
        self.stop_state = -1  # the state, no goal, that has ended this search: it is out of the open list
        self.h_increase = 0  # by how much h rose from what was remembered
        self.expanded = self.pending_start_count = self.expansions_since_signal_check = 0
        self.max_path_cost, self.h_cap, self.first_h_cap, self.unweighted_h_limit = INF - 1, INF, INF, -1
        self.max_h_factor = 1  # how many times too large learned h-values may be
        self.is_backward, self.is_watched = is_backward, False
        self.reopens_closed = True  # is a state expanded again if a cheaper way to it is found?
        self.pathmax = False  # f never below the parent's: for h-values that are not consistent
        self.followup_time = 0  # time to set aside for what follows the search, in 1/16 ns an expansion
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
        # right after the goal has moved there is no search yet, only states whose h was brought up to date
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
        # on grids the loop works out h itself: three calls less for each new state
        self.uses_cell_distance = False
        if isinstance(heuristic, CellDistance) and self.inflation == 10:
            self.uses_cell_distance, self.cell_distance = True, heuristic

    def set_goals(self, goals: Goals, heuristic: Heuristic, target: int = -1) -> None:
        """Forget all h-values, and head for other goals (or, backwards, for the state `target`)."""
        self.goals = goals
        self.set_heuristic(heuristic)
        self.target = target if self.is_backward else goals.single_state
        self.x += 2
        self.known_h_stamp = self.current_h_stamp = self.last_move_stamp = self.x
        self.goal_move_count = self.h_offset = self.remembered_count = 0
        # the space's own estimates are consistent with the least costs that there can be
        self.has_consistent_first_h = isinstance(heuristic, (CellDistance, DistanceToGoals, DistanceFromOrigin, ZeroHeuristic))

    def retarget(self, goals: Goals, heuristic: Heuristic) -> None:
        """The goal has moved: keep what was learned, as far as it still holds.

        (Moving-Target Adaptive A*, lazily: Koenig, Likhachev, Sun 2007.) With d the h-value of the new goal, h(s) - d
        is consistent towards it, and so is the larger of that and the first h. No state is touched now: `renew` does
        it.
        """
        d = 0
        for i in range(goals.count):
            d = max(d, self.current_h(goals.state_array[i]))
        if self.goal_move_count == len(self.goal_move_stamps):
            self.goal_move_stamps, self.goal_move_h_offsets = grown(self.goal_move_stamps, 2 * self.goal_move_count), grown(self.goal_move_h_offsets, 2 * self.goal_move_count)
        self.goal_move_stamps[self.goal_move_count], self.goal_move_h_offsets[self.goal_move_count] = self.last_move_stamp, self.h_offset
        self.goal_move_count += 1
        self.goals, self.target = goals, goals.single_state
        self.set_heuristic(heuristic)
        self.h_offset += d
        self.x += 2
        self.current_h_stamp = self.last_move_stamp = self.x

    def begin_character(self, first_state: int) -> int:
        """The next search is for somebody else (`memory`). It comes to no state below `first`, first in the table."""
        self.node, self.x = nodes_from(self.rows, first_state), self.x + 2
        self.known_h_stamp = self.current_h_stamp = self.last_move_stamp = self.x
        return 0

    def record_f(self, f: int) -> int:
        """This search is over: each state s that it met is at least f - g(s) away from the goals (0: nothing is known).

        (What Adaptive A* learns from a search, lazily.) No state is touched now: `renew` does it, once for each state.
        """
        k = (self.x - self.known_h_stamp) >> 1  # the number of this search
        if k >= len(self.remembered_f):
            with cython.gil:
                self.remembered_f = grown(self.remembered_f, 2 * k + 2)
        while self.remembered_count < k:
            self.remembered_f[self.remembered_count] = 0
            self.remembered_count += 1
        self.remembered_f[k] = f
        self.remembered_count = k + 1
        self.x += 2
        self.current_h_stamp = self.x
        return 0

    def begin(self, space: Space, open: OpenList) -> int:
        """Begin a new search: it has a number of its own, and nothing in it."""
        if self.queue_bound != space.max_path_cost:
            with cython.gil:
                self.set_bounds(space, open, space.max_path_cost)
        self.x += 2
        self.expanded = self.pending_start_count = 0
        self.stop_state = -1
        open.clear()
        return 0

    def set_bounds(self, space: Space, open: OpenList, bound: int) -> None:
        """Make room for costs up to this bound: what a cheapest path of the space costs at most."""
        if (1.0 + bound) * (10 + self.inflation * self.max_h_factor) / 10 >= LARGEST_KEY:
            raise InputError("costs of this size times the weight do not fit 62 bits: scale them down, or the weight")
        self.queue_bound = -1
        self.max_path_cost = bound
        self.unweighted_h_limit = bound if self.inflation == 10 else -1  # up to here h is the estimate itself
        self.first_h_cap = (bound + 1) * self.inflation // 10  # no true h is larger, so INF need not be either
        self.h_cap = self.max_h_factor * self.first_h_cap
        open.set_bounds(space.n, bound + self.h_cap, bound, space.max_edge_round_trip)
        self.queue_bound = bound

    def first_h(self, s: int) -> int:
        """The h-value of a state that no search for this goal has met."""
        h = self.heuristic.estimate(s)
        if h > self.unweighted_h_limit:
            if h > self.max_path_cost:  # more than any path can cost; times the weight it might not fit the keys
                return self.first_h_cap
            h = h * self.inflation // 10  # rounded down: the bound on the path's cost holds all the same
        return h

    def initial_h(self, s: int) -> int:
        """The same, as far as whom this search serves has not learned better."""
        return self.first_h(s) if self.learned_h is None else self.learned_h.h_of(s, self.first_h(s))

    def computed_h(self, s: int) -> int:
        """The h-value of a state whose stamp is older than this era."""
        node = self.node
        if node[s].stamp < self.known_h_stamp:
            return self.initial_h(s)
        h: int = node[s].h
        k = (node[s].stamp - self.known_h_stamp) >> 1  # the search that met s last
        if k < self.remembered_count:
            rise = min(self.remembered_f[k] - node[s].g, self.h_cap) - h
            if rise > 0:
                self.h_increase += rise
                h += rise
        if node[s].stamp >= self.last_move_stamp:
            return h
        low, high = 0, self.goal_move_count  # where the goal was then: the last place that it had come to
        while high - low > 1:
            middle = (low + high) >> 1
            if self.goal_move_stamps[middle] <= node[s].stamp:
                low = middle
            else:
                high = middle
        return max(self.first_h(s), h - (self.h_offset - self.goal_move_h_offsets[low]))

    def current_h(self, s: int) -> int:
        """The h-value of any state, known or not."""
        node = self.node
        if node[s].stamp < self.known_h_stamp:
            return self.initial_h(s)
        if node[s].stamp < self.current_h_stamp:
            node[s].h = self.computed_h(s)
            node[s].stamp = self.current_h_stamp
        h: int = node[s].h
        return h

    def is_generated(self, s: int) -> bool:
        """Has this search generated s?"""
        return bool(self.node[s].stamp >= self.x)

    def refresh_h(self, s: int) -> bool:
        """Bring a state's h up to date. False if it was never met and its first h is consistent whatever the costs."""
        node = self.node
        if node[s].stamp < self.known_h_stamp and self.has_consistent_first_h:
            return False
        if node[s].stamp < self.current_h_stamp:
            node[s].h = self.computed_h(s)
            node[s].stamp = self.current_h_stamp
        return True

    def set_h(self, s: int, h: int) -> None:
        """Give a state another h-value, from Python. No h needs to be above `cap`: none is."""
        node = self.node
        if not 0 <= s < self.n or h < 0:
            raise InputError(f"h of state {s} cannot become {h}: it is 0 ticks or more, of a state below {self.n}")
        if self.learned_h is not None and not self.has_expanded(s):
            raise InputError("in a crowd a rule may change the h of states that the search has expanded: look.closed")
        if self.is_watched:
            self.log.add(s, H_CHANGED, self.current_h(s))
        node[s].h = min(h, self.h_cap)
        node[s].stamp = max(node[s].stamp, self.current_h_stamp)

    def has_expanded(self, s: int) -> bool:
        """Has this search expanded s? It may be open again: an h that is not consistent does that."""
        return bool(self.is_generated(s) and s in np.asarray(self.closed)[: self.expanded])

    def read_h(self, s: int) -> int:
        """The h-value of a state, for Python."""
        if not 0 <= s < self.n:
            raise IndexError(f"there is no state {s}: they go from 0 to {self.n - 1}")
        return self.current_h(s)

    def add_start(self, open: OpenList, s: int) -> int:
        """A state that the search starts from: the open list takes it in when the search is advanced."""
        node = self.node
        if node[s].stamp < self.current_h_stamp:
            node[s].h = self.computed_h(s)
        node[s].stamp = self.x
        node[s].g = 0
        node[s].parent = s
        if self.pending_start_count == BATCH:
            self.insert_starts(open)
        open.batch_states[self.pending_start_count], open.batch_f[self.pending_start_count], open.batch_g[self.pending_start_count] = s, node[s].h, 0
        self.pending_start_count += 1
        return 0

    def insert_starts(self, open: OpenList) -> int:
        """Put the sources into the open list now: for callers that do not advance the search."""
        k = self.pending_start_count
        self.pending_start_count = 0
        return open.insert_batch(k)

    def advance(self, space: Space, open: OpenList, limit: int, deadline: int) -> int:
        """Expand until `limit` states are closed or the clock shows `deadline` (0: none).

        1 when a goal is first in the open list or nothing is left in it, else 0.
        """
        step = 8 if deadline > 0 else 4096
        done = 0
        before = now_ns() if deadline > 0 else 0
        while done == 0 and self.expanded < limit:
            stop = min(limit, self.expanded + step)
            if stop > len(self.closed):  # an inconsistent h can expand a state more than once
                with cython.gil:
                    self.closed = grown(self.closed, 2 * stop)
            self.expansions_since_signal_check -= self.expanded
            done = self.loop(space, self.neighbours, open, stop)
            self.expansions_since_signal_check += self.expanded + 1
            if self.expansions_since_signal_check > 16384:
                self.expansions_since_signal_check = 0
                check_signals()
            if deadline > 0:  # would another round as long as this one, and what follows, still be in time?
                now = now_ns()
                if 2 * now - before + ((self.expanded + step) * self.followup_time >> 4) >= deadline:
                    break
                before = now
        return done

    def loop(self, space: Space, near: Neighbours, open: OpenList, limit: int) -> int:
        """A* (RTAA* 2006, Figure 1, line {03}), until a goal would be expanded or CLOSED has `limit` states.

        Symbols as in the figure: s, succ, c, g, h, CLOSED (`closed[:n]`). v is succ(s, a), f is g + h. What the figure
        calls s_bar, the state that would be expanded next, is the first of OPEN when the search has ended.

        1 if the search is over: s_bar is a goal, or OPEN is empty and s_bar is FAILURE. 0 if the limit is used up.
        """
        n, x, era, goal, row = self.expanded, self.x, self.current_h_stamp, self.target, space.row_stride
        plain_steps, odd = not self.is_backward and not self.avoids_occupied, self.pathmax or self.terminator is not None
        node, closed, succ, c = self.node, ints(self.closed), near.state, near.cost
        latest = x + 1 if self.reopens_closed else x  # the stamp of an expanded state is x + 1
        new, new_f, new_g = ints(open.batch_states), longs(open.batch_f), longs(open.batch_g)  # OPEN takes them in next time
        noted, self.pending_start_count = self.pending_start_count, 0
        entry, f, least_f = -1, 0, 0
        while n < limit:  # {02}: lookahead
            # s := the state in OPEN with the smallest f
            if self.can_skip_queue(open, noted, entry, f, goal):
                s, open.popped_f = entry, f
            else:
                s = self.pop_next(open, noted, goal)
            noted = 0
            if s < 0:  # GOAL: s_bar stays in OPEN. EMPTY: s_bar = FAILURE {04-05}
                break
            if odd:
                if self.terminator is not None and self.terminator.can_end_at(self, space, s):
                    self.stop_state = s
                    break
                least_f = open.popped_f if self.pathmax else 0
            # move s from OPEN to CLOSED
            closed[n] = s
            n += 1
            node[s].stamp = x + 1
            g_s = node[s].g
            k = space.expand_onward(near, s, node[s].parent) if plain_steps else self.list_neighbours(space, near, s)
            for i in range(k):
                v = succ[i]
                g_v = g_s + c[i]
                old = node[v].stamp
                if old < era:
                    node[v].h = self.h_of(v, old)
                elif old >= x and (g_v >= node[v].g or old > latest):
                    continue  # generated before, and not dearer; or closed, where closed states are not opened again
                self.prefetch_neighbours(node, v, row)
                # g[v] := g[s] + c[s, a]; put v into OPEN
                node[v].g, node[v].parent = g_v, s
                node[v].stamp = x  # also of an expanded state that h, not being consistent, opens again
                entry, f = v if old != x else -1 - v, max(g_v + node[v].h, least_f)
                new[noted], new_f[noted], new_g[noted] = entry, f, g_v
                noted = self.flush_if_full(open, noted + 1)
        open.insert_batch(noted)
        self.expanded = n
        return n < limit

    # Helpers of the loop: the first takes its goal test, the others exist for speed.

    def pop_next(self, open: OpenList, noted: int, goal: int) -> int:
        """Hand the noted states to OPEN and take its first state out. GOAL, and it stays in, if it is one; or EMPTY.

        goal: -1 if there are several, which the open list cannot know.
        """
        if goal >= 0:
            return open.insert_batch_and_pop(noted, goal, INF, 0)
        open.insert_batch(noted)
        s = open.top()
        return GOAL if s >= 0 and self.goals.is_goal(s) else open.pop()

    def can_skip_queue(self, open: OpenList, noted: int, entry: int, f: int, goal: int) -> bool:
        """Corridor shortcut: True if OPEN would give back at once the one state that is noted, and it is no goal.

        It replaces a call of `exchange`. Only one goal is told apart here (`goal` is -1 if there are several).
        """
        return noted == 1 and f <= open.min_f and entry >= 0 and entry != goal and goal >= 0

    def flush_if_full(self, open: OpenList, noted: int) -> int:
        """Batches: let OPEN take in the noted states if there is no room for another one; how many are noted then?

        It replaces a call of `insert` or `decrease` for each state.
        """
        if noted < BATCH:
            return noted
        open.insert_batch(noted)
        return 0

    def h_of(self, v: int, old: int) -> int:
        """h of a state whose stamp `old` is before this era. Inlined h: on grids a new state needs no virtual call."""
        if old >= self.known_h_stamp or not self.uses_cell_distance:
            return self.computed_h(v)
        h = grid_distance(self.cell_distance, v)
        return h if self.learned_h is None else self.learned_h.h_of(v, h)

    def prefetch_neighbours(self, node: Any, v: int, row: int) -> None:
        """Prefetch the neighbours of v in the rows above and below: they are looked at when v is expanded."""
        prefetch_node(node, v + row)
        prefetch_node(node, v - row)

    def list_neighbours(self, space: Space, near: Neighbours, s: int) -> int:
        """The neighbours of a state for a search backwards, or for one that leaves out occupied states."""
        k = space.expand_reverse(near, s) if self.is_backward else space.expand_onward(near, s, self.node[s].parent)
        return near.remove_marked(self.occupancy, k) if self.avoids_occupied else k

    # Saving.

    def is_shareable(self) -> bool:
        """A character keeps its h in a `Memory`."""
        return True

    def serialize(self, archive: Archive) -> None:
        """All h-values, and the last search. Where that goes on, what is in the open list counts."""
        fitted = archive.integer("fitted", self.queue_bound, -1, LARGEST_BOUND)
        if archive.is_loading and fitted >= 0:
            self.set_bounds(self.space, self.open, fitted)
        self.serialize_numbers(archive)
        StateTable.serialize(self, archive)
        g, parent, stamp = self.values("g"), self.values("parent"), self.values("stamp")
        generated = np.flatnonzero(self.valid_mask(ONE_SEARCH))
        above = parent[generated]
        nearer = self.valid_mask(ONE_SEARCH, above) & (g[above] < g[generated])
        archive.require((nearer | (above == generated)).all(), "its tree does not lead to where the search began")
        self.open.serialize(archive.nested("open"), self.n)
        if self.is_in_progress:
            opened = generated[stamp[generated] == self.first_valid_stamp(ONE_SEARCH)]
            same = fitted >= 0 and np.array_equal(self.open.sorted_states(), opened)
            archive.require(same, "others are queued than are open")

    def serialize_numbers(self, archive: Archive) -> None:
        """Which searches there were, and what of them is remembered."""
        self.known_h_stamp = archive.integer("base", self.known_h_stamp, 2, LARGEST_STAMP)
        self.last_move_stamp = archive.integer("arrival", self.last_move_stamp, self.known_h_stamp, LARGEST_STAMP)
        self.current_h_stamp = archive.integer("era", self.current_h_stamp, self.last_move_stamp, LARGEST_STAMP)
        self.x = archive.integer("x", self.x, self.current_h_stamp, LARGEST_STAMP)
        archive.require((self.known_h_stamp | self.last_move_stamp | self.current_h_stamp | self.x) & 1 == 0, "its searches are not counted by twos")
        start = archive.integers("era_start", self.goal_move_stamps[: self.goal_move_count], self.known_h_stamp, self.last_move_stamp - 1)
        drop = archive.integers("era_drop", self.goal_move_h_offsets[: self.goal_move_count], 0, INF, len(start))
        archive.require((np.diff(start) > 0).all() and (len(start) > 0) == (self.last_move_stamp > self.known_h_stamp), "eras are mixed up")
        self.h_offset = archive.integer("drop", self.h_offset, 0, INF)
        lessons = archive.integers("least_f", self.remembered_f[: self.remembered_count], 0, INF)
        archive.require(len(lessons) <= (self.x - self.known_h_stamp) // 2 + 1, "it has learned from more searches than there were")
        self.h_increase = archive.integer("raised", self.h_increase, 0)
        self.followup_time = archive.integer("tail_ns", self.followup_time, 0, INF)
        closed = archive.states("closed", self.closed[: self.expanded], self.n)
        if archive.is_loading:
            self.goal_move_count, self.remembered_count, self.expanded = len(start), len(lessons), len(closed)
            self.goal_move_stamps, self.goal_move_h_offsets = with_capacity(start, 16, np.int64), with_capacity(drop, 16, np.int64)
            self.remembered_f, self.closed = with_capacity(lessons, 1, np.int64), with_capacity(closed, self.n, np.int32)

    def as_arrays(self, states: Any = ALL) -> dict[str, np.ndarray[Any, Any]]:
        """What the last search knows, h as it is by now, and who is open and closed."""
        arrays = StateTable.as_arrays(self, states)
        stamp, raised = self.values("stamp")[states], self.h_increase
        old = np.flatnonzero((stamp >= self.known_h_stamp) & (stamp < self.current_h_stamp))
        try:
            for i, s in zip(old.tolist(), np.arange(self.n)[states][old].tolist() if len(old) else [], strict=True):
                arrays["h"][i] = self.computed_h(s)
        finally:
            self.h_increase = raised  # whoever looks has learned nothing
        now = self.first_valid_stamp(ONE_SEARCH)
        return {**arrays, "open": stamp == now, "closed": stamp == now + 1}


PSEUDO_CODE = """
## Search.loop

    while fewer than `limit` states are expanded:
        s := state of OPEN with the smallest f
        if s is a goal: stop (s stays in OPEN)
        if an old path leads on from s: stop
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
    from now on every h of before counts d less
    no state is touched: `renew` does it

## Search.computed_h

    s was never met: h(s) := first estimate
    the search that met it has taught something:
        h(s) := max(h(s), F - g(s))
    the goal has moved since:
        h(s) := max(first estimate,
                    h(s) - all d since then)

## Search.record_f

    F := smallest f that was open
    note: what this search met is at least F - g away
    no state is touched: `renew` does it
"""
