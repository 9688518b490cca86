"""The application behind the page: what it serves, and what its tabs may ask for.

Every tab has a WebSocket and a session of its own behind it, which goes when the tab does. What comes in is JSON and is
checked; what goes out are the frames of `frames.py`. The server reads and writes no file. Which requests come through
to it at all: `guard.py`.
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
from replan.viewer.frames import file_frame
from replan.viewer.guard import HEADERS
from replan.viewer.memory import Memory, bytes_needed, half_of_the_memory
from replan.viewer.playback import Playback, story_from
from replan.viewer.session import Session, story_files
from replan.viewer.settings import DOORS, MAKERS, MOST_UPLOAD, Settings, edit, read_settings, upload_of

PAGE = files(__package__) / "page"
KINDS = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
MOST_TABS = 40
MOST_MESSAGE = MOST_UPLOAD * 4 // 3 + 1_000_000
MOST_TICKS = 512  # in one answer
LONGEST_ANSWER = 0.25  # seconds of planning, then the page gets what there is
MESSAGES_A_SECOND, MOST_AT_ONCE = 200.0, 400.0


def make_app(at_first: Settings, story: bytes | None = None) -> Starlette:
    """The application. story: a file of one, to play at first."""
    viewer = Viewer(at_first, story)
    routes = [
        Route("/", viewer.page),
        Route("/page/{name}", viewer.part),
        Route("/choices", viewer.choices),
        WebSocketRoute("/watch", viewer.watch),
    ]
    return Starlette(routes=routes)


class Viewer:
    """What the routes do."""

    def __init__(self, at_first: Settings, story: bytes | None) -> None:
        self.at_first, self.story = at_first, story
        self.tabs = 0
        self.memory = Memory(half_of_the_memory())

    async def page(self, request: Request) -> Response:
        return self._file("index.html")

    async def part(self, request: Request) -> Response:
        return self._file(request.path_params["name"])

    def _file(self, name: str) -> Response:
        found = {file.name: file for file in PAGE.iterdir()}.get(name)
        suffix = name[name.rfind(".") :]
        if found is None or suffix not in KINDS:
            return PlainTextResponse("there is no such file", 404, HEADERS)
        return Response(found.read_bytes(), media_type=KINDS[suffix], headers=HEADERS)

    async def choices(self, request: Request) -> Response:
        """What can be chosen on the page."""
        return JSONResponse(choices(self.at_first, self.story is not None), headers=HEADERS)

    async def watch(self, socket: WebSocket) -> None:
        await socket.accept()
        if self.tabs >= MOST_TABS:
            await _refuse(socket, f"{MOST_TABS} tabs are open; close one", 1013)
            return
        self.tabs += 1
        tab = Tab(self.at_first, self.story, self.memory)
        try:
            await self._serve(socket, tab)
        except WebSocketDisconnect:
            pass
        finally:
            self.tabs -= 1
            tab.free()

    async def _serve(self, socket: WebSocket, tab: Tab) -> None:
        credit, last = MOST_AT_ONCE, time.monotonic()
        while True:
            message = await socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            if message.get("text") is None:
                await _refuse(socket, "messages are text, not bytes", 1003)
                return
            now = time.monotonic()
            credit, last = min(MOST_AT_ONCE, credit + (now - last) * MESSAGES_A_SECOND) - 1, now
            if credit < 0:
                await _refuse(socket, "too many messages at once", 1008)
                return
            await answer(socket.send_text, socket.send_bytes, tab, message["text"])


async def _refuse(socket: WebSocket, reason: str, code: int) -> None:
    await socket.send_text(json.dumps({"error": reason}))
    await socket.close(code)


async def answer(
    say: Callable[[str], Awaitable[None]], send: Callable[[bytes], Awaitable[None]], tab: Tab, text: str
) -> None:
    """One message of the page, and what it gets for it: frames, and then what the tab's state is."""
    try:
        request = json.loads(text)
        frames = await run_in_threadpool(tab.do, request)
    except (InputError, MissingExtra) as error:
        await say(json.dumps({"error": str(error)}))
        return
    except MemoryError:
        await say(json.dumps({"error": "there is no memory left for this: close a tab, or choose a smaller map"}))
        return
    except (ValueError, TypeError, KeyError, RecursionError):
        await say(json.dumps({"error": "this message is not understood"}))
        return
    await say(json.dumps({"starting": request.get("do"), "tag": request.get("tag")}))
    for frame in frames:
        await send(frame)
    await say(json.dumps({"done": request.get("do"), "tag": request.get("tag"), **tab.state()}))


