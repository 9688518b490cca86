"""What a paper says in words, tested on our runs. All tests of a report are corrected together, by Holm's method."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import polars as pl

from replan.experiments.report import Report, number, with_error
from replan.experiments.statistics import LEVEL, Estimate, Pair, Values, compare, holm
from replan.experiments.tables import paired

HOLDS, FAILS, OPEN = "✓ holds", "✗ does not hold", "not decided"


@dataclass(frozen=True)
class Claim:
    """What is claimed, what speaks for or against it, and what was found: a test, yes or no, or None if undecided."""

    text: str
    evidence: str
    found: Pair | bool | None


@dataclass
class Claims:
    """Collects claims; `show` writes them as a table."""

    claims: list[Claim] = field(default_factory=list)

    def less(self, text: str, first: Values, second: Values) -> None:
        """The first is smaller than the second, problem by problem."""
        if len(first):
            pair = compare(first, second)
            evidence = (
                f"mean difference {number(pair.difference)}, 95 % interval {number(pair.low)} to {number(pair.high)}; "
                f"smaller {pair.first_smaller:,}, equal {pair.ties:,}, larger {pair.second_smaller:,}"
            )
            self.claims.append(Claim(text, evidence, pair))

    def fact(self, text: str, holds: bool | None, evidence: str) -> None:
        """Something that is seen without a test. holds: None where our runs are too few to tell."""
        self.claims.append(Claim(text, evidence, holds))

    def less_mean(self, text: str, first: Estimate, second: Estimate) -> None:
        """The first mean is smaller than the second; not decided unless they are more than 2 standard errors apart."""
        error = math.hypot(first.error, second.error)
        apart = abs(second.value - first.value) > 2 * error
        holds = bool(first.value < second.value) if apart else None
        self.fact(text, holds, f"{with_error(first)} and {with_error(second)}")

    def versus(self, rows: Mapping[str, pl.DataFrame], measured: str) -> None:
        """Each row against that of the first planner with the same lookahead or, where there is none, the first row."""
        firsts: dict[object, str] = {}
        for name, runs in rows.items():
            lookahead = runs["lookahead"][0]
            if runs["planner"][0] == next(iter(rows.values()))["planner"][0]:
                firsts.setdefault(lookahead, name)
            elif (first := firsts.get(lookahead, next(iter(rows)))) != name:
                self.less(f"{measured}: {first} < {name}", *paired(rows[first], runs, measured))

    def show(self, into: Report) -> None:
        corrected = iter(holm([claim.found.p for claim in self.claims if isinstance(claim.found, Pair)]))
        rows = []
        for claim in self.claims:
            found = claim.found
            if isinstance(found, Pair):
                p = next(corrected)
                verdict = OPEN if p >= LEVEL else HOLDS if found.high < 0 else FAILS if found.low > 0 else OPEN
                rows.append([claim.text, verdict, claim.evidence, "< 0.001" if p < 0.001 else f"{p:.3f}"])
            else:
                verdict = OPEN if found is None else HOLDS if found else FAILS
                rows.append([claim.text, verdict, claim.evidence, ""])
        if rows:
            into.table(["claim", "here", "evidence", "p (Wilcoxon, Holm)"], rows)


def show_versus(rows: Mapping[str, pl.DataFrame], into: Report) -> None:
    """Planners that a user named, against one another."""
    claims = Claims()
    for measured in ("cost", "search_ns"):
        claims.versus(rows, measured)
    if claims.claims:
        into.heading("Against one another")
        into.text("Each planner against the first one named, problem by problem; search times in microseconds.")
        claims.show(into)
