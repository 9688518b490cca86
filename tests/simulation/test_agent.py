"""The user's own loop: observe, plan, move."""

from __future__ import annotations

import copy

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import replan
from examples import examples
from oracle.searches import dijkstra
from oracle.sight import adjacent
from strategies import GridCase, kinds_for, names, problems

ALL = replan.planners()
FORWARD = "Repeated Forward A*"


def empty(rows: int = 5, cols: int = 5, **options) -> replan.Grid:
    return replan.Grid(np.zeros((rows, cols), bool), **options)


def walk(agent: replan.Agent, case: GridCase, limit: int = 20_000) -> tuple[list, str]:
    """The loop of a game that keeps the truth itself."""
    values, path = case.values(), [agent.cell]
    while True:
        seen = [*adjacent(case.blocked, case.neighbors, agent.cell), agent.cell]
        if case.weights is None:
            agent.observe(seen, [values[r][c] == 0 for r, c in seen])
        else:
            agent.observe(seen, weights=[values[r][c] for r, c in seen])
        steps = agent.plan()
        if steps is None:
            return path, "unreachable"
        if not steps:
            return path, "reached"
        assert agent.plan() == steps, "planning twice changes nothing"
        agent.move(steps[0])
        path.append(agent.cell)
        assert len(path) < limit


@pytest.mark.parametrize("spec", ALL, ids=names(ALL))
@examples(40)
@given(data=st.data())
def test_the_loop_walks_as_simulate_does(spec, data):
    case, start, goal = data.draw(problems(largest=5, **kinds_for(spec)))
    trip = replan.simulate(replan.World(case.grid()), spec.slug, start, goal)
    believed = replan.World(case.grid()).begin()  # it expects the same largest weight as the world's belief
    agent = replan.Agent(spec.slug, believed, start, goal)
    path, why = walk(agent, case)
    assert (path, why) == (trip.path, trip.why)
    assert agent.episodes == trip.episodes
    assert agent.planner.expansions == trip.expansions
    assert agent.planner.percolations == trip.percolations


@given(problems(), st.data())
def test_what_is_observed_is_believed(problem, data):
    case, start, goal = problem
    agent = replan.Agent(FORWARD, case.grid().believed_free(), start, goal)
    cells = [c for c in sorted(case.edges()) if c != start]
    values = case.values()
    chosen = data.draw(st.lists(st.sampled_from(cells), unique=True)) if cells else []
    if case.weights is None:
        agent.observe(chosen, [values[r][c] == 0 for r, c in chosen])
    else:
        agent.observe(chosen, weights=[values[r][c] for r, c in chosen])
    for r, c in sorted(case.edges()):
        expected = values[r][c] if (r, c) in chosen else 1
        assert agent.belief.get_value(agent.belief.state((r, c))) == expected
    believed = [[values[r][c] if (r, c) in chosen else 1 for c in range(case.shape[1])] for r in range(case.shape[0])]
    known = GridCase(
        np.array(believed) == 0,
        case.neighbors,
        case.corners,
        None if case.weights is None else np.array(believed),
        case.walls,
    )
    steps = agent.plan()
    best = dijkstra(known.edges(), start).get(goal)
    assert (steps is None) == (best is None)
    if steps is not None:
        walked = [start, *steps]
        assert sum(known.edges()[a][b] for a, b in zip(walked, steps, strict=False)) == best


def test_rises_off_the_path_are_not_searched_for_and_falls_are():
    agent = replan.Agent(FORWARD, empty(neighbors=4), (0, 0), (0, 4))
    assert agent.plan() == [(0, 1), (0, 2), (0, 3), (0, 4)]
    agent.observe([(2, 2)], [True])
    assert len(agent.plan()) == 4 and agent.episodes == 1
    agent.observe([(2, 2)], [True])  # known already
    agent.observe([(2, 2)], [False])
    assert len(agent.plan()) == 4 and agent.episodes == 2
    agent.observe([(0, 3)], [True])
    assert len(agent.plan()) == 6 and agent.episodes == 3


def test_what_lies_behind_does_not_matter():
    agent = replan.Agent(FORWARD, empty(neighbors=4), (0, 0), (0, 4))
    agent.plan()
    agent.move((0, 1))
    agent.move((0, 2))
    agent.observe([(0, 0), (0, 1)], [True, True])
    assert agent.plan() == [(0, 3), (0, 4)] and agent.episodes == 1


