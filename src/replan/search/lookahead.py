"""What a learning rule and a choosing rule get to see: a search from the agent that has stopped."""

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


def checked_lookahead(look: Any) -> Any:
    """What somebody hands to a rule, if it is a lookahead that has searched. Raises InputError."""
    if not isinstance(look, Lookahead) or getattr(look, "search", None) is None or look.best < 0:
        raise InputError(f"a rule works on the Lookahead that a planner hands to it, not on {look!r}")
    return look


class HValues:
    """The h-values of a search by state, for rules written in Python: to be read, and to be written."""

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
        """A copy of all that is known, -1 where nothing is."""
        return np.array(self._search.as_arrays()["h"], dtype)


class Lookahead(Initialized):
    """An A* search from the agent, bounded by expansions or time, and how it ended: what rules get to see.

    A planner makes it and hands it to its rules. States are numbers, `look.space.key(s)` is the cell; costs are ticks.

    >>> import replan
    >>> class Look(replan.ChoosingRule):
    ...     def choose(self, look):
    ...         if look.agent_state == look.closed[0] and len(look.closed) == 2:
    ...             print(look.space.keys(look.closed), look.space.keys(sorted(look.frontier)))
    ...             g, h = look.g, look.h
    ...             print(look.f_best == g[look.best] + h[look.best], h[look.agent_state] == look.first_h(look.agent_state))
    ...             print(len(look.successors(look.agent_state)), len(look.predecessors(look.agent_state)))
    ...         return look.best
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
    f_best: int  # its f
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
        """Search this space from now on. There is memory for its states."""
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
        """Search from `at`. 0 when nothing is left to expand: no goal can be reached."""
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
        """Copy the open list, before a choosing rule takes states out of it."""
        self.frontier_size = self.open.copy_states_to(self.frontier_states)
        return self.frontier_size

    def is_open(self, s: int) -> bool:
        """Was s in the open list when the search stopped?"""
        return 0 <= s < self.search.n and self.search.node[s].stamp == self.search.x

    # For rules written in Python.

    def _made(self) -> Search:
        if getattr(self, "space", None) is None:
            raise InputError("this lookahead has no space yet: a planner gives it one")
        return self.search

    @property
    def g(self) -> Any:
        """g of each state that was generated, by state, to be read; bind it to a name once."""
        return self._made().g

    @property
    def h(self) -> HValues:
        """h of any state, by state, to be read and written; every write is checked. Bind it to a name once."""
        return HValues(self._made())

    @property
    def closed(self) -> list[int]:
        """The expanded states, in the order of their expansion."""
        self._made()
        return list(self.search.closed[: self.search.expanded])

    @property
    def frontier(self) -> list[int]:
        """The open states, in no particular order."""
        self._made()
        return list(self.frontier_states[: self.frontier_size])

    def first_h(self, s: int) -> int:
        """The h-value of a state at the start, before any learning."""
        self._made()
        return self.search.first_h(self.space.checked_state(s))

    def successors(self, s: int) -> list[tuple[int, int]]:
        """The states that a step from s leads to, each with its cost in ticks. Raises InputError for no state."""
        self._made()
        return self.space.successors(s)

    def predecessors(self, s: int) -> list[tuple[int, int]]:
        """The states from which a step leads to s, each with its cost in ticks. Raises InputError for no state."""
        self._made()
        return self.space.predecessors(s)


PSEUDO_CODE = """
## Lookahead.run_search

    begin a new search at the agent
    expand until the budget is used up
    or a goal is first in OPEN
    best := first of OPEN;  f(best) := its f
"""
