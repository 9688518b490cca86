"""FRIT: follow and reconnect with the ideal tree.

(Rivera, Illanes, Baier, Hernández: Reconnecting with the Ideal Tree: An Alternative to Heuristic Learning in Real-Time
Search, JAIR 50, 2014. Comments use the symbols p (pointer), c (color) and x_i; there are no line numbers.) The ideal
tree is the tree of pointers that the heuristic promises on free terrain (`search/ideal_tree.py`). The agent follows its
pointers. If the pointer of its state is cut, it searches for the nearest state that is still connected to the goal by
pointers, writes the path to that state into the pointers, and goes on. No h-values are learned, and paths are not
cheapest.

| planner   | search that reconnects        | a state is tested | the limit counts                                    |
|-----------|-------------------------------|-------------------|-----------------------------------------------------|
| FRIT(BFS) | breadth-first search, no heap | when generated    | expansions; POINTERS_PER_EXPANSION pointers are one |
| FRIT(UCS) | uniform cost: A* with h = 0   | when expanded     | expansions                                          |
| FRIT(A*)  | A* with the heuristic         | when expanded     | expansions                                          |

A search that the limit interrupts continues in the next time step; the agent waits meanwhile. A trip through n free
cells of static terrain has at most (n + 1)^2 / 4 moves. FRIT with RTAA* as its search, which the authors measure too,
is left out: their results could not be confirmed.

On game maps a trip takes a seventh of the time of one of TBA*, but an expansion takes 1.4 to 1.7 times as long: for
each expansion 13 to 21 pointers are followed, and at least one state computes its first pointer, which takes about as
long as an expansion. If ten pointers count as an expansion, as they do for the limit, it takes 0.6 of the time.

Chosen where the paper is open:

- p(s) is the first neighbour v, as the space lists them, with H(s) = c(s, v) + H(v). (On grids: right, down, left, up,
  then the diagonals.) So the first belief, weights and any consistent heuristic are allowed.
- With `on_cost_decrease="keep"` a pointer that was cut stays so, and a shortcut is not used. With "reset" the tree is
  built again, as it is when the goal moves.
- On graphs and user's spaces, whose steps may be directed, the agent follows pointers only if they lead to a goal, as
  far as is known: otherwise it might end where it cannot come back.
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

POINTERS_PER_EXPANSION = 10  # as many steps along pointers count as one expansion
POINTERS_PER_CLOCK_CHECK = 64  # the most such steps between two readings of the clock
NOT_FOUND, UNFINISHED = -1, -2


class FRIT(Planner):
    """Base class of all forms of FRIT; a form defines the search that reconnects."""

    root: int  # state at which the last search began
    cuts_at_start: int  # value of ideal_tree.cuts at that time

    def _init_frit(
        self, heuristic: Any, check_heuristic: bool, restarts_on_decrease: bool, waits_for_changes: bool
    ) -> None:
        """Initialize the fields that all forms have."""
        Planner.__init__(self)
        self.user_heuristic = heuristic
        self.checks_h = check_heuristic
        self.restarts_on_decrease = restarts_on_decrease
        self.waits_for_changes = waits_for_changes
        self.ideal_tree, self.root, self.cuts_at_start = self.add_table(IdealTree()), -1, 0

    def begin_trip(self, space: Space, goals: Goals) -> None:
        check_base_initialized(self, self.ideal_tree)
        self.ideal_tree.neighbours = space.make_neighbours()
        self.root, self.cuts_at_start = -1, 0
        self.build_tree(goals)

    def check_goals(self, goals: Goals) -> None:
        check_not_array(self.user_heuristic)

    def change_goals(self, goals: Goals) -> None:
        """Build the tree for the new goals."""
        self.build_tree(goals)

    def build_tree(self, goals: Goals) -> None:
        """Build the ideal tree for these goals."""
        self.ideal_tree.set_goals(goals, self.make_heuristic(goals))
        self.is_searching = self.is_uncut = self.has_pending_decreases = self.costs_changed = False

    def make_heuristic(self, goals: Goals) -> Heuristic:
        """Make the heuristic for these goals. Raise InputError if it is checked and not consistent."""
        heuristic = make_heuristic(self.user_heuristic, self.space, goals)
        if self.checks_h and self.user_heuristic is not None:
            check_consistent(heuristic, self.space, goals)
        return heuristic

    def serialize_trip(self, archive: Archive) -> None:
        Planner.serialize_trip(self, archive)
        self.root = archive.integer("root", self.root, -1, self.space.n - 1)
        self.cuts_at_start = archive.integer("cuts_at_start", self.cuts_at_start, 0)
        self.is_searching = archive.boolean("is_searching", self.is_searching)
        self.is_uncut = archive.boolean("is_uncut", self.is_uncut)
        self.has_pending_decreases = archive.boolean("has_pending_decreases", self.has_pending_decreases)
        self.costs_changed = archive.boolean("costs_changed", self.costs_changed)

    def on_cost_changes(self, changed_states: memoryview, count: int, costs_increased: bool) -> int:
        self.update_reachability(changed_states, count, costs_increased)
        self.costs_changed = True
        for i in range(count if costs_increased else 0):
            self.ideal_tree.cut_if_blocked(self.space, changed_states[i])  # p(s) := none
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
                return self.extract_path(agent_state, limit)  # follow p
            self.root = agent_state
            self.cuts_at_start = self.ideal_tree.cuts
            self.is_searching = True
            self.costs_changed = False
            self.ideal_tree.begin()  # c := c + 1
            self.start_search(agent_state)
        x_n = self.continue_search(limit, deadline)
        if x_n == UNFINISHED:
            return WAITING
        self.is_searching = False
        if x_n == NOT_FOUND:
            self._reachability.failed_from = -1 if self.costs_changed else agent_state
            return WAITING if self.costs_changed else UNREACHABLE  # obstacles of the search may have gone since
        if self.reconnect(x_n, agent_state):
            return self.extract_path(agent_state, limit)
        return WAITING

    def can_follow_tree(self, agent_state: int) -> bool:
        """True if the agent may follow its pointer."""
        if self.goals.is_goal(agent_state):
            return True
        if self.ideal_tree.pointer(self.space, agent_state) < 0:
            return False
        if self.space.is_symmetric:
            return True
        return (
            self.is_uncut
            and self.ideal_tree.cuts == self.cuts_at_start
            and self.planned_path.position_of(agent_state) >= 0
        )

    def start_search(self, agent_state: int) -> int:
        """Hook: begin to search from agent_state for a state that is connected to the goal by pointers."""
        return 0

    def continue_search(self, limit: int, deadline: int) -> int:
        """Hook: continue the search. Return the state that was found, NOT_FOUND or UNFINISHED."""
        return NOT_FOUND

    def search_parent(self, v: int) -> int:
        """Hook: return the parent of a state in the search tree."""
        return v

    def reconnect(self, x_n: int, agent_state: int) -> bool:
        """Set p(x_i) := x_(i+1) on the path x_0 = agent_state, ..., x_n. False if that path is blocked by now."""
        v = x_n
        while v != agent_state:
            u = self.search_parent(v)
            if u == v or (self.costs_changed and self.space.step_cost(u, v) >= INF):  # u == v: from a damaged file
                return False
            v = u
        v = x_n
        while v != agent_state:
            u = self.search_parent(v)
            self.ideal_tree.set_pointer(u, v)  # p(x_i) := x_(i+1)
            v = u
        self.is_uncut = self.ideal_tree.cuts == self.cuts_at_start  # nothing was cut since the search began
        return self.is_uncut or self.space.is_symmetric

    def extract_path(self, agent_state: int, limit: int) -> int:
        """Set the path: along the pointers, as far as they lead or the limit allows."""
        max_steps = min(self.space.n, limit * POINTERS_PER_EXPANSION if limit < self.space.n else INF)
        k = self.ideal_tree.count_steps(self.space, agent_state, max_steps)
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
    """FRIT(BFS): reconnects by breadth-first search."""

    def __init__(
        self, heuristic: Any, check_heuristic: bool, restarts_on_decrease: bool, waits_for_changes: bool
    ) -> None:
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
        self.tested_count = archive.integer("tested_count", self.tested_count, 0, self.space.n)

    def start_search(self, agent_state: int) -> int:
        self.breadth_first.begin(agent_state)
        self.tested_count = 0
        return 0

    def continue_search(self, limit: int, deadline: int) -> int:
        """Test all states of the queue before the next one is expanded."""
        expanded_before, iteration = self.breadth_first.expanded_count, 0
        pointers_left = limit * POINTERS_PER_EXPANSION if limit < INF // POINTERS_PER_EXPANSION else INF
        x_n = UNFINISHED
        while pointers_left > 0 and x_n == UNFINISHED:
            iteration += 1
            if deadline > 0 and iteration & 7 == 0 and now_ns() >= deadline:
                break
            if self.tested_count < self.breadth_first.generated_count:
                s = self.breadth_first.queue[self.tested_count]
                is_connected = self.ideal_tree.follow_pointers(
                    self.space, s, min(pointers_left, POINTERS_PER_CLOCK_CHECK)
                )
                pointers_left -= max(1, self.ideal_tree.walked)
                if is_connected == 1:
                    x_n = s
                elif is_connected == 0:
                    self.tested_count += 1
            elif self.breadth_first.expanded_count < self.breadth_first.generated_count:
                self.breadth_first.expand_next(self.space, self.neighbours)
                pointers_left -= POINTERS_PER_EXPANSION
            else:
                x_n = NOT_FOUND
        if self.is_logging:
            self.log.add_expanded(self.breadth_first.queue, expanded_before, self.breadth_first.expanded_count)
        self.expansions += self.breadth_first.expanded_count - expanded_before
        return x_n

    def search_parent(self, v: int) -> int:
        return self.breadth_first.parent[v]


class FRITStar(FRIT):
    """FRIT(A*), or FRIT(UCS) with `uses_heuristic=False`."""

    open: OpenList
    search: Search

    def __init__(
        self,
        open: OpenList,
        uses_heuristic: bool,
        heuristic: Any,
        check_heuristic: bool,
        restarts_on_decrease: bool,
        waits_for_changes: bool,
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
        arguments = self.user_heuristic, self.checks_h, self.restarts_on_decrease, self.waits_for_changes
        return FRITStar, self.open.constructor_args(), self.uses_heuristic, *arguments

    def serialize_trip(self, archive: Archive) -> None:
        FRIT.serialize_trip(self, archive)
        self.search.is_in_progress = self.is_searching

    def start_search(self, agent_state: int) -> int:
        self.search.begin(self.space, self.open)
        return self.search.add_start(self.open, agent_state)

    def continue_search(self, limit: int, deadline: int) -> int:
        if self.search.queue_bound != self.space.max_path_cost:  # costs exceed the range of the keys: start again
            self.ideal_tree.begin()
            self.start_search(self.root)
        expanded_before = self.search.expanded
        is_done = self.search.advance(self.space, self.open, expanded_before + limit if limit < INF else INF, deadline)
        if self.is_logging:
            self.log.add_expanded(self.search.closed, expanded_before, self.search.expanded)
        self.expansions += self.search.expanded - expanded_before
        self.percolations = self.open.percolations
        if self.search.stop_state >= 0:
            return self.search.stop_state
        return self.open.top() if is_done else UNFINISHED

    def search_parent(self, v: int) -> int:
        parent: int = self.search.node[v].parent
        return parent


# Declarations for the registry.

FLOOD = """
On free terrain the heuristic tells for every cell which neighbour leads to the goal. These pointers form a tree, the
ideal tree, and the agent follows it. Where an obstacle has cut the pointer of the agent's cell, a breadth-first search
finds the nearest cell that is still connected to the goal by pointers. The path to that cell is written into the
pointers, and the agent goes on.

