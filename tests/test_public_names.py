"""`tests/trips.py` and `benchmarks/sides.py` work with a checkout in which public names have changed."""

import dataclasses
import json

import pytest

import public_names
import replan
import trips

RENAMED = {"lookahead": "horizon", "queue": "open_list", "weight": "inflation"}


@pytest.fixture
def renamed(monkeypatch):
    """A Replan whose options and counts have other names."""
    planner, planners, as_dict = replan.planner, replan.planners, replan.Trip.as_dict

    def renamed_spec(spec):
        return dataclasses.replace(spec, options={RENAMED.get(name, name): v for name, v in spec.options.items()})

    def renamed_planner(name, **options):
        assert not set(options) & set(RENAMED), "an option is given by its first name"
        first = {now: then for then, now in RENAMED.items()}
        return planner(name, **{first.get(option, option): value for option, value in options.items()})

    def renamed_dict(trip):
        return {"reexpansions" if name == "expansions" else name: value for name, value in as_dict(trip).items()}

    specs = [renamed_spec(spec) for spec in planners()]
    monkeypatch.setattr(replan, "planners", lambda: specs)
    monkeypatch.setattr(replan, "planner", renamed_planner)
    monkeypatch.setattr(replan.Trip, "as_dict", renamed_dict)
    options = {then: (now,) for then, now in RENAMED.items()}
    monkeypatch.setattr(public_names, "OPTIONS", {**public_names.OPTIONS, **options})
    monkeypatch.setattr(public_names, "ATTRIBUTES", {**public_names.ATTRIBUTES, "expansions": ("reexpansions",)})
    public_names._known_options.cache_clear()
    yield
    public_names._known_options.cache_clear()


COUNT = 150
MADE: list[str] = [json.dumps(trips.a_trip(0, i)) for i in range(COUNT)]


def test_trips_are_the_same_when_names_change(renamed):
    assert any(name in line for line in MADE for name in RENAMED)
    for i, line in enumerate(MADE):
        made = trips.a_trip(0, i, like=json.loads(line))

        assert made == json.loads(line)


def test_each_first_name_is_of_this_checkout_or_has_a_newer_one():
    known = public_names._known_options()
    assert {"lookahead", "collisions"} <= known
    for first in public_names.OPTIONS:
        (name,) = public_names.options({first: None})
        assert name in known, f"no checkout has {first}: remove the row"


def test_values_follow_the_name(monkeypatch):
    monkeypatch.setattr(public_names, "_known_options", lambda: frozenset({"collisions", "lookahead"}))
    assert public_names.options({"solid": True, "lookahead": 9}) == {"collisions": "wait", "lookahead": 9}
    assert public_names.options({"solid": False}) == {"collisions": None}
    assert public_names.first_option("collisions") == "solid"
