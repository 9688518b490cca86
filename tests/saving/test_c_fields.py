"""Users' classes in Cython: their own methods save what their C fields hold, or they are refused."""

from __future__ import annotations

import importlib.util
import subprocess
import sysconfig
from collections import OrderedDict, defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import replan
from replan.serialization import _has_c_fields
from saving.ways import WAYS

SOURCE = Path(__file__).with_name("cfields.pyx")


class Slotted(replan.Planner):
    __slots__ = ("a", "b")


class Weak(Slotted):
    __slots__ = "__weakref__"


class Plain(replan.Planner):
    """With a __dict__."""


class Mixed(Plain, Weak):
    __slots__ = ("c",)


def test_c_fields_are_found() -> None:
    assert _has_c_fields(OrderedDict) and _has_c_fields(defaultdict) and _has_c_fields(np.float64)
    for kind in (Slotted, Weak, Plain, Mixed):
        assert not _has_c_fields(kind)


@pytest.mark.parametrize("how", WAYS)
def test_slots_are_kept(how: Any) -> None:
    planner = Mixed()
    planner.a, planner.c, planner.d = 1, 2, 3
    copied = how(planner)
    assert (copied.a, copied.c, copied.d) == (1, 2, 3) and not hasattr(copied, "b")


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Any:
    if not replan.compiled:
        pytest.skip("interpreted, no class of the package has C fields")
    build = pytest.importorskip("Cython.Build")
    folder = tmp_path_factory.mktemp("cython")
    root = str(Path(replan.__file__).parents[1])
    (folder / SOURCE.name).write_text(SOURCE.read_text(encoding="utf-8"), encoding="utf-8")
    build.cythonize([str(folder / SOURCE.name)], include_path=[root], show_all_warnings=False, quiet=True)
    made, compiler = folder / f"cfields{sysconfig.get_config_var('EXT_SUFFIX')}", sysconfig.get_config_var("CC") or "cc"
    include = sysconfig.get_path("include")
    command = [*compiler.split(), "-O0", "-w", "-shared", "-fPIC", f"-I{include}", str(folder / "cfields.c"), "-o"]
    subprocess.run([*command, str(made)], check=True, timeout=600)
    spec = importlib.util.spec_from_file_location("cfields", made)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(__import__("sys").modules, "cfields", module)
        spec.loader.exec_module(module)
        yield module


@pytest.mark.slow
@pytest.mark.parametrize("how", WAYS)
def test_classes_in_cython(compiled: Any, how: Any) -> None:
    class Walking(compiled.Walker):  # type: ignore[misc]
        """In Python, with the C fields of its base."""

    made = [compiled.Walker(), Walking(), compiled.Learning(), compiled.Choosing(), compiled.Line(4, 4, 2)]
    for one in (*made, compiled.Fly(0)):
        with pytest.raises(TypeError, match=r"has C fields.*__getstate__.*__setstate__"):
            how(one)
    told = compiled.Told()
    told.k = 7
    assert how(told).k == 7
    assert type(how(compiled.Bare())) is compiled.Bare