Guarantees:

- A time step expands at most `lookahead` states (following ten pointers counts as one expansion), or ends by the
  `deadline`.
- The agent arrives if steps are reversible and the goal can be reached: after at most (n + 1)² / 4 moves through n free
  cells of static terrain.
- It reports when no path exists. No h is learned and no heap is kept, so an expansion is cheap.

Limits:

- Paths are not cheapest: the tree is repaired where it is cut, never improved.
- Breadth-first search ignores costs: FRIT(UCS) and FRIT(A*) do not.
- The agent leaves the tree only where it is blocked. It walks through a cell of the tree that becomes expensive: block
  a cell that the agent must not enter.
- A shortcut that opens is not used, unless `on_cost_decrease="reset"` builds the tree again.

Parts:

- planners.frit.FRIT.run_episode
- search.ideal_tree.IdealTree.initial_pointer
- planners.frit.FRITBFS.continue_search
- search.ideal_tree.IdealTree.follow_pointers
- planners.frit.FRIT.reconnect
"""

UNIFORM = """
FRIT that reconnects by uniform-cost search: to the cell that is connected to the goal by pointers and cheapest to
reach.

Guarantees:

- Those of FRIT(BFS), with a heap; the path back to the tree is a cheapest one.

Limits:

- The complete path is not cheapest, and a shortcut that opens is not used, unless `on_cost_decrease="reset"` builds the
  tree again.

