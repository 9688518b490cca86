"""Real-time search: look ahead a little, learn, move, again.

One episode (RTAA* 2006, Figure 1; depression avoidance 2011, Algorithms 2, 4 and 6) is: look ahead from the agent by
A*, bounded by expansions or time; choose an open state; learn; walk towards the chosen state. Two small rules make
every planner of the family:

| learn \\ choose                | best f    | avoid raised states | least raised, then best f |
|-------------------------------|-----------|---------------------|---------------------------|
| by Dijkstra from the frontier | LSS-LRTA* | aLSS-LRTA*          | daLSS-LRTA*               |
| f(best) - g, in one pass      | RTAA*     | aRTAA*              | daRTAA*                   |

wLSS-LRTA* and wdaLSS-LRTA* count the steps several times when they learn (`update_weight`; Rivera, Baier, Hernández,
AIJ 2015); their lookahead is plain A*, which opens closed states again where h is not consistent. Here the weight is a
whole number, and the goal is given up when h has grown beyond so many times the cost of any path.

Adaptive A* is RTAA* without a bound. TLA* (Korf's LRTA* with an A* lookahead) learns the agent's state alone and
makes one move an episode; its h does not stay consistent, so its A* uses pathmax.

When the open list runs empty the goal cannot be reached. With a smaller lookahead h(agent) tells, once it has grown
beyond the cost of any path there can be; that may take millions of moves, and `planners/bounded.py` says how it is
noticed before. A way that is there, but dear, is learned as slowly: each visit of a state raises its h by about the
cost of the steps around it, so that an agent among steps that cost 1 needs in the order of 10^9 moves before it takes
one that costs 10^9. Planners whose search lasts do not (D* Lite, RTD*, TBA*), nor does a lookahead that holds all of
the cheap part.
"""

from __future__ import annotations

from typing import Any

from replan.arrays import touch
from replan.budget import Deadline
from replan.clock import now_ns
from replan.errors import InputError
from replan.limits import COMPLETE, EXPANDED, INF, KEEP, KEPT, PARTIAL, REPAIR, RESET, UNREACHABLE
from replan.log import Log
from replan.own import part_of, refuse_half_made
from replan.planners.base import Planner
from replan.planners.options import SHARED
from replan.queues.base import OpenList, claimed
from replan.queues.own import OwnQueue
from replan.saving import Bag
from replan.search.astar import Search
from replan.search.choosing import ChoosingRule
from replan.search.learning import FromFrontier, LearningRule
from replan.search.lookahead import Lookahead
from replan.search.named_rules import CHOOSING, LEARNING
from replan.search.path import refuse_bound
from replan.search.repair_h import RepairH
from replan.spaces.cell_distance import Heuristic
from replan.spaces.goals import Goals
from replan.spaces.heuristics import heuristic_for, refuse_inconsistent
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.search.reachability import can_reach

UNMEASURED = 16 * 600  # what is set aside for an expansion as long as nobody knows: caches are cold then
OUR_RULES = {rule.make for rule in (*LEARNING.values(), *CHOOSING.values())}
FALLING = {"keep": KEEP, "repair": REPAIR, "reset": RESET}


def refuse_array(heuristic: Any) -> None:
    """A planner that keeps what it learned while the goal moves needs estimates of any two states."""
    if heuristic is not None and not callable(heuristic) and not isinstance(heuristic, str):
        raise InputError("a heuristic given as an array is for one goal: give a function to follow a moving one")


