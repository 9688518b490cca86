"""How much an episode may cost: expansions, time, or as much as it takes."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np

from replan.errors import InputError
from replan.limits import INF

MIN_MICROSECONDS, MAX_MICROSECONDS = 1.0, 1e12
DEADLINE_IN_WORDS = "a number of microseconds from 1, such as 50"  # what a deadline is, in words


def seconds_hint(given: Any) -> str:
    """What to write instead, where seconds were meant: less than a microsecond is too little for anything.

    >>> seconds_hint(0.002), seconds_hint(50)
    (' (if seconds were meant, write 2000)', '')
    """
    seconds = isinstance(given, (int, float, np.floating)) and 1e-6 <= given < MIN_MICROSECONDS
    return f" (if seconds were meant, write {float(given) * 1e6:.0f})" if seconds else ""


class Budget:
    """At most this many expansions and nanoseconds (0: no time limit): an `Expansions`, a `Deadline`, `Unlimited`.

    A budget of 0 expansions is empty: `split` leaves one where nothing is left, of time as well. A planner then makes
    one expansion, so as to say something; a crowd plans for one with that; a search that can wait does nothing.

    >>> import replan
    >>> replan.Budget(100, nanoseconds=50_000)
    <Budget: 100 expansions and 50 µs>
    >>> small, rest = replan.Budget(100).split(0.25)
    >>> small.expansions, rest.expansions
    (25, 75)
    >>> replan.Deadline(50).split(1)
    (<Budget: 50 µs>, <Budget: 0 expansions>)
    >>> replan.Budget.check(small) is small
    True
    """

    expansions = -1  # until a budget has been made
    nanoseconds = -1

    def __init__(self, expansions: int = INF, nanoseconds: int = 0) -> None:
        self.expansions, self.nanoseconds = expansions, nanoseconds
        Budget._checked(self)

    @staticmethod
    def _checked(budget: Any) -> Budget:
        """What was given as a budget, if it is one. Raises InputError."""
        if not isinstance(budget, Budget):
            raise InputError(f"a budget is replan.Expansions(k) or replan.Deadline(microseconds), not {budget!r}")
        for name in ("expansions", "nanoseconds"):
            value: Any = getattr(budget, name)
            whole = type(value) is int or isinstance(value, Integral)  # the first is quick
            if not whole or not 0 <= value <= INF:
                why = f"{name} is {value!r}, which is no whole number from 0 to 2**62"
                raise InputError(f"{type(budget).__name__} is no budget: its {why} (was its __init__ called?)")
        return budget

    def split(self, share: float) -> tuple[Budget, Budget]:
        """Two budgets that together are this one; the first gets `share` of it, rounded down.

        Of expansions the first gets at least 1, if there are any. A part that gets no time of a deadline is empty.
        """
        if not isinstance(share, Real) or not 0 <= share <= 1:
            raise InputError(f"a share is between 0 and 1, not {share!r}")
        if self.expansions == INF:
            first, rest = INF, INF
        else:
            first = min(self.expansions, max(1, int(share * self.expansions)))
            rest = self.expansions - first
        if self.nanoseconds == 0:
            return Budget(first), Budget(rest)
        time = int(share * self.nanoseconds)
        return _budget_with_time(first, time), _budget_with_time(rest, self.nanoseconds - time)

    def __repr__(self) -> str:
        expansions = "" if self.expansions == INF else f"{self.expansions} expansions"
        time = f"{self.nanoseconds / 1000:g} µs" if self.nanoseconds else ""
        return f"<Budget: {' and '.join(filter(None, (expansions, time))) or 'unlimited'}>"


def _budget_with_time(expansions: int, nanoseconds: int) -> Budget:
    """A part of a budget with a time limit; without time it is empty."""
    return Budget(expansions, nanoseconds) if nanoseconds > 0 else Budget(0)


class Expansions(Budget):
    """At most k expansions an episode; k: a whole number from 1. Raises InputError.

    >>> import replan
    >>> agent = replan.Agent("RTAA*", replan.Grid([[0, 0, 0, 0]]), (0, 0), (0, 3))
    >>> agent.plan(replan.Expansions(2))
    [(0, 1), (0, 2)]
    """

    def __init__(self, k: int) -> None:
        if not isinstance(k, Integral) or isinstance(k, bool) or not 1 <= k <= INF:
            raise InputError(f"a budget is a whole number of expansions from 1, not {k!r}")
        super().__init__(expansions=int(k))


class Deadline(Budget):
    """At most so many microseconds an episode, learning included.

    Given to a call of `plan` it takes memory as it comes by. As an option of the planner (`deadline=50`) it has all
    memory taken when the agent is made, so that no episode waits for that: about 80 bytes a cell.
    microseconds: from 1. Raises InputError.

    >>> import replan
    >>> replan.Deadline(50)
    <Budget: 50 µs>
    >>> replan.Deadline.of(50).nanoseconds
    50000
    """

    def __init__(self, microseconds: float) -> None:
        number = isinstance(microseconds, Real) and not isinstance(microseconds, bool)
        if not number or not MIN_MICROSECONDS <= microseconds < MAX_MICROSECONDS:
            raise InputError(f"a deadline is {DEADLINE_IN_WORDS}, not {microseconds!r}{seconds_hint(microseconds)}")
        super().__init__(nanoseconds=round(float(microseconds) * 1000))

    @staticmethod
    def _of(deadline: Any) -> Deadline:
        """A deadline as people write it: microseconds, or one that is made already."""
        if not isinstance(deadline, Deadline):
            return Deadline(deadline)
        Budget._checked(deadline)
        return deadline


class Unlimited(Budget):
    """As much as it takes.

    >>> import replan
    >>> agent = replan.Agent("RTAA*", replan.Grid([[0, 0, 0, 0]]), (0, 0), (0, 3))
    >>> agent.plan(replan.Unlimited())
    [(0, 1), (0, 2), (0, 3)]
    """

    def __init__(self) -> None:
        super().__init__()
