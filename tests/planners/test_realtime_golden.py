"""Figure 3 of RTAA* 2006, episode by episode: planner and oracle give the numbers recovered from the paper."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest

import replan
from lockstep import GridTerrain, Pair
from oracle import realtime
from strategies import GridCase

ALONG = "E3 E2 D2 C2 B2 B3 B4 B5 C5 D5 E5"
LOOKAHEAD_4 = "E3 E2 E1 D1 D2 C2 B2 B3 B4 B5 C5 D5 E5"
EARLIER = "C3 D3 E4"


def cell(name: str) -> tuple[int, int]:
    return "ABCDE".index(name[0]), int(name[1]) - 1


def terrain(blocked: str) -> GridTerrain:
    solid = np.zeros((5, 5), bool)
    for name in blocked.split():
        solid[cell(name)] = True
    return GridTerrain(GridCase(solid, 4, "strict", None, None))


def pair(name: str, lookahead: int | None, blocked: str) -> Pair:
    planner = replan.planner(name) if name == "Adaptive A*" else replan.planner(name, lookahead=lookahead)
    oracle = realtime.RealTime("RTAA*" if name == "Adaptive A*" else name, lookahead=lookahead or inf)
    return Pair(terrain(blocked), planner, oracle, cell("E3"), {cell("E5")})


@pytest.mark.parametrize(
    ("name", "lookahead", "blocked", "expansions", "path"),
    [
        ("RTAA*", None, EARLIER, [10, 10], ALONG),
        ("Adaptive A*", None, EARLIER, [10, 10], ALONG),
        ("LSS-LRTA*", None, EARLIER, [10, 9], ALONG),
        ("RTAA*", 4, EARLIER, [4, 4, 4, 4, 1], LOOKAHEAD_4),
        ("Adaptive A*", None, f"{EARLIER} B3", [10, 10, 13], None),
        ("RTAA*", None, f"{EARLIER} B3", [10, 10, 13], None),
    ],
)
def test_expansions_and_trajectories(name, lookahead, blocked, expansions, path):
    record = pair(name, lookahead, blocked).run()
    assert (record.expansions, record.why) == (expansions, "reached")
    if path:
        assert record.path == [cell(c) for c in path.split()]


def test_each_episode_with_lookahead_4():
    """Where the agent searches, what it expands, the best open cell with its f, and the h-values that are raised."""
    raised: dict[str, int] = {}
    episodes = [
        ("E3", "E3 E2 E1 D2", "D1", 8, {"E3": 8, "E2": 7, "E1": 6, "D2": 6}),
        ("D1", "D1 D2 C2 C3", "C4", 7, {"D1": 7}),
        ("C2", "C2 D2 C1 B2", "B3", 7, {"C2": 7}),
        ("B3", "B3 B4 B5 C5", "D5", 5, {}),
        ("D5", "D5", "E5", 1, {}),
    ]
    walking = pair("RTAA*", 4, EARLIER)
    for now, (at, closed, best, f, more) in zip(walking.walk(), episodes, strict=True):
        look, key = now.planner.lookahead_search, now.space.key
        raised |= more
        assert (now.at, key(look.best), look.f_best) == (cell(at), cell(best), f)
        assert [key(s) for s in look.closed] == [cell(c) for c in closed.split()]
        changed = {s: v for s, v in now.h().items() if v != now.oracle.h.first(s)}
        assert changed == {cell(c): v for c, v in raised.items()}


def test_lss_lrta_is_better_informed_than_rtaa_after_the_first_search():
    """Unlimited lookahead: the same ten cells are expanded, and no value of RTAA* is larger."""
    found = {}
    for name in ("RTAA*", "LSS-LRTA*"):
        walking = pair(name, None, EARLIER)
        found[name] = next(walking.walk()).h()
    assert found["RTAA*"] != found["LSS-LRTA*"]
    assert all(found["RTAA*"][s] <= found["LSS-LRTA*"][s] for s in found["RTAA*"])
