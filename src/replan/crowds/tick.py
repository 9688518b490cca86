"""One tick of a crowd: gather, plan, move, sense.

1. `gather`: each character takes into account what has changed. It is due if its path is used up or no longer valid.
2. `plan`: the characters that are due plan, in the order of the list. They change nothing that another one reads.
3. `move`: each character that has a path takes a step. First those that see nothing new after it, which do not depend
   on each other. Then the others, in the order of their ids. In a world that does not change, each of these senses as
   soon as it has moved, so that the next one knows what it has seen.
4. `sense`: in a world that changes, a step of time passes, and all characters sense what is around them.

The workers of a pool share the chunks of 1, 2 and the first half of 3 (`pool.py`). A chunk writes only rows of its own
characters, so the moves do not depend on the number of workers. An error in 1 or 2 leaves each character where it was,
and the next tick begins with 1 again.
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

GATHER, PLAN, MOVE = 0, 1, 2  # the parts that workers share
PLAN_CHUNK_SIZE, CHUNK_SIZE = 16, 128  # characters in a chunk of planning, and of another part
SINGLE_WORKER_LIMIT = 64  # up to so many characters, one worker is quicker than several
MAY_MOVE, DUE, DUE_BEFORE = 1, 2, 4  # DUE_BEFORE: due since an earlier tick
STAYED, UNDECIDED = -2, -3  # instead of the state that a character has moved to; IN_ORDER: not decided yet
PREFETCH_DISTANCE = 16  # characters ahead for which memory is prefetched
EXPANSIONS_PER_LABEL = 2  # expansions for each state whose component is computed anew
MAX_EXPANSIONS_COUNTED = 0x7FFFFFFF


class Tick:
    """The lists of the present tick.

    due[:dues]: rows of the characters that must plan. walker[:walkers]: rows of those that may move, in the order of
    ids; moved_to[i]: the state that walker[i] has moved to. moved[:moves]: rows of those that have moved;
    ids[:moves], places[:moves]: their ids, and their states or cells. collisions: characters do not share a state.
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
        self.pool: WorkerPool | None = None  # helps with this tick; None: one worker does it alone
        self.phase = self.tick_number = self.due_count = self.mover_count = self.moved_count = self.expansions = 0
        self.waiting_count = self.longest_wait_ticks = 0
        self.any_due_before = self.is_unbounded = False
        self.episode_limit = self.deadline = self.episode_ns = self.clock_interval = 0
        self.step_ns_x16 = self.move_ns = 0  # step_ns: of a character's step, in 1/16 ns
        self.rows: Any = empty(1, np.int32)
        self.ids: Any = empty(1, np.int64)
        self.locations: Any = empty(1, np.int64)
        self.due, self.mover, self.moved, self.moved_to = (empty(64, np.int32) for _ in range(4))
        self.codes = empty(64, np.uint8)
        self.set_grid(self.belief.space)

    def set_grid(self, space: Any) -> None:
        """What moves and prefetching need of a grid."""
        self.location_size = 1  # numbers of a place: a state, or row and column
        self.width, self.exits = 0, zeros(1, np.uint8)
        self.truth, self.believed = zeros(0, np.uint16), zeros(0, np.uint16)
        if isinstance(space, Grid):
            grid: Grid = space
            self.location_size, self.width, self.exits, self.believed = 2, grid.width, grid.exits, grid.value
            self.truth = grid.value
            if self.belief.world is not None:
                true_grid: Grid = self.belief.world.truth  # type: ignore[assignment, unused-ignore]
                self.truth = true_grid.value

    # The parts that workers share.

    def start_pool(self, count: int, pool: WorkerPool) -> None:
        """A tick of so many characters begins. The threads of the pool help with it if that is worth it."""
        if len(self.workers) > 1 and count > SINGLE_WORKER_LIMIT:
            self.pool = pool
            pool.start_threads()

    def stop_pool(self) -> None:
        self.pool = None  # the pool refers to this tick: without the circle, memory goes back at once

    def run_phase(self, part: int, start: int, stop: int) -> int:
        """Do a part for the items `start` to `stop` of its list, with the workers of the pool."""
        self.phase = part
        if self.pool is None:
            return self.run_chunk(self.first_worker, start, stop)
        with cython.gil:
            return self.pool.run(start, stop, PLAN_CHUNK_SIZE if part == PLAN else CHUNK_SIZE)

    def run_chunk(self, worker: Worker, start: int, stop: int) -> int:
        if self.phase == GATHER:
            return self.gather_chunk(worker, start, stop)
        if self.phase == PLAN:
            return self.plan_chunk(worker, start, stop)
        return self.move_chunk(worker, start, stop)

    # 1. Gather.

    def gather(self, rows: memoryview) -> int:
        """List which of these rows, in the order of their ids, must plan and which may move."""
        count = len(rows)
        if count > len(self.codes):  # `code` last: after an error, all lists are made again
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

    def gather_chunk(self, worker: Worker, start: int, stop: int) -> int:
        character = self.characters.character
        for i in range(start, stop):
            if i + 8 < stop:  # another worker may be at work on the items beyond
                prefetch_character(character, self.rows[i + 8])
                prefetch_path(character, self.rows[i + 4], self.belief.components.label, self.belief.components.version)
            self.codes[i] = self.gather_character(self.rows[i], worker)
        return 0

    def gather_character(self, c: int, worker: Worker) -> int:
        """MAY_MOVE, DUE, DUE_BEFORE for a character."""
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
        """True if it is known that no path leads to the goal."""
        character = self.characters.character
        if character[c].failed_from == character[c].state:
            return True
        if character[c].connected_version != self.belief.components.version:
            if self.belief.components.is_unreachable(character[c].state, character[c].goal):
                return True
            character[c].connected_version = self.belief.components.version  # no step leads out of a component
        if self.belief.space.is_symmetric or character[c].expansions_since_check < self.belief.space.n:
            return False
        with cython.gil:  # components prove less here, and the character has searched for long
            return self.search_finds_no_path(c)

    def search_finds_no_path(self, c: int) -> bool:
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

        Each round plans for as many characters as the budget allows in any case, and leaves the rest to the next one.
        """
        self.expansions = self.longest_wait_ticks = 0
        if self.due_count == 0:
            return 0
        self.sort_by_wait()
        planner = self.first_worker.planner
        longest = planner.max_episode_expansions()
        if self.collisions and longest < INF:
            longest *= 2  # an episode, and a detour
        self.set_clock(deadline, planner.time_limit_ns, longest)
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
                left, self.episode_limit = expansions - self.expansions, planner.expansion_limit
                if expansions == INF:
                    stop = self.due_count
                elif longest <= left:
                    stop = min(self.due_count, start + left // longest)
                elif left > 0 and (start == 0 or longest == INF):
                    stop, self.episode_limit = start + 1, left
                else:
                    break
                with cython.nogil:
                    self.run_phase(PLAN, start, stop)
                self.expansions = self.expansions_used()
                start = stop
            is_complete = True
        finally:
            for worker in self.workers[:entered]:
                worker.end_planning(is_complete)
        return self.expansions

    def sort_by_wait(self) -> None:
        """The character that has waited longest comes first; among equals, the smallest id."""
        if self.any_due_before:
            due = np.asarray(self.due)[: self.due_count]
            due[:] = due[np.argsort(self.characters.column("due_since", due), kind="stable")]
        self.longest_wait_ticks = self.tick_number - self.characters.character[self.due[0]].due_since

    def set_clock(self, deadline: int, episode_ns: int, longest: int) -> None:
        """Planning ends before `deadline` (0: none), early enough for the moves that follow.

        episode_ns: time limit of one episode. longest: the most expansions of an episode, INF if there is no bound.
        """
        self.deadline = max(1, deadline - (self.step_ns_x16 * self.mover_count >> 4)) if deadline > 0 else 0
        self.episode_ns, self.is_unbounded = episode_ns, longest >= INF
        self.clock_interval = max(1, 32 // longest)  # episodes between two readings of the clock

    def plan_chunk(self, worker: Worker, start: int, stop: int) -> int:
        character = self.characters.character
        for i in range(start, min(start + 4, stop)):
            prefetch_character(character, self.due[i])
        for i in range(start, stop):
            # the first character plans in any case
            is_clock_read = i == start or i % self.clock_interval == 0
            if self.deadline > 0 and i > 0 and is_clock_read and now_ns() >= self.deadline:
                break
            c = self.due[i]
            if i + 4 < stop:  # the memory arrives while others plan
                prefetch_character(character, self.due[i + 4])
            if i + 2 < stop:
                prefetch_search(character, self.due[i + 2], self.width, self.exits)
            if self.collisions:
                spent = worker.plan_with_detour(c, self.episode_limit, self.episode_deadline())
            else:
                spent = worker.plan(c, self.episode_limit, self.episode_deadline())
            character[c].due_since = -1
            character[c].expansions_since_check = min(MAX_EXPANSIONS_COUNTED, character[c].expansions_since_check + spent)
            worker.expansions += spent
            worker.search_count += 1
            if worker.search_count & 255 == 0:
                check_signals()
        return 0

    def episode_deadline(self) -> int:
        """When an episode that begins now must end; 0: no limit."""
        if self.episode_ns == 0:
            return self.deadline if self.is_unbounded else 0
        end = now_ns() + self.episode_ns
        return min(end, self.deadline) if self.deadline > 0 else end

    def expansions_used(self) -> int:
        total = 0
        for worker in self.workers:
            total += worker.expansions
        return total

    # 3. Move.

    def move(self, ids: memoryview, places: memoryview) -> int:
        """Each character that has a path takes a step. Returns how many have moved.

        ids, places: arrays with room for the ids and places of all walkers.
        """
        self.ids, self.locations = ids, places
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
        """Count the characters that are due and could not plan, and give them the status WAITING."""
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

    def move_chunk(self, worker: Worker, start: int, stop: int) -> int:
        """Move the characters that see nothing new afterwards."""
        character, ahead = self.characters.character, stop - PREFETCH_DISTANCE  # beyond: of other workers
        for i in range(start, stop):
            if i < ahead:
                prefetch_first_line(character, self.mover[i + PREFETCH_DISTANCE])
                prefetch_next(character, self.mover[i + 3 * PREFETCH_DISTANCE // 4])
                prefetch_step(character, self.mover[i + PREFETCH_DISTANCE // 2], self.characters.occupancy, self.belief.seen_epoch)
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
        prefetch_view(self.characters.character, c, belief.seen_epoch, belief.epoch, self.truth, self.believed, self.width)

    def move_in_order(self) -> int:
        """Move the characters that sense something, in the order of their ids. Then list all that have moved."""
        size, k = self.location_size, 0
        for i in range(self.mover_count):
            c = self.mover[i]
            if self.moved_to[i] == UNDECIDED:
                self.moved_to[i] = self.try_step(c)
                self.write_move(i, c)
            self.moved[k], self.ids[k] = c, self.ids[i]
            for j in range(size):
                self.locations[size * k + j] = self.locations[size * i + j]
            k += self.moved_to[i] >= 0
        self.moved_count = k
        return k

    def try_step(self, c: int) -> int:
        """Take a step if the believed cost and the occupancy of the next state allow it, and sense. STAYS if not."""
        character = self.characters.character
        if character[c].position == 0:
            return STAYED
        at, position, rises = character[c].state, character[c].position, character[c].known_increases
        s: int = character[c].path[position - 1]
        if (
            self.belief.last_increase[at >> BLOCK_BITS] > rises
            and self.belief.space.step_cost(at, s) > character[c].step_costs[position]
        ):
            return STAYED  # another character has just seen that the step costs more
        if self.collisions and self.characters.occupancy[s] > 0:
            character[c].status = WAITING
            return STAYED
        self.step(c)
        if self.belief.world is not None and self.belief.is_static:
            self.belief.sense(self.belief.world, at, s)
        return s

    def step(self, c: int) -> int:
        """Move a character to the next state of its path."""
        character, is_alone = self.characters.character, self.pool is None
        s: int = character[c].path[character[c].position - 1]
        add_occupants(self.characters.occupancy, character[c].state, -1, is_alone)
        add_occupants(self.characters.occupancy, s, 1, is_alone)
        character[c].state, character[c].position = s, character[c].position - 1
        return s

    def write_move(self, i: int, c: int) -> int:
        """Write the id of a character, and its row and column or its state."""
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
        """A step of time passes in a world that changes, and all characters sense. Components are updated."""
        start = now_ns()
        with cython.nogil:
            if self.belief.world is not None and not self.belief.is_static:
                self.advance_world(self.belief.world)
            self.belief.components.relabel_some((self.expansions + EXPANSIONS_PER_LABEL - 1) // EXPANSIONS_PER_LABEL)
        if self.mover_count > 0:
            self.step_ns_x16 = (7 * self.step_ns_x16 + 16 * (self.move_ns + now_ns() - start) // self.mover_count) >> 3
        return 0

    def advance_world(self, world: World) -> int:
        character = self.characters.character
        world.tick(-1)
        if world.observer.skips_unchanged:  # only what has changed is new to a character that has not moved
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
    """What one worker of the pool does in a tick."""

    def __init__(self, tick: Tick, worker: Worker) -> None:
        self.tick, self.worker = tick, worker

    def run(self, start: int, end: int) -> int:
        return self.tick.run_chunk(self.worker, start, end)
