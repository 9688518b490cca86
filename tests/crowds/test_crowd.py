"""What a crowd promises: nobody starves, budgets are kept, what one saw all know, people come and go at any time."""

from __future__ import annotations

import copy
import threading
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import replan
from crowds.test_steps import Sum, largest_region, walked
from examples import examples
from replan.spaces.regions import label_regions

ARRIVED, NO_WAY, WAITING, WALKING = (
    replan.Status.ARRIVED, replan.Status.UNREACHABLE, replan.Status.WAITING, replan.Status.WALKING,
)  # fmt: skip


def people(count: int, side: int = 24, seed: int = 1, world: bool = True, **options: Any) -> replan.Crowd:
    """A crowd in a cave, with starts and goals that hang together."""
    rng = np.random.default_rng(seed)
    grid = replan.Grid(rng.random((side, side)) < 0.25)
    free = largest_region(grid)
    crowd = replan.Crowd(replan.World(grid) if world else grid, "RTAA*", **{"lookahead": 7, **options})
    crowd.add(free[rng.integers(0, len(free), count)], free[rng.integers(0, len(free), count)])
    return crowd


def test_everybody_arrives():
    crowd = people(200)
    walked(crowd, 3000)
    assert set(crowd.status) == {ARRIVED}
    assert crowd.cells.tolist() == crowd.goals.tolist()


