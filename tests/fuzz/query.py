"""What is asked once, without an agent: LPA*, and find_path."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import replan
from fuzz.belief import NEVER, Belief
from fuzz.claims import Claims
from fuzz.ground import Cell, Ground
from fuzz.planning import Plan, Whoops, given_heuristic, heuristic_source, parts, source
from fuzz.verdict import Script, must


@dataclass(frozen=True)
class Question:
    """A query to be made; its options as plain data."""

    start: Cell
    goal: Cell
    options: tuple[tuple[str, Any], ...]


class Query:
    """An LPA* query on a space that others may change."""

    def __init__(self, name: str, asked: Question, ground: Ground, space: Any, script: Script) -> None:
        self.name, self.asked, self.ground, self.script = name, asked, ground, script
        options = dict(asked.options)
        if script.kept:
            script.say(*self.told(options))
        options["heuristic"] = given_heuristic(options.get("heuristic"), ground, asked.goal)
        try:
            self.lpa = replan.LPAStar(space, asked.start, asked.goal, **options)
        except Whoops:
            self.lpa = replan.LPAStar(space, asked.start, asked.goal, **options)
        self.expansions = 0

    def told(self, options: dict[str, Any]) -> list[str]:
        before: list[str] = []
        shown = []
        for name, value in options.items():
            text = repr(value)
            if isinstance(value, tuple):
                before, text = heuristic_source(value, self.ground, self.asked.goal)
            shown.append(f"{name}={text}")
        ends = f"{self.asked.start!r}, {self.asked.goal!r}"
        return [*before, f"{self.name} = replan.LPAStar({', '.join(['belief', ends, *shown])})"]

    def ask(self, belief: Belief) -> None:
        self.script.say(f"print({self.name}.path(), {self.name}.cost)")
        try:
            path, cost = self.lpa.path(), self.lpa.cost
        except Whoops:
            return
        must(self.lpa.expansions >= self.expansions, "counts never fall", query=self.asked)
        self.expansions = self.lpa.expansions
        cheapest = belief.distances([self.asked.goal]).get(self.asked.start)
        if path is None:
            must(cost == float("inf"), "LPA*: no path costs nothing", says=cost)
        look_at_path("LPA*", belief, (self.asked.start, (self.asked.goal,)), path, cost, 1.0, query=self.asked)
        must((path is None) == (cheapest is None), "LPA*: None when there is no way", query=self.asked, path=path)


def find(ground: Ground, space: Any, belief: Belief, ends: Any, plan: Plan, script: Script) -> None:
    """find_path, beside the oracle."""
    start, goal = ends
    claims, options = Claims(plan, ground), parts(plan, ground, goal[0])
    told_goal = goal[0] if len(goal) == 1 else set(goal)
    if script.kept:
        before, text = source(plan, ground, goal[0])
        named = text.removeprefix("replan.planner(").removesuffix(")")
        script.say(*before, f"print(replan.find_path(belief, {start!r}, {told_goal!r}, {named}))")
    try:
        found = replan.find_path(space, start, told_goal, plan.name, **options)
    except Whoops:
        return
    except replan.InputError as refused:
        if "only the beginning" in str(refused) and claims.spec.is_realtime:
            return
        raise
    path, cost = (None, 0.0) if found is None else (found.cells, found.cost)
    factor = 1.0 if claims.spec.is_optimal else plan.option("weight") if not claims.spec.is_realtime else None
    look_at_path("find_path", belief, ends, path, cost, factor, plan=plan)


def look_at_path(who: str, belief: Belief, ends: Any, path: Any, cost: float, factor: Any, **told: Any) -> None:
    """A path from the start to one of the goals, that costs at most `factor` times the cheapest (None: any)."""
    start, goals = ends
    cheapest = belief.distances(goals).get(start)
    told |= {"ends": ends, "path": path, "cheapest": cheapest}
    if path is None:
        must(cheapest is None, f"{who}: None only when there is no way", **told)
        return
    must(cheapest is not None, f"{who}: a path only where there is a way", **told)
    must(path[0] == start and path[-1] in goals, f"{who}: a path from end to end", **told)
    ticks = belief.cost(path)
    must(ticks < NEVER, f"{who}: each step of a path is possible", **told)
    must(factor is None or ticks <= factor * cheapest, f"{who}: not dearer than promised", costs=ticks, **told)
    paid = sum(belief.ground.paid(a, b, belief.steps(a)[b]) for a, b in pairwise(path))
    must(abs(cost - paid) <= 1e-9 * max(1, paid), f"{who}: its cost is that of its path", says=cost, **told)
