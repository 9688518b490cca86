"""What a story is made of: moments, and in some of them an episode.

States and places are numbers, as the core has them: `story.space.key(s)` is the cell of a state and `state(cell)` its
number; `story.space.to_map_shape(values)` (of a Grid) turns one value a state into one a cell. Costs are in ticks:
`story.space.unit` of them are a step. The value of a place (a cell of a grid, an edge of a graph) is 0 where it is
blocked, otherwise its weight or cost.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

Array: TypeAlias = np.ndarray[Any, Any]

#: What is logged of a state in `Episode.kinds`, by number.
LOG_KINDS = ("expanded", "lowered", "raised", "key_updated")

#: What a moment is due to, by number.
CAUSES = ("start", "step", "change", "retarget")


@dataclass(frozen=True)
class TripCounts:
    """What has been counted since the trip began. cost, h_increase: in ticks. search_ns: time of the searches.

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

    expansions, key_updates: how many; ns: how long it took, without taking in changed costs. max_expansions, max_ns:
    its budget, None where there is no limit. status: "complete" (the path leads to the goal), "partial", "unreachable"
    or "waiting". expanded_states: the states in the order of their expansion, those whose key was updated among them
    (int32). kinds: of each of them, a number of `LOG_KINDS`; None where all are plainly expanded.

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
        """The planner's values after this episode, by name, one a state; None unless the story keeps them.

        What the planner has of g, h_before (learning), h, rhs, parent, open, closed, inconsistent; -1 where there is no
        value, or it is infinite. They are put together anew for each call.

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
    """The agent has arrived somewhere (or waited), has looked around, and has searched if that was due.

    index: in the story, from 0. cause: "start", "step" (a move or a wait), or an edit from outside: "change" (of the
    true terrain), "retarget". trial, time: the trial, and the step of time in it, both from 0. state: where the agent
    is. target: where the moving target is, -1 if there is none. goals: the states to go to. belief_changes,
    truth_changes: (locations, values) that the agent believes since this step, and that are true since this step.
    newly_seen: the locations that came into view for the first time (none where the sensor shows everything). path: the
    states ahead, from the next one on. counts: so far. episode: the search of this step, None if none was due. why: why
    the trip ended with this step, as in `Trip.why`; "" while it goes on.

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
