"""The engine of D* Lite and AD* after every single turn, interrupted anywhere, with moves and changed costs in between.

Invariants (RTD* 2010): rhs is the least over the successors; the queue holds exactly the inconsistent states; stored
keys are never above fresh ones.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import replan
from edits import Scene, graph_stories, grid_stories, heavy_stories, limited, road_stories, stories
from examples import examples
from oracle.searches import dijkstra, reversed_edges
from replan.spaces.heuristics import user_estimate
from sorted_queue import SortedQueue, Stacks

INF = float("inf")
made: list[SortedQueue] = []  # the last of our queues that a planner made is the one that it uses


class Watched(SortedQueue):
    def __init__(self, order: Any) -> None:
        super().__init__(order)
        made.append(self)


class WatchedStacks(Watched, Stacks):
    pass


HEAPS: dict[str, dict[str, Any]] = {
    "smaller-g": {"prefer": "smaller g"},
    "larger-g": {"prefer": "larger g"},
    "larger-g-last-in": {"ties": "last-in"},
}
WATCHED: dict[str, dict[str, Any]] = {f"watched-{name}": {**how, "queue": Watched} for name, how in HEAPS.items()}
ORDERS = {**HEAPS, "buckets": {"queue": "buckets"}, **WATCHED, "watched-stacks": {"queue": WatchedStacks}}
QUEUES = ["heap", "buckets", Watched, WatchedStacks]
order = pytest.mark.parametrize("order", list(ORDERS.values()), ids=list(ORDERS))


class Turns(Scene):
    """A scene in which a search advances by single turns."""

    function: Any = None  # a heuristic of the user's

    def __init__(self, story: Any, planner: replan.Planner) -> None:
        made.clear()
        super().__init__(story, planner)
        self.watched, self.record = "Watched" in repr(planner), []

    def turn(self, k: int = 1) -> bool:
        done = self.planner.advance(self.space.state(self.at), replan.Expansions(k))
        self.note(done)
        self.check_invariants()
        if done:
            self.check_complete()
        return done

    def finish(self) -> None:
        while not self.turn():
            pass

    def values(self) -> tuple[dict[Any, float], dict[Any, float], set[Any]]:
        """g, rhs and who is queued."""
        shot = self.planner.snapshot()
        state = {s: self.space.state(s) for s in self.edges()}

        def numbers(name: str) -> dict[Any, float]:
            return {s: INF if shot[name][i] < 0 else int(shot[name][i]) for s, i in state.items()}

        return numbers("g"), numbers("rhs"), {s for s, i in state.items() if shot["open"][i]}

    def check_invariants(self) -> None:
        g, rhs, queued = self.values()
        for s, out in self.edges().items():
            least = 0 if s in self.goals else min((c + g[v] for v, c in out.items()), default=INF)
            assert rhs[s] == least, f"rhs({s}) is {rhs[s]}, the least over its successors is {least}"
        self.check_queue(g, rhs, queued)
        search = self.planner.search
        assert self.planner.open.size == len(queued)
        if not self.watched:
            return
        stored = {self.space.key(s): entry[0] for s, entry in made[-1].entries.items()}
        assert set(stored) == queued, "the queue holds others than those marked as queued"
        for s, f in stored.items():
            fresh = self.key(s, g[s], rhs[s])
            assert f <= fresh, f"the stored key of {s} is {f}, the fresh one {fresh}"
            if search.stamp[self.space.state(s)] >= search.current_stamp:  # queued since the agent moved
                assert f == fresh, f"the stored key of {s} is {f}, but {fresh} is taken for granted"

    def note(self, done: bool) -> None:
        """Remember the whole state of the search."""
        shot, keys = self.planner.snapshot(), self.planner.search.keys
        arrays = tuple(shot[name].tolist() for name in ("g", "rhs", "parent", "open"))
        self.record.append(
            (self.space.max_path_cost, keys.k_m, done, self.planner.expansions, self.planner.key_updates, arrays)
        )

    def check_queue(self, g: dict[Any, float], rhs: dict[Any, float], queued: set[Any]) -> None:
        assert queued == {s for s in g if g[s] != rhs[s]}, "the queue is not the inconsistent states"

    def key(self, s: Any, g: float, rhs: float) -> float:
        keys = self.planner.search.keys
        m, e = min(g, rhs), self.h(keys.target, self.space.state(s)) + keys.k_m
        return m + e if keys.uses_smaller_g_keys else 2 * (m + e) + (g >= rhs)

    def h(self, a: int, b: int) -> int:
        return self.space.distance(a, b) if self.function is None else user_estimate(self.function, self.space, a, b)

    def check_complete(self) -> None:
        """Where the search says it is done: the distance, and a path along `parent` that costs that."""
        g, rhs, _ = self.values()
        best = self.best()
        assert rhs[self.at] == (INF if best is None else best)
        if best is not None:
            parent, s, cost = self.planner.snapshot()["parent"], self.at, 0
            for _ in g:
                if s in self.goals:
                    break
                after = self.space.key(int(parent[self.space.state(s)]))
                cost += self.edges()[s][after]
                s = after
            assert s in self.goals and cost == best
        back = reversed_edges(self.edges())
        exact = [dijkstra(back, goal) for goal in self.goals]
        for s, value in g.items():  # what is consistent and comes before the agent is exact
            near = best is not None and value + self.h(self.space.state(self.at), self.space.state(s)) < best
            if near and value == rhs[s]:
                assert value == min(d.get(s, INF) for d in exact)


def play(scene: Turns, events: list[tuple[Any, ...]], turns: list[int]) -> None:
    """After each event some turns, not to the end. "walk": the agent drifts along some edge while nothing is known."""
    with limited():
        for i, event in enumerate(events):
            for _ in range(turns[i % len(turns)]):
                if scene.turn():
                    break
            if event[0] == "walk":
                out = sorted(scene.edges()[scene.at])
                if out:
                    scene.jump(out[event[1] % len(out)])
            elif event[0] != "ahead":
                scene.happen(event)
        if scene.at not in scene.goals:
            scene.finish()


numbers = st.lists(st.integers(0, 12), min_size=1, max_size=6)


STORIES = {
    "grids": grid_stories(largest=5),
    "graphs": graph_stories(),
    "roads": road_stories(),
    "moving targets": stories(targets=True),
}


@order
@pytest.mark.parametrize("kind", STORIES)
@examples(80)
@given(data=st.data(), turns=numbers)
def test_invariants_after_any_number_of_turns(order, kind, data, turns):
    story = data.draw(STORIES[kind])
    scene = Turns(story, replan.planner("D* Lite", **order))
    play(scene, story.events, turns)


@pytest.mark.parametrize("how", list(HEAPS.values()), ids=list(HEAPS))
@pytest.mark.parametrize("kind", ["grids", "graphs", "roads"])
@examples(40)
@given(data=st.data(), turns=numbers)
def test_the_same_turns_with_a_queue_in_python(how, kind, data, turns):
    """As far as keys fit: a queue that is laid out anew takes equal states in the order in which it finds them."""
    story = data.draw(STORIES[kind])
    records = []
    for queue in ({}, {"queue": Watched}):
        scene = Turns(story, replan.planner("D* Lite", **how, **queue))
        play(scene, story.events, turns)
        records.append(scene.record)
    bound, most_km = None, 0
    for mine, other in zip(*records, strict=False):
        if bound not in (None, mine[0]) or mine[1] < most_km:
            return
        assert mine == other
        bound, most_km = mine[:2]
    assert len(records[0]) == len(records[1])


@order
@examples(30)
@given(data=st.data(), turns=numbers)
def test_invariants_with_extreme_weights(order, data, turns):
    story = data.draw(heavy_stories(order, largest=4))
    scene = Turns(story, replan.planner("D* Lite", **order))
    play(scene, story.events, turns)


@order
@examples(40)
@given(story=road_stories(), turns=numbers, share=st.sampled_from([0.3, 0.7, 1.0]))
def test_invariants_with_a_function_of_the_users(order, story, turns, share):
    """It obeys the triangle inequality, but rounded down to ticks it may be one short."""
    spots = story.terrain().case.positions
    ticks = story.terrain().graph.units_per_length

    def h(a: Any, b: Any) -> float:
        return share * ticks * float(np.hypot(spots[a][0] - spots[b][0], spots[a][1] - spots[b][1]))

    scene = Turns(story, replan.planner("D* Lite", heuristic=h, **order))
    scene.function = h
    play(scene, story.events, turns)


class AnytimeTurns(Turns):
    """AD*: a state that was lowered in this iteration and is inconsistent again waits outside the queue."""

    def check_queue(self, g: dict[Any, float], rhs: dict[Any, float], queued: set[Any]) -> None:
        assert queued <= {s for s in g if g[s] != rhs[s]}

    def key(self, s: Any, g: float, rhs: float) -> float:
        keys = self.planner.search.keys
        m, h = min(g, rhs), self.h(keys.target, self.space.state(s))
        return 2 * (10 * m + keys.inflation * h + keys.k_m) + 1 if g >= rhs else 2 * (10 * (m + h) + keys.k_m)

    def check_complete(self) -> None:
        _, rhs, _ = self.values()
        best = self.best()
        if best is None:
            assert rhs[self.at] == INF
        else:
            assert best <= rhs[self.at] <= best * self.planner.search.keys.inflation / 10


@examples(150)
@given(story=stories(), turns=numbers, queue=st.sampled_from(QUEUES), plans=st.booleans())
def test_invariants_of_anytime_d_star(story, turns, queue, plans):
    """Advanced by turns; `plans`: begun by an episode with a large weight, and single episodes in between."""
    scene = AnytimeTurns(story, replan.planner("AD*", queue=queue, lookahead=1))
    if plans:
        scene.agent.plan()
    play(scene, story.events, turns)


def test_k_m_starts_again_before_keys_overflow():
    """An agent that runs up and down for ever: k_m grows with each move, and is taken back in time."""
    grid = replan.Grid(np.zeros((1, 6), bool), neighbors=4)
    for options in ORDERS.values():
        planner = replan.planner("D* Lite", **options)
        agent = replan.Agent(planner, grid.copy(), (0, 0), (0, 5))
        largest = 0
        for i in range(200):
            agent.move((0, i % 5))
            agent.observe([(0, 5)], [i % 3 == 0])
            path = agent.plan()
            assert path == (None if i % 3 == 0 else [(0, c) for c in range(i % 5 + 1, 6)])
            largest = max(largest, planner.search.keys.k_m)
        assert 0 < largest <= 20


def test_an_interrupted_search_goes_on_in_plan():
    """What advance() began, an episode ends."""
    grid = replan.Grid(np.zeros((20, 20), bool), neighbors=4)
    whole = replan.planner("D* Lite")
    agent = replan.Agent(whole, grid.copy(), (0, 0), (19, 19))
    agent.plan()
    parts = replan.planner("D* Lite")
    agent = replan.Agent(parts, grid.copy(), (0, 0), (19, 19))
    for _ in range(10):
        assert not parts.advance(grid.state((0, 0)), replan.Expansions(1))
    assert parts.expansions == 10
    assert len(agent.plan()) == 38
    assert parts.expansions == whole.expansions
    assert parts.advance(grid.state((0, 0)), replan.Expansions(1)) and parts.expansions == whole.expansions
