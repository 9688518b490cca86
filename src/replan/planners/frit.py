"""FRIT: follow the ideal tree, and reconnect with it where it is cut.

(Rivera, Illanes, Baier, Hernández: Reconnecting with the Ideal Tree: An Alternative to Heuristic Learning in Real-Time
Search, JAIR 50, 2014.) At first the tree is what the estimates promise on free terrain (`search/ideal_tree.py`). The
agent follows its pointers. Where its own pointer is cut it looks for the nearest state that still hangs on the tree,
writes the way there into the pointers, and goes on. No h is learned, and paths are not cheapest.

| planner            | looks for that state by       | which is tested | the limit counts                              |
|--------------------|-------------------------------|-----------------|-----------------------------------------------|
| FRIT(BFS)          | breadth-first search, no heap | when generated  | expansions, and PER_EXPANSION pointers as one |
| FRIT(UCS)          | uniform cost: A* with h = 0   | when taken      | expansions                                    |
| FRIT(A*)           | A* with the estimates         | when taken      | expansions                                    |

A search that the limit ends goes on in the next step; the agent waits meanwhile. A trip through n free cells of static
terrain has at most (n + 1)^2 / 4 moves. FRIT with RTAA* as its search, which the authors measure too, is left out:
what they report of it could not be confirmed.

On game maps a trip takes a seventh of the time of one of TBA*, but an expansion 1.4 to 1.7 times as long: for each of
them 13 to 21 pointers are walked or followed, and one state or more is asked for its own, which takes about as long as
an expansion. If ten pointers count as an expansion, as they do for the limit, it takes 0.6 of the time.

Chosen where the paper is open: which of several neighbours the tree leads to (the first, as the space lists them: on
grids right, down, left, up, then the diagonals); terrain that is partly known at first, weights, and any other
estimates (the pointers are then those of neighbours that they exactly agree with); with falling="keep" a pointer that
was cut stays so, and a shortcut is not used, with "reset" the tree is planted anew; so it is when the goal has moved.
Where steps may lead one way only (graphs, spaces of your own) the agent follows no pointer unless they lead all the
way to a goal, as far as is known: what is cut beyond might be out of reach from where they end.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from replan.clock import now_ns
from replan.errors import InputError
from replan.limits import COMPLETE, INF, PARTIAL, UNREACHABLE, WAITING
from replan.own import refuse_half_made
from replan.planners.base import Planner
from replan.planners.making import ORDER_OPTIONS, SEARCH_OPTIONS, open_list, set_budget, waits, without
from replan.planners.realtime import refuse_array
from replan.planners.spec import PlannerSpec
from replan.queues.base import OpenList, claimed
from replan.saving import Bag
from replan.search.astar import Search
from replan.search.breadth_first import BreadthFirst
from replan.search.ideal_tree import IdealTree
from replan.spaces.cell_distance import Heuristic
from replan.spaces.goals import Goals
from replan.spaces.heuristics import Zero, heuristic_for, refuse_inconsistent
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import ints, longs
    from replan.search.ideal_tree import points_to

PER_EXPANSION = 10  # steps along pointers
STRIDE = 64  # of these between two looks at the clock
NOBODY, NOT_YET = -1, -2


class FRIT(Planner):
    """What all forms have in common; a form says how it searches."""

    root: int  # where the last search began
    cuts: int  # what tree.cuts was then

    def _set_up(self, heuristic: Any, check: bool, restart_on_fall: bool, patient: bool) -> None:
        Planner.__init__(self)
        self.given, self.checks_h, self.restart_on_fall, self.patient = heuristic, check, restart_on_fall, patient
        self.tree, self.root, self.cuts = self.keep(IdealTree()), -1, 0

    def begin_trip(self, space: Space, goals: Goals) -> None:
        refuse_half_made(self, self.tree)
        self.tree.near = space.neighbours()
        self.root, self.cuts = -1, 0
        self.plant(goals)

    def refuse_goals(self, goals: Goals) -> None:
        refuse_array(self.given)

    def new_goals(self, goals: Goals) -> None:
        """Another goal is another tree."""
        self.plant(goals)

    def plant(self, goals: Goals) -> None:
        """The tree that the estimates promise."""
        self.tree.aim(goals, self.first_h(goals))
        self.searching = self.sure = self.fallen = self.news = False

    def first_h(self, goals: Goals) -> Heuristic:
        heuristic = heuristic_for(self.given, self.space, goals)
        if self.checks_h and self.given is not None:
            refuse_inconsistent(heuristic, self.space, goals)
        return heuristic

    def carry_trip(self, bag: Bag) -> None:
        Planner.carry_trip(self, bag)
        self.root, self.cuts = bag.whole("root", self.root, -1, self.space.n - 1), bag.whole("cuts", self.cuts, 0)
        self.searching, self.sure = bag.truth("searching", self.searching), bag.truth("sure", self.sure)
        self.fallen, self.news = bag.truth("fallen", self.fallen), bag.truth("news", self.news)

    def changed(self, told: memoryview, k: int, rise: bool) -> int:
        self.note_changes(told, k, rise)
        self.news = True
        for i in range(k if rise else 0):
            self.tree.look_at(self.space, told[i])
        if not rise and self.restart_on_fall:
            self.fallen = True
        return 0

    def episode(self, at: int, limit: int, deadline: int) -> int:
        self.planned_path.clear()
        if self.fallen:
            with cython.gil:
                self.plant(self.goals)
        if self.reachability.is_cut_off(self.goals, at):
            return UNREACHABLE
        if self.watched:
            self.log.wide = True
        if not self.searching or at != self.root:
            if self.leads(at):
                return self.follow(at, limit)
            self.root, self.cuts, self.searching, self.news = at, self.tree.cuts, True, False
            self.tree.begin()
            self.start(at)
        found = self.look_for(limit, deadline)
        if found == NOT_YET:
            return WAITING
        self.searching = False
        if found == NOBODY:
            self.reachability.failed_from = -1 if self.news else at
            return WAITING if self.news else UNREACHABLE  # there may be none because of obstacles that are gone
        if self.connect(found, at):
            return self.follow(at, limit)
        return WAITING

    def leads(self, at: int) -> bool:
        """May the agent follow the tree from here?"""
        if self.goals.has(at):
            return True
        if self.tree.pointer(self.space, at) < 0:
            return False
        if self.space.both_ways:
            return True
        return self.sure and self.tree.cuts == self.cuts and self.planned_path.position_of(at) >= 0

    def start(self, at: int) -> int:
        """Hook: begin to search from here for a state that hangs on the tree."""
        return 0

    def look_for(self, limit: int, deadline: int) -> int:
        """Hook: search on. The state that was found, NOBODY or NOT_YET."""
        return NOBODY

    def came_from(self, v: int) -> int:
        """Hook: the parent of a state in the search tree."""
        return v

    def connect(self, found: int, at: int) -> bool:
        """Write the way to the state that was found into the pointers. False if it is of no use by now."""
        v = found
        while v != at:
            u = self.came_from(v)
            if u == v or (self.news and self.space.step_cost(u, v) >= INF):  # u == v: it was loaded, and is damaged
                return False
            v = u
        v = found
        while v != at:
            u = self.came_from(v)
            self.tree.point(u, v)
            v = u
        self.sure = self.tree.cuts == self.cuts  # nothing was cut since the search began
        return self.sure or self.space.both_ways

    def follow(self, at: int, limit: int) -> int:
        """Set the path: along the pointers, as far as they lead or the limit allows."""
        most = min(self.space.n, limit * PER_EXPANSION if limit < self.space.n else INF)
        k = self.tree.length(self.space, at, most)
        if k == self.space.n:
            with cython.gil:
                raise InputError("the ideal tree runs in a circle: the heuristic does not always say the same")
        self.planned_path.length = k
        states, step_costs = ints(self.planned_path.states), longs(self.planned_path.step_costs)
        index, v = ints(self.planned_path.index), at
        for i in range(k, 0, -1):
            w = points_to(self.tree.mark[v])
            states[i] = v
            index[v] = i
            step_costs[i] = self.space.step_cost(v, w)
            v = w
        states[0] = v
        index[v] = 0
        return COMPLETE if self.goals.has(v) else PARTIAL


class FRITFlood(FRIT):
    """FRIT(BFS)."""

    def __init__(self, heuristic: Any, check: bool, restart_on_fall: bool, patient: bool) -> None:
        self._set_up(heuristic, check, restart_on_fall, patient)
        self.flood, self.tested = self.keep(BreadthFirst()), 0

    def begin_trip(self, space: Space, goals: Goals) -> None:
        refuse_half_made(self, self.flood)
        self.flood.aim()
        self.tested = 0
        self.near = space.neighbours()
        FRIT.begin_trip(self, space, goals)

    def made_from(self) -> tuple[Any, ...]:
        return FRITFlood, self.given, self.checks_h, self.restart_on_fall, self.patient

    def carry_trip(self, bag: Bag) -> None:
        FRIT.carry_trip(self, bag)
        self.tested = bag.whole("tested", self.tested, 0, self.space.n)

    def start(self, at: int) -> int:
        self.flood.begin(at)
        self.tested = 0
        return 0

    def look_for(self, limit: int, deadline: int) -> int:
        """Test all states of the queue before the next one is expanded."""
        before, turn = self.flood.taken, 0
        left = limit * PER_EXPANSION if limit < INF // PER_EXPANSION else INF
        found = NOT_YET
        while left > 0 and found == NOT_YET:
            turn += 1
            if deadline > 0 and turn & 7 == 0 and now_ns() >= deadline:
                break
            if self.tested < self.flood.added:
                s = self.flood.queue[self.tested]
                hangs = self.tree.walk(self.space, s, min(left, STRIDE))
                left -= max(1, self.tree.walked)
                if hangs == 1:
                    found = s
                elif hangs == 0:
                    self.tested += 1
            elif self.flood.taken < self.flood.added:
                self.flood.expand(self.space, self.near)
                left -= PER_EXPANSION
            else:
                found = NOBODY
        if self.watched:
            self.log.add_all(self.flood.queue, before, self.flood.taken)
        self.expansions += self.flood.taken - before
        return found

    def came_from(self, v: int) -> int:
        return self.flood.parent[v]


class FRITStar(FRIT):
    """FRIT(A*), or FRIT(UCS)."""

    open: OpenList
    search: Search

    def __init__(
        self, open: OpenList, informed: bool, heuristic: Any, check: bool, restart_on_fall: bool, patient: bool
    ) -> None:
        self._set_up(heuristic, check, restart_on_fall, patient)
        self.open, self.informed = claimed(open), informed
        self.search = self.keep(Search(open))
        self.search.ending = self.tree

    def begin_trip(self, space: Space, goals: Goals) -> None:
        refuse_half_made(self, self.open)
        self.search.settle(space)
        FRIT.begin_trip(self, space, goals)

    def plant(self, goals: Goals) -> None:
        FRIT.plant(self, goals)
        self.search.aim(goals, self.tree.heuristic if self.informed else Zero())

    def made_from(self) -> tuple[Any, ...]:
        given = self.given, self.checks_h, self.restart_on_fall, self.patient
        return FRITStar, self.open.made_from(), self.informed, *given

    def carry_trip(self, bag: Bag) -> None:
        FRIT.carry_trip(self, bag)
        self.search.goes_on = self.searching

    def start(self, at: int) -> int:
        self.search.begin(self.space, self.open)
        return self.search.source(self.open, at)

    def look_for(self, limit: int, deadline: int) -> int:
        if self.search.fitted != self.space.bound:  # dearer than ever before: the keys are laid out anew
            self.tree.begin()
            self.start(self.root)
        before = self.search.expanded
        done = self.search.advance(self.space, self.open, before + limit if limit < INF else INF, deadline)
        if self.watched:
            self.log.add_all(self.search.closed, before, self.search.expanded)
        self.expansions += self.search.expanded - before
        self.percolations = self.open.percolations
        if self.search.stopped >= 0:
            return self.search.stopped
        return self.open.top() if done else NOT_YET

    def came_from(self, v: int) -> int:
        parent: int = self.search.node[v].parent
        return parent


# What the registry collects.

FLOOD = """
Imagine free terrain: then the estimates say at every cell which way to go, and these pointers make a tree, the
ideal one. Follow it. Where an obstacle has cut the pointer of the agent's cell, look around by breadth-first search
for the nearest cell that still hangs on the tree, write the way there into the pointers, and go on.

