"""watch(): the same trip as simulate(), moment by moment.

>>> import numpy as np, replan
>>> maze = np.array([[0, 1, 0], [0, 1, 0], [0, 0, 0]], bool)
>>> story = replan.watch(replan.World(replan.Grid(maze, neighbors=4)), "Repeated Forward A*", (0, 0), (0, 2))
>>> for moment in story:
...     cell, path = story.space.key(moment.state), story.space.keys(moment.path)
...     print(moment.step, cell, len(path), moment.episode.expansions if moment.episode else "-")
0 (0, 0) 4 4
1 (1, 0) 5 6
2 (2, 0) 4 -
3 (2, 1) 3 -
4 (2, 2) 2 -
5 (1, 2) 1 -
6 (0, 2) 0 -
>>> story.trip.why, story.trip.moves
('reached', 6)

A story is driven by who watches it: iterating over it steps on until the trip has ended, `step()` takes one step of
time (None at the end), `finish()` all that are left. `story[i]` is a moment that has been, `len(story)` says how many
have. Between steps the one who watches may meddle: `change(cells, to)` changes the true terrain, `retarget(goal)` moves
the goal. Either makes a moment of its own, in which the agent looks around and searches if that is due, and goes on
with a trip that had ended. What was done is part of the story. `trip` is the Trip when it has ended, None before;
`trips` are those of all trials.

Several stories run in lockstep where each has a world of its own: one world serves one trip at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

import numpy as np

from replan.errors import InputError
from replan.limits import COMPLETE, INF, PARTIAL, UNREACHABLE, WAITING
from replan.planners.base import Planner
from replan.simulation.agent import Agent
from replan.simulation.moments import CHANGE, RETARGET, START, STEP, Array, Counts, Episode, Moment
from replan.simulation.simulate import counts_of, new_walk, prepared, refuse_odd, restarted, told_trip, world_of
from replan.simulation.trip import Trip
from replan.simulation.walk import ENDINGS, Walk
from replan.spaces.space import Space, all_values, key_to_place
from replan.worlds.changes import value_of
from replan.worlds.world import World

ANSWERS = {COMPLETE: "complete", PARTIAL: "partial", UNREACHABLE: "unreachable", WAITING: "waiting"}


def watch(
    world: World | Space,
    planner: Planner | str,
    start: Any,
    goal: Any = None,
    max_moves: int | None = None,
    timing: str = "trip",
    trials: int | None = None,
    max_seconds: float | None = None,
    arrays: bool = False,
) -> Story:
    """The story of a trip: what `simulate` does with the same arguments, moment by moment.

    arrays: keep the planner's values (`Episode.arrays`) of every episode. That takes time and memory in proportion to
    the map.
    """
    world = world_of(world)
    refuse_odd(timing, trials, max_moves, max_seconds)
    story = Story(world, start, trials or 1, partial(new_walk, max_moves, timing, max_seconds, watched=True), arrays)
    story._begin(planner, goal)
    return story


class Story:
    """A trip that is watched; see the text of this module. `watch` makes one."""

    def __init__(self, world: World, start: Any, trials: int, new_walk: Any, arrays: bool) -> None:
        self.world, self.start, self.trials = world, start, trials
        self.space = world.space
        self.trips: list[Trip] = []
        self._new_walk, self._arrays = new_walk, arrays
        self._moments: list[Moment] = []

    def _begin(self, planner: Planner | str, goal: Any) -> None:
        world = self.world
        world._enter()
        try:
            self.agent: Agent = prepared(world, planner, self.start, goal, apart=True)
        finally:
            world._leave()
        self._world_trip = world.trips
        self.first_belief, self.first_truth = all_values(world.belief), all_values(world.truth)
        self._walk_anew()

    def _walk_anew(self) -> None:
        self._walk: Walk = self._new_walk()
        self._before = counts_of(self.agent.planner)
        self._seen_episodes = self._paid = self._search_ns = 0

    # What has been.

    def __len__(self) -> int:
        return len(self._moments)

    def __getitem__(self, i: int) -> Moment:
        return self._moments[i]

    def __iter__(self) -> Iterator[Moment]:
        i = 0
        while i < len(self) or self.step() is not None:
            yield self[i]
            i += 1

    @property
    def planner(self) -> Planner:
        return self.agent.planner

    @property
    def ended(self) -> bool:
        """Is the trip, and each of its trials, at its end?"""
        return len(self.trips) == self.trials

    @property
    def trip(self) -> Trip | None:
        """The Trip, when it has ended; the last one of several trials."""
        return self.trips[-1] if self.ended else None

    def belief(self, i: int = -1) -> Array:
        """What the agent believes at a moment: the value of each place."""
        return _picture(self.first_belief, (moment.believed for moment in self._until(i)))

    def truth(self, i: int = -1) -> Array:
        """The true terrain at a moment: the value of each place. Each trial begins with the same."""
        until = self._until(i)
        return _picture(self.first_truth, (moment.changed for moment in until if moment.trial == until[-1].trial))

    def _until(self, i: int) -> list[Moment]:
        return self._moments[: range(len(self))[i] + 1]

    # What happens next.

    def step(self) -> Moment | None:
        """One step of time: a move or a wait, and the search that is due then. None when the trip has ended."""
        if self.ended:
            return None
        begun = bool(self._moments) and not self._moments[-1].why
        return self._next(STEP if begun else START, lambda: self._walk.step(self.agent, self.world, True))

    def finish(self) -> Trip:
        """All steps that are left."""
        while self.step() is not None:
            pass
        assert self.trip is not None
        return self.trip

    def change(self, cells: Iterable[Any], to: Any) -> Moment:
        """Change the true terrain: each cell (edge of a graph) becomes "blocked", "free" or gets a weight.

        to: one for all, or a list with one for each. The cell on which the agent stands is not blocked.
        """
        listed = list(cells)
        each = list(to) if isinstance(to, (list, tuple, np.ndarray)) else [to] * len(listed)
        if len(each) != len(listed):
            raise InputError(f"there are {len(listed)} cells and {len(each)} values")
        places = [key_to_place(self.space, cell) for cell in listed]
        values = [value_of(what, place, self.space) for what, place in zip(each, places, strict=True)]
        self._resume()
        return self._next(CHANGE, lambda: self._walk.meddle(self.agent, self.world, places, values))

    def retarget(self, goal: Any) -> Moment:
        """Move the goal."""
        if self.world.target is not None:
            raise InputError("the goal is the target of this world, which moves by itself")
        self._refuse_taken()
        self._resume()
        self.agent.retarget(goal)
        return self._next(RETARGET, lambda: self._walk.meddle(self.agent, self.world, [], []))

    def _resume(self) -> None:
        """Who meddles with a trip goes on with it."""
        if not self._moments:
            self.step()
        if self.ended:
            self.trips.pop()

    def _refuse_taken(self) -> None:
        if self.world.trips != self._world_trip:
            raise RuntimeError("the world of this story has been taken for another trip since: make one for each")

    def _next(self, cause: str, happen: Any) -> Moment:
        self._refuse_taken()
        self.world._enter()
        try:
            h = self._shot().get("h") if self._arrays else None
            happen()
            moment = self._moment(cause, h)
        finally:
            self.world._leave()
        self._moments.append(moment)
        if moment.why:
            self._end_trial()
        return moment

    def _end_trial(self) -> None:
        self.trips.append(told_trip(self._walk, self.agent, self.world, self._before))
        if not self.ended:
            restarted(self.world, self.agent, self.start)
            self._walk_anew()

    def _moment(self, cause: str, h: Array | None) -> Moment:
        walk, agent, world = self._walk, self.agent, self.world
        believed, changed = walk.happened(world)
        if cause == START and self.trips:  # standing at the start again may have shown that it is free
            now = all_values(world.belief)
            places = np.flatnonzero(now != self.belief())
            believed = places, now[places]
        episode = self._episode(h) if walk.episodes > self._seen_episodes else None
        return Moment(
            number=len(self._moments),
            cause=cause,
            trial=len(self.trips),
            step=walk.steps,
            state=agent.at,
            target=world.target_at,
            goals=np.array(agent.goals.states, np.int32),
            believed=believed,
            changed=changed,
            path=walk.ahead(agent),
            counts=self._counts(),
            episode=episode,
            why=ENDINGS[walk.why][0] if walk.why else "",
        )

    def _counts(self) -> Counts:
        walk, now = self._walk, counts_of(self.agent.planner)
        since = {name: now[name] - self._before[name] for name in ("expansions", "refreshes", "h_increase")}
        return Counts(walk.moves, walk.episodes, cost=walk.total_paid, search_ns=self._search_ns, **since)

    def _episode(self, h: Array | None) -> Episode:
        walk, planner = self._walk, self.agent.planner
        self._seen_episodes, self._search_ns = walk.episodes, self._search_ns + walk.episode_ns
        order, kinds = walk.expanded.listed()
        shot = self._shot() if self._arrays else None
        if shot is not None and h is not None:
            shot["h_before"] = np.where(h >= 0, h, shot["h"])
        return Episode(
            expansions=walk.last_expansions,
            refreshes=int((kinds == 3).sum()),
            ns=walk.episode_ns,
            most_expansions=None if planner.limit >= INF else planner.limit,
            most_ns=planner.time_ns or None,
            answer=ANSWERS[walk.answer],
            order=order,
            kinds=kinds if kinds.any() else None,
            arrays=shot,
        )

    def _shot(self) -> dict[str, Array]:
        """The planner's arrays, in ticks."""
        shot = self.agent.planner._arrays()
        if "rhs" in shot:
            shot["inconsistent"] = shot["g"] != shot["rhs"]
        return shot


def _picture(first: Array, deltas: Iterable[tuple[Array, Array]]) -> Array:
    """Values of all places, after some of them have changed again and again."""
    values = first.copy()
    for places, new in deltas:
        values[places] = new
    return values
