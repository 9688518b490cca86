"""Choosing rules: to which open state the agent goes after a search.

| rule          | chosen open state                                             | used by                     |
|---------------|---------------------------------------------------------------|-----------------------------|
| `BestF`       | smallest f                                                    | RTAA*, LSS-LRTA*            |
| `PopBestF`    | smallest f; it is popped from the open list                   | counts of percolations      |
| `AvoidRaised` | smallest f of the states whose h was never raised; else of all | aRTAA*, aLSS-LRTA*          |
| `LeastRaised` | h raised least, then smallest f                               | daRTAA*, daLSS-LRTA*        |

Depression avoidance 2011 marks a state when its h is raised. A state is marked exactly if h(s) > h0(s), where h0 is the
h before any learning, so no marks are stored. A rule chooses by the h-values of before the learning. It may pop states
from the open list, because learning does not read the list again.
"""

from __future__ import annotations

from replan.extensions import returned_integer, user_method
from replan.limits import INF
from replan.search.lookahead import Lookahead, checked_lookahead
from replan.search.rule import Rule

try:
    import cython
except ImportError:
    from replan import _cython as cython


class ChoosingRule(Rule):
    """Base class of choosing rules: to which open state the agent goes after a search.

    A rule of your own derives from this class and defines `choose`. Hand an instance to a planner: `choosing=Wary()`.

    Notes
    -----
    The class attribute `skips_frontier` (False by default) states that the rule does not read `lookahead.frontier`.
    Then no copy of the open list is made.

    See Also
    --------
    replan.search.lookahead.Lookahead : What a rule may read.

    Examples
    --------
    >>> import replan
    >>> class Wary(replan.ChoosingRule):
    ...     "Smallest f plus twice what h has risen by."
    ...     def choose(self, lookahead):
    ...         g, h, h0 = lookahead.g, lookahead.h, lookahead.first_h
    ...         return min(lookahead.frontier, key=lambda s: (g[s] + h[s] + 2 * (h[s] - h0(s)), s))
    >>> grid = replan.Grid([[0, 0, 0, 0], [0, 1, 1, 0], [0, 0, 1, 0]], neighbors=4)
    >>> rtaa = replan.planner("RTAA*", lookahead=3, choosing=Wary())
    >>> replan.simulate(replan.World(grid), rtaa, (2, 0), (2, 3), max_moves=999).reached
    True
    """

    skips_frontier = False

    def choose(self, lookahead: Lookahead) -> int:
        """Return the open state that the agent walks to. A rule of your own overrides this method.

        The planner calls it once after each search that leaves open states, before the learning rule.

        Parameters
        ----------
        lookahead
            The search that has stopped.

        Returns
        -------
        int
            One of the states in `lookahead.frontier`.
        """
        return self.choose_state(checked_lookahead(lookahead))

    def choose_state(self, lookahead: Lookahead) -> int:
        """Call `choose` of a rule written in Python. Compiled rules override this method."""
        with cython.gil:
            chosen = user_method(self, ChoosingRule, "choosing rule", "choose")(lookahead)
            return returned_integer(self, "choose", chosen, 0, lookahead.space.n - 1, "an open state")


class BestF(ChoosingRule):
    """Choose the open state with the smallest f (depression avoidance 2011, Algorithm 2)."""

    skips_frontier = True

    def choose_state(self, lookahead: Lookahead) -> int:
        return lookahead.best


class PopBestF(ChoosingRule):
    """Choose like `BestF`, but pop the state from the open list.

    A program by an author of depression avoidance 2011 does so. The trip is the same, because nothing reads the open
    list afterwards. But popping an entry makes others percolate, so that percolations can be compared with the
    published counts.
    """

    skips_frontier = True

    def choose_state(self, lookahead: Lookahead) -> int:
        lookahead.open.pop()
        return lookahead.best


class AvoidRaised(ChoosingRule):
    """Prefer states whose h was never raised (depression avoidance 2011, Algorithm 4)."""

    skips_frontier = True

    def choose_state(self, lookahead: Lookahead) -> int:
        while lookahead.open.size > 0:
            s = lookahead.open.pop()
            if lookahead.search.node[s].h <= lookahead.search.first_h(s):  # {3}: not s.updated
                return s
        return lookahead.best  # {5}


class LeastRaised(ChoosingRule):
    """Choose the state whose h was raised least (depression avoidance 2011, Algorithm 6)."""

    skips_frontier = True

    def choose_state(self, lookahead: Lookahead) -> int:
        s = lookahead.best
        delta_min = INF  # {2}
        while lookahead.open.size > 0 and delta_min > 0:  # {3}
            s_b = lookahead.open.pop()  # {4}
            delta = lookahead.search.node[s_b].h - lookahead.search.first_h(s_b)
            if delta < delta_min:  # {5}
                delta_min = delta  # {7}
                s = s_b  # {6}
        return s  # {8}


PSEUDO_CODE = """
## BestF.choose_state

    walk to the open state with the smallest f

## AvoidRaised.choose_state

    for each open state s, smallest f first:
        if h(s) was never raised: walk to s
    no such state: walk to the one with the smallest f

## LeastRaised.choose_state

    for each open state s, smallest f first:
        raised := h(s) - first h(s)
        remember s if no earlier one was raised less
        stop at a state that was not raised at all
    walk to the state that was remembered
"""
