"""`replan maps info`: size, free cells, regions and weights of maps."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click
import numpy as np
from rich.table import Table

from replan import Grid, maps
from replan.cli.console import print_json, stdout_console
from replan.cli.options import json_option
from replan.spaces.regions import label_regions, region_sizes


@click.command("info")
@click.argument("map_names", metavar="[MAP]...", nargs=-1)
@json_option
def command(map_names: tuple[str, ...], as_json: bool) -> None:
    """Show size, free cells, connected regions and weights of maps: files or built-in maps.

    The default is all built-in maps. Cells of a ROS map that are neither free nor blocked count as blocked.
    """
    infos = [_info(name, maps.open_map(name, "unknown")) for name in map_names or maps.builtin_names()]
    if as_json:
        print_json({"maps": infos})
        return
    console = stdout_console()
    for info in infos:
        console.print(info["map"], style="bold", soft_wrap=True)
        table = Table.grid(padding=(0, 2))
        for name, text in _lines(info).items():
            table.add_row(f"  {name}", text)
        console.print(table)


def _info(name: str, terrain: maps.Terrain) -> dict[str, Any]:
    unknown = 0 if terrain.unknown is None else int(np.count_nonzero(terrain.unknown))
    terrain = terrain.with_unknown("blocked")
    rows, cols = terrain.shape
    free = ~terrain.blocked
    weights = None if terrain.weights is None else terrain.weights[free]
    # With corners strict or either, a detour of straight steps replaces each diagonal step: 8 neighbours connect the
    # same cells as 4.
    four, free_corners = _regions(terrain, 4), _regions(terrain, 8, "free")
    return {
        "map": name,
        "rows": rows,
        "cols": cols,
        "free": int(free.sum()),
        "regions": {"4 neighbors": four, "8 neighbors": four, "8 neighbors, corners free": free_corners},
        "weights": None if weights is None or not weights.size else [int(weights.min()), int(weights.max())],
        "walls": 0
        if terrain.walls is None
        else int(sum(np.count_nonzero(terrain.walls & bit) for bit in (maps.WALL_RIGHT, maps.WALL_BELOW))),
        "unknown": unknown,
        "coordinate_frame": None if terrain.coordinate_frame is None else asdict(terrain.coordinate_frame),
    }


def _regions(terrain: maps.Terrain, neighbors: int, corners: str = "strict") -> dict[str, int]:
    sizes = region_sizes(label_regions(Grid(terrain.blocked, neighbors, corners=corners, walls=terrain.walls)))
    return {"count": len(sizes), "largest": int(sizes.max(initial=0))}


def _lines(info: dict[str, Any]) -> dict[str, str]:
    free, cells = info["free"], info["rows"] * info["cols"]
    lines = {
        "size": f"{info['rows']:,} x {info['cols']:,} cells (rows x columns)",
        "free": f"{free:,} cells, {100 * free / cells:.1f} %",
    }
    for rule, regions in info["regions"].items():
        share = f", the largest has {regions['largest']:,} cells, {100 * regions['largest'] / max(free, 1):.1f} %"
        lines[rule] = "1 region" if regions["count"] == 1 else f"{regions['count']:,} regions{share}"
    low_high = info["weights"]
    lines["weights"] = "none: all steps cost their length" if low_high is None else "from {} to {}".format(*low_high)
    if info["walls"]:
        lines["walls"] = f"between {info['walls']:,} pairs of cells"
    if info["unknown"]:
        lines["unknown"] = f"{info['unknown']:,} cells, {100 * info['unknown'] / cells:.1f} %"
    if info["coordinate_frame"]:
        side, (x, y, yaw) = info["coordinate_frame"]["resolution"], info["coordinate_frame"]["origin"]
        turned = f", turned by {yaw:g} rad" if yaw else ""
        lines["place"] = f"cells of {side:g} m, the lower-left corner at x {x:g} m, y {y:g} m{turned}"
    return lines
