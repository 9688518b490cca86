"""Plots by Matplotlib, without a screen and the same bytes for the same data."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.figure import Figure

from replan.writing import write_bytes

STYLE: Any = {"svg.hashsalt": "replan", "svg.fonttype": "none", "font.size": 9, "axes.grid": True, "grid.alpha": 0.3}
Line = tuple[Sequence[float], Sequence[float]]


def new_figure(width: float = 6.4, height: float = 4.0) -> Figure:
    """A figure that belongs to no window."""
    with matplotlib.rc_context(STYLE):
        return Figure(figsize=(width, height), layout="constrained")


COLOURS = 10  # of lines


def line_plot(
    lines: Mapping[str, Line], x: str, y: str, log: str = "", dashed: Sequence[str] = (), title: str = ""
) -> Figure:
    """Lines by their names. log: the axes on a logarithmic scale, as in "xy". dashed: lines drawn so."""
    figure = new_figure()
    with matplotlib.rc_context(STYLE):
        axes = figure.add_subplot()
        for number, (name, (xs, ys)) in enumerate(lines.items()):
            again = name in dashed or number >= COLOURS  # the colours begin anew
            style: Any = {"linestyle": "--", "marker": "x"} if again else {"linestyle": "-", "marker": "o"}
            axes.plot(xs, ys, label=name, markersize=3, linewidth=1.2, **style)
        axes.set(xlabel=x, ylabel=y, title=title)
        if "x" in log:
            axes.set_xscale("log")
        if "y" in log:
            axes.set_yscale("log")
        if lines:
            beside: Any = {"loc": "center left", "bbox_to_anchor": (1, 0.5)} if len(lines) > COLOURS else {}
            axes.legend(fontsize=8, **beside)
    return figure


def save(figure: Figure, directory: Path, name: str) -> Path:
    """Write name.svg and name.png; returns the path of the first."""
    with matplotlib.rc_context(STYLE):
        png, svg = io.BytesIO(), io.BytesIO()
        figure.savefig(png, format="png", dpi=150, metadata={"Software": None})
        figure.set_layout_engine("none")  # laid out already
        figure.savefig(svg, format="svg", metadata={"Date": None, "Creator": None})
    write_bytes(directory / f"{name}.png", png.getvalue())
    write_bytes(directory / f"{name}.svg", svg.getvalue())
    return directory / f"{name}.svg"
