"""The drawn examples: what stands in the cells of the SVG files is what an oracle finds."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import replan
from oracle.grids import Cell, edges_of_grid, estimate
from oracle.realtime import Learned, Look, Open, from_frontier, look_ahead, one_pass, steps_of
from oracle.sight import adjacent
from replan.experiments.plots import save_figure
from replan.experiments.report import AGREES, DIFFERS, PaperComparison
from replan.experiments.statistics import Estimate
from replan.papers.common.grid_cells import cell_from_name, cell_name
from replan.papers.common.tracing import searches_of, trace_trip
from replan.papers.examples.figures import EXAMPLES, FIRST_WORLD, Example, paper_drawings

SVG = "{http://www.w3.org/2000/svg}"
LEARN = {"RTAA*": one_pass, "Adaptive A*": one_pass, "LSS-LRTA*": from_frontier}


@dataclass
class OracleSearch:
    at: Cell
    look: Look
    before: dict[Cell, int]
    after: dict[Cell, int]
    path: list[Cell]

    def numbers(self, learns: bool) -> dict[Cell, dict[str, int]]:
        """What is to stand in each cell that is not known to be blocked."""
        found: dict[Cell, dict[str, int]] = {}
        for cell, h in self.before.items():
            found[cell] = {"h": h}
            if cell in self.look.g:
                found[cell] |= {"g": self.look.g[cell], "f": self.look.g[cell] + h}
            if learns and cell in self.look.closed:
                found[cell]["h-after"] = self.after[cell]
        return found


def oracle_trip(example: Example) -> list[OracleSearch]:
    """All searches of an example, by its planner's definition."""
    solid, here, goal = (
        example.world.blocked_array,
        cell_from_name(example.world.start),
        cell_from_name(example.world.goal),
    )
    believed = [[False] * 5 for _ in range(5)]
    h = Learned(lambda s: estimate(4, False, s, goal))
    open = Open(example.options.get("prefer", "larger g"))
    done: list[OracleSearch] = []
    path: list[Cell] = []
    while here != goal:
        for row, col in adjacent(solid, 4, here):
            believed[row][col] = bool(solid[row, col])
        if not path or any(believed[row][col] for row, col in path):
            done.append(oracle_search(example, believed, here, goal, h, open))
            path = list(done[-1].path)
        here = path.pop(0)
    return done


def oracle_search(
    example: Example, believed: list[list[bool]], here: Cell, goal: Cell, h: Learned, open: Open
) -> OracleSearch:
    steps = steps_of(edges_of_grid(believed, 4, "strict"))
    free = [(r, c) for r in range(5) for c in range(5) if not believed[r][c]]
    if example.planner == "Repeated Backward A*":
        to_agent = Learned(lambda s: estimate(4, False, s, here))
        look = look_ahead(steps, goal, {here}, to_agent, inf, open)
        h = to_agent
        path = [*look.path_to(here)[-2::-1], goal]
    else:
        look = look_ahead(steps, here, {goal}, h, example.options.get("lookahead") or inf, open)
        path = look.path_to(look.open[0])
    before = {s: h[s] for s in free}
    if example.planner in LEARN:
        LEARN[example.planner](look, 10**6)
    return OracleSearch(here, look, before, {s: h[s] for s in free}, path)


def drawn_numbers(svg: Path) -> dict[tuple[int, str, str], int]:
    """The numbers of a figure by panel, cell and corner, read from the file."""
    found = {}
    for group in ET.parse(svg).iter(f"{SVG}g"):
        parts = (group.get("id") or "").split("-", 2)
        if len(parts) == 3 and parts[0].isdigit():
            found[int(parts[0]), parts[1], parts[2]] = int("".join(group.itertext()))
    return found


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_number_in_the_drawing_is_the_oracles(name: str, tmp_path: Path) -> None:
    example = EXAMPLES[name]
    wanted = {
        (panel, cell_name(cell), corner): value
        for panel, search in enumerate(oracle_trip(example)[: example.drawn_searches], start=1)
        for cell, numbers in search.numbers(example.planner in LEARN).items()
        for corner, value in numbers.items()
    }
    save_figure(paper_drawings()[name][1](), tmp_path, name)
    assert drawn_numbers(tmp_path / f"{name}.svg") == wanted
    assert (tmp_path / f"{name}.png").stat().st_size > 1000


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_search_of_the_trace_is_the_oracles(name: str) -> None:
    example = EXAMPLES[name]
    wanted = oracle_trip(example)
    traced = searches_of(example.steps)
    assert [search.position for search in traced] == [one.at for one in wanted]
    for search, one in zip(traced, wanted, strict=True):
        assert (search.path, search.root, search.expansions) == (one.path, one.look.at, one.look.expansions)
        assert {tuple(cell) for cell in np.argwhere(search.closed).tolist()} == set(one.look.closed)
        parents = {s: search.tree_parent(s) for s in one.look.g if s != search.root}
        assert parents == {s: one.look.parent[s] for s in parents}


