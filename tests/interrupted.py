"""Run by test_interrupt.py: searches for ever, is interrupted, and shows that everything still works."""

from __future__ import annotations

import sys
import time

import numpy as np

import replan

FORWARD = "Repeated Forward A*"


def large(neighbors: int = 4) -> replan.Grid:
    return replan.Grid(np.zeros((1500, 1500), bool), neighbors=neighbors)


def shut_in() -> replan.Grid:
    """A goal behind a wall that nobody can pass."""
    blocked = np.zeros((600, 600), bool)
    blocked[:, 500] = True
    return replan.Grid(blocked)


def known(slug, grid, start, goal, **options):
    planner = replan.planner(slug, **options)
    world = replan.World(grid, known="everything")
    return lambda: replan.simulate(world, planner, start, goal)


def waiting():
    """Waits a thousand million steps for a door."""
    grid = replan.Grid(np.array([[False, False, True, False]]))
    world = replan.World(grid, changes=[(10**9, (0, 2), "free")])
    planner = replan.planner(FORWARD)
    return lambda: replan.simulate(world, planner, (0, 0), (0, 3))


def far_sight():
    """Looks far at every step, through terrain where most lines of sight are cut."""
    rng = np.random.default_rng(1)
    blocked = rng.random((1000, 1000)) < 0.3
    blocked[500] = False
    world = replan.World(replan.Grid(blocked), sensor=replan.Radius(300, line_of_sight=True))
    planner = replan.planner(FORWARD)
    return lambda: replan.simulate(world, planner, (500, 400), (500, 999))


def own_loop():
    agent = replan.Agent(replan.planner(FORWARD, heuristic="zero"), large(8), (0, 0), (1499, 1499))

    def again():
        agent.retarget((1499, 1498))
        return agent.plan()

    return again


def endless_edges():
    """An iterator that runs no Python between two edges."""
    most = 10**9
    return lambda: replan.Graph(zip(range(most), range(1, most), strict=False))


CASES = {
    "forward": lambda: known(FORWARD, large(), (0, 0), (1499, 1499), heuristic="zero"),
    "buckets": lambda: known(FORWARD, large(8), (0, 0), (1499, 1499), heuristic="zero", queue="buckets"),
    "backward": lambda: known("Repeated Backward A*", large(8), (0, 0), (1499, 1499), heuristic="zero"),
    "bfs": lambda: known("Repeated BFS", large(), (0, 0), (1499, 1499)),
    "rtaa": lambda: known("RTAA*", shut_in(), (0, 0), (0, 599), lookahead=5),
    "lss-lrta": lambda: known("LSS-LRTA*", shut_in(), (0, 0), (0, 599), lookahead=None),
    "lrta": lambda: known("LRTA*", shut_in(), (0, 0), (0, 599), depth=20),
    "waiting": waiting,
    "far sight": far_sight,
    "own loop": own_loop,
    "edges": endless_edges,
}


def small_answers(action) -> None:
    """The same planner and world, or new ones, still give right answers."""
    trip = replan.simulate(replan.Grid(np.zeros((4, 4), bool), neighbors=4), FORWARD, (0, 0), (3, 3))
    assert trip.moves == 6
    cells = {cell.cell_contents.__class__.__name__: cell.cell_contents for cell in action.__closure__}
    planner = next((c for n, c in cells.items() if n not in ("World", "Agent", "tuple")), None)
    if isinstance(planner, replan.Planner):
        trip = replan.simulate(replan.Grid(np.zeros((4, 4), bool), neighbors=4), planner, (0, 0), (3, 3))
        assert trip.reached and trip.moves >= 6
        if "World" in cells and cells["World"].space.shape[0] > 1:
            middle = cells["World"].space.shape[0] // 2
            trip = replan.simulate(cells["World"], planner, (middle, 400), (middle, 402))
            assert trip.reached and trip.moves >= 2
    if "Agent" in cells:
        agent = cells["Agent"]
        agent.retarget((3, 3))
        assert len(agent.plan()) == 3


if __name__ == "__main__":
    action = CASES[sys.argv[1]]()
    print("ready", flush=True)
    try:
        while True:
            action()
    except KeyboardInterrupt:
        caught = time.process_time(), time.monotonic()
    small_answers(action)
    print(*caught, flush=True)
