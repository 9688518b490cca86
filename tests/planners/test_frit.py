"""FRIT: against a slow one in any terrain, and what its authors prove."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import replan
from beside import Beside, further, no_check
from edits import stories
from examples import examples
from oracle.frit import Frit
from oracle.searches import reachable
from replan.search import breadth_first, ideal_tree
from strategies import QUEUES, graph_cases, problems

KINDS = {"FRIT(BFS)": "bfs", "FRIT(UCS)": "uniform", "FRIT(A*)": "a-star"}
RANDOM = [{"prefer": p, "ties": "random", "seed": 3} for p in ("larger g", "smaller g")]
orders = st.sampled_from([*QUEUES, *RANDOM])
limits = st.sampled_from([1, 2, 3, 5, 9, 30])


class Trees(Beside):
    def compare(self, expansions):
        self.oracle.bound = self.space.max_path_cost
        if self.path is None and expansions == 0:  # a search in vain, and no news since: there was none
            return
        assert (expansions, self.path) == self.oracle.episode(self.at)
        self.look_at_the_tree()

    def look_at_the_tree(self):
        """The pointers are those of the oracle, lead along steps that there are, and never round in a circle."""
        key, state = self.space.key, self.space.state
        listed = self.planner.snapshot()["next"].tolist()
        tree = {s: None if listed[state(s)] < 0 else key(listed[state(s)]) for s in self.terrain.steps()}
        assert tree == {s: self.oracle.p.get(s) for s in tree}
        edges = self.edges()
        for s in tree:
            for _ in tree:
                if tree[s] is None or s in self.goals:
                    break
                assert tree[s] in edges[s]
                s = tree[s]
            assert tree[s] is None or s in self.goals


@pytest.mark.parametrize("on_cost_decrease", ["keep", "reset"])
@pytest.mark.parametrize("name", KINDS)
@examples(80)
@given(story=stories(targets=True), order=orders)
def test_episode_by_episode_where_everything_changes(name, on_cost_decrease, story, order):
    """Grids and graphs, directed ones among them."""
    order = {} if name == "FRIT(BFS)" else order
    planner = replan.planner(name, lookahead=None, on_cost_decrease=on_cost_decrease, **order)
    one_way = not isinstance(story.terrain().space(), replan.Grid)
    scene = Trees(story, planner, Frit(KINDS[name], on_cost_decrease, one_way, **order))
    scene.play(further(story.events), no_check)


@pytest.mark.parametrize("name", KINDS)
@examples(60)
@given(problem=problems(largest=9), limit=limits)
def test_slices_change_nothing_but_the_waits(name, problem, limit):
    case, start, goal = problem
    sliced, whole = (replan.planner(name, lookahead=k) for k in (limit, None))
    trip = replan.simulate(replan.World(case.grid()), sliced, start, goal)
    same = replan.simulate(replan.World(case.grid()), whole, start, goal)
    assert (trip.why, trip.path, trip.expansions) == (same.why, same.path, same.expansions)
    assert same.waits == 0 and all(n <= limit for n in trip.episode_expansions)


@pytest.mark.parametrize("name", KINDS)
@examples(60)
@given(problem=problems(largest=9))
def test_reached_exactly_when_there_is_a_way_and_in_few_moves(name, problem):
    case, start, goal = problem
    trip = replan.simulate(replan.World(case.grid()), replan.planner(name, lookahead=None), start, goal)
    assert trip.reached == (goal in reachable(case.edges(), start)) and trip.why != "max_moves"
    assert trip.moves <= (len(case.free_cells()) + 1) ** 2 / 4


@pytest.mark.parametrize("name", KINDS)
@examples(60)
@given(problem=problems(), limit=limits, data=st.data())
def test_reaches_what_can_be_reached_in_changing_terrain(name, problem, limit, data):
    case, start, goal = problem
    cells = st.tuples(st.integers(0, case.shape[0] - 1), st.integers(0, case.shape[1] - 1))
    script = data.draw(st.lists(st.tuples(st.integers(1, 12), cells, st.sampled_from(["blocked", "free"])), max_size=8))
    known = data.draw(st.sampled_from(["nothing", "everything"]))
    world = replan.World(case.grid(), sensor="everything", known=known, changes=script)
    planner = replan.planner(name, lookahead=limit, on_cost_decrease=data.draw(st.sampled_from(["keep", "reset"])))
    trip = replan.simulate(world, planner, start, goal, max_moves=20_000)
    assert trip.why in ("reached", "unreachable")
    if not trip.reached:
        truth, ends = world.truth, [world.truth.state(cell) for cell in (trip.path[-1], goal)]
        free = all(truth.get_value(s) for s in ends)
        rest = replan.simulate(truth.copy(), "Repeated Forward A*", trip.path[-1], goal) if free else None
        assert rest is None or not rest.reached


@pytest.mark.parametrize("name", KINDS)
@examples(80)
@given(case=graph_cases(), limit=st.sampled_from([1, 2, 5, None]), data=st.data())
def test_one_way_steps_of_a_known_graph_lead_into_no_trap(name, case, limit, data):
    start, goal = data.draw(st.sampled_from(case.nodes)), data.draw(st.sampled_from(case.nodes))
    trip = replan.simulate(case.graph(), replan.planner(name, lookahead=limit), start, goal, max_moves=5000)
    assert trip.why == ("reached" if goal in reachable(case.edges(), start) else "unreachable")


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_an_acyclic_maze_is_walked_as_by_a_planner_that_learns(name, seed):
    """There is one way only, and whoever is cut off has to go back on it."""
    grid = replan.Grid(replan.maze(41, 41, openings=0, seed=seed), neighbors=4)
    frit = replan.simulate(replan.World(grid), replan.planner(name, lookahead=None), (0, 0), (40, 40))
    learning = replan.simulate(replan.World(grid), "Adaptive A*", (0, 0), (40, 40))
    assert frit.reached and frit.cost < 2 * learning.cost
    assert frit.expansions < learning.expansions


def test_a_shortcut_is_taken_only_with_reset():
    blocked = [[False] * 9 for _ in range(9)]
    blocked[4][:8] = [True] * 8
    world = replan.World(replan.Grid(blocked), sensor="everything", changes=[(2, (4, 0), "free")])
    keep, reset = (
        replan.simulate(world, replan.planner("FRIT", on_cost_decrease=f), (3, 0), (8, 0)) for f in ("keep", "reset")
    )
    assert keep.reached and reset.reached and reset.steps < keep.steps


@pytest.mark.parametrize("name", KINDS)
def test_what_cannot_be_honoured_is_refused(name):
    with pytest.raises(replan.InputError, match="on_cost_decrease is 'keep' or 'reset' for FRIT"):
        replan.planner(name, on_cost_decrease="repair")


@pytest.mark.skipif(replan.compiled, reason="compiled, nobody lets colors and searches end before their time")
@pytest.mark.parametrize("name", KINDS)
def test_colors_and_searches_that_are_used_up_begin_again(name, monkeypatch):
    grid = replan.Grid(replan.rooms(20, 20, 4, seed=2), neighbors=8)
    world = replan.World(grid)
    free = np.argwhere(~grid.blocked).tolist()
    ends = [(tuple(free[i]), tuple(free[-1 - i])) for i in range(0, 30, 6)]
    trips = {}
    for last in (2**31 - 2, 3):
        monkeypatch.setattr(ideal_tree, "LAST_COLOR", last)
        monkeypatch.setattr(breadth_first, "LARGEST_SEARCH_NUMBER", last)
        planner = replan.planner(name, lookahead=5)
        trips[last] = [replan.simulate(world, planner, a, b).path for a, b in ends]
        assert planner.tree.pointers > 0
    assert trips[3] == trips[2**31 - 2]
