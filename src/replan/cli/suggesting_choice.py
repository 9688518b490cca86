"""Type of options whose value is one of a few words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import click

from replan.suggest import did_you_mean


class SuggestingChoice(click.Choice):  # type: ignore[type-arg]
    """Choice among words. The error for another word suggests the nearest one."""

    def __init__(self, words: Iterable[str]) -> None:
        super().__init__(tuple(words))

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value not in self.choices:
            words = ", ".join(map(repr, self.choices))
            self.fail(f"{value!r} is not one of {words}{did_you_mean(str(value), self.choices)}.", param, ctx)
        return value
