"""What the reproductions of the papers' tables have in common: where the papers are, and how far a mean may lie off."""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

SHARED = Path(os.environ.get("REPLAN_SHARED") or Path(__file__).parents[3] / "shared")
PAPERS, MAPS = SHARED / "papers", SHARED / "maps"


def table(name: str) -> list[dict[str, str]]:
    with open(PAPERS / name, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def on_all_cores(work: Callable[[Any], Any], jobs: Sequence[Any]) -> list[Any]:
    """A trip runs without Python's lock, so threads are enough."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(work, jobs))


@dataclass
class Compared:
    """A mean of ours beside one of a paper."""

    what: str
    ours: float
    our_error: float
    paper: float
    paper_error: float

    @property
    def off(self) -> float:
        """In standard errors of the difference."""
        return (self.ours - self.paper) / float(np.hypot(self.our_error, self.paper_error))

    def __str__(self) -> str:
        return (
            f"{self.what:<40} {self.ours:>12,.2f} +- {self.our_error:>9,.2f}   paper {self.paper:>12,.2f} "
            f"+- {self.paper_error:>9,.2f}   {self.off:+.2f}"
        )


def mean(values: Sequence[float]) -> tuple[float, float, float]:
    """A mean, its standard error, and the standard deviation of one value."""
    array = np.asarray(values, float)
    spread = float(array.std(ddof=1))
    return float(array.mean()), spread / len(array) ** 0.5, spread


def ratio(parts: Sequence[float], wholes: Sequence[float]) -> tuple[float, float, float]:
    """Total over total, with its errors as if it were a mean (linearised)."""
    part, whole = np.asarray(parts, float), np.asarray(wholes, float)
    value = part.sum() / whole.sum()
    _, error, spread = mean((part - value * whole) / whole.mean())
    return float(value), error, spread


def refuse_far(found: list[Compared], limit: float = 3.0) -> None:
    print()
    for one in found:
        print(one)
    far = [str(one) for one in found if not abs(one.off) <= limit]
    assert not far, f"more than {limit} standard errors off:\n" + "\n".join(far)
