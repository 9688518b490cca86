"""Truncated D* Lite: D* Lite that repairs only what a bound on the path needs (Aine, Likhachev, AIJ 234, 2016).

At the moment of the search that found it, a path costs at most `bound` times the cheapest. Where costs rise and fall
all over a known map, a bound of 1.05 saves 55 to 80 % of the expansions of D* Lite, and 1.01 saves 13 to 52 %. The gain
is smaller the more cells change, because states that become cheaper are not truncated. In fog it saves hardly anything,
and an expansion takes 1.2 times as long: old paths are measured, and a truncated state does not count as an expansion.

Differs from the paper: the path from the agent is measured after as many iterations as it has steps, not at every
iteration. If the path over truncated states exceeds the bound, all of them are repaired. A path that meets the stored
path of a truncated state follows it to the end. ATD*, which inflates h as well, is not implemented: AD* inflates h.
"""

from __future__ import annotations

from typing import Any

from replan.extensions import checked_integer
from replan.planners.base import Planner
from replan.planners.dstar_lite import REPLAN_WHEN, IncrementalPlanner
from replan.planners.factories import DSTAR_OPTIONS, open_list_from_options
from replan.planners.options import hundredths_option
from replan.planners.spec import PlannerSpec
from replan.queues.base import OpenList
from replan.search.incremental import raise_cyclic_path
from replan.search.truncated_dstar_lite import TruncatedSearch
from replan.serialization import Archive

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import ints, longs

MAX_BOUND_HUNDREDTHS = 1000


class TruncatedDStarLite(IncrementalPlanner):
    """D* Lite with a bound on the cost of a path, in hundredths."""

    engine: TruncatedSearch

    def __init__(
        self,
        open: OpenList,
        heuristic: Any = None,
        replan_when: str = "blocked",
        check_heuristic: bool = False,
        bound_hundredths: int = 110,
    ) -> None:
        self._init_incremental(open, heuristic, replan_when, check_heuristic)
        self.runs_to_completion = True
        self.bound_hundredths = checked_integer("bound", bound_hundredths, 100, MAX_BOUND_HUNDREDTHS)
        self.search = self.engine = self.add_table(TruncatedSearch(self.open, heuristic, self.bound_hundredths))

    @property
    def bound(self) -> float:
        """Factor of the cheapest cost that the path of an episode keeps."""
        return self.bound_hundredths / 100.0

    def constructor_args(self) -> tuple[Any, ...]:
        arguments = (
            self.open.constructor_args(),
            self.user_heuristic,
            REPLAN_WHEN[self.replans_on_every_change],
            self.checks_h,
        )
        return TruncatedDStarLite, *arguments, self.bound_hundredths

    def serialize_trip(self, archive: Archive) -> None:
        if not archive.is_loading and self.is_started:
            self.engine.ensure_key_range()
            self.engine.restore()  # as the next search would: truncated states are not saved
        IncrementalPlanner.serialize_trip(self, archive)
        archive.require(not self.is_started or self.marked_length < 0, "it marks no path")

    def apply_changes(self, agent_state: int) -> int:
        if not self.is_started:
            self.engine.clear_truncated()
        return IncrementalPlanner.apply_changes(self, agent_state)

    def apply_pending(self) -> int:
        if self.is_logging and self.engine.truncated_count > 0:
            self.log.is_incomplete = True
        self.engine.restore()
        return IncrementalPlanner.apply_pending(self)

    def extract_path(self, agent_state: int) -> int:
        """Set the path: along `next`, and from the first truncated state along its stored path."""
        node, index = self.search.node, ints(self.planned_path.index)
        states, step_costs = ints(self.planned_path.states), longs(self.planned_path.step_costs)
        stored_states = ints(self.engine.stored_states)
        stored_next = ints(self.engine.stored_next)
        stored_cost = longs(self.engine.stored_cost)
        if not self.engine.path_keeps_bound:
            with cython.gil:
                raise_cyclic_path()
        k, p, s = self.engine.walked, self.engine.join_index, agent_state
        while p >= 0 and stored_next[p] >= 0:
            p = stored_next[p]
            k += 1
        self.planned_path.length = k
        for _ in range(self.engine.walked):
            v = node[s].next
            states[k], index[s], step_costs[k] = s, k, node[s].rhs - node[v].g
            s = v
            k -= 1
        p = self.engine.join_index
        while k > 0:
            v = stored_next[p]
            states[k], index[s], step_costs[k] = s, k, stored_cost[p] - stored_cost[v]
            p = v
            s = stored_states[p]
            k -= 1
        states[0], index[s] = s, 0
        return 0


# Declarations for the registry.

OPTIONS = (
    hundredths_option(
        "bound",
        "The suboptimality bound: a path costs at most `bound` times the cheapest when it is found. A larger bound "
        "repairs less.",
    ),
)

TRUNCATED = """
Often the old path is still nearly as good as any. When the g of a state would have to be raised, the real cost of its
old path is measured. If that keeps the bound, the path is stored and the state stays as it is (it is truncated). When
the path of the agent keeps the bound, the search stops.

Guarantees:

- The path costs at most `bound` times the cheapest presumed one, at the moment of the search that found it.
- Arrival, and a report when no path exists. With `bound=1` it is D* Lite.

Limits:

- It pays where a known map changes all over. In fog, where changes are near the agent, it saves hardly anything.
- The bound is on the path of a search, not on the trip. No bound in time.

Parts:

- planners.dstar_lite.IncrementalPlanner.run_episode
- planners.truncated.TruncatedDStarLite.apply_pending
- planners.truncated.TruncatedDStarLite.extract_path
- search.truncated_dstar_lite.TruncatedSearch.can_end_before
- search.truncated_dstar_lite.TruncatedSearch.try_truncate
- search.truncated_dstar_lite.TruncatedSearch.must_end
- search.truncated_dstar_lite.TruncatedSearch.measure_path
- search.truncated_dstar_lite.TruncatedSearch.store_path
"""

PSEUDO_CODE = """
## TruncatedDStarLite.apply_pending

    repair all truncated states
    apply the changed costs

## TruncatedDStarLite.extract_path

    path := follow `next`; from a truncated state on,
            follow its stored path; leave out circles
"""


def _truncated(options: dict[str, Any]) -> Planner:
    bound_hundredths = round(options["bound"] * 100)
    return TruncatedDStarLite(
        open_list_from_options(options),
        options["heuristic"],
        options["replan_when"],
        options["check_heuristic"],
        bound_hundredths,
    )


PLANNERS = (
    PlannerSpec(
        "Truncated D* Lite",
        "truncated-d-star-lite",
        "Aine, Likhachev: Truncated incremental search, AIJ 234, 2016",
        "D* Lite that repairs only as much as a path of at most `bound` times the cheapest cost needs",
        {**DSTAR_OPTIONS, "bound": 1.1},
        _truncated,
        is_optimal=False,
        bound_option="bound",
        family="incremental",
        sort_order=320,
        explanation=TRUNCATED,
    ),
)
