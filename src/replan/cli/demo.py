"""`replan demo`: every planner crosses two built-in maps."""

from __future__ import annotations

from typing import Any

import click
from rich.console import Console

from replan import Grid, InputError, Story, simulate, watch
from replan.cli.console import note_interpreted, output, progress
from replan.cli.figures import figures_table, left_out
from replan.cli.options import Setting
from replan.experiments.compare import Optimum, figures, means_of_one
from replan.experiments.planner_names import NamedPlanner, every_planner
from replan.worlds.problems import StartAndGoal, far_apart

MAPS = {"maze": Setting(neighbors=4, max_moves=5_000), "cave": Setting(neighbors=8, max_moves=5_000)}
SEED = 6  # a long way on both maps


@click.command("demo")
def command() -> None:
    """Cross a built-in maze and a built-in cave with every planner there is.

    The agent knows nothing of the map but its size. It sees the cells around it, believes all others to be free, and
    plans again when it was wrong. The table compares what that costs; the drawing shows what the first planner had seen
    of the map when it arrived.
    """
    note_interpreted()
    console, choices = output(), every_planner()
    crossings = []
    with progress(len(MAPS) * len(choices)) as step:
        for name, setting in MAPS.items():
            crossing = Crossing(name, setting)
            for choice in choices:
                step(f"{name}: {choice.name}")
                crossing.walk(choice)
            crossings.append(crossing)
    for crossing in crossings:
        crossing.show(console)
    console.print("Next: replan run cave --planner rtaa:lookahead=25; replan compare --help", style="dim")


class Crossing:
    """One map, crossed by one planner after the other."""

    def __init__(self, name: str, setting: Setting) -> None:
        self.name, self.setting = name, setting
        self.grid: Grid = setting.load(name)
        self.problem: StartAndGoal = far_apart(self.grid, SEED)
        self.world = setting.world(self.grid)
        self.optimal = Optimum(self.world).cost(self.problem)
        self.rows: list[dict[str, Any]] = []
        self.remarks: list[str] = []
        self.first: Story | None = None

    def walk(self, choice: NamedPlanner) -> None:
        start, goal = self.problem.start, self.problem.goal
        given = self.world, choice.make(), start, goal, self.setting.max_moves, "episode"
        try:
            story = watch(*given) if self.first is None else None
            trip = simulate(*given) if story is None else story.finish()
        except InputError as error:
            self.remarks.append(left_out(choice.name, str(error)))
            return
        if not trip.reached:
            self.remarks.append(f"{choice.name} {trip.ending}")
        self.first = self.first or story
        self.rows.append(means_of_one(choice.label, figures(trip, self.optimal)))

    def show(self, console: Console) -> None:
        rows, cols = self.grid.shape
        title = f"The built-in {self.name}, {rows} x {cols} cells, {self.setting.neighbors} neighbors"
        console.print(figures_table(title, self.rows, console))
        for remark in self.remarks:
            console.print(remark, style="dim")
        if self.first is not None:
            console.print(f"What {self.first.planner_name} believed when it arrived, and the way it took:")
            console.print(self.first.draw())
        console.print()
