"""A target of your own: a patrol that runs from the agent when it comes near.

    python examples/own_target.py
"""

from __future__ import annotations

import numpy as np

import replan


class Guard(replan.Target):
    """Walks to and fro along a row; within `near` steps of the agent it runs to the neighbour farthest from it."""

    def __init__(self, start, near: int, speed: float = 0.5) -> None:
        replan.Target.__init__(self, start, speed)
        self.near, self.right = near, True

    def begin(self, space):
        self.right = True  # every trip begins alike
        return replan.Target.begin(self, space)

    def step(self, space, state, agent_state):
        ways = [v for v, _ in space.successors(state)]
        if space.distance(agent_state, state) <= self.near:
            return max([state, *ways], key=lambda v: space.distance(agent_state, v))
        ahead = state + (1 if self.right else -1)
        if ahead not in ways:
            self.right = not self.right
            return state
        return ahead


def main() -> None:
    grid = replan.Grid(np.zeros((12, 20), bool), neighbors=4)
    world = replan.World(grid, sensor="everything", target=Guard((6, 10), near=4))
    for name in ("Moving-Target Adaptive A*", "D* Lite", "RTAA*"):
        print(replan.simulate(world, name, (0, 0), max_moves=2000))


if __name__ == "__main__":
    main()
