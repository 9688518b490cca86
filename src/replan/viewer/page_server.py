"""The server of the page on its port: its addresses, and limits on connections."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from replan.errors import InputError
from replan.viewer.access_control import AccessControl
from replan.viewer.application import MAX_MESSAGE_BYTES, make_app
from replan.viewer.playback import Playback
from replan.viewer.session import Session

MAX_CONNECTIONS = 200  # each takes a file descriptor, of which a process has a thousand or so
REQUEST_SECONDS = 10.0  # for the first request of a connection


class LimitedConnection(H11Protocol):
    """A connection that is closed unless a whole request comes soon, or if there are too many."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        super().connection_made(transport)
        self.timeout_handle = self.loop.call_later(REQUEST_SECONDS, self._close_idle)
        if len(self.connections) > MAX_CONNECTIONS:
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self.timeout_handle.cancel()
        super().connection_lost(exc)

    def _close_idle(self) -> None:
        upgraded = self.transport.get_protocol() is not self
        if self.cycle is None and not upgraded:
            self.transport.close()


class PageServer:
    """A server for what `replan view` shows, on a port that is open already.

    played: what a tab shows at first. port: 0 takes one that is free. address: with the token. address_once: with a
    token that serves one request. Raises InputError if the port cannot be used.
    """

    def __init__(self, played: Session | Playback, host: str, port: int) -> None:
        self.listener = _bind(host, port)
        port = self.listener.getsockname()[1]
        names = {host, "localhost"} if host.startswith("127.") else {host}
        story = played.stories[0].to_bytes() if isinstance(played, Playback) else None
        app = AccessControl(make_app(played.settings, story), frozenset(f"{name}:{port}" for name in names))
        self.url, self.one_time_url = (f"http://{host}:{port}/?token={key}" for key in (app.token, app.one_time_token))
        config: Any = uvicorn.Config(
            app,
            log_level="warning",
            http=LimitedConnection,
            ws="websockets-sansio",
            ws_max_size=MAX_MESSAGE_BYTES,
            ws_per_message_deflate=False,  # on one machine it takes time, and a small message could become a large one
            lifespan="off",
        )
        self.server = uvicorn.Server(config)

    def run(self) -> None:
        """Serve until `end` is called, or Ctrl-C."""
        self.server.run(sockets=[self.listener])

    def stop(self) -> None:
        self.server.should_exit = True


def _bind(host: str, port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise InputError(f"port {port} of {host} cannot be used: {error.strerror}; take another --port") from None
    listening.listen()  # a browser that comes before the server runs has to wait, and is not refused
    return listening
