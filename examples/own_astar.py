"""A course: an A* of one's own beside Replan's, search by search, until they differ.

    python examples/own_astar.py
"""

from __future__ import annotations

import heapq

import numpy as np

import replan


class MyAStar(replan.Planner):
    """A* from the agent to the goal, as in the textbook: ties towards the larger g."""

    def plan(self, state, budget):
        (goal,) = self.goals.states
        g, parent, closed = {state: 0}, {}, set()
        queue = [(self.space.distance(state, goal), 0, state)]
        while queue:
            s = heapq.heappop(queue)[2]
            if s == goal:
                break
            if s in closed:
                continue
            closed.add(s)
            self.expansions += 1
            for v, cost in self.space.successors(s):
                if v not in g or g[s] + cost < g[v]:
                    g[v], parent[v] = g[s] + cost, s
                    heapq.heappush(queue, (g[v] + self.space.distance(v, goal), -g[v], v))
        else:
            return None
        path = [goal]
        while path[-1] != state:
            path.append(parent[path[-1]])
        return path[-2::-1]


def main(worlds: int = 100) -> None:
    mine, theirs, searches = 0, 0, 0
    for seed in range(worlds):
        grid = replan.Grid(replan.random_obstacles(20, 20, 0.3, seed=seed), neighbors=4)
        me, it = (replan.Agent(p, grid.believed_free(), (0, 0), (19, 19)) for p in (MyAStar(), "A*"))
        while True:  # both walk through the same fog: where my path leads, and see what stands beside it
            my_path, its_path = me.plan(), it.plan()
            assert (my_path is None) == (its_path is None), f"world {seed}: only one of us finds a way"
            if not my_path:
                break
            searches += 1
            assert me.remaining_cost == it.remaining_cost, f"world {seed}, at {me.cell}: {me.path} and {it.path}"
            here = my_path[0]
            for agent in (me, it):
                agent.observe([here], [grid.blocked[here]])
                if not grid.blocked[here]:
                    agent.move(here)
        mine, theirs = mine + me.planner.expansions, theirs + it.planner.expansions
    print(f"{worlds} worlds, {searches:,} steps: the same costs throughout")
    print(f"expansions: mine {mine:,}, Replan's {theirs:,}; the g-values of its last search:")
    for walls, costs in zip(grid.blocked, it.snapshot()["g"], strict=True):
        signs = ("##" if wall else " ." if np.isnan(g) else f"{g:2.0f}" for wall, g in zip(walls, costs, strict=True))
        print(" ".join(signs))


if __name__ == "__main__":
    main()
