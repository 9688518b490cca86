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
from oracle.searches import reachable
from search.test_incremental import AnytimeTurns, Turns, Watched, WatchedStacks
from sorted_queue import SortedQueue, Stacks
from strategies import GridCase, problems

LOCALS = ["LRTA*", "RTA*", "TLA*", "LSS-LRTA*", "RTAA*", "aRTAA*", "daRTAA*", "daLSS-LRTA*"]
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
        self.planner, self.watched, self.walked = self.rtd.global_, queue in UNWATCHED, 0
        alone = {**options, "queue": UNWATCHED[queue]} if self.watched else options
        self.alone = Alone(self, **alone) if self.rtd.local else None

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
        episodes, used = self.agent.episodes, self.rtd.expansions + self.rtd.refreshes
        self.path = self.agent.plan(replan.Expansions(limit))
        if self.agent.episodes == episodes:  # arrived, or the step planned before is still good
            assert self.path == [] if self.at in self.goals else len(self.path) == 1
            return ""
        assert self.rtd.expansions + self.rtd.refreshes - used <= limit
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
            assert self.agent.status is replan.Status.NO_WAY
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
            used, kind = scene.rtd.expansions + scene.rtd.refreshes, scene.step(limit)
            if kind == WAITS:
                assert scene.rtd.expansions + scene.rtd.refreshes - used == limit
            scene.move()
            if event[0] not in ("walk", "ahead"):
                scene.happen(event)


@pytest.mark.parametrize("local", ["LSS-LRTA*", "RTAA*", "TLA*", "LRTA*"])
@pytest.mark.parametrize("falling", ["keep", "repair"])
@examples(25)
@given(story=stories(targets=True), limits=numbers)
def test_a_partially_informed_step_is_that_of_the_local_search_alone(local, falling, story, limits):
    """A second agent with the local search and its share of the limit, carried along, would make the same step."""
    scene = Steps(story, local=local, falling=falling)
    moves = {} if local in ("TLA*", "LRTA*") else {"moves": 1}
    alone = Scene(story, replan.planner(local, falling=falling, **moves))
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
    blocked = replan.rooms(16, 16, room=4, doors=2, seed=seed)
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
@pytest.mark.parametrize("falling", ["keep", "repair", "reset"])
@pytest.mark.parametrize("moves", [1, None])
def test_partially_informed_steps_far_from_the_goal(seed, falling, moves):
    """Those of the local search alone, which follows its path as far (moves=None: to its end, while that is good)."""
    story = long_story(seed)
    options = {"falling": falling, "local_moves": moves, "local_ratio": 0.9}
    scene = Steps(story, **options)
    alone = Scene(story, replan.planner("LSS-LRTA*", falling=falling, moves=moves))
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


def changing(case: GridCase, data: Any, start: Any, goal: Any, sensor: str = "everything") -> replan.World:
    cells = st.tuples(st.integers(0, case.shape[0] - 1), st.integers(0, case.shape[1] - 1))
    change = st.tuples(st.integers(0, 15), cells, st.sampled_from(["blocked", "free"]))
    script = data.draw(st.lists(change, max_size=12))
    script = [change for change in script if change[0] > 0 or change[1] not in (start, goal)]
    return replan.World(case.grid(), sensor=sensor, changes=script)


@examples(150)
@given(problem=problems(), data=st.data(), sensor=st.sampled_from(["adjacent", "everything"]))
def test_unlimited_takes_the_steps_of_non_rtd(problem, data, sensor):
    case, start, goal = problem
    world, order = changing(case, data, start, goal, sensor), data.draw(st.sampled_from(ORDERS))
    local = data.draw(st.sampled_from(LOCALS))
    ours = replan.simulate(world, replan.planner("RTD*", lookahead=None, local=local, **order), start, goal)
    non = replan.simulate(world, replan.planner("Non-RTD*", **order), start, goal)
    assert (ours.path, ours.steps, ours.why) == (non.path, non.steps, non.why)
    assert ours.partial_steps == non.partial_steps == 0
    assert ours.expansions == non.expansions and ours.refreshes == non.refreshes


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


@examples(60)
@given(problem=problems(), lookahead=st.just(1), local=st.sampled_from(["LSS-LRTA*", "RTAA*", "TLA*"]))
def test_with_a_limit_of_one_it_is_its_local_search(problem, lookahead, local):
    case, start, goal = problem
    world = replan.World(case.grid())
    ours = replan.simulate(world, replan.planner("RTD*", lookahead=1, local=local), start, goal, max_moves=300)
    alone = replan.simulate(world, replan.planner(local, lookahead=1, moves=1), start, goal, max_moves=300)
    if alone.why != "unreachable":  # the global search may know it sooner: a goal that is shut in ends it at once
        assert ours.path == alone.path[: len(ours.path)] and ours.informed_steps <= 1


class Drunk(replan.Planner):
    """Walks to a random neighbour, wherever the goal is."""

    def begin(self, space, goals):
        super().begin(space, goals)
        self.rng = np.random.default_rng(1)

    def plan(self, state, budget):
        around = [v for v, _ in self.space.successors(state)]
        return [int(self.rng.choice(around))] if around else None


@examples(60)
@given(problem=problems(largest=6))
def test_theorem_2_the_global_search_arrives_whatever_the_local_one_does(problem):
    """In a static world, with a limit large enough. The goal is reachable from everywhere that the agent can go."""
    case, start, goal = problem
    if goal not in reachable(case.edges(), start) or start == goal:
        return
    rtd = replan.planner("RTD*", local=Drunk(), lookahead=40)
    trip = replan.simulate(replan.World(case.grid()), rtd, start, goal, max_moves=5000)
    assert trip.reached
    assert trip.informed_steps > 0 or trip.partial_steps > 0


