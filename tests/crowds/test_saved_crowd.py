"""A crowd goes on from a file, a pickle or a copy as it would have, with any number of workers."""

from __future__ import annotations

import copy
import os
import pickle
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import replan
from replan.planners.saved_file import decode, encode
from replan.serialization import pack
from saving.files import altered, attempt, parts, sealed

THOROUGH = os.environ.get("REPLAN_THOROUGH") == "1"
SIDE = 30
WAYS: dict[str, Callable[[Any], Any]] = {
    "file": lambda crowd: decode(encode(crowd), replan.Crowd, workers=1),
    "file, 3 workers": lambda crowd: decode(encode(crowd), replan.Crowd, workers=3),
    "pickle": lambda crowd: pickle.loads(pickle.dumps(crowd)),
    "deepcopy": copy.deepcopy,
}
SCRIPT = [(when, (when % SIDE, 7 * when % SIDE), (when // 3) % 2 == 0) for when in range(2, 90)]


def ground(side: int = SIDE) -> np.ndarray[Any, Any]:
    blocked = replan.random_obstacles(side, side, 0.25, seed=4)
    blocked[0, :] = blocked[:, 0] = False
    return blocked


def changing() -> replan.World:
    changes = [(when, cell, "blocked" if block else "free") for when, cell, block in SCRIPT]
    return replan.World(replan.Grid(ground()), sensor=replan.Radius(3), changes=changes)


def on_graph() -> replan.Graph:
    cells = [(r, c) for r in range(9) for c in range(9)]
    beside = [(a, b) for a in cells for b in cells if abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1]
    return replan.Graph([(a, b, 1 + (3 * a[0] + b[1]) % 5) for a, b in beside], directed=True)


MADE: dict[str, Callable[[], replan.Crowd]] = {
    "known": lambda: replan.Crowd(replan.Grid(ground()), "RTAA*", lookahead=7),
    "fog": lambda: replan.Crowd(replan.World(replan.Grid(ground())), "LSS-LRTA*", lookahead=7),
    "radius": lambda: replan.Crowd(replan.World(replan.Grid(ground(), 4), sensor=replan.Radius(3)), "LRTA*"),
    "in sight": lambda: replan.Crowd(
        replan.World(replan.Grid(ground()), sensor=replan.Radius(4, line_of_sight=True)), "daRTAA*", lookahead=9
    ),
    "changing": lambda: replan.Crowd(changing(), "RTAA*", lookahead=7),
    "told of all": lambda: replan.Crowd(
        replan.World(replan.Grid(ground()), "everything", changes=[(3, (4, 4), "blocked"), (9, (4, 4), "free")])
    ),
    "collisions": lambda: replan.Crowd(replan.World(replan.Grid(ground())), "RTAA*", collisions="wait", lookahead=7),
    "random": lambda: replan.Crowd(replan.Grid(ground()), "RTAA*", collisions="wait", lookahead=7, ties="random"),
    "reset": lambda: replan.Crowd(
        replan.World(replan.Grid(ground())), "aLSS-LRTA*", lookahead=5, on_cost_decrease="reset"
    ),
    "buckets": lambda: replan.Crowd(replan.World(replan.Grid(ground(), 4)), "RTAA*", lookahead=5, queue="buckets"),
    "field": lambda: replan.Crowd(replan.Grid(ground()), "FlowField"),
    "field in fog": lambda: replan.Crowd(
        replan.World(replan.Grid(ground())), "FlowField", collisions="wait", memory_limit=10**7
    ),
    "graph": lambda: replan.Crowd(on_graph(), "RTAA*", lookahead=5),
}


def fill(crowd: replan.Crowd, count: int, random: Random) -> None:
    """Characters on free cells of the truth, with goals of which some cannot be reached."""
    n = 9 if isinstance(crowd.belief, replan.Graph) else SIDE
    blocked = np.zeros((n, n), bool) if n == 9 else ground()
    cells = [tuple(cell) for cell in np.argwhere(~blocked).tolist()]
    starts = random.sample(cells, min(count, len(cells) // 2))
    ends = random.sample(cells, 3)
    crowd.add(starts, [random.choice(ends) if random.random() < 0.4 else random.choice(cells) for _ in starts])


def go_on(crowd: replan.Crowd, first: int, last: int) -> list[Any]:
    """What happens in these ticks: characters come and go, are sent and put elsewhere, and see things change."""
    told: list[Any] = []
    for number in range(first, last):
        random, ids = Random(number), crowd.ids
        if number % 11 == 10:
            crowd.remove(random.sample(ids.tolist(), 2))
            fill(crowd, 3, random) if "solid" not in crowd_kind(crowd) else None
        if number % 5 == 4:
            goals = crowd.goals
            crowd.retarget(random.sample(crowd.ids.tolist(), 3), [tuple(goals[0]), tuple(goals[1]), tuple(goals[0])])
        if number % 3 == 2 and isinstance(crowd.belief, replan.Grid):
            cell = (random.randrange(1, SIDE), random.randrange(1, SIDE))
            told.append(crowd.observe([cell], [random.random() < 0.6]))
        moved = crowd.tick(None if number % 4 else replan.Expansions(400))
        told.append((moved.ids.tolist(), cells_of(moved.cells), cells_of(crowd.cells), crowd.status.tolist()))
    report = crowd.report()
    told.append(
        (
            report.searches,
            report.expansions,
            report.deferred_searches,
            report.longest_wait_ticks,
            report.learned_h_values,
            report.ticks,
        )
    )
    return told


def crowd_kind(crowd: replan.Crowd) -> str:
    return "solid" if crowd.__reduce__()[1][2][2] else "ghosts"


def cells_of(cells: Any) -> Any:
    return cells.tolist() if isinstance(cells, np.ndarray) else cells


@pytest.mark.parametrize("kind", MADE)
def test_it_goes_on_the_same(kind: str) -> None:
    for number, stop in enumerate((0, 1, 23) if replan.compiled else (9,)):
        crowd = MADE[kind]()
        fill(crowd, 40, Random(kind))
        go_on(crowd, 0, stop)
        ways = [way for way in list(WAYS)[number % 2 :: 2] if "field" not in kind or "workers" not in way]
        copies = {way: WAYS[way](crowd) for way in ways}
        expected = go_on(crowd, stop, stop + 30)
        for way, other in copies.items():
            assert go_on(other, stop, stop + 30) == expected, (way, stop)


def test_half_a_thousand_for_hundreds_of_ticks(tmp_path: Path) -> None:
    """500 characters, 300 ticks before and after: the same moves."""
    ticks = 300 if replan.compiled else 12
    blocked = ground(120)
    blocked[::7] = blocked[:, ::7] = False
    crowd = replan.Crowd(replan.World(replan.Grid(blocked)), "RTAA*", lookahead=17, workers=2)
    cells, random = np.argwhere(~blocked), Random(1)
    crowd.add(cells[random.sample(range(len(cells)), 500)], cells[random.sample(range(len(cells)), 500)])

    def walk(one: replan.Crowd) -> list[Any]:
        seen = []
        for number in range(ticks):
            if number % 10 == 0:
                one.retarget(one.ids[number // 10 :: 30], one.cells[: len(one.ids[number // 10 :: 30])])
            moved = one.tick(replan.Expansions(2000))
            seen.append((moved.ids.tolist(), moved.cells.tolist()))
        return seen

    walk(crowd)
    crowd.save(tmp_path / "town")
    loaded = replan.Crowd.load(tmp_path / "town")
    expected = walk(crowd)
    assert walk(loaded) == expected and any(len(ids) > 50 for ids, _ in expected)
    assert loaded.status.tolist() == crowd.status.tolist()


def test_a_goal_that_is_cut_off_is_noticed_in_the_same_tick() -> None:
    """The labelling of components is under way when the crowd is saved."""
    for turns in range(12):
        crowd = replan.Crowd(replan.Grid(np.zeros((SIDE, SIDE), bool)), "RTAA*", lookahead=5)
        crowd.add([(0, c) for c in range(6)], (20, 20))
        crowd.tick()
        ring = [(r, c) for r in range(18, 23) for c in range(18, 23) if max(abs(r - 20), abs(c - 20)) == 2]
        crowd.observe(ring, [True] * len(ring))
        for _ in range(turns):
            crowd.tick(replan.Expansions(9))
        other = WAYS["file"](crowd)
        for _ in range(40):
            for one in (crowd, other):
                one.tick(replan.Expansions(9))
            assert one.status.tolist() == crowd.status.tolist() and crowd.cells.tolist() == other.cells.tolist()


def test_an_empty_crowd_and_one_that_all_have_left() -> None:
    crowd = MADE["fog"]()
    assert not len(WAYS["file"](crowd))
    ids = crowd.add([(0, 0), (0, 1)], [(5, 5), (6, 6)])
    crowd.tick()
    crowd.remove(ids)
    other = WAYS["file"](crowd)
    assert other.add([(0, 0)], [(0, 3)]).tolist() == crowd.add([(0, 0)], [(0, 3)]).tolist() == [2]
    assert other.tick().cells.tolist() == crowd.tick().cells.tolist()


def test_a_copy_shares_the_belief() -> None:
    crowd = MADE["known"]()
    fill(crowd, 9, Random(1))
    other = copy.copy(crowd)
    assert other.belief is crowd.belief
    before = other.cells.tolist()
    crowd.tick()
    assert other.cells.tolist() == before


def test_what_is_not_ours_is_named(tmp_path: Path) -> None:
    crowd = replan.Crowd(replan.Grid(ground()), "RTAA*", heuristic=crow)
    with pytest.raises(replan.InputError, match="its Crowd has <function crow"):
        crowd.save(tmp_path / "saved")
    assert pickle.loads(pickle.dumps(crowd)).ids.tolist() == []
    replan.Crowd(replan.Grid(ground())).save(tmp_path / "saved")
    with pytest.raises(replan.InputError, match="workers is a whole number"):
        replan.Crowd.load(tmp_path / "saved", workers=0)
    with pytest.raises(replan.InputError, match=r"Crowd\.load reads it"):
        replan.Agent.load(tmp_path / "saved")


def crow(a: Any, b: Any) -> float:
    return 0.0


@pytest.mark.parametrize("kind", MADE)
def test_altered_ones_are_refused_or_can_be_used(kind: str) -> None:
    crowd, random, refused = MADE[kind](), Random(kind), 0
    fill(crowd, 12, random)
    go_on(crowd, 0, 7)
    content, tries = encode(crowd), 1000 if THOROUGH else 30 if replan.compiled else 3
    for _ in range(tries):
        what, other = altered(content, random)
        refused += not attempt(what, other, replan.Crowd, lambda one: go_on(one, 7, 20))
    assert refused >= tries // 8


def test_a_field_whose_ways_end_in_nothing_is_noticed() -> None:
    """A state that leads to one without a way: its path would go on from state -1."""
    crowd = MADE["field"]()
    fill(crowd, 12, Random(3))
    go_on(crowd, 0, 21)
    text, arrays = parts(encode(crowd))
    for record in text["objects"]:
        if "search.g" in record["fields"]:
            i = record["fields"]["search.g"]["packed"]
            arrays[i] = pack(np.full(arrays[i].shape, -1))
    assert attempt("g", sealed(text, arrays), replan.Crowd, lambda one: go_on(one, 21, 41)) in (True, False)
