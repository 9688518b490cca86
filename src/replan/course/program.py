"""A student's program in a process of its own, with limits on time, memory and what it prints."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from replan.course import child
from replan.course.rules import Mistake

PATIENCE = 5.0  # seconds for one answer
MOST_PRINTED = 1_000_000  # bytes
MOST_ANSWER = 10_000_000


class Program:
    """Starts the process, asks it, and ends it."""

    def __init__(self, file: Path, patience: float = PATIENCE) -> None:
        self.patience = patience
        self.printed = tempfile.TemporaryFile()  # noqa: SIM115, `close` closes it
        kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
        self.process = subprocess.Popen(
            [sys.executable, "-I", str(Path(child.__file__)), str(file)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.printed,
            env=kept,
        )
        self.answers: queue.Queue[bytes] = queue.Queue()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        """Line by line, each at most so long; an empty one at the end."""
        assert self.process.stdout is not None
        line = b"?"
        while line:
            line = self.process.stdout.readline(MOST_ANSWER)
            self.answers.put(line)

    def ask(self, do: str, **request: Any) -> Any:
        """What the program answers. Raises Mistake for an error in it, and when it takes too long."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps({"do": do, **request}).encode() + b"\n")
            self.process.stdin.flush()
        except (BrokenPipeError, OSError):
            raise self._ended() from None
        answer = json.loads(self._line())
        if "error" in answer:
            raise Mistake("error", f"the program stops with {answer['error']}")
        return answer["value"]

    def _line(self) -> bytes:
        end = time.monotonic() + self.patience
        while True:
            try:
                line = self.answers.get(timeout=max(0.0, min(0.2, end - time.monotonic())))
                break
            except queue.Empty:
                self._refuse_flood()
                if time.monotonic() >= end:
                    text = f"there is no answer after {self.patience:g} seconds: an endless loop?"
                    raise Mistake("endless", text) from None
        self._refuse_flood()
        if not line:
            raise self._ended()
        if not line.endswith(b"\n"):
            raise Mistake("large", "the answer is larger than any path and any list of cells could be")
        return line

    def _refuse_flood(self) -> None:
        if os.fstat(self.printed.fileno()).st_size >= MOST_PRINTED:
            raise Mistake("prints", "the program prints without an end: take the print() out of the loop")

    def _ended(self) -> Mistake:
        try:
            code = self.process.wait(1)
        except subprocess.TimeoutExpired:
            code = None
        if os.fstat(self.printed.fileno()).st_size >= MOST_PRINTED:
            return Mistake("prints", "the program prints without an end: take the print() out of the loop")
        how = f"with signal {-code}" if code is not None and code < 0 else f"with exit code {code}"
        reasons = {-24: ": it used more time than a search needs", -9: ": it used too much memory or time"}
        why = reasons.get(code or 0, "")
        return Mistake("crash", f"the program ended {how}{why}")

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        self.reader.join()
        for stream in (self.process.stdin, self.process.stdout, self.printed):
            if stream is not None:
                with contextlib.suppress(OSError):  # what it was not sent
                    stream.close()

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
