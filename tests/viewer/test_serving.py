"""The server on a real port: its address, and what it does with connections that say nothing."""

from __future__ import annotations

import http.client
import re
import socket
import threading
import time
import webbrowser

import pytest
from click.testing import CliRunner

import replan
from replan.cli import main
from replan.viewer import page_server
from replan.viewer.page_server import PageServer
from replan.viewer.session import Session
from replan.viewer.settings import Settings

SMALL = Session(Settings(rows=9, cols=9))


@pytest.fixture
def server():
    made = PageServer(SMALL, "127.0.0.1", 0)
    running = threading.Thread(target=made.run, daemon=True)
    running.start()
    yield made
    made.stop()
    running.join(10)


def port_of(server) -> int:
    return server.listener.getsockname()[1]


def status(server, path: str) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port_of(server), timeout=10)
    try:
        connection.request("GET", path)
        return connection.getresponse().status
    finally:
        connection.close()


def closed_within(connection: socket.socket, seconds: float) -> bool:
    connection.settimeout(seconds)
    try:
        return connection.recv(1000) == b""
    except ConnectionResetError:
        return True
    except TimeoutError:
        return False


def test_every_server_has_a_token_of_its_own(server):
    other = PageServer(SMALL, "127.0.0.1", 0)
    tokens = [re.fullmatch(r"http://127\.0\.0\.1:\d+/\?token=([\w-]{32})", one.url)[1] for one in (server, other)]
    assert tokens[0] != tokens[1]
    assert status(server, f"/?token={tokens[0]}") == 303
    assert status(server, f"/?token={tokens[1]}") == status(server, "/") == 403
    other.listener.close()


def test_a_port_that_is_taken_gets_a_sentence(server):
    with pytest.raises(replan.InputError, match=r"cannot be used: .*; take another --port"):
        PageServer(SMALL, "127.0.0.1", port_of(server))


@pytest.mark.parametrize("said", [b"", b"GET / HTTP/1.1\r\nHost: 127", b"GET / HTTP/1.1\r\n" + b"X: 1\r\n" * 100])
def test_connections_without_a_whole_request_are_closed(server, said, monkeypatch):
    monkeypatch.setattr(page_server, "REQUEST_SECONDS", 0.3)
    with socket.create_connection(("127.0.0.1", port_of(server))) as connection:
        for i in range(0, len(said) + 1, 100):
            connection.sendall(said[i : i + 100])
        assert closed_within(connection, 5)
    assert status(server, "/") == 403


def test_a_connection_that_asks_for_more_after_a_refusal_is_closed(server):
    with socket.create_connection(("127.0.0.1", port_of(server))) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\nGET /")
        assert connection.recv(100).startswith(b"HTTP/1.1 403")
        while connection.recv(1000):
            pass


def test_more_connections_than_may_be_open_are_closed_at_once(server, monkeypatch):
    monkeypatch.setattr(page_server, "MAX_CONNECTIONS", 5)
    open_ones = [socket.create_connection(("127.0.0.1", port_of(server))) for _ in range(12)]
    assert sum(closed_within(connection, 0.5) for connection in open_ones[5:]) == 7
    for connection in open_ones:
        connection.close()
    until = time.monotonic() + 5
    while len(server.server.server_state.connections) > 0 and time.monotonic() < until:
        time.sleep(0.01)
    assert status(server, "/") == 403


def test_the_command_prints_the_address_and_opens_another(monkeypatch):
    opened = []
    monkeypatch.setattr(PageServer, "run", lambda self: (time.sleep(0.6), self.listener.close()))
    monkeypatch.setattr(webbrowser, "open", opened.append)
    done = CliRunner().invoke(main, ["view", "figure-3"])
    assert done.exit_code == 0, done.output
    (printed,) = re.findall(r"http://127\.0\.0\.1:\d+/\?token=[\w-]{32} ", done.output)
    assert len(opened) == 1 and opened[0].partition("?")[0] == printed.partition("?")[0] != printed
    assert opened[0] != printed.strip() and re.search(r"\?token=[\w-]{32}$", opened[0])
