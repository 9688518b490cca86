"""Connected components: whether goals can be reached, for many characters that share a belief.

Every state has a label. Labels are joined where a step leads from one to the other (union-find). No way leads from a
state to another if their labels are not joined.

- A cheaper step joins labels at once. Labels that are apart stay a proof.
- A blocked step may part a component. All states are then labelled anew in a second array, a few for each expansion of
  the searches, so that no tick waits. Until that is done, states that were cut off count as connected.

Where steps cannot be taken back, connected states may have no way between them. A character that searches for long
then asks `reachability.py`.

A single agent does not use labels: they take time in proportion to the map, and the floods of `reachability.py` in
proportion to the smaller side of the cut.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import empty, zeros
from replan.serialization import Archive
from replan.signals import check_signals
from replan.spaces.grid import Grid
from replan.spaces.neighbours import Neighbours
from replan.spaces.space import Space, check_space

try:
    import cython
except ImportError:
    from replan import _cython as cython

EXIT_LEFT, EXIT_UP = 4, 8  # of the exits of a cell
MAX_FREED = 4096  # states that were freed while a labelling was under way; beyond, it begins again


class Components:
    """The labels of all states of a space: `label[s]`, -1 where nothing can stand, and `join[l]`, another label that
    `l` is joined with, or `l` itself. `version` counts the labellings."""

    space: Space
    neighbours: Neighbours
    grid: Any
    must_relabel: bool

    def __init__(self, space: Space) -> None:
        check_space(space)
        n = space.n
        self.space = space
        self.neighbours = self.space.make_neighbours()
        self.grid = self.space.connectivity_grid()
        self.label, self.parents, self.next, self.next_parents = (zeros(n, np.int32, True) for _ in range(4))
        self.freed_states = empty(MAX_FREED, np.int32)
        self.label_count = self.next_label_count = self.labelled_count = self.freed_count = 0
        self.version = 0
        self.must_relabel = True  # something was blocked since the present labelling began, or there is none
        self.relabel_all()

    def relabel_all(self) -> int:
        """Label everything now."""
        self.labelled_count, self.must_relabel = 0, True
        while self.must_relabel or self.labelled_count > 0:
            self.relabel_some(65536)
            check_signals()
        return 0

    def relabel_some(self, states: int) -> int:
        """Label so many states more, if there is a reason to."""
        if states <= 0 or (self.labelled_count == 0 and not self.must_relabel):
            return 0
        if self.labelled_count == 0:
            self.next_label_count = self.freed_count = 0
        stop = min(self.space.n, self.labelled_count + states)
        if self.grid is not None:
            self.label_cells(self.grid, self.labelled_count, stop)
        else:
            self.label_states(self.labelled_count, stop)
        if self.labelled_count == 0:
            self.must_relabel = False  # only now that it has begun: what is blocked from now on is not in it
        self.labelled_count = stop
        if stop == self.space.n:
            self.swap_labels()
        return 0

    def label_cells(self, grid: Grid, start: int, stop: int) -> int:
        """The steps to the left and up are enough: those back are the same, and diagonal ones lead nowhere else."""
        width = grid.width
        for s in range(start, stop):
            m = grid.exits[s]
            # -1 there: it was freed since it was looked at, and is linked at the end
            left = self.next[s - 1] if m & EXIT_LEFT else -1
            up = self.next[s - width] if m & EXIT_UP else -1
            if grid.value[s] == 0:
                self.next[s] = -1
            elif left >= 0:
                self.next[s] = left
                if up >= 0 and up != left:
                    unite(self.next_parents, left, up)
            elif up >= 0:
                self.next[s] = up
            else:
                self.next[s] = self.next_parents[self.next_label_count] = self.next_label_count
                self.next_label_count += 1
        return 0

    def label_states(self, start: int, stop: int) -> int:
        if start == 0:
            for s in range(self.space.n):
                self.next[s] = self.next_parents[s] = s
        for s in range(start, stop):
            if self.space.locations_are_states and self.space.read_value(s) == 0:
                self.next[s] = -1
                continue
            k = self.space.expand(self.neighbours, s)
            for i in range(k):
                unite(self.next_parents, s, self.neighbours.state[i])
        return 0

    def swap_labels(self) -> int:
        """The labelling that was under way is the present one."""
        with cython.gil:
            self.label, self.next = self.next, self.label
            self.parents, self.next_parents = self.next_parents, self.parents
        self.label_count, self.labelled_count = self.next_label_count, 0
        self.version = (self.version + 1) & 0x7FFFFFFF
        for i in range(self.freed_count):
            self.join_neighbours(self.freed_states[i])
        self.freed_count = 0
        return 0

    def on_cost_change(self, s: int, costs_increased: bool) -> int:
        """Steps out of s have become dearer, or blocked; or cheaper, or free."""
        if costs_increased:
            self.must_relabel = True
            return 0
        if self.labelled_count > 0:
            if self.freed_count == MAX_FREED:
                self.labelled_count, self.must_relabel = 0, True
            else:
                self.freed_states[self.freed_count] = s
                self.freed_count += 1
        return self.join_neighbours(s)

    def join_neighbours(self, s: int) -> int:
        """Join s with where its steps lead."""
        if self.space.locations_are_states and self.space.read_value(s) == 0:
            return 0
        if self.label[s] < 0:
            if self.grid is None:
                self.label[s] = s
            else:  # a label for each cell is enough: one that was freed did not have any
                self.label[s] = self.parents[self.label_count] = self.label_count
                self.label_count += 1
        k = self.space.expand(self.neighbours, s)
        for i in range(k):
            if self.label[self.neighbours.state[i]] >= 0:
                unite(self.parents, self.label[s], self.label[self.neighbours.state[i]])
        return 0

    # Saving: see `replan/serialization.py`.

    def serialize(self, archive: Archive) -> None:
        """The labels, and the labelling that is under way. A label is joined with a smaller one, or with itself."""
        n, by_cell = self.space.n, self.grid is not None
        self.version = archive.integer("version", self.version, 0, 0x7FFFFFFF)
        self.must_relabel, self.labelled_count = archive.boolean("must_relabel", self.must_relabel), archive.integer("labelled_count", self.labelled_count, 0, n - 1)
        under_way = self.labelled_count if by_cell or self.labelled_count == 0 else n
        present = self.serialize_labels(archive.nested("present"), self.label, self.parents, self.label_count, n)
        self.label_count = present if by_cell else 0
        count = self.next_label_count if self.labelled_count > 0 else 0
        coming = self.serialize_labels(archive.nested("next"), self.next, self.next_parents, count, under_way)
        self.next_label_count = coming if by_cell else 0
        freed = archive.states("freed_states", self.freed_states[: self.freed_count], n)
        archive.require(len(freed) <= MAX_FREED, "more states were freed than it lists")
        self.freed_count = len(freed)
        np.asarray(self.freed_states)[: len(freed)] = freed

    def serialize_labels(self, archive: Archive, label: memoryview, join: memoryview, count: int, states: int) -> int:
        """The labels of the first `states` states. Returns how many labels there are: not more than labelled cells."""
        labels = archive.integers("label", label[:states], -1, self.space.n - 1, states)
        most = int((labels >= 0).sum()) if self.grid is not None else states
        joined = archive.integers("join", join[: count if self.grid is not None else states], 0, self.space.n - 1)
        fits = len(joined) <= most and labels.max(initial=-1) < len(joined) and (joined <= np.arange(len(joined))).all()
        archive.require(fits, "its components have labels that there are not")
        np.asarray(label)[:states] = labels
        np.asarray(join)[: len(joined)] = joined
        return len(joined)

    def is_unreachable(self, a: int, b: int) -> bool:
        """True if it is known that no way leads from a to b."""
        one, other = self.label[a], self.label[b]
        if one == other:
            return one < 0
        return one < 0 or other < 0 or find(self.parents, one) != find(self.parents, other)


def find(join: memoryview, label: int) -> int:
    """The label that stands for all that are joined with this one."""
    while join[label] != label:
        label = join[label]
    return label


def unite(join: memoryview, a: int, b: int) -> int:
    a, b = find_with_halving(join, a), find_with_halving(join, b)
    join[max(a, b)] = min(a, b)
    return 0


def find_with_halving(join: memoryview, label: int) -> int:
    """As `find`, and the way is half as long the next time."""
    while join[label] != label:
        join[label] = join[join[label]]
        label = join[label]
    return label
