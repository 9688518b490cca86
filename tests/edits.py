"""Stories for planners that follow cheapest presumed paths: costs change, the agent walks or is carried, goals move.

A story is a terrain, where it begins, and a list of events; `Scene` plays it and checks the plan after every event.
"""

from __future__ import annotations

import faulthandler
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st

import replan
from lockstep import GraphTerrain, GridTerrain, Terrain, edges_of, graph_trips, grid_trips
from oracle.searches import dijkstra
from strategies import HEAVY, GraphCase


@dataclass
class Story:
    terrain: Callable[[], Terrain]
    start: Any
    goals: set[Any]
    events: list[tuple[Any, ...]]


@contextmanager
def limited(seconds: int = 30) -> Iterator[None]:
    """A search that does not end is an error, not a test that hangs. (Seconds of this process alone.)"""

    def late(*_: Any) -> None:
        raise TimeoutError(f"not done after {seconds} s")

    old = signal.signal(signal.SIGVTALRM, late)
    faulthandler.dump_traceback_later(20 * seconds, exit=True, file=sys.__stderr__)  # where no signal is looked at
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        faulthandler.cancel_dump_traceback_later()
        signal.signal(signal.SIGVTALRM, old)


class Scene:
    """A planner in a terrain that changes."""

    def __init__(self, story: Story, planner: replan.Planner) -> None:
        self.terrain, self.planner, self.goals = story.terrain(), planner, set(story.goals)
        self.space = self.terrain.space()
        self.grid = isinstance(self.terrain, GridTerrain)
        self.known: dict[Any, dict[Any, int]] | None = None
        self.when_free: dict[Any, int] = {}  # by place: the value that it had when it was blocked
        self.agent = replan.Agent(planner, self.space, story.start, as_goal(self.goals))
        self.stand(story.start)
        self.cut: list[tuple[Any, int]] = []
        self.path: list[Any] | None = None

    @property
    def at(self) -> Any:
        return self.agent.cell

    def edges(self) -> dict[Any, dict[Any, int]]:
        if self.known is None:
            self.known = edges_of(self.terrain.steps())
        return self.known

    def best(self) -> int | None:
        """What a cheapest way costs."""
        exact = dijkstra(self.edges(), self.at)
        return min((exact[g] for g in self.goals if g in exact), default=None)

    def cost(self, path: list[Any]) -> int:
        edges = self.edges()
        return sum(edges[a][b] for a, b in zip([self.at, *path], path, strict=False))

    # What may happen.

    def value(self, place: Any) -> int:
        return self.terrain.belief[place] if not self.grid else self.terrain.belief[place[0]][place[1]]

    def edit(self, changes: list[tuple[Any, int]]) -> None:
        """Many at once; that the agent's own cell is blocked is not believed."""
        changes = [(p, v) for p, v in changes if v or not self.grid or p != self.at]
        self.known = None
        for place, value in changes:
            if self.value(place):
                self.when_free[place] = self.value(place)
            self.terrain.change(None, place, value)
        places = [p if self.grid else self.terrain.case.listed[p][:2] for p, _ in changes]
        values = [v for _, v in changes]
        if self.grid and self.terrain.case.weights is None:
            self.agent.observe(places, blocked=[v == 0 for v in values])
        else:
            self.agent.observe(places, weights=values)

    def stand(self, cell: Any) -> None:
        if self.grid and self.value(cell) == 0:
            self.terrain.change(None, cell, self.when_free.get(cell, 1))
            self.known = None

    def jump(self, cell: Any) -> None:
        self.agent.move(cell, even_if_blocked=True)
        self.stand(cell)

    def target(self, goals: set[Any]) -> None:
        self.goals = set(goals)
        self.agent.retarget(as_goal(self.goals))

    def ahead(self, i: int, level: int) -> None:
        """Something happens on the path."""
        walk = [self.at, *(self.path or [])]
        if len(walk) < 2:
            return
        i %= len(walk) - 1
        if self.grid:
            self.edit([(walk[i + 1], level)])
        else:
            listed, ends = self.terrain.case.listed, {(walk[i], walk[i + 1]), (walk[i + 1], walk[i])}
            found = [j for j, (u, v, _) in enumerate(listed) if (u, v) in ends]
            self.edit([(j, level * listed[j][2]) for j in found])

    def places_around(self, cell: Any) -> list[Any]:
        if self.grid:
            rows, cols = self.terrain.case.shape
            near = [(cell[0] + i, cell[1] + j) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]
            return [(r, c) for r, c in near if 0 <= r < rows and 0 <= c < cols]
        return [j for j, (u, v, _) in enumerate(self.terrain.case.listed) if cell in (u, v)]

    def cut_off(self) -> None:
        """Nothing leads to the goals any more, unless the agent stands beside one."""
        places = [p for g in sorted(self.goals) for p in self.places_around(g)]
        self.cut = [(p, self.value(p)) for p in places if self.value(p)] or self.cut
        self.edit([(p, 0) for p in places])

    def give_back(self) -> None:
        self.edit(self.cut)
        self.cut = []

    def happen(self, event: tuple[Any, ...]) -> None:
        getattr(self, event[0])(*event[1:])

    # Playing it.

    def play(self, events: list[tuple[Any, ...]], check: Callable[[Scene, bool], None]) -> None:
        """`check(scene, fresh)` after every plan; fresh: an episode was made for it."""
        with limited():
            self.plan(check)
            for event in events:
                if event[0] == "walk":
                    self.walk(event[1], check)
                    continue
                self.happen(event)
                self.plan(check)

    def plan(self, check: Callable[[Scene, bool], None]) -> None:
        episodes = self.agent.episodes
        self.path = self.agent.plan()
        check(self, self.agent.episodes > episodes)

    def walk(self, most: int, check: Callable[[Scene, bool], None]) -> None:
        for _ in range(most):
            if not self.path:
                return
            self.agent.move(self.path[0])
            self.plan(check)


