"""A space in the head of a story's file, and back.

Grids and graphs come back as they were. Of a space of the user's the file keeps what its states are called, so that its
story can be read without its class.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.errors import InputError
from replan.simulation.story_file import Block, Columns
from replan.spaces.graph import Graph
from replan.spaces.grid import Grid
from replan.spaces.node_names import name_from_json, name_to_json, names_to_json
from replan.spaces.space import Space

MAX_STORED_STATES = 2**26  # of a space in a file
MAX_NAMED_STATES = 2**20  # states of a user's space whose names are kept
SPACE_CLASSES: dict[Any, Any] = {"grid": Grid, "graph": Graph}  # the spaces that a file can keep, by what it calls them


class NamedStates(Space):
    """A space that is known by the names of its states alone: it can be read of, and not be searched."""

    def __init__(self, n: int, n_locations: int, units_per_step: int, names: list[Any] | None, kind: str) -> None:
        Space.__init__(
            self,
            n,
            max_path_cost=max(1, units_per_step),
            degree=0,
            units_per_step=units_per_step,
            n_locations=n_locations,
        )
        self.state_names, self.class_name = names, kind
        self.state_by_name = {} if names is None else {name: s for s, name in enumerate(names)}

    def key(self, state: int) -> Any:
        s = self.checked_state(state)
        return s if self.state_names is None else self.state_names[s]

    def state(self, key: Any) -> int:
        if self.state_names is None:
            return self.checked_state(key)
        if key not in self.state_by_name:
            raise InputError(f"this {self.class_name} has no state {key!r}")
        return self.state_by_name[key]

    def __repr__(self) -> str:
        return f"<{self.class_name} of a story, {self.n:,} states>"


def describe_space(space: Space) -> tuple[dict[str, Any], Columns]:
    """What the head of a file says of a space. Raises InputError for one that is too large."""
    if space.n > MAX_STORED_STATES or space.n_locations > MAX_STORED_STATES:
        raise InputError(f"a story is kept of at most {MAX_STORED_STATES:,} states, not {space.n:,}")
    common: dict[str, Any] = {"unit": space.units_per_step, "n": space.n, "places": space.n_locations}
    described = space._to_arrays()
    if described is None:
        return common | {"kind": type(space).__name__, "names": _state_names(space)}, {}
    facts, arrays = described
    return common | facts, {name: (array, False) for name, array in arrays.items()}


def check_writable(space: Space) -> None:
    """A story in memory may have any nodes, one in a file only such as can be written. Raises InputError."""
    described = space._to_arrays()
    if described is not None and "nodes" in described[0] and described[0]["nodes"] is None:
        for s in range(space.n):
            name_to_json(space.key(s))


def load_space(head: Block) -> Space:
    """The space of a story. Raises InputError."""
    facts = head.metadata.get("space")
    try:
        return _load_space(head, facts)
    except InputError as error:
        raise head.file.error(error.reason) from None
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, IndexError, RecursionError) as error:
        raise head.file.error(f"is damaged: its map cannot be read ({type(error).__name__})") from None


def _load_space(head: Block, facts: Any) -> Space:
    n, places = (_checked_int(facts[name], 1 if name == "n" else 0, MAX_STORED_STATES) for name in ("n", "places"))
    head.check_length(5 * places + 2 * n)  # a graph has five numbers an edge, and a position for each node
    if facts["kind"] in SPACE_CLASSES:
        states = len(facts["nodes"]) if "nodes" in facts else (facts["rows"] + 2) * (facts["cols"] + 2)
        if states != n:
            raise InputError("is damaged: its map has another size than it says")
        space: Space = SPACE_CLASSES[facts["kind"]]._from_arrays(facts, lambda name: head.column(name, None))
        if space.n != n or space.n_locations != places:
            raise InputError("is damaged: its map has another size than it says")
        return space
    called = None if facts["names"] is None else [name_from_json(name) for name in facts["names"]]
    if not isinstance(facts["kind"], str) or (called is not None and len(called) != n):
        raise InputError("is damaged: its states have other names than there are states")
    return NamedStates(n, places, _checked_int(facts["unit"], 1, 2**40), called, facts["kind"][:80])


def _checked_int(given: Any, low: int, high: int) -> int:
    if type(given) is not int or not low <= given <= high:
        raise InputError(f"is damaged, or beyond the limits of stories: {given!r} should be from {low} to {high:,}")
    return given


def _state_names(space: Space) -> list[Any] | None:
    """What the states of a user's space are called, if that can be written."""
    if space.n > MAX_NAMED_STATES:
        return None
    try:
        return names_to_json(space.keys(np.arange(space.n, dtype=np.int32)))
    except NotImplementedError:
        return None
