"""Agents whose goal is cut off, and agents that have not heard yet what others have changed, are saved and loaded.

A loaded planner begins its floods again. It walks as the original does until one of the two says that there is no way.
"""

from __future__ import annotations

import os
import pickle
from random import Random
from typing import Any

import numpy as np
import pytest

import replan
from replan import serialization
from saving.test_damaged_planners import in_time, use
from saving.ways import DEEP, WAYS, Damaging, damaged, pickled

SIDE = 40 if replan.compiled else 16
CUT_OFF = 6 * 6  # cells behind the wall
THOROUGH = os.environ.get("REPLAN_THOROUGH") == "1"
TRIES = 3000 if THOROUGH else 150 if replan.compiled else 10


def shut_in() -> dict[str, Any]:
    """Spaces with a wall all round the goal."""
    blocked = np.zeros((SIDE, SIDE), bool)
    blocked[SIDE - 7, SIDE - 7 :] = blocked[SIDE - 7 :, SIDE - 7] = True
    cells = [(r, c) for r in range(SIDE) for c in range(SIDE) if not blocked[r, c]]
    free = set(cells)
    edges = [((r, c), (r + a, c + b)) for r, c in cells for a, b in ((0, 1), (1, 0)) if (r + a, c + b) in free]
    back = [(b, a) for i, (a, b) in enumerate(edges) if i % 7]  # some steps cannot be taken back
    return {
        "tiles": replan.Grid(blocked, 4),
        "states": replan.Grid(blocked, 8, corners="free"),
        "one way": replan.Graph([*edges, *back], directed=True),
    }


PLANNERS = {
    "RTAA*": {"lookahead": 30},
    "wLSS-LRTA*": {"lookahead": 40, "update_weight": 7},
    "daLSS-LRTA*": {"lookahead": 150},
    "LRTA*": {"lookahead": 20},
    "TBA*": {"lookahead": 12},
    "TBAA*": {"lookahead": 12, "on_cost_decrease": "reset"},
    "RTD*": {"lookahead": 12},
    "RTD* NoOp": {"lookahead": 12},
}


def walk(agent: replan.Agent, most: int) -> list[Any]:
    """Walk until there is no way, with a door in the wall now and then."""
    told: list[Any] = []
    for number in range(most):
        path = agent.plan()
        told.append((path, agent.episodes, agent.planner.expansions, agent.status))
        if path is None and number % 3:
            break
        if path:
            agent.move(path[0])
        if number % 60 == 59 and agent.belief.locations_are_states:
            agent.observe([(SIDE - 7, SIDE - 4)], [number % 120 == 59])
    return told


@pytest.mark.parametrize("name", PLANNERS)
@pytest.mark.parametrize("kind", shut_in())
def test_a_copy_walks_on_and_notices_as_well(kind: str, name: str) -> None:
    begun = 0
    for stop in (5, 59, 150) if replan.compiled else (12,):
        ends = [(0, 0), (SIDE - 2, SIDE - 2)]
        if name.startswith("RTD*"):  # which searches from the goal
            ends.reverse()
        agent = replan.Agent(replan.planner(name, **PLANNERS[name]), shut_in()[kind], *ends)
        walk(agent, stop)
        twin = DEEP[stop % len(DEEP)](agent)
        begun += agent.planner._reachability.forward_flood.size > 0  # type: ignore[attr-defined]
        if stop < 119:  # the door has not been opened yet
            search_in_vain(DEEP[stop % len(DEEP)](agent), CUT_OFF)
        told, original = walk(twin, 250), walk(agent, 250)
        known = min(answers_before_no_way(told), answers_before_no_way(original))
        assert told[:known] == original[:known]
    assert begun or not replan.compiled


def search_in_vain(agent: replan.Agent, smaller_side: int) -> None:
    """Walk until there is no way, which is known as soon as was promised; and so knows a copy, at once."""
    planner, before = agent.planner, agent.planner.expansions
    while path := agent.plan():
        agent.move(path[0])
    assert path is None
    times = 16 if isinstance(agent.belief, replan.Grid) else 256
    assert planner.expansions - before <= times * smaller_side + 1000 + 2 * min(planner.expansion_limit, agent.belief.n)
    copy = pickled(agent)
    before = copy.planner.expansions
    assert copy.plan() is None
    assert copy.planner.expansions - before <= planner.expansion_limit  # RTD* goes on with its global search


def answers_before_no_way(told: list[Any]) -> int:
    return next((i for i, (path, *_) in enumerate(told) if path is None), len(told))


def test_notice_is_kept_as_it_was_when_the_trip_began() -> None:
    agent = replan.Agent(
        replan.planner("RTAA*", detect_unreachable=False), shut_in()["tiles"], (0, 0), (SIDE - 2, SIDE - 2)
    )
    agent.planner.detects_unreachable = True  # type: ignore[attr-defined]
    twin = pickled(agent)
    assert twin.planner.detects_unreachable and not twin.planner._reachability.is_enabled


@pytest.mark.parametrize("kind", shut_in())
def test_damaged_ones(kind: str) -> None:
    random, saved, refused = Random(kind), [], 0
    for name in ("RTAA*", "daLSS-LRTA*"):
        agent = replan.Agent(replan.planner(name, **PLANNERS[name]), shut_in()[kind], (0, 0), (SIDE - 2, SIDE - 2))
        for stop in (25, 40, 60):
            walk(agent, stop)
            saved.append(pickle.dumps(agent))
    for i in range(TRIES):
        data = saved[i % len(saved)]
        loader = OfReach(data, -1, random)
        with in_time(loader.did):
            try:
                agent = loader.load()
            except replan.InputError:
                refused += 1
                continue
            use(agent, 5, loader.did)
    assert refused > TRIES // 20


class OfReach(Damaging):
    """Damages what a planner knows of the way."""

    def rebuild(self, cls: Any, kind: Any, args: Any, fields: Any, seal: Any) -> Any:
        names = [name for name in fields if name.startswith("reachability.")]
        if names:
            name = self.random.choice(names)
            self.did, fields = f"{cls.__name__} {name}", {**fields, name: damaged(fields[name], self.random)}
        return serialization.rebuild(cls, kind, args, fields, serialization._checksum(cls, kind, args, fields))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", ["RTAA*", "D* Lite", "TBA*", "Adaptive A*"])
def test_who_has_not_heard_yet_hears_before_it_is_saved(name: str, way: Any) -> None:
    belief = replan.Grid(np.zeros((12, 12), bool), 4)
    lags = replan.Agent(name, belief, (0, 0), (11, 11))
    other = replan.Agent("RTAA*", belief, (11, 0), (0, 11))
    assert lags.plan()
    other.observe([(i, 5) for i in range(11)], [True] * 11)
    alone = way(lags.planner)
    twin = way(lags)
    for _ in range(60):
        path = lags.plan()
        assert twin.plan() == path
        if not path:
            break
        lags.move(path[0])
        twin.move(path[0])
    assert alone.plan(belief.state((0, 0)), None)
    assert lags.cell == twin.cell == (11, 11)