def as_goal(goals: set[Any]) -> Any:
    return set(goals) if len(goals) > 1 else next(iter(goals))


def cheapest(scene: Scene, fresh: bool) -> None:
    """The path is a cheapest one; None exactly when there is none."""
    bounded(scene, fresh, 1.0)


def bounded(scene: Scene, fresh: bool, bound: float) -> None:
    best = scene.best()
    if scene.at in scene.goals:
        assert scene.path == []
    elif best is None:
        assert scene.path is None
    else:
        assert scene.path, f"no path, though one of {best} exists"
        assert scene.path[-1] in scene.goals
        assert len({scene.at, *scene.path}) == len(scene.path) + 1
        cost = scene.cost(scene.path)
        assert best <= cost <= bound * best * (1 + 1e-12), f"{cost} for {best}, bound {bound}"


# Stories.


def events_of(place: Any, level: Any, cell: Any, goal_sets: Any, least: Any, targets: bool) -> Any:
    """level: 0 blocked, 1 the least, 2... dearer. least: a place's value at level 1."""
    edit = st.tuples(place, level).map(lambda e: (e[0], e[1] * least(e[0])))
    kinds = [
        st.tuples(st.just("edit"), st.lists(edit, min_size=1, max_size=1)),
        st.tuples(st.just("edit"), st.lists(edit, min_size=1, max_size=30)),
        st.tuples(st.just("ahead"), st.integers(0, 9), level),
        st.tuples(st.just("walk"), st.integers(1, 4)),
        st.tuples(st.just("walk"), st.integers(1, 2)),
        st.tuples(st.just("jump"), cell),
        st.just(("cut_off",)),
        st.just(("give_back",)),
    ]
    if targets:
        kinds += [st.tuples(st.just("target"), goal_sets)] * 2
    return st.lists(st.one_of(kinds), min_size=2, max_size=20)


@st.composite
def grid_stories(draw: Any, targets: bool = False, levels: tuple[int, ...] = (0, 0, 1, 1, 2, 5), **kinds: Any) -> Story:
    """What the agent knows at first is another grid of the same size."""
    case, start, goals = draw(grid_trips(**kinds))
    known = case.values()
    known[start[0]][start[1]] = 1
    rows, cols = case.shape
    cell = st.tuples(st.integers(0, rows - 1), st.integers(0, cols - 1))
    level = st.sampled_from(levels if case.weights is not None else [0, 1])
    goal_sets = st.sets(cell, min_size=1, max_size=draw(st.sampled_from([1, 1, 3])))
    events = draw(events_of(cell, level, cell, goal_sets, lambda place: 1, targets))
    return Story(lambda: GridTerrain(case, known), start, goals, events)


@st.composite
def graph_stories(draw: Any, targets: bool = False, **kinds: Any) -> Story:
    case, _, start, goals = draw(graph_trips(simple=True, **kinds))
    assume(case.listed)
    place, node = st.integers(0, len(case.listed) - 1), st.sampled_from(case.nodes)
    goal_sets = st.sets(node, min_size=1, max_size=draw(st.sampled_from([1, 1, 2])))
    level, listed = st.sampled_from([0, 0, 1, 1, 2, 5]), case.listed
    events = draw(events_of(place, level, node, goal_sets, lambda place: listed[place][2], targets))
    return Story(lambda: GraphTerrain(case), start, goals, events)


def heavy_stories(order: dict[str, Any], **kinds: Any) -> Any:
    """Weights that rise far beyond all that were there at first; as far as buckets can hold, if it is those."""
    table = [1, 2, 3, 1000] if order.get("queue") == "buckets" else HEAVY
    return grid_stories(weighted=True, table=table, levels=(0, 0, 1, 2, 1000, table[-1]), **kinds)


def stories(**kinds: Any) -> Any:
    return st.one_of(grid_stories(**kinds), graph_stories(**{k: v for k, v in kinds.items() if k == "targets"}))


@st.composite
def road_stories(draw: Any, targets: bool = False) -> Story:
    """Points in the plane joined to near ones, edges as long as they are: h is nearly exact, and rounded."""
    seed = draw(st.integers(0, 2**16))
    rng = np.random.default_rng(seed)
    n = draw(st.integers(4, 14))
    spots = rng.random((n, 2)) * draw(st.sampled_from([1.0, 4.0, 20.0]))
    nodes = [f"n{i}" for i in range(n)]
    listed = []
    for i in range(n):
        apart = np.hypot(*(spots - spots[i]).T)
        for j in np.argsort(apart)[1:4].tolist():
            if i < j or i not in np.argsort(np.hypot(*(spots - spots[j]).T))[1:4]:
                listed.append((nodes[i], nodes[j], max(1, int(np.ceil(apart[j])))))
    case = GraphCase(listed, nodes, draw(st.booleans()), {nodes[i]: tuple(spots[i].tolist()) for i in range(n)})
    place, node = st.integers(0, len(listed) - 1), st.sampled_from(nodes)
    level = st.sampled_from([0, 0, 1, 1, 2, 5])
    events = draw(
        events_of(place, level, node, st.sets(node, min_size=1, max_size=1), lambda p: listed[p][2], targets)
    )
    return Story(lambda: GraphTerrain(case), draw(node), {draw(node)}, events)
