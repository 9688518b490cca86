"""What a learning rule and a choosing rule get to see: a search from the agent that has stopped.

A rule of your own reads, in plain Python,

| what                          | meaning                                                                        |
|-------------------------------|--------------------------------------------------------------------------------|
| `look.at`, `look.best`, `look.f_best` | the agent's state; the best state of the open list and its f             |
| `look.g`, `look.h`            | values by state, in ticks (bind them to a name once; g only of generated states) |
| `look.closed`                 | the expanded states, in the order of their expansion                           |
| `look.frontier`               | the open states, in no particular order                                        |
| `look.first_h(s)`             | the h-value of a state at the start, before any learning                       |
| `look.successors(s)`, `look.predecessors(s)` | lists of (state, cost in ticks)                                 |
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import empty, touch
from replan.queues.base import OpenList
from replan.search.astar import Search
from replan.spaces.goals import Goals
from replan.spaces.heuristics import Heuristic
from replan.spaces.space import Space


class Lookahead:
    """An A* search from the agent, bounded by expansions or time, and how it ended."""

    space: Space
    goals: Goals
    search: Search
    open: OpenList
    at: int
    best: int
    f_best: int
    border: memoryview
    fringe: int

    def __init__(self, space: Space, open: OpenList) -> None:
        self.space, self.open = space, open
        self.search = Search(space.n)
        self.border = empty(space.n, np.int32)
        self.at = self.best = -1
        self.f_best = self.fringe = 0

    def touch(self) -> None:
        self.search.touch()
        self.open.fit(self.space.n, 1, 1, self.space.span)
        self.open.touch()
        touch(self.border)

    def settle(self, space: Space) -> None:
        """Use the same arrays for another space of the same size."""
        self.space = space
        self.search.fitted = -1
        self.open.reseed()

    def aim(self, goals: Goals, heuristic: Heuristic) -> None:
        self.goals = goals
        self.search.aim(goals, heuristic)

    def follow(self, goals: Goals, heuristic: Heuristic) -> None:
        self.goals = goals
        self.search.follow(goals, heuristic)

    def look(self, at: int, limit: int, deadline: int) -> int:
        """Search from `at`. 0 when nothing is left to expand: no goal can be reached."""
        self.at = at
        self.search.begin(self.space, self.open)
        self.search.source(self.open, at)
        self.search.advance(self.space, self.open, limit, deadline)
        self.best = self.open.top()
        if self.best < 0:
            return 0
        self.f_best = self.open.top_f()
        return 1

    def list_border(self) -> int:
        """Copy the open list, before a choosing rule takes states out of it."""
        self.fringe = self.open.list_to(self.border)
        return self.fringe

    def is_open(self, s: int) -> bool:
        """Was s in the open list when the search stopped?"""
        return 0 <= s < self.search.n and self.search.stamp[s] == self.search.x

    def initial_h(self, s: int) -> int:
        return self.search.first_h(s)

    # For rules written in Python.

    @property
    def g(self) -> Any:
        return self.search.g

    @property
    def h(self) -> Any:
        return self.search.h

    @property
    def closed(self) -> list[int]:
        return list(self.search.closed[: self.search.expanded])

    @property
    def frontier(self) -> list[int]:
        return list(self.border[: self.fringe])

    def first_h(self, s: int) -> int:
        return self.search.first_h(s)

    def successors(self, s: int) -> list[tuple[int, int]]:
        return [(self.space.succ[i], self.space.cost[i]) for i in range(self.space.expand(s))]

    def predecessors(self, s: int) -> list[tuple[int, int]]:
        return [(self.space.succ[i], self.space.cost[i]) for i in range(self.space.reverse(s))]
