"""What learning rules and choosing rules have in common: they can be copied and pickled."""

from __future__ import annotations

from typing import Any

from replan.serialization import Archive, reduce_object


class Rule:
    """A rule of Replan's has no state but what it was made with; what a class of the user's adds is kept."""

    def __reduce__(self) -> Any:
        """A copy, with what a class of the user's has added, for `copy` and `pickle`."""
        return reduce_object(self, self.constructor_args(), Archive(self))

    def _restore(self, kind: Any, args: tuple[Any, ...], fields: dict[str, Any]) -> None:
        kind.__init__(self, *args)

    def constructor_args(self) -> tuple[Any, ...]:
        """Hook: the class whose `__init__` makes such a rule, and its arguments."""
        return (Rule,)
