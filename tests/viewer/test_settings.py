"""Settings come from a page: everything is checked, and told in a sentence."""

from __future__ import annotations

import base64
import io
import json

import numpy as np
import pytest

import replan
from replan.viewer.messages import unpack
from replan.viewer.session import Session
from replan.viewer.settings import MAP_MAKERS, Settings, parse_settings

FIRST = Settings(rows=20, cols=20)


@pytest.mark.parametrize("name", [*MAP_MAKERS, "new-doors", *replan.maps.builtin_names()])
def test_every_map_that_is_offered_can_be_watched(name):
    session = Session(parse_settings({"map": name, "seed": 3}, FIRST))
    assert len(list(session.advance(5))) >= 1


@pytest.mark.parametrize(
    "other", [{"map": "figure-3"}, {"map": "rooms"}, {"rows": 9, "cols": 40}, {"seed": 8}, {"map": "new-maze"}]
)
def test_null_lets_start_and_goal_be_chosen(other):
    first = Session(FIRST).settings  # has a start and a goal, those of its map
    session = Session(parse_settings({**other, "start": None, "goal": None}, first))
    assert session.settings.start != session.settings.goal and len(list(session.advance(5))) >= 1


@pytest.mark.parametrize("name", sorted(set(FIRST.page_fields()) - {"start", "goal"}))
def test_null_is_no_value_of_anything_else(name):
    with pytest.raises(replan.InputError):
        parse_settings({name: None}, FIRST)


def test_settings_go_through_json_and_give_the_same_trip():
    chosen = Settings(map="new-rooms", rows=30, cols=30, seed=5, planners=("lss-lrta:lookahead=5",), target="flees")
    again = parse_settings(json.loads(json.dumps(chosen.page_fields())), FIRST)
    assert again == chosen
    trips = [[unpack(frame) for frame in Session(one).advance(60)] for one in (chosen, again)]
    assert [(f["at"], f["target"]) for f in trips[0]] == [(f["at"], f["target"]) for f in trips[1]]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (7, "object"),
        ({"map": "labyrinth"}, "there is no map"),
        ({"rows": 10**6}, "rows is a whole number"),
        ({"rows": 4096, "cols": 4096, "seed": -1}, "seed"),
        ({"neighbors": 6}, "neighbors"),
        ({"sensor": "psychic"}, "sensor is"),
        ({"planners": []}, "1 to 4 planners"),
        ({"planners": ["rtaa"] * 5}, "1 to 4 planners"),
        ({"planners": ["rtta"]}, "did you mean"),
        ({"planners": ["os:system"]}, "comes from a file"),
        ({"planners": ["/tmp/evil.py:Planner"]}, "comes from a file"),
        ({"start": [0]}, "start is a cell"),
        ({"start": [99, 99]}, "99"),
        ({"edits": [[1, "explode", [0, 0]]]}, "an edit is"),
        ({"edits": [[1, "change", [[0, 0]], "lava"]]}, "a cell becomes"),
        ({"speed": float("nan")}, "speed"),
        ({"upload": {"name": "x.map", "data": "!!"}}, "damaged"),
        ({"upload": {"name": "x.exe", "data": ""}}, "x.exe"),
        ({"upload": {"name": "../../etc/passwd", "data": "AAAA"}}, "passwd"),
    ],
)
def test_what_is_wrong_is_said(given, said):
    with pytest.raises(replan.InputError, match=said):
        Session(parse_settings(given, FIRST))


def test_a_map_that_is_handed_in_stays_in_memory(tmp_path, monkeypatch):
    blocked = replan.cave(20, 30, seed=2)
    rows = "\n".join("".join("@" if cell else "." for cell in row) for row in blocked)
    text = f"type octile\nheight 20\nwidth 30\nmap\n{rows}\n".encode()
    monkeypatch.chdir(tmp_path)
    upload = {"name": "mine.map", "data": base64.b64encode(text).decode()}
    chosen = parse_settings({"map": "mine.map", "upload": upload}, FIRST)
    assert (Session(chosen).grid.blocked == blocked).all()
    assert list(tmp_path.iterdir()) == []


def test_an_image_beyond_the_limit_is_refused_before_it_is_unpacked(monkeypatch):
    image = pytest.importorskip("PIL.Image")
    made = io.BytesIO()
    image.new("1", (8000, 8000)).save(made, format="PNG")
    upload = {"name": "large.png", "data": base64.b64encode(made.getvalue()).decode()}
    monkeypatch.setattr("replan.maps.images._to_pixels", lambda *_: pytest.fail("it is unpacked"))
    with pytest.raises(replan.InputError, match="more than the limit of 16777216 cells"):
        parse_settings({"map": "large.png", "upload": upload}, FIRST)


def test_planners_of_the_command_line_may_come_from_files():
    first = Settings(rows=20, cols=20, planners=("examples/mine.py:Mine",))
    assert parse_settings({"planners": ["examples/mine.py:Mine"]}, first).planners == first.planners


@pytest.mark.parametrize("seed", range(300))
def test_nothing_that_json_can_hold_gets_through_unchecked(seed):
    rng = np.random.default_rng(seed)
    values = [None, True, -1, 0, 3, 10**30, 1.5, float("inf"), "", "x" * 500, "\0", [], [[]], {}, {"a": 1}, ["rtaa", 3]]
    names = [*FIRST.page_fields(), "upload", "given", "nonsense"]
    given = {str(name): values[rng.integers(len(values))] for name in rng.choice(names, 3, replace=False)}
    try:
        Session(parse_settings(given, FIRST))
    except replan.InputError as error:
        assert len(str(error)) < 1000
