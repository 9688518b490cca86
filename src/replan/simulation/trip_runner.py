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
from replan.limits import CAUSE_START, CAUSE_STEP, COMPLETE, INF, UNREACHABLE
from replan.signals import check_signals
from replan.simulation.agent import Agent
from replan.simulation.recorder import Recorder
from replan.worlds.world import World

try:
    import cython
except ImportError:
    from replan import _cython as cython

END_REACHED, END_UNREACHABLE, END_MAX_MOVES, END_MAX_SECONDS = 1, 2, 3, 4
END_REASONS = {  # why a walk ended: the word for it in a Trip, and how people are told
    END_REACHED: ("reached", "reached the goal"),
    END_UNREACHABLE: ("unreachable", "found no way to the goal"),
    END_MAX_MOVES: ("max_moves", "was stopped by max_moves"),
    END_MAX_SECONDS: ("max_seconds", "was stopped by max_seconds"),
}

INITIAL_CAPACITY = 32768  # moves, and episodes, before the record has to grow


class TripRunner(Initialized):
    """The record of one trip: states visited, ticks paid for each move, counts and time of each episode."""

    moves: int
    informed_moves: int  # moves along a path that was known to lead to the goal
    steps: int
    episodes: int
    search_ns: int
    why: int

    def __init__(self, max_moves: int, is_timed: bool, max_ns: int = 0, recorder: Recorder | None = None) -> None:
        self.check_not_initialized()
        self.is_initialized = True
        self.max_moves, self.is_timed, self.max_ns, self.deadline_ns = (
            max_moves,
            is_timed,
            max_ns,
            0,
        )  # 0: no time limit
        self.moves = self.informed_moves = self.steps = self.episodes = self.search_ns = self.why = 0
        self.elapsed_ns = 0  # how long the walk has been computed
        self.moves_since_signal_check = 0  # moves since the last look for Ctrl-C
        self.is_dirty = False  # True if an error has ended it in the middle of a step
        self.path_is_complete = self.has_begun = False  # does the path lead to the goal? Has the agent looked around?
        self.is_watched = recorder is not None
        if recorder is not None:
            self.recorder = recorder
            self.recorder.check_initialized()
        self.has_searched = False
        self.cost = self.recorded_search_ns = 0  # what a diary is told: ticks paid, and time of the searches
        # much room costs nothing (memory is taken when it is first touched), growing does
        self.path, self.step_costs = empty(INITIAL_CAPACITY, np.int32), empty(1, np.int64)
        self.episode_counts, self.episode_ns = (
            EpisodeCounts(INITIAL_CAPACITY),
            empty(INITIAL_CAPACITY if is_timed else 1, np.int64),
        )

    def run(self, agent: Agent, world: World) -> int:
        """Walk until the goal is reached, cannot be reached, or max_moves steps or max_ns nanoseconds have passed."""
        self.run_held(agent, world, INF, 0)
        if world.is_static:  # what the moves cost can be said at the end
            self.step_costs = empty(self.moves, np.int64)
            world.truth.path_costs(self.path, self.step_costs, self.moves)
        for i in range(self.moves):
            if self.step_costs[i] >= INF:
                self._raise_blind_move()
        return self.why

    def run_steps(self, agent: Agent, world: World, most: int) -> int:
        """At most so many steps of time, each a moment of the diary; fewer at the end of the trip, or if that is full.

        In the first one the agent does not move yet. Why it ended, 0 while it goes on. The world must not be still.
        """
        self._check_recorded(agent, world)
        self.run_held(agent, world, max(1, most), CAUSE_STEP if self.has_begun else CAUSE_START)
        return self.why

    def edit_world(self, agent: Agent, world: World, cause: int, places: list[int], values: list[int]) -> int:
        """Somebody changes the truth, or the goal; then the agent looks around, and searches if that is due."""
        self._check_recorded(agent, world)
        checked = [
            (world.truth.checked_location(place), world.truth.checked_value(place, value))
            for place, value in zip(places, values, strict=True)
        ]
        world.truth.begin_change()
        self.is_dirty = True
        world.set_log(self.recorder.truth_log, True)
        try:
            for place, value in checked:
                world.try_set_value(place, value, agent.state)
                world.edited_locations.append(place)
        finally:
            world.set_log(self.recorder.truth_log, False)
            world.truth.end_change()
        self.run_held(agent, world, 1, cause)
        return self.why

    def _check_recorded(self, agent: Agent, world: World) -> None:
        if agent is None or world is None or world.is_static or not self.is_watched:
            raise InputError("a watched walk needs an agent and a world whose truth and belief are its own")
        if self.recorder.n_locations() != max(1, world.space.n_locations):  # an array has room for one place at least
            raise InputError("the diary of this walk is of another world")

    def run_held(self, agent: Agent, world: World, most: int, cause: int) -> int:
        """Walk at most so many steps, with everything held that nobody else may touch meanwhile."""
        if agent is None or world is None:
            raise InputError("a walk needs an agent and a world")
        agent.check_usable()
        agent.sync()
        done = False
        agent.enter_planner()
        world.observer.path = (
            agent.planned_path.states
        )  # now: until it is held, another thread may give it other arrays
        world.truth.active_searches += 1
        start = now_ns()
        self.deadline_ns = start + self.max_ns - self.elapsed_ns if self.max_ns > 0 else 0
        try:
            if self.is_watched:
                agent.planner.log_to(self.recorder.expansion_log, True)
                world.set_log(self.recorder.truth_log, True)
            self.is_dirty = True
            with cython.nogil:
                self.loop(agent, world, most, cause)
            self.is_dirty = False
            done = True
        finally:
            if self.is_watched:
                agent.planner.log_to(self.recorder.expansion_log, False)
                world.set_log(self.recorder.truth_log, False)
            world.truth.active_searches -= 1
            agent.planner.end_search(done)
        self.elapsed_ns += now_ns() - start
        if not self.is_timed:
            self.search_ns = self.elapsed_ns
        return 0

    def _raise_blind_move(self) -> None:
        raise RuntimeError("the agent walked into something that its sensor does not show")

    def arrays(self) -> dict[str, np.ndarray[Any, Any]]:
        """The trip so far as arrays: the states visited, ticks paid for each move, counts and time of each episode.

        They are views, good until the walk goes on.
        """
        self.check_initialized()
        return {
            "path": np.asarray(self.path)[: self.moves + 1],
            "paid": np.asarray(self.step_costs)[: self.moves],
            "nanoseconds": np.asarray(self.episode_ns)[: self.episodes if self.is_timed else 0],
            **self.episode_counts.as_arrays(self.episodes),
        }

    def loop(self, agent: Agent, world: World, most: int, cause: int) -> int:
        """At most so many steps. cause: what the first one is due to."""
        if not self.has_begun:
            self.has_begun = True
            self.path[0] = agent.state
            self.notify_agent(agent, world, world.observer.sense(agent.state))
        elif cause == CAUSE_STEP:
            self.step(agent, world, 1)
        else:
            self.notify_agent(agent, world, world.observer.sense(agent.state))
        while True:
            self.plan_unless_ended(agent, world)
            if self.is_watched:
                self.record_step(agent, world, cause)
                cause = CAUSE_STEP
                most -= 1
            if self.why != 0 or most == 0 or (self.is_watched and self.recorder.is_full()):
                return 0
            self.step(agent, world, 1 if self.is_watched else most)

    def record_step(self, agent: Agent, world: World, cause: int) -> int:
        """Write the moment into the diary."""
        self.recorder.record_step(
            agent,
            world,
            cause,
            self.why,
            self.steps,
            self.moves,
            self.episodes,
            self.cost,
            self.recorded_search_ns,
            self.has_searched,
        )
        self.has_searched = False
        return 0

    def plan_unless_ended(self, agent: Agent, world: World) -> int:
        """Is the trip at its end? If not, search where that is due. Why it ended, 0 while it goes on."""
        self.why = 0
        if agent.is_at_goal():
            self.why = END_REACHED
        elif self.steps >= self.max_moves:
            self.why = END_MAX_MOVES
        elif self.deadline_ns > 0 and now_ns() >= self.deadline_ns:
            self.why = END_MAX_SECONDS
        elif agent.planned_path.next_state() < 0:
            status = self.search(agent)
            self.path_is_complete = status == COMPLETE
            if status == UNREACHABLE and not (agent.planner.waits_for_changes and world.can_still_change()):
                self.why = END_UNREACHABLE
        return self.why

    def step(self, agent: Agent, world: World, most: int) -> int:
        """Walk along the path, or wait where there is none."""
        if agent.planned_path.next_state() < 0:
            return self.advance_time(agent, world)
        before = self.moves
        if world.is_static:
            self.advance_many(agent, world)
        else:
            self.advance_one_by_one(agent, world, most)
        self.informed_moves += self.moves - before if self.path_is_complete else 0
        if self.is_watched and self.moves > before:
            self.cost += self.step_costs[before]
            if self.step_costs[before] >= INF:
                with cython.gil:
                    self._raise_blind_move()
        return 0

    def search(self, agent: Agent) -> int:
        """One episode of the planner."""
        if self.is_timed and self.episodes == len(self.episode_ns):
            with cython.gil:
                self.episode_ns = grown(self.episode_ns, 4 * self.episodes)
        apart = agent.planner.apply_changes_ns
        timed = self.is_timed or self.is_watched
        self.episode_counts.begin(agent.planner)
        start = now_ns() if timed else 0
        agent.run_episode(agent.planner.expansion_limit, agent.planner.time_limit_ns)
        ns = now_ns() - start - (agent.planner.apply_changes_ns - apart) if timed else 0
        self.episode_counts.end(agent.planner, self.episodes)
        if self.is_timed:
            self.episode_ns[self.episodes] = ns
            self.search_ns += ns
        if self.is_watched:
            self.has_searched = True
            self.recorded_search_ns += ns
            self.recorder.record_search(agent, self.episode_counts.expansions[self.episodes], ns)
        self.episodes += 1
        return agent.episode_status

    def advance_many(self, agent: Agent, world: World) -> int:
        """Walk along the path until it ends or the agent sees something: in a still world nothing else can happen."""
        most = min(self.max_moves - self.steps, len(self.path) - self.moves - 1)
        if most == 0:
            with cython.gil:
                self._grow_path()
            return 0
        n = self.moves
        position = agent.planned_path.position
        end = world.observer.sense_along(position - 1, max(agent.planned_path.end, position - most))
        while position > end:
            position -= 1
            n += 1
            self.path[n] = world.observer.path[position]
        self.moves_since_signal_check += n - self.moves
        self.steps += n - self.moves
        self.moves = n
        agent.set_path_position(end)
        k = world.observer.sense(agent.state)
        if k > 0:
            self.notify_agent(agent, world, k)
        if self.moves_since_signal_check > 255:
            self.moves_since_signal_check = 0
            check_signals()
        return 0

    def advance_one_by_one(self, agent: Agent, world: World, most: int) -> int:
        """Walk along the path as long as it is good, a step of time for each move."""
        s = agent.planned_path.next_state()
        stop = min(self.max_moves, self.steps + most)
        while s >= 0 and self.steps < stop:
            if self.moves + 1 >= len(self.path):
                with cython.gil:
                    self._grow_path()
            if self.moves >= len(self.step_costs):
                with cython.gil:
                    self.step_costs = grown(self.step_costs, len(self.path))
            self.step_costs[self.moves] = world.truth.step_cost(agent.state, s)
            self.moves += 1
            self.path[self.moves] = s
            agent.set_position(s)
            self.advance_time(agent, world)
            s = agent.planned_path.next_state()
        return 0

    def _grow_path(self) -> None:
        self.path = grown(self.path, 4 * len(self.path))

    def advance_time(self, agent: Agent, world: World) -> int:
        """A step of time: the world changes, the target moves, the agent looks."""
        self.steps += 1
        if not world.is_static:
            self.advance_world(agent, world)
        k = world.observer.sense(agent.state)
        if k > 0:
            self.notify_agent(agent, world, k)
        return check_signals() if self.steps & 255 == 0 else 0

    def advance_world(self, agent: Agent, world: World) -> int:
        world.tick(agent.state)
        if world.target_state >= 0 and not agent.goals.is_goal(world.target_state):
            with cython.gil:
                agent.follow_target(world.target_state)
        return 0

    def notify_agent(self, agent: Agent, world: World, k: int) -> int:
        """The agent learns what its sensor shows."""
        for i in range(k):
            news = agent.accept(
                world.observer.changed_locations[i], world.truth.read_value(world.observer.changed_locations[i])
            )
            if self.is_watched and news:
                self.recorder.belief_log.add(
                    world.observer.changed_locations[i], 0, world.truth.read_value(world.observer.changed_locations[i])
                )
        return 0
