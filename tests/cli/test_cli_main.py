"""What all commands have in common: help, version, errors, exit codes."""

from __future__ import annotations

import importlib
import subprocess
import sys

import click
import pytest

import replan
from replan import InputError, MissingExtra, _core
from replan.cli import main
from replan.cli.group import LazyGroup
from replan.formatting import escape_unprintable

COMMANDS = main.lazy_commands if isinstance(main, LazyGroup) else {}


def test_help_lists_every_command(replan_command):
    result = replan_command("--help")
    assert result.exit_code == 0
    for name, text in COMMANDS.items():
        assert name in result.stdout and text in result.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(replan_command, name):
    result = replan_command(name, "--help")
    assert result.exit_code == 0
    assert f"Usage: main {name}" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80
    assert isinstance(importlib.import_module(f"replan.cli.{name}").command, click.Command)


def test_help_is_quick():
    """Neither rich nor the commands are imported for it."""
    script = (
        "import sys; from click.testing import CliRunner; from replan.cli import main\n"
        "assert CliRunner().invoke(main, ['--help']).exit_code == 0\n"
        "print([m for m in sys.modules if m == 'rich' or m in ('replan.cli.run', 'replan.cli.demo')])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def uncompiled(monkeypatch, asked=False):
    """As if nothing were compiled, and nobody had been told yet."""
    monkeypatch.setattr(_core, "compiled", False)
    monkeypatch.setattr(_core, "INTERPRETED_REQUESTED", asked)
    monkeypatch.setattr(_core, "_warning_shown", asked)


def test_version_says_which_core_runs(replan_command, monkeypatch):
    def says():
        result = replan_command("--version")
        assert result.exit_code == 0
        assert result.stdout.count("\n") == 1
        return result.stdout.removeprefix(f"replan {replan.__version__}, ")

    monkeypatch.setattr(_core, "compiled", True)
    monkeypatch.setattr(_core, "stale_message", lambda: "")
    assert says() == "compiled core\n"
    monkeypatch.setattr(_core, "stale_message", lambda: "the extensions are of yesterday")
    assert says() == "compiled core; but the extensions are of yesterday\n"
    uncompiled(monkeypatch)
    assert says().startswith("interpreted core, about 150 times slower, with the same results: there are no extensions")
    uncompiled(monkeypatch, asked=True)
    assert says().endswith("results: REPLAN_INTERPRETED=1 is set\n")


@pytest.mark.parametrize("words", [["run", "figure-3", "--json"], ["compare", "figure-3", "--problems", "1", "--json"]])
def test_commands_that_plan_say_once_that_they_are_slow(replan_command, monkeypatch, words):
    uncompiled(monkeypatch)
    result = replan_command(*words)
    assert result.stderr.startswith("Note: replan is not compiled and runs about 150 times slower")
    assert result.stderr.count("\n") == 1
    assert "slower" not in result.stdout
    assert replan_command(*words).stderr == ""


def test_commands_that_do_not_plan_do_not(replan_command, monkeypatch):
    uncompiled(monkeypatch)
    assert replan_command("planners").stderr == ""


def test_whoever_asked_for_it_is_not_told(replan_command, monkeypatch):
    uncompiled(monkeypatch, asked=True)
    assert replan_command("run", "figure-3").stderr == ""


@pytest.mark.parametrize(
    "words", [["bogus"], ["run", "--bogus"], ["run", "a.map", "b.map"], ["maps", "convert", "maze"]]
)
def test_wrong_usage(replan_command, words):
    result = replan_command(*words)
    assert result.exit_code == 2
    assert "Error: " in result.stderr


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["rnu"], "'rnu' (did you mean run?)"),
        (["Compare"], "'Compare' (did you mean compare?)"),
        (["maps", "mkae"], "'mkae' (did you mean make?)"),
        (["results", "exprot"], "'exprot' (did you mean export?)"),
        (["nonsense"], "'nonsense'; the commands are demo, run,"),
        (["run", "--planer", "x"], "--planner"),
        (["run", "--planner", "rtta"], "rtaa"),
        (["run", "--planner", "a star"], "did you mean"),
        (["run", "--planner", "dstar lite"], "did you mean d-star-lite?"),
        (["run", "--planner", "rtaa:lokahead=3"], "did you mean lookahead?"),
    ],
)
def test_what_may_have_been_meant(refused, words, meant):
    assert meant in refused(*words)


@pytest.mark.parametrize(
    ("error", "code", "text"),
    [
        (InputError("no good", path="x.map", line=3), 2, "Error: x.map, line 3: no good"),
        (
            MissingExtra("writing a GIF", "images"),
            2,
            "Error: writing a GIF needs an extra: pip install 'replan[images]'",
        ),
        (FileNotFoundError(2, "No such file", "there"), 2, "Error: there: No such file"),
        (OSError(28, "No space left on device"), 2, "Error: No space left on device"),
        (OSError("odd"), 2, "Error: odd"),
        (OSError(), 2, "Error: OSError"),
        (MemoryError(), 2, "Error: there is not enough memory for this; take a smaller map"),
        (KeyboardInterrupt(), 130, "Interrupted."),
    ],
)
def test_errors_are_one_line(replan_command, monkeypatch, error, code, text):
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("replan.cli.options.TripSettings.load", fail)
    result = replan_command("run", "maze")
    assert (result.exit_code, result.stderr.strip(), result.stdout) == (code, text, "")


def test_a_bug_is_not_hidden(replan_command, monkeypatch):
    monkeypatch.setattr("replan.cli.options.TripSettings.load", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        replan_command("run")


def test_messages_leave_the_terminal_alone(refused):
    assert escape_unprintable("a\x1b[31m\nb") == "a\\x1b[31m\\nb"
    assert "\\x1b[31m" in refused("run", "no\x1b[31mmap")


@pytest.mark.skipif(sys.platform == "win32", reason="pipes end otherwise there")
def test_a_reader_that_leaves_gets_no_traceback():
    words = "from replan.cli import main; main(['maps', 'make', 'random', '--rows', '2000', '--cols', '2000'])"
    with subprocess.Popen([sys.executable, "-c", words], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.read(1)
        process.stdout.close()
        assert process.stderr.read() == b""


def test_python_dash_m(tmp_path):
    """`python -m replan` is the same command."""

    def call(*words):
        whole = [sys.executable, "-m", "replan", *words]
        return subprocess.run(whole, capture_output=True, text=True, timeout=120, cwd=tmp_path, check=False)

    done = call("maps", "info", "figure-3")
    assert done.returncode == 0 and "5 x 5 cells" in done.stdout
    done = call("nonsense")
    assert done.returncode == 2 and "Usage: python -m replan" in done.stderr
