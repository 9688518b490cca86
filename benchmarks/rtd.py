"""RTD* step by step: how long one takes, what changed costs cost, and whether the size of the map matters.

    python benchmarks/rtd.py [steps] [changes] [sizes] [--sequences 20] [--rounds 3]

Names choose parts; without any all are run. Trips are repeated and are the same each time, so of each step the best
time counts; the worst of a single round is shown beside it. Taking in changed costs is not bounded by the limit and is
told apart. In the first trip of a planner memory is laid out, which takes about a millisecond at its first step.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

import numpy as np

import replan

LIMIT = 256
TARGET_US = 1000.0
QUEUES: dict[str, dict[str, Any]] = {"heap": {}, "buckets": {"queue": "buckets"}}


def microseconds(trips: list[replan.Trip]) -> np.ndarray[Any, Any]:
    """The steps of some equal trips, the best time of each."""
    return np.min([trip.episode_ns for trip in trips], axis=0) / 1000


def quantiles(times: np.ndarray[Any, Any]) -> str:
    found = np.quantile(times, [0.5, 0.99, 0.999, 1])
    return "   ".join(f"{name} {us:7.1f}" for name, us in zip(("p50", "p99", "p99.9", "max"), found, strict=True))


def steps(sequences: int, rounds: int) -> None:
    """The rooms of RTD* 2010."""
    print(f"time a step in us, RTD* with limit {LIMIT} in rooms_with_doors(100, 100), {sequences} sequences")
    recordings = [replan.rooms_with_doors(100, 100, seed=seed) for seed in range(sequences)]
    for name, options in QUEUES.items():
        for global_ in ("D* Lite", "AD*"):
            best, first, apart, intakes = [], [], 0, 0
            for doors in recordings:
                rtd = replan.planner("RTD*", lookahead=LIMIT, global_=global_, **options)
                world = doors.make_world()
                trips = [
                    replan.simulate(world, rtd, doors.start, doors.goal, timing="episode") for _ in range(rounds + 1)
                ][1:]  # the first one touches the memory
                best.append(microseconds(trips))
                first.append(np.array(trips[0].episode_ns) / 1000)
                apart += min(trip.apply_changes_ns or 0 for trip in trips)
                intakes += trips[0].changed_state_count
            times, single = np.concatenate(best), np.quantile(np.concatenate(first), 0.999)
            verdict = "met" if np.quantile(times, 0.999) < TARGET_US else "missed"
            what = f"{global_:7} {name:8} {len(times):6} steps"
            print(f"  {what}   {quantiles(times)}   below {TARGET_US:g} us: {verdict}")
            state = apart / max(1, intakes)
            print(f"{'':26}p99.9 of one round {single:7.1f}; changes apart: {state:,.0f} ns a changed state")


def changes(sequences: int, rounds: int) -> None:
    """m cells blocked at once, anywhere, after the search is complete. (A larger map would show the cache as well.)

    Without a heuristic, so that the search has met all states: a rise does not concern the others.
    """
    print("taking in the changed costs of m cells at once, 300 x 300, D* Lite")
    rng = np.random.default_rng(1)
    cells = [tuple(cell) for cell in rng.permutation(np.argwhere(np.ones((290, 290), bool)) + 5).tolist()]
    for name, options in QUEUES.items():
        base = None
        for m in (10, 100, 1000, 10_000):
            script = [(2, cell, "blocked") for cell in cells[:m]]
            world = replan.World(
                replan.Grid(np.zeros((300, 300), bool)), sensor="everything", known="everything", changes=script
            )
            rtd = replan.planner("RTD*", lookahead=None, heuristic="zero", **options)
            trips = [
                replan.simulate(world, rtd, (0, 0), (299, 299), max_moves=3, timing="episode")
                for _ in range(rounds + 1)
            ][1:]
            per = min(trip.apply_changes_ns or 0 for trip in trips) / trips[0].changed_state_count
            base = base or per
            states = trips[0].changed_state_count
            print(f"  {name:8} m = {m:6}: {states:6} states, {per:6.0f} ns each, {per / base:5.2f} of the first")


def houses() -> Iterator[replan.DynamicScenario]:
    for size in (100, 200, 400, 1000, 2000, 4000):
        yield replan.rooms_with_doors(size, size, draws_per_step=1.0, closed_share=0.1, steps=500, seed=1)


def sizes(sequences: int, rounds: int) -> None:
    """The first 400 steps, from corner to corner, one door changed a step: larger maps only have more beyond."""
    print(f"time a step in us, RTD* with limit {LIMIT} and buckets, rooms of 9 x 9, the first 400 steps")
    base = None
    for doors in houses():
        rtd, world = replan.planner("RTD*", lookahead=LIMIT, queue="buckets"), doors.make_world()
        trips = [
            replan.simulate(world, rtd, doors.start, doors.goal, max_moves=400, timing="episode")
            for _ in range(rounds + 1)
        ][1:]
        times = microseconds(trips)
        busy = times[np.array(trips[0].episode_expansions) > 0]
        base = base or float(busy.mean())
        rows, _ = doors.grid.shape
        print(
            f"  {rows:4} x {rows:<4} {len(times):4} steps, mean of the {len(busy):3} that search {busy.mean():6.1f} "
            f"({busy.mean() / base:4.2f} of the first)   {quantiles(times)}"
        )


PARTS = {"steps": steps, "changes": changes, "sizes": sizes}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", choices=[[], *PARTS], default=[])
    parser.add_argument("--sequences", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args()
    for part in chosen.parts or PARTS:
        PARTS[part](chosen.sequences, chosen.rounds)
