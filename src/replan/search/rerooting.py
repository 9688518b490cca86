"""Another root for a search tree: what does not hang on it is cut off, and found again where the rest borders on it.

(Sun, Yeoh, Koenig: Moving Target D* Lite, AAMAS 2010.) The new root keeps its g, so that the g of all that hang on it
stay right among themselves: they are larger than they could be, all by the same amount.
"""

from __future__ import annotations

from replan.search.branches import CutBranches
from replan.search.incremental import Incremental

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import INF


def reroot(search: Incremental, branches: CutBranches, old: int, at: int) -> bool:
    """Let `at` be the root of a forward search instead of `old`. False if its way from there is not known: start again.

    Costs that have changed since the last search may not be taken in before.
    """
    node = search.node
    if not search.is_generated(at) or node[at].g != node[at].rhs or node[at].g > search.space.max_path_cost:
        return False
    w = node[at].next
    node[at].next = -1
    branches.count = 0
    while w >= 0 and w != at:  # the way from the old root, which is not always whole after an unfinished search
        above = node[w].next
        branches.cut_state(search, w)
        w = above
    if node[old].rhs < INF:
        branches.cut_state(search, old)
    search.roots.single_state = search.roots.state_array[0] = at
    i = 0
    while i < branches.count:
        branches.cut_children(search, search.space, search.pred_neighbours, branches.states[i])
        i += 1
    for i in range(branches.count):
        search.recompute_rhs(search.space, search.succ_neighbours, branches.states[i])
    return True


PSEUDO_CODE = """
## reroot

    cut off the way from the old root to the new one,
    and all that hangs on it but the new root's branch
    for each state that was cut off:
        work out its rhs from what is left
"""
