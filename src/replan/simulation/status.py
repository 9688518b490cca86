"""Status: what an agent is doing after `Agent.plan()`."""

from __future__ import annotations

from enum import Enum


class Status(Enum):
    """What `Agent.status` says after `plan()`.

    Examples
    --------
    >>> import replan
    >>> agent = replan.Agent("A*", replan.Grid([[0, 1, 0]]), (0, 0), (0, 2))
    >>> agent.plan() is None, agent.status is replan.Status.UNREACHABLE
    (True, True)
    """

    WALKING = "walking"  # the agent has a path to follow
    ARRIVED = "arrived"  # the agent stands on a goal
    WAITING = "waiting"  # no step yet: the planner needs more time, or a change of the world
    UNREACHABLE = "unreachable"  # the goal cannot be reached, as far as is known
