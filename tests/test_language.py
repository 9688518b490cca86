"""Names and texts use the words of the field: `tests/words.py` lists those that must not come back."""

from __future__ import annotations

import ast
import re
import tokenize
from pathlib import Path

import pytest

import replan
import words

PACKAGE = Path(replan.__file__).parent
ROOT = PACKAGE.parents[1]
MODULES = sorted(PACKAGE.rglob("*.py"))
DOCUMENTS = sorted(
    path
    for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *PACKAGE.rglob("*.md")]
    # the log has the old names; the report of an experiment is kept as it was written
    if path.name not in ("CHANGELOG.md", "LICENSE.md") and not re.search(r"reproductions/[\w-]+/", path.as_posix())
)


def identifiers(path: Path) -> dict[str, int]:
    """Names that a module defines: modules, classes, functions, parameters, variables and attributes, with a line."""
    found = {path.stem: 1}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            found.setdefault(node.name, node.lineno)
        elif isinstance(node, ast.arg):
            found.setdefault(node.arg, node.lineno)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.setdefault(node.id, node.lineno)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            found.setdefault(node.attr, node.lineno)
    return found


def texts(path: Path) -> dict[int, str]:
    """Comments and docstrings of a module, by their lines."""
    found = {}
    with path.open("rb") as file:
        for token in tokenize.tokenize(file.readline):
            if token.type == tokenize.COMMENT:
                found[token.start[0]] = token.string
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            first = node.body[0] if node.body else None
            if (
                isinstance(first, ast.Expr)
                and isinstance(first.value, ast.Constant)
                and isinstance(first.value.value, str)
            ):
                for i, line in enumerate(first.value.value.splitlines()):
                    found[first.lineno + i] = line
    return found


def wrong_identifiers() -> list[str]:
    return [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in MODULES
        for name, line in identifiers(path).items()
        if name in words.IDENTIFIERS or words.parts(name) & words.IDENTIFIER_PARTS
    ]


def wrong_sentences() -> list[str]:
    found = []
    for path in MODULES:
        found += [
            f"{path.relative_to(ROOT)}:{n}: {t.strip()}" for n, t in texts(path).items() if words.SENTENCES.search(t)
        ]
    for path in DOCUMENTS:
        lines = path.read_text(encoding="utf-8").splitlines()
        found += [f"{path.relative_to(ROOT)}:{n}: {t}" for n, t in enumerate(lines, 1) if words.SENTENCES.search(t)]
    return found


def test_identifiers_use_words_of_the_field():
    assert wrong_identifiers() == []


def test_texts_use_plain_sentences():
    assert wrong_sentences() == []


@pytest.mark.parametrize(
    ("name", "found"),
    [("TakenF", set()), ("NoNewsHere", {"news"}), ("last_toll", {"toll"}), ("detail", set()), ("HTMLDiary", {"diary"})],
)
def test_parts_of_an_identifier_are_found(name, found):
    assert words.parts(name) & words.IDENTIFIER_PARTS == found


def test_sentences_are_found():
    assert words.SENTENCES.search("Whoever holds it may go on.")
    assert words.SENTENCES.search("An agent who is late waits.")
    assert not words.SENTENCES.search("Who is late?")
    assert not re.search(words.SENTENCES, "A planner that waits.")
