"""The registry: names, slugs, options, and what is refused."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import import_module
from pkgutil import iter_modules

import numpy as np
import pytest

import replan
from replan.planners.explanations import FAMILIES
from replan.planners.options import SHARED_OPTIONS
from replan.planners.registry import OPTIONS
from strategies import names

ALL = replan.planners()
REGISTRY = "replan.planners.registry"
PLANNERS = import_module("replan.planners")  # replan.planners is a function


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
        ("rtaa", {"on_cost_decrease": "down"}, "on_cost_decrease"),
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


def test_every_module_of_planners_is_collected():
    """What a module declares is in the registry, once, and in the order of lists."""
    found = [import_module(f"replan.planners.{module.name}") for module in iter_modules(PLANNERS.__path__)]
    declared = [spec for module in found for spec in getattr(module, "PLANNERS", ())]
    assert sorted(declared, key=lambda spec: spec.sort_order) == ALL
    assert len({spec.sort_order for spec in ALL}) == len(ALL) and {spec.family for spec in ALL} == set(FAMILIES)
    own = [option.name for module in found for option in getattr(module, "OPTIONS", ()) if module.__name__ != REGISTRY]
    assert sorted([*own, *SHARED_OPTIONS]) == sorted(OPTIONS)


@pytest.mark.parametrize("module", ["korf", "rtd", "rule_table"])
def test_a_module_can_be_imported_first(module):
    """Whatever is imported first, all planners are there."""
    code = f"import replan.planners.{module}, replan; print(len(replan.planners()))"
    said = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=True)
    assert int(said.stdout) == len(ALL)


@pytest.mark.parametrize("spec", ALL, ids=names(ALL))
def test_memory_that_is_taken_on_the_way_changes_no_path(spec):
    """`get_ready` may be called at any time, also when a search has laid out its keys and its queue is not empty."""
    plain = spec.needs_unit_costs or spec.needs_plain_grid
    for seed in range(4):
        draw = np.random.default_rng(seed)
        truth = draw.random((20, 20)) < 0.3
        truth[0, 0] = truth[-1, -1] = False
        weights, paths = None if plain else draw.integers(1, 9, (20, 20)), []
        for ready in (False, True):
            belief = replan.Grid(np.zeros((20, 20), bool), 4 if plain else 8, weights)
            agent = replan.Agent(spec.name, belief, (0, 0), (19, 19))
            agent.plan()
            if ready:
                agent.warm_up()
            agent.observe_map(truth)
            paths.append([agent.plan(), agent.plan()])
        assert paths[0] == paths[1]
