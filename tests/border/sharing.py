"""One thing used by two: planners in two agents, beliefs changed underneath, threads that share an object."""

from __future__ import annotations

import gc
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import replan
from border.case import SENTENCES, Battery
from border.honest import ENGINES, GOAL, LENGTH, QUERIES, START, Board, grid, is_optimal, make
from border.objects import graph, walk

BATTERY = Battery()
SHARERS = [engine for engine in ENGINES if engine not in QUERIES]


def large() -> replan.Grid:
    return replan.Grid(np.zeros((30, 30), bool), 4)


# One planner in two agents.


def arrive(agent: Any, goal: Any) -> None:
    """An error that says what is wrong, or the agent's own goal."""
    for _ in range(200):
        path = agent.plan()
        if agent.cell == goal:
            return
        assert path is not None, "there is a way"
        if path:
            agent.move(path[0])
    raise AssertionError(f"the agent stands on {agent.cell}, not on {goal}")


def two_agents(engine: str, first: Callable[[], Any], ends: Any, second: Callable[[], Any], other: Any) -> None:
    planner = make(engine)
    one = replan.Agent(planner, first(), *ends)
    one.plan()
    two = replan.Agent(planner, second(), *other)
    arrive(two, other[1])
    one.observe([(0, 1)] if first is not graph else [((0, 0), (0, 1))], [False])
    arrive(one, ends[1])


PAIRS: dict[str, tuple[Any, ...]] = {
    "on maps of one size": (grid, (START, GOAL), grid, (GOAL, START)),
    "a large map, then a small one": (large, ((0, 0), (29, 29)), grid, (START, GOAL)),
    "a small map, then a large one": (grid, (START, GOAL), large, ((0, 0), (29, 29))),
    "a grid, then a graph": (grid, (START, GOAL), graph, (START, GOAL)),
    "a space in Python, then a grid": (Board, (START, GOAL), large, ((0, 0), (29, 29))),
}
for _name, _pair in PAIRS.items():
    for _engine in SHARERS:
        _do = partial(two_agents, _engine, *_pair)
        BATTERY.add(f"two agents/{_name}/{_engine}", _do, "planner", "agent", "Repeated BFS needs")


def drop_by_drop(engine: str) -> None:
    """A planner whose agents are dropped one after the other is allowed."""
    planner = make(engine)
    for _ in range(5):
        arrive(replan.Agent(planner, grid(), START, GOAL), GOAL)
        gc.collect()


def units(engine: str) -> None:
    """The first loop that somebody writes who has a game."""
    planner = make(engine)
    belief = grid()
    goals = [(3, 4), (0, 4), (3, 0)]
    for agent, goal in [(replan.Agent(planner, belief, START, goal), goal) for goal in goals]:
        arrive(agent, goal)


def shared_belief(engine: str) -> None:
    """Agents with planners of their own that share what they believe."""
    belief = grid()
    agents = [replan.Agent(make(engine), belief, START, goal) for goal in (GOAL, (0, 4))]
    agents[0].observe([(2, 2)], [True])
    for agent, goal in zip(agents, (GOAL, (0, 4)), strict=True):
        arrive(agent, goal)


def handed_on(engine: str) -> None:
    """Maps of many sizes, one after the other: each trip is that of a new planner."""
    planner, rng = make(engine), np.random.default_rng(3)
    for side in (9, 3, 30, 2, 12, 1, 31, 5):
        blocked = rng.random((side, 2 * side)) < 0.2
        blocked[0, 0] = blocked[-1, -1] = False
        world = replan.World(replan.Grid(blocked, 4))
        ends = (0, 0), (side - 1, 2 * side - 1)
        trips = [replan.simulate(world, one, *ends, max_moves=300) for one in (planner, make(engine))]
        assert trips[0].path == trips[1].path, f"another path on {side} x {2 * side}"
        assert trips[0].expansions == trips[1].expansions, f"other expansions on {side} x {2 * side}"


