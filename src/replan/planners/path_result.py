"""The result of `find_path`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from replan.formatting import format_count


@dataclass(frozen=True, repr=False, init=False)
class PathResult:
    """A path and what it cost to find.

    Parameters
    ----------
    cells
        The cells from the start to the goal, both included.
    cost
        Cost of the path, in steps: a diagonal step costs the square root of 2 (on a graph: the sum of its edges).
    expansions
        Number of states that the search expanded.

    Examples
    --------
    >>> import replan
    >>> path = replan.find_path(replan.Grid([[0, 0, 0]]), (0, 0), (0, 2))
    >>> path.cells, path.cost, path.expansions
    ([(0, 0), (0, 1), (0, 2)], 2.0, 2)
    """

    cells: list[Any]
    cost: float
    expansions: int

    def __init__(self, cells: list[Any], cost: float, expansions: int) -> None:
        # the `__init__` that dataclasses generates for a frozen class takes as long as a short search
        self.__dict__.update(cells=cells, cost=cost, expansions=expansions)

    def __repr__(self) -> str:
        cells = self.cells
        return (
            f"<path from {cells[0]} to {cells[-1]}: {len(cells):,} {'cell' if len(cells) == 1 else 'cells'}, "
            f"cost {self.cost:g}, {format_count(self.expansions, 'expansion')}>"
        )
