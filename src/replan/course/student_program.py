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

MAX_MEMORY_BYTES = 1 << 30  # bytes
MAX_CPU_SECONDS = 60  # of the processor, in all
MAX_INT_BITS = 300  # of a number: more have no meaning in a search


def limit_resources() -> None:
    """As far as this system can: no more memory and time than a small search needs, and no files."""
    try:
        import resource
    except ImportError:  # Windows: the timeout of the parent is the only limit
        return
    limits = {
        resource.RLIMIT_AS: MAX_MEMORY_BYTES,
        resource.RLIMIT_CPU: MAX_CPU_SECONDS,
        resource.RLIMIT_FSIZE: 1 << 20,
    }
    for what, most in {**limits, resource.RLIMIT_CORE: 0}.items():
        hard = resource.getrlimit(what)[1]
        if hard == resource.RLIM_INFINITY or hard > most:
            resource.setrlimit(what, (most, most))


def line_of_error(error: BaseException, file: str) -> str:
    """The line of the program where it went wrong."""
    lines = [entry.lineno for entry in traceback.extract_tb(error.__traceback__) if entry.filename == file]
    if isinstance(error, SyntaxError) and error.lineno:
        lines = [error.lineno]
    return f" (line {lines[-1]})" if lines else ""


def describe_error(error: BaseException, file: str) -> str:
    """Its type, line and first words."""
    try:
        said = str(error).splitlines()
    except BaseException:  # raised by its __str__
        said = []
    return f"{type(error).__name__}{line_of_error(error, file)}" + (f": {said[0][:200]}" if said else "")


def to_json_value(value: Any, depth: int = 6) -> Any:
    """What JSON can hold: NumPy's numbers and tuples as numbers and lists, anything else as its text.

    depth: how many lists may be in one another; a path of cells has two.
    """
    if isinstance(value, int) and value.bit_length() > MAX_INT_BITS:
        return f"a number of {value.bit_length():,} bits"
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return to_json_value(int(value), depth) if value.is_integer() else repr(value)
    if isinstance(value, (list, tuple)) and depth > 0:
        return [to_json_value(one, depth - 1) for one in value[:100_000]]
    if hasattr(value, "tolist") and depth > 0:
        return to_json_value(value.tolist(), depth - 1)
    return repr(value)[:200]


class StudentProgram:
    """A student's program, and the object that walks through the world of the moment."""

    def __init__(self, file: str) -> None:
        self.namespace = runpy.run_path(file)
        self.adaptive_search: Any = None

    def handle(self, request: dict[str, Any]) -> Any:
        if request["do"] == "about":
            found = [name for name in ("forward", "backward", "Adaptive") if callable(self.namespace.get(name))]
            return {"tasks": found, "ties": to_json_value(self.namespace.get("TIES"))}
        if request["do"] == "new":
            self.adaptive_search = self.namespace["Adaptive"]()
            return None
        blocked = [list(row) for row in request["blocked"]]
        start, goal = tuple(request["start"]), tuple(request["goal"])
        if request["do"] == "Adaptive":
            return to_json_value(self.adaptive_search.search(blocked, start, goal))
        if request["do"] == "h":
            return [to_json_value(self.adaptive_search.h(tuple(cell))) for cell in request["cells"]]
        return to_json_value(self.namespace[request["do"]](blocked, start, goal))


def main(file: str) -> None:
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    sys.path.insert(0, os.path.dirname(file))
    sys.dont_write_bytecode = True
    limit_resources()
    program: StudentProgram | None = None
    for line in sys.stdin:
        request = json.loads(line)
        try:
            if program is None:
                program = StudentProgram(file)
            answer = json.dumps({"value": program.handle(request)})
        except BaseException as error:
            answer = json.dumps({"error": describe_error(error, file)})
        answers.write(answer + "\n")
        answers.flush()


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
