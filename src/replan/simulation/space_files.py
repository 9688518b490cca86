"""Writing a space into the head of a story file, and reading it.

Grids and graphs are restored. Of a user's space the file has the names of the states, so that the story can be read
without the class of the space.
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

MAX_STORED_STATES = 2**26  # states of a space in a file
MAX_NAMED_STATES = 2**20  # states of a user's space whose names are stored
SPACE_CLASSES: dict[Any, Any] = {"grid": Grid, "graph": Graph}  # by the names in a file


class NamedStates(Space):
    """A space that has only the names of its states. It cannot be searched."""

    def __init__(self, n: int, n_locations: int, units_per_step: int, names: list[Any] | None, class_name: str) -> None:
        Space.__init__(
            self,
            n,
            max_path_cost=max(1, units_per_step),
            degree=0,
            units_per_step=units_per_step,
            n_locations=n_locations,
        )
        self.state_names, self.class_name = names, class_name
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
    """Return metadata and columns of a space for the head of a file. Raises InputError if it is too large."""
    if space.n > MAX_STORED_STATES or space.n_locations > MAX_STORED_STATES:
        raise InputError(f"a story has at most {MAX_STORED_STATES:,} states, not {space.n:,}")
    common_metadata: dict[str, Any] = {"unit": space.units_per_step, "n": space.n, "places": space.n_locations}
    described = space._to_arrays()
    if described is None:
        return common_metadata | {"kind": type(space).__name__, "names": _state_names(space)}, {}
    metadata, arrays = described
    return common_metadata | metadata, {name: (array, False) for name, array in arrays.items()}


def check_writable(space: Space) -> None:
    """Raise InputError if a node of the graph cannot be written into a file. (In memory, any node will do.)"""
    described = space._to_arrays()
    if described is not None and "nodes" in described[0] and described[0]["nodes"] is None:
        for s in range(space.n):
            name_to_json(space.key(s))


def load_space(head: Block) -> Space:
    """Return the space of a story. Raises InputError."""
    metadata = head.metadata.get("space")
    try:
        return _load_space(head, metadata)
    except InputError as error:
        raise head.file.error(error.reason) from None
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, IndexError, RecursionError) as error:
        raise head.file.error(f"is damaged: its map cannot be read ({type(error).__name__})") from None


def _load_space(head: Block, metadata: Any) -> Space:
    """Return the space that the metadata describes. Raises an error of any kind if the metadata is damaged."""
    n, n_locations = (
        _checked_int(metadata[name], 1 if name == "n" else 0, MAX_STORED_STATES) for name in ("n", "places")
    )
    head.check_length(5 * n_locations + 2 * n)  # a graph has five numbers for each edge, and a position for each node
    if metadata["kind"] in SPACE_CLASSES:
        states = len(metadata["nodes"]) if "nodes" in metadata else (metadata["rows"] + 2) * (metadata["cols"] + 2)
        if states != n:
            raise InputError("is damaged: its map has another size than it says")
        space: Space = SPACE_CLASSES[metadata["kind"]]._from_arrays(metadata, lambda name: head.column(name, None))
        if space.n != n or space.n_locations != n_locations:
            raise InputError("is damaged: its map has another size than it says")
        return space
    state_names = None if metadata["names"] is None else [name_from_json(name) for name in metadata["names"]]
    if not isinstance(metadata["kind"], str) or (state_names is not None and len(state_names) != n):
        raise InputError("is damaged: its number of names differs from its number of states")
    return NamedStates(n, n_locations, _checked_int(metadata["unit"], 1, 2**40), state_names, metadata["kind"][:80])


def _checked_int(value: Any, low: int, high: int) -> int:
    """Return a number from a file. Raises InputError if it is out of range."""
    if type(value) is not int or not low <= value <= high:
        raise InputError(f"is damaged, or beyond the limits of stories: {value!r} should be from {low} to {high:,}")
    return value


def _state_names(space: Space) -> list[Any] | None:
    """Return the names of the states of a user's space; None if there are too many or they cannot be written."""
    if space.n > MAX_NAMED_STATES:
        return None
    try:
        return names_to_json(space.keys(np.arange(space.n, dtype=np.int32)))
    except NotImplementedError:
        return None
