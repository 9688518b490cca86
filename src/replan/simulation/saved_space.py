"""A space in the head of a story's file, and back.

Grids and graphs come back as they were. Of a space of the user's the file keeps what its states are called, so that its
story can be read without its class.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.errors import InputError
from replan.simulation.blocks import Block, Columns
from replan.spaces.graph import Graph
from replan.spaces.graph_numbers import graph_arrays, graph_from
from replan.spaces.grid import Grid
from replan.spaces.space import Space, all_values

MOST_STATES = 2**26  # of a space in a file
MOST_NAMED = 2**20  # states of a user's space whose names are kept
FLAGS = ("directed", "scaled", "placed")


class NamedStates(Space):
    """A space that is known by the names of its states alone: it can be read of, and not be searched."""

    def __init__(self, n: int, places: int, unit: int, names: list[Any] | None, kind: str) -> None:
        Space.__init__(self, n, bound=max(1, unit), degree=0, unit=unit, places=places)
        self.names, self.kind = names, kind
        self.numbers = {} if names is None else {name: s for s, name in enumerate(names)}

    def key(self, state: int) -> Any:
        s = self.checked_state(state)
        return s if self.names is None else self.names[s]

    def state(self, key: Any) -> int:
        if self.names is None:
            return self.checked_state(key)
        if key not in self.numbers:
            raise InputError(f"this {self.kind} has no state {key!r}")
        return self.numbers[key]

    def __repr__(self) -> str:
        return f"<{self.kind} of a story, {self.n:,} states>"


def space_facts(space: Space) -> tuple[dict[str, Any], Columns]:
    """What the head of a file says of a space. Raises InputError for one that is too large."""
    if space.n > MOST_STATES or space.places > MOST_STATES:
        raise InputError(f"a story is kept of at most {MOST_STATES:,} states, not {space.n:,}")
    facts: dict[str, Any] = {"unit": space.unit, "n": space.n, "places": space.places}
    if type(space) is Grid:
        facts |= {"kind": "grid", "rows": space.rows, "cols": space.cols, "neighbors": space.neighbors}
        facts |= {"corners": space.corners, "weighted": space.weighted, "walled": space.walled}
        between = space.walls_between
        walls = {} if between is None else {"walls": (between.reshape(-1), False)}
        return facts, {"space": (all_values(space), False), **walls}
    if type(space) is Graph:
        facts |= {"kind": "graph", "nodes": _names(space.nodes)}
        facts |= {name: getattr(space, name) for name in (*FLAGS, "resolution")}
        return facts, {name: (array, False) for name, array in graph_arrays(space).items()}
    return facts | {"kind": type(space).__name__, "names": _names_of_states(space)}, {}


def refuse_unwritable(space: Space) -> None:
    """A story in memory may have any nodes, one in a file only such as can be written. Raises InputError."""
    if type(space) is Graph:
        for node in space.nodes:
            _plain(node)


def space_of(head: Block) -> Space:
    """The space of a story. Raises InputError."""
    facts = head.facts.get("space")
    try:
        return _space_of(head, facts)
    except InputError as error:
        raise head.file.wrong(error.reason) from None
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, IndexError, RecursionError) as error:
        raise head.file.wrong(f"is damaged: its map cannot be read ({type(error).__name__})") from None


def _space_of(head: Block, facts: Any) -> Space:
    n, places = (_number(facts[name], 1 if name == "n" else 0, MOST_STATES) for name in ("n", "places"))
    if facts["kind"] == "grid":
        return _grid(head, facts)
    if facts["kind"] == "graph":
        arrays = {name: head.column(name) for name in ("tail", "head", "twin", "value", "least", "position")}
        names = [_back(node) for node in facts["nodes"]]
        if len(names) != n or len(arrays["tail"]) != places:
            raise InputError("is damaged: its graph has another size than it says")
        flags = {name: bool(facts[name]) for name in FLAGS}
        return graph_from(names, arrays, {**flags, "resolution": float(facts["resolution"])})
    called = None if facts["names"] is None else [_back(name) for name in facts["names"]]
    if not isinstance(facts["kind"], str) or (called is not None and len(called) != n):
        raise InputError("is damaged: its states have other names than there are states")
    return NamedStates(n, places, _number(facts["unit"], 1, 2**40), called, facts["kind"][:80])


def _grid(head: Block, facts: Any) -> Grid:
    rows, cols = (_number(facts[name], 1, MOST_STATES) for name in ("rows", "cols"))
    if (rows + 2) * (cols + 2) != facts["n"]:
        raise InputError("is damaged: its grid has another size than it says")
    values = head.column("space")
    if len(values) != facts["n"] or values.min() < 0:
        raise InputError("is damaged: its grid has other cells than it should")
    inner = values.reshape(rows + 2, cols + 2)[1:-1, 1:-1]
    weights = np.maximum(inner, 1) if facts["weighted"] else None
    walls = head.column("walls").reshape(rows, cols) if facts["walled"] else None
    return Grid(inner == 0, facts["neighbors"], weights, facts["corners"], walls)


def _number(given: Any, low: int, high: int) -> int:
    if type(given) is not int or not low <= given <= high:
        raise InputError(f"is damaged, or beyond the limits of stories: {given!r} should be from {low} to {high:,}")
    return given


def _names_of_states(space: Space) -> list[Any] | None:
    """What the states of a user's space are called, if that can be written."""
    if space.n > MOST_NAMED:
        return None
    try:
        return _names(space.keys(np.arange(space.n, dtype=np.int32)))
    except NotImplementedError:
        return None


def _names(keys: list[Any]) -> list[Any] | None:
    try:
        return [_plain(key) for key in keys]
    except InputError:
        return None


def _plain(key: Any) -> Any:
    """A name as JSON has it: a tuple as a list. Raises InputError."""
    if isinstance(key, tuple):
        return [_plain(item) for item in key]
    if isinstance(key, np.generic):
        key = key.item()
    if key is None or type(key) in (str, int, float, bool):
        return key
    raise InputError(f"a story cannot be kept whose nodes are such as {key!r}: name them by numbers, text or tuples")


def _back(name: Any) -> Any:
    return tuple(_back(item) for item in name) if isinstance(name, list) else name