Guarantees:

- A step expands at most `lookahead` states (following ten pointers counts as one expansion), or ends by the
  `deadline`.
- The agent arrives if steps can be taken back and there is a way: after at most (n + 1)² / 4 moves through n free
  cells of static terrain.
- It says so when there is no way. Nothing is learned, no heap is kept: an expansion is cheap.

Limits:

- Paths are not cheapest: the tree is mended where it is cut, never made better.
- Breadth-first search knows no costs: FRIT(UCS) and FRIT(A*) do.
- The tree is left only where it is blocked. A cell on it that becomes expensive is walked through: block a cell
  that the agent must not enter.
- A shortcut that opens is not used, unless `falling="reset"` plants the tree anew.

Parts:

- planners.frit.FRIT.episode
- search.ideal_tree.IdealTree.promised
- planners.frit.FRITFlood.look_for
- search.ideal_tree.IdealTree.walk
- planners.frit.FRIT.connect
"""

UNIFORM = """
FRIT that reconnects by uniform-cost search: the cell that still hangs on the tree and is cheapest to come to.

Guarantees:

- Those of FRIT(BFS), with a heap; the way back to the tree is a cheapest one.

Limits:

- Paths are not cheapest all the way, and a shortcut that opens is not used, unless `falling="reset"` plants the
  tree anew.

