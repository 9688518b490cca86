"""Claims of RTD* 2010. Tests take the runs under the same conventions as `ConventionRuns`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np
import polars as pl

from replan.experiments.statistics import MIN_PROBLEMS, RELEVANT_DIFFERENCE, mean, ratio_of_totals
from replan.papers.common.claims import Claim
from replan.papers.common.verdicts import Finding, less_than, observation, within_range, within_tolerance
from replan.papers.rtd.curves import (
    LIMITS,
    LRTA,
    LSS,
    NON_RTD,
    NOOP,
    RATIOS,
    RTD,
    RTD_AD,
    RTD_LRTA,
    SELECTED_LIMITS,
    ConventionRuns,
    CurveData,
    curve_name_with_ratio,
)
from replan.papers.rtd.worlds import DOOR_STEPS

PAPER = "RTD* 2010"
PAIRED = "problem by problem, mean and ranks"
LIMITS_FROM_8 = [limit for limit in LIMITS if limit >= 8]
Test = Callable[[ConventionRuns], Iterable[Finding]]
WorldTest = Callable[[CurveData], Iterable[Finding]]


def in_unknown_worlds(test: WorldTest) -> Test:
    return lambda setting: test(setting.unknown) if setting.unknown is not None else ()


def in_door_worlds(test: WorldTest) -> Test:
    return lambda setting: test(setting.doors) if setting.doors is not None else ()


def takes_less_time(first: str, second: str, limits: Sequence[int] = LIMITS) -> WorldTest:
    """At each limit the first needs less time than the second."""

    def test(curves: CurveData) -> Iterator[Finding]:
        for limit in limits:
            both = curves.paired_values(first, second, limit)
            if len(both[0]):
                yield less_than(f"limit {limit}: {first} < {second}", *both)

    return test


def means_agree(first: str, second: str, limits: Sequence[int] = LIMITS) -> WorldTest:
    """At each limit the means differ by less than RELEVANT_DIFFERENCE."""

    def test(curves: CurveData) -> Iterator[Finding]:
        for limit in limits:
            both = curves.paired_values(first, second, limit)
            if len(both[0]):
                yield within_tolerance(f"limit {limit}: {first} to {second}", ratio_of_totals(*both))

    return test


def combine_tests(*tests: WorldTest) -> WorldTest:
    return lambda curves: [finding for test in tests for finding in test(curves)]


def improves_less(first: str, others: Sequence[str]) -> WorldTest:
    """From limit 8 to 512 the first improves by a smaller factor (its logarithm, problem by problem)."""

    def test(curves: CurveData) -> Iterator[Finding]:
        for other in others:
            ratios = curves.paired_table([(first, 8), (first, 512), (other, 8), (other, 512)])
            if len(ratios):
                gains = np.log(ratios[:, [0, 2]] / ratios[:, [1, 3]])
                yield less_than(f"{first} gains less than {other}", gains[:, 0], gains[:, 1])

    return test


def gap_grows(slow: str, quick: str) -> WorldTest:
    def test(curves: CurveData) -> Iterator[Finding]:
        for few, more in ((8, 32), (32, 128), (128, 512)):
            ratios = curves.paired_table([(slow, few), (quick, few), (slow, more), (quick, more)])
            if len(ratios):
                yield less_than(
                    f"gap at {few} < gap at {more}", ratios[:, 0] - ratios[:, 1], ratios[:, 2] - ratios[:, 3]
                )

    return test


def gap_stays(slow: str, quick: str) -> WorldTest:
    def test(curves: CurveData) -> Iterator[Finding]:
        ratios = curves.paired_table([(slow, 256), (quick, 256), (slow, 512), (quick, 512)])
        if len(ratios):
            change = mean(ratios[:, 2] - ratios[:, 3] - ratios[:, 0] + ratios[:, 1])
            matters = RELEVANT_DIFFERENCE * float(ratios[:, 0].mean())
            yield within_range("how much wider the gap is at 512 than at 256", change, -matters, matters)

    return test


def ratios_alike(name: str, shown: float) -> WorldTest:
    return combine_tests(
        *(means_agree(curve_name_with_ratio(name, other), name, SELECTED_LIMITS) for other in RATIOS if other != shown)
    )


def waits_until_doors_stop(curves: CurveData) -> Iterator[Finding]:
    for limit in SELECTED_LIMITS:
        trips = curves.runs(NOOP, limit)
        if len(trips):
            late = trips.filter(pl.col("steps") > DOOR_STEPS)
            first = f"{len(late):,} of {len(trips):,} trips wait until the doors rest, after {DOOR_STEPS:,} steps"
            yield observation(
                f"limit {limit}", 2 * len(late) > len(trips) if len(trips) >= MIN_PROBLEMS else None, first
            )


def peaks_at_256(curves: CurveData) -> Iterator[Finding]:
    found = curves.paired_table([(LSS, 128), (LSS, 256), (LSS, 512)])
    if len(found):
        yield less_than("limit 128 < limit 256", found[:, 0], found[:, 1])
        yield less_than("limit 512 < limit 256", found[:, 2], found[:, 1])


def _claim(place: str, says: str, how: str, test: Test) -> Claim:
    return Claim(PAPER, place, says, how, test)


FIGURE_3_TOP, FIGURE_3_BOTTOM, FIGURE_4_TOP, FIGURE_4_BOTTOM = (
    "Figure 3, top",
    "Figure 3, bottom",
    "Figure 4, top",
    "Figure 4, bottom",
)
MEANS_AGREE_TEXT = f"means within {RELEVANT_DIFFERENCE:.0%} at each limit"
CLAIMS = (
    _claim(
        FIGURE_3_TOP,
        "RTD* with LRTA* beats LRTA*",
        f"{PAIRED}, from limit 8 on (at 1 the local search gets it all, and they are the same)",
        in_unknown_worlds(takes_less_time(RTD_LRTA, LRTA, LIMITS_FROM_8)),
    ),
    _claim(
        FIGURE_3_TOP, "RTD* with LRTA* beats waiting (NoOp)", PAIRED, in_unknown_worlds(takes_less_time(RTD_LRTA, NOOP))
    ),
    _claim(
        FIGURE_3_TOP, "NoOp is very poor: LRTA* beats it, too", PAIRED, in_unknown_worlds(takes_less_time(LRTA, NOOP))
    ),
    _claim(
        FIGURE_3_TOP,
        "LRTA* improves more slowly with the limit than the others",
        f"factor from limit 8 to 512, {PAIRED}",
        in_unknown_worlds(improves_less(LRTA, (RTD_LRTA, NOOP))),
    ),
    _claim(
        FIGURE_3_TOP,
        "with more computation RTD* comes to Non-RTD*",
        f"means within {RELEVANT_DIFFERENCE:.0%} at limit 512",
        in_unknown_worlds(combine_tests(means_agree(RTD_LRTA, NON_RTD, [512]), means_agree(RTD, NON_RTD, [512]))),
    ),
    _claim(
        FIGURE_3_BOTTOM,
        "LSS-LRTA* is much better than LRTA*",
        f"{PAIRED}, from limit 8 on (at 1 they are the same); how much is in the evidence",
        in_unknown_worlds(takes_less_time(LSS, LRTA, LIMITS_FROM_8)),
    ),
    _claim(
        FIGURE_3_BOTTOM,
        "RTD* is almost identical to LSS-LRTA*",
        f"{MEANS_AGREE_TEXT} from 8 on",
        in_unknown_worlds(means_agree(RTD, LSS, LIMITS_FROM_8)),
    ),
    _claim(FIGURE_3_BOTTOM, "RTD* with LSS-LRTA* beats NoOp", PAIRED, in_unknown_worlds(takes_less_time(RTD, NOOP))),
    _claim(
        FIGURE_3_BOTTOM, "LSS-LRTA* has a bump at limit 256, in unknown worlds", PAIRED, in_unknown_worlds(peaks_at_256)
    ),
    _claim(
        "empirical evaluation",
        "local ratios of 25, 50 and 75 % differ little, in unknown worlds",
        f"means within {RELEVANT_DIFFERENCE:.0%} at limits 8, 64 and 512",
        in_unknown_worlds(combine_tests(ratios_alike(RTD_LRTA, 0.25), ratios_alike(RTD, 0.75))),
    ),
    _claim(
        "empirical evaluation",
        "local ratios of 25, 50 and 75 % differ little, in rooms",
        f"means within {RELEVANT_DIFFERENCE:.0%} at limits 8, 64 and 512",
        in_door_worlds(combine_tests(ratios_alike(RTD_LRTA, 0.25), ratios_alike(RTD, 0.5))),
    ),
    _claim(
        "dynamic worlds",
        "NoOp is stuck for many limits: its search is busy with changes",
        "more than half of the trips wait until the doors rest",
        in_door_worlds(waits_until_doors_stop),
    ),
    _claim(
        FIGURE_4_TOP,
        "RTD* with LRTA* beats LRTA*, except at the lowest limits",
        PAIRED,
        in_door_worlds(takes_less_time(RTD_LRTA, LRTA, LIMITS_FROM_8)),
    ),
    _claim(FIGURE_4_TOP, "this gap grows with the limit", PAIRED, in_door_worlds(gap_grows(LRTA, RTD_LRTA))),
    _claim(
        FIGURE_4_BOTTOM,
        "RTD* is slightly worse than LSS-LRTA* at low limits",
        PAIRED,
        in_door_worlds(takes_less_time(LSS, RTD, [8, 16])),
    ),
    _claim(
        FIGURE_4_BOTTOM,
        "RTD* beats LSS-LRTA* at limits 32 and 64",
        PAIRED,
        in_door_worlds(takes_less_time(RTD, LSS, [32, 64])),
    ),
    _claim(
        FIGURE_4_BOTTOM,
        "RTD* beats LSS-LRTA* at higher limits",
        PAIRED,
        in_door_worlds(takes_less_time(RTD, LSS, [128, 256, 512])),
    ),
    _claim(
        FIGURE_4_BOTTOM,
        "the gap becomes constant",
        f"it changes by less than {RELEVANT_DIFFERENCE:.0%} of LSS-LRTA*'s figure from limit 256 to 512",
        in_door_worlds(gap_stays(LSS, RTD)),
    ),
    _claim(FIGURE_4_BOTTOM, "LSS-LRTA* has a bump at limit 256, in rooms", PAIRED, in_door_worlds(peaks_at_256)),
    _claim(
        FIGURE_4_BOTTOM,
        "AD* improves RTD* at smaller limits",
        PAIRED,
        in_door_worlds(takes_less_time(RTD_AD, RTD, [8, 16, 32, 64])),
    ),
    _claim(
        FIGURE_4_BOTTOM,
        "RTD* with AD* surpasses LSS-LRTA* there",
        PAIRED,
        in_door_worlds(takes_less_time(RTD_AD, LSS, [8, 16, 32, 64])),
    ),
    _claim(
        FIGURE_4_BOTTOM,
        "RTD* comes to Non-RTD*",
        f"means within {RELEVANT_DIFFERENCE:.0%} at limit 512",
        in_door_worlds(means_agree(RTD, NON_RTD, [512])),
    ),
    Claim(
        PAPER,
        "properties",
        "RTD* keeps D* Lite's invariants and arrives in static worlds",
        "",
        untested_reason="proved; tests check both on random worlds",
    ),
)
