"""What learning rules and choosing rules have in common."""

from __future__ import annotations

from typing import Any

from replan.saving import Bag, reduced


class Rule:
    """`skips_frontier`: can the rule do without `look.frontier`?"""

    skips_frontier: bool

    def __init__(self) -> None:
        self.skips_frontier = False

    def __reduce__(self) -> Any:
        """A copy, with what a class of the user's has added, for `copy` and `pickle`."""
        bag = Bag(self)
        self.carry(bag)
        return reduced(self, self.made_from(), bag)

    def _restore(self, kind: Any, args: tuple[Any, ...], fields: dict[str, Any]) -> None:
        kind.__init__(self, *args)
        self.carry(Bag(self, fields))

    def made_from(self) -> tuple[Any, ...]:
        """Hook: the class whose `__init__` makes such a rule, and its arguments."""
        return (Rule,)

    def carry(self, bag: Bag) -> None:
        self.skips_frontier = bag.truth("skips_frontier", getattr(self, "skips_frontier", False))
