"""The problems on which planners are compared: the problems that all of them solved.

Means over the problems that each planner solved by itself would compare different problems.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from replan.formatting import format_count

ProblemId = TypeVar("ProblemId", bound=Hashable)
UNSOLVED_MARK = "!"  # follows the name of a planner that did not solve all problems


def solved_by_all(solved: Iterable[Iterable[ProblemId]]) -> set[ProblemId]:
    """Return the problems that all planners solved. A planner that solved none is ignored.

    >>> sorted(solved_by_all([[1, 2, 3], [2, 3], []]))
    [2, 3]
    """
    by_planner = [set(problems) for problems in solved]
    return set.intersection(*filter(None, by_planner)) if any(by_planner) else set()


def marked_name(row: Mapping[str, Any]) -> str:
    """Return the planner of a row, with a mark if it did not solve all problems.

    >>> marked_name({"planner": "RTAA*", "reached": 1, "trips": 8})
    'RTAA* !'
    """
    return f"{row['planner']} {UNSOLVED_MARK}" if row["reached"] < row["trips"] else str(row["planner"])


def mark_legend(rows: Sequence[Mapping[str, Any]], compared_metric: str = "Costs") -> str:
    """Return the meaning of the mark in sentences; empty if no row has it. `compared_metric` begins a sentence.

    >>> mark_legend([{"reached": 1, "trips": 8, "compared": 1}, {"reached": 8, "trips": 8, "compared": 1}])
    '! did not arrive on every problem. Costs are means of the 1 problem solved by all.'
    >>> mark_legend([{"reached": 0, "trips": 8, "compared": 0}, {"reached": 8, "trips": 8, "compared": 8}])
    '! did not arrive on every problem. Costs are means of the 8 problems solved by all that solved any.'
    """
    if all(row["reached"] == row["trips"] for row in rows):
        return ""
    compared = max(row["compared"] for row in rows)
    planners = "all that solved any" if any(row["reached"] == 0 for row in rows) else "all"
    missed = f"{UNSOLVED_MARK} did not arrive on every problem."
    if compared == 0:
        return f"{missed} No problem was solved by {planners}: {compared_metric.lower()} are not compared."
    return f"{missed} {compared_metric} are means of the {format_count(compared, 'problem')} solved by {planners}."
