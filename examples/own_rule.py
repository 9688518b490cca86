"""Rules of your own: how an agent learns from a search, and where it goes after it.

A real-time planner is an A* lookahead, a learning rule and a choosing rule. Both rules below are plain Python, outside
the package, and combine with each other and with those that Replan has. What a rule can read is in
`replan.search.lookahead`.

    python examples/own_rule.py
"""

from __future__ import annotations

from typing import Any

import replan


class OneSweep(replan.LearningRule):
    """One LRTA* update of every expanded state, the last expanded first: h(s) := least c(s, s') + h(s').

    Between RTAA*'s one pass and LSS-LRTA*'s Dijkstra, in work and in what it learns. h stays consistent, and never
    falls. (A successor of an expanded state is generated, so its h holds.)
    """

    def learn(self, lookahead: Any) -> int:
        h, increase = lookahead.h, 0
        for s in reversed(lookahead.closed):
            best = min(cost + h[v] for v, cost in lookahead.successors(s))
            if best > h[s]:
                increase += best - h[s]
                h[s] = best
        return increase


class Wary(replan.ChoosingRule):
    """Best f plus `weight` times what h has risen by: between RTAA* (0) and daRTAA* (a very large weight)."""

    def __init__(self, weight: int) -> None:
        super().__init__()
        self.weight = weight

    def choose(self, lookahead: Any) -> int:
        g, h = lookahead.g, lookahead.h
        return min(
            lookahead.frontier, key=lambda s: (g[s] + h[s] + self.weight * (h[s] - lookahead.first_h(s)), -g[s], s)
        )


def main(size: int = 41) -> list[replan.Trip]:
    grid = replan.Grid(replan.maze(size, size, openings=3 * size // 4, seed=1), neighbors=4)
    recipes: dict[str, dict[str, Any]] = {
        "RTAA*": {},
        "one sweep": {"learning": OneSweep()},
        "wary": {"choosing": Wary(weight=2)},
        "both": {"learning": OneSweep(), "choosing": Wary(weight=2)},
    }
    trips = []
    for name, rules in recipes.items():
        planner = replan.planner("RTAA*", lookahead=17, **rules)
        trip = replan.simulate(replan.World(grid), planner, start=(0, 0), goal=(size - 1, size - 1))
        print(f"{name:<10} {trip.moves:>6,} moves {trip.episodes:>6,} searches {trip.expansions:>8,} expansions")
        trips.append(trip)
    return trips


if __name__ == "__main__":
    main()
