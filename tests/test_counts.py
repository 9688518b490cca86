"""A count stands in `counts.py` wherever it has to: what is left out there would be lost without a word."""

from __future__ import annotations

import ast
from pathlib import Path

import replan
from replan.counts import COUNT_NAMES

SOURCE = Path(replan.__file__).parent / "counts.py"


def counting() -> ast.ClassDef:
    tree = ast.parse(SOURCE.read_text(encoding="utf-8"))
    return next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "HasCounts")


def test_every_name_is_declared_for_people_and_for_c():
    declared = [node.target.id for node in counting().body if isinstance(node, ast.AnnAssign)]
    assert declared == list(COUNT_NAMES)
    assert f"cdef public i64 {', '.join(COUNT_NAMES)}\n" in SOURCE.with_suffix(".pxd").read_text(encoding="utf-8")


def test_every_count_of_a_part_is_added_to_the_whole():
    adding = next(node for node in counting().body if isinstance(node, ast.FunctionDef) and node.name == "add_counts")
    added = [ast.unparse(node) for node in adding.body if isinstance(node, ast.AugAssign)]
    assert added == [f"self.{name} += factor * other.{name}" for name in COUNT_NAMES]


def test_planners_begin_to_count_at_zero():
    planner = replan.planner("RTD*")
    grid = replan.Grid([[0, 0, 0], [0, 1, 0], [0, 0, 0]])
    agent = replan.Agent(planner, grid, (0, 0), (2, 2))
    assert [planner.count_of(name) for name in COUNT_NAMES] == [0] * len(COUNT_NAMES)
    agent.plan()
    assert planner.count_of("expansions") > 0
    replan.Agent(planner, grid, (0, 0), (2, 2))
    assert [planner.count_of(name) for name in COUNT_NAMES] == [0] * len(COUNT_NAMES)
