"""Measures how many characters a machine can plan for, with a planner and a lookahead."""

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
TICKS_PER_SECOND, STEPS_PER_SECOND = 60, 10
FIRST_CHARACTER_COUNT, MAX_CHARACTERS = 2_000, 200_000


@dataclass(frozen=True)
class Capacity:
    """Capacity of one core with a planner and a lookahead on a map.

    characters: number of characters that one core can plan for. step_us: mean time of a step in microseconds, including
    planning and sensing. bytes_per_character: includes its path and its learned h-values. longest_wait_ticks: maximum
    number of ticks that a character waited to plan, with this number of characters.
    """

    planner: str
    lookahead: int | None
    characters: int
    step_us: float
    bytes_per_character: float
    longest_wait_ticks: int


class WanderingCrowd:
    """Crowd with random goals. A character that arrives gets a new goal. Each tick steps a sixth of the characters."""

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
        """Run a tick. Returns the number of characters that have moved, and the time in nanoseconds."""
        ready = self.ids[
            self.tick_number % (TICKS_PER_SECOND // STEPS_PER_SECOND) :: TICKS_PER_SECOND // STEPS_PER_SECOND
        ]
        self.tick_number += 1
        start = perf_counter_ns()
        moved = self.crowd.tick(budget, ids=ready)
        spent = perf_counter_ns() - start
        if self.tick_number % (TICKS_PER_SECOND // STEPS_PER_SECOND) == 0:
            arrived = self.ids[(self.crowd.cells == self.crowd.goals).all(axis=1)]
            self.crowd.retarget(arrived, self.random_cells(len(arrived)))
        return len(moved), spent

    def measure_step_ns(self, ticks: int) -> float:
        """Return the mean time of a step in nanoseconds. The slower half of the ticks is left out as disturbed."""
        samples = sorted((self.run_tick() for _ in range(ticks)), key=lambda sample: sample[1] / max(1, sample[0]))
        samples = samples[: max(1, ticks // 2)]
        return sum(spent for _, spent in samples) / max(1, sum(moved for moved, _ in samples))


def measure_capacity(
    grid: Grid,
    planner: str,
    lookahead: int | None = None,
    tick_us: float = 1000.0,
    sensor: str | Sensor = "adjacent",
    seed: int = 0,
    ticks: int = TICKS_PER_SECOND,
) -> Capacity:
    """Measure how many characters one core can plan for at 60 ticks per second, each with `tick_us` microseconds.

    A character takes 10 steps per second towards random goals. The map is unknown at first.
    """
    options = {} if lookahead is None else {"lookahead": lookahead}
    count = FIRST_CHARACTER_COUNT
    for _ in range(3):  # more characters use more memory, which makes a step slower: measure again
        walkers = WanderingCrowd(grid, count, seed, sensor, planner, **options)
        walkers.measure_step_ns(ticks // 4)
        step = walkers.measure_step_ns(ticks)
        count = int(min(MAX_CHARACTERS, max(1, TICKS_PER_SECOND / STEPS_PER_SECOND * 1000 * tick_us / step)))
    walkers = WanderingCrowd(grid, count, seed, sensor, planner, **options)
    for _ in range(ticks):
        walkers.run_tick(Deadline(tick_us))
    report = walkers.crowd.report()
    return Capacity(
        planner, lookahead, count, step / 1000, report.total_bytes / report.characters, report.longest_wait_ticks
    )
