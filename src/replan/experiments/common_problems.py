"""The problems on which planners are compared: those that all of them solved.

A mean over the problems that each planner solved compares different problems.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from replan.formatting import format_count

ProblemId = TypeVar("ProblemId", bound=Hashable)
UNSOLVED_MARK = "!"  # behind the name of a planner that did not solve all problems


def solved_by_all(solved: Iterable[Iterable[ProblemId]]) -> set[ProblemId]:
    """The problems that all planners solved. A planner that solved none has nothing to compare, and does not count.

    >>> sorted(solved_by_all([[1, 2, 3], [2, 3], []]))
    [2, 3]
    """
    found = [set(one) for one in solved]
    return set.intersection(*filter(None, found)) if any(found) else set()


def marked_name(row: Mapping[str, Any]) -> str:
    """The planner of a row, with a mark if it did not solve all problems.

    >>> marked_name({"planner": "RTAA*", "reached": 1, "trips": 8})
    'RTAA* !'
    """
    return f"{row['planner']} {UNSOLVED_MARK}" if row["reached"] < row["trips"] else str(row["planner"])


def mark_legend(rows: Sequence[Mapping[str, Any]], compared_metric: str = "Costs") -> str:
    """What the mark means in a table, in a sentence; empty where there is none. what: is compared.

    >>> mark_legend([{"reached": 1, "trips": 8, "compared": 1}, {"reached": 8, "trips": 8, "compared": 1}])
    '! did not arrive on every problem. Costs are means of the 1 problem solved by all.'
    >>> mark_legend([{"reached": 0, "trips": 8, "compared": 0}, {"reached": 8, "trips": 8, "compared": 8}])
    '! did not arrive on every problem. Costs are means of the 8 problems solved by all that solved any.'
    """
    if all(row["reached"] == row["trips"] for row in rows):
        return ""
    compared = max(row["compared"] for row in rows)
    every = "all that solved any" if any(row["reached"] == 0 for row in rows) else "all"
    missed = f"{UNSOLVED_MARK} did not arrive on every problem."
    if compared == 0:
        return f"{missed} No problem was solved by {every}: {compared_metric.lower()} are not compared."
    return f"{missed} {compared_metric} are means of the {format_count(compared, 'problem')} solved by {every}."
