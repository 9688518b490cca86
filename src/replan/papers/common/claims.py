"""Claims: the statements of papers with their tests, from which reports are made.

A claim names its paper and section, the statement in our words, the method of its test, and the test itself. The test
is a function of the experiment's runs that returns findings (`verdicts`), for example one for each lookahead. A claim
that cannot be tested has a reason instead. `replan.papers.claims` has the claims of all papers. All p-values of a
report are corrected together, by Holm's method.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from replan.experiments.report import Report
from replan.experiments.statistics import MIN_PROBLEMS, RELEVANT_DIFFERENCE, Values
from replan.experiments.tables import paired_values
from replan.papers.common import verdicts
from replan.papers.common.verdicts import UNTESTED, Finding, FindingResult

NOT_RUN = "what it needs is not among these runs"


@dataclass(frozen=True)
class Claim:
    """A statement of a paper, and its test.

    Parameters
    ----------
    paper
        Name of the paper, as in `replan.papers`.
    section
        Section of the paper.
    statement
        The statement, in our words.
    method
        The test, in words.
    test
        Function from the data of an experiment to findings; none if the runs lack what it needs. None: there is no
        test.
    untested_reason
        Why there is no test.

    Examples
    --------
    >>> from replan.papers.common.verdicts import less_than
    >>> costs = {"mine": [1.0, 2.0, 3.0] * 10, "theirs": [2.0, 3.0, 5.0] * 10}
    >>> claim = Claim("RTAA* 2006", "Section 4", "mine is cheaper", "costs, paired",
    ...     test=lambda costs: [less_than("cost", costs["mine"], costs["theirs"])])
    >>> claim.statement, claim.test(costs)[0].label
    ('mine is cheaper', 'cost')
    """

    paper: str
    section: str
    statement: str
    method: str
    test: Callable[[Any], Iterable[Finding]] | None = None
    untested_reason: str = ""


@dataclass(frozen=True)
class ClaimResult:
    """Result of a claim.

    Parameters
    ----------
    claim
        The claim.
    verdict
        The verdict.
    finding_results
        Results of its findings.
    untested_reason
        Why there is no verdict.

    Examples
    --------
    >>> from replan.papers.common.verdicts import less_than
    >>> costs = {"mine": [1.0, 2.0, 3.0] * 10, "theirs": [2.0, 3.0, 5.0] * 10}
    >>> claim = Claim("RTAA* 2006", "Section 4", "mine is cheaper", "costs, paired",
    ...     test=lambda costs: [less_than("cost", costs["mine"], costs["theirs"])])
    >>> (judged,) = evaluate_claims([claim], costs)
    >>> judged.verdict, judged.summary.partition(":")[0]
    ('✓ holds', '2.00 and 3.33')
    """

    claim: Claim
    verdict: str
    finding_results: tuple[FindingResult, ...]
    untested_reason: str = ""

    @property
    def summary(self) -> str:
        """Short description of the results of its findings."""
        if self.untested_reason:
            return self.untested_reason
        if len(self.finding_results) == 1:
            return self.finding_results[0].finding.evidence
        counts = Counter(part.verdict for part in self.finding_results)
        return ", ".join(f"{verdict.lstrip('✓✗ ')}: {count}" for verdict, count in counts.items())


def evaluate_claims(claims: Sequence[Claim], data: Any) -> list[ClaimResult]:
    """Test all claims on the runs of an experiment.

    Parameters
    ----------
    claims
        The claims.
    data
        What their tests get.

    Returns
    -------
    list of ClaimResult
        A result for each claim.

    Examples
    --------
    >>> from replan.papers.common.verdicts import less_than
    >>> costs = {"mine": [1.0, 2.0, 3.0] * 10, "theirs": [2.0, 3.0, 5.0] * 10}
    >>> claim = Claim("RTAA* 2006", "Section 4", "mine is cheaper", "costs, paired",
    ...     test=lambda costs: [less_than("cost", costs["mine"], costs["theirs"])])
    >>> guess = Claim("RTAA* 2006", "Section 5", "it is elegant", "", untested_reason="a matter of taste")
    >>> [(judged.verdict, judged.untested_reason) for judged in evaluate_claims([claim, guess], costs)]
    [('✓ holds', ''), ('not tested', 'a matter of taste')]
    """
    findings_by_claim = [list(claim.test(data)) if claim.test is not None else [] for claim in claims]
    finding_results = iter(
        verdicts.evaluate_findings([finding for findings in findings_by_claim for finding in findings])
    )
    results = []
    for claim, findings in zip(claims, findings_by_claim, strict=True):
        parts = tuple(next(finding_results) for _ in findings)
        verdict = verdicts.combine_verdicts(part.verdict for part in parts)
        reason = "" if verdict != UNTESTED else claim.untested_reason or NOT_RUN
        results.append(ClaimResult(claim, verdict, parts, reason))
    return results


def show_claims(results: Sequence[ClaimResult], report: Report) -> None:
    """Add a table of claims with their verdicts to a report. `show_evidence` adds the evidence at its end.

    Parameters
    ----------
    results
        Results of the claims.
    report
        The report.

    Examples
    --------
    >>> report = Report("Costs")
    >>> claim = Claim("RTAA* 2006", "Section 5", "it is elegant", "", untested_reason="a matter of taste")
    >>> show_claims(evaluate_claims([claim], None), report)
    >>> print(report.lines[2])
    | 1 | Section 5 | it is elegant |  | not tested | a matter of taste |
    """
    report.claims += results
    rows = [
        [i, result.claim.section, result.claim.statement, result.claim.method, result.verdict, result.summary]
        for i, result in enumerate(results, 1)
    ]
    report.table(["", "where", "what the paper says", "how it is tested", "verdict", "found"], rows)


def show_evidence(results: Sequence[ClaimResult], report: Report) -> None:
    """Add a table of what each verdict rests on to a report.

    Parameters
    ----------
    results
        Results of the claims.
    report
        The report.

    Examples
    --------
    >>> from replan.papers.common.verdicts import observation
    >>> report = Report("Costs")
    >>> arrives = observation("all", True, "30 of 30")
    >>> claim = Claim("RTAA* 2006", "Section 3", "it arrives", "counted", lambda runs: [arrives])
    >>> show_evidence(evaluate_claims([claim], None), report)
    >>> print(report.lines[4])
    | 1 | all | ✓ holds | 30 of 30 |  |  |
    """
    rows = [
        [i, _part_name(result, part), part.verdict, part.finding.evidence, _p(part.p_mean), _p(part.p_ranks)]
        for i, result in enumerate(results, 1)
        for part in result.finding_results
    ]
    report.text(RULES)
    report.table(["claim", "", "verdict", "evidence", "p (mean)", "p (ranks)"], rows)


RULES = (
    "A claim that something is smaller is tested by the mean (paired t-test) and by the ranks (paired Wilcoxon test), "
    "both two-sided and corrected for all claims of this report (Holm). It holds, or does not, where both are sure and "
    "agree. *Mean and ranks disagree*: they point to different sides, and at least one is sure. *Not decided*: one is "
    "sure, and the other leans the same way. Where neither is sure, there is *no difference* if one of "
    f"{RELEVANT_DIFFERENCE:.0%} could have been seen, else the problems are *too few to tell*, as fewer than "
    f"{MIN_PROBLEMS} always are. Intervals are 95 %."
)


def _part_name(result: ClaimResult, part: FindingResult) -> str:
    return part.finding.label or result.claim.statement


def _p(p: float | None) -> str:
    return "" if p is None else "< 0.001" if p < 0.001 else f"{p:.3f}"


@dataclass
class FindingTable:
    r"""Table of findings, for an experiment without a table of claims.

    Parameters
    ----------
    findings
        The findings so far.

    Examples
    --------
    >>> claims, report = FindingTable(), Report("Costs")
    >>> claims.less_than("mine is cheaper", [1.0, 2.0, 3.0] * 10, [2.0, 3.0, 5.0] * 10)
    >>> claims.observation("all arrive", True, "30 of 30")
    >>> rows = {name: pl.DataFrame({"planner": [name] * 2, "lookahead": [9] * 2, "problem": [0, 1], "cost": [n, n + 1]})
    ...     for n, name in enumerate(("RTAA*", "LSS-LRTA*"))}
    >>> claims.compare_rows(rows, "cost")
    >>> claims.show(report)
    >>> print("\n".join(line.partition(" | ✓")[0][:50] for line in report.lines[2:5]))
    | mine is cheaper
    | all arrive
    | cost: RTAA* < LSS-LRTA* | too few to tell | 0.50
    """

    findings: list[Finding] = field(default_factory=list)

    def less_than(self, text: str, first: Values, second: Values) -> None:
        """Add: the first values are smaller than the second, problem by problem.

        Parameters
        ----------
        text
            The finding, in words.
        first
            A value for each problem.
        second
            A value for each problem, in the same order.
        """
        if len(first):
            self.findings.append(verdicts.less_than(text, first, second))

    def observation(self, text: str, holds: bool | None, evidence: str) -> None:
        """Add an observation that needs no test.

        Parameters
        ----------
        text
            The finding, in words.
        holds
            True or False; None if the runs are too few to tell.
        evidence
            What was seen.
        """
        self.findings.append(verdicts.observation(text, holds, evidence))

    def compare_rows(self, rows: Mapping[str, pl.DataFrame], metric: str) -> None:
        """Add: each row against that of the first planner with the same lookahead, or against the first row.

        Parameters
        ----------
        rows
            Runs of each row, by its name.
        metric
            Name of the measured column.
        """
        firsts: dict[object, str] = {}
        for name, runs in rows.items():
            lookahead = runs["lookahead"][0]
            if runs["planner"][0] == next(iter(rows.values()))["planner"][0]:
                firsts.setdefault(lookahead, name)
            elif (first := firsts.get(lookahead, next(iter(rows)))) != name:
                self.less_than(f"{metric}: {first} < {name}", *paired_values(rows[first], runs, metric))

    def show(self, report: Report) -> None:
        """Add the table to a report.

        Parameters
        ----------
        report
            The report.
        """
        results = verdicts.evaluate_findings(self.findings)
        rows = [
            [result.finding.label, result.verdict, result.finding.evidence, _p(result.p_mean), _p(result.p_ranks)]
            for result in results
        ]
        if rows:
            report.table(["claim", "here", "evidence", "p (mean)", "p (ranks)"], rows)


def show_row_comparisons(rows: Mapping[str, pl.DataFrame], report: Report) -> None:
    """Add comparisons of the planners that a user named to a report.

    Parameters
    ----------
    rows
        Runs of each row, by its name.
    report
        The report.

    Examples
    --------
    >>> columns = {"lookahead": [9] * 2, "problem": [0, 1], "cost": [8, 9], "search_ns": [4000, 5000]}
    >>> rows = {name: pl.DataFrame({"planner": [name] * 2, **columns}) for name in ("RTAA*", "LSS-LRTA*")}
    >>> report = Report("Costs")
    >>> show_row_comparisons(rows, report)
    >>> report.lines[0]
    '## Against one another'
    """
    findings = FindingTable()
    for metric in ("cost", "search_ns"):
        findings.compare_rows(rows, metric)
    if findings.findings:
        report.heading("Against one another")
        report.text("Each planner against the first one named, problem by problem; search times in microseconds.")
        findings.show(report)
