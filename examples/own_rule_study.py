"""Research: does a learning rule of one's own pay? A study on five maps of a game, with a table and a plot.

    python examples/own_rule_study.py [FOLDER]      # maps of the Moving AI collection; without, caves are made

It writes own_rule_study.csv and own_rule_study.png. Needs: pip install 'replan[experiments]'
"""

from __future__ import annotations

import sys
from itertools import islice
from pathlib import Path
from typing import Any

import replan

LOOKAHEADS = (4, 16, 64)


class Twice(replan.LearningRule):
    """LRTA*'s update of every expanded state, the last expanded first, and once more from the other end."""

    def learn(self, lookahead: Any) -> int:
        h, increase = lookahead.h, 0
        for order in (reversed(lookahead.closed), lookahead.closed):
            for s in order:
                best = min(cost + h[v] for v, cost in lookahead.successors(s))
                increase += max(0, best - h[s])
                h[s] = max(h[s], best)
        return increase


def maps(folder: str | None) -> dict[str, replan.Grid]:
    if folder is None:
        return {f"cave {seed}": replan.Grid(replan.cave(40, 40, seed=seed)) for seed in range(5)}
    return {path.stem: replan.Grid.load(path) for path in islice(sorted(Path(folder).rglob("*.map")), 5)}


def main(folder: str | None = None, problems: int = 4) -> None:
    import matplotlib.pyplot as plt
    import polars as pl

    tables = []
    for name, grid in maps(folder).items():
        planners = {}
        for k in LOOKAHEADS:
            planners[f"RTAA* {k}"] = replan.planner("RTAA*", lookahead=k)
            planners[f"LSS-LRTA* {k}"] = replan.planner("LSS-LRTA*", lookahead=k)
            planners[f"mine {k}"] = replan.planner("RTAA*", lookahead=k, learning=Twice())
        table = replan.compare(replan.World(grid), planners, problems, seed=1).to_polars()
        tables.append(table.with_columns(map=pl.lit(name)))
    rows = pl.concat(tables).with_columns(
        rule=pl.col("planner").str.replace(r" \d+$", ""),
        lookahead=pl.col("planner").str.extract(r"(\d+)$").cast(pl.Int64),
    )
    rows.write_csv("own_rule_study.csv")
    means = rows.group_by("rule", "lookahead").agg(pl.mean("cost", "expansions", "us_per_episode")).sort("lookahead")
    print(means.sort("lookahead", "rule"))
    for rule in ("RTAA*", "LSS-LRTA*", "mine"):
        of_rule = means.filter(rule=rule)
        plt.plot(of_rule["lookahead"], of_rule["cost"], "o-", label=rule)
    plt.xlabel("lookahead"), plt.ylabel("cost of a trip"), plt.legend()
    plt.savefig("own_rule_study.png")


if __name__ == "__main__":
    main(*sys.argv[1:])
