"""The sketch of a planner server for Nav2: costmaps come in, paths in metres go out, and D* Lite keeps what it knew.

    python examples/nav2_planner.py          # without ROS: a costmap that changes while a robot drives

`Planner` is the part that does not depend on ROS. In a node, `on_costmap` is the callback of the topic
/global_costmap/costmap_raw (nav2_msgs/Costmap; or of a nav_msgs/OccupancyGrid with `grid_from_occupancy`), and
`path_to` is called by the action server of ComputePathToPose with the robot's pose.
"""

from __future__ import annotations

import numpy as np

import replan
from replan.bridges import ros


class Planner:
    """One belief, one agent: replanned as the costmap changes, not from scratch."""

    def __init__(self) -> None:
        self.agent = None

    def on_costmap(self, costmap, resolution=None, origin=(0.0, 0.0, 0.0)) -> None:
        """A new costmap: the first one makes the map, later ones tell what has changed."""
        if self.agent is None:
            self.grid = ros.grid_from_costmap(costmap, resolution, origin, unknown="free")
            return
        weights = ros.weights_from_costmap(costmap)
        old = np.asarray(self.grid.weights)
        changed = np.argwhere(weights != old)
        self.agent.observe(list(map(tuple, changed.tolist())), weights=weights[tuple(changed.T)].tolist())

    def path_to(self, x, y, goal_x, goal_y):
        """The way from (x, y) to the goal in metres; None if there is none."""
        here, there = self.grid.cell_at(x, y), self.grid.cell_at(goal_x, goal_y)
        if self.agent is None:
            self.agent = replan.Agent("D* Lite", self.grid, here, there)
        elif here != self.agent.cell:
            self.agent.move(here, even_if_blocked=True)
        cells = self.agent.plan()
        return None if cells is None else [self.grid.position_of(cell) for cell in cells]


def main() -> None:
    blocked = np.zeros((60, 80), bool)
    blocked[10:50, 40] = True
    planner = Planner()
    planner.on_costmap(ros.inflate(blocked, 0.05, inscribed=0.1, radius=0.4), resolution=0.05)
    x, y, driven = 0.5, 1.5, 0
    rng = np.random.default_rng(1)
    while path := planner.path_to(x, y, 3.5, 1.5):
        x, y = path[min(3, len(path) - 1)]
        driven += 1
        blocked[tuple(rng.integers((60, 80)))] = True  # somebody puts things in the way
        blocked[planner.grid.cell_at(x, y)] = blocked[planner.grid.cell_at(3.5, 1.5)] = False
        planner.on_costmap(ros.inflate(blocked[::-1], 0.05, inscribed=0.1, radius=0.4))
    arrived = planner.grid.cell_at(x, y) == planner.grid.cell_at(3.5, 1.5)
    expansions = planner.agent.planner.expansions
    print(f"{'arrived' if arrived else 'no way'} after {driven} plans, {expansions:,} expansions in all")


if __name__ == "__main__":
    main()
