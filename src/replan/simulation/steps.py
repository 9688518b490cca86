"""The steps of a story, and the searches in them.

States and locations are numbers: `story.space.key(s)` is the cell of a state and `story.space.state(cell)` its number;
`story.space.to_map_shape(values)` (of a Grid) turns an array by state into one by cell. Costs are in cost units:
`story.space.units_per_step` of them are a step. The value of a location (a cell of a grid, an edge of a graph) is 0 if
it is blocked, otherwise its weight or cost.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

Array: TypeAlias = np.ndarray[Any, Any]

#: Meaning of the numbers in `Episode.kinds`.
LOG_KINDS = ("expanded", "lowered", "raised", "key_updated")

#: Causes of a step, by the numbers in a story file.
CAUSES = ("start", "step", "change", "retarget")


@dataclass(frozen=True)
class TripCounts:
    """Counts since the trip began.

    Parameters
    ----------
    moves
        Moves from cell to cell.
    episodes
        Searches.
    expansions
        Expanded states.
    key_updates
        Updates of keys in the open list.
    h_increase
        Sum of all increases of h-values, in cost units.
    cost
        Cost of the walked path, in cost units.
    search_ns
        Time of the searches, in nanoseconds.

    Examples
    --------
    >>> import replan
    >>> world = replan.World(replan.Grid(replan.maze(9, 9, seed=1), neighbors=4))
    >>> story = replan.watch(world, "RTAA*", (0, 0), (8, 8), record_arrays=True)
    >>> trip = story.finish()
    >>> story[0].counts.moves, story[0].counts.episodes, story[-1].counts.moves == trip.moves
    (0, 1, True)
    """

    moves: int
    episodes: int
    expansions: int
    key_updates: int
    h_increase: int
    cost: int
    search_ns: int


@dataclass(frozen=True, eq=False)
class Episode:
    """One search.

    Parameters
    ----------
    expansions
        Number of expanded states.
    key_updates
        Number of updates of keys in the open list.
    ns
        Time of the search in nanoseconds, without applying changed costs.
    max_expansions
        Limit of expansions, None for no limit.
    max_ns
        Time limit in nanoseconds, None for no limit.
    status
        "complete" (the path leads to the goal), "partial", "unreachable" or "waiting".
    expanded_states
        The states in the order of their expansion, including states with an updated key (int32).
    kinds
        For each of these states, an index of `LOG_KINDS`; None if all are 0, "expanded".
    load_arrays
        Function that returns `arrays`.

    Examples
    --------
    >>> import replan
    >>> world = replan.World(replan.Grid(replan.maze(9, 9, seed=1), neighbors=4))
    >>> story = replan.watch(world, "RTAA*", (0, 0), (8, 8), record_arrays=True)
    >>> trip = story.finish()
    >>> search = story[0].episode
    >>> search.status, search.expansions, story.space.keys(search.expanded_states)[:3]
    ('partial', 9, [(0, 0), (0, 1), (0, 2)])
    """

    expansions: int
    key_updates: int
    ns: int
    max_expansions: int | None
    max_ns: int | None
    status: str
    expanded_states: Array
    kinds: Array | None
    load_arrays: Callable[[], dict[str, Array] | None] = field(repr=False)

    @property
    def arrays(self) -> dict[str, Array] | None:
        """The planner's values after this search, by name and state; None if the story does not record them.

        The names are those that the planner has of g, h_before (before learning), h, rhs, parent, open, closed and
        inconsistent. A value is -1 if there is none, or if it is infinite. Each call creates the arrays again.

        Examples
        --------
        >>> import replan
        >>> world = replan.World(replan.Grid(replan.maze(9, 9, seed=1), neighbors=4))
        >>> story = replan.watch(world, "RTAA*", (0, 0), (8, 8), record_arrays=True)
        >>> values = story.step().episode.arrays
        >>> sorted(values), int(story.space.to_map_shape(values["h"])[0, 0])
        (['closed', 'g', 'h', 'h_before', 'open', 'parent'], 16)
        """
        return self.load_arrays()


@dataclass(frozen=True, eq=False)
class StoryStep:
    """One step of a story: the agent has moved or waited, sensed, and searched if a search was due.

    Parameters
    ----------
    index
        Index in the story, from 0.
    cause
        "start", "step" (a move or a wait), or a call of the user: "change" (of the true terrain) or "retarget".
    trial
        The trial, from 0.
    time
        Step of time in the trial, from 0. A "change" or "retarget" has the time of the step before it.
    state
        State on which the agent stands.
    target
        State on which the moving target stands, -1 if there is none.
    goals
        Goal states of the agent.
    belief_changes
        (locations, values) that the agent believes since this step.
    truth_changes
        (locations, values) that are true since this step.
    newly_seen
        Locations that came into view for the first time. Empty if the agent knows all from the start.
    path
        States of the path ahead, from the next one on.
    counts
        Counts so far.
    episode
        The search of this step, None if none was due.
    why
        Why the trip ended with this step, as in `Trip.why`; "" while it goes on.

    Examples
    --------
    >>> import replan
    >>> world = replan.World(replan.Grid(replan.maze(9, 9, seed=1), neighbors=4))
    >>> story = replan.watch(world, "RTAA*", (0, 0), (8, 8), record_arrays=True)
    >>> trip = story.finish()
    >>> story[0].cause, story.space.key(story[0].state), story[-1].why
    ('start', (0, 0), 'reached')
    """

    index: int
    cause: str
    trial: int
    time: int
    state: int
    target: int
    goals: Array
    belief_changes: tuple[Array, Array]
    truth_changes: tuple[Array, Array]
    newly_seen: Array
    path: Array
    counts: TripCounts
    episode: Episode | None
    why: str
