"""A path that a planner has found, and how far it has been followed.

A path is stored from its end, as parents lead in a search tree: `states[length]` is the first state, `states[0]` the
last one, and `step_costs[i]` the cost of the step from `states[i]` to `states[i - 1]` when the path was found. The
follower stands on `states[position]`; each step decreases the position. Only this module uses this order; public
results are in the order of the steps.

Consecutive states need not be adjacent: `Space.step_cost` returns the present cost of a step between two states.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import empty, prefault
from replan.limits import INF
from replan.search.astar import Search
from replan.serialization import Archive, not_copyable_error
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import ints, ints_from, longs


class PlannedPath:
    """States, the costs of the steps between them, and the position of the follower.

    | attribute    | meaning                                                                                |
    |--------------|----------------------------------------------------------------------------------------|
    | `length`     | number of steps                                                                        |
    | `position`   | the follower stands on `states[position]`                                              |
    | `end`        | it follows the path to `states[end]`, where the next search is due                      |
    | `is_valid`   | True if the rest, from `position` to `end`, may be followed                            |
    | `index`      | `index[s - first_indexed]` is the position of s; that of the last state may be missing |
    """

    states: memoryview
    step_costs: memoryview
    index: memoryview

    def __init__(self) -> None:
        self.capacity = self.index_size = self.first_indexed = 0
        self.length = self.position = self.end = 0
        self.is_valid = False

    def __reduce__(self) -> Any:
        raise not_copyable_error(self, "a planner")

    def reserve(self, capacity: int, indexed: int) -> int:
        """Reserve memory for paths of `capacity` states, and for the positions of the states 0 .. indexed - 1.

        With `indexed` = 0 positions are not stored, and `position_of` finds no state.
        """
        if self.capacity < capacity or self.index_size < indexed:
            states, step_costs, index = empty(capacity, np.int32), empty(capacity, np.int64), empty(indexed, np.int32)
            self.states, self.step_costs, self.index = states, step_costs, index
            self.capacity, self.index_size = capacity, indexed
            self.clear()
        return 0

    def prefault(self) -> None:
        prefault(self.states, self.step_costs, self.index)

    # Setting a path.

    def clear(self) -> int:
        """Set a path of no steps, which is not valid."""
        self.length = self.position = self.end = 0
        self.is_valid = False
        return 0

    def set_step(self, state: int, next_state: int, cost: int) -> int:
        """Set a path of one step."""
        self.states[0], self.states[1], self.index[state - self.first_indexed] = next_state, state, 1
        self.step_costs[1] = cost
        self.length = 1
        return 0

    def set_last_state(self, last: int) -> int:
        """Set the last state of a path. `prepend` adds the others."""
        self.states[0] = last
        self.length = 0
        return 0

    def prepend(self, s: int, cost: int) -> int:
        """Add a state before the first one. The step between them has this cost."""
        self.length += 1
        return self.set_state(self.length, s, cost)

    def set_state(self, i: int, s: int, cost: int) -> int:
        """Set the state at a position, and the cost of the step from it."""
        self.states[i], self.step_costs[i], self.index[s - self.first_indexed] = s, cost, i
        return 0

    def set_path(self, space: Space, later_states: list[int], first_state: int) -> int:
        """Set a path from `first_state` through the later states. Return 0, or the position before a blocked step."""
        states = [*reversed(later_states), first_state]
        self.set_last_state(states[0])
        for i in range(1, len(states)):
            cost = space.step_cost(states[i], states[i - 1])
            if cost >= INF:
                return i
            self.prepend(states[i], cost)
        return 0

    def extract(self, space: Space, search: Search, best: int, agent_state: int, position: int) -> int:
        """Follow the parents of a forward search from `best`, which gets this position, back to the agent."""
        node = search.node
        if node[best].g > space.max_path_cost:
            with cython.gil:
                raise_bound_exceeded(space, node[best].g)
        states, step_costs = ints(self.states), longs(self.step_costs)
        index = ints_from(self.index, self.first_indexed)
        i = position
        v = best
        g = node[v].g
        states[i] = v
        while v != agent_state:
            v = node[v].parent
            i += 1
            states[i], index[v] = v, i
            step_costs[i] = g - node[v].g
            g = node[v].g
        self.length = i
        return 0

    def extract_backward(self, space: Space, search: Search, agent_state: int) -> int:
        """Follow the parents of a backward search from the agent to the goal."""
        node = search.node
        if node[agent_state].g > space.max_path_cost:
            with cython.gil:
                raise_bound_exceeded(space, node[agent_state].g)
        i = 0
        v = agent_state
        while node[v].parent != v:
            v = node[v].parent
            i += 1
        self.length = i
        v = agent_state
        self.states[i] = v
        while i > 0:
            u = node[v].parent
            self.index[v] = i
            self.step_costs[i] = node[v].g - node[u].g
            i -= 1
            self.states[i] = u
            v = u
        return 0

    # Following the path.

    def follow(self, max_steps: int) -> int:
        """Begin to follow the path, for at most `max_steps` steps."""
        self.position = self.length
        self.end = max(0, self.length - max_steps)
        self.is_valid = True
        return 0

    def next_state(self) -> int:
        """Return the state after the next step; -1 if the path has been followed to its end, or is not valid."""
        return self.states[self.position - 1] if self.is_valid and self.position > self.end else -1

    def next_cost(self) -> int:
        """Return the cost that the next step had when the path was found."""
        return self.step_costs[self.position]

    def advance(self, s: int) -> bool:
        """Take the next step if it leads to s. Return False if it does not."""
        if not self.is_valid or self.position <= self.end or self.states[self.position - 1] != s:
            return False
        self.position -= 1
        return True

    def can_follow_from(self, s: int) -> bool:
        """Return True if the path may be followed on from s."""
        return self.is_valid and self.states[self.position] == s

    def position_of(self, s: int) -> int:
        """Return the position of a state, -1 if the path does not visit it."""
        # the index is not cleared between paths: compare the state to see whether an entry belongs to this path
        if self.index_size == 0:
            return -1
        i = self.index[s - self.first_indexed]
        return i if 0 <= i <= self.length and self.states[i] == s else -1

    def shorten_to(self, s: int) -> bool:
        """Follow the path no further than to s. Return False if the rest does not lead there."""
        i = self.position_of(s) if self.is_valid else -1
        if not self.end < i < self.position:
            return False
        self.end = i
        return True

    def end_state(self) -> int:
        """Return the state to which the path is followed."""
        return self.states[self.end]

    # Testing whether the path is still valid.

    def step_rose(self, space: Space, i: int) -> bool:
        """Return True if the step from states[i] costs more than when the path was found."""
        return space.step_cost(self.states[i], self.states[i - 1]) > self.step_costs[i]

    def step_out_rose(self, space: Space, u: int) -> bool:
        """Return True if the path takes a step out of u that costs more than when the path was found."""
        i = self.position_of(u)
        return i > 0 and self.step_rose(space, i)

    def check_step(self, space: Space, u: int) -> int:
        """Costs of steps out of u have changed: invalidate the path if the rest takes one that costs more."""
        if self.is_valid:
            i = self.position_of(u)
            self.is_valid = not (self.end < i <= self.position and self.step_rose(space, i))
        return 0

    def check_rest(self, space: Space) -> int:
        """Any costs may have changed: invalidate the path if a step of the rest costs more."""
        i = self.end
        while self.is_valid and i < self.position:
            i += 1
            self.is_valid = not self.step_rose(space, i)
        return 0

    # Results for users.

    def later_states(self) -> list[int]:
        """Return all states after the first one, in the order of the steps."""
        states: list[int] = np.asarray(self.states)[: self.length][::-1].tolist()
        return states

    def keys(self, space: Space) -> list[Any]:
        """Return the keys of the states of the rest, in the order of the steps."""
        return space.reversed_keys(self.states, self.end, self.position)

    def cost(self, space: Space) -> float:
        """Return the cost of the rest, in steps."""
        return space.reverse_cost(self.states, self.step_costs, self.end, self.position)

    def serialize(self, archive: Archive, n: int) -> None:
        """Save or load the path."""
        length = archive.integer("length", self.length, 0, self.capacity - 1)
        states = archive.states("states", self.states[: length + 1], n, unique=True)
        step_costs = archive.integers("step_costs", self.step_costs[1 : length + 1], -INF, INF, length)
        archive.require(len(states) == length + 1, "its length is not the number of its states")
        position = archive.integer("position", min(self.position, length), 0, length)
        end = archive.integer("end", min(self.end, position), 0, position)
        is_valid = archive.boolean("is_valid", self.is_valid)
        if archive.is_loading:
            np.asarray(self.states)[: length + 1], np.asarray(self.step_costs)[1 : length + 1] = states, step_costs
            if self.index_size >= n:
                np.asarray(self.index)[states] = np.arange(length + 1)
            self.length, self.position, self.end, self.is_valid = length, position, end, is_valid


def raise_bound_exceeded(space: Space, cost: int) -> None:
    """Raise ValueError: the path costs more than the space has announced."""
    name, bound = type(space).__name__, space.max_path_cost
    raise ValueError(
        f"{name} announced in max_path_cost that no cheapest path costs more than {bound} cost units; one costs {cost}"
    )
