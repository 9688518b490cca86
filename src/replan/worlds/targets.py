"""Targets that move: along a recorded path, away from the agent, or about.

A step of time is the agent's move and then the target's. The target is caught as soon as both stand on the same cell:
when the agent steps onto it, before it could move on; or when it steps onto the agent. So the two cannot swap cells
unnoticed. The agent always knows where the target is, whatever its sensor shows of the terrain.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import numpy as np

from replan.arrays import view
from replan.errors import InputError
from replan.extensions import returned_integer, user_method
from replan.limits import MAX_STATES
from replan.serialization import Archive, reduce_object
from replan.spaces.space import Space, check_space, key_to_state

try:
    import cython
except ImportError:
    from replan import _cython as cython

MAX_SPEED = 100


class Target:
    """Something that moves from `start` on, `speed` moves a step: 1 is as fast as the agent, 0.5 half as fast.

    speed: from 0 to 100. Raises InputError. A target of your own derives from this class and defines
    `step(space, at, agent)` in plain Python: the state it moves to.

    >>> import replan
    >>> class Rightwards(replan.Target):
    ...     def step(self, space, at, agent):
    ...         return max(v for v, _ in space.successors(at))
    >>> grid = replan.Grid([[0] * 12], neighbors=4)
    >>> world = replan.World(grid, target=Rightwards((0, 4), speed=0.5))
    >>> replan.simulate(world, "Moving-Target D* Lite", (0, 0)).moves
    6
    >>> patrol = replan.Route([(0, 3), (0, 5)])
    >>> patrol.set_speed(0.25)
    >>> grid.key(patrol.begin(grid)), patrol.speed
    ((0, 3), 0.25)
    """

    start: Any
    speed: float

    def __init__(self, start: Any, speed: float = 1) -> None:
        self.start = start
        self.set_speed(speed)

    def set_speed(self, speed: float) -> None:
        """So many moves a step of time, from 0 to 100, from now on. Raises InputError."""
        if isinstance(speed, bool) or not isinstance(speed, (int, float)) or not 0 <= speed <= MAX_SPEED:
            raise InputError(f"the speed of a target is from 0 to {MAX_SPEED} moves a step, not {speed!r}")
        pace = Fraction(speed).limit_denominator(1000)
        self.speed, self._speed_numerator, self._speed_denominator = speed, pace.numerator, pace.denominator

    def begin(self, space: Space) -> int:
        """Go back to the start: its state."""
        return key_to_state(space, self.start)

    def step(self, space: Space, state: int, agent_state: int) -> int:
        """Where a target at the state `at` moves to while an agent is at `agent`."""
        check_space(space)
        self.prepare(space)
        return self.next_state(space, space.checked_state(state), space.checked_state(agent_state))

    def prepare(self, space: Space) -> None:
        """Have at hand what steps on this space need, whatever a class written in Python does in `begin`."""

    def next_state(self, space: Space, state: int, agent_state: int) -> int:
        with cython.gil:
            to = user_method(self, Target, "target", "step")(space, state, agent_state)
            return returned_integer(self, "step", to, 0, space.n - 1, "a state")

    def is_at_rest(self) -> bool:
        """Will it never move again?"""
        return self._speed_numerator == 0

    # Saving.

    def __reduce__(self) -> Any:
        """A copy that moves on from where this one is, for `copy` and `pickle`."""
        bag = Archive(self)
        self.serialize(bag)
        return reduce_object(self, self.constructor_args(), bag)

    def _restore(self, kind: Any, args: tuple[Any, ...], fields: dict[str, Any]) -> None:
        if args:  # a target of the user's may have left __init__ of its class out
            kind.__init__(self, *args)
        self.serialize(Archive(self, fields))

    def constructor_args(self) -> tuple[Any, ...]:
        """Hook: the class whose `__init__` makes a copy, and its arguments."""
        return (Target, self.start, self.speed) if getattr(self, "_speed_denominator", 0) else (Target,)

    def serialize(self, bag: Archive) -> None:
        """Hook: what else a copy needs; see `replan/serialization.py`."""


class Route(Target):
    """Visits the given cells one after the other and stays on the last.

    >>> import replan
    >>> world = replan.World(replan.Grid([[0] * 9]), target=replan.Route([(0, 3), (0, 4), (0, 5)]))
    >>> replan.simulate(world, "A*", (0, 0)).path[-1]
    (0, 5)
    """

    def __init__(self, cells: Iterable[Any], speed: float = 1) -> None:
        self.cells = list(cells)
        if not self.cells:
            raise InputError("the target visits no cell: give its path, or target=None")
        Target.__init__(self, self.cells[0], speed)
        self.states, self.position = view(np.zeros(1, np.int32)), 0

    def begin(self, space: Space) -> int:
        self.states, self.position = view(np.array([key_to_state(space, cell) for cell in self.cells], np.int32)), 0
        return self.states[0]

    def next_state(self, space: Space, state: int, agent_state: int) -> int:
        self.position = min(self.position + 1, len(self.states) - 1)
        return self.states[self.position]

    def is_at_rest(self) -> bool:
        return self._speed_numerator == 0 or self.position == len(self.states) - 1

    def constructor_args(self) -> tuple[Any, ...]:
        check_speed(self)
        return Route, self.cells, self.speed

    def serialize(self, bag: Archive) -> None:
        check_speed(self)
        states = bag.states("states", self.states, MAX_STATES)
        bag.require(len(states) in (1, len(self.cells)), "its states are not those of its cells")
        self.position = bag.integer("position", self.position, 0, len(states) - 1)
        if bag.is_loading:
            self.states = view(states.astype(np.int32))


class RandomTarget(Target):
    """What a target does that draws among the cells around it."""

    def __init__(self, start: Any, speed: float = 1, seed: int = 0) -> None:
        if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
            raise InputError(f"seed is a whole number from 0, not {seed!r}")
        Target.__init__(self, start, speed)
        self.seed, self.rng_state, self.previous_state = seed, 0, -1

    def begin(self, space: Space) -> int:
        self.rng_state, self.previous_state = self.seed % 2147483647, -1
        return Target.begin(self, space)

    def prepare(self, space: Space) -> None:
        self.neighbours = space.make_neighbours()

    def random_below(self, n: int) -> int:
        """A random number below n."""
        self.rng_state = (self.rng_state * 1103515245 + 12345) & 0x7FFFFFFF
        return (self.rng_state >> 8) % n

    def constructor_args(self) -> tuple[Any, ...]:
        check_speed(self)
        return RandomTarget, self.start, self.speed, self.seed

    def serialize(self, bag: Archive) -> None:
        self.rng_state = bag.integer("rng_state", self.rng_state, 0, 0x7FFFFFFF)
        self.previous_state = bag.integer("previous_state", self.previous_state, -1, MAX_STATES)


class Flee(RandomTarget):
    """Runs away: to the cell beside it (or where it is) that the space estimates to be farthest from the agent.

    Of cells equally far it takes one at random. It does not look further ahead, so corners and dead ends hold it.

    >>> import replan
    >>> grid = replan.Grid([[0] * 9] * 5)
    >>> flee = replan.Flee((2, 4), speed=0.5, seed=1)
    >>> grid.key(flee.step(grid, flee.begin(grid), grid.state((2, 0))))
    (1, 5)
    >>> replan.simulate(replan.World(grid, target=flee), "Moving-Target Adaptive A*", (2, 0)).reached
    True
    """

    def next_state(self, space: Space, state: int, agent_state: int) -> int:
        best, far, equal = state, space.estimate(agent_state, state), 1
        k = space.expand(self.neighbours, state)
        for i in range(k):
            v = self.neighbours.state[i]
            d = space.estimate(agent_state, v)
            if d > far:
                best, far, equal = v, d, 1
            elif d == far:
                equal += 1
                if self.random_below(equal) == 0:
                    best = v
        return best


class Wander(RandomTarget):
    """Walks about: straight on as long as it can, turning at random about every eighth step.

    >>> import replan
    >>> world = replan.World(replan.Grid([[0] * 9] * 5), target=replan.Wander((2, 7), speed=0.5, seed=3))
    >>> replan.simulate(world, "RTAA*", (0, 0)).reached
    True
    """

    def next_state(self, space: Space, state: int, agent_state: int) -> int:
        k = space.expand(self.neighbours, state)
        if k == 0:
            return state
        choice = self.neighbours.state[self.random_below(k)]
        if self.previous_state >= 0 and self.random_below(8) != 0:
            for i in range(k):
                if self.neighbours.state[i] - state == state - self.previous_state:  # on grids: the same direction as before
                    choice = self.neighbours.state[i]
        self.previous_state = state
        return choice


def check_speed(target: Target) -> None:
    """Where a target gets its speed, it gets all that it needs."""
    if not getattr(target, "_speed_denominator", 0):
        raise InputError(f"{type(target).__name__} has no speed: its __init__ must call that of its class")


def make_target(given: Target | Iterable[Any] | None) -> Target | None:
    """The target that the option `target=` of a world names: a list of cells is a route."""
    return given if given is None or isinstance(given, Target) else Route(given)
