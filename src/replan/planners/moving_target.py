"""Moving-Target D* Lite: D* Lite for a target that moves (Sun, Yeoh, Koenig, AAMAS 2010).

D* Lite searches from the goal and starts again when the goal moves. This planner searches from the agent:

- When the target has moved, keys become lower bounds, as they do in D* Lite when the agent moves (k_m).
- When the agent has moved, its state becomes the root, and all states that are no descendants of it are cut off
  (`search/rerooting.py`; the optimised form of the paper).

The keys, and their three orders, are those of D* Lite. Paths are cheapest presumed ones.

In known mazes with openings it expands half as many states as Moving-Target Adaptive A*, on known game maps about as
many, in unknown terrain no fewer. (The paper reports three to seven times faster than Generalized Adaptive A*.) An
expansion takes as long as one of D* Lite. A state that is cut off is computed again, which takes time but is no
expansion.

Differs from the paper: both changes are applied only when a search is due, not at every step. The search starts again
if the agent stands on a state that is not consistent, or has walked as far as the longest possible path. Several goals
are allowed, and searched for with h = 0.
"""

from __future__ import annotations

from typing import Any

from replan.extensions import check_base_initialized
from replan.planners.dstar_lite import REPLAN_WHEN, IncrementalPlanner
from replan.planners.factories import DSTAR_OPTIONS, incremental_factory
from replan.planners.spec import PlannerSpec
from replan.queues.base import OpenList
from replan.search.branches import CutBranches
from replan.search.incremental import Incremental, raise_cyclic_path
from replan.serialization import Archive
from replan.spaces.goals import Goals
from replan.spaces.heuristics import check_consistent, make_heuristic
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import INF
    from replan.search.rerooting import reroot


