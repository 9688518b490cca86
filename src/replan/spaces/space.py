"""The contract of all spaces: states, the steps between them, and what the steps cost.

States are the ints `0 .. n - 1`. All costs are whole numbers of cost units, so that paths of equal cost really tie.
The terrain changes through `set_value`, one *location* at a time: a cell of a grid or an edge of a graph. The value of
a location is 0 if it is blocked, otherwise its weight (a cell) or its cost (an edge).

Several threads may search a space at the same time as long as no thread changes it. Each search has lists of
neighbours of its own (`Neighbours`).
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
    """Base class of all spaces: the terrain that a planner searches.

    A space of your own derives from `Space`, calls `Space.__init__`, and defines these methods in plain Python:

    | method | what it returns |
    |---|---|
    | `successors(s)` | list of (state, cost): the states that one step from `s` reaches, costs in cost units |
    | `predecessors(s)` | list of (state, cost): the states from which one step reaches `s` |
    | `edge_cost(u, v)` | the cost of the step from `u` to `v`; `replan.limits.INF` if there is none |
    | `distance(u, v)` | a consistent estimate of the cost from `u` to `v` that obeys the triangle inequality |
    | `get_value(location)` | the value of a location |
    | `set_value(location, value)` | changes the value; returns the list of states whose steps changed (*) |
    | `state(key)`, `key(state)`, `location(key)` | conversions between numbers and the user's names (cells, nodes) |
    | `value_of_weight(weight)` | the value of a location that has this weight |
    | `min_value(location)` | the smallest value of a location that is not blocked |
    | `copy()` | an independent copy |
    | `assign(other)` | nothing; makes this space equal to `other` |
    | `believed_free()` | the space under the freespace assumption: every location is free and has its smallest value |
    | `display_cost(path, step_costs)` | the displayed cost of a path; default: the sum divided by `units_per_step` |
    | `adjacent(s)` | list of the locations that the sensor "adjacent" of a `World` shows from `s` |

    (*) If some steps cannot be taken back: two lists of equal length. The first has the states that the changed steps
    leave, the second the states that they enter.

    Methods that a program does not use may be missing. If a missing method is called, an error names it. All returned
    values are checked.

    Parameters
    ----------
    n
        Number of states, from 1 to 2**30.
    max_path_cost
        Upper bound of the cost of every cheapest path, in cost units.
    degree
        Largest number of successors, and of predecessors, of one state.
    units_per_step
        Number of cost units that are displayed as a cost of 1.
    n_locations
        Number of locations; None: one for each state.
    max_edge_round_trip
        Largest cost of a step and the step back, in cost units; None: twice `max_path_cost`.
    has_unit_costs
        True if all steps cost the same.
    locations_are_states
        True if location `s` is state `s`, and blocking it blocks all steps into `s` and out of `s`.

    Raises
    ------
    InputError
        If a number is out of range.

    Examples
    --------
    >>> import replan
    >>> class Ring(replan.Space):
    ...     "Cells in a circle; a step leads to the next cell or back, and costs 1."
    ...     def __init__(self, n):
    ...         super().__init__(n, max_path_cost=n, degree=2, has_unit_costs=True)
    ...         self.free = [True] * n
    ...     def successors(self, s):
    ...         return [(v, 1) for v in ((s + 1) % self.n, (s - 1) % self.n) if self.free[s] and self.free[v]]
    ...     def predecessors(self, s):
    ...         return self.successors(s)
    ...     def edge_cost(self, u, v):
    ...         return dict(self.successors(u)).get(v, replan.limits.INF)
    ...     def distance(self, u, v):
    ...         return min((u - v) % self.n, (v - u) % self.n)
    ...     def get_value(self, location):
    ...         return int(self.free[location])
    ...     def set_value(self, location, value):
    ...         self.free[location] = value > 0
    ...         return [(location - 1) % self.n, location, (location + 1) % self.n]
    ...     def state(self, key):
    ...         return key
    ...     def key(self, state):
    ...         return state
    ...     def location(self, key):
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

    Grids and graphs have all of these methods:

    >>> import numpy as np
    >>> grid = replan.Grid([[0, 0, 0], [1, 1, 0]], neighbors=4, weights=[[1, 1, 5], [1, 1, 1]])
    >>> a, b = grid.state((0, 0)), grid.state((0, 2))
    >>> grid.keys([a, b]), grid.key(b), grid.location((0, 2)) == b
    ([(0, 0), (0, 2)], (0, 2), True)
    >>> [(grid.key(v), cost) for v, cost in grid.successors(a)], grid.predecessors(a) == grid.successors(a)
    ([((0, 1), 2)], True)
    >>> grid.edge_cost(a, a + 1), grid.edge_cost(a, b) == replan.limits.INF, grid.distance(a, b), grid.units_per_step
    (2, True, 4, 2)
    >>> grid.get_value(b), grid.min_value(b), grid.value_of_weight(3)
    (5, 1, 3)
    >>> changed_states = grid.set_value(b, 0)
    >>> grid.value_if_free(b), len(grid.set_value(b, grid.value_if_free(b)))
    (5, 3)
    >>> grid.keys(grid.set_value(b, 2)), grid.get_value(b)
    ([(0, 2), (1, 2), (0, 1)], 2)
    >>> free = grid.believed_free()
    >>> free.assign(grid)
    >>> duplicate = free.copy()
    >>> grid.checked_state(a) == a, grid.checked_location(b) == b, grid.checked_value(b, 9)
    (True, True, 9)
    >>> grid.check_not_searched()
    >>> grid.display_cost(np.array([a, a + 1]), np.array([grid.edge_cost(a, a + 1)]))
    1.0

    Drawings, tables and files use these methods:

    >>> grid.cell_layout is grid, grid.cells_of([a, b]).tolist(), grid.count_free_states()
    (True, [[0, 0], [0, 2]], 4)
    >>> int(grid.distances_to(a)[b]), grid.to_map_shape(np.arange(grid.n)).tolist()
    (4, [[6, 7, 8], [11, 12, 13]])
    >>> metadata, arrays = grid._to_arrays()
    >>> replan.Grid._from_arrays(metadata, arrays.__getitem__).has_same_shape(grid)
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
    is_built_in: bool  # a Grid or a Graph: its returned values need no checks
    change_log: ChangeLog  # subscribers (agents, planners), and the changes that some of them have not read yet
    active_searches: int  # number of searches that run now
    idle_planners: dict[Any, list[Any]]  # planners that the next calls of find_path reuse

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
        name = type(self).__name__
        state_count = _checked_size(name, "n", n, 1, MAX_STATES)
        location_count = n if n_locations is None else n_locations
        self.n_locations = _checked_size(name, "n_locations", location_count, 0, MAX_STATES)
        self.max_path_cost = _checked_size(name, "max_path_cost", max_path_cost, 1, LARGEST_BOUND)
        longest = 2 * self.max_path_cost
        round_trip = longest if max_edge_round_trip is None else max_edge_round_trip
        self.max_edge_round_trip = _checked_size(name, "max_edge_round_trip", round_trip, 1, longest)
        self.degree = _checked_size(name, "degree", degree, 0, MAX_STATES)
        self.units_per_step = _checked_size(name, "units_per_step", units_per_step, 1, self.max_path_cost)
        self.has_unit_costs, self.locations_are_states = bool(has_unit_costs), bool(locations_are_states)
        self.is_built_in = False
        self.n = state_count
        self.is_initialized = True

    def check_init_call(self) -> int:
        """Raise InputError in a Grid or a Graph, which these numbers do not define; do nothing in other spaces."""
        return 0

    def _init_fields(self) -> None:
        """Set the fields that all spaces have; raise InputError if `__init__` has run already."""
        self.check_not_initialized()
        self.active_searches, self.row_stride, self.is_symmetric, self.is_changing = 0, 0, False, False
        self.change_log = ChangeLog()
        self.idle_planners: dict[Any, list[Any]] = {}

    def make_neighbours(self, reuse: Neighbours | None = None) -> Neighbours:
        """Return lists for the neighbours of one state: `reuse` if its size and its costs fit."""
        return reuse_or_make(reuse, self.degree)

    def make_changed_states(self) -> ChangedStates:
        """Return lists for the states whose steps a change of one location affects."""
        return ChangedStates(self.degree + 1, False)

    # Called by the core, without checks of the arguments. Compiled spaces override these methods. For a class written
    # in Python they look up the user's method by name, call it, and check what it returns.

    def expand(self, neighbours: Neighbours, s: int) -> int:
        """Write the successors of s into `neighbours`; return their number."""
        with cython.gil:
            return neighbours.fill_checked(self, "successors", self._user_method("successors")(s))

    def expand_onward(self, neighbours: Neighbours, s: int, previous: int) -> int:
        """Like `expand`, but may leave out `previous`, the state from which the search reached s."""
        return self.expand(neighbours, s)

    def expand_reverse(self, neighbours: Neighbours, s: int) -> int:
        """Write the predecessors of s into `neighbours`; return their number."""
        with cython.gil:
            return neighbours.fill_checked(self, "predecessors", self._user_method("predecessors")(s))

    def step_cost(self, u: int, v: int) -> int:
        """Return the cost of the step from u to v, INF if there is none."""
        with cython.gil:
            return returned_integer(
                self, "edge_cost", self._user_method("edge_cost")(u, v), 1, INF, "the cost of a step"
            )

    def estimate(self, u: int, v: int) -> int:
        """Return the distance from u to v, which the heuristics use."""
        with cython.gil:
            return returned_integer(self, "distance", self._user_method("distance")(u, v), 0, INF, "an estimate")

    def read_value(self, location: int) -> int:
        """Return the value of a location."""
        with cython.gil:
            return returned_integer(
                self, "get_value", self._user_method("get_value")(location), 0, INF, "the value of a location"
            )

    def write_value(self, changed: ChangedStates, location: int, value: int) -> int:
        """Set the value of a location; list the states whose steps change, and return their number."""
        with cython.gil:
            return changed.fill_checked(self, self._user_method("set_value")(location, value))

    def path_costs(self, path: memoryview, step_costs: memoryview, moves: int) -> int:
        """Write the cost of each move of a path into `step_costs`."""
        for i in range(moves):
            step_costs[i] = self.step_cost(path[i], path[i + 1])
        return 0

    def reversed_keys(self, states: memoryview, end: int, start: int) -> list[Any]:
        """Return the keys of states[end:start] in reverse order."""
        return [self.unchecked_key(states[i]) for i in range(start - 1, end - 1, -1)]

    def unchecked_key(self, s: int) -> Any:
        """Return the key of a state, which is not checked."""
        return self.key(s)

    def reverse_cost(self, states: memoryview, step_costs: memoryview, end: int, start: int) -> float:
        """Return the displayed cost of a path stored in reverse, from states[start] to states[end].

        step_costs[i] is the cost of the step from states[i] to states[i - 1].
        """
        path, costs = np.asarray(states)[end : start + 1], np.asarray(step_costs)[end + 1 : start + 1]
        displayed = self.display_cost(path[::-1].copy(), costs[::-1].copy())
        if not isinstance(displayed, (int, float)) or not displayed >= 0:
            raise bad_return_error(self, "display_cost", f"{displayed!r}; the cost of a path is a number from 0 on")
        return float(displayed)

    def heuristic_to(self, state: int) -> Any:
        """Return a `Heuristic` that computes the distance to or from one state faster than `estimate`, or None."""
        return None

    def max_state_offset(self, steps: int) -> int:
        """Return the largest difference between the numbers of two states that `steps` steps connect; n if unknown."""
        return self.n

    def is_reversible(self) -> bool:
        """True if every step can be taken back, at any cost."""
        return self.is_symmetric

    def make_fast_observations(self) -> Any:
        """Return `FastObservations` of this space, which read observed cells without Python calls, or None."""
        return None

    def connectivity_grid(self) -> Any:
        """Return a `Grid` of the same states that has the same connected regions by straight steps alone, or None."""
        return None

    def _user_method(self, name: str) -> Any:
        """Return a method that the user's class defines; raise NotImplementedError if it is missing."""
        return user_method(self, Space, "space", name)

    # Called by users, with the numbers of states and locations, which are checked.

    def successors(self, s: int) -> list[tuple[int, int]]:
        """List the successors of a state.

        Parameters
        ----------
        s
            State, from 0 to `n - 1`.

        Returns
        -------
        list of (int, int)
            Each state that one step from `s` reaches, with the cost of the step in cost units.
        """
        neighbours = self.make_neighbours()
        return neighbours.pairs(self.expand(neighbours, self.checked_state(s)))

    def predecessors(self, s: int) -> list[tuple[int, int]]:
        """List the predecessors of a state.

        Parameters
        ----------
        s
            State, from 0 to `n - 1`.

        Returns
        -------
        list of (int, int)
            Each state from which one step reaches `s`, with the cost of the step in cost units.
        """
        neighbours = self.make_neighbours()
        return neighbours.pairs(self.expand_reverse(neighbours, self.checked_state(s)))

    def edge_cost(self, u: int, v: int) -> int:
        """Return the cost of a step.

        Parameters
        ----------
        u
            State that the step leaves.
        v
            State that the step enters.

        Returns
        -------
        int
            Cost in cost units, from 1; `replan.limits.INF` if no step leads from `u` to `v`.
        """
        return self.step_cost(self.checked_state(u), self.checked_state(v))

    def distance(self, u: int, v: int) -> int:
        """Estimate the cost between two states.

        The planners use it as their heuristic. It must be consistent and obey the triangle inequality.

        Parameters
        ----------
        u
            First state.
        v
            Last state.

        Returns
        -------
        int
            Lower bound of the cost from `u` to `v`, in cost units, from 0.
        """
        return self.estimate(self.checked_state(u), self.checked_state(v))

    def get_value(self, location: int) -> int:
        """Return the value of a location.

        Parameters
        ----------
        location
            Number of the location, from 0 to `n_locations - 1`.

        Returns
        -------
        int
            0 if the location is blocked; otherwise its weight or cost.
        """
        return self.read_value(self.checked_location(location))

    def set_value(self, location: int, value: int) -> Any:
        """Set the value of a location.

        Agents whose belief is this space apply the change when they next plan.

        Parameters
        ----------
        location
            Number of the location, from 0 to `n_locations - 1`.
        value
            0 to block the location; otherwise its new weight or cost. `value_if_free` returns a value that frees it.

        Returns
        -------
        list of int
            States whose steps changed.

        Raises
        ------
        InputError
            If the location does not exist, or cannot have the value.
        RuntimeError
            If the space is being searched or changed.
        """
        checked, new_value = self.checked_location(location), self.checked_value(location, value)
        self.begin_change()
        try:
            return self._write_logged(checked, new_value)
        finally:
            self.end_change()

    def _write_logged(self, location: int, value: int) -> Any:
        """Set a checked value between `begin_change` and `end_change`, and add the change to the change log."""
        old, changed = self.read_value(location), self.make_changed_states()
        if self.change_log.subscriber_count > 0:
            self.change_log.reserve(changed)
        k = self.write_value(changed, location, value)
        states = changed.as_list(k)
        if self.change_log.subscriber_count > 0:
            self.change_log.add(changed, k, value == 0 or (old != 0 and value > old))
        return states

    def _checked_value_at(self, location: int) -> int:
        """Return the value of a location, of any class of space."""
        return self.read_value(self.checked_location(location))

    def _checked_min_value(self, location: int) -> int:
        """Return `min_value`, of any class of space; check what a user's method returns."""
        value = self.min_value(location)
        if self.is_built_in:
            return value
        return returned_integer(self, "min_value", value, 1, INF - 1, "the smallest value of a location")

    def _last_value(self, location: int) -> int:
        """Return the value that a blocked location had before it was blocked; 0 if unknown."""
        return 0

    def value_if_free(self, location: int) -> int:
        """Return the value that a location gets when it is freed without a value.

        Parameters
        ----------
        location
            Number of the location.

        Returns
        -------
        int
            The present value if the location is free; otherwise its last value before it was blocked, if it is known;
            otherwise `min_value`.
        """
        return self._checked_value_at(location) or self._last_value(location) or self._checked_min_value(location)

    def _paired_locations(self) -> np.ndarray[Any, Any] | None:
        """Return, for each location, the location that always changes with it; None if there are no pairs."""
        return None

    def _affected_states(
        self, states: np.ndarray[Any, Any], locations: np.ndarray[Any, Any]
    ) -> np.ndarray[Any, Any] | None:
        """Return the states that steps to or from `states`, or changes of `locations`, may affect; None: any state."""
        return None

    def checked_state(self, s: Any) -> int:
        """Return the number of a state as an int.

        Parameters
        ----------
        s
            State, a whole number from 0 to `n - 1` of any integer type.

        Returns
        -------
        int
            The same number.

        Raises
        ------
        InputError
            If there is no such state.
        """
        self.check_initialized()
        return self._checked("state", s, self.n)

    def checked_location(self, location: Any) -> int:
        """Return the number of a location as an int.

        Parameters
        ----------
        location
            Location, a whole number from 0 to `n_locations - 1` of any integer type.

        Returns
        -------
        int
            The same number.

        Raises
        ------
        InputError
            If there is no such location.
        """
        self.check_initialized()
        return self._checked("location", location, self.n_locations)

    def checked_value(self, location: Any, value: Any) -> int:
        """Return a value that a location can have as an int.

        Parameters
        ----------
        location
            Number of the location.
        value
            0 (blocked), or a weight or cost, of any integer type.

        Returns
        -------
        int
            The same value.

        Raises
        ------
        InputError
            If the location of a Grid or a Graph cannot have the value.
        """
        return returned_integer(self, "set_value", value, 0, INF - 1, "the value of a location")

    def _checked(self, kind: str, number: Any, end: int) -> int:
        """Return a number from 0 to `end - 1` as an int; raise InputError for any other."""
        try:
            i = index(number)
        except TypeError:
            raise InputError(f"a {kind} is a whole number, not {number!r}") from None
        if not 0 <= i < end:
            raise InputError(f"there is no {kind} {number!r}: they go from 0 to {end - 1}")
        return i

    def check_not_searched(self) -> None:
        """Raise RuntimeError if the space is being searched or copied.

        Raises
        ------
        RuntimeError
            If another thread, or a caller of this call, searches or copies the space.
        """
        if getattr(self, "active_searches", 0) > 0:
            name = type(self).__name__
            raise RuntimeError(f"this {name} is being searched, or copied: change it when that has ended")

    def _check_not_changing(self) -> None:
        """Raise RuntimeError if another thread, or a caller of this call, is changing the space."""
        if self.is_changing:
            raise RuntimeError(f"this {type(self).__name__} is being changed at this moment: use it afterwards")

    def adjacent_locations(self, s: int) -> list[int]:
        """List the locations that the sensor "adjacent" shows from a state.

        Parameters
        ----------
        s
            State of the agent.

        Returns
        -------
        list of int
            What the user's method `adjacent` returned, checked.

        Raises
        ------
        ValueError
            If `adjacent` returned something else than a list of locations.
        """
        listed = self._user_method("adjacent")(s)
        if not isinstance(listed, (list, tuple)):
            raise bad_return_error(self, "adjacent", f"{listed!r}, which is no list")
        last = self.n_locations - 1
        return [returned_integer(self, "adjacent", location, 0, last, "a location") for location in listed]

    def begin_change(self) -> int:
        """Begin a change: until `end_change`, searches raise RuntimeError."""
        if self.active_searches > 0 or self.is_changing:
            self.check_not_searched()
            self._check_not_changing()
        self.is_changing = True
        return 0

    def end_change(self) -> int:
        """End a change."""
        self.is_changing = False
        return 0

    # Saving.

    def _hold(self) -> Iterator[tuple[Any, ...]]:
        """Hold a read lock (see `replan/locking.py`): the space can be searched, but not changed."""
        self.check_initialized()
        self._check_not_changing()
        self.active_searches += 1
        try:
            yield (self,)
        finally:
            self.active_searches -= 1

    def __reduce__(self) -> Any:
        """Describe a copy for `copy` and `pickle`. Agents that believe in this space stay with the original."""
        with read_lock(self):
            archive = Archive(self)
            self.serialize_change_count(archive)
            self.serialize(archive)
            return reduce_object(self, self.constructor_args(), archive)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return deep_copy(self, memo)

    def _restore(self, kind: Any, args: tuple[Any, ...], fields: dict[str, Any]) -> None:
        kind.__init__(self, *unpack_args(args))
        archive = Archive(self, fields)
        self.serialize_change_count(archive)
        self.serialize(archive)

    def _change_count(self) -> int:
        """Return the number of changes that the change log has had since this space was made."""
        return self.change_log.end_number()

    def serialize_change_count(self, archive: Archive) -> None:
        """Save or load the number of logged changes. `check_change_count` compares it with that of a saved agent."""
        count = archive.integer("changes", self._change_count(), 0, INF)
        self.change_log.first_number = count - self.change_log.log.count

    def constructor_args(self) -> tuple[Any, ...]:
        """Return the class whose `__init__` makes a copy, and its arguments."""
        return (
            Space,
            *(self.n, self.max_path_cost, self.degree, self.units_per_step, self.n_locations),
            *(self.max_edge_round_trip, self.has_unit_costs, self.locations_are_states),
        )

    def serialize(self, archive: Archive) -> None:
        """Save or load everything that `constructor_args` does not give; see `replan/serialization.py`."""

    def shared_parts(self) -> tuple[Any, ...]:
        """Return the objects that a copy of an agent or a world shares with the original."""
        return (self,)

    def _log_differences(self, other: Space) -> None:
        """Set each value that differs from `other`, so that the change log has it, if there are subscribers."""
        if self.change_log.count_subscribers() > 0:
            values, others = np.asarray(all_values(self)), np.asarray(all_values(other))
            for location in np.flatnonzero(values != others).tolist():
                self._write_logged(location, int(others[location]))

    # Optional methods of a user's class.

    def copy(self) -> Space:
        """Copy the space.

        Returns
        -------
        Space
            An equal space of the same class that can be changed independently.
        """
        raise missing_method_error(self, "space", "copy")

    def assign(self, other: Space) -> None:
        """Make this space equal to another one.

        Parameters
        ----------
        other
            Space of the same class and shape, as `copy` and `believed_free` return them.

        Raises
        ------
        InputError
            If `other` has another class or shape.
        """
        raise missing_method_error(self, "space", "assign")

    def believed_free(self) -> Space:
        """Copy the space under the freespace assumption.

        Returns
        -------
        Space
            The belief of an agent that knows nothing: every location is free and has its smallest value.
        """
        raise missing_method_error(self, "space", "believed_free")

    def state(self, key: Any) -> int:
        """Return the number of a state.

        Parameters
        ----------
        key
            The user's name of the state: a cell `(row, col)` of a grid, a node of a graph.

        Returns
        -------
        int
            State, from 0 to `n - 1`.

        Raises
        ------
        InputError
            If there is no such state.
        """
        raise missing_method_error(self, "space", "state")

    def key(self, state: int) -> Hashable:
        """Return the user's name of a state.

        Parameters
        ----------
        state
            State, from 0 to `n - 1`.

        Returns
        -------
        hashable
            A cell `(row, col)` of a grid, a node of a graph.
        """
        raise missing_method_error(self, "space", "key")

    def location(self, key: Any) -> int:
        """Return the number of a location.

        Parameters
        ----------
        key
            The user's name of the location: a cell `(row, col)` of a grid, an edge `(u, v)` of a graph.

        Returns
        -------
        int
            Location, from 0 to `n_locations - 1`.

        Raises
        ------
        InputError
            If there is no such location.
        """
        raise missing_method_error(self, "space", "location")

    def min_value(self, location: int) -> int:
        """Return the smallest value of a location that is not blocked.

        Parameters
        ----------
        location
            Number of the location.

        Returns
        -------
        int
            Value, from 1.
        """
        return 1

    def value_of_weight(self, weight: Any) -> int:
        """Convert a weight or cost to the value of a location.

        Parameters
        ----------
        weight
            Weight of a cell, or cost of an edge in the user's units.

        Returns
        -------
        int
            Value, from 1.

        Raises
        ------
        InputError
            If no location can have this weight.
        """
        raise missing_method_error(self, "space", "value_of_weight")

    # For drawings, tables and files. The defaults are for a space without rows and columns.

    @property
    def cell_layout(self) -> CellLayout | None:
        """The layout of the states in rows and columns, for drawings; None if there is none."""
        return None

    def to_map_shape(self, values: ArrayLike) -> np.ndarray[Any, Any]:
        """Arrange values of states in the shape of the map.

        Parameters
        ----------
        values
            One value for each state.

        Returns
        -------
        numpy.ndarray
            On a grid a 2-D view, one value for each cell; otherwise 1-D, one value for each state.
        """
        return np.asarray(values)[: self.n]

    def distances_to(self, state: int) -> np.ndarray[Any, Any]:
        """Estimate the cost from each state to one state.

        Parameters
        ----------
        state
            Last state.

        Returns
        -------
        numpy.ndarray
            `distance(s, state)` of each state `s`, in cost units.
        """
        goal = self.checked_state(state)
        return np.array([self.estimate(s, goal) for s in range(self.n)], np.int64)

    def cells_of(self, states: ArrayLike) -> Any:
        """Return the keys of states, on a grid as an array.

        Parameters
        ----------
        states
            States, each from 0 to `n - 1`.

        Returns
        -------
        numpy.ndarray or list
            On a grid an array with a row and a column for each state; otherwise the list that `keys` returns.
        """
        return self.keys(states)

    def _to_arrays(self) -> tuple[dict[str, Any], dict[str, np.ndarray[Any, Any]]] | None:
        """Return the metadata and arrays from which `_from_arrays` makes an equal space; None if that is impossible."""
        return None

    def count_free_states(self) -> int:
        """Count the states in which an agent can be.

        Returns
        -------
        int
            Number of states that are not blocked; `n` if unknown.
        """
        return self.n

    def has_same_shape(self, other: Space) -> bool:
        """True if another space has the same class, states and locations.

        Parameters
        ----------
        other
            Any space.

        Returns
        -------
        bool
            On grids, rows and columns must be equal, too.
        """
        return type(self) is type(other) and self.n == other.n and self.n_locations == other.n_locations

    def display_cost(self, path: np.ndarray[Any, Any], step_costs: np.ndarray[Any, Any]) -> float:
        """Return the cost of a path in the user's units.

        Parameters
        ----------
        path
            States of the path, in order; one more than steps.
        step_costs
            Cost of each step, in cost units.

        Returns
        -------
        float
            Cost as trips and paths display it: by default the sum of the costs divided by `units_per_step`.
        """
        return float(step_costs.sum()) / self.units_per_step

    def keys(self, states: Any) -> list[Any]:
        """Return the keys of states.

        Parameters
        ----------
        states
            States, each from 0 to `n - 1`.

        Returns
        -------
        list
            `key(s)` of each state, in the same order.
        """
        return [self.key(int(s)) for s in states]


