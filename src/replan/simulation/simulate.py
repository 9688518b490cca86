"""simulate(): one trip of one agent through a world."""

from __future__ import annotations

from typing import Any, overload

from replan.errors import InputError
from replan.limits import INF, NO_WAY, REACHED, TOO_LONG
from replan.planners.base import Planner
from replan.simulation.agent import Agent
from replan.simulation.trip import Trip
from replan.simulation.walk import Walk
from replan.spaces.goals import Goals
from replan.spaces.space import Space, key_to_state
from replan.worlds.world import World

WHY = {REACHED: "reached", NO_WAY: "unreachable", TOO_LONG: "max_moves"}


@overload
def simulate(
    world: World | Space,
    planner: Planner | str,
    start: Any,
    goal: Any = ...,
    max_moves: int | None = ...,
    timing: str = ...,
    trials: None = ...,
) -> Trip: ...


@overload
def simulate(
    world: World | Space,
    planner: Planner | str,
    start: Any,
    goal: Any = ...,
    max_moves: int | None = ...,
    timing: str = ...,
    *,
    trials: int,
) -> list[Trip]: ...


def simulate(
    world: World | Space,
    planner: Planner | str,
    start: Any,
    goal: Any = None,
    max_moves: int | None = None,
    timing: str = "trip",
    trials: int | None = None,
) -> Trip | list[Trip]:
    """Let an agent walk from start to goal and report the trip.

    world: a World, or a Grid or Graph, which is then known. planner: a planner or the name of one. start, goal:
    cells; the goal may be a set, and is the target of the world where it has one. max_moves: the most moves and
    waits. timing: "trip" times the whole loop, "episode" each search.

    trials: that many trips from the same start, as a list. What the agent has seen and learned lasts from one to the
    next. RTAA*, LSS-LRTA* and LRTA* then come to walk a cheapest path (paper 000, Theorem 4); their a and da forms
    need not.

    When no way is known the agent waits as long as the world has changes to come, and otherwise gives up.

    >>> import numpy as np, replan
    >>> maze = np.array([[0, 1, 0], [0, 1, 0], [0, 0, 0]], bool)
    >>> trip = simulate(replan.World(replan.Grid(maze, neighbors=4)), "Repeated Forward A*", (0, 0), (0, 2))
    >>> trip.why, trip.moves, trip.episodes
    ('reached', 6, 2)
    """
    if isinstance(world, Space):
        world = World(world, sensor="everything", known="everything")
    if timing not in ("trip", "episode"):
        raise InputError(f"timing is 'trip' or 'episode', not {timing!r}")
    if trials is not None and (not isinstance(trials, int) or trials < 1):
        raise InputError(f"trials is a whole number from 1, not {trials!r}")
    if max_moves is not None and (not isinstance(max_moves, int) or max_moves < 0):
        raise InputError(f"max_moves is a whole number from 0, or None for no limit, not {max_moves!r}")
    if not isinstance(world, World):
        raise InputError(f"a trip takes place in a World, a Grid or a Graph, not in {world!r}")
    world._enter()
    try:
        return _trips(world, planner, start, goal, INF if max_moves is None else max_moves, timing == "episode", trials)
    finally:
        world._leave()


def _trips(
    world: World, planner: Planner | str, start: Any, goal: Any, max_moves: int, timed: bool, trials: int | None
) -> Trip | list[Trip]:
    belief = world._begin()
    if world.target is not None:
        if goal is not None:
            raise InputError("the goal is the target of this world: leave goal out")
        goal = world.space.key(world.target_at)
    elif goal is None:
        raise InputError("there is no goal: give a cell or a set of cells")
    _refuse_blocked(world, start, goal)
    agent = Agent(planner, belief, start, goal)
    trips = []
    for trial in range(trials or 1):
        if trial > 0:
            world._rewind()
            agent.restart(start)
            if world.target is not None and not agent.goals.contains(world.target_at):
                agent.retarget(world.space.key(world.target_at))
        before = _counts(agent.planner)
        walk = Walk(max_moves, timed)
        walk.take(agent, world)
        trips.append(_trip(walk, agent, world, before))
    return trips[0] if trials is None else trips


COUNTS = ("expansions", "percolations", "h_increase", "refreshes", "intakes", "intake_ns")


def _counts(planner: Planner) -> dict[str, int]:
    return {name: getattr(planner, name) for name in COUNTS}


def _refuse_blocked(world: World, start: Any, goal: Any) -> None:
    truth = world.truth
    at, goals = key_to_state(truth, start), Goals.of(truth, goal)
    if truth.cells:
        if truth.get(at) == 0:
            raise InputError(f"the start {truth.key(at)} is blocked")
        states = list(goals.states)
        if all(truth.get(s) == 0 for s in states) and not world.may_open(states):
            raise InputError(f"the goal {goal} is blocked, and no change frees it")


def _trip(walk: Walk, agent: Agent, world: World, before: dict[str, int]) -> Trip:
    planner = agent.planner
    spent = {name: now - before[name] for name, now in _counts(planner).items()}
    record = walk.record()
    path = record["path"]
    return Trip(
        planner=planner.spec.name if planner.spec else type(planner).__name__,
        reached=walk.why == REACHED,
        why=WHY[walk.why],
        cost=world.space.steps(path, record["paid"]),
        moves=walk.moves,
        steps=walk.steps,
        waits=walk.steps - walk.moves,
        informed_steps=walk.informed,
        partial_steps=walk.moves - walk.informed,
        episodes=walk.episodes,
        expansions=spent["expansions"],
        refreshes=spent["refreshes"],
        percolations=spent["percolations"],
        h_increase=spent["h_increase"] / world.space.unit,
        intakes=spent["intakes"],
        search_ns=walk.search_ns,
        intake_ns=spent["intake_ns"] if walk.timed else None,
        episode_expansions=record["expansions"].tolist(),
        episode_ns=record["nanoseconds"].tolist() if walk.timed else None,
        states=path,
        space=world.space,
    )
