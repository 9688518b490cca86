"""Every planner is explained. (That its parts are there is tested with the site, which shows their lines.)"""

from __future__ import annotations

import pytest

import replan
from replan.planners.explanations import explanations, families, pseudo_code
from replan.planners.registry import find_spec


@pytest.mark.parametrize("spec", replan.planners(), ids=lambda spec: spec.slug)
def test_every_planner_is_explained(spec):
    told = explanations().get(spec.name)
    assert told is not None, f"{spec.name} has no explanation in its PlannerSpec"
    assert len(told.idea) > 80 and told.guarantees and told.limits and told.parts


def test_nothing_else_is():
    assert all(find_spec(name).name == name for name in explanations())
    assert sorted(explanations()) == sorted(name for family in families() for name in family.planners)
    assert all(family.title and family.idea for family in families())


def test_every_part_has_pseudo_code():
    assert sorted(pseudo_code()) == sorted({part for told in explanations().values() for part in told.parts})
    assert all(len(line) <= 64 for text in pseudo_code().values() for line in text.splitlines())
