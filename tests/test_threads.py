"""Two threads with objects of their own."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import replan
from battery import record
from strategies import names, specs

SOME = [s for s in specs() if not s.unit_costs]


def trips(seed: int, slug: str) -> list:
    rng = np.random.default_rng(seed)
    side = 40 if replan.compiled else 15
    blocked = rng.random((side, side)) < 0.25
    blocked[0, 0] = blocked[-1, -1] = False
    grid = replan.Grid(blocked, weights=rng.integers(1, 9, (side, side)) if seed % 2 else None)
    planner = replan.planner(slug, ties="random", seed=seed)
    times = 5 if replan.compiled else 1
    return [
        record(replan.simulate(replan.World(grid), planner, (0, 0), (side - 1, side - 1), max_moves=2000))
        for _ in range(times)
    ]


@pytest.mark.parametrize("spec", SOME, ids=names(SOME))
def test_in_parallel_as_one_after_the_other(spec):
    seeds = range(4)
    alone = [trips(seed, spec.slug) for seed in seeds]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda seed: trips(seed, spec.slug), seeds))
    assert together == alone
