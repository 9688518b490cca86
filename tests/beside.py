"""A planner and its oracle in terrain that changes, side by side: what happens is told to both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import replan
from edits import Scene, Story


class Beside(Scene):
    """`compare(expansions)` is called after every episode of the planner, and lets the oracle make its own.

    The oracle has `begin(steps, goals, first_h, bound)`, `costs(steps, rise)` and `target(goals, first_h)`.
    """

    def __init__(self, story: Story, planner: replan.Planner, oracle: Any) -> None:
        Scene.__init__(self, story, planner)
        self.oracle = oracle
        oracle.begin(self.terrain.steps(), set(self.goals), self.first_h(), self.space.max_path_cost)

    def compare(self, expansions: int) -> None:
        raise NotImplementedError

    def first_h(self) -> Callable[[Any], int]:
        return self.terrain.first_h(set(self.goals))

    def edit(self, changes: list[tuple[Any, int]]) -> None:
        """One after the other: what is cut by one and mended by the next has been cut."""
        for place, value in changes:
            old = self.value(place)
            if value == old or (value == 0 and self.grid and place == self.at):
                continue
            Scene.edit(self, [(place, value)])
            self.oracle.costs(self.terrain.steps(), value == 0 or (old != 0 and value > old))

    def stand(self, cell: Any) -> None:
        if self.grid and self.value(cell) == 0:
            Scene.stand(self, cell)
            if hasattr(self, "oracle"):
                self.oracle.costs(self.terrain.steps(), False)

    def target(self, goals: set[Any]) -> None:
        Scene.target(self, goals)
        self.oracle.target(set(self.goals), self.first_h())

    def plan(self, check: Callable[[Scene, bool], None]) -> None:
        episodes, expansions = self.agent.episodes, self.planner.expansions
        self.path = self.agent.plan()
        if self.agent.episodes > episodes:
            self.compare(self.planner.expansions - expansions)
            check(self, True)


def further(events: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """For planners whose episodes are steps: longer walks."""
    return [("walk", 6 * event[1]) if event[0] == "walk" else event for event in events]


def no_check(scene: Scene, fresh: bool) -> None:
    """What is compared is enough."""
