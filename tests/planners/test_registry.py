"""The registry: names, slugs, options, and what is refused."""

from __future__ import annotations

import re

import numpy as np
import pytest

import replan
from strategies import names

ALL = replan.planners()


@pytest.mark.parametrize("spec", ALL, ids=names(ALL))
def test_every_entry_makes_a_planner_by_name_and_slug(spec):
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", spec.slug)
    assert spec.paper and spec.recipe
    for name in (spec.name, spec.slug, spec.name.upper(), f" {spec.slug} "):
        made = replan.planner(name)
        assert isinstance(made, replan.Planner)
        assert made.spec.slug == spec.slug
        assert spec.name in repr(made) or spec.name in str(made.spec)


@pytest.mark.parametrize("spec", ALL, ids=names(ALL))
def test_every_listed_option_is_taken(spec):
    for option, default in spec.options.items():
        replan.planner(spec.slug, **{option: default})


def test_names_and_slugs_are_different():
    assert len({s.name for s in ALL}) == len({s.slug for s in ALL}) == len(ALL)
    expected = {"Repeated Forward A*", "Repeated Backward A*", "Repeated BFS", "Repeated Weighted A*"}
    assert expected <= {s.name for s in ALL}


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("dijkstra", {}, "no planner 'dijkstra'"),
        ("repeated-bfs", {"ties": "first-in"}, "no option 'ties'"),
        ("repeated-bfs", {"heuristic": "zero"}, "no option 'heuristic'"),
        ("repeated-forward-a-star", {"lookahead": 5}, "no option 'lookahead'"),
        ("repeated-forward-a-star", {"weight": 2}, "no option 'weight'"),
        ("repeated-forward-a-star", {"queue": "stack"}, "queue is one of"),
        ("repeated-forward-a-star", {"queue": "buckets", "ties": "first-in"}, "buckets"),
        ("repeated-forward-a-star", {"queue": "buckets", "ties": "random"}, "buckets"),
        ("repeated-forward-a-star", {"queue": "buckets", "prefer": "larger g"}, "buckets"),
        ("repeated-forward-a-star", {"ties": "lifo"}, "ties is one of"),
        ("repeated-forward-a-star", {"prefer": "g"}, "prefer is one of"),
        ("repeated-forward-a-star", {"ties": "random", "seed": -1}, "seed"),
        ("repeated-forward-a-star", {"ties": "random", "seed": 1.5}, "seed"),
        ("repeated-weighted-a-star", {"weight": 0.5}, "from 1 to 100"),
        ("repeated-weighted-a-star", {"weight": 1.55}, "tenths"),
        ("repeated-weighted-a-star", {"weight": 101}, "from 1 to 100"),
        ("repeated-weighted-a-star", {"weight": float("nan")}, "from 1 to 100"),
        ("repeated-weighted-a-star", {"weight": "heavy"}, "from 1 to 100"),
        ("rtaa", {"lookahead": 0}, "lookahead"),
        ("rtaa", {"deadline": -1}, "deadline"),
        ("rtaa", {"moves": 0}, "moves"),
        ("rtaa", {"falling": "down"}, "falling"),
        ("rtaa", {"learning": 3}, "LearningRule"),
        ("lrta", {"depth": 0}, "depth"),
    ],
)
def test_what_cannot_be_honoured_is_refused(name, options, words):
    with pytest.raises(replan.InputError, match=words):
        replan.planner(name, **options)


@pytest.mark.parametrize("spec", ALL, ids=names(ALL))
def test_a_truth_value_is_no_number_and_a_word_is_no_truth_value(spec):
    for option, usual in spec.options.items():
        for odd in ("maybe", 1, None) if isinstance(usual, bool) else (True, False):
            with pytest.raises(replan.InputError, match=option):
                replan.planner(spec.slug, **{option: odd})


def test_a_budget_is_no_truth_value_either():
    rtaa = replan.planner("rtaa")
    with pytest.raises(replan.InputError, match="lookahead"):
        rtaa.lookahead = True
    with pytest.raises(replan.InputError, match="deadline"):
        rtaa.deadline = True
    for make in (replan.Expansions, replan.Deadline):
        with pytest.raises(replan.InputError, match="not True"):
            make(True)


@pytest.mark.parametrize("seed", [7, "x"])
def test_buckets_have_no_use_for_a_seed(seed):
    with pytest.raises(replan.InputError):
        replan.planner("repeated-forward-a-star", queue="buckets", seed=seed)


def test_lookahead_none_is_no_limit_for_everyone():
    for spec in ALL:
        replan.planner(spec.slug, lookahead=None)


def test_breadth_first_search_is_refused_where_costs_differ():
    bfs = replan.planner("Repeated BFS")
    for space in (
        replan.Grid(np.zeros((3, 3), bool)),
        replan.Grid(np.zeros((3, 3), bool), neighbors=4, weights=np.ones((3, 3), int)),
    ):
        with pytest.raises(replan.InputError, match="equal cost"):
            replan.simulate(space, bfs, (0, 0), (2, 2))
    with pytest.raises(replan.InputError, match="equal cost"):
        replan.simulate(replan.Graph([("a", "b", 1), ("b", "c", 2)]), bfs, "a", "c")
    assert replan.simulate(replan.Graph([("a", "b", 7), ("b", "c", 7)]), bfs, "a", "c").cost == 14


REPEATED = [s for s in ALL if s.slug.startswith("repeated")]


@pytest.mark.parametrize("spec", REPEATED, ids=names(REPEATED))
@pytest.mark.parametrize("budget", [replan.Expansions(3), replan.Deadline(100)])
def test_planners_that_search_all_the_way_refuse_a_budget(spec, budget):
    grid = replan.Grid(np.zeros((5, 5), bool), neighbors=4)
    agent = replan.Agent(spec.slug, grid, (0, 0), (4, 4))
    with pytest.raises(replan.InputError, match="budget"):
        agent.plan(budget)
    assert len(agent.plan(replan.Unlimited())) == 8
