"""Crowds: characters come, go, are sent elsewhere and step, in any order; every frame is looked at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import replan
from fuzz.belief import Belief
from fuzz.claims import Claims
from fuzz.ground import Cell, GridGround, Ground, Place, believed
from fuzz.leading import budget_of
from fuzz.planning import Plan, Whoops, parts, source
from fuzz.verdict import Script, must
from replan import Status

FRAMES = 100_000  # within which all who can arrive have arrived on the small maps of these cases
Call = tuple[Any, ...]


@dataclass(frozen=True)
class Throng:
    """A case: the ground, what is believed of it at first, who plans, and calls.

    plan: None for one field a goal. world: the truth is seen by those who stand beside it. workers: of a second crowd
    that is told the same and has to do the same; 1: there is none. Characters are named by numbers, counted around.

    - ("add", [(start, goal)]), ("remove", [number]), ("retarget", [number], goal), ("place", [(number, cell)]);
    - ("observe", [(place, value)]), ("put", place, value): a change of the shared belief from outside;
    - ("tick", budget, who is ready: None for all), ("finish",).
    """

    ground: Ground
    known: tuple[tuple[Place, int], ...]
    plan: Plan | None
    world: bool
    solid: bool
    workers: int
    calls: tuple[Call, ...]


@dataclass
class Somebody:
    at: Cell
    goal: Cell


class Host:
    """A crowd, perhaps two that are alike, and what the oracle knows of them."""

    def __init__(self, case: Throng, script: Script) -> None:
        self.case, self.ground, self.script = case, case.ground, script
        self.truth = Belief(self.ground, self.ground.true_values())
        first = self.ground.free_values() if case.world else believed(self.ground, case.known)
        self.belief = Belief(self.ground, first)
        self.people: dict[int, Somebody] = {}
        self.added = 0
        seed_goal = self.ground.cells[0]
        self.claims = None if case.plan is None else Claims(case.plan, self.ground)
        self.crowds = [self.make(first, seed_goal, workers) for workers in dict.fromkeys([1, case.workers])]
        if script.kept:
            self.tell(first, seed_goal)

    def make(self, first: Any, goal: Cell, workers: int) -> Any:
        space = self.ground.space(self.truth.values if self.case.world else first)
        believed = replan.World(space) if self.case.world else space
        if self.case.plan is None:
            return replan.Crowd(believed, "FlowField", collisions="wait" if self.case.solid else None)
        options = parts(self.case.plan, self.ground, goal)
        return replan.Crowd(
            believed, self.case.plan.name, workers=workers, collisions="wait" if self.case.solid else None, **options
        )

    def tell(self, first: Any, goal: Cell) -> None:
        before, named = ([], "'FlowField'") if self.case.plan is None else source(self.case.plan, self.ground, goal)
        named = named.removeprefix("replan.planner(").removesuffix(")")
        self.script.say(*self.ground.lines("space", self.truth.values if self.case.world else first), *before)
        space = "replan.World(space)" if self.case.world else "space"
        self.script.say(f"crowd = replan.Crowd({space}, {named}, collisions={'wait' if self.case.solid else None!r})")

    def call(self, name: str, *given: Any, **more: Any) -> list[Any]:
        """The same call of each crowd, once more if a function of the user's fails: that has changed nothing."""
        if self.script.kept:
            told = [repr(one) for one in given] + [f"{key}={value!r}" for key, value in more.items()]
            self.script.say(f"print(crowd.{name}({', '.join(told)}))")
        return [self.ask(crowd, getattr(crowd, name), *given, **more) for crowd in self.crowds]

    def ask(self, crowd: Any, do: Callable[..., Any], *given: Any, **more: Any) -> Any:
        before = crowd.ids.tolist(), keys(crowd.cells)
        try:
            return do(*given, **more)
        except Whoops:
            now = crowd.ids.tolist(), keys(crowd.cells)
            must(now == before, "a call that fails has moved nobody", before=before, now=now)
            return do(*given, **more)

    def some(self, numbers: list[int]) -> list[int]:
        ids = list(self.people)
        return list(dict.fromkeys(ids[number % len(ids)] for number in numbers)) if ids else []

    def put(self, place: Place, value: int) -> None:
        self.belief.put(place, value)

    def stand(self, cell: Cell) -> None:
        """Where somebody stands nothing is blocked; in a world it sees what is around."""
        if isinstance(self.ground, GridGround) and self.belief.get(cell) == 0:
            self.put(cell, self.belief.if_free(cell))
        for place in self.ground.visible(self.truth.values, cell, "adjacent") if self.case.world else ():  # type: ignore[arg-type]
            taken = isinstance(self.ground, GridGround) and any(one.at == place for one in self.people.values())
            if not (taken and self.truth.get(place) == 0):
                self.put(place, self.truth.get(place))

    def free_cells(self, cells: list[Cell], but: list[int]) -> list[Cell]:
        """Those where somebody may stand: in a world, not in a wall."""
        here = [cell for cell in cells if cell in self.ground.cells]
        taken = {one.at for number, one in self.people.items() if number not in but} if self.case.solid else set()
        fit = []
        for cell in here:
            if cell in taken or (self.case.world and isinstance(self.ground, GridGround) and not self.truth.get(cell)):
                continue
            fit.append(cell)
            taken |= {cell} if self.case.solid else set()
        return fit

    # What may happen.

    def do_add(self, pairs: list[tuple[Cell, Cell]]) -> None:
        starts, ends = self.free_cells([start for start, _ in pairs], []), dict(pairs)
        if any(ends[start] not in self.ground.cells for start in starts):
            return
        goals = [ends[start] for start in starts]
        for ids in self.call("add", starts, goals):
            must(ids.tolist() == list(range(self.added, self.added + len(starts))), "ids are new", ids=ids)
        for start, goal in zip(starts, goals, strict=True):
            self.people[self.added] = Somebody(start, goal)
            self.added += 1
        for start in starts:
            self.stand(start)

    def do_remove(self, numbers: list[int]) -> None:
        ids = self.some(numbers)
        if ids:
            self.call("remove", ids)
            for number in ids:
                del self.people[number]

    def do_retarget(self, numbers: list[int], goal: Cell) -> None:
        ids = self.some(numbers)
        if ids and goal in self.ground.cells:
            self.call("retarget", ids, [goal])
            for number in ids:
                self.people[number].goal = goal

    def do_place(self, moves: list[tuple[int, Cell]]) -> None:
        ids = self.some([number for number, _ in moves])
        cells = self.free_cells([cell for _, cell in moves][: len(ids)], ids)
        if ids and len(cells) == len(ids):
            self.call("set_positions", ids, cells)
            for number, cell in zip(ids, cells, strict=True):
                self.people[number].at = cell
            for cell in cells:
                self.stand(cell)

    def do_observe(self, seen: list[tuple[Place, int]]) -> None:
        seen = [(place, value) for place, value in seen if self.ground.fits(place, value)]
        if not seen or self.case.world:
            return
        news, standing = 0, {one.at for one in self.people.values()}
        for place, value in seen:
            if not (value == 0 and place in standing) and self.belief.get(self.ground.named(place)) != value:
                news += 1
                self.put(self.ground.named(place), value)
        cells, weights = [place for place, _ in seen], [self.ground.shown(value) for _, value in seen]
        for said in self.call("observe", cells, weights=weights):
            must(said == news, "observe() counts what is news", says=said, news=news)

    def do_put(self, place: Place, value: int) -> None:
        standing = {one.at for one in self.people.values()}
        own = getattr(self.ground, "own", False)  # no agent is told of its put()
        if self.case.world or own or not self.ground.fits(place, value) or (value == 0 and place in standing):
            return
        self.script.say(f"space.set_value(space.location({place!r}), {value})")
        for crowd in self.crowds:
            crowd.belief.set_value(crowd.belief.location(place), value)
        self.put(self.ground.named(place), value)

    def do_tick(self, budget: Any = None, ready: Any = None) -> None:
        who = None if ready is None else sorted(self.some(ready))
        told = {} if budget is None else {"budget": budget_of(budget)}
        moves = self.call("tick", **told, **({} if who is None else {"ids": who}))
        steps = [dict(zip(moved.ids.tolist(), keys(moved.cells), strict=True)) for moved in moves]
        if budget is None or budget[0] == "expansions" or budget[1] == 0:
            must(steps[-1] == steps[0], "several workers move as one does", one=steps[0], several=steps[-1])
        else:
            self.crowds = self.crowds[:1]  # who looks at the clock goes ways of its own
        self.look_at(steps[0], who, budget is None)

    def do_finish(self) -> None:
        """All who can arrive do, where nobody is in the way, and the others say that they cannot."""
        surely = self.claims is None or (self.claims.small and self.claims.notices)
        if self.case.solid or not surely:
            return
        for _ in range(FRAMES):
            self.do_tick()  # a status is of the last one, and much may have been seen since
            if all(status in (Status.ARRIVED, Status.UNREACHABLE) for status in self.crowds[0].status):
                break
        for number, status in zip(self.crowds[0].ids.tolist(), self.crowds[0].status, strict=True):
            wanted = Status.ARRIVED if self.leads(self.people[number]) else Status.UNREACHABLE
            must(status is wanted, "all arrive, or say that they cannot", who=number, status=status)

    # What is looked at.

    def leads(self, one: Somebody) -> bool:
        return one.at in self.belief.distances([one.goal])

    def look_at(self, steps: dict[int, Cell], who: list[int] | None, all_planned: bool) -> None:
        ready, loops = set(self.people if who is None else who), self.claims is not None and self.claims.loops
        must(set(steps) <= ready, "only those step who are ready", moved=steps, who=who)
        could = {number for number in ready if self.people[number].at != self.people[number].goal}
        could = {number for number in could if self.leads(self.people[number])}
        if all_planned and not self.case.solid and not loops:
            must(could <= set(steps), "all step who have a way", could=could, moved=steps)
        for number in sorted(steps):
            one, to = self.people[number], steps[number]
            must(to in self.belief.steps(one.at), "each step is possible", who=number, at=one.at, to=to)
            toll = self.truth if self.case.world else self.belief
            must(to in toll.steps(one.at), "each step is possible in truth", who=number, at=one.at, to=to)
        for number, to in steps.items():
            self.people[number].at = to
        for to in steps.values():
            self.stand(to)
        if all_planned and who is None:
            self.look_at_status(could)
        self.look_at_places()

    def look_at_status(self, could: set[int]) -> None:
        for number, status in zip(self.crowds[0].ids.tolist(), self.crowds[0].status, strict=True):
            one = self.people[number]
            must((status is Status.ARRIVED) == (one.at == one.goal), "who stands on its goal has arrived", who=number)
            if status is Status.UNREACHABLE:
                must(number not in could, "no way only where there is none", who=number, at=one.at, goal=one.goal)

    def look_at_places(self) -> None:
        for crowd in self.crowds:
            said = dict(zip(crowd.ids.tolist(), zip(keys(crowd.cells), keys(crowd.goals), strict=True), strict=True))
            mine = {number: (one.at, one.goal) for number, one in self.people.items()}
            must(said == mine, "everybody is where it went", says=said, should=mine)
        if self.case.solid:
            cells = [one.at for one in self.people.values()]
            must(len(set(cells)) == len(cells), "nobody stands on anybody", cells=cells)

    def look_at_belief(self) -> None:
        for crowd in self.crowds:
            space = crowd.belief
            for cell in self.ground.cells:
                steps = {space.key(v): cost for v, cost in space.successors(space.state(cell))}
                mine = self.belief.steps(cell)
                must(steps == mine, "a crowd believes what was said", cell=cell, it_has=steps, it_should_have=mine)


def keys(cells: Any) -> list[Cell]:
    return list(map(tuple, cells.tolist())) if isinstance(cells, np.ndarray) else list(cells)


def judge(case: Throng, script: Script) -> None:
    host = Host(case, script)
    for name, *given in case.calls:
        getattr(host, f"do_{name}")(*given)
    host.look_at_places()
    host.look_at_belief()
