"""watch(): the trip of simulate(), step by step, recorded as a story. The caller may change the world in between.

Several stories can run at the same time if each has a world of its own: a world serves one trip at a time.
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

PART_SECONDS = 1.0  # time between parts of a file, and limit of what a crash loses
KEYFRAME_PARTS = 16  # parts from keyframe to keyframe at most


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
    """Begin a story: the trip that `simulate` makes with the same arguments, step by step.

    Parameters
    ----------
    world
        A World, or a space: the agent then knows all of it.
    planner
        A planner, or the name of one.
    start
        The cell (node of a graph) on which the agent starts.
    goal
        A cell, or a set of cells. None if the world has a target.
    max_moves
        Limit of moves and waits together, from 0. None: no limit.
    timing
        "trip" or "episode", as for `simulate`.
    trials
        Number of trips from the same start, from 1. None: one.
    max_seconds
        Time limit for computing a trip, in seconds, above 0. None: no limit.
    record_arrays
        True: keep the planner's values of every search (`Story.arrays`). It takes time and memory.
    file
        File to which the story is written as it happens. It then needs little memory, and an interrupted trip is not
        lost. `story.close()`, or a `with` statement, writes the rest.

    Returns
    -------
    LiveStory
        The story. It has no step yet.

    Raises
    ------
    InputError
        If the start, the goal or an option is not possible, or the file cannot be written.

    Notes
    -----
    The caller runs the trip: iterate over the story, or call `step()` for one step of time (None at the end),
    `run_steps(count)`, or `finish()` for all that are left. Between steps, `change(cells, to)` changes the true
    terrain, and `retarget(goal)` moves the goal. Each adds a step to the story, in which the agent senses, and
    searches if a search is due. A trip that had ended continues.

    Examples
    --------
    >>> import numpy as np, replan
    >>> story = replan.watch(replan.World(replan.Grid(np.zeros((3, 5), bool), neighbors=4)), "D* Lite", (1, 0), (1, 4))
    >>> story.space.keys(story.step().path)
    [(1, 1), (1, 2), (1, 3), (1, 4)]
    >>> step = story.change([(0, 1), (1, 1)], "blocked")
    >>> story.space.keys(step.path)
    [(2, 0), (2, 1), (2, 2), (1, 2), (1, 3), (1, 4)]
    >>> story.finish().moves
    6
    """
    world = as_world(world)
    check_options(timing, trials, max_moves, max_seconds)
    agent = world._call_alone(lambda: make_agent(world, planner, start, goal, has_own_spaces=True))
    array_tracker = ArrayTracker(agent.planner) if record_arrays else None
    story = LiveStory(_new_file(world, agent, trials or 1, array_tracker, file), world, agent, array_tracker)
    story._make_runner = partial(make_runner, max_moves, timing, max_seconds, story._recorder)
    story._begin_trial()
    return story


def _new_file(
    world: World, agent: Agent, trials: int, array_tracker: ArrayTracker | None, path: str | Path | None
) -> StoryFile:
    """Return a file, or memory, with the head of a story."""
    if path is not None:
        check_writable(world.space)
    space_metadata, columns = describe_space(world.space)
    head = {
        "planner": agent.planner_name,
        "recipe": "" if agent.planner.spec is None else agent.planner.spec.recipe,
        "sensor": _describe_sensor(world.sensor),
        "lookahead": 0 if agent.planner.expansion_limit >= INF else agent.planner.expansion_limit,
        "start": agent.state,
        "trials": trials,
        "arrays": {} if array_tracker is None else array_tracker.kinds,
        "all_seen": world.is_fully_known,
        "space": space_metadata,
    }
    keyframes = {"=belief": (all_values(world.belief), False), "=truth": (all_values(world.truth), False)}
    return StoryFile.new(_open_for_writing(path), path, head, {**columns, **keyframes})


def _describe_sensor(sensor: Any) -> str:
    """Return the name of a sensor in words."""
    if isinstance(sensor, Radius):
        metric = f", {sensor.metric}" if sensor.metric != "euclidean" else ""
        return f"radius {sensor.radius:g}{metric}" + (", line of sight" if sensor.line_of_sight else "")
    return sensor if isinstance(sensor, str) else type(sensor).__name__


def _open_for_writing(path: str | Path | None) -> BinaryIO:
    """Open a file for a story; None: memory. Raises InputError."""
    if path is None:
        return io.BytesIO()
    try:
        return Path(path).open("wb+")
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be written: {system_reason(error)}", path) from None


class LiveStory(Story):
    """A story whose trip is still running. `watch` creates it, and says how it is run."""

    _make_runner: Callable[[], TripRunner]
    _runner: TripRunner

    def __init__(self, file: StoryFile, world: World, agent: Agent, array_tracker: ArrayTracker | None) -> None:
        Story.__init__(self, file, world.space)
        self.world, self.agent = world, agent
        self._recorder = Recorder(self.space.n_locations, self.is_fully_known, self.space._paired_locations())
        self._array_tracker, self._world_trip = array_tracker, world._trip_number
        self._array_changes: list[dict[str, tuple[Array, Array]]] = []  # of each search since the last part
        self._new_location_count = self._new_state_count = self._new_value_count = self._parts_since_keyframe = 0
        self._last_write = time.monotonic()
        self._failure = ""  # name of the error that ended the trip in the middle of a step

    def _begin_trial(self) -> None:
        """Create the runner of the next trial, and note the counts of the planner."""
        self._runner = self._make_runner()
        self._counts_before = planner_counts(self.agent.planner)
        self._recorder.begin_trial(len(self.trips), self.agent)

    @property
    def planner(self) -> Planner:
        """Planner of the agent."""
        return self.agent.planner

    def __len__(self) -> int:
        return self._step_count

    def __iter__(self) -> Iterator[StoryStep]:
        i = 0
        while i < len(self) or self.step() is not None:
            yield self[i]
            i += 1

    # Running the trip.

    def step(self) -> StoryStep | None:
        """Run one step of time: a move or a wait, and the search that is due then.

        Returns
        -------
        StoryStep or None
            The step; None if the trip had ended.
        """
        return None if self.has_ended else self._make_step(lambda: self._runner.run_steps(self.agent, self.world, 1))

    def run_steps(self, count: int) -> int:
        """Run several steps of time. This is faster than `step`.

        Parameters
        ----------
        count
            Largest number of steps.

        Returns
        -------
        int
            Number of steps that were run, fewer than `count` if the trip has ended.
        """
        taken = 0
        while taken < count and not self.has_ended:
            limit = min(count - taken, max(1, MAX_PART_STEPS - self._recorder.step_count))
            if self._array_tracker is not None:
                limit = 1  # the arrays are compared after each step
            count_before = self._step_count
            self._run_guarded(partial(self._runner.run_steps, self.agent, self.world, limit))
            taken += self._step_count - count_before
        return taken

    def finish(self) -> Trip:
        """Run all steps that are left.

        Returns
        -------
        Trip
            The trip; of several trials, the last one.
        """
        while not self.has_ended:
            self.run_steps(MAX_PART_STEPS)
        assert self.trip is not None
        return self.trip

    @property
    def _step_count(self) -> int:
        return self._file.step_count + self._recorder.step_count

    @read_locked
    def change(self, cells: Iterable[Any], to: Any) -> StoryStep:
        """Change the true terrain. The change is a step of the story.

        Parameters
        ----------
        cells
            List of cells; on a graph, of edges (u, v).
        to
            "blocked", "free" or a weight, for all cells; or a list with one for each cell. The cell on which the agent
            stands is not blocked.

        Returns
        -------
        StoryStep
            The step, in which the agent senses, and searches if a search is due.

        Raises
        ------
        InputError
            If a cell is not on the map, or a value is not possible.
        """
        cell_list = list(cells)
        targets = list(to) if isinstance(to, (list, tuple, np.ndarray)) else [to] * len(cell_list)
        if len(targets) != len(cell_list):
            raise InputError(f"there are {len(cell_list)} cells and {len(targets)} values")
        locations = [key_to_location(self.space, cell) for cell in cell_list]
        values = [
            parse_change_value(target, location, self.world.truth)
            for target, location in zip(targets, locations, strict=True)
        ]
        self._reopen()
        return self._make_step(lambda: self._runner.edit_world(self.agent, self.world, CAUSE_CHANGE, locations, values))

    @read_locked
    def retarget(self, goal: Any) -> StoryStep:
        """Move the goal, until this trip ends. The change is a step of the story.

        Parameters
        ----------
        goal
            A cell, a set of cells, or a `Target` such as `replan.Flee(cell)`, which moves from then on.

        Returns
        -------
        StoryStep
            The step, in which the agent searches if a search is due.

        Raises
        ------
        InputError
            If a goal is not on the map.
        """
        self._check_world()
        self._reopen()
        self.flush()  # a part of the file has only one set of goals
        self.agent.retarget(goal.start if isinstance(goal, Target) else goal)
        self.world._set_target(goal if isinstance(goal, Target) else None)
        if self._array_tracker is not None:
            self._array_tracker.must_compare_all = True
        return self._make_step(lambda: self._runner.edit_world(self.agent, self.world, CAUSE_RETARGET, [], []))

    def _reopen(self) -> None:
        """Continue a trip that has ended, before it is changed."""
        if len(self) == 0:
            self.step()
        if self.has_ended:
            self.trips.pop()
            self._file.reopen()

    def _check_world(self) -> None:
        """Raise RuntimeError if the world has begun another trip."""
        if self.world._trip_number != self._world_trip:
            raise RuntimeError("the world of this story has begun another trip since: make one world for each story")

    def _check_not_failed(self) -> None:
        """Raise RuntimeError if an error has ended the trip in the middle of a step."""
        if self._failure:
            raise RuntimeError(
                f"this trip ended in the middle of a step, by a {self._failure}: its steps so far can be read and "
                "saved; to go on, watch another one"
            )

    def _make_step(self, action: Callable[[], int]) -> StoryStep:
        """Call an action that adds one step. Returns the step."""
        step_index = self._step_count
        self._run_guarded(action)
        return self[step_index]

    @read_locked
    def _run_guarded(self, action: Callable[[], int]) -> None:
        """Call an action that adds steps, and record what follows. If it fails, keep the complete steps."""
        self._check_world()
        self._check_not_failed()
        recorder = self._recorder
        steps_before = recorder.step_count
        counts_before = recorder.search_count, recorder.belief_log.count, recorder.expansion_log.count
        try:
            why = self.world._call_alone(action)
            if self._array_tracker is not None:
                self._record_arrays(self._array_tracker, *counts_before)
            if why:
                self._end_trial()
        except BaseException as error:
            if self._runner.is_dirty or (recorder.step_count > steps_before and not self.has_ended):
                self._failure = type(error).__name__
                recorder.truncate(recorder.step_count if self._array_tracker is None else steps_before)
            raise
        is_due = self._file.name is not None and time.monotonic() - self._last_write > PART_SECONDS
        if (
            recorder.step_count >= MAX_PART_STEPS
            or recorder.item_count() + self._new_value_count > MAX_PART_ITEMS
            or is_due
        ):
            self.flush()

    def _record_arrays(
        self, array_tracker: ArrayTracker, searches_before: int, beliefs_before: int, log_before: int
    ) -> None:
        """Record what the last search has changed in the planner's arrays. The counts are those before the step."""
        array_tracker.add_changed_locations(self._recorder.belief_log.entries(beliefs_before)[0])
        if self._recorder.search_count > searches_before:
            log, agent = self._recorder.expansion_log, self.agent
            changed = array_tracker.changed_values(self.world.belief, log, log_before, agent.state, agent.goals.states)
            self._array_changes.append(changed)
            count = sum(len(states) for states, _ in changed.values())
            self._new_state_count, self._new_value_count = self._new_state_count + count, self._new_value_count + count

    def _end_trial(self) -> None:
        """Record the trip of a trial. Then end the story, or begin the next trial."""
        self.trips.append(make_trip(self._runner, self.agent, self.world, self._counts_before))
        if self.has_ended:
            self.flush()
            self._file.finish(*trip_columns(self.trips))
            return
        spaces = self.world.belief, self.world.truth
        values_before = [all_values(space) for space in spaces]
        restart_agent(self.world, self.agent, self.start)  # undoes the changes; the start is seen to be free
        values_after = [all_values(space) for space in spaces]
        changed = [np.flatnonzero(before != after) for before, after in zip(values_before, values_after, strict=True)]
        self._recorder.add_between_trials(
            *((locations, values[locations]) for locations, values in zip(changed, values_after, strict=True))
        )
        self._begin_trial()

    # Storing the steps.

    @read_locked
    def _unwritten_part(self) -> Part | None:
        """Return the steps that are in no part yet, None if there are none."""
        if self._recorder.step_count == 0:
            return None
        if self._pending is None or self._pending.count != self._recorder.step_count:
            block = UnwrittenPart(self._file, self._file.step_count, self._recorder.step_count, self._columns())
            self._pending = Part(block, self.space.n, self.space.n_locations, len(self.array_names))
        return self._pending

    def _columns(self) -> Columns:
        """Return the steps since the last part, as columns."""
        goals = np.array(self.agent.goals.states, np.int64)
        return part_columns(self._recorder, self.space, goals, self._array_changes, list(self.array_names))

    def _run_to_end(self, max_steps: int = INF) -> None:
        self.run_steps(max_steps - len(self))

    @read_locked
    def flush(self) -> None:
        """Write all steps so far, into the file if there is one. This also happens about once a second."""
        recorder = self._recorder
        if recorder.step_count == 0:
            return
        columns, keyframes = self._columns(), 0
        self._new_location_count += recorder.belief_log.count + recorder.truth_log.count + recorder.seen_log.count
        self._parts_since_keyframe += 1
        is_regular = self._parts_since_keyframe >= KEYFRAME_PARTS and not self._failure
        if is_regular or (self._new_location_count > max(4096, self.space.n_locations // 16) and not self._failure):
            keyframes |= 1
            columns |= {"=belief": all_values(self.world.belief), "=truth": all_values(self.world.truth)}
            columns["=seen"] = recorder.seen_places()
            self._new_location_count = 0
        if self._array_tracker is not None and (is_regular or self._new_state_count > self.space.n // 2):
            keyframes |= 2
            columns |= {"=" + name: array for name, array in self._array_tracker.values.items()}
            self._new_state_count = 0
        if is_regular:
            self._parts_since_keyframe = 0
        stored = {name: (array, is_stored_by_differences(name)) for name, array in columns.items()}
        self._file.append_part(recorder.step_count, keyframes, stored)
        recorder.clear()
        self._array_changes, self._new_value_count, self._pending, self._last_write = [], 0, None, time.monotonic()

    @read_locked
    def _write_to(self, handle: Any) -> None:
        self.flush()
        Story._write_to(self, handle)

    def __del__(self) -> None:
        with suppress(Exception):  # not fully initialized, or the disk is full: no caller is left to be told
            self.close()

    @read_locked
    def close(self) -> None:
        """Write the rest of the story into its file, and close the file."""
        if self._file.name is None or self._file.handle.closed:
            return
        self.flush()
        if not self._file.end_offset:
            self._file.finish(*trip_columns(self.trips))
        Story.close(self)