Parts:

- planners.frit.FRIT.episode
- search.ideal_tree.IdealTree.promised
- planners.frit.FRITStar.look_for
- search.ideal_tree.IdealTree.walk
- planners.frit.FRIT.connect
"""

A_STAR = """
FRIT that reconnects by A*: of the cells that still hang on the tree, one that lies towards the goal.

Guarantees:

- Those of FRIT(BFS), with a heap. Trips are shorter than those of the other forms.

Limits:

- It looks at more cells before it reconnects, so the agent waits more often.
- Paths are not cheapest all the way, and a shortcut that opens is not used, unless `falling="reset"` plants the
  tree anew.

Parts:

- planners.frit.FRIT.episode
- search.ideal_tree.IdealTree.promised
- planners.frit.FRITStar.look_for
- search.ideal_tree.IdealTree.walk
- planners.frit.FRIT.connect
"""

PSEUDO_CODE = """
## FRIT.episode

    the agent's pointer leads on: follow pointers
    otherwise search for a state that hangs on the tree
    the limit is used up? wait, and go on next time
    found: write the way there into the pointers, follow
    nothing left: no way

## FRITFlood.look_for

    until the limit is used up:
        test the next state that was generated:
            do pointers lead from it to a goal? found
        all are tested: expand the next one
        none is left: no way

