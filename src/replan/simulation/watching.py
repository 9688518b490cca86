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

from replan.errors import InputError, system_reason
from replan.limits import CAUSE_CHANGE, CAUSE_RETARGET, INF
from replan.locking import read_locked
from replan.planners.base import Planner
from replan.simulation.agent import Agent
from replan.simulation.array_tracker import ArrayTracker
from replan.simulation.record_columns import Columns, Part, UnwrittenPart, is_stored_by_differences, part_columns
from replan.simulation.recorder import MAX_PART_ITEMS, Recorder
from replan.simulation.simulate import (
    as_world,
    check_options,
    make_agent,
    make_runner,
    make_trip,
    planner_counts,
    restart_agent,
)
from replan.simulation.space_files import check_writable, describe_space
from replan.simulation.steps import Array, StoryStep
from replan.simulation.story import Story
from replan.simulation.story_file import MAX_PART_STEPS, StoryFile
from replan.simulation.trip import Trip, trip_columns
from replan.simulation.trip_runner import TripRunner
from replan.spaces.space import Space, all_values, key_to_location
from replan.worlds.changes import parse_change_value
from replan.worlds.sensors import Radius
from replan.worlds.targets import Target
from replan.worlds.world import World

PART_SECONDS = 1.0  # in a file: so much is lost if the machine stops
KEYFRAME_PARTS = 16  # a picture at least every so many parts


def watch(
    world: World | Space,
    planner: Planner | str,
    start: Any,
    goal: Any = None,
    max_moves: int | None = None,
    timing: str = "trip",
    trials: int | None = None,
    max_seconds: float | None = None,
    record_arrays: bool = False,
    file: str | Path | None = None,
) -> LiveStory:
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
    world = as_world(world)
    check_options(timing, trials, max_moves, max_seconds)
    agent = world._call_alone(lambda: make_agent(world, planner, start, goal, has_own_spaces=True))
    kept = ArrayTracker(agent.planner) if record_arrays else None
    story = LiveStory(_new_file(world, agent, trials or 1, kept, file), world, agent, kept)
    story._make_runner = partial(make_runner, max_moves, timing, max_seconds, story._recorder)
    story._begin_trial()
    return story


def _new_file(world: World, agent: Agent, trials: int, kept: ArrayTracker | None, path: str | Path | None) -> StoryFile:
    if path is not None:
        check_writable(world.space)
    facts, columns = describe_space(world.space)
    head = {
        "planner": agent.planner_name,
        "recipe": "" if agent.planner.spec is None else agent.planner.spec.recipe,
        "sensor": _describe_sensor(world.sensor),
        "lookahead": 0 if agent.planner.expansion_limit >= INF else agent.planner.expansion_limit,
        "start": agent.state,
        "trials": trials,
        "arrays": {} if kept is None else kept.kinds,
        "all_seen": world.is_fully_known,
        "space": facts,
    }
    pictures = {"=belief": (all_values(world.belief), False), "=truth": (all_values(world.truth), False)}
    return StoryFile.new(_open_for_writing(path), path, head, {**columns, **pictures})


def _describe_sensor(sensor: Any) -> str:
    if isinstance(sensor, Radius):
        metric = f", {sensor.metric}" if sensor.metric != "euclidean" else ""
        return f"radius {sensor.radius:g}{metric}" + (", line of sight" if sensor.line_of_sight else "")
    return sensor if isinstance(sensor, str) else type(sensor).__name__


def _open_for_writing(path: str | Path | None) -> BinaryIO:
    if path is None:
        return io.BytesIO()
    try:
        return Path(path).open("wb+")
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be written: {system_reason(error)}", path) from None


