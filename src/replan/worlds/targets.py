"""Moving targets: along a recorded path, away from the agent, or at random.

In each step of time the agent moves first, then the target. The target is caught as soon as both stand on the same
cell: either can step onto the other, and they cannot swap cells unnoticed. The agent always knows where the target is,
whatever its sensor shows of the terrain.
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
from replan.spaces.neighbours import Neighbours
from replan.spaces.space import Space, check_space, key_to_state

try:
    import cython
except ImportError:
    from replan import _cython as cython

MAX_SPEED = 100


class Target:
    """Base class of moving targets.

    A target of your own derives from this class and defines `step` in plain Python. If it defines `__init__`, that
    calls `Target.__init__`.

    Parameters
    ----------
    start
        The cell on which the target starts.
    speed
        Moves of the target for each step of the agent, from 0 to 100: 1 is as fast as the agent, 0.5 half as fast.

    Raises
    ------
    InputError
        If the speed is not possible.

    Examples
    --------
    >>> import replan
    >>> class Rightwards(replan.Target):
    ...     def step(self, space, state, agent_state):
    ...         return max(v for v, _ in space.successors(state))
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
    trip_count: int  # number of times that a world has begun a trip with it
    world: Any  # the world that did so last

    def __init__(self, start: Any, speed: float = 1) -> None:
        self.start = start
        self.trip_count, self.world = 0, None
        self.set_speed(speed)

    def set_speed(self, speed: float) -> None:
        """Set the speed from now on.

        Parameters
        ----------
        speed
            Moves of the target for each step of the agent, from 0 to 100.

        Raises
        ------
        InputError
            If the speed is not possible.
        """
        if isinstance(speed, bool) or not isinstance(speed, (int, float)) or not 0 <= speed <= MAX_SPEED:
            raise InputError(f"the speed of a target is from 0 to {MAX_SPEED} moves a step, not {speed!r}")
        fraction = Fraction(speed).limit_denominator(1000)
        self.speed, self._speed_numerator, self._speed_denominator = speed, fraction.numerator, fraction.denominator

    def begin(self, space: Space) -> int:
        """Go back to the start. A target with a state of its own resets it here.

        Parameters
        ----------
        space
            The true space.

        Returns
        -------
        int
            The state on which the target starts.
        """
        return key_to_state(space, self.start)

    def step(self, space: Space, state: int, agent_state: int) -> int:
        """Choose the next move. A target of your own defines it.

        Parameters
        ----------
        space
            The true space.
        state
            The state on which the target stands.
        agent_state
            The state on which the agent stands.

        Returns
        -------
        int
            The state to which the target moves; `state` itself if it stays.
        """
        check_space(space)
        return self.checked_step(space, space.checked_state(state), space.checked_state(agent_state))

    def checked_step(self, space: Space, state: int, agent_state: int) -> int:
        """Return the state to which the target moves, for states that are checked."""
        return self.next_state(space, space.make_neighbours(), state, agent_state)

    def next_state(self, space: Space, neighbours: Neighbours, state: int, agent_state: int) -> int:
        """Return the state to which the target moves. Compiled targets override it; here it calls `step`.

        neighbours: buffer of the caller for the neighbours of a state of this space.
        """
        with cython.gil:
            returned = user_method(self, Target, "target", "step")(space, state, agent_state)
            return returned_integer(self, "step", returned, 0, space.n - 1, "a state")

    def is_at_rest(self) -> bool:
        """True if the target will never move again."""
        return self._speed_numerator == 0

    # Saving.

    def __reduce__(self) -> Any:
        """Return what `copy` and `pickle` need to make a copy that continues from here."""
        archive = Archive(self)
        self.serialize(archive)
        return reduce_object(self, self.constructor_args(), archive)

    def _restore(self, kind: Any, args: tuple[Any, ...], fields: dict[str, Any]) -> None:
        if args:  # none for a user's target that has not called Target.__init__
            kind.__init__(self, *args)
        self.serialize(Archive(self, fields))

    def constructor_args(self) -> tuple[Any, ...]:
        """Return the class whose `__init__` makes a copy, and its arguments."""
        return (Target, self.start, self.speed) if getattr(self, "_speed_denominator", 0) else (Target,)

    def serialize(self, archive: Archive) -> None:
        """Read or write the remaining fields; see `replan/serialization.py`."""


