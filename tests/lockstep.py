"""A planner of replan and a slow oracle side by side: the same agent, compared after every episode."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from hypothesis import strategies as st

import replan
from oracle.navigation import Rules, Values
from oracle.realtime import Korf, RealTime, Steps, steps_of, steps_of_arcs
from oracle.searches import reachable
from oracle.sight import adjacent
from strategies import GraphCase, GridCase, graph_cases, problems


class GridTerrain:
    """Cells with values (0 blocked, else the weight): what is there, and what the agent believes."""

    def __init__(self, case: GridCase, known: Values | None = None) -> None:
        self.case, self.rules = case, Rules(case.neighbors, case.corners, case.weights is not None, case.walls)
        self.truth = case.values()
        self.belief = [[1] * len(row) for row in self.truth] if known is None else [list(row) for row in known]

    def space(self) -> replan.Grid:
        """What the agent believes now."""
        values = np.array(self.belief)
        weights = None if self.case.weights is None else np.maximum(values, 1)
        space = self.case.grid()  # made of the truth, as in a World, so that its bound is the same
        space.assign(replan.Grid(values == 0, self.case.neighbors, weights, self.case.corners, self.case.walls))
        return space

    def world(self) -> replan.World:
        return replan.World(self.case.grid(), known=self.space())

    def steps(self) -> Steps:
        return steps_of(self.rules.edges(self.belief))

    def first_h(self, goals: set[Any]) -> Callable[[Any], int]:
        return lambda s: min(self.rules.h(s, g) for g in goals)

    def unseen(self, at: Any) -> list[tuple[Any, int]]:
        near = [*adjacent(self.case.blocked, self.case.neighbors, at), at]
        return [((r, c), self.truth[r][c]) for r, c in near if self.belief[r][c] != self.truth[r][c]]

    def change(self, agent: replan.Agent | None, place: Any, value: int) -> None:
        self.belief[place[0]][place[1]] = value
        if agent is None:
            return
        if self.case.weights is None:
            agent.observe([place], blocked=[value == 0])
        else:
            agent.observe([place], weights=[value])


class GraphTerrain:
    """Edges with costs (0 blocked). Where the truth differs from the belief no two edges may be parallel."""

    def __init__(self, case: GraphCase, blocked: list[int] = ()) -> None:  # type: ignore[assignment]
        self.case = case
        self.truth = {i: 0 if i in blocked else edge[2] for i, edge in enumerate(case.listed)}
        self.belief = {i: edge[2] for i, edge in enumerate(case.listed)}
        self.graph = case.graph()

    def space(self) -> replan.Graph:
        return self.graph.copy()

    def world(self) -> replan.World:
        truth = self.graph.copy()
        for i, value in self.truth.items():
            if value == 0:
                truth.block(*self.case.listed[i][:2])
        return replan.World(truth)

    def steps(self) -> Steps:
        arcs = [(u, v, self.belief[i]) for i, (u, v, _) in enumerate(self.case.listed)]
        listed = steps_of_arcs(self.case.nodes, arcs, self.case.directed)
        return {s: [(v, cost) for v, cost in out if cost > 0] for s, out in listed.items()}

    def first_h(self, goals: set[Any]) -> Callable[[Any], int]:
        state = self.graph.state
        return lambda s: min(self.graph.distance(state(s), state(g)) for g in goals)

    def unseen(self, at: Any) -> list[tuple[Any, int]]:
        out = [i for i, (u, v, _) in enumerate(self.case.listed) if u == at or (v == at and not self.case.directed)]
        return [(i, self.truth[i]) for i in out if self.truth[i] != self.belief[i]]

    def change(self, agent: replan.Agent | None, place: int, value: int) -> None:
        self.belief[place] = value
        if agent is not None:
            agent.observe([self.case.listed[place][:2]], weights=[value])


Terrain = GridTerrain | GraphTerrain


@dataclass
class Record:
    """What both did."""

    path: list[Any]
    why: str = ""
    expansions: list[int] = field(default_factory=list)


class Pair:
    """An agent of replan and an oracle of it, in lockstep."""

    def __init__(self, terrain: Terrain, planner: Any, oracle: RealTime, start: Any, goals: set[Any]) -> None:
        self.terrain, self.planner, self.oracle, self.goals = terrain, planner, oracle, goals
        self.space = terrain.space()
        self.agent = replan.Agent(planner, self.space, start, set(goals) if len(goals) > 1 else next(iter(goals)))
        oracle.begin(goals, terrain.first_h(goals), self.space.max_path_cost)
        self.at, self.steps = start, terrain.steps()
        self.ahead: list[Any] = []  # the steps that are left of the oracle's path
        self.left = 0.0  # how many of them may be made
        self.tolls: dict[Any, int] = {}
        self.fresh = False
        self.record = Record([start])

    def learn_of(self, place: Any, value: int) -> None:
        """The value of a place is seen by both."""
        before = self.steps
        self.terrain.change(self.agent, place, value)
        self.steps = self.terrain.steps()
        for u, out in self.steps.items():
            old, new = cheapest(before[u]), cheapest(out)
            if any(cost < old.get(v, cost + 1) for v, cost in new.items()):
                self.fresh, self.oracle.fallen = False, True
        for (u, v), toll in self.tolls.items():
            if u in [self.at, *self.ahead] and cheapest(self.steps[u]).get(v, toll + 1) > toll:
                self.fresh = False

    def sense(self) -> None:
        for place, value in self.terrain.unseen(self.at):
            self.learn_of(place, value)

    def plan(self) -> list[Any] | None:
        """Search on both sides if a search is due; what is left to walk."""
        due = not self.fresh or not self.ahead or self.left == 0
        episodes, expansions = self.agent.episodes, self.planner.expansions
        path = self.agent.plan()
        assert self.agent.episodes - episodes == due, "only one of the two searches anew"
        if due:
            self.record.expansions.append(self.planner.expansions - expansions)
            if path is None:
                assert not self.goals & reachable(edges_of(self.steps), self.at)
            self.oracle.bound = self.space.max_path_cost  # it grows with the largest weight seen
            if path is None and self.record.expansions[-1] == 0:
                self.oracle.take_in_falls(self.steps)  # a search in vain, and no news since: there was none
                found = None
            else:
                count, found = self.oracle.episode(self.steps, self.at)
                if not isinstance(self.oracle, Korf):
                    assert self.record.expansions[-1] == count
            self.fresh = found is not None
            self.ahead, self.left = found or [], self.oracle.moves
            walk = [self.at, *self.ahead]
            self.tolls = {(a, b): cheapest(self.steps[a])[b] for a, b in zip(walk, self.ahead, strict=False)}
            assert self.h() == {s: self.oracle.h[s] for s in self.steps}
        mine = None if not self.fresh else self.ahead[: int(min(self.left, len(self.ahead)))]
        assert path == mine
        return path

    def move(self) -> None:
        self.at = self.ahead.pop(0)
        self.left -= 1
        self.agent.move(self.at)
        self.record.path.append(self.at)

    def h(self) -> dict[Any, int]:
        """The h-values of replan's planner, of all states."""
        return h_values(self.planner, self.space, self.oracle.h.first)

    def walk(self, max_moves: int = 400) -> Iterator[Pair]:
        """The whole trip, a stop after every episode."""
        self.sense()
        while self.at not in self.goals:
            if len(self.record.path) > max_moves:
                self.record.why = "max_moves"
                return
            before = self.agent.episodes
            path = self.plan()
            if self.agent.episodes > before:
                yield self
            if path is None:
                self.record.why = "unreachable"
                return
            self.move()
            self.sense()
        self.record.why = "reached"

    def run(self, max_moves: int = 400) -> Record:
        for _ in self.walk(max_moves):
            pass
        return self.record


