"""Stories that have been told, on the page: from files, into files, as pages of their own."""

from __future__ import annotations

import base64
import html
import json
import re
import zlib

import numpy as np
import pytest
from click.testing import CliRunner

import replan
from replan.cli import main
from replan.viewer.application import Tab
from replan.viewer.messages import unpack
from replan.viewer.playback import Playback
from replan.viewer.saved_page import OMISSION_LEVELS, make_page
from replan.viewer.session import Session, story_files
from replan.viewer.settings import Settings
from replan.viewer.tab_memory import TabMemory
from replan.worlds.problems import distant_problem


def story_of(planner: str = "RTAA*", arrays: bool = True, **options) -> replan.Story:
    grid = replan.Grid(replan.cave(30, 40, seed=3))
    problem = distant_problem(grid, 1)
    made = replan.planner(planner, **options)
    story = replan.watch(replan.World(grid), made, problem.start, problem.goal, record_arrays=arrays)
    story.finish()
    return story


def text_in(page: str) -> str:
    return re.search(r'<script id="frames" type="text/plain">([^<]*)</script>', page).group(1)


def frames_in(page: str) -> list[dict]:
    """The frames that a saved page holds."""
    content = zlib.decompress(base64.b64decode(text_in(page)))
    found, at = [], 0
    while at < len(content):
        size = int.from_bytes(content[at : at + 4], "little")
        found.append(unpack(content[at + 4 : at + 4 + size]))
        at += 4 + size
    return found


def test_a_story_is_played_moment_by_moment():
    story = story_of(lookahead=9)
    played = Playback([story])
    opening = unpack(played.world_message())
    assert opening["settings"]["recorded"] and opening["planners"][0]["name"] == "RTAA*"
    frames = [unpack(frame) for _ in range(len(story)) for frame in played.advance(1)]
    assert [frame["step"] for frame in frames] == [moment.time for moment in story] and played.has_ended
    assert list(played.advance(10)) == []
    assert any("g" in frame for frame in frames) and any("order" in frame for frame in frames)
    with pytest.raises(replan.InputError, match="Begin starts a trip of your own"):
        played.edit_at(0, (0, "change", ((0, 0),), "blocked"))


def test_what_cannot_be_played():
    graph = replan.watch(replan.World(replan.Graph([(0, 1, 1)])), "RTAA*", 0, 1)
    graph.finish()
    small = replan.watch(replan.World(replan.Grid([[0, 0]])), "RTAA*", (0, 0), (0, 1))
    small.finish()
    for stories, why in (([graph], "grids"), ([], "grids"), ([small, story_of()], "one size")):
        with pytest.raises(replan.InputError, match=why):
            Playback(stories)


def test_a_session_is_saved_and_opened_again():
    session = Session(Settings(rows=30, cols=30, seed=2, planners=("rtaa:lookahead=5", "d-star-lite")))
    list(session.advance(20))
    files = story_files(session.stories)
    assert [name for name, _ in files] == ["rtaa-1.replan", "d--lite-2.replan"]
    tab = Tab(Settings(), None, TabMemory(10**9))
    upload = {"name": "x.replan", "data": base64.b64encode(files[1][1]).decode()}
    frames = [unpack(frame) for frame in tab.handle({"do": "open", "upload": upload})]
    frames += [unpack(frame) for frame in tab.handle({"do": "advance", "ticks": 500})]
    assert [frame["at"] for frame in frames[1:]] == [
        unpack(frame)["at"] for frame in session.messages() if unpack(frame).get("who") == 1
    ]
    saved = [unpack(frame) for frame in tab.handle({"do": "save"})]
    assert (
        saved[0]["kind"] == "file" and replan.Story.from_bytes(saved[0]["content"].tobytes()).planner_name == "D* Lite"
    )
    with pytest.raises(replan.InputError, match="has been told"):
        tab.handle({"do": "edit", "tick": 0, "edit": ["change", [[0, 0]], "free"]})
    begun = tab.handle({"do": "begin", "settings": {"map": "the story's map", "planners": ["rtaa"]}})
    assert unpack(begun[0])["rows"] == 30  # a trip of one's own on its map


@pytest.mark.parametrize("content", [b"", b"nonsense", b"\x89REPLAN\r\n\x1a\nstory"])
def test_a_bad_story_gets_a_sentence(content):
    upload = {"name": "bad.replan", "data": base64.b64encode(content).decode()}
    with pytest.raises(replan.InputError, match=r"bad\.replan"):
        Tab(Settings(), None, TabMemory(10**9)).handle({"do": "open", "upload": upload})


