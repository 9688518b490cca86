"""Results are of the code that a user's planner imports, wherever it lies; where it is not known, none are resumed."""

from __future__ import annotations

import importlib
import linecache
import sys
import sysconfig
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from experiments.measures import small_runs
from replan.errors import InputError
from replan.experiments.engines import threads
from replan.experiments.pipeline import execute_missing_runs, open_store, results_frame, unresolved_imports
from replan.experiments.planner_names import user_planner_files, user_planner_version
from replan.experiments.runs import _measure_version
from replan.experiments.user_sources import find_sources

PLANNER = """import replan
{imports}
def Mine(**options):
    {late}
    return replan.planner('RTAA*', lookahead={value})
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with the planner, and beside it one with a library, both on the path."""
    before = set(sys.modules)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # files are edited within a second
    for name in ("program", "library"):
        (tmp_path / name).mkdir()
        monkeypatch.syspath_prepend(tmp_path / name)
    yield tmp_path
    for name in set(sys.modules) - before:
        del sys.modules[name]


def planner(here: Path, imports: str = "pass", value: str = "5", late: str = "pass") -> str:
    text = PLANNER.format(imports=imports, value=value, late=late)
    (here / "program" / "far_planner.py").write_text(text, encoding="utf-8")
    return "far_planner:Mine"


