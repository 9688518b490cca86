"""Runs in a process of its own, with a student's program: `python -I child.py FILE`. It imports nothing of Replan.

Each line of its input is a request in JSON, each line of its output an answer. What the program prints goes where
errors go.
"""

from __future__ import annotations

import json
import os
import runpy
import sys
import traceback
from typing import Any

MEMORY = 1 << 30  # bytes
SECONDS = 60  # of the processor, in all
MOST_BITS = 300  # of a number: more have no meaning in a search


def limit() -> None:
    """As far as this system can: no more memory and time than a small search needs, and no files."""
    try:
        import resource
    except ImportError:  # Windows: the parent's patience is the only limit
        return
    limits = {resource.RLIMIT_AS: MEMORY, resource.RLIMIT_CPU: SECONDS, resource.RLIMIT_FSIZE: 1 << 20}
    for what, most in {**limits, resource.RLIMIT_CORE: 0}.items():
        hard = resource.getrlimit(what)[1]
        if hard == resource.RLIM_INFINITY or hard > most:
            resource.setrlimit(what, (most, most))


def where(error: BaseException, file: str) -> str:
    """The line of the program where it went wrong."""
    lines = [entry.lineno for entry in traceback.extract_tb(error.__traceback__) if entry.filename == file]
    if isinstance(error, SyntaxError) and error.lineno:
        lines = [error.lineno]
    return f" (line {lines[-1]})" if lines else ""


def described(error: BaseException, file: str) -> str:
    """Its type, line and first words."""
    try:
        said = str(error).splitlines()
    except BaseException:  # raised by its __str__
        said = []
    return f"{type(error).__name__}{where(error, file)}" + (f": {said[0][:200]}" if said else "")


def plain(value: Any, depth: int = 6) -> Any:
    """What JSON can hold: NumPy's numbers and tuples as numbers and lists, anything else as its text.

    depth: how many lists may be in one another; a path of cells has two.
    """
    if isinstance(value, int) and value.bit_length() > MOST_BITS:
        return f"a number of {value.bit_length():,} bits"
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return plain(int(value), depth) if value.is_integer() else repr(value)
    if isinstance(value, (list, tuple)) and depth > 0:
        return [plain(one, depth - 1) for one in value[:100_000]]
    if hasattr(value, "tolist") and depth > 0:
        return plain(value.tolist(), depth - 1)
    return repr(value)[:200]


class StudentsCode:
    """A student's program, and the object that walks through the world of the moment."""

    def __init__(self, file: str) -> None:
        self.names = runpy.run_path(file)
        self.adaptive: Any = None

    def do(self, request: dict[str, Any]) -> Any:
        if request["do"] == "about":
            found = [name for name in ("forward", "backward", "Adaptive") if callable(self.names.get(name))]
            return {"tasks": found, "ties": plain(self.names.get("TIES"))}
        if request["do"] == "new":
            self.adaptive = self.names["Adaptive"]()
            return None
        blocked = [list(row) for row in request["blocked"]]
        start, goal = tuple(request["start"]), tuple(request["goal"])
        if request["do"] == "Adaptive":
            return plain(self.adaptive.search(blocked, start, goal))
        if request["do"] == "h":
            return [plain(self.adaptive.h(tuple(cell))) for cell in request["cells"]]
        return plain(self.names[request["do"]](blocked, start, goal))


def main(file: str) -> None:
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    sys.path.insert(0, os.path.dirname(file))
    sys.dont_write_bytecode = True
    limit()
    program: StudentsCode | None = None
    for line in sys.stdin:
        request = json.loads(line)
        try:
            if program is None:
                program = StudentsCode(file)
            answer = json.dumps({"value": program.do(request)})
        except BaseException as error:
            answer = json.dumps({"error": described(error, file)})
        answers.write(answer + "\n")
        answers.flush()


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
