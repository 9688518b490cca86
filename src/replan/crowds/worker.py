"""One who plans for many: a planner, whose search turns from one character to the next.

The arrays of the search serve all, and where it is bounded a small part of them does (`find_margin`). What a character
has learned is in a table of its own (`search/learned.py`), which the search asks for states that it meets; what it
learns goes back there. Nothing here makes a Python object or takes Python's lock where planner, heuristic and rules are
of the core.
"""

from __future__ import annotations

from replan.crowds.people import People
from replan.errors import InputError
from replan.limits import BLOCK, COMPLETE, INF, KEEP, KEPT, PARTIAL, UNREACHABLE, WAITING
from replan.planners.realtime import RealTimePlanner
from replan.search.learned import Memory
from replan.search.lookahead import Lookahead
from replan.spaces.goals import Goals
from replan.spaces.grid import Grid
from replan.spaces.heuristics import Asked, CellDistance
from replan.spaces.space import Space
from replan.worlds.eyes import Eye

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import ints, learned_of, longs
    from replan.search.learned import forget

LONGEST_DODGE = 256  # expansions, for planners without a limit
PATIENCE, MOST_DOUBLED = 8, 10  # ways past others that led no nearer; then at most 2**10 random steps


class Worker:
    """Plans for characters of `people`, one at a time. bodies: how many stand on each state. risen: see `Ground`."""

    planner: RealTimePlanner
    people: People
    goals: Goals
    eye: Eye  # its own, to see whether there is anything new

    def __init__(self, planner: RealTimePlanner, people: People, bodies: memoryview, risen: memoryview) -> None:
        if not isinstance(planner, RealTimePlanner) or not isinstance(people, People):
            raise InputError(f"a worker plans for People with a real-time planner, not for {people!r} with {planner!r}")
        self.planner, self.people, self.bodies, self.risen = planner, people, bodies, risen
        self.ready, self.margin, self.place = False, 0, 0
        self.used = self.planned = 0  # expansions in this frame, and searches in all

    def begin(self, space: Space, goal: int) -> None:
        """Make what planning there needs; `goal` is anybody's."""
        self.goals = Goals([goal], space.n)
        self.planner.notice = False  # the crowd knows what can be reached
        self.planner.begin(space, self.goals)
        self.planner.get_ready()
        self.margin = self.find_margin(space)
        self.settle()
        self.ready = True

    def find_margin(self, space: Space) -> int:
        """No search comes to a state whose number is so far from where it begins; 0: it may come anywhere.

        Then all searches use the beginning of the arrays, as large as what a search can come to and not as the map: it
        is at hand, where the arrays of a large map would have to be fetched anew for each character.
        """
        steps = max(self.planner.farthest(), min(self.planner.limit, LONGEST_DODGE)) + 2
        if not cython.compiled or not isinstance(space, Grid) or steps >= space.rows:
            return 0
        margin: int = steps * (space.width + 1)
        return margin if space.built_in and 2 * margin < space.n else 0

    def settle(self) -> int:
        """The planner has a heuristic that is new."""
        search = self.planner.look.search
        search.memory, search.bodies = Memory(search.heuristic), self.bodies
        self.cells = search.heuristic if isinstance(search.heuristic, CellDistance) else None
        self.asked = search.heuristic if isinstance(search.heuristic, Asked) else None
        return 0

    def luck(self) -> int:
        """Where everybody's random ties begin."""
        return self.planner.open.luck()

    def has_own_estimates(self) -> bool:
        """Is the heuristic the user's?"""
        return self.asked is not None

    def enter(self) -> None:
        """A frame begins."""
        torn = self.planner.torn
        self.planner.enter()
        if torn:  # an error has ended the last frame: the planner has begun anew
            self.settle()

    def leave(self, whole: bool) -> None:
        self.planner.leave(whole)

    def turn_to(self, c: int) -> int:
        """From now on search for this character."""
        person = self.people.person
        goal = person[c].goal
        self.goals.single = goal
        self.goals.state[0] = goal
        self.planner.look.search.target = goal
        if self.cells is not None:
            self.cells.measure_from(goal)
        elif self.asked is not None:
            with cython.gil:
                self.asked.far = [self.planner.space.key(goal)]
        self.planner.look.search.dodges = False
        self.planner.serve(person[c].at - self.margin if self.margin > 0 else 0)
        self.planner.look.search.memory.serve(learned_of(person, c), person[c].drop)
        return 0

    def plan(self, c: int, limit: int, deadline: int) -> int:
        """One episode for a character: how many expansions has it taken?"""
        person = self.people.person
        self.turn_to(c)
        base, before = self.planner.look.search.base, self.planner.expansions
        self.planner.open.resume(person[c].tie)
        self.planner.resume(person[c].mood)
        person[c].answer = self.planner.episode(person[c].at, limit, deadline)
        person[c].mood = self.planner.mood()
        person[c].tie = self.planner.open.luck()
        self.keep_path(c)
        if self.planner.look.search.base != base:  # it has given up what it learned
            self.unlearn(c)
            with cython.gil:
                self.settle()
        return self.planner.expansions - before

    # Where others stand in the way (`solid=True`).

    def plan_around(self, c: int, limit: int, deadline: int) -> int:
        """As `plan`; then, if somebody stands on the next state, look for a way past all who stand around."""
        person = self.people.person
        used = 0
        if person[c].spot == 0 and person[c].wander == 0:
            used = self.plan(c, limit, deadline)
        if person[c].wander > 0 or (person[c].spot > 0 and self.bodies[person[c].path[person[c].spot - 1]] > 0):
            used += self.dodge(c, self.planner.space, min(limit, LONGEST_DODGE), deadline)
        return used

    def dodge(self, c: int, space: Space, limit: int, deadline: int) -> int:
        """A search that leaves out where somebody stands. Nothing is learned from it: they will walk on."""
        person = self.people.person
        self.turn_to(c)
        at, goal = person[c].at, person[c].goal
        taken = self.bodies[goal] > 0  # then come nearer, but do not walk about
        wanders = not taken and self.lose_patience(c, space.estimate(at, goal))
        self.planner.look.search.dodges = True
        # who wanders takes any step: what a search finds lies towards the goal
        found = self.planner.look.look(at, 1 if wanders else limit, deadline)
        self.planner.look.search.dodges = False
        used = self.planner.look.search.expanded
        self.planner.expansions += used
        person[c].answer = WAITING
        best = self.planner.look.best
        if found == 0 or (taken and space.estimate(best, goal) >= space.estimate(at, goal)):
            person[c].wander = 0
            return used
        if wanders:
            seed = (person[c].number + 61 * person[c].held + 8191 * person[c].wander) * 7919 + at
            best = self.any_open(self.planner.look, seed)
        self.planner.lay_trail(self.planner.look.search, best, at)
        person[c].answer = COMPLETE if best == goal else PARTIAL
        self.keep_path(c)
        return used

    def lose_patience(self, c: int, distance: int) -> bool:
        """Is it time to try anything? After PATIENCE ways past others that led no nearer, each time for longer."""
        person = self.people.person
        if distance < person[c].nearest:
            person[c].nearest = distance
            person[c].held = person[c].wander = 0
        if person[c].wander > 0:
            person[c].wander = person[c].wander - 1
            return True
        person[c].held = person[c].held + 1
        if person[c].held % PATIENCE == 0:
            person[c].wander = 1 << min(person[c].held // PATIENCE, MOST_DOUBLED)
            return True
        return False

    def any_open(self, look: Lookahead, seed: int) -> int:
        """One of the open states, by chance."""
        k = look.list_frontier()
        chance = ((seed & 0x7FFFFFFF) * 1103515245 + 12345) & 0x7FFFFFFF
        return look.frontier_state[(chance >> 8) % k]

    def unlearn(self, c: int) -> int:
        """Everything that a character has learned."""
        self.people.person[c].drop = 0
        return forget(learned_of(self.people.person, c))

    def keep_path(self, c: int) -> int:
        """The trail of the planner is the character's path."""
        person = self.people.person
        person[c].spot = 0
        person[c].shut = person[c].at if person[c].answer == UNREACHABLE else -1
        if person[c].answer != COMPLETE and person[c].answer != PARTIAL:
            return 0
        trail, toll = ints(self.planner.trail), longs(self.planner.toll)
        steps = min(self.planner.ahead, self.planner.moves)
        stop = self.planner.ahead - steps
        self.people.lay_path(c, steps)
        path, paid = person[c].path, person[c].toll
        for i in range(steps + 1):
            path[i] = trail[stop + i]
            paid[i] = toll[stop + i]
        person[c].spot = steps
        return 0

    def hear(self, c: int, rises: int, falls: int) -> int:
        """So much has become dearer and cheaper in all: take in what is news."""
        person = self.people.person
        if person[c].falls != falls:
            person[c].falls = falls
            person[c].spot, person[c].shut = 0, -1  # a cheaper way may have opened
            if self.planner.on_fall == KEEP:
                person[c].mood = person[c].mood | KEPT
            else:
                self.unlearn(c)
        if person[c].rises != rises:
            if not self.still_good(c, self.planner.space):
                person[c].spot = 0
            person[c].rises = rises
        return 0

    def still_good(self, c: int, space: Space) -> bool:
        """Does no step of the path cost more than it did?"""
        person, risen = self.people.person, longs(self.risen)
        path, toll, heard = person[c].path, person[c].toll, person[c].rises
        for i in range(1, person[c].spot + 1):
            if risen[path[i] >> BLOCK] > heard and space.step_cost(path[i], path[i - 1]) > toll[i]:
                return False
        return True

    def retarget(self, c: int, goal: int) -> int:
        """The goal of a character has moved: what it learned is worth less by the h of the new goal."""
        person = self.people.person
        self.turn_to(c)
        person[c].drop = person[c].drop + self.planner.look.search.unmet_h(goal)
        person[c].goal = goal
        person[c].spot, person[c].shut, person[c].answer, person[c].linked = 0, -1, PARTIAL, -1
        person[c].held, person[c].wander, person[c].nearest = 0, 0, INF
        return 0
