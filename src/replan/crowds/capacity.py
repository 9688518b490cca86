"""How many characters a machine can afford: measured, for a planner and a lookahead."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter_ns
from typing import Any

import numpy as np

from replan.budget import Deadline
from replan.crowds.crowd import Crowd
from replan.errors import InputError
from replan.spaces.grid import Grid
from replan.spaces.regions import label_regions, region_sizes
from replan.worlds.sensors import Sensor
from replan.worlds.world import World

USUAL = ("RTAA*", "daRTAA*", "LSS-LRTA*", "daLSS-LRTA*")
LOOKAHEADS = (1, 5, 9, 17)
FRAMES, STEPS = 60, 10  # a second: frames, and steps of a character
FIRST, MOST = 2_000, 200_000  # characters


@dataclass(frozen=True)
class Capacity:
    """What a planner with a lookahead can do on a map.

    characters: how many one core keeps walking. step_us: microseconds that a step takes, planning and seeing included.
    bytes: of a character, its path and what it has learned included. longest_wait: frames that somebody had to wait for
    its turn while so many were planned for with that time for a frame.
    """

    planner: str
    lookahead: int | None
    characters: int
    step_us: float
    bytes: float
    longest_wait: int


class Walkers:
    """A crowd that walks about for ever: who arrives is sent elsewhere. A sixth of them steps in each frame."""

    def __init__(self, grid: Grid, count: int, seed: int, sensor: str | Sensor, planner: str, **options: Any) -> None:
        labels = label_regions(grid)
        if not (labels >= 0).any():
            raise InputError("there is no free cell on this map")
        self.free = np.argwhere(labels == np.argmax(region_sizes(labels)))
        self.draw = np.random.default_rng(seed)
        self.crowd = Crowd(World(grid, sensor), planner, **options)
        self.ids = self.crowd.add(self.cells(count), self.cells(count))
        self.number = 0

    def cells(self, count: int) -> np.ndarray[Any, Any]:
        drawn: np.ndarray[Any, Any] = self.free[self.draw.integers(0, len(self.free), count)]
        return drawn

    def frame(self, budget: Deadline | None = None) -> tuple[int, int]:
        """One frame: how many have stepped, and the nanoseconds that it took."""
        ready = self.ids[self.number % (FRAMES // STEPS) :: FRAMES // STEPS]
        self.number += 1
        start = perf_counter_ns()
        moved = self.crowd.tick(budget, who=ready)
        spent = perf_counter_ns() - start
        if self.number % (FRAMES // STEPS) == 0:
            there = self.ids[(self.crowd.cells == self.crowd.goals).all(axis=1)]
            self.crowd.retarget(there, self.cells(len(there)))
        return len(moved), spent

    def step_ns(self, frames: int) -> float:
        """Nanoseconds that a step takes, over so many frames; the slower half, when others were busy, left out."""
        told = sorted((self.frame() for _ in range(frames)), key=lambda one: one[1] / max(1, one[0]))
        told = told[: max(1, frames // 2)]
        return sum(spent for _, spent in told) / max(1, sum(moved for moved, _ in told))


def capacity(
    grid: Grid,
    planner: str,
    lookahead: int | None = None,
    frame_us: float = 1000.0,
    sensor: str | Sensor = "adjacent",
    seed: int = 0,
    frames: int = FRAMES,
) -> Capacity:
    """How many characters one core keeps walking at 60 frames a second with so many microseconds each.

    Each takes 10 steps a second on a map that nobody knows at first, to random goals, one after the other.
    """
    options = {} if lookahead is None else {"lookahead": lookahead}
    count = FIRST
    for _ in range(3):  # more characters take more memory, and a step then takes longer: measure again
        walkers = Walkers(grid, count, seed, sensor, planner, **options)
        walkers.step_ns(frames // 4)
        step = walkers.step_ns(frames)
        count = int(min(MOST, max(1, FRAMES / STEPS * 1000 * frame_us / step)))
    walkers = Walkers(grid, count, seed, sensor, planner, **options)
    for _ in range(frames):
        walkers.frame(Deadline(frame_us))
    told = walkers.crowd.report()
    return Capacity(planner, lookahead, count, step / 1000, told.bytes / told.characters, told.longest_wait)
