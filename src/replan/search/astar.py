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

from replan.arrays import empty, grown, holding, touch
from replan.clock import now_ns
from replan.errors import InputError
from replan.limits import LARGEST_BOUND, LARGEST_H_WEIGHT, LARGEST_KEY, LEARNED, MOST_STAMP
from replan.log import Log
from replan.own import within
from replan.queues.base import OpenList
from replan.saving import Bag
from replan.search.state_table import ALL, ONE_CHARACTER, ONE_SEARCH, Column, StateTable
from replan.signals import check_signals
from replan.spaces.cell_distance import CellDistance, Heuristic
from replan.spaces.goals import Goals
from replan.spaces.heuristics import AwayFrom, Towards, Zero
from replan.spaces.neighbours import Neighbours
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython


if not cython.compiled:
    from replan.interpreted import BATCH, GOAL, INF, fetch, ints, longs, nodes, nodes_from
    from replan.spaces.cell_distance import cells_apart

# The fields of `Node` (`core.pxd`), in its order. g tells `renew` what an earlier search has taught.
COLUMNS = (
    Column("g", INF >> 4, lifetime=ONE_SEARCH),
    Column("h", INF, lifetime=ONE_CHARACTER),
    Column("stamp", is_shown=False, lifetime=ONE_CHARACTER),
    Column("parent", lifetime=ONE_SEARCH),
)


