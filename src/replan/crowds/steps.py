"""The steps that the characters of a crowd take in a frame, what they then see, and what is told of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import empty, zeros
from replan.crowds.ground import Ground
from replan.crowds.people import People
from replan.crowds.worker import Worker
from replan.limits import BLOCK, WAITING
from replan.spaces.grid import Grid
from replan.spaces.space import Space
from replan.worlds.world import World

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import expect_look, expect_next, expect_place, expect_step, stands

STAYS, LOOKS = -2, -3  # instead of the state that a character has come to
LEAD = 16  # so many characters before its turn the memory of one is asked for


class Steps(Ground):
    """walker[:walkers]: who may take a step. gone[i]: where walker[i] has come to. moved[:moves]: who has moved;
    numbers[:moves], places[:moves]: their ids, and where they are, for whoever calls."""

    def __init__(self, believed: Space, people: People, world: World | None, solid: bool) -> None:
        Ground.__init__(self, believed, people, world, solid)
        self.width = 1  # of what is told of a place: the state, or a row and a column
        self.row, self.exits, self.truth, self.belief = 0, zeros(1, np.uint8), zeros(0, np.uint16), zeros(0, np.uint16)
        if isinstance(believed, Grid):
            self.grid, self.true_grid = believed, believed
            if self.world is not None:
                self.true_grid = self.world.truth  # type: ignore[assignment, unused-ignore]
            self.row, self.exits, self.width = believed.width, self.grid.exits, 2
            self.truth, self.belief = self.true_grid.value, self.grid.value
        self.walkers = self.moves = 0
        self.walker, self.moved, self.gone = (empty(64, np.int32) for _ in range(3))
        self.numbers: Any = empty(1, np.int64)
        self.places: Any = empty(1, np.int64)
        self.alone = True  # is there one worker in this frame, or several?

    def step_some(self, worker: Worker, start: int, stop: int) -> int:
        """A step for those who then see nothing new."""
        person, ahead = self.people.person, stop - LEAD  # beyond, somebody else may be at work
        for i in range(start, stop):
            if i < ahead:
                expect_place(person, self.walker[i + LEAD])
                expect_next(person, self.walker[i + 3 * LEAD // 4])
                expect_step(person, self.walker[i + LEAD // 2], self.standing, self.looked)
                if self.by_place:
                    next_one = self.walker[i + LEAD // 4]
                    expect_look(person, next_one, self.looked, self.era, self.truth, self.belief, self.row)
            c = self.walker[i]
            self.gone[i] = STAYS
            if person[c].spot > 0:
                if self.knows(worker, person[c].at, person[c].path[person[c].spot - 1]):
                    self.gone[i] = self.go(c)
                    self.tell(i, c)
                else:
                    self.gone[i] = LOOKS
        return 0

    def leave_to_others(self) -> int:
        """Nobody takes a step before those who look around."""
        for i in range(self.walkers):
            self.gone[i] = LOOKS
        return 0

    def step_others(self) -> int:
        """A step for those who look around, in the order of their ids. How many have moved, of all?"""
        width, k = self.width, 0
        for i in range(self.walkers):
            c = self.walker[i]
            if self.gone[i] == LOOKS:
                self.gone[i] = self.step(c)
                self.tell(i, c)
            self.moved[k], self.numbers[k] = c, self.numbers[i]
            for j in range(width):
                self.places[width * k + j] = self.places[width * i + j]
            k += self.gone[i] >= 0
        self.moves = k
        return k

    def step(self, c: int) -> int:
        """Where has it come to?"""
        person = self.people.person
        if person[c].spot == 0:
            return STAYS
        at, spot = person[c].at, person[c].spot
        s: int = person[c].path[spot - 1]
        if self.risen[at >> BLOCK] > person[c].rises and self.believed.step_cost(at, s) > person[c].toll[spot]:
            return STAYS  # somebody has just seen that it cannot go there
        if self.solid and self.standing[s] > 0:
            person[c].answer = WAITING
            return STAYS
        self.go(c)
        if self.world is not None and self.still:
            self.look(self.world, at, s)
        return s

    def go(self, c: int) -> int:
        """To the next state of its path."""
        person = self.people.person
        s: int = person[c].path[person[c].spot - 1]
        stands(self.standing, person[c].at, -1, self.alone)
        stands(self.standing, s, 1, self.alone)
        person[c].at, person[c].spot = s, person[c].spot - 1
        return s

    def tell(self, i: int, c: int) -> int:
        """The id of one who has moved, and where it is: row and column of a cell, or the state."""
        person = self.people.person
        self.numbers[i] = person[c].number
        if self.row > 0:
            self.places[2 * i], self.places[2 * i + 1] = person[c].at // self.row - 1, person[c].at % self.row - 1
        else:
            self.places[i] = person[c].at
        return 0

    def pass_time(self, world: World) -> int:
        """A step of time in a world that changes: everybody looks around."""
        person = self.people.person
        world.tick(-1)
        if world.eye.steady:  # what has not changed need not be looked at again
            for i in range(self.moves):
                c = self.moved[i]
                self.look(world, person[c].path[person[c].spot + 1], person[c].at)
            for i in range(world.eye.reports):
                self.check(world, world.eye.reported[i])
            world.eye.reports = 0
            return 0
        for c in range(self.people.used):
            if person[c].at >= 0:
                self.look(world, -1, person[c].at)
        return 0
