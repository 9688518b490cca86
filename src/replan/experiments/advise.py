"""Which planner and lookahead for a limit of time, on a given map and machine: a short calibration."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from replan.experiments.grid_cells import Cell
from replan.experiments.lookaheads import Point, odd_lookahead
from replan.planners.registry import planner
from replan.simulation.simulate import simulate
from replan.simulation.trip import Trip
from replan.worlds.world import World

REAL_TIME = ("RTAA*", "LSS-LRTA*", "aRTAA*", "daRTAA*")
UNBOUNDED = ("D* Lite", "Repeated Forward A*")
ROUNDS = 3  # of the same trips: the times of the quickest round count
LOOKAHEADS = (1, 5, 9, 17, 33, 65, 129, 257, 513, 1025)

MOST_STEPS = len(UNBOUNDED) + len(REAL_TIME) * (len(LOOKAHEADS) + 3)  # about as many measurements are made


@dataclass(frozen=True)
class Answer:
    """What a planner needs and what its trips cost.

    us: microseconds per episode or move, on average. worst_us: of 100 searches 99 take at most so long. reached: how
    many of the trips arrived. ok: it keeps the limit.
    """

    planner: str
    lookahead: int | None
    us: float
    worst_us: float
    cost: float
    reached: int
    trips: int
    ok: bool

    @property
    def rank(self) -> tuple[bool, float, float, float]:
        """Sorts answers, the best first: who keeps the limit before who does not.

        Of the former, who arrives most often, then the cheapest; of the latter, the quickest.
        """
        if not self.ok:
            return (True, self.us, 0.0, 0.0)
        return (False, -self.reached, self.cost, self.us)


def advise(
    world: World,
    problems: Sequence[tuple[Cell, Cell]],
    limit_us: float,
    per: str,
    max_moves: int | None = None,
    step: Callable[[str], None] = lambda what: None,
) -> list[Answer]:
    """The best setting of each planner for a mean of `limit_us` microseconds per "episode" or "move"; the best first.

    As in RTAA* 2006, times at lookaheads between the measured ones are interpolated. The lookahead chosen so is then
    measured itself, and made smaller if it takes too long. step: is told what will be measured next.
    """
    calibration = _Calibration(world, problems, limit_us, per, max_moves, step)
    answers = [calibration.measure(name, None) for name in UNBOUNDED]
    answers += [calibration.bounded(name) for name in REAL_TIME]
    return sorted(answers, key=lambda answer: answer.rank)


class _Calibration:
    def __init__(
        self,
        world: World,
        problems: Sequence[tuple[Cell, Cell]],
        limit_us: float,
        per: str,
        max_moves: int | None,
        step: Callable[[str], None],
    ) -> None:
        self.max_moves = max_moves
        self.world, self.problems, self.limit, self.per, self.step = world, problems, limit_us, per, step

    def bounded(self, name: str) -> Answer:
        """The largest lookahead that keeps the limit."""
        found: list[Answer] = []
        for lookahead in LOOKAHEADS:
            found.append(self.measure(name, lookahead))
            if not found[-1].ok:
                break
        points = [Point(one.lookahead or 0, one.us, one.cost) for one in found]
        chosen = odd_lookahead(points, self.limit)
        within = [one for one in found if one.ok]
        while chosen is not None and chosen > 1 and chosen not in [one.lookahead for one in found]:
            tried = self.measure(name, chosen)
            if tried.ok:
                within.append(tried)
                break
            chosen = _smaller(chosen)
        return max(within, key=lambda one: one.lookahead or 0) if within else found[0]

    def measure(self, name: str, lookahead: int | None) -> Answer:
        self.step(name if lookahead is None else f"{name} {lookahead}")
        rounds = [list(self.trips(name, lookahead)) for _ in range(ROUNDS)]
        trips = min(rounds, key=lambda trips: sum(trip.search_ns for trip in trips))  # the least disturbed
        each = np.concatenate([np.asarray(trip.episode_ns or [0]) for trip in trips]) / 1000
        whole = sum(trip.episodes if self.per == "episode" else trip.moves for trip in trips)
        us = sum(trip.search_ns for trip in trips) / max(1, whole) / 1000
        arrived = [trip.cost for trip in trips if trip.reached]
        cost = float(np.mean(arrived)) if arrived else float("nan")
        worst = float(np.quantile(each, 0.99))
        return Answer(name, lookahead, us, worst, cost, len(arrived), len(trips), us <= self.limit)

    def trips(self, name: str, lookahead: int | None) -> Iterator[Trip]:
        made = planner(name, lookahead=lookahead)
        for start, goal in self.problems:
            yield simulate(self.world, made, start, goal, self.max_moves, timing="episode")


def _smaller(lookahead: int) -> int:
    """Nine tenths of it, odd."""
    less = lookahead * 9 // 10
    return max(1, less if less % 2 else less - 1)
