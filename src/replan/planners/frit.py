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
estimates (the pointers are then those of neighbours that they exactly agree with); with on_cost_decrease="keep" a pointer that
was cut stays so, and a shortcut is not used, with "reset" the tree is planted anew; so it is when the goal has moved.
Where steps may lead one way only (graphs, spaces of your own) the agent follows no pointer unless they lead all the
way to a goal, as far as is known: what is cut beyond might be out of reach from where they end.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from replan.clock import now_ns
from replan.errors import InputError
from replan.extensions import check_base_initialized
from replan.limits import COMPLETE, INF, PARTIAL, UNREACHABLE, WAITING
from replan.planners.base import Planner
from replan.planners.factories import (
    ORDER_OPTIONS,
    SEARCH_OPTIONS,
    open_list_from_options,
    set_budget,
    waits_when_unreachable,
    without_options,
)
from replan.planners.realtime import check_not_array
from replan.planners.spec import PlannerSpec
from replan.queues.base import OpenList, claim_queue
from replan.search.astar import Search
from replan.search.breadth_first import BreadthFirst
from replan.search.ideal_tree import IdealTree
from replan.serialization import Archive
from replan.spaces.cell_distance import Heuristic
from replan.spaces.goals import Goals
from replan.spaces.heuristics import ZeroHeuristic, check_consistent, make_heuristic
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import ints, longs
    from replan.search.ideal_tree import decode_pointer

POINTERS_PER_EXPANSION = 10  # steps along pointers
POINTERS_PER_CLOCK_CHECK = 64  # of these between two looks at the clock
NOT_FOUND, UNFINISHED = -1, -2