## FRITStar.look_for

    A* (UCS: with h = 0) from the agent's state
    it ends when the first state of OPEN
    hangs on the tree, or is a goal

## FRIT.connect

    for each step u, v from the agent to what was found:
        pointer(u) := v
"""


def _frit(search: str) -> Callable[[dict[str, Any]], Planner]:
    """How FRIT is made with the search that reconnects: "bfs", "uniform" or "a-star"."""

    def make(options: dict[str, Any]) -> Planner:
        if options["falling"] == "repair":
            raise InputError("falling is 'keep' or 'reset' for FRIT: it has no learned h-values to repair")
        given = options["heuristic"], options["check"], options["falling"] == "reset", waits(options)
        made = FRITFlood(*given) if search == "bfs" else FRITStar(open_list(options), search == "a-star", *given)
        return set_budget(made, options)

    return make


FRIT_OPTIONS = {"lookahead": 256, "deadline": None, "falling": "keep", "no_path": "wait", **SEARCH_OPTIONS}
PLANNERS = tuple(
    PlannerSpec(
        f"FRIT({search})",
        f"frit-{slug}",
        "Rivera, Illanes, Baier, Hernández: Reconnecting with the Ideal Tree, JAIR 50, 2014",
        f"follow the tree that the estimates promise; reconnect where it is cut: {how}, a slice a step",
        options,
        _frit(slug),
        also,
        optimal=False,
        realtime=True,
        waits=True,
        family="sliced",
        order=order,
        explanation=explanation,
    )
    for order, search, slug, how, options, also, explanation in (
        (650, "BFS", "bfs", "breadth-first search", without(FRIT_OPTIONS, *ORDER_OPTIONS), ("FRIT",), FLOOD),
        (660, "UCS", "uniform", "uniform-cost search", FRIT_OPTIONS, ("FRIT(uniform cost)",), UNIFORM),
        (670, "A*", "a-star", "A*", FRIT_OPTIONS, (), A_STAR),
    )
)
