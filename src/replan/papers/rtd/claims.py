"""What RTD* 2010 says, a row each. Tests take the runs under the same conventions as a `Setting`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np
import polars as pl

from replan.experiments.statistics import FEWEST, MATTERS, mean, ratio
from replan.papers.common.claims import Claim
from replan.papers.common.verdicts import Finding, between, fact, less, near
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
    SOME,
    Curves,
    Setting,
    with_ratio,
)
from replan.papers.rtd.worlds import DOOR_STEPS

PAPER = "RTD* 2010"
PAIRED = "problem by problem, mean and ranks"
FROM_8 = [limit for limit in LIMITS if limit >= 8]
Test = Callable[[Setting], Iterable[Finding]]
OfWorld = Callable[[Curves], Iterable[Finding]]


def unknown(test: OfWorld) -> Test:
    return lambda setting: test(setting.unknown) if setting.unknown is not None else ()


def doors(test: OfWorld) -> Test:
    return lambda setting: test(setting.doors) if setting.doors is not None else ()


def shorter(first: str, second: str, limits: Sequence[int] = LIMITS) -> OfWorld:
    """At each limit the first needs less time than the second."""

    def test(curves: Curves) -> Iterator[Finding]:
        for limit in limits:
            both = curves.paired(first, second, limit)
            if len(both[0]):
                yield less(f"limit {limit}: {first} < {second}", *both)

    return test


def alike(first: str, second: str, limits: Sequence[int] = LIMITS) -> OfWorld:
    """At each limit the means differ by less than what matters."""

    def test(curves: Curves) -> Iterator[Finding]:
        for limit in limits:
            both = curves.paired(first, second, limit)
            if len(both[0]):
                yield near(f"limit {limit}: {first} to {second}", ratio(*both))

    return test


def several(*tests: OfWorld) -> OfWorld:
    return lambda curves: [finding for test in tests for finding in test(curves)]


def improves_less(first: str, others: Sequence[str]) -> OfWorld:
    """From limit 8 to 512: by which factor, as a logarithm, problem by problem."""

    def test(curves: Curves) -> Iterator[Finding]:
        for other in others:
            found = curves.table([(first, 8), (first, 512), (other, 8), (other, 512)])
            if len(found):
                gains = np.log(found[:, [0, 2]] / found[:, [1, 3]])
                yield less(f"{first} gains less than {other}", gains[:, 0], gains[:, 1])

    return test


def gap_grows(slow: str, quick: str) -> OfWorld:
    def test(curves: Curves) -> Iterator[Finding]:
        for few, more in ((8, 32), (32, 128), (128, 512)):
            found = curves.table([(slow, few), (quick, few), (slow, more), (quick, more)])
            if len(found):
                yield less(f"gap at {few} < gap at {more}", found[:, 0] - found[:, 1], found[:, 2] - found[:, 3])

    return test


def gap_stays(slow: str, quick: str) -> OfWorld:
    def test(curves: Curves) -> Iterator[Finding]:
        found = curves.table([(slow, 256), (quick, 256), (slow, 512), (quick, 512)])
        if len(found):
            change = mean(found[:, 2] - found[:, 3] - found[:, 0] + found[:, 1])
            matters = MATTERS * float(found[:, 0].mean())
            yield between("how much wider the gap is at 512 than at 256", change, -matters, matters)

    return test


def ratios_alike(name: str, shown: float) -> OfWorld:
    return several(*(alike(with_ratio(name, other), name, SOME) for other in RATIOS if other != shown))


def stuck(curves: Curves) -> Iterator[Finding]:
    for limit in SOME:
        trips = curves.runs(NOOP, limit)
        if len(trips):
            late = trips.filter(pl.col("steps") > DOOR_STEPS)
            first = f"{len(late):,} of {len(trips):,} trips wait until the doors rest, after {DOOR_STEPS:,} steps"
            yield fact(f"limit {limit}", 2 * len(late) > len(trips) if len(trips) >= FEWEST else None, first)


def bump(curves: Curves) -> Iterator[Finding]:
    found = curves.table([(LSS, 128), (LSS, 256), (LSS, 512)])
    if len(found):
        yield less("limit 128 < limit 256", found[:, 0], found[:, 1])
        yield less("limit 512 < limit 256", found[:, 2], found[:, 1])


def _claim(place: str, says: str, how: str, test: Test) -> Claim:
    return Claim(PAPER, place, says, how, test)


UP, DOWN, ROOMS_UP, ROOMS_DOWN = "Figure 3, top", "Figure 3, bottom", "Figure 4, top", "Figure 4, bottom"
NEAR = f"means within {MATTERS:.0%} at each limit"
CLAIMS = (
    _claim(
        UP,
        "RTD* with LRTA* beats LRTA*",
        f"{PAIRED}, from limit 8 on (at 1 the local search gets it all, and they are the same)",
        unknown(shorter(RTD_LRTA, LRTA, FROM_8)),
    ),
    _claim(UP, "RTD* with LRTA* beats waiting (NoOp)", PAIRED, unknown(shorter(RTD_LRTA, NOOP))),
    _claim(UP, "NoOp is very poor: LRTA* beats it, too", PAIRED, unknown(shorter(LRTA, NOOP))),
    _claim(
        UP,
        "LRTA* improves more slowly with the limit than the others",
        f"factor from limit 8 to 512, {PAIRED}",
        unknown(improves_less(LRTA, (RTD_LRTA, NOOP))),
    ),
    _claim(
        UP,
        "with more computation RTD* comes to Non-RTD*",
        f"means within {MATTERS:.0%} at limit 512",
        unknown(several(alike(RTD_LRTA, NON_RTD, [512]), alike(RTD, NON_RTD, [512]))),
    ),
    _claim(
        DOWN,
        "LSS-LRTA* is much better than LRTA*",
        f"{PAIRED}, from limit 8 on (at 1 they are the same); how much is in the evidence",
        unknown(shorter(LSS, LRTA, FROM_8)),
    ),
    _claim(DOWN, "RTD* is almost identical to LSS-LRTA*", f"{NEAR} from 8 on", unknown(alike(RTD, LSS, FROM_8))),
    _claim(DOWN, "RTD* with LSS-LRTA* beats NoOp", PAIRED, unknown(shorter(RTD, NOOP))),
    _claim(DOWN, "LSS-LRTA* has a bump at limit 256, in unknown worlds", PAIRED, unknown(bump)),
    _claim(
        "empirical evaluation",
        "local ratios of 25, 50 and 75 % differ little, in unknown worlds",
        f"means within {MATTERS:.0%} at limits 8, 64 and 512",
        unknown(several(ratios_alike(RTD_LRTA, 0.25), ratios_alike(RTD, 0.75))),
    ),
    _claim(
        "empirical evaluation",
        "local ratios of 25, 50 and 75 % differ little, in rooms",
        f"means within {MATTERS:.0%} at limits 8, 64 and 512",
        doors(several(ratios_alike(RTD_LRTA, 0.25), ratios_alike(RTD, 0.5))),
    ),
    _claim(
        "dynamic worlds",
        "NoOp is stuck for many limits: its search is busy with changes",
        "more than half of the trips wait until the doors rest",
        doors(stuck),
    ),
    _claim(
        ROOMS_UP,
        "RTD* with LRTA* beats LRTA*, except at the lowest limits",
        PAIRED,
        doors(shorter(RTD_LRTA, LRTA, FROM_8)),
    ),
    _claim(ROOMS_UP, "this gap grows with the limit", PAIRED, doors(gap_grows(LRTA, RTD_LRTA))),
    _claim(
        ROOMS_DOWN, "RTD* is slightly worse than LSS-LRTA* at low limits", PAIRED, doors(shorter(LSS, RTD, [8, 16]))
    ),
    _claim(ROOMS_DOWN, "RTD* beats LSS-LRTA* at limits 32 and 64", PAIRED, doors(shorter(RTD, LSS, [32, 64]))),
    _claim(ROOMS_DOWN, "RTD* beats LSS-LRTA* at higher limits", PAIRED, doors(shorter(RTD, LSS, [128, 256, 512]))),
    _claim(
        ROOMS_DOWN,
        "the gap becomes constant",
        f"it changes by less than {MATTERS:.0%} of LSS-LRTA*'s figure from limit 256 to 512",
        doors(gap_stays(LSS, RTD)),
    ),
    _claim(ROOMS_DOWN, "LSS-LRTA* has a bump at limit 256, in rooms", PAIRED, doors(bump)),
    _claim(ROOMS_DOWN, "AD* improves RTD* at smaller limits", PAIRED, doors(shorter(RTD_AD, RTD, [8, 16, 32, 64]))),
    _claim(ROOMS_DOWN, "RTD* with AD* surpasses LSS-LRTA* there", PAIRED, doors(shorter(RTD_AD, LSS, [8, 16, 32, 64]))),
    _claim(
        ROOMS_DOWN,
        "RTD* comes to Non-RTD*",
        f"means within {MATTERS:.0%} at limit 512",
        doors(alike(RTD, NON_RTD, [512])),
    ),
    Claim(
        PAPER,
        "properties",
        "RTD* keeps D* Lite's invariants and arrives in static worlds",
        "",
        reason="proved; tests check both on random worlds",
    ),
)
