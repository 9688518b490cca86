"""What a paper says in words, tested on our runs: all tests of a report are corrected together, as Holm does."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import polars as pl

from replan.experiments.report import Report, number
from replan.experiments.statistics import Mean, Pair, Values, compare, holm
from replan.experiments.tables import paired

LEVEL = 0.05
HOLDS, FAILS, OPEN = "✓ holds", "✗ does not hold", "not decided"


@dataclass
class Claims:
    """Collects claims; `show` writes them as a table."""

    lines: list[tuple[str, str, Pair | bool | None]] = field(default_factory=list)

    def less(self, text: str, first: Values, second: Values) -> None:
        """The first is smaller than the second, problem by problem."""
        if len(first):
            pair = compare(first, second)
            evidence = (
                f"mean difference {number(pair.difference)}, 95 % interval {number(pair.low)} to {number(pair.high)}; "
                f"smaller {pair.first_smaller:,}, equal {pair.ties:,}, larger {pair.second_smaller:,}"
            )
            self.lines.append((text, evidence, pair))

    def fact(self, text: str, holds: bool | None, evidence: str) -> None:
        """Something that is seen without a test; None where our runs are too few to tell."""
        self.lines.append((text, evidence, holds))

    def less_mean(self, text: str, first: Mean, second: Mean) -> None:
        """The first mean is smaller; told apart from 2 standard errors on."""
        error = math.hypot(first.error, second.error)
        apart = abs(second.value - first.value) > 2 * error
        holds = bool(first.value < second.value) if apart else None
        shown = (f"{number(one.value)} ± {number(one.error)}" for one in (first, second))
        self.fact(text, holds, " and ".join(shown))

    def versus(self, rows: Mapping[str, pl.DataFrame], column: str = "cost") -> None:
        """The first row against the others: with the same lookahead where there is such a row, else the very first."""
        firsts: dict[object, str] = {}
        for name, runs in rows.items():
            lookahead = runs["lookahead"][0]
            if runs["planner"][0] == next(iter(rows.values()))["planner"][0]:
                firsts.setdefault(lookahead, name)
            elif (first := firsts.get(lookahead, next(iter(rows)))) != name:
                self.less(f"{column}: {first} < {name}", *paired(rows[first], runs, column))

    def show(self, into: Report) -> None:
        tested = [line[2].p for line in self.lines if isinstance(line[2], Pair)]
        corrected = iter(holm(tested))
        rows = []
        for text, evidence, found in self.lines:
            if isinstance(found, Pair):
                p = next(corrected)
                verdict = OPEN if p >= LEVEL else HOLDS if found.high < 0 else FAILS if found.low > 0 else OPEN
                rows.append([text, verdict, evidence, "< 0.001" if p < 0.001 else f"{p:.3f}"])
            else:
                rows.append([text, OPEN if found is None else HOLDS if found else FAILS, evidence, ""])
        if rows:
            into.table(["claim", "here", "evidence", "p (Wilcoxon, Holm)"], rows)


def show_versus(rows: Mapping[str, pl.DataFrame], into: Report) -> None:
    """Planners that a user named, against one another."""
    claims = Claims()
    for column in ("cost", "search_ns"):
        claims.versus(rows, column)
    if claims.lines:
        into.heading("Against one another")
        into.text("Each planner against the first one named, problem by problem; search times in microseconds.")
        claims.show(into)
