"""The application behind the page: what it serves, and what its tabs may ask for.

Every tab has a WebSocket and a session of its own behind it, which goes when the tab does. What comes in is JSON and is
checked; what goes out are the frames of `frames.py`. The server reads and writes no file. Which requests come through
to it at all: `locking.py`.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Awaitable, Callable
from importlib.resources import files
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from replan.errors import InputError, MissingExtra
from replan.maps.library import builtin_names
from replan.planners.registry import OPTIONS, planners
from replan.planners.spec import PlannerSpec
from replan.viewer.access_control import SECURITY_HEADERS
from replan.viewer.messages import file_message
from replan.viewer.playback import Playback, load_story
from replan.viewer.session import Session, story_files
from replan.viewer.settings import (
    DOORS_MAP,
    MAP_MAKERS,
    MAX_UPLOAD_BYTES,
    Settings,
    parse_edit,
    parse_settings,
    parse_upload,
)
from replan.viewer.tab_memory import TabMemory, bytes_needed, half_of_system_memory

PAGE_FOLDER = files(__package__) / "page"
MEDIA_TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
MAX_TABS = 40
MAX_MESSAGE_BYTES = MAX_UPLOAD_BYTES * 4 // 3 + 1_000_000
MAX_TICKS_PER_ANSWER = 512  # in one answer
ANSWER_SECONDS = 0.25  # seconds of planning, then the page gets what there is
MESSAGES_PER_SECOND, MAX_MESSAGE_CREDIT = 200.0, 400.0


def make_app(initial_settings: Settings, story: bytes | None = None) -> Starlette:
    """The application. story: a file of one, to play at first."""
    viewer = RequestHandlers(initial_settings, story)
    routes = [
        Route("/", viewer.index_page),
        Route("/page/{name}", viewer.page_file),
        Route("/choices", viewer.choices),
        WebSocketRoute("/watch", viewer.serve_tab),
    ]
    return Starlette(routes=routes)


class RequestHandlers:
    """What the routes do."""

    def __init__(self, at_first: Settings, story: bytes | None) -> None:
        self.initial_settings, self.story = at_first, story
        self.tabs = 0
        self.memory = TabMemory(half_of_system_memory())

    async def index_page(self, request: Request) -> Response:
        return self._file_response("index.html")

    async def page_file(self, request: Request) -> Response:
        return self._file_response(request.path_params["name"])

    def _file_response(self, name: str) -> Response:
        found = {file.name: file for file in PAGE_FOLDER.iterdir()}.get(name)
        suffix = name[name.rfind(".") :]
        if found is None or suffix not in MEDIA_TYPES:
            return PlainTextResponse("there is no such file", 404, SECURITY_HEADERS)
        return Response(found.read_bytes(), media_type=MEDIA_TYPES[suffix], headers=SECURITY_HEADERS)

    async def choices(self, request: Request) -> Response:
        """What can be chosen on the page."""
        return JSONResponse(available_choices(self.initial_settings, self.story is not None), headers=SECURITY_HEADERS)

    async def serve_tab(self, socket: WebSocket) -> None:
        await socket.accept()
        if self.tabs >= MAX_TABS:
            await _close_with_error(socket, f"{MAX_TABS} tabs are open; close one", 1013)
            return
        self.tabs += 1
        tab = Tab(self.initial_settings, self.story, self.memory)
        try:
            await self._answer_messages(socket, tab)
        except WebSocketDisconnect:
            pass
        finally:
            self.tabs -= 1
            tab.close()

    async def _answer_messages(self, socket: WebSocket, tab: Tab) -> None:
        credit, last = MAX_MESSAGE_CREDIT, time.monotonic()
        while True:
            message = await socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            if message.get("text") is None:
                await _close_with_error(socket, "messages are text, not bytes", 1003)
                return
            now = time.monotonic()
            credit, last = min(MAX_MESSAGE_CREDIT, credit + (now - last) * MESSAGES_PER_SECOND) - 1, now
            if credit < 0:
                await _close_with_error(socket, "too many messages at once", 1008)
                return
            await handle_message(socket.send_text, socket.send_bytes, tab, message["text"])


async def _close_with_error(socket: WebSocket, reason: str, code: int) -> None:
    await socket.send_text(json.dumps({"error": reason}))
    await socket.close(code)


async def handle_message(
    send_text: Callable[[str], Awaitable[None]], send_bytes: Callable[[bytes], Awaitable[None]], tab: Tab, text: str
) -> None:
    """One message of the page, and what it gets for it: frames, and then what the tab's state is."""
    try:
        request = json.loads(text)
        frames = await run_in_threadpool(tab.handle, request)
    except (InputError, MissingExtra) as error:
        await send_text(json.dumps({"error": str(error)}))
        return
    except MemoryError:
        await send_text(json.dumps({"error": "there is no memory left for this: close a tab, or choose a smaller map"}))
        return
    except (ValueError, TypeError, KeyError, RecursionError):
        await send_text(json.dumps({"error": "this message is not understood"}))
        return
    await send_text(json.dumps({"starting": request.get("do"), "tag": request.get("tag")}))
    for frame in frames:
        await send_bytes(frame)
    await send_text(json.dumps({"done": request.get("do"), "tag": request.get("tag"), **tab.status()}))


