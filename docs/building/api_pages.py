"""The API reference: a page for each public name, from the sources and their docstrings."""

from __future__ import annotations

import importlib
import inspect
import re
import textwrap
from pathlib import Path
from typing import Any

import griffe

from building.api_names import THEMES, comment_of, find, find_in, public_members
from building.links import name_links
from building.tree import write

WIDEST = 88
_EXAMPLE = re.compile(r"(?:^ *>>> .*\n?(?:^ *\S.*\n?)*)", re.MULTILINE)


def write_api(into: Path) -> dict[str, Any]:
    """Write all pages below api/; their titles and places, by theme."""
    shown: dict[str, Any] = {"API reference": "api/index.md"}
    rows = ["# API reference", "Everything that is public. `help(replan.Agent)` says the same in Python."]
    known = anchors()
    for theme, names in THEMES.items():
        rows.append(f"## {theme}\n\n| name | what it is |\n|---|---|")
        shown[theme] = {}
        for name in names:
            write(into / page_of(name), name_links(_page(name), page_of(name), known))
            shown[theme][name if find(name).is_module else name.rpartition(".")[2]] = page_of(name)
            rows[-1] += (
                f"\n| [`replan.{name}`]({Path(page_of(name)).name}) | {_first_sentence(docstring(find(name)))} |"
            )
    write(into / "api/index.md", "\n\n".join(rows) + "\n")
    return shown


def page_of(name: str) -> str:
    """Where the page of a public name stands. Names that differ in capitals alone do not share a file anywhere."""
    names = [other for theme in THEMES.values() for other in theme]
    twin = name[:1].islower() and any(other != name and other.lower() == name.lower() for other in names)
    return f"api/{name.strip('_')}{'-function' if twin else ''}.md"


def anchors() -> dict[str, str]:
    """The place of each public name and of its members, by what people write: `Agent.plan`, `bridges.ros.inflate`."""
    found = {}
    for name in (name for theme in THEMES.values() for name in theme):
        short = name if find(name).is_module else name.rpartition(".")[2]
        for text in (name, short):
            found[text] = f"{page_of(name)}#replan.{name.strip('_')}"
        if find(name).is_class or find(name).is_module:
            for member in public_members(find(name)):
                found[f"{name}.{member}"] = found[f"{short}.{member}"] = f"{page_of(name)}#replan.{name}.{member}"
    return found


def docstring(item: griffe.Object) -> str:
    """Of a method that has none, what its base class says. What a module adds to one when it is imported counts."""
    if item.docstring is not None:
        module = item.parent
        if isinstance(module, griffe.Module) and any(
            line.startswith(f"{item.name}.__doc__ =") for line in module.lines
        ):
            return inspect.getdoc(getattr(importlib.import_module(module.path), item.name)) or ""
        return item.docstring.value
    if isinstance(item.parent, griffe.Class):
        for base in item.parent.mro():
            above = base.members.get(item.name)
            if above is not None and above.docstring is not None:
                return above.docstring.value
    return comment_of(item)


def _page(name: str) -> str:
    item = find(name)
    parts = [f"# `replan.{name}` {{ #replan.{name.strip('_')} }}"]
    if item.is_class or item.is_function:
        parts.append(_signature(item, f"replan.{name}"))
    parts.append(_as_markdown(docstring(item), item) or _value(name))
    if item.is_class or item.is_module:
        members = public_members(item)
        parts += [_member(name, member, value) for member, value in members.items() if not value.is_attribute]
        if told := {member: value for member, value in members.items() if value.is_attribute}:
            parts.insert(3, _attributes(name, told))
    return "\n\n".join(parts) + "\n"


def _value(name: str) -> str:
    told = {"__version__": "The version of the package, as text.", "compiled": "Is the core compiled? True or False."}
    return f"{told[name]} Here it is `{getattr(importlib.import_module('replan'), name)!r}`."


def _attributes(owner: str, members: dict[str, griffe.Object]) -> str:
    rows = (
        f'| <span id="replan.{owner}.{name}"></span>`{name}` | {_cell(docstring(value))} |'
        for name, value in members.items()
    )
    return "## Attributes\n\n| attribute | what it is |\n|---|---|\n" + "\n".join(rows)


def _member(owner: str, name: str, item: griffe.Object) -> str:
    shown = f"{owner.rpartition('.')[2]}.{name}" if not find(owner).is_module else name
    parts = [
        f"## `{shown}` {{ #replan.{owner}.{name} }}",
        _signature(item, shown),
        _as_markdown(docstring(item), item),
    ]
    if item.is_class:
        inner = {n: m for n, m in public_members(item).items() if not m.is_attribute}
        parts += [
            f"**`{name}.{n}`**\n\n{_signature(m, f'{name}.{n}')}\n\n{_as_markdown(docstring(m), m)}"
            for n, m in inner.items()
        ]
    return "\n\n".join(part for part in parts if part)