Parts:

- planners.frit.FRIT.run_episode
- search.ideal_tree.IdealTree.initial_pointer
- planners.frit.FRITStar.continue_search
- search.ideal_tree.IdealTree.follow_pointers
- planners.frit.FRIT.reconnect
"""

A_STAR = """
FRIT that reconnects by A*: of the cells that are connected to the goal by pointers, to one in the direction of the
goal.

Guarantees:

- Those of FRIT(BFS), with a heap. Trips are shorter than those of the other forms.

Limits:

- It expands more cells before it reconnects, so the agent waits more often.
- The complete path is not cheapest, and a shortcut that opens is not used, unless `on_cost_decrease="reset"` builds the
  tree again.

Parts:

- planners.frit.FRIT.run_episode
- search.ideal_tree.IdealTree.initial_pointer
- planners.frit.FRITStar.continue_search
- search.ideal_tree.IdealTree.follow_pointers
- planners.frit.FRIT.reconnect
"""

PSEUDO_CODE = """
## FRIT.run_episode

    p(agent) is a neighbour: follow p as far as it leads
    otherwise c := c + 1; search from x_0 = agent for a
    state x_n from which p leads to a goal
    the limit is used up? wait, and continue next time
    found: reconnect, follow p
    OPEN is empty: no path

## FRITBFS.continue_search

    until the limit is used up:
        test the next state that was generated:
            does p lead from it to a goal? found
        all are tested: expand the next one
        none is left: no path

