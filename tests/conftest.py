"""How the tests run: compiled (and then not with stale extensions) or interpreted, with few examples or many.

REPLAN_INTERPRETED=1  imports the .py files of the core instead of the extensions beside them
REPLAN_THOROUGH=1     many more random examples, other ones in every run
"""

from __future__ import annotations

import os
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from interpret import use_sources

CHECKOUT = Path(__file__).resolve().parents[1]
INTERPRETED = os.environ.get("REPLAN_INTERPRETED") == "1"
THOROUGH = os.environ.get("REPLAN_THOROUGH") == "1"


def _package() -> Path:
    spec = find_spec("replan")
    if spec is None or not spec.submodule_search_locations:
        raise pytest.UsageError("replan is not installed here: run pip install -e '.[test]'")
    return Path(next(iter(spec.submodule_search_locations))).resolve()


def _refuse_stale(package: Path) -> None:
    """An editable install runs the old extension, silently, after its source was edited."""
    sources = sorted(p for p in package.rglob("*.py") if p.with_suffix(".pxd").exists())
    built = {p: _extension(p) for p in sources}
    if not any(built.values()):
        return  # installed without a compiler: everything runs interpreted
    for source, extension in built.items():
        name = source.relative_to(package.parent)
        if extension is None:
            raise pytest.UsageError(f"{name} is not compiled but others are: run pip install -e '.[test]' again")
        newest = max(source.stat().st_mtime, source.with_suffix(".pxd").stat().st_mtime)
        if extension.stat().st_mtime < newest:
            raise pytest.UsageError(
                f"the extension of {name} is older than its source: run pip install -e '.[test]' again, "
                "or set REPLAN_INTERPRETED=1"
            )


def _extension(source: Path) -> Path | None:
    found = [source.with_name(source.stem + suffix) for suffix in EXTENSION_SUFFIXES]
    return next((p for p in found if p.exists()), None)


PACKAGE = _package()
if INTERPRETED:
    use_sources(PACKAGE)

SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]
settings.register_profile(
    "quick", deadline=None, derandomize=True, database=None, max_examples=100, suppress_health_check=SLOW
)
settings.register_profile("interpreted", settings.get_profile("quick"), max_examples=20)
settings.register_profile("thorough", deadline=None, max_examples=2000, print_blob=True, suppress_health_check=SLOW)
settings.load_profile("thorough" if THOROUGH else "interpreted" if INTERPRETED else "quick")


def pytest_configure() -> None:
    if not INTERPRETED and PACKAGE == CHECKOUT / "src" / "replan":
        _refuse_stale(PACKAGE)


def pytest_report_header() -> str:
    import replan

    core = "compiled" if replan.compiled else "interpreted"
    return f"replan: {replan.__version__}, core {core}, from {PACKAGE}"


@pytest.fixture
def compiled() -> bool:
    """Is the core C here? Tests that only make sense then skip otherwise."""
    import replan

    if not replan.compiled:
        pytest.skip("the core is not compiled here")
    return True