def test_slow_terrain_on_a_map_without_weights():
    session = Session(Settings(map="new-open", rows=12, cols=20, seed=1, known="everything", sensor="everything"))
    list(session.advance(3))
    here, path = session.tick, session.stories[0][-1].path.tolist()
    cells = tuple(session.grid.key(s) for s in path[:3])
    frames = [unpack(frame) for frame in session.edit_at(here, (0, "change", cells, 5))]
    assert frames[0]["kind"] == "world" and frames[-1]["cause"] == "change"
    assert set(frames[-1]["changed_to"]) == {5} and session.grid.is_weighted
    more = [unpack(frame) for frame in session.edit_at(session.tick, (0, "change", cells[:1], 3))]
    assert [frame["cause"] for frame in more] == ["change"]
    again = Session(session.settings)  # as a permalink does it
    assert [unpack(f)["at"] for f in again.advance(10_000)] == [
        unpack(f)["at"] for f in session.messages() if unpack(f)["kind"] == "moment"
    ] + [unpack(f)["at"] for f in session.advance(10_000)]


def test_slow_terrain_where_a_planner_takes_none():
    session = Session(Settings(map="new-open", rows=9, cols=9, neighbors=4, planners=("compact-a-star",)))
    list(session.advance(3))
    before = session.tick, session.stories[0][-1].state
    with pytest.raises(replan.InputError):
        session.edit_at(session.tick, (0, "change", ((4, 4),), 5))
    assert (session.tick, session.stories[0][-1].state) == before and session.settings.edits == ()
    list(session.advance(1000))
    assert session.has_ended


def test_the_page_of_a_story():
    story = story_of(lookahead=9)
    page = story.to_html()
    opening, *moments = frames_in(page)
    assert len(moments) == len(story) and opening["note"] == ""
    assert "src=" not in page and "http" not in re.sub(r"http://www.w3.org/2000/svg|ws:", "", page).split("<body>")[0]
    loaded = replan.Story.from_bytes(story.to_bytes())
    assert loaded.to_html() == page


def test_a_page_that_would_be_too_large_says_what_it_lacks(monkeypatch):
    story = story_of(lookahead=99)
    page = make_page([story])
    for note, _, _ in OMISSION_LEVELS[1:]:
        monkeypatch.setattr("replan.viewer.saved_page.MAX_BYTES", len(text_in(page)) - 1)
        page = make_page([story])
        opening, *moments = frames_in(page)
        assert opening["note"] == note and "left out" in note
        assert not any("g" in frame for frame in moments)
        assert any("order" in frame for frame in moments) == (note == OMISSION_LEVELS[1][0])


def fresh() -> replan.Story:
    return replan.watch(replan.World(replan.Grid(replan.maze(9, 9, seed=1), neighbors=4)), "RTAA*", (0, 0), (8, 8))


@pytest.mark.parametrize("steps", [0, 1, 1000])
def test_a_story_runs_to_its_end_before_it_is_shown(steps, tmp_path):
    pillow = pytest.importorskip("PIL.Image")
    whole = fresh()
    whole.finish()
    for show in (lambda story: story._repr_html_(), lambda story: story.to_html()):
        story = fresh()
        story.run_steps(steps)
        assert len(frames_in(html.unescape(show(story)))) == len(whole) + 1 and story.trip.reached
    story = fresh()
    story.run_steps(steps)
    story.gif(tmp_path / "trip.gif")
    with pillow.open(tmp_path / "trip.gif") as picture:
        assert picture.n_frames == len(whole) and story.trip.reached


def test_a_notebook_waits_for_no_endless_trip(monkeypatch):
    monkeypatch.setattr("replan.simulation.story_pictures.MAX_NOTEBOOK_STEPS", 20)
    around = np.zeros((5, 5), bool)
    around[1:-1, 1:-1] = True
    world = replan.World(replan.Grid(around, neighbors=4), target=replan.Flee((4, 4), speed=1.0))
    story = replan.watch(world, "RTAA*", (0, 0))
    assert story._repr_html_() is None and len(story) == 21 and not story.has_ended


def test_what_a_notebook_shows():
    shown = story_of(arrays=False)._repr_html_()
    assert shown.startswith("<iframe") and "&quot;" in shown and shown.count('"') == 10
    graph = replan.watch(replan.World(replan.Graph([(0, 1, 1)])), "RTAA*", 0, 1)
    assert graph._repr_html_() is None and repr(graph) == "<Story that has not begun: finish() makes all its steps>"
    assert graph.finish().reached and repr(graph).startswith("<Story of 2 steps: ")


def test_the_command_saves_pages_and_traces_of_stories(tmp_path):
    story = story_of(lookahead=9)
    file, page, trace = (tmp_path / name for name in ("a.replan", "a.html", "a.trace.json"))
    story.save(file)
    done = CliRunner().invoke(main, ["view", str(file), "--save", str(page), "--trace", str(trace)])
    assert done.exit_code == 0, done.output
    assert len(frames_in(page.read_text())) == len(story) + 1
    events = json.loads(trace.read_text())["events"]
    assert sum(event["type"] == "agent" for event in events) == len(story)
    refused = CliRunner().invoke(main, ["view", str(file), "--planner", "rtaa", "--save", str(page)])
    assert refused.exit_code == 2 and "has its planner" in refused.output + str(refused.stderr)
