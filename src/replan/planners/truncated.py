"""Truncated D* Lite: D* Lite with a bound, which repairs only what the bound needs (Aine, Likhachev, AIJ 234, 2016).

A path costs at most `bound` times the cheapest, at the moment of the search that found it. Where costs rise and fall
all over a map that is known, a bound of 1.05 spares 55 to 80 % of the expansions of D* Lite, one of 1.01 13 to 52 %:
the fewer the more cells change, because states that become cheaper are not truncated. In fog it spares hardly anything,
and an expansion takes 1.2 times as long: beside them ways are walked, and a state that is truncated counts as none.

Differs from the paper: the path from the agent is measured after as many turns as it has steps, not at every turn; if
what was truncated does not keep the bound together, all of it is repaired; a path that comes to the way of a truncated
state follows that to the end. ATD*, which inflates h as well, is not here: AD* does that.
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

MAX_BOUND_HUNDREDTHS = 1000  # the largest bound, in hundredths


class TruncatedDStarLite(IncrementalPlanner):
    """bound: in hundredths."""

    engine: TruncatedSearch

    def __init__(
        self, open: OpenList, heuristic: Any = None, replan_when: str = "blocked", check_heuristic: bool = False, bound_hundredths: int = 110
    ) -> None:
        self._init_incremental(open, heuristic, replan_when, check_heuristic)
        self.runs_to_completion, self.bound_hundredths = True, checked_integer("bound", bound_hundredths, 100, MAX_BOUND_HUNDREDTHS)
        self.search = self.engine = self.add_table(TruncatedSearch(self.open, heuristic, self.bound_hundredths))

    @property
    def bound(self) -> float:
        """The path of an episode costs at most so many times the cheapest."""
        return self.bound_hundredths / 100.0

    def constructor_args(self) -> tuple[Any, ...]:
        given = self.open.constructor_args(), self.user_heuristic, REPLAN_WHEN[self.replans_on_every_change], self.checks_h
        return TruncatedDStarLite, *given, self.bound_hundredths

    def serialize_trip(self, archive: Archive) -> None:
        if not archive.is_loading and self.is_started:
            self.engine.ensure_key_range()
            self.engine.restore()  # as the next search would: who is truncated is not saved
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
        """Set the path: the way that the search walked last, along `next`, and from the first state that a way was kept
        of along that.
        """
        node, index = self.search.node, ints(self.planned_path.index)
        states, step_costs = ints(self.planned_path.states), longs(self.planned_path.step_costs)
        ways, onward, rest = ints(self.engine.stored_states), ints(self.engine.stored_next), longs(self.engine.stored_cost)
        if not self.engine.path_keeps_bound:
            with cython.gil:
                raise_cyclic_path()
        k, p, s = self.engine.walked, self.engine.join_index, agent_state
        while p >= 0 and onward[p] >= 0:
            p = onward[p]
            k += 1
        self.planned_path.length = k
        for _ in range(self.engine.walked):
            v = node[s].next
            states[k], index[s], step_costs[k] = s, k, node[s].rhs - node[v].g
            s = v
            k -= 1
        p = self.engine.join_index
        while k > 0:
            v = onward[p]
            states[k], index[s], step_costs[k] = s, k, rest[p] - rest[v]
            p = v
            s = ways[p]
            k -= 1
        states[0], index[s] = s, 0
        return 0


# What the registry collects.

OPTIONS = (
    hundredths_option(
        "bound",
        "How many times the cheapest a path may cost at most, when it is found: less is repaired for it.",
    ),
)

TRUNCATED = """
Often the old path is still nearly as good as any. Where a state would have to be raised, look what its old way
really costs now: if that keeps the bound, keep the way and leave the state alone. When the agent's own way keeps
the bound, stop.

Guarantees:

- The path costs at most `bound` times the cheapest presumed one, at the moment of the search that found it.
- Arrival, and a report when there is no way. With `bound=1` it is D* Lite.

Limits:

- It pays where a known map changes all over; in fog, where changes lie before the agent's feet, hardly anything is
  spared.
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

    let what was truncated be as all others again
    take in what has changed

## TruncatedDStarLite.extract_path

    path := follow `next`; where a state is truncated,
            the way that was kept for it; leave out circles
"""


def _truncated(options: dict[str, Any]) -> Planner:
    bound = round(options["bound"] * 100)
    return TruncatedDStarLite(open_list_from_options(options), options["heuristic"], options["replan_when"], options["check_heuristic"], bound)


PLANNERS = (
    PlannerSpec(
        "Truncated D* Lite",
        "truncated-d-star-lite",
        "Aine, Likhachev: Truncated incremental search, AIJ 234, 2016",
        "D* Lite that repairs no more than a path needs which costs at most `bound` times the cheapest",
        {**DSTAR_OPTIONS, "bound": 1.1},
        _truncated,
        is_optimal=False,
        bound_option="bound",
        family="incremental",
        sort_order=320,
        explanation=TRUNCATED,
    ),
)
