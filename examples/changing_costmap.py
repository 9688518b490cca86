"""A robot: a costmap of which some 600 cells change at every step, and a path that is kept up to date.

A costmap says of each cell how slow it is, and 0 where nothing can stand. Here sixty people walk about in a hall;
around each of them cells are dear, and where a person stands they are blocked. The robot sees a window of the map.

    python examples/changing_costmap.py
"""

from __future__ import annotations

import time

import numpy as np

import replan

HALL, PEOPLE, WINDOW = (200, 200), 60, 128
DISTANCE = np.hypot(*np.mgrid[-4:5, -4:5])
NEAR = np.where(DISTANCE < 1.5, 0, np.where(DISTANCE < 4.2, 20, 1))  # the costs around a person: 0 is blocked


def main() -> None:
    rng = np.random.default_rng(7)
    people = rng.integers(10, 190, (PEOPLE, 2))
    robot = replan.Agent("D* Lite", replan.Grid(np.zeros(HALL, bool), weights=np.ones(HALL)), (5, 5), (195, 195))
    steps = waits = changed = 0
    spent = 0.0
    while robot.status is not replan.Status.ARRIVED:
        people = np.clip(people + rng.integers(-1, 2, people.shape), 10, 189)
        costs = costmap(people)
        if costs[robot.cell] == 0:
            costs[robot.cell] = 20  # a person bumps into the robot
        top, left = (min(max(0, at - WINDOW // 2), size - WINDOW) for at, size in zip(robot.cell, HALL, strict=True))
        began = time.perf_counter()
        changed += robot.observe_map(weights=costs[top : top + WINDOW, left : left + WINDOW], top_left=(top, left))
        path = robot.plan()
        spent += time.perf_counter() - began
        if path:
            robot.move(path[0])
            steps += 1
        else:  # boxed in: a person will make room
            waits += 1
    print(f"arrived after {steps} steps and {waits} waits; {changed / (steps + waits):.0f} cells changed at each")
    print(f"seeing and planning took {1000 * spent / (steps + waits):.2f} ms a step")


def costmap(people: np.ndarray) -> np.ndarray:
    costs = np.ones(HALL, np.uint8)
    for row, col in people:
        there = costs[row - 4 : row + 5, col - 4 : col + 5]
        there[:] = np.where((there == 0) | (NEAR == 0), 0, np.maximum(there, NEAR))
    return costs


if __name__ == "__main__":
    main()
