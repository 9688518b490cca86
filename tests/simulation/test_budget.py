"""Budgets as values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import replan


@given(st.integers(1, 10**9), st.floats(0, 1))
def test_split_loses_nothing(k, share):
    first, rest = replan.Expansions(k).split(share)
    assert first.expansions + rest.expansions == k
    assert first.expansions >= 1
    first, rest = replan.Deadline(k).split(share)
    assert first.nanoseconds + rest.nanoseconds == 1000 * k
    for part, other in ((first, rest), (rest, first)):
        empty = other.nanoseconds == 1000 * k
        assert (part.expansions == 0) == empty, "no part of a deadline is without a limit"


def test_unlimited():
    unlimited = replan.Unlimited()
    assert unlimited.nanoseconds == 0
    assert all(half.expansions == unlimited.expansions for half in unlimited.split(0.5))
    assert "unlimited" in repr(unlimited)


@pytest.mark.parametrize(
    "make",
    [
        lambda: replan.Expansions(0),
        lambda: replan.Expansions(1.5),
        lambda: replan.Deadline(0),
        lambda: replan.Deadline(-3),
        lambda: replan.Deadline(float("nan")),
        lambda: replan.Expansions(5).split(2),
        lambda: replan.Deadline(50).split("a"),
    ],
)
def test_bad_budgets_are_refused(make):
    with pytest.raises(replan.InputError):
        make()


@pytest.mark.parametrize("odd", ["50us", None, [1], object(), 2**80, b"5"])
def test_what_is_no_number_is_refused_in_a_sentence(odd):
    with pytest.raises(replan.InputError, match="a deadline is a number of microseconds from 1, such as 50, not"):
        replan.Deadline(odd)
    with pytest.raises(replan.InputError, match="a budget is a whole number of expansions from 1, not"):
        replan.Expansions(odd)


@pytest.mark.parametrize("make", [replan.Deadline, lambda us: replan.planner("RTAA*", deadline=us)])
def test_a_deadline_in_seconds_is_told_the_unit(make):
    """Nobody means two nanoseconds."""
    words = r"a number of microseconds from 1, such as 50.*not 0.002 \(if seconds were meant, write 2000\)"
    with pytest.raises(replan.InputError, match=words):
        make(0.002)


def test_numbers_of_numpy_will_do():
    assert replan.Expansions(np.int32(7)).expansions == 7
    assert replan.Deadline(np.float32(1.5)).nanoseconds == 1500


def test_a_deadline_may_be_given_made_or_as_a_number():
    belief = replan.Grid(np.zeros((20, 20), bool))
    made = replan.Agent("RTAA*", belief, (0, 0), (19, 19), deadline=replan.Deadline(80))
    told = replan.Agent("RTAA*", belief, (0, 0), (19, 19), deadline=80)
    assert made.plan() and told.plan()
    assert replan.planner("RTAA*", deadline=replan.Deadline(80)).deadline == 80


@pytest.mark.parametrize("lookahead", [5, 9])
def test_a_lookahead_holds_beside_a_deadline_wherever_the_two_are_given(lookahead):
    """Also where it is as long as it would be anyway: only a deadline that is given alone replaces it."""
    line = replan.Grid(np.zeros((1, 60), bool), neighbors=4)
    both = {"lookahead": lookahead, "deadline": 100_000}
    for planner, options in ((replan.planner("RTAA*", **both), {}), ("RTAA*", both)):
        assert len(replan.Agent(planner, line, (0, 0), (0, 59), **options).plan()) == lookahead
    assert len(replan.Agent("RTAA*", line, (0, 0), (0, 59), deadline=100_000).plan()) == 59
    assert replan.planner("RTAA*", deadline=50).lookahead is None


class Unmade(replan.Deadline):
    def __init__(self):
        pass


def altered(name, value):
    budget = replan.Deadline(50)
    setattr(budget, name, value)
    return budget


@pytest.mark.parametrize(
    "make",
    [
        Unmade,
        lambda: altered("nanoseconds", -4),
        lambda: altered("nanoseconds", "50"),
        lambda: altered("expansions", 2**70),
        lambda: replan.Budget(-1),
        lambda: replan.Budget(1.5),
        lambda: replan.Budget(nanoseconds=None),
    ],
)
def test_what_is_a_budget_by_name_alone_is_refused_wherever_it_is_given(make):
    def agent(**options):
        return replan.Agent("RTAA*", replan.Grid([[0] * 9]), (0, 0), (0, 8), **options)

    for use in (lambda: agent().plan(make()), lambda: agent(deadline=make())):
        with pytest.raises(replan.InputError, match=r"is no budget: its (expansions|nanoseconds) is"):
            use()


@pytest.mark.parametrize("name", ["RTAA*", "LSS-LRTA*", "TBA*", "FRIT(BFS)", "RTD*", "Adaptive A*", "LRTA*"])
def test_what_is_left_of_a_budget_that_is_spent_is_no_proof_that_there_is_no_way(name):
    _, nothing = replan.Expansions(5).split(1)
    assert nothing.expansions == 0
    agent = replan.Agent(name, replan.Grid([[0] * 9]), (0, 0), (0, 8))
    assert agent.plan(nothing) and agent.status is replan.Status.WALKING


EMPTY = [
    replan.Deadline(50).split(1)[1],
    replan.Deadline(50).split(0)[0],
    replan.Deadline(1).split(1e-6)[0],
    replan.Budget(10, nanoseconds=1000).split(1)[1],
    replan.Expansions(5).split(1)[1],
    replan.Budget(0),
]


@pytest.mark.parametrize("empty", EMPTY)
def test_an_empty_budget_is_empty_and_so_are_its_parts(empty):
    assert empty.expansions == 0 and "0 expansions" in repr(empty)
    assert [part.expansions for part in empty.split(0.5)] == [0, 0]


def open_ground() -> replan.Grid:
    return replan.Grid(np.zeros((60, 60), bool))


@pytest.mark.parametrize("spec", replan.planners(), ids=lambda spec: spec.name)
def test_an_empty_budget_for_an_agent(spec):
    """A planner expands one state or so; one that searches all the way says that it cannot keep a budget."""
    grid = replan.Grid(np.zeros((60, 60), bool), neighbors=4)
    agent = replan.Agent(spec.name, grid, (30, 30), (59, 59))
    try:
        agent.plan(EMPTY[0])
    except replan.InputError as refused:
        assert "cannot keep a budget" in str(refused) and not spec.is_realtime
        return
    assert agent.status is not replan.Status.UNREACHABLE
    if not spec.name.startswith(("AD*", "ARA*")):  # these finish their first search, whatever that takes
        assert agent.planner.expansions <= 12


@pytest.mark.parametrize("empty", EMPTY)
def test_an_empty_budget_for_a_planner_in_python(empty):
    told = []

    class Own(replan.Planner):
        def plan(self, state, budget):
            told.append((budget.expansions, budget.nanoseconds))
            return [state + 1]

    replan.Agent(Own(), open_ground(), (0, 0), (0, 5)).plan(empty)
    assert told == [(1, 0)]


@pytest.mark.parametrize("empty", EMPTY)
def test_an_empty_budget_for_fields_and_crowds(empty):
    field = replan.FlowField(open_ground(), (0, 0))
    assert field.advance([(59, 59)], empty).tolist() == [False] and field.expansions == 0
    for name, options in (
        ("RTAA*", {}),
        ("RTAA*", {"workers": 2}),
        ("LSS-LRTA*", {"lookahead": None}),
        ("FlowField", {}),
    ):
        crowd = replan.Crowd(open_ground(), name, **options)
        crowd.add([(row, 0) for row in range(40)], (59, 59))
        for _ in range(3):
            crowd.tick(empty)
            assert crowd.report().expansions <= 1


@pytest.mark.parametrize("empty", EMPTY)
@pytest.mark.parametrize("name", ["D* Lite", "AD*", "Truncated D* Lite"])
def test_an_empty_budget_for_a_part_of_rtd(name, empty):
    grid = open_ground()
    planner = replan.planner(name)
    planner.begin(grid, replan.Agent("A*", grid, (0, 0), (59, 59)).goals)
    assert not planner.advance(grid.state((0, 0)), empty) and planner.expansions == 0


@pytest.mark.parametrize("name", ["RTD*", "RTD* NoOp", "FRIT(BFS)", "TBA*", "RTAA*"])
def test_deadlines_that_are_over_at_once_bring_an_agent_to_its_goal(name):
    """Each episode makes a turn at least."""
    agent = replan.Agent(name, replan.Grid([[0] * 9]), (0, 0), (0, 8))
    for _ in range(2000):
        path = agent.plan(replan.Budget(nanoseconds=1))
        if path:
            agent.move(path[0])
        if agent.cell == (0, 8):
            return
    pytest.fail(f"{name} stands on {agent.cell}")
