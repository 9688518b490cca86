"""A page for each planner, made from the registry and what stands beside it; and one that lists them."""

from __future__ import annotations

import html
import json
from pathlib import Path
from typing import Any

import replan
from building.replays import SCENES, replay, scene_of
from building.sources import lines_of
from building.tree import write
from replan.experiments.planner_names import format_options
from replan.planners.explanations import explanations, families, pseudo_code
from replan.planners.registry import OPTIONS, find_spec
from replan.planners.spec import PlannerSpec

_CAPTION = (
    "There are {}, in five families. A planner that keeps a limit searches for so many expansions, or microseconds, "
    "before the agent moves. One that keeps cheapest paths follows a path that is cheapest as far as is known. One "
    "that keeps a bound finds paths that cost at most so many times the cheapest. "
    "[Choose a planner](../guides/choose.md) compares them."
)
WIDE = "---\nhide:\n  - toc\n---\n\n"


def write_planners(into: Path) -> dict[str, Any]:
    """Write all pages below planners/; their titles and places, by family."""
    write(into / "planners/index.md", WIDE + _list())
    shown: dict[str, Any] = {"Planners": "planners/index.md"}
    for family in families():
        shown[family.title] = {name: _page(into, find_spec(name)) for name in family.planners}
    return shown


def planner_places() -> dict[str, str]:
    """The place of each planner's page, by the names that papers have for it."""
    return {
        name: f"planners/{s.slug}.md" for s in replan.planners() for name in (s.name, *s.aliases) if not name.islower()
    }


def _list() -> str:
    parts = ["# Planners", _CAPTION.format(len(replan.planners()))]
    for family in families():
        rows = "\n".join(_row(find_spec(name)) for name in family.planners)
        parts += [f"## {family.title}", family.idea, f"| planner | recipe | keeps |\n|---|---|---|\n{rows}"]
    return "\n\n".join(parts) + "\n"


def _row(spec: PlannerSpec) -> str:
    keeps = ["a limit"] if spec.is_realtime else []
    keeps += ["cheapest paths"] if spec.is_optimal else []
    keeps += [f"a bound (`{spec.bound_option}`)"] if spec.bound_option else []
    return f"| [{spec.name}]({spec.slug}.md) | {spec.recipe} | {', '.join(keeps)} |"


def _page(into: Path, spec: PlannerSpec) -> str:
    """Write the page of a planner, and its replay; the place of the page."""
    told = explanations()[spec.name]
    names = ", ".join(f"`{name}`" for name in (spec.slug, *spec.aliases))
    parts = [
        f"# {spec.name}",
        told.idea,
        f"- **Recipe**: {spec.recipe}\n- **Name**: `replan.planner({_python(spec.name)})`; also {names}\n"
        f"- **Paper**: {spec.paper}\n- **Family**: {told.family} ([all planners](index.md))",
        "## A trip",
        f"{SCENES[scene_of(spec)][1]} Play it; hover over a cell, or come closer, to see its values.",
        _frame(spec),
        "## What it guarantees",
        "\n".join(f"- {item}" for item in told.guarantees),
        "## What it cannot do",
        "\n".join(f"- {item}" for item in told.limits),
        "## Options",
        _options(spec),
        "## Pseudo-code, and our own lines",
        *(_beside(part) for part in told.parts),
    ]
    write(into / f"planners/{spec.slug}.md", WIDE + "\n\n".join(parts) + "\n")
    write(into / f"planners/replays/{spec.slug}.html", replay(spec))
    return f"planners/{spec.slug}.md"


def _frame(spec: PlannerSpec) -> str:
    address, title = f"replays/{spec.slug}.html", html.escape(f"A trip of {spec.name}, played")
    return f'<iframe class="replay" src="{address}" title="{title}" loading="lazy"></iframe>'


def _options(spec: PlannerSpec) -> str:
    if not spec.options:
        return "None."
    name = "lookahead" if "lookahead" in spec.options else next(iter(spec.options))
    usual = spec.options[name]
    rows = (
        f"| `{name}={_python(usual)}` | {OPTIONS[name].meaning} *It is {OPTIONS[name].allowed}.* |"
        for name, usual in spec.options.items()
    )
    return (
        f"In Python `replan.planner({_python(spec.name)}, {name}={_python(usual)})`; on the command line "
        f"`--planner {spec.slug}:{format_options({name: usual})}`.\n\n"
        "| option and default | meaning |\n|---|---|\n" + "\n".join(rows)
    )


def _python(value: Any) -> str:
    return json.dumps(value) if isinstance(value, str) else repr(value)


def _beside(part: str) -> str:
    """The pseudo-code of a part beside its lines."""
    path, first, text = lines_of(part)
    told = f"```text\n{pseudo_code()[part]}\n```"
    lines = f'```python linenums="{first}"\n{text}\n```'
    return (
        f"### `{'.'.join(part.split('.')[-2:])}`\n\n"
        f'<div class="beside" markdown>\n\n{told}\n\n<div markdown>\n\n{lines}\n\n'
        f"<small>{path}, from line {first}</small>\n\n</div>\n\n</div>"
    )