class Tab:
    """One tab: its session, and what it may ask for. memory: what all tabs hold."""

    unpacking = threading.Lock()  # a file that is being read takes several times its size: one at a time

    def __init__(self, at_first: Settings, story: bytes | None, memory: Memory) -> None:
        self.at_first, self.story, self.memory = at_first, story, memory
        self.session: Session | Playback | None = None
        self.needed = 0  # bytes for the session, without what it records

    def do(self, request: Any) -> list[bytes]:
        if not isinstance(request, dict) or request.get("do") not in ("begin", "open", "advance", "edit", "save"):
            raise InputError("a message says what to do: begin, open, advance, edit or save")
        if request["do"] == "begin":
            return self._begin(request)
        if request["do"] == "open":
            name, content = upload_of(request.get("upload"))
            return self._play(content, name)
        if self.session is None:
            raise InputError("nothing has begun yet")
        if request["do"] == "edit":
            tick = request.get("tick")
            if type(tick) is not int:
                raise InputError("an edit is at a tick")
            return self.session.edit_at(tick, edit([0, *request.get("edit", ())]))
        if request["do"] == "save":
            return [file_frame(*file) for file in story_files(self.session.stories)]
        return self._advance(request.get("ticks", 1))

    def _play(self, content: bytes, name: str) -> list[bytes]:
        """A story from its file."""
        with self.unpacking:
            story = story_from(content, name)
        return self._take(lambda: Playback([story]), bytes_needed(story.space.n, 1, bool(story.names)))

    def _begin(self, request: dict[str, Any]) -> list[bytes]:
        if self.story is not None and not request.get("settings"):
            return self._play(self.story, "the story")
        with self.unpacking:
            settings = read_settings(request.get("settings") or {}, self.at_first)
        kept = self.at_first.given  # a map that was handed in can be chosen again
        beside = 0 if kept is None or kept is settings.given else bytes_needed(kept.n, 0, False)
        return self._take(lambda: Session(settings), settings.bytes_needed() + beside)

    def _take(self, make: Callable[[], Session | Playback], needed: int) -> list[bytes]:
        """Another session in place of the one before, which stays if this one cannot be made and both fit."""
        self.memory.check(self, needed)
        if not self.memory.fits(self, self.needed + needed):
            self.free()
        self.memory.hold(self, self.needed + needed)
        try:
            session = make()
        except BaseException:
            self.memory.hold(self, self.needed)
            raise
        if self.session is not None:
            self.session.free()
        self.session, self.needed = session, needed
        self.memory.hold(self, needed)
        if session.settings.given is not None:
            self.at_first = session.settings
        return [session.opening(), *session.advance(1)]

    def _advance(self, ticks: Any) -> list[bytes]:
        assert self.session is not None
        if type(ticks) is not int or not 1 <= ticks <= MOST_TICKS:
            raise InputError(f"ticks is a whole number from 1 to {MOST_TICKS}")
        self.memory.hold(self, self.needed + sum(story.bytes_recorded for story in self.session.stories))
        return list(self.session.advance(ticks, LONGEST_ANSWER))

    def state(self) -> dict[str, Any]:
        if self.session is None:
            return {"tick": -1, "ended": True, "edits": []}
        session = self.session
        edits = session.settings.edits
        return {"tick": session.tick, "ended": session.ended, "edits": edits}

    def free(self) -> None:
        if self.session is not None:
            self.session.free()
        self.session, self.needed = None, 0
        self.memory.release(self)


def choices(at_first: Settings, story: bool) -> dict[str, Any]:
    """What the controls of the page offer."""
    offered = [
        {"slug": spec.slug, "name": spec.name, "about": spec.recipe, "options": options_of(spec)} for spec in planners()
    ]
    return {
        "maps": [*MAKERS, DOORS, *builtin_names()],
        "planners": offered,
        "settings": at_first.shared(),
        "own_map": at_first.given is not None,
        "story": story,
    }


def options_of(spec: PlannerSpec) -> list[dict[str, Any]]:
    """The options of a planner that can be written down, each with what it may be if those are a few words."""
    found = []
    for name, usual in sorted(spec.options.items(), key=lambda item: item[0] != "lookahead"):
        option = OPTIONS.get(name)
        if option is not None and isinstance(usual, (bool, int, float, str, type(None))):
            words = re.findall(r"'([^']+)'", option.allowed) if option.allowed.startswith("one of") else []
            found.append({"name": name, "usual": usual, "meaning": option.meaning, "words": words})
    return found
