"""What slow tests have in common."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from replan.experiments import statistics

MAPS = Path(os.environ.get("REPLAN_MAPS") or Path(__file__).parents[3] / "shared" / "maps")


def on_all_cores(work: Callable[[Any], Any], jobs: Sequence[Any]) -> list[Any]:
    """A trip runs without Python's lock, so threads are enough."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(work, jobs))


def mean(values: Any) -> tuple[float, float, float]:
    """A mean, its standard error, and the standard deviation of one value."""
    found = statistics.mean(values)
    return found.value, found.standard_error, found.standard_deviation
