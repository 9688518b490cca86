"""A student's program in a process of its own, with limits on time, memory and what it prints.

The program may do anything: fork, hold or close its pipes, answer what it was not asked, or not at all. So no call here
waits without a limit, and the form of every answer is checked.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from replan.course import student_program
from replan.course.rules import Mistake

ANSWER_TIMEOUT = 5.0  # seconds for one answer
TOTAL_TIMEOUT = 120.0  # seconds for all answers of a process together
MAX_PRINTED_BYTES = 1_000_000  # bytes
MAX_ANSWER_BYTES = 2_000_000
MAX_ERROR_CHARACTERS = 300  # characters of an error; `child` sends hardly more
MAX_DIGITS = 100  # of a number; `child` sends no longer ones
MAX_DEPTH = 9  # of lists in one another; `child` sends no deeper ones
CHUNK_BYTES, MAX_CHUNKS = 1 << 16, 16  # bytes that are read at a time, and how often before they are looked at
EXIT_TIMEOUT = 1.0  # seconds in which a killed process has ended

FORGED_ANSWER_MESSAGE = "the program itself writes where the answers to the checker go: it may only return values"


class StudentProcess:
    """Starts the process, asks it, and ends it, with all that it has started in its process group."""

    def __init__(self, file: Path, timeout: float = ANSWER_TIMEOUT) -> None:
        self.timeout, self.seconds_left = timeout, max(TOTAL_TIMEOUT, timeout)
        self.output_file = tempfile.TemporaryFile()  # noqa: SIM115, `close` closes it
        environment = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
        self.process = subprocess.Popen(
            [sys.executable, "-I", str(Path(student_program.__file__)), str(file)],
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.output_file,
            env=environment,
            start_new_session=True,
        )
        self.is_closed = False
        self.buffer = b""
        self.requests: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self.chunks: queue.Queue[bytes] = queue.Queue(MAX_CHUNKS)
        self.threads = [
            threading.Thread(target=part, daemon=True) for part in (self._write_requests, self._read_answers)
        ]
        for thread in self.threads:
            thread.start()

    def _write_requests(self) -> None:
        """Send what is asked, in a thread of its own: a program that reads nothing fills the pipe."""
        assert self.process.stdin is not None
        with contextlib.suppress(OSError), self.process.stdin as pipe:  # an error: the program has closed its end
            for request in iter(self.requests.get, None):
                while request:
                    request = request[os.write(pipe.fileno(), request) :]

    def _read_answers(self) -> None:
        """Hand on what comes; an empty chunk at the end."""
        assert self.process.stdout is not None
        chunk = b"?"
        with self.process.stdout as pipe:
            while chunk and not self.is_closed:
                chunk = os.read(pipe.fileno(), CHUNK_BYTES)
                self.chunks.put(chunk)

    def ask(self, command: str, **request: Any) -> Any:
        """What the program answers. Raises Mistake for an error in it, and when it takes too long."""
        self.requests.put(json.dumps({"do": command, **request}).encode() + b"\n")
        began = time.monotonic()
        try:
            line = self._read_line(began + min(self.timeout, self.seconds_left))
        finally:
            self.seconds_left -= time.monotonic() - began
        try:
            answer = json.loads(line, parse_int=_parse_int)
        except (ValueError, RecursionError):
            answer = None
        if isinstance(answer, dict) and isinstance(answer.get("error"), str):
            raise Mistake("error", f"the program stops with {answer['error'][:MAX_ERROR_CHARACTERS]}")
        if not isinstance(answer, dict) or "value" not in answer or not _is_shallow(answer, MAX_DEPTH):
            raise Mistake("forged", FORGED_ANSWER_MESSAGE)
        return answer["value"]

    def _read_line(self, end: float) -> bytes:
        while b"\n" not in self.buffer:
            self._check_printed_size()
            if len(self.buffer) > MAX_ANSWER_BYTES:
                raise Mistake("large", "the answer is larger than any path and any list of cells could be")
            now = time.monotonic()
            if now >= end:
                raise self._timeout_mistake()
            try:
                chunk = self.chunks.get(timeout=min(0.2, end - now))
            except queue.Empty:
                if self.process.poll() is None:
                    continue
                chunk = b""  # it has ended, and something that it has started holds the pipe
            if not chunk:
                raise self._exit_mistake()
            self.buffer += chunk
        self._check_printed_size()
        line, _, self.buffer = self.buffer.partition(b"\n")
        return line

    def _timeout_mistake(self) -> Mistake:
        if self.seconds_left < self.timeout:
            limit = max(TOTAL_TIMEOUT, self.timeout)
            return Mistake("slow", f"the program takes more than {limit:g} seconds for all searches together")
        return Mistake("endless", f"there is no answer after {self.timeout:g} seconds: an endless loop?")

    def _check_printed_size(self) -> None:
        if os.fstat(self.output_file.fileno()).st_size >= MAX_PRINTED_BYTES:
            raise Mistake("prints", "the program prints without an end: take the print() out of the loop")

    def _exit_mistake(self) -> Mistake:
        try:
            code = self.process.wait(EXIT_TIMEOUT)
        except subprocess.TimeoutExpired:
            return Mistake("crash", "the program has closed the connection with the checker")
        self._check_printed_size()
        how = f"with signal {-code}" if code < 0 else f"with exit code {code}"
        reasons = {-24: ": it used more time than a search needs", -9: ": it used too much memory or time"}
        return Mistake("crash", f"the program ended {how}{reasons.get(code, '')}")

    def close(self) -> None:
        """Kill it. A pipe that something else still holds, outside of its group, is left to the thread that waits."""
        self.is_closed = True
        if os.name == "posix":
            with contextlib.suppress(ProcessLookupError, PermissionError):  # nothing of it is left
                os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(EXIT_TIMEOUT)
        self.requests.put(None)
        with contextlib.suppress(queue.Empty):
            while True:
                self.chunks.get_nowait()
        for thread in self.threads:
            thread.join(EXIT_TIMEOUT)
        self.output_file.close()

    def __enter__(self) -> StudentProcess:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def _parse_int(digits: str) -> int:
    if len(digits) > MAX_DIGITS + 1:
        raise ValueError("a number without end")
    return int(digits)


def _is_shallow(value: Any, depth: int) -> bool:
    """True if it can be shown and compared with at most `depth` nested calls."""
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return depth > 0 and all(_is_shallow(one, depth - 1) for one in inside)
