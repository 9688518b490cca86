"""Agents driven by hand, one or several on one belief; every answer is looked at."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import Any

import replan
from fuzz.belief import Belief
from fuzz.claims import Claims
from fuzz.ground import Cell, GraphGround, GridGround, Ground, Place, believed
from fuzz.planning import Plan, Whoops, make, source
from fuzz.query import Query, Question, find
from fuzz.verdict import Script, must
from saving.ways import pickled

WAITS = 400  # calls of plan(), in which each search of these small maps comes to its end
COUNTS = ("expansions", "percolations", "h_increase", "key_updates", "changed_state_count")
COPIES = {"copy": ("copy.copy({})", copy.copy), "pickle": ("pickle.loads(pickle.dumps({}))", pickled)}
Call = tuple[Any, ...]


@dataclass(frozen=True)
class Unit:
    """An agent to be made. goal: one cell or several. before: its planner has served on a square of this side."""

    plan: Plan
    start: Cell
    goal: tuple[Cell, ...]
    before: int = 0


@dataclass(frozen=True)
class Drive:
    """A case: the ground, what is believed of it at first where that is not free, agents, and calls.

    A call is one of these; what makes no sense (any more) is passed over.

    - of an agent: ("plan", agent, budget), ("step", agent), ("move" or "restart", agent, cell), ("retarget", agent,
      cells), ("sense", agent), ("observe", agent, [(place, value)], by weights?), ("ahead", agent, step, value),
      ("again", agent) for the same planner in a new agent, ("ready", agent), ("finish", agent), ("body", agent, of) for
      an agent that takes another one for an obstacle, ("copy", agent, how) for one that a copy goes on for if that
      shares the belief, ("wait", agent, value, budget) for one that stands still in front
      of a cell that has become expensive, as long as its plan leads there;
    - of the ground: ("put", place, value) of what is believed, ("change", place, value) of the truth;
    - of queries: ("ask", query), ("notify", query, [(place, value)]), ("find", start, goal, plan).
    """

    ground: Ground
    known: tuple[tuple[Place, int], ...]
    units: tuple[Unit, ...]
    queries: tuple[Question, ...]
    calls: tuple[Call, ...]


def goal_of(cells: tuple[Cell, ...]) -> Any:
    return cells[0] if len(cells) == 1 else set(cells)


class Rider:
    """An agent, and what the oracle knows of it."""

    def __init__(self, name: str, unit: Unit, driver: Driver) -> None:
        self.name, self.unit, self.plan, self.driver = name, unit, unit.plan, driver
        self.planner = make(unit.plan, driver.ground, unit.goal[0])
        before, text = source(unit.plan, driver.ground, unit.goal[0]) if driver.script.kept else ([], "")
        driver.script.say(*before, f"{name}_planner = {text}")
        self.claims = Claims(unit.plan, driver.ground)
        if unit.before > 0 and unit.plan.option("heuristic") in (None, "zero"):
            self.serve_elsewhere(unit.before)
        self.seat(unit.start, unit.goal)

    def serve_elsewhere(self, side: int) -> None:
        corner = (side - 1, side - 1)
        square = f"replan.Grid([[0] * {side}] * {side}, 4)"
        self.driver.script.say(f"replan.Agent({self.name}_planner, {square}, (0, 0), {corner}).plan()")
        replan.Agent(self.planner, replan.Grid([[0] * side] * side, 4), (0, 0), corner).plan()

    def seat(self, at: Cell, goal: tuple[Cell, ...]) -> None:
        """Make the agent."""
        self.at, self.goals, self.path = at, goal, []
        self.fell = False  # has a cost fallen since the planner began?
        self.turned = False  # has the goal changed since?
        self.whole = True  # did the search that the path comes from go all the way?
        told = f"{self.name} = replan.Agent({self.name}_planner, belief, {at!r}, {goal_of(goal)!r})"
        self.driver.script.say(told)
        try:
            self.agent = replan.Agent(self.planner, self.driver.space, at, goal_of(goal))
        except Whoops:
            self.agent = replan.Agent(self.planner, self.driver.space, at, goal_of(goal))
        self.forget_counts()
        self.driver.stood(self)

    def forget_counts(self) -> None:
        """The planner begins anew; after an error, with its next search."""
        self.counts = dict.fromkeys(COUNTS, 0) | {"episodes": self.agent.episodes}
        self.broken = True

    def count(self) -> dict[str, int]:
        """What has been added to the counts since the last time."""
        now = {name: getattr(self.planner, name) for name in COUNTS} | {"episodes": self.agent.episodes}
        if self.broken and any(now[name] < self.counts[name] for name in COUNTS):
            self.forget_counts()
        self.broken = self.broken and now["episodes"] == self.counts["episodes"]
        more = {name: now[name] - self.counts[name] for name in now}
        must(min(more.values()) >= 0, "counts never fall", planner=self.plan.name, before=self.counts, now=now)
        self.counts = now
        return more


@dataclass
class Driver:
    case: Drive
    script: Script
    riders: list[Rider] = field(default_factory=list)
    queries: list[Query] = field(default_factory=list)

    def run(self) -> None:
        self.ground = self.case.ground
        first = believed(self.ground, self.case.known)
        self.belief, self.truth = Belief(self.ground, first), Belief(self.ground, self.ground.true_values())
        self.space = self.ground.space(first)
        if self.script.kept:
            self.script.say(*self.ground.lines("belief", first))
        for i, unit in enumerate(self.case.units):
            if all(cell in self.ground.cells for cell in (unit.start, *unit.goal)):
                self.riders.append(Rider(f"agent{i}", unit, self))
        for i, asked in enumerate(self.case.queries):
            if asked.start in self.ground.cells and asked.goal in self.ground.cells:
                self.queries.append(Query(f"query{i}", asked, self.ground, self.space, self.script))
        for name, *given in self.case.calls:
            getattr(self, f"do_{name}")(*given)
        self.look_at_belief()

    def rider(self, i: int) -> Rider | None:
        return self.riders[i] if i < len(self.riders) else None

    # What may happen.

    def put(self, place: Place, value: int) -> None:
        if self.belief.put(place, value):
            for rider in self.riders:
                rider.fell = True

    def stood(self, rider: Rider) -> None:
        """Where an agent stands nothing is blocked."""
        if not isinstance(rider.at, str) and self.belief.get(rider.at) == 0:
            self.put(rider.at, self.belief.if_free(rider.at))

    def do_change(self, place: Place, value: int) -> None:
        if self.ground.fits(place, value):
            self.truth.put(self.ground.named(place), value)

    def do_put(self, place: Place, value: int) -> None:
        own = isinstance(self.ground, GraphGround) and self.ground.own  # no agent is told of its put()
        if self.ground.fits(place, value) and not own:
            self.script.say(f"belief.set_value(belief.location({place!r}), {value})")
            self.space.set_value(self.space.location(place), value)
            self.put(self.ground.named(place), value)

    def do_sense(self, i: int) -> None:
        rider = self.rider(i)
        if rider is not None:
            seen = self.ground.visible(self.truth.values, rider.at, "adjacent")
            self.do_observe(i, [(place, self.truth.get(place)) for place in seen], True)

    def do_observe(self, i: int, seen: list[tuple[Place, int]], by_weights: bool) -> None:
        rider = self.rider(i)
        seen = [(place, value) for place, value in seen if self.ground.fits(place, value)]
        if rider is None or not seen:
            return
        places = [place for place, _ in seen]
        if by_weights:
            told = {"weights": [self.ground.shown(value) for _, value in seen]}
        else:
            told = {"blocked": [value == 0 for _, value in seen]}
        self.script.say(f"{rider.name}.observe({places}, {', '.join(f'{k}={v}' for k, v in told.items())})")
        rider.agent.observe(places, **told)
        values = []  # of what is only known to be free: as before, if it was
        for place, value in seen:
            known = self.ground.named(place)
            values.append((known, value if by_weights or value == 0 else self.belief.if_free(known)))
        for place, value in values:
            if value != 0 or place != rider.at:
                self.put(place, value)

    def do_ahead(self, i: int, k: int, value: int) -> None:
        """Something is seen on the path: the k-th step of it, or where that leads, is blocked or gets dearer."""
        rider = self.rider(i)
        if rider is None or k >= len(rider.path) or rider.path[0] == rider.at:
            return
        a, b = [rider.at, *rider.path][k : k + 2]
        place = b if isinstance(self.ground, GridGround) else self.ground.named((a, b))
        if value > 0 and not isinstance(self.ground, GridGround):
            value = min(1 << 40, self.belief.get(place) + value)
        self.do_observe(i, [(place, value)], True)

    def do_body(self, i: int, of: int) -> None:
        """An agent sees another one, or itself, as an obstacle."""
        rider, other = self.rider(i), self.rider(of)
        if rider is not None and other is not None and isinstance(self.ground, GridGround):
            self.do_observe(i, [(other.at, 0)], False)

    def do_wait(self, i: int, value: int, budget: Any, calls: int = WAITS) -> None:
        """The next cell becomes expensive, and the agent waits. Where A* goes around, TBA* does."""
        rider = self.rider(i)
        if rider is None or not rider.path or rider.path[0] == rider.at or not isinstance(self.ground, GridGround):
            return
        heavy = rider.path[0]
        if not self.ground.fits(heavy, value) or value <= self.belief.get(heavy):
            return
        self.do_observe(i, [(heavy, value)], True)
        for _ in range(calls):
            rider.path = self.ask(rider, budget) or []
            if rider.path[:1] not in ([heavy], [rider.at]):
                return
        far, steps = self.belief.distances(rider.goals), self.belief.steps(rider.at)
        best = [cell for cell in steps if cell in far and steps[cell] + far[cell] == far[rider.at]]
        sliced = "tracing" in rider.plan.spec.options and rider.plan.option("weight") in (None, 1)
        sliced = sliced and rider.plan.option("heuristic") in (None, "zero") and not (rider.claims.keeps and rider.fell)
        must(not sliced or heavy in best, "an agent does not wait for ever", planner=rider.plan, at=rider.at)

    def do_move(self, i: int, cell: Cell) -> None:
        self.place(i, cell, "move", even_if_blocked=True)

    def do_restart(self, i: int, cell: Cell) -> None:
        self.place(i, cell, "restart")

    def place(self, i: int, cell: Cell, how: str, **said: bool) -> None:
        rider = self.rider(i)
        if rider is not None and cell in self.ground.cells:
            self.script.say(f"{rider.name}.{how}({cell!r}{''.join(f', {key}={word}' for key, word in said.items())})")
            getattr(rider.agent, how)(cell, **said)
            rider.at, rider.path = cell, []
            self.stood(rider)

    def do_step(self, i: int) -> None:
        """A step along the path, if it can be made."""
        rider = self.rider(i)
        if rider is not None and rider.path and rider.path[0] in self.truth.steps(rider.at):
            rest = rider.path[1:]
            self.place(i, rider.path[0], "move", even_if_blocked=True)
            rider.path = rest

    def do_retarget(self, i: int, goal: tuple[Cell, ...]) -> None:
        rider = self.rider(i)
        goal = tuple(cell for cell in goal if cell in self.ground.cells)
        if rider is None or not goal:
            return
        self.script.say(f"{rider.name}.retarget({goal_of(goal)!r})")
        try:
            rider.agent.retarget(goal_of(goal))
        except Whoops:
            rider.forget_counts()
            rider.agent.retarget(goal_of(goal))
        rider.goals, rider.path, rider.turned = goal, [], True

    def do_again(self, i: int) -> None:
        """The same planner in another agent: the first one says that it has lost it."""
        rider = self.rider(i)
        if rider is None:
            return
        old = rider.agent
        rider.seat(rider.at, rider.goals)
        try:
            old.plan()
        except RuntimeError:
            return
        must(False, "an agent without its planner says so", planner=rider.plan.name)

    def do_finish(self, i: int) -> None:
        """Walk on as long as nothing changes: that comes to an end."""
        rider = self.rider(i)
        if rider is None:
            return
        most, sure = rider.claims.calls_to_finish(rider.at, rider.goals, self.belief)
        for _ in range(most):
            path = self.ask(rider, None)
            if not path:
                return
            if path[0] != rider.at:
                self.place(i, path[0], "move")
        must(not sure, "an agent arrives, or says that there is no way", planner=rider.plan, at=rider.at, calls=most)

    def do_plan(self, i: int, budget: Any = None, twice: bool = False) -> None:
        rider = self.rider(i)
        if rider is None:
            return
        path = self.ask(rider, budget)
        rider.path = path or []
        sliced = {"tracing", "global_"} & set(rider.plan.spec.options)  # a call goes on with the search of the last
        if twice and path and path != [rider.at] and not sliced:
            again = self.ask(rider, budget)
            must(again == path, "plan() without news says the same", planner=rider.plan, first=path, then=again)

    def do_ready(self, i: int) -> None:
        rider = self.rider(i)
        if rider is not None:
            self.script.say(f"{rider.name}.warm_up()")
            rider.agent.warm_up()

    def do_copy(self, i: int, how: str) -> None:
        rider = self.rider(i)
        if rider is not None:
            self.script.say(f"{rider.name} = {COPIES[how][0].format(rider.name)}")
            copied = self.copied(rider.agent, how)
            told = {"planner": rider.plan, "how": how}
            must(copied.cell == rider.at and copied.path == rider.agent.path, "a copy is as the original", **told)
            if how == "copy":
                rider.agent, rider.planner = copied, copied.planner

    def copied(self, agent: Any, how: str) -> Any:
        return COPIES[how][1](agent)

    def do_ask(self, i: int) -> None:
        if i < len(self.queries):
            self.queries[i].ask(self.belief)

    def do_notify(self, i: int, seen: list[tuple[Place, int]]) -> None:
        seen = [(place, value) for place, value in seen if self.ground.fits(place, value)]
        if i < len(self.queries) and seen:
            cells, weights = [place for place, _ in seen], [self.ground.shown(value) for _, value in seen]
            self.script.say(f"query{i}.notify({cells}, weights={weights})")
            self.queries[i].lpa.notify(cells, weights=weights)
            for place, value in seen:
                self.put(self.ground.named(place), value)

    def do_find(self, start: Cell, goal: tuple[Cell, ...], plan: Plan) -> None:
        goal = tuple(cell for cell in goal if cell in self.ground.cells)
        if goal and start in self.ground.cells:
            find(self.ground, self.space, self.belief, (start, goal), plan, self.script)

    # What is looked at.

    def ask(self, rider: Rider, budget: Any) -> list[Cell] | None:
        """plan(), and whether that can be the answer."""
        given = {None: None, "expansions": replan.Expansions, "deadline": replan.Deadline}[budget and budget[0]]
        self.script.say(f"print({rider.name}.plan({'' if budget is None else told_budget(budget)}))")
        if rider.at not in rider.goals:
            self.stood(rider)  # others may have blocked the cell
        try:
            path = rider.agent.plan(None if given is None else given(budget[1]))
        except Whoops:
            rider.forget_counts()
            return None
        except replan.InputError as refused:
            whole = "searches all the way" in str(refused) and budget is not None
            if not whole:
                raise
            return self.ask(rider, None)
        more = rider.count()
        must(rider.agent.cell == rider.at, "an agent stands where it was put", at=rider.at, says=rider.agent.cell)
        must(more["episodes"] <= 1, "plan() searches once", episodes=more["episodes"])
        rider.claims.look_at(rider, self.belief, path, more, budget)
        return path

    def look_at_belief(self) -> None:
        """Is what is believed what was said?"""
        for cell in self.ground.cells:
            steps = {self.space.key(v): cost for v, cost in self.space.successors(self.space.state(cell))}
            mine = self.belief.steps(cell)
            must(steps == mine, "a belief is what was said", cell=cell, it_has=steps, it_should_have=mine)


def told_budget(budget: tuple[str, Any]) -> str:
    return f"replan.{budget[0].capitalize()}({budget[1]})"


def judge(case: Drive, script: Script) -> None:
    Driver(case, script).run()
