"""A field alone: it leads from anywhere to its goals, while costs change and others write into the same belief."""

from __future__ import annotations

import copy
import pickle
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import replan
from fuzz.belief import NEVER, Belief
from fuzz.ground import Cell, GraphGround, Ground, Place, believed
from fuzz.verdict import Script, must

Call = tuple[Any, ...]
SLICES = 100_000  # calls of advance() within which all ways are known


@dataclass(frozen=True)
class Leading:
    """A case: the ground, what is believed of it at first, where the field leads, and calls.

    - ("observe", [(place, value)]), ("put", place, value): a change of the shared belief from outside;
    - ("retarget", goals), ("copy", "copy" or "pickle");
    - ("advance", cells, budget), ("all", cells, budget): again and again until all ways are known; ("ask", cell).
    """

    ground: Ground
    known: tuple[tuple[Place, int], ...]
    goal: tuple[Cell, ...]
    calls: tuple[Call, ...]


def budget_of(told: Any) -> Any:
    """A budget as plain data: None, or what it is of and how much; 0 of anything is what `split` may leave."""
    if told is None:
        return None
    kind, amount = told
    make = {"expansions": replan.Expansions, "deadline": replan.Deadline}[kind]
    return make(amount) if amount else make(5).split(1)[1]


class Leader:
    """The field, and what the oracle knows."""

    def __init__(self, case: Leading, script: Script) -> None:
        self.ground, self.script = case.ground, script
        self.goal = tuple(cell for cell in case.goal if cell in case.ground.cells) or case.ground.cells[:1]
        self.belief = Belief(self.ground, believed(self.ground, case.known))
        self.space = self.ground.space(self.belief.values)  # type: ignore[arg-type]
        self.script.say(*self.ground.lines("space", self.belief.values))  # type: ignore[arg-type]
        self.script.say(f"field = replan.FlowField(space, {self.goals()!r})")
        self.field = replan.FlowField(self.space, self.goals())

    def goals(self) -> Any:
        return self.goal[0] if len(self.goal) == 1 else set(self.goal)

    def do_observe(self, seen: list[tuple[Place, int]]) -> None:
        seen = [(place, value) for place, value in seen if self.ground.fits(place, value)]
        if not seen:
            return
        news = 0
        for place, value in seen:
            news += self.belief.get(self.ground.named(place)) != value
            self.belief.put(self.ground.named(place), value)
        cells, weights = [place for place, _ in seen], [self.ground.shown(value) for _, value in seen]
        self.script.say(f"print(field.observe({cells}, weights={weights}))")
        said = self.field.observe(cells, weights=weights)
        must(said == news, "a field counts what is news", says=said, news=news)

    def do_put(self, place: Place, value: int) -> None:
        own = isinstance(self.ground, GraphGround) and self.ground.own  # no agent is told of its put()
        if self.ground.fits(place, value) and not own:
            self.script.say(f"space.set_value(space.location({place!r}), {value})")
            self.space.set_value(self.space.location(place), value)
            self.belief.put(self.ground.named(place), value)

    def do_retarget(self, goal: tuple[Cell, ...]) -> None:
        self.goal = tuple(cell for cell in goal if cell in self.ground.cells) or self.goal
        self.script.say(f"field.retarget({self.goals()!r})")
        self.field.retarget(self.goals())

    def do_copy(self, how: str) -> None:
        """A copy goes on instead, in the same space, or in a copy of that."""
        if how == "copy":
            self.script.say("field = copy.copy(field)")
            self.field = copy.copy(self.field)
        elif not getattr(self.ground, "own", False):
            self.script.say("space, field = pickle.loads(pickle.dumps((space, field)))")
            self.space, self.field = pickle.loads(pickle.dumps((self.space, self.field)))

    def do_advance(self, cells: list[Cell], budget: Any) -> Any:
        here = [cell for cell in cells if cell in self.ground.cells]
        self.script.say(f"print(field.advance({here}, {budget}))")
        before = self.field.expansions
        known = self.field.advance(here, budget_of(budget))
        used = self.field.expansions - before
        if budget is not None and budget[0] == "expansions":
            must(used <= budget[1], "a field keeps its budget", budget=budget, expansions=used)
        if budget is None:
            must(known.all(), "without a budget all ways are known", cells=here, known=known)
        before = self.field.expansions
        for cell, sure in zip(here, known, strict=True):
            if sure:
                self.do_ask(cell)
        must(self.field.expansions == before, "what is known already costs nothing", cells=here)
        return known

    def do_all(self, cells: list[Cell], budget: Any) -> None:
        """Slices bring it to an end."""
        for _ in range(SLICES):
            if self.do_advance(cells, budget).all() or (budget is not None and budget[1] == 0):
                return
        must(False, "a field that goes on in slices knows all ways", cells=cells, budget=budget)

    def do_ask(self, cell: Cell) -> None:
        """The way from there is a cheapest one."""
        if cell not in self.ground.cells:
            return
        self.script.say(f"print(field.path({cell!r}), field.step({cell!r}), field.cost({cell!r}))")
        path, step, cost = self.field.path(cell), self.field.step(cell), self.field.cost(cell)
        cheapest = self.belief.distances(self.goal).get(cell)
        told = {"cell": cell, "goals": self.goal, "path": path, "cheapest": cheapest}
        if path is None or cheapest is None:
            must(path is None and cheapest is None, "a field has no way only where there is none", **told)
            must(step == cell and cost == float("inf"), "no way leads nowhere", step=step, **told)
            return
        must(self.belief.cost([cell, *path]) == cheapest < NEVER, "the way of a field is a cheapest one", **told)
        must([cell, *path][-1] in self.goal, "a field leads to a goal", **told)
        must(step == [*path, cell][0], "a field steps along its path", step=step, **told)
        paid = sum(self.ground.paid(a, b, self.belief.steps(a)[b]) for a, b in pairwise([cell, *path]))
        must(abs(cost - paid) <= 1e-9 * max(1, paid), "a field says what its way costs", says=cost, **told)


def judge(case: Leading, script: Script) -> None:
    script.say("import copy, pickle")
    leader = Leader(case, script)
    for name, *given in case.calls:
        getattr(leader, f"do_{name}")(*given)
    for cell in leader.ground.cells:
        leader.do_ask(cell)
