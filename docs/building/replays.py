"""A trip of each planner as a page of the viewer, which plays it without a server."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import replan
from replan.planners.spec import PlannerSpec
from replan.viewer.saved_page import make_page

LOOKAHEAD = {"lookahead": 24}
ROWS, COLS = 21, 31


def fog(neighbors: int = 8) -> tuple[replan.World, Any, Any]:
    """Terrain that the agent sees one cell far, with a dead end on its way."""
    blocked = replan.random_obstacles(ROWS, COLS, 0.12, seed=11)
    blocked[4:17, 20], blocked[4, 12:21], blocked[16, 12:21] = True, True, True
    start, goal = (10, 3), (10, 28)
    blocked[start], blocked[goal], blocked[10, 4:19] = False, False, False
    return replan.World(replan.Grid(blocked, neighbors=neighbors)), start, goal


def four() -> tuple[replan.World, Any, Any]:
    """The same with steps in four directions."""
    return fog(4)


def doors() -> tuple[replan.World, Any, Any]:
    """A known map whose doors open and close."""
    made = replan.rooms_with_doors(ROWS, COLS, seed=2)
    return made.make_world(sensor="everything"), made.start, made.goal


def chase() -> tuple[replan.World, Any, Any]:
    """A known map, and a target that flees at half the speed."""
    grid = replan.Grid(replan.random_obstacles(ROWS, COLS, 0.2, seed=5))
    free = np.argwhere(~grid.blocked)
    near, far = (tuple(map(int, free[i])) for i in (len(free) // 2, 0))
    target = replan.Flee(near, speed=0.5, seed=1)
    return replan.World(grid, known="everything", sensor="everything", target=target), far, None


SCENES: dict[str, tuple[Callable[[], tuple[replan.World, Any, Any]], str]] = {
    "fog": (fog, "Unknown terrain: the agent sees one cell far."),
    "four": (four, "Unknown terrain, steps in four directions: the agent sees one cell far."),
    "doors": (doors, "A known map whose doors open and close."),
    "chase": (chase, "A known map, and a target that flees at half the agent's speed."),
}


def scene_of(spec: PlannerSpec) -> str:
    """Which scene shows best what a planner is for."""
    if spec.needs_unit_costs:
        return "four"
    if spec.name.startswith("Moving-Target"):
        return "chase"
    return "doors" if spec.slug.startswith(("rtd", "non-rtd", "truncated", "generalized")) else "fog"


def replay(spec: PlannerSpec) -> str:
    """The page that plays a trip of this planner."""
    world, start, goal = SCENES[scene_of(spec)][0]()
    options = LOOKAHEAD if spec.is_realtime and "lookahead" in spec.options else {}
    story = replan.watch(world, replan.planner(spec.slug, **options), start, goal, max_moves=1500, record_arrays=True)
    story.finish()
    assert story.trip.reached, f"{spec.name} does not reach the goal in its replay"
    return make_page([story])
