"""One tick of a crowd: gather, plan, move, sense.

1. `gather`: apply the changes of the belief to each character. A character is due, which means that it must plan, if
   its path is used up or no longer valid.
2. `plan`: plan for the characters that are due, in the order of the list. An episode writes nothing that another
   episode reads.
3. `move`: each character that has a path takes a step. First the characters move that see nothing new afterwards: they
   do not depend on each other. Then the others move, in the order of their ids. In a static world, each of these
   senses right after its step, so that the next character can use what it has seen.
4. `advance_and_sense`: in a world that changes, a step of time passes, and all characters sense.

The workers of a pool share the chunks of 1, 2 and the first half of 3 (`pool.py`). A chunk writes only rows of its own
characters, so the moves do not depend on the number of workers. After an error in 1 or 2 each character stands where it
was, and the next tick begins with 1.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import empty, zeros
from replan.clock import now_ns
from replan.crowds.characters import Characters
from replan.crowds.flow_fields import FlowFields
from replan.crowds.pool import Job, WorkerPool
from replan.crowds.shared_belief import SharedBelief
from replan.crowds.worker import Worker
from replan.limits import BLOCK_BITS, INF, UNREACHABLE, WAITING
from replan.signals import check_signals
from replan.spaces.goals import Goals
from replan.spaces.grid import Grid
from replan.worlds.world import World

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import (
        add_occupants,
        prefetch_character,
        prefetch_first_line,
        prefetch_next,
        prefetch_path,
        prefetch_search,
        prefetch_step,
        prefetch_view,
    )
    from replan.search.reachability import can_reach

GATHER, PLAN, MOVE = 0, 1, 2  # phases that the workers share
PLAN_CHUNK_SIZE, CHUNK_SIZE = 16, 128  # characters in a chunk of planning, and of another phase
SINGLE_WORKER_LIMIT = 64  # with up to this many characters, one worker is faster than several
MAY_MOVE, DUE, DUE_BEFORE = 1, 2, 4  # DUE_BEFORE: due since an earlier tick
STAYED, UNDECIDED = -2, -3  # values of moved_to[i] that are not states
PREFETCH_DISTANCE = 16  # characters ahead for which memory is prefetched
EXPANSIONS_PER_LABEL = 2  # expansions per state whose component label is recomputed
MAX_EXPANSIONS_COUNTED = 0x7FFFFFFF


class Tick:
    """The current tick of a crowd: its phases and the lists of characters that they use.

    | list                     | meaning                                                                 |
    |--------------------------|-------------------------------------------------------------------------|
    | `rows`                   | rows of the characters of this tick, in the order of their ids          |
    | `codes[i]`               | MAY_MOVE, DUE and DUE_BEFORE of `rows[i]`                               |
    | `due[:due_count]`        | rows of the characters that must plan                                   |
    | `mover[:mover_count]`    | rows of the characters that may move, in the order of their ids         |
    | `moved_to[i]`            | the state that `mover[i]` has moved to, STAYED, or UNDECIDED            |
    | `moved[:moved_count]`    | rows of the characters that have moved                                  |
    | `ids`, `locations`       | ids of the moved characters, and their states or cells (row, column)    |

    With `collisions`, characters do not share a state.
    """

    belief: SharedBelief
    characters: Characters
    fields: FlowFields | None
    tick_number: int
    first_worker: Worker

    def __init__(
        self,
        belief: SharedBelief,
        characters: Characters,
        workers: list[Worker],
        fields: FlowFields | None,
        collisions: bool,
    ) -> None:
        self.belief, self.characters, self.fields, self.collisions = belief, characters, fields, collisions
        self.workers, self.first_worker = workers, workers[0]
        self.pool: WorkerPool | None = None  # threads that help with this tick; None: one worker does all
        self.phase = self.tick_number = self.due_count = self.mover_count = self.moved_count = self.expansions = 0
        self.waiting_count = self.longest_wait_ticks = 0
        self.any_due_before = self.is_unbounded = False
        self.episode_limit = self.deadline = self.episode_ns = self.clock_interval = 0
        self.step_ns_x16 = self.move_ns = 0  # time of a character's step in 1/16 ns; time of `move`
        self.rows: Any = empty(1, np.int32)
        self.ids: Any = empty(1, np.int64)
        self.locations: Any = empty(1, np.int64)
        self.due, self.mover, self.moved, self.moved_to = (empty(64, np.int32) for _ in range(4))
        self.codes = empty(64, np.uint8)
        self.set_grid(self.belief.space)

    def set_grid(self, space: Any) -> None:
        """Set the arrays of a grid that moving and prefetching read."""
        self.location_size = 1  # numbers per location: a state, or row and column
        self.width, self.exits = 0, zeros(1, np.uint8)
        self.truth, self.believed = zeros(0, np.uint16), zeros(0, np.uint16)
        if isinstance(space, Grid):
            grid: Grid = space
            self.location_size, self.width, self.exits, self.believed = 2, grid.width, grid.exits, grid.value
            self.truth = grid.value
            if self.belief.world is not None:
                true_grid: Grid = self.belief.world.truth  # type: ignore[assignment, unused-ignore]
                self.truth = true_grid.value

    # Phases that the workers share.

    def start_pool(self, count: int, pool: WorkerPool) -> None:
        """Start the threads of the pool if the tick has enough characters."""
        if len(self.workers) > 1 and count > SINGLE_WORKER_LIMIT:
            self.pool = pool
            pool.start_threads()

    def stop_pool(self) -> None:
        """Stop using the pool."""
        self.pool = None  # the pool refers to this tick: without the cycle, memory is freed at once

    def run_phase(self, phase: int, start: int, end: int) -> int:
        """Do a phase for the items from `start` to `end` of its list, with the workers of the pool."""
        self.phase = phase
        if self.pool is None:
            return self.run_chunk(self.first_worker, start, end)
        with cython.gil:
            return self.pool.run(start, end, PLAN_CHUNK_SIZE if phase == PLAN else CHUNK_SIZE)

    def run_chunk(self, worker: Worker, start: int, end: int) -> int:
        """Do a chunk of the current phase."""
        if self.phase == GATHER:
            return self.gather_chunk(worker, start, end)
        if self.phase == PLAN:
            return self.plan_chunk(worker, start, end)
        return self.move_chunk(worker, start, end)

    # 1. Gather.

    def gather(self, rows: memoryview) -> int:
        """List the rows that must plan and those that may move. Returns the number of rows that must plan."""
        count = len(rows)
        if count > len(self.codes):  # `codes` last: after an error, all lists are allocated again
            self.due, self.mover, self.moved, self.moved_to = (empty(2 * count, np.int32) for _ in range(4))
            self.codes = empty(2 * count, np.uint8)
        self.rows = rows
        self.tick_number += 1
        self.due_count = self.mover_count = self.moved_count = 0
        due_before = 0
        with cython.nogil:
            self.run_phase(GATHER, 0, count)
            for i in range(count):
                self.mover[self.mover_count] = self.due[self.due_count] = rows[i]
                self.mover_count += self.codes[i] & MAY_MOVE
                self.due_count += (self.codes[i] & DUE) >> 1
                due_before |= self.codes[i] & DUE_BEFORE
        self.any_due_before = due_before != 0
        return self.due_count

    def gather_chunk(self, worker: Worker, start: int, end: int) -> int:
        """Gather a chunk of rows."""
        character = self.characters.character
        for i in range(start, end):
            if i + 8 < end:  # the items beyond may belong to another worker
                prefetch_character(character, self.rows[i + 8])
                prefetch_path(character, self.rows[i + 4], self.belief.components.label, self.belief.components.version)
            self.codes[i] = self.gather_character(self.rows[i], worker)
        return 0

    def gather_character(self, c: int, worker: Worker) -> int:
        """Apply changes to a character. Returns MAY_MOVE, DUE and DUE_BEFORE as bits."""
        character = self.characters.character
        worker.apply_changes(c, self.belief.increase_count, self.belief.decrease_count)
        if character[c].state == character[c].goal:
            character[c].due_since = -1
            return 0
        if self.collisions and self.must_wait_beside_goal(c):
            character[c].status, character[c].due_since = WAITING, -1
            return 0
        if character[c].position > 0 and not (self.collisions and worker.next_is_occupied(c)):
            return MAY_MOVE
        if character[c].position == 0 and self.is_unreachable(c):
            character[c].status, character[c].due_since = UNREACHABLE, -1
            return 0
        if character[c].due_since < 0:
            character[c].due_since = self.tick_number
        return MAY_MOVE | DUE | (DUE_BEFORE if character[c].due_since < self.tick_number else 0)

    def must_wait_beside_goal(self, c: int) -> bool:
        """True if the goal is occupied and one step away."""
        character = self.characters.character
        goal = character[c].goal
        return self.characters.occupancy[goal] > 0 and self.belief.space.step_cost(character[c].state, goal) < INF

    def is_unreachable(self, c: int) -> bool:
        """True if it is known that there is no path to the goal."""
        character = self.characters.character
        if character[c].failed_from == character[c].state:
            return True
        if character[c].connected_version != self.belief.components.version:
            if self.belief.components.is_unreachable(character[c].state, character[c].goal):
                return True
            character[c].connected_version = self.belief.components.version  # no step leads out of a component
        if self.belief.space.is_symmetric or character[c].expansions_since_check < self.belief.space.n:
            return False
        with cython.gil:  # components prove little here, and the character has expanded many states
            return self.search_finds_no_path(c)

    def search_finds_no_path(self, c: int) -> bool:
        """True if a search of the whole space finds no path to the goal."""
        character, space = self.characters.character, self.belief.space
        character[c].expansions_since_check = 0
        goals = Goals([character[c].goal], space.n)
        if can_reach(space, goals, character[c].state):
            return False
        character[c].failed_from = character[c].state
        return True

    # 2. Plan.

    def plan(self, expansions: int, deadline: int) -> int:
        """Plan for the characters that are due, within the budget. Returns the number of expansions.

        Each round plans for as many characters as the rest of the budget allows even if every episode uses its maximum.
        """
        self.expansions = self.longest_wait_ticks = 0
        if self.due_count == 0:
            return 0
        self.sort_by_wait()
        planner = self.first_worker.planner
        max_episode_expansions = planner.max_episode_expansions()
        if self.collisions and max_episode_expansions < INF:
            max_episode_expansions *= 2  # an episode and a detour
        self.set_clock(deadline, planner.time_limit_ns, max_episode_expansions)
        start = entered = 0
        is_complete = False
        try:
            for worker in self.workers:
                worker.begin_planning()
                worker.expansions = 0
                entered += 1
            if self.fields is not None:
                due = np.array(self.due[: self.due_count])
                self.expansions = self.fields.plan(due, self.first_worker, expansions, deadline)
                start = self.due_count
            while start < self.due_count and (start == 0 or deadline == 0 or now_ns() < deadline):
                expansions_left, self.episode_limit = expansions - self.expansions, planner.expansion_limit
                if expansions == INF:
                    end = self.due_count
                elif max_episode_expansions <= expansions_left:
                    end = min(self.due_count, start + expansions_left // max_episode_expansions)
                elif expansions_left > 0 and (start == 0 or max_episode_expansions == INF):
                    end, self.episode_limit = start + 1, expansions_left
                else:
                    break
                with cython.nogil:
                    self.run_phase(PLAN, start, end)
                self.expansions = self.expansions_used()
                start = end
            is_complete = True
        finally:
            for worker in self.workers[:entered]:
                worker.end_planning(is_complete)
        return self.expansions

    def sort_by_wait(self) -> None:
        """Sort the characters that are due by their waiting time, max_episode_expansions first, then by id."""
        if self.any_due_before:
            due = np.asarray(self.due)[: self.due_count]
            due[:] = due[np.argsort(self.characters.column("due_since", due), kind="stable")]
        self.longest_wait_ticks = self.tick_number - self.characters.character[self.due[0]].due_since

    def set_clock(self, deadline: int, episode_ns: int, max_episode_expansions: int) -> None:
        """Set the end of planning: before `deadline` (0: none), early enough for the moves that follow.

        episode_ns: time limit of one episode. max_episode_expansions: INF if there is no bound.
        """
        self.deadline = max(1, deadline - (self.step_ns_x16 * self.mover_count >> 4)) if deadline > 0 else 0
        self.episode_ns, self.is_unbounded = episode_ns, max_episode_expansions >= INF
        self.clock_interval = max(1, 32 // max_episode_expansions)  # episodes between two readings of the clock

    def plan_chunk(self, worker: Worker, start: int, end: int) -> int:
        """Plan for a chunk of the characters that are due."""
        character = self.characters.character
        for i in range(start, min(start + 4, end)):
            prefetch_character(character, self.due[i])
        for i in range(start, end):
            # the first character always plans, whatever the time
            is_clock_read = i == start or i % self.clock_interval == 0
            if self.deadline > 0 and i > 0 and is_clock_read and now_ns() >= self.deadline:
                break
            c = self.due[i]
            if i + 4 < end:  # the memory is loaded while other characters plan
                prefetch_character(character, self.due[i + 4])
            if i + 2 < end:
                prefetch_search(character, self.due[i + 2], self.width, self.exits)
            if self.collisions:
                spent = worker.plan_with_detour(c, self.episode_limit, self.episode_deadline())
            else:
                spent = worker.plan(c, self.episode_limit, self.episode_deadline())
            character[c].due_since = -1
            character[c].expansions_since_check = min(
                MAX_EXPANSIONS_COUNTED, character[c].expansions_since_check + spent
            )
            worker.expansions += spent
            worker.search_count += 1
            if worker.search_count & 255 == 0:
                check_signals()
        return 0

    def episode_deadline(self) -> int:
        """Return the time at which an episode that starts now must end; 0: no limit."""
        if self.episode_ns == 0:
            return self.deadline if self.is_unbounded else 0
        end = now_ns() + self.episode_ns
        return min(end, self.deadline) if self.deadline > 0 else end

    def expansions_used(self) -> int:
        """Return the expansions of all workers in this tick."""
        total = 0
        for worker in self.workers:
            total += worker.expansions
        return total

    # 3. Move.

    def move(self, ids: memoryview, locations: memoryview) -> int:
        """Move each character that has a path by a step. Returns the number of characters that have moved.

        ids, locations: arrays for the ids and locations of all movers; the beginning is filled.
        """
        self.ids, self.locations = ids, locations
        start = now_ns()
        with cython.nogil:
            self.mark_waiting()
            if self.collisions or not self.belief.is_static:  # then the moves depend on each other
                for i in range(self.mover_count):
                    self.moved_to[i] = UNDECIDED
            else:
                self.run_phase(MOVE, 0, self.mover_count)
            self.move_in_order()
        self.move_ns = now_ns() - start
        return self.moved_count

    def mark_waiting(self) -> int:
        """Count the characters that are due and did not plan, and set their status to WAITING."""
        character = self.characters.character
        self.waiting_count = 0
        for i in range(self.due_count):
            if i + 8 < self.due_count:
                prefetch_character(character, self.due[i + 8])
            c = self.due[i]
            if character[c].due_since >= 0:
                character[c].status = WAITING
                self.waiting_count += 1
        return 0

    def move_chunk(self, worker: Worker, start: int, end: int) -> int:
        """Move the characters that see nothing new afterwards."""
        character = self.characters.character
        ahead = end - PREFETCH_DISTANCE  # the items beyond belong to other workers
        for i in range(start, end):
            if i < ahead:
                prefetch_first_line(character, self.mover[i + PREFETCH_DISTANCE])
                prefetch_next(character, self.mover[i + 3 * PREFETCH_DISTANCE // 4])
                prefetch_step(
                    character, self.mover[i + PREFETCH_DISTANCE // 2], self.characters.occupancy, self.belief.seen_epoch
                )
                if self.belief.records_seen:
                    self.prefetch_next_view(self.belief, self.mover[i + PREFETCH_DISTANCE // 4])
            c = self.mover[i]
            self.moved_to[i] = STAYED
            if character[c].position > 0:
                s = character[c].path[character[c].position - 1]
                if self.belief.shows_nothing_new(worker.observer, character[c].state, s):
                    self.moved_to[i] = self.step(c)
                    self.write_move(i, c)
                else:
                    self.moved_to[i] = UNDECIDED
        return 0

    def prefetch_next_view(self, belief: SharedBelief, c: int) -> None:
        """Prefetch the cells that a character sees after its step."""
        prefetch_view(
            self.characters.character, c, belief.seen_epoch, belief.epoch, self.truth, self.believed, self.width
        )

    def move_in_order(self) -> int:
        """Move the UNDECIDED characters in the order of their ids. Then list all that have moved."""
        location_size, k = self.location_size, 0
        for i in range(self.mover_count):
            c = self.mover[i]
            if self.moved_to[i] == UNDECIDED:
                self.moved_to[i] = self.try_step(c)
                self.write_move(i, c)
            self.moved[k], self.ids[k] = c, self.ids[i]
            for j in range(location_size):
                self.locations[location_size * k + j] = self.locations[location_size * i + j]
            k += self.moved_to[i] >= 0
        self.moved_count = k
        return k

    def try_step(self, c: int) -> int:
        """Take a step and sense; return STAYED if the believed cost or the occupancy of the next state forbids it."""
        character = self.characters.character
        if character[c].position == 0:
            return STAYED
        state, position, known_increases = character[c].state, character[c].position, character[c].known_increases
        s: int = character[c].path[position - 1]
        if (
            self.belief.last_increase[state >> BLOCK_BITS] > known_increases
            and self.belief.space.step_cost(state, s) > character[c].step_costs[position]
        ):
            return STAYED  # a character that moved earlier has seen that the step costs more
        if self.collisions and self.characters.occupancy[s] > 0:
            character[c].status = WAITING
            return STAYED
        self.step(c)
        if self.belief.world is not None and self.belief.is_static:
            self.belief.sense(self.belief.world, state, s)
        return s

    def step(self, c: int) -> int:
        """Move a character to the next state of its path. Returns that state."""
        character, is_alone = self.characters.character, self.pool is None
        s: int = character[c].path[character[c].position - 1]
        add_occupants(self.characters.occupancy, character[c].state, -1, is_alone)
        add_occupants(self.characters.occupancy, s, 1, is_alone)
        character[c].state, character[c].position = s, character[c].position - 1
        return s

    def write_move(self, i: int, c: int) -> int:
        """Write the id of a character, and its cell or its state, to the results."""
        character = self.characters.character
        self.ids[i] = character[c].id
        if self.width > 0:
            self.locations[2 * i] = character[c].state // self.width - 1
            self.locations[2 * i + 1] = character[c].state % self.width - 1
        else:
            self.locations[i] = character[c].state
        return 0

    # 4. Sense.

    def advance_and_sense(self) -> int:
        """Advance a world that changes by a step, let all characters sense, and relabel some components."""
        start = now_ns()
        with cython.nogil:
            if self.belief.world is not None and not self.belief.is_static:
                self.advance_world(self.belief.world)
            self.belief.components.relabel_some((self.expansions + EXPANSIONS_PER_LABEL - 1) // EXPANSIONS_PER_LABEL)
        if self.mover_count > 0:
            self.step_ns_x16 = (7 * self.step_ns_x16 + 16 * (self.move_ns + now_ns() - start) // self.mover_count) >> 3
        return 0

    def advance_world(self, world: World) -> int:
        """Advance the world by a step, and let all characters sense."""
        character = self.characters.character
        world.tick(-1)
        if world.observer.skips_unchanged:  # a character that has not moved sees only what has changed
            for i in range(self.moved_count):
                c = self.moved[i]
                self.belief.sense(world, character[c].path[character[c].position + 1], character[c].state)
            for i in range(world.observer.reported_count):
                self.belief.sense_location(world, world.observer.reported_locations[i])
            world.observer.reported_count = 0
            return 0
        for c in range(self.characters.end_row):
            if character[c].state >= 0:
                self.belief.sense(world, -1, character[c].state)
        return 0


class TickJob(Job):
    """Job of one worker of the pool in a tick."""

    def __init__(self, tick: Tick, worker: Worker) -> None:
        self.tick, self.worker = tick, worker

    def run(self, start: int, end: int) -> int:
        return self.tick.run_chunk(self.worker, start, end)
