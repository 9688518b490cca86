"""Worlds of cases, their parts in plain Python, and how both are told as a script."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import replan
from fuzz.drive import goal_of
from fuzz.ground import Cell, GraphGround, Ground, Place, believed
from fuzz.planning import Plan, source

Timed = tuple[int, Place, int]  # a step, and what happens then


@dataclass(frozen=True)
class Walk:
    """A case.

    known: "nothing", "everything", or what is not free. sensor: "adjacent", "everything" or (radius, line of sight?);
    own_sensor: the user's, which sees what is adjacent. reacts: the changes come from a function. target: None,
    ("route", cells, speed), ("pacer", cell, speed) or, where it is watched, ("flee" or "wander", cell, speed). also:
    what else is tried: "again", "unseen", "by hand".
    """

    ground: Ground
    known: Any
    sensor: Any
    own_sensor: bool
    changes: tuple[Timed, ...]
    reacts: bool
    target: Any
    plan: Plan
    start: Cell
    goal: tuple[Cell, ...]
    trials: int
    max_moves: int
    timing: str
    also: tuple[str, ...]
    redraw: int  # the seed of what is unseen

    @property
    def still(self) -> bool:
        return not self.changes and not self.reacts and self.target is None

    @property
    def fails(self) -> bool:
        """Does the user's heuristic fail once?"""
        given = self.plan.option("heuristic")
        return isinstance(given, tuple) and given[0] == "raising"

    @property
    def patient(self) -> bool:
        return bool(self.plan.option("when_unreachable") != "report")


# The parts of a world in plain Python. They remember what they were asked.


class Shown(replan.Sensor):
    """Sees what is adjacent."""

    def __init__(self, ground: Ground) -> None:
        self.ground, self.log = ground, []

    def visible(self, truth: Any, cell: Cell, previous_cell: Cell | None = None) -> list[Place]:
        self.log.append(cell)
        return self.ground.visible(None, cell, "adjacent")  # type: ignore[arg-type]


class Reaction:
    """Changes as a function of the step and the cell."""

    def __init__(self, ground: Ground, changes: tuple[Timed, ...]) -> None:
        self.ground, self.changes, self.log = ground, changes, []

    def __call__(self, step: int, cell: Cell) -> list[tuple[Place, Any]]:
        self.log.append(cell)
        return [(place, said(self.ground, value)) for when, place, value in self.changes if when == step]


class Pacer(replan.Target):
    """To a cell beside it, by turns."""

    def begin(self, space: Any) -> int:
        self.turn, self.log = 0, []
        return int(super().begin(space))

    def step(self, space: Any, state: int, agent_state: int) -> int:
        self.turn += 1
        there = sorted(v for v, _ in space.successors(state))
        to = there[self.turn % len(there)] if there else state
        self.log.append(space.key(to))
        return to


TARGETS: dict[str, Any] = {"route": replan.Route, "pacer": Pacer, "flee": replan.Flee, "wander": replan.Wander}


def said(ground: Ground, value: int) -> Any:
    return "blocked" if value == 0 else ground.shown(value)


class Made:
    """The world of a case, and its parts."""

    def __init__(self, case: Walk) -> None:
        ground = case.ground
        self.sensor = Shown(ground) if case.own_sensor else None
        self.reaction = Reaction(ground, case.changes) if case.reacts else None
        given: dict[str, Any] = {"sensor": self.sensor or case.sensor, "known": case.known}
        if isinstance(case.sensor, tuple) and self.sensor is None:
            given["sensor"] = replan.Radius(*case.sensor)
        self.truth = ground.space(ground.true_values())  # type: ignore[arg-type]
        if not isinstance(case.known, str):
            given["known"] = self.know(case)
        given["changes"] = self.reaction or [(t, place, said(ground, value)) for t, place, value in case.changes]
        self.target = None
        if case.target is not None:
            kind, where, speed = case.target
            self.target = TARGETS[kind](where, speed)
            given["target"] = self.target
        self.world = replan.World(self.truth, **given)

    def know(self, case: Walk) -> Any:
        """What is known, as a map of its own: a copy of the truth would know its largest weight."""
        values = believed(case.ground, case.known)
        known = case.ground.space(values)  # type: ignore[arg-type]
        if isinstance(known, replan.Graph):  # of graphs only copies can be compared
            known = self.truth.copy()
            for place in case.ground.places:
                known.set_value(known.location(place), values.get(place))
        return known

    def clear(self) -> None:
        for part in (self.sensor, self.reaction):
            if part is not None:
                part.log = []


# As a script.


def told(case: Walk) -> Iterator[str]:
    ground = case.ground
    yield from ground.lines("truth", ground.true_values())  # type: ignore[arg-type]
    given = {"sensor": repr(case.sensor), "known": repr(case.known)}
    if isinstance(case.sensor, tuple):
        given["sensor"] = f"replan.Radius{case.sensor!r}"
    if case.own_sensor:
        yield "from fuzz.worlds import Shown"
        yield f"from fuzz.ground import {type(ground).__name__}"
        given["sensor"] = f"Shown({ground!r})"
    if not isinstance(case.known, str):
        values = believed(ground, case.known)
        if isinstance(ground, GraphGround):
            yield "known = truth.copy()"
            yield f"for place, value in {dict(values)}.items(): known.set_value(known.location(place), value)"
        else:
            yield from ground.lines("known", values)  # type: ignore[arg-type]
        given["known"] = "known"
    changes = [(t, place, said(ground, value)) for t, place, value in case.changes]
    given["changes"] = repr(changes)
    if case.reacts:
        given["changes"] = f"lambda step, cell: [change[1:] for change in {changes} if change[0] == step]"
    if case.target is not None:
        kind, where, speed = case.target
        made = TARGETS[kind]
        given["target"] = f"replan.{made.__name__}({where!r}, {speed})"
        if kind == "pacer":
            yield "from fuzz.worlds import Pacer"
            given["target"] = f"Pacer({where!r}, {speed})"
    yield f"world = replan.World(truth, {', '.join(f'{name}={value}' for name, value in given.items())})"
    before, planner = source(case.plan, ground, case.goal[0])
    yield from before
    ends = f"{case.start!r}, {None if case.target is not None else goal_of(case.goal)!r}, max_moves={case.max_moves}"
    trials = f", trials={case.trials}" if case.trials > 1 else ""
    yield f"trip = replan.simulate(world, {planner}, {ends}{trials})"
    yield "print(trip, trip.path)" if case.trials == 1 else "print(trip)"
