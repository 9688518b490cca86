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
from replan.saving import Bag
from replan.signals import check_signals
from replan.spaces.grid import Grid
from replan.spaces.neighbours import Neighbours
from replan.spaces.space import Space, refuse_unmade

try:
    import cython
except ImportError:
    from replan import _cython as cython

LEFT, UP = 4, 8  # of the exits of a cell
MOST = 4096  # states that were freed while a labelling was under way; beyond, it begins again


class Components:
    """The labels of all states of a space: `label[s]`, -1 where nothing can stand, and `join[l]`, another label that
    `l` is joined with, or `l` itself. `version` counts the labellings."""

    space: Space
    near: Neighbours
    grid: Any
    stale: bool

    def __init__(self, space: Space) -> None:
        refuse_unmade(space)
        n = space.n
        self.space = space
        self.near = self.space.neighbours()
        self.grid = self.space.straight_grid()
        self.label, self.join, self.next, self.next_join = (zeros(n, np.int32, True) for _ in range(4))
        self.freed = empty(MOST, np.int32)
        self.count = self.next_count = self.done = self.freed_count = 0
        self.version = 0
        self.stale = True  # something was blocked since the present labelling began, or there is none
        self.renew()

    def renew(self) -> int:
        """Label everything now."""
        self.done, self.stale = 0, True
        while self.stale or self.done > 0:
            self.work(65536)
            check_signals()
        return 0

    def work(self, states: int) -> int:
        """Label so many states more, if there is a reason to."""
        if states <= 0 or (self.done == 0 and not self.stale):
            return 0
        if self.done == 0:
            self.next_count = self.freed_count = 0
        stop = min(self.space.n, self.done + states)
        if self.grid is not None:
            self.label_cells(self.grid, self.done, stop)
        else:
            self.label_states(self.done, stop)
        if self.done == 0:
            self.stale = False  # only now that it has begun: what is blocked from now on is not in it
        self.done = stop
        if stop == self.space.n:
            self.turn_over()
        return 0

    def label_cells(self, grid: Grid, start: int, stop: int) -> int:
        """The steps to the left and up are enough: those back are the same, and diagonal ones lead nowhere else."""
        width = grid.width
        for s in range(start, stop):
            m = grid.exits[s]
            # -1 there: it was freed since it was looked at, and is linked at the end
            left = self.next[s - 1] if m & LEFT else -1
            up = self.next[s - width] if m & UP else -1
            if grid.value[s] == 0:
                self.next[s] = -1
            elif left >= 0:
                self.next[s] = left
                if up >= 0 and up != left:
                    unite(self.next_join, left, up)
            elif up >= 0:
                self.next[s] = up
            else:
                self.next[s] = self.next_join[self.next_count] = self.next_count
                self.next_count += 1
        return 0

    def label_states(self, start: int, stop: int) -> int:
        if start == 0:
            for s in range(self.space.n):
                self.next[s] = self.next_join[s] = s
        for s in range(start, stop):
            if self.space.cells and self.space.read(s) == 0:
                self.next[s] = -1
                continue
            k = self.space.expand(self.near, s)
            for i in range(k):
                unite(self.next_join, s, self.near.state[i])
        return 0

    def turn_over(self) -> int:
        """The labelling that was under way is the present one."""
        with cython.gil:
            self.label, self.next = self.next, self.label
            self.join, self.next_join = self.next_join, self.join
        self.count, self.done = self.next_count, 0
        self.version = (self.version + 1) & 0x7FFFFFFF
        for i in range(self.freed_count):
            self.link(self.freed[i])
        self.freed_count = 0
        return 0

    def changed(self, s: int, rise: bool) -> int:
        """Steps out of s have become dearer, or blocked; or cheaper, or free."""
        if rise:
            self.stale = True
            return 0
        if self.done > 0:
            if self.freed_count == MOST:
                self.done, self.stale = 0, True
            else:
                self.freed[self.freed_count] = s
                self.freed_count += 1
        return self.link(s)

    def link(self, s: int) -> int:
        """Join s with where its steps lead."""
        if self.space.cells and self.space.read(s) == 0:
            return 0
        if self.label[s] < 0:
            if self.grid is None:
                self.label[s] = s
            else:  # a label for each cell is enough: one that was freed did not have any
                self.label[s] = self.join[self.count] = self.count
                self.count += 1
        k = self.space.expand(self.near, s)
        for i in range(k):
            if self.label[self.near.state[i]] >= 0:
                unite(self.join, self.label[s], self.label[self.near.state[i]])
        return 0

    # Saving: see `replan/saving.py`.

    def carry(self, bag: Bag) -> None:
        """The labels, and the labelling that is under way. A label is joined with a smaller one, or with itself."""
        n, by_cell = self.space.n, self.grid is not None
        self.version = bag.whole("version", self.version, 0, 0x7FFFFFFF)
        self.stale, self.done = bag.truth("stale", self.stale), bag.whole("done", self.done, 0, n - 1)
        under_way = self.done if by_cell or self.done == 0 else n
        present = self.carry_labels(bag.inner("present"), self.label, self.join, self.count, n)
        self.count = present if by_cell else 0
        count = self.next_count if self.done > 0 else 0
        coming = self.carry_labels(bag.inner("next"), self.next, self.next_join, count, under_way)
        self.next_count = coming if by_cell else 0
        freed = bag.states("freed", self.freed[: self.freed_count], n)
        bag.require(len(freed) <= MOST, "more states were freed than it lists")
        self.freed_count = len(freed)
        np.asarray(self.freed)[: len(freed)] = freed

    def carry_labels(self, bag: Bag, label: memoryview, join: memoryview, count: int, states: int) -> int:
        """The labels of the first `states` states. Returns how many labels there are: not more than labelled cells."""
        labels = bag.numbers("label", label[:states], -1, self.space.n - 1, states)
        most = int((labels >= 0).sum()) if self.grid is not None else states
        joined = bag.numbers("join", join[: count if self.grid is not None else states], 0, self.space.n - 1)
        fits = len(joined) <= most and labels.max(initial=-1) < len(joined) and (joined <= np.arange(len(joined))).all()
        bag.require(fits, "its components have labels that there are not")
        np.asarray(label)[:states] = labels
        np.asarray(join)[: len(joined)] = joined
        return len(joined)

    def is_cut_off(self, a: int, b: int) -> bool:
        """True if it is known that no way leads from a to b."""
        one, other = self.label[a], self.label[b]
        if one == other:
            return one < 0
        return one < 0 or other < 0 or find(self.join, one) != find(self.join, other)


def find(join: memoryview, label: int) -> int:
    """The label that stands for all that are joined with this one."""
    while join[label] != label:
        label = join[label]
    return label


def unite(join: memoryview, a: int, b: int) -> int:
    a, b = find_short(join, a), find_short(join, b)
    join[max(a, b)] = min(a, b)
    return 0


def find_short(join: memoryview, label: int) -> int:
    """As `find`, and the way is half as long the next time."""
    while join[label] != label:
        join[label] = join[join[label]]
        label = join[label]
    return label
