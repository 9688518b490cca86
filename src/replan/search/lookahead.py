"""What a learning rule and a choosing rule read: a search from the agent that has stopped."""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np

from replan.arrays import empty
from replan.errors import InputError
from replan.initialized import Initialized
from replan.limits import INF
from replan.queues.base import OpenList
from replan.search.astar import Search
from replan.serialization import not_copyable_error
from replan.spaces.cell_distance import Heuristic
from replan.spaces.goals import Goals
from replan.spaces.space import Space


def checked_lookahead(lookahead: Any) -> Any:
    """Return `lookahead` if it is a lookahead that has searched. Raise InputError otherwise."""
    if not isinstance(lookahead, Lookahead) or getattr(lookahead, "search", None) is None or lookahead.best < 0:
        raise InputError(f"a rule works on the Lookahead that a planner passes to it, not on {lookahead!r}")
    return lookahead


class HValues:
    """The h-values of a search by state, for rules written in Python. They can be read and written."""

    def __init__(self, search: Search) -> None:
        self._search = search

    def __getitem__(self, s: Any) -> int:
        return self._search.read_h(index(s))

    def __setitem__(self, s: Any, h: Any) -> None:
        try:
            self._search.set_h(index(s), min(index(h), INF))
        except (TypeError, OverflowError):
            raise InputError(f"h[{s!r}] = {h!r}: a state and its h are whole numbers") from None

    def __len__(self) -> int:
        return self._search.n

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray[Any, Any]:
        """Return a copy of all h-values, -1 where h is not known."""
        return np.array(self._search.as_arrays()["h"], dtype)


class Lookahead(Initialized):
    """An A* search from the agent that has stopped: what learning and choosing rules read.

    A planner makes it and passes it to its rules. States are numbers; `lookahead.space.key(s)` is the cell of state s.
    Costs are in cost units.

    Parameters
    ----------
    open
        The open list of the search, for this search alone.

    Examples
    --------
    >>> import replan
    >>> class Look(replan.ChoosingRule):
    ...     def choose(self, lookahead):
    ...         if lookahead.agent_state == lookahead.closed[0] and len(lookahead.closed) == 2:
    ...             keys, state, best = lookahead.space.keys, lookahead.agent_state, lookahead.best
    ...             print(keys(lookahead.closed), keys(sorted(lookahead.frontier)))
    ...             g, h = lookahead.g, lookahead.h
    ...             print(lookahead.f_best == g[best] + h[best], h[state] == lookahead.first_h(state))
    ...             print(len(lookahead.successors(state)), len(lookahead.predecessors(state)))
    ...         return lookahead.best
    >>> grid = replan.Grid([[0, 0, 0, 0]], neighbors=4)
    >>> trip = replan.simulate(grid, replan.planner("RTAA*", lookahead=2, choosing=Look()), (0, 0), (0, 3))
    [(0, 0), (0, 1)] [(0, 2)]
    True True
    1 1
    """

    space: Space
    goals: Goals
    search: Search
    open: OpenList
    agent_state: int  # the agent's state
    best: int  # the open state with the smallest f
    f_best: int  # the f of `best`, in cost units
    frontier_states: memoryview
    frontier_size: int

    def __init__(self, open: OpenList) -> None:
        self.check_not_initialized()
        self.open, self.search = open, Search(open)
        self.frontier_states = empty(1, np.int32)
        self.agent_state = self.best = -1
        self.f_best = self.frontier_size = 0
        self.is_initialized = True

    def __reduce__(self) -> Any:
        raise not_copyable_error(self, "a planner")

    def attach(self, space: Space) -> None:
        """Search this space from now on, and reserve memory for its states."""
        if len(self.frontier_states) < space.n:
            self.frontier_states = empty(space.n, np.int32)
        self.search.attach(space)
        self.space = space

    def set_goals(self, goals: Goals, heuristic: Heuristic) -> None:
        self.goals = goals
        self.search.set_goals(goals, heuristic)

    def retarget(self, goals: Goals, heuristic: Heuristic) -> None:
        self.goals = goals
        self.search.retarget(goals, heuristic)

    def run_search(self, agent_state: int, limit: int, deadline: int) -> int:
        """Search from the agent. Return 0 if the open list ran empty (no goal can be reached), else 1."""
        self.agent_state = agent_state
        self.search.begin(self.space, self.open)
        self.search.add_start(self.open, agent_state)
        self.search.advance(self.space, self.open, limit, deadline)
        self.best = self.search.stop_state
        if self.best >= 0:
            self.f_best = self.search.node[self.best].g + self.search.node[self.best].h
            return 1
        self.best = self.open.top()
        if self.best < 0:
            return 0
        self.f_best = self.open.top_f()
        return 1

    def copy_frontier(self) -> int:
        """Copy the states of the open list, before a choosing rule pops some of them."""
        self.frontier_size = self.open.copy_states_to(self.frontier_states)
        return self.frontier_size

    def is_open(self, s: int) -> bool:
        """Return True if s was in the open list when the search stopped."""
        return 0 <= s < self.search.n and self.search.node[s].stamp == self.search.x

    # For rules written in Python.

    def _checked_search(self) -> Search:
        if getattr(self, "space", None) is None:
            raise InputError("this lookahead has no space yet: the planner sets it when a trip begins")
        return self.search

    @property
    def g(self) -> Any:
        """The g-values by state, in cost units, for reading.

        Only generated states (open and closed ones) have a g. Bind the array to a name once, outside of a loop.
        """
        return self._checked_search().g

    @property
    def h(self) -> HValues:
        """The h-values by state, in cost units, for reading and writing.

        Every write is checked. Bind the object to a name once, outside of a loop.
        """
        return HValues(self._checked_search())

    @property
    def closed(self) -> list[int]:
        """The expanded states, in the order of their expansion."""
        self._checked_search()
        return list(self.search.closed[: self.search.expanded])

    @property
    def frontier(self) -> list[int]:
        """The open states, in no particular order."""
        self._checked_search()
        return list(self.frontier_states[: self.frontier_size])

    def first_h(self, s: int) -> int:
        """Return the h-value of a state before any learning.

        Parameters
        ----------
        s
            A state, from 0 to `space.n - 1`.

        Returns
        -------
        int
            The h-value, in cost units.

        Raises
        ------
        InputError
            If `s` is not a state.
        """
        self._checked_search()
        return self.search.first_h(self.space.checked_state(s))

    def successors(self, s: int) -> list[tuple[int, int]]:
        """Return the states to which a step leads from s.

        Parameters
        ----------
        s
            A state, from 0 to `space.n - 1`.

        Returns
        -------
        list of (int, int)
            Pairs of a state and the cost of its step, in cost units.

        Raises
        ------
        InputError
            If `s` is not a state.
        """
        self._checked_search()
        return self.space.successors(s)

    def predecessors(self, s: int) -> list[tuple[int, int]]:
        """Return the states from which a step leads to s.

        Parameters
        ----------
        s
            A state, from 0 to `space.n - 1`.

        Returns
        -------
        list of (int, int)
            Pairs of a state and the cost of its step, in cost units.

        Raises
        ------
        InputError
            If `s` is not a state.
        """
        self._checked_search()
        return self.space.predecessors(s)


PSEUDO_CODE = """
## Lookahead.run_search

    begin a new search at the agent
    expand until the budget is used up
    or a goal is first in OPEN
    best := first of OPEN;  f(best) := its f
"""