def test_blocking_a_corner_removes_a_diagonal_that_does_not_touch_it():
    agent = replan.Agent(FORWARD, empty(), (0, 0), (4, 4))
    assert agent.plan() == [(1, 1), (2, 2), (3, 3), (4, 4)]
    agent.observe([(1, 2)], [True])
    path = agent.plan()
    assert agent.episodes == 2
    assert (1, 1) not in path or path[path.index((1, 1)) + 1] != (2, 2)


def test_its_own_cell_is_never_believed_blocked():
    agent = replan.Agent(FORWARD, empty(), (0, 0), (4, 4))
    agent.observe([(0, 0)], [True])
    assert not agent.belief.blocked[0, 0]
    assert len(agent.plan()) == 4


def test_a_start_that_is_believed_blocked_is_free_since_the_agent_stands_there():
    blocked = np.zeros((1, 4), bool)
    blocked[0, 0] = True
    for slug in ("repeated-forward-a-star", "repeated-backward-a-star", "rtaa"):
        agent = replan.Agent(slug, replan.Grid(blocked), (0, 0), (0, 3))
        assert agent.plan() == [(0, 1), (0, 2), (0, 3)]
        trip = replan.simulate(
            replan.World(replan.Grid(np.zeros((1, 4), bool)), known=replan.Grid(blocked)), slug, (0, 0), (0, 3)
        )
        assert trip.why == "reached"


def test_moving_off_the_path_searches_anew():
    agent = replan.Agent(FORWARD, empty(neighbors=4), (0, 0), (0, 4))
    agent.plan()
    agent.move((3, 3))  # pushed there
    assert agent.cell == (3, 3)
    assert len(agent.plan()) == 4 and agent.episodes == 2
    agent.move((3, 3))  # it stayed
    assert len(agent.plan()) == 4 and agent.episodes == 2


def test_moving_into_a_cell_that_was_believed_blocked_shows_that_it_is_free():
    blocked = np.zeros((1, 4), bool)
    blocked[0, 1] = True
    agent = replan.Agent(FORWARD, replan.Grid(blocked), (0, 0), (0, 3))
    assert agent.plan() is None
    with pytest.raises(replan.InputError, match=r"\(0, 1\) is believed to be blocked: .*even_if_blocked=True"):
        agent.move((0, 1))
    assert agent.cell == (0, 0) and agent.belief.blocked[0, 1]
    agent.move((0, 1), even_if_blocked=True)
    assert agent.plan() == [(0, 2), (0, 3)]
    assert not agent.belief.blocked[0, 1]


def test_an_agent_may_stay_on_a_cell_that_others_take_for_blocked():
    shared = empty(1, 4)
    one, two = (replan.Agent(FORWARD, shared, (0, c), (0, 3)) for c in (0, 1))
    two.observe([(0, 0)], True)
    one.move((0, 0))
    assert not shared.blocked[0, 0]


def test_agents_tell_where_they_go():
    agent = replan.Agent(FORWARD, empty(neighbors=4), (0, 0), (0, 4))
    assert (agent.goal, agent.path, agent.remaining_cost) == ((0, 4), [], 4.0), "an estimate"
    assert repr(agent) == "<Agent at (0, 0), to (0, 4) by Repeated Forward A*: walking>"
    agent.observe([(0, 1)], True)
    assert agent.plan() == agent.path and agent.remaining_cost == 6.0
    assert repr(agent) == "<Agent at (0, 0), to (0, 4) by Repeated Forward A*: walking, 6 cells ahead>"
    agent.move((1, 0))
    assert (agent.path[0], agent.remaining_cost) == ((1, 1), 5.0)
    agent.observe([agent.path[1]], True)
    assert agent.path == [] and agent.remaining_cost == 5.0, "a search is due: an estimate again"
    agent.retarget({(4, 4), (4, 0)})
    assert agent.goal == {(4, 4), (4, 0)} and agent.remaining_cost == 3.0
    assert "to one of 2 goals by" in repr(agent)
    agent.observe([(2, 0), (1, 1), (0, 0)], True)
    assert agent.plan() is None and agent.remaining_cost == float("inf") and "unreachable>" in repr(agent)
    agent.move((4, 4))
    assert (agent.path, agent.remaining_cost) == ([], 0.0) and "arrived>" in repr(agent)


