"""A user's planner is what is in its file and in those that it imports from beside it."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from replan.errors import InputError
from replan.experiments.planner_names import user_planner_files, user_planner_version
from replan.experiments.user_sources import find_sources

FILES = {
    "own_planner.py": """
import json, os.path
import numpy as np
import replan
import own_helper
class Mine(replan.Planner):
    def plan(self, state, budget):
        from own_tools.deep import rule as lazily
""",
    "own_helper.py": "from own_tools import *\nimport own_planner\n",
    "own_tools/__init__.py": "",
    "own_tools/deep/rule.py": "from ..shared import more\nfrom . import near\nfrom .... import far\n",
    "own_tools/deep/near.py": "",
    "own_tools/shared.py": "more = 1\n",
    "own_unused.py": "not even Python",
    "json/__init__.txt": "a folder that is no module",
}
USED = ["own_helper.py", "own_planner.py", "own_tools/__init__.py", "own_tools/deep/near.py", "own_tools/deep/rule.py"]
USED += ["own_tools/shared.py"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path
    for name in [name for name in sys.modules if name.startswith("own_")]:
        del sys.modules[name]


@pytest.mark.parametrize("name", sorted(FILES))
def test_the_version_covers_what_is_imported_from_beside(folder: Path, name: str) -> None:
    before = user_planner_version("own_planner:Mine")
    assert user_planner_version("own_planner:Mine") == before
    with (folder / name).open("a", encoding="utf-8") as file:
        file.write("\n# edited")
    assert (user_planner_version("own_planner:Mine") != before) == (name in USED)


def test_a_planner_of_the_registry_has_no_version_of_its_own() -> None:
    assert user_planner_version("RTAA*") == ""


def test_modules_come_after_those_that_they_import(folder: Path) -> None:
    assert user_planner_files(["own_planner:Mine", "RTAA*"]) == [folder / "own_helper.py", folder / "own_planner.py"]


def test_a_module_in_a_package(folder: Path) -> None:
    found = find_sources(importlib.import_module("own_tools.deep.near")).files
    assert sorted(found) == ["own_tools/__init__.py", "own_tools/deep/near.py"]
    assert list(find_sources(importlib.import_module("own_tools")).files) == ["own_tools/__init__.py"]


def test_of_what_is_installed_the_package_alone_counts() -> None:
    found = find_sources(click).files
    assert {name.partition("/")[0] for name in found} == {"click"}
    assert len(found) > 5


def test_a_file_that_is_no_python_is_named(folder: Path) -> None:
    (folder / "own_tools" / "shared.py").write_text("x = 1\nno python\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"shared\.py, line 2: the file is imported and is no Python"):
        user_planner_version("own_planner:Mine")
