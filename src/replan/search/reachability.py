"""Whether an agent can reach a goal, as far as its planner knows. Each planner asks one `Reachability`.

A search that ends with an empty open list proves that no goal can be reached: `failed_from` keeps its start.

A planner whose episodes are bounded would otherwise run to and fro before a wall for ever. For about a hundredth of its
time it therefore grows two floods, a little after each episode.

`ahead` takes in where steps lead from the agent, `behind` from where steps lead to a goal. For so many expansions of
the planner each grows by one state. When one has run dry and the other end was not met, there is no way: that takes as
many turns as the smaller side of the cut has states. When they meet there is one, and both rest.

- Something blocked makes them *stale*: they may hold too much then. One that has run dry is a proof all the same, but
  that they meet proves nothing. A new round begins when nothing has been blocked for QUIET expansions: not at once, for
  who explores sees something blocked all the time. Where that moment never comes, a round goes on, stale, to its end.
- Something freed puts the states where it happened in line again, if a flood holds them.
- A flood is *exact* when all of it hangs together with where the agent stands, or the goal, now: not after that was put
  elsewhere. When floods meet of which one is not, that one begins again. Where steps cannot be taken back, every move
  of the agent counts; the flood ahead then also begins again each time it has doubled.

Nothing here changes a path, and nothing is done in proportion to the map: a round is a number, by which old words are
told from new ones. A planner that is loaded begins a new round; what was proved is proved again.

Crowds ask `components.py` first.
"""

from __future__ import annotations

from typing import Any

from replan.saving import Bag, refused
from replan.search.flood import Flood
from replan.signals import check_signals
from replan.spaces.goals import Goals
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.search.flood import flood_of

QUIET = 300  # expansions without anything blocked before a round begins
PORTION = 512  # expansions from one look to the next; a single episode that is long enough is paid for at once
LONG_EPISODE = 128
SHORT, LONG = 16, 64  # expansions that pay for a state of each flood: on grids, and elsewhere
FALLS = 32  # if more had to be looked at again than that, a new round is the shorter way


