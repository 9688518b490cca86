"""Crowds: many characters with their own starts and goals, one call a tick, arrays in and arrays out."""

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

FIXED_GOALS_REASON = "what is learned for one goal says nothing of another unless estimates obey the triangle inequality"
BROKEN_MESSAGE = (
    "an error has broken off an earlier call while it changed this crowd, which no longer fits together: make another "
    "one, where your characters stood before that call"
)
STATUS_BY_CODE = np.array([Status.WALKING, Status.ARRIVED, Status.UNREACHABLE, Status.WAITING], object)


class Crowd(Initialized):
    """Many characters that share what they believe and what they see.

    believed: a Grid, a Graph or your own Space, which changes as they observe; or a World, which then sees for them
    (and changes as it does for one agent: a tick is a step of time). planner: the name of a real-time planner, and its
    options. workers: threads that plan at the same time; with budgets in expansions the moves are the same. solid:
    characters do not stand on each other. They plan against where all stand at the beginning of a tick, and step in
    the order of their ids; who finds no way past the others waits, also beside a goal on which somebody stands. In
    open terrain nobody is stuck for ever. In corridors two may meet and wait for each other: give way in your game by
    `retarget` or `place`, or do without `solid` there.

    planner="FlowField" is one search for each goal, for many who have the same (memory_limit: the bytes that these may take); its
    budget in expansions is kept, one in time nearly.

    An error, such as Ctrl-C or one in a class of yours, leaves everybody where it was, and the next tick goes on. One
    that comes while characters step and look around (from a sensor or a space of yours) ends the crowd: every later
    call says so.

    Memory follows what characters have learned, not the map: the arrays of a search are there once for each worker.

    Raises InputError for a planner that does not work in crowds, and for cells that are not on the map.

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
    >>> crowd.ids, crowd._on_external_change(), crowd.report().ticks
    (array([1]), True, 2)
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
        believed: Space | World,
        planner: str,
        workers: int,
        collisions: bool,
        options: dict[str, Any],
        is_new: bool,
    ) -> None:
        """A crowd without characters. is_new: its world begins a trip; otherwise the trip goes on."""
        world = believed if isinstance(believed, World) else None
        given, leads = dict(options), is_flow_field(planner)
        memory_limit = options.pop("memory_limit", DEFAULT_MEMORY_LIMIT) if leads else DEFAULT_MEMORY_LIMIT
        made = make_planners(planner, workers, options)
        self.planner_name, self.options = planner, given
        if isinstance(believed, World):
            refuse_world(believed)
            space = believed.begin() if is_new else believed.belief
        else:
            space = believed
        check_space(space)
        self.characters = Characters(space.n)
        self.shared_belief = SharedBelief(space, world, self.characters.occupancy)
        self.belief, self.collisions = space, collisions
        self.world, self.trip_number = world, 0 if world is None else world._trip_number
        self.flow_fields = FlowFields(space, self.characters, memory_limit, self.collisions) if leads else None
        self.workers = [Worker(one, self.characters, self.shared_belief.last_increase) for one in made]
        self.current_tick = Tick(self.shared_belief, self.characters, self.workers, self.flow_fields, self.collisions)
        self.pool = WorkerPool([TickJob(self.current_tick, worker) for worker in self.workers])
        self.registry = IdRegistry()
        self.rng_state, self.has_user_heuristic = 0, False  # rng_state: of new characters
        self.is_reserved = self.is_busy = self.is_dirty = False
        self.search_count = self.deferred_search_count = self.waiting_count = self.longest_wait_ticks = self.tick_count = self.expansions = 0
        self.shared_belief.subscribe(self)

    # Who is there.

    @property
    def ids(self) -> np.ndarray[Any, Any]:
        """The ids of all, in the order in which they came."""
        self._check_usable()
        return self.registry.ids.copy()

    @property
    def cells(self) -> Any:
        """Where all of them stand, in the order of `ids`: an array with a row and a column for each (nodes: a list)."""
        self._check_usable()
        return self.belief.cells_of(self.characters.column("state", self.registry.rows))

    @property
    def goals(self) -> Any:
        """Where all of them go, as `cells`."""
        self._check_usable()
        return self.belief.cells_of(self.characters.column("goal", self.registry.rows))

    @property
    def status(self) -> np.ndarray[Any, Any]:
        """How all of them are doing, in the order of `ids`: an array of `Status`."""
        self._check_usable()
        rows = self.registry.rows
        at, goal = self.characters.column("state", rows), self.characters.column("goal", rows)
        status = self.characters.column("status", rows)
        codes = 2 * (status == UNREACHABLE) + 3 * (status == WAITING)
        codes[at == goal] = 1
        told: np.ndarray[Any, Any] = STATUS_BY_CODE[codes]
        return told

    def __len__(self) -> int:
        return len(self.registry.rows) if self.is_initialized else 0

    def __repr__(self) -> str:
        if not self.is_initialized:
            return "<Crowd, not made yet>"
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
            If the crowd is in the middle of a call, or an error has broken it.

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
            The crowd, with a belief of its own: `believed`.

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
        """A crowd that goes on as this one would, for `copy` and `pickle`."""
        with read_lock(self):
            bag = Archive(self)
            self.serialize(bag)
            made = Crowd, self.belief if self.world is None else self.world, self.planner_name, self.collisions
            return reduce_object(self, (*made, self.options), bag)

    def __copy__(self) -> Crowd:
        """A crowd of its own with the same belief."""
        self._check_usable()
        return copy_sharing(self, *self.belief.shared_parts())

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return deep_copy(self, memo)

    def _restore(self, kind: Any, args: tuple[Any, ...], fields: dict[str, Any]) -> None:
        believed, planner, collisions, options = args
        self.check_not_initialized()
        bag = Archive(self, fields)
        self._initialize(believed, planner, bag.value("workers", None), collisions, options, False)
        self.serialize(bag)
        self.is_initialized = True

    def serialize(self, bag: Archive) -> None:
        check_change_count(bag, self.belief)
        bag.value("workers", len(self.workers))
        self.tick_count, self.expansions = bag.integer("tick_count", self.tick_count, 0), bag.integer("used", self.expansions, 0)
        self.search_count, self.longest_wait_ticks = bag.integer("search_count", self.search_count, 0), bag.integer("longest_wait_ticks", self.longest_wait_ticks, 0)
        self.deferred_search_count, self.waiting_count = bag.integer("deferred_search_count", self.deferred_search_count, 0), bag.integer("waiting_count", self.waiting_count, 0)
        self.registry.serialize(bag)
        if bag.boolean("is_reserved", self.is_reserved) and bag.is_loading:
            self._reserve(0)
        bag.require(self.is_reserved or not len(self.registry.rows), "it has characters and no search")
        self.current_tick.tick_number = bag.integer("tick", self.current_tick.tick_number, 0, INF)
        self.shared_belief.serialize(bag.nested("belief"))
        self.characters.serialize(bag.nested("characters"), self.registry.rows, self.belief, self.current_tick.tick_number)
        if bag.is_loading:
            self.characters.set_column("id", self.registry.rows, self.registry.ids)
        if self.flow_fields is not None:
            self.flow_fields.serialize(bag)

    # Who comes and goes.

    def add(self, starts: Any, goals: Any) -> np.ndarray[Any, Any]:
        """More characters. starts, goals: (n, 2) arrays of cells, or one pair for all (lists of nodes on a graph).

        Returns their ids, which nobody else ever gets. A start that is believed to be blocked is known to be free then.
        """
        self._begin_call()
        try:
            at, goal = parse_start_goal_pairs(self.belief, starts, goals)
            self._refuse_occupied(at, at[:0])
            if self.flow_fields is not None:
                self._set_flow_field_goals(goal, self.registry.rows)
            if not len(at):
                return np.empty(0, np.int64)
            self._reserve(int(goal[0]))
            first = len(self.registry.row_of)
            self.shared_belief.sync()
            pairs = enumerate(zip(at.tolist(), goal.tolist(), strict=True))
            self.is_dirty = True
            rows = [self._add_character(s, g, first + i) for i, (s, g) in pairs]
            ids = self.registry.add(np.array(rows, np.int32))
            self.is_dirty = False
            return ids
        finally:
            self._end_call()

    def _add_character(self, at: int, goal: int, id: int) -> int:
        c = self.characters.add_row(at, goal, id, self.rng_state)
        self.characters.character[c].known_increases = self.shared_belief.increase_count
        self.characters.character[c].known_decreases = self.shared_belief.decrease_count
        self.shared_belief.on_arrival(at)
        return c

    def remove(self, ids: Any) -> None:
        """These go."""
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
        """Send these to other goals: as many cells as ids, or one for all.

        What they have learned is kept, as far as it still holds. One that is sent where it goes already goes on.
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
        """Put these elsewhere: as many cells as ids. They plan anew, with what they have learned."""
        self._begin_call()
        try:
            rows, at = self.registry.rows_of(parse_ids(ids)), parse_states(self.belief, cells, "cells")
            if len(at) != len(rows):
                raise InputError(f"there are {len(rows):,} ids and {len(at):,} cells: give as many")
            if len(np.unique(rows)) < len(rows):
                raise InputError("somebody is put in two places: name everybody once")
            self._refuse_occupied(at, rows)
            self.shared_belief.sync()
            pairs = list(zip(rows.tolist(), at.tolist(), strict=True))
            self.is_dirty = True
            for c, s in pairs:
                if self.characters.character[c].state != s:
                    self.characters.move_to(c, s)
                    self.shared_belief.on_arrival(s)
            self.is_dirty = False
        finally:
            self._end_call()

    # What they see.

    def observe(self, cells: Any, blocked: ArrayLike | None = None, weights: ArrayLike | None = None) -> int:
        """Say what any of them has seen, as `Agent.observe`: all of them know it. How much of it is news?

        That a cell is blocked where somebody stands is not believed.
        """
        self._begin_call()
        try:
            places, values = parse_observation(self.belief, cells, blocked, weights)
            return self._observe(view(places), view(values))
        finally:
            self._end_call()

    def observe_map(
        self,
        blocked: ArrayLike | None = None,
        weights: ArrayLike | None = None,
        top_left: Any = None,
        seen: ArrayLike | None = None,
    ) -> int:
        """Say what was seen of a whole map, or of a window of it, as `Agent.observe_map`. How much of it is news?"""
        self._begin_call()
        try:
            places, values = parse_map_observation(self.belief, blocked, weights, top_left, seen)
            return self._observe(view(places), view(values))
        finally:
            self._end_call()

    def _observe(self, places: memoryview, values: memoryview) -> int:
        self.shared_belief.sync()
        self.is_dirty = True
        news = self.shared_belief.observe(places, values)
        self.is_dirty = False
        return news

    def sync(self) -> None:
        """Take in what others have changed in the belief. `tick` does so first of all."""
        self._begin_call()
        try:
            self.shared_belief.sync()
        finally:
            self._end_call()

    def _on_external_change(self) -> bool:
        """Changes are about to be forgotten: take them in now, unless a tick or another thread is at work here."""
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
        """One tick: plan for those who have to, then a step for everybody who has a path. Who has moved, and where to?

        budget: expansions or microseconds for the whole tick; None: everybody plans. Whoever has waited longest comes
        first, and at least one is planned for. who: the ids of those who are ready to take a step, or True and False
        for each of `ids`; None: all.
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
            ids, places = np.empty(tick.mover_count, np.int64), np.empty((tick.mover_count, tick.location_size), np.int64)
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
        """How the crowd has fared since the last report."""
        self._check_usable()
        rows, paths, tables = self.characters.bytes_used(self.registry.rows)
        told = CrowdReport(
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
        return told

    # Checks.

    def _check_usable(self) -> None:
        self.check_initialized()
        if self.is_dirty and not self.is_busy:
            raise RuntimeError(BROKEN_MESSAGE)
        if self.world is not None and self.world._trip_number != self.trip_number:
            raise RuntimeError("another trip has begun in the world of this crowd: make one world for each")
        if self.is_busy:
            raise RuntimeError("this crowd is in the middle of a call: it serves one thread at a time")

    def _begin_call(self) -> None:
        """One call at a time: not from inside another one, and not from two threads."""
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
        """With collisions: InputError if the characters of these rows do not fit there."""
        taken = self.characters.first_conflict(view(states), view(rows)) if self.collisions else -1
        if taken >= 0:
            raise InputError(f"somebody stands on {self.belief.key(taken)} already, and characters are solid")

    def _set_flow_field_goals(self, goals: np.ndarray[Any, Any], others: np.ndarray[Any, Any]) -> None:
        """With fields: InputError if there is no memory for these goals and those of the other rows."""
        assert self.flow_fields is not None
        self.flow_fields.set_goals(np.concatenate([goals, self.characters.column("goal", others)]))


saved_file.register_savable(Crowd)