@pytest.mark.parametrize("budget", [1, 7, 40, 333])
def test_budgets_are_kept_and_nobody_starves(budget):
    crowd = people(60)
    longest = 0
    for _ in range(40):
        crowd.tick(replan.Expansions(budget))
        told = crowd.report()
        assert told.expansions <= budget
        assert told.searches >= 1
        longest = max(longest, told.longest_wait_ticks)
    # each waits for the others at most, and a search takes at most 7 expansions
    assert longest <= 60 / max(1, budget // 7) + 1
    for _ in range(60_000 // budget):
        crowd.tick(replan.Expansions(budget))
        if (crowd.status == ARRIVED).all():
            break
    assert set(crowd.status) == {ARRIVED}


def test_who_waits_longest_comes_first():
    grid = replan.Grid(np.zeros((9, 40), bool))
    crowd = replan.Crowd(grid, "RTAA*", lookahead=1)
    ids = crowd.add([(4, 0)] * 6, [(4, 39)] * 6)
    turns = [crowd.tick(replan.Expansions(2)).ids.tolist() for _ in range(6)]
    assert turns == [[0, 1], [2, 3], [4, 5], [0, 1], [2, 3], [4, 5]]
    assert set(crowd.status) == {WAITING, WALKING}
    told = crowd.report()
    assert (told.waiting_characters, told.deferred_searches, told.longest_wait_ticks, told.searches) == (4, 24, 2, 12)
    assert crowd.tick(replan.Expansions(9), ids=ids[:0]).ids.tolist() == []


def test_a_deadline_is_for_the_whole_frame():
    crowd = people(300, world=False)
    for _ in range(300):
        crowd.tick(replan.Deadline(200))
    crowd.tick()
    walked(crowd, 300)
    assert set(crowd.status) == {ARRIVED}


def test_only_those_who_are_ready_step():
    crowd = people(20, world=False)
    before = crowd.cells
    ready = np.arange(20) % 3 == 0
    moved = crowd.tick(ids=ready)
    assert set(moved.ids) <= set(np.flatnonzero(ready))
    assert (crowd.cells[~ready] == before[~ready]).all()
    assert moved.cells.tolist() == crowd.cells[moved.ids].tolist()
    again = crowd.tick(ids=[5, 3, 3])
    assert set(again.ids) <= {3, 5}
    with pytest.raises(replan.InputError, match="characters"):
        crowd.tick(ids=[True, False])
    with pytest.raises(replan.InputError, match="id 99"):
        crowd.tick(ids=[99])


def test_what_one_saw_all_know():
    """One walks along a wall; another one, far away, knows it then."""
    truth = np.zeros((9, 30), bool)
    truth[1:8, 15] = True
    crowd = replan.Crowd(replan.World(replan.Grid(truth), sensor=replan.Radius(20)), "RTAA*", lookahead=50)
    scout = crowd.add((4, 14), (4, 16))
    other = crowd.add((4, 0), (4, 29))
    assert (crowd.belief.blocked == truth).all()
    crowd.remove(scout)
    [path] = walked(crowd, 100)
    assert not any(truth[row, col] for row, col in path)
    assert crowd.ids.tolist() == other.tolist()
    assert crowd.status.tolist() == [ARRIVED]


def test_observing():
    crowd = replan.Crowd(replan.Grid(np.zeros((3, 7), bool), neighbors=4), "RTAA*", lookahead=30)
    crowd.add([(1, 0), (1, 3)], [(1, 6), (1, 3)])
    assert crowd.observe([(0, 3), (1, 3), (2, 3)], True) == 2  # somebody stands on one of them
    assert crowd.belief.blocked[:, 3].tolist() == [True, False, True]
    crowd.remove(1)
    assert crowd.observe(np.array([(1, 3)]), [True]) == 1
    crowd.tick()
    assert walked(crowd, 60)[0][-1][1] < 3
    for _ in range(60):
        crowd.tick()
    assert crowd.status.tolist() == [NO_WAY]
    assert crowd.observe_map(np.zeros((3, 7), bool)) == 3
    walked(crowd, 60)
    assert crowd.status.tolist() == [ARRIVED]


def test_a_belief_that_is_shared_with_others():
    belief = replan.Grid(np.zeros((5, 20), bool), neighbors=4)
    crowd = replan.Crowd(belief, "RTAA*", lookahead=60)
    crowd.add((2, 0), (2, 19))
    crowd.tick()
    agent = replan.Agent("A*", belief, (0, 0), (4, 19))
    agent.observe([(row, 10) for row in range(1, 5)], True)
    belief.set_value(belief.location((3, 4)), 0)
    [path] = walked(crowd, 60)
    assert (0, 10) in path
    crowd.observe([(0, 5)], True)
    assert (0, 5) not in agent.plan()


@examples(60)
@given(st.data())
def test_adding_removing_and_retargeting_at_any_time(data):
    """Beside a plain book of who is there: every step is legal, and NO_WAY is never a lie."""
    rng = np.random.default_rng(data.draw(st.integers(0, 2**31)))
    blocked = rng.random((9, 9)) < data.draw(st.sampled_from([0.0, 0.3, 0.5]))
    blocked[0, 0] = False
    grid = replan.Grid(blocked, data.draw(st.sampled_from([4, 8])))
    known = data.draw(st.booleans())
    crowd = replan.Crowd(grid if known else replan.World(grid), "RTAA*", lookahead=data.draw(st.sampled_from([1, 5])))
    free, book = np.argwhere(~blocked), {}
    labels = label_regions(grid)
    for _ in range(data.draw(st.integers(1, 25))):
        do = data.draw(st.sampled_from(["add", "remove", "retarget", "tick", "tick", "tick", "place"]))
        some = rng.permutation(sorted(book))[: rng.integers(0, len(book) + 1)].astype(int)
        where = free[rng.integers(0, len(free), len(some))]
        if do == "add":
            starts, goals = (free[rng.integers(0, len(free), 3)] for _ in range(2))
            for number, start, goal in zip(crowd.add(starts, goals), starts, goals, strict=True):
                assert number not in book
                book[int(number)] = (tuple(start), tuple(goal))
        elif do == "remove":
            crowd.remove(some)
            for number in some:
                del book[number]
        elif do == "retarget":
            crowd.retarget(some, where)
            book.update({n: (book[n][0], tuple(cell)) for n, cell in zip(some.tolist(), where, strict=True)})
        elif do == "place":
            crowd.set_positions(some, where)
            book.update({n: (tuple(cell), book[n][1]) for n, cell in zip(some.tolist(), where, strict=True)})
        else:
            moved = crowd.tick(data.draw(st.sampled_from([None, replan.Expansions(6)])))
            for number, cell in zip(moved.ids.tolist(), moved.cells, strict=True):
                assert grid.edge_cost(grid.state(book[number][0]), grid.state(tuple(cell))) < replan.limits.INF
                book[number] = (tuple(cell), book[number][1])
        assert crowd.ids.tolist() == sorted(book) and len(crowd) == len(book)
        assert [tuple(cell) for cell in crowd.cells] == [book[n][0] for n in sorted(book)]
        assert [tuple(cell) for cell in crowd.goals] == [book[n][1] for n in sorted(book)]
        for status, (at, goal) in zip(crowd.status, [book[n] for n in sorted(book)], strict=True):
            assert (status is ARRIVED) == (at == goal)
            if status is NO_WAY:
                assert labels[at] != labels[goal]
    for _ in range(20_000):  # in vain for thousands of steps, until all that shuts a goal in is seen
        crowd.tick()
        if set(crowd.status) <= {ARRIVED, NO_WAY}:
            break
    for status, (_, goal), at in zip(crowd.status, [book[n] for n in sorted(book)], crowd.cells, strict=True):
        assert status is (ARRIVED if labels[tuple(at)] == labels[goal] else NO_WAY)


def test_ids_are_nobody_elses():
    crowd = people(3)
    crowd.remove([0, 2, 2])
    assert crowd.ids.tolist() == [1]
    assert crowd.add((0, 0), (1, 1)).tolist() == [3]
    for wrong in ([0], [-1], [7], 2):
        with pytest.raises(replan.InputError, match="no character of this crowd"):
            crowd.remove(wrong)
    assert crowd.ids.tolist() == [1, 3]


@pytest.mark.parametrize("wrong", [(1, 2, 3), [(0, 0), (99, 0)], [(0.5, 0)], "ab", None, [[np.nan, 0]], [(-1, 0)]])
def test_cells_that_cannot_be(wrong):
    crowd = people(2)
    with pytest.raises(replan.InputError):
        crowd.add(wrong, (0, 0))
    with pytest.raises(replan.InputError):
        crowd.retarget([0], wrong)
    with pytest.raises(replan.InputError):
        crowd.set_positions([0], wrong)
    with pytest.raises(replan.InputError, match="goals"):
        crowd.add([(0, 0), (1, 1)], [(0, 0), (1, 1), (2, 2)])
    with pytest.raises(replan.InputError):
        crowd.retarget("x", (0, 0))
    assert len(crowd) == 2


def test_nobody_is_a_crowd_too():
    crowd = replan.Crowd(replan.Grid(np.zeros((4, 4), bool)), "RTAA*")
    assert len(crowd.tick()) == 0 and crowd.cells.shape == (0, 2) and len(crowd.status) == 0
    assert crowd.add([], []).tolist() == []
    crowd.remove([])
    crowd.retarget([], (0, 0))
    assert crowd.report().total_bytes == 0 and "0 characters" in str(crowd.report())
    assert repr(crowd) == "<Crowd of 0 by RTAA*, 1 worker>"


def test_it_serves_one_caller_at_a_time():
    class Meddles(Sum):
        def learn(self, lookahead):
            with pytest.raises(RuntimeError, match="in the middle"):
                crowd.tick()
            with pytest.raises(RuntimeError, match="in the middle"):
                copy.copy(crowd)
            with pytest.raises(RuntimeError, match="being searched"):
                crowd.belief.set_value(15, 0)
            return super().learn(lookahead)

    crowd = replan.Crowd(replan.Grid(np.zeros((9, 9), bool)), "RTAA*", learning=Meddles())
    crowd.add((0, 0), (8, 8))
    assert len(crowd.tick()) == 1
    bare = replan.Crowd.__new__(replan.Crowd)
    for call in (bare.tick, bare.report, lambda: bare.cells, lambda: bare.add((0, 0), (0, 0)), bare.sync):
        with pytest.raises(replan.InputError, match="not made yet"):
            call()
    with pytest.raises(replan.InputError, match="made already"):
        crowd.__init__(crowd.belief, "RTAA*")


def test_a_world_serves_one_crowd():
    world = replan.World(replan.Grid(np.zeros((9, 9), bool)))
    crowd = replan.Crowd(world, "RTAA*")
    crowd.add((0, 0), (8, 8))
    replan.simulate(world, "RTAA*", (0, 0), (8, 8))
    with pytest.raises(RuntimeError, match="another trip"):
        crowd.tick()
    for wrong in (
        replan.World(replan.Grid(np.zeros((9, 9), bool)), target=[(3, 3)]),
        replan.World(replan.Grid(np.zeros((9, 9), bool)), changes=lambda step, cell: []),
    ):
        with pytest.raises(replan.InputError):
            replan.Crowd(wrong, "RTAA*")


def test_what_a_character_takes():
    crowd = people(400, side=40)
    for _ in range(120):
        crowd.tick()
    told = crowd.report()
    assert told.learned_h_values > 4000
    assert told.row_bytes == 144 * 400
    assert told.learned_bytes / told.learned_h_values < 24
    assert told.path_bytes < 400 * 400
    crowd.remove(crowd.ids)
    assert crowd.report().total_bytes == 0


@pytest.mark.parametrize("workers", [2, 3])
def test_workers_do_not_matter(workers):
    """Ten thousand frames in all, with people coming, going and being sent elsewhere."""
    crowds = [people(90, ties="random", lookahead=5, workers=n) for n in (1, workers)]
    free = largest_region(crowds[0].belief)
    rng = np.random.default_rng(3)
    for frame in range(120):
        budget = [None, replan.Expansions(200), replan.Expansions(31)][frame % 3]
        ready = rng.random(90) < 0.8
        moved = [crowd.tick(budget, ids=ready) for crowd in crowds]
        assert moved[0].ids.tolist() == moved[1].ids.tolist()
        assert moved[0].cells.tolist() == moved[1].cells.tolist()
        some, where = rng.integers(0, 90, 5), free[rng.integers(0, len(free), 5)]
        for crowd in crowds:
            crowd.retarget(some, where)
    one, other = (crowd.report() for crowd in crowds)
    assert one == other


@pytest.mark.slow
def test_ten_thousand_threaded_frames():
    crowds = [people(130, lookahead=3, workers=n) for n in (1, 2)]
    free = largest_region(crowds[0].belief)
    rng = np.random.default_rng(3)
    for _ in range(10_000):
        some, where = rng.integers(0, 130, 9), free[rng.integers(0, len(free), 9)]
        for crowd in crowds:
            crowd.tick(replan.Expansions(600))
            crowd.retarget(some, where)
        assert (crowds[0].cells == crowds[1].cells).all()


def test_an_error_in_a_thread_comes_out():
    def lies(a, b):
        if threading.current_thread() is not threading.main_thread():
            raise ZeroDivisionError
        return 0.0

    crowd = replan.Crowd(replan.Grid(np.zeros((30, 30), bool)), "RTAA*", workers=2, heuristic=lies)
    crowd.add([(0, 0)] * 400, [(29, 29)] * 400)
    with pytest.raises(ZeroDivisionError):
        for _ in range(200):
            crowd.tick()