def test_what_remains_is_in_steps():
    agent = replan.Agent(FORWARD, empty(weights=np.full((5, 5), 3)), (0, 0), (4, 2))
    agent.plan()
    assert agent.remaining_cost == pytest.approx(3 * (2 + 2 * 2**0.5), abs=1e-12)
    roads = replan.Graph([("a", "b", 1.25), ("b", "c", 0.5)], resolution=0.01)
    agent = replan.Agent("RTAA*", roads, "a", "c")
    agent.plan()
    assert agent.remaining_cost == pytest.approx(1.75)


@given(problems(), st.data())
def test_what_remains_falls_by_each_step(problem, data):
    case, start, goal = problem
    agent = replan.Agent(FORWARD, case.grid(), start, goal)
    if agent.plan() is None:
        return
    whole, walked, edges = agent.remaining_cost, 0.0, case.edges()
    unit = agent.belief.units_per_step
    while agent.path:
        here, there = agent.cell, agent.path[0]
        walked += edges[here][there] / unit
        agent.move(there)
        assert agent.remaining_cost == pytest.approx(whole - walked, rel=1e-4, abs=1e-4)
    assert agent.cell == goal


def test_a_bad_agent_has_a_repr_too():
    assert repr(replan.Agent.__new__(replan.Agent)) == "<Agent, not initialized>"
    planner = replan.planner(FORWARD)
    agent, _ = (replan.Agent(planner, empty(), (0, 0), (4, 4)) for _ in range(2))
    assert repr(agent) == "<Agent at (0, 0), whose planner was given to another agent>"


def test_put_back_onto_a_cell_that_was_believed_blocked_shows_that_it_is_free():
    agent = replan.Agent(FORWARD, empty(1, 3, neighbors=4), (0, 0), (0, 2))
    agent.observe([(0, 1)], [True])
    assert agent.plan() is None
    agent.restart((0, 1))
    assert agent.plan() == [(0, 2)] and not agent.belief.blocked[0, 1]


def test_a_belief_that_becomes_another_one_is_planned_on_anew():
    for name in ("D* Lite", "RTAA*", "Compact A*"):
        agent = replan.Agent(name, empty(2, 3, neighbors=4), (0, 0), (0, 2))
        assert agent.plan() == [(0, 1), (0, 2)]
        agent.belief.assign(replan.Grid([[0, 1, 0], [0, 0, 0]], neighbors=4))
        assert agent.plan() == [(1, 0), (1, 1), (1, 2), (0, 2)], name


@pytest.mark.parametrize("spec", ALL, ids=names(ALL))
def test_retarget(spec):
    grid = empty(neighbors=4)
    agent = replan.Agent(replan.planner(spec.slug), grid, (0, 0), (0, 4))
    agent.plan()
    agent.move((0, 1))
    agent.retarget((4, 1))
    for _ in range(30):
        steps = agent.plan()
        if not steps:
            break
        agent.move(steps[0])
    assert agent.cell == (4, 1)
    if spec.needs_plain_grid:
        with pytest.raises(replan.InputError, match="one goal"):
            agent.retarget({(4, 4), (0, 0)})
        return
    agent.retarget({(4, 4), (0, 0), (4, 2)})
    steps = agent.plan()
    assert steps[0] == (4, 2)
    agent.retarget((4, 1))
    assert agent.plan() == []


def test_arrived_and_unreachable():
    agent = replan.Agent(FORWARD, empty(1, 3), (0, 2), (0, 2))
    assert agent.plan() == [] and agent.episodes == 0
    agent = replan.Agent(FORWARD, empty(1, 3), (0, 0), (0, 2))
    agent.observe([(0, 1)], [True])
    assert agent.plan() is None
    agent.observe([(0, 1)], [False])
    assert agent.plan() == [(0, 1), (0, 2)]


