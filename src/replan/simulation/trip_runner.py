"""The loop of a trip: sense, notify the agent, plan, move.

`TripRunner.run` runs a whole trip, compiled, without the GIL. `TripRunner.run_steps` runs some steps of the same trip
and writes each of them into a Recorder, for a story (`simulation/watching.py`).
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
END_REASONS = {  # why a trip ended: the value of `Trip.why`, and the words for users
    END_REACHED: ("reached", "reached the goal"),
    END_UNREACHABLE: ("unreachable", "found no way to the goal"),
    END_MAX_MOVES: ("max_moves", "was stopped by max_moves"),
    END_MAX_SECONDS: ("max_seconds", "was stopped by max_seconds"),
}

INITIAL_CAPACITY = 32768  # moves and episodes before the arrays grow


class TripRunner(Initialized):
    """Runs one trip and records it: states, step costs, and counts and time of each episode."""

    moves: int
    informed_moves: int  # moves along a path that reached the goal when it was planned
    steps: int
    episodes: int
    search_ns: int
    why: int

    def __init__(self, max_moves: int, is_timed: bool, max_ns: int = 0, recorder: Recorder | None = None) -> None:
        self.check_not_initialized()
        self.is_initialized = True
        self.max_moves, self.is_timed = max_moves, is_timed
        self.max_ns, self.deadline_ns = max_ns, 0  # 0: no time limit
        self.moves = self.informed_moves = self.steps = self.episodes = self.search_ns = self.why = 0
        self.elapsed_ns = 0  # time of the calls so far
        self.moves_since_signal_check = 0  # moves since the last check for Ctrl-C
        self.is_dirty = False  # True if an error ended the trip in the middle of a step
        self.path_is_complete = False  # True if the path leads to the goal
        self.has_begun = False  # True if the agent has sensed
        self.is_watched = recorder is not None
        if recorder is not None:
            self.recorder = recorder
            self.recorder.check_initialized()
        self.has_searched = False
        self.cost = self.recorded_search_ns = 0  # for the recorder
        # large arrays cost nothing (the system provides memory at the first write), growing does
        self.path, self.step_costs = empty(INITIAL_CAPACITY, np.int32), empty(1, np.int64)
        self.episode_counts = EpisodeCounts(INITIAL_CAPACITY)
        self.episode_ns = empty(INITIAL_CAPACITY if is_timed else 1, np.int64)

    def run(self, agent: Agent, world: World) -> int:
        """Run the trip until the goal is reached or unreachable, or max_moves or max_ns is exceeded. Returns why."""
        self.run_held(agent, world, INF, 0)
        if world.is_static:  # step costs did not change: compute them at the end
            self.step_costs = empty(self.moves, np.int64)
            world.truth.path_costs(self.path, self.step_costs, self.moves)
        for i in range(self.moves):
            if self.step_costs[i] >= INF:
                self._raise_blind_move()
        return self.why

    def run_steps(self, agent: Agent, world: World, max_steps: int) -> int:
        """Run at most `max_steps` steps and record each; fewer if the trip ends or the recorder is full.

        In the first step the agent does not move. Returns why the trip ended, 0 if it goes on. The world must not be
        static.
        """
        self._check_recorded(agent, world)
        self.run_held(agent, world, max(1, max_steps), CAUSE_STEP if self.has_begun else CAUSE_START)
        return self.why

    def edit_world(self, agent: Agent, world: World, cause: int, locations: list[int], values: list[int]) -> int:
        """Change the truth. Then the agent senses, and searches if needed. Returns why the trip ended, or 0."""
        self._check_recorded(agent, world)
        checked = [
            (world.truth.checked_location(location), world.truth.checked_value(location, value))
            for location, value in zip(locations, values, strict=True)
        ]
        world.truth.begin_change()
        self.is_dirty = True
        world.set_log(self.recorder.truth_log, True)
        try:
            for location, value in checked:
                world.try_set_value(location, value, agent.state)
                world.edited_locations.append(location)
        finally:
            world.set_log(self.recorder.truth_log, False)
            world.truth.end_change()
        self.run_held(agent, world, 1, cause)
        return self.why

    def _check_recorded(self, agent: Agent, world: World) -> None:
        """Raise InputError unless this agent and world can be recorded."""
        if agent is None or world is None or world.is_static or not self.is_watched:
            raise InputError("a recorded trip needs an agent, and a world that has copies of truth and belief")
        if self.recorder.n_locations() != max(1, world.space.n_locations):  # an array has at least one item
            raise InputError("the recorder of this trip belongs to another world")

    def run_held(self, agent: Agent, world: World, max_steps: int, cause: int) -> int:
        """Run at most `max_steps` steps while planner and truth are marked as busy."""
        if agent is None or world is None:
            raise InputError("a trip needs an agent and a world")
        agent.check_usable()
        agent.sync()
        done = False
        agent.enter_planner()
        world.observer.path = agent.planned_path.states  # only now: before, another thread may replace the array
        world.truth.active_searches += 1
        world.trip_searches += 1
        start = now_ns()
        self.deadline_ns = start + self.max_ns - self.elapsed_ns if self.max_ns > 0 else 0
        try:
            if self.is_watched:
                agent.planner.log_to(self.recorder.expansion_log, True)
                world.set_log(self.recorder.truth_log, True)
            self.is_dirty = True
            with cython.nogil:
                self.loop(agent, world, max_steps, cause)
            self.is_dirty = False
            done = True
        finally:
            if self.is_watched:
                agent.planner.log_to(self.recorder.expansion_log, False)
                world.set_log(self.recorder.truth_log, False)
            world.truth.active_searches -= 1
            world.trip_searches -= 1
            agent.planner.end_search(done)
        self.elapsed_ns += now_ns() - start
        if not self.is_timed:
            self.search_ns = self.elapsed_ns
        return 0

    def _raise_blind_move(self) -> None:
        raise RuntimeError("the agent walked into something that its sensor does not show")

    def arrays(self) -> dict[str, np.ndarray[Any, Any]]:
        """Return the trip so far: states, cost of each move in cost units, counts and time of each episode.

        The arrays are views, valid until the trip continues.
        """
        self.check_initialized()
        return {
            "path": np.asarray(self.path)[: self.moves + 1],
            "paid": np.asarray(self.step_costs)[: self.moves],
            "nanoseconds": np.asarray(self.episode_ns)[: self.episodes if self.is_timed else 0],
            **self.episode_counts.as_arrays(self.episodes),
        }

    def loop(self, agent: Agent, world: World, max_steps: int, cause: int) -> int:
        """Sense, plan and move for at most `max_steps` steps. cause: that of the first step."""
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
                max_steps -= 1
            if self.why != 0 or max_steps == 0 or (self.is_watched and self.recorder.is_full()):
                return 0
            self.step(agent, world, 1 if self.is_watched else max_steps)

    def record_step(self, agent: Agent, world: World, cause: int) -> int:
        """Record the step."""
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
        """Check whether the trip has ended. If not, search if needed. Returns why it ended, 0 if it goes on."""
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

    def step(self, agent: Agent, world: World, max_steps: int) -> int:
        """Move along the path, or wait if there is none."""
        if agent.planned_path.next_state() < 0:
            return self.advance_time(agent, world)
        moves_before = self.moves
        if world.is_static:
            self.advance_many(agent, world)
        else:
            self.advance_one_by_one(agent, world, max_steps)
        self.informed_moves += self.moves - moves_before if self.path_is_complete else 0
        if self.is_watched and self.moves > moves_before:
            self.cost += self.step_costs[moves_before]
            if self.step_costs[moves_before] >= INF:
                with cython.gil:
                    self._raise_blind_move()
        return 0

    def search(self, agent: Agent) -> int:
        """Run one episode of the planner. Returns its status."""
        if self.is_timed and self.episodes == len(self.episode_ns):
            with cython.gil:
                self.episode_ns = grown(self.episode_ns, 4 * self.episodes)
        apply_changes_ns = agent.planner.apply_changes_ns
        measures_time = self.is_timed or self.is_watched
        self.episode_counts.begin(agent.planner)
        start = now_ns() if measures_time else 0
        agent.run_episode(agent.planner.expansion_limit, agent.planner.time_limit_ns)
        ns = now_ns() - start - (agent.planner.apply_changes_ns - apply_changes_ns) if measures_time else 0
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
        """Move along the path until it ends or the agent sees a change. In a static world nothing else can happen."""
        max_steps = min(self.max_moves - self.steps, len(self.path) - self.moves - 1)
        if max_steps == 0:
            with cython.gil:
                self._grow_path()
            return 0
        moves = self.moves
        position = agent.planned_path.position
        end = world.observer.sense_along(position - 1, max(agent.planned_path.end, position - max_steps))
        while position > end:
            position -= 1
            moves += 1
            self.path[moves] = world.observer.path[position]
        self.moves_since_signal_check += moves - self.moves
        self.steps += moves - self.moves
        self.moves = moves
        agent.set_path_position(end)
        changed_count = world.observer.sense(agent.state)
        if changed_count > 0:
            self.notify_agent(agent, world, changed_count)
        if self.moves_since_signal_check > 255:
            self.moves_since_signal_check = 0
            check_signals()
        return 0

    def advance_one_by_one(self, agent: Agent, world: World, max_steps: int) -> int:
        """Move along the path while it is valid, with a step of time for each move."""
        s = agent.planned_path.next_state()
        end_step = min(self.max_moves, self.steps + max_steps)
        while s >= 0 and self.steps < end_step:
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
        """Advance the time by one step: the world changes, the target moves, the agent senses."""
        self.steps += 1
        if not world.is_static:
            self.advance_world(agent, world)
        changed_count = world.observer.sense(agent.state)
        if changed_count > 0:
            self.notify_agent(agent, world, changed_count)
        return check_signals() if self.steps & 255 == 0 else 0

    def advance_world(self, agent: Agent, world: World) -> int:
        """Apply the world's changes of one step, and let the goal follow the target."""
        world.tick(agent.state)
        if world.target_state >= 0 and not agent.goals.is_goal(world.target_state):
            with cython.gil:
                agent.follow_target(world.target_state)
        return 0

    def notify_agent(self, agent: Agent, world: World, changed_count: int) -> int:
        """Tell the agent the true values of the locations that its observer has listed."""
        for i in range(changed_count):
            location = world.observer.changed_locations[i]
            is_new = agent.accept(location, world.truth.read_value(location))
            if self.is_watched and is_new:
                self.recorder.belief_log.add(location, 0, world.truth.read_value(location))
        return 0
