"""`replan demo`: run every planner on two built-in maps."""

from __future__ import annotations

from typing import Any

import click
from rich.console import Console

from replan import Grid, InputError, Story, simulate, watch
from replan.cli.console import note_if_interpreted, progress_bar, stdout_console
from replan.cli.options import TripSettings
from replan.cli.planner_table import left_out_text, planner_table
from replan.experiments.compare import OptimalCostSearch, single_trip_row, trip_metrics
from replan.experiments.planner_names import NamedPlanner, all_planners
from replan.worlds.problems import StartAndGoal, distant_problem

MAPS = {"maze": TripSettings(neighbors=4, max_moves=5_000), "cave": TripSettings(neighbors=8, max_moves=5_000)}
SEED = 6  # start and goal are far apart on both maps


@click.command("demo")
def command() -> None:
    """Run every planner on a built-in maze and a built-in cave.

    The agent knows only the size of the map. It sees the cells around it, believes that all other cells are free, and
    replans when its path is blocked. The table compares the costs. The drawing shows what the agent of the first
    planner had seen of the map when it arrived.
    """
    note_if_interpreted()
    console, choices = stdout_console(), all_planners()
    demos = []
    with progress_bar(len(MAPS) * len(choices)) as step:
        for name, setting in MAPS.items():
            map_demo = MapDemo(name, setting)
            for choice in choices:
                step(f"{name}: {choice.name}")
                map_demo.run_planner(choice)
            demos.append(map_demo)
    for map_demo in demos:
        map_demo.show(console)
    console.print("Next: replan run cave --planner rtaa:lookahead=25; replan compare --help", style="dim")


class MapDemo:
    """One map and the trips of all planners on it."""

    def __init__(self, name: str, setting: TripSettings) -> None:
        self.name, self.setting = name, setting
        self.grid: Grid = setting.load(name)
        self.problem: StartAndGoal = distant_problem(self.grid, SEED)
        self.world = setting.world(self.grid)
        self.optimal = OptimalCostSearch(self.world).cost(self.problem)
        self.rows: list[dict[str, Any]] = []
        self.remarks: list[str] = []
        self.first_story: Story | None = None

    def run_planner(self, choice: NamedPlanner) -> None:
        start, goal = self.problem.start, self.problem.goal
        arguments = self.world, choice.make(), start, goal, self.setting.max_moves, "episode"
        try:
            story = watch(*arguments) if self.first_story is None else None
            trip = simulate(*arguments) if story is None else story.finish()
        except InputError as error:
            self.remarks.append(left_out_text(choice.name, str(error)))
            return
        if not trip.reached:
            self.remarks.append(f"{choice.name} {trip.end_text}")
        self.first_story = self.first_story or story
        self.rows.append(single_trip_row(choice.label, trip_metrics(trip, self.optimal)))

    def show(self, console: Console) -> None:
        rows, cols = self.grid.shape
        title = f"The built-in {self.name}, {rows} x {cols} cells, {self.setting.neighbors} neighbors"
        console.print(planner_table(title, self.rows, console))
        for remark in self.remarks:
            console.print(remark, style="dim")
        if self.first_story is not None:
            console.print(f"What {self.first_story.planner_name} believed when it arrived, and its path:")
            console.print(self.first_story.draw())
        console.print()
