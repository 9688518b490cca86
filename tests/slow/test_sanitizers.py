"""The core built with sanitizers: no memory is read or written that is not its own, and no two threads race.

The package is built into a temporary directory by a compiler that adds the sanitizer's flags, and runs there with the
sanitizer's library loaded first. Python itself is not instrumented: only what is reported in our own modules counts.
Needs gcc with libasan, libubsan and libtsan; skips where they are missing. Some twenty minutes.

    pytest -m slow tests/slow/test_sanitizers.py

REPLAN_SANITIZED=DIR keeps the builds there, and uses those that it finds.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

TESTS = Path(__file__).resolve().parents[1]
CHECKOUT = TESTS.parent
FLAGS = {"address": "-fsanitize=address,undefined", "thread": "-fsanitize=thread"}
LIBRARIES = {"address": ["libasan.so", "libubsan.so"], "thread": ["libtsan.so"]}
OPTIONS = {
    "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1:handle_segv=0",
    "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1",
    "PYTHONMALLOC": "malloc",
}
PLANNER_TESTS = ["planners/test_registry.py", "planners/test_lpa.py", "search", "queues", "spaces", "worlds", "crowds"]
REPORT = re.compile(r"ERROR: AddressSanitizer.*|.*runtime error: .*")


def libraries(kind: str) -> str:
    """The files to load first."""
    if sys.platform != "linux" or shutil.which("gcc") is None:
        pytest.skip("needs gcc on Linux")
    found = []
    for name in LIBRARIES[kind]:
        path = subprocess.run(["gcc", f"-print-file-name={name}"], capture_output=True, text=True, check=True).stdout
        if not Path(path.strip()).is_absolute():
            pytest.skip(f"gcc has no {name}")
        found.append(str(Path(path.strip()).resolve()))
    return " ".join(found)


def build(kind: str, folder: Path) -> Path:
    """The directory into which the package was built with this sanitizer."""
    into = folder / kind
    if into.exists():
        return into
    source = folder / f"{kind}-source"
    left_out = shutil.ignore_patterns("*.so", "__pycache__", "*.egg-info")
    shutil.copytree(CHECKOUT / "src", source / "src", ignore=left_out, dirs_exist_ok=True)
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(CHECKOUT / name, source)
    compiler = folder / f"{kind}-cc"  # ours come last: the flags of setup.py say -O3 and -g0
    compiler.write_text(f'#!/bin/sh\nexec gcc "$@" -O1 -g -fno-omit-frame-pointer {FLAGS[kind]}\n')
    compiler.chmod(0o755)
    call = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(into), str(source)]
    environment = {**os.environ, "CC": str(compiler), "REPLAN_REQUIRED": "1"}
    done = subprocess.run(call, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return into


@pytest.fixture(scope="module")
def builds(tmp_path_factory) -> Path:
    kept = os.environ.get("REPLAN_SANITIZED")
    folder = Path(kept) if kept else tmp_path_factory.mktemp("sanitized")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def run(kind: str, builds: Path, call: list[str], **more: str) -> subprocess.CompletedProcess[str]:
    """Run Python with the package that was built with this sanitizer."""
    loaded = libraries(kind)
    package = build(kind, builds)
    environment = {**os.environ, **OPTIONS, "LD_PRELOAD": loaded, "PYTHONPATH": f"{package}:{TESTS}", **more}
    launcher = ["setarch", "-R"] if kind == "thread" and shutil.which("setarch") else []  # it wants fixed addresses
    return subprocess.run(
        [*launcher, sys.executable, *call], cwd=TESTS, env=environment, capture_output=True, text=True, check=False
    )


def reports(text: str) -> list[str]:
    return sorted(set(REPORT.findall(text)))


def test_the_battery(builds):
    """Lies and wrong calls do no harm to memory either."""
    done = run("address", builds, ["-m", "border.run"], BORDER_PATIENCE="120")
    assert reports(done.stdout + done.stderr) == []
    assert done.returncode == 0, done.stdout[-5000:]


def test_random_trips(builds, tmp_path):
    done = run("address", builds, ["trips.py", "record", str(tmp_path / "trips.jsonl"), "--count", "3000"])
    assert done.returncode == 0 and reports(done.stderr) == [], done.stderr[-5000:]


def test_planners(builds):
    """A part of the other tests."""
    call = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:faulthandler", *PLANNER_TESTS]
    done = run("address", builds, call)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
    assert reports(done.stdout + done.stderr) == []


def test_failing_allocations(builds):
    """What has no memory reads and writes none that is not its own."""
    done = run("address", builds, ["-m", "fuzz.failing", "memory", "--every", "25"])
    assert reports(done.stdout + done.stderr) == []
    assert done.returncode == 0, done.stdout[-5000:]


def races(text: str) -> list[str]:
    """The races in which one of the two that raced is ours. (#0 may be memcpy, then #1 is who called it.)"""
    found = []
    for report in text.split("WARNING: ThreadSanitizer: ")[1:]:
        accesses = report.split("Location is")[0].split("Mutex")[0].split("Thread T")[0]
        tops = re.findall(r"^\s+#[01] .*$", accesses, re.MULTILINE)
        if any("/replan/" in top or "__pyx_" in top for top in tops):
            found.append(report[:2000])
    return found


def test_threads(builds):
    """The test of threads, and crowds, under ThreadSanitizer. (-s: what it writes must not be captured.)"""
    options = "report_bugs=1:halt_on_error=0:exitcode=0:history_size=4:ignore_noninstrumented_modules=1"
    call = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:faulthandler", "-s", "-n", "0"]
    call += ["test_threads.py", "crowds/test_shared_belief.py", "crowds/test_crowd.py", "crowds/test_solid.py"]
    call += ["crowds/test_broken_off.py", "--deselect=crowds/test_broken_off.py::test_ctrl_c_at_any_moment_of_a_tick"]
    done = run("thread", builds, call, TSAN_OPTIONS=options)
    if "FATAL: ThreadSanitizer" in done.stderr:
        pytest.skip(done.stderr[:300])
    assert races(done.stdout + done.stderr) == []
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
