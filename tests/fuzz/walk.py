"""Trips through worlds: each move is replayed in a world of the oracle's own, with what the agent could know."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import replan
from fuzz.belief import NEVER, Belief
from fuzz.claims import PATIENCE, Claims
from fuzz.drive import goal_of
from fuzz.ground import Cell, GridGround, Ground, Place, Values, believed
from fuzz.planning import Whoops, make
from fuzz.verdict import Script, must
from fuzz.worlds import Made, Pacer, Timed, Walk, told


class Replay:
    """One trip, step by step, in a world of the oracle's own."""

    def __init__(self, case: Walk, belief: Belief, claims: Claims, space: Any) -> None:
        self.case, self.ground, self.belief, self.claims = case, case.ground, belief, claims
        self.space = space
        self.seen: set[Place] = set()
        self.fell = False

    def begin(self, target_log: list[Cell], goal: tuple[Cell, ...]) -> None:
        self.truth = Belief(self.ground, self.ground.true_values())
        self.pending = [] if self.case.reacts else sorted(self.case.changes, key=lambda change: change[0])
        self.time, self.cost, self.at = 0, 0.0, self.case.start
        self.goals = goal
        self.credit, self.moved, self.target_log, self.logged = Fraction(0), 0, target_log, 0
        if self.case.target is not None:
            kind, where, _ = self.case.target
            self.goals = (where[0] if kind == "route" else where,)
        self.happen(None)
        if isinstance(self.ground, GridGround) and self.belief.get(self.at) == 0:
            self.learn(self.at, 1)
        self.look()

    def learn(self, place: Place, value: int) -> None:
        self.fell |= self.belief.put(place, value)

    def look(self) -> None:
        places = self.ground.visible(self.truth.values, self.at, self.case.sensor)  # type: ignore[arg-type]
        for place in places:
            self.learn(place, self.truth.get(place))
        if isinstance(self.case.sensor, tuple):  # what is in the line of sight depends on what is not seen itself
            places = self.ground.visible(self.truth.values, self.at, (self.case.sensor[0], False))  # type: ignore[arg-type]
        self.seen.update(places)

    def happen(self, at: Cell | None) -> None:
        """What is due; a cell is not blocked while the agent stands on it, and what overtakes that undoes it."""
        waiting: list[Timed] = []
        for change in self.pending:
            when, place, value = change
            if when > self.time or (place == at and value == 0):
                waiting.append(change)
            else:
                waiting = [other for other in waiting if other[1] != place]
                self.truth.put(self.ground.named(place), value)
        self.pending = waiting
        if self.case.reacts and self.time > 0:
            for when, place, value in self.case.changes:
                if when == self.time and not (place == at and value == 0):
                    self.truth.put(self.ground.named(place), value)

    def step(self, to: Cell, target: int = -1) -> None:
        """A move or a wait, and what comes of it. target: the state of one that roams, as it was watched."""
        far = self.belief.distances(self.goals)
        told = {"planner": self.case.plan, "at": self.at, "to": to, "goals": self.goals, "cheapest": far.get(self.at)}
        must(self.at not in self.goals, "a trip ends at the goal", **told)
        if to == self.at:
            must(
                self.claims.spec.may_wait or self.at not in far, "only some planners wait while there is a way", **told
            )
        else:
            toll = self.truth.steps(self.at).get(to, NEVER)
            must(toll < NEVER, "each move is possible in truth", **told)
            self.cost += self.ground.paid(self.at, to, toll)
            if self.claims.spec.is_optimal and not (self.claims.keeps and self.fell):
                must(self.at in far, "a way only when there is one", **told)
                step = self.belief.steps(self.at).get(to, NEVER)
                must(step + far.get(to, NEVER) == far[self.at], "each move is along a cheapest path", **told)
        self.at = to
        self.time += 1
        self.happen(to)
        if self.case.target is not None:
            self.move_target(*self.case.target, target)
        self.look()

    def move_target(self, kind: str, where: Any, speed: float, target: int) -> None:
        self.credit += Fraction(speed).limit_denominator(1000)
        if kind in ("flee", "wander"):
            self.roam(self.space.key(target))
        while self.credit >= 1 and self.at not in self.goals:
            self.credit -= 1
            if kind == "route":
                self.moved = min(self.moved + 1, len(where) - 1)
                self.goals = (where[self.moved],)
            else:
                self.goals = (self.target_log[self.logged],)
                self.logged += 1

    def roam(self, to: Cell) -> None:
        """A target has gone where it likes: by steps that are possible, and as many as it may."""
        reached = {self.goals[0]}
        while self.credit >= 1 and self.at not in self.goals:
            self.credit -= 1
            reached |= {cell for at in reached for cell in self.truth.steps(at)}
        must(to in reached, "a target moves by steps", where=self.goals, to=to)
        self.goals = (to,)

    def more_to_come(self) -> bool:
        coming = self.case.reacts or any(when > self.time for when, *_ in self.pending)
        if self.case.target is None:
            return coming
        kind, where, speed = self.case.target
        return coming or (speed > 0 and not (kind == "route" and self.moved == len(where) - 1))

    def end(self, trip: Any) -> None:
        far = self.belief.distances(self.goals)
        told = {"planner": self.case.plan, "at": self.at, "goals": self.goals, "why": trip.why, "steps": trip.steps}
        must((trip.why == "reached") == (self.at in self.goals), "a trip is over when the goal is reached", **told)
        must(trip.why != "max_moves" or trip.steps == self.case.max_moves, "max_moves ends a trip, no less", **told)
        if trip.why == "unreachable":
            must(self.at not in far, "unreachable only when no way is known", cheapest=far.get(self.at), **told)
            must(not (self.case.patient and self.more_to_come()), "an agent waits for what is to come", **told)
        must(abs(trip.cost - self.cost) <= 1e-9 * max(1, self.cost), "the cost is that of the moves", says=trip.cost)
        _, sure = self.claims.calls_to_finish(self.at, self.goals, self.belief)
        if self.case.still and sure:
            must(trip.why != "max_moves" or trip.steps < PATIENCE, "a trip comes to an end", **told)


