"""RTD*: the global search's invariants, the limit of a step, and what each part of it decides (RTD* 2010)."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import replan
from edits import Scene, Story, as_goal, limited, stories
from examples import examples
from lockstep import GridTerrain
from search.test_incremental import AnytimeTurns, Turns, Watched, WatchedStacks
from sorted_queue import SortedQueue, Stacks
from strategies import GridCase

LOCALS = ["LRTA*", "RTA*", "TLA*", "Neighbor LRTA*", "LSS-LRTA*", "RTAA*", "aRTAA*", "daRTAA*", "daLSS-LRTA*"]
ORDERS = [{}, {"prefer": "smaller g"}, {"queue": "buckets"}, {"ties": "random", "seed": 3}]
UNWATCHED = {Watched: SortedQueue, WatchedStacks: Stacks}
WATCHED = [{"queue": Watched}, {"queue": Watched, "prefer": "smaller g"}, {"queue": WatchedStacks}]
ORDER = ("queue", "prefer", "ties", "seed")
WAITS, INFORMED, PARTIAL, NO_WAY = "waits", "fully informed", "partially informed", "no way"


class Alone:
    """The global search of an RTD* agent by itself: RTD* NoOp, which moves only when it is fully informed.

    It shares the belief of that agent, goes where it goes, and gets the global share of its limits.
    """

    def __init__(self, scene: Steps, **options: Any) -> None:
        kept = {name: options[name] for name in ("global_", *ORDER) if name in options}
        planner = replan.planner("RTD* NoOp", **kept)
        self.agent = replan.Agent(planner, scene.space, scene.at, as_goal(scene.goals))
        self.ratio = scene.rtd.local_ratio

    def plan(self, limit: int) -> list[Any] | None:
        return self.agent.plan(replan.Budget(limit - max(1, limit * self.ratio // 10**6)))


class Steps(Turns):
    """RTD* a step at a time. `planner` is the global search, whose invariants are looked at after every step.

    A queue that is watched is for the global search, and no other one.
    """

    def __init__(self, story: Story, name: str = "RTD*", **options: Any) -> None:
        queue, parts = options.get("queue"), dict(options)
        if queue in UNWATCHED:
            order = {name: parts.pop(name) for name in ORDER if name in parts}
            parts["global_"] = replan.planner(options.get("global_", "D* Lite"), **order)
        self.rtd = replan.planner(name, **parts)
        super().__init__(story, self.rtd)
        self.planner, self.watched, self.walked = self.rtd.global_planner, queue in UNWATCHED, 0
        alone = {**options, "queue": UNWATCHED[queue]} if self.watched else options
        self.alone = Alone(self, **alone) if self.rtd.local_planner else None

    def jump(self, cell: Any) -> None:
        super().jump(cell)
        if self.alone:
            self.alone.agent.move(cell)

    def target(self, goals: set[Any]) -> None:
        super().target(goals)
        if self.alone:
            self.alone.agent.retarget(as_goal(self.goals))

    def step(self, limit: int) -> str:
        """Plan and move; of which kind the step is ("": arrived, or planned before)."""
        episodes, used = self.agent.episodes, self.rtd.expansions + self.rtd.key_updates
        self.path = self.agent.plan(replan.Expansions(limit))
        if self.agent.episodes == episodes:  # arrived, or the step planned before is still good
            assert self.path == [] if self.at in self.goals else len(self.path) == 1
            return ""
        assert self.rtd.expansions + self.rtd.key_updates - used <= limit
        self.check_invariants()
        kind = self.kind(limit)
        if kind == INFORMED:
            self.check_complete()
        if kind in (INFORMED, PARTIAL):
            assert len(self.path) == 1
            self.walked += self.edges()[self.at][self.path[0]]
        return kind

    def kind(self, limit: int) -> str:
        """Of the step that was just planned."""
        known = self.alone.plan(limit) if self.alone else self.path
        if self.path is None:
            assert self.agent.status is replan.Status.UNREACHABLE
            return NO_WAY
        if self.path == [self.at]:
            assert self.agent.status is replan.Status.WAITING
            return WAITS
        assert self.agent.status is replan.Status.WALKING
        if known == [self.at]:
            return PARTIAL
        assert known == self.path
        return INFORMED

    def move(self) -> None:
        if self.path:
            self.jump(self.path[0])


class AnytimeSteps(Steps):
    check_queue, key = AnytimeTurns.check_queue, AnytimeTurns.key

    def check_complete(self) -> None:
        """`parent` leads to the goal, and not too far about, even in the middle of a search with a smaller weight."""
        best, parent, s, cost = self.best(), self.planner.snapshot()["parent"], self.at, 0
        assert best is not None
        for _ in range(self.space.n):
            if s in self.goals:
                break
            after = self.space.key(int(parent[self.space.state(s)]))
            cost += self.edges()[s][after]
            s = after
        assert s in self.goals
        assert best <= cost <= 3 * best + 2 * self.walked


def play(scene: Steps, events: list[tuple[Any, ...]], limits: list[int]) -> None:
    turn = itertools.cycle(limits)
    with limited():
        for event in events:
            if event[0] == "walk":
                for _ in range(event[1]):
                    scene.step(next(turn))
                    scene.move()
            elif event[0] != "ahead":
                scene.step(next(turn))
                scene.happen(event)
        scene.step(next(turn))


def called(order: dict[str, Any]) -> str:
    return ", ".join(getattr(value, "__name__", str(value)) for value in order.values()) or "usual"


numbers = st.lists(st.integers(1, 12), min_size=1, max_size=6)


@pytest.mark.parametrize("order", [*ORDERS, *WATCHED], ids=called)
@examples(60)
@given(story=stories(targets=True), limits=numbers, ratio=st.sampled_from([0, 0.25, 0.5, 0.75, 1]))
def test_invariants_and_limit_with_d_star_lite(order, story, limits, ratio):
    play(Steps(story, local_ratio=ratio, **order), story.events, limits)


@pytest.mark.parametrize("local", LOCALS)
@examples(25)
@given(story=stories(targets=True), limits=numbers, moves=st.sampled_from([1, 3, None]))
def test_invariants_and_limit_with_every_local_search(local, story, limits, moves):
    play(Steps(story, local=local, local_moves=moves), story.events, limits)


@pytest.mark.parametrize("queue", ["heap", "buckets", Watched, WatchedStacks])
@examples(100)
@given(story=stories(targets=True), limits=numbers)
def test_invariants_and_limit_with_anytime_d_star(queue, story, limits):
    play(AnytimeSteps(story, global_="AD*", queue=queue), story.events, limits)


@examples(60)
@given(story=stories(targets=True), limits=numbers)
def test_without_a_local_search_the_agent_waits(story, limits):
    """NoOp spends the whole limit on the global search and moves only when it is fully informed."""
    scene = Steps(story, "RTD* NoOp")
    with limited():
        for event, limit in zip(story.events, itertools.cycle(limits), strict=False):
            used, kind = scene.rtd.expansions + scene.rtd.key_updates, scene.step(limit)
            if kind == WAITS:
                assert scene.rtd.expansions + scene.rtd.key_updates - used == limit
            scene.move()
            if event[0] not in ("walk", "ahead"):
                scene.happen(event)


@pytest.mark.parametrize("local", ["LSS-LRTA*", "RTAA*", "TLA*", "LRTA*"])
@pytest.mark.parametrize("on_cost_decrease", ["keep", "repair"])
@examples(25)
@given(story=stories(targets=True), limits=numbers)
def test_a_partially_informed_step_is_that_of_the_local_search_alone(local, on_cost_decrease, story, limits):
    """A second agent with the local search and its share of the limit, carried along, would make the same step."""
    scene = Steps(story, local=local, on_cost_decrease=on_cost_decrease)
    moves = {} if local in ("TLA*", "LRTA*") else {"moves": 1}
    alone = Scene(story, replan.planner(local, on_cost_decrease=on_cost_decrease, **moves))
    with limited():
        for event, limit in zip([*story.events, ("walk", 1)], itertools.cycle(limits), strict=False):
            if scene.step(limit) == PARTIAL:
                if alone.at != scene.at:
                    alone.jump(scene.at)
                assert alone.agent.plan(replan.Expansions(max(1, limit // 2))) == scene.path
                alone.agent.move(scene.path[0])
            scene.move()
            if event[0] not in ("walk", "ahead", "cut_off", "give_back"):
                for one in (scene, alone):
                    if one is alone and one.at != scene.at:
                        one.jump(scene.at)
                    one.happen(event)


def long_story(seed: int) -> Story:
    """Rooms large enough that a small limit leaves the global search far behind, while cells open and shut."""
    rng = np.random.default_rng(seed)
    blocked = replan.rooms(16, 16, room_size=4, doors=2, seed=seed)
    blocked[0, 0] = blocked[15, 15] = False
    case = GridCase(blocked, 8, "strict", None, None)
    events: list[tuple[Any, ...]] = []
    for i in range(80):
        if i % 10 == 9:
            events.append(("jump", (0, 0)))
        cells = [tuple(cell) for cell in rng.integers(0, 16, (int(rng.integers(1, 4)), 2)).tolist()]
        cells = [cell for cell in cells if cell != (15, 15)]
        events.append(("edit", [(cell, int(rng.random() < 0.6)) for cell in cells]))
        events.append(("walk", int(rng.integers(1, 4))))
    return Story(lambda: GridTerrain(case, case.values()), (0, 0), {(15, 15)}, events)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("global_", "steps"), [("D* Lite", Steps), ("AD*", AnytimeSteps)])
def test_invariants_and_limit_far_from_the_goal(seed, global_, steps):
    story = long_story(seed)
    for queue in ("heap", Watched):
        play(steps(story, global_=global_, queue=queue), story.events, [4, 20, 7, 30])


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("on_cost_decrease", ["keep", "repair", "reset"])
@pytest.mark.parametrize("moves", [1, None])
def test_partially_informed_steps_far_from_the_goal(seed, on_cost_decrease, moves):
    """Those of the local search alone, which follows its path as far (moves=None: to its end, while that is good)."""
    story = long_story(seed)
    options = {"on_cost_decrease": on_cost_decrease, "local_moves": moves, "local_ratio": 0.9}
    scene = Steps(story, **options)
    alone = Scene(story, replan.planner("LSS-LRTA*", on_cost_decrease=on_cost_decrease, moves=moves))
    partial = 0
    for event in story.events:
        if event[0] != "walk":
            scene.happen(event)
            alone.happen(event)
            continue
        for _ in range(event[1]):
            if scene.step(10) == PARTIAL:
                partial += 1
                assert alone.agent.plan(replan.Expansions(9))[:1] == scene.path
            if scene.path:
                scene.move()
                alone.agent.move(scene.at)
    assert partial > 20, "the global search is seldom there"


@examples(60)
@given(story=stories(targets=True))
def test_non_rtd_follows_cheapest_presumed_paths(story):
    scene = Steps(story, "Non-RTD*")
    with limited():
        for event in story.events:
            kind = scene.step(1 << 62)  # no limit; check_complete asks Dijkstra
            assert kind in ("", INFORMED) or (kind == NO_WAY and scene.best() is None)
            scene.move()
            if event[0] not in ("walk", "ahead"):
                scene.happen(event)
