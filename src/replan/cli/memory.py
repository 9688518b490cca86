"""`replan planners --memory`: the bytes of every planner, on a map of any size."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from typing import Any

import click
from rich.table import Table

from replan import InputError, planner, planners
from replan.cli.console import print_json, progress_bar, stdout_console
from replan.experiments.memory import Footprint, map_footprint, planner_footprint
from replan.limits import MAX_STATES
from replan.planners.spec import PlannerSpec
from replan.spaces.grid import MAX_CACHED_CELLS

MEGABYTE = 1 << 20
MOST_MEGABYTES = 1 << 20
_SIZE = re.compile(r"\s*(\d{1,10})\s*(?:[xX,]\s*(\d{1,10})\s*)?", re.ASCII)


def parse_limit(context: click.Context, parameter: click.Parameter, megabytes: float) -> float:
    if not 0 < megabytes <= MOST_MEGABYTES:  # nor is NaN
        raise click.BadParameter(f"{megabytes:g} is no number of megabytes above 0 and up to {MOST_MEGABYTES:,}")
    return megabytes


def parse_size(context: click.Context, parameter: click.Parameter, text: str) -> tuple[int, int]:
    """Rows and columns from `RxC`, or both from `N`."""
    found = _SIZE.fullmatch(text)
    rows, cols = (int(found[1]), int(found[2] or found[1])) if found else (0, 0)
    if rows < 1 or cols < 1 or (rows + 2) * (cols + 2) > MAX_STATES:
        raise click.BadParameter(
            f"{text!r} is no size; write rows and columns such as 512x768, or 1001 for a square (at most "
            f"{MAX_STATES:,} cells)"
        )
    return rows, cols


@dataclass(frozen=True)
class PlannerMemory:
    """One planner with one open list."""

    spec: PlannerSpec
    queue: str
    without_map: Footprint
    with_map: Footprint  # with the map that it believes in


def measure(neighbors: int) -> tuple[Footprint, list[PlannerMemory], dict[str, str]]:
    """The map, the planners, and why others do not run on it."""
    ground = map_footprint(neighbors)
    rows, refused = [], {}
    specs = planners()
    with progress_bar(len(specs)) as step:
        for spec in specs:
            step(spec.name)
            # a plain heap takes as much as a heap
            for queue in ("heap", "buckets") if "queue" in spec.options else ("",):
                options: dict[str, Any] = {"queue": queue} if queue else {}
                try:
                    alone = planner_footprint(partial(planner, spec.slug, **options), neighbors)
                except InputError as error:
                    refused[spec.name] = str(error)
                    continue
                rows.append(PlannerMemory(spec, queue, alone, alone if spec.keeps_own_map else alone + ground))
    return ground, rows, refused


def show(size: tuple[int, int], neighbors: int, within: float, as_json: bool) -> None:
    limit = int(within * MEGABYTE)
    ground, rows, refused = measure(neighbors)
    if as_json:
        print_json(_as_dict(size, neighbors, limit, ground, rows, refused))
        return
    console, cells = stdout_console(), size[0] * size[1]
    console.print(
        f"{size[0]:,} x {size[1]:,} cells, {neighbors} neighbors. The map itself: {ground.bytes(*size) / cells:.1f} "
        f"bytes a cell, {_megabytes(ground.bytes(*size))} "
        f"(and 8 bytes a cell for their names, on maps up to {MAX_CACHED_CELLS:,} cells)."
    )
    table = Table()
    table.add_column("planner", no_wrap=True)
    table.add_column("open list")
    for title in ("bytes a cell", "in all", f"largest in {within:g} MB"):
        table.add_column(title, justify="right")
    for row in rows:
        used, side = row.without_map.bytes(*size), row.with_map.largest_square(limit)
        name = row.spec.name + (" *" if row.spec.keeps_own_map else "")
        table.add_row(name, row.queue, f"{used / cells:.1f}", _megabytes(used), f"{side} x {side}")
    console.print(table)
    console.print(f"largest: the square grid on which planner and map together take at most {within:g} MB")
    console.print("* keeps a map of its own, so that no other has to be counted")
    for name, why in refused.items():
        console.print(f"{name} is left out: {why}")


def _megabytes(number: int) -> str:
    return f"{number / MEGABYTE:,.2f} MB" if number >= MEGABYTE // 100 else f"{number:,} bytes"


def _as_dict(
    size: tuple[int, int], neighbors: int, limit: int, ground: Footprint, rows: list[PlannerMemory], refused: dict[str, str]
) -> dict[str, Any]:
    return {
        "rows": size[0],
        "cols": size[1],
        "neighbors": neighbors,
        "within_bytes": limit,
        "map_bytes": ground.bytes(*size),
        "planners": [
            {
                "name": row.spec.name,
                "slug": row.spec.slug,
                "queue": row.queue or None,
                "bytes": row.without_map.bytes(*size),
                "bytes_per_cell": row.without_map.bytes(*size) / (size[0] * size[1]),
                "own_map": row.spec.keeps_own_map,
                "largest_square": row.with_map.largest_square(limit),
            }
            for row in rows
        ],
        "left_out": refused,
    }
