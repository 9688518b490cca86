"""What a space is: all that a planner knows of the terrain it searches.

States are the ints `0 .. n - 1`. A space answers for one state at a time; its answers are in integer
ticks, so that equal paths really tie. Terrain changes through `put`, one *place* at a time: a cell of a
grid, an edge of a graph. The value of a place is 0 where it is blocked, and otherwise its weight (a
cell) or its cost (an edge).

A space may be searched by one thread at a time: `succ`, `cost` and `touched` are its own (make them with
`replan.arrays`). A new space derives from this class and fills in:

| method           | what it does                                                                        |
|------------------|-------------------------------------------------------------------------------------|
| `expand(s)`      | writes the successors of `s` to `succ[:k]`, their costs to `cost[:k]`, returns k     |
| `reverse(s)`     | the same for predecessors                                                           |
| `edge(u, v)`     | the cost of the step from u to v, INF if there is none                              |
| `distance(u, v)` | a consistent estimate of the cost from u to v that obeys the triangle inequality    |
| `get(place)`     | the value of a place                                                                |
| `put(place, value)` | changes it; writes the states whose steps changed to `touched[:k]`, those that   |
|                  | such steps enter to `entered[:k]` (the same, where every step can be taken back), returns k |
| `value_of(weight)`, `least(place)` | a weight or cost as people say it, as a value; the smallest of a place   |
| `copy()`, `assign(other)` | a second space that can be changed by itself; becoming equal to another     |
| `state(key)`, `key(state)` | conversion from and to what people use                                     |
| `steps(path, paid)` | what a walked path cost, in the units of people                                  |

and the numbers `n`, `places`, `unit` (ticks of one step), `bound` (no shortest path costs more), `span` (the largest
cost of going along an edge and back), `unit_costs` (all edges cost the same) and `cells` (a place is a state). One that
is compiled may have an `onward`, too: an `expand` that leaves out where a search came from.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np

from replan.own import missing, own_method

try:
    import cython
except ImportError:
    from replan import _cython as cython


class Space:
    """The contract of all spaces; see the text of this module."""

    n: int
    places: int
    unit: int
    bound: int
    span: int
    near: int
    unit_costs: bool
    cells: bool
    succ: memoryview
    cost: memoryview
    touched: memoryview
    entered: memoryview
    watchers: list[Any]  # the agents that believe in this space, as weak references
    sharing: int  # how many they are

    # The C slots of a class written in Python: find its method by name. Compiled spaces fill the slots.

    def expand(self, s: int) -> int:
        if cython.compiled:
            with cython.gil:
                return self._python("expand")(s)  # type: ignore[no-any-return]
        else:
            raise self._missing("expand")

    def onward(self, s: int, back: int) -> int:
        """As `expand`, where `back` may be left out: to a search that came from there it is no news."""
        return self.expand(s)

    def reverse(self, s: int) -> int:
        if cython.compiled:
            with cython.gil:
                return self._python("reverse")(s)  # type: ignore[no-any-return]
        else:
            raise self._missing("reverse")

    def edge(self, u: int, v: int) -> int:
        if cython.compiled:
            with cython.gil:
                return self._python("edge")(u, v)  # type: ignore[no-any-return]
        else:
            raise self._missing("edge")

    def distance(self, u: int, v: int) -> int:
        if cython.compiled:
            with cython.gil:
                return self._python("distance")(u, v)  # type: ignore[no-any-return]
        else:
            raise self._missing("distance")

    def get(self, place: int) -> int:
        if cython.compiled:
            with cython.gil:
                return self._python("get")(place)  # type: ignore[no-any-return]
        else:
            raise self._missing("get")

    def put(self, place: int, value: int) -> int:
        if cython.compiled:
            with cython.gil:
                return self._python("put")(place, value)  # type: ignore[no-any-return]
        else:
            raise self._missing("put")

    def bill(self, path: memoryview, paid: memoryview, moves: int) -> int:
        """Write what each move of a path costs."""
        for i in range(moves):
            paid[i] = self.edge(path[i], path[i + 1])
        return 0

    def _python(self, name: str) -> Any:
        return own_method(self, "space", name)

    def _missing(self, name: str) -> NotImplementedError:
        return missing(self, "space", name)

    def copy(self) -> Space:
        raise self._missing("copy")

    def assign(self, other: Space) -> None:
        raise self._missing("assign")

    def believed_free(self) -> Space:
        """What an agent believes that knows nothing: everything is free and as cheap as can be."""
        raise self._missing("believed_free")

    def state(self, key: Any) -> int:
        raise self._missing("state")

    def key(self, state: int) -> Hashable:
        raise self._missing("key")

    def place(self, key: Any) -> int:
        raise self._missing("place")

    def least(self, place: int) -> int:
        """The value of a place that is free and as cheap as can be."""
        return 1

    def value_of(self, weight: Any) -> int:
        """A weight or cost, as people say it, as the value of a place."""
        raise self._missing("value_of")

    def steps(self, path: np.ndarray[Any, Any], paid: np.ndarray[Any, Any]) -> float:
        raise self._missing("steps")

    def keys(self, states: Any) -> list[Any]:
        """What people call these states, in the same order."""
        return [self.key(int(s)) for s in states]

    def keys_back(self, states: memoryview, stop: int, start: int) -> list[Any]:
        """What people call states[stop:start], from its end."""
        return [self.key(states[i]) for i in range(start - 1, stop - 1, -1)]
