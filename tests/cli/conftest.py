"""Helpers of the tests of the command line."""

from __future__ import annotations

import inspect
import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from replan.cli import main

Replan = Callable[..., Result]

MAPS = Path(os.environ.get("REPLAN_MAPS") or Path(__file__).parents[3] / "shared" / "maps")


# Before click 8.2 a runner mixes the two streams unless told not to.
SEPARATE: dict[str, Any] = {"mix_stderr": False} if "mix_stderr" in inspect.signature(CliRunner).parameters else {}


@pytest.fixture
def replan_command() -> Replan:
    """Run `replan` with these words; an exception that would be a traceback fails the test."""

    def call(*words: object, **environment: str) -> Result:
        result = CliRunner(env={"COLUMNS": "80", **environment}, **SEPARATE).invoke(main, [str(word) for word in words])
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert "Traceback" not in result.output
        return result

    return call


@pytest.fixture
def refused(replan_command: Replan) -> Callable[..., str]:
    """Run `replan` with these words, which it must refuse; its message, one line."""

    def call(*words: object) -> str:
        result = replan_command(*words)
        assert result.exit_code == 2
        assert result.stdout == ""
        message = result.stderr.splitlines()[-1]
        assert message.startswith("Error: ")
        return message

    return call


@pytest.fixture
def as_json(replan_command: Replan) -> Callable[..., Any]:
    """Run `replan` with these words and --json; its answer, which must be all of standard output."""

    def call(*words: object, exit_code: int = 0) -> Any:
        result = replan_command(*words, "--json")
        assert result.exit_code == exit_code, result.stderr
        assert result.stdout.count("\n") == 1
        answer = json.loads(result.stdout)
        assert isinstance(answer, dict)
        return answer

    return call


@pytest.fixture
def real_map() -> Path:
    """A small map of the Moving AI collection, with scenarios. It is not in the repository."""
    path = MAPS / "dao" / "arena.map"
    if not path.exists():
        pytest.skip(f"no maps in {MAPS}")
    return path


@pytest.fixture
def walled(tmp_path: Path) -> Path:
    """A map of two halves that nothing connects."""
    path = tmp_path / "walled.txt"
    path.write_text("..#..\n..#..\n..#..\n")
    return path


MINE = '''
import replan

class MyPlanner(replan.Planner):
    """RTAA* by another name."""

    def __init__(self, lookahead=9):
        super().__init__()
        self.inner = replan.planner("RTAA*", lookahead=lookahead)

    def begin(self, space, goals):
        super().begin(space, goals)
        self.inner.begin(space, goals)

    def plan(self, state, budget):
        return self.inner.plan(state, None)
'''


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A file with a planner of one's own, beside nothing else; the name of its module is new each time."""
    path = tmp_path / f"mine_{tmp_path.name.replace('-', '_')}.py"
    path.write_text(MINE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path[:])
    yield path
    sys.modules.pop(path.stem, None)
