"""The limit of one planning episode: a number of expansions, a time, or none."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np

from replan.errors import InputError
from replan.limits import INF

MIN_MICROSECONDS, MAX_MICROSECONDS = 1.0, 1e12
DEADLINE_IN_WORDS = "a number of microseconds from 1, such as 50"  # what a deadline is, in words


def seconds_hint(microseconds: Any) -> str:
    """Return a hint for an error message if the value was probably meant in seconds.

    >>> seconds_hint(0.002), seconds_hint(50)
    (' (if seconds were meant, write 2000)', '')
    """
    is_number = isinstance(microseconds, (int, float, np.floating))
    seems_seconds = is_number and 1e-6 <= microseconds < MIN_MICROSECONDS
    return f" (if seconds were meant, write {float(microseconds) * 1e6:.0f})" if seems_seconds else ""


class Budget:
    """Limit of one planning episode: base class of `Expansions`, `Deadline` and `Unlimited`.

    A budget of 0 expansions is empty. With it a planner makes one expansion, a crowd plans for one character, and a
    search that can wait does nothing.

    Parameters
    ----------
    expansions
        Largest number of expansions, from 0; by default unlimited.
    nanoseconds
        Largest time in nanoseconds; 0: no time limit.

    Raises
    ------
    InputError
        If a limit is not a whole number from 0 to 2**62.

    Examples
    --------
    >>> import replan
    >>> replan.Budget(100, nanoseconds=50_000)
    <Budget: 100 expansions and 50 µs>
    >>> small, rest = replan.Budget(100).split(0.25)
    >>> small.expansions, rest.expansions
    (25, 75)
    >>> replan.Deadline(50).split(1)
    (<Budget: 50 µs>, <Budget: 0 expansions>)
    >>> replan.Budget._checked(small) is small
    True
    """

    expansions = -1  # until a budget has been made
    nanoseconds = -1

    def __init__(self, expansions: int = INF, nanoseconds: int = 0) -> None:
        self.expansions, self.nanoseconds = expansions, nanoseconds
        Budget._checked(self)

    @staticmethod
    def _checked(budget: Any) -> Budget:
        """Return a budget; raise InputError if it is none."""
        if not isinstance(budget, Budget):
            raise InputError(f"a budget is replan.Expansions(k) or replan.Deadline(microseconds), not {budget!r}")
        for name in ("expansions", "nanoseconds"):
            value: Any = getattr(budget, name)
            is_integer = type(value) is int or isinstance(value, Integral)  # the first test is fast
            if not is_integer or not 0 <= value <= INF:
                reason = f"{name} is {value!r}, which is no whole number from 0 to 2**62"
                raise InputError(f"{type(budget).__name__} is no budget: its {reason} (was its __init__ called?)")
        return budget

    def split(self, share: float) -> tuple[Budget, Budget]:
        """Split the budget into two parts.

        Parameters
        ----------
        share
            Part of the first budget, from 0 to 1.

        Returns
        -------
        (Budget, Budget)
            The first budget has `share` of the expansions (rounded down, but at least 1 if there are any) and of the
            time; the second has the rest. A part without time of a deadline is empty.

        Raises
        ------
        InputError
            If the share is out of range.
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
    """Return a budget with a time limit; an empty budget if the time is 0."""
    return Budget(expansions, nanoseconds) if nanoseconds > 0 else Budget(0)


class Expansions(Budget):
    """Budget of at most k expansions in each episode.

    Parameters
    ----------
    k
        Number of expansions, from 1.

    Raises
    ------
    InputError
        If `k` is not a whole number from 1.

    Examples
    --------
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
    """Budget of at most so many microseconds in each episode, learning included.

    As an argument of `plan`, it does not change when memory is allocated. As an option of a planner (`deadline=50`), it
    also allocates all memory when the agent is made, about 80 bytes for each cell, so that no episode waits for memory.

    Parameters
    ----------
    microseconds
        Time in microseconds, from 1 to less than 10**12.

    Raises
    ------
    InputError
        If the time is out of range.

    Examples
    --------
    >>> import replan
    >>> replan.Deadline(50)
    <Budget: 50 µs>
    >>> replan.Deadline._of(50).nanoseconds
    50000
    """

    def __init__(self, microseconds: float) -> None:
        is_number = isinstance(microseconds, Real) and not isinstance(microseconds, bool)
        if not is_number or not MIN_MICROSECONDS <= microseconds < MAX_MICROSECONDS:
            raise InputError(f"a deadline is {DEADLINE_IN_WORDS}, not {microseconds!r}{seconds_hint(microseconds)}")
        super().__init__(nanoseconds=round(float(microseconds) * 1000))

    @staticmethod
    def _of(deadline: Any) -> Deadline:
        """Return a user's argument, microseconds or a Deadline, as a checked Deadline."""
        if not isinstance(deadline, Deadline):
            return Deadline(deadline)
        Budget._checked(deadline)
        return deadline


class Unlimited(Budget):
    """Budget without a limit.

    Examples
    --------
    >>> import replan
    >>> agent = replan.Agent("RTAA*", replan.Grid([[0, 0, 0, 0]]), (0, 0), (0, 3))
    >>> agent.plan(replan.Unlimited())
    [(0, 1), (0, 2), (0, 3)]
    """

    def __init__(self) -> None:
        super().__init__()
