"""`replan demo`: every planner crosses two built-in maps."""

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
SEED = 6  # a long way on both maps


@click.command("demo")
def command() -> None:
    """Cross a built-in maze and a built-in cave with every planner there is.

    The agent knows nothing of the map but its size. It sees the cells around it, believes all others to be free, and
    plans again when it was wrong. The table compares what that costs; the drawing shows what the first planner had seen
    of the map when it arrived.
    """
    note_if_interpreted()
    console, choices = stdout_console(), all_planners()
    crossings = []
    with progress_bar(len(MAPS) * len(choices)) as step:
        for name, setting in MAPS.items():
            crossing = MapDemo(name, setting)
            for choice in choices:
                step(f"{name}: {choice.name}")
                crossing.run_planner(choice)
            crossings.append(crossing)
    for crossing in crossings:
        crossing.show(console)
    console.print("Next: replan run cave --planner rtaa:lookahead=25; replan compare --help", style="dim")


class MapDemo:
    """One map, crossed by one planner after the other."""

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
        given = self.world, choice.make(), start, goal, self.setting.max_moves, "episode"
        try:
            story = watch(*given) if self.first_story is None else None
            trip = simulate(*given) if story is None else story.finish()
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
            console.print(f"What {self.first_story.planner_name} believed when it arrived, and the way it took:")
            console.print(self.first_story.draw())
        console.print()
