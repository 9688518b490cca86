"""The server: for its own page alone, whatever is sent to it."""

from __future__ import annotations

import json

import numpy as np
import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from replan.errors import InputError
from replan.viewer import application
from replan.viewer.access_control import AccessControl
from replan.viewer.application import Tab, make_app
from replan.viewer.messages import unpack
from replan.viewer.settings import Settings
from replan.viewer.tab_memory import TabMemory, bytes_needed

HOST = "127.0.0.1:8000"
WATCH = f"ws://{HOST}/watch"
OURS = {"host": HOST, "origin": f"http://{HOST}"}


@pytest.fixture
def guard():
    return AccessControl(make_app(Settings(rows=20, cols=20)), frozenset({HOST}))


@pytest.fixture
def client(guard):
    """A browser that has opened the address that `replan view` prints."""
    with TestClient(guard, base_url=f"http://{HOST}") as made:
        assert made.get(f"/?token={guard.token}").status_code == 200
        yield made


@pytest.fixture
def stranger(guard):
    """Another user of the machine."""
    with TestClient(guard, base_url=f"http://{HOST}", follow_redirects=False) as made:
        yield made


def refused(client, headers, query=""):
    """Is everything refused, whatever is asked for?"""
    answers = [client.get(path + query, headers=headers) for path in ("/", "/page/main.js", "/choices", "/nothing")]
    answers.append(client.post("/" + query, headers=headers))
    with pytest.raises(WebSocketDisconnect), client.websocket_connect(WATCH + query, headers=headers) as socket:
        socket.receive_text()
    return {answer.status_code for answer in answers} == {403} and answers


def test_without_the_token_nothing_is_answered(stranger, guard):
    for query in ("", "?token=", "?token=x", "?token=%00", f"?token={guard.token[:-1]}", f"?token={guard.token}x"):
        for answer in refused(stranger, OURS, query):
            assert "open the address that `replan view` has printed" in answer.text
            assert answer.headers["connection"] == "close" and "set-cookie" not in answer.headers
    assert refused(stranger, {**OURS, "cookie": "replan-8000=x; replan-8001=" + guard.token})


def test_the_token_is_exchanged_for_a_cookie(stranger, guard):
    answer = stranger.get(f"/?token={guard.token}")
    assert answer.status_code == 303 and answer.headers["location"] == "/"
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("replan-8000=") and "httponly" in cookie.lower() and "samesite=lax" in cookie.lower()
    assert stranger.get("/").status_code == 200
    with stranger.websocket_connect(WATCH, headers=OURS) as socket:
        assert ask(socket, {"do": "begin"})[0]


def test_a_socket_may_have_the_token_in_its_address(stranger, guard):
    with stranger.websocket_connect(f"{WATCH}?token={guard.token}", headers=OURS) as socket:
        assert ask(socket, {"do": "begin"})[0]


def test_the_token_that_a_browser_is_started_with_serves_once(guard):
    once = guard.one_time_token
    for expected in (303, 403):
        with TestClient(guard, base_url=f"http://{HOST}", follow_redirects=False) as made:
            assert made.get(f"/?token={once}").status_code == expected
    assert AccessControl(None, frozenset()).token != guard.token and len(guard.token) >= 32


def test_binary_messages_close_the_socket(client):
    with client.websocket_connect(WATCH, headers=OURS) as socket:
        socket.send_bytes(b"\0" * 1_000_000)
        assert "text, not bytes" in json.loads(socket.receive_text())["error"]
        with pytest.raises(WebSocketDisconnect):
            socket.receive_text()


def test_tabs_that_would_take_the_memory_of_the_machine_get_a_sentence():
    settings = Settings(rows=20, cols=20)
    needed = settings.bytes_needed()
    memory = TabMemory(2 * needed + 100_000)
    tabs = [Tab(settings, None, memory) for _ in range(3)]
    for tab in tabs[:2]:
        assert tab.handle({"do": "begin"})
    with pytest.raises(InputError, match="close a tab, or choose a smaller map or fewer planners"):
        tabs[2].handle({"do": "begin"})
    assert tabs[0].handle({"do": "begin"})  # another trip takes the place of the one before
    with pytest.raises(InputError, match="close a tab"):
        tabs[0].handle({"do": "begin", "settings": {"rows": 2000, "cols": 2000}})
    assert tabs[0].handle({"do": "advance", "ticks": 1})  # the trip of before is still there
    tabs[1].close()
    assert tabs[2].handle({"do": "begin"})
    for tab in tabs:
        tab.close()
    assert memory.bytes_by_tab == {}


def test_what_a_trip_records_counts(monkeypatch):
    tab = Tab(Settings(rows=20, cols=20), None, TabMemory(Settings(rows=20, cols=20).bytes_needed() + 5000))
    tab.handle({"do": "begin"})
    with pytest.raises(InputError, match="close a tab"):
        for _ in range(1000):
            tab.handle({"do": "advance", "ticks": 512})
            tab.session.stories[0].flush()
            tab.session.stories[0].retarget(tab.session.settings.start)


def test_large_maps_are_refused_before_they_are_made(monkeypatch):
    monkeypatch.setattr("replan.viewer.settings.cached_grid", lambda *_: pytest.fail("a map is made"))
    tab = Tab(Settings(), None, TabMemory(10**9))
    with pytest.raises(InputError, match=r"takes about 1\.8 GB of memory; .* may take 1\.0 GB"):
        tab.handle({"do": "begin", "settings": {"map": "new-cave", "rows": 4096, "cols": 4096}})
    assert bytes_needed(1_000_000, 4, True) == 1_310_000_000


