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

DEFAULT_PLANNERS = ("RTAA*", "daRTAA*", "LSS-LRTA*", "daLSS-LRTA*")
DEFAULT_LOOKAHEADS = (1, 5, 9, 17)
TICKS_PER_SECOND, STEPS_PER_SECOND = 60, 10  # a second: frames, and steps of a character
FIRST_CHARACTER_COUNT, MAX_CHARACTERS = 2_000, 200_000  # characters


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
    bytes_per_character: float
    longest_wait_ticks: int


class WanderingCrowd:
    """A crowd that walks about for ever: who arrives is sent elsewhere. A sixth of them steps in each frame."""

    def __init__(self, grid: Grid, count: int, seed: int, sensor: str | Sensor, planner: str, **options: Any) -> None:
        labels = label_regions(grid)
        if not (labels >= 0).any():
            raise InputError("there is no free cell on this map")
        self.free_cells = np.argwhere(labels == np.argmax(region_sizes(labels)))
        self.rng = np.random.default_rng(seed)
        self.crowd = Crowd(World(grid, sensor), planner, **options)
        self.ids = self.crowd.add(self.random_cells(count), self.random_cells(count))
        self.tick_number = 0

    def random_cells(self, count: int) -> np.ndarray[Any, Any]:
        drawn: np.ndarray[Any, Any] = self.free_cells[self.rng.integers(0, len(self.free_cells), count)]
        return drawn

    def run_tick(self, budget: Deadline | None = None) -> tuple[int, int]:
        """One frame: how many have stepped, and the nanoseconds that it took."""
        ready = self.ids[self.tick_number % (TICKS_PER_SECOND // STEPS_PER_SECOND) :: TICKS_PER_SECOND // STEPS_PER_SECOND]
        self.tick_number += 1
        start = perf_counter_ns()
        moved = self.crowd.tick(budget, ids=ready)
        spent = perf_counter_ns() - start
        if self.tick_number % (TICKS_PER_SECOND // STEPS_PER_SECOND) == 0:
            there = self.ids[(self.crowd.cells == self.crowd.goals).all(axis=1)]
            self.crowd.retarget(there, self.random_cells(len(there)))
        return len(moved), spent

    def measure_step_ns(self, frames: int) -> float:
        """Nanoseconds that a step takes, over so many frames; the slower half, when others were busy, left out."""
        told = sorted((self.run_tick() for _ in range(frames)), key=lambda one: one[1] / max(1, one[0]))
        told = told[: max(1, frames // 2)]
        return sum(spent for _, spent in told) / max(1, sum(moved for moved, _ in told))


def measure_capacity(
    grid: Grid,
    planner: str,
    lookahead: int | None = None,
    tick_us: float = 1000.0,
    sensor: str | Sensor = "adjacent",
    seed: int = 0,
    ticks: int = TICKS_PER_SECOND,
) -> Capacity:
    """How many characters one core keeps walking at 60 frames a second with so many microseconds each.

    Each takes 10 steps a second on a map that nobody knows at first, to random goals, one after the other.
    """
    options = {} if lookahead is None else {"lookahead": lookahead}
    count = FIRST_CHARACTER_COUNT
    for _ in range(3):  # more characters take more memory, and a step then takes longer: measure again
        walkers = WanderingCrowd(grid, count, seed, sensor, planner, **options)
        walkers.measure_step_ns(ticks // 4)
        step = walkers.measure_step_ns(ticks)
        count = int(min(MAX_CHARACTERS, max(1, TICKS_PER_SECOND / STEPS_PER_SECOND * 1000 * tick_us / step)))
    walkers = WanderingCrowd(grid, count, seed, sensor, planner, **options)
    for _ in range(ticks):
        walkers.run_tick(Deadline(tick_us))
    told = walkers.crowd.report()
    return Capacity(planner, lookahead, count, step / 1000, told.total_bytes / told.characters, told.longest_wait_ticks)