def test_graphs_observe_edges():
    graph = replan.Graph([("a", "b", 1), ("b", "c", 1), ("a", "c", 5)])
    agent = replan.Agent(FORWARD, graph, "a", "c")
    assert agent.plan() == ["b", "c"]
    agent.observe([("b", "c")], [True])
    assert agent.plan() == ["c"]
    agent.observe([("c", "b")], weights=[2])
    assert agent.plan() == ["b", "c"]
    agent.observe([("a", "b"), ("a", "c")], weights=[9, 7])
    assert agent.plan() == ["c"]
    agent.observe([("a", "c")], weights=[0])
    assert agent.plan() == ["b", "c"]
    with pytest.raises(replan.InputError, match="cheaper"):
        agent.observe([("a", "b"), ("a", "c")], weights=[0, 2])
    with pytest.raises(replan.InputError):
        agent.observe([("a", "z")], [True])
    assert agent.plan() == ["b", "c"]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda a: a.observe([(0, 1)]), "either"),
        (lambda a: a.observe([(0, 1)], [True], [1]), "either"),
        (lambda a: a.observe([(0, 1)], [True, False]), "1 cell, but 2 values"),
        (lambda a: a.observe([(9, 9)], [True]), "outside"),
        (lambda a: a.observe([(0, 1)], weights=[3]), "without weights"),
        (lambda a: a.observe([(0, 1)], weights=[-1]), "weight"),
        (lambda a: a.observe([(0, 1)], weights=[1.5]), "weight"),
        (lambda a: a.observe([(0, 1)], weights=[70_000]), "weight"),
        (lambda a: a.observe([(0, 1)], weights=[float("nan")]), "weight"),
        (lambda a: a.observe([(0, 1)], weights=["heavy"]), "weight"),
        (lambda a: a.move((5, 0)), "outside"),
        (lambda a: a.move("here"), "a cell is"),
        (lambda a: a.retarget((0, 7)), "outside"),
        (lambda a: a.retarget(set()), "no goal"),
    ],
)
def test_errors_change_nothing(call, words):
    agent = replan.Agent(FORWARD, empty(neighbors=4), (0, 0), (0, 4))
    agent.plan()
    with pytest.raises(replan.InputError, match=words):
        call(agent)
    assert not agent.belief.blocked.any()
    assert agent.cell == (0, 0)
    assert agent.plan() == [(0, 1), (0, 2), (0, 3), (0, 4)] and agent.episodes == 1


@pytest.mark.parametrize(
    ("start", "goal", "words"),
    [((9, 0), (0, 0), "outside"), ((0, 0), (0, 9), "outside"), ((0, 0), [], "no goal"), ((0, 0), None, "a cell is")],
)
def test_bad_agents_are_refused(start, goal, words):
    with pytest.raises(replan.InputError, match=words):
        replan.Agent(FORWARD, empty(), start, goal)


def test_goals_as_people_write_them():
    for goal in [(4, 4), [4, 4], np.array([4, 4]), {(4, 4)}, [(4, 4)], [(4, 4), (4, 0)], np.array([[4, 4], [4, 0]])]:
        agent = replan.Agent(FORWARD, empty(), (3, 3), goal)
        assert agent.plan() == [(4, 4)]


def test_two_agents_that_share_a_belief():
    """Agent says of `believed` that it may be shared: what one sees must reach the path of the other."""
    shared = empty(neighbors=4)
    one = replan.Agent(FORWARD, shared, (0, 0), (0, 4))
    two = replan.Agent(FORWARD, shared, (4, 0), (0, 4))
    path = two.plan()
    one.plan()
    blocked = path[2]
    one.observe([blocked], [True])
    assert blocked not in two.plan()


@pytest.mark.parametrize("spec", ALL, ids=names(ALL))
@examples(15)
@given(data=st.data())
def test_what_one_agent_sees_another_one_hears(spec, data):
    """One that only listens walks as one does that is told everything itself."""
    case, start, goal = data.draw(problems(largest=5, **kinds_for(spec)))
    shared, own = (replan.World(case.grid()).begin() for _ in range(2))
    listens, told = replan.Agent(spec.slug, shared, start, goal), replan.Agent(spec.slug, own, start, goal)
    looks = replan.Agent(FORWARD, shared, start, goal)
    values = case.values()
    for cell in data.draw(st.lists(st.sampled_from(sorted(case.edges())), max_size=8)):
        if cell == listens.cell or cell == looks.cell:
            continue
        seen = {"blocked": [values[cell[0]][cell[1]] == 0]}
        if case.weights is not None:
            seen = {"weights": [values[cell[0]][cell[1]]]}
        looks.observe([cell], **seen)
        told.observe([cell], **seen)
        path = listens.plan()
        assert path == told.plan() and listens.episodes == told.episodes
        if path:
            listens.move(path[0])
            told.move(path[0])


