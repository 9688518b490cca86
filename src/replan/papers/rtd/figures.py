"""The tables and plots of the two figures of RTD* 2010."""

from __future__ import annotations

from replan.experiments.plots import Line, line_plot
from replan.experiments.report import Report, format_with_error
from replan.papers.rtd.curves import LIMITS, LRTA, LSS, RTD, RTD_AD, RTD_LRTA, CurveData

LRTA_CURVES, LSS_CURVES = (LRTA, RTD_LRTA), (LSS, RTD, RTD_AD)  # the curves of the upper and of the lower graph
COLOURS = {RTD: "RTD*", RTD_LRTA: "RTD*"}  # whose colour a curve has, if not its own


def show_figure(curves: CurveData, name: str, report: Report) -> None:
    """One figure of the paper: a table, and a plot of each of its two graphs."""
    rows = []
    for row in curves.names:
        rows.append([row, *(_cell(curves, row, limit) for limit in LIMITS)])
    report.table(["time / shortest path, limit", *(f"{limit}" for limit in LIMITS)], rows)
    complete_rows = [row for row in curves.names if all(len(curves.runs(row, limit)) for limit in LIMITS)]
    for part, local, excluded in (("top", LRTA, LSS_CURVES), ("bottom", LSS, LRTA_CURVES)):
        lines = {}
        for row in complete_rows:
            if row not in excluded:
                means = [curves.mean(row, limit) for limit in LIMITS]
                lines[row] = Line(
                    LIMITS, [m.value for m in means], [m.standard_error for m in means], COLOURS.get(row, row)
                )
        if lines:
            plot = line_plot(lines, "expansions per step", "time / shortest path", log_axes="xy", ticks=LIMITS)
            report.plot(f"{name}-{part}", plot, f"{name.replace('-', ' ').capitalize()}, {part}: {local} and RTD*")


def _cell(curves: CurveData, row: str, limit: int) -> str:
    return format_with_error(curves.mean(row, limit)) if len(curves.runs(row, limit)) else ""


def show_both_conventions(text: CurveData, authors: CurveData, report: Report) -> None:
    """The means under both conventions, a pair in each cell."""
    rows = []
    for row in text.names:
        if row in authors.names:
            pairs = [(_mean_text(text, row, limit), _mean_text(authors, row, limit)) for limit in LIMITS]
            rows.append([row, *(" / ".join(pair) if all(pair) else "" for pair in pairs)])
    report.table(["text / authors, limit", *(f"{limit}" for limit in LIMITS)], rows)


def _mean_text(curves: CurveData, row: str, limit: int) -> str:
    return f"{curves.mean(row, limit).value:.2f}" if len(curves.runs(row, limit)) else ""