def _signature(item: griffe.Object, shown: str) -> str:
    """How it is called."""
    if not isinstance(item, (griffe.Class, griffe.Function)):
        return ""
    returns = f" -> {item.returns}" if isinstance(item, griffe.Function) and item.returns is not None else ""
    given = [
        _parameter(p)
        for p in _with_marks(parameters_of(item))
        if not isinstance(p, griffe.Parameter) or p.name not in ("self", "cls")
    ]
    line = f"{shown}({', '.join(given)}){returns}"
    if len(line) > WIDEST:
        line = f"{shown}(\n" + "".join(f"    {one},\n" for one in given) + f"){returns}"
    return f"```python\n{line}\n```"


def parameters_of(item: griffe.Object) -> list[griffe.Parameter]:
    """Of a class, those by which it is made."""
    if isinstance(item, griffe.Class) and "__init__" in item.all_members:
        item = find_in(item, "__init__")
    return list(item.parameters) if isinstance(item, (griffe.Class, griffe.Function)) else []


def _with_marks(parameters: Any) -> list[Any]:
    """Parameters, with the star before those that have to be named."""
    found: list[Any] = []
    for parameter in parameters:
        star = parameter.kind is griffe.ParameterKind.keyword_only
        if star and not any(p == "*" or getattr(p, "kind", None) is griffe.ParameterKind.var_positional for p in found):
            found.append("*")
        found.append(parameter)
    return found


def _parameter(given: Any) -> str:
    if isinstance(given, str):
        return given
    stars = {griffe.ParameterKind.var_positional: "*", griffe.ParameterKind.var_keyword: "**"}.get(given.kind, "")
    kind = f": {given.annotation}" if given.annotation is not None else ""
    usual = f" = {given.default}" if given.default is not None and not stars else ""
    return f"{stars}{given.name}{kind}{usual}"


def _as_markdown(text: str, item: griffe.Object) -> str:
    """Return a docstring as Markdown: its numpydoc sections as paragraphs with a bold title, its examples as code."""
    sections = griffe.Docstring(text, parent=item).parse("numpy")
    return "\n\n".join(filter(None, map(_section, sections)))


def _section(section: griffe.DocstringSection) -> str:
    """Return a section of a docstring as Markdown."""
    kind, value = section.kind.value, section.value
    if kind == "text":
        return _with_code(value)
    if kind == "examples":
        blocks = [text if part.value == "text" else f"```pycon\n{text}\n```" for part, text in value]
        return "\n\n".join(["**Examples**", *blocks])
    if kind == "admonition":
        return f"**{section.title or value.kind.title()}**\n\n{_with_code(value.description)}"
    title = section.title or kind.title()
    return f"**{title}**\n\n" + "\n".join(f"- {_entry(kind, one)}" for one in value)


def _entry(kind: str, one: Any) -> str:
    """Return a parameter, a result or an error as an item of a list."""
    has_list = "\n- " in one.description
    description = textwrap.indent(one.description, "    ").lstrip() if has_list else " ".join(one.description.split())
    if kind in ("parameters", "other parameters", "attributes"):
        return f"**`{one.name}`**: {description}"
    annotation = f"`{one.annotation}`" if one.annotation is not None else ""
    name = f"**`{one.name}`**" if getattr(one, "name", "") else ""
    return f"{' '.join(filter(None, (name, annotation)))}: {description}"


def _with_code(text: str) -> str:
    """Return text with its interactive examples as blocks of code."""
    return _EXAMPLE.sub(lambda match: f"```pycon\n{inspect.cleandoc(match[0])}\n```\n", text).strip()


def _first_sentence(text: str) -> str:
    return _cell(re.split(r"(?<=[.:?]) |\n\n", text.strip(), maxsplit=1)[0].rstrip(":"))


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def undocumented() -> list[str]:
    """Public names and methods of which nothing is said."""
    found = []
    for name, item in _with_members():
        found += [name] if not item.is_attribute and not docstring(item) else []
        if item.is_class or item.is_module:
            found += [f"{name}.{m}" for m, value in public_members(item).items() if not docstring(value)]
    return found


def without_example() -> list[str]:
    """Public classes and functions without an example; methods that no example of their class, or its bases, uses."""
    found = []
    for name, item in _with_members():
        if isinstance(item, (griffe.Class, griffe.Function)) and ">>>" not in docstring(item):
            found.append(name)
        if isinstance(item, griffe.Class):
            kin = [item, *(base for base in item.mro() if base.path.startswith("replan."))]
            told = [docstring(one) for kind in kin for one in (kind, *public_members(kind).values())]
            code = "\n".join(line for text in told for line in text.splitlines() if re.match(r" *(>>>|\.\.\.) ", line))
            methods = (member for member, value in public_members(item).items() if not value.is_attribute)
            found += [f"{name}.{method}" for method in methods if not re.search(rf"(\.|def ){method}\b", code)]
    return found


def _with_members() -> list[tuple[str, griffe.Object]]:
    """All that is public, and what public modules hold."""
    modules = [(name, item) for name, item in _all() if item.is_module]
    return _all() + [(f"{name}.{m}", value) for name, item in modules for m, value in public_members(item).items()]


def _all() -> list[tuple[str, griffe.Object]]:
    return [(name, find(name)) for theme in THEMES.values() for name in theme]
