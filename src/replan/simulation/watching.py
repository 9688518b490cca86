"""watch(): the trip that simulate() makes, step by step, for somebody who watches and may meddle.

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
from replan.guard import alone
from replan.limits import CHANGE, INF, RETARGET
from replan.planners.base import Planner
from replan.simulation.agent import Agent
from replan.simulation.blocks import PART_MOMENTS, StoryFile
from replan.simulation.diary import PART_ITEMS, Diary
from replan.simulation.kept_arrays import KeptArrays
from replan.simulation.moments import Array, Moment
from replan.simulation.saved_space import refuse_unwritable, space_facts
from replan.simulation.simulate import counts_of, new_walk, prepared, refuse_odd, restarted, told_trip, world_of
from replan.simulation.story import Story
from replan.simulation.tape import Columns, Part, Unwritten, by_differences, columns_of
from replan.simulation.trip import Trip, trip_columns
from replan.simulation.walk import Walk
from replan.spaces.space import Space, all_values, key_to_place
from replan.worlds.changes import value_of
from replan.worlds.sensors import Radius
from replan.worlds.targets import Target
from replan.worlds.world import World

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
    `story.close()`, or a `with` statement, writes the rest. Raises InputError for what `simulate` refuses.

    Whoever watches drives the story: iterating over it steps on until the trip has ended, `step()` takes one
    step of time (None at the end), `finish()` all that are left. Between steps the one who watches may meddle:
    `change(cells, to)` changes the true terrain, `retarget(goal)` moves the goal. Either makes a moment of its own, in
    which the agent looks around and searches if that is due, and goes on with a trip that had ended. What was done is
    part of the story.

    >>> import numpy as np, replan
    >>> story = replan.watch(replan.World(replan.Grid(np.zeros((3, 5), bool), neighbors=4)), "D* Lite", (1, 0), (1, 4))
    >>> story.space.keys(story.step().path)
    [(1, 1), (1, 2), (1, 3), (1, 4)]
    >>> moment = story.change([(0, 1), (1, 1)], "blocked")
    >>> story.space.keys(moment.path)
    [(2, 0), (2, 1), (2, 2), (1, 2), (1, 3), (1, 4)]
    >>> story.finish().moves
    6
    """
    world = world_of(world)
    refuse_odd(timing, trials, max_moves, max_seconds)
    agent = world._run(lambda: prepared(world, planner, start, goal, apart=True))
    kept = KeptArrays(agent.planner) if arrays else None
    story = Watched(_new_file(world, agent, trials or 1, kept, file), world, agent, kept)
    story._walks = partial(new_walk, max_moves, timing, max_seconds, story._diary)
    story._begin_trial()
    return story


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
        "all_seen": world.all_in_view,
        "space": facts,
    }
    pictures = {"=belief": (all_values(world.belief), False), "=truth": (all_values(world.truth), False)}
    return StoryFile.new(_handle(path), path, head, {**columns, **pictures})


