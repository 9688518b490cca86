"""Time-Bounded A*: one A* from where the agent began, a slice of it a step; the agent walks meanwhile.

(Björnsson, Bulitko, Sturtevant: TBA*: Time-Bounded A*, IJCAI 2009; discussed in RTD* 2010.) An episode is one slice and
one step of time:

1. Expand within the limit, unless the goal is first in the open list already.
2. Trace: follow the parents from the most promising open state (the goal, once found) back to the agent or to the
   root. A trace may take several slices; when it arrives it becomes the path to follow.
3. Move: on the path, a step forward; beside it, a step back to the parent in the tree, until the path is met; at the
   end of a path that is not the goal, wait.

Tracing is paid for: the share `tracing` of the limit goes to it, PER_EXPANSION parent steps for one expansion, and at
least that many a slice.

For terrain that is unknown or changes the authors define nothing. Here: when a step ahead on the path or on the way
back to it is blocked, or costs more than when the A* took it, everything is dropped and a new A* starts where the agent
is: the g-values of the old one are from before. In static terrain each such start needs a new observation, so there are
finitely many. (The way back over steps that are directed has no cost in the A*: there a rise counts only right ahead.)
Costs that fell start a new A* only with falling="reset", or when
the old one has run empty. Stepping back needs steps that can be taken back: where one cannot, the agent from then on
walks only along whole paths.

`weight` multiplies h, as in weighted A* (Hernández, Asín, Baier: Time-Bounded Best-First Search, SoCS 2014), and no
state is expanded twice: on known maps the goal is found sooner and trips are 0.6 to 0.9 times as long with weight 3 and
lookaheads of 8 to 128 (`benchmarks/weights.py`); on unknown ones they are 2 to 4 times as long.

Time-Bounded Adaptive A* (Hernández, Baier, Uras, Koenig: Time-Bounded Adaptive A*, AAMAS 2012) does not drop what the
old A* knew: with F the smallest f in its open list, every state that it met is at least F - g away from the goal. That
is consistent with the present costs, if none has fallen since: each step that is there now was there, and as cheap,
when its tail was expanded. The idea is theirs; the rest (their pseudo-code was not at hand) is ours: the h-values are
raised when they are next read, since a loop over all expanded states would not keep the limit (the trip is the same);
an A* that ran empty teaches nothing; falling costs and moving targets are as the class says.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import empty, touch, zeros
from replan.clock import now_ns
from replan.errors import InputError
from replan.limits import COMPLETE, INF, KEEP, PARTIAL, REPAIR, RESET, UNREACHABLE, WAITING, WHOLE
from replan.own import part_of, refuse_half_made, within
from replan.planners.base import Planner
from replan.planners.making import SEARCH_OPTIONS, open_list, set_budget, share, tenths, waits
from replan.planners.options import number
from replan.planners.realtime import FALLING, refuse_array
from replan.planners.spec import PlannerSpec
from replan.queues.base import OpenList, claimed
from replan.saving import Bag
from replan.search.astar import Search
from replan.search.repair_h import RepairH
from replan.spaces.cell_distance import Heuristic
from replan.spaces.goals import Goals
from replan.spaces.heuristics import heuristic_for, refuse_inconsistent
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython

PER_EXPANSION = 10
FALLS = {code: word for word, code in FALLING.items()}


class TBAStar(Planner):
    """Time-Bounded A*."""

    open: OpenList
    search: Search

    def __init__(
        self,
        open: OpenList,
        heuristic: Any,
        check: bool,
        tracing: int,
        restart_on_fall: bool,
        patient: bool,
        inflation: int = 10,
    ) -> None:
        """tracing: in millionths. inflation: of h, in tenths."""
        Planner.__init__(self)
        self.notice = True
        self.open, self.given, self.checks_h, self.tracing = claimed(open), heuristic, check, tracing
        within("tracing", tracing, 0, WHOLE)
        self.restart_on_fall, self.patient, self.inflation = restart_on_fall, patient, inflation
        self.restarts, self.sliced = 0, True
        self.search = self.keep(Search(open, False, inflation))
        self.search.reopens = inflation == 10
        self.path = self.spot = self.traced = self.trace_spot = empty(1, np.int32)

    def begin_trip(self, space: Space, goals: Goals) -> None:
        refuse_half_made(self, self.open)
        if len(self.trace_spot) != space.n:
            self.path, self.spot = zeros(space.n, np.int32), zeros(space.n, np.int32)
            self.traced, self.trace_spot = zeros(space.n, np.int32), zeros(space.n, np.int32)  # the last one made
        self.search.settle(space)
        self.can_go_back = space.is_reversible()
        self.restarts, self.cautious, self.stood, self.expected = 0, False, -1, -1
        self.root, self.cursor, self.length, self.count, self.news, self.found = -1, -1, 0, 0, False, False
        self.forget(goals)

    def prefault(self) -> None:
        Planner.prefault(self)
        touch(self.path, self.spot, self.traced, self.trace_spot)

    def new_goals(self, goals: Goals) -> None:
        """Another goal is another search."""
        self.forget(goals)

    def forget(self, goals: Goals) -> None:
        """Forget all h-values, and head for these goals."""
        self.stale = True
        self.search.aim(goals, self.first_h(goals))

    def first_h(self, goals: Goals) -> Heuristic:
        heuristic = heuristic_for(self.given, self.space, goals)
        if self.checks_h and self.given is not None:
            refuse_inconsistent(heuristic, self.space, goals)
        return heuristic

    def changed(self, told: memoryview, k: int, rise: bool) -> int:
        self.note_changes(told, k, rise)
        self.news = True
        if self.stale:
            return 0
        if not rise:
            self.stale = self.restart_on_fall
        for i in range(k if rise else 0):
            if self.cut_at(told[i]):
                self.stale = True
        return 0

    def cut_at(self, s: int) -> bool:
        """Is the path blocked at s, or does it cost more from there than before, ahead of the agent?"""
        if self.planned_path.step_out_rose(self.space, s):
            return True
        if not self.on_path(s) or self.spot[s] == 0:
            return False
        v = self.path[self.spot[s] - 1]
        if self.stood >= 0 and self.on_path(self.stood) and self.spot[s] > self.spot[self.stood]:
            return self.space.step_cost(s, v) >= INF
        return self.has_risen(s, v)

    def has_risen(self, u: int, v: int) -> bool:
        """Does a step of the search tree cost more than when the search took it, or is it blocked?"""
        node, cost = self.search.node, self.space.step_cost(u, v)
        return cost >= INF or (node[v].parent == u and cost > node[v].g - node[u].g)

    def on_path(self, s: int) -> bool:
        i = self.spot[s]  # never cleared: the path itself says whether an entry is of this one
        return i < self.length and self.path[i] == s

    def episode(self, at: int, limit: int, deadline: int) -> int:
        self.planned_path.clear()
        if at != self.stood and at != self.expected:
            self.stale = True  # the agent was put elsewhere: the tree does not lead from there
        self.stood = self.expected = at
        if self.reachability.is_cut_off(self.goals, at):
            return UNREACHABLE
        before = self.expansions
        if self.stale or self.search.fitted != self.space.bound:
            self.start(at)
        if not self.found:
            self.expand(limit, deadline)
        best = self.open.top()
        if best < 0:
            self.stale = self.news  # it may be empty because of obstacles that are gone
            return WAITING if self.news else UNREACHABLE
        if not self.found and self.finds_no_way(at, self.expansions - before):
            return UNREACHABLE
        self.trace(at, best, self.trace_limit(limit), deadline)
        return self.step(at)

    def start(self, at: int) -> int:
        """A new A* from where the agent is."""
        self.drop()
        self.search.begin(self.space, self.open)
        self.search.source(self.open, at)
        self.root, self.length, self.count, self.cursor = at, 0, 0, -1
        self.stale = self.news = self.found = False
        if self.watched:
            self.log.wide = True
        self.restarts += 1
        return 0

    def made_from(self) -> tuple[Any, ...]:
        given = (self.open.made_from(), self.given, self.checks_h, self.tracing, self.restart_on_fall, self.patient)
        return TBAStar, *given, self.inflation

    def carry_trip(self, bag: Bag) -> None:
        Planner.carry_trip(self, bag)
        n = self.space.n
        self.root, self.cursor = bag.whole("root", self.root, -1, n - 1), bag.whole("cursor", self.cursor, -1, n - 1)
        self.stood = bag.whole("stood", self.stood, -1, n - 1)
        self.expected = bag.whole("expected", self.expected, -1, n - 1)
        self.restarts = bag.whole("restarts", self.restarts, 0)
        self.stale, self.news = bag.truth("stale", self.stale), bag.truth("news", self.news)
        self.found, self.cautious = bag.truth("found", self.found), bag.truth("cautious", self.cautious)
        path = bag.states("path", self.path[: self.length], n, once=True)
        traced = bag.states("traced", self.traced[: self.count if self.cursor >= 0 else 0], n, once=True)
        if bag.loading:
            self.length, self.count = len(path), len(traced)
            np.asarray(self.path)[: self.length], np.asarray(self.spot)[path] = path, np.arange(self.length)
            np.asarray(self.traced)[: self.count], np.asarray(self.trace_spot)[traced] = traced, np.arange(self.count)
        self.search.goes_on = self.needs_search()

    def needs_search(self) -> bool:
        """Hook: does the search go on, or will it be learned from?"""
        return not self.stale

    def drop(self) -> int:
        """Hook: the search is given up."""
        return 0

    def expand(self, limit: int, deadline: int) -> int:
        """The first part of a slice."""
        before = self.search.expanded
        most = max(1, limit - self.share(limit)) if limit < INF else INF
        stop = deadline
        if deadline > 0:
            now = now_ns()
            stop = max(now + 1, deadline - (deadline - now) // 1000 * self.tracing // 1000)
        self.found = self.search.advance(self.space, self.open, before + most if most < INF else INF, stop) != 0
        if self.watched:
            self.log.add_all(self.search.closed, before, self.search.expanded)
        self.expansions += self.search.expanded - before
        self.percolations = self.open.percolations
        return 0

    def share(self, limit: int) -> int:
        """What a limit leaves for tracing, in expansions."""
        return limit // WHOLE * self.tracing + limit % WHOLE * self.tracing // WHOLE

    def trace_limit(self, limit: int) -> int:
        return max(PER_EXPANSION, self.share(limit) * PER_EXPANSION) if limit < INF else INF

    def trace(self, at: int, best: int, most: int, deadline: int) -> int:
        """The second part: go on with the trace, or begin one."""
        if self.cursor < 0:
            if self.length > 0 and self.path[0] == best:
                return 0
            self.cursor, self.count = best, 0
        for turn in range(most):
            if deadline > 0 and turn & 31 == 31 and now_ns() >= deadline:
                return 0
            v = self.cursor
            if self.count == len(self.traced):  # what was loaded may run in circles
                self.stale = True
                return 0
            self.traced[self.count], self.trace_spot[v] = v, self.count
            self.count += 1
            if v == at or v == self.root:
                self.path, self.traced = self.traced, self.path
                self.spot, self.trace_spot = self.trace_spot, self.spot
                self.length, self.cursor = self.count, -1
                return 0
            self.cursor = self.search.node[v].parent
            if self.news and self.has_risen(self.cursor, v):
                self.stale = True
                return 0
        return 0

    def step(self, at: int) -> int:
        """The third part."""
        whole = self.length > 0 and self.goals.has(self.path[0])
        if self.stale or self.length == 0 or (self.cautious and not whole):
            return WAITING
        if self.on_path(at):
            if self.spot[at] == 0:
                return WAITING
            to = self.path[self.spot[at] - 1]
            risen = self.has_risen(at, to)
        else:
            to = self.search.node[at].parent
            risen = self.can_go_back and self.has_risen(to, at)
        toll = self.space.step_cost(at, to)
        if toll >= INF or risen:
            self.stale = True
            self.cautious = self.cautious or not self.news
            return WAITING
        self.planned_path.set_step(at, to, toll)
        self.expected = to
        return COMPLETE if whole and self.on_path(at) else PARTIAL


class TBAAStar(TBAStar):
    """Time-Bounded Adaptive A*: when the A* is given up, what it knew is kept as h.

    falling: "keep" the A* and the h-values, which may then overestimate (what was searched since teaches nothing);
    "repair" the h-values, so that they are consistent again (work that no limit bounds), and start a new A*; "reset"
    them and start a new A*. When the goal moves, h is corrected as in Moving-Target Adaptive A*.
    """

    def __init__(
        self, open: OpenList, heuristic: Any, check: bool, tracing: int, falling: str, patient: bool, repair: RepairH
    ) -> None:
        TBAStar.__init__(self, open, heuristic, check, tracing, falling != "keep", patient)
        self.on_fall, self.repair = FALLING[falling], part_of(RepairH, repair)

    def begin_trip(self, space: Space, goals: Goals) -> None:
        TBAStar.begin_trip(self, space, goals)
        self.search.raised = 0

    def forget(self, goals: Goals) -> None:
        TBAStar.forget(self, goals)
        self.repair.forget()
        self.running = self.tainted = self.fallen = False

    def refuse_goals(self, goals: Goals) -> None:
        refuse_array(self.given)

    def new_goals(self, goals: Goals) -> None:
        """Another goal is another search, with what was learned, corrected so that it stays consistent."""
        self.drop()
        self.search.retarget(goals, self.first_h(goals))
        self.stale = True

    def changed(self, told: memoryview, k: int, rise: bool) -> int:
        if not rise:
            if self.on_fall == KEEP:
                self.tainted = self.tainted or not self.stale
            else:
                self.fallen = True
            for i in range(k if self.on_fall == REPAIR else 0):
                self.repair.note(told[i])
        return TBAStar.changed(self, told, k, rise)

    def start(self, at: int) -> int:
        TBAStar.start(self, at)
        self.running, self.tainted = True, False
        return 0

    def made_from(self) -> tuple[Any, ...]:
        given = (self.open.made_from(), self.given, self.checks_h, self.tracing, FALLS[self.on_fall], self.patient)
        return TBAAStar, *given, self.repair

    def carry_trip(self, bag: Bag) -> None:
        self.running, self.tainted = bag.truth("running", self.running), bag.truth("tainted", self.tainted)
        self.fallen = bag.truth("fallen", self.fallen)
        TBAStar.carry_trip(self, bag)
        self.repair.carry(bag.inner("repair"), self.space.n)

    def needs_search(self) -> bool:
        return self.running or not self.stale

    def drop(self) -> int:
        """Learn from the search, then take in falls: the other way round its lessons would undo the repair."""
        if self.running:
            sure = not self.tainted and self.open.top() >= 0
            self.search.remember(self.open.top_f() if sure else 0)
            self.running = False
        if self.fallen:
            self.fallen = False
            if self.on_fall == RESET:
                with cython.gil:
                    self.forget(self.goals)
            else:
                self.repair.take_in(self.space, self.goals, self.search)
        return 0

    def episode(self, at: int, limit: int, deadline: int) -> int:
        status = TBAStar.episode(self, at, limit, deadline)
        self.h_increase = self.search.raised
        return status


# What the registry collects.

OPTIONS = (
    number(
        "tracing",
        "The share of the limit spent on following the best path found back to the agent, not on expansions.",
        "from 0 to 1",
        0,
        1,
    ),
)
TBA_OPTIONS = {
    "lookahead": 256,
    "deadline": None,
    "tracing": 0.1,
    "falling": "keep",
    "no_path": "wait",
    "notice": True,
    **SEARCH_OPTIONS,
}

TBA = """
One A* from where the agent began, a slice a step. Meanwhile the agent walks towards the most promising open state:
the path to it is traced back, a part a step as well, and where the agent stands beside that path it steps back
through the tree until it meets it.