def positions(trip: Any, made: Made, still: bool) -> list[Cell] | None:
    """Where the agent was after each step; None where nobody can tell when it waited."""
    if trip.waits == 0 or still:
        return [*[trip.path[0]] * trip.waits, *trip.path]
    if made.reaction is not None:
        return [trip.path[0], *made.reaction.log]
    return made.sensor.log if made.sensor is not None else None


def judge(case: Walk, script: Script) -> None:
    case = fitted(case)
    if case is None:
        return
    made, planner = Made(case), make(case.plan, case.ground, case.goal[0])
    if script.kept:
        script.say(*told(case))
    trips = walk(case, made, planner)
    claims = Claims(case.plan, case.ground)
    first = believed(case.ground, case.known) if not isinstance(case.known, str) else first_belief(case)
    replay = Replay(case, Belief(case.ground, first), claims, made.world.space)
    for number, trip in enumerate(trips):
        look_at_figures(case, claims, trip)
        if len(trips) > 1 and not case.still and (trip.waits or made.sensor or made.reaction or case.target):
            return  # what was logged is of all trials
        where = positions(trip, made, case.still)
        if where is None:
            return
        must(len(where) == trip.steps + 1, "a step for each look", steps=trip.steps, looks=len(where))
        replay.begin(made.target.log if isinstance(made.target, Pacer) else [], case.goal)
        for cell in where[1:]:
            replay.step(cell)
        replay.end(trip)
        if number == 0:
            more(case, made, planner, trip, replay)


def first_belief(case: Walk) -> Values:
    known = case.known == "everything" or case.sensor == "everything"
    return case.ground.true_values() if known else case.ground.free_values()


def fitted(case: Walk) -> Any:
    """Without what makes no sense on this ground; None if there is nothing left."""
    ground, target = case.ground, case.target
    goal = tuple(cell for cell in case.goal if cell in ground.cells)
    if target is not None:
        kind, where, speed = target
        cells = tuple(cell for cell in (where if kind == "route" else (where,)) if cell in ground.cells)
        goal = cells[:1]
        target = (kind, cells if kind == "route" else where, speed)
    if not goal or case.start not in ground.cells:
        return None
    changes = tuple(change for change in case.changes if ground.fits(change[1], change[2]))
    if isinstance(ground, GridGround):
        values = ground.true_values()
        if values.get(case.start) == 0 or all(values.get(cell) == 0 for cell in goal):
            return None
        changes = tuple(change for change in changes if change[0] > 0 or change[1] not in (case.start, *goal))
    return replace(case, changes=changes, goal=goal, target=target)


