"""What a test says of a claim: the rules, apart from any paper. Tests try them on made-up data with a known truth.

- `less`: the first is smaller than the second, problem by problem. Two tests have to agree: that of the mean (paired t)
  and that of the ranks (paired Wilcoxon), each corrected for all claims of a report by Holm's method. Both say so: it
  holds. Both say the contrary: it does not. They point to different sides, and at least one of them surely: mean and
  ranks disagree. One is sure and the other leans the same way: not decided. Neither is sure: if a difference that
  matters could have been seen, there is none, else the problems are too few to tell.
- `between`: a figure lies in a range, which has two ends. Its interval lies inside: holds; outside: does not; across an
  end: too few to tell, or not decided where the interval is narrow beside the range.
- `fact`: what is seen without a test.

Fewer than FEWEST problems are too few to tell, whatever they seem to say; for a range, also such in which a few large
figures make most of the mean (`statistics.enough`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from replan.experiments.report import TOO_FEW, number
from replan.experiments.statistics import FEWEST, LEVEL, MATTERS, Estimate, Pair, Values, compare, enough, holm, limits

HOLDS, FAILS, SAME = "✓ holds", "✗ does not hold", "✗ no difference"
DISAGREE, OPEN, UNTESTED = "mean and ranks disagree", "not decided", "not tested"
VERDICTS = (HOLDS, FAILS, SAME, DISAGREE, OPEN, TOO_FEW, UNTESTED)
ABOUT = 1.5  # "about 10 times": from 10 / 1.5 to 10 * 1.5


@dataclass(frozen=True)
class Finding:
    """What one test found. label: of what, such as a lookahead. A pair gets its verdict when all p-values are known."""

    label: str
    evidence: str
    verdict: str = ""
    pair: Pair | None = None
    base: float = 0.0  # the second's mean


def less(label: str, first: Values, second: Values) -> Finding:
    """The first is smaller than the second, problem by problem."""
    if not len(first):
        return Finding(label, "not among these runs", UNTESTED)
    pair, base = compare(first, second), float(np.mean(second))
    evidence = (
        f"{number(float(np.mean(first)))} and {number(base)}: mean difference {number(pair.difference)} "
        f"({number(pair.low)} to {number(pair.high)}){_share(pair.difference, base)}; smaller {pair.first_smaller:,}, "
        f"equal {pair.ties:,}, larger {pair.second_smaller:,}; {_visible(pair.visible, base)}"
    )
    return Finding(label, evidence, pair=pair, base=base)


def _share(difference: float, base: float) -> str:
    return f", {difference / base:+.1%}" if base else ""


def _visible(visible: float, base: float) -> str:
    if not math.isfinite(visible):
        return "one problem shows no difference"
    return f"could have seen {visible / abs(base):.1%}" if base else f"could have seen {number(visible)}"


def between(label: str, found: Estimate, low: float, high: float, unit: str = "") -> Finding:
    """A figure lies in a range."""
    if not found.count or math.isnan(found.value):
        return Finding(label, "not among these runs", UNTESTED)
    least, most = limits(found)
    holds = f"from {number(low)} to {number(high)}" if math.isfinite(high) else f"above {number(low)}"
    evidence = f"{number(found.value)}{unit} ({number(least)} to {number(most)}; holds {holds})"
    if not enough(found):
        return Finding(label, f"{evidence}, from {found.count:,} problems of which a few make most of it", TOO_FEW)
    if low <= least and most <= high:
        return Finding(label, evidence, HOLDS)
    if most < low or high < least:
        return Finding(label, evidence, FAILS)
    return Finding(label, evidence, TOO_FEW if most - least > high - low else OPEN)


def about(label: str, found: Estimate, said: float, unit: str = " times") -> Finding:
    """A figure is about what is said: at most ABOUT times more or less."""
    return between(label, found, said / ABOUT, said * ABOUT, unit)


def near(label: str, found: Estimate, said: float = 1.0, share: float = MATTERS, unit: str = "") -> Finding:
    """A figure is what is said, give or take a share of it."""
    return between(label, found, said * (1 - share), said * (1 + share), unit)


def fact(label: str, holds: bool | None, evidence: str) -> Finding:
    """Something that is seen without a test. holds: None where our runs are too few to tell."""
    return Finding(label, evidence, TOO_FEW if holds is None else HOLDS if holds else FAILS)


@dataclass(frozen=True)
class Decided:
    """A finding with its verdict, and the corrected p-values of mean and ranks, if it has any."""

    finding: Finding
    verdict: str
    p_mean: float | None = None
    p_ranks: float | None = None


def decide(findings: Sequence[Finding]) -> list[Decided]:
    """The verdicts of all findings of a report."""
    pairs = [finding.pair for finding in findings if finding.pair is not None]
    means, ranks = iter(holm([pair.p_mean for pair in pairs])), iter(holm([pair.p for pair in pairs]))
    decided = []
    for finding in findings:
        if finding.pair is None:
            decided.append(Decided(finding, finding.verdict))
        else:
            p_mean, p_ranks = next(means), next(ranks)
            verdict = pair_verdict(finding.pair, finding.base, p_mean, p_ranks)
            decided.append(Decided(finding, verdict, p_mean, p_ranks))
    return decided


def pair_verdict(pair: Pair, base: float, p_mean: float, p_ranks: float) -> str:
    """Is the first smaller? base: the second's mean; the p-values are corrected."""
    if pair.first_smaller + pair.ties + pair.second_smaller < FEWEST:
        return TOO_FEW
    way = int(np.sign(pair.difference))
    sure = (p_mean < LEVEL) + (p_ranks < LEVEL)
    if not sure:
        return TOO_FEW if pair.visible > MATTERS * abs(base) else SAME
    if way != pair.ranks:
        return DISAGREE
    if sure == 1:
        return OPEN
    return HOLDS if way < 0 else FAILS


def together(verdicts: Iterable[str]) -> str:
    """The verdict of a claim that is tested in several places: it holds if it holds in all of them.

    >>> together([HOLDS, HOLDS]), together([HOLDS, FAILS]), together([HOLDS, TOO_FEW]), together([])
    ('✓ holds', '✗ does not hold', 'too few to tell', 'not tested')
    """
    found = [verdict for verdict in verdicts if verdict != UNTESTED]
    for worst in (FAILS, SAME, DISAGREE, OPEN, TOO_FEW):
        if worst in found:
            return worst
    return HOLDS if found else UNTESTED