def _checked_size(class_name: str, name: str, value: Any, low: int, high: int) -> int:
    """Return an argument of `Space.__init__` as an int; raise InputError if it is not from `low` to `high`."""
    try:
        number = index(value)
    except TypeError:
        raise InputError(f"{class_name}: {name} is a whole number, not {value!r}") from None
    if not low <= number <= high:
        raise InputError(f"{class_name}: {name} is from {low} to {high:,}, not {value!r}")
    return number


def check_space(space: Any) -> None:
    """Raise InputError if this is not a space, or if its `__init__` has not run."""
    if not isinstance(space, Space):
        if isinstance(space, np.ndarray):
            raise InputError("a space is a Grid, a Graph or your own Space; of an array, make one: replan.Grid(...)")
        hint = "; Grid.load reads a map by its name or file" if isinstance(space, str) else ""
        raise InputError(f"a space is a Grid, a Graph or your own Space, not {repr_short(space)}{hint}")
    typed: Space = space
    typed.check_initialized()


def check_change_count(archive: Archive, space: Space) -> None:
    """Save or load the space's number of changes; raise InputError if the space was saved at another moment."""
    saved, now = archive.integer("changes", space._change_count(), 0, INF), space._change_count()
    if saved != now:
        raise InputError(
            f"this {archive.owner_name} cannot be loaded: its space was changed while it was saved ({saved:,} changes, "
            f"then {now:,}): save it while no other thread changes the space"
        )


def key_to_state(space: Space, key: Any) -> int:
    """Return `space.state(key)`, of any class of space; check what a user's method returns."""
    check_space(space)
    s = space.state(key)
    return s if space.is_built_in else returned_integer(space, "state", s, 0, space.n - 1, "a state")


def key_to_location(space: Space, key: Any) -> int:
    """Return `space.location(key)`, of any class of space; check what a user's method returns."""
    check_space(space)
    p = space.location(key)
    return p if space.is_built_in else returned_integer(space, "location", p, 0, space.n_locations - 1, "a location")


def all_values(space: Space) -> np.ndarray[Any, Any]:
    """Return the values of all locations, in order."""
    check_space(space)
    values = view(np.empty(space.n_locations, np.int64))
    for location in range(space.n_locations):
        values[location] = space.read_value(location)
    return np.asarray(values)


def values_if_free(space: Space, locations: list[int]) -> list[int]:
    """Return `value_if_free` of each location."""
    check_space(space)
    return [space.value_if_free(location) for location in locations]