class RealTimePlanner(Planner):
    """What real-time planners have in common: h-values that last, and what becomes of them when costs fall.

    falling: "keep" the h-values, as the papers do (they may then overestimate; if they grow larger than any path
    could cost, they are reset); "repair" them, so that they are consistent again (work that no lookahead bounds);
    "reset" them.
    """

    falling: str
    open: OpenList
    look: Lookahead
    serves_many = True

    def _set_up(
        self, open: OpenList, pathmax: bool, heuristic: Any, check: bool, falling: str, repair: RepairH
    ) -> None:
        Planner.__init__(self)
        self.notice = True
        if falling not in FALLING:
            raise InputError(f"falling is one of {', '.join(map(repr, FALLING))}, not {falling!r}")
        self.open, self.pathmax, self.look = claimed(open), pathmax, Lookahead(open)
        self.keep(self.look.search)
        self.given, self.checks_h, self.falling, self.on_fall = heuristic, check, falling, FALLING[falling]
        self.repair, self.fallen, self.kept = part_of(RepairH, repair), False, False
        self.loose = pathmax  # may h be inconsistent where no cost has fallen?
        self.doubtful = False  # may h overestimate where no cost has fallen? Then a large h proves nothing
        self.slack = 1  # but it may be so many times too large

    def can_serve_many(self) -> bool:
        """(A repair works on the h-values of all the map, of which a character keeps few.)"""
        return self.on_fall != REPAIR and Planner.can_serve_many(self)

    @property
    def lookahead(self) -> int | None:
        """Expansions an episode, None for no limit; may be changed at any time."""
        return None if self.limit == INF else self.limit

    @lookahead.setter
    def lookahead(self, expansions: int | None) -> None:
        SHARED["lookahead"].read(expansions)
        self.limit = INF if expansions is None else expansions

    @property
    def deadline(self) -> float | None:
        """Microseconds an episode, None for no limit; may be changed at any time."""
        return self.time_ns / 1000.0 if self.time_ns else None

    @deadline.setter
    def deadline(self, microseconds: float | None) -> None:
        SHARED["deadline"].read(microseconds)
        self.time_ns = 0 if microseconds is None else Deadline(microseconds).nanoseconds

    def begin_trip(self, space: Space, goals: Goals) -> None:
        refuse_half_made(self, self.open)
        self.look.settle(space)
        self.look.search.pathmax, self.look.search.slack = self.pathmax, self.slack
        self.forget(goals)

    def first_h(self, goals: Goals) -> Heuristic:
        heuristic = heuristic_for(self.given, self.space, goals)
        if self.checks_h and self.given is not None:
            refuse_inconsistent(heuristic, self.space, goals)
        return heuristic

    def refuse_goals(self, goals: Goals) -> None:
        refuse_array(self.given)

    def new_goals(self, goals: Goals) -> None:
        """Head for other goals with what was learned, corrected so that it stays consistent."""
        if self.fallen:
            self.take_in_falls()
        self.say_wide()
        self.look.retarget(goals, self.first_h(goals))

    def forget(self, goals: Goals) -> None:
        """Forget what was learned, and head for these goals."""
        self.say_wide()
        self.look.aim(goals, self.first_h(goals))
        self.repair.forget()
        self.fallen = self.kept = False
        self.reachability.failed_from = -1

    def changed(self, told: memoryview, k: int, rise: bool) -> int:
        self.note_changes(told, k, rise)
        if not rise:
            if self.on_fall == KEEP:
                self.kept = True
            else:
                self.fallen = True
            for i in range(k if self.on_fall == REPAIR else 0):
                self.repair.note(told[i])
        return 0

    def met(self, s: int) -> bool:
        return self.look.search.has_met(s)

    def carry_trip(self, bag: Bag) -> None:
        Planner.carry_trip(self, bag)
        self.repair.carry(bag.inner("repair"), self.space.n)
        self.fallen, self.kept = bag.truth("fallen", self.fallen), bag.truth("kept", self.kept)

    def take_in_falls(self) -> int:
        """Costs have fallen: repair the h-values or forget them."""
        self.fallen = False
        self.say_wide()
        if self.on_fall == REPAIR:
            if self.loose:
                self.repair.note_all(self.look.search)
            self.repair.take_in(self.space, self.goals, self.look.search)
        else:
            with cython.gil:
                self.forget(self.goals)
        return 0

    # A planner that serves a crowd turns from one character to the next: these numbers are each one's own.

    def planner_flags(self) -> int:
        """What an episode may change beside h, for `set_planner_flags`."""
        return KEPT if self.kept else 0

    def set_planner_flags(self, flags: int) -> int:
        self.kept, self.fallen, self.reachability.failed_from = flags & KEPT != 0, False, -1
        return 0

    def longest(self) -> int:
        """How many expansions an episode takes at most, INF if nobody knows."""
        return self.limit

    def farthest(self) -> int:
        """How many steps an episode comes away from where it begins, at most; INF if nobody knows."""
        return self.longest()

    def serve(self, first: int) -> int:
        """The next episode is for somebody else, and comes to no state below `first`."""
        self.planned_path.first_indexed = first
        self.open.serve(first)
        return self.look.search.serve(first)

    def log_to(self, log: Log, watched: bool) -> int:
        self.look.search.log, self.look.search.watched = log, watched
        return Planner.log_to(self, log, watched)

    def say_wide(self) -> int:
        """Who watches has to look at all h-values."""
        if self.watched:
            self.log.wide = True
        return 0

    def give_up(self, at: int) -> int:
        """h exceeds the cost of any path: no goal can be reached, or h overestimates and is forgotten."""
        if not self.kept:
            if not can_reach(self.space, self.goals, at):
                return UNREACHABLE
            if not self.doubtful:
                self._refuse_h(at)
        self.forget(self.goals)
        return PARTIAL

    def _refuse_h(self, at: int) -> None:
        """A goal can be reached, and h says that each path costs more than any can: raise with what is to blame."""
        h = self.look.search.node[at].h // self.slack
        if self.given is None:
            refuse_bound(self.space, h)
        raise InputError(
            f"the heuristic overestimates: with it h grew to {h} ticks at {self.space.key(at)}, and no path costs more "
            f"than {self.space.bound}; check=True says where it is not consistent"
        )


