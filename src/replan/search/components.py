"""Connected components: whether goals can be reached, for many characters that share a belief.

Every state has a label. Labels are joined if a step leads from one to the other (union-find). If the labels of two
states are not joined, no path leads from one to the other.

- A cheaper step joins labels at once. Labels that are not joined remain a proof.
- A blocked step may split a component. All states are then labelled again in a second array, a few per expansion of the
  searches, so that no tick waits. Until then, states that were cut off count as connected.

If there are one-way steps, connected states may have no path between them. A character that searches for long then asks
`reachability.py`. A single agent uses no labels: they take time in proportion to the map, and the floods of
`reachability.py` in proportion to the smaller side of the cut.
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

EXIT_LEFT, EXIT_UP = 4, 8  # bits of the exits of a cell
MAX_FREED = 4096  # states that may be freed during a labelling; with more of them it begins again


class Components:
    """The labels of all states of a space.

    label[s] is the label of s, -1 if s is blocked. parents[l] is another label that l is joined with, or l itself.
    `version` counts the labellings.
    """

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
        self.must_relabel = True  # True: a step was blocked since the last labelling began
        self.relabel_all()

    def relabel_all(self) -> int:
        """Label all states now."""
        self.labelled_count, self.must_relabel = 0, True
        while self.must_relabel or self.labelled_count > 0:
            self.relabel_some(65536)
            check_signals()
        return 0

    def relabel_some(self, count: int) -> int:
        """Label the next `count` states, if a new labelling is needed."""
        if count <= 0 or (self.labelled_count == 0 and not self.must_relabel):
            return 0
        if self.labelled_count == 0:
            self.next_label_count = self.freed_count = 0
        end = min(self.space.n, self.labelled_count + count)
        if self.grid is not None:
            self.label_cells(self.grid, self.labelled_count, end)
        else:
            self.label_states(self.labelled_count, end)
        if self.labelled_count == 0:
            self.must_relabel = False  # not earlier: steps that are blocked from now on need another labelling
        self.labelled_count = end
        if end == self.space.n:
            self.swap_labels()
        return 0

    def label_cells(self, grid: Grid, start: int, end: int) -> int:
        """Label the cells start .. end - 1 of a grid.

        Steps to the left and up are enough: each has a reverse, and diagonal steps lead nowhere else.
        """
        width = grid.width
        for s in range(start, end):
            exits = grid.exits[s]
            # a label of -1: the cell was freed after it was labelled; `swap_labels` joins it
            left = self.next[s - 1] if exits & EXIT_LEFT else -1
            up = self.next[s - width] if exits & EXIT_UP else -1
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

    def label_states(self, start: int, end: int) -> int:
        """Label the states start .. end - 1 of any space."""
        if start == 0:
            for s in range(self.space.n):
                self.next[s] = self.next_parents[s] = s
        for s in range(start, end):
            if self.space.locations_are_states and self.space.read_value(s) == 0:
                self.next[s] = -1
                continue
            k = self.space.expand(self.neighbours, s)
            for i in range(k):
                unite(self.next_parents, s, self.neighbours.state[i])
        return 0

    def swap_labels(self) -> int:
        """Use the new labels."""
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
        """Costs of steps out of s have risen (or steps were blocked), or fallen (or steps were freed)."""
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
        """Join the labels of s and of the states to which steps lead from s."""
        if self.space.locations_are_states and self.space.read_value(s) == 0:
            return 0
        if self.label[s] < 0:
            if self.grid is None:
                self.label[s] = s
            else:  # a new label: a freed cell had none, so there are never more labels than cells
                self.label[s] = self.parents[self.label_count] = self.label_count
                self.label_count += 1
        k = self.space.expand(self.neighbours, s)
        for i in range(k):
            if self.label[self.neighbours.state[i]] >= 0:
                unite(self.parents, self.label[s], self.label[self.neighbours.state[i]])
        return 0

    # Saving: see `replan/serialization.py`.

    def serialize(self, archive: Archive) -> None:
        """Save or load the labels, and the labelling in progress. A label is joined with itself or a smaller one."""
        n, by_cell = self.space.n, self.grid is not None
        self.version = archive.integer("version", self.version, 0, 0x7FFFFFFF)
        self.must_relabel = archive.boolean("must_relabel", self.must_relabel)
        self.labelled_count = archive.integer("labelled_count", self.labelled_count, 0, n - 1)
        in_progress_count = self.labelled_count if by_cell or self.labelled_count == 0 else n
        label_count = self.serialize_labels(archive.nested("present"), self.label, self.parents, self.label_count, n)
        self.label_count = label_count if by_cell else 0
        count = self.next_label_count if self.labelled_count > 0 else 0
        next_count = self.serialize_labels(
            archive.nested("next"), self.next, self.next_parents, count, in_progress_count
        )
        self.next_label_count = next_count if by_cell else 0
        freed = archive.states("freed_states", self.freed_states[: self.freed_count], n)
        archive.require(len(freed) <= MAX_FREED, "its list of freed states is too long")
        self.freed_count = len(freed)
        np.asarray(self.freed_states)[: len(freed)] = freed

    def serialize_labels(
        self, archive: Archive, label: memoryview, parents: memoryview, count: int, state_count: int
    ) -> int:
        """Save or load the labels of the first `state_count` states. Return how many labels there are."""
        labels = archive.integers("label", label[:state_count], -1, self.space.n - 1, state_count)
        max_count = int((labels >= 0).sum()) if self.grid is not None else state_count
        joined = archive.integers(
            "join", parents[: count if self.grid is not None else state_count], 0, self.space.n - 1
        )
        is_valid = (
            len(joined) <= max_count
            and labels.max(initial=-1) < len(joined)
            and (joined <= np.arange(len(joined))).all()
        )
        archive.require(is_valid, "its components have labels that do not exist")
        np.asarray(label)[:state_count] = labels
        np.asarray(parents)[: len(joined)] = joined
        return len(joined)

    def is_unreachable(self, a: int, b: int) -> bool:
        """Return True if it is known that no path leads from a to b."""
        label_a, label_b = self.label[a], self.label[b]
        if label_a == label_b:
            return label_a < 0
        return label_a < 0 or label_b < 0 or find(self.parents, label_a) != find(self.parents, label_b)


def find(parents: memoryview, label: int) -> int:
    """Return the label that stands for all labels that this one is joined with."""
    while parents[label] != label:
        label = parents[label]
    return label


def unite(parents: memoryview, a: int, b: int) -> int:
    """Join two labels."""
    a, b = find_with_halving(parents, a), find_with_halving(parents, b)
    parents[max(a, b)] = min(a, b)
    return 0


def find_with_halving(parents: memoryview, label: int) -> int:
    """Return like `find`, and halve the path for later calls."""
    while parents[label] != label:
        parents[label] = parents[parents[label]]
        label = parents[label]
    return label
