"""Public names by checkout: `benchmarks/sides.py` and `tests/trips.py` run with an older Replan and with a newer one.

These programs use the first name that a thing had, and ask here for the name that the importable Replan has. A record
of trips keeps the first names too, so it can be compared after a renaming.

A renaming of something public that the two programs use needs one row: the first name, and the names since. The
programs themselves stay as they are. (Their random choices depend on the first names.)
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import replan

# Attributes: of the package, of planners and their specs, of trips, and of what there is to walk on.
ATTRIBUTES: dict[str, tuple[str, ...]] = {
    "Field": ("FlowField",),
    "edge": ("edge_cost",),
    "get": ("get_value",),
    "informed_steps": ("informed_moves",),
    "intake_ns": ("apply_changes_ns",),
    "intakes": ("changed_state_count",),
    "partial_steps": ("partial_moves",),
    "place": ("location",),
    "plain_grid": ("needs_plain_grid",),
    "put": ("set_value",),
    "realtime": ("is_realtime",),
    "refreshes": ("key_updates",),
    "unit_costs": ("needs_unit_costs",),
    "world": ("make_world",),
}
# Options of planners, and of crowds.
OPTIONS: dict[str, tuple[str, ...]] = {
    "check": ("check_heuristic",),
    "down": ("weight_decrease",),
    "falling": ("on_cost_decrease",),
    "no_path": ("when_unreachable",),
    "notice": ("detect_unreachable",),
    "replan": ("replan_when",),
    "room": ("queue_capacity",),
    "solid": ("collisions",),
    "up": ("weight_increase",),
}
# What a first value of an option is called since, by the option's name of today.
VALUES: dict[str, dict[Any, Any]] = {"collisions": {True: "wait", False: None}}


def attribute_name(thing: Any, first: str) -> str:
    """Name that an attribute of `thing` has here: the newest one that it has. The first name if it has none."""
    names = (first, *ATTRIBUTES.get(first, ()))
    return next((name for name in reversed(names) if hasattr(thing, name)), first)


def attribute(thing: Any, first: str) -> Any:
    """Value of an attribute of `thing`, by the first name of the attribute."""
    return getattr(thing, attribute_name(thing, first))


def options(first: dict[str, Any]) -> dict[str, Any]:
    """Options by the names and with the values that they have here."""
    here = {_option_name(name): value for name, value in first.items()}
    return {name: VALUES.get(name, {}).get(value, value) if name in VALUES else value for name, value in here.items()}


def get_value(space: Any, place: Any) -> int:
    """Value of a place of a map: 0 if it is blocked."""
    return int(attribute(space, "get")(attribute(space, "place")(place)))


def set_value(space: Any, place: Any, value: int) -> None:
    """Give a place of a map another value: 0 blocks it."""
    attribute(space, "put")(attribute(space, "place")(place), value)


def first_option(name: str) -> str:
    """First name of an option that is called `name` here."""
    return _first_name(OPTIONS, name)


def first_attribute(name: str) -> str:
    """First name of an attribute that is called `name` here."""
    return _first_name(ATTRIBUTES, name)


def _first_name(table: dict[str, tuple[str, ...]], name: str) -> str:
    return next((first for first, since in table.items() if name in since), name)


def _option_name(first: str) -> str:
    names = (first, *OPTIONS.get(first, ()))
    return next((name for name in reversed(names) if name in _known_options()), first)


@cache
def _known_options() -> frozenset[str]:
    """Options of the importable Replan. A compiled class tells its parameters in its docstring only.

    Older docstrings have "name: what it is", newer ones a line with the name alone.
    """
    of_planners = {name for spec in replan.planners() for name in spec.options}
    of_crowds = re.findall(r"^ *\w+$|\w+(?= ?:)", str(replan.Crowd.__doc__), re.MULTILINE)
    return frozenset(of_planners.union(name.strip() for name in of_crowds))
