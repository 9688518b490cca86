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

from replan.search.flood import Flood
from replan.serialization import Archive, not_copyable_error
from replan.signals import check_signals
from replan.spaces.goals import Goals
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.search.flood import make_flood

MIN_QUIET_EXPANSIONS = 300  # expansions without anything blocked before a round begins
WORK_INTERVAL = 512  # expansions from one look to the next; a single episode that is long enough is paid for at once
LONG_EPISODE_EXPANSIONS = 128
GRID_EXPANSIONS_PER_TURN, GRAPH_EXPANSIONS_PER_TURN = 16, 64  # expansions that pay for a state of each flood: on grids, and elsewhere
MAX_REQUEUED = 32  # if more had to be looked at again than that, a new round is the shorter way


class Reachability:
    """What is known of whether an agent can reach its goals.

    failed_from: the last search from this state found no way, and no change since can have opened one; -1: none.
    no_way: a flood has proved that there is none. on: are there floods?
    """

    is_enabled: bool
    is_proved_unreachable: bool
    floods_connected: bool
    failed_from: int
    forward_flood: Flood
    backward_flood: Flood

    def __init__(self) -> None:
        self.is_enabled = self.is_proved_unreachable = self.floods_connected = False
        self.failed_from = -1
        self.begun, self.has_new_obstacle, self.has_one_way_steps, self.is_forward_only = False, True, False, False
        self.n = self.rate = self.pending_expansions = self.remaining_expansions = 0
        self.quiet_expansions = self.waiting_expansions = self.round_expansions = self.requeued_count = self.restart_size = 0

    def begin(self, space: Space, is_enabled: bool) -> None:
        """A trip begins."""
        self.is_enabled, self.begun, self.is_proved_unreachable, self.failed_from = is_enabled, False, False, -1
        if not is_enabled:
            return
        if getattr(self, "forward_flood", None) is None or not (self.forward_flood.attach(space) and self.backward_flood.attach(space)):
            self.forward_flood, self.backward_flood = make_flood(space, False), make_flood(space, True)
        self.has_one_way_steps, self.n = not space.is_reversible(), space.n
        self.is_forward_only = not (space.is_symmetric or space.is_built_in) and type(space).predecessors is Space.predecessors
        self.rate = GRID_EXPANSIONS_PER_TURN if space.is_symmetric else GRAPH_EXPANSIONS_PER_TURN
        self.floods_connected = False
        self.has_new_obstacle = True  # so that the first round, too, waits a little: most trips are over by then
        self.pending_expansions = self.remaining_expansions = self.quiet_expansions = self.waiting_expansions = 0

    def __reduce__(self) -> Any:
        raise not_copyable_error(self, "a planner")

    def serialize(self, archive: Archive, space: Space) -> None:
        on = archive.boolean("is_enabled", self.is_enabled)
        if archive.is_loading and on != self.is_enabled:
            self.begin(space, on)
        self.is_proved_unreachable = archive.boolean("is_proved_unreachable", self.is_proved_unreachable) and on
        self.failed_from = archive.integer("failed_from", self.failed_from, -1, space.n - 1)

    def prefault(self) -> None:
        if self.is_enabled:
            self.forward_flood.prefault()
            self.backward_flood.prefault()

    def set_goals(self, goals: Goals) -> None:
        """There are other goals."""
        self.failed_from = -1
        if not self.begun:
            return
        if not self.has_one_way_steps and self.backward_flood.added_goals <= 1 and goals.single_state >= 0 and self.backward_flood.has(goals.single_state):
            self.backward_flood.added_goals = 1  # it has moved within the flood
        elif self.floods_connected:
            self.backward_flood.restart(-1)
            self.floods_connected = False
        else:
            self.backward_flood.added_goals, self.backward_flood.exact = 0, False

    def on_cost_changes(self, states: memoryview, k: int, costs_increased: bool) -> int:
        """Steps out of these states have become dearer, or blocked; or cheaper, or free."""
        if costs_increased:
            self.has_new_obstacle = True
            self.quiet_expansions = -self.pending_expansions  # from now on, that is
        elif self.begun:
            for i in range(k):
                self.requeued_count += self.forward_flood.requeue(states[i])
                if not self.is_forward_only:
                    self.requeued_count += self.backward_flood.requeue(states[i])
            if self.requeued_count > MAX_REQUEUED and not self.floods_connected:
                self.has_new_obstacle = True
        return 0

    def is_unreachable(self, goals: Goals, at: int) -> bool:
        """True if it is known that no goal can be reached from here."""
        if at == self.failed_from:
            return True
        self.failed_from = -1
        if self.is_proved_unreachable:
            self.is_proved_unreachable = self.check_proof(goals, at) if self.begun else not self.decide(goals, at)
        return self.is_proved_unreachable

    def is_due(self, expanded: int) -> bool:
        """So much more was expanded: is it time to work?"""
        self.pending_expansions += expanded
        return self.is_enabled and (self.pending_expansions >= WORK_INTERVAL or expanded >= LONG_EPISODE_EXPANSIONS)

    def grow_pending(self, goals: Goals, at: int, was_displaced: bool) -> bool:
        """Grow by what is owed. True: there is no way. carried: the agent was put elsewhere since the last time."""
        spent = self.pending_expansions
        self.pending_expansions = 0
        if self.has_new_obstacle and not self.can_continue(at, spent):
            return False
        self.round_expansions += spent
        self.set_agent_state(at, was_displaced)
        if not self.floods_connected:
            self.remaining_expansions += spent
            self.grow_floods(goals, at, self.remaining_expansions // self.rate)
            self.remaining_expansions %= self.rate
            self.is_proved_unreachable = self.check_proof(goals, at)
        if self.floods_connected or self.is_proved_unreachable:
            self.waiting_expansions = 0
            if self.has_new_obstacle and self.floods_connected:
                self.begin_round(at)
        return self.is_proved_unreachable

    def can_continue(self, at: int, spent: int) -> bool:
        """Something was blocked: begin again, or wait, or go on all the same."""
        self.quiet_expansions += spent
        self.waiting_expansions += spent
        steadfast = self.waiting_expansions > self.rate * self.n  # as long as a round can take
        if self.quiet_expansions >= max(MIN_QUIET_EXPANSIONS, self.round_expansions if steadfast else 0) or (steadfast and not self.begun):
            self.begin_round(at)
            return True
        return steadfast

    def begin_round(self, at: int) -> int:
        self.forward_flood.restart(at)
        self.backward_flood.restart(-1)
        self.begun, self.has_new_obstacle, self.floods_connected = True, False, False
        self.quiet_expansions = self.round_expansions = self.requeued_count = 0
        self.restart_size = 64
        return 0

    def set_agent_state(self, at: int, was_displaced: bool) -> int:
        """The agent stands here now."""
        if self.backward_flood.exact and self.backward_flood.has(at):
            self.floods_connected = True
            return 0
        if at != self.forward_flood.root if self.has_one_way_steps else was_displaced and not self.forward_flood.has(at):
            self.forward_flood.exact = False
            if self.floods_connected or (self.has_one_way_steps and self.forward_flood.size >= self.restart_size):
                self.restart_size = 2 * max(64, self.forward_flood.size)
                self.forward_flood.restart(at)
                self.floods_connected = False
        if not self.forward_flood.has(at) and (not self.forward_flood.exact or self.forward_flood.queue_length == 0):
            self.forward_flood.exact = False
            self.forward_flood.add(at)
        return 0

    def grow_floods(self, goals: Goals, at: int, turns: int) -> int:
        turns = min(turns, 2 * self.n)  # more there is not to do, whatever somebody owes who was loaded
        while turns > 0 and not self.floods_connected:
            step = min(turns, 4096)
            if self.forward_flood.grow(goals, self.backward_flood, at, step):
                self.on_floods_met(at)
            if not self.floods_connected and not self.is_forward_only and self.backward_flood.grow(goals, self.forward_flood, at, step):
                self.on_floods_met(at)
            turns -= step
            if turns > 0:
                check_signals()
        return 0

    def on_floods_met(self, at: int) -> int:
        """The floods have met."""
        self.floods_connected = self.forward_flood.exact and self.backward_flood.exact
        if not self.backward_flood.exact:
            self.backward_flood.restart(-1)
        if not self.forward_flood.exact:
            self.forward_flood.restart(at)
            self.floods_connected = self.backward_flood.has(at)
        return 0

    def check_proof(self, goals: Goals, at: int) -> bool:
        """Has a flood run dry without the other end?"""
        if not self.begun:
            return False
        if not self.is_forward_only and self.backward_flood.is_exhausted(goals) and not self.backward_flood.has(at):
            return True
        if not self.forward_flood.is_exhausted(goals) or not self.forward_flood.has(at):
            return False
        for i in range(goals.count):  # noqa: SIM110, a generator would need Python's lock
            if self.forward_flood.has(goals.state_array[i]):
                return False
        return True

    def decide(self, goals: Goals, at: int) -> bool:
        """Find it out at once, however long that takes. True: there is a way."""
        self.begin_round(at)
        while not self.floods_connected and not self.check_proof(goals, at):
            self.grow_floods(goals, at, 4096)
            check_signals()
        return self.floods_connected


def can_reach(space: Space, goals: Goals, at: int) -> bool:
    """Do steps lead from `at` to a goal? Takes time in proportion to the smaller side, if they do not."""
    reach = Reachability()
    reach.begin(space, True)
    return reach.decide(goals, at)
