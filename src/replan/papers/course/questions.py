"""The experimental questions of the course project: what is run, and what is expected to come out.

The report tests the expectations; the explanations are texts, in `data/NAME.md`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from replan.experiments.planner_names import NamedPlanner
from replan.experiments.runs import Measurement, Options, Problem, Run, make_options
from replan.papers.course import worlds

RANDOM_TIES: dict[str, Any] = {"ties": "random"}


def explanation_text(name: str) -> str:
    """The explanation of a question, or a proof."""
    file = f"{name.replace('-', '_')}.md"
    return (Path(__file__).parent / "data" / file).read_text(encoding="utf-8")


def course_maze_problem(number: int) -> Problem:
    return worlds.make_problem(worlds.course_maze, number)


def walled_in_problem(number: int) -> Problem:
    return worlds.make_problem(worlds.walled_in, number)


@dataclass(frozen=True)
class Variant:
    """A planner with options in a kind of world; `name` is its column in tables."""

    name: str
    planner: str
    options: Options = ()
    problem: Callable[[int], Problem] = course_maze_problem
    measure: Callable[[Run], Measurement] = worlds.measure_exploration

    def make_run(self, number: int) -> Run:
        return Run(self.planner, self.options, self.problem(number), {"variant": self.name}, self.measure)


@dataclass(frozen=True)
class Expectation:
    """The first is expected to need less than the second, by what was measured."""

    first: Variant
    second: Variant
    metric: str = "expansions"


@dataclass(frozen=True)
class Question:
    """A question: what is asked, what is run and what is expected; the explanation is a text of the same name."""

    name: str
    title: str
    question_text: str
    variants: tuple[Variant, ...]
    expectations: tuple[Expectation, ...]


def _variant(name: str, planner: str, **options: Any) -> Variant:
    return Variant(name, planner, make_options(**{**RANDOM_TIES, **options}))


FORWARD = _variant("Repeated Forward A*", "Repeated Forward A*")
SMALLER_G = _variant("Repeated Forward A*, smaller g", "Repeated Forward A*", prefer="smaller g")
BACKWARD = _variant("Repeated Backward A*", "Repeated Backward A*")
ADAPTIVE = _variant("Adaptive A*", "Adaptive A*")
DSTAR = _variant("D* Lite", "D* Lite")
WALLED = Variant("target walled in", "Repeated Forward A*", make_options(**RANDOM_TIES), walled_in_problem)

ARA_FULL = _variant("ARA*, weight 3 down to 1", "ARA*")
ARA_SOME = _variant("ARA*, until 500 expansions", "ARA*", lookahead=500)
ARA_FIRST = _variant("ARA*, weight 3 alone", "ARA*", lookahead=1)
WEIGHTED = _variant("Repeated Weighted A*, weight 3", "Repeated Weighted A*", weight=3.0)


def _measured_variant(planner: str, what: str, measure: Callable[[Run], Measurement]) -> Variant:
    return Variant(f"{planner}, {what}", planner, make_options(**RANDOM_TIES), course_maze_problem, measure)


CHASING = _measured_variant("Repeated Forward A*", "moving target", worlds.measure_chase)
CHASING_ADAPTIVE = _measured_variant("Moving-Target Adaptive A*", "moving target", worlds.measure_chase)
DOORS = _measured_variant("Repeated Forward A*", "doors", worlds.measure_doors)
DOORS_ADAPTIVE = _measured_variant("Generalized Adaptive A*", "doors", worlds.measure_doors)
DOORS_UNCHANGED = _measured_variant("Adaptive A*", "doors", worlds.measure_doors)
DOORS_DSTAR = _measured_variant("D* Lite", "doors", worlds.measure_doors)

TIME = "search_ns"

QUESTIONS = (
    Question(
        "question-2",
        "Question 2: ties towards smaller or larger g",
        "Among cells of equal f, should A* expand the one with the smaller or with the larger g first?",
        (FORWARD, SMALLER_G),
        (Expectation(FORWARD, SMALLER_G), Expectation(FORWARD, SMALLER_G, TIME)),
    ),
    Question(
        "question-3",
        "Question 3: forward or backward",
        "Should A* search from the agent to the target, or from the target to the agent?",
        (FORWARD, BACKWARD),
        (Expectation(FORWARD, BACKWARD), Expectation(FORWARD, BACKWARD, TIME)),
    ),
    Question(
        "question-5",
        "Question 5: Repeated Forward A* or Adaptive A*",
        "Does it pay, in run time, to make the h-values better informed after each search?",
        (FORWARD, ADAPTIVE),
        (Expectation(ADAPTIVE, FORWARD), Expectation(ADAPTIVE, FORWARD, TIME)),
    ),
    Question(
        "question-6",
        "Question 6: a target that moves",
        "How can Adaptive A* follow a target that moves, on shortest presumed unblocked paths?",
        (CHASING, CHASING_ADAPTIVE),
        (Expectation(CHASING_ADAPTIVE, CHASING), Expectation(CHASING_ADAPTIVE, CHASING, TIME)),
    ),
    Question(
        "question-7",
        "Question 7: blockages that disappear",
        "How can Adaptive A* cope with costs that fall as well as rise?",
        (DOORS, DOORS_ADAPTIVE, DOORS_DSTAR, DOORS_UNCHANGED),
        (
            Expectation(DOORS_ADAPTIVE, DOORS),
            Expectation(DOORS_ADAPTIVE, DOORS, TIME),
            Expectation(DOORS_DSTAR, DOORS_ADAPTIVE),
            Expectation(DOORS_ADAPTIVE, DOORS_UNCHANGED, "moves"),
        ),
    ),
    Question(
        "question-8",
        "Question 8: Adaptive A* or D* Lite",
        "Which of the two ways to use earlier searches is faster?",
        (ADAPTIVE, DSTAR),
        (Expectation(DSTAR, ADAPTIVE), Expectation(DSTAR, ADAPTIVE, TIME)),
    ),
    Question(
        "question-9",
        "Question 9: Adaptive A* or ARA*",
        "What does ARA* cost and gain, in path length and in time?",
        (ADAPTIVE, ARA_FULL, ARA_SOME, ARA_FIRST, WEIGHTED),
        (
            Expectation(ADAPTIVE, ARA_FULL),
            Expectation(ADAPTIVE, ARA_FULL, TIME),
            Expectation(ARA_FIRST, ARA_FULL),
            Expectation(ARA_FIRST, WEIGHTED),
            Expectation(ADAPTIVE, ARA_FIRST, "moves"),
        ),
    ),
)

SIZES = (13, 25, 51, 101, 201)
TERRAINS: dict[str, Any] = {"maze": worlds.course_maze, "open terrain": worlds.open_terrain}
OPEN_LISTS: dict[str, tuple[str, Options]] = {
    "A*, heap": ("Repeated Forward A*", make_options(**RANDOM_TIES)),
    "A*, buckets": ("Repeated Forward A*", make_options(queue="buckets")),
    "breadth-first": ("Repeated BFS", ()),
}


def sized_variant(terrain: str, size: int, open_list: str) -> Variant:
    """A variant of Extra Credit 2: how to search, in a terrain of a size."""
    planner, options = OPEN_LISTS[open_list]
    make = TERRAINS[terrain]
    return Variant(
        f"{open_list}, {terrain} {size}", planner, options, lambda number: worlds.make_problem(make, number, size)
    )


SIZED_VARIANTS = {(t, size, how): sized_variant(t, size, how) for t in TERRAINS for size in SIZES for how in OPEN_LISTS}

BUCKETS = SIZED_VARIANTS["maze", worlds.SIZE, "A*, buckets"]
COMPACT = Variant("Compact A*", "Compact A*")

CREDIT_1 = Question(
    "extra-credit-1",
    "Extra Credit 1: memory",
    "How little memory do the planners get by with, and what does that cost in time?",
    (BUCKETS, COMPACT),
    (Expectation(BUCKETS, COMPACT), Expectation(BUCKETS, COMPACT, TIME)),
)

CREDIT_2 = Question(
    "extra-credit-2",
    "Extra Credit 2: other open lists",
    "What do breadth-first search, and buckets instead of a heap, do to the runtime?",
    tuple(SIZED_VARIANTS.values()),
    tuple(
        Expectation(SIZED_VARIANTS[terrain, size, first], SIZED_VARIANTS[terrain, size, second], TIME)
        for terrain in TERRAINS
        for size in SIZES
        for first, second in (
            ("A*, buckets", "A*, heap"),
            ("A*, heap", "breadth-first"),  # at every size: the tests tell where that turns
        )
    ),
)

QUESTIONS_WITH_RUNS = (*QUESTIONS, CREDIT_1, CREDIT_2)


def user_planners_question(planners: Sequence[NamedPlanner]) -> Question:
    """Planners that the user named beside Repeated Forward A*, in the same worlds."""
    variants = [Variant(p.label, p.name, make_options(**p.with_options(ties="random"))) for p in planners]
    others = [variant for variant in variants if variant.name != FORWARD.name]
    expectations = [Expectation(variant, FORWARD, measure) for variant in others for measure in ("expansions", TIME)]
    text = "The worlds of the course, and the same tests. Nothing is expected of a planner that is not the paper's."
    return Question("named", "Planners that you named", text, (FORWARD, *others), tuple(expectations))