class Reachability:
    """What is known of whether an agent can reach its goals.

    failed_from: the last search from this state found no way, and no change since can have opened one; -1: none.
    no_way: a flood has proved that there is none. on: are there floods?
    """

    on: bool
    no_way: bool
    joined: bool
    failed_from: int
    ahead: Flood
    behind: Flood

    def __init__(self) -> None:
        self.on = self.no_way = self.joined = False
        self.failed_from = -1
        self.begun, self.stale, self.one_way, self.one_sided = False, True, False, False
        self.n = self.rate = self.owed = self.rest = 0
        self.quiet = self.starved = self.age = self.falls = self.allowance = 0

    def begin(self, space: Space, on: bool) -> None:
        """A trip begins."""
        self.on, self.begun, self.no_way, self.failed_from = on, False, False, -1
        if not on:
            return
        if getattr(self, "ahead", None) is None or not (self.ahead.settle(space) and self.behind.settle(space)):
            self.ahead, self.behind = flood_of(space, False), flood_of(space, True)
        self.one_way, self.n = not space.is_reversible(), space.n
        self.one_sided = not (space.both_ways or space.built_in) and type(space).predecessors is Space.predecessors
        self.rate = SHORT if space.both_ways else LONG
        self.joined = False
        self.stale = True  # so that the first round, too, waits a little: most trips are over by then
        self.owed = self.rest = self.quiet = self.starved = 0

    def __reduce__(self) -> Any:
        raise refused(self, "a planner")

    def carry(self, bag: Bag, space: Space) -> None:
        on = bag.truth("on", self.on)
        if bag.loading and on != self.on:
            self.begin(space, on)
        self.no_way = bag.truth("no_way", self.no_way) and on
        self.failed_from = bag.whole("failed_from", self.failed_from, -1, space.n - 1)

    def touch(self) -> None:
        if self.on:
            self.ahead.touch()
            self.behind.touch()

    def aim(self, goals: Goals) -> None:
        """There are other goals."""
        self.failed_from = -1
        if not self.begun:
            return
        if not self.one_way and self.behind.fed <= 1 and goals.single >= 0 and self.behind.has(goals.single):
            self.behind.fed = 1  # it has moved within the flood
        elif self.joined:
            self.behind.restart(-1)
            self.joined = False
        else:
            self.behind.fed, self.behind.exact = 0, False

    def changed(self, states: memoryview, k: int, rise: bool) -> int:
        """Steps out of these states have become dearer, or blocked; or cheaper, or free."""
        if rise:
            self.stale = True
            self.quiet = -self.owed  # from now on, that is
        elif self.begun:
            for i in range(k):
                self.falls += self.ahead.again(states[i])
                if not self.one_sided:
                    self.falls += self.behind.again(states[i])
            if self.falls > FALLS and not self.joined:
                self.stale = True
        return 0

    def is_cut_off(self, goals: Goals, at: int) -> bool:
        """True if it is known that no goal can be reached from here."""
        if at == self.failed_from:
            return True
        self.failed_from = -1
        if self.no_way:
            self.no_way = self.is_proved(goals, at) if self.begun else not self.decide(goals, at)
        return self.no_way

    def due(self, expanded: int) -> bool:
        """So much more was expanded: is it time to work?"""
        self.owed += expanded
        return self.on and (self.owed >= PORTION or expanded >= LONG_EPISODE)

    def work(self, goals: Goals, at: int, carried: bool) -> bool:
        """Grow by what is owed. True: there is no way. carried: the agent was put elsewhere since the last time."""
        spent = self.owed
        self.owed = 0
        if self.stale and not self.may_go_on(at, spent):
            return False
        self.age += spent
        self.follow(at, carried)
        if not self.joined:
            self.rest += spent
            self.grow(goals, at, self.rest // self.rate)
            self.rest %= self.rate
            self.no_way = self.is_proved(goals, at)
        if self.joined or self.no_way:
            self.starved = 0
            if self.stale and self.joined:
                self.begin_round(at)
        return self.no_way

    def may_go_on(self, at: int, spent: int) -> bool:
        """Something was blocked: begin again, or wait, or go on all the same."""
        self.quiet += spent
        self.starved += spent
        steadfast = self.starved > self.rate * self.n  # as long as a round can take
        if self.quiet >= max(QUIET, self.age if steadfast else 0) or (steadfast and not self.begun):
            self.begin_round(at)
            return True
        return steadfast

    def begin_round(self, at: int) -> int:
        self.ahead.restart(at)
        self.behind.restart(-1)
        self.begun, self.stale, self.joined = True, False, False
        self.quiet = self.age = self.falls = 0
        self.allowance = 64
        return 0

    def follow(self, at: int, carried: bool) -> int:
        """The agent stands here now."""
        if self.behind.exact and self.behind.has(at):
            self.joined = True
            return 0
        if at != self.ahead.root if self.one_way else carried and not self.ahead.has(at):
            self.ahead.exact = False
            if self.joined or (self.one_way and self.ahead.size >= self.allowance):
                self.allowance = 2 * max(64, self.ahead.size)
                self.ahead.restart(at)
                self.joined = False
        if not self.ahead.has(at) and (not self.ahead.exact or self.ahead.waiting == 0):
            self.ahead.exact = False
            self.ahead.hold(at)
        return 0

    def grow(self, goals: Goals, at: int, turns: int) -> int:
        turns = min(turns, 2 * self.n)  # more there is not to do, whatever somebody owes who was loaded
        while turns > 0 and not self.joined:
            step = min(turns, 4096)
            if self.ahead.grow(goals, self.behind, at, step):
                self.meet(at)
            if not self.joined and not self.one_sided and self.behind.grow(goals, self.ahead, at, step):
                self.meet(at)
            turns -= step
            if turns > 0:
                check_signals()
        return 0

    def meet(self, at: int) -> int:
        """The floods have met."""
        self.joined = self.ahead.exact and self.behind.exact
        if not self.behind.exact:
            self.behind.restart(-1)
        if not self.ahead.exact:
            self.ahead.restart(at)
            self.joined = self.behind.has(at)
        return 0

    def is_proved(self, goals: Goals, at: int) -> bool:
        """Has a flood run dry without the other end?"""
        if not self.begun:
            return False
        if not self.one_sided and self.behind.dry(goals) and not self.behind.has(at):
            return True
        if not self.ahead.dry(goals) or not self.ahead.has(at):
            return False
        for i in range(goals.count):  # noqa: SIM110, a generator would need Python's lock
            if self.ahead.has(goals.state[i]):
                return False
        return True

    def decide(self, goals: Goals, at: int) -> bool:
        """Find it out at once, however long that takes. True: there is a way."""
        self.begin_round(at)
        while not self.joined and not self.is_proved(goals, at):
            self.grow(goals, at, 4096)
            check_signals()
        return self.joined


def can_reach(space: Space, goals: Goals, at: int) -> bool:
    """Do steps lead from `at` to a goal? Takes time in proportion to the smaller side, if they do not."""
    reach = Reachability()
    reach.begin(space, True)
    return reach.decide(goals, at)
