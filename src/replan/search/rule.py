"""Base class of learning rules and choosing rules: they can be copied and pickled."""

from __future__ import annotations

from typing import Any

from replan.serialization import Archive, reduce_object


class Rule:
    """A rule, made from the arguments of its constructor. Copies keep the attributes that a user's class adds."""

    def __reduce__(self) -> Any:
        """Return what `copy` and `pickle` need."""
        return reduce_object(self, self.constructor_args(), Archive(self))

    def _restore(self, kind: Any, args: tuple[Any, ...], fields: dict[str, Any]) -> None:
        kind.__init__(self, *args)

    def constructor_args(self) -> tuple[Any, ...]:
        """Hook: return the class whose `__init__` makes such a rule, and its arguments."""
        return (Rule,)
