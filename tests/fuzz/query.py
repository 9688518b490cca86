"""LPA*: what it says after each edit, beside Dijkstra's algorithm."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import replan
from fuzz.belief import NEVER, Belief
from fuzz.ground import Cell, Ground, Place, believed
from fuzz.planning import given_heuristic, heuristic_source
from fuzz.verdict import Script, must


@dataclass(frozen=True)
class Query:
    """A case: an edit is ("notify" | "put", [(place, value)], is another edit to follow before the next question?)."""

    ground: Ground
    known: tuple[tuple[Place, int], ...]
    start: Cell
    goal: Cell
    order: tuple[tuple[str, Any], ...]
    heuristic: Any
    edits: tuple[Any, ...]


def judge(case: Query, script: Script) -> None:
    ground = case.ground
    first = believed(ground, case.known)
    belief, space = Belief(ground, first), ground.space(first)
    if script.kept:
        script.say(*ground.lines("space", first), *told(case))
    query = replan.LPAStar(
        space, case.start, case.goal, heuristic=given_heuristic(case.heuristic, ground, case.goal), **dict(case.order)
    )
    ask(case, belief, query, 0, script)
    for how, listed, waits in case.edits:
        seen = [(place, value) for place, value in listed if ground.fits(place, value)]
        if not seen:
            continue
        before = query.expansions
        if how == "notify":
            cells, weights = [place for place, _ in seen], [ground.shown(value) for _, value in seen]
            script.say(f"query.notify({cells}, weights={weights})")
            query.notify(cells, weights=weights)
        for place, value in seen:
            if how == "put":
                script.say(f"space.put(space.place({place!r}), {value})")
                space.put(space.place(place), value)
            belief.put(ground.named(place), value)
        if not waits:
            ask(case, belief, query, before, script)


def told(case: Query) -> list[str]:
    options = [f"{name}={value!r}" for name, value in case.order]
    before: list[str] = []
    if isinstance(case.heuristic, tuple):
        before, text = heuristic_source(case.heuristic, case.ground, case.goal)
        options.append(f"heuristic={text}")
    elif case.heuristic is not None:
        options.append(f"heuristic={case.heuristic!r}")
    return [*before, f"query = replan.LPAStar(space, {case.start!r}, {case.goal!r}, {', '.join(options)})"]


def ask(case: Query, belief: Belief, query: Any, expansions: int, script: Script) -> None:
    script.say("print(query.path(), query.cost)")
    path, cost = query.path(), query.cost
    cheapest = belief.distances([case.goal]).get(case.start)
    seen = {"order": case.order, "heuristic": case.heuristic, "path": path, "cheapest": cheapest}
    must(query.expansions >= expansions, "counts never fall", **seen)
    if cheapest is None or path is None:
        must(path is None and cheapest is None and cost == float("inf"), "LPA*: None when there is no way", **seen)
        return
    must(path[0] == case.start and path[-1] == case.goal, "LPA*: a path from end to end", **seen)
    ticks = belief.cost(path)
    must(ticks < NEVER, "LPA*: each step of a path is possible", **seen)
    must(ticks == cheapest, "LPA*: a cheapest path", costs=ticks, **seen)
    paid = sum(case.ground.paid(a, b, belief.steps(a)[b]) for a, b in pairwise(path))
    must(abs(cost - paid) <= 1e-9 * max(1, paid), "LPA*: its cost is that of its path", says=cost, **seen)
