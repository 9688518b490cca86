"""The problems on which planners are compared: those that all of them solved.

A mean over the problems that each planner solved compares different problems.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from replan.wording import counted

Problem = TypeVar("Problem", bound=Hashable)
MARK = "!"  # behind the name of a planner that did not solve all problems


def solved_by_all(solved: Iterable[Iterable[Problem]]) -> set[Problem]:
    """The problems that all planners solved. A planner that solved none has nothing to compare, and does not count.

    >>> sorted(solved_by_all([[1, 2, 3], [2, 3], []]))
    [2, 3]
    """
    found = [set(one) for one in solved]
    return set.intersection(*filter(None, found)) if any(found) else set()


def marked(row: Mapping[str, Any]) -> str:
    """The planner of a row, with a mark if it did not solve all problems.

    >>> marked({"planner": "RTAA*", "reached": 1, "trips": 8})
    'RTAA* !'
    """
    return f"{row['planner']} {MARK}" if row["reached"] < row["trips"] else str(row["planner"])


def about_marks(rows: Sequence[Mapping[str, Any]], what: str = "Costs") -> str:
    """What the mark means in a table, in a sentence; empty where there is none. what: is compared.

    >>> about_marks([{"reached": 1, "trips": 8, "compared": 1}, {"reached": 8, "trips": 8, "compared": 1}])
    '! did not arrive on every problem. Costs are means of the 1 problem solved by all.'
    >>> about_marks([{"reached": 0, "trips": 8, "compared": 0}, {"reached": 8, "trips": 8, "compared": 8}])
    '! did not arrive on every problem. Costs are means of the 8 problems solved by all that solved any.'
    """
    if all(row["reached"] == row["trips"] for row in rows):
        return ""
    compared = max(row["compared"] for row in rows)
    every = "all that solved any" if any(row["reached"] == 0 for row in rows) else "all"
    missed = f"{MARK} did not arrive on every problem."
    if compared == 0:
        return f"{missed} No problem was solved by {every}: {what.lower()} are not compared."
    return f"{missed} {what} are means of the {counted(compared, 'problem')} solved by {every}."
