"""The worked examples of the papers, as the design gives them."""

from __future__ import annotations

import numpy as np
import pytest

import replan

ALONG = "E3 E2 D2 C2 B2 B3 B4 B5 C5 D5 E5"
LOOKAHEAD_4 = "E3 E2 E1 D1 D2 C2 B2 B3 B4 B5 C5 D5 E5"


def cell(name: str) -> tuple[int, int]:
    return "ABCDE".index(name[0]), int(name[1]) - 1


def name(cell: tuple[int, int]) -> str:
    return "ABCDE"[cell[0]] + str(cell[1] + 1)


def world(*blocked: str) -> replan.World:
    solid = np.zeros((5, 5), bool)
    for x in blocked:
        solid[cell(x)] = True
    return replan.World(replan.Grid(solid, neighbors=4))


@pytest.mark.parametrize(
    ("planner", "options", "expansions", "path"),
    [
        ("Repeated Forward A*", {}, [10, 13], ALONG),
        ("Adaptive A*", {}, [10, 10], ALONG),
        ("RTAA*", {"lookahead": None}, [10, 10], ALONG),
        ("LSS-LRTA*", {"lookahead": None}, [10, 9], ALONG),
        ("RTAA*", {"lookahead": 4}, [4, 4, 4, 4, 1], LOOKAHEAD_4),
    ],
)
def test_figure_3_of_paper_000(planner, options, expansions, path):
    trip = replan.simulate(world("C3", "D3", "E4"), replan.planner(planner, **options), cell("E3"), cell("E5"))
    assert trip.episode_expansions == expansions
    assert [name(c) for c in trip.path] == path.split()
    assert (trip.expansions, trip.moves) == (sum(expansions), len(path.split()) - 1)
    assert trip.why == "reached" and trip.cost == trip.moves


@pytest.mark.parametrize(
    ("planner", "expansions"), [("Repeated Forward A*", [10, 13, 16]), ("Adaptive A*", [10, 10, 13])]
)
def test_first_example_of_paper_004(planner, expansions):
    """B3 is blocked as well, so a third search follows."""
    truth = world("C3", "D3", "E4", "B3")
    trip = replan.simulate(truth, planner, cell("E3"), cell("E5"))
    assert trip.reached and trip.episode_expansions == expansions

    agent = replan.Agent(planner, replan.Grid(np.zeros((5, 5), bool), neighbors=4), cell("E3"), cell("E5"))
    searched_at = []
    while not searched_at or agent.cell != cell("E5"):
        row, col = agent.cell
        around = [(row, col + 1), (row + 1, col), (row, col - 1), (row - 1, col)]
        seen = [(r, c) for r, c in around if 0 <= r < 5 and 0 <= c < 5]
        agent.observe(seen, [truth.space.blocked[c] for c in seen])
        before = agent.episodes
        path = agent.plan()
        if agent.episodes > before:
            searched_at.append(name(agent.cell))
        agent.move(path[0])
    assert searched_at == ["E3", "C2", "B2"]


@pytest.mark.parametrize(("prefer", "expansions"), [("larger g", 8), ("smaller g", 24)])
@pytest.mark.parametrize("ties", ["first-in", "last-in"])
def test_figure_9_of_paper_004(prefer, expansions, ties):
    """Empty 5 x 5, corner to corner; 24 and not 23 by the stop rule of RTAA* 2006."""
    planner = replan.planner("Repeated Forward A*", prefer=prefer, ties=ties)
    trip = replan.simulate(replan.Grid(np.zeros((5, 5), bool), neighbors=4), planner, (0, 0), (4, 4))
    assert trip.episode_expansions == [expansions]
    assert trip.moves == 8
