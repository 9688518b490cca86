"""Recorder: the steps and searches of a trip, recorded within its compiled loop.

Each step is a row of numbers, and so is each search. Lists (expanded states, seen locations) are logs: a row has the
end of its items in each log. `record_columns.py` converts rows and logs into the columns of a story.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import empty, grown, view, zeros
from replan.errors import InputError
from replan.initialized import Initialized
from replan.log import EventLog
from replan.simulation.agent import Agent
from replan.worlds.world import World

try:
    import cython
except ImportError:
    from replan import _cython as cython

STEP_COLUMNS = (
    "cause",
    "trial",
    "step",
    "state",
    "target",
    "goal",
    "why",
    "moves",
    "episodes",
    "expansions",
    "key_updates",
    "h_increase",
    "cost",
    "search_ns",
    "believed.end",
    "changed.end",
    "seen.end",
    "path.end",
    "path.skip",
    "path.length",
    "searched",
)
SEARCH_COLUMNS = ("expansions", "ns", "most_expansions", "most_ns", "answer", "order.end")
STEP_SIZE, SEARCH_SIZE = len(STEP_COLUMNS), len(SEARCH_COLUMNS)
MAX_PART_ITEMS = 1 << 18  # logged items after which a part of the story is complete


class Recorder(Initialized):
    """The steps since the last part of a story.

    Logs:
    - `expansion_log`: expanded states, from the planner
    - `truth_log`: changes of the world
    - `belief_log`: changes of the belief
    - `seen_log`: locations that come into view for the first time
    - `path_log`: states ahead after each search
    """

    step_count: int
    trial: int
    expansion_log: EventLog
    truth_log: EventLog
    belief_log: EventLog

    def __init__(self, n_locations: int, is_fully_known: bool, paired_locations: np.ndarray[Any, Any] | None) -> None:
        """Create an empty recorder. paired_locations: for each location, the one that changes with it."""
        self.check_not_initialized()
        self.step_rows, self.search_rows = empty(1024 * STEP_SIZE, np.int64), empty(1024 * SEARCH_SIZE, np.int64)
        self.expansion_log, self.truth_log, self.belief_log = EventLog(), EventLog(), EventLog()
        self.seen_log, self.path_log = EventLog(), EventLog()
        self.is_fully_known, self.seen_mask = is_fully_known, zeros(n_locations, np.uint8)
        self.paired_location = view(
            np.arange(n_locations, dtype=np.int32) if paired_locations is None else paired_locations.astype(np.int32)
        )
        self.trial = self.first_expansions = self.first_key_updates = self.first_h = 0
        self.max_items = MAX_PART_ITEMS
        self.is_initialized = True
        self.clear()

    def clear(self) -> None:
        """Begin a new part. Its first step stores the path again."""
        self.check_initialized()
        self.step_count = self.search_count = 0
        self.path_position = -1  # position of the agent on its path when that was stored
        for log in (self.expansion_log, self.truth_log, self.belief_log, self.seen_log, self.path_log):
            log.clear()

    def begin_trial(self, trial: int, agent: Agent) -> None:
        """Begin a trial: counts are relative to those of the planner now."""
        self.check_initialized()
        if agent is None:
            raise InputError("a recorder needs an agent")
        agent.check_usable()
        planner = agent.planner
        self.trial = trial
        self.first_expansions, self.first_key_updates = planner.expansions, planner.key_updates
        self.first_h = planner.h_increase

    def n_locations(self) -> int:
        """Return the number of locations."""
        self.check_initialized()
        return len(self.seen_mask)

    def item_count(self) -> int:
        """Return the number of items in all logs."""
        self.check_initialized()
        return self.unchecked_item_count()

    def unchecked_item_count(self) -> int:
        return (
            self.expansion_log.count
            + self.truth_log.count
            + self.belief_log.count
            + self.seen_log.count
            + self.path_log.count
        )

    def is_full(self) -> bool:
        """True if the part has its largest size."""
        return self.unchecked_item_count() > self.max_items

    def record_visible(self, world: World, state: int) -> int:
        """Log the locations that the agent sees for the first time."""
        count = world.observer.list_visible(state)
        for i in range(count):
            location = world.observer.changed_locations[i]
            self.mark_seen(location)
            self.mark_seen(self.paired_location[location])
        return 0

    def mark_seen(self, location: int) -> int:
        """Log a location if it is seen for the first time."""
        if self.seen_mask[location] == 0:
            self.seen_mask[location] = 1
            self.seen_log.add(location, 0, 1)
        return 0

    def record_search(self, agent: Agent, expansions: int, ns: int) -> int:
        """Record a search that has ended."""
        if (self.search_count + 1) * SEARCH_SIZE > len(self.search_rows):
            with cython.gil:
                self._grow()
        i, row = self.search_count * SEARCH_SIZE, self.search_rows
        row[i] = expansions
        row[i + 1] = ns
        row[i + 2] = agent.planner.expansion_limit
        row[i + 3] = agent.planner.time_limit_ns
        row[i + 4] = agent.episode_status
        row[i + 5] = self.expansion_log.count
        self.search_count += 1
        self.path_position = -1
        return 0

    def _grow(self) -> int:
        self.step_rows = grown(self.step_rows, 2 * len(self.step_rows))
        self.search_rows = grown(self.search_rows, 2 * len(self.search_rows))
        return 0

    def record_step(
        self,
        agent: Agent,
        world: World,
        cause: int,
        why: int,
        step: int,
        moves: int,
        episodes: int,
        cost: int,
        search_ns: int,
        searched: bool,
    ) -> int:
        """Record a step: the agent has sensed, and has searched if a search was due."""
        if not self.is_fully_known:
            self.record_visible(world, agent.state)
        position, end = agent.planned_path.position, agent.planned_path.end
        length = position - end if agent.planned_path.next_state() >= 0 else 0
        if length > 0 and self.path_position < 0:
            self.path_position = position
            for k in range(position - 1, end - 1, -1):
                self.path_log.add(agent.planned_path.states[k], 0, 0)
        if (self.step_count + 1) * STEP_SIZE > len(self.step_rows):
            with cython.gil:
                self._grow()
        i, row = self.step_count * STEP_SIZE, self.step_rows
        row[i] = cause
        row[i + 1] = self.trial
        row[i + 2] = step
        row[i + 3] = agent.state
        row[i + 4] = world.target_state
        row[i + 5] = agent.goals.single_state
        row[i + 6] = why
        row[i + 7] = moves
        row[i + 8] = episodes
        row[i + 9] = agent.planner.expansions - self.first_expansions
        row[i + 10] = agent.planner.key_updates - self.first_key_updates
        row[i + 11] = agent.planner.h_increase - self.first_h
        row[i + 12] = cost
        row[i + 13] = search_ns
        row[i + 14] = self.belief_log.count
        row[i + 15] = self.truth_log.count
        row[i + 16] = self.seen_log.count
        row[i + 17] = self.path_log.count
        row[i + 18] = self.path_position - position if length > 0 else 0
        row[i + 19] = length
        row[i + 20] = searched
        self.step_count += 1
        return 0

    # Methods for Python.

    def truncate(self, count: int) -> None:
        """Keep the first `count` steps with their logged items: an error has ended the next one."""
        self.check_initialized()
        self.step_count, self.search_count = min(max(count, 0), self.step_count), 0
        for i in range(self.step_count):
            self.search_count += self.step_rows[i * STEP_SIZE + 20] != 0
        last_row = (self.step_count - 1) * STEP_SIZE
        ends = [self.step_rows[last_row + k] if self.step_count > 0 else 0 for k in range(14, 18)]
        for log, end in zip((self.belief_log, self.truth_log, self.seen_log, self.path_log), ends, strict=True):
            log.truncate(end)
        self.expansion_log.truncate(
            self.search_rows[(self.search_count - 1) * SEARCH_SIZE + 5] if self.search_count > 0 else 0
        )

    def add_between_trials(self, belief_changes: Any, truth_changes: Any) -> None:
        """Log (locations, values) that have changed in belief and truth between two trials."""
        self.check_initialized()
        for log, (locations, values) in ((self.belief_log, belief_changes), (self.truth_log, truth_changes)):
            for location, value in zip(locations.tolist(), values.tolist(), strict=True):
                log.add(location, 0, value)

    def rows(self) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """Return the rows of all steps and of all searches."""
        self.check_initialized()
        steps = np.array(self.step_rows[: self.step_count * STEP_SIZE]).reshape(-1, STEP_SIZE)
        return steps, np.array(self.search_rows[: self.search_count * SEARCH_SIZE]).reshape(-1, SEARCH_SIZE)

    def seen_places(self) -> np.ndarray[Any, Any]:
        """Return for each location whether it has been in view."""
        self.check_initialized()
        return np.array(self.seen_mask, bool)
