"""Stories: trips that are watched and meddled with, moment by moment beside the oracle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import replan
from fuzz.belief import Belief
from fuzz.claims import Claims
from fuzz.drive import goal_of
from fuzz.ground import believed
from fuzz.planning import make
from fuzz.verdict import Script, must
from fuzz.walk import Replay, first_belief, fitted, look_at_figures
from fuzz.worlds import Made, Pacer, Walk, said, told

MOST = 400  # moments


@dataclass(frozen=True)
class Watch:
    """A case: what would be a trip, and what somebody does after so many moments.

    A meddling is (moment, "change", [(place, value)]) or (moment, "retarget", cells).
    """

    walk: Walk
    meddling: tuple[Any, ...]


class Watched:
    """A story and the oracle's replay of it."""

    def __init__(self, case: Watch, walk: Walk, script: Script) -> None:
        self.case, self.walk, self.ground, self.script = case, walk, walk.ground, script
        self.made = Made(walk)
        goal = None if walk.target is not None else goal_of(walk.goal)
        if script.kept:
            *lines, trip, _ = told(walk)
            script.say(*lines, trip.replace("trip = replan.simulate", "story = replan.watch"))
        self.goal = walk.goal  # until somebody moves it
        planner = make(walk.plan, self.ground, walk.goal[0])
        trials = walk.trials if walk.trials > 1 else None
        given = (self.made.world, planner, walk.start, goal, walk.max_moves, walk.timing, trials)
        self.story = replan.watch(*given)
        known = first_belief(walk) if isinstance(walk.known, str) else believed(self.ground, walk.known)
        self.replay = Replay(walk, Belief(self.ground, known), Claims(walk.plan, self.ground), self.story.space)

    def tell(self) -> None:
        meddling = sorted(self.case.meddling, key=lambda one: one[0])
        while len(self.story) < MOST:
            if meddling and meddling[0][0] <= len(self.story) > 0:
                self.meddle(*meddling.pop(0)[1:])
                continue
            trials = len(self.story.trips)
            self.script.say("print(story.step())")
            moment = self.story.step()
            if moment is None:
                break
            if moment.cause == "start":
                self.replay.begin(self.made.target.log if isinstance(self.made.target, Pacer) else [], self.goal)
            else:
                self.replay.step(self.story.space.key(moment.state), moment.target)
            self.look_at(moment)
            if len(self.story.trips) > trials:
                self.replay.end(self.story.trips[-1])
                look_at_figures(self.walk, self.replay.claims, self.story.trips[-1])

    def meddle(self, kind: str, what: Any) -> None:
        ended = len(self.story.trips) > 0 and self.story.has_ended
        if self.walk.trials > 1 and (ended or self.story[-1].why):
            return  # a trial that is over is not gone on with
        if kind == "retarget":
            cells = tuple(cell for cell in what if cell in self.ground.cells)
            plain = self.walk.plan.spec.needs_plain_grid
            if not cells or self.walk.target is not None or (plain and len(cells) > 1) or self.fixed():
                return
            self.script.say(f"story.retarget({goal_of(cells)!r})")
            moment = self.story.retarget(goal_of(cells))
            self.replay.goals = self.goal = cells
            self.replay.look()
        else:
            changes = [(place, value) for place, value in what if self.ground.fits(place, value)]
            if not changes:
                return
            places, to = [place for place, _ in changes], [said(self.ground, value) for _, value in changes]
            self.script.say(f"story.change({places}, {to})")
            moment = self.story.change(places, to)
            for place, value in changes:
                if place != self.replay.at or value != 0:
                    self.replay.truth.put(self.ground.named(place), value)
            self.replay.look()
        self.look_at(moment)

    def fixed(self) -> bool:
        """Is the heuristic an array, which is for one goal?"""
        given = self.walk.plan.option("heuristic")
        return isinstance(given, tuple) and given[0] == "array"

    def look_at(self, moment: Any) -> None:
        """Is a moment as the oracle has it?"""
        replay, space, told = self.replay, self.story.space, {"planner": self.walk.plan, "moment": moment.index}
        cells = {space.key(s) for s in moment.goals.tolist()}
        must(space.key(moment.state) == replay.at, "a story: where the agent is", at=replay.at, **told)
        must(cells == set(replay.goals), "a story: where the goal is", goals=replay.goals, says=cells, **told)
        path = [replay.at, *(space.key(s) for s in moment.path.tolist())]
        must(replay.belief.cost(path) < 1 << 62, "a story: the path ahead is possible", path=path, **told)
        for name, values, mine in (
            ("belief", self.story.belief(), replay.belief),
            ("truth", self.story.truth(), replay.truth),
        ):
            odd = [p for p in self.ground.places if values[space.location(p)] != mine.get(p)]
            must(not odd, f"a story: the {name}", places=odd[:3], **told)


def judge(case: Watch, script: Script) -> None:
    walk = fitted(case.walk)
    if walk is not None and not walk.fails:
        Watched(case, walk, script).tell()
