"""`replan planners`."""

from __future__ import annotations

import replan


def test_every_planner_with_its_recipe(replan_command):
    result = replan_command("planners")
    assert result.exit_code == 0
    text = " ".join(result.stdout.split())
    for spec in replan.planners():
        assert f"{spec.name} {spec.slug} recipe {spec.recipe} paper {spec.paper} options" in text
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_json(as_json):
    listed = as_json("planners")["planners"]
    assert [planner["slug"] for planner in listed] == [spec.slug for spec in replan.planners()]
    for planner, spec in zip(listed, replan.planners(), strict=True):
        assert planner["name"] == spec.name and planner["paper"] == spec.paper
        assert list(planner["options"]) == list(spec.options)
