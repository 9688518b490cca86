"""A space of your own in a World: a board of hexagons, with fog, a sensor and any planner.

python examples/own_space.py
"""

from __future__ import annotations

import replan
from replan.limits import INF

AROUND = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]


class Hexagons(replan.Space):
    """A cell (q, r) with 0 <= q, r < size has six neighbours; a step costs 1. A place is a cell: 0 blocked, 1 free."""

    def __init__(self, size: int, blocked=()) -> None:
        replan.Space.__init__(
            self, n=size * size, max_path_cost=size * size, degree=6, max_edge_round_trip=2, has_unit_costs=True
        )
        self.size = size
        self.free = [True] * self.n
        for cell in blocked:
            self.free[self.state(cell)] = False

    # What planners ask.

    def around(self, s):
        q, r = self.key(s)
        near = [(q + dq, r + dr) for dq, dr in AROUND]
        return [self.state(cell) for cell in near if 0 <= cell[0] < self.size and 0 <= cell[1] < self.size]

    def successors(self, s):
        return [(v, 1) for v in self.around(s) if self.free[v]] if self.free[s] else []

    predecessors = successors  # every step can be taken back

    def edge_cost(self, u, v):
        return 1 if self.free[u] and self.free[v] and v in self.around(u) else INF

    def distance(self, u, v):
        (a, b), (c, d) = self.key(u), self.key(v)
        return (abs(a - c) + abs(b - d) + abs(a + b - c - d)) // 2

    # What happens to it.

    def get_value(self, location):
        return int(self.free[location])

    def set_value(self, location, value):
        self.free[location] = bool(value)
        return [location, *self.around(location)]

    # What people and worlds ask.

    def state(self, key):
        q, r = key
        return q * self.size + r

    location = state

    def key(self, state):
        return divmod(state, self.size)

    def value_of_weight(self, weight):
        return int(weight)

    def copy(self):
        return Hexagons(self.size, [self.key(s) for s in range(self.n) if not self.free[s]])

    def assign(self, other):
        self.free = list(other.free)

    def believed_free(self):
        return Hexagons(self.size)

    def adjacent(self, s):
        return [s, *self.around(s)]

    def display_cost(self, path, step_costs):
        return float(step_costs.sum())


def main() -> None:
    wall = [(q, 5) for q in range(9)]
    world = replan.World(Hexagons(10, wall), changes=[(12, (4, 5), "free")])
    for name in ("Repeated Forward A*", "D* Lite", "RTAA*", "LSS-LRTA*"):
        print(replan.simulate(world, name, (0, 0), (0, 9)))


if __name__ == "__main__":
    main()
