"""The server: for its own page alone, whatever is sent to it."""

from __future__ import annotations

import json

import numpy as np
import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from replan.viewer import server
from replan.viewer.frames import unpack
from replan.viewer.server import Viewer, make_app
from replan.viewer.settings import Settings

HOST = "127.0.0.1:8000"
OURS = {"host": HOST, "origin": f"http://{HOST}"}


@pytest.fixture
def client():
    with TestClient(make_app(Settings(rows=20, cols=20), frozenset({HOST})), base_url=f"http://{HOST}") as made:
        yield made


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
    assert client.get("/", headers=headers).status_code == 403
    assert client.get("/choices", headers=headers).status_code == 403
    with pytest.raises(WebSocketDisconnect), client.websocket_connect("/watch", headers=headers) as socket:
        socket.receive_text()


def test_a_socket_without_an_origin_is_turned_away(client):
    with pytest.raises(WebSocketDisconnect), client.websocket_connect("/watch", headers={"host": HOST}) as socket:
        socket.receive_text()


def test_a_trip_is_watched_and_meddled_with(client):
    with client.websocket_connect("/watch", headers=OURS) as socket:
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
    with client.websocket_connect("/watch", headers=OURS) as socket:
        _, said = ask(socket, message)
        assert said["error"]
        frames, said = ask(socket, {"do": "begin"})
        assert frames and said["done"] == "begin"


def test_malformed_messages_by_the_thousand_leave_it_standing(client, monkeypatch):
    monkeypatch.setattr(server, "MOST_AT_ONCE", 1e9)
    monkeypatch.setattr(server, "MESSAGES_A_SECOND", 1e9)
    rng = np.random.default_rng(0)
    good = json.dumps({"do": "begin", "settings": {"rows": 9, "cols": 9, "planners": ["rtaa"]}})
    with client.websocket_connect("/watch", headers=OURS) as socket:
        for _ in range(2000):
            signs = list(good)
            for i in rng.integers(len(signs), size=rng.integers(1, 4)):
                signs[i] = chr(rng.integers(32, 127))
            _, said = ask(socket, "".join(signs))
            assert "error" in said or "done" in said
        assert ask(socket, good)[1]["done"] == "begin"


def test_too_many_messages_at_once_close_the_socket(client, monkeypatch):
    monkeypatch.setattr(server, "MOST_AT_ONCE", 3.0)
    monkeypatch.setattr(server, "MESSAGES_A_SECOND", 0.001)
    with pytest.raises(WebSocketDisconnect), client.websocket_connect("/watch", headers=OURS) as socket:
        for _ in range(10):
            ask(socket, {"do": "fly"})


def test_a_closed_tab_frees_its_trip_and_twenty_work(client):
    sockets = [client.websocket_connect("/watch", headers=OURS) for _ in range(20)]
    opened = [socket.__enter__() for socket in sockets]
    for socket in opened:
        frames, _ = ask(socket, {"do": "begin"})
        assert frames
    for socket in sockets:
        socket.__exit__(None, None, None)
    with client.websocket_connect("/watch", headers=OURS) as socket:
        assert ask(socket, {"do": "begin"})[0]


def test_more_tabs_than_there_is_room_for_are_told_so(client, monkeypatch):
    monkeypatch.setattr(server, "MOST_TABS", 1)
    with client.websocket_connect("/watch", headers=OURS) as first:
        ask(first, {"do": "begin"})
        with client.websocket_connect("/watch", headers=OURS) as second:
            assert "tabs are open" in json.loads(second.receive_text())["error"]
    assert Viewer(Settings(), frozenset(), None).tabs == 0
