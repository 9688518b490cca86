"""A queue of your own: the open list of any planner, in plain Python.

    python examples/own_queue.py
"""

from __future__ import annotations

import heapq

import replan


class LazyHeap(replan.Queue):
    """heapq without decrease-key: what has been removed or pushed again stays in the heap until it comes up."""

    def __init__(self, order) -> None:
        self.sign = -1 if order.prefer == "larger g" else 1
        self.clear()

    def push(self, state, f, g):
        self.count += 1
        self.current[state] = entry = (f, self.sign * g, self.count, state)
        heapq.heappush(self.heap, entry)

    def remove(self, state):
        del self.current[state]

    def first(self):
        while self.heap and self.current.get(self.heap[0][3]) != self.heap[0]:
            heapq.heappop(self.heap)
        return self.heap[0][3] if self.heap else None

    def clear(self):
        self.heap, self.current, self.count = [], {}, 0


def main() -> None:
    grid = replan.Grid(replan.maze(31, 31, seed=2), neighbors=4)
    for queue in ("heap", LazyHeap):
        planner = replan.planner("RTAA*", lookahead=20, queue=queue)
        trip = replan.simulate(replan.World(grid), planner, (0, 0), (30, 30))
        print(f"{planner.open.describe()}: {trip}")


if __name__ == "__main__":
    main()
