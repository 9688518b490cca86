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
from replan.log import Log
from replan.simulation.agent import Agent
from replan.worlds.world import World

try:
    import cython
except ImportError:
    from replan import _cython as cython

MOMENT = (
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
    "refreshes",
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
SEARCH = ("expansions", "ns", "most_expansions", "most_ns", "answer", "order.end")
MOMENT_SIZE, SEARCH_SIZE = len(MOMENT), len(SEARCH)
PART_ITEMS = 1 << 18  # that are written down before a part of the story is made


class Diary(Initialized):
    """The moments since the last part of a story was made.

    expanded: what the planner logs. changed: the places that the world changes. believed: those of which the agent
    learns. seen: those that come into view for the first time. paths: the states ahead after each search.
    """

    count: int
    trial: int
    expanded: Log
    changed: Log
    believed: Log

    def __init__(self, places: int, all_seen: bool, twins: np.ndarray[Any, Any] | None) -> None:
        """twins: by place, the one that changes with it."""
        self.refuse_initialized()
        self.moments, self.searches = empty(1024 * MOMENT_SIZE, np.int64), empty(1024 * SEARCH_SIZE, np.int64)
        self.expanded, self.changed, self.believed, self.seen, self.paths = Log(), Log(), Log(), Log(), Log()
        self.all_seen, self.mask = all_seen, zeros(places, np.uint8)
        self.twin = view(np.arange(places, dtype=np.int32) if twins is None else twins.astype(np.int32))
        self.trial = self.first_expansions = self.first_refreshes = self.first_h = 0
        self.limit = PART_ITEMS
        self.is_initialized = True
        self.clear()

    def clear(self) -> None:
        """A new part: its first moment says where the path leads."""
        self.check_initialized()
        self.count = self.searched = 0
        self.stored = -1  # where on its trail the agent was when a path was stored
        for log in (self.expanded, self.changed, self.believed, self.seen, self.paths):
            log.clear()

    def begin_trial(self, trial: int, agent: Agent) -> None:
        """Counts are those since now."""
        self.check_initialized()
        if agent is None:
            raise InputError("a diary tells of an agent")
        agent.check()
        planner = agent.planner
        self.trial = trial
        self.first_expansions, self.first_refreshes = planner.expansions, planner.refreshes
        self.first_h = planner.h_increase

    def places(self) -> int:
        """How many places it knows of."""
        self.check_initialized()
        return len(self.mask)

    def items(self) -> int:
        """How much has been written down."""
        self.check_initialized()
        return self.length()

    def length(self) -> int:
        return self.expanded.count + self.changed.count + self.believed.count + self.seen.count + self.paths.count

    def is_full(self) -> bool:
        """True if a part of the story has to be made now."""
        return self.length() > self.limit

    def look(self, world: World, at: int) -> int:
        """Note what the agent sees for the first time."""
        k = world.eye.show(at)
        for i in range(k):
            place = world.eye.seen[i]
            self.see(place)
            self.see(self.twin[place])
        return 0

    def see(self, place: int) -> int:
        if self.mask[place] == 0:
            self.mask[place] = 1
            self.seen.add(place, 0, 1)
        return 0

    def note_search(self, agent: Agent, expansions: int, ns: int) -> int:
        """A search has ended."""
        if (self.searched + 1) * SEARCH_SIZE > len(self.searches):
            with cython.gil:
                self.grow()
        i, row = self.searched * SEARCH_SIZE, self.searches
        row[i] = expansions
        row[i + 1] = ns
        row[i + 2] = agent.planner.limit
        row[i + 3] = agent.planner.time_ns
        row[i + 4] = agent.answer
        row[i + 5] = self.expanded.count
        self.searched += 1
        self.stored = -1
        return 0

    def grow(self) -> int:
        self.moments = grown(self.moments, 2 * len(self.moments))
        self.searches = grown(self.searches, 2 * len(self.searches))
        return 0

    def note(
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
        if not self.all_seen:
            self.look(world, agent.at)
        position, end = agent.planned_path.position, agent.planned_path.end
        length = position - end if agent.planned_path.next_state() >= 0 else 0
        if length > 0 and self.stored < 0:
            self.stored = position
            for k in range(position - 1, end - 1, -1):
                self.paths.add(agent.planned_path.states[k], 0, 0)
        if (self.count + 1) * MOMENT_SIZE > len(self.moments):
            with cython.gil:
                self.grow()
        i, row = self.count * MOMENT_SIZE, self.moments
        row[i] = cause
        row[i + 1] = self.trial
        row[i + 2] = step
        row[i + 3] = agent.at
        row[i + 4] = world.target_at
        row[i + 5] = agent.goals.single
        row[i + 6] = why
        row[i + 7] = moves
        row[i + 8] = episodes
        row[i + 9] = agent.planner.expansions - self.first_expansions
        row[i + 10] = agent.planner.refreshes - self.first_refreshes
        row[i + 11] = agent.planner.h_increase - self.first_h
        row[i + 12] = cost
        row[i + 13] = search_ns
        row[i + 14] = self.believed.count
        row[i + 15] = self.changed.count
        row[i + 16] = self.seen.count
        row[i + 17] = self.paths.count
        row[i + 18] = self.stored - position if length > 0 else 0
        row[i + 19] = length
        row[i + 20] = searched
        self.count += 1
        return 0

    # For Python.

    def cut(self, count: int) -> None:
        """Keep the first so many moments, and what they tell of: an error has ended the one that follows."""
        self.check_initialized()
        self.count, self.searched = min(max(count, 0), self.count), 0
        for i in range(self.count):
            self.searched += self.moments[i * MOMENT_SIZE + 20] != 0
        last = (self.count - 1) * MOMENT_SIZE
        ends = [self.moments[last + k] if self.count > 0 else 0 for k in range(14, 18)]
        for log, end in zip((self.believed, self.changed, self.seen, self.paths), ends, strict=True):
            log.cut(end)
        self.expanded.cut(self.searches[(self.searched - 1) * SEARCH_SIZE + 5] if self.searched > 0 else 0)

    def add(self, believed: Any, changed: Any) -> None:
        """What has become known, and has changed, between two trials: (places, values) of each."""
        self.check_initialized()
        for log, (places, values) in ((self.believed, believed), (self.changed, changed)):
            for place, value in zip(places.tolist(), values.tolist(), strict=True):
                log.add(place, 0, value)

    def rows(self) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """The rows of all moments and of all searches."""
        self.check_initialized()
        moments = np.array(self.moments[: self.count * MOMENT_SIZE]).reshape(-1, MOMENT_SIZE)
        return moments, np.array(self.searches[: self.searched * SEARCH_SIZE]).reshape(-1, SEARCH_SIZE)

    def seen_places(self) -> np.ndarray[Any, Any]:
        """By place: has it been in view?"""
        self.check_initialized()
        return np.array(self.mask, bool)
