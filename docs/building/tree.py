"""Which pages there are, where they stand, and in which order they are shown."""

from __future__ import annotations

import json
import shutil
from importlib.resources import files
from pathlib import Path
from typing import Any

from building.links import TOP, name_links, planner_links, relink

HERE = Path(__file__).parent
# title: where it stands in the repository, where on the site
Section = dict[str, tuple[str, str]]
GUIDES = (
    "start",
    "games",
    "robots",
    "researchers",
    "students",
    "choose",
    "worlds",
    "watch",
    "command-line",
    "glossary",
)
BUILT: Section = {
    "Architecture": ("ARCHITECTURE.md", "built/architecture.md"),
    "The core, and its speed": ("docs/built/core.md", "built/core.md"),
    "Contributing": ("CONTRIBUTING.md", "built/contributing.md"),
    "Changes": ("CHANGELOG.md", "built/changes.md"),
}


def written() -> dict[str, Section]:
    """The pages that people wrote, by section."""
    reports = [
        f"reproductions/{path.parent.name}/report.md" for path in sorted(TOP.glob("docs/reproductions/*/report.md"))
    ]
    return {
        "Replan": {"Replan": ("README.md", "index.md")},
        "Guides": {
            _title(f"docs/guides/{name}.md"): (f"docs/guides/{name}.md", f"guides/{name}.md") for name in GUIDES
        },
        "Course": {
            "The course": ("docs/course/README.md", "course/index.md"),
            "Assignment": ("docs/course/assignment.md", "course/assignment.md"),
            "Questions": ("docs/course/questions.md", "course/questions.md"),
        },
        "Reproductions": {
            "Reproductions": ("docs/reproductions/README.md", "reproductions/index.md"),
            _title("docs/reproductions/claims.md"): ("docs/reproductions/claims.md", "reproductions/claims.md"),
            **{_title(f"docs/{path}"): (f"docs/{path}", path) for path in reports},
        },
        "How it is built": BUILT,
    }


def _title(source: str) -> str:
    """The first heading of a document."""
    return (TOP / source).read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")


def lay_out(into: Path, made: dict[str, dict[str, Any]], names: dict[str, str], planners: dict[str, str]) -> None:
    """Put all pages into a directory, with the configuration of the site beside them.

    made: sections of pages that exist there already, `{section: {title: place}}`; a title may have a section below it.
    names, planners: the places of public names and of planners, to which the pages link where they mention them.
    """
    sections = written()
    pages = {source: place for section in sections.values() for source, place in section.values()}
    pages |= {f"docs/{place}": place for section in made.values() for place in places(section)}
    assets: dict[str, str] = {}
    told = {place for section in ("Replan", "Guides") for _, place in sections[section].values()}
    for source, place in ((s, p) for s, p in pages.items() if (TOP / s).exists()):
        text = relink((TOP / source).read_text(encoding="utf-8"), source, pages, assets)
        text = name_links(text, place, names)
        write(into / "pages" / place, planner_links(text, place, planners) if place in told else text)
    for source, place in assets.items():
        target = into / "pages" / place
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(TOP / source, target)
    shown = {title: {name: place for name, (_, place) in section.items()} for title, section in sections.items()}
    first, guides, *rest = shown.items()
    write(into / "zensical.toml", _configuration(dict([first, guides, *made.items(), *rest])))
    write(into / "pages/assets/style.css", (HERE / "style.css").read_text(encoding="utf-8"))
    write(into / "pages/assets/iframe-worker.js", _worker())


def places(section: dict[str, Any]) -> list[str]:
    """The places of all pages of a section, and of those below it."""
    return [place for below in section.values() for place in (places(below) if isinstance(below, dict) else [below])]


def write(path: Path, text: str) -> None:
    """Write a text file, and the directories above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _configuration(navigation: dict[str, Any]) -> str:
    """The configuration with the navigation in it."""
    fixed = (HERE / "zensical.toml").read_text(encoding="utf-8")
    return fixed.replace("[project]\n", f"[project]\nnav = {_as_toml(navigation)}\n", 1)


def _as_toml(navigation: dict[str, Any] | str) -> str:
    """A list of titles with what is below them. A page whose title is that of its section is shown in its place."""
    if isinstance(navigation, str):
        return json.dumps(navigation)
    entries = (
        _as_toml(below[title])
        if isinstance(below, dict) and list(below) == [title]
        else f"{{ {json.dumps(title)} = {_as_toml(below)} }}"
        for title, below in navigation.items()
    )
    return f"[{', '.join(entries)}]"


def _worker() -> str:
    """A script that lets the search of the theme run where the page is a file.

    Browsers refuse to start a worker from a file; they start one from a text that the page already has.
    """
    (worker,) = (files("zensical") / "templates/assets/javascripts/workers").iterdir()
    text = json.dumps(worker.read_text(encoding="utf-8"))
    return f"""if (location.protocol === "file:") {{
  const text = {text};
  const Usual = window.Worker;
  window.Worker = class extends Usual {{
    constructor() {{ super(URL.createObjectURL(new Blob([text], {{ type: "text/javascript" }}))); }}
  }};
}}
"""
