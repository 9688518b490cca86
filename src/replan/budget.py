"""How much an episode may cost: expansions, time, or as much as it takes."""

from __future__ import annotations

from replan.errors import InputError
from replan.limits import INF


class Budget:
    """At most this many expansions and nanoseconds (0: no time limit)."""

    def __init__(self, expansions: int = INF, nanoseconds: int = 0) -> None:
        self.expansions, self.nanoseconds = expansions, nanoseconds

    def split(self, share: float) -> tuple[Budget, Budget]:
        """Two budgets that together are this one; the first gets `share` of it, rounded down, but at least 1."""
        if not 0 <= share <= 1:
            raise InputError(f"a share is between 0 and 1, not {share!r}")
        if self.expansions == INF:
            first, rest = INF, INF
        else:
            first = max(1, int(share * self.expansions))
            rest = self.expansions - first
        time = int(share * self.nanoseconds)
        return Budget(first, time), Budget(rest, self.nanoseconds - time)

    def __repr__(self) -> str:
        expansions = "" if self.expansions == INF else f"{self.expansions} expansions"
        time = f"{self.nanoseconds / 1000:g} µs" if self.nanoseconds else ""
        return f"<Budget: {' and '.join(filter(None, (expansions, time))) or 'unlimited'}>"


class Expansions(Budget):
    """At most k expansions an episode."""

    def __init__(self, k: int) -> None:
        if not isinstance(k, int) or k is True or k < 1:
            raise InputError(f"a budget is at least 1 expansion, not {k!r}")
        super().__init__(expansions=k)


class Deadline(Budget):
    """At most so many microseconds an episode, learning included."""

    def __init__(self, microseconds: float) -> None:
        if microseconds is True or not 0 < microseconds < 1e12:
            raise InputError(f"a deadline is a positive number of microseconds, not {microseconds!r}")
        super().__init__(nanoseconds=max(1, round(microseconds * 1000)))


class Unlimited(Budget):
    """As much as it takes."""

    def __init__(self) -> None:
        super().__init__()
