"""ARCHITECTURE.md speaks of code that is there."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

import replan
from test_packages import ORDER

PACKAGE = Path(replan.__file__).parent
TEXT = (Path(__file__).parents[1] / "ARCHITECTURE.md").read_text(encoding="utf-8")
TOP = PACKAGE.parents[1]
WORDS = re.findall(r"`([^`]+)`", TEXT)
FILES = sorted({word for word in WORDS if "/" in word or re.fullmatch(r"\w+\.(py|pxd)", word)})
NAMES = sorted({word for word in WORDS if re.fullmatch(r"[A-Z]\w*\.\w+", word)})


@cache
def classes() -> dict[str, set[str]]:
    """The methods and attributes that stand in each class of the package."""
    found: dict[str, set[str]] = {}
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                fields = [n.target for n in node.body if isinstance(n, ast.AnnAssign)]
                names = {n.id for n in fields if isinstance(n, ast.Name)}
                names |= {n.name for n in node.body if isinstance(n, ast.FunctionDef)}
                found.setdefault(node.name, set()).update(names)
    return found


@pytest.mark.parametrize("word", FILES)
def test_files(word):
    pattern = re.sub("<.*?>", "*", word)
    assert any(PACKAGE.glob(pattern)) or any(TOP.glob(pattern)), f"there is no {word}"


@pytest.mark.parametrize("word", NAMES)
def test_names(word):
    kind, method = word.split(".")
    assert method in classes()[kind], f"{kind} has no {method}"


def test_there_are_enough():
    assert len(FILES) > 20 and len(NAMES) > 20


def test_the_order_of_rooms():
    assert ORDER in TEXT