def test_a_planner_may_be_used_for_one_agent_after_another():
    planner = replan.planner(FORWARD)
    for rows, cols in [(3, 3), (8, 9), (2, 5), (8, 9)]:
        agent = replan.Agent(planner, empty(rows, cols, neighbors=4), (0, 0), (rows - 1, cols - 1))
        assert len(agent.plan()) == rows + cols - 2
        assert planner.expansions == rows + cols - 2
        assert agent.status is replan.Status.WALKING


@pytest.mark.parametrize("spec", ALL, ids=names(ALL))
def test_a_planner_that_is_given_to_another_agent_is_taken_over(spec):
    planner = replan.planner(spec.slug)
    first, second = (replan.Agent(planner, empty(neighbors=4), (0, 0), (4, 4)) for _ in range(2))
    calls = {
        "plan": lambda: first.plan(),
        "move": lambda: first.move((0, 1)),
        "observe": lambda: first.observe([(1, 1)], [True]),
        "retarget": lambda: first.retarget((3, 3)),
        "status": lambda: first.status,
    }
    for call in calls.values():
        with pytest.raises(RuntimeError, match="was given to another agent: make one planner for each agent"):
            call()
    assert second.plan() and not second.belief.blocked.any()


def test_status_and_waiting():
    """An agent that has to wait is told to stay where it is; one that has arrived or has no way is told nothing."""
    agent = replan.Agent(replan.planner("RTD* NoOp", lookahead=1), empty(neighbors=4), (0, 0), (0, 4))
    assert agent.status is replan.Status.WALKING, "nothing is known yet"
    waits = 0
    while agent.plan() == [(0, 0)]:
        assert agent.status is replan.Status.WAITING
        agent.move((0, 0))
        waits += 1
    assert waits > 2 and agent.episodes == waits + 1 and agent.status is replan.Status.WALKING
    agent.move((0, 1))
    agent.observe([(0, 3), (1, 4)], [True, True])
    while agent.plan() == [(0, 1)]:
        assert agent.status is replan.Status.WAITING
    assert agent.plan() is None and agent.status is replan.Status.UNREACHABLE
    agent.move((0, 4))
    assert agent.plan() == [] and agent.status is replan.Status.ARRIVED


def test_a_deadline_of_its_own():
    """`plan()` keeps it unless it is given a budget; so does a copy; who searches all the way has none."""
    belief = replan.Grid(np.zeros((200, 200), bool))
    agent = replan.Agent("TBA*", belief, (0, 0), (199, 199), deadline=1)
    for one in (agent, copy.deepcopy(agent)):
        one.move(one.plan()[0])
        assert one.planner.expansions < 100
        one.plan(replan.Expansions(10**6))
        assert one.planner.expansions >= 198
    with pytest.raises(replan.InputError, match=r"D. Lite searches all the way and cannot keep a budget"):
        replan.Agent("D* Lite", belief, (0, 0), (199, 199), deadline=50)
    with pytest.raises(replan.InputError, match="a deadline is a number of microseconds from 1"):
        replan.Agent("RTAA*", belief, (0, 0), (199, 199), deadline="50us")


def test_options_of_a_planner_that_is_named():
    agent = replan.Agent("RTAA*", empty(), (0, 0), (4, 4), lookahead=3, ties="random", seed=5)
    assert agent.planner.lookahead == 3 and "random (seed 5)" in repr(agent.planner)
    with pytest.raises(replan.InputError, match=r"RTAA\* has no option 'lokahead' \(did you mean lookahead\?\)"):
        replan.Agent("RTAA*", empty(), (0, 0), (4, 4), lokahead=3)
    with pytest.raises(replan.InputError, match="give lookahead when you make the planner"):
        replan.Agent(replan.planner("RTAA*"), empty(), (0, 0), (4, 4), lookahead=3)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: replan.Agent("rtaa:lookahead=9", empty(), (0, 0), (4, 4)), r"replan\.planner\('rtaa', lookahead=9\)"),
        (lambda: replan.planner("RTAA*:ties=random"), r"'RTAA\*:ties=random' is a name with options"),
        (lambda: replan.Agent("RTAA*", "cave", (0, 0), (4, 4)), r"not 'cave'; Grid\.load reads a map"),
        (lambda: replan.Grid("my.txt"), r"made of an array, not 'my\.txt'; Grid\.load reads"),
    ],
)
def test_what_people_try_is_answered_with_what_works(call, words):
    with pytest.raises(replan.InputError, match=words):
        call()