def walk(case: Walk, made: Made, planner: Any) -> list[Any]:
    goal = None if case.target is not None else goal_of(case.goal)
    trials = case.trials if case.trials > 1 else None
    try:
        trips = replan.simulate(made.world, planner, case.start, goal, case.max_moves, case.timing, trials)
    except Whoops:  # a heuristic that fails once
        made.clear()
        return walk(case, made, planner)
    return trips if trials else [trips]


def look_at_figures(case: Walk, claims: Claims, trip: Any) -> None:
    told = {"planner": case.plan, "trip": trip}
    must(trip.path[0] == case.start, "a trip begins at the start", **told)
    must(trip.moves == len(trip.path) - 1 <= trip.steps <= case.max_moves, "moves and steps are counted", **told)
    must(0 <= trip.informed_moves <= trip.moves, "informed steps are moves", **told)
    must(trip.episodes == len(trip.episode_expansions), "each search is counted", **told)
    must(trip.expansions == sum(trip.episode_expansions), "expansions are those of the searches", **told)
    counts = (trip.percolations, trip.key_updates, trip.changed_state_count, trip.h_increase, trip.search_ns)
    must(min(counts) >= 0, "counts never fall", **told)
    if claims.spec.is_realtime and case.plan.option("lookahead") is not None and not claims.deadline:
        most = max(trip.episode_expansions, default=0)
        must(most <= case.plan.option("lookahead"), "no more expansions than allowed", most=most, **told)


# What else is tried.


def more(case: Walk, made: Made, planner: Any, trip: Any, replay: Replay) -> None:
    if case.plan.option("deadline") is not None or case.trials > 1:
        return
    if "again" in case.also:
        made.clear()
        walk(case, made, replan.planner("D* Lite"))  # somebody else, in the same world
        made.clear()
        same(trip, walk(case, made, planner)[0], "the same trip again, with the same planner", case)
        made.clear()
        other = make(case.plan, case.ground, case.goal[0])
        same(trip, walk(case, made, other)[0], "the same trip again, with another planner", case)
    if "unseen" in case.also and case.target is None and case.known != "everything":
        other = replace(case, ground=redrawn(case, replay.seen))
        planner = make(case.plan, case.ground, case.goal[0])
        same(trip, walk(other, Made(other), planner)[0], "worlds that differ out of sight give equal trips", case)
    if "by hand" in case.also and case.still and trip.why != "max_moves" and not case.fails:
        by_hand(case, trip)


def same(one: Any, other: Any, rule: str, case: Walk) -> None:
    for name in (
        "path",
        "why",
        "steps",
        "episode_expansions",
        "percolations",
        "key_updates",
        "h_increase",
        "changed_state_count",
    ):
        a, b = getattr(one, name), getattr(other, name)
        must(a == b, rule, planner=case.plan, what=name, first=a, then=b)


def redrawn(case: Walk, seen: set[Place]) -> Ground:
    """The same ground, but for what was not seen."""
    ground, random = case.ground, Random(case.redraw)
    hidden = [place for place in ground.places if place not in seen]
    if isinstance(ground, GridGround):
        rows = [list(row) for row in ground.truth]
        for r, c in hidden:
            if (r, c) not in case.goal:
                rows[r][c] = random.choice([0, 1, 60_000] if ground.weighted else [0, 1])
        return replace(ground, truth=tuple(map(tuple, rows)))
    kept = [place for place in ground.blocked if place in seen]
    return replace(ground, blocked=(*kept, *(place for place in hidden if random.random() < 0.5)))


def by_hand(case: Walk, trip: Any) -> None:
    """The same calls as `simulate`, made one by one."""
    ground, planner = case.ground, make(case.plan, case.ground, case.goal[0])
    belief = Made(case).world.begin()
    agent, truth = replan.Agent(planner, belief, case.start, goal_of(case.goal)), ground.true_values()
    path = [case.start]
    for waits in range(trip.steps + 1):
        seen = ground.visible(truth, agent.cell, case.sensor)  # type: ignore[arg-type]
        agent.observe(seen, weights=[ground.shown(truth.get(place)) for place in seen])
        ahead = agent.plan()
        if not ahead:
            break
        if ahead != [agent.cell]:
            agent.move(ahead[0])
            path.append(agent.cell)
        must(waits <= trip.steps, "by hand as in simulate", planner=case.plan)
    must(path == trip.path, "by hand as in simulate", planner=case.plan, hand=path, simulate=trip.path)
    must(planner.expansions == trip.expansions, "by hand as in simulate: expansions", planner=case.plan)
