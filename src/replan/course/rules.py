"""Is this a search of A*? Judged by what was expanded, in its order, and by the path: nothing else has to be known.

The order of expansion is gone through with an open list of our own. Each cell has to be in it, with the smallest f; of
those the one with the g that the tie rule wants; what remains after that is left to the student. The first thing that
is wrong is told, with the cell and the numbers.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from replan.course.assignment import BlockedRows, Cell, neighbor_cells
from replan.formatting import escape_unprintable

HFunction = Callable[[Cell], int]


class Mistake(Exception):
    """What is wrong with a program, in a sentence for its author, which may quote the program. cell: where."""

    def __init__(self, kind: str, text: str, cell: Cell | None = None) -> None:
        super().__init__(text)
        self.kind, self.text, self.cell = kind, escape_unprintable(text), cell


@dataclass(frozen=True)
class SearchProblem:
    """What a search is to find: from `source` to `target`, in what is believed. The agent is at one of them."""

    blocked: BlockedRows
    source: Cell
    target: Cell
    h: HFunction
    tie_rule: str
    is_backward: bool

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.blocked), len(self.blocked[0])


def check_search(search: SearchProblem, answer: Any) -> tuple[list[Cell] | None, dict[Cell, int]]:
    """The path that was found and g of the cells that were expanded. Raises Mistake for the first thing wrong."""
    path, expanded = _parse_answer(answer, search.shape)
    g = _check_order(search, expanded)
    _check_path(search, path)
    return path, g


def _parse_answer(answer: Any, shape: tuple[int, int]) -> tuple[list[Cell] | None, list[Cell]]:
    if not isinstance(answer, list) or len(answer) != 2 or all(_is_cell(part) for part in answer):
        raise Mistake("answer", "a search returns two things, the path and the cells that it expanded")
    path, expanded = answer
    if expanded is None:
        raise Mistake("answer", "the second thing that a search returns is a list of cells, not None")
    cells = None if path is None else _parse_cells(path, "the path", shape)
    return cells, _parse_cells(expanded, "what was expanded", shape)


def _parse_cells(given: Any, what: str, shape: tuple[int, int]) -> list[Cell]:
    if not isinstance(given, list):
        raise Mistake("answer", f"{what} is a list of cells (row, column), not {str(given)[:60]}")
    found = []
    for cell in given:
        if not _is_cell(cell):
            raise Mistake("answer", f"{what} is a list of cells (row, column); {str(cell)[:60]} is none")
        if not (0 <= cell[0] < shape[0] and 0 <= cell[1] < shape[1]):
            raise Mistake("outside", f"{what} leads to {tuple(cell)}, which is not on the map", None)
        found.append((cell[0], cell[1]))
    return found


def _is_cell(given: Any) -> bool:
    return isinstance(given, list) and len(given) == 2 and all(type(x) is int for x in given)


def _check_order(search: SearchProblem, expanded: list[Cell]) -> dict[Cell, int]:
    """Go through the expansions with an open list. Returns the g-values that they give."""
    g = {search.source: 0}
    open_cells = {search.source}
    closed: set[Cell] = set()
    for cell in expanded:
        if cell in closed:
            text = f"{cell} is expanded twice; with a consistent h a closed cell never has to be opened again"
            raise Mistake("twice", text, cell)
        if search.blocked[cell[0]][cell[1]]:
            raise Mistake("blocked", f"{cell} is expanded, but it is blocked as far as the agent knows", cell)
        if cell == search.target and cell in open_cells:
            break  # some list the goal as the last one, some do not: both are right
        if cell not in open_cells:
            if not closed:
                end = "the goal" if search.is_backward else "the agent's cell"
                text = f"the first cell to be expanded is {end}, {search.source}, not {cell}"
                raise Mistake("first", text, cell)
            raise Mistake("unreached", f"{cell} is expanded before any of its neighbours was", cell)
        _check_choice(search, cell, open_cells, g)
        open_cells.discard(cell)
        closed.add(cell)
        for other in neighbor_cells(cell, search.shape):
            if not search.blocked[other[0]][other[1]] and g[cell] + 1 < g.get(other, 1 << 30):
                g[other] = g[cell] + 1
                open_cells.add(other)
    _check_termination(search, expanded, open_cells, g, closed)
    return {cell: g[cell] for cell in closed}


def _check_choice(search: SearchProblem, cell: Cell, open_cells: set[Cell], g: dict[Cell, int]) -> None:
    f = {c: g[c] + search.h(c) for c in open_cells}
    least = min(f, key=lambda c: f[c])
    if f[cell] > f[least]:
        text = (
            f"{cell} with f = {g[cell]} + {search.h(cell)} = {f[cell]} is expanded while {least} with f = {f[least]} "
            "is open: the smallest f goes first"
        )
        raise Mistake("order", text, cell)
    better = [c for c in open_cells if f[c] == f[cell] and _is_preferred(g[c], g[cell], search.tie_rule)]
    if better and search.target not in better:
        text = (
            f"{cell} with g = {g[cell]} is expanded before {better[0]} with g = {g[better[0]]}, and both have "
            f"f = {f[cell]}: you said that of equal f the {search.tie_rule} goes first"
        )
        raise Mistake("ties", text, cell)


def _is_preferred(one: int, other: int, prefer: str) -> bool:
    return one > other if prefer == "larger g" else one < other


def _check_termination(
    search: SearchProblem, expanded: list[Cell], open_cells: set[Cell], g: dict[Cell, int], closed: set[Cell]
) -> None:
    """Did it stop when it should: when the target is next, or when nothing is open?"""
    target = search.target
    if target in open_cells:
        late = [c for c in closed if g.get(target, 1 << 30) + search.h(target) < g[c] + search.h(c)]
        if late:
            text = f"{late[0]} is expanded although the end, {target}, was open with a smaller f: stop there"
            raise Mistake("late", text, late[0])
        early = [c for c in open_cells if g[c] + search.h(c) < g[target] + search.h(target)]
        if early:
            text = f"the search stops at {target} although {early[0]} with a smaller f is still open"
            raise Mistake("early", text, early[0])
    elif open_cells and target not in closed and expanded[-1:] != [target]:
        some = min(open_cells)
        text = f"the search stops although cells are open (such as {some}) and the end, {target}, has not been reached"
        raise Mistake("early", text, some)


def _check_path(search: SearchProblem, path: list[Cell] | None) -> None:
    start, goal = (search.target, search.source) if search.is_backward else (search.source, search.target)
    length = shortest_length(search.blocked, start, goal)
    if path is None:
        if length is not None:
            raise Mistake("missed", f"the answer is None, but there is a path of {length} steps from {start} to {goal}")
        return
    if length is None:
        raise Mistake("unreachable", f"there is no way from {start} to {goal}: the path has to be None")
    if not path or path[0] != start or path[-1] != goal:
        ends = f"{path[0]} to {path[-1]}" if path else "nowhere"
        raise Mistake("ends", f"the path leads from {start} (the agent) to {goal} (the goal), not from {ends}")
    for here, there in pairwise(path):
        if there not in neighbor_cells(here, search.shape):
            raise Mistake("jump", f"the path steps from {here} to {there}, which are not neighbours", there)
        if search.blocked[there[0]][there[1]]:
            raise Mistake("through", f"the path leads through {there}, which is blocked", there)
    if len(path) - 1 > length:
        raise Mistake("long", f"the path has {len(path) - 1} steps, and {length} are enough")


def shortest_length(blocked: BlockedRows, start: Cell, goal: Cell) -> int | None:
    """The steps of a shortest path, by breadth-first search; None where there is none."""
    shape = len(blocked), len(blocked[0])
    found, waiting = {start: 0}, deque([start])
    while waiting:
        cell = waiting.popleft()
        if cell == goal:
            return found[cell]
        for other in neighbor_cells(cell, shape):
            if not blocked[other[0]][other[1]] and other not in found:
                found[other] = found[cell] + 1
                waiting.append(other)
    return None


def check_h(h_of: dict[Cell, Any], expected: dict[Cell, int], blocked: BlockedRows, goal: Cell) -> None:
    """The h-values after learning: as they should be, and consistent."""
    for cell, value in h_of.items():
        if type(value) is not int or value < 0:
            raise Mistake("h", f"h{cell} is a whole number from 0, not {str(value)[:40]}", cell)
    if h_of[goal] != 0:
        raise Mistake("h", f"h of the goal {goal} is 0, not {h_of[goal]}", goal)
    shape = len(blocked), len(blocked[0])
    for cell in h_of:
        for other in neighbor_cells(cell, shape):
            if other in h_of and h_of[cell] > 1 + h_of[other]:
                text = f"h{cell} = {h_of[cell]} is more than 1 + h{other} = {1 + h_of[other]}"
                raise Mistake("inconsistent", f"h is no longer consistent: {text}", cell)
    for cell, value in h_of.items():
        if value != expected[cell]:
            text = (
                f"h{cell} is {value} after this search and should be {expected[cell]}: for an expanded cell the length "
                "of the path found minus its g, for others as before"
            )
            raise Mistake("learning", text, cell)
