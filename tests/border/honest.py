"""Honest parts, from which liars are derived, and agents that walk with them."""

from __future__ import annotations

from typing import Any

import numpy as np

import replan
from replan.limits import INF

START, GOAL, LENGTH = (0, 0), (3, 4), 7
WALL = ((1, 1), (1, 2), (1, 3))


class Board(replan.Space):
    """A board in plain Python, 4 neighbours; a place is a cell."""

    def __init__(self, rows: int = 4, cols: int = 5, blocked: Any = WALL, **given: Any) -> None:
        self.rows, self.cols = rows, cols
        n = rows * cols
        usual = {
            "max_path_cost": n,
            "degree": 4,
            "units_per_step": 1,
            "n_locations": n,
            "max_edge_round_trip": 2,
            "has_unit_costs": True,
            "locations_are_states": True,
        }
        replan.Space.__init__(self, **{"n": n, **usual, **given})
        self.free = [True] * n
        for row, col in blocked:
            self.free[row * cols + col] = False

    def around(self, s: int) -> list[int]:
        row, col = divmod(s, self.cols)
        near = [(row, col + 1), (row + 1, col), (row, col - 1), (row - 1, col)]
        return [r * self.cols + c for r, c in near if 0 <= r < self.rows and 0 <= c < self.cols]

    def successors(self, s: int) -> Any:
        return [(v, 1) for v in self.around(s) if self.free[v]] if self.free[s] else []

    def predecessors(self, s: int) -> Any:
        return Board.successors(self, s)

    def edge_cost(self, u: int, v: int) -> Any:
        return 1 if v in self.around(u) and self.free[u] and self.free[v] else INF

    def distance(self, u: int, v: int) -> Any:
        (a, b), (c, d) = divmod(u, self.cols), divmod(v, self.cols)
        return abs(a - c) + abs(b - d)

    def get_value(self, location: int) -> Any:
        return int(self.free[location])

    def set_value(self, location: int, value: int) -> Any:
        self.free[location] = bool(value)
        return [location, *self.around(location)]

    def state(self, key: Any) -> Any:
        row, col = key
        return row * self.cols + col

    def key(self, state: int) -> Any:
        return divmod(state, self.cols)

    def location(self, key: Any) -> Any:
        return Board.state(self, key)

    def min_value(self, location: int) -> Any:
        return 1

    def value_of_weight(self, weight: Any) -> Any:
        return int(weight)

    def copy(self) -> Any:
        twin = type(self)(self.rows, self.cols, ())
        twin.free = list(self.free)
        return twin

    def assign(self, other: Any) -> Any:
        self.free = list(other.free)

    def believed_free(self) -> Any:
        return type(self)(self.rows, self.cols, ())

    def display_cost(self, path: Any, step_costs: Any) -> Any:
        return float(step_costs.sum())


#: One planner for each way in which the core searches: by name, how to make it.
ENGINES: dict[str, Any] = {
    "Repeated A*": ("Repeated Forward A*", {}),
    "A* buckets": ("Repeated Forward A*", {"queue": "buckets"}),
    "backward A*": ("Repeated Backward A*", {}),
    "weighted A*": ("Repeated Weighted A*", {}),
    "BFS": ("Repeated BFS", {}),
    "RTAA*": ("RTAA*", {"lookahead": 4}),
    "RTAA* buckets": ("RTAA*", {"lookahead": 4, "queue": "buckets"}),
    "LSS-LRTA*": ("LSS-LRTA*", {"lookahead": 4}),
    "daRTAA*": ("daRTAA*", {"lookahead": 4}),
    "repaired": ("RTAA*", {"lookahead": 4, "on_cost_decrease": "repair"}),
    "LRTA*": ("LRTA*", {"depth": 2}),
    "RTA*": ("RTA*", {"lookahead": 9}),
    "D* Lite": ("D* Lite", {}),
    "D* Lite buckets": ("D* Lite", {"queue": "buckets"}),
    "D* Lite changed": ("D* Lite", {"prefer": "smaller g", "replan_when": "changed"}),
    "AD*": ("AD*", {}),
    "ARA*": ("ARA*", {}),
    "TBA*": ("TBA*", {"lookahead": 4}),
    "RTD*": ("RTD*", {"lookahead": 6}),
    "LPA*": (None, {}),
    "find_path": (None, {}),
}
QUERIES = ("LPA*", "find_path")  # they are asked, and no agent walks


def make(engine: str, **more: Any) -> Any:
    name, options = ENGINES[engine]
    return replan.planner(name, **options, **more)


def is_optimal(engine: str) -> bool:
    name = ENGINES[engine][0]
    return name is None or next(spec.is_optimal for spec in replan.planners() if spec.name == name)


def tour(space: Any, planner: Any, start: Any = START, goal: Any = GOAL, most: int = 300) -> int | None:
    """Walk by hand; on the way a cell is seen to be blocked and later to be free.

    The moves; None where no way is known, -1 where the agent has not arrived after so many.
    """
    agent = replan.Agent(planner, space, start, goal)
    moves = waits = 0
    while not agent.goals._contains(agent.state):
        if moves + waits == most:
            return -1
        path = agent.plan()
        if path is None:
            return None
        if moves in (2, 3):
            agent.observe([(2, 2)], [moves == 2])
            path = agent.plan()
        if not path or path[0] == agent.cell:
            waits += 1
        else:
            agent.move(path[0])
            moves += 1
    return moves


def query(space: Any, start: Any = START, goal: Any = GOAL, **options: Any) -> int | None:
    """The same for LPA*: how long is the path, before a change and after it is undone?"""
    asked = replan.LPAStar(space, start, goal, **options)
    asked.path()
    for blocked in (True, False):
        asked.notify([(2, 2)], blocked=[blocked])
        path = asked.path()
    return None if path is None else len(path) - 1


def run(engine: str, space: Any, **options: Any) -> int | None:
    """Moves of a tour, or the length of the path that was asked for."""
    if engine == "LPA*":
        return query(space, **options)
    if engine == "find_path":
        found = replan.find_path(space, START, GOAL, **options)
        return None if found is None else len(found.cells) - 1
    return tour(space, make(engine, **options))


def check(engine: str, answer: int | None) -> None:
    """Is this what an honest board gives?"""
    assert answer is not None, f"{engine} finds no way"
    most = LENGTH if is_optimal(engine) else 299
    assert LENGTH <= answer <= most, f"{engine}: {answer} moves, not {LENGTH}"


def grid(neighbors: int = 4, **kinds: Any) -> replan.Grid:
    """The same board as a grid."""
    blocked = np.zeros((4, 5), bool)
    for cell in WALL:
        blocked[cell] = True
    return replan.Grid(blocked, neighbors, **kinds)
