"""The sketch of a planner server for Nav2: costmaps come in, paths in metres go out, and D* Lite keeps what it knew.

    python examples/nav2_planner.py          # without ROS: a costmap that changes while a robot drives

`Planner` is the part that does not depend on ROS. In a node, `on_costmap` is the callback of the topic
/global_costmap/costmap_raw (nav2_msgs/Costmap), `on_update` that of its updates, and `path_to` is called by the action
server of ComputePathToPose with the robot's pose. For /global_costmap/costmap (nav_msgs/OccupancyGrid) replace
`..._from_costmap` by `..._from_occupancy`.
"""

from __future__ import annotations

import numpy as np

import replan
from replan.bridges import ros

READING = {"unknown": "free"}  # how cells are read: the same for the first costmap and for all that follow


class Planner:
    """One belief, one agent: replanned as the costmap or the goal changes, not from scratch."""

    def __init__(self) -> None:
        self.grid = self.agent = None
        self.reason = ""  # why the last call of `path_to` gave no path

    def on_costmap(self, costmap, resolution=None, origin=(0.0, 0.0, 0.0)) -> None:
        """A whole costmap. One that has grown or moved has other cells: the next path is planned anew."""
        grid = ros.grid_from_costmap(costmap, resolution, origin, **READING)
        if self.grid is None or (grid.shape, grid.coordinate_frame) != (self.grid.shape, self.grid.coordinate_frame):
            self.grid, self.agent = grid, None
        self.weights = np.array(grid.weights)  # 0 where it is blocked

    def on_update(self, update) -> None:
        """The part of the costmap that has changed (nav2_msgs/CostmapUpdate)."""
        if self.grid is None:
            return
        try:
            row, col = ros.update_cell(update, self.grid)
        except replan.InputError:  # it belongs to another costmap, which comes as a whole
            self.grid = None
            return
        weights = ros.weights_from_costmap(update, **READING)
        self.weights[row : row + weights.shape[0], col : col + weights.shape[1]] = weights

    def path_to(self, x, y, goal_x, goal_y):
        """The path from (x, y) to the goal, in metres; None if there is none, and `reason` then says why."""
        self.reason = ""
        if self.grid is None:
            self.reason = "no costmap has come yet"
            return None
        try:
            here, there = self.grid.cell_at(x, y), self.grid.cell_at(goal_x, goal_y)
        except replan.InputError as error:  # the robot or the goal is off the map
            self.reason = str(error)
            return None
        if self.agent is None:
            self.agent = replan.Agent("D* Lite", self.grid, here, there)
        if there != self.agent.goal:
            self.agent.retarget(there)
        if here != self.agent.cell:
            self.agent.move(here, even_if_blocked=True)
        self.agent.observe_map(weights=self.weights)  # only the cells that have changed cost anything
        cells = self.agent.plan()
        if cells is None:
            self.reason = "the goal is blocked" if self.grid.blocked[there] else "there is no way to the goal"
            return None
        return [self.grid.position_of(cell) for cell in cells]


def main() -> None:
    blocked = np.zeros((60, 80), bool)
    blocked[10:50, 40] = True
    planner = Planner()

    def costmap_comes() -> None:
        planner.on_costmap(
            ros.inflate(blocked[::-1], 0.05, inscribed_radius=0.1, inflation_radius=0.4), resolution=0.05
        )

    costmap_comes()
    x, y, plans = 0.5, 1.5, 0
    rng = np.random.default_rng(1)
    for goal in ((3.5, 1.5), (0.5, 2.5)):  # in metres
        while path := planner.path_to(x, y, *goal):
            x, y = path[min(3, len(path) - 1)]
            plans += 1
            blocked[tuple(rng.integers((60, 80)))] = True  # things are put in the way
            blocked[planner.grid.cell_at(x, y)] = blocked[planner.grid.cell_at(*goal)] = False
            costmap_comes()
        print(f"{planner.reason or 'arrived'} after {plans} plans")
    print(f"{planner.agent.planner.expansions:,} expansions in all")


if __name__ == "__main__":
    main()