def handed_on_to_graphs(engine: str) -> None:
    """The same with graphs, where bounds can be equal though sizes are not."""
    planner = make(engine)
    for n, cost in ((6, 40), (12, 20), (24, 10), (48, 5), (240, 1), (6, 40)):
        edges = [(i, (i + j) % n, cost) for i in range(n) for j in (1, 2)]
        trips = [replan.simulate(replan.World(replan.Graph(edges)), one, 0, n // 2) for one in (planner, make(engine))]
        assert trips[0].path == trips[1].path, f"another path with {n} nodes"


for _engine in SHARERS:
    for _do in (drop_by_drop, units, shared_belief, handed_on, handed_on_to_graphs):
        BATTERY.add(f"one planner/{_do.__name__}/{_engine}", partial(_do, _engine), "planner", "agent")


# Beliefs that somebody else changes.

UNDERNEATH: dict[str, Callable[[Any], Any]] = {
    "blocks the path": lambda belief: [belief.set_value(s, 0) for s in (22, 23, 24, 29, 30)],
    "blocks all": lambda belief: [belief.set_value(s, 0) for s in range(9, 33)],
    "frees all": lambda belief: [belief.set_value(belief.state((r, c)), 1) for r in range(4) for c in range(5)],
    "assigns another": lambda belief: belief.assign(replan.Grid(np.eye(4, 5), 4)),
    "assigns a large one": lambda belief: belief.assign(large()),
    "makes it anew": lambda belief: belief.__init__(np.eye(4, 5), 4),
    "makes it small": lambda belief: belief.__init__(np.zeros((1, 1)), 4),
    "makes it large": lambda belief: belief.__init__(np.zeros((30, 30)), 4),
    "with 8 neighbours": lambda belief: belief.__init__(np.zeros((4, 5)), 8),
    "changes often": lambda belief: [
        belief.set_value(belief.state((2, c)), i % 2) for i in range(9000) for c in (1, 3)
    ],
    "has other arrays": lambda belief: setattr(belief, "succ", memoryview(np.zeros(1, np.int32))),
}


def underneath(engine: str, act: Callable[[Any], Any]) -> None:
    belief = grid()
    agent = replan.Agent(make(engine), belief, START, GOAL)
    agent.plan()
    act(belief)
    for _ in range(30):
        path = agent.plan()
        if path is None:
            return
        agent.observe([(0, 1), (2, 2)], [False, True])
        if path:
            agent.move(path[0])


for _name, _act in UNDERNEATH.items():
    for _engine in SHARERS:
        _do = partial(underneath, _engine, _act)
        BATTERY.add(f"belief changed/{_name}/{_engine}", _do, errors=(*SENTENCES, AttributeError))


# Threads.


def in_threads(jobs: list[Callable[[], Any]], seconds: float = 0.15) -> None:
    """All at once, again and again; the first error that is no sentence comes out."""
    errors: list[BaseException] = []
    end = time.monotonic() + seconds

    def run(job: Callable[[], Any]) -> None:
        while time.monotonic() < end:
            try:
                job()
            except BaseException as error:
                errors.append(error)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    threads = [threading.Thread(target=run, args=(job,)) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    sys.setswitchinterval(before)
    for error in errors:
        if not isinstance(error, SENTENCES) or not str(error):
            raise error


def around(agent: Any) -> None:
    path = agent.plan()
    agent.observe([(2, 2)], [bool(agent.episodes % 2)])
    if path:
        agent.move(path[0])
    else:
        agent.restart(START)


def share_an_agent(engine: str) -> None:
    agent = replan.Agent(make(engine), grid(), START, GOAL)
    in_threads([partial(around, agent)] * 4)


def share_a_world(engine: str) -> None:
    world = replan.World(large(), changes=[(i, (i % 29, 5), "blocked") for i in range(40)])
    in_threads([lambda: replan.simulate(world, make(engine), (0, 0), (29, 29), max_moves=200)] * 4)


def share_a_still_world(engine: str) -> None:
    world = replan.World(large())
    in_threads([lambda: replan.simulate(world, make(engine), (0, 0), (29, 29), max_moves=200)] * 4)


def share_a_planner(engine: str) -> None:
    planner = make(engine)
    spaces = [grid(), large(), replan.Grid(np.zeros((9, 40), bool), 4), grid()]
    ends = [(START, GOAL), ((0, 0), (29, 29)), ((0, 0), (8, 39)), (START, GOAL)]
    worlds = [replan.World(space) for space in spaces]
    in_threads([lambda i=i: replan.simulate(worlds[i], planner, *ends[i], max_moves=200) for i in range(4)])


def share_a_belief(engine: str) -> None:
    belief = large()
    agents = [replan.Agent(make(engine), belief, (0, 0), (29, 29 - i)) for i in range(4)]
    in_threads([partial(walk_on, agent) for agent in agents])


def walk_on(agent: Any) -> None:
    path = agent.plan()
    agent.observe([(agent.episodes % 29, 3)], [bool(agent.episodes % 2)])
    if path:
        agent.move(path[0])
    else:
        agent.restart((0, 0))


def share_a_changing_grid(engine: str) -> None:
    space = large()

    def change() -> None:
        for s in range(100, 300):
            space.set_value(s, 0)
        for s in range(100, 300):
            space.set_value(s, 1)

    search = lambda: walk(replan.Agent(make(engine), space, (0, 0), (29, 29)))  # noqa: E731
    in_threads([search, search, search, change])


def share_a_grid(engine: str) -> None:
    """Nobody changes it: every answer is right."""
    space = grid()

    def job() -> None:
        moves = replan.simulate(space, make(engine), START, GOAL).moves
        if is_optimal(engine) and moves != LENGTH:
            raise AssertionError(f"{moves} moves, not {LENGTH}")

    in_threads([job] * 4)


SHARED = (share_an_agent, share_a_world, share_a_still_world, share_a_planner, share_a_belief, share_a_changing_grid)
for _share in (*SHARED, share_a_grid):
    for _engine in ("Repeated A*", "RTAA*", "LSS-LRTA*", "D* Lite", "D* Lite buckets", "TBA*", "RTD*"):
        BATTERY.add(f"threads/{_share.__name__}/{_engine}", partial(_share, _engine), errors=())
