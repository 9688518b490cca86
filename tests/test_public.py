"""The public names, and what importing them costs."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import subprocess
import sys

import pytest

import replan

NAMES = [
    "Agent",
    "Budget",
    "ChoosingRule",
    "Crowd",
    "Deadline",
    "DynamicScenario",
    "Expansions",
    "Flee",
    "FlowField",
    "Graph",
    "Grid",
    "InputError",
    "LPAStar",
    "LearningRule",
    "MissingExtra",
    "PathResult",
    "Planner",
    "Queue",
    "Radius",
    "Route",
    "Sensor",
    "Space",
    "Status",
    "Story",
    "Target",
    "Trip",
    "Unlimited",
    "Wander",
    "World",
    "__version__",
    "advise",
    "cave",
    "compare",
    "compiled",
    "find_path",
    "maze",
    "planner",
    "planners",
    "random_obstacles",
    "rooms",
    "rooms_with_doors",
    "simulate",
    "watch",
]


def test_the_public_names_are_these():
    assert sorted(replan.__all__) == NAMES
    assert all(hasattr(replan, name) for name in NAMES)


def test_everything_else_in_the_namespace_is_private_or_a_module():
    packages = {"bridges", "cli", "course", "crowds", "drawings", "experiments", "maps", "papers", "planners", "queues"}
    packages |= {"search", "simulation", "spaces", "viewer", "worlds"}
    modules = {
        "arrays",
        "atomic_write",
        "budget",
        "clock",
        "core",
        "counts",
        "errors",
        "extensions",
        "extras",
        "faults",
    }
    modules |= {"formatting", "initialized", "interpreted", "limits", "locking", "log", "serialization", "signals"}
    modules |= {"suggest"}
    assert {n for n in vars(replan) if not n.startswith("_")} - set(NAMES) <= packages | modules


def test_importing_needs_no_extra():
    code = "import sys, replan; print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "replan" in loaded
    assert not loaded & {
        "PIL",
        "yaml",
        "networkx",
        "matplotlib",
        "scipy",
        "polars",
        "pandas",
        "hypothesis",
        "pytest",
        "click",
        "rich",
    }


MODULES = sorted(m.name for m in pkgutil.walk_packages(replan.__path__, "replan.") if "._cyutility" not in m.name)


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name):
    if name.startswith("replan.cli"):
        pytest.importorskip("click")
    if name.endswith("__main__"):
        pytest.skip("runs the command line")
    assert doctest.testmod(importlib.import_module(name)).failed == 0
