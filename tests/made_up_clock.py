"""Episodes with a deadline by a clock that shows what it is told to: prints how long each took, as JSON.

    REPLAN_INTERPRETED=1 python tests/made_up_clock.py DEADLINE LEARNING

Both in microseconds: of an episode, and of learning for each expanded state. Only the interpreted core can be given a
clock.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import replan
import replan.clock

READING = 8_000  # nanoseconds that pass whenever the clock is read: once for each few expansions


class Clock:
    def __init__(self) -> None:
        self.ns = 1

    def __call__(self) -> int:
        self.ns += READING
        return self.ns


class Slow(replan.LearningRule):
    """Learns nothing, in a time that is proportional to what was expanded."""

    def __init__(self, clock: Clock, ns: int) -> None:
        self.clock, self.ns = clock, ns

    def learn(self, lookahead: Any) -> int:
        self.clock.ns += self.ns * len(lookahead.closed)
        return 0


def episodes(deadline_us: int, learning_us: int) -> list[int]:
    clock = Clock()
    replan.clock.perf_counter_ns = clock
    learning = Slow(clock, 1000 * learning_us)
    planner = replan.planner("RTAA*", learning=learning, deadline=deadline_us, detect_unreachable=False)
    grid = replan.Grid(replan.maze(101, 101, seed=1), neighbors=4)
    agent = replan.Agent(planner, grid, (0, 0), (100, 100))
    took = []
    while len(took) < 12 and agent.cell != (100, 100):
        before = clock.ns
        path = agent.plan()
        took.append(clock.ns - before)
        agent.move(path[-1])
    return took


if __name__ == "__main__":
    print(json.dumps(episodes(int(sys.argv[1]), int(sys.argv[2]))))