class FRIT(Planner):
    """What all forms have in common; a form says how it searches."""

    root: int  # where the last search began
    cuts_at_start: int  # what tree.cuts was then

    def _init_frit(self, heuristic: Any, check_heuristic: bool, restarts_on_decrease: bool, waits_for_changes: bool) -> None:
        Planner.__init__(self)
        self.user_heuristic, self.checks_h, self.restarts_on_decrease, self.waits_for_changes = heuristic, check_heuristic, restarts_on_decrease, waits_for_changes
        self.ideal_tree, self.root, self.cuts_at_start = self.add_table(IdealTree()), -1, 0

    def begin_trip(self, space: Space, goals: Goals) -> None:
        check_base_initialized(self, self.ideal_tree)
        self.ideal_tree.neighbours = space.make_neighbours()
        self.root, self.cuts_at_start = -1, 0
        self.build_tree(goals)

    def check_goals(self, goals: Goals) -> None:
        check_not_array(self.user_heuristic)

    def change_goals(self, goals: Goals) -> None:
        """Another goal is another tree."""
        self.build_tree(goals)

    def build_tree(self, goals: Goals) -> None:
        """The tree that the estimates promise."""
        self.ideal_tree.set_goals(goals, self.make_heuristic(goals))
        self.is_searching = self.is_uncut = self.has_pending_decreases = self.costs_changed = False

    def make_heuristic(self, goals: Goals) -> Heuristic:
        heuristic = make_heuristic(self.user_heuristic, self.space, goals)
        if self.checks_h and self.user_heuristic is not None:
            check_consistent(heuristic, self.space, goals)
        return heuristic

    def serialize_trip(self, archive: Archive) -> None:
        Planner.serialize_trip(self, archive)
        self.root, self.cuts_at_start = archive.integer("root", self.root, -1, self.space.n - 1), archive.integer("cuts", self.cuts_at_start, 0)
        self.is_searching, self.is_uncut = archive.boolean("searching", self.is_searching), archive.boolean("sure", self.is_uncut)
        self.has_pending_decreases, self.costs_changed = archive.boolean("fallen", self.has_pending_decreases), archive.boolean("news", self.costs_changed)

    def on_cost_changes(self, changed_states: memoryview, count: int, costs_increased: bool) -> int:
        self.update_reachability(changed_states, count, costs_increased)
        self.costs_changed = True
        for i in range(count if costs_increased else 0):
            self.ideal_tree.cut_if_blocked(self.space, changed_states[i])
        if not costs_increased and self.restarts_on_decrease:
            self.has_pending_decreases = True
        return 0

    def run_episode(self, agent_state: int, limit: int, deadline: int) -> int:
        self.planned_path.clear()
        if self.has_pending_decreases:
            with cython.gil:
                self.build_tree(self.goals)
        if self._reachability.is_unreachable(self.goals, agent_state):
            return UNREACHABLE
        if self.is_logging:
            self.log.is_incomplete = True
        if not self.is_searching or agent_state != self.root:
            if self.can_follow_tree(agent_state):
                return self.extract_path(agent_state, limit)
            self.root, self.cuts_at_start, self.is_searching, self.costs_changed = agent_state, self.ideal_tree.cuts, True, False
            self.ideal_tree.begin()
            self.start_search(agent_state)
        found = self.continue_search(limit, deadline)
        if found == UNFINISHED:
            return WAITING
        self.is_searching = False
        if found == NOT_FOUND:
            self._reachability.failed_from = -1 if self.costs_changed else agent_state
            return WAITING if self.costs_changed else UNREACHABLE  # there may be none because of obstacles that are gone
        if self.reconnect(found, agent_state):
            return self.extract_path(agent_state, limit)
        return WAITING

    def can_follow_tree(self, agent_state: int) -> bool:
        """May the agent follow the tree from here?"""
        if self.goals.is_goal(agent_state):
            return True
        if self.ideal_tree.pointer(self.space, agent_state) < 0:
            return False
        if self.space.is_symmetric:
            return True
        return self.is_uncut and self.ideal_tree.cuts == self.cuts_at_start and self.planned_path.position_of(agent_state) >= 0

    def start_search(self, agent_state: int) -> int:
        """Hook: begin to search from here for a state that hangs on the tree."""
        return 0

    def continue_search(self, limit: int, deadline: int) -> int:
        """Hook: search on. The state that was found, NOBODY or NOT_YET."""
        return NOT_FOUND

    def search_parent(self, v: int) -> int:
        """Hook: the parent of a state in the search tree."""
        return v

    def reconnect(self, found: int, agent_state: int) -> bool:
        """Write the way to the state that was found into the pointers. False if it is of no use by now."""
        v = found
        while v != agent_state:
            u = self.search_parent(v)
            if u == v or (self.costs_changed and self.space.step_cost(u, v) >= INF):  # u == v: it was loaded, and is damaged
                return False
            v = u
        v = found
        while v != agent_state:
            u = self.search_parent(v)
            self.ideal_tree.set_pointer(u, v)
            v = u
        self.is_uncut = self.ideal_tree.cuts == self.cuts_at_start  # nothing was cut since the search began
        return self.is_uncut or self.space.is_symmetric

    def extract_path(self, agent_state: int, limit: int) -> int:
        """Set the path: along the pointers, as far as they lead or the limit allows."""
        most = min(self.space.n, limit * POINTERS_PER_EXPANSION if limit < self.space.n else INF)
        k = self.ideal_tree.count_steps(self.space, agent_state, most)
        if k == self.space.n:
            with cython.gil:
                raise InputError("the ideal tree runs in a circle: the heuristic does not always say the same")
        self.planned_path.length = k
        states, step_costs = ints(self.planned_path.states), longs(self.planned_path.step_costs)
        index, v = ints(self.planned_path.index), agent_state
        for i in range(k, 0, -1):
            w = decode_pointer(self.ideal_tree.mark[v])
            states[i] = v
            index[v] = i
            step_costs[i] = self.space.step_cost(v, w)
            v = w
        states[0] = v
        index[v] = 0
        return COMPLETE if self.goals.is_goal(v) else PARTIAL