def _in_words(sensor: Any) -> str:
    if isinstance(sensor, Radius):
        metric = f", {sensor.metric}" if sensor.metric != "euclidean" else ""
        return f"radius {sensor.radius:g}{metric}" + (", line of sight" if sensor.line_of_sight else "")
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

    _walks: Callable[[], Walk]
    _walk: Walk

    def __init__(self, file: StoryFile, world: World, agent: Agent, kept: KeptArrays | None) -> None:
        Story.__init__(self, file, world.space)
        self.world, self.agent = world, agent
        self._diary = Diary(self.space.places, self.all_seen, self.space._twins())
        self._kept, self._world_trip = kept, world.trips
        self._news: list[dict[str, tuple[Array, Array]]] = []  # in the arrays, of each search in the diary
        self._new_places = self._new_states = self._new_values = self._parts_since = 0
        self._written = time.monotonic()
        self._failed = ""  # the error that has ended it in the middle of a step

    def _begin_trial(self) -> None:
        self._walk = self._walks()
        self._before = counts_of(self.agent.planner)
        self._diary.begin_trial(len(self.trips), self.agent)

    @property
    def planner(self) -> Planner:
        return self.agent.planner

    def __len__(self) -> int:
        return self._moments

    def __iter__(self) -> Iterator[Moment]:
        i = 0
        while i < len(self) or self.step() is not None:
            yield self[i]
            i += 1

    # What happens next.

    def step(self) -> Moment | None:
        """One step of time: a move or a wait, and the search that is due then. None when the trip has ended."""
        return None if self.ended else self._next(lambda: self._walk.walk_on(self.agent, self.world, 1))

    def steps(self, most: int) -> int:
        """At most so many steps of time: quicker than `step` where their moments are read later. How many were they?"""
        taken = 0
        while taken < most and not self.ended:
            room = 1 if self._kept is not None else min(most - taken, max(1, PART_MOMENTS - self._diary.count))
            before = self._moments
            self._happen(partial(self._walk.walk_on, self.agent, self.world, room))
            taken += self._moments - before
        return taken

    def finish(self) -> Trip:
        """All steps that are left."""
        while not self.ended:
            self.steps(PART_MOMENTS)
        assert self.trip is not None
        return self.trip

    @property
    def _moments(self) -> int:
        return self._file.moments + self._diary.count

    @alone
    def change(self, cells: Iterable[Any], to: Any) -> Moment:
        """Change the true terrain: each cell (edge of a graph) becomes "blocked", "free" or gets a weight.

        to: one for all, or a list with one for each. The cell on which the agent stands is not blocked.
        """
        listed = list(cells)
        each = list(to) if isinstance(to, (list, tuple, np.ndarray)) else [to] * len(listed)
        if len(each) != len(listed):
            raise InputError(f"there are {len(listed)} cells and {len(each)} values")
        places = [key_to_place(self.space, cell) for cell in listed]
        values = [value_of(what, place, self.world.truth) for what, place in zip(each, places, strict=True)]
        self._resume()
        return self._next(lambda: self._walk.meddle(self.agent, self.world, CHANGE, places, values))

    @alone
    def retarget(self, goal: Any) -> Moment:
        """Move the goal. A `Target` (such as `replan.Flee(cell)`) moves by itself from then on; a cell stays.

        It is so on this trip alone: the world has its own target again on the next one.
        """
        self._refuse_taken()
        self._resume()
        self.flush()  # a part knows of one set of goals
        self.agent.retarget(goal.start if isinstance(goal, Target) else goal)
        self.world._follow(goal if isinstance(goal, Target) else None)
        if self._kept is not None:
            self._kept.wide = True
        return self._next(lambda: self._walk.meddle(self.agent, self.world, RETARGET, [], []))

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

    def _refuse_failed(self) -> None:
        if self._failed:
            raise RuntimeError(
                f"this trip ended in the middle of a step, by a {self._failed}: its moments so far can be read and "
                "saved; to go on, watch another one"
            )

    def _next(self, happen: Callable[[], int]) -> Moment:
        """What happens makes one moment."""
        number = self._moments
        self._happen(happen)
        return self[number]

    @alone
    def _happen(self, happen: Callable[[], int]) -> None:
        self._refuse_taken()
        self._refuse_failed()
        diary = self._diary
        moments, before = diary.count, (diary.searched, diary.believed.count, diary.expanded.count)
        try:
            why = self.world._run(happen)
            if self._kept is not None:
                self._keep_arrays(self._kept, *before)
            if why:
                self._end_trial()
        except BaseException as error:
            if self._walk.is_dirty or (diary.count > moments and not self.ended):
                self._failed = type(error).__name__
                diary.cut(diary.count if self._kept is None else moments)
            raise
        late = self._file.name is not None and time.monotonic() - self._written > PART_SECONDS
        if diary.count >= PART_MOMENTS or diary.items() + self._new_values > PART_ITEMS or late:
            self.flush()

    def _keep_arrays(self, kept: KeptArrays, searched: int, believed: int, expanded: int) -> None:
        """What the search of the last moment has changed in the planner's arrays; the counts were those before it."""
        kept.believed(self._diary.believed.listed(believed)[0])
        if self._diary.searched > searched:
            log, agent = self._diary.expanded, self.agent
            news = kept.news(self.world.belief, log, expanded, agent.at, agent.goals.states)
            self._news.append(news)
            new = sum(len(states) for states, _ in news.values())
            self._new_states, self._new_values = self._new_states + new, self._new_values + new

    def _end_trial(self) -> None:
        self.trips.append(told_trip(self._walk, self.agent, self.world, self._before))
        if self.ended:
            self.flush()
            self._file.finish(*trip_columns(self.trips))
            return
        pictures = self.world.belief, self.world.truth
        before = [all_values(space) for space in pictures]
        restarted(self.world, self.agent, self.start)  # which undoes changes, and shows that the start is free
        after = [all_values(space) for space in pictures]
        new = [np.flatnonzero(a != b) for a, b in zip(before, after, strict=True)]
        self._diary.add(*((places, values[places]) for places, values in zip(new, after, strict=True)))
        self._begin_trial()

    # Keeping it.

    @alone
    def _unwritten(self) -> Part | None:
        """The moments that are in no part yet."""
        if self._diary.count == 0:
            return None
        if self._pending is None or self._pending.count != self._diary.count:
            block = Unwritten(self._file, self._file.moments, self._diary.count, self._columns())
            self._pending = Part(block, self.space.n, self.space.places, len(self.names))
        return self._pending

    def _columns(self) -> Columns:
        goals = np.array(self.agent.goals.states, np.int64)
        return columns_of(self._diary, self.space, goals, self._news, list(self.names))

    def _run_to_end(self, most: int = INF) -> None:
        self.steps(most - len(self))

    @alone
    def flush(self) -> None:
        """Write all moments so far, into the file if there is one. (That happens by itself every second or so.)"""
        diary = self._diary
        if diary.count == 0:
            return
        columns, pictures = self._columns(), 0
        self._new_places += diary.believed.count + diary.changed.count + diary.seen.count
        self._parts_since += 1
        often = self._parts_since >= PICTURE_PARTS and not self._failed
        if often or (self._new_places > max(4096, self.space.places // 16) and not self._failed):
            pictures |= 1
            columns |= {"=belief": all_values(self.world.belief), "=truth": all_values(self.world.truth)}
            columns["=seen"] = diary.seen_places()
            self._new_places = 0
        if self._kept is not None and (often or self._new_states > self.space.n // 2):
            pictures |= 2
            columns |= {"=" + name: array for name, array in self._kept.now.items()}
            self._new_states = 0
        if often:
            self._parts_since = 0
        packed = {name: (array, by_differences(name)) for name, array in columns.items()}
        self._file.append(diary.count, pictures, packed)
        diary.clear()
        self._news, self._new_values, self._pending, self._written = [], 0, None, time.monotonic()

    @alone
    def _write_to(self, handle: Any) -> None:
        self.flush()
        Story._write_to(self, handle)

    def __del__(self) -> None:
        with suppress(Exception):  # half made, or the disk is full: nobody can be told any more
            self.close()

    @alone
    def close(self) -> None:
        """Write the rest of the story into its file, and let go of it."""
        if self._file.name is None or self._file.handle.closed:
            return
        self.flush()
        if not self._file.finished_at:
            self._file.finish(*trip_columns(self.trips))
        Story.close(self)
