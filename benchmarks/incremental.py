"""D* Lite in ratios: against the yardstick's RTAA*, against A*, and buckets against the heap.

    python benchmarks/incremental.py [yardstick] [mazes] [a-star] [--mazes 20] [--rounds 5]

Names choose parts; without any all are run. What is compared takes turns in one run, and of each trip the best time
counts.
"search" times the episodes alone, "trip" the whole loop with seeing and moving.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import yardstick

import replan

# An expansion of D* Lite takes so many times as long as one of the RTAA* yardstick. Hand-written C++ takes about 2.5.
KEPT, AIM = {"buckets": 4.5, "heap": 8.5}, {"buckets": 3.0, "heap": 5.0}
BUCKETS, HEAP = {"queue": "buckets"}, {"ties": "random", "seed": 1}
PAPER_BUCKETS_TO_HEAP = 4448.8 / 10439.7  # buckets 2006, Table 1
PAPER_FORWARD_TO_DSTAR = 1_857_468.48 / 47_458.83  # RTAA* 2006, Table 1

Rows = np.ndarray[Any, Any]  # one a trip: expansions, nanoseconds


def ours(cases: list[Any], name: str, timing: str = "episode", **options: Any) -> Callable[[], Rows]:
    """Trips of one planner through worlds of its own."""
    worlds = [replan.World(replan.Grid(blocked, neighbors=4)) for blocked, _, _ in cases]
    planner = replan.planner(name, **options)

    def run() -> Rows:
        rows = []
        for world, (_, start, goal) in zip(worlds, cases, strict=True):
            trip = replan.simulate(world, planner, start, goal, timing=timing)
            rows.append((trip.expansions, trip.search_ns))
        return np.array(rows)

    return run


def theirs(program: Path, text: str) -> Callable[[], Rows]:
    return lambda: yardstick.theirs(program, text, "buckets", None)[:, [0, 5]]


def best_of(rounds: int, runs: dict[str, Callable[[], Rows]]) -> dict[str, Rows]:
    """All take turns; the smallest time of each trip."""
    best: dict[str, Rows] = {}
    for _ in range(rounds):
        for name, run in runs.items():
            rows = run()
            if name in best:
                rows[:, 1] = np.minimum(rows[:, 1], best[name][:, 1])
            best[name] = rows
    return best


def per_expansion(rows: Rows) -> float:
    return float(rows[:, 1].sum() / rows[:, 0].sum())


def against_the_yardstick(mazes: int, rounds: int) -> None:
    cases = yardstick.problems(mazes)
    runs = {
        f"D* Lite, {queue}, {timing}": ours(cases, "D* Lite", timing, **options)
        for timing in ("episode", "trip")
        for queue, options in (("buckets", BUCKETS), ("heap", HEAP))
    }
    with tempfile.TemporaryDirectory() as folder:
        program = yardstick.build(Path(folder))
        if program is not None:
            runs = {"C++ RTAA*": theirs(program, yardstick.as_text(cases)), **runs}
        found = best_of(rounds, runs)
    print(f"{mazes} mazes of RTAA* 2006, 151 x 151: ns per expansion, times the yardstick's; what is kept, the aim")
    base = per_expansion(found["C++ RTAA*"]) if "C++ RTAA*" in found else float("nan")
    for name, rows in found.items():
        ns = per_expansion(rows)
        queue = next((queue for queue in KEPT if queue in name), None)
        limits = "" if queue is None else f"{KEPT[queue]:5.1f} {_yes(ns <= KEPT[queue] * base)}   {AIM[queue]:.1f} "
        reached = "" if queue is None else _yes(ns <= AIM[queue] * base)
        print(f"  {name:<28} {ns:8.1f} {ns / base:7.2f} {limits}{reached}")


def _yes(so: bool) -> str:
    return "yes" if so else "NO "


def buckets_to_heap(mazes: int, rounds: int) -> None:
    cases = []
    for seed in range(mazes):
        blocked = replan.maze(201, 201, openings=750, seed=seed)
        free = np.argwhere(~blocked)
        free = free[(free % 2 == 0).all(axis=1)]
        start, goal = np.random.default_rng(seed).choice(len(free), 2, replace=False)
        cases.append((blocked, tuple(free[start].tolist()), tuple(free[goal].tolist())))
    runs = {
        "buckets": ours(cases, "D* Lite", **BUCKETS),
        "heap": ours(cases, "D* Lite", **HEAP),
        "buckets, trip": ours(cases, "D* Lite", "trip", **BUCKETS),
        "heap, trip": ours(cases, "D* Lite", "trip", **HEAP),
    }
    found = {name: rows[:, 1].sum() for name, rows in best_of(rounds, runs).items()}
    print(f"{mazes} mazes of buckets 2006, 201 x 201: time of buckets to heap (paper {PAPER_BUCKETS_TO_HEAP:.3f})")
    print(f"  search {found['buckets'] / found['heap']:.3f}, trip {found['buckets, trip'] / found['heap, trip']:.3f}")


def against_a_star(mazes: int, rounds: int) -> None:
    cases = []
    for seed in range(mazes):
        blocked = replan.maze(101, 101, openings=100, seed=seed)
        free = np.argwhere(~blocked)
        start, goal = np.random.default_rng(seed).choice(len(free), 2, replace=False)
        cases.append((blocked, tuple(free[start].tolist()), tuple(free[goal].tolist())))
    print(f"{mazes} mazes of the course project, 101 x 101, 100 openings: search time, expansions, and times D* Lite's")
    for queue, options in (("heap", HEAP), ("buckets", BUCKETS)):
        names = ["D* Lite", "Adaptive A*", "Repeated Forward A*"]
        found = best_of(rounds, {name: ours(cases, name, **options) for name in names})
        totals = [found[name].sum(axis=0) for name in names]
        for name, (expansions, ns) in zip(names, totals, strict=True):
            print(
                f"  {queue:<8} {name:<20} {ns / 1e6 / mazes:8.3f} ms {expansions / mazes:10,.0f} "
                f"{ns / totals[0][1]:6.2f} {expansions / totals[0][0]:7.2f}"
            )
        in_order = totals[0][1] < totals[1][1] < totals[2][1]
        print(f"  {queue:<8} D* Lite < Adaptive A* < Repeated Forward A*: {'yes' if in_order else 'NO'}")
    cases = yardstick.problems(mazes)
    rows = {name: ours(cases, name, **HEAP)()[:, 0].sum() for name in ("D* Lite", "Repeated Forward A*")}
    times = rows["Repeated Forward A*"] / rows["D* Lite"]
    print(f"{mazes} mazes of RTAA* 2006: A* expands {times:.1f} times as much (paper {PAPER_FORWARD_TO_DSTAR:.1f})")


PARTS = {"yardstick": against_the_yardstick, "mazes": buckets_to_heap, "a-star": against_a_star}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("parts", nargs="*", help=", ".join(PARTS))
    parser.add_argument("--mazes", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    if not replan.compiled:
        sys.exit("the core is not compiled: nothing to compare")
    for name in options.parts or PARTS:
        if name not in PARTS:
            sys.exit(f"the parts are {', '.join(PARTS)}, not {name!r}")
        PARTS[name](options.mazes, options.rounds)


if __name__ == "__main__":
    main()
