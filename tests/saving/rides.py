"""Agents in terrain that changes, driven step by step: two that are equal do the same, and count the same."""

from __future__ import annotations

from contextlib import suppress
from random import Random
from typing import Any

import numpy as np

import replan
from border.honest import Board
from sorted_queue import SortedQueue

COUNTS = ("expansions", "percolations", "h_increase", "key_updates", "changed_state_count", "trip_number")


class Sinking(replan.LearningRule):
    """A rule of the user's: the agent's state learns. It has a memory of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.calls = 0

    def learn(self, lookahead: Any) -> int:
        self.calls += 1
        rise = max(0, lookahead.f_best - lookahead.h[lookahead.agent_state])
        lookahead.h[lookahead.agent_state] = lookahead.h[lookahead.agent_state] + rise
        return int(rise)


class EveryThird(replan.ChoosingRule):
    """A rule of the user's that does something else at every third call."""

    def __init__(self) -> None:
        super().__init__()
        self.calls = 0

    def choose(self, lookahead: Any) -> int:
        self.calls += 1
        return int(max(lookahead.frontier)) if self.calls % 3 == 0 else int(lookahead.best)


class Wanderer(replan.Planner):
    """A planner of the user's that remembers where it has been."""

    def __init__(self, patience: int) -> None:
        super().__init__()
        self.patience, self.been = patience, {}

    def plan(self, state: int, budget: Any) -> Any:
        self.been[state] = self.been.get(state, 0) + self.patience
        self.expansions += 1
        near = [v for v, _ in self.space.successors(state)]
        return [min(near, key=lambda v: (self.been.get(v, 0), v))] if near else None


def crow(a: Any, b: Any) -> float:
    """An estimate of the user's, of cells."""
    return max(abs(a[0] - b[0]), abs(a[1] - b[1])) if isinstance(a, tuple) else 0


#: Planners with other options than usual: a name and the options.
OTHERS: dict[str, tuple[str, dict[str, Any]]] = {
    "random ties": ("RTAA*", {"ties": "random", "seed": 3, "lookahead": 7}),
    "plain heap": ("LSS-LRTA*", {"queue": "plain heap", "lookahead": 5, "moves": 2}),
    "buckets": ("RTAA*", {"queue": "buckets", "lookahead": 6}),
    "own queue": ("RTAA*", {"queue": SortedQueue, "lookahead": 5}),
    "own rules": ("RTAA*", {"learning": Sinking(), "choosing": EveryThird(), "lookahead": 6}),
    "repair": ("daRTAA*", {"on_cost_decrease": "repair", "lookahead": 5}),
    "reset": ("aLSS-LRTA*", {"on_cost_decrease": "reset", "lookahead": 5, "ties": "random"}),
    "zero": ("Repeated Forward A*", {"heuristic": "zero", "ties": "random", "seed": 1}),
    "function": ("Adaptive A*", {"heuristic": crow, "check_heuristic": True}),
    "deep LRTA*": ("LRTA*", {"depth": 3, "on_cost_decrease": "repair"}),
    "RTA* in expansions": ("RTA*", {"lookahead": 9}),
    "D* Lite, random": ("D* Lite", {"ties": "random", "seed": 9, "replan_when": "changed"}),
    "D* Lite, smaller g": ("D* Lite", {"prefer": "smaller g"}),
    "D* Lite, buckets": ("D* Lite", {"queue": "buckets"}),
    "D* Lite, own queue": ("D* Lite", {"queue": SortedQueue, "heuristic": crow}),
    "AD*, little": ("AD*", {"lookahead": 5, "weight": 2.5, "ties": "last-in"}),
    "AD*, buckets": ("AD*", {"queue": "buckets", "lookahead": 8}),
    "ARA*, little": ("ARA*", {"lookahead": 4}),
    "RTD*, little": ("RTD*", {"lookahead": 6, "local_moves": None}),
    "RTD* of AD*": ("RTD*", {"lookahead": 8, "global_": "AD*", "local": "daRTAA*", "local_ratio": 0.3}),
    "RTD* NoOp, little": ("RTD* NoOp", {"lookahead": 5}),
    "TBA*, little": ("TBA*", {"lookahead": 5, "tracing": 0.5, "ties": "random"}),
    "TBA*, buckets": ("TBA*", {"lookahead": 4, "queue": "buckets", "on_cost_decrease": "reset"}),
    "TBAA*, little": ("TBAA*", {"lookahead": 5, "on_cost_decrease": "repair"}),
    "little room": ("Compact A*", {"queue_capacity": 8}),
}
PLANNERS = {**{spec.name: (spec.name, {}) for spec in replan.planners()}, **OTHERS}


