"""Checks of requests: the server answers those that carry its token, name it correctly, and come from its own page.

Another user of this machine can connect to the port and write any Host and Origin, but does not know the token. A page
of another site can make the browser send requests here, with the browser's cookies, but cannot choose Host and Origin.
So both are checked, as Jupyter does.

The address that is printed carries the token. The first request exchanges it for a cookie, and the browser goes on to
an address without it, so that links and pictures of the page do not give it away.
"""

from __future__ import annotations

import hmac
import secrets

from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose

SECURITY_HEADERS = {
    # everything that the page needs is its own
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data: blob:; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
NO_TOKEN = (
    "This server answers requests with its token alone: open the address that `replan view` has printed, with all of "
    "?token=... in it, in a browser that accepts cookies from this address."
)


class AccessControl:
    """An application behind checks of token, Host and Origin.

    hosts: the names and ports by which it may be called. token: of all requests. once: a token that serves one request;
    other users of the machine may read it in the list of processes when a browser is started with it.
    """

    def __init__(self, app: ASGIApp, hosts: frozenset[str]) -> None:
        self.app, self.hosts = app, hosts
        self.token = secrets.token_urlsafe(24)
        self.one_time_token = secrets.token_urlsafe(24)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        request = HTTPConnection(scope)
        reason = self._refusal_reason(request)
        answer: ASGIApp = self.app
        if reason and scope["type"] == "websocket":
            answer = WebSocketClose(1008)
        elif reason:
            answer = PlainTextResponse(reason, 403, {**SECURITY_HEADERS, "Connection": "close"})
        elif scope["type"] == "http" and "token" in request.query_params:
            answer = RedirectResponse("/", 303, SECURITY_HEADERS)
            answer.set_cookie(_cookie_name(request), self.token, httponly=True, samesite="lax")
        await answer(scope, receive, send)

    def _refusal_reason(self, request: HTTPConnection) -> str:
        """Why a request is not answered; empty if it is."""
        if request.headers.get("host", "") not in self.hosts:
            return "this server goes by another name"
        origin = request.headers.get("origin")
        if origin is not None and origin not in {f"http://{host}" for host in self.hosts}:
            return "another page may not use this server"
        if origin is None and request.scope["type"] == "websocket":
            return "only the page may watch"
        given = request.query_params.get("token") or request.cookies.get(_cookie_name(request), "")
        if _is_same_token(given, self.token):
            return ""
        if _is_same_token(given, self.one_time_token):
            self.one_time_token = secrets.token_urlsafe(24)
            return ""
        return NO_TOKEN


def _cookie_name(request: HTTPConnection) -> str:
    """Browsers send a cookie to all ports of a host: each server has a name of its own for it."""
    return "replan-" + request.headers["host"].rpartition(":")[2]


def _is_same_token(given: str, token: str) -> bool:
    """Compare in a time that does not depend on how much is right."""
    return hmac.compare_digest(given.encode(), token.encode())