class FRITBFS(FRIT):
    """FRIT(BFS)."""

    def __init__(self, heuristic: Any, check_heuristic: bool, restarts_on_decrease: bool, waits_for_changes: bool) -> None:
        self._init_frit(heuristic, check_heuristic, restarts_on_decrease, waits_for_changes)
        self.breadth_first, self.tested_count = self.add_table(BreadthFirst()), 0

    def begin_trip(self, space: Space, goals: Goals) -> None:
        check_base_initialized(self, self.breadth_first)
        self.breadth_first.reset()
        self.tested_count = 0
        self.neighbours = space.make_neighbours()
        FRIT.begin_trip(self, space, goals)

    def constructor_args(self) -> tuple[Any, ...]:
        return FRITBFS, self.user_heuristic, self.checks_h, self.restarts_on_decrease, self.waits_for_changes

    def serialize_trip(self, archive: Archive) -> None:
        FRIT.serialize_trip(self, archive)
        self.tested_count = archive.integer("tested", self.tested_count, 0, self.space.n)

    def start_search(self, agent_state: int) -> int:
        self.breadth_first.begin(agent_state)
        self.tested_count = 0
        return 0

    def continue_search(self, limit: int, deadline: int) -> int:
        """Test all states of the queue before the next one is expanded."""
        before, turn = self.breadth_first.expanded_count, 0
        left = limit * POINTERS_PER_EXPANSION if limit < INF // POINTERS_PER_EXPANSION else INF
        found = UNFINISHED
        while left > 0 and found == UNFINISHED:
            turn += 1
            if deadline > 0 and turn & 7 == 0 and now_ns() >= deadline:
                break
            if self.tested_count < self.breadth_first.generated_count:
                s = self.breadth_first.queue[self.tested_count]
                hangs = self.ideal_tree.follow_pointers(self.space, s, min(left, POINTERS_PER_CLOCK_CHECK))
                left -= max(1, self.ideal_tree.walked)
                if hangs == 1:
                    found = s
                elif hangs == 0:
                    self.tested_count += 1
            elif self.breadth_first.expanded_count < self.breadth_first.generated_count:
                self.breadth_first.expand_next(self.space, self.neighbours)
                left -= POINTERS_PER_EXPANSION
            else:
                found = NOT_FOUND
        if self.is_logging:
            self.log.add_expanded(self.breadth_first.queue, before, self.breadth_first.expanded_count)
        self.expansions += self.breadth_first.expanded_count - before
        return found

    def search_parent(self, v: int) -> int:
        return self.breadth_first.parent[v]


class FRITStar(FRIT):
    """FRIT(A*), or FRIT(UCS)."""

    open: OpenList
    search: Search

    def __init__(
        self, open: OpenList, uses_heuristic: bool, heuristic: Any, check_heuristic: bool, restarts_on_decrease: bool, waits_for_changes: bool
    ) -> None:
        self._init_frit(heuristic, check_heuristic, restarts_on_decrease, waits_for_changes)
        self.open, self.uses_heuristic = claim_queue(open), uses_heuristic
        self.search = self.add_table(Search(open))
        self.search.terminator = self.ideal_tree

    def begin_trip(self, space: Space, goals: Goals) -> None:
        check_base_initialized(self, self.open)
        self.search.attach(space)
        FRIT.begin_trip(self, space, goals)

    def build_tree(self, goals: Goals) -> None:
        FRIT.build_tree(self, goals)
        self.search.set_goals(goals, self.ideal_tree.heuristic if self.uses_heuristic else ZeroHeuristic())

    def constructor_args(self) -> tuple[Any, ...]:
        given = self.user_heuristic, self.checks_h, self.restarts_on_decrease, self.waits_for_changes
        return FRITStar, self.open.constructor_args(), self.uses_heuristic, *given

    def serialize_trip(self, archive: Archive) -> None:
        FRIT.serialize_trip(self, archive)
        self.search.is_in_progress = self.is_searching

    def start_search(self, agent_state: int) -> int:
        self.search.begin(self.space, self.open)
        return self.search.add_start(self.open, agent_state)

    def continue_search(self, limit: int, deadline: int) -> int:
        if self.search.queue_bound != self.space.max_path_cost:  # dearer than ever before: the keys are laid out anew
            self.ideal_tree.begin()
            self.start_search(self.root)
        before = self.search.expanded
        done = self.search.advance(self.space, self.open, before + limit if limit < INF else INF, deadline)
        if self.is_logging:
            self.log.add_expanded(self.search.closed, before, self.search.expanded)
        self.expansions += self.search.expanded - before
        self.percolations = self.open.percolations
        if self.search.stop_state >= 0:
            return self.search.stop_state
        return self.open.top() if done else UNFINISHED

    def search_parent(self, v: int) -> int:
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
- A shortcut that opens is not used, unless `on_cost_decrease="reset"` plants the tree anew.

