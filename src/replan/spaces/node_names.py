"""Names of states and nodes as JSON keeps them, and back."""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.errors import InputError


def name_to_json(name: Any) -> Any:
    """A name as JSON has it: a tuple becomes a list. Raises InputError."""
    if isinstance(name, tuple):
        return [name_to_json(item) for item in name]
    if isinstance(name, np.generic):
        name = name.item()
    if name is None or type(name) in (str, int, float, bool):
        return name
    raise InputError(f"a story cannot be kept whose nodes are such as {name!r}: name them by numbers, text or tuples")


def names_to_json(names: Any) -> list[Any] | None:
    """The names as JSON has them; None if it cannot have one of them."""
    try:
        return [name_to_json(name) for name in names]
    except InputError:
        return None


def name_from_json(json_name: Any) -> Any:
    """A name as it was before `plain_name`."""
    return tuple(name_from_json(item) for item in json_name) if isinstance(json_name, list) else json_name
