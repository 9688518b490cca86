"""What README shows works: its programs run, one after the other, and its commands are commands."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import numpy as np
import pytest

import replan
from replan.cli import main

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
MINE = """
import replan

class MyPlanner(replan.Planner):
    def begin(self, space, goals):
        super().begin(space, goals)
        self.inner = replan.planner("RTAA*")
        self.inner.begin(space, goals)

    def plan(self, state, budget):
        return self.inner.plan(state, None)
"""
LESS = {"problems=20": "problems=2", "episode_us=20)": "episode_us=20, seconds=1)", "151, 151": "51, 51", "150": "50"}


def blocks(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", README, re.DOTALL)


@pytest.fixture
def names(tmp_path, monkeypatch):
    """What README's programs take for granted."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "mine.py").write_text(MINE)
    truth = np.zeros((50, 60), bool)
    truth[20, 5:] = True

    def look_around(cell):
        return [cell], [bool(truth[cell])]

    return {
        "start": (0, 0),
        "goal": (50, 50),
        "believed_grid": replan.Grid(np.zeros((50, 60), bool)),
        "starts": np.argwhere(truth[:, :5]),
        "goals": (49, 59),
        "ready": None,
        "look_around": look_around,
        "is_blocked": lambda cell: truth[cell],
    }


def test_its_programs_run(names, capsys):
    pytest.importorskip("PIL.Image")
    for program in blocks("python"):
        for much, less in LESS.items():
            program = program.replace(much, less)
        exec(compile(program, "README.md", "exec"), names)
        if "agent" in names and "agents" not in names:
            assert names["agent"].status is replan.Status.ARRIVED
            names["agents"] = [names["agent"]]
    shown = capsys.readouterr().out
    assert re.match(r"RTAA\* reached the goal after [\d,]+ moves: cost", shown)


def test_its_targets_stand_on_free_cells(names):
    exec(compile(blocks("python")[0].split("table =")[0], "README.md", "exec"), names)
    (made,) = re.findall(r"`(World\(grid, target=[^`]*\))`", README)
    world = eval(made, {**names, "World": replan.World})
    trip = replan.simulate(world, "Moving-Target Adaptive A*", (0, 0), max_moves=20_000)
    assert trip.reached


def commands() -> list[str]:
    lines = [line.partition("#")[0].strip() for block in blocks("sh") for line in block.splitlines()]
    parts = [part.strip() for line in lines for part in line.split("&&")]
    return [re.sub(r"^(REPLAN_INTERPRETED=1 )?(\.venv/bin/)?", "", p) for p in parts if re.search(r"(^|/)replan ", p)]


@pytest.mark.parametrize("command", [c for c in commands() if c.startswith("replan ")])
def test_its_commands_are_commands(command):
    """Parsed, with all their options; not run."""
    _, *words = shlex.split(command)
    group: click.Command = main
    context = click.Context(main)
    while isinstance(group, click.Group):
        name = words.pop(0)
        found = group.get_command(context, name)
        assert found is not None, f"there is no command {name}"
        group = found
    options = {option for parameter in group.params for option in parameter.opts}
    assert {word.partition("=")[0] for word in words if word.startswith("-")} <= options