Guarantees:

- A step expands at most `lookahead` states, tracing included in the limit, or ends by the `deadline`.
- On a known map that stays as it is it arrives, and once A* has found the goal the agent follows its path.
- The A* that it runs is never repeated on such a map: every state is expanded once, and no h has to be learned.

Limits:

- In unknown terrain each obstacle on the path starts a new A*, which knows nothing of the last: TBAA* does.
  So does a step of the path, or of the way back to it, that costs more than when the A* took it.
- Its trips are not cheapest: the agent may have walked the wrong way meanwhile.
- Steps have to be such that they can be taken back; where one cannot, the agent waits for whole paths.

Parts:

- planners.tba.TBAStar.episode
- planners.tba.TBAStar.trace
- planners.tba.TBAStar.step
- search.astar.Search.loop
"""

TBAA = """
TBA* that learns from every A* that it gives up: with F the smallest f that was open, each state that the search met
is at least F - g away from the goal. The next A* runs with these larger h-values, so that it comes to the goal
sooner.

Guarantees:

- A step expands at most `lookahead` states, tracing included, or ends by the `deadline`.
- h stays consistent while costs do not fall.
- In static terrain the agent arrives if steps can be taken back and there is a way.
- Learning costs nothing when a search ends: a state gets its new h when it is next looked at.

