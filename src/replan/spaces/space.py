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
from replan.guard import held
from replan.initialized import Initialized
from replan.limits import INF, LARGEST_BOUND, MAX_STATES
from replan.own import missing, own_method, whole, wrong_answer
from replan.saving import Bag, deep_copied, reduced, unpacked
from replan.spaces.neighbours import Neighbours, Touched, suited
from replan.spaces.news import News

if TYPE_CHECKING:
    from replan.spaces.plane import Plane

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
    | `get(place)` | the value of a place |
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
    >>> ring.adjacent_places(0)
    [7, 0, 1]

    Grids and graphs have all of it. States and places are numbers there, too, and costs are ticks:

    >>> import numpy as np
    >>> grid = replan.Grid([[0, 0, 0], [1, 1, 0]], neighbors=4, weights=[[1, 1, 5], [1, 1, 1]])
    >>> a, b = grid.state((0, 0)), grid.state((0, 2))
    >>> grid.keys([a, b]), grid.key(b), grid.place((0, 2)) == b
    ([(0, 0), (0, 2)], (0, 2), True)
    >>> [(grid.key(v), cost) for v, cost in grid.successors(a)], grid.predecessors(a) == grid.successors(a)
    ([((0, 1), 2)], True)
    >>> grid.edge(a, a + 1), grid.edge(a, b) == replan.limits.INF, grid.distance(a, b), grid.unit
    (2, True, 4, 2)
    >>> grid.get(b), grid.value_at(b), grid.least(b), grid.least_at(b), grid.value_of(3)
    (5, 5, 1, 1, 3)
    >>> touched = grid.put(b, 0)
    >>> grid.value_if_free(b), len(grid.put(b, grid.value_if_free(b)))
    (5, 3)
    >>> grid.keys(grid.put(b, 2)), grid.get(b)
    ([(0, 2), (1, 2), (0, 1)], 2)
    >>> free = grid.believed_free()
    >>> free.assign(grid)
    >>> twin = free.copy()
    >>> grid.checked_state(a) == a, grid.checked_place(b) == b, grid.checked_value(b, 9)
    (True, True, 9)
    >>> grid.refuse_while_searched()
    >>> grid.steps(np.array([a, a + 1]), np.array([grid.edge(a, a + 1)]))
    1.0

    Drawings, tables and files ask a space for this:

    >>> grid.plane is grid, grid.cells_of([a, b]).tolist(), grid.count_free(), grid.is_like(twin)
    (True, [[0, 0], [0, 2]], 4, True)
    >>> int(grid.distances_to(a)[b]), grid.array(np.arange(grid.n)).tolist()
    (4, [[6, 7, 8], [11, 12, 13]])
    >>> facts, arrays = grid.facts()
    >>> replan.Grid.from_facts(facts, arrays.__getitem__).is_like(grid)
    True
    """

    n: int
    places: int
    unit: int
    bound: int
    span: int
    degree: int
    row: int
    unit_costs: bool
    cells: bool
    both_ways: bool  # every step can be taken back at the same cost
    built_in: bool  # what it answers need not be checked
    news: News  # who believes in this space or asks about it, and what some of them do not know yet
    searches: int  # how many are going on now
    finders: dict[Any, list[Any]]  # planners of find_path that wait for the next call

    def __init__(
        self,
        n: int,
        bound: int,
        degree: int,
        unit: int = 1,
        places: int | None = None,
        span: int | None = None,
        unit_costs: bool = False,
        cells: bool = True,
    ) -> None:
        self.refuse_numbers()
        self._be_new()
        who = type(self).__name__
        states = _announced(who, "n", n, 1, MAX_STATES)
        self.places = _announced(who, "places", n if places is None else places, 0, MAX_STATES)
        self.bound = _announced(who, "bound", bound, 1, LARGEST_BOUND)
        self.span = _announced(who, "span", 2 * self.bound if span is None else span, 1, 2 * self.bound)
        self.degree = _announced(who, "degree", degree, 0, MAX_STATES)
        self.unit = _announced(who, "unit", unit, 1, self.bound)
        self.unit_costs, self.cells, self.built_in = bool(unit_costs), bool(cells), False
        self.n = states
        self.is_initialized = True

    def refuse_numbers(self) -> int:
        """Grids and graphs are made of arrays: these numbers alone do not make one."""
        return 0

    def _be_new(self) -> None:
        self.refuse_initialized()
        self.searches, self.row, self.both_ways, self.changing = 0, 0, False, False
        self.news = News()
        self.finders: dict[Any, list[Any]] = {}

    def neighbours(self, old: Neighbours | None = None) -> Neighbours:
        """A list of neighbours for whoever searches this space. old: the one that searched there before used."""
        return suited(old, self.degree)

    def touched(self) -> Touched:
        """A list of states for whoever changes this space."""
        return Touched(self.degree + 1, False)

    # What the core calls. Compiled spaces have their own; of a class written in Python these find the methods by name.

    def expand(self, near: Neighbours, s: int) -> int:
        """List the successors of s; how many are they?"""
        with cython.gil:
            return near.fill(self, "successors", self._own("successors")(s))

    def onward(self, near: Neighbours, s: int, back: int) -> int:
        """As `expand`, where `back` may be left out: to a search that came from there it is no news."""
        return self.expand(near, s)

    def reverse(self, near: Neighbours, s: int) -> int:
        """List the predecessors of s."""
        with cython.gil:
            return near.fill(self, "predecessors", self._own("predecessors")(s))

    def step_cost(self, u: int, v: int) -> int:
        with cython.gil:
            return whole(self, "edge", self._own("edge")(u, v), 1, INF, "the cost of a step")

    def estimate(self, u: int, v: int) -> int:
        with cython.gil:
            return whole(self, "distance", self._own("distance")(u, v), 0, INF, "an estimate")

    def read(self, place: int) -> int:
        with cython.gil:
            return whole(self, "get", self._own("get")(place), 0, INF, "the value of a place")

    def write(self, touched: Touched, place: int, value: int) -> int:
        """Change a place, and list what that concerns."""
        with cython.gil:
            return touched.fill(self, self._own("put")(place, value))

    def bill(self, path: memoryview, paid: memoryview, moves: int) -> int:
        """Write what each move of a path costs."""
        for i in range(moves):
            paid[i] = self.step_cost(path[i], path[i + 1])
        return 0

    def keys_back(self, states: memoryview, stop: int, start: int) -> list[Any]:
        """What people call states[stop:start], from its end."""
        return [self.called(states[i]) for i in range(start - 1, stop - 1, -1)]

    def called(self, s: int) -> Any:
        """What people call a state."""
        return self.key(s)

    def cost_back(self, states: memoryview, toll: memoryview, stop: int, start: int) -> float:
        """What the way through states[stop:start + 1] costs, from its end, where toll[i] leads to states[i - 1]."""
        path, paid = np.asarray(states)[stop : start + 1], np.asarray(toll)[stop + 1 : start + 1]
        told = self.steps(path[::-1].copy(), paid[::-1].copy())
        if not isinstance(told, (int, float)) or not told >= 0:
            raise wrong_answer(self, "steps", f"{told!r}; the cost of a path is a number from 0 on")
        return float(told)

    def distance_to(self, state: int) -> Any:
        """Hook: a `Heuristic` that measures `distance` to or from one state faster than `estimate` does, or None."""
        return None

    def state_reach(self, steps: int) -> int:
        """Hook: the largest difference between the numbers of two states that so many steps connect; n if unknown."""
        return self.n

    def is_reversible(self) -> bool:
        """Hook: can every step be taken back, at whatever cost?"""
        return self.both_ways

    def plain_sights(self) -> Any:
        """Hook: the `PlainSights` of this space, which read the cells that an agent is told; None: it has none."""
        return None

    def straight_grid(self) -> Any:
        """Hook: a `Grid` of the same states whose straight steps lead wherever its steps lead, or None."""
        return None

    def _own(self, name: str) -> Any:
        return own_method(self, Space, "space", name)

    # What people call, with numbers of states and places: checked.

    def successors(self, s: int) -> list[tuple[int, int]]:
        """The states that a step from s leads to, each with its cost in ticks."""
        near = self.neighbours()
        return near.pairs(self.expand(near, self.checked_state(s)))

    def predecessors(self, s: int) -> list[tuple[int, int]]:
        """The states from which a step leads to s, each with its cost in ticks."""
        near = self.neighbours()
        return near.pairs(self.reverse(near, self.checked_state(s)))

    def edge(self, u: int, v: int) -> int:
        """What the step from u to v costs in ticks, INF if there is none."""
        return self.step_cost(self.checked_state(u), self.checked_state(v))

    def distance(self, u: int, v: int) -> int:
        """An estimate of the cost from u to v, in ticks, that is never too large."""
        return self.estimate(self.checked_state(u), self.checked_state(v))

    def get(self, place: int) -> int:
        """The value of a place: 0 blocked, else its weight or cost."""
        return self.read(self.checked_place(place))

    def put(self, place: int, value: int) -> Any:
        """Give a place another value: the states whose steps have changed.

        Agents that believe in this space know of it when they next plan.
        """
        p, new = self.checked_place(place), self.checked_value(place, value)
        self.hold()
        try:
            return self._change_held(p, new)
        finally:
            self.release()

    def _change_held(self, place: int, value: int) -> Any:
        """Like `put`, of a place and a value that are checked, while `hold` lasts."""
        old, touched = self.read(place), self.touched()
        if self.news.sharing > 0:
            self.news.reserve(touched)
        k = self.write(touched, place, value)
        states = touched.states(k)
        if self.news.sharing > 0:
            self.news.add(touched, k, value == 0 or (old != 0 and value > old))
        return states

    def value_at(self, place: int) -> int:
        """The value of a place, whatever class the space has."""
        return self.read(self.checked_place(place))

    def least_at(self, place: int) -> int:
        """The value of a place that is free and as cheap as can be, whatever class the space has."""
        least = self.least(place)
        return least if self.built_in else whole(self, "least", least, 1, INF - 1, "the least value of a place")

    def _last_value(self, place: int) -> int:
        """Hook: the value that a blocked place had before it was blocked; 0 where that is not known."""
        return 0

    def value_if_free(self, place: int) -> int:
        """The value of a place of which only is said that it is free: as it is, as it was last, or else the least."""
        return self.value_at(place) or self._last_value(place) or self.least_at(place)

    def _twins(self) -> np.ndarray[Any, Any] | None:
        """By place: the other place that changes with it; None if each changes by itself."""
        return None

    def _around(self, states: np.ndarray[Any, Any], places: np.ndarray[Any, Any]) -> np.ndarray[Any, Any] | None:
        """These states, and those that a step to or from them or a change of these places may concern; None: any."""
        return None

    def checked_state(self, s: Any) -> int:
        """The number of a state, from outside. Raises InputError."""
        self.check_initialized()
        return self._checked("state", s, self.n)

    def checked_place(self, place: Any) -> int:
        """The number of a place, from outside. Raises InputError."""
        self.check_initialized()
        return self._checked("place", place, self.places)

    def checked_value(self, place: Any, value: Any) -> int:
        """The value that a place is to have, from outside. Raises InputError for one that it cannot have."""
        return whole(self, "put", value, 0, INF - 1, "the value of a place")

    def _checked(self, what: str, number: Any, end: int) -> int:
        try:
            i = index(number)
        except TypeError:
            raise InputError(f"a {what} is a whole number, not {number!r}") from None
        if not 0 <= i < end:
            raise InputError(f"there is no {what} {number!r}: they go from 0 to {end - 1}")
        return i

    def refuse_while_searched(self) -> None:
        """RuntimeError if it is being searched, by another thread or by the caller's caller: it cannot change then."""
        if getattr(self, "searches", 0) > 0:
            name = type(self).__name__
            raise RuntimeError(f"this {name} is being searched, or copied: change it when that has ended")

    def _refuse_while_changed(self) -> None:
        """RuntimeError if it is being changed at this moment, by another thread or by the caller's caller."""
        if self.changing:
            raise RuntimeError(f"this {type(self).__name__} is being changed at this moment: use it afterwards")

    def adjacent_places(self, s: int) -> list[int]:
        """The places that the sensor "adjacent" shows from a state, each checked."""
        listed = self._own("adjacent")(s)
        if not isinstance(listed, (list, tuple)):
            raise wrong_answer(self, "adjacent", f"{listed!r}, which is no list")
        return [whole(self, "adjacent", place, 0, self.places - 1, "a place") for place in listed]

    def hold(self) -> int:
        """Begin to change it: nobody may search it until `release`."""
        if self.searches > 0 or self.changing:
            self.refuse_while_searched()
            self._refuse_while_changed()
        self.changing = True
        return 0

    def release(self) -> int:
        self.changing = False
        return 0

    # Saving.

    def _hold(self) -> Iterator[tuple[Any, ...]]:
        """See `replan/guard.py`: while it is read it can be searched, and not changed."""
        self.check_initialized()
        self._refuse_while_changed()
        self.searches += 1
        try:
            yield (self,)
        finally:
            self.searches -= 1

    def __reduce__(self) -> Any:
        """A copy as it is now, for `copy` and `pickle`. The agents that believe in it stay with the original."""
        with held(self):
            bag = Bag(self)
            self.carry_changes(bag)
            self.carry(bag)
            return reduced(self, self.made_from(), bag)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return deep_copied(self, memo)

    def _restore(self, kind: Any, args: tuple[Any, ...], fields: dict[str, Any]) -> None:
        kind.__init__(self, *unpacked(args))
        bag = Bag(self, fields)
        self.carry_changes(bag)
        self.carry(bag)

    def _count_changes(self) -> int:
        """How many changes agents have been told of since this space was made."""
        return self.news.end()

    def carry_changes(self, bag: Bag) -> None:
        """How many changes agents have been told of: what is saved with this space has to be of the same moment."""
        self.news.before = bag.whole("changes", self._count_changes(), 0, INF) - self.news.log.count

    def made_from(self) -> tuple[Any, ...]:
        """Hook: the class whose `__init__` makes a copy, and its arguments."""
        return (
            Space, self.n, self.bound, self.degree, self.unit, self.places, self.span, self.unit_costs, self.cells
        )

    def carry(self, bag: Bag) -> None:
        """Hook: what else a copy needs; see `replan/saving.py`."""

    def kept_together(self) -> tuple[Any, ...]:
        """Hook: what a copy of something that uses this space shares with the original."""
        return (self,)

    def _tell_differences(self, other: Space) -> None:
        """Before becoming equal to another space of the package: agents that believe in it are told of each place."""
        if self.news.count() > 0:
            values, others = np.asarray(all_values(self)), np.asarray(all_values(other))
            for place in np.flatnonzero(values != others).tolist():
                self._change_held(place, int(others[place]))

    # What a space of the user's may lack.

    def copy(self) -> Space:
        """A second space, equal to this one, that can be changed by itself."""
        raise missing(self, "space", "copy")

    def assign(self, other: Space) -> None:
        """Become equal to another space of the same kind and shape. Raises InputError for any other."""
        raise missing(self, "space", "assign")

    def believed_free(self) -> Space:
        """What an agent that knows nothing believes: everything is free and as cheap as can be."""
        raise missing(self, "space", "believed_free")

    def state(self, key: Any) -> int:
        """The number of what people call a cell (a node). Raises InputError for one that there is not."""
        raise missing(self, "space", "state")

    def key(self, state: int) -> Hashable:
        """What people call a state: a cell, a node."""
        raise missing(self, "space", "key")

    def place(self, key: Any) -> int:
        """The number of what can change: a cell of a grid, an edge (u, v) of a graph. Raises InputError."""
        raise missing(self, "space", "place")

    def least(self, place: int) -> int:
        """The value of a place that is free and as cheap as can be."""
        return 1

    def value_of(self, weight: Any) -> int:
        """A weight or cost, as people say it, as the value of a place."""
        raise missing(self, "space", "value_of")

    # What a space says of itself to drawings, tables and files. A space without rows and columns keeps these.

    @property
    def plane(self) -> Plane | None:
        """The layout of the states in rows and columns, for drawings; None if there is none."""
        return None

    def array(self, of_states: ArrayLike) -> np.ndarray[Any, Any]:
        """A value for each state in the shape in which people see the space: here one after the other."""
        return np.asarray(of_states)[: self.n]

    def distances_to(self, state: int) -> np.ndarray[Any, Any]:
        """The estimated cost from each state to this one, in ticks."""
        goal = self.checked_state(state)
        return np.array([self.estimate(s, goal) for s in range(self.n)], np.int64)

    def cells_of(self, states: ArrayLike) -> Any:
        """What people call these states: an array with a row and a column for each on a grid, elsewhere a list."""
        return self.keys(states)

    def facts(self) -> tuple[dict[str, Any], dict[str, np.ndarray[Any, Any]]] | None:
        """Plain values and arrays of which `from_facts` of its class makes an equal space; None if they cannot tell."""
        return None

    def count_free(self) -> int:
        """The number of states in which an agent can be; n if unknown."""
        return self.n

    def is_like(self, other: Space) -> bool:
        """True if the other space has the same class, states and places."""
        return type(self) is type(other) and self.n == other.n and self.places == other.places

    def steps(self, path: np.ndarray[Any, Any], paid: np.ndarray[Any, Any]) -> float:
        """What a path costs in the units of people, from what each step of it costs in ticks."""
        return float(paid.sum()) / self.unit

    def keys(self, states: Any) -> list[Any]:
        """What people call these states, in the same order."""
        return [self.key(int(s)) for s in states]