@dataclass
class Episode:
    """One search of an agent: the believed steps, where it stood, h before and after."""

    at: Any
    steps: Steps
    before: dict[Any, int]
    after: dict[Any, int]
    path: list[Any] | None

    @property
    def edges(self) -> dict[Any, dict[Any, int]]:
        return edges_of(self.steps)


def episodes(terrain: Terrain, planner: Any, start: Any, goals: set[Any], max_moves: int = 300) -> Iterator[Episode]:
    """The episodes of a trip, without an oracle."""
    space, estimate = terrain.space(), terrain.first_h(goals)

    def first_h(s: Any) -> int:
        return min(estimate(s), space.max_path_cost + 1)

    agent = replan.Agent(planner, space, start, set(goals) if len(goals) > 1 else next(iter(goals)))
    for _ in range(max_moves):
        for place, value in terrain.unseen(agent.cell):
            terrain.change(agent, place, value)
        if agent.cell in goals:
            return
        before, count = h_values(planner, space, first_h), agent.episodes
        path = agent.plan()
        if agent.episodes > count:
            yield Episode(agent.cell, terrain.steps(), before, h_values(planner, space, first_h), path)
        if path is None:
            return
        agent.move(path[0])


def edges_of(steps: Steps) -> dict[Any, dict[Any, int]]:
    return {s: cheapest(out) for s, out in steps.items()}


def cheapest(out: list[tuple[Any, int]]) -> dict[Any, int]:
    found: dict[Any, int] = {}
    for v, cost in out:
        found[v] = min(cost, found.get(v, cost))
    return found


def h_values(planner: Any, space: replan.Space, first_h: Callable[[Any], int]) -> dict[Any, int]:
    """What a planner has learned, for all states: those that it has not met have their first h."""
    h = planner.snapshot()["h"]
    if isinstance(space, replan.Grid):
        cells = [(r, c) for r in range(space.rows) for c in range(space.cols)]
    else:
        cells = list(space.nodes)
    return {cell: int(h[space.state(cell)]) if h[space.state(cell)] >= 0 else first_h(cell) for cell in cells}


@st.composite
def grid_trips(draw: Any, **kinds: Any) -> Any:
    """A grid, a start, one to three goals."""
    case, start, goal = draw(problems(**kinds))
    more = draw(st.lists(st.sampled_from(case.free_cells()), max_size=2)) if draw(st.booleans()) else []
    return case, start, {goal, *more}


@st.composite
def graph_trips(draw: Any, simple: bool | None = None, **kinds: Any) -> Any:
    """A graph, the numbers of edges that are blocked unknown to the agent, start and goals."""
    case = draw(graph_cases(**kinds))
    blocked = []
    if draw(st.booleans()) if simple is None else simple:  # no parallel edges and loops, then
        single = {}
        for u, v, cost in case.listed:
            if u != v:
                single.setdefault((u, v) if case.directed else (min(u, v), max(u, v)), (u, v, cost))
        case.listed = list(single.values())
        blocked = [i for i in range(len(case.listed)) if draw(st.integers(0, 3)) == 0]
    start = draw(st.sampled_from(case.nodes))
    goals = set(draw(st.lists(st.sampled_from(case.nodes), min_size=1, max_size=2)))
    return case, blocked, start, goals
