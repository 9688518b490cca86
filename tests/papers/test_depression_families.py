"""The families of worlds for the discussion of depression avoidance 2011: the ratio grows, in both directions."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import replan
from oracle.grids import edges_of_grid
from oracle.searches import dijkstra
from replan.papers.depression.families import DEAD_END, FAMILIES, FORK, dead_end, describe, fork, growth, ratios


@pytest.mark.parametrize("size", [1, 5, 40])
def test_the_shortest_way_is_as_long_as_the_worlds_say(size):
    for (blocked, start, goal), length in [(dead_end(size), size + 6), (fork(size, 3), 3 + 6 + 3)]:
        assert dijkstra(edges_of_grid(blocked, 4, "strict"), start)[goal] == length


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("lookahead", [1, 4])
def test_the_ratio_grows_with_the_size_and_has_no_bound(family, lookahead):
    """Twice the size: at least 1.5 times the ratio, as far as one looks."""
    sizes = (64, 128, 256)
    found = list(ratios(family, growth(family, sizes, lookahead, seeds=5)).values())
    assert all(later > 1.5 * earlier for earlier, later in pairwise(found))
    assert found[-1] > 8


def test_how_many_moves_each_planner_makes():
    """RTAA* needs a number of moves that grows with the square in the dead end, and not at all at the fork."""
    moves = {
        (row["family"], row["planner"], row["size"]): row["moves"]
        for family in FAMILIES
        for row in growth(family, (100, 200), seeds=10)
    }
    for name in ("aRTAA*", "daRTAA*"):
        assert moves["dead end", name, 100] == 3 * 100 + 6
        assert moves["fork", name, 200] == pytest.approx(2 * moves["fork", name, 100], rel=0.1)
    assert moves["dead end", "RTAA*", 200] == pytest.approx(4 * moves["dead end", "RTAA*", 100], rel=0.25)
    assert moves["fork", "RTAA*", 100] == moves["fork", "RTAA*", 200] < 10


def test_it_is_told_in_one_sentence():
    rows = growth(FORK, sizes=(8, 64), seeds=4)
    assert describe(FORK, rows).startswith("daRTAA* to RTAA*: ") and "at size 64" in describe(FORK, rows)
    rtaa = [row for row in rows if row["planner"] == "RTAA*"]
    assert [row["ratio"] for row in rtaa] == [1, 1]
    assert np.isnan(growth(DEAD_END, sizes=(8,), seeds=1)[0]["error"])


@pytest.mark.parametrize("size", [0, -3, 2.5, True, "8"])
def test_a_size_that_is_none_is_refused(size):
    with pytest.raises(replan.InputError, match="size is a whole number from 1"):
        dead_end(size)
    with pytest.raises(replan.InputError, match="detour is a whole number from 1"):
        fork(4, detour=size)
