"""Runs the battery in a process of its own, and another one from where that ended.

    python -m border.run [NAME ...]      in tests/: cases whose names begin so; what is wrong, and how many that are
"""

from __future__ import annotations

import faulthandler
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

TESTS = Path(__file__).resolve().parents[1]
CHECKOUT = TESTS.parent
THE_END = "the end/of the battery/after all cases"
MEMORY = 6 << 30  # bytes: a list without an end must not take the machine with it


def cases() -> dict[str, Any]:
    """All cases by name."""
    from border.catalogue import BATTERY

    return BATTERY.cases


def patience() -> int:
    """Seconds after which a case counts as hanging; the most that one takes is below a second."""
    return int(os.environ.get("BORDER_PATIENCE", "20"))


class Child:
    """A process that does the cases it is told, one a line, and says after each what was wrong."""

    def __init__(self) -> None:
        self.errors = tempfile.TemporaryFile(mode="w+", encoding="utf-8", errors="replace")  # noqa: SIM115
        self.process = subprocess.Popen(
            [sys.executable, "-m", "border.run", "--child"],
            cwd=TESTS,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            text=True,
        )
        self.lines: queue.Queue[str] = queue.Queue()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()
        self.answer(120)  # it says that it is ready

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put("")

    def answer(self, seconds: float) -> str | None:
        """What it says; "" when it has ended, None when it does not say anything in time."""
        try:
            return self.lines.get(timeout=seconds)
        except queue.Empty:
            return None

    def do(self, name: str) -> tuple[str, bool]:
        """What was wrong with this case, and whether the process lives on."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps(name) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            return f"the process had ended: {self.last_words()}", False
        said = self.answer(patience())
        if said is None:
            self.process.kill()
            return f"hangs: {self.last_words()}", False
        if said == "":
            code = self.process.wait()
            how = f"signal {-code}" if code < 0 else f"exit code {code}"
            return f"ended the process: {how}: {self.last_words()}", False
        return str(json.loads(said)), True

    def last_words(self) -> str:
        """The end of what the process wrote to stderr, where a crash leaves its traces."""
        self.errors.seek(0)
        lines = [line.strip() for line in self.errors.read().splitlines() if line.strip()]
        wanted = [line for line in lines if line.startswith(("Fatal", "File", "==", "SUMMARY", "#")) or "error" in line]
        tried = [line for line in lines if line.startswith("now: ")][-1:]
        return " | ".join([*tried, *(wanted or lines)[:6]])

    def end(self) -> str:
        """Let it end: its last words, if it does not end well."""
        assert self.process.stdin is not None and self.process.stdout is not None
        try:
            self.process.stdin.close()
            self.process.wait(30)
        except (OSError, subprocess.TimeoutExpired):
            self.process.kill()
        words = self.last_words() if self.process.wait() != 0 else ""
        self.reader.join()
        self.process.stdout.close()
        self.errors.close()
        return words


def verdicts(names: list[str], jobs: int = 2) -> dict[str, str]:
    """What was wrong with each of these cases ("": nothing), with so many processes at a time."""
    found: dict[str, str] = {}
    with ThreadPoolExecutor(jobs) as pool:
        for part in pool.map(lambda i: dict(one_by_one(names[i::jobs])), range(jobs)):
            found |= part
    return found


def one_by_one(names: list[str]) -> Iterator[tuple[str, str]]:
    child: Child | None = None
    for name in names:
        child = child or Child()
        wrong, alive = child.do(name)
        if not alive:
            child.end()
            child = None
            wrong += alone(name)
        yield name, wrong
    words = child.end() if child is not None else ""
    if words:
        yield THE_END, f"the process ended badly after the last case: {words}"


def alone(name: str) -> str:
    """Memory that one case has spoiled may end the process in another: what happens to this one by itself?"""
    child = Child()
    wrong, alive = child.do(name)
    child.end()
    return "" if not alive else f" | BY ITSELF: {wrong or 'all is well, so a case before it spoiled something'}"


def be_child() -> None:
    if os.environ.get("REPLAN_INTERPRETED") == "1":
        from importlib.util import find_spec

        from interpret import use_sources

        found = find_spec("replan")
        assert found is not None and found.submodule_search_locations
        use_sources(Path(next(iter(found.submodule_search_locations))))
    if "LD_PRELOAD" not in os.environ:  # a sanitizer takes terabytes of addresses
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    from border.case import judge

    faulthandler.enable()
    known = cases()
    out, sys.stdout = sys.stdout, sys.stderr  # what a case prints is no answer
    print('""', file=out, flush=True)
    for line in sys.stdin:
        print(json.dumps(judge(known[json.loads(line)])), file=out, flush=True)


def main() -> int:
    if sys.argv[1:] == ["--child"]:
        be_child()
        return 0
    chosen = [name for name in cases() if not sys.argv[1:] or name.startswith(tuple(sys.argv[1:]))]
    wrong = 0
    for name, verdict in one_by_one(chosen):
        if verdict:
            wrong += 1
            print(f"{name}: {verdict}", flush=True)
    print(f"{len(chosen):,} cases, {wrong:,} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
