"""What README and the guides show works: the programs of a page run, one after the other; commands are commands."""

from __future__ import annotations

import os
import re
import shlex
import sys
from pathlib import Path

import click
import pytest

import replan
from replan.cli import main

TOP = Path(__file__).parents[1]
PAGES = {path.relative_to(TOP).as_posix(): path for path in [TOP / "README.md", *sorted(TOP.glob("docs/guides/*.md"))]}
TEXTS = {name: path.read_text(encoding="utf-8") for name, path in PAGES.items()}
# the other pages of the site that people wrote: they have commands, and no programs
FOLDERS = ("docs/course/*.md", "docs/reproductions/**/*.md", "docs/built/*.md", "[A-Z]*.md")
OTHERS = [path for folder in FOLDERS for path in TOP.glob(folder)]
MORE = {path.relative_to(TOP).as_posix(): path.read_text(encoding="utf-8") for path in sorted(OTHERS)}
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def blocks(page: str, kind: str) -> list[tuple[int, str]]:
    """The blocks of a kind, each with the line on which it begins."""
    text = TEXTS[page]
    return [(text[: m.start()].count("\n") + 1, m[2]) for m in FENCE.finditer(text) if m[1] == kind]


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python")])
def test_the_programs_of_a_page_run(page, tmp_path, monkeypatch, capsys):
    """In an empty folder, as somebody would who copies one block after the other."""
    pytest.importorskip("PIL.Image")
    pytest.importorskip("polars")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))  # planners of one's own are imported from the folder
    names: dict[str, object] = {"__name__": "page"}
    for line, program in blocks(page, "python"):
        exec(compile("\n" * line + program, page, "exec"), names)
    assert capsys.readouterr().out


def test_the_readme_prints_what_it_shows(capsys):
    """In the first program, the comment lines are the output."""
    program = blocks("README.md", "python")[0][1]
    exec(compile(program, "README.md", "exec"), {"__name__": "page"})
    shown = [line.removeprefix("# ") for line in program.splitlines() if line.startswith("# ")]
    assert capsys.readouterr().out.splitlines() == shown


@pytest.mark.parametrize("page", PAGES)
def test_every_block_says_what_it_is(page):
    assert {m[1] for m in FENCE.finditer(TEXTS[page])} <= {"python", "sh"}
    assert TEXTS[page].count("```") == 2 * len(FENCE.findall(TEXTS[page]))


def commands() -> list[tuple[str, str]]:
    """(page, command) of all that call replan, in blocks and in the text."""
    found = []
    for page in PAGES:
        lines = [line.partition("#")[0].strip() for _, block in blocks(page, "sh") for line in block.splitlines()]
        parts = [part.strip() for line in lines for part in line.split("&&")]
        parts += re.findall(r"`(replan [^`]+)`", FENCE.sub("", TEXTS[page]).replace("\n", " "))
        plain = (re.sub(r"^(REPLAN_INTERPRETED=1 )?(\.venv/bin/)?", "", part) for part in parts)
        found += [(page, part) for part in dict.fromkeys(plain) if part.startswith("replan ")]
    for page, text in MORE.items():
        shown = re.findall(r"^    (replan [^#\n]+)", text, re.MULTILINE) + re.findall(r"`(replan [^`\n]+)`", text)
        found += [(page, part) for part in dict.fromkeys(shown) if page not in PAGES]
    return found


@pytest.mark.parametrize(("page", "command"), commands())
def test_commands_are_commands(page, command):
    """Parsed, with all their options; not run."""
    _, *words = shlex.split(command)
    group: click.Command = main
    context = click.Context(main)
    while isinstance(group, click.Group) and words and words[0].isalpha() and words[0].islower():
        name = words.pop(0)
        found = group.get_command(context, name)
        assert found is not None, f"there is no command {name}"
        group = found
    options = {option for parameter in group.params for option in parameter.opts} | {"--help", "--version"}
    assert {word.partition("=")[0] for word in words if word.startswith("-")} <= options


@pytest.mark.parametrize("page", PAGES)
def test_files_that_are_named_are_there(page):
    named = re.findall(r"\b(?:examples|benchmarks|docs|tests)/[\w./*-]*\w", TEXTS[page])
    assert [name for name in named if not list(TOP.glob(name))] == []


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page):
    """To a file, and to a heading in it. (The site checks its own.)"""
    for target in re.findall(r"\]\(([^)\s]+)\)", FENCE.sub("", TEXTS[page])):
        name, _, anchor = target.partition("#")
        path = PAGES[page].parent / name if name else PAGES[page]
        assert os.path.isfile(path), f"{page} links to {target}"
        if anchor:
            headings = re.findall(r"^#+ (.*)$", FENCE.sub("", path.read_text(encoding="utf-8")), re.MULTILINE)
            slugs = [re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings]
            assert anchor in slugs, f"{page} links to {target}; there are {slugs}"


def test_other_pages_have_no_programs():
    """Whoever writes one into them says how it is run."""
    others = {page: text for page, text in MORE.items() if page not in PAGES}
    assert [page for page, text in others.items() if re.search(r"^```(python|sh)", text, re.MULTILINE)] == []


def test_names_of_planners_are_names():
    """In the table of whom to choose: each name in it makes a planner."""
    text = TEXTS["docs/guides/choose.md"]
    known = {name.lower() for spec in replan.planners() for name in spec.names}
    rows = [line for line in text.splitlines() if line.startswith("| ") and not line.startswith("| planner")]
    firsts = {re.sub(r", lookahead \d+$", "", row.split("|")[1].strip()) for row in rows if "*" in row.split("|")[1]}
    assert firsts and {name for name in firsts if name.lower() not in known} == set()


def test_readme_is_short_and_leads_to_every_guide():
    text = TEXTS["README.md"]
    assert len(text.splitlines()) < 120
    assert [page for page in PAGES if page != "README.md" and f"]({page})" not in text] == []
