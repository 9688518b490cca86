"""A sensor of your own: a cone that looks where the agent last stepped.

    python examples/own_sensor.py
"""

from __future__ import annotations

import replan


class Cone(replan.Sensor):
    """Sees the cells around, and a cone of `reach` cells ahead of the last step (at the start, all around)."""

    def __init__(self, reach: int) -> None:
        self.reach = reach

    def visible(self, truth, cell, previous_cell=None):
        row, col = cell
        inside = [
            (r, c)
            for r in range(max(0, row - self.reach), min(truth.rows, row + self.reach + 1))
            for c in range(max(0, col - self.reach), min(truth.cols, col + self.reach + 1))
        ]
        if previous_cell is None:
            return inside
        down, right = row - previous_cell[0], col - previous_cell[1]

        def in_cone(r, c):
            ahead = (r - row) * down + (c - col) * right
            aside = abs((r - row) * right - (c - col) * down)
            return aside <= ahead or max(abs(r - row), abs(c - col)) <= 1

        return [(r, c) for r, c in inside if in_cone(r, c)]


def main() -> None:
    grid = replan.Grid(replan.cave(40, 60, seed=4))
    start, goal = ends(grid)
    for reach in (1, 4, 12):
        trip = replan.simulate(replan.World(grid, sensor=Cone(reach)), "Repeated Forward A*", start, goal)
        print(f"a cone of {reach:2}: {trip}")


def ends(grid: replan.Grid):
    """The first cell and the last one that can be reached from it."""
    start = next((r, c) for r in range(grid.rows) for c in range(grid.cols) if not grid.blocked[r, c])
    seen, waiting = {grid.state(start)}, [grid.state(start)]
    while waiting:
        for v, _ in grid.successors(waiting.pop()):
            if v not in seen:
                seen.add(v)
                waiting.append(v)
    return start, grid.key(max(seen))


if __name__ == "__main__":
    main()
