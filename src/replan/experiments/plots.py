"""Plots by Matplotlib, without a screen and the same bytes for the same data.

A planner has the same colour in all plots. Ours are drawn solid, what a paper prints dashed.
"""

from __future__ import annotations

import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullFormatter, NullLocator

from replan.atomic_write import write_bytes
from replan.errors import InputError

STYLE: Any = {"svg.hashsalt": "replan", "svg.fonttype": "none", "font.size": 9, "axes.grid": True, "grid.alpha": 0.3}
PALETTE = list(matplotlib.colormaps["tab20"].colors[::2]) + list(matplotlib.colormaps["tab20"].colors[1::2])  # type: ignore[attr-defined]
COLOUR_ORDER = (  # the first colours, in this order
    "RTAA*",
    "LSS-LRTA*",
    "daRTAA*",
    "aRTAA*",
    "RTD*",
    "LRTA*",
    "D* Lite",
    "Repeated Forward A*",
    "RTD* NoOp",
    "Non-RTD*",
    "Repeated Backward A*",
    "aLSS-LRTA*",
)
MAX_LINES = 2 * len(PALETTE)  # in one plot: the second time round they are dotted
SPARSE_TICKS_RATIO = 1_000  # times the least number: then only powers of ten are written
MAX_LINES_LEGEND_INSIDE = 8  # more lines than that, and the legend stands beside the plot


@dataclass(frozen=True)
class Line:
    """A line of a plot.

    Parameters
    ----------
    xs
        Positions on the x-axis.
    ys
        Positions on the y-axis.
    errors
        Standard errors, drawn as bars.
    planner
        Planner whose colour the line has. Empty: the one of the line's name.
    is_dashed
        True: the line is dashed, as those of a paper.
    points_only
        True: points without a line. False: a line without points. None: both.

    Examples
    --------
    >>> Line([1, 9, 33], [40.0, 30.0, 25.0], errors=[2.0, 1.5, 1.0], planner="RTAA*").is_dashed
    False
    """

    xs: Sequence[float]
    ys: Sequence[float]
    errors: Sequence[float] = ()
    planner: str = ""
    is_dashed: bool = False
    points_only: bool | None = None


Lines = Mapping[str, "Line | tuple[Sequence[float], Sequence[float]]"]


def new_figure(width: float = 6.4, height: float = 4.0) -> Figure:
    """Make a figure that belongs to no window.

    Parameters
    ----------
    width
        Width in inches.
    height
        Height in inches.

    Returns
    -------
    Figure
        The figure.

    Examples
    --------
    >>> new_figure(4, 3).get_size_inches().tolist()
    [4.0, 3.0]
    """
    with matplotlib.rc_context(STYLE):
        return Figure(figsize=(width, height), layout="constrained")


def line_plot(
    lines: Lines,
    x_label: str,
    y_label: str,
    log_axes: str = "",
    dashed_names: Sequence[str] = (),
    title: str = "",
    ticks: Sequence[float] = (),
) -> Figure:
    """Plot lines by their names.

    Parameters
    ----------
    lines
        The lines: `Line`, or pairs of xs and ys.
    x_label
        Label of the x-axis.
    y_label
        Label of the y-axis.
    log_axes
        Axes with a logarithmic scale, such as "xy".
    dashed_names
        Names of lines that are dashed, as those of a paper.
    title
        Title of the plot.
    ticks
        Labelled positions on the x-axis.

    Returns
    -------
    Figure
        The plot.

    Raises
    ------
    InputError
        If there is no line, a line has no points or a number is not finite or not positive on a logarithmic axis, or
        there are more lines than colours.

    Examples
    --------
    >>> paper = Line([1, 9], [41.0, 29.0], planner="RTAA*", is_dashed=True)
    >>> figure = line_plot({"RTAA*": ([1, 9], [40.0, 30.0]), "RTAA* (paper)": paper}, "lookahead", "cost", log_axes="x")
    >>> figure.axes[0].get_ylabel()
    'cost'
    """
    styled = {
        name: replace(_line(line), is_dashed=name in dashed_names or _line(line).is_dashed)
        for name, line in lines.items()
    }
    return line_plots({y_label: styled}, x_label, log_axes, ticks, title)