class Route(Target):
    """A target that visits the given cells one after the other and stays on the last one.

    Parameters
    ----------
    cells
        The cells (nodes of a graph). They need not be neighbours.
    speed
        Cells for each step of the agent, from 0 to 100.

    Raises
    ------
    InputError
        If there is no cell, or the speed is not possible.

    Examples
    --------
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
        """Go back to the first cell.

        Parameters
        ----------
        space
            The true space.

        Returns
        -------
        int
            The state of the first cell.
        """
        self.states, self.position = view(np.array([key_to_state(space, cell) for cell in self.cells], np.int32)), 0
        return self.states[0]

    def next_state(self, space: Space, neighbours: Neighbours, state: int, agent_state: int) -> int:
        self.position = min(self.position + 1, len(self.states) - 1)
        return self.states[self.position]

    def is_at_rest(self) -> bool:
        return self._speed_numerator == 0 or self.position == len(self.states) - 1

    def constructor_args(self) -> tuple[Any, ...]:
        check_speed(self)
        return Route, self.cells, self.speed

    def serialize(self, archive: Archive) -> None:
        check_speed(self)
        states = archive.states("states", self.states, MAX_STATES)
        archive.require(
            len(states) in (1, len(self.cells)), "the number of its states differs from the number of its cells"
        )
        self.position = archive.integer("position", self.position, 0, len(states) - 1)
        if archive.is_loading:
            self.states = view(states.astype(np.int32))


class RandomTarget(Target):
    """Base class of targets that choose among neighbours at random, with a generator of their own."""

    def __init__(self, start: Any, speed: float = 1, seed: int = 0) -> None:
        if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
            raise InputError(f"seed is a whole number from 0, not {seed!r}")
        Target.__init__(self, start, speed)
        self.seed, self.rng_state, self.previous_state = seed, 0, -1

    def begin(self, space: Space) -> int:
        """Go back to the start, and seed the random generator again.

        Parameters
        ----------
        space
            The true space.

        Returns
        -------
        int
            The state on which the target starts.
        """
        self.rng_state, self.previous_state = self.seed % 2147483647, -1
        return Target.begin(self, space)

    def random_below(self, n: int) -> int:
        """Return a random number below n."""
        self.rng_state = (self.rng_state * 1103515245 + 12345) & 0x7FFFFFFF
        return (self.rng_state >> 8) % n

    def constructor_args(self) -> tuple[Any, ...]:
        check_speed(self)
        return RandomTarget, self.start, self.speed, self.seed

    def serialize(self, archive: Archive) -> None:
        self.rng_state = archive.integer("rng_state", self.rng_state, 0, 0x7FFFFFFF)
        self.previous_state = archive.integer("previous_state", self.previous_state, -1, MAX_STATES)


class Flee(RandomTarget):
    """A target that flees: it moves to the neighbour that is farthest from the agent, or stays if that is farther.

    Parameters
    ----------
    start
        The cell on which the target starts.
    speed
        Moves of the target for each step of the agent, from 0 to 100.
    seed
        Seed of the random choices, from 0.

    Raises
    ------
    InputError
        If the speed or the seed is not possible.

    Notes
    -----
    Distances are estimates of the space. Of several cells at the same distance it takes one at random. It looks one
    move ahead only, so corners and dead ends stop it.

    Examples
    --------
    >>> import replan
    >>> grid = replan.Grid([[0] * 9] * 5)
    >>> flee = replan.Flee((2, 4), speed=0.5, seed=1)
    >>> grid.key(flee.step(grid, flee.begin(grid), grid.state((2, 0))))
    (1, 5)
    >>> replan.simulate(replan.World(grid, target=flee), "Moving-Target Adaptive A*", (2, 0)).reached
    True
    """

    def next_state(self, space: Space, neighbours: Neighbours, state: int, agent_state: int) -> int:
        best, best_distance, ties = state, space.estimate(agent_state, state), 1
        count = space.expand(neighbours, state)
        for i in range(count):
            v = neighbours.state[i]
            distance = space.estimate(agent_state, v)
            if distance > best_distance:
                best, best_distance, ties = v, distance, 1
            elif distance == best_distance:
                ties += 1
                if self.random_below(ties) == 0:
                    best = v
        return best


class Wander(RandomTarget):
    """A target that wanders: straight on as long as it can, with a random turn about every eighth step.

    Parameters
    ----------
    start
        The cell on which the target starts.
    speed
        Moves of the target for each step of the agent, from 0 to 100.
    seed
        Seed of the random choices, from 0.

    Raises
    ------
    InputError
        If the speed or the seed is not possible.

    Examples
    --------
    >>> import replan
    >>> world = replan.World(replan.Grid([[0] * 9] * 5), target=replan.Wander((2, 7), speed=0.5, seed=3))
    >>> replan.simulate(world, "RTAA*", (0, 0)).reached
    True
    """

    def next_state(self, space: Space, neighbours: Neighbours, state: int, agent_state: int) -> int:
        count = space.expand(neighbours, state)
        if count == 0:
            return state
        choice = neighbours.state[self.random_below(count)]
        if self.previous_state >= 0 and self.random_below(8) != 0:
            for i in range(count):
                # on grids: the same direction as before
                if neighbours.state[i] - state == state - self.previous_state:
                    choice = neighbours.state[i]
        self.previous_state = state
        return choice


def check_speed(target: Target) -> None:
    """Raise InputError if `Target.__init__` was not called: it sets the speed."""
    if not getattr(target, "_speed_denominator", 0):
        raise InputError(f"{type(target).__name__} has no speed: its __init__ must call that of its class")


def make_target(target: Target | Iterable[Any] | None) -> Target | None:
    """Return the target for the option `target=` of a world: a list of cells is a Route."""
    return target if target is None or isinstance(target, Target) else Route(target)
