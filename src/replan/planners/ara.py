"""ARA*: a path soon, a better one while there is time.

(Likhachev, Gordon, Thrun: ARA*, NIPS 2003; question 9 of the course project. Comments use its
symbols OPEN, CLOSED, INCONS and epsilon; there are no line numbers.)

Each episode is a new query from the state of the agent. Weighted A* with a large weight epsilon finds a path, whatever
that takes. Then, as long as the budget lasts, the weight falls by `weight_decrease`, down to 1, and each search reuses
the last. A state is expanded at most once for each weight. If a cheaper path to a closed state is found, the state
waits for the next weight (INCONS: `DelayedStates`). Keys are 10 g + weight * h with the weight in tenths, so they are
exact.

The path costs at most `bound` times the cheapest: the smaller of epsilon and g(goal) / min (g + h) over OPEN and
INCONS. Before the first episode `bound` is the first weight.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import empty
from replan.clock import now_ns
from replan.errors import InputError
from replan.extensions import check_base_initialized, checked_integer
from replan.limits import COMPLETE, EXPANDED, INF, LARGEST_H_WEIGHT, LARGEST_KEY, UNREACHABLE
from replan.planners.base import Planner
from replan.planners.factories import ANYTIME_OPTIONS, SEARCH_OPTIONS, open_list_from_options, set_budget, to_tenths
from replan.planners.spec import PlannerSpec
from replan.queues.base import OpenList, claim_queue
from replan.search.delayed_states import DelayedStates
from replan.search.state_table import ALL, Column, StateTable
from replan.serialization import Archive
from replan.signals import check_signals
from replan.spaces.goals import Goals
from replan.spaces.heuristics import check_consistent, make_heuristic
from replan.spaces.neighbours import Neighbours
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import nodes
    from replan.search.delayed_states import is_closed, mark_closed


COLUMNS = (
    Column("g", INF >> 4, none_value=INF),
    Column("h", INF),
    Column("stamp", is_shown=False),
    Column("parent"),
)


class AnytimeTree(StateTable):
    """The state values of ARA*: node[s] has the g, h, stamp and parent of state s, as in A*.

    The stamp of a queued state is x + 1. That of another state that this query has generated is x.
    """

    node: Any

    def __init__(self) -> None:
        StateTable.__init__(self, "tree", COLUMNS, "stamp", packed=True)
        self.x = 2

    def bind_arrays(self, n: int) -> None:
        self.node = nodes(self.rows)

    def first_valid_stamp(self, lifetime: str) -> int:
        return self.x

    def last_stamp(self) -> int:
        return self.x + 1

    def as_arrays(self, states: Any = ALL) -> dict[str, np.ndarray[Any, Any]]:
        arrays = StateTable.as_arrays(self, states)
        arrays["parent"] = np.where(arrays["g"] >= 0, arrays["parent"], -1)
        return {**arrays, "open": self.values("stamp")[states] == self.x + 1}


class ARAStar(Planner):
    """Anytime Repairing A*. Weights are in tenths."""

    neighbours: Neighbours
    open: OpenList
    bound: float

    def __init__(
        self,
        open: OpenList,
        heuristic: Any = None,
        check_heuristic: bool = False,
        first_weight: int = 30,
        weight_decrease: int = 5,
    ) -> None:
        Planner.__init__(self)
        self.open = claim_queue(open)
        self.user_heuristic = heuristic
        self.checks_h = check_heuristic
        self.first_weight = first_weight
        self.weight_decrease = weight_decrease
        (
            checked_integer("weight", first_weight, 10, LARGEST_H_WEIGHT),
            checked_integer("weight_decrease", weight_decrease, 1, LARGEST_H_WEIGHT),
        )
        self.tree, self.delayed = self.add_table(AnytimeTree()), self.add_table(DelayedStates())
        self.listed_states, self.bound = empty(1, np.int32), first_weight / 10.0
        self.weight, self.best_goal = first_weight, -1

    def begin_trip(self, space: Space, goals: Goals) -> None:
        check_base_initialized(self, self.open)
        if len(self.listed_states) < space.n:
            self.listed_states = empty(space.n, np.int32)
        self.tree.x += 2  # all values so far belong to an earlier trip
        self.delayed.begin_iteration()
        self.neighbours = space.make_neighbours()
        self.fitted_bound = self.best_goal = -1
        self.open.reseed()
        self.open.clear()
        self.change_goals(goals)

    def change_goals(self, goals: Goals) -> None:
        self.bound = self.first_weight / 10.0
        self.heuristic = make_heuristic(self.user_heuristic, self.space, goals)
        if self.checks_h and self.user_heuristic is not None:
            check_consistent(self.heuristic, self.space, goals)

    def on_cost_changes(self, changed_states: memoryview, count: int, costs_increased: bool) -> int:
        return self.update_reachability(changed_states, count, costs_increased)

    def is_generated(self, s: int) -> bool:
        return bool(self.tree.node[s].stamp >= self.tree.x)

    def run_episode(self, agent_state: int, limit: int, deadline: int) -> int:
        if self._reachability.is_unreachable(self.goals, agent_state):
            return UNREACHABLE
        if self.fitted_bound != self.space.max_path_cost:
            with cython.gil:
                self.set_bounds()
        self.start_query(agent_state)
        is_done = self.improve_path(self.space, self.neighbours, self.open, INF, 0)
        while is_done == 1 and self.best_goal >= 0 and self.weight > 10:
            self.update_bound()
            if limit <= self.episode_expansions or (deadline > 0 and now_ns() >= deadline):
                break
            self.reorder_open(max(10, self.weight - self.weight_decrease))
            limit_left = limit - self.episode_expansions if limit < INF else INF
            is_done = self.improve_path(self.space, self.neighbours, self.open, limit_left, deadline)
        if is_done == 1 and self.best_goal >= 0:
            self.update_bound()
        self.expansions += self.episode_expansions
        self.percolations = self.open.percolations
        if self.best_goal < 0:
            self._reachability.failed_from = agent_state
            return UNREACHABLE
        self.extract_path(agent_state)
        return COMPLETE

    def set_bounds(self) -> int:
        """Set the largest key of the queue. Raise InputError if keys do not fit 62 bits."""
        if (1.0 + self.space.max_path_cost) * (10 + self.first_weight) >= LARGEST_KEY:
            raise InputError("costs times the weight do not fit 62 bits: use smaller costs or a smaller weight")
        self.fitted_bound = self.space.max_path_cost
        return self.open.set_bounds(
            self.space.n,
            (10 + self.first_weight) * (self.fitted_bound + 1),
            self.fitted_bound,
            self.space.max_edge_round_trip * 10,
        )

    def start_query(self, agent_state: int) -> int:
        """Begin a new query: clear OPEN, CLOSED and INCONS, and insert the agent's state."""
        node = self.tree.node
        self.tree.x += 2
        self.weight, self.best_goal, self.episode_expansions = self.first_weight, -1, 0
        self.delayed.begin_iteration()
        self.open.clear()
        self.initialize_state(agent_state)
        node[agent_state].g = 0
        node[agent_state].parent = agent_state
        node[agent_state].stamp = self.tree.x + 1
        return self.open.insert(agent_state, self.weight * node[agent_state].h, 0)

    def initialize_state(self, s: int) -> int:
        """Set g := infinite and h, if this query has not generated s."""
        node = self.tree.node
        if node[s].stamp < self.tree.x:
            node[s].stamp = self.tree.x
            node[s].g = INF
            node[s].h = min(self.heuristic.estimate(s), self.fitted_bound)
        return 0

    def improve_path(self, space: Space, near: Neighbours, open: OpenList, limit: int, deadline: int) -> int:
        """ImprovePath. Return 1 if no open state can improve the path at this weight, 0 if the budget is used up."""
        node = self.tree.node
        limit = self.episode_expansions + limit if limit < INF else INF
        while open.size > 0 and (self.best_goal < 0 or open.top_f() < 10 * node[self.best_goal].g):
            if self.episode_expansions >= limit or (
                deadline > 0 and self.episode_expansions & 7 == 7 and now_ns() >= deadline
            ):
                return 0
            self.episode_expansions += 1
            if self.episode_expansions & 8191 == 0:
                check_signals()
            u = open.pop()
            if self.is_logging:
                self.log.add(u, EXPANDED, -1)
            node[u].stamp = self.tree.x
            mark_closed(self.delayed, u)
            count = space.expand(near, u)
            for i in range(count):
                v = near.state[i]
                g_v = node[u].g + near.cost[i]
                self.initialize_state(v)
                if g_v < node[v].g:
                    self.relax(open, v, g_v, u)
        return 1

    def relax(self, open: OpenList, v: int, g_v: int, u: int) -> int:
        """Set g(v) and parent(v) for a cheaper path through u, and insert v into OPEN or INCONS."""
        node = self.tree.node
        node[v].g = g_v
        node[v].parent = u
        if self.goals.is_goal(v) and (self.best_goal < 0 or g_v < node[self.best_goal].g):
            self.best_goal = v
        if is_closed(self.delayed, v):
            return self.delayed.add(v)
        f = 10 * g_v + self.weight * node[v].h
        if node[v].stamp == self.tree.x:
            node[v].stamp = self.tree.x + 1
            return open.insert(v, f, g_v)
        return open.decrease(v, f, g_v)

    def reorder_open(self, weight: int) -> int:
        """OPEN := OPEN + INCONS with keys of the new weight, CLOSED := empty."""
        node = self.tree.node
        self.weight = weight
        count = self.open.copy_states_to(self.listed_states)
        for i in range(self.delayed.count):
            s = self.delayed.states[i]
            if node[s].stamp == self.tree.x:
                node[s].stamp = self.tree.x + 1
                self.listed_states[count] = s
                count += 1
        self.delayed.begin_iteration()
        self.open.clear()
        for i in range(count):
            s = self.listed_states[i]
            self.open.insert(s, 10 * node[s].g + weight * node[s].h, node[s].g)
        return 0

    def update_bound(self) -> int:
        """Compute `bound` from OPEN and INCONS."""
        node = self.tree.node
        min_f = node[self.best_goal].g
        count = self.open.copy_states_to(self.listed_states)
        for i in range(count):
            s = self.listed_states[i]
            min_f = min(min_f, node[s].g + node[s].h)
        for i in range(self.delayed.count):
            s = self.delayed.states[i]
            min_f = min(min_f, node[s].g + node[s].h)
        self.bound = self.weight / 10.0
        if min_f > 0:
            self.bound = min(self.bound, node[self.best_goal].g / (1.0 * min_f))
        return 0

    def extract_path(self, agent_state: int) -> int:
        """Set the path: parents from the goal to the agent. (Some g may be smaller by now than g(goal) implies.)"""
        v = self.best_goal
        self.planned_path.set_last_state(v)
        while v != agent_state:
            u = self.tree.node[v].parent
            self.planned_path.prepend(u, self.space.step_cost(u, v))
            v = u
        return 0

    def constructor_args(self) -> tuple[Any, ...]:
        weights = [self.first_weight, self.weight_decrease]
        return ARAStar, self.open.constructor_args(), self.user_heuristic, self.checks_h, *weights

    def serialize_trip(self, archive: Archive) -> None:
        """Save or load the last query: `bound` and snapshots need it; the next query does not."""
        Planner.serialize_trip(self, archive)
        self.bound = archive.number("bound", self.bound, 1.0, LARGEST_H_WEIGHT / 10)
        self.weight = archive.integer("weight", self.weight, 0)
        self.best_goal = archive.integer("best_goal", self.best_goal, -1, self.space.n - 1)
        self.tree.x += 2 * archive.is_loading
        self.open.serialize(archive.nested("open"), self.space.n)