class LiveStory(Story):
    """A story that is being made; see the text of this module. `watch` begins one."""

    _make_runner: Callable[[], TripRunner]
    _runner: TripRunner

    def __init__(self, file: StoryFile, world: World, agent: Agent, kept: ArrayTracker | None) -> None:
        Story.__init__(self, file, world.space)
        self.world, self.agent = world, agent
        self._recorder = Recorder(self.space.n_locations, self.is_fully_known, self.space._paired_locations())
        self._array_tracker, self._world_trip = kept, world._trip_number
        self._array_changes: list[dict[str, tuple[Array, Array]]] = []  # in the arrays, of each search in the diary
        self._new_location_count = self._new_state_count = self._new_value_count = self._parts_since_keyframe = 0
        self._last_write = time.monotonic()
        self._failure = ""  # the error that has ended it in the middle of a step

    def _begin_trial(self) -> None:
        self._runner = self._make_runner()
        self._counts_before = planner_counts(self.agent.planner)
        self._recorder.begin_trial(len(self.trips), self.agent)

    @property
    def planner(self) -> Planner:
        return self.agent.planner

    def __len__(self) -> int:
        return self._step_count

    def __iter__(self) -> Iterator[StoryStep]:
        i = 0
        while i < len(self) or self.step() is not None:
            yield self[i]
            i += 1

    # What happens next.

    def step(self) -> StoryStep | None:
        """One step of time: a move or a wait, and the search that is due then. None when the trip has ended."""
        return None if self.has_ended else self._make_step(lambda: self._runner.run_steps(self.agent, self.world, 1))

    def run_steps(self, count: int) -> int:
        """At most so many steps of time: quicker than `step` where their moments are read later. How many were they?"""
        taken = 0
        while taken < count and not self.has_ended:
            room = 1 if self._array_tracker is not None else min(count - taken, max(1, MAX_PART_STEPS - self._recorder.step_count))
            before = self._step_count
            self._run_guarded(partial(self._runner.run_steps, self.agent, self.world, room))
            taken += self._step_count - before
        return taken

    def finish(self) -> Trip:
        """All steps that are left."""
        while not self.has_ended:
            self.run_steps(MAX_PART_STEPS)
        assert self.trip is not None
        return self.trip

    @property
    def _step_count(self) -> int:
        return self._file.step_count + self._recorder.step_count

    @read_locked
    def change(self, cells: Iterable[Any], to: Any) -> StoryStep:
        """Change the true terrain: each cell (edge of a graph) becomes "blocked", "free" or gets a weight.

        to: one for all, or a list with one for each. The cell on which the agent stands is not blocked.
        """
        listed = list(cells)
        each = list(to) if isinstance(to, (list, tuple, np.ndarray)) else [to] * len(listed)
        if len(each) != len(listed):
            raise InputError(f"there are {len(listed)} cells and {len(each)} values")
        places = [key_to_location(self.space, cell) for cell in listed]
        values = [parse_change_value(what, place, self.world.truth) for what, place in zip(each, places, strict=True)]
        self._reopen()
        return self._make_step(lambda: self._runner.edit_world(self.agent, self.world, CAUSE_CHANGE, places, values))

    @read_locked
    def retarget(self, goal: Any) -> StoryStep:
        """Move the goal. A `Target` (such as `replan.Flee(cell)`) moves by itself from then on; a cell stays.

        It is so on this trip alone: the world has its own target again on the next one.
        """
        self._check_world()
        self._reopen()
        self.flush()  # a part knows of one set of goals
        self.agent.retarget(goal.start if isinstance(goal, Target) else goal)
        self.world._set_target(goal if isinstance(goal, Target) else None)
        if self._array_tracker is not None:
            self._array_tracker.must_compare_all = True
        return self._make_step(lambda: self._runner.edit_world(self.agent, self.world, CAUSE_RETARGET, [], []))

    def _reopen(self) -> None:
        """Who meddles with a trip goes on with it."""
        if len(self) == 0:
            self.step()
        if self.has_ended:
            self.trips.pop()
            self._file.reopen()

    def _check_world(self) -> None:
        if self.world._trip_number != self._world_trip:
            raise RuntimeError("the world of this story has been taken for another trip since: make one for each")

    def _check_not_failed(self) -> None:
        if self._failure:
            raise RuntimeError(
                f"this trip ended in the middle of a step, by a {self._failure}: its moments so far can be read and "
                "saved; to go on, watch another one"
            )

    def _make_step(self, happen: Callable[[], int]) -> StoryStep:
        """What happens makes one moment."""
        number = self._step_count
        self._run_guarded(happen)
        return self[number]

    @read_locked
    def _run_guarded(self, happen: Callable[[], int]) -> None:
        self._check_world()
        self._check_not_failed()
        diary = self._recorder
        moments, before = diary.step_count, (diary.search_count, diary.belief_log.count, diary.expansion_log.count)
        try:
            why = self.world._call_alone(happen)
            if self._array_tracker is not None:
                self._record_arrays(self._array_tracker, *before)
            if why:
                self._end_trial()
        except BaseException as error:
            if self._runner.is_dirty or (diary.step_count > moments and not self.has_ended):
                self._failure = type(error).__name__
                diary.truncate(diary.step_count if self._array_tracker is None else moments)
            raise
        late = self._file.name is not None and time.monotonic() - self._last_write > PART_SECONDS
        if diary.step_count >= MAX_PART_STEPS or diary.item_count() + self._new_value_count > MAX_PART_ITEMS or late:
            self.flush()

    def _record_arrays(self, kept: ArrayTracker, searched: int, believed: int, expanded: int) -> None:
        """What the search of the last moment has changed in the planner's arrays; the counts were those before it."""
        kept.add_changed_locations(self._recorder.belief_log.entries(believed)[0])
        if self._recorder.search_count > searched:
            log, agent = self._recorder.expansion_log, self.agent
            news = kept.changed_values(self.world.belief, log, expanded, agent.state, agent.goals.states)
            self._array_changes.append(news)
            new = sum(len(states) for states, _ in news.values())
            self._new_state_count, self._new_value_count = self._new_state_count + new, self._new_value_count + new

    def _end_trial(self) -> None:
        self.trips.append(make_trip(self._runner, self.agent, self.world, self._counts_before))
        if self.has_ended:
            self.flush()
            self._file.finish(*trip_columns(self.trips))
            return
        pictures = self.world.belief, self.world.truth
        before = [all_values(space) for space in pictures]
        restart_agent(self.world, self.agent, self.start)  # which undoes changes, and shows that the start is free
        after = [all_values(space) for space in pictures]
        new = [np.flatnonzero(a != b) for a, b in zip(before, after, strict=True)]
        self._recorder.add_between_trials(*((places, values[places]) for places, values in zip(new, after, strict=True)))
        self._begin_trial()

    # Keeping it.

    @read_locked
    def _unwritten_part(self) -> Part | None:
        """The moments that are in no part yet."""
        if self._recorder.step_count == 0:
            return None
        if self._pending is None or self._pending.count != self._recorder.step_count:
            block = UnwrittenPart(self._file, self._file.step_count, self._recorder.step_count, self._columns())
            self._pending = Part(block, self.space.n, self.space.n_locations, len(self.array_names))
        return self._pending

    def _columns(self) -> Columns:
        goals = np.array(self.agent.goals.states, np.int64)
        return part_columns(self._recorder, self.space, goals, self._array_changes, list(self.array_names))

    def _run_to_end(self, most: int = INF) -> None:
        self.run_steps(most - len(self))

    @read_locked
    def flush(self) -> None:
        """Write all moments so far, into the file if there is one. (That happens by itself every second or so.)"""
        diary = self._recorder
        if diary.step_count == 0:
            return
        columns, pictures = self._columns(), 0
        self._new_location_count += diary.belief_log.count + diary.truth_log.count + diary.seen_log.count
        self._parts_since_keyframe += 1
        often = self._parts_since_keyframe >= KEYFRAME_PARTS and not self._failure
        if often or (self._new_location_count > max(4096, self.space.n_locations // 16) and not self._failure):
            pictures |= 1
            columns |= {"=belief": all_values(self.world.belief), "=truth": all_values(self.world.truth)}
            columns["=seen"] = diary.seen_places()
            self._new_location_count = 0
        if self._array_tracker is not None and (often or self._new_state_count > self.space.n // 2):
            pictures |= 2
            columns |= {"=" + name: array for name, array in self._array_tracker.values.items()}
            self._new_state_count = 0
        if often:
            self._parts_since_keyframe = 0
        packed = {name: (array, is_stored_by_differences(name)) for name, array in columns.items()}
        self._file.append_part(diary.step_count, pictures, packed)
        diary.clear()
        self._array_changes, self._new_value_count, self._pending, self._last_write = [], 0, None, time.monotonic()

    @read_locked
    def _write_to(self, handle: Any) -> None:
        self.flush()
        Story._write_to(self, handle)

    def __del__(self) -> None:
        with suppress(Exception):  # half made, or the disk is full: nobody can be told any more
            self.close()

    @read_locked
    def close(self) -> None:
        """Write the rest of the story into its file, and let go of it."""
        if self._file.name is None or self._file.handle.closed:
            return
        self.flush()
        if not self._file.end_offset:
            self._file.finish(*trip_columns(self.trips))
        Story.close(self)
