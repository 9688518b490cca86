"""Rules that turn the result of a test into a verdict, independent of any paper.

- `less_than`: the first values are smaller than the second, problem by problem. Two tests must agree, of the mean
  (paired t) and of the ranks (paired Wilcoxon). Their p-values are corrected for all claims of a report by Holm's
  method.

  | tests | verdict |
  |---|---|
  | both significant, first smaller | holds |
  | both significant, first larger | does not hold |
  | different directions, at least one significant | mean and ranks disagree |
  | same direction, one significant | not decided |
  | none significant, a relevant difference was detectable | no difference |
  | none significant otherwise | too few to tell |

- `within_range`: an estimate lies in a range. It holds if its interval lies inside, and does not hold if it lies
  outside. If the interval contains an end of the range, it is too few to tell, or not decided if the interval is
  narrower than the range.
- `observation`: a fact that needs no test.

Fewer than MIN_PROBLEMS problems are always too few to tell. For a range, so are problems of which a few large values
make most of the mean (`statistics.has_enough_values`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from replan.experiments.report import TOO_FEW, format_number
from replan.experiments.statistics import (
    MIN_PROBLEMS,
    RELEVANT_DIFFERENCE,
    SIGNIFICANCE_LEVEL,
    Estimate,
    PairedTest,
    Values,
    has_enough_values,
    holm,
    paired_test,
    t_interval,
)

HOLDS, FAILS, NO_DIFFERENCE = "✓ holds", "✗ does not hold", "✗ no difference"
MEAN_AND_RANKS_DISAGREE, UNDECIDED, UNTESTED = "mean and ranks disagree", "not decided", "not tested"
VERDICTS = (HOLDS, FAILS, NO_DIFFERENCE, MEAN_AND_RANKS_DISAGREE, UNDECIDED, TOO_FEW, UNTESTED)
ABOUT_FACTOR = 1.5  # "about 10 times": from 10 / 1.5 to 10 * 1.5


@dataclass(frozen=True)
class Finding:
    """Result of one test, with a label such as its lookahead. `evaluate_findings` gives paired tests their verdict."""

    label: str
    evidence: str
    verdict: str = ""
    paired_test: PairedTest | None = None
    second_mean: float = 0.0


def less_than(label: str, first: Values, second: Values) -> Finding:
    """Test that the first values are smaller than the second, problem by problem."""
    if not len(first):
        return Finding(label, "not among these runs", UNTESTED)
    pair, base = paired_test(first, second), float(np.mean(second))
    evidence = (
        f"{format_number(float(np.mean(first)))} and {format_number(base)}: "
        f"mean difference {format_number(pair.mean_difference)} "
        f"({format_number(pair.interval_low)} to {format_number(pair.interval_high)})"
        f"{_share(pair.mean_difference, base)}; smaller {pair.first_smaller:,}, "
        f"equal {pair.ties:,}, larger {pair.second_smaller:,}; {_visible(pair.detectable_difference, base)}"
    )
    return Finding(label, evidence, paired_test=pair, second_mean=base)


def _share(difference: float, base: float) -> str:
    return f", {difference / base:+.1%}" if base else ""


def _visible(difference: float, base: float) -> str:
    if not math.isfinite(difference):
        return "one problem shows no difference"
    return f"could have seen {difference / abs(base):.1%}" if base else f"could have seen {format_number(difference)}"


def within_range(label: str, estimate: Estimate, low: float, high: float, unit: str = "") -> Finding:
    """Test that an estimate lies in a range."""
    if not estimate.count or math.isnan(estimate.value):
        return Finding(label, "not among these runs", UNTESTED)
    interval_low, interval_high = t_interval(estimate)
    holds = (
        f"from {format_number(low)} to {format_number(high)}" if math.isfinite(high) else f"above {format_number(low)}"
    )
    interval = f"{format_number(interval_low)} to {format_number(interval_high)}"
    evidence = f"{format_number(estimate.value)}{unit} ({interval}; holds {holds})"
    if not has_enough_values(estimate):
        return Finding(label, f"{evidence}, from {estimate.count:,} problems of which a few make most of it", TOO_FEW)
    if low <= interval_low and interval_high <= high:
        return Finding(label, evidence, HOLDS)
    if interval_high < low or high < interval_low:
        return Finding(label, evidence, FAILS)
    return Finding(label, evidence, TOO_FEW if interval_high - interval_low > high - low else UNDECIDED)


def within_factor(label: str, estimate: Estimate, stated: float, unit: str = " times") -> Finding:
    """Test that an estimate differs from the stated value at most by ABOUT_FACTOR."""
    return within_range(label, estimate, stated / ABOUT_FACTOR, stated * ABOUT_FACTOR, unit)


def within_tolerance(
    label: str, estimate: Estimate, stated: float = 1.0, share: float = RELEVANT_DIFFERENCE, unit: str = ""
) -> Finding:
    """Test that an estimate differs from the stated value at most by a share of it."""
    return within_range(label, estimate, stated * (1 - share), stated * (1 + share), unit)


def observation(label: str, holds: bool | None, evidence: str) -> Finding:
    """Return a finding that needs no test. holds: None if our runs are too few to tell."""
    return Finding(label, evidence, TOO_FEW if holds is None else HOLDS if holds else FAILS)


@dataclass(frozen=True)
class FindingResult:
    """A finding with its verdict, and the corrected p-values of mean and ranks, if it has any."""

    finding: Finding
    verdict: str
    p_mean: float | None = None
    p_ranks: float | None = None


def evaluate_findings(findings: Sequence[Finding]) -> list[FindingResult]:
    """Return the verdicts of all findings of a report."""
    pairs = [finding.paired_test for finding in findings if finding.paired_test is not None]
    means, ranks = iter(holm([pair.p_mean for pair in pairs])), iter(holm([pair.p_ranks for pair in pairs]))
    results = []
    for finding in findings:
        if finding.paired_test is None:
            results.append(FindingResult(finding, finding.verdict))
        else:
            p_mean, p_ranks = next(means), next(ranks)
            verdict = paired_verdict(finding.paired_test, finding.second_mean, p_mean, p_ranks)
            results.append(FindingResult(finding, verdict, p_mean, p_ranks))
    return results


def paired_verdict(pair: PairedTest, second_mean: float, p_mean: float, p_ranks: float) -> str:
    """Return the verdict of a paired test that the first is smaller. The p-values are corrected."""
    if pair.first_smaller + pair.ties + pair.second_smaller < MIN_PROBLEMS:
        return TOO_FEW
    direction = int(np.sign(pair.mean_difference))
    significant_tests = (p_mean < SIGNIFICANCE_LEVEL) + (p_ranks < SIGNIFICANCE_LEVEL)
    if not significant_tests:
        return TOO_FEW if pair.detectable_difference > RELEVANT_DIFFERENCE * abs(second_mean) else NO_DIFFERENCE
    if direction != pair.rank_direction:
        return MEAN_AND_RANKS_DISAGREE
    if significant_tests == 1:
        return UNDECIDED
    return HOLDS if direction < 0 else FAILS


def combine_verdicts(verdicts: Iterable[str]) -> str:
    """Return the verdict of a claim with several findings. It holds if all of them hold.

    >>> [combine_verdicts(found) for found in ([HOLDS, HOLDS], [HOLDS, FAILS], [HOLDS, TOO_FEW], [])]
    ['✓ holds', '✗ does not hold', 'too few to tell', 'not tested']
    """
    tested = [verdict for verdict in verdicts if verdict != UNTESTED]
    for worst in (FAILS, NO_DIFFERENCE, MEAN_AND_RANKS_DISAGREE, UNDECIDED, TOO_FEW):
        if worst in tested:
            return worst
    return HOLDS if tested else UNTESTED
