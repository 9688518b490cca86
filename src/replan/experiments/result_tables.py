"""What `replan.compare` and `replan.advise` return: a table as a list of rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, SupportsIndex, overload

from replan.atomic_write import write_csv
from replan.experiments.common_problems import mark_legend, marked_name
from replan.extras import import_extra
from replan.formatting import format_count

Row = dict[str, Any]
MAX_PRINTED_ROWS = 40  # rows, at most


class ResultTable(list[Row]):
    """List of rows, each a dict of columns. It prints as a table.

    Parameters
    ----------
    rows
        The rows.
    printed_columns
        Columns that are printed. Empty: all of them.
    left_out
        Planners that could not take part, each with the reason. They are named below the table.
    marks_unsolved
        True: planners that did not always arrive are marked.

    Notes
    -----
    A slice such as `table[:3]` is a ResultTable too.

    Examples
    --------
    >>> ResultTable([{"planner": "RTAA*", "cost": 1012.0}, {"planner": "D* Lite", "cost": 9.5}])
    planner     cost
    RTAA*    1,012.0
    D* Lite      9.5
    >>> import tempfile, pathlib
    >>> table = ResultTable([{"planner": "RTAA*", "cost": 12.0}, {"planner": "D* Lite", "cost": 9.0}])
    >>> table.columns, table.to_polars().shape
    (['planner', 'cost'], (2, 2))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table.write_csv(f"{folder}/table.csv")
    ...     print(pathlib.Path(f"{folder}/table.csv").read_text().splitlines()[0])
    planner,cost
    """

    def __init__(
        self,
        rows: Iterable[Row] = (),
        printed_columns: Sequence[str] = (),
        left_out: Mapping[str, str] | None = None,
        marks_unsolved: bool = False,
    ) -> None:
        super().__init__(rows)
        self._printed_columns, self.left_out, self._marks_unsolved = (
            tuple(printed_columns),
            dict(left_out or {}),
            marks_unsolved,
        )

    def __repr__(self) -> str:
        names = [name for name in self._printed_columns if name in self.columns] or self.columns
        rows = [{**row, "planner": marked_name(row)} for row in self] if self._marks_unsolved else self
        remarks = [mark_legend(self)] if self._marks_unsolved and mark_legend(self) else []
        left_out = [f"left out: {planner}: {reason}" for planner, reason in self.left_out.items()]
        return "\n".join([format_table(rows, names), *remarks, *left_out])

    @overload
    def __getitem__(self, index: SupportsIndex) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> ResultTable: ...
    def __getitem__(self, index: Any) -> Any:
        found = super().__getitem__(index)
        return (
            ResultTable(found, self._printed_columns, marks_unsolved=self._marks_unsolved)
            if isinstance(index, slice)
            else found
        )

    @property
    def columns(self) -> list[str]:
        """Names of all columns, in their order."""
        return list(dict.fromkeys(name for row in self for name in row))

    def to_polars(self) -> Any:
        """Convert the table to a Polars frame (extra: experiments).

        Returns
        -------
        DataFrame
            The frame.
        """
        polars = import_extra("polars", extra="experiments", purpose="a Polars frame")
        return polars.from_dicts(list(self), infer_schema_length=None) if self else polars.DataFrame()

    def write_csv(self, path: str | Path) -> None:
        """Write comma-separated values: a line of names, then a line for each row.

        Parameters
        ----------
        path
            The file.

        Raises
        ------
        InputError
            If the file cannot be written.
        """
        write_csv(path, self.columns, ([row.get(name) for name in self.columns] for row in self))


class ComparisonTable(ResultTable):
    """Result of `replan.compare`: a row of means for each planner, and the trips.

    Parameters
    ----------
    rows
        A row of means for each planner.
    trips
        A row for each trip.
    left_out
        Planners that could not take part, each with the reason.

    Examples
    --------
    >>> import replan
    >>> grid = replan.Grid(replan.maze(15, 15, seed=1))
    >>> table = replan.compare(replan.World(grid), ["RTAA*", "Repeated Backward A*"], problems=[((0, 0), (14, 14))])
    >>> [(trip["planner"], trip["start"], trip["moves"]) for trip in table.trips]
    [('RTAA* lookahead=9', (0, 0), 32), ('Repeated Backward A*', (0, 0), 32)]
    >>> table.left_out
    {}
    >>> table.trips
    world  problem   start      goal  planner               reached   cost  ratio  episodes  expansions
        0        0  (0, 0)  (14, 14)  RTAA* lookahead=9        True  32.00   1.00        17         145
        0        0  (0, 0)  (14, 14)  Repeated Backward A*     True  32.00   1.00        11         547
    """

    def __init__(self, rows: Iterable[Row], trips: Iterable[Row], left_out: Mapping[str, str]) -> None:
        self.trips = ResultTable(trips)
        figures = ("cost", "ratio", *(["waits"] * any(trip["waits"] for trip in self.trips)), "episodes", "expansions")
        super().__init__(
            rows, ("planner", "trips", "reached", *figures, "us_per_episode"), left_out, marks_unsolved=True
        )
        self.trips._printed_columns = ("world", "problem", "start", "goal", "planner", "reached", *figures)


def format_table(rows: Sequence[Row], names: Sequence[str]) -> str:
    """Rows as a table for people: numbers to the right, and their intervals, if they have some, behind them."""
    if not rows:
        return "(no rows)"
    texts = [_column(name, rows[:MAX_PRINTED_ROWS]) for name in names if not _ends_an_interval(name, names)]
    lines = zip(*texts, strict=True)
    more = (
        [] if len(rows) <= MAX_PRINTED_ROWS else [f"... and {format_count(len(rows) - MAX_PRINTED_ROWS, 'more row')}"]
    )
    return "\n".join(["  ".join(line).rstrip() for line in lines] + more)


def _ends_an_interval(name: str, names: Sequence[str]) -> bool:
    of_what, _, end = name.rpartition("_")
    return end in ("low", "high") and of_what in names


def _column(name: str, rows: Sequence[Row]) -> list[str]:
    """Its name, and a text for each row, all of them as wide."""
    most = max((abs(row[name]) for row in rows if isinstance(row.get(name), float)), default=0.0)
    places = 2 if most < 100 else 1 if most < 10_000 else 0
    texts = [name]
    for row in rows:
        value, low, high = (_cell(row.get(key), places) for key in (name, f"{name}_low", f"{name}_high"))
        texts.append(f"{value} ({low} to {high})" if low else value)
    width, words = max(map(len, texts)), any(isinstance(row.get(name), str) for row in rows)
    return [text.ljust(width) if words else text.rjust(width) for text in texts]


def _cell(value: Any, places: int) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:,.{places}f}"
    return f"{value:,}" if type(value) is int else str(value)
