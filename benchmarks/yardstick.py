"""RTAA* trips against the hand-written C++ yardstick, on the same mazes, in one run, as ratios.

    python benchmarks/yardstick.py [--mazes 20] [--rounds 5]

The two programs take turns, and of each trip the best time counts. With buckets (last in first out) the trips are the
same move by move; with the heap ties are random in both, so the ratio is per expansion. Needs a C++ compiler and the
yardstick's source: ../shared/reference/rtaa.cpp, or REPLAN_YARDSTICK=FILE. Says so and ends where either is missing.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import replan

SOURCE = Path(os.environ.get("REPLAN_YARDSTICK", Path(__file__).parents[2] / "shared" / "reference" / "rtaa.cpp"))
ALLOWED = {"heap": 1.15, "buckets": 1.5}  # times the C++; LSS-LRTA* with the heap: 2.2 at 33 and 89


def problems(count: int, size: int = 151) -> list[tuple[np.ndarray, tuple[int, int], tuple[int, int]]]:
    made = []
    for seed in range(count):
        blocked = replan.maze(size, size, seed=seed)
        free = np.argwhere(~blocked)
        start, goal = np.random.default_rng(seed).choice(len(free), 2, replace=False)
        made.append((blocked, tuple(free[start].tolist()), tuple(free[goal].tolist())))
    return made


def as_text(cases) -> str:
    lines = []
    for blocked, start, goal in cases:
        lines.append(" ".join(map(str, (*blocked.shape, *start, *goal))))
        lines += ["".join("@" if b else "." for b in row) for row in blocked]
    return "\n".join(lines) + "\n"


def build(folder: Path) -> Path | None:
    compiler = shutil.which("g++") or shutil.which("clang++")
    if not SOURCE.exists() or compiler is None:
        print(f"skipped: needs a C++ compiler and {SOURCE}")
        return None
    program = folder / "rtaa"
    subprocess.run([compiler, "-O3", "-std=c++17", str(SOURCE), "-o", str(program)], check=True)
    return program


def theirs(program: Path, text: str, queue: str, lookahead: int | None) -> np.ndarray:
    """One row a trip: expansions, episodes, moves, reached, h-increase, nanoseconds."""
    call = [str(program), queue, str(lookahead or 0), "1"]
    out = subprocess.run(call, input=text, capture_output=True, text=True, check=True).stdout
    return np.array([list(map(int, line.split())) for line in out.splitlines()])


def ours(worlds, cases, queue: str, lookahead: int | None, name: str = "RTAA*") -> np.ndarray:
    ties = {} if queue == "buckets" else {"ties": "random", "seed": 1}
    planner = replan.planner(name, queue=queue, lookahead=lookahead, **ties)
    rows = []
    for world, (_, start, goal) in zip(worlds, cases, strict=True):
        trip = replan.simulate(world, planner, start, goal)
        rows.append((trip.expansions, trip.episodes, trip.moves, trip.reached, trip.h_increase, trip.search_ns))
    return np.array(rows)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--mazes", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    if not replan.compiled:
        sys.exit("the core is not compiled: nothing to compare")
    cases = problems(options.mazes)
    worlds = [replan.World(replan.Grid(blocked, neighbors=4)) for blocked, _, _ in cases]
    text = as_text(cases)
    with tempfile.TemporaryDirectory() as folder:
        program = build(Path(folder))
        if program is None:
            return
        print("queue    lookahead   C++ ns  RTAA* ns  ratio  allowed  LSS ns  ratio  same trips")
        for queue in ("heap", "buckets"):
            for lookahead in (9, 33, 89, None):
                a = b = c = None
                for _ in range(options.rounds):
                    rounds = (
                        theirs(program, text, queue, lookahead),
                        ours(worlds, cases, queue, lookahead),
                        ours(worlds, cases, queue, lookahead, "LSS-LRTA*"),
                    )
                    if a is None:
                        a, b, c = rounds
                    for best, row in zip((a, b, c), rounds, strict=True):
                        best[:, 5] = np.minimum(best[:, 5], row[:, 5])
                per = [x[:, 5].sum() / x[:, 0].sum() for x in (a, b, c)]
                same = int((a[:, :5] == b[:, :5]).all(axis=1).sum())
                most = ALLOWED[queue]
                verdict = f"{most:.2f} {'yes' if per[1] <= most * per[0] else 'NO'}"
                print(
                    f"{queue:8} {lookahead or 'inf':>9} {per[0]:8.1f} {per[1]:9.1f} {per[1] / per[0]:6.2f} "
                    f"{verdict:>8} {per[2]:7.1f} {per[2] / per[0]:6.2f}  {same} of {len(cases)}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
