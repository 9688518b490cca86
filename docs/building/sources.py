"""Lines of our own source, found by the name of a method when the site is built."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import replan

PACKAGE = Path(replan.__file__).parent


@cache
def _module(path: Path) -> tuple[list[str], ast.Module]:
    text = path.read_text(encoding="utf-8")
    return text.splitlines(), ast.parse(text)


def lines_of(name: str) -> tuple[str, int, str]:
    """The file, the first line and the text of a function, by a name such as "search.learning.OnePass.update_h"."""
    path, inside = _file(name)
    lines, node = _module(PACKAGE / path)
    found: ast.AST = node
    for part in inside:
        found = next(
            child
            for child in ast.iter_child_nodes(found)
            if isinstance(child, (ast.ClassDef, ast.FunctionDef)) and child.name == part
        )
    assert isinstance(found, ast.FunctionDef) and found.end_lineno is not None
    shown = lines[found.lineno - 1 : found.end_lineno]
    return f"src/replan/{path}", found.lineno, "\n".join(line[found.col_offset :] for line in shown)


def _file(name: str) -> tuple[str, list[str]]:
    """The file of a dotted name, and what is left of the name inside of it."""
    words = name.split(".")
    k = next(k for k in range(len(words), 0, -1) if (PACKAGE / "/".join(words[:k])).with_suffix(".py").exists())
    return "/".join(words[:k]) + ".py", words[k:]
