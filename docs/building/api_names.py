"""What is public, and under which heading people look for it. A module stands for all that it defines."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import griffe

import replan

PACKAGE = Path(replan.__file__).parent
THEMES: dict[str, tuple[str, ...]] = {
    "Agents and trips": (
        *("simulate", "Trip", "Agent", "Status", "watch", "Story", "simulation.steps"),
        *("Crowd", "crowds.planner_setup.MoveResult", "crowds.planner_setup.CrowdReport"),
    ),
    "Planners": (
        *(
            "planner",
            "planners",
            "planners.spec.PlannerSpec",
            "Planner",
            "find_path",
            "PathResult",
            "LPAStar",
            "FlowField",
        ),
        *("Budget", "Expansions", "Deadline", "Unlimited"),
    ),
    "Maps and spaces": (*("Grid", "Graph", "Space", "maze", "cave", "rooms", "random_obstacles", "maps"),),
    "Worlds": (
        *("World", "Sensor", "Radius", "rooms_with_doors", "DynamicScenario", "Target", "Flee", "Wander", "Route"),
    ),
    "Parts of your own": ("LearningRule", "ChoosingRule", "search.lookahead.Lookahead", "Queue", "limits"),
    "Experiments": (
        *(
            "compare",
            "advise",
            "experiments.result_tables.ComparisonTable",
            "experiments.result_tables.ResultTable",
            "experiments.experiment",
        ),
        *(
            "experiments.planner_names.NamedPlanner",
            "experiments.runs",
            "experiments.map_problems",
            "experiments.mazes",
        ),
        *("experiments.tables", "experiments.report", "papers.common.claims", "experiments.statistics"),
        "experiments.plots",
    ),
    "Other packages": ("bridges.ros", "bridges.tcod", "bridges.gym"),
    "Errors and versions": ("InputError", "MissingExtra", "compiled", "__version__"),
}
_CDEF = re.compile(r"^ +cdef (?!public|readonly)[^=\n]*?(\w+)\(", re.MULTILINE)
_SHOWN = re.compile(r"^ +cdef (?:public|readonly) +\S+ +([\w, ]+)", re.MULTILINE)


@cache
def package() -> griffe.Module:
    """The package as its sources say it is: the same whether it is compiled or not."""
    found = griffe.load("replan", search_paths=[str(PACKAGE.parent)], allow_inspection=False)
    assert isinstance(found, griffe.Module)
    return found


def find(name: str) -> griffe.Object:
    """A module, class, function or value by its name after `replan.`; the function `planners`, not the room."""
    if name == "planners":
        name = "planners.registry.planners"
    found = package()[name]
    return found.final_target if isinstance(found, griffe.Alias) else found


def public_members(owner: griffe.Object) -> dict[str, griffe.Object]:
    """What people may use of a class or module, in the order of the source; of a class also what it inherits."""
    if isinstance(owner, griffe.Module):
        names = owner.exports or [name for name, member in owner.members.items() if not member.is_alias]
        members = {str(name): find_in(owner, str(name)) for name in names}
        return {n: m for n, m in members.items() if not n.startswith("_") and (m.is_class or m.is_function)}
    names = dict.fromkeys((*owner.members, *owner.all_members))  # its own come first
    members = {name: find_in(owner, name) for name in names}
    return {n: m for n, m in members.items() if not n.startswith("_") and n not in _unreachable(m) and _told(m)}


def find_in(owner: griffe.Object, name: str) -> griffe.Object:
    member = owner.all_members[name]
    return member.final_target if isinstance(member, griffe.Alias) else member


def comment_of(value: griffe.Object) -> str:
    """What the comment behind an attribute says, where its class declares it."""
    lines = value.parent.lines if value.parent is not None and value.parent.is_class else []
    declared = (re.match(rf" {{4}}{value.name}\b *[:=].*?  # (.*)", line) for line in lines)
    return next((match[1] for match in declared if match), "")


def _told(member: griffe.Object) -> bool:
    """Attributes are public if somebody has said what they are."""
    return not member.is_attribute or "property" in member.labels or bool(comment_of(member))


def _unreachable(member: griffe.Object) -> set[str]:
    """What stands in a compiled class and cannot be reached from Python."""
    assert isinstance(member.filepath, Path) and member.parent is not None
    text = _types(member.filepath.with_suffix(".pxd")).get(member.parent.name, "")
    if member.is_attribute and "property" not in member.labels:
        shown = {name.strip() for names in _SHOWN.findall(text) for name in names.split(",")}
        declared = re.search(rf"^ +cdef [^(\n]*\b{member.name}\b", text, re.MULTILINE)
        return {member.name} if declared and member.name not in shown else set()
    return set(_CDEF.findall(text))


@cache
def _types(path: Path) -> dict[str, str]:
    """What a .pxd declares of each class."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    parts = re.split(r"^cdef class (\w+).*\n", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))