class Tab:
    """One tab: its session, and what it may ask for. memory: what all tabs hold."""

    unpack_lock = threading.Lock()  # a file that is being read takes several times its size: one at a time

    def __init__(self, at_first: Settings, story: bytes | None, memory: TabMemory) -> None:
        self.initial_settings, self.story, self.memory = at_first, story, memory
        self.session: Session | Playback | None = None
        self.session_bytes = 0  # bytes for the session, without what it records

    def handle(self, request: Any) -> list[bytes]:
        if not isinstance(request, dict) or request.get("do") not in ("begin", "open", "advance", "edit", "save"):
            raise InputError("a message says what to do: begin, open, advance, edit or save")
        if request["do"] == "begin":
            return self._begin_session(request)
        if request["do"] == "open":
            name, content = parse_upload(request.get("upload"))
            return self._open_story(content, name)
        if self.session is None:
            raise InputError("nothing has begun yet")
        if request["do"] == "edit":
            tick = request.get("tick")
            if type(tick) is not int:
                raise InputError("an edit is at a tick")
            return self.session.edit_at(tick, parse_edit([0, *request.get("edit", ())]))
        if request["do"] == "save":
            return [file_message(*file) for file in story_files(self.session.stories)]
        return self._advance(request.get("ticks", 1))

    def _open_story(self, content: bytes, name: str) -> list[bytes]:
        """A story from its file."""
        with self.unpack_lock:
            story = load_story(content, name)
        return self._replace_session(lambda: Playback([story]), bytes_needed(story.space.n, 1, bool(story.array_names)))

    def _begin_session(self, request: dict[str, Any]) -> list[bytes]:
        if self.story is not None and not request.get("settings"):
            return self._open_story(self.story, "the story")
        with self.unpack_lock:
            settings = parse_settings(request.get("settings") or {}, self.initial_settings)
        kept = self.initial_settings.user_grid  # a map that was handed in can be chosen again
        beside = 0 if kept is None or kept is settings.user_grid else bytes_needed(kept.n, 0, False)
        return self._replace_session(lambda: Session(settings), settings.bytes_needed() + beside)

    def _replace_session(self, make: Callable[[], Session | Playback], needed: int) -> list[bytes]:
        """Another session in place of the one before, which stays if this one cannot be made and both fit."""
        self.memory.check(self, needed)
        if not self.memory.fits(self, self.session_bytes + needed):
            self.close()
        self.memory.reserve(self, self.session_bytes + needed)
        try:
            session = make()
        except BaseException:
            self.memory.reserve(self, self.session_bytes)
            raise
        if self.session is not None:
            self.session.close()
        self.session, self.session_bytes = session, needed
        self.memory.reserve(self, needed)
        if session.settings.user_grid is not None:
            self.initial_settings = session.settings
        return [session.world_message(), *session.advance(1)]

    def _advance(self, ticks: Any) -> list[bytes]:
        assert self.session is not None
        if type(ticks) is not int or not 1 <= ticks <= MAX_TICKS_PER_ANSWER:
            raise InputError(f"ticks is a whole number from 1 to {MAX_TICKS_PER_ANSWER}")
        self.memory.reserve(self, self.session_bytes + sum(story.bytes_recorded for story in self.session.stories))
        return list(self.session.advance(ticks, ANSWER_SECONDS))

    def status(self) -> dict[str, Any]:
        if self.session is None:
            return {"tick": -1, "ended": True, "edits": []}
        session = self.session
        edits = session.settings.edits
        return {"tick": session.tick, "ended": session.has_ended, "edits": edits}

    def close(self) -> None:
        if self.session is not None:
            self.session.close()
        self.session, self.session_bytes = None, 0
        self.memory.release(self)


def available_choices(at_first: Settings, story: bool) -> dict[str, Any]:
    """What the controls of the page offer."""
    offered = [
        {"slug": spec.slug, "name": spec.name, "about": spec.recipe, "options": option_choices(spec)}
        for spec in planners()
    ]
    return {
        "maps": [*MAP_MAKERS, DOORS_MAP, *builtin_names()],
        "planners": offered,
        "settings": at_first.page_fields(),
        "own_map": at_first.user_grid is not None,
        "story": story,
    }


def option_choices(spec: PlannerSpec) -> list[dict[str, Any]]:
    """The options of a planner that can be written down, each with what it may be if those are a few words."""
    found = []
    for name, usual in sorted(spec.options.items(), key=lambda item: item[0] != "lookahead"):
        option = OPTIONS.get(name)
        if option is not None and isinstance(usual, (bool, int, float, str, type(None))):
            words = re.findall(r"'([^']+)'", option.allowed) if option.allowed.startswith("one of") else []
            found.append({"name": name, "usual": usual, "meaning": option.meaning, "words": words})
    return found
