"""A battery of trips with all planners. Its record must not depend on how the core runs; as a script it prints JSON."""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np

import replan


def grids() -> dict[str, dict[str, Any]]:
    """Some maps, by name: the arguments of Grid."""
    rng = np.random.default_rng(14)
    shape = (10, 11)
    blocked = rng.random(shape) < 0.3
    blocked[0, 0] = blocked[-1, -1] = False
    weights = rng.choice([1, 1, 2, 5, 300], shape)
    walls = rng.choice([0, 0, 0, 0, 1, 2], shape)
    return {
        "four": {"blocked": blocked, "neighbors": 4},
        "strict": {"blocked": blocked},
        "free": {"blocked": blocked, "corners": "free"},
        "weighted": {"blocked": blocked, "weights": weights, "corners": "either"},
        "walled": {"blocked": blocked, "walls": walls},
    }


def options_for(spec: Any) -> list[dict[str, Any]]:
    if "queue" not in spec.options:
        return [{}]
    orders: list[dict[str, Any]] = [{}, {"queue": "buckets"}, {"ties": "random", "seed": 11}]
    orders += [{"ties": "last-in"}, {"heuristic": "zero"}]
    if "prefer" in spec.options:
        orders.append({"prefer": "smaller g", "ties": "last-in"})
    if "lookahead" in spec.options:
        orders.append({"lookahead": 3})
    if "replan" in spec.options:
        orders += [{"replan_when": "changed"}, {"replan_when": "changed", "queue": "buckets"}]
    return orders


def record(trip: Any, planner: Any = None) -> dict[str, Any]:
    """The trip, and what the planner says its last path is worth."""
    kept = {k: v for k, v in trip.as_dict().items() if k not in ("search_ns", "episode_ns")}
    return json.loads(json.dumps({**kept, "bound": getattr(planner, "bound", None)}))


def query(space: Any, start: Any, goal: Any, edits: list[Any], **options: Any) -> list[Any]:
    """What LPA* says after each edit, and what it has expanded until then."""
    asked = replan.LPAStar(space, start, goal, **options)
    answers: list[Any] = [(asked.path(), asked.expansions)]
    for place, value in edits:
        asked.notify([place], weights=[value])
        answers.append((asked.path(), asked.expansions))
    return json.loads(json.dumps(answers))


def queries() -> dict[str, Any]:
    out = {}
    for name, arguments in grids().items():
        rng = np.random.default_rng(3)
        most = 2 if "weights" not in arguments else 40
        edits = [((int(r), int(c)), int(w)) for r, c, w in rng.integers(0, (10, 11, most), (60, 3))]
        edits = [edit for edit in edits if edit[0] not in ((0, 0), (9, 10))]
        for options in ({}, {"queue": "buckets"}, {"prefer": "smaller g"}, {"ties": "random", "seed": 4}):
            out[f"LPA* {options} {name}"] = query(replan.Grid(**arguments), (0, 0), (9, 10), edits, **options)
    return out


def run() -> dict[str, Any]:
    out: dict[str, Any] = {}
    for spec in replan.planners():
        for name, arguments in grids().items():
            if spec.needs_unit_costs and name != "four":
                continue
            grid = replan.Grid(**arguments)
            worlds = {
                "unknown": replan.World(grid),
                "circle": replan.World(grid, sensor=replan.Radius(2.5, line_of_sight=True)),
                "script": replan.World(
                    grid, known="everything", changes=[(2, (5, 5), "blocked"), (3, (1, 1), "free"), (9, (5, 5), "free")]
                ),
                "target": replan.World(grid, target=[(9, 10), (9, 10), (8, 10), (9, 10)]),
            }
            for i, options in enumerate(options_for(spec)):
                if i > 0 and name not in ("four", "weighted"):
                    continue
                kinds = list(worlds) if i == 0 else ["unknown"]
                for kind in kinds:
                    try:
                        planner = replan.planner(spec.slug, **options)
                    except replan.InputError:
                        continue  # not every planner has every order
                    goal = None if kind == "target" else (9, 10)
                    trip = replan.simulate(worlds[kind], planner, (0, 0), goal, max_moves=100)
                    out[f"{spec.slug} {options} {name} {kind}"] = record(trip, planner)
    rng = np.random.default_rng(7)
    edges = [(int(a), int(b), int(c)) for a, b, c in np.add(rng.integers(0, 20, (60, 3)), [0, 0, 1])]
    for directed in (False, True):
        xy = {i: (float(x), float(y)) for i, (x, y) in enumerate(rng.integers(0, 50, (20, 2)))}
        graph = replan.Graph(edges, directed=directed, positions=xy)
        graph.block(*next(edge[:2] for edge in edges if edge[0] != edge[1]))
        for spec in replan.planners():
            if not spec.needs_unit_costs:
                trip = replan.simulate(replan.World(graph), spec.slug, 0, 19, max_moves=300)
                out[f"{spec.slug} graph {directed}"] = record(trip)
    return {"compiled": replan.compiled, "trips": out, "queries": queries()}


if __name__ == "__main__":
    json.dump(run(), sys.stdout)
