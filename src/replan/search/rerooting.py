"""A new root for a search tree: states outside of its subtree are deleted, and found again from the rest of the tree.

(OptimizedDeletion of Moving Target D* Lite: Sun, Yeoh, Koenig, AAMAS 2010.) The new root keeps its g. So the g-values
of its subtree stay consistent: they are too large, all by the same amount.
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


def reroot(search: Incremental, branches: CutBranches, old_root: int, s_start: int) -> bool:
    """Make `s_start` the root of a forward search instead of `old_root`. Return False if the search must begin anew.

    That is the case if no path to `s_start` is known. Symbols: par(s) is `next`; DELETED is `branches.states`. Changed
    costs must not be applied between the last search and this call.
    """
    node = search.node
    if (
        not search.is_generated(s_start)
        or node[s_start].g != node[s_start].rhs
        or node[s_start].g > search.space.max_path_cost
    ):
        return False
    s = node[s_start].next
    node[s_start].next = -1  # par(s_start) := null
    branches.count = 0
    while s >= 0 and s != s_start:  # the path to the old root, which may be broken after an interrupted search
        parent = node[s].next
        branches.cut_state(search, s)
        s = parent
    if node[old_root].rhs < INF:
        branches.cut_state(search, old_root)
    search.roots.single_state = search.roots.state_array[0] = s_start
    i = 0
    while i < branches.count:
        branches.cut_children(search, search.space, search.pred_neighbours, branches.states[i])
        i += 1
    for i in range(branches.count):  # for all s in DELETED: rhs(s), par(s)
        search.recompute_rhs(search.space, search.succ_neighbours, branches.states[i])
    return True


PSEUDO_CODE = """
## reroot

    par(s_start) := none
    DELETED := all states of the tree that are not in
        the subtree of s_start
    for each s in DELETED: g(s), rhs(s) := infinite;
        par(s) := none; remove s from OPEN
    for each s in DELETED:
        recompute rhs(s) and par(s); finite: queue s
"""
