"""Worker: a planner that plans for the characters of a crowd, one after the other.

All characters share the arrays of one search. A bounded search uses only a small part of them (`state_margin`). The
h-values that a character has learned are in its own table (`search/learned_table.py`). The search reads and writes it.
If planner, heuristic and rules belong to the compiled core, planning creates no Python objects and does not hold
Python's lock.
"""

from __future__ import annotations

from typing import Any

from replan.crowds.characters import Characters
from replan.errors import InputError
from replan.limits import BLOCK_BITS, COMPLETE, H_WAS_KEPT, KEEP, PARTIAL, UNREACHABLE, WAITING
from replan.planners.realtime import RealTimePlanner
from replan.search.learned_table import LearnedHStore
from replan.search.lookahead import Lookahead
from replan.spaces.cell_distance import CellDistance
from replan.spaces.goals import Goals
from replan.spaces.heuristics import FunctionHeuristic
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import ints, learned_table_of, longs
    from replan.search.learned_table import free_table

MAX_DETOUR_EXPANSIONS = 256  # maximum expansions of a detour
DETOURS_PER_RANDOM_PHASE = 8  # detours without progress before random moves
MAX_DOUBLINGS = 10  # at most 2**10 random moves in a row


class Worker:
    """Planner for the characters of a crowd, one at a time. last_increase: see `SharedBelief`."""

    planner: RealTimePlanner
    characters: Characters
    goals: Goals

    def __init__(self, planner: RealTimePlanner, characters: Characters, last_increase: memoryview) -> None:
        if not isinstance(planner, RealTimePlanner) or not isinstance(characters, Characters):
            raise InputError(
                f"a worker plans for Characters with a real-time planner, not for {characters!r} with {planner!r}"
            )
        self.planner, self.characters, self.last_increase = planner, characters, last_increase
        self.margin = 0
        self.observer: Any = None  # Observer that tells if a character sees anything new, if that is recorded
        self.expansions = self.search_count = 0  # expansions in this tick; searches in total

    def warm_up(self, space: Space, goal: int) -> None:
        """Reserve the memory for searches in this space. goal: any state."""
        self.goals = Goals([goal], space.n)
        self.planner.detects_unreachable = False  # the crowd detects unreachable goals
        self.planner.begin(space, self.goals)
        self.planner.warm_up()
        self.margin = self.state_margin(space)
        self.attach_heuristic()

    def state_margin(self, space: Space) -> int:
        """Return a bound on the difference between the start state of a search and any other state of it; 0: none.

        With a bound, all searches use the same small part of the arrays, which stays in the cache.
        """
        steps = max(self.planner.max_episode_distance(), min(self.planner.expansion_limit, MAX_DETOUR_EXPANSIONS)) + 2
        margin: int = space.max_state_offset(steps) if cython.compiled and space.is_built_in else space.n
        return margin if 2 * margin < space.n else 0

    def attach_heuristic(self) -> int:
        """Use the heuristic object of the planner."""
        search = self.planner.lookahead_search.search
        search.learned_h, search.occupancy = LearnedHStore(search.heuristic), self.characters.occupancy
        self.cell_distance = search.heuristic if isinstance(search.heuristic, CellDistance) else None
        self.function_heuristic = search.heuristic if isinstance(search.heuristic, FunctionHeuristic) else None
        return 0

    def rng_state(self) -> int:
        """Return the initial random state of the tie-breaking, for new characters."""
        return self.planner.open.rng_state()

    def has_user_heuristic(self) -> bool:
        """True if the heuristic is a user's function."""
        return self.function_heuristic is not None

    def begin_planning(self) -> None:
        """Prepare for the searches of a tick."""
        is_dirty, entered = self.planner.is_dirty, False
        self.planner.begin_search()
        try:
            if is_dirty:  # an error has ended the last tick, and the planner has new parts
                self.attach_heuristic()
            entered = True
        finally:
            if not entered:
                self.end_planning(False)

    def end_planning(self, is_complete: bool) -> None:
        """End the searches of a tick. is_complete: there was no error."""
        self.planner.end_search(is_complete)

    def begin_character(self, c: int) -> int:
        """Set up the search for this character."""
        character = self.characters.character
        goal = character[c].goal
        self.goals.single_state = goal
        self.goals.state_array[0] = goal
        self.planner.lookahead_search.search.target = goal
        if self.cell_distance is not None:
            self.cell_distance.set_cell(goal)
        elif self.function_heuristic is not None:
            with cython.gil:
                self.function_heuristic.ends = [self.planner.space.key(goal)]
        self.planner.lookahead_search.search.avoids_occupied = False
        self.planner.begin_character(character[c].state - self.margin if self.margin > 0 else 0)
        self.planner.lookahead_search.search.learned_h.select_table(
            learned_table_of(character, c), character[c].h_offset
        )
        return 0

    def plan(self, c: int, limit: int, deadline: int) -> int:
        """Run one episode for a character. Returns its number of expansions."""
        character = self.characters.character
        self.begin_character(c)
        stamp_before, expansions_before = self.planner.lookahead_search.search.known_h_stamp, self.planner.expansions
        self.planner.open.set_rng_state(character[c].rng_state)
        self.planner.set_planner_flags(character[c].planner_flags)
        character[c].status = self.planner.run_episode(character[c].state, limit, deadline)
        character[c].planner_flags = self.planner.planner_flags()
        character[c].rng_state = self.planner.open.rng_state()
        self.store_path(c)
        if self.planner.lookahead_search.search.known_h_stamp != stamp_before:  # the planner has reset its h-values
            self.clear_learned(c)
            with cython.gil:
                self.attach_heuristic()
        return self.planner.expansions - expansions_before

    # Detours around other characters, with collisions.

    def plan_with_detour(self, c: int, limit: int, deadline: int) -> int:
        """Plan, and if the next state is then occupied, search for a detour around all occupied states."""
        character = self.characters.character
        expansions = 0
        if character[c].position == 0 and character[c].random_moves_left == 0:
            expansions = self.plan(c, limit, deadline)
        if character[c].random_moves_left > 0 or self.next_is_occupied(c):
            expansions += self.detour(c, self.planner.space, min(limit, MAX_DETOUR_EXPANSIONS), deadline)
        return expansions

    def next_is_occupied(self, c: int) -> bool:
        """True if the next state of the path is occupied."""
        character = self.characters.character
        i = character[c].position
        return bool(i > 0 and self.characters.occupancy[character[c].path[i - 1]] > 0)

    def detour(self, c: int, space: Space, limit: int, deadline: int) -> int:
        """Search for a path without occupied states. h is not learned from it, because other characters move on."""
        character = self.characters.character
        self.begin_character(c)
        state, goal = character[c].state, character[c].goal
        goal_is_occupied = self.characters.occupancy[goal] > 0  # then the character moves only towards the goal
        is_random = not goal_is_occupied and self.takes_random_move(c, space.estimate(state, goal))
        self.planner.open.set_rng_state(character[c].rng_state)
        self.planner.lookahead_search.search.avoids_occupied = True
        # one expansion, so that any step is possible: the states of a longer search lie towards the goal
        has_frontier = self.planner.lookahead_search.run_search(state, 1 if is_random else limit, deadline)
        self.planner.lookahead_search.search.avoids_occupied = False
        character[c].rng_state = self.planner.open.rng_state()
        expansions = self.planner.lookahead_search.search.expanded
        self.planner.expansions += expansions
        character[c].status = WAITING
        best = self.planner.lookahead_search.best
        if has_frontier == 0 or (goal_is_occupied and space.estimate(best, goal) >= space.estimate(state, goal)):
            character[c].random_moves_left = 0
            return expansions
        if is_random:
            seed = (character[c].id + 61 * character[c].detours + 8191 * character[c].random_moves_left) * 7919 + state
            best = self.random_frontier_state(self.planner.lookahead_search, seed)
        self.planner.planned_path.extract(space, self.planner.lookahead_search.search, best, state, 0)
        character[c].status = COMPLETE if best == goal else PARTIAL
        self.store_path(c)
        return expansions

    def takes_random_move(self, c: int, distance: int) -> bool:
        """True if the next move is random: after each DETOURS_PER_RANDOM_PHASE detours without progress, for more moves
        each time.
        """
        character = self.characters.character
        if distance < character[c].smallest_estimate:
            character[c].smallest_estimate = distance
            character[c].detours = character[c].random_moves_left = 0
        if character[c].random_moves_left > 0:
            character[c].random_moves_left = character[c].random_moves_left - 1
            return True
        character[c].detours = character[c].detours + 1
        if character[c].detours % DETOURS_PER_RANDOM_PHASE == 0:
            character[c].random_moves_left = 1 << min(character[c].detours // DETOURS_PER_RANDOM_PHASE, MAX_DOUBLINGS)
            return True
        return False

    def random_frontier_state(self, lookahead_search: Lookahead, seed: int) -> int:
        """Return a frontier state, chosen at random with this seed."""
        count = lookahead_search.copy_frontier()
        random_number = ((seed & 0x7FFFFFFF) * 1103515245 + 12345) & 0x7FFFFFFF
        return lookahead_search.frontier_states[(random_number >> 8) % count]

    def clear_learned(self, c: int) -> int:
        """Delete all h-values that a character has learned."""
        self.characters.character[c].h_offset = 0
        return free_table(learned_table_of(self.characters.character, c))

    def store_path(self, c: int) -> int:
        """Copy the path of the planner to the character."""
        character = self.characters.character
        character[c].position = 0
        character[c].failed_from = character[c].state if character[c].status == UNREACHABLE else -1
        if character[c].status != COMPLETE and character[c].status != PARTIAL:
            return 0
        self.planner.planned_path.follow(self.planner.move_limit)
        end = self.planner.planned_path.end
        steps = self.planner.planned_path.position - end
        planned_states, planned_costs = (
            ints(self.planner.planned_path.states),
            longs(self.planner.planned_path.step_costs),
        )
        self.characters.reserve_path(c, steps)
        path, step_costs = character[c].path, character[c].step_costs
        for i in range(steps + 1):
            path[i] = planned_states[end + i]
            step_costs[i] = planned_costs[end + i]
        character[c].position = steps
        return 0

    def apply_changes(self, c: int, increase_count: int, decrease_count: int) -> int:
        """Apply the changes of the belief to a character. increase_count, decrease_count: see `SharedBelief`."""
        character = self.characters.character
        if character[c].known_decreases != decrease_count:
            character[c].known_decreases = decrease_count
            character[c].position, character[c].failed_from = 0, -1  # there may be a cheaper path
            if self.planner.decrease_action == KEEP:
                character[c].planner_flags = character[c].planner_flags | H_WAS_KEPT
            else:
                self.clear_learned(c)
        if character[c].known_increases != increase_count:
            if not self.path_is_valid(c, self.planner.space):
                character[c].position = 0
            character[c].known_increases = increase_count
        return 0

    def path_is_valid(self, c: int, space: Space) -> bool:
        """True if no step of the path costs more than when the path was planned."""
        character, last_increase = self.characters.character, longs(self.last_increase)
        path, step_costs, known = character[c].path, character[c].step_costs, character[c].known_increases
        for i in range(1, character[c].position + 1):
            if last_increase[path[i] >> BLOCK_BITS] > known and space.step_cost(path[i], path[i - 1]) > step_costs[i]:
                return False
        return True

    def retarget(self, c: int, goal: int) -> int:
        """Change the goal of a character. Its learned h-values are lowered by the initial h of the new goal."""
        character = self.characters.character
        self.begin_character(c)
        character[c].h_offset = character[c].h_offset + self.planner.lookahead_search.search.initial_h(goal)
        character[c].goal = goal
        return self.characters.reset_plan(c)
