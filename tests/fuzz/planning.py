"""Which planner, with which options: drawn from the registry, so that what is new there is tried at once."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from math import ceil
from typing import Any

import numpy as np

import replan
from fuzz.ground import Cell, GridGround, Ground
from replan.planners.registry import OPTIONS
from sorted_queue import SortedQueue
from trip_parts import Draw, OneSweep, Wary

#: What is drawn for an option. One that is not here is tried with whatever fits it.
VALUES: dict[str, list[Any]] = {
    "lookahead": [1, 2, 3, 5, 9, 17, 100, None],
    "deadline": [20.0, 1000.0],
    "moves": [1, 2, 5, None],
    "depth": [1, 2, 3],
    "weight": [1.0, 1.5, 3.0, 100.0],
    "bound": [1.0, 1.01, 1.1, 2.0],
    "weight_decrease": [0.1, 0.5, 2.0],
    "weight_increase": [0.0, 0.1, 1.0],
    "local": ["LSS-LRTA*", "RTAA*", "daRTAA*", "LRTA*", "TLA*", "RTA*", "aLSS-LRTA*"],
    "global_": ["D* Lite", "AD*"],
    "queue": ["plain heap", "buckets", "buckets", "own"],
    "heuristic": ["zero", ("function", 0.5), ("function", 1.0), ("array", 0.5), ("array", 1.0), ("raising", 1.0)],
    "learning": ["one sweep"],
    "choosing": ["wary"],
    "queue_capacity": [10_000],
    "seed": [0, 7, 2**31 - 1],
}
RARE = {"deadline": 0.06, "learning": 0.08, "choosing": 0.08, "check_heuristic": 0.1}  # others: COMMON
COMMON = 0.3
TRIED = [False, True, None, 1, 2, 3, 0.0, 0.5, 1.0, 1.5]  # what an option that nobody thought of here may be


RAISES_AFTER = 40  # calls


class Whoops(Exception):
    """Raised by functions of the user's that fail once."""


@dataclass(frozen=True)
class Plan:
    """A planner by its name, and options as plain data."""

    name: str
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def spec(self) -> Any:
        return next(spec for spec in replan.planners() if spec.name == self.name)

    def option(self, name: str) -> Any:
        """What is set, or usual; None for an option that the planner does not have."""
        return self.options.get(name, self.spec.options.get(name))


def candidates(name: str) -> list[Any]:
    """What an option may be."""
    if name in VALUES:
        return VALUES[name]
    option = OPTIONS[name]
    words = re.findall(r"'([^']+)'", option.allowed)
    return [value for value in [*words, *TRIED] if option.is_valid(value)]


def draw_plan(draw: Draw, ground: Ground, several: bool, still_goal: bool) -> Plan:
    """A planner for this ground; `several` goals, and a goal that stays where it is or not."""
    plain = isinstance(ground, GridGround) and ground.plain and ground.walls is None
    fit = [s for s in replan.planners() if (plain and not several) or not s.needs_plain_grid]
    spec = draw.pick([s for s in fit if ground.plain or not s.needs_unit_costs])
    return Plan(spec.name, legal(spec, draw_options(draw, spec), several, still_goal))


def draw_crowd_plan(draw: Draw) -> Plan:
    """A planner that can serve many."""
    spec = draw.pick([s for s in replan.planners() if s.can_be_shared])
    options = legal(spec, draw_options(draw, spec), several=True, still_goal=False)
    return Plan(
        spec.name, {name: value for name, value in options.items() if (name, value) != ("on_cost_decrease", "repair")}
    )


def draw_options(draw: Draw, spec: Any) -> dict[str, Any]:
    options = {}
    for name in spec.options:
        if draw.chance(RARE.get(name, COMMON)) and (values := candidates(name)):
            options[name] = draw.pick(values)
    return options


def legal(spec: Any, options: dict[str, Any], several: bool, still_goal: bool) -> dict[str, Any]:
    """Without what the documentation excludes."""
    drop = set()
    if options.get("queue") == "buckets":
        drop |= {"prefer", "ties", "seed"}
    if ("tracing" in spec.options or spec.slug.startswith("frit")) and options.get("on_cost_decrease") == "repair":
        drop.add("on_cost_decrease")
    backward = "backward" in spec.slug or "global_" in spec.options or "replan_when" in spec.options
    if (
        isinstance(options.get("heuristic"), tuple)
        and options["heuristic"][0] == "array"
        and (backward or several or not still_goal)
    ):
        drop.add("heuristic")
    return {name: value for name, value in options.items() if name not in drop}


