"""D* Lite and its kin beside plain ones, turn by turn: the same states are expanded, in the same order.

After any number of turns g, rhs, next and who is queued are the same of every state, while costs rise and fall, the
agent walks or is carried away, and the target moves.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import replan
from examples import examples
from oracle.dstar import INF, DStarExtraLite, DStarLite, MovingTarget, Truncated
from replan.spaces.goals import Goals

KIN: dict[str, Any] = {
    "D* Lite": DStarLite,
    "D* Extra Lite": DStarExtraLite,
    "Moving-Target D* Lite": MovingTarget,
    "Truncated D* Lite": Truncated,
}
ORDERS = [("larger g", "first-in"), ("larger g", "last-in"), ("smaller g", "first-in")]


class Beside:
    """A planner and its oracle in one space."""

    def __init__(self, name: str, space: Any, at: int, goal: int, prefer: str, ties: str, bound: int) -> None:
        more = {"bound": bound / 100} if name == "Truncated D* Lite" else {}
        self.planner, self.space = replan.planner(name, prefer=prefer, ties=ties, **more), space
        into = space.successors if space.is_symmetric else space.predecessors
        self.oracle = KIN[name](space.successors, into, space.distance, prefer, ties)
        self.oracle.bound, self.oracle.both_ways = bound, space.is_symmetric
        self.at, self.goal, self.begun = at, goal, False
        self.changed: list[tuple[int, bool]] = []
        self.counts: dict[int, tuple[int, int]] = {}
        # who searches forward has to know which states a step enters: where they lead one way an agent tells it
        self.agent = None
        if isinstance(self.oracle, MovingTarget) and not space.is_symmetric:
            self.agent = replan.Agent(self.planner, space, space.key(at), space.key(goal))
            steps = [(space.key(u), space.key(v)) for u in range(space.n) for v, _ in space.successors(u)]
            self.ends = {space.location(step): step for step in reversed(steps)}
        else:
            self.planner.begin(space, Goals([goal], space.n))

    def put(self, place: int, value: int) -> None:
        """A cost rises, or falls."""
        before = [dict(self.space.successors(s)) for s in range(self.space.n)]
        old = self.space.get_value(place)
        if old == value:
            return
        rise = value == 0 or (old != 0 and value > old)
        if self.agent is not None:
            u, v = self.ends[place]
            self.agent.observe([(u, v)], weights=[value])
            touched = [self.space.state(v)] if self.space.is_directed else [self.space.state(v), self.space.state(u)]
        else:
            self.space.set_value(place, value)
            touched = [s for s in range(self.space.n) if dict(self.space.successors(s)) != before[s]]
            self.planner.notify(touched, rise)
        if self.begun:
            self.changed += [(s, rise) for s in touched]

    def retarget(self, goal: int) -> None:
        if goal != self.goal:
            self.goal = goal
            if self.agent is not None:
                self.agent.retarget(self.space.key(goal))
            else:
                self.planner.retarget(Goals([goal], self.space.n))
            if not isinstance(self.oracle, MovingTarget):
                self.begun, self.changed = False, []

    def take_in(self) -> None:
        """Where the agent and the target are, and what has changed."""
        oracle, forward = self.oracle, isinstance(self.oracle, MovingTarget)
        if forward and self.begun and self.at != oracle.roots[0]:
            self.begun = oracle.reroot(self.at)
        if not self.begun:
            self.changed = []
            oracle.begin(*(([self.at], self.goal) if forward else ([self.goal], self.at)))
            self.begun = True
        oracle.move_target(self.goal if forward else self.at)
        if isinstance(oracle, Truncated):
            oracle.restore()
        for s, rise in self.changed:
            if rise:
                oracle.costs_rose(s)
            else:
                oracle.costs_changed(s)
        self.changed = []

    def advance(self, turns: int) -> bool:
        done = self.planner.advance(self.at, replan.Expansions(turns))
        self.take_in()
        self.oracle.start()
        known = False
        for _ in range(turns):
            if not self.oracle.turn():
                known = True
                break
        assert done == (known or self.oracle.done())
        self.compare()
        return done

    def compare(self) -> None:
        shown, oracle = self.planner.snapshot(), self.oracle
        for s in range(self.space.n):
            g, rhs = oracle.value(s)
            mine = (shown["g"][s], shown["rhs"][s], shown["parent"][s], shown["open"][s])
            assert mine == (
                -1 if g == INF else g, -1 if rhs == INF else rhs, oracle.next.get(s, -1), s in oracle.queue,
            ), f"state {s}"  # fmt: skip
        # an oracle that begins anew counts anew, a planner goes on
        self.counts[oracle.begun] = oracle.expansions, oracle.refreshes
        mine = self.planner.expansions, self.planner.key_updates
        assert mine == tuple(sum(column) for column in zip(*self.counts.values(), strict=True))


def some_space(data: Any, rng: Any) -> Any:
    kind = data.draw(st.sampled_from(["grid 4", "grid 8", "graph", "directed"]))
    if kind.startswith("grid"):
        return replan.Grid(rng.random((5, 6)) < 0.3, int(kind[-1]))
    edges = {(int(u), int(v)): int(c) for u, v, c in rng.integers(0, 9, (22, 3)) if u != v}
    edges = {(u, v): c + 1 for (u, v), c in edges.items() if kind == "directed" or (v, u) not in edges or u < v}
    return replan.Graph([(u, v, c) for (u, v), c in edges.items()], directed=kind == "directed")


@pytest.mark.parametrize("prefer, ties", ORDERS)
@pytest.mark.parametrize("name", KIN)
@examples(60)
@given(data=st.data())
def test_turn_by_turn(name, prefer, ties, data):
    rng = np.random.default_rng(data.draw(st.integers(0, 2**31)))
    space = some_space(data, rng)
    states = [s for s in range(space.n) if space.successors(s)]
    if len(states) < 2:
        return
    at, goal = rng.choice(states, 2, replace=False).tolist()
    pair = Beside(name, space, at, goal, prefer, ties, data.draw(st.sampled_from([100, 105, 150])))
    first = [space.get_value(place) for place in range(space.n_locations)]
    for _ in range(data.draw(st.integers(1, 12))):
        do = data.draw(st.sampled_from(["turn", "turns", "all", "walk", "jump", "change", "change", "target"]))
        if do in ("turn", "turns", "all"):
            pair.advance({"turn": 1, "turns": 4, "all": 10**6}[do])
        elif do == "walk" and space.successors(pair.at):
            pair.at = int(rng.choice([v for v, _ in space.successors(pair.at)]))
        elif do == "jump":
            pair.at = int(rng.choice(states))
        elif do == "target":
            pair.retarget(int(rng.choice(states)))
        elif do == "change":
            for place in rng.integers(0, space.n_locations, 3).tolist():
                if first[place] > 0:
                    pair.put(place, 0 if space.get_value(place) else first[place])
    while not pair.advance(10**6):
        pass


@pytest.mark.parametrize("bound", [110, 150, 200])
def test_ways_that_come_together(bound):
    """On larger maps truncated states share the ends of their ways."""
    shared = 0
    for seed in range(6):
        rng = np.random.default_rng(seed)
        space = replan.Grid(rng.random((14, 14)) < 0.15, 8)
        states = [s for s in range(space.n) if space.successors(s)]
        first = [space.get_value(place) for place in range(space.n_locations)]
        pair = Beside("Truncated D* Lite", space, states[0], states[-1], "larger g", "first-in", bound)
        for _ in range(12):
            pair.advance(10**6)
            shared += len(pair.oracle.truncated) > 1 and len(pair.oracle.ways) > 2
            for place in rng.integers(0, space.n_locations, 8).tolist():
                if first[place] > 0 and place not in (states[0], states[-1]):
                    pair.put(place, 0 if space.get_value(place) else first[place])
    assert shared > 3