@pytest.mark.parametrize("limit", [8, 64, 256])
def test_theorem_2_on_rooms(limit):
    """From some step on every step is fully informed: nothing changes, so the search stays complete."""
    grid = replan.Grid(replan.rooms(40, 40, room=6, seed=2))
    rtd = replan.planner("RTD*", lookahead=limit)
    agent = replan.Agent(rtd, grid, (0, 0), (39, 39))
    informed, before = [], 0
    while path := agent.plan():
        informed.append(rtd.local.expansions == before)  # a step of the local search takes one at least
        before = rtd.local.expansions
        agent.move(path[0])
    assert agent.cell == (39, 39)
    assert informed == sorted(informed) and informed[-1]
    trip = replan.simulate(grid, replan.planner("RTD*", lookahead=limit), (0, 0), (39, 39))
    assert (trip.informed_steps, trip.partial_steps) == (sum(informed), len(informed) - sum(informed))


DOOR = np.array([[False, False, True, False, False]])


def test_waits_for_a_door_or_reports():
    world = replan.World(replan.Grid(DOOR), sensor="everything", known="everything", changes=[(7, (0, 2), "free")])
    for name in ("RTD*", "RTD* NoOp", "Non-RTD*", "TBA*"):
        trip = replan.simulate(world, name, (0, 0), (0, 4))
        assert (trip.why, trip.moves) == ("reached", 4), name
        assert trip.steps == trip.moves + trip.waits and trip.waits >= 7 - 4
        told = replan.simulate(world, replan.planner(name, no_path="report"), (0, 0), (0, 4))
        assert (told.why, told.path[-1]) == ("unreachable", told.path[-1]) and told.steps < 7, name


def test_standing_still_while_no_path_exists():
    """Fully informed that there is none, RTD* does not walk about."""
    world = replan.World(replan.Grid(DOOR), sensor="everything", known="everything", changes=[(50, (0, 2), "free")])
    trip = replan.simulate(world, replan.planner("RTD*", lookahead=64), (0, 0), (0, 4))
    assert (trip.moves, trip.waits, trip.steps) == (4, 50, 54)
    assert "50 waits" in str(trip)


def test_the_trip_tells_the_kinds_of_steps_apart():
    doors = replan.rooms_with_doors(60, 60, seed=4, steps=800)
    trip = replan.simulate(doors.world(), replan.planner("RTD*", lookahead=64), doors.start, doors.goal)
    assert trip.reached and trip.episodes == trip.steps == trip.moves + trip.waits
    assert trip.moves == trip.informed_steps + trip.partial_steps
    assert min(trip.informed_steps, trip.partial_steps, trip.refreshes, trip.intakes) > 0
    assert trip.expansions + trip.refreshes <= 64 * trip.steps
    timed = replan.simulate(
        doors.world(), replan.planner("RTD*", lookahead=64), doors.start, doors.goal, timing="episode"
    )
    assert timed.path == trip.path and timed.intake_ns > 0 and trip.intake_ns is None


@pytest.mark.parametrize("global_", ["D* Lite", "AD*"])
@pytest.mark.parametrize("local", LOCALS)
def test_every_composition_gets_through_the_rooms(local, global_):
    doors = replan.rooms_with_doors(40, 40, room=7, seed=9, steps=500)
    rtd = replan.planner("RTD*", lookahead=32, local=local, global_=global_)
    trip = replan.simulate(doors.world(), rtd, doors.start, doors.goal, max_moves=20_000)
    assert trip.reached
    assert all(n <= 32 for n in trip.episode_expansions)


def test_a_deadline_is_shared_too(compiled):
    doors = replan.rooms_with_doors(60, 60, seed=4, steps=800)
    rtd = replan.planner("RTD*", deadline=200)
    trip = replan.simulate(doors.world(), rtd, doors.start, doors.goal, timing="episode", max_moves=20_000)
    assert trip.reached
    assert np.median(trip.episode_ns) < 400_000


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"local": "D* Lite"}, "real-time planner"),
        ({"local": "RTD*"}, "real-time planner"),
        ({"local": "TBA*"}, "real-time planner"),
        ({"local": 3}, "local is a planner"),
        ({"local": "nobody"}, "no planner 'nobody'"),
        ({"global_": "RTAA*"}, "global_ is"),
        ({"global_": None}, "global_ is a planner"),
        ({"local_ratio": 1.5}, "local_ratio"),
        ({"local_ratio": "half"}, "local_ratio"),
        ({"local_moves": 0}, "local_moves"),
        ({"no_path": "cry"}, "no_path"),
        ({"falling": "down"}, "falling"),
        ({"lookahead": 0}, "expansions from 1"),
        ({"queue": "stack"}, "queue is one of"),
    ],
)
def test_what_cannot_be_honoured_is_refused(options, words):
    with pytest.raises(replan.InputError, match=words):
        replan.planner("RTD*", **options)


def test_non_rtd_searches_all_the_way_and_refuses_a_budget():
    agent = replan.Agent("Non-RTD*", replan.Grid(np.zeros((6, 3), bool), neighbors=4), (5, 0), (0, 2))
    with pytest.raises(replan.InputError, match="searches all the way"):
        agent.plan(replan.Expansions(1))
    assert len(agent.plan()) == 1


def test_parts_that_were_made_already():
    local = replan.planner("daRTAA*", falling="repair")
    rtd = replan.planner("RTD*", local=local, global_=replan.planner("AD*", weight=2.0))
    assert rtd.local is local and rtd.global_.first == 20
    shot = rtd.snapshot() if replan.simulate(replan.Grid(DOOR * False), rtd, (0, 0), (0, 4)) else {}
    assert {"g", "rhs", "h", "local_closed"} <= set(shot)
