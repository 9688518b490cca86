"""Documents link to each other by their places in the repository. On the site they stand elsewhere."""

from __future__ import annotations

import re
from collections.abc import Mapping
from os.path import normpath, relpath
from pathlib import Path, PurePosixPath

TOP = Path(__file__).parents[2]
CODE = re.compile(r"(^ {0,3}```.*?^ {0,3}```[^\n]*$|`[^`\n]+`)", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"(^ {0,3}```.*?^ {0,3}```[^\n]*$|^#[^\n]*$|^ {4}[^\n]*$)", re.MULTILINE | re.DOTALL)
TARGET = re.compile(r'(?P<before>\]\(|\s(?:src|href)=")(?P<path>[^)\s#"]*)(?P<anchor>#[^)\s"]*)?(?=[)\s"])')
# a picture that is light or dark as the system is; on the site readers choose, and the theme shows one of two
PICTURE = re.compile(
    r'<picture>\s*<source media="\(prefers-color-scheme: dark\)" srcset="(?P<dark>[^"]+)">\s*'
    r'<img alt="(?P<alt>[^"]*)" src="(?P<light>[^"]+)">\s*</picture>'
)
NAME = re.compile(r"(?<!\[)`(?:replan\.)?(?P<name>\w[\w./-]*)(?:\(.*?\))?`(?!\])")


class DeadLink(Exception):
    """A document links to something that is neither a page nor a file of docs/."""


def relink(text: str, source: str, pages: Mapping[str, str], assets: dict[str, str]) -> str:
    """The text of the document `source` with links for its place on the site.

    pages: the place on the site by the path in the repository. assets: pictures and files that are linked to are added.
    """

    def link(match: re.Match[str]) -> str:
        path, anchor = match["path"], match["anchor"] or ""
        if not path or re.match(r"[a-z]+:", path):
            return match[0]
        wanted = normpath(PurePosixPath(source).parent / path)
        place = pages.get(wanted) or _asset(wanted, source, assets)
        if not match["before"].startswith("]"):
            place = re.sub(r"\.md$", ".html", place)  # inside HTML nobody else does it
        return f"{match['before']}{relpath(place, PurePosixPath(pages[source]).parent)}{anchor}"

    parts = CODE.split(PICTURE.sub(r"![\g<alt>](\g<light>#only-light) ![\g<alt>](\g<dark>#only-dark)", text))
    return "".join(part if number % 2 else TARGET.sub(link, part) for number, part in enumerate(parts))


def _asset(wanted: str, source: str, assets: dict[str, str]) -> str:
    if not wanted.startswith("docs/") or not (TOP / wanted).is_file():
        raise DeadLink(f"{source} links to {wanted}, which is neither a page of the site nor a file of docs/")
    assets[wanted] = wanted.removeprefix("docs/")
    return assets[wanted]


def name_links(text: str, place: str, names: Mapping[str, str]) -> str:
    """The text of the page at `place`, where each public name that stands in it alone, as code, is a link."""

    def link(match: re.Match[str]) -> str:
        name = match["name"]
        known = name in names and (name[0].isupper() or re.search(r"[./]", name) or f"`replan.{name}" in match[0])
        return f"[{match[0]}]({relpath(names[name], PurePosixPath(place).parent)})" if known else match[0]

    parts = BLOCK.split(text)
    return "".join(part if number % 2 else NAME.sub(link, part) for number, part in enumerate(parts))


def planner_links(text: str, place: str, planners: Mapping[str, str]) -> str:
    """The text of a page, where planners that tables name are links to their pages."""
    names = "|".join(map(re.escape, sorted(planners, key=len, reverse=True)))
    named = re.compile(rf"(`[^`]*`|\[[^\]]*\]\([^)]*\))|(?<![\w-])({names})(?![\w*(-])")

    def link(match: re.Match[str]) -> str:
        return match[0] if match[1] else f"[{match[0]}]({relpath(planners[match[0]], PurePosixPath(place).parent)})"

    rows = (named.sub(link, line) if line.startswith("| ") else line for line in text.split("\n"))
    return "\n".join(rows)
