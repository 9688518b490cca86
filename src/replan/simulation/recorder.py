"""What happens on a walk that is watched, written down without leaving the loop.

A moment is a row of numbers, a search another one; what is as long as it happens to be (states expanded, places seen)
stands in logs, and the rows say where it ends. `tape.py` makes the columns of a story of them.
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
MAX_PART_ITEMS = 1 << 18  # that are written down before a part of the story is made


class Recorder(Initialized):
    """The moments since the last part of a story was made.

    expanded: what the planner logs. changed: the places that the world changes. believed: those of which the agent
    learns. seen: those that come into view for the first time. paths: the states ahead after each search.
    """

    step_count: int
    trial: int
    expansion_log: EventLog
    truth_log: EventLog
    belief_log: EventLog

    def __init__(self, n_locations: int, is_fully_known: bool, paired_locations: np.ndarray[Any, Any] | None) -> None:
        """twins: by place, the one that changes with it."""
        self.check_not_initialized()
        self.step_rows, self.search_rows = empty(1024 * STEP_SIZE, np.int64), empty(1024 * SEARCH_SIZE, np.int64)
        self.expansion_log, self.truth_log, self.belief_log, self.seen_log, self.path_log = (
            EventLog(),
            EventLog(),
            EventLog(),
            EventLog(),
            EventLog(),
        )
        self.is_fully_known, self.seen_mask = is_fully_known, zeros(n_locations, np.uint8)
        self.paired_location = view(
            np.arange(n_locations, dtype=np.int32) if paired_locations is None else paired_locations.astype(np.int32)
        )
        self.trial = self.first_expansions = self.first_key_updates = self.first_h = 0
        self.max_items = MAX_PART_ITEMS
        self.is_initialized = True
        self.clear()

    def clear(self) -> None:
        """A new part: its first moment says where the path leads."""
        self.check_initialized()
        self.step_count = self.search_count = 0
        self.path_position = -1  # where on its trail the agent was when a path was stored
        for log in (self.expansion_log, self.truth_log, self.belief_log, self.seen_log, self.path_log):
            log.clear()

    def begin_trial(self, trial: int, agent: Agent) -> None:
        """Counts are those since now."""
        self.check_initialized()
        if agent is None:
            raise InputError("a diary tells of an agent")
        agent.check_usable()
        planner = agent.planner
        self.trial = trial
        self.first_expansions, self.first_key_updates = planner.expansions, planner.key_updates
        self.first_h = planner.h_increase

    def n_locations(self) -> int:
        """How many places it knows of."""
        self.check_initialized()
        return len(self.seen_mask)

    def item_count(self) -> int:
        """How much has been written down."""
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
        """True if a part of the story has to be made now."""
        return self.unchecked_item_count() > self.max_items

    def record_visible(self, world: World, at: int) -> int:
        """Note what the agent sees for the first time."""
        k = world.observer.list_visible(at)
        for i in range(k):
            place = world.observer.changed_locations[i]
            self.mark_seen(place)
            self.mark_seen(self.paired_location[place])
        return 0

    def mark_seen(self, place: int) -> int:
        if self.seen_mask[place] == 0:
            self.seen_mask[place] = 1
            self.seen_log.add(place, 0, 1)
        return 0

    def record_search(self, agent: Agent, expansions: int, ns: int) -> int:
        """A search has ended."""
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
        """A moment: the agent has looked around, and has searched if that was due."""
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

    # For Python.

    def truncate(self, count: int) -> None:
        """Keep the first so many moments, and what they tell of: an error has ended the one that follows."""
        self.check_initialized()
        self.step_count, self.search_count = min(max(count, 0), self.step_count), 0
        for i in range(self.step_count):
            self.search_count += self.step_rows[i * STEP_SIZE + 20] != 0
        last = (self.step_count - 1) * STEP_SIZE
        ends = [self.step_rows[last + k] if self.step_count > 0 else 0 for k in range(14, 18)]
        for log, end in zip((self.belief_log, self.truth_log, self.seen_log, self.path_log), ends, strict=True):
            log.truncate(end)
        self.expansion_log.truncate(
            self.search_rows[(self.search_count - 1) * SEARCH_SIZE + 5] if self.search_count > 0 else 0
        )

    def add_between_trials(self, believed: Any, changed: Any) -> None:
        """What has become known, and has changed, between two trials: (places, values) of each."""
        self.check_initialized()
        for log, (places, values) in ((self.belief_log, believed), (self.truth_log, changed)):
            for place, value in zip(places.tolist(), values.tolist(), strict=True):
                log.add(place, 0, value)

    def rows(self) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """The rows of all moments and of all searches."""
        self.check_initialized()
        moments = np.array(self.step_rows[: self.step_count * STEP_SIZE]).reshape(-1, STEP_SIZE)
        return moments, np.array(self.search_rows[: self.search_count * SEARCH_SIZE]).reshape(-1, SEARCH_SIZE)

    def seen_places(self) -> np.ndarray[Any, Any]:
        """By place: has it been in view?"""
        self.check_initialized()
        return np.array(self.seen_mask, bool)