def test_what_the_papers_print() -> None:
    """Figures 5 and 6 of RTAA* 2006, and what the course project says of its Figure 7."""
    printed = {"E1": (4, 6, 8), "E2": (3, 7, 7), "E3": (2, 8, 8), "D1": (5, 5, 7), "D2": (4, 6, 6)}
    rtaa, lrta = (EXAMPLES[f"rtaa-2006-figure-{i}"].shown_searches[0] for i in (5, 6))
    for name, (before, one_pass_value, border_value) in printed.items():
        cell = cell_from_name(name)
        assert (rtaa.h[cell], rtaa.h_after[cell], lrta.h_after[cell]) == (before, one_pass_value, border_value)
    assert [sum(EXAMPLES[f"rtaa-2006-figure-{i}"].expansions) for i in (4, 5, 6, 7)] == [23, 20, 19, 17]
    adaptive = EXAMPLES["course-project-figure-7"].shown_searches[0]
    raised = {cell_name(tuple(c)) for c in np.argwhere(adaptive.h_after > adaptive.h).tolist()}
    assert raised == {"D2", "E1", "E2", "E3"}
    assert adaptive.h_after[cell_from_name("D5")] == 1  # the explanation of question 6 says so


def test_what_the_agent_knows_in_figures_2_and_3_of_the_course_project() -> None:
    moments = EXAMPLES["course-project-figure-5"].steps
    assert {cell_name(tuple(c)) for c in np.argwhere(moments[0].seen).tolist()} == {"E3", "E2", "D3", "E4", "E5"}
    assert {cell_name(tuple(c)) for c in np.argwhere(moments[0].blocked).tolist()} == {"D3", "E4"}
    assert [i + 1 for i, moment in enumerate(moments) if moment.search] == [1, 4, 5]
    assert moments[-1].seen.all() and (moments[-1].blocked == FIRST_WORLD.blocked_array).all()


def test_a_trip_that_cannot_succeed_ends() -> None:
    blocked = np.array([[0, 1, 0], [1, 1, 0]], bool)
    moments = trace_trip(replan.planner("Repeated Forward A*"), blocked, (0, 0), (0, 2))
    assert len(moments) == 1 and moments[0].path == [] and moments[0].search is not None


@pytest.mark.parametrize("name", ["rtaa-2006-figure-3", "course-project-figure-2", "course-project-figure-3"])
def test_the_figures_of_the_worlds(name: str, tmp_path: Path) -> None:
    save_figure(paper_drawings()[name][1](), tmp_path, name)
    words = _words(tmp_path / f"{name}.svg")
    wanted: dict[str, Any] = {
        "rtaa-2006-figure-3": {"start", "goal"},
        "course-project-figure-2": {"the world", "what is known at first", "G"},
        "course-project-figure-3": {"step 1", "step 13", "known", "presumed; a new search"},
    }
    assert wanted[name] <= words
    if name == "rtaa-2006-figure-3":
        shown = {(cell, corner): value for (_, cell, corner), value in drawn_numbers(tmp_path / f"{name}.svg").items()}
        assert len(shown) == 22 and shown["A1", "h"] == 8 and shown["E5", "h"] == 0


def _words(svg: Path) -> set[str]:
    return {"".join(text.itertext()).strip() for text in ET.parse(svg).iter(f"{SVG}text")}


@pytest.mark.parametrize(("ours", "verdict"), [(23, AGREES), (24, DIFFERS)])
def test_an_exact_figure_agrees_only_if_it_is_equal(ours: int, verdict: str) -> None:
    assert PaperComparison("", "expansions", 23, 0.0, Estimate(float(ours), 0.0, 0.0, 1)).verdict == verdict
