"""The only loop: sense, notify, plan, move.

`take` walks a whole trip, compiled from end to end, without Python's lock. `walk_on` walks some steps of time of the
same trip and writes each of them into a diary, of which a story is made (`simulation/watching.py`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import empty, grown
from replan.clock import now_ns
from replan.counts import EpisodeCounts
from replan.errors import InputError
from replan.initialized import Initialized
from replan.limits import COMPLETE, INF, START, STEP, UNREACHABLE
from replan.signals import check_signals
from replan.simulation.agent import Agent
from replan.simulation.diary import Diary
from replan.worlds.world import World

try:
    import cython
except ImportError:
    from replan import _cython as cython

REACHED, NO_WAY, TOO_LONG, TOO_LATE = 1, 2, 3, 4
ENDINGS = {  # why a walk ended: the word for it in a Trip, and how people are told
    REACHED: ("reached", "reached the goal"),
    NO_WAY: ("unreachable", "found no way to the goal"),
    TOO_LONG: ("max_moves", "was stopped by max_moves"),
    TOO_LATE: ("max_seconds", "was stopped by max_seconds"),
}

ROOM = 32768  # moves, and episodes, before the record has to grow


class Walk(Initialized):
    """The record of one trip: states visited, ticks paid for each move, counts and time of each episode."""

    moves: int
    informed: int  # moves along a path that was known to lead to the goal
    steps: int
    episodes: int
    search_ns: int
    why: int

    def __init__(self, max_moves: int, timed: bool, max_ns: int = 0, diary: Diary | None = None) -> None:
        self.refuse_initialized()
        self.is_initialized = True
        self.max_moves, self.timed, self.max_ns, self.until = max_moves, timed, max_ns, 0  # 0: no time limit
        self.moves = self.informed = self.steps = self.episodes = self.search_ns = self.why = 0
        self.spent_ns = 0  # how long the walk has been computed
        self.work = 0  # moves since the last look for Ctrl-C
        self.is_dirty = False  # True if an error has ended it in the middle of a step
        self.complete = self.begun = False  # does the path lead to the goal? Has the agent looked around?
        self.watched = diary is not None
        if diary is not None:
            self.diary = diary
            self.diary.check_initialized()
        self.searched = False
        self.cost = self.watched_ns = 0  # what a diary is told: ticks paid, and time of the searches
        # much room costs nothing (memory is taken when it is first touched), growing does
        self.path, self.paid = empty(ROOM, np.int32), empty(1, np.int64)
        self.counts, self.nanoseconds = EpisodeCounts(ROOM), empty(ROOM if timed else 1, np.int64)

    def take(self, agent: Agent, world: World) -> int:
        """Walk until the goal is reached, cannot be reached, or max_moves steps or max_ns nanoseconds have passed."""
        self.pass_through(agent, world, INF, 0)
        if world.still:  # what the moves cost can be said at the end
            self.paid = empty(self.moves, np.int64)
            world.truth.bill(self.path, self.paid, self.moves)
        for i in range(self.moves):
            if self.paid[i] >= INF:
                self._refuse_blind()
        return self.why

    def walk_on(self, agent: Agent, world: World, most: int) -> int:
        """At most so many steps of time, each a moment of the diary; fewer at the end of the trip, or if that is full.

        In the first one the agent does not move yet. Why it ended, 0 while it goes on. The world must not be still.
        """
        self._refuse_unwatched(agent, world)
        self.pass_through(agent, world, max(1, most), STEP if self.begun else START)
        return self.why

    def meddle(self, agent: Agent, world: World, cause: int, places: list[int], values: list[int]) -> int:
        """Somebody changes the truth, or the goal; then the agent looks around, and searches if that is due."""
        self._refuse_unwatched(agent, world)
        checked = [
            (world.truth.checked_place(place), world.truth.checked_value(place, value))
            for place, value in zip(places, values, strict=True)
        ]
        world.truth.hold()
        self.is_dirty = True
        world.log_to(self.diary.changed, True)
        try:
            for place, value in checked:
                world.put(place, value, agent.at)
                world.meddled.append(place)
        finally:
            world.log_to(self.diary.changed, False)
            world.truth.release()
        self.pass_through(agent, world, 1, cause)
        return self.why

    def _refuse_unwatched(self, agent: Agent, world: World) -> None:
        if agent is None or world is None or world.still or not self.watched:
            raise InputError("a watched walk needs an agent and a world whose truth and belief are its own")
        if self.diary.places() != max(1, world.space.places):  # an array has room for one place at least
            raise InputError("the diary of this walk is of another world")

    def pass_through(self, agent: Agent, world: World, most: int, cause: int) -> int:
        """Walk at most so many steps, with everything held that nobody else may touch meanwhile."""
        if agent is None or world is None:
            raise InputError("a walk needs an agent and a world")
        agent.check()
        agent.catch_up()
        done = False
        agent.enter_planner()
        world.eye.path = agent.planned_path.states  # now: until it is held, another thread may give it other arrays
        world.truth.searches += 1
        start = now_ns()
        self.until = start + self.max_ns - self.spent_ns if self.max_ns > 0 else 0
        try:
            if self.watched:
                agent.planner.log_to(self.diary.expanded, True)
                world.log_to(self.diary.changed, True)
            self.is_dirty = True
            with cython.nogil:
                self.loop(agent, world, most, cause)
            self.is_dirty = False
            done = True
        finally:
            if self.watched:
                agent.planner.log_to(self.diary.expanded, False)
                world.log_to(self.diary.changed, False)
            world.truth.searches -= 1
            agent.planner.leave(done)
        self.spent_ns += now_ns() - start
        if not self.timed:
            self.search_ns = self.spent_ns
        return 0

    def _refuse_blind(self) -> None:
        raise RuntimeError("the agent walked into something that its sensor does not show")

    def record(self) -> dict[str, np.ndarray[Any, Any]]:
        """The trip so far as arrays: the states visited, ticks paid for each move, counts and time of each episode.

        They are views, good until the walk goes on.
        """
        self.check_initialized()
        return {
            "path": np.asarray(self.path)[: self.moves + 1],
            "paid": np.asarray(self.paid)[: self.moves],
            "nanoseconds": np.asarray(self.nanoseconds)[: self.episodes if self.timed else 0],
            **self.counts.listed(self.episodes),
        }

    def loop(self, agent: Agent, world: World, most: int, cause: int) -> int:
        """At most so many steps. cause: what the first one is due to."""
        if not self.begun:
            self.begun = True
            self.path[0] = agent.at
            self.tell(agent, world, world.eye.look(agent.at))
        elif cause == STEP:
            self.go(agent, world, 1)
        else:
            self.tell(agent, world, world.eye.look(agent.at))
        while True:
            self.decide(agent, world)
            if self.watched:
                self.note(agent, world, cause)
                cause = STEP
                most -= 1
            if self.why != 0 or most == 0 or (self.watched and self.diary.is_full()):
                return 0
            self.go(agent, world, 1 if self.watched else most)

    def note(self, agent: Agent, world: World, cause: int) -> int:
        """Write the moment into the diary."""
        self.diary.note(
            agent,
            world,
            cause,
            self.why,
            self.steps,
            self.moves,
            self.episodes,
            self.cost,
            self.watched_ns,
            self.searched,
        )
        self.searched = False
        return 0

    def decide(self, agent: Agent, world: World) -> int:
        """Is the trip at its end? If not, search where that is due. Why it ended, 0 while it goes on."""
        self.why = 0
        if agent.arrived():
            self.why = REACHED
        elif self.steps >= self.max_moves:
            self.why = TOO_LONG
        elif self.until > 0 and now_ns() >= self.until:
            self.why = TOO_LATE
        elif agent.planned_path.next_state() < 0:
            status = self.search(agent)
            self.complete = status == COMPLETE
            if status == UNREACHABLE and not (agent.planner.patient and world.more_to_come()):
                self.why = NO_WAY
        return self.why

    def go(self, agent: Agent, world: World, most: int) -> int:
        """Walk along the path, or wait where there is none."""
        if agent.planned_path.next_state() < 0:
            return self.pass_time(agent, world)
        before = self.moves
        if world.still:
            self.stride(agent, world)
        else:
            self.step_by_step(agent, world, most)
        self.informed += self.moves - before if self.complete else 0
        if self.watched and self.moves > before:
            self.cost += self.paid[before]
            if self.paid[before] >= INF:
                with cython.gil:
                    self._refuse_blind()
        return 0

    def search(self, agent: Agent) -> int:
        """One episode of the planner."""
        if self.timed and self.episodes == len(self.nanoseconds):
            with cython.gil:
                self.nanoseconds = grown(self.nanoseconds, 4 * self.episodes)
        apart = agent.planner.intake_ns
        timed = self.timed or self.watched
        self.counts.begin(agent.planner)
        start = now_ns() if timed else 0
        agent.think(agent.planner.limit, agent.planner.time_ns)
        ns = now_ns() - start - (agent.planner.intake_ns - apart) if timed else 0
        self.counts.end(agent.planner, self.episodes)
        if self.timed:
            self.nanoseconds[self.episodes] = ns
            self.search_ns += ns
        if self.watched:
            self.searched = True
            self.watched_ns += ns
            self.diary.note_search(agent, self.counts.expansions[self.episodes], ns)
        self.episodes += 1
        return agent.answer

    def stride(self, agent: Agent, world: World) -> int:
        """Walk along the path until it ends or the agent sees something: in a still world nothing else can happen."""
        most = min(self.max_moves - self.steps, len(self.path) - self.moves - 1)
        if most == 0:
            with cython.gil:
                self._make_room()
            return 0
        n = self.moves
        position = agent.planned_path.position
        end = world.eye.along(position - 1, max(agent.planned_path.end, position - most))
        while position > end:
            position -= 1
            n += 1
            self.path[n] = world.eye.path[position]
        self.work += n - self.moves
        self.steps += n - self.moves
        self.moves = n
        agent.advance_to(end)
        k = world.eye.look(agent.at)
        if k > 0:
            self.tell(agent, world, k)
        if self.work > 255:
            self.work = 0
            check_signals()
        return 0

    def step_by_step(self, agent: Agent, world: World, most: int) -> int:
        """Walk along the path as long as it is good, a step of time for each move."""
        s = agent.planned_path.next_state()
        stop = min(self.max_moves, self.steps + most)
        while s >= 0 and self.steps < stop:
            if self.moves + 1 >= len(self.path):
                with cython.gil:
                    self._make_room()
            if self.moves >= len(self.paid):
                with cython.gil:
                    self.paid = grown(self.paid, len(self.path))
            self.paid[self.moves] = world.truth.step_cost(agent.at, s)
            self.moves += 1
            self.path[self.moves] = s
            agent.stand_on(s)
            self.pass_time(agent, world)
            s = agent.planned_path.next_state()
        return 0

    def _make_room(self) -> None:
        self.path = grown(self.path, 4 * len(self.path))

    def pass_time(self, agent: Agent, world: World) -> int:
        """A step of time: the world changes, the target moves, the agent looks."""
        self.steps += 1
        if not world.still:
            self.let_happen(agent, world)
        k = world.eye.look(agent.at)
        if k > 0:
            self.tell(agent, world, k)
        return check_signals() if self.steps & 255 == 0 else 0

    def let_happen(self, agent: Agent, world: World) -> int:
        world.tick(agent.at)
        if world.target_at >= 0 and not agent.goals.has(world.target_at):
            with cython.gil:
                agent.chase(world.target_at)
        return 0

    def tell(self, agent: Agent, world: World, k: int) -> int:
        """The agent learns what its sensor shows."""
        for i in range(k):
            news = agent.accept(world.eye.seen[i], world.truth.read(world.eye.seen[i]))
            if self.watched and news:
                self.diary.believed.add(world.eye.seen[i], 0, world.truth.read(world.eye.seen[i]))
        return 0
