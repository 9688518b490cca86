"""The report: Markdown, and the same as one self-contained HTML page."""

from __future__ import annotations

import base64
import html
import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from matplotlib.figure import Figure

from replan.atomic_write import write_csv, write_text
from replan.experiments.plots import save_figure
from replan.experiments.statistics import (
    MIN_PROBLEMS,
    RELEVANT_DIFFERENCE,
    SKEWNESS_FACTOR,
    Estimate,
    detectable_difference,
    has_enough_values,
    welch_p_value,
)

DIFFERENCE_LEVEL = 0.0027  # how likely a figure is three standard errors off or more, with many runs
AGREES, DIFFERS, TOO_FEW = "✓ agrees", "✗ differs", "too few to tell"

PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title><style>
body {{ font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #222; }}
table {{ border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }}
th, td {{ padding: .15rem .6rem; border-bottom: 1px solid #ddd; text-align: left; }}
th {{ border-bottom: 2px solid #888; }} img {{ max-width: 100%; }} code {{ background: #f3f3f3; }}
nav ul {{ columns: 2; list-style: none; padding: .6rem 1rem; background: #f7f7f7; }} nav .h3 {{ padding-left: 1rem; }}
td.yes {{ color: #17692b; }} td.no {{ color: #a3161b; font-weight: bold; }}
</style></head><body>
{body}</body></html>
"""


@dataclass(frozen=True)
class PaperComparison:
    """A figure of a paper beside ours.

    Parameters
    ----------
    row
        Row of the paper's table.
    column
        Column of the paper's table.
    paper_value
        Figure of the paper.
    paper_standard_error
        Its standard error, or an estimate of it.
    ours
        Our figure.
    reason
        Why the two differ, if that is known.

    Examples
    --------
    >>> from replan.experiments.statistics import mean
    >>> ours = mean([10.0, 12.0] * 50)
    >>> close, far = (PaperComparison("RTAA* 9", "cost", paper, 0.1, ours) for paper in (11.2, 14.0))
    >>> close.verdict, round(close.deviation, 1), round(close.detectable_difference, 1), far.verdict
    ('✓ agrees', -1.4, 0.4, '✗ differs')
    """

    row: str
    column: str
    paper_value: float
    paper_standard_error: float
    ours: Estimate
    reason: str = ""

    @property
    def deviation(self) -> float:
        """Difference of the figures, in standard errors of the difference."""
        error = math.hypot(self.ours.standard_error, self.paper_standard_error)
        return (self.ours.value - self.paper_value) / error if error > 0 else float("nan")

    @property
    def detectable_difference(self) -> float:
        """Smallest difference that could have been detected."""
        return detectable_difference(self.ours, self.paper_standard_error, DIFFERENCE_LEVEL)

    @property
    def verdict(self) -> str:
        """Verdict: the figures agree, differ, or the runs are too few to tell."""
        if self.ours.standard_error == self.paper_standard_error == 0:
            return AGREES if self.ours.value == self.paper_value else DIFFERS
        if not has_enough_values(self.ours):
            return TOO_FEW
        if welch_p_value(self.ours, self.paper_value, self.paper_standard_error) < DIFFERENCE_LEVEL:
            return DIFFERS
        return AGREES if self.detectable_difference <= RELEVANT_DIFFERENCE * abs(self.paper_value) else TOO_FEW


@dataclass
class Report:
    """Report of an experiment: collects text, tables and plots, and writes them at the end.

    Parameters
    ----------
    title
        Title of the report.
    lines
        Lines of Markdown so far.
    figures
        Plots by name.
    comparisons
        Figures that were compared with a paper.
    claims
        Results of tested claims.
    plot_prefix
        Text before the names of plots, if several experiments share a report.

    Examples
    --------
    >>> import tempfile
    >>> from replan.experiments.plots import line_plot
    >>> report = Report("Mazes")
    >>> report.heading("Costs")
    >>> report.text("Of *all* mazes.")
    >>> report.table(["planner", "cost"], [["RTAA*", 12.345], ["D* Lite", 11]])
    >>> report.conventions(["mazes of 151 x 151 cells"], chosen_to_fit=["ties: last in first out"])
    >>> report.plot("costs", line_plot({"RTAA*": ([1, 9], [30, 20])}, "lookahead", "cost"), "Cost by lookahead")
    >>> report.compare_with_paper([PaperComparison("RTAA* 9", "cost", 12.0, 0.1, Estimate(12.1, 0.1, 1.0, 100))])
    >>> report.verdict_summary()
    "1 of 1 figures agree with the paper's, 0 differ."
    >>> print(report.markdown()[:7])
    # Mazes
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     report.write(Path(folder))
    ...     print(sorted(path.name for path in Path(folder).iterdir()))
    ['cells.csv', 'costs.png', 'costs.svg', 'report.html', 'report.md']
    """

    title: str
    lines: list[str] = field(default_factory=list)
    figures: dict[str, Figure] = field(default_factory=dict)
    comparisons: list[PaperComparison] = field(default_factory=list)
    claims: list[Any] = field(default_factory=list)  # of `claims.Judged`
    plot_prefix: str = ""  # before the names of plots, where several experiments share a report

    def heading(self, text: str, level: int = 2) -> None:
        """Add a heading.

        Parameters
        ----------
        text
            The heading.
        level
            2 for a part of the report, 3 for a part of that.
        """
        self.text(f"{'#' * level} {text}")

    def text(self, markdown: str) -> None:
        """Add paragraphs or lists.

        Parameters
        ----------
        markdown
            The text, as Markdown.
        """
        self.lines += [markdown.strip(), ""]

    def table(self, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
        """Add a table. Text is aligned to the left, numbers to the right, with the digits that matter.

        Parameters
        ----------
        columns
            Titles of the columns.
        rows
            A sequence of values for each row.
        """
        shown = [[format_number(value) for value in row] for row in rows]
        right = [all(_numeric(row[i]) for row in shown) and bool(shown) for i in range(len(columns))]
        self.lines.append(_line(columns))
        self.lines.append(_line(["---:" if r else "---" for r in right]))
        self.lines += [*map(_line, shown), ""]

    def compare_with_paper(self, comparisons: Sequence[PaperComparison]) -> None:
        """Add a table of figures of a paper beside ours, with verdicts.

        Parameters
        ----------
        comparisons
            The comparisons.
        """
        self.comparisons += comparisons
        reasons = any(one.reason for one in comparisons)
        columns = ["", "measure", "paper", "ours", "standard error", "off by", "could see", "verdict"]
        columns += ["reason"] * reasons
        self.table(columns, [_comparison_cells(one, reasons) for one in comparisons])

    def conventions(self, stated: Sequence[str], chosen_to_fit: Sequence[str] = ()) -> None:
        """Add a section that says how the experiment was run.

        Parameters
        ----------
        stated
            Conventions that the paper states.
        chosen_to_fit
            Conventions that the paper does not state, chosen because its figures then come out.
        """
        self.text("As in the paper: " + "; ".join(stated) + ".")
        if chosen_to_fit:
            self.text(
                "**Chosen because they fit**: the paper does not say, and with these its figures come out, so where "
                "they agree that is no evidence for these choices. " + "; ".join(chosen_to_fit) + "."
            )

    def plot(self, name: str, figure: Figure, caption: str) -> None:
        """Add a plot, saved as NAME.svg and NAME.png.

        Parameters
        ----------
        name
            Name of the files.
        figure
            The plot.
        caption
            Text below the plot.
        """
        name = self.plot_prefix + name
        self.figures[name] = figure
        self.text(f"![{caption}]({name}.svg)")
        emphasized = caption.replace("*", "\\*")  # planners have stars in their names
        self.text(f"*{emphasized}* ([PNG]({name}.png))")

    def verdict_summary(self) -> str:
        """Summarise how many figures agree.

        Returns
        -------
        str
            A sentence; empty if no figures were compared.
        """
        if not self.comparisons:
            return ""
        counts = Counter(one.verdict for one in self.comparisons)
        said = f"{counts[AGREES]} of {len(self.comparisons)} figures agree with the paper's, {counts[DIFFERS]} differ"
        few = f", and for {counts[TOO_FEW]} the problems are too few to tell"
        return said + (few if counts[TOO_FEW] else "") + "."

    def markdown(self) -> str:
        """Return the whole report as Markdown.

        Returns
        -------
        str
            The text.
        """
        rule = (
            "A figure agrees when it is at most 3 standard errors of the difference away from the paper's (more where "
            "runs are few: Welch's t-test), and a difference of a tenth could have been seen; *off by* counts standard "
            "errors, *could see* is the smallest difference that would have been called one. Where a paper gives no "
            f"error, it is estimated from our spread and its number of cases. Fewer than {MIN_PROBLEMS} tell "
            f"nothing, nor do fewer than {SKEWNESS_FACTOR} times the squared skewness of their figures: where a few "
            "large ones make most of a mean, small samples miss them."
        )
        summary = [self.verdict_summary(), "", rule, ""] if self.comparisons else []
        return "\n".join([f"# {self.title}", "", *summary, *self.lines])

    def write(self, directory: Path) -> None:
        """Write report.md, report.html, the plots, cells.csv and claims.csv.

        Parameters
        ----------
        directory
            Directory of the report. It is created if it does not exist.
        """
        pictures = {name: save_figure(figure, directory, name) for name, figure in self.figures.items()}
        text = self.markdown()
        write_text(directory / "report.md", text)
        write_text(directory / "report.html", _page(self.title, text, pictures))
        if self.comparisons:
            columns = ("row", "column", "paper", "paper_error", "ours", "error", "off", "visible", "verdict")
            found = (
                (
                    c.row,
                    c.column,
                    c.paper_value,
                    c.paper_standard_error,
                    c.ours.value,
                    c.ours.standard_error,
                    c.deviation,
                    c.detectable_difference,
                    c.verdict,
                )
                for c in self.comparisons
            )
            write_csv(directory / "cells.csv", columns, found)
        if self.claims:
            header = ("paper", "place", "says", "how", "verdict", "found")
            rows = (
                (c.paper, c.section, c.statement, c.method, j.verdict, j.summary)
                for j in self.claims
                for c in (j.claim,)
            )
            write_csv(directory / "claims.csv", header, rows)


def format_number(value: Any) -> str:
    """Format a number for a table, with the digits that matter.

    Parameters
    ----------
    value
        A number, None, or text, which stays as it is.

    Returns
    -------
    str
        The text; empty for None and nan.

    Examples
    --------
    >>> [format_number(x) for x in (12345.678, 3, 0.1234, float("nan"), None, "RTAA*")]
    ['12,346', '3', '0.123', '', '', 'RTAA*']
    """
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return str(value)
    if isinstance(value, int) or abs(value) >= 1000:
        return f"{value:,.0f}"
    if value == 0:
        return "0"
    return f"{value:.{max(0, 2 - math.floor(math.log10(abs(value))))}f}"


def format_with_error(estimate: Estimate) -> str:
    """Format an estimate with its standard error.

    Parameters
    ----------
    estimate
        The estimate.

    Returns
    -------
    str
        The text.

    Examples
    --------
    >>> nan = float("nan")
    >>> format_with_error(Estimate(12.34, 0.5, 5.0, 100)), format_with_error(Estimate(12.34, nan, nan, 1))
    ('12.3 ± 0.500', '12.3')
    """
    return format_number(estimate.value) + (
        "" if math.isnan(estimate.standard_error) else f" ± {format_number(estimate.standard_error)}"
    )


def _numeric(text: str) -> bool:
    return re.fullmatch(r"[-+]?[\d,.]*( ?[%µs]*)?", text) is not None


def _comparison_cells(one: PaperComparison, reasons: bool) -> list[Any]:
    off = "" if math.isnan(one.deviation) else f"{one.deviation:+.1f}"
    seen = (
        f"{one.detectable_difference / abs(one.paper_value):.1%}"
        if one.paper_value and math.isfinite(one.detectable_difference)
        else ""
    )
    shown = [one.row, one.column, one.paper_value, one.ours.value, one.ours.standard_error, off, seen, one.verdict]
    return [*shown, one.reason] if reasons else shown


def _line(texts: Sequence[str]) -> str:
    return "| " + " | ".join(text.replace("|", "\\|") for text in texts) + " |"


def _page(title: str, text: str, pictures: dict[str, Path]) -> str:
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(text)
    contents = _contents(tokens)
    body = markdown.renderer.render(tokens, markdown.options, {})
    body = body.replace("<td>✓", '<td class="yes">✓').replace("<td>✗", '<td class="no">✗')
    for name, path in pictures.items():
        data = base64.b64encode(path.read_bytes()).decode()
        body = body.replace(f'src="{name}.svg"', f'src="data:image/svg+xml;base64,{data}"')
    first, end, rest = body.partition("</h1>\n")
    return PAGE.format(title=html.escape(title), body=f"{first}{end}{contents}{rest}")


def _contents(tokens: Sequence[Token]) -> str:
    """Give every heading an anchor. Returns the table of contents."""
    lines = []
    for number, (opening, inline) in enumerate(pairwise(tokens)):
        if opening.type == "heading_open" and opening.tag != "h1":
            opening.attrSet("id", f"part-{number}")
            lines.append(f'<li class="{opening.tag}"><a href="#part-{number}">{html.escape(inline.content)}</a></li>')
    return f"<nav><ul>{''.join(lines)}</ul></nav>\n" if lines else ""
