"""Functions fit a screen. Docstrings do not count: those of public functions have a line for each parameter."""

from __future__ import annotations

import ast
from pathlib import Path

import replan

HOME = Path(replan.__file__).parent
BODY = 60


def functions() -> dict[str, int]:
    """Lines of each function without its docstring; of several with one name in a file, those of the longest."""
    found: dict[str, int] = {}
    for path in sorted(HOME.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.end_lineno is not None:
                key = f"{path.relative_to(HOME).as_posix()}:{node.name}"
                docstring = node.body[0] if ast.get_docstring(node) is not None else None
                text = 0 if docstring is None else (docstring.end_lineno or 0) - docstring.lineno + 1
                found[key] = max(found.get(key, 0), node.end_lineno - node.lineno + 1 - text)
    return found


def test_no_function_is_too_long():
    assert {name: n for name, n in functions().items() if n > BODY} == {}
