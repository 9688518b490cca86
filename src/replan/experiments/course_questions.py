"""The experimental questions of paper 004: what is run, what is compared, and why it comes out so.

A comparison names first the variant that is expected to need less; the report tests that.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from replan.experiments import course_worlds as worlds
from replan.experiments.runs import Measured, Pairs, Problem, Run, pairs, walk

RANDOM: dict[str, Any] = {"ties": "random"}


def in_maze(number: int) -> Problem:
    return worlds.problem(worlds.course_maze, number)


def behind_walls(number: int) -> Problem:
    return worlds.problem(worlds.walled_in, number)


@dataclass(frozen=True)
class Variant:
    """A planner with options in a kind of world; `name` is its column in tables."""

    name: str
    planner: str
    options: Pairs = ()
    problem: Callable[[int], Problem] = in_maze
    measure: Callable[[Run], Measured] = walk

    def run(self, number: int) -> Run:
        return Run(self.planner, self.options, self.problem(number), {"variant": self.name}, self.measure)


@dataclass(frozen=True)
class Comparison:
    """The first is expected to have the smaller measure."""

    first: Variant
    second: Variant
    measure: str = "expansions"


@dataclass(frozen=True)
class Question:
    """A question: what is asked, what is run, what is compared, and the answer."""

    name: str
    title: str
    asks: str
    variants: tuple[Variant, ...]
    comparisons: tuple[Comparison, ...]
    answer: str


def _variant(name: str, planner: str, **options: Any) -> Variant:
    return Variant(name, planner, pairs(**{**RANDOM, **options}))


FORWARD = _variant("Repeated Forward A*", "Repeated Forward A*")
SMALLER_G = _variant("Repeated Forward A*, smaller g", "Repeated Forward A*", prefer="smaller g")
BACKWARD = _variant("Repeated Backward A*", "Repeated Backward A*")
ADAPTIVE = _variant("Adaptive A*", "Adaptive A*")
DSTAR = _variant("D* Lite", "D* Lite")
WALLED = Variant("target walled in", "Repeated Forward A*", pairs(**RANDOM), behind_walls)

ARA_FULL = _variant("ARA*, weight 3 down to 1", "ARA*")
ARA_SOME = _variant("ARA*, until 500 expansions", "ARA*", lookahead=500)
ARA_FIRST = _variant("ARA*, weight 3 alone", "ARA*", lookahead=1)
WEIGHTED = _variant("Repeated Weighted A*, weight 3", "Repeated Weighted A*", weight=3.0)


def _elsewhere(of: Variant, what: str, measure: Callable[[Run], Measured], planner: str = "", **more: Any) -> Variant:
    name = f"{planner or of.planner}, {what}"
    return Variant(name, planner or of.planner, pairs(**{**dict(of.options), **more}), of.problem, measure)


CHASING = _elsewhere(FORWARD, "moving target", worlds.chase)
CHASING_ADAPTIVE = _elsewhere(FORWARD, "moving target", worlds.chase, "Moving-Target Adaptive A*")
DOORS = _elsewhere(FORWARD, "doors", worlds.through_doors)
DOORS_ADAPTIVE = _elsewhere(FORWARD, "doors", worlds.through_doors, "Generalized Adaptive A*")
DOORS_UNCHANGED = _elsewhere(FORWARD, "doors", worlds.through_doors, "Adaptive A*")
DOORS_DSTAR = _elsewhere(FORWARD, "doors", worlds.through_doors, "D* Lite")

TIME = "search_ns"

QUESTIONS = (
    Question(
        "question-2",
        "Question 2: ties towards smaller or larger g",
        "Among cells of equal f, should A* expand the one with the smaller or with the larger g first?",
        (FORWARD, SMALLER_G),
        (Comparison(FORWARD, SMALLER_G), Comparison(FORWARD, SMALLER_G, TIME)),
        """