class MTDStarLite(IncrementalPlanner):
    """Forward search from the agent that is kept when the agent or the target has moved."""

    branches: CutBranches
    root: int

    def __init__(
        self, open: OpenList, heuristic: Any = None, replan_when: str = "blocked", check_heuristic: bool = False
    ) -> None:
        self._init_incremental(open, heuristic, replan_when, check_heuristic)
        self.runs_to_completion = self.needs_entered_states = True
        self.branches, self.root, self.has_several_goals = CutBranches(), -1, False
        self.search = self.add_table(Incremental(self.open, heuristic, is_forward=True, root_moves=True))

    def constructor_args(self) -> tuple[Any, ...]:
        return (
            MTDStarLite,
            self.open.constructor_args(),
            self.user_heuristic,
            REPLAN_WHEN[self.replans_on_every_change],
            self.checks_h,
        )

    def serialize_trip(self, archive: Archive) -> None:
        self.root = archive.integer("root", self.root, -1, self.space.n - 1)
        self.has_several_goals = archive.boolean("has_several_goals", self.has_several_goals)
        self.search.keys.uses_zero_h = self.has_several_goals or isinstance(self.user_heuristic, str)
        IncrementalPlanner.serialize_trip(self, archive)
        if self.is_started:
            archive.require(
                self.has_several_goals or self.goals.single_state >= 0, "it has several targets, and searches for one"
            )
            archive.require(self.marked_length < 0, "it marks no path")

    def search_roots(self) -> Goals:
        return Goals([self.root], self.space.n)

    def begin_trip(self, space: Space, goals: Goals) -> None:
        check_base_initialized(self, self.branches)
        self.is_started, self.root = False, -1
        IncrementalPlanner.begin_trip(self, space, goals)

    def change_goals(self, goals: Goals) -> None:
        """Replace one target by another and keep the search; with several goals, start again."""
        if not self.is_started or self.has_several_goals or goals.single_state < 0:
            IncrementalPlanner.change_goals(self, goals)

    def notify(self, states: list[int], costs_increased: bool) -> None:
        """Tell the planner that costs have changed, as `Planner.notify` does.

        In a space with directed steps the search starts again, because these states are tails and not heads of the
        steps.

        Parameters
        ----------
        states
            The states whose outgoing steps cost something else now.
        costs_increased
            True if these costs rose, False if they fell.
        """
        if not self.space.is_symmetric:
            self._check_not_busy()
            IncrementalPlanner.change_goals(self, self.goals)
        else:
            IncrementalPlanner.notify(self, states, costs_increased)

    def apply_changes(self, agent_state: int) -> int:
        """Apply the moves of agent and target, and pending changes."""
        if self.is_started:
            self.search.ensure_key_range()  # costs may exceed the range of the keys by now
        if self.is_started and agent_state != self.root:
            self.is_started = reroot(self.search, self.branches, self.root, agent_state)
            if self.is_logging and self.branches.count > 0:
                self.log.is_incomplete = True
        if not self.is_started:
            self.pending_count = 0
            with cython.gil:
                self.start_search(agent_state)
        if not self.has_several_goals:
            self.search.move_target(self.goals.single_state)
        self.root = agent_state
        return self.apply_pending()

    def start_search(self, agent_state: int) -> int:
        """Start a new search from the agent."""
        self.check_start_heuristic(agent_state)
        self.has_several_goals = self.goals.single_state < 0
        self.search.keys.uses_zero_h = self.has_several_goals or isinstance(self.user_heuristic, str)
        self.search.begin(self.space, Goals([agent_state], self.space.n), self.goals.state_array[0])
        self.search.path_index = self.planned_path.index
        return self.on_search_started()

    def check_start_heuristic(self, agent_state: int) -> int:
        if self.checks_h and self.user_heuristic is not None:
            check_consistent(make_heuristic(self.user_heuristic, self.space, self.goals), self.space, self.goals)
        return 0

    def continue_search(self, limit: int, deadline: int) -> int:
        """Search for the target; of several goals for the nearest, which becomes the target."""
        best, limit_left = -1, limit
        for i in range(self.goals.count):
            t = self.goals.state_array[i]
            self.search.initialize_state(t)
            if best < 0 or self.search.node[t].rhs < self.search.node[best].rhs:
                turns_before = self.expansions + self.key_updates
                self.search.target = t
                if IncrementalPlanner.continue_search(self, limit_left, deadline) == 0:
                    return 0
                if limit_left < INF:
                    limit_left -= self.expansions + self.key_updates - turns_before
                if best < 0 or self.search.node[t].rhs < self.search.node[best].rhs:
                    best = t
        self.search.target = best
        return 1

    def extract_path(self, agent_state: int) -> int:
        """Set the path: from the target back along `next` to the agent."""
        node = self.search.node
        s = self.search.target
        self.planned_path.set_last_state(s)
        while s != agent_state:
            v = node[s].next
            if v < 0 or self.planned_path.length + 1 >= self.search.n:
                with cython.gil:
                    raise_cyclic_path()
            self.planned_path.prepend(v, node[s].rhs - node[v].g)
            s = v
        return 0


# Declarations for the registry.

MOVING_TARGET = """
D* Lite in the other direction: it searches from the agent, so a target that moves is to it what an agent that moves is
to D* Lite. When the agent moves, its new state becomes the root. The descendants of that state stay, and the others are
cut off and computed again from their neighbours.

Guarantees:

- Cheapest presumed paths to the present state of the target; a slower target is caught.
- The search is kept when the agent or the target has moved, and when costs have changed.

Limits:

- It pays on known maps: in fog it expands no fewer states than Moving-Target Adaptive A*.
- Several goals at once are searched for without a heuristic. No bound in time.

Parts:

- planners.moving_target.MTDStarLite.apply_changes
- search.rerooting.reroot
- search.branches.CutBranches.cut_children
- search.incremental.Incremental.advance
- search.incremental.Incremental.lower_g
- search.incremental.Incremental.raise_g
"""

PSEUDO_CODE = """
## MTDStarLite.apply_changes

    the agent has moved: make its state the root
    (if it is not consistent: start again)
    the target has moved: k_m := k_m + h(new, last)
    apply the changed costs
"""


PLANNERS = (
    PlannerSpec(
        "Moving-Target D* Lite",
        "moving-target-d-star-lite",
        "Sun, Yeoh, Koenig: Moving Target D* Lite, AAMAS 2010",
        "forward search from the agent, repaired where costs have changed, kept when the agent or the goal has moved",
        DSTAR_OPTIONS,
        incremental_factory(MTDStarLite),
        aliases=("MT-D* Lite",),
        family="incremental",
        sort_order=330,
        explanation=MOVING_TARGET,
    ),
)
