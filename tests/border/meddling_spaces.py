"""Spaces that raise, or that do something to the agent and its planner, while they are asked."""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import replan
from border.case import Battery, Mine
from border.honest import QUERIES, Board, make
from border.lying_spaces import ASKED, LIVES, MUST, Liar, Lie, add, some_engines

BATTERY = Battery()


def raising(error: BaseException) -> Lie:
    def lie(answer: Any, space: Any) -> Any:
        raise error

    return lie


for _method in ASKED:
    for _error in (Mine("mine"), StopIteration("mine"), KeyboardInterrupt("mine"), SystemExit("mine")):
        _how: dict[str, Any] = {"errors": (type(_error),), "words": ("mine",)}
        add(BATTERY, _method, f"raises {type(_error).__name__}", raising(_error), MUST, 0, **_how)
    _itself = lambda answer, space: space.successors(0)  # noqa: E731
    add(BATTERY, _method, "calls itself", _itself, LIVES, errors=(Exception,), words=())


def large() -> Board:
    return Board(40, 50, ())


ACTS: dict[str, Callable[[Any, Any], Any]] = {
    "plans again": lambda agent, planner: agent.plan(),
    "asks the planner": lambda agent, planner: planner.plan(agent.state, None),
    "begins anew": lambda agent, planner: planner.begin(agent.belief, agent.goals),
    "begins on a larger map": lambda agent, planner: planner.begin(large(), agent.goals),
    "begins on a smaller map": lambda agent, planner: planner.begin(Board(1, 2, ()), agent.goals),
    "observes": lambda agent, planner: agent.observe([(2, 3)], [True]),
    "moves": lambda agent, planner: agent.move((0, 1)),
    "restarts": lambda agent, planner: agent.restart((3, 3)),
    "retargets": lambda agent, planner: agent.retarget((0, 4)),
    "makes another agent": lambda agent, planner: replan.Agent(planner, Board(), (0, 0), (1, 4)).plan(),
    "makes an agent on a larger map": lambda agent, planner: replan.Agent(planner, large(), (0, 0), (39, 49)).plan(),
    "simulates": lambda agent, planner: replan.simulate(replan.Grid(np.zeros((9, 9))), planner, (0, 0), (8, 8)),
    "makes the agent anew": lambda agent, planner: agent.__init__(planner, large(), (0, 0), (39, 49)),
    "makes the planner anew": lambda agent, planner: planner.__init__(),
    "makes the space anew": lambda agent, planner: replan.Space.__init__(
        agent.belief, 10**6, 10**6, 4, max_edge_round_trip=2
    ),
    "turns the board": lambda agent, planner: agent.belief.set_value(7, 1),
    "forgets its board": lambda agent, planner: agent.belief.__dict__.clear(),
    "becomes something else": lambda agent, planner: setattr(agent.belief, "__class__", Board),
    "sets n": lambda agent, planner: setattr(agent.belief, "n", 10**6),
    "sets max_path_cost": lambda agent, planner: setattr(agent.belief, "max_path_cost", 1),
    "sets the planner's space": lambda agent, planner: setattr(planner, "space", None),
    "collects": lambda agent, planner: gc.collect(),
}


def interfere(engine: str, method: str, act: Callable[[Any, Any], Any]) -> None:
    """Something that is done to the agent or its planner while the agent searches."""
    held: dict[str, Any] = {}

    def lie(answer: Any, space: Any) -> Any:
        space.method = ""  # once
        act(held["agent"], held["planner"])
        return answer

    space = Liar(method, lie, 3)
    space.method = ""
    held["planner"] = make(engine)
    agent = held["agent"] = replan.Agent(held["planner"], space, (0, 0), (3, 4))
    space.method = method
    for _ in range(40):
        path = agent.plan()
        if path:
            agent.move(path[0])


for _method in ("successors", "predecessors", "distance"):
    for _name, _act in ACTS.items():
        for _engine in some_engines(_name + _method):
            if _engine not in QUERIES:
                BATTERY.add(
                    f"space {_method} meanwhile/{_name}/{_engine}",
                    partial(interfere, _engine, _method, _act),
                    *("plan", "Liar", "Board", "Space", "Agent", "agent", "begin", "attribute", "__init__"),
                    errors=(ValueError, TypeError, RuntimeError, AttributeError),
                )
