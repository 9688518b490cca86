"""Figure 2 of paper 001 on its own twelve maps: RTAA*, aRTAA* and daRTAA* at lookaheads 25 and 97.

The conventions are those of ../shared/reference/README.md: eight neighbours, corners may be cut freely, start and goal
uniform over all free cells and drawn again when no way leads from one to the other, the eight cells around the agent
seen, larger g first.

    pytest -m slow -s tests/slow/test_depression_figure.py   REPLAN_CASES=500 for as many a map as the paper has
"""

from __future__ import annotations

import os
from functools import cache
from typing import Any

import numpy as np
import pytest

import replan
from slow.reproduce import MAPS, PAPERS, Compared, mean, on_all_cores, refuse_far, table

DRAGON_AGE = ["brc202d", "orz103d", "orz702d", "ost000a", "ost000t", "ost100d"]
STARCRAFT = ["Enigma", "FadingRealm", "JungleSiege", "Ramparts", "TwistedFate", "WheelofWar"]
FILES = [MAPS / "dao" / f"{m}.map" for m in DRAGON_AGE] + [MAPS / "sc1_2011" / f"{m}.map" for m in STARCRAFT]
CASES = int(os.environ.get("REPLAN_CASES", "40"))
TIES = os.environ.get("REPLAN_TIES", "first-in")
PAPER_CASES = 6000
PLANNERS = ["RTAA*", "aRTAA*", "daRTAA*"]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (PAPERS / "depression_fig2.csv").exists(), reason=f"no depression_fig2.csv in {PAPERS}"),
    pytest.mark.skipif(not all(f.exists() for f in FILES), reason=f"the maps of paper 001 are not in {MAPS}"),
]


def parts(blocked: Any) -> Any:
    """Cells that are connected by straight and diagonal steps have equal numbers."""
    width = blocked.shape[1] + 2
    solid = np.pad(blocked, 1, constant_values=True).reshape(-1)
    number = np.where(solid, 0, -1).tolist()
    around = [1, width, -1, -width, width + 1, width - 1, -width - 1, 1 - width]
    count = 0
    for first in np.flatnonzero(~solid).tolist():
        if number[first] < 0:
            count += 1
            number[first] = count
            waiting = [first]
            while waiting:
                s = waiting.pop()
                for step in around:
                    if number[s + step] < 0:
                        number[s + step] = count
                        waiting.append(s + step)
    return np.array(number).reshape(-1, width)[1:-1, 1:-1]


@cache
def problems() -> list[tuple[int, Any, Any, Any]]:
    made: list[tuple[int, Any, Any, Any]] = []
    for i, file in enumerate(FILES):
        grid = replan.Grid.load(file, neighbors=8, corners="free")
        connected, free = parts(grid.blocked), np.argwhere(~grid.blocked)
        rng, left = np.random.default_rng(i), CASES
        while left > 0:
            start, goal = (tuple(free[k].tolist()) for k in rng.integers(len(free), size=2))
            if start != goal and connected[start] == connected[goal]:
                made.append((len(made), grid, start, goal))
                left -= 1
    return made


@cache
def trips(planner: str, lookahead: int) -> list[replan.Trip]:
    def trip(problem: tuple[int, Any, Any, Any]) -> replan.Trip:
        i, grid, start, goal = problem
        made = replan.planner(planner, lookahead=lookahead, ties=TIES, seed=i)
        return replan.simulate(replan.World(grid), made, start, goal)

    return on_all_cores(trip, problems())


@pytest.mark.parametrize("lookahead", [25, 97])
def test_costs_are_those_of_figure_2(lookahead: int) -> None:
    found = []
    for planner in PLANNERS:
        assert all(t.reached for t in trips(planner, lookahead))
        wanted = (planner, str(lookahead))
        (row,) = [r for r in table("depression_fig2.csv") if (r["planner"], r["lookahead"]) == wanted]
        for column in ("cost", "episodes"):
            ours, error, spread = mean([getattr(t, column) for t in trips(planner, lookahead)])
            name = f"{planner} {lookahead} {column}"
            found.append(Compared(name, ours, error, float(row[column]), spread / PAPER_CASES**0.5))
        ours, error, spread = mean([t.percolations / t.episodes for t in trips(planner, lookahead)])
        paper = float(row["percolations_per_episode"])
        print(Compared(f"{planner} {lookahead} percolations", ours, error, paper, spread / PAPER_CASES**0.5))
    refuse_far(found)


@pytest.mark.parametrize("lookahead", [25, 97])
@pytest.mark.parametrize(("cheaper", "dearer"), [("daRTAA*", "aRTAA*"), ("aRTAA*", "RTAA*")])
def test_avoiding_depressions_pays(cheaper: str, dearer: str, lookahead: int) -> None:
    """Paired over the cases."""
    pairs = zip(trips(dearer, lookahead), trips(cheaper, lookahead), strict=True)
    saved, error, _ = mean([a.cost - b.cost for a, b in pairs])
    print(f"\n{cheaper} saves {saved:,.0f} +- {error:,.0f} against {dearer} at lookahead {lookahead}")
    assert saved > 2 * error
