"""A planner that plans for the characters of a crowd, one after the other.

All characters share the arrays of one search; where the search is bounded it uses a small part of them (`find_margin`).
What a character has learned is in a table of its own (`search/learned.py`): the search reads from it the h-values of
states that it generates, and writes there what it learns. No Python object is made, and Python's lock is not taken,
where planner, heuristic and rules belong to the compiled core.
"""

from __future__ import annotations

from typing import Any

from replan.crowds.characters import Characters
from replan.errors import InputError
from replan.limits import BLOCK, COMPLETE, KEEP, KEPT, PARTIAL, UNREACHABLE, WAITING
from replan.planners.realtime import RealTimePlanner
from replan.search.learned import Memory
from replan.search.lookahead import Lookahead
from replan.spaces.cell_distance import CellDistance
from replan.spaces.goals import Goals
from replan.spaces.heuristics import Asked
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import ints, learned_of, longs
    from replan.search.learned import forget

LONGEST_DETOUR = 256  # expansions, for planners without a limit
PATIENCE, MOST_DOUBLED = 8, 10  # detours that led no nearer to the goal; then at most 2**10 random moves


class Worker:
    """Plans for characters of a crowd, one at a time. last_rise: see `SharedBelief`."""

    planner: RealTimePlanner
    characters: Characters
    goals: Goals

    def __init__(self, planner: RealTimePlanner, characters: Characters, last_rise: memoryview) -> None:
        if not isinstance(planner, RealTimePlanner) or not isinstance(characters, Characters):
            raise InputError(
                f"a worker plans for Characters with a real-time planner, not for {characters!r} with {planner!r}"
            )
        self.planner, self.characters, self.last_rise = planner, characters, last_rise
        self.margin = 0
        self.eye: Any = None  # an Eye that shows whether there is anything new to see, where that is recorded
        self.used = self.planned = 0  # expansions in this tick, and searches in all

    def begin(self, space: Space, goal: int) -> None:
        """Reserve the memory of searches in this space. goal: any state."""
        self.goals = Goals([goal], space.n)
        self.planner.notice = False  # the crowd itself detects goals that cannot be reached
        self.planner.begin(space, self.goals)
        self.planner.get_ready()
        self.margin = self.find_margin(space)
        self.attach_heuristic()

    def find_margin(self, space: Space) -> int:
        """A bound on the distance between the number of the first state of a search and that of any other; 0: none.

        With a bound, all searches use the beginning of the arrays, which is as large as one search and not as the map.
        It stays in the cache, where the arrays of a large map would have to be fetched for each character.
        """
        steps = max(self.planner.farthest(), min(self.planner.limit, LONGEST_DETOUR)) + 2
        margin: int = space.state_reach(steps) if cython.compiled and space.built_in else space.n
        return margin if 2 * margin < space.n else 0

    def attach_heuristic(self) -> int:
        """Serve with the heuristic that the planner has made."""
        search = self.planner.look.search
        search.memory, search.occupancy = Memory(search.heuristic), self.characters.occupancy
        self.cells = search.heuristic if isinstance(search.heuristic, CellDistance) else None
        self.asked = search.heuristic if isinstance(search.heuristic, Asked) else None
        return 0

    def rng_state(self) -> int:
        """The first state of the random ties, for new characters."""
        return self.planner.open.rng_state()

    def has_own_estimates(self) -> bool:
        """True if the heuristic is a function of the user."""
        return self.asked is not None

    def enter(self) -> None:
        """A tick begins."""
        is_dirty, entered = self.planner.torn, False
        self.planner.enter()
        try:
            if is_dirty:  # an error has ended the last tick, and the planner has made its parts anew
                self.attach_heuristic()
            entered = True
        finally:
            if not entered:
                self.leave(False)

    def leave(self, whole: bool) -> None:
        self.planner.leave(whole)

    def serve(self, c: int) -> int:
        """Search for this character from now on."""
        character = self.characters.character
        goal = character[c].goal
        self.goals.single = goal
        self.goals.state[0] = goal
        self.planner.look.search.target = goal
        if self.cells is not None:
            self.cells.measure_from(goal)
        elif self.asked is not None:
            with cython.gil:
                self.asked.far = [self.planner.space.key(goal)]
        self.planner.look.search.avoids_occupied = False
        self.planner.serve(character[c].at - self.margin if self.margin > 0 else 0)
        self.planner.look.search.memory.serve(learned_of(character, c), character[c].drop)
        return 0

    def plan(self, c: int, limit: int, deadline: int) -> int:
        """Run one episode for a character. Returns its number of expansions."""
        character = self.characters.character
        self.serve(c)
        base, before = self.planner.look.search.base, self.planner.expansions
        self.planner.open.set_rng_state(character[c].rng_state)
        self.planner.set_planner_flags(character[c].planner_flags)
        character[c].status = self.planner.episode(character[c].at, limit, deadline)
        character[c].planner_flags = self.planner.planner_flags()
        character[c].rng_state = self.planner.open.rng_state()
        self.store_path(c)
        if self.planner.look.search.base != base:  # the planner has dropped what it learned
            self.forget_learned(c)
            with cython.gil:
                self.attach_heuristic()
        return self.planner.expansions - before

    # Around other characters (`solid=True`).

    def plan_around(self, c: int, limit: int, deadline: int) -> int:
        """Like `plan`; then, if the next state is occupied, search for a detour around all occupied states."""
        character = self.characters.character
        used = 0
        if character[c].position == 0 and character[c].random_moves == 0:
            used = self.plan(c, limit, deadline)
        if character[c].random_moves > 0 or self.next_is_occupied(c):
            used += self.detour(c, self.planner.space, min(limit, LONGEST_DETOUR), deadline)
        return used

    def next_is_occupied(self, c: int) -> bool:
        """True if a character stands on the next state of the path."""
        character = self.characters.character
        i = character[c].position
        return bool(i > 0 and self.characters.occupancy[character[c].path[i - 1]] > 0)

    def detour(self, c: int, space: Space, limit: int, deadline: int) -> int:
        """Search without the occupied states. Nothing is learned from it, because the characters there move on."""
        character = self.characters.character
        self.serve(c)
        at, goal = character[c].at, character[c].goal
        goal_is_occupied = self.characters.occupancy[goal] > 0  # then move only to come nearer
        is_random = not goal_is_occupied and self.must_move_at_random(c, space.estimate(at, goal))
        self.planner.open.set_rng_state(character[c].rng_state)
        self.planner.look.search.avoids_occupied = True
        # a random move is any step: what a longer search finds lies towards the goal
        found = self.planner.look.look(at, 1 if is_random else limit, deadline)
        self.planner.look.search.avoids_occupied = False
        character[c].rng_state = self.planner.open.rng_state()
        used = self.planner.look.search.expanded
        self.planner.expansions += used
        character[c].status = WAITING
        best = self.planner.look.best
        if found == 0 or (goal_is_occupied and space.estimate(best, goal) >= space.estimate(at, goal)):
            character[c].random_moves = 0
            return used
        if is_random:
            seed = (character[c].id + 61 * character[c].detours + 8191 * character[c].random_moves) * 7919 + at
            best = self.random_open_state(self.planner.look, seed)
        self.planner.planned_path.extract(space, self.planner.look.search, best, at, 0)
        character[c].status = COMPLETE if best == goal else PARTIAL
        self.store_path(c)
        return used

    def must_move_at_random(self, c: int, distance: int) -> bool:
        """True after every PATIENCE detours that led no nearer to the goal; each time for more moves."""
        character = self.characters.character
        if distance < character[c].nearest:
            character[c].nearest = distance
            character[c].detours = character[c].random_moves = 0
        if character[c].random_moves > 0:
            character[c].random_moves = character[c].random_moves - 1
            return True
        character[c].detours = character[c].detours + 1
        if character[c].detours % PATIENCE == 0:
            character[c].random_moves = 1 << min(character[c].detours // PATIENCE, MOST_DOUBLED)
            return True
        return False

    def random_open_state(self, look: Lookahead, seed: int) -> int:
        """One of the open states, chosen by a random number from this seed."""
        k = look.list_frontier()
        chance = ((seed & 0x7FFFFFFF) * 1103515245 + 12345) & 0x7FFFFFFF
        return look.frontier_state[(chance >> 8) % k]

    def forget_learned(self, c: int) -> int:
        """Drop all h-values that a character has learned."""
        self.characters.character[c].drop = 0
        return forget(learned_of(self.characters.character, c))

    def store_path(self, c: int) -> int:
        """Copy the path of the planner to the character."""
        character = self.characters.character
        character[c].position = 0
        character[c].failed_from = character[c].at if character[c].status == UNREACHABLE else -1
        if character[c].status != COMPLETE and character[c].status != PARTIAL:
            return 0
        self.planner.planned_path.follow(self.planner.moves)
        end = self.planner.planned_path.end
        steps = self.planner.planned_path.position - end
        planned, costs = ints(self.planner.planned_path.states), longs(self.planner.planned_path.step_costs)
        self.characters.reserve_path(c, steps)
        path, step_costs = character[c].path, character[c].step_costs
        for i in range(steps + 1):
            path[i] = planned[end + i]
            step_costs[i] = costs[end + i]
        character[c].position = steps
        return 0

    def apply_changes(self, c: int, rises: int, falls: int) -> int:
        """Take into account what has changed in the belief. rises, falls: see `SharedBelief`."""
        character = self.characters.character
        if character[c].falls != falls:
            character[c].falls = falls
            character[c].position, character[c].failed_from = 0, -1  # there may be a cheaper path
            if self.planner.on_fall == KEEP:
                character[c].planner_flags = character[c].planner_flags | KEPT
            else:
                self.forget_learned(c)
        if character[c].rises != rises:
            if not self.path_is_valid(c, self.planner.space):
                character[c].position = 0
            character[c].rises = rises
        return 0

    def path_is_valid(self, c: int, space: Space) -> bool:
        """True if no step of the path costs more than when it was found."""
        character, last_rise = self.characters.character, longs(self.last_rise)
        path, step_costs, known = character[c].path, character[c].step_costs, character[c].rises
        for i in range(1, character[c].position + 1):
            if last_rise[path[i] >> BLOCK] > known and space.step_cost(path[i], path[i - 1]) > step_costs[i]:
                return False
        return True

    def retarget(self, c: int, goal: int) -> int:
        """Give a character another goal: its learned h-values are lowered by the first h of that goal."""
        character = self.characters.character
        self.serve(c)
        character[c].drop = character[c].drop + self.planner.look.search.unmet_h(goal)
        character[c].goal = goal
        return self.characters.forget_path(c)
