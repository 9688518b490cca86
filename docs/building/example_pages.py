"""A page for each program of examples/: what it says of itself, and its lines."""

from __future__ import annotations

import ast
from pathlib import Path

from building.links import TOP
from building.tree import write

LANGUAGES = {".py": "python", ".sh": "sh"}


def write_examples(into: Path) -> dict[str, str]:
    """Write all pages below examples/; their titles and places."""
    files = sorted(path for path in (TOP / "examples").iterdir() if path.suffix in LANGUAGES)
    told = {path: _told(path) for path in files}
    rows = "\n".join(f"| [`{path.name}`]({path.name}.md) | {_first(told[path][0])} |" for path in files)
    said = "# Examples\n\nWhole programs, in `examples/` of the repository."
    write(into / "examples/index.md", f"{said}\n\n| program | what it is |\n|---|---|\n{rows}\n")
    for path, (said, lines) in told.items():
        page = f"# `{path.name}`\n\n{said}\n\n```{LANGUAGES[path.suffix]}\n{lines}\n```\n"
        write(into / f"examples/{path.name}.md", page)
    return {"Examples": "examples/index.md", **{path.name: f"examples/{path.name}.md" for path in files}}


def program_pages(shown: dict[str, str]) -> dict[str, str]:
    """The place of each program, by what documents call it."""
    return {f"examples/{name}": place for name, place in shown.items()}


def _told(path: Path) -> tuple[str, str]:
    """What a program says of itself, and the rest of it."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        tree = ast.parse(text)
        first = tree.body[0]
        return ast.get_docstring(tree) or "", "\n".join(text.splitlines()[first.end_lineno :]).strip("\n")
    lines = text.splitlines()
    said = [line.removeprefix("#").strip() for line in lines[1:] if line.startswith("#")][:1]
    return " ".join(said), "\n".join(lines)


def _first(text: str) -> str:
    """Its first paragraph."""
    return " ".join(text.partition("\n\n")[0].split()).replace("|", "\\|")
