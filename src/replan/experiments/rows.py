"""What `replan.compare` and `replan.advise` return: a table as a list of rows."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from replan.extras import need
from replan.writing import write_csv

Row = dict[str, Any]


class Rows(list[Row]):
    """A list of rows, each a dict of columns.

    >>> import tempfile, pathlib
    >>> table = Rows([{"planner": "RTAA*", "cost": 12.0}, {"planner": "D* Lite", "cost": 9.0}])
    >>> table.columns, table.to_polars().shape
    (['planner', 'cost'], (2, 2))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table.write_csv(f"{folder}/table.csv")
    ...     print(pathlib.Path(f"{folder}/table.csv").read_text().splitlines()[0])
    planner,cost
    """

    @property
    def columns(self) -> list[str]:
        """The names of all columns, in the order in which they come."""
        return list(dict.fromkeys(name for row in self for name in row))

    def to_polars(self) -> Any:
        """The same as a Polars frame (extra: experiments)."""
        polars = need("polars", extra="experiments", what="a Polars frame")
        return polars.from_dicts(list(self), infer_schema_length=None) if self else polars.DataFrame()

    def write_csv(self, path: str | Path) -> None:
        """Write comma-separated values: a line of names, then a line for each row. Raises InputError."""
        write_csv(path, self.columns, ([row.get(name) for name in self.columns] for row in self))


class Means(Rows):
    """What `replan.compare` returns: a row of means for each planner, and the trips that they are means of.

    trips: a row for each trip. left_out: planners that could not take part, each with the reason.

    >>> import replan
    >>> grid = replan.Grid(replan.maze(15, 15, seed=1))
    >>> table = replan.compare(replan.World(grid), ["RTAA*", "Repeated Backward A*"], problems=[((0, 0), (14, 14))])
    >>> [(trip["planner"], trip["start"], trip["moves"]) for trip in table.trips]
    [('RTAA* lookahead=9', (0, 0), 32), ('Repeated Backward A*', (0, 0), 32)]
    >>> table.left_out
    {}
    """

    def __init__(self, rows: Iterable[Row], trips: Iterable[Row], left_out: dict[str, str]) -> None:
        super().__init__(rows)
        self.trips, self.left_out = Rows(trips), left_out
