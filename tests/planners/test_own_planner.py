"""A planner of the user's, in plain Python."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

import replan
from oracle.navigation import Navigator, Rules
from oracle.searches import Found
from oracle.sight import adjacent
from strategies import problems


class DepthFirst(replan.Planner):
    """Searches with a stack; knows the terrain only by `space`."""

    def plan(self, state, budget):
        parent, stack, space = {state: state}, [state], self.space
        while stack:
            u = stack.pop()
            self.seen = getattr(self, "seen", 0) + 1
            if self.goals._contains(u):
                path = [u]
                while parent[path[-1]] != path[-1]:
                    path.append(parent[path[-1]])
                return path[::-1][1:]
            for v, _ in space.successors(u):
                if v not in parent:
                    parent[v] = u
                    stack.append(v)
        return None


def slow_depth_first(edges, at, goals) -> Found:
    parent, stack = {at: at}, [at]
    while stack:
        u = stack.pop()
        if u in goals:
            path = [u]
            while parent[path[-1]] != path[-1]:
                path.append(parent[path[-1]])
            return Found(path[::-1])
        for v in edges[u]:
            if v not in parent:
                parent[v] = u
                stack.append(v)
    return Found()


@given(problems())
def test_walks_as_the_slow_navigator_does(problem):
    case, start, goal = problem
    trip = replan.simulate(replan.World(case.grid()), DepthFirst(), start, goal)
    rules = Rules(case.neighbors, case.corners, case.weights is not None, case.walls)
    free = [[1] * case.shape[1] for _ in range(case.shape[0])]
    slow = Navigator(
        rules, case.values(), free, lambda b, at: [*adjacent(b, case.neighbors, at), at], slow_depth_first
    ).go(start, {goal})
    assert (trip.path, trip.why, trip.episodes) == (slow.path, slow.why, len(slow.expansions))
    assert trip.planner == "DepthFirst"


def test_budget_and_errors_arrive():
    class Curious(replan.Planner):
        def plan(self, state, budget):
            self.budget = budget
            raise KeyError("mine")

    planner = Curious()
    with pytest.raises(KeyError, match="mine"):
        replan.simulate(replan.Grid(np.zeros((2, 2), bool)), planner, (0, 0), (1, 1))
    assert planner.budget.nanoseconds == 0 and planner.budget.expansions == 1 << 62


def test_a_planner_without_plan_says_so():
    class Lazy(replan.Planner):
        pass

    with pytest.raises(NotImplementedError, match="Lazy is a planner without plan"):
        replan.simulate(replan.Grid(np.zeros((2, 2), bool)), Lazy(), (0, 0), (1, 1))


def test_a_step_that_is_believed_blocked_is_refused():
    class Teleport(replan.Planner):
        def plan(self, state, budget):
            return [self.space.state((1, 1))]

    blocked = np.array([[False, True], [True, False]])
    with pytest.raises(ValueError, match=r"Teleport.*\(0, 0\) to \(1, 1\)"):
        replan.simulate(replan.Grid(blocked), Teleport(), (0, 0), (1, 1))


class Along(replan.Planner):
    """Answers what it was given."""

    def __init__(self, states):
        super().__init__()
        self.states = states

    def plan(self, state, budget):
        return self.states


GAP = replan.Grid([[0, 0, 0], [1, 0, 0]])
ROAD = replan.Graph([("a", "b", 1), ("b", "c", 1)])


@pytest.mark.parametrize(
    ("space", "cells", "goal", "why"),
    [
        (GAP, [(0, 2)], (0, 2), r"\(0, 0\) to \(0, 2\): no step leads there, because they are not adjacent"),
        (GAP, [(1, 1)], (0, 2), r"\(0, 0\) to \(1, 1\): no step leads there, .* or a wall or corner lies between them"),
        (GAP, [(1, 0)], (0, 2), r"\(0, 0\) to \(1, 0\), and \(1, 0\) is believed blocked"),
        (ROAD, ["c"], "c", "'a' to 'c': there is no edge between them"),
    ],
)
def test_a_step_that_cannot_be_is_refused_with_the_reason(space, cells, goal, why):
    start = (0, 0) if space is GAP else "a"
    agent = replan.Agent(Along([space.state(cell) for cell in cells]), space.copy(), start, goal)
    with pytest.raises(ValueError, match=why):
        agent.plan()


def test_a_blocked_edge_is_told_as_one():
    road = ROAD.copy()
    road.block("a", "b")
    with pytest.raises(ValueError, match="'a' to 'b', an edge that is believed blocked"):
        replan.Agent(Along([road.state("b")]), road, "a", "c").plan()


def test_waiting_and_giving_up():
    class Patient(replan.Planner):
        def plan(self, state, budget):
            self.asked = getattr(self, "asked", 0) + 1
            return [] if self.asked < 4 else [state + 1]

    trip = replan.simulate(replan.Grid(np.zeros((1, 2), bool)), Patient(), (0, 0), (0, 1))
    assert (trip.moves, trip.steps, trip.episodes, trip.why) == (1, 4, 4, "reached")

    class Pessimist(replan.Planner):
        def plan(self, state, budget):
            return None

    trip = replan.simulate(replan.Grid(np.zeros((1, 2), bool)), Pessimist(), (0, 0), (0, 1))
    assert (trip.moves, trip.steps, trip.episodes, trip.why) == (0, 0, 1, "unreachable")


def test_a_path_that_visits_a_cell_twice_is_given_up_when_its_second_part_is_blocked():
    """The agent sees (0, 3) blocked when it comes back to (0, 2), which its path leaves twice."""

    class Detour(replan.Planner):
        def plan(self, state, budget):
            row, col = self.space.key(state)
            if (row, col) == (0, 0):
                cells = [(0, 1), (0, 2), (1, 2), (0, 2), (0, 3), (0, 4)]
                return [self.space.state(c) for c in cells]
            return None

    blocked = np.zeros((2, 5), bool)
    blocked[1, 3] = True
    blocked[0, 3] = True
    world = replan.World(replan.Grid(blocked, neighbors=4))
    trip = replan.simulate(world, Detour(), (0, 0), (0, 4))
    assert trip.why == "unreachable"
    assert (0, 3) not in trip.path


def test_init_may_be_left_out():
    class Own(replan.Planner):
        def __init__(self):
            self.calls = 0

        def plan(self, state, budget):
            self.calls += 1
            return [state + 1]

    planner = Own()
    assert replan.simulate(replan.Grid(np.zeros((1, 3), bool)), planner, (0, 0), (0, 2)).moves == 2
    assert planner.calls == 2


def test_notify_reaches_a_planner_that_wants_to_know():
    class Listening(DepthFirst):
        def notify(self, states, costs_increased):
            self.heard = [*getattr(self, "heard", []), (states, costs_increased)]

    planner = Listening()
    blocked = np.array([[False, True, False], [False, False, False]])
    replan.simulate(replan.World(replan.Grid(blocked, neighbors=4)), planner, (0, 0), (0, 2))
    assert getattr(planner, "heard", None), "design.md: notify(changes) is one of the three verbs of every planner"


def test_it_is_notified_once_of_each_changed_cell():
    class Listening(DepthFirst):
        def notify(self, states, costs_increased):
            heard.append((sorted(self.space.key(s) for s in states), costs_increased))

    heard = []
    agent = replan.Agent(Listening(), replan.Grid(np.zeros((3, 3), bool)), (0, 0), (2, 2))
    agent.plan()
    agent.observe([(1, 1), (0, 2)], [True, True])
    agent.observe([(1, 1)], [False])
    all_nine = [(row, col) for row in range(3) for col in range(3)]
    # once (1, 1) is blocked no step leads along the corner by (0, 2) but from its two neighbours
    assert heard == [(all_nine, True), ([(0, 1), (0, 2), (1, 2)], True), ([c for c in all_nine if c != (0, 2)], False)]


def test_a_deadline_is_told_as_the_time_that_is_left():
    told = []

    class Told(replan.Planner):
        def plan(self, state, budget):
            told.append(budget.nanoseconds)
            return [state + 1]

    agent = replan.Agent(Told(), replan.Grid(np.zeros((1, 5), bool)), (0, 0), (0, 4))
    agent.plan(replan.Deadline(500))
    agent.move((0, 3))
    agent.plan()
    assert 0 < told[0] <= 500_000 and told[1] == 0


def test_plan_itself_keeps_a_deadline():
    """As long as it lasts: a tenth of a second is more than this search needs."""
    grid = replan.Grid(np.zeros((20, 20), bool))
    planner = replan.planner("RTAA*", lookahead=None)
    agent = replan.Agent(planner, grid, (0, 0), (19, 19))
    assert len(planner.plan(agent.state, replan.Deadline(100_000))) == 19


class Marching(replan.Planner):
    """Walks along a line of cells towards its goal, and says what that took."""

    def plan(self, state, budget):
        self.expansions += 3
        self.key_updates += 2
        goal = next(s for s in range(self.space.n) if self.goals._contains(s))
        return [*range(state + 1, goal + 1)] or [*range(state - 1, goal - 1, -1)]

    def retarget(self, goals):
        super().retarget(goals)
        assert self.goals is goals


def test_what_it_counts_stands_in_the_trip():
    line = replan.Grid(np.zeros((1, 6), bool), neighbors=4)
    trip = replan.simulate(line, Marching(), (0, 0), (0, 5))
    assert (trip.moves, trip.expansions, trip.key_updates, trip.episode_expansions) == (5, 3, 2, [3])


def test_after_a_new_goal_its_paths_are_whole_ones():
    """They end in the new goal, so they are no partial paths; counts go on."""
    line = replan.Grid(np.zeros((1, 6), bool), neighbors=4)
    chase = replan.World(line, known="everything", target=[(0, 2), (0, 3), (0, 4), (0, 5)])
    trip = replan.simulate(chase, Marching(), (0, 0))
    assert trip.reached and trip.episodes > 1
    assert (trip.expansions, trip.key_updates) == (3 * trip.episodes, 2 * trip.episodes)
    assert (trip.informed_moves, trip.partial_moves) == (trip.moves, 0)


def test_one_that_cannot_follow_says_what_is_missing():
    agent = replan.Agent(DepthFirst(), replan.Grid(np.zeros((1, 6), bool)), (0, 0), (0, 5))
    with pytest.raises(replan.InputError, match=r"DepthFirst cannot follow a moving target.*retarget\(goals\)"):
        agent.retarget((0, 3))
    assert len(agent.plan()) == 5, "it goes on to its old goal"
