"""A* and repeated search: search again whenever the path is blocked. The baseline, and the oracle, of all planners.

Repeated Forward A* and Repeated Backward A* are the planners of the course project (parts 1 to 3) and the last two rows
of Table 1 of RTAA* 2006. Repeated Weighted A* multiplies h. Repeated BFS has a first-in first-out queue and stops when
the goal is generated (so it is not A* with h = 0); it needs steps of equal cost.

A* stops when the goal is first in the open list (RTAA* 2006). Figure 4 of the course project stops when g(goal) <= the
smallest f. This is the same for ties towards larger g, and can save an expansion or so for ties towards smaller g.

A failed search is not repeated until a cost changes at a state that it generated. The agent may wait for a door.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from replan.errors import InputError
from replan.extensions import check_base_initialized
from replan.limits import COMPLETE, INF, UNREACHABLE
from replan.planners.base import Planner
from replan.planners.factories import SEARCH_OPTIONS, open_list_from_options, to_tenths
from replan.planners.spec import COURSE, PlannerSpec
from replan.queues.base import OpenList, claim_queue
from replan.search.astar import Search
from replan.search.breadth_first import BreadthFirst
from replan.spaces.goals import Goals
from replan.spaces.heuristics import ZeroHeuristic, check_consistent, make_heuristic
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython


class RepeatedAStar(Planner):
    """A* from the agent to the goal, or backward from the goal to the agent, with h times inflation / 10."""

    open: OpenList
    search: Search

    def __init__(
        self,
        open: OpenList,
        heuristic: Any = None,
        check_heuristic: bool = False,
        is_backward: bool = False,
        inflation: int = 10,
    ) -> None:
        Planner.__init__(self)
        self.runs_to_completion = True
        self.open, self.user_heuristic, self.checks_h = claim_queue(open), heuristic, check_heuristic
        self.is_backward, self.inflation = is_backward, inflation
        self.search = self.add_table(Search(open, is_backward, inflation, covers_map=True))

    def begin_trip(self, space: Space, goals: Goals) -> None:
        check_base_initialized(self, self.open)
        self.search.attach(space)
        self.change_goals(goals)

    def change_goals(self, goals: Goals) -> None:
        if self.is_logging:
            self.log.is_incomplete = True
        if self.is_backward:
            # each search sets its own heuristic; this call refuses an array already now
            self.search.set_goals(goals, make_heuristic(self.user_heuristic, self.space, goals, 0))
        else:
            heuristic = make_heuristic(self.user_heuristic, self.space, goals)
            if self.checks_h and self.user_heuristic is not None:
                check_consistent(heuristic, self.space, goals)
            self.search.set_goals(goals, heuristic)

    def on_cost_changes(self, changed_states: memoryview, count: int, costs_increased: bool) -> int:
        return self.update_reachability(changed_states, count, costs_increased)

    def is_generated(self, s: int) -> bool:
        # a backward search generates the heads of steps, not their tails
        return (self.is_backward and not self.space.is_symmetric) or self.search.is_generated(s)

    def run_episode(self, agent_state: int, limit: int, deadline: int) -> int:
        if self._reachability.is_unreachable(self.goals, agent_state):
            return UNREACHABLE
        if self.is_backward:  # h estimates the cost from the agent, which has moved
            with cython.gil:
                self._set_backward_heuristic(agent_state)
        self.search.begin(self.space, self.open)
        if self.is_backward:
            for i in range(self.goals.count):
                self.search.add_start(self.open, self.goals.state_array[i])
        else:
            self.search.add_start(self.open, agent_state)
        self.search.advance(self.space, self.open, limit, 0)
        if self.is_logging:
            self.log.add_expanded(self.search.closed, 0, self.search.expanded)
        self.expansions += self.search.expanded
        self.percolations = self.open.percolations
        best = self.open.top()
        if best < 0:
            self._reachability.failed_from = agent_state
            return UNREACHABLE
        if self.is_backward:
            self.planned_path.extract_backward(self.space, self.search, agent_state)
        else:
            self.planned_path.extract(self.space, self.search, best, agent_state, 0)
        return COMPLETE

    def _set_backward_heuristic(self, agent_state: int) -> None:
        """Set the heuristic that estimates costs from the agent's state."""
        heuristic = make_heuristic(self.user_heuristic, self.space, self.goals, agent_state)
        if self.checks_h and self.user_heuristic is not None:
            check_consistent(heuristic, self.space, Goals([agent_state], self.space.n), backward=True)
        self.search.set_goals(self.goals, heuristic, agent_state)

    def release_space(self) -> bool:
        self.search.set_heuristic(ZeroHeuristic())
        self.space = self.search.space = None  # type: ignore[assignment]
        return True

    def constructor_args(self) -> tuple[Any, ...]:
        return (
            RepeatedAStar,
            self.open.constructor_args(),
            self.user_heuristic,
            self.checks_h,
            self.is_backward,
            self.inflation,
        )