# Declarations for the registry.

ARA = """
A path soon, a better one while there is time. Weighted A* with a large weight finds some path. Then the weight falls
step by step, and each search reuses the last: only open states are expanded, and closed states to which a cheaper path
was found after their expansion.

Guarantees:

- The path costs at most `planner.bound` times the cheapest. With enough time the bound falls to 1.
- A state is expanded at most once for each weight.
- Arrival, and a report when no path exists.

Limits:

- The first search is finished whatever it takes: the budget (`lookahead`, `deadline`) decides only how much better the
  path becomes.
- When the path is blocked a new query starts, which reuses nothing. AD* reuses its search.

Parts:

- planners.ara.ARAStar.run_episode
- planners.ara.ARAStar.improve_path
- planners.ara.ARAStar.relax
- planners.ara.ARAStar.reorder_open
"""

PSEUDO_CODE = """
## ARAStar.run_episode

    epsilon := the first weight
    ImprovePath, whatever it takes
    while there is a path, epsilon > 1
    and the budget lasts:
        epsilon := epsilon - `weight_decrease`
        reorder OPEN, ImprovePath
        bound := min(epsilon, g(goal) / least open g + h)
    path := parents from the goal to the agent

## ARAStar.improve_path

    while OPEN has a state with key < g(goal):
        the budget is used up? stop
        u := the state of OPEN with the smallest key
        put u into CLOSED
        for each neighbour v of u:
            if g(u) + c(u, v) < g(v): relax v through u

## ARAStar.relax

    g(v) := the smaller cost; parent(v) := u
    v is a goal, and cheaper than the last: remember it
    v is in CLOSED: put it into INCONS
    otherwise: into OPEN with key g + epsilon * h

## ARAStar.reorder_open

    OPEN := OPEN + INCONS, by keys of the new weight
    INCONS := empty; CLOSED := empty
"""


def _ara(options: dict[str, Any]) -> Planner:
    first_weight, weight_decrease = to_tenths(options["weight"]), to_tenths(options["weight_decrease"])
    return set_budget(
        ARAStar(
            open_list_from_options(options),
            options["heuristic"],
            options["check_heuristic"],
            first_weight,
            weight_decrease,
        ),
        options,
    )


PLANNERS = (
    PlannerSpec(
        "ARA*",
        "ara",
        "Likhachev, Gordon, Thrun: ARA*, NIPS 2003",
        "weighted A* from the agent, then with smaller weights while the budget lasts; again when the path is blocked",
        {**SEARCH_OPTIONS, **ANYTIME_OPTIONS},
        _ara,
        is_optimal=False,
        bound_option="weight",
        family="repeated",
        sort_order=340,  # beside AD*
        explanation=ARA,
    ),
)