Limits:

- When costs fall h may overestimate, or is repaired in time that no limit bounds (`falling`).
- Trips are not cheapest, and steps back need terrain where they can be taken back.

Parts:

- planners.tba.TBAStar.episode
- planners.tba.TBAAStar.drop
- search.astar.Search.remember
- search.astar.Search.renew
- planners.tba.TBAStar.step
"""

PSEUDO_CODE = """
## TBAStar.episode

    the path was blocked? start a new A* at the agent
    expand a slice, unless the goal was found
    trace back from the best open state
    make a step

## TBAStar.trace

    no trace is under way: begin one at the best state
    follow parents, as many as the limit allows
    it has come to the agent, or to the root:
        the trace is the path from now on

## TBAStar.step

    the agent is on the path: one step forward
    it is beside it: one step back, to its parent
    the path has ended, or there is none: wait
    the step is blocked: a new A* next time

## TBAAStar.drop

    F := smallest f that was open
    remember: all that was met is at least F - g away
    costs have fallen? then repair or forget h
"""


def _tba(options: dict[str, Any]) -> Planner:
    if options["falling"] == "repair":
        raise InputError("falling is 'keep' or 'reset' for TBA*: it has no learned h-values to repair")
    again, inflation = options["falling"] == "reset", tenths(options["weight"])
    return set_budget(TBAStar(*_parts(options), again, waits(options), inflation), options)


def _tbaa(options: dict[str, Any]) -> Planner:
    return set_budget(TBAAStar(*_parts(options), options["falling"], waits(options), RepairH()), options)


def _parts(options: dict[str, Any]) -> tuple[OpenList, Any, bool, int]:
    return open_list(options), options["heuristic"], options["check"], share(options["tracing"])


PLANNERS = (
    PlannerSpec(
        "TBA*",
        "tba",
        "Björnsson, Bulitko, Sturtevant: TBA*: Time-Bounded A*, IJCAI 2009",
        "one A* from the start, a slice a step; the agent walks towards its best open state; anew when that is blocked",
        {**TBA_OPTIONS, "weight": 1.0},
        _tba,
        optimal=False,
        realtime=True,
        waits=True,
        family="sliced",
        order=630,
        explanation=TBA,
    ),
    PlannerSpec(
        "TBAA*",
        "tbaa",
        "Hernández, Baier, Uras, Koenig: Time-Bounded Adaptive A*, AAMAS 2012",
        "TBA*; learn when an A* is given up: h := its smallest open f - g, when h is next read",
        TBA_OPTIONS,
        _tbaa,
        optimal=False,
        realtime=True,
        waits=True,
        family="sliced",
        order=640,
        explanation=TBAA,
    ),
)
