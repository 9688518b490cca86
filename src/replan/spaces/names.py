"""Names of states and nodes as JSON keeps them, and back."""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.errors import InputError


def plain_name(name: Any) -> Any:
    """A name as JSON has it: a tuple becomes a list. Raises InputError."""
    if isinstance(name, tuple):
        return [plain_name(item) for item in name]
    if isinstance(name, np.generic):
        name = name.item()
    if name is None or type(name) in (str, int, float, bool):
        return name
    raise InputError(f"a story cannot be kept whose nodes are such as {name!r}: name them by numbers, text or tuples")


def plain_names(names: Any) -> list[Any] | None:
    """The names as JSON has them; None if it cannot have one of them."""
    try:
        return [plain_name(name) for name in names]
    except InputError:
        return None


def name_from(plain: Any) -> Any:
    """A name as it was before `plain_name`."""
    return tuple(name_from(item) for item in plain) if isinstance(plain, list) else plain