class RepeatedBFS(Planner):
    """Breadth-first search that stops when a goal is generated."""

    def __init__(self) -> None:
        Planner.__init__(self)
        self.runs_to_completion, self.breadth_first = True, self.add_table(BreadthFirst())

    def begin_trip(self, space: Space, goals: Goals) -> None:
        self.restore_trip(space, goals)
        self._check_unit_costs()

    def restore_trip(self, space: Space, goals: Goals) -> None:
        check_base_initialized(self, self.breadth_first)
        self.breadth_first.reset()
        self.neighbours = space.make_neighbours()

    def _check_unit_costs(self) -> None:
        """Raise InputError if steps have different costs."""
        if not self.space.has_unit_costs:
            raise InputError("Repeated BFS needs steps of equal cost: 4 neighbors and no weights, or equal edges")

    def change_goals(self, goals: Goals) -> None:
        """Do nothing: every search is new."""

    def release_space(self) -> bool:
        self.space = None  # type: ignore[assignment]
        return True

    def on_cost_changes(self, changed_states: memoryview, count: int, costs_increased: bool) -> int:
        return self.update_reachability(changed_states, count, costs_increased)

    def is_generated(self, s: int) -> bool:
        return self.breadth_first.is_generated(s)

    def run_episode(self, agent_state: int, limit: int, deadline: int) -> int:
        if not self.space.has_unit_costs:
            with cython.gil:
                self._check_unit_costs()
        if self._reachability.is_unreachable(self.goals, agent_state):
            return UNREACHABLE
        self.breadth_first.begin(agent_state)
        best = self.breadth_first.advance(self.space, self.neighbours, self.goals, INF)
        if self.is_logging:
            self.log.add_expanded(self.breadth_first.queue, 0, self.breadth_first.expanded_count)
        self.expansions += self.breadth_first.expanded_count
        if best < 0:
            self._reachability.failed_from = agent_state
            return UNREACHABLE
        self.extract_path(self.space, best, agent_state)
        return COMPLETE

    def extract_path(self, space: Space, best: int, agent_state: int) -> int:
        """Set the path: parents from the goal `best` to the agent."""
        v = best
        self.planned_path.set_last_state(v)
        while v != agent_state:
            u = self.breadth_first.parent[v]
            self.planned_path.prepend(u, space.step_cost(u, v))
            v = u
        return 0

    def constructor_args(self) -> tuple[Any, ...]:
        return (RepeatedBFS,)


# Declarations for the registry.

FORWARD = """
Believe that unknown cells are free. Find a cheapest path by A* from the agent to the goal and follow it, observing at
every step. When a step of the path turns out to be blocked or more expensive, search again from the state of the agent.
All other planners are measured against this one.

Guarantees:

- The agent always follows a cheapest presumed path.
- It reaches the goal if steps are reversible and a path exists. In static terrain each search needs a new observation,
  so there are finitely many.
- If no path exists it reports so at once: the search has expanded everything that can be reached.
- Of all searches with the same h that find cheapest paths, A* expands the fewest states, ties aside.

Limits:

- A search may expand the whole map: its time has no bound, so it may exceed a frame of a game.
- No search reuses the last one, though most of the map has not changed.

Parts:

- planners.repeated.RepeatedAStar.run_episode
- search.astar.Search.loop
"""

