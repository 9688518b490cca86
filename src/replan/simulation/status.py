"""How an agent is doing."""

from __future__ import annotations

from enum import Enum


class Status(Enum):
    """What `Agent.status` says after `plan()`.

    >>> import replan
    >>> agent = replan.Agent("A*", replan.Grid([[0, 1, 0]]), (0, 0), (0, 2))
    >>> agent.plan() is None, agent.status is replan.Status.UNREACHABLE
    (True, True)
    """

    WALKING = "walking"  # there are steps to take
    ARRIVED = "arrived"  # it stands on a goal
    WAITING = "waiting"  # no step yet: the planner needs more time, or another change
    UNREACHABLE = "no way"  # the goal cannot be reached, as far as is known