Larger g. With Manhattan distances a presumed unblocked path is usually one of many: every cell of a rectangle of free
or unknown cells between agent and target has the f-value of the target. Towards larger g the search walks straight
through such a plateau, since the successor that comes nearer to the target has the same f and a larger g. Towards
smaller g it goes back to the start of the plateau each time and expands all of it first. In the empty world of
Figure 9 (agent and target in opposite corners) that is 8 expansions against 24 of 25 cells. (23 by the stop rule of
the paper's Figure 4, which compares with g of the target; ours stops when the target is first in the open list. With
ties towards larger g both are the same.)
""",
    ),
    Question(
        "question-3",
        "Question 3: forward or backward",
        "Should A* search from the agent to the target, or from the target to the agent?",
        (FORWARD, BACKWARD),
        (Comparison(FORWARD, BACKWARD), Comparison(FORWARD, BACKWARD, TIME)),
        """
Forward. The blocked cells that the agent knows of lie around the agent. A forward search meets them at once, while
its open list is small, and once it is past them the way to the target is presumed free and costs no more than one
expansion a step. A backward search runs freely to the region of the agent and only then finds out that its h-values
were too small: it has to raise the f-value, and with each raise it expands further cells all along the way from
the target, through unknown terrain in which every cell looks as good as its neighbour.
""",
    ),
    Question(
        "question-5",
        "Question 5: Repeated Forward A* or Adaptive A*",
        "Does it pay to make the h-values better informed after each search?",
        (FORWARD, ADAPTIVE),
        (Comparison(ADAPTIVE, FORWARD), Comparison(ADAPTIVE, FORWARD, TIME)),
        """
Yes. After each search every expanded cell gets the h-value g(target) - g(cell), which is never smaller than its old one
and still consistent. A later search from a neighbouring cell does not expand again what turned out to lead nowhere:
the dead ends near the agent, in which Repeated Forward A* gets stuck in search after search. The updates cost a pass
over the expanded cells, so the saving in time is smaller than that in expansions.
""",
    ),
    Question(
        "question-6",
        "Question 6: a target that moves",
        "How can Adaptive A* follow a target that moves, on shortest presumed unblocked paths?",
        (CHASING, CHASING_ADAPTIVE),
        (Comparison(CHASING_ADAPTIVE, CHASING), Comparison(CHASING_ADAPTIVE, CHASING, TIME)),
        """
The learned h-values estimate the distance to the old target, so they have to be changed: towards the new one they can
overestimate. Let d = h(new target). By consistency and the triangle inequality h(s) - d never overestimates the
distance from s to the new target, and neither does the Manhattan distance to it: the larger of both is consistent and
is the new h(s). Moving-Target Adaptive A* does that lazily: it remembers the sum of all d, and a cell is corrected when
a search next meets it, so no step touches all cells. The target here walks at random and rests in one step of
ten, so the agent is faster and catches it. Each correction takes away part of what was learned; what is left still
saves expansions.
""",
    ),
    Question(
        "question-7",
        "Question 7: blockages that disappear",
        "How can Adaptive A* cope with costs that fall as well as rise?",
        (DOORS, DOORS_ADAPTIVE, DOORS_DSTAR, DOORS_UNCHANGED),
        (
            Comparison(DOORS_ADAPTIVE, DOORS),
            Comparison(DOORS_DSTAR, DOORS_ADAPTIVE),
            Comparison(DOORS_ADAPTIVE, DOORS_UNCHANGED, "moves"),
        ),
        """
When a cost falls, a learned h-value can become larger than the true distance, and A* would return paths that are not
shortest: Adaptive A* without any change, the last row, walks further. Generalized Adaptive A* repairs h before the next
search: for each step (u, v) that became cheaper, if h(u) > c(u, v) + h(v), h(u) is lowered to that, and the lowering is
passed on to predecessors in the order of h, as Dijkstra's algorithm does. The result is the largest consistent h below
the old one. Here five walls open and five others close every ten steps, all known to the agent at once, in
terrain that it knows. A repair that touches many cells for each opened wall can cost more than it saves; D* Lite
handles falling costs as it stands.
""",
    ),
    Question(
        "question-8",
        "Question 8: Adaptive A* or D* Lite",
        "Which of the two ways to use earlier searches is faster?",
        (ADAPTIVE, DSTAR),
        (Comparison(DSTAR, ADAPTIVE), Comparison(DSTAR, ADAPTIVE, TIME)),
        """
