"""Crowds: many characters with their own starts and goals, one call a frame, arrays in and arrays out."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from replan.arrays import view
from replan.budget import Budget
from replan.clock import deadline_in
from replan.crowds.fields import MEMORY, Fields
from replan.crowds.frame import CrowdFrame, HelperFailed
from replan.crowds.given import cells_of, numbers_of, pairs_of, states_of
from replan.crowds.people import People
from replan.crowds.planning import CrowdReport, Moved, is_field, planners_for, refuse_world
from replan.crowds.roll import INDEX, Roll
from replan.crowds.team import Team
from replan.errors import InputError
from replan.limits import INF, UNREACHABLE, WAITING
from replan.simulation.status import Status
from replan.spaces.observed import map_seen, values_seen
from replan.spaces.space import Space
from replan.worlds.world import World

FIXED = "what is learned for one goal says nothing of another unless estimates obey the triangle inequality"
CODES = np.array([Status.WALKING, Status.ARRIVED, Status.NO_WAY, Status.WAITING], object)


class Crowd:
    """Many characters that share what they believe and what they see.

    believed: a Grid, a Graph or your own Space, which changes as they observe; or a World, which then sees for them
    (and changes as it does for one agent: a frame is a step of time). planner: the name of a real-time planner, and its
    options. workers: threads that plan at the same time; with budgets in expansions the moves are the same. solid:
    characters do not stand on each other. They plan against where all stand at the beginning of a frame, and step in
    the order of their ids; who finds no way past the others waits, also beside a goal on which somebody stands. In
    open terrain nobody is stuck for ever. In corridors two may meet and wait for each other: give way in your game by
    `retarget` or `place`, or do without `solid` there.

    planner="Field" is one search for each goal, for many who have the same (memory: the bytes that these may take); its
    budget in expansions is kept, one in time nearly.

    Memory follows what characters have learned, not the map: the arrays of a search are there once for each worker.

    Raises InputError for a planner that does not work in crowds, and for cells that are not on the map.

    >>> import numpy as np, replan
    >>> crowd = replan.Crowd(replan.Grid(np.zeros((20, 20), bool)), "RTAA*", lookahead=9)
    >>> ids = crowd.add([(0, 0), (5, 5)], [(0, 3), (9, 9)])
    >>> moved = crowd.tick()
    >>> moved.ids.tolist(), moved.cells.tolist()
    ([0, 1], [[0, 1], [6, 6]])
    >>> crowd.observe([(7, 7)], [True]), crowd.observe_map(np.ones((1, 2), bool), at=(8, 0))
    (1, 2)
    >>> crowd.retarget(ids[:1], (19, 0))
    >>> crowd.place(ids[1:], [(3, 3)])
    >>> crowd.cells.tolist(), crowd.goals.tolist(), crowd.status.tolist()
    ([[0, 1], [3, 3]], [[19, 0], [9, 9]], [<Status.WALKING: 'walking'>, <Status.WALKING: 'walking'>])
    >>> crowd.tick(replan.Expansions(50), who=ids[:1]).ids
    array([0])
    >>> crowd.remove(ids[:1])
    >>> crowd.catch_up()
    >>> crowd.ids, crowd.overhear(), crowd.report().frames
    (array([1]), True, 2)
    """

    believed: Space

    def __init__(
        self,
        believed: Space | World,
        planner: str = "RTAA*",
        workers: int = 1,
        solid: bool = False,
        **options: Any,
    ) -> None:
        if getattr(self, "made", False):
            raise InputError("this crowd has been made already: make another one")
        world = believed if isinstance(believed, World) else None
        leads = is_field(planner)
        memory = options.pop("memory", MEMORY) if leads else MEMORY
        made = planners_for(planner, workers, options)
        if isinstance(believed, World):
            refuse_world(believed)
            space = believed.begin()
        else:
            space = believed
        self.people = People()
        self.frame = CrowdFrame(space, self.people, world, bool(solid))
        self.believed = space
        self.world, self.trips = world, 0 if world is None else world.trips
        self.team = Team(made, self.people, self.frame)
        self.fields = Fields(space, self.people, memory) if leads else None
        self.roll = Roll()
        self.tie, self.fixed = 0, False  # the first luck of everybody; are the estimates those of the user?
        self.busy = False
        self.planned = self.waited = self.waiting = self.longest = self.frames = self.used = 0
        self.frame.watch(self)
        self.made = True

    # Who is there.

    @property
    def ids(self) -> np.ndarray[Any, Any]:
        """The ids of all, in the order in which they came."""
        self._check()
        return self.roll.numbers.copy()

    @property
    def cells(self) -> Any:
        """Where all of them stand, in the order of `ids`: an array with a row and a column for each (nodes: a list)."""
        self._check()
        return cells_of(self.frame.believed, self.people.column("at", self.roll.living))

    @property
    def goals(self) -> Any:
        """Where all of them go, as `cells`."""
        self._check()
        return cells_of(self.frame.believed, self.people.column("goal", self.roll.living))

    @property
    def status(self) -> np.ndarray[Any, Any]:
        """How all of them are doing, in the order of `ids`: an array of `Status`."""
        self._check()
        at, goal = self.people.column("at", self.roll.living), self.people.column("goal", self.roll.living)
        answer = self.people.column("answer", self.roll.living)
        codes = 2 * (answer == UNREACHABLE) + 3 * (answer == WAITING)
        codes[at == goal] = 1
        told: np.ndarray[Any, Any] = CODES[codes]
        return told

    def __len__(self) -> int:
        return len(self.roll.living) if getattr(self, "made", False) else 0

    def __repr__(self) -> str:
        if not getattr(self, "made", False):
            return "<Crowd, not made yet>"
        name = "Field" if self.fields is not None else self.team.first.planner.spec.name
        workers = len(self.team.workers)
        return f"<Crowd of {len(self.roll.living):,} by {name}, {workers} worker{'s' * (workers > 1)}>"

    def __reduce__(self) -> Any:
        raise TypeError("a crowd cannot be copied nor pickled: keep its cells and goals, and make another one")

    # Who comes and goes.

    def add(self, starts: Any, goals: Any) -> np.ndarray[Any, Any]:
        """More characters. starts, goals: (n, 2) arrays of cells, or one pair for all (lists of nodes on a graph).

        Returns their ids, which nobody else ever gets. A start that is believed to be blocked is known to be free then.
        """
        self._enter()
        try:
            at, goal = pairs_of(self.frame.believed, starts, goals)
            self._refuse_taken(at, at[:0])
            if self.fields is not None:
                self._allow_goals(goal, self.roll.living)
            if not len(at):
                return np.empty(0, np.int64)
            self._begin(int(goal[0]))
            first, tie = len(self.roll.row_of), self.tie
            self.frame.catch_up()
            pairs = enumerate(zip(at.tolist(), goal.tolist(), strict=True))
            return self.roll.add(np.array([self.frame.enter(s, g, first + i, tie) for i, (s, g) in pairs], np.int32))
        finally:
            self._leave()

    def remove(self, ids: Any) -> None:
        """These go."""
        self._enter()
        try:
            numbers = numbers_of(ids)
            self.frame.leave(view(np.unique(self.roll.rows(numbers))))
            self.roll.remove(numbers)
        finally:
            self._leave()

    def retarget(self, ids: Any, goals: Any) -> None:
        """Send these to other goals: as many cells as ids, or one for all.

        What they have learned is kept, as far as it still holds. One that is sent where it goes already goes on.
        """
        self._enter()
        try:
            numbers, goal = numbers_of(ids), states_of(self.frame.believed, goals, "goals")
            if self.fixed:
                raise InputError(f"goals cannot move with a heuristic of your own in a crowd: {FIXED}")
            rows = self.roll.rows(numbers)
            if len(goal) not in (1, len(rows)):
                raise InputError(f"there are {len(rows):,} ids and {len(goal):,} goals: give as many, or one for all")
            if self.fields is not None:
                self._allow_goals(goal, np.setdiff1d(self.roll.living, rows))
            self.frame.catch_up()
            self.frame.retarget(view(rows), view(np.resize(goal, len(rows))), self.team.first)
        finally:
            self._leave()

    def place(self, ids: Any, cells: Any) -> None:
        """Put these elsewhere: as many cells as ids. They plan anew, with what they have learned."""
        self._enter()
        try:
            rows, at = self.roll.rows(numbers_of(ids)), states_of(self.frame.believed, cells, "cells")
            if len(at) != len(rows):
                raise InputError(f"there are {len(rows):,} ids and {len(at):,} cells: give as many")
            if len(np.unique(rows)) < len(rows):
                raise InputError("somebody is put in two places: name everybody once")
            self._refuse_taken(at, rows)
            self.frame.catch_up()
            self.frame.put(view(rows), view(at))
        finally:
            self._leave()

    # What they see.

    def observe(self, cells: Any, blocked: ArrayLike | None = None, weights: ArrayLike | None = None) -> int:
        """Say what any of them has seen, as `Agent.observe`: all of them know it. How much of it is news?

        That a cell is blocked where somebody stands is not believed.
        """
        self._enter()
        try:
            places, values = values_seen(self.frame.believed, cells, blocked, weights)
            return self.frame.take_in(view(places), view(values))
        finally:
            self._leave()

    def observe_map(
        self,
        blocked: ArrayLike | None = None,
        weights: ArrayLike | None = None,
        at: Any = None,
        seen: ArrayLike | None = None,
    ) -> int:
        """Say what was seen of a whole map, or of a window of it, as `Agent.observe_map`. How much of it is news?"""
        self._enter()
        try:
            places, values = map_seen(self.frame.believed, blocked, weights, at, seen)
            return self.frame.take_in(view(places), view(values))
        finally:
            self._leave()

    def catch_up(self) -> None:
        """Take in what others have changed in the belief. `tick` does so first of all."""
        self._refuse_unmade()
        self.frame.catch_up()

    def overhear(self) -> bool:
        """Changes are about to be forgotten: take them in now, unless a frame or another thread is at work here."""
        self._refuse_unmade()
        if self.busy:
            return self.frame.is_up_to_date()
        self.busy = True
        try:
            self.catch_up()
        finally:
            self.busy = False
        return True

    # A frame.

    def tick(self, budget: Budget | None = None, who: Any = None) -> Moved:
        """One frame: plan for those who have to, then a step for everybody who has a path. Who has moved, and where to?

        budget: expansions or microseconds for the whole frame; None: everybody plans. Whoever has waited longest comes
        first, and at least one is planned for. who: the ids of those who are ready to take a step, or True and False
        for each of `ids`; None: all.
        """
        self._enter()
        try:
            expansions, time_ns = INF, 0
            if budget is not None:
                expansions, time_ns = Budget.check(budget).expansions, budget.nanoseconds
            rows = self.roll.ready(who)
            self.frames += 1
            if self.team.begun:
                return self._frame(rows, expansions, deadline_in(time_ns))
            return self._moved(np.empty(0, np.int64), np.empty((0, self.frame.width), np.int64))
        finally:
            self._leave()

    def _frame(self, rows: np.ndarray[Any, Any], expansions: int, until: int) -> Moved:
        frame, team = self.frame, self.team
        frame.catch_up()
        team.call(len(rows))
        try:
            frame.gather(view(rows), team.first)
            used = 0
            if frame.dues:
                frame.sort_by_wait()
                self.longest = max(self.longest, frame.longest_wait())
                used = team.plan(expansions, until, self.fields)
            self.waiting = frame.left_out()
            self.waited += self.waiting
            self.planned += frame.dues - self.waiting
            self.used += used
            numbers, places = np.empty(frame.walkers, np.int64), np.empty((frame.walkers, frame.width), np.int64)
            frame.commit(team.first, used, view(numbers), view(places.reshape(-1)))
            return self._moved(numbers[: frame.moves], places[: frame.moves])
        except HelperFailed:
            raise team.failure() from None
        finally:
            team.go()

    def _moved(self, numbers: np.ndarray[Any, Any], places: np.ndarray[Any, Any]) -> Moved:
        return Moved(numbers, places if self.frame.row > 0 else cells_of(self.frame.believed, places[:, 0]))

    def report(self) -> CrowdReport:
        """How the crowd has fared since the last report."""
        self._check()
        rows, paths, tables = self.people.taken(self.roll.living)
        told = CrowdReport(
            characters=len(self.roll.living),
            frames=self.frames,
            planned=self.planned,
            expansions=self.used,
            waited=self.waited,
            waiting=self.waiting,
            longest_wait=self.longest,
            learned=self.people.learned(self.roll.living),
            row_bytes=rows + INDEX * len(self.roll.living),
            path_bytes=paths,
            learned_bytes=tables,
        )
        self.planned = self.waited = self.longest = self.frames = self.used = 0
        return told

    # Checks.

    def _refuse_unmade(self) -> None:
        if not getattr(self, "made", False):
            raise InputError("this crowd is not made yet: its __init__ has not run")

    def _check(self) -> None:
        self._refuse_unmade()
        if self.world is not None and self.world.trips != self.trips:
            raise RuntimeError("another trip has begun in the world of this crowd: make one world for each")

    def _enter(self) -> None:
        """One call at a time: not from inside another one, and not from two threads."""
        self._check()
        if self.busy:
            raise RuntimeError("this crowd is in the middle of a call: it serves one thread at a time")
        if self.world is not None:
            self.world._enter()
        self.busy = True

    def _leave(self) -> None:
        self.busy = False
        if self.world is not None:
            self.world._leave()

    def _begin(self, goal: int) -> None:
        """The first characters come."""
        if not self.team.begun:
            self.team.begin(self.frame.believed, goal)
            self.tie = self.team.first.luck()
            self.fixed = self.team.first.has_own_estimates()

    def _refuse_taken(self, states: np.ndarray[Any, Any], rows: np.ndarray[Any, Any]) -> None:
        """Where characters are solid: do those of these rows fit there?"""
        taken = self.frame.first_taken(view(states), view(rows)) if self.frame.solid else -1
        if taken >= 0:
            raise InputError(f"somebody stands on {self.frame.believed.key(taken)} already, and characters are solid")

    def _allow_goals(self, goals: np.ndarray[Any, Any], others: np.ndarray[Any, Any]) -> None:
        """With fields: is there memory for these goals, beside those of the others?"""
        assert self.fields is not None
        self.fields.allow(np.concatenate([goals, self.people.column("goal", others)]))
