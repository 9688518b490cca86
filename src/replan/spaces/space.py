"""What a space is: all that a planner knows of the terrain it searches.

States are the ints `0 .. n - 1`. A space answers for one state at a time; its answers are in whole ticks, so that
equal paths really tie. Terrain changes through `put`, one *place* at a time: a cell of a grid, an edge of a graph. The
value of a place is 0 where it is blocked, and otherwise its weight (a cell) or its cost (an edge). `put` takes the
value itself; what is freed without one gets `value_if_free`.

Any number of threads may search a space that nobody changes: lists of neighbours belong to whoever asks (`Neighbours`).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from operator import index
from reprlib import repr as repr_short
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from replan.arrays import view
from replan.errors import InputError
from replan.extensions import bad_return_error, missing_method_error, returned_integer, user_method
from replan.initialized import Initialized
from replan.limits import INF, LARGEST_BOUND, MAX_STATES
from replan.locking import read_lock
from replan.serialization import Archive, deep_copy, reduce_object, unpack_args
from replan.spaces.change_log import ChangeLog
from replan.spaces.neighbours import ChangedStates, Neighbours, reuse_or_make

if TYPE_CHECKING:
    from replan.spaces.cell_layout import CellLayout

try:
    import cython
except ImportError:
    from replan import _cython as cython


class Space(Initialized):
    """The contract of all spaces: what a planner knows of the terrain.

    n: states. bound: in ticks; no cheapest path costs more. degree: a state has at most so many successors, and
    so many predecessors. unit: ticks of one step as people count them. places: how many there are, if not one a state.
    span: the largest cost of going along an edge and back. unit_costs: all steps cost the same. cells: a place is a
    state, and blocking it blocks all steps into it and out of it. Raises InputError for numbers that cannot be.

    A space of your own derives from `Space`, calls `Space.__init__` and defines, in plain Python:

    | method | what it returns |
    |---|---|
    | `successors(s)` | a list of (state, cost in ticks): where a step from s leads |
    | `predecessors(s)` | the same for the steps that lead to s |
    | `edge(u, v)` | the cost of the step from u to v, `replan.limits.INF` if there is none |
    | `distance(u, v)` | a consistent estimate of the cost from u to v that obeys the triangle inequality |
    | `get(place)` | the value of a location |
    | `put(place, value)` | changes it: a list of the states whose steps have changed (*) |
    | `state(key)`, `key(state)`, `place(key)` | conversion from and to what people use |
    | `value_of(weight)`, `least(place)` | a weight as people say it, as a value; the smallest value of a place |
    | `copy()`, `assign(other)` | a second space that can be changed by itself; becoming equal to another |
    | `believed_free()` | what an agent that knows nothing believes: another space, all free |
    | `steps(path, paid)` | what a walked path cost, in people's units, if not the ticks paid divided by `unit` |
    | `adjacent(s)` | a list of the places that the sensor "adjacent" of a World shows from a state |

    (*) Where steps cannot be taken back, two lists, (touched, entered): the second has the states that those steps
    lead to.

    What is not needed need not be there; what is missing is named when it is. Every answer is checked.

    >>> import replan
    >>> class Ring(replan.Space):
    ...     "Cells in a circle; a step leads to the next one or back, and costs 1."
    ...     def __init__(self, n):
    ...         super().__init__(n, bound=n, degree=2, unit_costs=True)
    ...         self.free = [True] * n
    ...     def successors(self, s):
    ...         return [(v, 1) for v in ((s + 1) % self.n, (s - 1) % self.n) if self.free[s] and self.free[v]]
    ...     def predecessors(self, s):
    ...         return self.successors(s)
    ...     def edge(self, u, v):
    ...         return dict(self.successors(u)).get(v, replan.limits.INF)
    ...     def distance(self, u, v):
    ...         return min((u - v) % self.n, (v - u) % self.n)
    ...     def get(self, place):
    ...         return int(self.free[place])
    ...     def put(self, place, value):
    ...         self.free[place] = value > 0
    ...         return [(place - 1) % self.n, place, (place + 1) % self.n]
    ...     def state(self, key):
    ...         return key
    ...     def key(self, state):
    ...         return state
    ...     def place(self, key):
    ...         return key
    ...     def adjacent(self, s):
    ...         return [(s - 1) % self.n, s, (s + 1) % self.n]
    >>> ring = Ring(8)
    >>> agent = replan.Agent("D* Lite", ring, 0, 3)
    >>> agent.plan()
    [1, 2, 3]
    >>> agent.observe([2], [True]), agent.plan()
    (1, [7, 6, 5, 4, 3])
    >>> ring.adjacent_locations(0)
    [7, 0, 1]

    Grids and graphs have all of it. States and places are numbers there, too, and costs are ticks:

    >>> import numpy as np
    >>> grid = replan.Grid([[0, 0, 0], [1, 1, 0]], neighbors=4, weights=[[1, 1, 5], [1, 1, 1]])
    >>> a, b = grid.state((0, 0)), grid.state((0, 2))
    >>> grid.keys([a, b]), grid.key(b), grid.location((0, 2)) == b
    ([(0, 0), (0, 2)], (0, 2), True)
    >>> [(grid.key(v), cost) for v, cost in grid.successors(a)], grid.predecessors(a) == grid.successors(a)
    ([((0, 1), 2)], True)
    >>> grid.edge_cost(a, a + 1), grid.edge_cost(a, b) == replan.limits.INF, grid.distance(a, b), grid.units_per_step
    (2, True, 4, 2)
    >>> grid.get_value(b), grid._checked_value_at(b), grid.min_value(b), grid._checked_min_value(b), grid.value_of_weight(3)
    (5, 5, 1, 1, 3)
    >>> touched = grid.set_value(b, 0)
    >>> grid.value_if_free(b), len(grid.set_value(b, grid.value_if_free(b)))
    (5, 3)
    >>> grid.keys(grid.set_value(b, 2)), grid.get_value(b)
    ([(0, 2), (1, 2), (0, 1)], 2)
    >>> free = grid.believed_free()
    >>> free.assign(grid)
    >>> twin = free.copy()
    >>> grid.checked_state(a) == a, grid.checked_location(b) == b, grid.checked_value(b, 9)
    (True, True, 9)
    >>> grid.check_not_searched()
    >>> grid.display_cost(np.array([a, a + 1]), np.array([grid.edge_cost(a, a + 1)]))
    1.0

    Drawings, tables and files ask a space for this:

    >>> grid.cell_layout is grid, grid.cells_of([a, b]).tolist(), grid.count_free_states(), grid.has_same_shape(twin)
    (True, [[0, 0], [0, 2]], 4, True)
    >>> int(grid.distances_to(a)[b]), grid.to_map_shape(np.arange(grid.n)).tolist()
    (4, [[6, 7, 8], [11, 12, 13]])
    >>> facts, arrays = grid._to_arrays()
    >>> replan.Grid.from_facts(facts, arrays.__getitem__).has_same_shape(grid)
    True
    """

    n: int
    n_locations: int
    units_per_step: int
    max_path_cost: int
    max_edge_round_trip: int
    degree: int
    row_stride: int
    has_unit_costs: bool
    locations_are_states: bool
    is_symmetric: bool  # every step can be taken back at the same cost
    is_built_in: bool  # what it answers need not be checked
    change_log: ChangeLog  # who believes in this space or asks about it, and what some of them do not know yet
    active_searches: int  # how many are going on now
    idle_planners: dict[Any, list[Any]]  # planners of find_path that wait for the next call

    def __init__(
        self,
        n: int,
        max_path_cost: int,
        degree: int,
        units_per_step: int = 1,
        n_locations: int | None = None,
        max_edge_round_trip: int | None = None,
        has_unit_costs: bool = False,
        locations_are_states: bool = True,
    ) -> None:
        self.check_init_call()
        self._init_fields()
        who = type(self).__name__
        states = _checked_size(who, "n", n, 1, MAX_STATES)
        self.n_locations = _checked_size(who, "places", n if n_locations is None else n_locations, 0, MAX_STATES)
        self.max_path_cost = _checked_size(who, "bound", max_path_cost, 1, LARGEST_BOUND)
        self.max_edge_round_trip = _checked_size(who, "span", 2 * self.max_path_cost if max_edge_round_trip is None else max_edge_round_trip, 1, 2 * self.max_path_cost)
        self.degree = _checked_size(who, "degree", degree, 0, MAX_STATES)
        self.units_per_step = _checked_size(who, "unit", units_per_step, 1, self.max_path_cost)
        self.has_unit_costs, self.locations_are_states, self.is_built_in = bool(has_unit_costs), bool(locations_are_states), False
        self.n = states
        self.is_initialized = True

    def check_init_call(self) -> int:
        """Grids and graphs are made of arrays: these numbers alone do not make one."""
        return 0

    def _init_fields(self) -> None:
        self.check_not_initialized()
        self.active_searches, self.row_stride, self.is_symmetric, self.is_changing = 0, 0, False, False
        self.change_log = ChangeLog()
        self.idle_planners: dict[Any, list[Any]] = {}

    def make_neighbours(self, reuse: Neighbours | None = None) -> Neighbours:
        """A list of neighbours for whoever searches this space. old: the one that searched there before used."""
        return reuse_or_make(reuse, self.degree)

    def make_changed_states(self) -> ChangedStates:
        """A list of states for whoever changes this space."""
        return ChangedStates(self.degree + 1, False)

    # What the core calls. Compiled spaces have their own; of a class written in Python these find the methods by name.

    def expand(self, near: Neighbours, s: int) -> int:
        """List the successors of s; how many are they?"""
        with cython.gil:
            return near.fill_checked(self, "successors", self._user_method("successors")(s))

    def expand_onward(self, near: Neighbours, s: int, previous: int) -> int:
        """As `expand`, where `back` may be left out: to a search that came from there it is no news."""
        return self.expand(near, s)

    def expand_reverse(self, near: Neighbours, s: int) -> int:
        """List the predecessors of s."""
        with cython.gil:
            return near.fill_checked(self, "predecessors", self._user_method("predecessors")(s))

    def step_cost(self, u: int, v: int) -> int:
        with cython.gil:
            return returned_integer(self, "edge_cost", self._user_method("edge_cost")(u, v), 1, INF, "the cost of a step")

    def estimate(self, u: int, v: int) -> int:
        with cython.gil:
            return returned_integer(self, "distance", self._user_method("distance")(u, v), 0, INF, "an estimate")

    def read_value(self, location: int) -> int:
        with cython.gil:
            return returned_integer(self, "get_value", self._user_method("get_value")(location), 0, INF, "the value of a location")

    def write_value(self, changed: ChangedStates, location: int, value: int) -> int:
        """Change a place, and list what that concerns."""
        with cython.gil:
            return changed.fill_checked(self, self._user_method("set_value")(location, value))

    def path_costs(self, path: memoryview, step_costs: memoryview, moves: int) -> int:
        """Write what each move of a path costs."""
        for i in range(moves):
            step_costs[i] = self.step_cost(path[i], path[i + 1])
        return 0

    def reversed_keys(self, states: memoryview, end: int, start: int) -> list[Any]:
        """What people call states[stop:start], from its end."""
        return [self.unchecked_key(states[i]) for i in range(start - 1, end - 1, -1)]

    def unchecked_key(self, s: int) -> Any:
        """What people call a state."""
        return self.key(s)

    def reverse_cost(self, states: memoryview, step_costs: memoryview, end: int, start: int) -> float:
        """What the way through states[stop:start + 1] costs, from its end, where toll[i] leads to states[i - 1]."""
        path, paid = np.asarray(states)[end : start + 1], np.asarray(step_costs)[end + 1 : start + 1]
        told = self.display_cost(path[::-1].copy(), paid[::-1].copy())
        if not isinstance(told, (int, float)) or not told >= 0:
            raise bad_return_error(self, "display_cost", f"{told!r}; the cost of a path is a number from 0 on")
        return float(told)

    def heuristic_to(self, state: int) -> Any:
        """Hook: a `Heuristic` that measures `distance` to or from one state faster than `estimate` does, or None."""
        return None

    def max_state_offset(self, steps: int) -> int:
        """Hook: the largest difference between the numbers of two states that so many steps connect; n if unknown."""
        return self.n

    def is_reversible(self) -> bool:
        """Hook: can every step be taken back, at whatever cost?"""
        return self.is_symmetric

    def plain_sights(self) -> Any:
        """Hook: the `PlainSights` of this space, which read the cells that an agent is told; None: it has none."""
        return None

    def connectivity_grid(self) -> Any:
        """Hook: a `Grid` of the same states whose straight steps lead wherever its steps lead, or None."""
        return None

    def _user_method(self, name: str) -> Any:
        return user_method(self, Space, "space", name)

    # What people call, with numbers of states and places: checked.

    def successors(self, s: int) -> list[tuple[int, int]]:
        """The states that a step from s leads to, each with its cost in ticks."""
        near = self.make_neighbours()
        return near.pairs(self.expand(near, self.checked_state(s)))

    def predecessors(self, s: int) -> list[tuple[int, int]]:
        """The states from which a step leads to s, each with its cost in ticks."""
        near = self.make_neighbours()
        return near.pairs(self.expand_reverse(near, self.checked_state(s)))

    def edge_cost(self, u: int, v: int) -> int:
        """What the step from u to v costs in ticks, INF if there is none."""
        return self.step_cost(self.checked_state(u), self.checked_state(v))

    def distance(self, u: int, v: int) -> int:
        """An estimate of the cost from u to v, in ticks, that is never too large."""
        return self.estimate(self.checked_state(u), self.checked_state(v))

    def get_value(self, location: int) -> int:
        """The value of a place: 0 blocked, else its weight or cost."""
        return self.read_value(self.checked_location(location))

    def set_value(self, location: int, value: int) -> Any:
        """Give a place another value: the states whose steps have changed.

        Agents that believe in this space know of it when they next plan.
        """
        p, new = self.checked_location(location), self.checked_value(location, value)
        self.begin_change()
        try:
            return self._write_logged(p, new)
        finally:
            self.end_change()

    def _write_logged(self, place: int, value: int) -> Any:
        """Like `put`, of a place and a value that are checked, while `hold` lasts."""
        old, touched = self.read_value(place), self.make_changed_states()
        if self.change_log.subscriber_count > 0:
            self.change_log.reserve(touched)
        k = self.write_value(touched, place, value)
        states = touched.as_list(k)
        if self.change_log.subscriber_count > 0:
            self.change_log.add(touched, k, value == 0 or (old != 0 and value > old))
        return states

    def _checked_value_at(self, location: int) -> int:
        """The value of a place, whatever class the space has."""
        return self.read_value(self.checked_location(location))

    def _checked_min_value(self, location: int) -> int:
        """The value of a place that is free and as cheap as can be, whatever class the space has."""
        least = self.min_value(location)
        return least if self.is_built_in else returned_integer(self, "min_value", least, 1, INF - 1, "the smallest value of a location")

    def _last_value(self, location: int) -> int:
        """Hook: the value that a blocked place had before it was blocked; 0 where that is not known."""
        return 0

    def value_if_free(self, location: int) -> int:
        """The value of a place of which only is said that it is free: as it is, as it was last, or else the least."""
        return self._checked_value_at(location) or self._last_value(location) or self._checked_min_value(location)

    def _paired_locations(self) -> np.ndarray[Any, Any] | None:
        """By place: the other place that changes with it; None if each changes by itself."""
        return None

    def _affected_states(self, states: np.ndarray[Any, Any], places: np.ndarray[Any, Any]) -> np.ndarray[Any, Any] | None:
        """These states, and those that a step to or from them or a change of these places may concern; None: any."""
        return None

    def checked_state(self, s: Any) -> int:
        """The number of a state, from outside. Raises InputError."""
        self.check_initialized()
        return self._checked("state", s, self.n)

    def checked_location(self, location: Any) -> int:
        """The number of a place, from outside. Raises InputError."""
        self.check_initialized()
        return self._checked("location", location, self.n_locations)

    def checked_value(self, location: Any, value: Any) -> int:
        """The value that a place is to have, from outside. Raises InputError for one that it cannot have."""
        return returned_integer(self, "set_value", value, 0, INF - 1, "the value of a location")

    def _checked(self, what: str, number: Any, end: int) -> int:
        try:
            i = index(number)
        except TypeError:
            raise InputError(f"a {what} is a whole number, not {number!r}") from None
        if not 0 <= i < end:
            raise InputError(f"there is no {what} {number!r}: they go from 0 to {end - 1}")
        return i

    def check_not_searched(self) -> None:
        """RuntimeError if it is being searched, by another thread or by the caller's caller: it cannot change then."""
        if getattr(self, "active_searches", 0) > 0:
            name = type(self).__name__
            raise RuntimeError(f"this {name} is being searched, or copied: change it when that has ended")

    def _check_not_changing(self) -> None:
        """RuntimeError if it is being changed at this moment, by another thread or by the caller's caller."""
        if self.is_changing:
            raise RuntimeError(f"this {type(self).__name__} is being changed at this moment: use it afterwards")

    def adjacent_locations(self, s: int) -> list[int]:
        """The places that the sensor "adjacent" shows from a state, each checked."""
        listed = self._user_method("adjacent")(s)
        if not isinstance(listed, (list, tuple)):
            raise bad_return_error(self, "adjacent", f"{listed!r}, which is no list")
        return [returned_integer(self, "adjacent", place, 0, self.n_locations - 1, "a location") for place in listed]

    def begin_change(self) -> int:
        """Begin to change it: nobody may search it until `release`."""
        if self.active_searches > 0 or self.is_changing:
            self.check_not_searched()
            self._check_not_changing()
        self.is_changing = True
        return 0

    def end_change(self) -> int:
        self.is_changing = False
        return 0

    # Saving.

    def _hold(self) -> Iterator[tuple[Any, ...]]:
        """See `replan/locking.py`: while it is read it can be searched, and not changed."""
        self.check_initialized()
        self._check_not_changing()
        self.active_searches += 1
        try:
            yield (self,)
        finally:
            self.active_searches -= 1

    def __reduce__(self) -> Any:
        """A copy as it is now, for `copy` and `pickle`. The agents that believe in it stay with the original."""
        with read_lock(self):
            bag = Archive(self)
            self.serialize_change_count(bag)
            self.serialize(bag)
            return reduce_object(self, self.constructor_args(), bag)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return deep_copy(self, memo)

    def _restore(self, kind: Any, args: tuple[Any, ...], fields: dict[str, Any]) -> None:
        kind.__init__(self, *unpack_args(args))
        bag = Archive(self, fields)
        self.serialize_change_count(bag)
        self.serialize(bag)

    def _change_count(self) -> int:
        """How many changes agents have been told of since this space was made."""
        return self.change_log.end_number()

    def serialize_change_count(self, bag: Archive) -> None:
        """How many changes agents have been told of: what is saved with this space has to be of the same moment."""
        self.change_log.first_number = bag.integer("changes", self._change_count(), 0, INF) - self.change_log.log.count

    def constructor_args(self) -> tuple[Any, ...]:
        """Hook: the class whose `__init__` makes a copy, and its arguments."""
        return (
            Space, self.n, self.max_path_cost, self.degree, self.units_per_step, self.n_locations, self.max_edge_round_trip, self.has_unit_costs, self.locations_are_states
        )

    def serialize(self, bag: Archive) -> None:
        """Hook: what else a copy needs; see `replan/serialization.py`."""

    def shared_parts(self) -> tuple[Any, ...]:
        """Hook: what a copy of something that uses this space shares with the original."""
        return (self,)

    def _log_differences(self, other: Space) -> None:
        """Before becoming equal to another space of the package: agents that believe in it are told of each place."""
        if self.change_log.count_subscribers() > 0:
            values, others = np.asarray(all_values(self)), np.asarray(all_values(other))
            for place in np.flatnonzero(values != others).tolist():
                self._write_logged(place, int(others[place]))

    # What a space of the user's may lack.

    def copy(self) -> Space:
        """A second space, equal to this one, that can be changed by itself."""
        raise missing_method_error(self, "space", "copy")

    def assign(self, other: Space) -> None:
        """Become equal to another space of the same kind and shape. Raises InputError for any other."""
        raise missing_method_error(self, "space", "assign")

    def believed_free(self) -> Space:
        """What an agent that knows nothing believes: everything is free and as cheap as can be."""
        raise missing_method_error(self, "space", "believed_free")

    def state(self, key: Any) -> int:
        """The number of what people call a cell (a node). Raises InputError for one that there is not."""
        raise missing_method_error(self, "space", "state")

    def key(self, state: int) -> Hashable:
        """What people call a state: a cell, a node."""
        raise missing_method_error(self, "space", "key")

    def location(self, key: Any) -> int:
        """The number of what can change: a cell of a grid, an edge (u, v) of a graph. Raises InputError."""
        raise missing_method_error(self, "space", "location")

    def min_value(self, location: int) -> int:
        """The value of a place that is free and as cheap as can be."""
        return 1

    def value_of_weight(self, weight: Any) -> int:
        """A weight or cost, as people say it, as the value of a location."""
        raise missing_method_error(self, "space", "value_of_weight")

    # What a space says of itself to drawings, tables and files. A space without rows and columns keeps these.

    @property
    def cell_layout(self) -> CellLayout | None:
        """The layout of the states in rows and columns, for drawings; None if there is none."""
        return None

    def to_map_shape(self, values: ArrayLike) -> np.ndarray[Any, Any]:
        """A value for each state in the shape in which people see the space: here one after the other."""
        return np.asarray(values)[: self.n]

    def distances_to(self, state: int) -> np.ndarray[Any, Any]:
        """The estimated cost from each state to this one, in ticks."""
        goal = self.checked_state(state)
        return np.array([self.estimate(s, goal) for s in range(self.n)], np.int64)

    def cells_of(self, states: ArrayLike) -> Any:
        """What people call these states: an array with a row and a column for each on a grid, elsewhere a list."""
        return self.keys(states)

    def _to_arrays(self) -> tuple[dict[str, Any], dict[str, np.ndarray[Any, Any]]] | None:
        """Plain values and arrays of which `from_facts` of its class makes an equal space; None if they cannot tell."""
        return None

    def count_free_states(self) -> int:
        """The number of states in which an agent can be; n if unknown."""
        return self.n

    def has_same_shape(self, other: Space) -> bool:
        """True if the other space has the same class, states and places."""
        return type(self) is type(other) and self.n == other.n and self.n_locations == other.n_locations

    def display_cost(self, path: np.ndarray[Any, Any], step_costs: np.ndarray[Any, Any]) -> float:
        """What a path costs in the units of people, from what each step of it costs in ticks."""
        return float(step_costs.sum()) / self.units_per_step

    def keys(self, states: Any) -> list[Any]:
        """What people call these states, in the same order."""
        return [self.key(int(s)) for s in states]