Parts:

- planners.frit.FRIT.run_episode
- search.ideal_tree.IdealTree.initial_pointer
- planners.frit.FRITBFS.continue_search
- search.ideal_tree.IdealTree.follow_pointers
- planners.frit.FRIT.reconnect
"""

UNIFORM = """
FRIT that reconnects by uniform-cost search: the cell that still hangs on the tree and is cheapest to come to.

Guarantees:

- Those of FRIT(BFS), with a heap; the way back to the tree is a cheapest one.

Limits:

- Paths are not cheapest all the way, and a shortcut that opens is not used, unless `on_cost_decrease="reset"` plants the
  tree anew.

Parts:

- planners.frit.FRIT.run_episode
- search.ideal_tree.IdealTree.initial_pointer
- planners.frit.FRITStar.continue_search
- search.ideal_tree.IdealTree.follow_pointers
- planners.frit.FRIT.reconnect
"""

A_STAR = """
FRIT that reconnects by A*: of the cells that still hang on the tree, one that lies towards the goal.

Guarantees:

- Those of FRIT(BFS), with a heap. Trips are shorter than those of the other forms.

Limits:

- It looks at more cells before it reconnects, so the agent waits more often.
- Paths are not cheapest all the way, and a shortcut that opens is not used, unless `on_cost_decrease="reset"` plants the
  tree anew.

Parts:

- planners.frit.FRIT.run_episode
- search.ideal_tree.IdealTree.initial_pointer
- planners.frit.FRITStar.continue_search
- search.ideal_tree.IdealTree.follow_pointers
- planners.frit.FRIT.reconnect
"""

PSEUDO_CODE = """
## FRIT.run_episode

    the agent's pointer leads on: follow pointers
    otherwise search for a state that hangs on the tree
    the limit is used up? wait, and go on next time
    found: write the way there into the pointers, follow
    nothing left: no way

## FRITBFS.continue_search

    until the limit is used up:
        test the next state that was generated:
            do pointers lead from it to a goal? found
        all are tested: expand the next one
        none is left: no way

## FRITStar.continue_search

    A* (UCS: with h = 0) from the agent's state
    it ends when the first state of OPEN
    hangs on the tree, or is a goal

## FRIT.reconnect

    for each step u, v from the agent to what was found:
        pointer(u) := v
"""


def _frit(search: str) -> Callable[[dict[str, Any]], Planner]:
    """How FRIT is made with the search that reconnects: "bfs", "uniform" or "a-star"."""

    def make(options: dict[str, Any]) -> Planner:
        if options["on_cost_decrease"] == "repair":
            raise InputError("on_cost_decrease is 'keep' or 'reset' for FRIT: it has no learned h-values to repair")
        given = options["heuristic"], options["check_heuristic"], options["on_cost_decrease"] == "reset", waits_when_unreachable(options)
        made = FRITBFS(*given) if search == "bfs" else FRITStar(open_list_from_options(options), search == "a-star", *given)
        return set_budget(made, options)

    return make


FRIT_OPTIONS = {"lookahead": 256, "deadline": None, "on_cost_decrease": "keep", "when_unreachable": "wait", **SEARCH_OPTIONS}
PLANNERS = tuple(
    PlannerSpec(
        f"FRIT({search})",
        f"frit-{slug}",
        "Rivera, Illanes, Baier, Hernández: Reconnecting with the Ideal Tree, JAIR 50, 2014",
        f"follow the tree that the estimates promise; reconnect where it is cut: {how}, a slice a step",
        options,
        _frit(slug),
        also,
        is_optimal=False,
        is_realtime=True,
        may_wait=True,
        family="time-sliced",
        sort_order=order,
        explanation=explanation,
    )
    for order, search, slug, how, options, also, explanation in (
        (650, "BFS", "bfs", "breadth-first search", without_options(FRIT_OPTIONS, *ORDER_OPTIONS), ("FRIT",), FLOOD),
        (660, "UCS", "uniform", "uniform-cost search", FRIT_OPTIONS, ("FRIT(uniform cost)",), UNIFORM),
        (670, "A*", "a-star", "A*", FRIT_OPTIONS, (), A_STAR),
    )
)
