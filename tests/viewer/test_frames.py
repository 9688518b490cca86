"""What is sent to the page, and that it is what happened."""

from __future__ import annotations

import numpy as np
import pytest

import replan
from replan.planners.registry import planners
from replan.viewer.messages import PageCells, pack, unpack
from replan.viewer.session import Session
from replan.viewer.settings import Settings


def test_a_message_there_and_back_again():
    rng = np.random.default_rng(1)
    arrays = {
        "a": ("i32", rng.integers(-9, 9, 7)),
        "b": ("d32", rng.integers(0, 10**6, 12)),
        "c": ("u8", [1, 2, 3]),
        "d": ("u16", []),
        "e": ("u16", [65_535]),
        "f": ("b1", rng.integers(0, 2, 77)),
    }
    found = unpack(pack({"kind": "x", "text": "µ"}, arrays))
    assert found["kind"] == "x" and found["text"] == "µ"
    for name, (_, numbers) in arrays.items():
        assert found[name].tolist() == list(numbers)


def told(settings: Settings, most: int = 100_000):
    session = Session(settings)
    opening = unpack(session.world_message())
    return session, opening, [unpack(frame) for frame in session.advance(most)]


class Watcher:
    """What a page knows after some frames."""

    def __init__(self, opening):
        n = opening["rows"] * opening["cols"]
        self.belief, self.truth = opening["belief"].astype(int), opening["truth"].astype(int)
        self.g, self.h, self.rhs = (np.full(n, -1) for _ in range(3))
        self.raised, self.flags, self.met = np.zeros(n, int), np.zeros(n, int), np.zeros(0, int)

    def take(self, frame):
        for name in ("believed", "changed"):
            if name in frame:
                (self.belief if name == "believed" else self.truth)[frame[name]] = frame[f"{name}_to"]
        if "reset" in frame:
            self.g[self.met] = -1
            self.flags[self.met] = 0
            self.met = np.zeros(0, int)
        if "states" in frame:
            for name in ("g", "h", "rhs", "raised", "flags"):
                if name in frame:
                    getattr(self, name)[frame["states"]] = frame[name]
            self.met = np.concatenate([self.met, frame["states"]])


@pytest.mark.parametrize("spec", planners(), ids=lambda spec: spec.slug)
def test_after_every_frame_the_page_knows_what_the_planner_knows(spec):
    # doors: costs rise and fall
    near = 4 if spec.needs_unit_costs or spec.needs_plain_grid else 8
    chosen = Settings(map="new-doors", rows=21, cols=25, seed=2, sensor="3", neighbors=near, planners=(spec.slug,))
    session = Session(chosen)
    watcher = Watcher(unpack(session.world_message()))
    story, cells = session.stories[0], PageCells(session.grid)
    for _ in range(40):
        for frame in session.advance(1):
            watcher.take(unpack(frame))
        inner = session.grid.to_map_shape
        for space, told in ((story.world.belief, watcher.belief), (story.world.truth, watcher.truth)):
            assert (inner(np.array([space.get_value(s) for s in range(space.n)])).ravel() == told).all()
        shot = story.planner.snapshot()
        if "g" in shot and story[len(story) - 1].episode is not None:
            flat = {name: inner(column).ravel() for name, column in shot.items()}
            assert (flat["g"] == watcher.g).all()
            if "rhs" in flat:
                assert (flat["rhs"] == watcher.rhs).all()
            elif "h" in flat:
                goal = int(cells.cells_of(story[len(story) - 1].goals)[0])
                first = [session.grid.distance(s, story[len(story) - 1].goals[0]) for s in range(session.grid.n)]
                learns = story[len(story) - 1].counts.h_increase > 0  # searches from the goal have another h at first
                expected = np.where(flat["h"] >= 0, np.maximum(flat["h"] - inner(np.array(first)).ravel(), 0), 0)
                assert (expected * learns == watcher.raised).all(), goal
    assert story.trip is not None or len(story) == 40


def test_frames_tell_the_trip_that_simulate_makes():
    settings = Settings(rows=40, cols=50, seed=4, planners=("rtaa:lookahead=9", "D* Lite"), sensor="4")
    session, _, frames = told(settings)
    for who, name in enumerate(settings.planners):
        planner = session.settings.make_planners()[who]
        world = session.settings.make_world(session.grid)
        trip = replan.simulate(world, planner, session.settings.start, session.settings.goal)
        walked = [frame["at"] for frame in frames if frame["who"] == who]
        assert walked == PageCells(session.grid).cells_of([session.grid.state(cell) for cell in trip.path]).tolist(), (
            name
        )
        assert [frame["why"] for frame in frames if frame["who"] == who][-1] == trip.why


def test_an_edit_in_the_past_gives_the_trip_that_was_told_with_it():
    settings = Settings(rows=40, cols=50, seed=4, planners=("rtaa:lookahead=9", "D* Lite"))
    session, _, frames = told(settings)
    wall = tuple((row, 20) for row in range(5, 35) if not session.grid.blocked[row, 20])
    first = [unpack(frame) for frame in session.edit_at(10, (0, "change", wall, "blocked"))]
    assert {frame["tick"] for frame in first} == {11} and all(frame["cause"] == "change" for frame in first)
    rest = [unpack(frame) for frame in session.advance(100_000)]
    _, _, again = told(session.settings)  # as a permalink does it
    expected = [frame for frame in frames if frame["tick"] <= 10] + first + rest
    assert [(f["who"], f["tick"], f["at"]) for f in again] == [(f["who"], f["tick"], f["at"]) for f in expected]


def test_moving_the_goal_goes_on_with_a_trip_that_had_ended():
    session, _, _ = told(Settings(rows=30, cols=30, seed=1))
    end = session.stories[0].trip
    assert end is not None and end.reached
    session.edit_at(session.tick, (0, "retarget", session.settings.start))
    list(session.advance(100_000))
    assert session.has_ended and session.stories[0].agent.cell == session.settings.start
