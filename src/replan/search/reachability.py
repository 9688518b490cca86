"""Whether an agent can reach a goal, according to its belief. Each planner has one `Reachability`.

A search that ends with an empty open list proves that no goal can be reached: `failed_from` is its start. A planner
with bounded episodes would otherwise move to and fro in front of a wall for ever. It therefore grows two floods, a
little after each episode, for about a hundredth of its time.

The forward flood collects states that can be reached from the agent, and the backward flood states from which a goal
can be reached. Per `rate` expansions of the planner each grows by one state. If one is exhausted without the other end,
no goal can be reached: that takes as many turns as the smaller side of the cut has states. If they meet, a goal can be
reached, and both stop.

- After a step is blocked, the floods may hold too much (`has_new_obstacle`). An exhausted flood is still a proof, but
  that they meet proves nothing. A new round begins when nothing was blocked for MIN_QUIET_EXPANSIONS expansions. It
  does not begin at once, because an exploring agent often sees blocked steps. If such a quiet time never comes, the
  round goes on to its end.
- After a step is freed, the states next to it are queued again, if a flood holds them.
- A flood is *exact* if all its states are connected with the present state of the agent, or the present goal. It is not
  after the agent or the goal was displaced. If floods meet and one is not exact, that one begins again. With one-way
  steps every move of the agent counts; the forward flood then also begins again each time it has doubled.

The floods never change a path, and no operation takes time in proportion to the map: a round is a number, so old
entries need not be cleared. A planner that is loaded begins a new round, and proofs are found again. Crowds use
`components.py` first.
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

MIN_QUIET_EXPANSIONS = 300  # expansions without a newly blocked step before a round begins
WORK_INTERVAL = 512  # expansions between two calls of `grow_pending`
LONG_EPISODE_EXPANSIONS = 128  # after an episode with so many expansions it is called at once
GRID_EXPANSIONS_PER_TURN, GRAPH_EXPANSIONS_PER_TURN = 16, 64  # expansions of the planner per state of each flood
MAX_REQUEUED = 32  # with more states that are queued again, a new round is faster


class Reachability:
    """What is known of whether an agent can reach its goals.

    `failed_from`: the last search from this state found no path, and no change since can have opened one; -1: none.
    `is_proved_unreachable`: a flood has proved that there is no path. `is_enabled`: there are floods.
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
        self.quiet_expansions = self.waiting_expansions = self.round_expansions = 0
        self.requeued_count = self.restart_size = 0

    def begin(self, space: Space, is_enabled: bool) -> None:
        """Begin a trip. `is_enabled`: use floods."""
        self.is_enabled, self.begun, self.is_proved_unreachable, self.failed_from = is_enabled, False, False, -1
        if not is_enabled:
            return
        has_floods = getattr(self, "forward_flood", None) is not None
        if not has_floods or not (self.forward_flood.attach(space) and self.backward_flood.attach(space)):
            self.forward_flood, self.backward_flood = make_flood(space, False), make_flood(space, True)
        self.has_one_way_steps, self.n = not space.is_reversible(), space.n
        has_own_predecessors = type(space).predecessors is not Space.predecessors
        self.is_forward_only = not (space.is_symmetric or space.is_built_in or has_own_predecessors)
        self.rate = GRID_EXPANSIONS_PER_TURN if space.is_symmetric else GRAPH_EXPANSIONS_PER_TURN
        self.floods_connected = False
        self.has_new_obstacle = True  # so that the first round waits, too: most trips end before
        self.pending_expansions = self.remaining_expansions = self.quiet_expansions = self.waiting_expansions = 0

    def __reduce__(self) -> Any:
        raise not_copyable_error(self, "a planner")

    def serialize(self, archive: Archive, space: Space) -> None:
        """Save or load what is proved."""
        is_enabled = archive.boolean("is_enabled", self.is_enabled)
        if archive.is_loading and is_enabled != self.is_enabled:
            self.begin(space, is_enabled)
        self.is_proved_unreachable = archive.boolean("is_proved_unreachable", self.is_proved_unreachable) and is_enabled
        self.failed_from = archive.integer("failed_from", self.failed_from, -1, space.n - 1)

    def prefault(self) -> None:
        """Prefault the memory of the floods."""
        if self.is_enabled:
            self.forward_flood.prefault()
            self.backward_flood.prefault()

    def set_goals(self, goals: Goals) -> None:
        """Set other goals."""
        self.failed_from = -1
        if not self.begun:
            return
        has_single_goal = self.backward_flood.added_goals <= 1 and goals.single_state >= 0
        if not self.has_one_way_steps and has_single_goal and self.backward_flood.has(goals.single_state):
            self.backward_flood.added_goals = 1  # the goal has moved within the flood
        elif self.floods_connected:
            self.backward_flood.restart(-1)
            self.floods_connected = False
        else:
            self.backward_flood.added_goals, self.backward_flood.exact = 0, False

    def on_cost_changes(self, changed_states: memoryview, count: int, costs_increased: bool) -> int:
        """Costs of steps out of these states have risen (or steps were blocked), or fallen (or steps were freed)."""
        if costs_increased:
            self.has_new_obstacle = True
            self.quiet_expansions = -self.pending_expansions  # the pending ones do not count
        elif self.begun:
            for i in range(count):
                self.requeued_count += self.forward_flood.requeue(changed_states[i])
                if not self.is_forward_only:
                    self.requeued_count += self.backward_flood.requeue(changed_states[i])
            if self.requeued_count > MAX_REQUEUED and not self.floods_connected:
                self.has_new_obstacle = True
        return 0

    def is_unreachable(self, goals: Goals, agent_state: int) -> bool:
        """Return True if it is known that no goal can be reached from this state."""
        if agent_state == self.failed_from:
            return True
        self.failed_from = -1
        if self.is_proved_unreachable:
            self.is_proved_unreachable = (
                self.check_proof(goals, agent_state) if self.begun else not self.decide(goals, agent_state)
            )
        return self.is_proved_unreachable

    def is_due(self, expanded: int) -> bool:
        """Count the expansions of an episode. Return True if it is time to grow the floods."""
        self.pending_expansions += expanded
        return self.is_enabled and (self.pending_expansions >= WORK_INTERVAL or expanded >= LONG_EPISODE_EXPANSIONS)

    def grow_pending(self, goals: Goals, agent_state: int, was_displaced: bool) -> bool:
        """Grow the floods as far as the pending expansions pay for. Return True if no goal can be reached.

        was_displaced: the agent was displaced since the last call.
        """
        expansions = self.pending_expansions
        self.pending_expansions = 0
        if self.has_new_obstacle and not self.can_continue(agent_state, expansions):
            return False
        self.round_expansions += expansions
        self.set_agent_state(agent_state, was_displaced)
        if not self.floods_connected:
            self.remaining_expansions += expansions
            self.grow_floods(goals, agent_state, self.remaining_expansions // self.rate)
            self.remaining_expansions %= self.rate
            self.is_proved_unreachable = self.check_proof(goals, agent_state)
        if self.floods_connected or self.is_proved_unreachable:
            self.waiting_expansions = 0
            if self.has_new_obstacle and self.floods_connected:
                self.begin_round(agent_state)
        return self.is_proved_unreachable

    def can_continue(self, agent_state: int, expansions: int) -> bool:
        """A step was blocked: begin a new round, or wait (return False), or go on with the present round."""
        self.quiet_expansions += expansions
        self.waiting_expansions += expansions
        is_overdue = self.waiting_expansions > self.rate * self.n  # longer than a round can take
        min_quiet = max(MIN_QUIET_EXPANSIONS, self.round_expansions if is_overdue else 0)
        if self.quiet_expansions >= min_quiet or (is_overdue and not self.begun):
            self.begin_round(agent_state)
            return True
        return is_overdue

    def begin_round(self, agent_state: int) -> int:
        """Begin both floods again."""
        self.forward_flood.restart(agent_state)
        self.backward_flood.restart(-1)
        self.begun, self.has_new_obstacle, self.floods_connected = True, False, False
        self.quiet_expansions = self.round_expansions = self.requeued_count = 0
        self.restart_size = 64
        return 0

    def set_agent_state(self, agent_state: int, was_displaced: bool) -> int:
        """The agent is in this state now."""
        if self.backward_flood.exact and self.backward_flood.has(agent_state):
            self.floods_connected = True
            return 0
        if self.has_one_way_steps:
            is_moved = agent_state != self.forward_flood.root
        else:
            is_moved = was_displaced and not self.forward_flood.has(agent_state)
        if is_moved:
            self.forward_flood.exact = False
            if self.floods_connected or (self.has_one_way_steps and self.forward_flood.size >= self.restart_size):
                self.restart_size = 2 * max(64, self.forward_flood.size)
                self.forward_flood.restart(agent_state)
                self.floods_connected = False
        if not self.forward_flood.has(agent_state) and (
            not self.forward_flood.exact or self.forward_flood.queue_length == 0
        ):
            self.forward_flood.exact = False
            self.forward_flood.add(agent_state)
        return 0

    def grow_floods(self, goals: Goals, agent_state: int, turns: int) -> int:
        """Grow both floods by `turns` states, or until they meet."""
        turns = min(
            turns, 2 * self.n
        )  # more turns are never needed (a loaded planner may have more pending expansions)
        while turns > 0 and not self.floods_connected:
            step = min(turns, 4096)
            if self.forward_flood.grow(goals, self.backward_flood, agent_state, step):
                self.on_floods_met(agent_state)
            if (
                not self.floods_connected
                and not self.is_forward_only
                and self.backward_flood.grow(goals, self.forward_flood, agent_state, step)
            ):
                self.on_floods_met(agent_state)
            turns -= step
            if turns > 0:
                check_signals()
        return 0

    def on_floods_met(self, agent_state: int) -> int:
        """The floods have met. Begin those again that are not exact."""
        self.floods_connected = self.forward_flood.exact and self.backward_flood.exact
        if not self.backward_flood.exact:
            self.backward_flood.restart(-1)
        if not self.forward_flood.exact:
            self.forward_flood.restart(agent_state)
            self.floods_connected = self.backward_flood.has(agent_state)
        return 0

    def check_proof(self, goals: Goals, agent_state: int) -> bool:
        """Return True if a flood is exhausted without the other end."""
        if not self.begun:
            return False
        if (
            not self.is_forward_only
            and self.backward_flood.is_exhausted(goals)
            and not self.backward_flood.has(agent_state)
        ):
            return True
        if not self.forward_flood.is_exhausted(goals) or not self.forward_flood.has(agent_state):
            return False
        for i in range(goals.count):  # noqa: SIM110, a generator would need Python's lock
            if self.forward_flood.has(goals.state_array[i]):
                return False
        return True

    def decide(self, goals: Goals, agent_state: int) -> bool:
        """Grow the floods until it is decided. Return True if a goal can be reached."""
        self.begin_round(agent_state)
        while not self.floods_connected and not self.check_proof(goals, agent_state):
            self.grow_floods(goals, agent_state, 4096)
            check_signals()
        return self.floods_connected


def can_reach(space: Space, goals: Goals, start: int) -> bool:
    """Return True if a path leads from `start` to a goal.

    If not, this takes time in proportion to the smaller side of the cut.
    """
    reachability = Reachability()
    reachability.begin(space, True)
    return reachability.decide(goals, start)