class RealTime(RealTimePlanner):
    """An A* lookahead, a learning rule and a choosing rule."""

    learning: LearningRule
    choosing: ChoosingRule

    def __init__(
        self,
        open: OpenList,
        learning: LearningRule,
        choosing: ChoosingRule,
        repair: RepairH,
        heuristic: Any = None,
        check: bool = False,
        falling: str = "keep",
        pathmax: bool = False,
    ) -> None:
        self._set_up(open, pathmax, heuristic, check, falling, repair)
        self.learning, self.choosing = part_of(LearningRule, learning), part_of(ChoosingRule, choosing)
        self.loose = not learning.consistent
        self.doubtful = not learning.admissible or isinstance(open, OwnQueue)  # a user's queue may order wrongly
        self.slack = self.repair.weight = learning.weight if isinstance(learning, FromFrontier) else 1
        self.lists_frontier = not (learning.skips_frontier and choosing.skips_frontier)

    def episode(self, at: int, limit: int, deadline: int) -> int:
        if self.fallen:
            self.take_in_falls()
        if self.reachability.is_cut_off(self.goals, at):
            return UNREACHABLE
        if deadline > 0 and self.look.search.tail_ns == 0:
            self.look.search.tail_ns = UNMEASURED
        found = self.look.look(at, limit, deadline)
        if self.watched:
            self.log_expanded(self.look.search)
        if found == 0:
            self.expansions += self.look.search.expanded
            self.reachability.failed_from = at
            return UNREACHABLE
        stopped = now_ns() if deadline > 0 else 0
        if self.lists_frontier:
            self.look.list_frontier()
        best = self.choosing.choose_from(self.look)
        if not self.look.is_open(best):
            with cython.gil:
                self.refuse(best)
        self.h_increase += self.learn(self.look.search)
        self.lay(best, at)
        self.expansions += self.look.search.expanded
        self.percolations = self.open.percolations
        arrives = self.goals.has(self.planned_path.states[0])
        no_way = not arrives and self.finds_no_way(at, self.look.search.expanded)
        if deadline > 0:
            self.measure(stopped)
        if arrives or no_way:
            return COMPLETE if arrives else UNREACHABLE
        return self.give_up(at) if self.look.search.node[at].h > self.slack * self.space.bound else PARTIAL

    def learn(self, search: Search) -> int:
        """Have the rule learn. In a crowd, whose turn it is keeps what has changed."""
        if search.memory is None:
            return self.learning.learn_from(self.look)
        search.memory.note(search.node, search.closed, search.expanded)
        increase = self.learning.learn_from(self.look)
        search.memory.keep(search.node)
        return increase

    def farthest(self) -> int:
        ours = type(self.learning) in OUR_RULES and type(self.choosing) in OUR_RULES
        return self.longest() if ours else INF  # a rule of the user's may ask for any state

    def log_expanded(self, search: Search) -> int:
        """Log what was expanded, each state with its h before learning."""
        for i in range(search.expanded):
            s = search.closed[i]
            self.log.add(s, EXPANDED, search.node[s].h)
        return 0

    def lay(self, best: int, at: int) -> int:
        """Hook: set the path to the state that was chosen, or beyond."""
        return self.planned_path.extract(self.space, self.look.search, best, at, 0)

    def made_from(self) -> tuple[Any, ...]:
        rules = (self.open.made_from(), self.learning, self.choosing, self.repair)
        return RealTime, *rules, self.given, self.checks_h, self.falling, self.pathmax

    def prefault(self) -> None:
        RealTimePlanner.prefault(self)
        touch(self.look.frontier_state)
        self.learning.touch(self.look)

    def refuse(self, chosen: int) -> None:
        # not in `episode`: a Python object there would have it take Python's lock each time
        rule = type(self.choosing).__name__
        raise ValueError(f"{rule}.choose() returned {chosen}, which is not in the open list")

    def measure(self, stopped: int) -> int:
        """How long did choosing and learning take? The next search ends so much earlier."""
        tail = self.look.search.tail_ns if self.look.search.tail_ns != UNMEASURED else 0
        ns = ((now_ns() - stopped) * 18) // max(1, self.look.search.expanded)  # and an eighth more, to be safe
        if tail > 0:
            ns = min(ns, 2 * tail)  # that the machine was busy elsewhere for a moment says little
        # follow a rise at once and a fall slowly
        self.look.search.tail_ns = max(ns, (15 * tail + ns) >> 4)
        return 0


PSEUDO_CODE = """
## RealTime.episode

    costs have fallen? repair or forget h
    look ahead: A* from the agent, within the budget
    OPEN is empty? no way
    best := an open state, by the choosing rule
    raise h, by the learning rule
    path := parents from `best` to the agent
    best is a goal: the path is complete
    h(agent) beyond the cost of any path: no way
"""
