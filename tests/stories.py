"""Worlds in which stories are told, and how two trips are compared."""

from __future__ import annotations

import numpy as np

import replan

CLOCKS = ("search_ns", "apply_changes_ns", "episode_ns")


def maze_world(seed: int = 1, **options: object) -> tuple:
    grid = replan.Grid(replan.maze(21, 21, seed=seed), neighbors=4)
    return replan.World(grid, **options), (0, 0), (20, 20)


def doors_world() -> tuple:
    doors = replan.rooms_with_doors(20, 20, seed=3)
    grid = replan.Grid(doors.grid.blocked, neighbors=4)
    return replan.World(grid, known="everything", changes=doors.changes), doors.start, doors.goal


def chase_world() -> tuple:
    grid = replan.Grid(replan.random_obstacles(15, 15, 0.2, seed=4), neighbors=4)
    free = np.argwhere(~grid.blocked).tolist()
    return replan.World(grid, target=replan.Flee(tuple(free[-1]), speed=0.5)), tuple(free[0]), None


def graph_world() -> tuple:
    rng = np.random.default_rng(5)
    edges = [(int(u), int(v), 1) for u, v in rng.integers(0, 40, (120, 2)) if u != v]
    edges += [(i, i + 1, 1) for i in range(39)]
    graph = replan.Graph(edges)
    u, v, _ = edges[0]
    changes = [(1, (u, v), "blocked"), (4, (u, v), "free"), (2, (38, 39), "blocked"), (5, (38, 39), "free")]
    return replan.World(graph, sensor="adjacent", changes=changes), 0, 39


WORLDS = {
    "unknown": maze_world,
    "known": lambda: maze_world(known="everything", sensor="everything"),
    "radius": lambda: maze_world(sensor=replan.Radius(3)),
    "doors": doors_world,
    "chase": chase_world,
    "graph": graph_world,
}


def figures(trip: replan.Trip) -> dict:
    return {name: value for name, value in trip.as_dict().items() if name not in CLOCKS}


def fits(spec, kind: str) -> bool:
    return not (spec.slug == "compact-a-star" and kind == "graph")


def values(space) -> np.ndarray:
    return np.array([space.get_value(place) for place in range(space.n_locations)])