## FRITStar.continue_search

    A* (UCS: with h = 0) from the agent's state
    it ends when the first state of OPEN is a goal,
    or p leads from it to one

## FRIT.reconnect

    x_0 = agent, x_1, ..., x_n: the path that was found
    for i = 0 to n - 1: p(x_i) := x_(i+1)
"""


def _frit(search: str) -> Callable[[dict[str, Any]], Planner]:
    """Return a function that makes FRIT with a search that reconnects: "bfs", "uniform" or "a-star"."""

    def make(options: dict[str, Any]) -> Planner:
        if options["on_cost_decrease"] == "repair":
            raise InputError("on_cost_decrease is 'keep' or 'reset' for FRIT: it has no learned h-values to repair")
        arguments = (
            options["heuristic"],
            options["check_heuristic"],
            options["on_cost_decrease"] == "reset",
            waits_when_unreachable(options),
        )
        planner = (
            FRITBFS(*arguments)
            if search == "bfs"
            else FRITStar(open_list_from_options(options), search == "a-star", *arguments)
        )
        return set_budget(planner, options)

    return make


FRIT_OPTIONS = {
    "lookahead": 256,
    "deadline": None,
    "on_cost_decrease": "keep",
    "when_unreachable": "wait",
    **SEARCH_OPTIONS,
}
PLANNERS = tuple(
    PlannerSpec(
        f"FRIT({search})",
        f"frit-{slug}",
        "Rivera, Illanes, Baier, Hernández: Reconnecting with the Ideal Tree, JAIR 50, 2014",
        f"follow the tree that h promises on free terrain; reconnect where it is cut: {method} in time slices",
        options,
        _frit(slug),
        aliases,
        is_optimal=False,
        is_realtime=True,
        may_wait=True,
        family="time-sliced",
        sort_order=order,
        explanation=explanation,
    )
    for order, search, slug, method, options, aliases, explanation in (
        (650, "BFS", "bfs", "breadth-first search", without_options(FRIT_OPTIONS, *ORDER_OPTIONS), ("FRIT",), FLOOD),
        (660, "UCS", "uniform", "uniform-cost search", FRIT_OPTIONS, ("FRIT(uniform cost)",), UNIFORM),
        (670, "A*", "a-star", "A*", FRIT_OPTIONS, (), A_STAR),
    )
)
