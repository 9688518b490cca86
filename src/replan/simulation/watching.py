"""watch(): the trip that simulate() makes, step by step, for somebody who watches and may meddle.

A watched story is driven by who watches it: iterating over it steps on until the trip has ended, `step()` takes one
step of time (None at the end), `finish()` all that are left. Between steps the one who watches may meddle:
`change(cells, to)` changes the true terrain, `retarget(goal)` moves the goal. Either makes a moment of its own, in
which the agent looks around and searches if that is due, and goes on with a trip that had ended. What was done is part
of the story.

>>> import numpy as np, replan
>>> story = replan.watch(replan.World(replan.Grid(np.zeros((3, 5), bool), neighbors=4)), "D* Lite", (1, 0), (1, 4))
>>> story.space.keys(story.step().path)
[(1, 1), (1, 2), (1, 3), (1, 4)]
>>> moment = story.change([(0, 1), (1, 1)], "blocked")
>>> story.space.keys(moment.path)
[(2, 0), (2, 1), (2, 2), (1, 2), (1, 3), (1, 4)]
>>> story.finish().moves
6

Several stories run in lockstep where each has a world of its own: one world serves one trip at a time.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from replan.errors import InputError, reason_of
from replan.limits import INF, REFRESHED
from replan.planners.base import Planner
from replan.simulation.agent import Agent
from replan.simulation.blocks import StoryFile
from replan.simulation.kept_arrays import NOTHING, KeptArrays
from replan.simulation.moments import CHANGE, RETARGET, START, STEP, Array, Counts, Episode, Moment
from replan.simulation.saved_space import refuse_unwritable, space_facts
from replan.simulation.simulate import counts_of, new_walk, prepared, refuse_odd, restarted, told_trip, world_of
from replan.simulation.story import Story
from replan.simulation.tape import ANSWERS, columns_of
from replan.simulation.trip import Trip, trip_columns
from replan.simulation.walk import ENDINGS, Walk
from replan.spaces.space import Space, all_values, key_to_place
from replan.worlds.changes import value_of
from replan.worlds.sensors import Radius
from replan.worlds.world import World

PART_MOMENTS, PART_ITEMS = 256, 1 << 18  # when a part is written
PART_SECONDS = 1.0  # in a file: so much is lost if the machine stops
PICTURE_PARTS = 16  # a picture at least every so many parts


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
    file: str | Path | None = None,
) -> Watched:
    """The story of a trip: what `simulate` does with the same arguments, step by step.

    arrays: keep the planner's values of every episode (`Story.arrays`), which takes time and memory. file: write the
    story there as it happens, so that it needs hardly any memory and what has been is kept if it is interrupted;
    `story.close()`, or a `with` statement, writes the rest.
    """
    world = world_of(world)
    refuse_odd(timing, trials, max_moves, max_seconds)
    world._enter()
    try:
        agent = prepared(world, planner, start, goal, apart=True)
    finally:
        world._leave()
    walks = partial(new_walk, max_moves, timing, max_seconds, watched=True)
    kept = KeptArrays(agent.planner) if arrays else None
    return Watched(_new_file(world, agent, trials or 1, kept, file), world, agent, walks, kept)


def _new_file(world: World, agent: Agent, trials: int, kept: KeptArrays | None, path: str | Path | None) -> StoryFile:
    if path is not None:
        refuse_unwritable(world.space)
    facts, columns = space_facts(world.space)
    head = {
        "planner": agent.planner_name,
        "recipe": "" if agent.planner.spec is None else agent.planner.spec.recipe,
        "sensor": _in_words(world.sensor),
        "lookahead": 0 if agent.planner.limit >= INF else agent.planner.limit,
        "start": agent.at,
        "trials": trials,
        "arrays": {} if kept is None else kept.kinds,
        "all_seen": world.in_view(agent.at) is None or world.known != "nothing",
        "space": facts,
    }
    pictures = {"=belief": (all_values(world.belief), False), "=truth": (all_values(world.truth), False)}
    return StoryFile.new(_handle(path), path, head, {**columns, **pictures})


def _in_words(sensor: Any) -> str:
    if isinstance(sensor, Radius):
        return f"radius {sensor.radius:g}" + (", line of sight" if sensor.line_of_sight else "")
    return sensor if isinstance(sensor, str) else type(sensor).__name__


def _handle(path: str | Path | None) -> BinaryIO:
    if path is None:
        return io.BytesIO()
    try:
        return Path(path).open("wb+")
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be written: {reason_of(error)}", path) from None


class Watched(Story):
    """A story that is being made; see the text of this module. `watch` begins one."""

    def __init__(
        self, file: StoryFile, world: World, agent: Agent, walks: Callable[[], Walk], kept: KeptArrays | None
    ) -> None:
        Story.__init__(self, file, world.space)
        self.world, self.agent = world, agent
        self._walks, self._kept, self._world_trip = walks, kept, world.trips
        self._seen = np.zeros(self.space.places, bool)
        self._undone = [NOTHING, NOTHING]  # places that are believed, and that are true, otherwise in the next trial
        self._items = self._new_places = self._new_states = self._parts_since = 0
        self._written = time.monotonic()
        self._walk_anew()

    def _walk_anew(self) -> None:
        self._walk: Walk = self._walks()
        self._before = counts_of(self.agent.planner)
        self._episodes = self._search_ns = 0

    @property
    def planner(self) -> Planner:
        return self.agent.planner

    def __iter__(self) -> Iterator[Moment]:
        i = 0
        while i < len(self) or self.step() is not None:
            yield self[i]
            i += 1

    # What happens next.

    def step(self) -> Moment | None:
        """One step of time: a move or a wait, and the search that is due then. None when the trip has ended."""
        if self.ended:
            return None
        return self._next(STEP if self._walk.begun else START, lambda: self._walk.step(self.agent, self.world, True))

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
        self.agent.retarget(goal)
        if self._kept is not None:
            self._kept.wide = True
        self._resume()
        return self._next(RETARGET, lambda: self._walk.meddle(self.agent, self.world, [], []))

    def _resume(self) -> None:
        """Who meddles with a trip goes on with it."""
        if len(self) == 0:
            self.step()
        if self.ended:
            self.trips.pop()
            self._file.reopen()

    def _refuse_taken(self) -> None:
        if self.world.trips != self._world_trip:
            raise RuntimeError("the world of this story has been taken for another trip since: make one for each")

    def _next(self, cause: str, happen: Callable[[], object]) -> Moment:
        self._refuse_taken()
        self.world._enter()
        try:
            happen()
            moment = self._moment(cause)
        finally:
            self.world._leave()
        self._keep(moment)
        if moment.why:
            self._end_trial()
        return moment

    def _end_trial(self) -> None:
        self.trips.append(told_trip(self._walk, self.agent, self.world, self._before))
        if self.ended:
            self.flush()
            self._file.finish(*trip_columns(self.trips))
        else:
            pictures = self.world.belief, self.world.truth
            before = [all_values(space) for space in pictures]
            restarted(self.world, self.agent, self.start)  # which undoes changes, and shows that the start is free
            after = [all_values(space) for space in pictures]
            self._undone = [np.flatnonzero(a != b).astype(np.int32) for a, b in zip(before, after, strict=True)]
            self._walk_anew()

    # What has happened.

    def _moment(self, cause: str) -> Moment:
        walk, agent, world = self._walk, self.agent, self.world
        believed, changed = walk.happened(world, *self._undone)
        self._undone = [NOTHING, NOTHING]
        if self._kept is not None:
            self._kept.believed(believed[0])
        return Moment(
            number=len(self),
            cause=cause,
            trial=len(self.trips),
            step=walk.steps,
            state=agent.at,
            target=world.target_at,
            goals=np.array(agent.goals.states, np.int32),
            believed=believed,
            changed=changed,
            seen=self._newly_seen(),
            path=walk.ahead(agent),
            episode=self._episode(len(self)) if walk.episodes > self._episodes else None,
            counts=self._counts(),
            why=ENDINGS[walk.why][0] if walk.why else "",
        )

    def _newly_seen(self) -> Array:
        shown = None if self.all_seen else self.world.in_view(self.agent.at)
        if shown is None:
            return NOTHING
        new: Array = shown[~self._seen[shown]]
        self._seen[new] = True
        return new

    def _counts(self) -> Counts:
        walk, now = self._walk, counts_of(self.agent.planner)
        since = {name: now[name] - self._before[name] for name in ("expansions", "refreshes", "h_increase")}
        return Counts(walk.moves, walk.episodes, cost=walk.total_paid, search_ns=self._search_ns, **since)

    def _episode(self, number: int) -> Episode:
        walk, planner = self._walk, self.agent.planner
        self._episodes, self._search_ns = walk.episodes, self._search_ns + walk.episode_ns
        numbers, kinds, _ = walk.expanded.listed()
        kept = None
        if self._kept is not None:
            kept = self._kept.news(self.world.belief, walk.expanded, self.agent.at, self.agent.goals.states)
        order, kinds = numbers[kinds <= REFRESHED], kinds[kinds <= REFRESHED]
        return Episode(
            expansions=walk.last_expansions,
            refreshes=int((kinds == REFRESHED).sum()),
            ns=walk.episode_ns,
            most_expansions=None if planner.limit >= INF else planner.limit,
            most_ns=planner.time_ns or None,
            answer=ANSWERS[walk.answer],
            order=order,
            kinds=kinds if kinds.any() else None,
            show=lambda: self.arrays(number),
            kept=kept,
        )

    # Keeping it.

    def _keep(self, moment: Moment) -> None:
        self._pending.append(moment)
        episode = moment.episode
        self._new_places += len(moment.believed[0]) + len(moment.changed[0]) + len(moment.seen)
        self._items += len(moment.believed[0]) + len(moment.changed[0]) + len(moment.seen) + len(moment.path)
        if episode is not None:
            self._items += len(episode.order)
            if episode.kept is not None:
                new = sum(len(states) for states, _ in episode.kept.values())
                self._items += new
                self._new_states += new
        late = self._file.name is not None and time.monotonic() - self._written > PART_SECONDS
        if len(self._pending) >= PART_MOMENTS or self._items > PART_ITEMS or late:
            self.flush()

    def flush(self) -> None:
        """Write all moments so far, into the file if there is one. (That happens by itself every second or so.)"""
        if not self._pending:
            return
        columns = dict(columns_of(self._pending, list(self.names)))
        pictures = 0
        self._parts_since += 1
        if self._new_places > max(4096, self.space.places // 16) or self._parts_since >= PICTURE_PARTS:
            pictures |= 1
            columns["=belief"] = all_values(self.world.belief), False
            columns["=truth"] = all_values(self.world.truth), False
            columns["=seen"] = self._seen, False
            self._new_places = 0
        if self._kept is not None and (self._new_states > self.space.n // 2 or self._parts_since >= PICTURE_PARTS):
            pictures |= 2
            columns |= {"=" + name: (array, False) for name, array in self._kept.now.items()}
            self._new_states = 0
        if self._parts_since >= PICTURE_PARTS:
            self._parts_since = 0
        self._file.append(len(self._pending), pictures, columns)
        self._pending, self._items, self._written = [], 0, time.monotonic()

    def save(self, path: str | Path) -> None:
        self.flush()
        Story.save(self, path)

    def __del__(self) -> None:
        with suppress(Exception):  # half made, or the disk is full: nobody can be told any more
            self.close()

    def close(self) -> None:
        """Write the rest of the story into its file, and let go of it."""
        if self._file.name is None or self._file.handle.closed:
            return
        self.flush()
        if not self._file.finished_at:
            self._file.finish(*trip_columns(self.trips))
        Story.close(self)