class Ending(StateTable):
    """What ends a search before it comes to a goal: a state from which the rest of the way is known."""

    def ends_at(self, search: Search, space: Space, s: int) -> bool:
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
    log: Log

    def __init__(
        self, open: OpenList, backward: bool = False, inflation: int = 10, all_over: bool = False
    ) -> None:
        """all_over: is it expected to come by everywhere?"""
        StateTable.__init__(self, "search", COLUMNS, "stamp", packed=True, all_over=all_over)
        self.open, self.goes_on = open, False
        self.g = self.h = self.stamp = self.parent = None
        self.closed = empty(1, np.int32)
        self.x = self.base = self.era = 2
        self.era_start, self.era_drop = empty(16, np.int64), empty(16, np.int64)
        self.eras = self.drop = 0
        self.arrival = self.x  # the search since which the goal is where it is
        self.least_f, self.lessons = empty(1, np.int64), 0
        self.ending: Any = None  # an Ending, if there is one
        self.memory: Any = None  # a Memory, if this search serves many: what the one that it serves now has learned
        self.avoids_occupied = False  # True: occupied states are left out (`occupancy[s]` characters stand on s)
        self.stopped = -1  # the state, no goal, that has ended this search: it is out of the open list
        self.raised = 0  # by how much h rose from what was remembered
        self.expanded = self.sources = self.work = 0
        self.most, self.cap, self.first_cap, self.exact_below = INF - 1, INF, INF, -1
        self.slack = 1  # how many times too large learned h-values may be
        self.backward, self.watched = backward, False
        self.reopens = True  # is a state expanded again if a cheaper way to it is found?
        self.pathmax = False  # f never below the parent's: for h-values that are not consistent
        self.tail_ns = 0  # time to set aside for what follows the search, in 1/16 ns an expansion
        # tenths: 10 is A*, 15 is weighted A* with weight 1.5
        self.inflation = within("inflation", inflation, 10, LARGEST_H_WEIGHT)
        self.estimate_by(Zero())
        self.target = -1
        self.fitted = -1
        self.near: Any = None  # Neighbours

    def attach(self, n: int) -> None:
        self.node = nodes(self.rows)
        self.g, self.h, self.stamp, self.parent = (self.arrays[column.name] for column in self.columns)
        self.closed, self.expanded = empty(n, np.int32), 0

    def settle(self, space: Space) -> None:
        """Search this space from now on: the same states, another map."""
        self.space, self.near = space, space.neighbours(self.near)
        self.fitted = -1  # the bounds are set in the next search
        self.open.reseed()
        self.open.clear()

    def since(self, lifetime: str) -> int:
        if lifetime == ONE_CHARACTER:
            return self.base
        # right after the goal has moved there is no search yet, only states whose h was brought up to date
        return self.x if self.x > self.era else self.x + 2

    def latest(self) -> int:
        return self.x + 1

    def prefault(self) -> None:
        StateTable.prefault(self)
        touch(self.closed)
        self.open.reserve(self.n)
        self.open.touch()

    def estimate_by(self, heuristic: Heuristic) -> None:
        self.heuristic = heuristic
        # on grids the loop works out h itself: three calls less for each new state
        self.flat = False
        if isinstance(heuristic, CellDistance) and self.inflation == 10:
            self.flat, self.cells = True, heuristic

    def aim(self, goals: Goals, heuristic: Heuristic, target: int = -1) -> None:
        """Forget all h-values, and head for other goals (or, backwards, for the state `target`)."""
        self.goals = goals
        self.estimate_by(heuristic)
        self.target = target if self.backward else goals.single
        self.x += 2
        self.base = self.era = self.arrival = self.x
        self.eras = self.drop = self.lessons = 0
        # the space's own estimates are consistent with the least costs that there can be
        self.trusted = isinstance(heuristic, (CellDistance, Towards, AwayFrom, Zero))

    def retarget(self, goals: Goals, heuristic: Heuristic) -> None:
        """The goal has moved: keep what was learned, as far as it still holds.

        (Moving-Target Adaptive A*, lazily: Koenig, Likhachev, Sun 2007.) With d the h-value of the new goal, h(s) - d
        is consistent towards it, and so is the larger of that and the first h. No state is touched now: `renew` does
        it.
        """
        d = 0
        for i in range(goals.count):
            d = max(d, self.value_h(goals.state[i]))
        if self.eras == len(self.era_start):
            self.era_start, self.era_drop = grown(self.era_start, 2 * self.eras), grown(self.era_drop, 2 * self.eras)
        self.era_start[self.eras], self.era_drop[self.eras] = self.arrival, self.drop
        self.eras += 1
        self.goals, self.target = goals, goals.single
        self.estimate_by(heuristic)
        self.drop += d
        self.x += 2
        self.era = self.arrival = self.x

    def serve(self, first: int) -> int:
        """The next search is for somebody else (`memory`). It comes to no state below `first`, first in the table."""
        self.node, self.x = nodes_from(self.rows, first), self.x + 2
        self.base = self.era = self.arrival = self.x
        return 0

    def remember(self, f: int) -> int:
        """This search is over: each state s that it met is at least f - g(s) away from the goals (0: nothing is known).

        (What Adaptive A* learns from a search, lazily.) No state is touched now: `renew` does it, once for each state.
        """
        k = (self.x - self.base) >> 1  # the number of this search
        if k >= len(self.least_f):
            with cython.gil:
                self.least_f = grown(self.least_f, 2 * k + 2)
        while self.lessons < k:
            self.least_f[self.lessons] = 0
            self.lessons += 1
        self.least_f[k] = f
        self.lessons = k + 1
        self.x += 2
        self.era = self.x
        return 0

    def begin(self, space: Space, open: OpenList) -> int:
        """Begin a new search: it has a number of its own, and nothing in it."""
        if self.fitted != space.bound:
            with cython.gil:
                self.fit(space, open, space.bound)
        self.x += 2
        self.expanded = self.sources = 0
        self.stopped = -1
        open.clear()
        return 0

    def fit(self, space: Space, open: OpenList, bound: int) -> None:
        """Make room for costs up to this bound: what a cheapest path of the space costs at most."""
        if (1.0 + bound) * (10 + self.inflation * self.slack) / 10 >= LARGEST_KEY:
            raise InputError("costs of this size times the weight do not fit 62 bits: scale them down, or the weight")
        self.fitted = -1
        self.most = bound
        self.exact_below = bound if self.inflation == 10 else -1  # up to here h is the estimate itself
        self.first_cap = (bound + 1) * self.inflation // 10  # no true h is larger, so INF need not be either
        self.cap = self.slack * self.first_cap
        open.fit(space.n, bound + self.cap, bound, space.span)
        self.fitted = bound

    def first_h(self, s: int) -> int:
        """The h-value of a state that no search for this goal has met."""
        h = self.heuristic.estimate(s)
        if h > self.exact_below:
            if h > self.most:  # more than any path can cost; times the weight it might not fit the keys
                return self.first_cap
            h = h * self.inflation // 10  # rounded down: the bound on the path's cost holds all the same
        return h

    def unmet_h(self, s: int) -> int:
        """The same, as far as whom this search serves has not learned better."""
        return self.first_h(s) if self.memory is None else self.memory.worth(s, self.first_h(s))

    def renew(self, s: int) -> int:
        """The h-value of a state whose stamp is older than this era."""
        node = self.node
        if node[s].stamp < self.base:
            return self.unmet_h(s)
        h: int = node[s].h
        k = (node[s].stamp - self.base) >> 1  # the search that met s last
        if k < self.lessons:
            rise = min(self.least_f[k] - node[s].g, self.cap) - h
            if rise > 0:
                self.raised += rise
                h += rise
        if node[s].stamp >= self.arrival:
            return h
        low, high = 0, self.eras  # where the goal was then: the last place that it had come to
        while high - low > 1:
            middle = (low + high) >> 1
            if self.era_start[middle] <= node[s].stamp:
                low = middle
            else:
                high = middle
        return max(self.first_h(s), h - (self.drop - self.era_drop[low]))

    def value_h(self, s: int) -> int:
        """The h-value of any state, known or not."""
        node = self.node
        if node[s].stamp < self.base:
            return self.unmet_h(s)
        if node[s].stamp < self.era:
            node[s].h = self.renew(s)
            node[s].stamp = self.era
        h: int = node[s].h
        return h

    def has_met(self, s: int) -> bool:
        """Has this search generated s?"""
        return bool(self.node[s].stamp >= self.x)

    def known_h(self, s: int) -> bool:
        """Bring a state's h up to date. False if it was never met and its first h is consistent whatever the costs."""
        node = self.node
        if node[s].stamp < self.base and self.trusted:
            return False
        if node[s].stamp < self.era:
            node[s].h = self.renew(s)
            node[s].stamp = self.era
        return True

    def learn_h(self, s: int, h: int) -> None:
        """Give a state another h-value, from Python. No h needs to be above `cap`: none is."""
        node = self.node
        if not 0 <= s < self.n or h < 0:
            raise InputError(f"h of state {s} cannot become {h}: it is 0 ticks or more, of a state below {self.n}")
        if self.memory is not None and not self.has_expanded(s):
            raise InputError("in a crowd a rule may change the h of states that the search has expanded: look.closed")
        if self.watched:
            self.log.add(s, LEARNED, self.value_h(s))
        node[s].h = min(h, self.cap)
        node[s].stamp = max(node[s].stamp, self.era)

    def has_expanded(self, s: int) -> bool:
        """Has this search expanded s? It may be open again: an h that is not consistent does that."""
        return bool(self.has_met(s) and s in np.asarray(self.closed)[: self.expanded])

    def read_h(self, s: int) -> int:
        """The h-value of a state, for Python."""
        if not 0 <= s < self.n:
            raise IndexError(f"there is no state {s}: they go from 0 to {self.n - 1}")
        return self.value_h(s)

    def source(self, open: OpenList, s: int) -> int:
        """A state that the search starts from: the open list takes it in when the search is advanced."""
        node = self.node
        if node[s].stamp < self.era:
            node[s].h = self.renew(s)
        node[s].stamp = self.x
        node[s].g = 0
        node[s].parent = s
        if self.sources == BATCH:
            self.enter(open)
        open.new[self.sources], open.new_f[self.sources], open.new_g[self.sources] = s, node[s].h, 0
        self.sources += 1
        return 0

    def enter(self, open: OpenList) -> int:
        """Put the sources into the open list now: for callers that do not advance the search."""
        k = self.sources
        self.sources = 0
        return open.take_in(k)

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
            self.work -= self.expanded
            done = self.loop(space, self.near, open, stop)
            self.work += self.expanded + 1
            if self.work > 16384:
                self.work = 0
                check_signals()
            if deadline > 0:  # would another round as long as this one, and what follows, still be in time?
                now = now_ns()
                if 2 * now - before + ((self.expanded + step) * self.tail_ns >> 4) >= deadline:
                    break
                before = now
        return done

    def loop(self, space: Space, near: Neighbours, open: OpenList, limit: int) -> int:
        """A* (RTAA* 2006, Figure 1, line {03}), until a goal would be expanded or CLOSED has `limit` states.

        Symbols as in the figure: s, succ, c, g, h, CLOSED (`closed[:n]`). v is succ(s, a), f is g + h. What the figure
        calls s_bar, the state that would be expanded next, is the first of OPEN when the search has ended.

        1 if the search is over: s_bar is a goal, or OPEN is empty and s_bar is FAILURE. 0 if the limit is used up.
        """
        n, x, era, goal, row = self.expanded, self.x, self.era, self.target, space.row
        plain_steps, odd = not self.backward and not self.avoids_occupied, self.pathmax or self.ending is not None
        node, closed, succ, c = self.node, ints(self.closed), near.state, near.cost
        latest = x + 1 if self.reopens else x  # the stamp of an expanded state is x + 1
        new, new_f, new_g = ints(open.new), longs(open.new_f), longs(open.new_g)  # OPEN takes them in next time
        noted, self.sources = self.sources, 0
        entry, f, least_f = -1, 0, 0
        while n < limit:  # {02}: lookahead
            # s := the state in OPEN with the smallest f
            if self.is_next(open, noted, entry, f, goal):
                s, open.taken_f = entry, f
            else:
                s = self.take_first(open, noted, goal)
            noted = 0
            if s < 0:  # GOAL: s_bar stays in OPEN. EMPTY: s_bar = FAILURE {04-05}
                break
            if odd:
                if self.ending is not None and self.ending.ends_at(self, space, s):
                    self.stopped = s
                    break
                least_f = open.taken_f if self.pathmax else 0
            # move s from OPEN to CLOSED
            closed[n] = s
            n += 1
            node[s].stamp = x + 1
            g_s = node[s].g
            k = space.onward(near, s, node[s].parent) if plain_steps else self.list_around(space, near, s)
            for i in range(k):
                v = succ[i]
                g_v = g_s + c[i]
                old = node[v].stamp
                if old < era:
                    node[v].h = self.h_of(v, old)
                elif old >= x and (g_v >= node[v].g or old > latest):
                    continue  # generated before, and not dearer; or closed, where closed states are not opened again
                self.prefetch_around(node, v, row)
                # g[v] := g[s] + c[s, a]; put v into OPEN
                node[v].g, node[v].parent = g_v, s
                node[v].stamp = x  # also of an expanded state that h, not being consistent, opens again
                entry, f = v if old != x else -1 - v, max(g_v + node[v].h, least_f)
                new[noted], new_f[noted], new_g[noted] = entry, f, g_v
                noted = self.hand_over_full(open, noted + 1)
        open.take_in(noted)
        self.expanded = n
        return n < limit

    # Helpers of the loop: the first takes its goal test, the others exist for speed.

    def take_first(self, open: OpenList, noted: int, goal: int) -> int:
        """Hand the noted states to OPEN and take its first state out. GOAL, and it stays in, if it is one; or EMPTY.

        goal: -1 if there are several, which the open list cannot know.
        """
        if goal >= 0:
            return open.exchange(noted, goal, INF, 0)
        open.take_in(noted)
        s = open.top()
        return GOAL if s >= 0 and self.goals.has(s) else open.pop()

    def is_next(self, open: OpenList, noted: int, entry: int, f: int, goal: int) -> bool:
        """Corridor shortcut: True if OPEN would give back at once the one state that is noted, and it is no goal.

        It replaces a call of `exchange`. Only one goal is told apart here (`goal` is -1 if there are several).
        """
        return noted == 1 and f <= open.low and entry >= 0 and entry != goal and goal >= 0

    def hand_over_full(self, open: OpenList, noted: int) -> int:
        """Batches: let OPEN take in the noted states if there is no room for another one; how many are noted then?

        It replaces a call of `insert` or `decrease` for each state.
        """
        if noted < BATCH:
            return noted
        open.take_in(noted)
        return 0

    def h_of(self, v: int, old: int) -> int:
        """h of a state whose stamp `old` is before this era. Inlined h: on grids a new state needs no virtual call."""
        if old >= self.base or not self.flat:
            return self.renew(v)
        h = cells_apart(self.cells, v)
        return h if self.memory is None else self.memory.worth(v, h)

    def prefetch_around(self, node: Any, v: int, row: int) -> None:
        """Prefetch the neighbours of v in the rows above and below: they are looked at when v is expanded."""
        fetch(node, v + row)
        fetch(node, v - row)

    def list_around(self, space: Space, near: Neighbours, s: int) -> int:
        """The neighbours of a state for a search backwards, or for one that leaves out occupied states."""
        k = space.reverse(near, s) if self.backward else space.onward(near, s, self.node[s].parent)
        return near.leave_out(self.occupancy, k) if self.avoids_occupied else k

    # Saving.

    def serves_many(self) -> bool:
        """A character keeps its h in a `Memory`."""
        return True

    def carry(self, bag: Bag) -> None:
        """All h-values, and the last search. Where that goes on, what is in the open list counts."""
        fitted = bag.whole("fitted", self.fitted, -1, LARGEST_BOUND)
        if bag.loading and fitted >= 0:
            self.fit(self.space, self.open, fitted)
        self.carry_numbers(bag)
        StateTable.carry(self, bag)
        g, parent, stamp = self.values("g"), self.values("parent"), self.values("stamp")
        generated = np.flatnonzero(self.holds(ONE_SEARCH))
        above = parent[generated]
        nearer = self.holds(ONE_SEARCH, above) & (g[above] < g[generated])
        bag.require((nearer | (above == generated)).all(), "its tree does not lead to where the search began")
        self.open.carry(bag.inner("open"), self.n)
        if self.goes_on:
            opened = generated[stamp[generated] == self.since(ONE_SEARCH)]
            same = fitted >= 0 and np.array_equal(self.open.inside_now(), opened)
            bag.require(same, "others are queued than are open")

    def carry_numbers(self, bag: Bag) -> None:
        """Which searches there were, and what of them is remembered."""
        self.base = bag.whole("base", self.base, 2, MOST_STAMP)
        self.arrival = bag.whole("arrival", self.arrival, self.base, MOST_STAMP)
        self.era = bag.whole("era", self.era, self.arrival, MOST_STAMP)
        self.x = bag.whole("x", self.x, self.era, MOST_STAMP)
        bag.require((self.base | self.arrival | self.era | self.x) & 1 == 0, "its searches are not counted by twos")
        start = bag.numbers("era_start", self.era_start[: self.eras], self.base, self.arrival - 1)
        drop = bag.numbers("era_drop", self.era_drop[: self.eras], 0, INF, len(start))
        bag.require((np.diff(start) > 0).all() and (len(start) > 0) == (self.arrival > self.base), "eras are mixed up")
        self.drop = bag.whole("drop", self.drop, 0, INF)
        lessons = bag.numbers("least_f", self.least_f[: self.lessons], 0, INF)
        bag.require(len(lessons) <= (self.x - self.base) // 2 + 1, "it has learned from more searches than there were")
        self.raised = bag.whole("raised", self.raised, 0)
        self.tail_ns = bag.whole("tail_ns", self.tail_ns, 0, INF)
        closed = bag.states("closed", self.closed[: self.expanded], self.n)
        if bag.loading:
            self.eras, self.lessons, self.expanded = len(start), len(lessons), len(closed)
            self.era_start, self.era_drop = holding(start, 16, np.int64), holding(drop, 16, np.int64)
            self.least_f, self.closed = holding(lessons, 1, np.int64), holding(closed, self.n, np.int32)

    def shown(self, states: Any = ALL) -> dict[str, np.ndarray[Any, Any]]:
        """What the last search knows, h as it is by now, and who is open and closed."""
        arrays = StateTable.shown(self, states)
        stamp, raised = self.values("stamp")[states], self.raised
        old = np.flatnonzero((stamp >= self.base) & (stamp < self.era))
        try:
            for i, s in zip(old.tolist(), np.arange(self.n)[states][old].tolist() if len(old) else [], strict=True):
                arrays["h"][i] = self.renew(s)
        finally:
            self.raised = raised  # whoever looks has learned nothing
        now = self.since(ONE_SEARCH)
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

## Search.renew

    s was never met: h(s) := first estimate
    the search that met it has taught something:
        h(s) := max(h(s), F - g(s))
    the goal has moved since:
        h(s) := max(first estimate,
                    h(s) - all d since then)

## Search.remember

    F := smallest f that was open
    note: what this search met is at least F - g away
    no state is touched: `renew` does it
"""
