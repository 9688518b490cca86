"""Conversion of node names to JSON and back."""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.errors import InputError


def name_to_json(name: Any) -> Any:
    """Convert a name to JSON: a tuple becomes a list. Raise InputError if that is impossible."""
    if isinstance(name, tuple):
        return [name_to_json(item) for item in name]
    if isinstance(name, np.generic):
        name = name.item()
    if name is None or type(name) in (str, int, float, bool):
        return name
    raise InputError(f"a node {name!r} cannot be saved in a story: name nodes by numbers, text or tuples of these")


def names_to_json(names: Any) -> list[Any] | None:
    """Convert names to JSON; None if a name cannot be converted."""
    try:
        return [name_to_json(name) for name in names]
    except InputError:
        return None


def name_from_json(json_name: Any) -> Any:
    """Return the name that `name_to_json` converted."""
    return tuple(name_from_json(item) for item in json_name) if isinstance(json_name, list) else json_name
