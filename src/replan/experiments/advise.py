"""Which planner and lookahead for a limit of time, on a given map and machine: a short calibration."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from replan.errors import InputError
from replan.experiments.common_problems import solved_by_all
from replan.experiments.compare import resolve_max_moves, resolve_problems
from replan.experiments.lookahead_choice import LookaheadMeasurement, largest_odd_lookahead
from replan.experiments.planner_names import NamedPlanner, format_options, parse_planner, parse_planners
from replan.experiments.result_tables import ResultTable
from replan.planners.base import Planner
from replan.simulation.simulate import simulate
from replan.simulation.trip import Trip
from replan.spaces.space import Space
from replan.worlds.world import World

UNBOUNDED_PLANNERS = ("D* Extra Lite", "D* Lite", "MPGAA*", "Repeated Forward A*")
DEFAULT_PLANNERS = (*UNBOUNDED_PLANNERS, "FRIT(BFS)", "TBAA*", "RTAA*", "LSS-LRTA*", "aRTAA*", "daRTAA*")
EQUAL_STEPS_PERCENT = 10  # per cent that a few trips differ by for no reason: steps within it count as equal
TIMING_REPEATS = 3  # of the same trips: the times of the quickest round count
TRIAL_LOOKAHEADS = (1, 5, 9, 17, 33, 65, 129, 257, 513, 1025)
REFINEMENTS = 3  # about as many lookaheads between these are measured for each planner
DEFAULT_SECONDS = 30.0  # what an answer may take, unless the user says otherwise
OPTIONAL_COLUMNS = ("options", "waits", "broken_off")  # columns that are printed where there is something in them
MIN_TRIP_SECONDS = 1e-3  # seconds that a trip gets in any case


@dataclass(frozen=True)
class CalibrationResult:
    """What a planner needs and what its trips cost.

    options: those given by the user. us: microseconds per episode or move, on average. worst_us: of 100 searches 99
    take at most so long. solved: cost and waits of the trips that arrived, by the number of the problem. broken_off:
    how many were not finished in their share of the time. ok: it keeps the limit.
    """

    planner: str
    options: str
    lookahead: int | None
    mean_us: float
    p99_us: float
    cost_and_waits: dict[int, tuple[float, int]]
    trip_count: int
    timed_out_trips: int
    keeps_limit: bool

    @property
    def reached_count(self) -> int:
        """How many of the trips arrived."""
        return len(self.cost_and_waits)

    def mean_cost_and_waits(self, problems: set[int]) -> tuple[float | None, float | None]:
        """Cost and waits on those of the problems that it solved."""
        found = [self.cost_and_waits[number] for number in problems if number in self.cost_and_waits]
        if not found:
            return None, None
        cost, waits = np.mean(found, axis=0).tolist()
        return cost, waits

    def as_row(self, common: set[int]) -> dict[str, Any]:
        """A row of the table. common: the problems that costs are compared on."""
        cost, waits = self.mean_cost_and_waits(common)
        return {
            "planner": self.planner,
            "options": self.options,
            "lookahead": self.lookahead,
            "us": self.mean_us,
            "worst_us": self.p99_us,
            "cost": cost,
            "waits": waits,
            "reached": self.reached_count,
            "trips": self.trip_count,
            "compared": len(common & self.cost_and_waits.keys()),
            "broken_off": self.timed_out_trips,
            "ok": self.keeps_limit,
        }


def rank_results(answers: Iterable[CalibrationResult]) -> list[CalibrationResult]:
    """The best first: planners that keep the limit come before the others, which are ordered by their time.

    The ranking of planners that keep the limit prefers more arrivals, then fewer steps on the problems that all of them
    with as many arrivals solved. Planners that take about as few steps as the best are ordered by their time.
    """
    given = list(answers)
    alike = {
        most: [one for one in given if one.keeps_limit and one.reached_count == most]
        for most in {one.reached_count for one in given}
    }
    common = {most: solved_by_all(one.cost_and_waits for one in those) for most, those in alike.items()}

    def steps(one: CalibrationResult) -> float:
        cost, waits = one.mean_cost_and_waits(common[one.reached_count])
        return (cost or 0.0) + (waits or 0.0)

    least = {most: min(map(steps, those), default=0.0) for most, those in alike.items()}

    def rank(one: CalibrationResult) -> tuple[bool, float, float, float]:
        if not one.keeps_limit:
            return (True, one.mean_us, 0.0, 0.0)
        near = steps(one) <= (1 + EQUAL_STEPS_PERCENT / 100) * least[one.reached_count]
        return (False, -one.reached_count, 0.0 if near else steps(one), one.mean_us)

    return sorted(given, key=rank)


def advise(
    world: World | Space,
    problems: Iterable[Any] | int = 5,
    *,
    episode_us: float | None = None,
    move_us: float | None = None,
    planners: Iterable[str | NamedPlanner] | str | None = None,
    seconds: float = DEFAULT_SECONDS,
    max_moves: int | None = None,
    seed: int = 0,
    progress: Callable[[str], None] = lambda what: None,
) -> ResultTable:
    """Recommend a planner and a lookahead for a time limit, by measuring on this machine.

    Parameters
    ----------
    world
        A World, or a Space, as for `replan.compare`.
    problems
        Problems, as for `replan.compare`.
    episode_us
        Time limit of a search on average, in microseconds. Give either this or `move_us`.
    move_us
        Time limit of all searches per move on average, in microseconds.
    planners
        Names with options; your own as "mine.py:MyPlanner". None: those that are the best in some setting. A planner
        that has a lookahead and is given none is tried with several.
    seconds
        Time limit of the answer. A trip that takes longer than its share is broken off, and counts as not arrived. One
        search on a very large map may exceed it.
    max_moves
        Largest number of moves of a trip, as for `replan.compare`.
    seed
        Seed of the drawn problems.
    progress
        Function that is called with what is measured next.

    Returns
    -------
    ResultTable
        A row for each planner, the best first: planner, options, lookahead, us (per episode or move, on average),
        worst_us (99 of 100 searches take at most so long), cost and waits (means of the problems that all planners
        solved), reached (trips that arrived), trips, compared (trips in the mean of cost), broken_off (trips that were
        broken off), ok (True if the limit is met). `left_out` names planners that cannot solve the problems.

    Raises
    ------
    InputError
        If an argument is not possible.

    Notes
    -----
    The ranking prefers the planner that meets the limit, arrives most often, and then needs the fewest time steps,
    waiting included. Among those within 10 % of that, it prefers the fastest.

    Times between measured lookaheads are interpolated, as in RTAA* 2006. The chosen lookahead is then measured itself,
    and reduced if it takes too long.

    If costs differ by many orders of magnitude, real-time planners arrive late or never: each move raises h by about
    the smallest cost. D* Lite does not depend on that, nor does RTD*, for a hard limit.

    Examples
    --------
    >>> import replan
    >>> grid = replan.Grid(replan.maze(15, 15, seed=1), neighbors=4)
    >>> table = advise(replan.World(grid), 2, episode_us=1e6, planners=["RTAA*", "D* Lite"], seconds=2)
    >>> sorted((row["planner"], row["ok"]) for row in table)
    [('D* Lite', True), ('RTAA*', True)]
    """
    if (episode_us is None) == (move_us is None):
        raise InputError("give one limit, in microseconds: episode_us or move_us")
    limit, per = (episode_us, "episode") if episode_us is not None else (move_us, "move")
    if not isinstance(limit, (int, float)) or not 0 < limit < float("inf"):
        raise InputError(f"{per}_us is a number of microseconds above 0, not {limit!r}")
    if not isinstance(seconds, (int, float)) or not 0 < seconds < float("inf"):
        raise InputError(f"seconds is a number above 0, not {seconds!r}")
    place = world if isinstance(world, World) else World(world, sensor="everything", known="everything")
    listed = [(problem.start, problem.goal) for problem in resolve_problems(place, problems, seed)]
    calibration = Calibration(place, listed, float(limit), per, resolve_max_moves(place.space, max_moves), progress)
    answers = rank_results(calibration.results(resolve_planners(planners), seconds, strict=planners is not None))
    if not answers:  # of the usual ones none can do it
        raise InputError(next(iter(calibration.left_out.values()), "there is no planner to try"))
    common = solved_by_all(answer.cost_and_waits for answer in answers)
    rows = [answer.as_row(common) for answer in answers]
    shown = (column for column in rows[0] if column not in OPTIONAL_COLUMNS or any(row[column] for row in rows))
    main = [column for column in shown if column != "compared"]
    return ResultTable(rows, main, calibration.left_out, marks_unsolved=True)


def resolve_planners(given: Iterable[str | NamedPlanner] | str | None) -> list[NamedPlanner]:
    """Planners by their names; the usual ones for None. Raises InputError."""
    if given is None:
        return [NamedPlanner(name) for name in DEFAULT_PLANNERS]
    if isinstance(given, str):
        return parse_planners(given)
    return [one if isinstance(one, NamedPlanner) else parse_planner(one) for one in given]


def varies_lookahead(planner: NamedPlanner) -> bool:
    """Is it tried with many lookaheads?"""
    return planner.uses_lookahead and "lookahead" not in planner.options


def measurement_count(planners: Iterable[NamedPlanner]) -> int:
    """About as many are made."""
    return sum(len(TRIAL_LOOKAHEADS) + REFINEMENTS if varies_lookahead(planner) else 1 for planner in planners)


class Calibration:
    """Trips of planners on problems, with times, within a time."""

    def __init__(
        self,
        world: World,
        problems: list[tuple[Any, Any]],
        limit_us: float,
        per: str,
        max_moves: int,
        step: Callable[[str], None],
    ) -> None:
        self._max_moves = max_moves
        self._world, self._problems, self._limit_us, self._limit_unit, self._progress = (
            world,
            problems,
            limit_us,
            per,
            step,
        )
        self.left_out: dict[str, str] = {}

    def results(self, planners: list[NamedPlanner], seconds: float, strict: bool) -> Iterator[CalibrationResult]:
        """The best setting of each planner. What one leaves of its share of the time is for the others.

        strict: the user named the planners, so one that cannot do it is an error.
        """
        end = time.monotonic() + seconds
        for number, planner in enumerate(planners):
            now = time.monotonic()
            until = now + (end - now) / (len(planners) - number)
            try:
                found = (
                    self._calibrate_lookahead(planner, until)
                    if varies_lookahead(planner)
                    else self._measure(planner, None, until)
                )
            except InputError as error:
                if strict:
                    raise
                self.left_out[planner.label] = str(error)
            else:
                yield found

    def _calibrate_lookahead(self, planner: NamedPlanner, until: float) -> CalibrationResult:
        """The largest lookahead that keeps the limit."""
        to_come = len(TRIAL_LOOKAHEADS) + REFINEMENTS

        def measure(lookahead: int) -> CalibrationResult:
            nonlocal to_come
            now, to_come = time.monotonic(), max(1, to_come - 1)
            return self._measure(planner, lookahead, now + (until - now) / (to_come + 1))

        found: list[CalibrationResult] = []
        for lookahead in TRIAL_LOOKAHEADS:
            found.append(measure(lookahead))
            if not found[-1].keeps_limit:
                break
        to_come = REFINEMENTS
        chosen = largest_odd_lookahead(
            [LookaheadMeasurement(one.lookahead or 0, one.mean_us, 0.0) for one in found], self._limit_us
        )
        within = [one for one in found if one.keeps_limit]
        while chosen is not None and chosen > 1 and chosen not in [one.lookahead for one in found]:
            refined = measure(chosen)
            if refined.keeps_limit:
                within.append(refined)
                break
            chosen = _reduced_lookahead(chosen)
        best = max(within, key=lambda one: one.lookahead or 0) if within else found[0]
        if best.timed_out_trips and time.monotonic() < until:  # once more, with all the time that is left
            again = self._measure(planner, best.lookahead, until)
            best = again if again.keeps_limit == best.keeps_limit else best
        return best

    def _measure(self, planner: NamedPlanner, lookahead: int | None, until: float) -> CalibrationResult:
        """Several rounds of all trips, as far as the time allows; the least disturbed one counts."""
        self._progress(planner.label if lookahead is None else f"{planner.name} {lookahead}")
        made = planner.make(**({} if lookahead is None else {"lookahead": lookahead}))
        rounds: list[list[Trip]] = []
        begun = time.monotonic()
        while not rounds or (len(rounds) < TIMING_REPEATS and time.monotonic() + (time.monotonic() - begun) < until):
            begun = time.monotonic()
            rounds.append(list(self._run_trips(made, until)))
        trips = min(rounds, key=lambda trips: sum(trip.search_ns for trip in trips))
        each = np.concatenate([np.asarray(trip.episode_ns or [0]) for trip in trips]) / 1000
        whole = sum(trip.episodes if self._limit_unit == "episode" else trip.moves for trip in trips)
        us = sum(trip.search_ns for trip in trips) / max(1, whole) / 1000
        solved = {number: (trip.cost, trip.waits) for number, trip in enumerate(trips) if trip.reached}
        return CalibrationResult(
            planner=planner.name,
            options=format_options(planner.options),
            lookahead=lookahead,
            mean_us=us,
            p99_us=float(np.quantile(each, 0.99)),
            cost_and_waits=solved,
            trip_count=len(trips),
            timed_out_trips=sum(trip.why == "max_seconds" for trip in trips),
            keeps_limit=us <= self._limit_us,
        )

    def _run_trips(self, planner: Planner, until: float) -> Iterator[Trip]:
        for number, (start, goal) in enumerate(self._problems):
            left = max(MIN_TRIP_SECONDS, (until - time.monotonic()) / (len(self._problems) - number))
            yield simulate(self._world, planner, start, goal, self._max_moves, "episode", max_seconds=left)


def _reduced_lookahead(lookahead: int) -> int:
    """Nine tenths of it, odd."""
    less = lookahead * 9 // 10
    return max(1, less if less % 2 else less - 1)
