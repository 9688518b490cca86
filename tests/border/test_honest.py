"""A space in plain Python that says what a grid or a graph says is walked as these are: the border loses nothing."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import replan
from replan.limits import INF
from strategies import names, specs

SOME = [spec for spec in specs() if not spec.needs_plain_grid]


class Mirror(replan.Space):
    """Answers for another space, in Python."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner
        degree = max(len(inner.successors(s)) for s in range(inner.n))
        degree = max(degree, max(len(inner.predecessors(s)) for s in range(inner.n)), 8)
        said = ("max_path_cost", "units_per_step", "n_locations", "max_edge_round_trip")
        numbers = {name: getattr(inner, name) for name in (*said, "has_unit_costs", "locations_are_states")}
        super().__init__(n=inner.n, degree=degree, **numbers)

    def successors(self, s: int) -> list[tuple[int, int]]:
        return self.inner.successors(s)  # type: ignore[no-any-return]

    def predecessors(self, s: int) -> list[tuple[int, int]]:
        return self.inner.predecessors(s)  # type: ignore[no-any-return]

    def edge_cost(self, u: int, v: int) -> int:
        return dict(self.inner.successors(u)).get(v, INF)  # type: ignore[no-any-return]

    def distance(self, u: int, v: int) -> int:
        return self.inner.distance(u, v)  # type: ignore[no-any-return]

    def get_value(self, location: int) -> int:
        return self.inner.get_value(location)  # type: ignore[no-any-return]

    def set_value(self, location: int, value: int) -> tuple[list[int], list[int]]:
        """Every state is looked at: slow, and obviously right."""
        before = [(self.successors(s), self.predecessors(s)) for s in range(self.inner.n)]
        self.inner.set_value(location, value)
        after = [(self.successors(s), self.predecessors(s)) for s in range(self.inner.n)]
        touched = [s for s in range(self.inner.n) if before[s][0] != after[s][0]]
        return touched, [s for s in range(self.inner.n) if before[s][1] != after[s][1]]

    def state(self, key: Any) -> int:
        return self.inner.state(key)  # type: ignore[no-any-return]

    def key(self, state: int) -> Any:
        return self.inner.key(state)

    def location(self, key: Any) -> int:
        return self.inner.location(key)  # type: ignore[no-any-return]

    def min_value(self, location: int) -> int:
        return self.inner.min_value(location)  # type: ignore[no-any-return]

    def value_of_weight(self, weight: Any) -> int:
        return self.inner.value_of_weight(weight)  # type: ignore[no-any-return]


def spaces(seed: int) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    blocked = rng.random((6, 7)) < 0.25
    blocked[0, 0] = blocked[-1, -1] = False
    edges = [(u, v, c + 1) for u, v, c in rng.integers(0, 15, (45, 3)).tolist()]
    return {
        "four": replan.Grid(blocked, 4),
        "eight": replan.Grid(blocked, 8, corners="free"),
        "weighted": replan.Grid(blocked, 8, rng.integers(1, 6, blocked.shape)),
        "graph": replan.Graph(edges, nodes=range(15)),
        "directed": replan.Graph(edges, directed=True, nodes=range(15)),
    }


def ends(kind: str) -> tuple[Any, Any]:
    return (0, 14) if kind in ("graph", "directed") else ((0, 0), (5, 6))


def walked(spec: Any, space: Any, kind: str, changes: list[tuple[Any, bool]]) -> list[Any]:
    """What an agent plans, step by step, while it is told of changes."""
    planner = replan.planner(spec.name)
    agent = replan.Agent(planner, space, *ends(kind))
    log: list[Any] = []
    for i in range(40):
        if i < len(changes):
            place, blocked = changes[i]
            agent.observe([place], [blocked])
        path = agent.plan()
        log.append(path)
        if not path:
            break
        agent.move(path[0])
    return [*log, agent.episodes, planner.expansions, planner.h_increase]


@pytest.mark.parametrize("kind", ["four", "eight", "weighted", "graph", "directed"])
@pytest.mark.parametrize("spec", SOME, ids=names(SOME))
def test_an_honest_space_is_walked_as_the_one_it_mirrors(spec, kind):
    if spec.needs_unit_costs and kind != "four":
        pytest.skip("needs steps of equal cost")
    for seed in range(5 if replan.compiled else 2):
        ours, theirs = spaces(seed)[kind], Mirror(spaces(seed)[kind])
        if spec.slug.startswith("frit") and ours.is_symmetric:
            pytest.skip("follows pointers that are cut further on only where every step is known to lead back as well")
        assert walked(spec, theirs, kind, []) == walked(spec, ours, kind, [])


def cost_of(space: Any, start: Any, path: list[Any]) -> int:
    states = [space.state(cell) for cell in (start, *path)]
    return sum(dict(space.successors(u))[v] for u, v in pairwise(states))


def least_cost(space: Any, start: Any, goal: Any) -> int | None:
    path = replan.Agent("Repeated Forward A*", space.inner.copy(), start, goal).plan()
    return None if path is None else cost_of(space, start, path)


@pytest.mark.parametrize("kind", ["four", "eight", "weighted"])
@pytest.mark.parametrize("spec", [s for s in SOME if s.is_optimal], ids=names([s for s in SOME if s.is_optimal]))
def test_changes_are_taken_in_through_the_border(spec, kind):
    """After every change the path costs what it costs on a grid that was made so."""
    if spec.needs_unit_costs and kind != "four":
        pytest.skip("needs steps of equal cost")
    rng = np.random.default_rng(5)
    space = Mirror(spaces(1)[kind])
    agent = replan.Agent(spec.name, space, *ends(kind))
    for _ in range(12 if replan.compiled else 4):
        cell = tuple(rng.integers(0, (6, 7)).tolist())
        if cell not in (agent.cell, ends(kind)[1]):
            agent.observe([cell], [bool(rng.random() < 0.6)])
        path = agent.plan()
        best = least_cost(space, agent.cell, ends(kind)[1])
        assert (path is None) == (best is None)
        if path:  # all of the way, or a beginning of it
            rest = least_cost(space, path[-1], ends(kind)[1])
            assert rest is not None and cost_of(space, agent.cell, path) + rest == best
            agent.move(path[0])