def _checked_size(who: str, name: str, given: Any, low: int, high: int) -> int:
    try:
        number = index(given)
    except TypeError:
        raise InputError(f"{who}: {name} is a whole number, not {given!r}") from None
    if not low <= number <= high:
        raise InputError(f"{who}: {name} is from {low} to {high:,}, not {given!r}")
    return number


def check_space(space: Any) -> None:
    """Raise InputError for what is no space, or one whose `__init__` has not run."""
    if not isinstance(space, Space):
        if isinstance(space, np.ndarray):
            raise InputError("a space is a Grid, a Graph or your own Space; of an array, make one: replan.Grid(...)")
        hint = "; Grid.load reads a map by its name or file" if isinstance(space, str) else ""
        raise InputError(f"a space is a Grid, a Graph or your own Space, not {repr_short(space)}{hint}")
    given: Space = space
    given.check_initialized()


def check_change_count(bag: Archive, space: Space) -> None:
    """What is loaded with a space was saved before or after changes that the space has, or lacks."""
    saved, now = bag.integer("changes", space._change_count(), 0, INF), space._change_count()
    if saved != now:
        raise InputError(
            f"this {bag.owner_name} cannot be loaded: its space was changed while it was saved ({saved:,} changes, then "
            f"{now:,}): save it while no other thread changes the space"
        )


def key_to_state(space: Space, key: Any) -> int:
    """The state that people call `key`, whatever class the space has."""
    check_space(space)
    s = space.state(key)
    return s if space.is_built_in else returned_integer(space, "state", s, 0, space.n - 1, "a state")


def key_to_location(space: Space, key: Any) -> int:
    """The place that people call `key`, whatever class the space has."""
    check_space(space)
    p = space.location(key)
    return p if space.is_built_in else returned_integer(space, "location", p, 0, space.n_locations - 1, "a location")


def all_values(space: Space) -> np.ndarray[Any, Any]:
    """The values of all places, in their order."""
    check_space(space)
    values = view(np.empty(space.n_locations, np.int64))
    for place in range(space.n_locations):
        values[place] = space.read_value(place)
    return np.asarray(values)


def values_if_free(space: Space, locations: list[int]) -> list[int]:
    """What each place is worth if it is free."""
    check_space(space)
    return [space.value_if_free(place) for place in locations]
