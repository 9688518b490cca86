"""Files and functions fit a screen or two. What is larger is named here, with the reason, and may not grow."""

from __future__ import annotations

import ast
from pathlib import Path

import replan

HOME = Path(replan.__file__).parent
LINES, BODY = 400, 60

#: Lines that a file may have, and why it is not divided.
FILES = {
    "search/astar.py": (480, "the loop of A* and the values that it alone touches"),
    "search/incremental.py": (480, "the loop of D* Lite and the values that it alone touches"),
    "spaces/space.py": (480, "the contract of spaces: one class, most of it what a user may define"),
}
#: The same of functions.
FUNCTIONS = {"search/astar.py:loop": (64, "the inner loop: a call in it would cost a twentieth of a search")}


def sources() -> dict[str, str]:
    return {path.relative_to(HOME).as_posix(): path.read_text(encoding="utf-8") for path in sorted(HOME.rglob("*.py"))}


def functions() -> dict[str, int]:
    """The lines of each function; of several with one name in a file, the longest."""
    found: dict[str, int] = {}
    for name, text in sources().items():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.end_lineno is not None:
                key = f"{name}:{node.name}"
                found[key] = max(found.get(key, 0), node.end_lineno - node.lineno + 1)
    return found


def test_no_file_is_too_long():
    lines = {name: text.count("\n") for name, text in sources().items()}
    assert {name: n for name, n in lines.items() if n > FILES.get(name, (LINES, ""))[0]} == {}
    assert [name for name in FILES if lines.get(name, 0) <= LINES] == []  # no longer an exception


def test_no_function_is_too_long():
    lines = functions()
    assert {name: n for name, n in lines.items() if n > FUNCTIONS.get(name, (BODY, ""))[0]} == {}
    assert [name for name in FUNCTIONS if lines.get(name, 0) <= BODY] == []
