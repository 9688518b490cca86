"""The rules of verdicts on made-up data where the truth is known: no effect, a small one, a mean against the ranks,
three samples; and the table of claims, which says of each row what came out or why nothing did."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from replan.errors import InputError
from replan.experiments.plots import Line, line_plot
from replan.experiments.report import Report
from replan.experiments.statistics import Estimate, mean
from replan.papers.common import verdicts
from replan.papers.common.claims import NOT_RUN, Claim, FindingTable, evaluate_claims, show_claims, show_evidence
from replan.papers.common.verdicts import (
    FAILS,
    HOLDS,
    MEAN_AND_RANKS_DISAGREE,
    NO_DIFFERENCE,
    TOO_FEW,
    UNDECIDED,
    UNTESTED,
    evaluate_findings,
    less_than,
    observation,
    within_factor,
    within_range,
    within_tolerance,
)


def verdict(first: object, second: object) -> str:
    (decided,) = evaluate_findings([less_than("", np.asarray(first, float), np.asarray(second, float))])
    return decided.verdict


def costs(rng: np.random.Generator, count: int) -> np.ndarray:
    """As trips have them: many cheap ones and a few that are very dear."""
    return rng.lognormal(5, 1, count)


def test_no_effect_is_never_taken_for_one() -> None:
    """With many problems: no difference. Holds by chance in at most one of twenty, and by both tests in fewer."""
    rng, found = np.random.default_rng(1), Counter()
    for _ in range(200):
        base = costs(rng, 400)
        found[verdict(base * rng.normal(1, 0.2, 400), base * rng.normal(1, 0.2, 400))] += 1
    assert found[HOLDS] <= 6 and found[FAILS] <= 6, found
    assert found[NO_DIFFERENCE] > 150, found


def test_a_small_effect_needs_many_problems() -> None:
    rng = np.random.default_rng(2)

    def tried(count: int) -> str:
        base = costs(rng, count)
        return verdict(0.95 * base * rng.normal(1, 0.3, count), base * rng.normal(1, 0.3, count))

    assert Counter(tried(10) for _ in range(50))[TOO_FEW] > 30
    assert Counter(tried(5000) for _ in range(20))[HOLDS] > 17


def test_a_large_effect_the_other_way_does_not_hold() -> None:
    base = costs(np.random.default_rng(3), 100)
    assert verdict(1.5 * base, base) == FAILS and verdict(base, 1.5 * base) == HOLDS


def test_mean_against_ranks() -> None:
    """Nine of ten are a little smaller, one is very much larger: neither "holds" nor "does not hold" is true."""
    rng = np.random.default_rng(4)
    second = rng.uniform(90, 110, 500)
    first = second - rng.uniform(1, 5, 500)
    first[::10] += 400
    assert verdict(first, second) == MEAN_AND_RANKS_DISAGREE and verdict(second, first) == MEAN_AND_RANKS_DISAGREE
    first[::10] -= 360  # now the mean lies near 0 and the ranks are as sure as before
    assert verdict(first, second) in (MEAN_AND_RANKS_DISAGREE, UNDECIDED)


def test_one_test_that_is_sure_decides_nothing() -> None:
    """All are smaller by a hair but a few, which are smaller by very much: the mean is not sure, and leans alike."""
    rng = np.random.default_rng(5)
    second = rng.uniform(90, 110, 60)
    first = second - 0.1
    first[0] -= 60
    assert verdict(first, second) == UNDECIDED


@pytest.mark.parametrize("effect", [0.1, 0.5, 1.0, 2.0])
def test_three_samples_tell_nothing(effect: float) -> None:
    rng = np.random.default_rng(6)
    for _ in range(30):
        base = costs(rng, 3)
        assert verdict(effect * base * rng.normal(1, 0.2, 3), base) == TOO_FEW
    assert verdict([1.0], [100.0]) == TOO_FEW
    assert verdict([5] * 3, [5] * 3) == TOO_FEW and verdict([5] * 12, [5] * 12) == NO_DIFFERENCE


def test_many_claims_are_corrected_together() -> None:
    """Of a hundred claims about nothing none holds, though some p-values are small."""
    rng = np.random.default_rng(7)
    found = evaluate_findings([less_than("", rng.normal(0, 1, 50), rng.normal(0, 1, 50)) for _ in range(100)])
    assert min(one.finding.paired_test.p_ranks for one in found) < 0.05  # type: ignore[union-attr]
    assert not {HOLDS, FAILS} & {one.verdict for one in found}


@pytest.mark.parametrize(
    ("value", "error", "count", "wanted"),
    [
        (10.0, 0.5, 100, HOLDS),
        (30.0, 0.5, 100, FAILS),  # three times too much is not "about": the range has two ends
        (3.0, 0.5, 100, FAILS),
        (15.0, 0.5, 100, UNDECIDED),  # across an end, by a narrow interval
        (10.0, 20.0, 100, TOO_FEW),
        (10.0, 2.0, 3, TOO_FEW),
        (10.0, float("nan"), 1, TOO_FEW),
    ],
)
def test_about_ten_times(value: float, error: float, count: int, wanted: str) -> None:
    assert within_factor("", Estimate(value, error, error * count**0.5, count), 10.0).verdict == wanted


def test_ranges() -> None:
    assert within_tolerance("", Estimate(1.02, 0.01, 0.1, 100)).verdict == HOLDS
    assert within_tolerance("", Estimate(1.2, 0.01, 0.1, 100)).verdict == FAILS
    assert within_range("", Estimate(float("nan"), float("nan"), float("nan"), 0), 0, 1).verdict == UNTESTED
    assert observation("", None, "").verdict == TOO_FEW


# The table.


def a_claim(**given: object) -> Claim:
    return Claim(**({"paper": "A 2006", "section": "Table 1", "statement": "less", "method": "paired"} | given))  # type: ignore[arg-type]


def test_every_row_has_a_verdict_or_a_reason() -> None:
    rng = np.random.default_rng(8)
    base = costs(rng, 50)
    claims = [
        a_claim(test=lambda runs: [less_than("a", 0.5 * base, base), less_than("b", 0.5 * base, base)]),
        a_claim(test=lambda runs: [less_than("a", 0.5 * base, base), less_than("b", base, 0.5 * base)]),
        a_claim(test=lambda runs: []),
        a_claim(untested_reason="the paper's maps are not known"),
    ]
    judged = evaluate_claims(claims, None)
    assert [one.verdict for one in judged] == [HOLDS, FAILS, UNTESTED, UNTESTED]
    assert [one.summary for one in judged] == [
        "holds: 2",
        "holds: 1, does not hold: 1",
        NOT_RUN,
        "the paper's maps are not known",
    ]
    report = Report("t")
    show_claims(judged, report)
    show_evidence(judged, report)
    text = report.markdown()
    assert "| 4 | Table 1 | less | paired | not tested | the paper's maps are not known |" in text
    assert "| 2 | b | ✗ does not hold |" in text and report.claims == judged


def test_claims_without_a_table() -> None:
    claims, rng = FindingTable(), np.random.default_rng(3)
    low, high = rng.normal(10, 1, 40), rng.normal(15, 1, 40)
    claims.less_than("less", low, high)
    claims.less_than("more", high, low)
    claims.less_than("same", low, low)
    report = Report("t")
    claims.show(report)
    text = report.markdown()
    for name, found in (("less", HOLDS), ("more", FAILS), ("same", NO_DIFFERENCE)):
        assert f"| {name} | {found} |" in text


def test_the_evidence_says_what_could_have_been_seen() -> None:
    rng = np.random.default_rng(9)
    second = rng.normal(100, 10, 400)
    finding = verdicts.less_than("", second + rng.normal(0, 10, 400), second)
    assert "could have seen 1.0%" in finding.evidence
    assert mean(second).contributions is not None


# What cannot be drawn.


@pytest.mark.parametrize(
    ("line", "log", "said"),
    [
        (([], []), "", "it has no points"),
        (([1.0, 2.0], [1.0]), "", "2 x, 1 y"),
        (([1.0], [float("nan")]), "", "y is nan"),
        (([0.0, 1.0], [1.0, 2.0]), "x", "x is 0 on a logarithmic axis"),
        (([1.0], [-2.0]), "xy", "y is -2 on a logarithmic axis"),
        (Line([1.0], [2.0], [0.1, 0.2]), "", "2 errors"),
    ],
)
def test_a_plot_refuses_what_it_cannot_draw(line: object, log: str, said: str) -> None:
    with pytest.raises(InputError, match=f"the line 'RTAA\\*' cannot be drawn: .*{said}"):
        line_plot({"RTAA*": line}, "x", "y", log)  # type: ignore[dict-item]


def test_a_plot_of_nothing_or_too_much_is_refused() -> None:
    with pytest.raises(InputError, match="without lines"):
        line_plot({}, "x", "y")
    with pytest.raises(InputError, match="41 lines cannot be told apart"):
        line_plot({str(i): ([1.0], [2.0]) for i in range(41)}, "x", "y")


def test_a_planner_has_its_colour_in_every_plot() -> None:
    first = line_plot({"mine": ([1.0], [1.0]), "RTAA*": ([1.0], [2.0])}, "x", "y", log_axes="xy", ticks=[1, 8, 512])
    again = line_plot({"RTAA*": ([1.0], [2.0]), "paper": Line([1.0], [2.0], planner="RTAA*", is_dashed=True)}, "x", "y")
    drawn = [[line.get_color() for line in figure.axes[0].get_lines()] for figure in (first, again)]
    assert drawn[0][1] == drawn[1][0] == drawn[1][1] != drawn[0][0]
    assert [text.get_text() for text in first.axes[0].get_xticklabels()] == ["1", "8", "512"]
