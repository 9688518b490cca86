"""`replan planners --memory`: the memory of every planner on a map of a given size."""

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
MAX_MEGABYTES = 1 << 20
_SIZE = re.compile(r"\s*(\d{1,10})\s*(?:[xX,]\s*(\d{1,10})\s*)?", re.ASCII)


def parse_limit(context: click.Context, parameter: click.Parameter, megabytes: float) -> float:
    if not 0 < megabytes <= MAX_MEGABYTES:  # false for NaN, too
        raise click.BadParameter(f"{megabytes:g} is not a number of megabytes above 0 and up to {MAX_MEGABYTES:,}")
    return megabytes


def parse_size(context: click.Context, parameter: click.Parameter, text: str) -> tuple[int, int]:
    """Parse rows and columns from `RxC`, or a square from `N`."""
    match = _SIZE.fullmatch(text)
    rows, cols = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    if rows < 1 or cols < 1 or (rows + 2) * (cols + 2) > MAX_STATES:
        raise click.BadParameter(
            f"{text!r} is no size; write rows and columns such as 512x768, or 1001 for a square (at most "
            f"{MAX_STATES:,} cells)"
        )
    return rows, cols


@dataclass(frozen=True)
class PlannerMemory:
    """Memory of a planner with one kind of open list."""

    spec: PlannerSpec
    queue: str
    without_map: Footprint
    with_map: Footprint  # includes the believed map


def measure(neighbors: int) -> tuple[Footprint, list[PlannerMemory], dict[str, str]]:
    """Return the memory of the map, that of the planners, and why the others are left out."""
    map_memory = map_footprint(neighbors)
    rows, refused = [], {}
    specs = planners()
    with progress_bar(len(specs)) as step:
        for spec in specs:
            step(spec.name)
            # queue="plain-heap" uses as much memory as "heap"
            for queue in ("heap", "buckets") if "queue" in spec.options else ("",):
                options: dict[str, Any] = {"queue": queue} if queue else {}
                try:
                    without_map = planner_footprint(partial(planner, spec.slug, **options), neighbors)
                except InputError as error:
                    refused[spec.name] = str(error)
                    continue
                rows.append(
                    PlannerMemory(
                        spec, queue, without_map, without_map if spec.keeps_own_map else without_map + map_memory
                    )
                )
    return map_memory, rows, refused


def show(size: tuple[int, int], neighbors: int, limit_megabytes: float, as_json: bool) -> None:
    limit = int(limit_megabytes * MEGABYTE)
    map_memory, rows, refused = measure(neighbors)
    if as_json:
        print_json(_as_dict(size, neighbors, limit, map_memory, rows, refused))
        return
    console, cells = stdout_console(), size[0] * size[1]
    console.print(
        f"{size[0]:,} x {size[1]:,} cells, {neighbors} neighbors. The map: {map_memory.bytes(*size) / cells:.1f} "
        f"bytes per cell, {_megabytes(map_memory.bytes(*size))} "
        f"(and 8 bytes per cell for the (row, col) keys, on maps up to {MAX_CACHED_CELLS:,} cells)."
    )
    table = Table()
    table.add_column("planner", no_wrap=True)
    table.add_column("open list")
    for title in ("bytes per cell", "total", f"largest in {limit_megabytes:g} MB"):
        table.add_column(title, justify="right")
    for row in rows:
        used, side = row.without_map.bytes(*size), row.with_map.largest_square(limit)
        name = row.spec.name + (" *" if row.spec.keeps_own_map else "")
        table.add_row(name, row.queue, f"{used / cells:.1f}", _megabytes(used), f"{side} x {side}")
    console.print(table)
    console.print(f"largest: the square grid on which planner and map together take at most {limit_megabytes:g} MB")
    console.print("* the planner keeps its own copy of the map; no other is counted")
    for name, reason in refused.items():
        console.print(f"{name} is left out: {reason}")


def _megabytes(number: int) -> str:
    return f"{number / MEGABYTE:,.2f} MB" if number >= MEGABYTE // 100 else f"{number:,} bytes"


def _as_dict(
    size: tuple[int, int],
    neighbors: int,
    limit: int,
    map_memory: Footprint,
    rows: list[PlannerMemory],
    refused: dict[str, str],
) -> dict[str, Any]:
    return {
        "rows": size[0],
        "cols": size[1],
        "neighbors": neighbors,
        "within_bytes": limit,
        "map_bytes": map_memory.bytes(*size),
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
