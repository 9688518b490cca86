"""How the tests run: compiled (and then not with stale extensions) or interpreted, with few examples or many.

REPLAN_INTERPRETED=1  imports the .py files of the core instead of the extensions beside them
REPLAN_THOROUGH=1     many more random examples, other ones in every run
"""

from __future__ import annotations

import os
import warnings
from importlib.util import find_spec

import pytest
from hypothesis import HealthCheck, settings

THOROUGH = os.environ.get("REPLAN_THOROUGH") == "1"


def _import_replan() -> str:
    """Import the package; what is wrong with it, if anything."""
    if find_spec("replan") is None:
        return "replan is not installed here: run pip install -e '.[test]'"
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        warnings.filterwarnings("ignore", "replan is not compiled")  # the header says so
        try:
            import replan
        except RuntimeWarning as stale:
            return str(stale)
    if not replan.compiled:
        os.environ["REPLAN_INTERPRETED"] = "1"  # nor need the programs that tests start say so
    return ""


WRONG = _import_replan()
INTERPRETED = os.environ.get("REPLAN_INTERPRETED") == "1"

SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]
settings.register_profile(
    "quick", deadline=None, derandomize=True, database=None, max_examples=100, suppress_health_check=SLOW
)
settings.register_profile("interpreted", settings.get_profile("quick"), max_examples=20)
settings.register_profile("thorough", deadline=None, max_examples=2000, print_blob=True, suppress_health_check=SLOW)
settings.load_profile("thorough" if THOROUGH else "interpreted" if INTERPRETED else "quick")


def pytest_configure() -> None:
    if WRONG:
        raise pytest.UsageError(WRONG)


def pytest_collection_finish() -> None:
    """Programs that tests start inherit the environment. No file that is collected may let them run interpreted."""
    if (os.environ.get("REPLAN_INTERPRETED") == "1") != INTERPRETED:
        raise pytest.UsageError("a collected file has changed REPLAN_INTERPRETED in os.environ")


def pytest_report_header() -> str:
    from replan import __version__, _core

    return f"replan: {__version__}, {_core.description()}, from {_core.PACKAGE_DIR}"


@pytest.fixture
def compiled() -> bool:
    """Is the core C here? Tests that only make sense then skip otherwise."""
    import replan

    if not replan.compiled:
        pytest.skip("the core is not compiled here")
    return True
