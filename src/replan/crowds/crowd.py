"""Crowds: many characters with starts and goals of their own. One call is a tick; arguments and results are arrays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from replan.arrays import view
from replan.budget import Budget
from replan.clock import deadline_in
from replan.crowds.arguments import checked_collisions, parse_ids, parse_start_goal_pairs, parse_states
from replan.crowds.characters import Characters
from replan.crowds.flow_fields import DEFAULT_MEMORY_LIMIT, FlowFields
from replan.crowds.id_registry import BYTES_PER_ID, IdRegistry
from replan.crowds.planner_setup import CrowdReport, MoveResult, is_flow_field, make_planners, refuse_world
from replan.crowds.pool import WorkerPool
from replan.crowds.shared_belief import SharedBelief
from replan.crowds.tick import Tick, TickJob
from replan.crowds.worker import Worker
from replan.errors import InputError
from replan.initialized import Initialized
from replan.limits import INF, UNREACHABLE, WAITING
from replan.locking import read_lock
from replan.maps.files import PathLike
from replan.planners import saved_file
from replan.serialization import Archive, copy_sharing, deep_copy, reduce_object
from replan.signals import check_signals
from replan.simulation.status import Status
from replan.spaces.observations import parse_map_observation, parse_observation
from replan.spaces.space import Space, check_change_count, check_space
from replan.worlds.world import World

try:
    import cython
except ImportError:
    from replan import _cython as cython

FIXED_GOALS_REASON = (
    "what is learned for one goal says nothing of another unless estimates obey the triangle inequality"
)
BROKEN_MESSAGE = (
    "an error interrupted an earlier call while it changed this crowd, which is now inconsistent: make another crowd, "
    "with the positions that your characters had before that call"
)
STATUS_BY_CODE = np.array([Status.WALKING, Status.ARRIVED, Status.UNREACHABLE, Status.WAITING], object)


class Crowd(Initialized):
    """Many characters that share a belief.

    Parameters
    ----------
    belief
        A Grid, a Graph or your own Space, which the observations of the characters change. Or a World, which then
        senses for them; a tick is a step of its time.
    planner
        Name of a real-time planner. "FlowField": one search for each goal, for many characters with the same goals.
    workers
        Threads that plan at the same time, from 1 to 256. The moves do not depend on it if budgets are expansions.
    collisions
        "wait": two characters never share a cell. A character waits while another one is on its next cell, and beside
        a goal that is occupied. None: characters may share cells.
    **options
        Options of the planner. Of "FlowField": memory_limit, the bytes that its searches may use.

    Raises
    ------
    InputError
        If the planner does not work in crowds, or an option is not possible.

    Notes
    -----
    With collisions, characters plan against the positions at the beginning of a tick, and move in the order of their
    ids. In open terrain no character is stuck for ever. In corridors two may wait for each other: resolve it by
    `retarget` or `set_positions`, or use no collisions there.

    After an error in the planning part of a tick, such as Ctrl-C, all characters are where they were, and the next tick
    continues. An error while characters move and sense (from a sensor or a space of yours) makes the crowd unusable:
    every later call says so.

    Memory grows with what characters learn, not with the map: the arrays of a search exist once for each worker. A flow
    field keeps a budget in expansions exactly, and one in time nearly.

    Examples
    --------
    >>> import numpy as np, replan
    >>> crowd = replan.Crowd(replan.Grid(np.zeros((20, 20), bool)), "RTAA*", lookahead=9)
    >>> ids = crowd.add([(0, 0), (5, 5)], [(0, 3), (9, 9)])
    >>> moved = crowd.tick()
    >>> moved.ids.tolist(), moved.cells.tolist()
    ([0, 1], [[0, 1], [6, 6]])
    >>> crowd.observe([(7, 7)], [True]), crowd.observe_map(np.ones((1, 2), bool), top_left=(8, 0))
    (1, 2)
    >>> crowd.retarget(ids[:1], (19, 0))
    >>> crowd.set_positions(ids[1:], [(3, 3)])
    >>> crowd.cells.tolist(), crowd.goals.tolist(), crowd.status.tolist()
    ([[0, 1], [3, 3]], [[19, 0], [9, 9]], [<Status.WALKING: 'walking'>, <Status.WALKING: 'walking'>])
    >>> crowd.tick(replan.Expansions(50), ids=ids[:1]).ids
    array([0])
    >>> crowd.remove(ids[:1])
    >>> crowd.sync()
    >>> crowd.ids, crowd.report().ticks
    (array([1]), 2)
    """

    belief: Space

    def __init__(
        self,
        belief: Space | World,
        planner: str = "RTAA*",
        workers: int = 1,
        collisions: str | None = None,
        **options: Any,
    ) -> None:
        self.check_not_initialized()
        self._initialize(belief, planner, workers, checked_collisions(collisions), options, True)
        self.is_initialized = True

    def _initialize(
        self,
        belief: Space | World,
        planner: str,
        workers: int,
        collisions: bool,
        options: dict[str, Any],
        is_new: bool,
    ) -> None:
        """Set up a crowd without characters. is_new: its world begins a trip; otherwise the trip continues."""
        world = belief if isinstance(belief, World) else None
        all_options, uses_flow_fields = dict(options), is_flow_field(planner)
        memory_limit = options.pop("memory_limit", DEFAULT_MEMORY_LIMIT) if uses_flow_fields else DEFAULT_MEMORY_LIMIT
        planners = make_planners(planner, workers, options)
        self.planner_name, self.options = planner, all_options
        if isinstance(belief, World):
            refuse_world(belief)
            space = belief.begin() if is_new else belief.belief
        else:
            space = belief
        check_space(space)
        self.characters = Characters(space.n)
        self.shared_belief = SharedBelief(space, world, self.characters.occupancy)
        self.belief, self.collisions = space, collisions
        self.world, self.trip_number = world, 0 if world is None else world._trip_number
        self.flow_fields = (
            FlowFields(space, self.characters, memory_limit, self.collisions) if uses_flow_fields else None
        )
        self.workers = [
            Worker(worker_planner, self.characters, self.shared_belief.last_increase) for worker_planner in planners
        ]
        self.current_tick = Tick(self.shared_belief, self.characters, self.workers, self.flow_fields, self.collisions)
        self.pool = WorkerPool([TickJob(self.current_tick, worker) for worker in self.workers])
        self.registry = IdRegistry()
        self.rng_state, self.has_user_heuristic = 0, False  # rng_state: of new characters
        self.is_reserved = self.is_busy = self.is_dirty = False
        self.search_count = self.deferred_search_count = self.waiting_count = self.longest_wait_ticks = (
            self.tick_count
        ) = self.expansions = 0
        self.shared_belief.subscribe(self)

    # The characters.

    @property
    def ids(self) -> np.ndarray[Any, Any]:
        """Ids of the characters, in the order in which they were added."""
        self._check_usable()
        return self.registry.ids.copy()

    @property
    def cells(self) -> Any:
        """Cells of the characters, in the order of `ids`: an array of rows and columns (on a graph: a list)."""
        self._check_usable()
        return self.belief.cells_of(self.characters.column("state", self.registry.rows))

    @property
    def goals(self) -> Any:
        """Goals of the characters, in the form of `cells`."""
        self._check_usable()
        return self.belief.cells_of(self.characters.column("goal", self.registry.rows))

    @property
    def status(self) -> np.ndarray[Any, Any]:
        """Status of the characters, in the order of `ids`: an array of `Status`."""
        self._check_usable()
        rows = self.registry.rows
        states, goals = self.characters.column("state", rows), self.characters.column("goal", rows)
        status = self.characters.column("status", rows)
        codes = 2 * (status == UNREACHABLE) + 3 * (status == WAITING)
        codes[states == goals] = 1
        result: np.ndarray[Any, Any] = STATUS_BY_CODE[codes]
        return result

    def __len__(self) -> int:
        return len(self.registry.rows) if self.is_initialized else 0

    def __repr__(self) -> str:
        if not self.is_initialized:
            return "<Crowd, not initialized>"
        name = "FlowField" if self.flow_fields is not None else self.current_tick.first_worker.planner.spec.name
        workers = len(self.workers)
        return f"<Crowd of {len(self.registry.rows):,} by {name}, {workers} worker{'s' * (workers > 1)}>"

    # Saving: see `replan/serialization.py`, `planners/saved_file.py` and `replan/locking.py`.

    def save(self, path: PathLike) -> None:
        """Write the crowd to a file that `load` reads: belief, characters, paths, and all that was learned.

        The next ticks of the loaded crowd are those that this crowd would take. See `Agent.save` on what a file holds.

        Parameters
        ----------
        path
            The file. One that was there before is replaced when the new one is complete.

        Raises
        ------
        InputError
            If the file cannot be written, or a part is of your own: a rule, a queue, a heuristic, a sensor or a space.
        RuntimeError
            If the crowd is in the middle of a call, or an error has made it unusable.

        Examples
        --------
        >>> import numpy as np, pathlib, replan, tempfile
        >>> crowd = replan.Crowd(replan.Grid(np.zeros((20, 20), bool)), "RTAA*", lookahead=9)
        >>> ids, moved = crowd.add([(0, 0), (5, 5)], [(0, 3), (9, 9)]), crowd.tick()
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     crowd.save(pathlib.Path(folder, "town.replan"))
        ...     loaded = replan.Crowd.load(pathlib.Path(folder, "town.replan"), workers=2)
        >>> loaded.tick().cells.tolist() == crowd.tick().cells.tolist()
        True
        """
        saved_file.save(self, path)

    @classmethod
    def load(cls, path: PathLike, workers: int = 1) -> Crowd:
        """Read a crowd that `save` has written.

        Parameters
        ----------
        path
            The file. It needs no trust: nothing in it is executed.
        workers
            Threads that plan at the same time, from 1 to 256. The moves do not depend on it.

        Returns
        -------
        Crowd
            The crowd, with a belief of its own.

        Raises
        ------
        InputError
            If the file cannot be read, is damaged, or holds something else.
        """
        return saved_file.load(path, Crowd, workers=workers)

    def _hold(self) -> Iterator[tuple[Any, ...]]:
        self._check_usable()
        self.is_busy = True
        try:
            self.shared_belief.sync()
            with read_lock(self.belief if self.world is None else self.world):
                yield (self, *(() if self.flow_fields is None else self.flow_fields.by_goal.values()))
        finally:
            self.is_busy = False

    def __reduce__(self) -> Any:
        """Support `copy` and `pickle`. The copy continues exactly as this crowd would."""
        with read_lock(self):
            archive = Archive(self)
            self.serialize(archive)
            belief = self.belief if self.world is None else self.world
            return reduce_object(self, (Crowd, belief, self.planner_name, self.collisions, self.options), archive)

    def __copy__(self) -> Crowd:
        """Copy the crowd. The copy shares the belief."""
        self._check_usable()
        return copy_sharing(self, *self.belief.shared_parts())

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return deep_copy(self, memo)

    def _restore(self, kind: Any, args: tuple[Any, ...], fields: dict[str, Any]) -> None:
        belief, planner, collisions, options = args
        self.check_not_initialized()
        archive = Archive(self, fields)
        self._initialize(belief, planner, archive.value("workers", None), collisions, options, False)
        self.serialize(archive)
        self.is_initialized = True

    def serialize(self, archive: Archive) -> None:
        check_change_count(archive, self.belief)
        archive.value("workers", len(self.workers))
        self.tick_count, self.expansions = (
            archive.integer("tick_count", self.tick_count, 0),
            archive.integer("used", self.expansions, 0),
        )
        self.search_count, self.longest_wait_ticks = (
            archive.integer("search_count", self.search_count, 0),
            archive.integer("longest_wait_ticks", self.longest_wait_ticks, 0),
        )
        self.deferred_search_count, self.waiting_count = (
            archive.integer("deferred_search_count", self.deferred_search_count, 0),
            archive.integer("waiting_count", self.waiting_count, 0),
        )
        self.registry.serialize(archive)
        if archive.boolean("is_reserved", self.is_reserved) and archive.is_loading:
            self._reserve(0)
        archive.require(self.is_reserved or not len(self.registry.rows), "it has characters and no search")
        self.current_tick.tick_number = archive.integer("tick", self.current_tick.tick_number, 0, INF)
        self.shared_belief.serialize(archive.nested("belief"))
        self.characters.serialize(
            archive.nested("characters"), self.registry.rows, self.belief, self.current_tick.tick_number
        )
        if archive.is_loading:
            self.characters.set_column("id", self.registry.rows, self.registry.ids)
        if self.flow_fields is not None:
            self.flow_fields.serialize(archive)

    # Adding, removing and moving characters.

    def add(self, starts: Any, goals: Any) -> np.ndarray[Any, Any]:
        """Add characters.

        Parameters
        ----------
        starts
            An array of cells, (n, 2), or one cell for all. On a graph, a list of nodes. A start is free, whatever the
            belief says.
        goals
            As many cells as starts, or one for all.

        Returns
        -------
        ndarray
            Their ids. An id is never used again.

        Raises
        ------
        InputError
            If a cell is not on the map, the numbers differ, or a start is occupied (with collisions).
        """
        self._begin_call()
        try:
            states, goal_states = parse_start_goal_pairs(self.belief, starts, goals)
            self._refuse_occupied(states, states[:0])
            if self.flow_fields is not None:
                self._set_flow_field_goals(goal_states, self.registry.rows)
            if not len(states):
                return np.empty(0, np.int64)
            self._reserve(int(goal_states[0]))
            first = len(self.registry.row_of)
            self.shared_belief.sync()
            pairs = enumerate(zip(states.tolist(), goal_states.tolist(), strict=True))
            self.is_dirty = True
            rows = [self._add_character(s, g, first + i) for i, (s, g) in pairs]
            ids = self.registry.add(np.array(rows, np.int32))
            self.is_dirty = False
            return ids
        finally:
            self._end_call()

    def _add_character(self, state: int, goal: int, id: int) -> int:
        c = self.characters.add_row(state, goal, id, self.rng_state)
        self.characters.character[c].known_increases = self.shared_belief.increase_count
        self.characters.character[c].known_decreases = self.shared_belief.decrease_count
        self.shared_belief.on_arrival(state)
        return c

    def remove(self, ids: Any) -> None:
        """Remove characters.

        Parameters
        ----------
        ids
            Their ids.

        Raises
        ------
        InputError
            If there is no character with one of these ids.
        """
        self._begin_call()
        try:
            known = parse_ids(ids)
            rows = np.unique(self.registry.rows_of(known)).tolist()
            self.is_dirty = True
            for c in rows:
                self.characters.remove_row(c)
            self.registry.remove(known)
            self.is_dirty = False
        finally:
            self._end_call()

    def retarget(self, ids: Any, goals: Any) -> None:
        """Give characters other goals. They keep what they have learned, as far as it still holds.

        Parameters
        ----------
        ids
            Their ids.
        goals
            As many cells as ids, or one for all.

        Raises
        ------
        InputError
            If an id or a cell is not known, or the planner has a heuristic of yours.
        """
        self._begin_call()
        try:
            known, goal = parse_ids(ids), parse_states(self.belief, goals, "goals")
            if self.has_user_heuristic:
                raise InputError(f"goals cannot move with a heuristic of your own in a crowd: {FIXED_GOALS_REASON}")
            rows = self.registry.rows_of(known)
            if len(goal) not in (1, len(rows)):
                raise InputError(f"there are {len(rows):,} ids and {len(goal):,} goals: give as many, or one for all")
            if self.flow_fields is not None:
                self._set_flow_field_goals(goal, np.setdiff1d(self.registry.rows, rows))
            self.shared_belief.sync()
            if len(rows):
                self._retarget(view(rows), view(np.resize(goal, len(rows))))
        finally:
            self._end_call()

    def _retarget(self, rows: memoryview, goals: memoryview) -> None:
        worker, belief = self.current_tick.first_worker, self.shared_belief
        worker.begin_planning()
        try:
            self.is_dirty = True
            with cython.nogil:
                for i in range(len(rows)):
                    if self.characters.character[rows[i]].goal != goals[i]:
                        worker.apply_changes(rows[i], belief.increase_count, belief.decrease_count)
                        worker.retarget(rows[i], goals[i])
            self.is_dirty = False
        finally:
            worker.end_planning(not self.is_dirty)

    def set_positions(self, ids: Any, cells: Any) -> None:
        """Put characters on other cells. They plan again, with what they have learned.

        Parameters
        ----------
        ids
            Their ids, each once.
        cells
            As many cells as ids.

        Raises
        ------
        InputError
            If an id or a cell is not known, or a cell is occupied (with collisions).
        """
        self._begin_call()
        try:
            rows, states = self.registry.rows_of(parse_ids(ids)), parse_states(self.belief, cells, "cells")
            if len(states) != len(rows):
                raise InputError(f"there are {len(rows):,} ids and {len(states):,} cells: give as many")
            if len(np.unique(rows)) < len(rows):
                raise InputError("an id occurs twice: give each id once")
            self._refuse_occupied(states, rows)
            self.shared_belief.sync()
            pairs = list(zip(rows.tolist(), states.tolist(), strict=True))
            self.is_dirty = True
            for c, s in pairs:
                if self.characters.character[c].state != s:
                    self.characters.move_to(c, s)
                    self.shared_belief.on_arrival(s)
            self.is_dirty = False
        finally:
            self._end_call()

    # Observations.

    def observe(self, cells: Any, blocked: ArrayLike | None = None, weights: ArrayLike | None = None) -> int:
        """Tell the crowd what one of its characters has seen. All characters know it then.

        Parameters
        ----------
        cells
            A list or array of cells, as in `Agent.observe`.
        blocked
            True for a blocked cell: a list, an array, or one value for all. Give either `blocked` or `weights`.
        weights
            Weight of each cell, 0 for a blocked one.

        Returns
        -------
        int
            Number of cells that the belief did not have so.

        Notes
        -----
        The crowd does not believe that an occupied cell is blocked.
        """
        self._begin_call()
        try:
            locations, values = parse_observation(self.belief, cells, blocked, weights)
            return self._observe(view(locations), view(values))
        finally:
            self._end_call()

    def observe_map(
        self,
        blocked: ArrayLike | None = None,
        weights: ArrayLike | None = None,
        top_left: Any = None,
        seen_mask: ArrayLike | None = None,
    ) -> int:
        """Tell the crowd what was seen of the whole map, or of a window of it.

        Parameters
        ----------
        blocked
            2-D array, True for a blocked cell. Give either `blocked` or `weights`.
        weights
            2-D array, the weight of each cell, 0 for a blocked one.
        top_left
            Cell (row, col) of the map at row 0 and column 0 of the window. None: the arrays show the whole map.
        seen_mask
            2-D array, True for the cells of the window that were really seen.

        Returns
        -------
        int
            Number of cells that the belief did not have so.
        """
        self._begin_call()
        try:
            locations, values = parse_map_observation(self.belief, blocked, weights, top_left, seen_mask)
            return self._observe(view(locations), view(values))
        finally:
            self._end_call()

    def _observe(self, locations: memoryview, values: memoryview) -> int:
        self.shared_belief.sync()
        self.is_dirty = True
        changed_count = self.shared_belief.observe(locations, values)
        self.is_dirty = False
        return changed_count

    def sync(self) -> None:
        """Apply the changes that others have made in the belief. `tick` does so first."""
        self._begin_call()
        try:
            self.shared_belief.sync()
        finally:
            self._end_call()

    def _on_external_change(self) -> bool:
        """Apply the changes before the log drops them. False if a tick or another thread prevents it."""
        self.check_initialized()
        if self.is_busy:
            return self.shared_belief.is_synced()
        self.is_busy = True
        try:
            self.shared_belief.sync()
        finally:
            self.is_busy = False
        return True

    # A tick.

    def tick(self, budget: Budget | None = None, ids: Any = None) -> MoveResult:
        """Plan for the characters that must plan, then move each character that has a path by one step.

        Parameters
        ----------
        budget
            Expansions or microseconds for the whole tick. The characters that have waited longest plan first, and at
            least one plans. None: all of them plan.
        ids
            Ids of the characters that may move, or an array with True or False for each of `ids`. None: all.

        Returns
        -------
        MoveResult
            Ids and cells of the characters that have moved.

        Raises
        ------
        InputError
            If the budget or an id is not possible.
        """
        self._begin_call()
        try:
            expansions, time_ns = INF, 0
            if budget is not None:
                expansions, time_ns = Budget._checked(budget).expansions, budget.nanoseconds
            rows = self.registry.select(ids)
            return self._tick(rows, max(1, expansions), deadline_in(time_ns))
        finally:
            self._end_call()

    def _tick(self, rows: np.ndarray[Any, Any], expansions: int, deadline: int) -> MoveResult:
        tick = self.current_tick
        if not self.is_reserved:  # no character has ever come
            self.tick_count += 1
            return self._move_result(np.empty(0, np.int64), np.empty((0, tick.location_size), np.int64))
        self.shared_belief.sync()
        self.shared_belief.unblock_occupied()
        tick.start_pool(len(rows), self.pool)
        try:
            tick.gather(view(rows))
            tick.plan(expansions, deadline)
            ids, places = (
                np.empty(tick.mover_count, np.int64),
                np.empty((tick.mover_count, tick.location_size), np.int64),
            )
            moved_ids, moved_places = view(ids), view(places.reshape(-1))
            check_signals()  # Ctrl-C until now leaves each character where it was
            self.shared_belief.begin_change()
            try:
                self.is_dirty = True
                tick.move(moved_ids, moved_places)
                tick.advance_and_sense()
                self.is_dirty = False
            finally:
                self.shared_belief.end_change()
        finally:
            tick.stop_pool()
        self._add_counts(tick)
        return self._move_result(ids[: tick.moved_count], places[: tick.moved_count])

    def _add_counts(self, tick: Tick) -> None:
        """Add the counts of a tick to those of the next report."""
        self.tick_count += 1
        self.waiting_count = tick.waiting_count
        self.longest_wait_ticks = max(self.longest_wait_ticks, tick.longest_wait_ticks)
        self.deferred_search_count += tick.waiting_count
        self.search_count += tick.due_count - tick.waiting_count
        self.expansions += tick.expansions

    def _move_result(self, ids: np.ndarray[Any, Any], places: np.ndarray[Any, Any]) -> MoveResult:
        is_grid = self.current_tick.location_size == 2
        return MoveResult(ids, places if is_grid else self.belief.cells_of(places[:, 0]))

    def report(self) -> CrowdReport:
        """Report what the crowd has done since the last report.

        Returns
        -------
        CrowdReport
            Counts, and the memory that is used.
        """
        self._check_usable()
        rows, paths, tables = self.characters.bytes_used(self.registry.rows)
        report = CrowdReport(
            characters=len(self.registry.rows),
            ticks=self.tick_count,
            searches=self.search_count,
            expansions=self.expansions,
            deferred_searches=self.deferred_search_count,
            waiting_characters=self.waiting_count,
            longest_wait_ticks=self.longest_wait_ticks,
            learned_h_values=self.characters.learned_count(self.registry.rows),
            row_bytes=rows + BYTES_PER_ID * len(self.registry.rows),
            path_bytes=paths,
            learned_bytes=tables,
        )
        self.search_count = self.deferred_search_count = self.longest_wait_ticks = self.tick_count = self.expansions = 0
        return report

    # Checks.

    def _check_usable(self) -> None:
        self.check_initialized()
        if self.is_dirty and not self.is_busy:
            raise RuntimeError(BROKEN_MESSAGE)
        if self.world is not None and self.world._trip_number != self.trip_number:
            raise RuntimeError("another trip has begun in the world of this crowd: make a world for each crowd")
        if self.is_busy:
            raise RuntimeError("this crowd is in the middle of a call: it serves one thread at a time")

    def _begin_call(self) -> None:
        """Mark the crowd as busy. Raise if another call or thread uses it."""
        self._check_usable()
        if self.world is not None:
            self.world._begin_call()
        self.is_busy = True

    def _end_call(self) -> None:
        self.is_busy = False
        if self.world is not None:
            self.world._end_call()

    def _reserve(self, goal: int) -> None:
        """Reserve the memory of the searches when the first characters come."""
        if not self.is_reserved:
            for worker in self.workers:
                worker.warm_up(self.belief, goal)
                if self.shared_belief.records_seen and self.world is not None:
                    worker.observer = self.world.make_observer()
            first = self.current_tick.first_worker
            self.rng_state, self.has_user_heuristic = first.rng_state(), first.has_user_heuristic()
            self.is_reserved = True

    def _refuse_occupied(self, states: np.ndarray[Any, Any], rows: np.ndarray[Any, Any]) -> None:
        """With collisions: raise InputError if one of these states is occupied by a character of another row."""
        taken = self.characters.first_conflict(view(states), view(rows)) if self.collisions else -1
        if taken >= 0:
            raise InputError(
                f"{self.belief.key(taken)} is occupied, and this crowd has collisions: choose another cell"
            )

    def _set_flow_field_goals(self, goals: np.ndarray[Any, Any], others: np.ndarray[Any, Any]) -> None:
        """With flow fields: raise InputError if there is no memory for these goals and those of the other rows."""
        assert self.flow_fields is not None
        self.flow_fields.set_goals(np.concatenate([goals, self.characters.column("goal", others)]))


saved_file.register_savable(Crowd)
