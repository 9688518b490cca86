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
from replan.spaces.grid import Grid
from replan.spaces.names import name_from, plain_name, plain_names
from replan.spaces.space import Space

MOST_STATES = 2**26  # of a space in a file
MOST_NAMED = 2**20  # states of a user's space whose names are kept
KINDS: dict[Any, Any] = {"grid": Grid, "graph": Graph}  # the spaces that a file can keep, by what it calls them


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
    common: dict[str, Any] = {"unit": space.unit, "n": space.n, "places": space.places}
    described = space.facts()
    if described is None:
        return common | {"kind": type(space).__name__, "names": _names_of_states(space)}, {}
    facts, arrays = described
    return common | facts, {name: (array, False) for name, array in arrays.items()}


def refuse_unwritable(space: Space) -> None:
    """A story in memory may have any nodes, one in a file only such as can be written. Raises InputError."""
    described = space.facts()
    if described is not None and "nodes" in described[0] and described[0]["nodes"] is None:
        for s in range(space.n):
            plain_name(space.key(s))


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
    head.refuse_longer(5 * places + 2 * n)  # a graph has five numbers an edge, and a position for each node
    if facts["kind"] in KINDS:
        states = len(facts["nodes"]) if "nodes" in facts else (facts["rows"] + 2) * (facts["cols"] + 2)
        if states != n:
            raise InputError("is damaged: its map has another size than it says")
        space: Space = KINDS[facts["kind"]].from_facts(facts, lambda name: head.column(name, None))
        if space.n != n or space.places != places:
            raise InputError("is damaged: its map has another size than it says")
        return space
    called = None if facts["names"] is None else [name_from(name) for name in facts["names"]]
    if not isinstance(facts["kind"], str) or (called is not None and len(called) != n):
        raise InputError("is damaged: its states have other names than there are states")
    return NamedStates(n, places, _number(facts["unit"], 1, 2**40), called, facts["kind"][:80])


def _number(given: Any, low: int, high: int) -> int:
    if type(given) is not int or not low <= given <= high:
        raise InputError(f"is damaged, or beyond the limits of stories: {given!r} should be from {low} to {high:,}")
    return given


def _names_of_states(space: Space) -> list[Any] | None:
    """What the states of a user's space are called, if that can be written."""
    if space.n > MOST_NAMED:
        return None
    try:
        return plain_names(space.keys(np.arange(space.n, dtype=np.int32)))
    except NotImplementedError:
        return None