def _announced(who: str, name: str, given: Any, low: int, high: int) -> int:
    try:
        number = index(given)
    except TypeError:
        raise InputError(f"{who}: {name} is a whole number, not {given!r}") from None
    if not low <= number <= high:
        raise InputError(f"{who}: {name} is from {low} to {high:,}, not {given!r}")
    return number


def refuse_unmade(space: Any) -> None:
    """Raise InputError for what is no space, or one whose `__init__` has not run."""
    if not isinstance(space, Space):
        if isinstance(space, np.ndarray):
            raise InputError("a space is a Grid, a Graph or your own Space; of an array, make one: replan.Grid(...)")
        hint = "; Grid.load reads a map by its name or file" if isinstance(space, str) else ""
        raise InputError(f"a space is a Grid, a Graph or your own Space, not {repr_short(space)}{hint}")
    given: Space = space
    given.check_initialized()


def refuse_changed(bag: Bag, space: Space) -> None:
    """What is loaded with a space was saved before or after changes that the space has, or lacks."""
    saved, now = bag.whole("changes", space._count_changes(), 0, INF), space._count_changes()
    if saved != now:
        raise InputError(
            f"this {bag.who} cannot be loaded: its space was changed while it was saved ({saved:,} changes, then "
            f"{now:,}): save it while no other thread changes the space"
        )


def key_to_state(space: Space, key: Any) -> int:
    """The state that people call `key`, whatever class the space has."""
    refuse_unmade(space)
    s = space.state(key)
    return s if space.built_in else whole(space, "state", s, 0, space.n - 1, "a state")


def key_to_place(space: Space, key: Any) -> int:
    """The place that people call `key`, whatever class the space has."""
    refuse_unmade(space)
    p = space.place(key)
    return p if space.built_in else whole(space, "place", p, 0, space.places - 1, "a place")


def all_values(space: Space) -> np.ndarray[Any, Any]:
    """The values of all places, in their order."""
    refuse_unmade(space)
    values = view(np.empty(space.places, np.int64))
    for place in range(space.places):
        values[place] = space.read(place)
    return np.asarray(values)


def values_if_free(space: Space, places: list[int]) -> list[int]:
    """What each place is worth if it is free."""
    refuse_unmade(space)
    return [space.value_if_free(place) for place in places]
