"""Threads: with objects of their own, and on a space that all of them search and nobody changes."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from threading import Barrier
from typing import Any

import numpy as np
import pytest

import replan
from battery import record
from strategies import names, specs

THREADS = 8
TIMES = 5 if replan.compiled else 1
SIDE = 40 if replan.compiled else 12
ENDS = (0, 0), (SIDE - 1, SIDE - 1)
SOME = [s for s in specs() if not s.needs_unit_costs]


def trips(seed: int, slug: str) -> list:
    rng = np.random.default_rng(seed)
    side = 40 if replan.compiled else 15
    blocked = rng.random((side, side)) < 0.25
    blocked[0, 0] = blocked[-1, -1] = False
    grid = replan.Grid(blocked, weights=rng.integers(1, 9, (side, side)) if seed % 2 else None)
    chance = {"ties": "random", "seed": seed} if "ties" in replan.planner(slug).spec.options else {}
    planner = replan.planner(slug, **chance)
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


def all_at_once(jobs: list[Callable[[], Any]]) -> list[Any]:
    """What each of these returns when all begin at the same time, each in a thread of its own."""
    ready = Barrier(len(jobs))

    def run(job: Callable[[], Any]) -> Any:
        ready.wait()
        return job()

    with ThreadPoolExecutor(len(jobs)) as pool:
        return list(pool.map(run, jobs))


def terrain() -> tuple[Any, Any]:
    rng = np.random.default_rng(8)
    blocked = rng.random((SIDE, SIDE)) < 0.25
    blocked[0, 0] = blocked[-1, -1] = False
    return blocked, rng.integers(1, 9, (SIDE, SIDE))


def graph() -> replan.Graph:
    """The cells as nodes, with one-way edges and some that cost more."""
    blocked, weights = terrain()
    edges = []
    for row, col in np.argwhere(~blocked).tolist():
        for r, c in ((row, col + 1), (row + 1, col), (row, col - 1), (row - 1, col), (row + 1, col + 1)):
            if 0 <= r < SIDE and 0 <= c < SIDE and not blocked[r, c]:
                edges.append(((row, col), (r, c), int(weights[r, c])))
    where = {(r, c): (r, c) for r in range(SIDE) for c in range(SIDE)}
    return replan.Graph(edges, directed=True, positions=where)


@cache
def space(kind: str) -> Any:
    blocked, weights = terrain()
    made: dict[str, Callable[[], Any]] = {
        "4 neighbors": lambda: replan.Grid(blocked, 4),
        "8 neighbors": lambda: replan.Grid(blocked, 8, corners="either"),
        "weighted": lambda: replan.Grid(blocked, 8, weights),
        "graph": graph,
    }
    return made[kind]()


KINDS = ["4 neighbors", "8 neighbors", "weighted", "graph"]
PAIRS = [(kind, spec) for spec in specs() for kind in KINDS if kind == "4 neighbors" or not spec.needs_unit_costs]


def walks(kind: str, slug: str, seed: int) -> list[Any]:
    """Trips through the shared space: first unknown, then known, when the space itself is searched."""
    spec = next(s for s in specs() if s.slug == slug)
    options = {"ties": "random", "seed": seed} if "ties" in spec.options else {}
    shared = space(kind)
    found = []
    for world in (replan.World(shared), shared):
        trip = replan.simulate(world, replan.planner(slug, **options), *ENDS, max_moves=1000)
        found.append(record(trip))
    return found


@pytest.mark.parametrize(("kind", "spec"), PAIRS, ids=[f"{spec.slug}, {kind}" for kind, spec in PAIRS])
def test_one_space_searched_by_many(kind, spec):
    """Nobody changes it: each thread walks as it does alone, again and again."""
    alone = [walks(kind, spec.slug, seed) for seed in range(THREADS)]

    def as_alone(seed: int) -> bool:
        return all(walks(kind, spec.slug, seed) == alone[seed] for _ in range(TIMES))

    assert all(all_at_once([partial(as_alone, seed) for seed in range(THREADS)]))


@pytest.mark.parametrize("kind", KINDS)
def test_one_space_and_different_planners(kind):
    slugs = [spec.slug for pair, spec in PAIRS if pair == kind][:: 1 if replan.compiled else 4]
    alone = {slug: walks(kind, slug, 1) for slug in slugs}

    def as_alone(slug: str) -> bool:
        return all(walks(kind, slug, 1) == alone[slug] for _ in range(TIMES))

    assert all(all_at_once([partial(as_alone, slug) for slug in slugs]))


@pytest.mark.parametrize("kind", KINDS)
def test_queries_and_agents_on_one_space(kind):
    """LPA* and agents by hand search the shared space itself."""

    def ask(seed: int) -> Any:
        cells = [tuple(cell) for cell in np.argwhere(~terrain()[0]).tolist()]
        start, goal = (cells[i] for i in np.random.default_rng(seed).choice(len(cells), 2))
        path = replan.LPAStar(space(kind), start, goal).path()
        agent = replan.Agent(replan.planner("LSS-LRTA*"), space(kind), start, goal)
        walked = []
        for _ in range(50):
            step = agent.plan()
            if not step:
                break
            agent.move(step[0])
            walked.append(agent.cell)
        return path, walked

    alone = [ask(seed) for seed in range(THREADS)]
    assert all_at_once([lambda seed=seed: ask(seed) for seed in range(THREADS)]) == alone


def test_a_rule_that_two_planners_were_given_serves_each_of_them():
    """The rule has a queue: each planner has a rule of its own, made like the one that it was given."""
    first = replan.planner("LSS-LRTA*", lookahead=60)
    planners = [first, *(replan.planner("LSS-LRTA*", lookahead=60, learning=first.learning) for _ in range(3))]
    assert len({id(planner.learning) for planner in planners}) == len(planners)

    def walk(side: int, planner: replan.Planner) -> list:
        rng = np.random.default_rng(side)
        blocked = rng.random((side, side)) < 0.2
        blocked[0, 0] = blocked[-1, -1] = False
        world = replan.World(replan.Grid(blocked))
        return [
            record(replan.simulate(world, planner, (0, 0), (side - 1, side - 1), max_moves=500)) for _ in range(TIMES)
        ]

    sides = [SIDE + 7 * i for i in range(len(planners))]
    alone = [walk(side, replan.planner("LSS-LRTA*", lookahead=60)) for side in sides]
    assert all_at_once([partial(walk, *given) for given in zip(sides, planners, strict=True)]) == alone