def planner(which: str) -> replan.Planner:
    name, options = PLANNERS[which]
    own = (Sinking, EveryThird)
    return replan.planner(name, **{k: type(v)() if isinstance(v, own) else v for k, v in options.items()})


def spaces() -> dict[str, Any]:
    blocked = replan.random_obstacles(11, 13, 0.2, seed=5)
    blocked[0, 0] = blocked[10, 12] = False
    weights = np.random.default_rng(3).integers(1, 9, blocked.shape)
    cells = [(r, c) for r in range(7) for c in range(7)]
    beside = [(a, b) for a in cells for b in cells if abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1]
    edges = [(a, b, 1 + (3 * a[0] + b[1]) % 5) for a, b in beside]
    return {
        "4": replan.Grid(blocked, 4),
        "8": replan.Grid(blocked, 8, corners="either"),
        "weights": replan.Grid(blocked, 8, weights),
        "graph": replan.Graph(edges, directed=True, positions={cell: cell for cell in cells}),
        "own": Board(6, 7, ((2, 2), (2, 3), (3, 3))),
    }


def ends(space: Any) -> tuple[Any, list[Any]]:
    """Where an agent starts, and where it goes, one after the other."""
    if isinstance(space, replan.Grid):
        return (0, 0), [(10, 12), (10, 3), (2, 11)]
    return (0, 0), [(5, 6), (5, 1), (1, 5)]


def agent_on(space: Any, made: replan.Planner) -> replan.Agent | None:
    """An agent on its way, None where the planner cannot walk there."""
    start, goals = ends(space)
    try:
        return replan.Agent(made, space, start, goals[0])
    except replan.InputError:
        return None


def step(agent: replan.Agent, number: int) -> tuple[Any, ...]:
    """One step: something changes somewhere, now and then the goal; then plan, and move. What happened."""
    random, believed = Random(number), agent.belief
    for _ in range(random.choice([0, 0, 0, 1, 3])):
        place = random.randrange(believed.n_locations)
        change(agent, place, random.random() < 0.5)
    if number % 9 == 8:
        with suppress(replan.InputError):  # a planner may not be able to follow
            agent.retarget(ends(believed)[1][number // 9 % 3])
    path = agent.plan()
    if path:
        agent.move(path[0])
    told = tuple(getattr(agent.planner, name) for name in COUNTS)
    return (path, agent.cell, agent.status, agent.episodes, agent.planner.planned_path.length, *told)


def change(agent: replan.Agent, place: int, block: bool) -> None:
    believed = agent.belief
    if isinstance(believed, replan.Graph):
        tail, head = list(believed._arc_of_pair)[place]
        cost = believed.min_value(place) + place % 3
        agent.observe([(believed.nodes[tail], believed.nodes[head])], weights=[0 if block else cost])
    else:
        cell = believed.key(place)
        if isinstance(believed, replan.Grid) and not (0 <= cell[0] < believed.rows and 0 <= cell[1] < believed.cols):
            return
        if getattr(believed, "is_weighted", False):
            agent.observe([cell], weights=[0 if block else 1 + place % 20])
        else:
            agent.observe([cell], [block])


def ride(agent: replan.Agent, first: int, last: int) -> list[tuple[Any, ...]]:
    """The steps of these numbers; an error ends them and is one of the things that happened."""
    told: list[tuple[Any, ...]] = []
    for number in range(first, last):
        try:
            told.append(step(agent, number))
        except (ValueError, RuntimeError) as error:
            return [*told, (type(error), str(error))]
    return told