# From plain data to what replan takes.


def first_h(heuristic: Any, ground: Ground, cell: Cell, goals: Any) -> int:
    """What is estimated for a cell before anything is learned, in ticks."""
    return min(estimated(heuristic, ground, cell, goal) for goal in goals)


def estimated(heuristic: Any, ground: Ground, a: Cell, b: Cell) -> int:
    if heuristic is None:
        return ground.estimate(a, b)
    if heuristic == "zero":
        return 0
    return ceil(heuristic[1] * ground.estimate(a, b))


class Function:
    """An estimate as a user writes one."""

    def __init__(self, ground: Ground, share: float) -> None:
        self.ground, self.share = ground, share

    def __call__(self, a: Cell, b: Cell) -> float:
        return self.share * self.ground.estimate(a, b) * self.ground.resolution / self.ground.unit


def given_heuristic(heuristic: Any, ground: Ground, goal: Any) -> Any:
    if heuristic is None or isinstance(heuristic, str):
        return heuristic
    kind, share = heuristic
    if kind == "array":
        estimate = Function(ground, share)
        flat = [estimate(cell, goal) for cell in ground.numbered]
        return np.array(flat).reshape([len(ground.truth), -1]) if isinstance(ground, GridGround) else np.array(flat)
    return Failing(Function(ground, share)) if kind == "raising" else Function(ground, share)


OWN: dict[tuple[str, Any], Callable[[], Any]] = {
    ("queue", "own"): lambda: SortedQueue,
    ("learning", "one sweep"): OneSweep,
    ("choosing", "wary"): Wary,
}


def make(plan: Plan, ground: Ground, goal: Any) -> Any:
    """The planner of a plan."""
    return replan.planner(plan.name, **parts(plan, ground, goal))


def parts(plan: Plan, ground: Ground, goal: Any) -> dict[str, Any]:
    """The options of a plan, as replan takes them."""
    options = dict(plan.options)
    for name, value in plan.options.items():
        if name == "heuristic":
            options[name] = given_heuristic(value, ground, goal)
        elif (name, value) in OWN:
            options[name] = OWN[name, value]()
    return options


def source(plan: Plan, ground: Ground, goal: Any) -> tuple[list[str], str]:
    """Python that makes the planner: lines that come before, and the expression."""
    before, told = [], [repr(plan.name)]
    for name, value in plan.options.items():
        if name == "heuristic" and isinstance(value, tuple):
            lines, text = heuristic_source(value, ground, goal)
            before += lines
        elif (name, value) in OWN:
            line, text = OWN_SOURCE[name, value]
            before.append(line)
        else:
            text = repr(value)
        told.append(f"{name}={text}")
    return before, f"replan.planner({', '.join(told)})"


def heuristic_source(heuristic: Any, ground: Ground, goal: Any) -> tuple[list[str], str]:
    """Lines that come before, and an expression."""
    kind, share = heuristic
    if kind == "array":
        return [], repr(given_heuristic(heuristic, ground, goal).tolist())
    before, text = [], f"lambda a, b: {share} * (abs(a[0] - b[0]) + abs(a[1] - b[1]))"
    if isinstance(ground, GridGround) and ground.neighbors == 8:
        before = ["def octile(a, b):", "    down, right = sorted((abs(a[0] - b[0]), abs(a[1] - b[1])))"]
        before += [f"    return {share} * (down * 577 / 408 + right - down)"]
        text = "octile"
    elif not isinstance(ground, GridGround):
        estimate = Function(ground, share)
        table = {(a, b): h for a in ground.cells for b in ground.cells if (h := estimate(a, b))}
        before, text = [f"H = {table}"], "lambda a, b: H.get((a, b), 0)"
    if kind == "raising":
        return ["from fuzz.planning import Failing", *before], f"Failing({text})"
    return before, text


class Failing:
    """For scripts: a function that fails once."""

    def __init__(self, estimate: Callable[[Cell, Cell], float], fails: int = RAISES_AFTER) -> None:
        self.estimate, self.left = estimate, fails

    def __call__(self, a: Cell, b: Cell) -> float:
        self.left -= 1
        if self.left == 0:
            raise Whoops
        return self.estimate(a, b)


OWN_SOURCE = {
    ("queue", "own"): ("from sorted_queue import SortedQueue", "SortedQueue"),
    ("learning", "one sweep"): ("from trip_parts import OneSweep", "OneSweep()"),
    ("choosing", "wary"): ("from trip_parts import Wary", "Wary()"),
}
