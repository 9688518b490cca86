"""What `replan.compare` and `replan.advise` return: a table as a list of rows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from replan.extras import need
from replan.writing import write_csv


class Rows(list[dict[str, Any]]):
    """A list of rows, each a dict of columns. left_out: planners that could not take part, each with the reason.

    >>> import tempfile, pathlib
    >>> table = Rows([{"planner": "RTAA*", "cost": 12.0}, {"planner": "D* Lite", "cost": 9.0}])
    >>> table.columns, table.to_polars().shape
    (['planner', 'cost'], (2, 2))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table.write_csv(f"{folder}/table.csv")
    ...     print(pathlib.Path(f"{folder}/table.csv").read_text().splitlines()[0])
    planner,cost
    """

    left_out: dict[str, str]

    def __init__(self, *rows: Any, left_out: dict[str, str] | None = None) -> None:
        super().__init__(*rows)
        self.left_out = left_out or {}

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
