"""How many random examples a test gets, as a share of what the profile of the run allows."""

from __future__ import annotations

from typing import Any

from hypothesis import settings


def examples(n: int) -> Any:
    """`n` examples in a quick run, and proportionally more or fewer in the others."""
    here = settings.default.max_examples if settings.default else 100
    return settings(max_examples=max(3, n * here // 100))
