"""A room that no planner without foresight leaves (RTD* 2010, "Completeness").

A door in the north always stands open, but two doors in the south are much nearer to the goal. Each of these shuts for
a while when the agent comes near. An agent that believes what it sees runs from the one to the other for ever; the trip
is ended by max_moves and says so. (LSS-LRTA* keeps what it has learned when a door opens, which is its weakness
elsewhere; here it gets it out of the room.)

    python examples/adversarial_doors.py
"""

from __future__ import annotations

import sys

import numpy as np

import replan

Cell = tuple[int, int]

MAP = [
    ".......................",
    ".##########.##########.",
    ".#...................#.",
    ".#...................#.",
    ".#...................#.",
    ".#...................#.",
    ".#...................#.",
    ".#...................#.",
    ".#...................#.",
    ".####.###########.####.",
    ".......................",
]
SOUTH = [(9, 5), (9, 17)]
START, GOAL = (8, 11), (10, 11)
NEAR, WHILE = 2, 12  # cells, steps


class Doors:
    """What happens after each step: a door that the agent approaches shuts, and opens again after a while."""

    def __init__(self) -> None:
        self.shut_until = dict.fromkeys(SOUTH, 0)

    def __call__(self, step: int, agent: Cell) -> list[tuple[Cell, str]]:
        for row, col in SOUTH:
            if max(abs(agent[0] - row), abs(agent[1] - col)) <= NEAR:
                self.shut_until[row, col] = step + WHILE
        return [(door, "blocked" if step < until else "free") for door, until in self.shut_until.items()]


def world(doors_react: bool = True) -> replan.World:
    grid = replan.Grid(np.array([[cell == "#" for cell in row] for row in MAP]))
    return replan.World(grid, sensor="everything", known="everything", changes=Doors() if doors_react else None)


def main() -> None:
    moves = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    for name in ("RTD*", "Non-RTD*", "LSS-LRTA*"):
        trip = replan.simulate(world(), replan.planner(name), START, GOAL, max_moves=moves)
        visits = [sum(abs(r - row) + abs(c - col) <= 2 * NEAR for r, c in trip.path) for row, col in SOUTH]
        print(f"{trip}; {visits[0]:,} and {visits[1]:,} steps near the southern doors")
    print(replan.simulate(world(doors_react=False), "RTD*", START, GOAL), "(doors that stay open)")


if __name__ == "__main__":
    main()