D* Lite. Adaptive A* keeps h-values and searches again all the way from agent to target. D* Lite keeps the distances to
the target, which stay right wherever no cost has changed, and repairs only the others: those are few and near the
agent, because that is where the agent sees. Its expansions cost more each (two values a cell, keys of several parts,
stale keys that are refreshed and not counted as expansions), so the ratio in time is smaller than that in expansions.
""",
    ),
    Question(
        "question-9",
        "Question 9: Adaptive A* or ARA*",
        "What does ARA* cost and gain, in path length and in time?",
        (ADAPTIVE, ARA_FULL, ARA_SOME, ARA_FIRST, WEIGHTED),
        (
            Comparison(ADAPTIVE, ARA_FULL),
            Comparison(ARA_FIRST, ARA_FULL),
            Comparison(ARA_FIRST, WEIGHTED),
            Comparison(ADAPTIVE, ARA_FIRST, "moves"),
        ),
        """
ARA* searches with h times 3 first, then with smaller weights while its budget lasts, and uses the g-values of the last
search for the next. It is made for one query: in each episode here it starts again, and learns nothing from one
episode to the next. Taken down to weight 1 it does the work of A* and more, while Adaptive A* follows paths
that are just as short for far fewer expansions. Stopped after the first weight it is the cheapest in expansions a search,
and in these corridors its paths are hardly longer than shortest ones. The length of the whole trajectory
depends more on which blocked cells the agent happens to meet than on the paths being shortest as far as is known.
""",
    ),
)

SIZES = (25, 51, 101, 201)
TERRAINS: dict[str, Any] = {"maze": worlds.course_maze, "open terrain": worlds.open_terrain}
LISTS: dict[str, tuple[str, Pairs]] = {
    "A*, heap": ("Repeated Forward A*", pairs(**RANDOM)),
    "A*, buckets": ("Repeated Forward A*", pairs(queue="buckets")),
    "breadth-first": ("Repeated BFS", ()),
}


def sized(terrain: str, size: int, how: str) -> Variant:
    """A variant of Extra Credit 2: how to search, in a terrain of a size."""
    planner, options = LISTS[how]
    make = TERRAINS[terrain]
    return Variant(
        f"{how}, {terrain} {size}", planner, options, lambda number: worlds.problem(make, number, size), walk
    )


SIZED = {(t, size, how): sized(t, size, how) for t in TERRAINS for size in SIZES for how in LISTS}

CREDIT_2 = Question(
    "extra-credit-2",
    "Extra Credit 2: other open lists",
    "What do breadth-first search, and buckets instead of a heap, do to the runtime?",
    tuple(SIZED.values()),
    tuple(
        Comparison(SIZED[t, size, how], SIZED[t, size, "A*, heap"], measure)
        for how, measure in (("A*, buckets", TIME), ("breadth-first", TIME))
        for t in TERRAINS
        for size in SIZES
    ),
    """
Breadth-first search here has a first-in first-out queue that is an array of cells, one stamp a cell, no g, no h and no
keys; it stops when the target is generated, not when it is taken out. An expansion costs a fraction of one of A*. But it
expands all cells that are nearer than the target, in every direction. So it wins where the worlds are small, or where
walls leave A* little to gain, and it loses the more the larger and the more open the terrain is.

Buckets (last-in first-out, indexed by f) need no comparisons and no percolations: taking out and putting in cost the same
whatever the length of the list. They expand about as many cells as the heap with ties towards larger g, since the last
cell put in is usually one with the largest g, and each expansion is cheaper.
""",
)

EXPERIMENTS = (*QUESTIONS, CREDIT_2)
