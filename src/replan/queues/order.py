"""The order of an open list: smaller f first, then by g, then by age or at random."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from replan.errors import InputError

PREFER = ("larger g", "smaller g")
TIES = ("first-in", "last-in", "random", "none")


@dataclass(frozen=True)
class Order:
    """How states of equal f are ordered.

    Parameters
    ----------
    prefer
        "larger g" or "smaller g" first.
    ties
        The order of states with equal f and g. "first-in": generated first. "last-in": generated last. "random": drawn
        from a generator of its own. "none": entries with equal keys do not move past each other in the heap, as in
        programs behind some papers; then a "plain heap" and a "heap" may pop them in different orders.
    seed
        Seed of the generator for random ties, from 0 to 2**31 - 1.
    """

    prefer: str = "larger g"
    ties: str = "first-in"
    seed: int = 0

    def __post_init__(self) -> None:
        if self.prefer not in PREFER:
            raise InputError(f"prefer is one of {', '.join(map(repr, PREFER))}, not {self.prefer!r}")
        if self.ties not in TIES:
            raise InputError(f"ties is one of {', '.join(map(repr, TIES))}, not {self.ties!r}")
        if not isinstance(self.seed, int) or not 0 <= self.seed < 2**31:
            raise InputError(f"seed is a whole number from 0 to 2,147,483,647, not {self.seed!r}")

    def __reduce__(self) -> Any:
        return Order, (self.prefer, self.ties, self.seed)  # so that loading checks the values, too

    def __str__(self) -> str:
        return f"smaller f, {self.prefer}, {self.ties}" + (f" (seed {self.seed})" if self.ties == "random" else "")
