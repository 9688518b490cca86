"""Where an agent goes after a search: to which of the open states.

| rule          | the open state with                                         | used by         |
|---------------|-------------------------------------------------------------|-----------------|
| `BestF`       | the smallest f                                              | RTAA*, LSS-LRTA* |
| `TakenF`      | the same, and it is taken out of the open list              | counts of percolations |
| `AvoidRaised` | the smallest f among those whose h was never raised, if any | the a forms     |
| `LeastRaised` | the least raised h, then the smallest f                     | the da forms    |

A state is "marked" in depression avoidance 2011 when its h was raised: that is h(s) > h(s) at the start, so
nothing needs to be kept or reset. A rule chooses by the h-values of before the learning and may take states out of the
open list; learning does not read it again.
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
    """A rule of your own derives from this class and defines `choose(look)`; it returns one of `look.frontier`.

    `skips_frontier`: it does without `look.frontier`; a rule says so in its class. What it may read is a `Lookahead`.

    >>> import replan
    >>> class Wary(replan.ChoosingRule):
    ...     "Smallest f plus twice what h has risen by."
    ...     def choose(self, look):
    ...         g, h = look.g, look.h
    ...         return min(look.frontier, key=lambda s: (g[s] + h[s] + 2 * (h[s] - look.first_h(s)), s))
    >>> grid = replan.Grid([[0, 0, 0, 0], [0, 1, 1, 0], [0, 0, 1, 0]], neighbors=4)
    >>> rtaa = replan.planner("RTAA*", lookahead=3, choosing=Wary())
    >>> replan.simulate(replan.World(grid), rtaa, (2, 0), (2, 3), max_moves=999).reached
    True
    """

    skips_frontier = False

    def choose(self, lookahead: Lookahead) -> int:
        """The open state to walk to."""
        return self.choose_state(checked_lookahead(lookahead))

    def choose_state(self, lookahead: Lookahead) -> int:
        with cython.gil:
            chosen = user_method(self, ChoosingRule, "choosing rule", "choose")(lookahead)
            return returned_integer(self, "choose", chosen, 0, lookahead.space.n - 1, "an open state")


class BestF(ChoosingRule):
    skips_frontier = True

    def choose_state(self, lookahead: Lookahead) -> int:
        return lookahead.best


class PopBestF(ChoosingRule):
    """The same choice, but taken out of the open list, as in a program by an author of depression avoidance 2011.

    Nothing reads the open list afterwards, so the trip is the same; but taking an entry out makes others percolate.
    """

    skips_frontier = True

    def choose_state(self, lookahead: Lookahead) -> int:
        lookahead.open.pop()
        return lookahead.best


class AvoidRaised(ChoosingRule):
    """Depression avoidance 2011, Algorithm 4."""

    skips_frontier = True

    def choose_state(self, lookahead: Lookahead) -> int:
        while lookahead.open.size > 0:
            s = lookahead.open.pop()
            if lookahead.search.node[s].h <= lookahead.search.first_h(s):
                return s
        return lookahead.best


class LeastRaised(ChoosingRule):
    """Depression avoidance 2011, Algorithm 6."""

    skips_frontier = True

    def choose_state(self, lookahead: Lookahead) -> int:
        best = lookahead.best
        least = INF
        while lookahead.open.size > 0 and least > 0:
            s = lookahead.open.pop()
            raised = lookahead.search.node[s].h - lookahead.search.first_h(s)
            if raised < least:
                least = raised
                best = s
        return best


PSEUDO_CODE = """
## BestF.choose_state

    walk to the open state with the smallest f

## AvoidRaised.choose_state

    for each open state s, smallest f first:
        if h(s) was never raised: walk to s
    there is none: walk to the one with the smallest f

## LeastRaised.choose_state

    for each open state s, smallest f first:
        raised := h(s) - first h(s)
        keep s if no other was raised less
        stop at one that was not raised at all
    walk to the one that was kept
"""