def ask(socket, message):
    """The frames and the last word of an answer."""
    socket.send_text(message if isinstance(message, str) else json.dumps(message))
    frames = []
    while True:
        got = socket.receive()
        if got["type"] == "websocket.close":
            raise WebSocketDisconnect(got["code"])
        if got.get("bytes") is not None:
            frames.append(unpack(got["bytes"]))
            continue
        said = json.loads(got["text"])
        if "starting" not in said:
            return frames, said


def test_the_page_and_its_parts_are_served(client):
    page = client.get("/")
    assert page.status_code == 200 and "<main" in page.text
    assert "default-src 'self'" in page.headers["content-security-policy"]
    for name in ("main.js", "style.css", "icon.svg"):
        assert client.get(f"/page/{name}").status_code == 200
    assert {spec["slug"] for spec in client.get("/choices").json()["planners"]} >= {"rtaa", "d-star-lite"}


@pytest.mark.parametrize("path", ["/page/../server.py", "/page/%2e%2e/server.py", "/page/server.py", "/etc/passwd"])
def test_nothing_else_is(client, path):
    assert client.get(path).status_code in (403, 404)


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "evil.example"},
        {"host": "127.0.0.1:9999"},
        {"host": HOST, "origin": "http://evil.example"},
        {"host": HOST, "origin": "null"},
    ],
)
def test_other_pages_are_turned_away(client, headers):
    assert refused(client, headers)


def test_a_socket_without_an_origin_is_turned_away(client):
    with pytest.raises(WebSocketDisconnect), client.websocket_connect(WATCH, headers={"host": HOST}) as socket:
        socket.receive_text()


def test_a_trip_is_watched_and_meddled_with(client):
    with client.websocket_connect(WATCH, headers=OURS) as socket:
        frames, said = ask(socket, {"do": "begin", "settings": {"planners": ["rtaa", "d-star-lite"]}})
        assert frames[0]["kind"] == "world" and [frame["who"] for frame in frames[1:]] == [0, 1]
        assert said["done"] == "begin" and said["tick"] == 0
        frames, said = ask(socket, {"do": "advance", "ticks": 5})
        assert [frame["tick"] for frame in frames if frame["who"] == 0] == [1, 2, 3, 4, 5]
        frames, said = ask(socket, {"do": "edit", "tick": 2, "edit": ["retarget", [10, 10]]})
        assert {frame["tick"] for frame in frames} <= {3} and (said["edits"] or said["error"])


@pytest.mark.parametrize(
    "message",
    ["", "no json", "[]", "3", "null", '{"do": "fly"}', '{"do": "advance"}', '{"do": ["begin"]}', "[" * 10_000,
     '{"do": "begin", "settings": {"map": 3}}', '{"do": "edit", "tick": 0, "edit": ["retarget", [0, 0]]}'],
)  # fmt: skip
def test_messages_that_make_no_sense_get_a_sentence(client, message):
    with client.websocket_connect(WATCH, headers=OURS) as socket:
        _, said = ask(socket, message)
        assert said["error"]
        frames, said = ask(socket, {"do": "begin"})
        assert frames and said["done"] == "begin"


def test_malformed_messages_by_the_thousand_leave_it_standing(client, monkeypatch):
    monkeypatch.setattr(application, "MAX_MESSAGE_CREDIT", 1e9)
    monkeypatch.setattr(application, "MESSAGES_PER_SECOND", 1e9)
    rng = np.random.default_rng(0)
    good = json.dumps({"do": "begin", "settings": {"rows": 9, "cols": 9, "planners": ["rtaa"]}})
    with client.websocket_connect(WATCH, headers=OURS) as socket:
        for _ in range(2000):
            signs = list(good)
            for i in rng.integers(len(signs), size=rng.integers(1, 4)):
                signs[i] = chr(rng.integers(32, 127))
            _, said = ask(socket, "".join(signs))
            assert "error" in said or "done" in said
        assert ask(socket, good)[1]["done"] == "begin"


def test_too_many_messages_at_once_close_the_socket(client, monkeypatch):
    monkeypatch.setattr(application, "MAX_MESSAGE_CREDIT", 3.0)
    monkeypatch.setattr(application, "MESSAGES_PER_SECOND", 0.001)
    with pytest.raises(WebSocketDisconnect), client.websocket_connect(WATCH, headers=OURS) as socket:
        for _ in range(10):
            ask(socket, {"do": "fly"})


def test_a_closed_tab_frees_its_trip_and_twenty_work(client):
    sockets = [client.websocket_connect(WATCH, headers=OURS) for _ in range(20)]
    opened = [socket.__enter__() for socket in sockets]
    for socket in opened:
        frames, _ = ask(socket, {"do": "begin"})
        assert frames
    for socket in sockets:
        socket.__exit__(None, None, None)
    with client.websocket_connect(WATCH, headers=OURS) as socket:
        assert ask(socket, {"do": "begin"})[0]


def test_more_tabs_than_there_is_room_for_are_told_so(client, monkeypatch):
    monkeypatch.setattr(application, "MAX_TABS", 1)
    with client.websocket_connect(WATCH, headers=OURS) as first:
        ask(first, {"do": "begin"})
        with client.websocket_connect(WATCH, headers=OURS) as second:
            assert "tabs are open" in json.loads(second.receive_text())["error"]
    with client.websocket_connect(WATCH, headers=OURS) as third:
        assert ask(third, {"do": "begin"})[0]