BACKWARD = """
The same search from the goal to the agent. An agent that sees only its neighbourhood knows obstacles near itself. A
backward search crosses free terrain first and meets these obstacles last, so it expands more states.

Guarantees:

- Those of Repeated Forward A*: cheapest presumed paths, arrival, and a correct report when no path exists.

Limits:

- In fog it usually expands far more states than Repeated Forward A*: the comparison of the two shows this.
- h estimates costs from the agent, so a heuristic given as an array cannot be used, and no h can be learned for the
  next search.

Parts:

- planners.repeated.RepeatedAStar.run_episode
- search.astar.Search.loop
"""

BFS = """
Breadth-first search from the agent: generate all states one step away, then two, until a goal is generated. No
heuristic, no heap.

Guarantees:

- Presumed paths with the fewest steps; arrival, and a report when no path exists.
- An expansion is cheaper than one of A*, since there is no heap.

Limits:

- All steps must have the same cost: four neighbours and no weights, or a graph of equal edges. Other spaces are
  refused.
- It expands nearly all states that are nearer than the goal.

Parts:

- planners.repeated.RepeatedBFS.run_episode
- search.breadth_first.BreadthFirst.advance
"""

WEIGHTED = """
A* with h multiplied by a weight. The search expands fewer states, and finds paths that cost a little more.

Guarantees:

- A path costs at most `weight` times the cheapest presumed path when it is found.
- Arrival, and a report when no path exists.

Limits:

- The bound is on the path of one search, not on the trip.
- The time of a search has no bound. A larger weight does not always mean fewer expansions.

Parts:

- planners.repeated.RepeatedAStar.run_episode
- search.astar.Search.first_h
- search.astar.Search.loop
"""

PSEUDO_CODE = """
## RepeatedAStar.run_episode

    nothing changed since a failed search: no path
    backward: let h estimate costs from the agent
    start A* at the agent (backward: at the goals)
    expand until a goal (the agent) is first in OPEN
    OPEN is empty? no path
    path := parents, from the end to the agent

## RepeatedBFS.run_episode

    refuse steps of unequal cost
    start the queue with the agent's state
    search until a goal is generated
    none was? no path
    path := parents from the goal to the agent
"""


def _a_star(**arguments: Any) -> Callable[[dict[str, Any]], Planner]:
    """Return a function that makes RepeatedAStar from options and these arguments."""

    def make(options: dict[str, Any]) -> Planner:
        return RepeatedAStar(
            open_list_from_options(options), options["heuristic"], options["check_heuristic"], **arguments
        )

    return make


PLANNERS = (
    PlannerSpec(
        "Repeated Forward A*",
        "repeated-forward-a-star",
        f"{COURSE}, parts 1 to 3",
        "A* from the agent, again when the path is blocked",
        SEARCH_OPTIONS,
        _a_star(),
        aliases=("A*", "a-star"),
        family="repeated",
        sort_order=100,
        explanation=FORWARD,
    ),
    PlannerSpec(
        "Repeated Backward A*",
        "repeated-backward-a-star",
        f"{COURSE}, part 3",
        "A* from the goal to the agent, again when the path is blocked",
        SEARCH_OPTIONS,
        _a_star(is_backward=True),
        aliases=("Backward A*",),
        family="repeated",
        sort_order=120,
        explanation=BACKWARD,
    ),
    PlannerSpec(
        "Repeated BFS",
        "repeated-bfs",
        "the textbook's; unit costs only",
        "breadth-first search from the agent, again when the path is blocked; stops when the goal is generated",
        {},
        lambda options: RepeatedBFS(),
        aliases=("BFS",),
        needs_unit_costs=True,
        family="repeated",
        sort_order=130,
        explanation=BFS,
    ),
    PlannerSpec(
        "Repeated Weighted A*",
        "repeated-weighted-a-star",
        "Pohl: Heuristic search viewed as path finding in a graph, 1970",
        "A* with h times weight from the agent, again when the path is blocked",
        {**SEARCH_OPTIONS, "weight": 1.5},
        lambda options: _a_star(inflation=to_tenths(options["weight"]))(options),
        aliases=("Weighted A*",),
        is_optimal=False,
        bound_option="weight",
        family="repeated",
        sort_order=140,
        explanation=WEIGHTED,
    ),
)