def line_plots(
    panels: Mapping[str, Lines], x_label: str, log_axes: str = "", ticks: Sequence[float] = (), title: str = ""
) -> Figure:
    """Plot several panels side by side, with the same x-axis.

    Parameters
    ----------
    panels
        Lines of each panel, by the label of its y-axis.
    x_label
        Label of the x-axes.
    log_axes
        Axes with a logarithmic scale, such as "xy".
    ticks
        Labelled positions on the x-axes.
    title
        Title of the plot.

    Returns
    -------
    Figure
        The plot.

    Raises
    ------
    InputError
        As `line_plot`.

    Examples
    --------
    >>> figure = line_plots({"cost": {"RTAA*": ([1, 9], [40, 30])}, "time": {"RTAA*": ([1, 9], [2, 5])}}, "lookahead")
    >>> [axes.get_ylabel() for axes in figure.axes]
    ['cost', 'time']
    """
    if not panels:
        raise InputError("a plot without panels cannot be drawn")
    drawn = {y: _checked(lines, log_axes) for y, lines in panels.items()}
    figure = new_figure(6.4 if len(panels) == 1 else 4.6 * len(panels), 4.0)
    with matplotlib.rc_context(STYLE):
        for number, (y, lines) in enumerate(drawn.items(), 1):
            axes = figure.add_subplot(1, len(drawn), number)
            _draw(axes, lines)
            axes.set(xlabel=x_label, ylabel=y, title=title)
            if "x" in log_axes:
                axes.set_xscale("log")
            if "y" in log_axes:
                axes.set_yscale("log")
            _scale(axes.xaxis, "x" in log_axes, ticks)
            _scale(axes.yaxis, "y" in log_axes)
            beside: Any = (
                {"loc": "center left", "bbox_to_anchor": (1, 0.5)} if len(lines) > MAX_LINES_LEGEND_INSIDE else {}
            )
            axes.legend(fontsize=8, **beside)
    return figure


def _line(line: Line | tuple[Sequence[float], Sequence[float]]) -> Line:
    return line if isinstance(line, Line) else Line(*line)


def _checked(lines: Lines, log: str) -> dict[str, Line]:
    found = {name: _line(line) for name, line in lines.items()}
    if not found:
        raise InputError("a plot without lines cannot be drawn")
    if len(found) > MAX_LINES:
        raise InputError(f"{len(found)} lines cannot be told apart in one plot: at most {MAX_LINES}")
    for name, line in found.items():
        wrong = _reason_undrawable(line, log)
        if wrong:
            raise InputError(f"the line {name!r} cannot be drawn: {wrong}")
    return found


def _reason_undrawable(line: Line, log: str) -> str:
    if len(line.xs) != len(line.ys) or (len(line.errors) and len(line.errors) != len(line.xs)):
        return f"it has {len(line.xs)} x, {len(line.ys)} y and {len(line.errors)} errors"
    if not len(line.xs):
        return "it has no points"
    for axis, values in (("x", line.xs), ("y", line.ys)):
        for value in values:
            if not math.isfinite(value):
                return f"{axis} is {value}"
            if axis in log and value <= 0:
                return f"{axis} is {value:g} on a logarithmic axis"
    return ""


def _draw(axes: Axes, lines: Mapping[str, Line]) -> None:
    colours = _colours(lines)
    for number, (name, line) in enumerate(lines.items()):
        style: Any = {"linestyle": "--", "marker": "x"} if line.is_dashed else {"linestyle": "-", "marker": "o"}
        if number >= len(PALETTE) and not line.is_dashed:
            style = {"linestyle": ":", "marker": "s"}
        if line.points_only is not None:
            style["linestyle" if line.points_only else "marker"] = "none"
        style |= {"color": colours[name], "label": name, "markersize": 3, "linewidth": 1.2}
        known = [0.0 if math.isnan(error) else error for error in line.errors] or None
        axes.errorbar(line.xs, line.ys, yerr=known, capsize=2, elinewidth=0.8, **style)


def _colours(lines: Mapping[str, Line]) -> dict[str, Any]:
    """Return a colour for each line. Planners of the papers have the same colour in all plots."""
    whose = {name: line.planner or name for name, line in lines.items()}
    taken = {planner: COLOUR_ORDER.index(planner) for planner in whose.values() if planner in COLOUR_ORDER}
    free = [i for i in range(len(PALETTE)) if i not in taken.values()]
    for planner in dict.fromkeys(whose.values()):
        if planner not in taken:
            taken[planner] = free.pop(0) if free else len(taken) % len(PALETTE)
    return {name: PALETTE[taken[planner]] for name, planner in whose.items()}


def _scale(axis: Axis, logarithmic: bool, ticks: Sequence[float] = ()) -> None:
    """Set the scale of an axis, with readable numbers at the ticks."""
    if logarithmic:
        low, high = axis.get_view_interval()
        axis.set_major_locator(LogLocator(subs=(1, 2, 5) if high < SPARSE_TICKS_RATIO * low else (1,)))
        axis.set_minor_formatter(NullFormatter())
    if len(ticks):
        axis.set_major_locator(FixedLocator(list(ticks)))
        axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))


def save_figure(figure: Figure, directory: Path, name: str) -> Path:
    """Write NAME.svg and NAME.png.

    Parameters
    ----------
    figure
        The plot.
    directory
        Directory of the files.
    name
        Name without a suffix.

    Returns
    -------
    Path
        Path of the SVG file.

    Raises
    ------
    InputError
        If a file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     print(save_figure(new_figure(), Path(folder), "empty").name)
    empty.svg
    """
    with matplotlib.rc_context(STYLE):
        png, svg = io.BytesIO(), io.BytesIO()
        figure.savefig(png, format="png", dpi=150, metadata={"Software": None})
        figure.set_layout_engine("none")  # laid out already
        figure.savefig(svg, format="svg", metadata={"Date": None, "Creator": None})
    write_bytes(directory / f"{name}.png", png.getvalue())
    write_bytes(directory / f"{name}.svg", svg.getvalue())
    return directory / f"{name}.svg"
