"""Run by test_broken_off.py: ticks of a crowd are broken off by Ctrl-C, again and again, at random moments.

python interrupted.py WORKERS SECONDS SEED [PLANNER]

A second crowd is never interrupted. Both have to make the same moves, unless characters are solid, which may find other
ways past each other then, or a FlowField leads them, which may find another path of the same cost.
"""

from __future__ import annotations

import random
import signal
import sys
import time
from functools import partial
from pathlib import Path

import numpy as np

import replan
from replan.spaces.regions import label_regions, region_sizes

TASKS = Path("/proc/self/task")


is_armed = False


def ring(number: int, frame: object) -> None:
    """A signal that another thread has received may come here after the call that it was meant for."""
    if is_armed:
        raise KeyboardInterrupt


def interrupted(act, latest: float) -> bool:
    """Ctrl-C at most so many seconds from now, while this is done, perhaps."""
    global is_armed
    try:
        is_armed = True
        signal.setitimer(signal.ITIMER_REAL, latest * random.random() + 1e-6)
        act()
        is_armed = False
        signal.setitimer(signal.ITIMER_REAL, 0)
    except KeyboardInterrupt:
        is_armed = False
        return True
    return False


def threads() -> int:
    return len(list(TASKS.iterdir())) if TASKS.exists() else 0


def other_calls(grid: replan.Grid, free: np.ndarray, seconds: float) -> None:
    """Characters come, go, are sent elsewhere and see: a crowd is as before or after the call, or says it is broken."""
    end, crowd, broken = time.monotonic() + seconds, None, 0
    while time.monotonic() < end:
        if crowd is None:
            crowd = replan.Crowd(grid.copy(), "RTAA*")
            crowd.add(free[:40], free[0])
        ids = crowd.ids
        new = free[np.random.randint(0, len(free), 40)]
        act, given, after = random.choice([
            (crowd.add, (new, free[1]), len(ids) + 40),
            (crowd.remove, (ids[:20],), max(0, len(ids) - 20)),
            (crowd.retarget, (ids, new[:1]), len(ids)),
            (crowd.set_positions, (ids[:40], new[: len(ids[:40])]), len(ids)),
            (crowd.observe, (new, np.random.random(40) < 0.5), len(ids)),
        ])  # fmt: skip
        if interrupted(partial(act, *given), 3e-4):
            try:
                assert len(crowd.ids) in (len(ids), after)
                assert len(crowd.cells) == len(crowd.goals) == len(crowd.ids)
            except RuntimeError as error:
                assert "make another crowd" in str(error)
                crowd, broken = None, broken + 1
                continue
        crowd.tick()
    print(f"{broken} crowds broken")


def main(workers: int, seconds: float, seed: int, planner: str = "") -> None:
    random.seed(seed)
    rng = np.random.default_rng(seed)
    grid = replan.Grid(rng.random((50, 50)) < 0.25)
    labels = label_regions(grid)
    free = np.argwhere(labels == np.argmax(region_sizes(labels)))
    signal.signal(signal.SIGALRM, ring)
    before_all, broken_off, ticks = threads(), 0, 0
    planner = planner or random.choice(["RTAA*", "LSS-LRTA*", "daLSS-LRTA*", *["FlowField"] * (workers == 1)])
    options = {} if planner == "FlowField" else {"lookahead": 15}
    solid = random.random() < 0.3
    crowds = [
        replan.Crowd(replan.World(grid), planner, count, "wait" if solid else None, **options) for count in (workers, 1)
    ]
    starts = free[rng.choice(len(free), 300, replace=False)]
    for crowd in crowds:
        ids = crowd.add(starts, free[0])
    end, took = time.monotonic() + seconds, 0.002
    while time.monotonic() < end or (broken_off <= 10 and time.monotonic() < end + 20):  # machines may be busy
        if ticks % 10 == 0:
            goals = np.resize(free[rng.integers(0, len(free), 3 if planner == "FlowField" else 300)], (300, 2))
            for crowd in crowds:
                crowd.retarget(ids, goals)
        cells, latest = crowds[0].cells, 2 * took
        while interrupted(crowds[0].tick, latest):
            broken_off, latest = broken_off + 1, 1.1 * latest
            if (crowds[0].cells != cells).any():
                break  # the tick was over already
        begun = time.monotonic()
        crowds[1].tick()
        took = 0.9 * took + 0.1 * (time.monotonic() - begun)
        if solid:
            assert len(np.unique(crowds[0].cells, axis=0)) == len(ids), (seed, ticks, broken_off)
        elif planner != "FlowField":
            assert (crowds[0].cells == crowds[1].cells).all(), (seed, ticks, broken_off)
            assert (crowds[0].status == crowds[1].status).all(), (seed, ticks, broken_off)
        ticks += 1
    for _ in range(0 if solid else 1000):
        crowds[0].tick()
    assert solid or set(crowds[0].status) == {replan.Status.ARRIVED}, (seed, ticks, broken_off)
    end = time.monotonic() + 10
    while threads() > before_all and time.monotonic() < end:
        time.sleep(0.01)
    assert threads() == before_all, "every thread has ended"
    crowds[0].tick()  # threads are at work, or about to end, when the process does
    print(f"{ticks} ticks, {broken_off} interrupts", flush=True)
    assert broken_off > 10, "it was interrupted"
    other_calls(grid, free, seconds / 2)


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3]), *sys.argv[4:])
