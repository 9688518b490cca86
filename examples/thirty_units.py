"""A game: thirty units walk through fog to places of their own, and all of them together plan within one frame.

The game keeps the truth. What one unit sees all of them know, so they share one belief; each has a planner of its own.

    python examples/thirty_units.py
"""

from __future__ import annotations

import time

import numpy as np

import replan

UNITS = 30
FRAME_US = 4000  # of the 16,667 microseconds of a frame, what planning may take
SIGHT = replan.Radius(6)


def main() -> None:
    truth = replan.Grid(replan.cave(60, 90, seed=3))
    blocked = truth.blocked
    fog = truth.believed_free()
    units = [replan.Agent(replan.planner("daRTAA*"), fog, start, goal) for start, goal in errands(truth)]
    frames, slowest = 0, 0.0
    while walking := [unit for unit in units if unit.status is not replan.Status.ARRIVED]:
        for unit in walking:
            seen = np.array(SIGHT.visible(truth, unit.cell))
            unit.observe(seen, blocked[seen[:, 0], seen[:, 1]])
        share = replan.Deadline(FRAME_US / len(walking))
        began = time.perf_counter()
        for unit in walking:
            path = unit.plan(budget=share)
            if path is None:
                raise SystemExit(f"{unit} has no way")
            unit.move(path[0])  # it has seen all around it: what is on its path is free
        slowest = max(slowest, time.perf_counter() - began)
        frames += 1
    print(f"{len(units)} units arrived within {frames} frames; planning took at most {1000 * slowest:.1f} ms of one")
    print(f"of {truth.blocked.sum():,} blocked cells {fog.blocked.sum():,} were seen")


def errands(truth: replan.Grid) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """A start and a goal for each unit, with a way between them."""
    rng, free, found = np.random.default_rng(1), np.argwhere(~truth.blocked).tolist(), []
    while len(found) < UNITS:
        start, goal = (tuple(free[i]) for i in rng.integers(len(free), size=2))
        if replan.find_path(truth, start, goal) is not None:
            found.append((start, goal))
    return found


if __name__ == "__main__":
    main()
