"""A story as a search trace for the Posthoc visualiser (posthoc-app.pathfinding.ai), format 1.4.0.

Each thing that happens is an event: the agent is somewhere ("agent"), a search begins ("source") and expands cells
("expanding"), the trip ends ("end"). x is the column and y the row. The search trees of real-time planners overlap, so
that an event's id is a number of its own, and `pId` names the event that it followed from: expansions that of their
search, positions the position before.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from replan.errors import InputError
from replan.simulation.steps import StoryStep
from replan.spaces.cell_layout import CellLayout

VERSION = "1.4.0"
COLORS = {"agent": "#5b16b8", "source": "#2f7fd6", "expanding": "#8ec5ff", "end": "#c2185b", "blocked": "#2b303b"}
Event = dict[str, Any]


def make_trace(story: Any) -> dict[str, Any]:
    """The trace of a story that takes place on a grid. Raises InputError for other spaces."""
    if story.space.cell_layout is None:
        raise InputError("a trace for Posthoc needs a story that takes place on a grid")
    square = {
        "$": "rect",
        "width": 1,
        "height": 1,
        "x": "${{ $.x }}",
        "y": "${{ $.y }}",
        "fill": "${{ ($.type in colors) ? colors[$.type] : '#9aa3b2' }}".replace("colors", json.dumps(COLORS)),
    }
    return {
        "version": VERSION,
        "views": {"main": [square]},
        "events": list(trace_events(story.space.cell_layout, story)),
    }


def trace_events(grid: CellLayout, moments: Iterable[StoryStep]) -> Iterator[Event]:
    number, before = 0, None

    def event(kind: str, state: int, parent: int | None, **more: Any) -> Event:
        nonlocal number
        row, col = grid.key(state)
        made: Event = {"type": kind, "id": number, "x": col, "y": row, **more}
        if parent is not None:
            made["pId"] = parent
        number += 1
        return made

    for moment in moments:
        here = event("agent", moment.state, before, step=moment.time, cost=moment.counts.cost / grid.units_per_step)
        yield here
        before = here["id"]
        for place, value in zip(*moment.belief_changes, strict=True):
            if value == 0:
                yield event("blocked", int(place), before)
        if moment.episode is not None:
            begun = event("source", moment.state, before, expansions=moment.episode.expansions)
            yield begun
            for state in moment.episode.expanded_states.tolist():
                yield event("expanding", state, begun["id"])
        if moment.why:
            yield event("end", moment.state, before, why=moment.why)


def validate_trace(trace: Any) -> None:
    """Raise InputError unless this is a trace as Posthoc reads it: what its format asks for, as far as is known."""
    if not isinstance(trace, dict) or not {"version", "views", "events"} <= set(trace):
        raise InputError("a trace has version, views and events")
    if trace["version"] != VERSION or not isinstance(trace["views"].get("main"), list):
        raise InputError(f"a trace of version {VERSION} has a list of shapes as views.main")
    known: set[Any] = set()
    for i, event in enumerate(trace["events"]):
        if "id" not in event or ("pId" in event and event["pId"] not in known):
            raise InputError(f"event {i} has no id, or follows from one that has not been")
        known.add(event["id"])
    for shape in trace["views"]["main"]:
        for value in shape.values():
            for name in _bound_fields(value):
                if any(name not in event for event in trace["events"]):
                    raise InputError(f"the view binds {name!r}, which not every event has")


def _bound_fields(value: Any) -> set[str]:
    """The fields of events that a value of a view is made from, as in `${{ $.x }}`."""
    return set(re.findall(r"\$\.([a-z]\w*)", value)) if isinstance(value, str) and value.startswith("${{") else set()