def write(file: Path, text: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def notices(name: str, file: Path) -> bool:
    before = user_planner_version(name)
    assert user_planner_version(name) == before
    file.write_bytes(file.read_bytes() + b"\n# edited")
    return user_planner_version(name) != before


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize(
    ("file", "imports"),
    [
        ("library/far_rule.py", "import far_rule"),
        ("library/far_kit/deep/rule.py", "from far_kit.deep import rule"),
        ("library/far_kit/__init__.py", "import far_kit.deep.rule"),
        ("library/far_kit/near.py", "from far_kit.deep.rule import *"),  # which imports it
        ("library/far_rule.py", "import importlib; importlib.import_module('far_rule')"),
        ("library/far_rule.py", "__import__('far_rule')"),
        ("program/parts/far_rule.py", "import sys; sys.path.insert(0, {parts!r}); import far_rule"),
    ],
)
def test_imports_count_wherever_they_lie(here: Path, file: str, imports: str, late: bool) -> None:
    write(here / "library" / "far_kit" / "__init__.py", "")
    write(here / "library" / "far_kit" / "near.py", "")
    write(here / "library" / "far_kit" / "deep" / "rule.py", "from .. import near\n")
    edited = write(here / file, (here / file).read_text() if (here / file).exists() else "LOOKAHEAD = 5\n")
    imports = imports.format(parts=str(here / "program" / "parts"))
    if late and "sys.path" not in imports and "*" not in imports:
        name = planner(here, late=imports)
    else:
        name = planner(here, imports)
    assert notices(name, edited)
    assert not find_sources(importlib.import_module("far_planner")).unresolved


def test_what_is_installed_does_not_count(here: Path) -> None:
    name = planner(here, "import json, numpy, click, replan.planners.rtd, replan.experiments.compare")
    user_planner_version(name)
    assert list(find_sources(importlib.import_module("far_planner")).files) == ["far_planner.py"]
    assert not find_sources(importlib.import_module("far_planner")).unresolved


def test_a_library_in_an_archive_counts(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = here / "far.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("far_rule.py", "LOOKAHEAD = 5\n")
    monkeypatch.syspath_prepend(archive)
    name = planner(here, "import far_rule")
    before = user_planner_version(name)
    with zipfile.ZipFile(archive, "a") as file:
        file.writestr("other.py", "")
    assert user_planner_version(name) != before


def test_a_compiled_module_counts_by_its_bytes_and_by_what_it_holds(here: Path) -> None:
    suffix = sysconfig.get_config_var("EXT_SUFFIX") or ".so"
    file = write(here / "library" / f"far_fast{suffix}", "machine code")
    helper = write(here / "library" / "far_helper.py", "def help():\n    pass\n")
    name = planner(here, "import far_fast")
    made = ModuleType("far_fast")  # as if it had been loaded
    made.__spec__ = ModuleSpec("far_fast", None, origin=str(file))
    made.__dict__["help"] = importlib.import_module("far_helper").help
    sys.modules["far_fast"] = made
    assert notices(name, file) and notices(name, helper)
    assert not find_sources(importlib.import_module("far_planner")).unresolved
    assert user_planner_files([name]) == [helper, file, here / "program" / "far_planner.py"]


@pytest.mark.parametrize(
    ("imports", "said"),
    [
        ("import importlib; importlib.import_module('far' + '_rule')", "line 2: import_module may load any"),
        ("from importlib import import_module; import_module(chr(106) + 'son')", "import_module"),
        ("__import__(''.join(['far_', 'rule']))", "__import__"),
        ("from importlib import import_module as load; load(chr(106) + 'son')", "import_module as load"),
        ("exec('import far_rule')", "exec"),
        ("eval('1')", "eval"),
        ("import importlib; load = importlib.import_module; load('far_rule')", "import_module"),
        ("import importlib; list(map(importlib.import_module, ['far_rule']))", "import_module"),
        ("run = exec; run('import far_rule')", "exec"),
        ("import builtins; builtins.exec('import far_rule')", "builtins"),
        ("import builtins as b; b.exec('import far_rule')", "builtins as b"),
        ("from builtins import exec as run; run('import far_rule')", "exec as run"),
        ("import runpy; runpy.run_path({rule!r})", "run_path"),
        ("from importlib.util import spec_from_file_location as s; import importlib.util as u; "
         "u.spec_from_file_location('x', {rule!r})", "spec_from_file_location"),
        ("import ctypes; ctypes.CDLL(None)", "CDLL"),
        ("import sys, types as t; sys.modules['far_made'] = t.ModuleType('far_made'); import far_made", "has no file"),
    ],
)  # fmt: skip
def test_what_cannot_be_followed_is_not_resumed(here: Path, imports: str, said: str) -> None:
    rule = write(here / "library" / "far_rule.py", "LOOKAHEAD = 5\n")
    name = planner(here, imports.format(rule=str(rule)))
    runs = [replace(run, planner=name, options=(), timing_repeats=0) for run in small_runs(1)[:1]]
    store = open_store(here, True, unresolved_imports(runs))  # nothing is there yet: nothing to refuse
    execute_missing_runs(runs, store, threads(1), lambda done: None)
    store.close()
    with pytest.raises(InputError, match=said) as caught:
        open_store(here, True, unresolved_imports(runs))
    assert "--resume is refused" in str(caught.value) and "--out" in str(caught.value)


def test_a_change_in_a_library_makes_new_results(here: Path) -> None:
    """The trips of the edited library, not those of before."""
    costs = []
    for lookahead in (1, 100):
        write(here / "library" / "far_rule.py", f"LOOKAHEAD = {lookahead}\n")
        name = planner(here, "import far_rule", "far_rule.LOOKAHEAD")
        for module in ("far_rule", "far_planner"):
            sys.modules.pop(module, None)
        importlib.invalidate_caches()
        runs = [replace(run, planner=name, options=(), timing_repeats=0) for run in small_runs(2)]
        store = open_store(here, True, unresolved_imports(runs))
        execute_missing_runs(runs, store, threads(1), lambda done: None)
        costs.append(results_frame(runs, store)["moves"].to_list())
        store.close()
    assert np.mean(costs[0]) > np.mean(costs[1])


MEASURE = """
import far_helper
LIMITS = (1, 2)
class Base:
    most = 3
class Tool(Base):
    def use(self):
        return LIMITS
def mine(run):
    return Tool().use()
def report():
    return 1
"""


def measured(here: Path, measure: str = MEASURE, helper: str = "FACTOR = 1\n") -> str:
    """The version of a way to measure in a module of the user's."""
    write(here / "library" / "far_helper.py", helper)
    write(here / "program" / "far_measure.py", measure)
    for module in ("far_helper", "far_measure"):
        sys.modules.pop(module, None)
    importlib.invalidate_caches()
    linecache.clearcache()
    return _measure_version(importlib.import_module("far_measure").mine)


def test_what_a_measure_uses_counts_and_what_a_report_does_not(here: Path) -> None:
    before = measured(here)
    assert measured(here) == before
    assert measured(here, helper="FACTOR = 2\n") != before
    for old, new in (("(1, 2)", "(1, 3)"), ("return LIMITS", "return LIMITS[::-1]"), ("most = 3", "most = 4")):
        assert old in MEASURE and measured(here, MEASURE.replace(old, new)) != before
    assert measured(here, MEASURE.replace("return 1", "return 2")) == before
