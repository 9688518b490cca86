"""What each planner promises, and whether an answer keeps it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fuzz.belief import Belief
from fuzz.ground import Cell, Ground
from fuzz.planning import Plan, Whoops, first_h
from fuzz.verdict import must
from replan import Status

if TYPE_CHECKING:
    from fuzz.drive import Rider

#: Whose learned h stays consistent, and whose only never overestimates, as long as no cost falls or falls are repaired.
CONSISTENT = {"adaptive-a-star", "generalized-adaptive-a-star", "moving-target-adaptive-a-star"}
CONSISTENT |= {"rtaa", "artaa", "dartaa", "lss-lrta", "alss-lrta", "dalss-lrta"}
ADMISSIBLE = CONSISTENT | {"lrta", "tla"}

SMALL = 100  # costs: a real-time planner needs few moves for h to grow past them
PATIENCE = 1_000_000  # calls: TLA*, which learns one state at a time, takes more than 20,000 on some small maps
TRIED = 200  # calls, where nothing is promised


class Claims:
    """What a planner with these options promises on this ground."""

    def __init__(self, plan: Plan, ground: Ground) -> None:
        self.plan, self.spec, self.ground = plan, plan.spec, ground
        self.own_rules = "learning" in plan.options or "choosing" in plan.options
        self.loops = plan.option("pathmax") is False  # it may run in circles
        self.keeps = plan.option("on_cost_decrease") == "keep"  # what was learned, although it may overestimate now
        self.deadline = plan.option("deadline") is not None
        #: Does it notice that no goal can be reached? (Searches that go on where they stopped run empty one day.)
        self.notices = not self.spec.is_realtime or (
            not self.deadline and bool(plan.option("detect_unreachable") or self.spec.may_wait)
        )
        sane = not self.loops and not self.own_rules and ground.both_ways
        #: Does it arrive within PATIENCE steps, where nothing changes and the goal can be reached?
        self.small = not self.spec.is_realtime or (sane and ground.dearest <= SMALL and not self.deadline)

    def whole(self, budget: Any) -> bool:
        """Does it search all the way with this budget? (Some refuse one, and are then asked without.)"""
        return not self.spec.is_realtime and (budget is None or "lookahead" in self.spec.options)

    def cheapest(self, rider: Rider) -> bool:
        return self.spec.is_optimal and rider.whole and not (self.keeps and rider.fell)

    def factor(self, planner: Any) -> float | None:
        """How many times the cheapest a path may cost when it was just found; None: nothing is promised."""
        if "weight" not in self.spec.options or self.spec.is_realtime:
            return None
        return float(getattr(planner, "bound", self.plan.option("weight")))

    def calls_to_finish(self, at: Cell, goals: Any, belief: Belief) -> tuple[int, bool]:
        """In how many calls of plan(), a move after each, does an agent arrive or give up? And is that sure?"""
        if not self.spec.is_realtime:
            return len(self.ground.cells) + 2, True
        sure = self.small if at in belief.distances(goals) else self.notices
        return (PATIENCE, True) if sure else (TRIED, False)

    # An answer of plan().

    def look_at(self, rider: Rider, belief: Belief, path: Any, more: dict[str, int], budget: Any) -> None:
        if more["episodes"] > 0:
            rider.whole = self.whole(budget)
        self.look_at_status(rider, path)
        self.look_at_path(rider, belief, path, more["episodes"] > 0)
        if more["episodes"] > 0:
            self.look_at_work(more, budget)
            self.look_at_h(rider, belief)

    def look_at_status(self, rider: Rider, path: Any) -> None:
        told = {"planner": self.plan, "at": rider.at, "goals": rider.goals, "path": path}
        if rider.at in rider.goals:
            wanted = Status.ARRIVED
            must(path == [], "an agent on a goal has arrived", **told)
        elif path is None:
            wanted = Status.UNREACHABLE
        else:
            must(path != [], "[] is for arrival alone", **told)
            wanted = Status.WAITING if path == [rider.at] else Status.WALKING
        must(rider.agent.status is wanted, "the status agrees with plan()", says=rider.agent.status, **told)

    def look_at_path(self, rider: Rider, belief: Belief, path: Any, new: bool) -> None:
        far = belief.distances(rider.goals)
        told = {"planner": self.plan, "at": rider.at, "goals": rider.goals, "path": path, "cheapest": far.get(rider.at)}
        if path is None:
            must(rider.at not in far, "None only when there is no way", **told)
            return
        if path == []:
            return
        if path == [rider.at]:
            must(self.spec.may_wait, "only some planners wait", **told)
            return
        must(not rider.whole or rider.at in far, "a way only when there is one", **told)
        cost = belief.cost([rider.at, *path])
        must(cost < 1 << 62, "each step of a path is possible", **told)
        must(len(path) <= (self.plan.option("moves") or len(path)), "a path is not longer than `moves`", **told)
        if rider.at not in far:
            return
        rest = far.get(path[-1], 1 << 62)
        if self.cheapest(rider):
            must(cost + rest == far[rider.at], "a cheapest path", cost=cost, rest=rest, **told)
        factor = self.factor(rider.planner)
        if factor is not None and new:
            within = cost + rest <= factor * far[rider.at] + 1e-6
            must(within, "a path within its bound", cost=cost, factor=factor, **told)

    def look_at_work(self, more: dict[str, int], budget: Any) -> None:
        """Does it keep to its limit of expansions?"""
        limit = budget[1] if budget is not None and budget[0] == "expansions" else None
        if budget is None and not self.deadline:
            limit = self.plan.option("lookahead")
        if self.spec.is_realtime and limit is not None:
            must(more["expansions"] <= limit, "no more expansions than allowed", planner=self.plan, limit=limit, **more)

    def look_at_h(self, rider: Rider, belief: Belief) -> None:
        """What was learned: does it overestimate, is it consistent?"""
        claimed = CONSISTENT if rider.turned else ADMISSIBLE  # what is corrected for another goal has to be consistent
        if self.spec.slug not in claimed or self.own_rules or (self.keeps and rider.fell):
            return
        try:
            known, space = rider.planner.snapshot()["h"], rider.agent.belief
        except Whoops:
            return
        h, given = {}, self.plan.option("heuristic")
        for cell in self.ground.cells:
            learned = int(known[space.state(cell)])
            h[cell] = learned if learned >= 0 else first_h(given, self.ground, cell, rider.goals)
        if self.plan.option("update_weight") not in (None, 1):
            return  # with a weight h may be that many times too large
        far = belief.distances(rider.goals)
        over = [(cell, h[cell], far[cell]) for cell in far if h[cell] > far[cell]]
        must(not over, "learned h never overestimates", planner=self.plan, cells=over[:3])
        if self.spec.slug in CONSISTENT:
            others = [u for u in self.ground.cells if u not in rider.goals]
            steps = [(u, v, cost) for u in others for v, cost in belief.steps(u).items() if h[u] > cost + h[v]]
            odd = [
                step for step in steps if h[step[1]] <= space.max_path_cost
            ]  # above it stands for: no way from there
            must(not odd, "learned h is consistent", planner=self.plan, steps=odd[:3])
