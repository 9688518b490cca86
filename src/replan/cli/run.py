"""`replan run`: run one agent on a map."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import click

from replan import Grid, InputError, Story, Trip, simulate, watch
from replan.cli.console import note_if_interpreted, print_json, print_note, progress_bar, stdout_console
from replan.cli.options import (
    PLANNER_METAVAR,
    TripSettings,
    json_option,
    parse_cell,
    parse_planner,
    refuse_unwritable,
    seed_option,
    trip_options,
)
from replan.cli.planner_table import planner_table
from replan.drawings.animation import MAX_FRAMES, check_gif_suffix, need_pillow
from replan.experiments.compare import OptimalCostSearch, TripMetrics, resolve_max_moves, single_trip_row, trip_metrics
from replan.experiments.planner_names import NamedPlanner
from replan.maps.formats import readable_formats
from replan.maps.library import builtin_names
from replan.worlds.problems import Cell, StartAndGoal, distant_problem, map_of_scenario_file, scenario_problems

EXIT_NOT_REACHED = 1  # exit code
HINTS = {why: f" (--{why.replace('_', '-')} sets the limit)" for why in ("max_moves", "max_seconds")}
ROUNDING = 1e-3  # relative tolerance: listed lengths are rounded

HELP = f"""Run one agent on a map and show its trip.

MAP is a file ({readable_formats()}) or a built-in map: {", ".join(builtin_names())}. The default is the
built-in maze. Start and goal are drawn at random, far apart, unless you give them.

The exit code is 0 if the goal was reached, 1 if it was not, and 2 for an error.
"""


@dataclass(frozen=True)
class ProblemChoice:
    """Options that choose the problem."""

    start: Cell | None
    goal: Cell | None
    scenario: int | None
    scenario_file: str | None
    seed: int


@dataclass(frozen=True)
class RunResult:
    """A trip, and what the command prints about it."""

    map_name: str
    grid: Grid
    setting: TripSettings
    planner: NamedPlanner
    problem: StartAndGoal
    trip: Trip
    optimal: float | None
    story: Story | None  # None if it was not recorded

    @property
    def metrics(self) -> TripMetrics:
        return trip_metrics(self.trip, self.optimal)

    def as_dict(self) -> dict[str, Any]:
        return {
            "map": self.map_name,
            "options": self.planner.options,
            "setting": self.setting.as_dict(),
            "start": self.problem.start,
            "goal": self.problem.goal,
            "optimal": self.optimal,
            "listed": self.problem.optimal_cost,
            "ratio": self.metrics["ratio"],
            **self.trip.as_dict(),
        }


@click.command("run", help=HELP)
@click.argument("map_name", metavar="[MAP]", default="maze")
@click.option(
    "--planner",
    "choice",
    callback=parse_planner,
    metavar=PLANNER_METAVAR,
    default="repeated-forward-a-star",
    show_default=True,
    help="Planner and options; `replan planners` lists them. A planner of your own: mine.py:MyPlanner.",
)
@click.option("--start", metavar="R,C", callback=parse_cell, help="Row and column, from 0.  [default: drawn by --seed]")
@click.option(
    "--goal", metavar="R,C", callback=parse_cell, help="Row and column, from 0.  [default: far from the start]"
)
@click.option("--scenario", type=click.IntRange(min=1), metavar="N", help="Problem number N of a .scen file, from 1.")
@click.option("--scenario-file", metavar="FILE", help="The .scen file.  [default: MAP.scen]")
@trip_options
@click.option(
    "--max-seconds",
    type=click.FloatRange(min=0, min_open=True),
    metavar="S",
    help="End the trip after this many seconds of computing.  [default: no limit]",
)
@seed_option
@json_option
@click.option("--save", metavar="FILE", help="Write the trip to a JSON file.")
@click.option("--story", metavar="FILE", help="Record the trip in a file (.replan); `replan replay` shows it.")
@click.option("--gif", metavar="FILE", help="Write an animation of the trip (extra: images).")
@click.option("--draw/--no-draw", default=True, help="Draw the belief of the agent at its end.  [default: draw]")
@click.pass_context
def command(
    context: click.Context,
    /,
    map_name: str,
    choice: NamedPlanner,
    max_seconds: float | None,
    setting: TripSettings,
    as_json: bool,
    save: str | None,
    story: str | None,
    gif: str | None,
    draw: bool,
    **problem_options: Any,
) -> None:
    note_if_interpreted()
    _check_outputs(save, story, gif)
    if map_name.lower().endswith(".scen"):  # the scenario file was given instead of its map
        problem_options["scenario_file"] = problem_options["scenario_file"] or map_name
        map_name = map_of_scenario_file(map_name)
    grid = setting.load(map_name)
    problem, origin = _problem(map_name, grid, ProblemChoice(**problem_options))
    is_recorded = story is not None or gif is not None or (draw and not as_json)
    result = _run_trip(map_name, grid, setting, choice, problem, max_seconds, is_recorded, story)
    if save is not None:
        result.trip.save(save)
    if gif is not None and result.story is not None:
        with progress_bar(min(len(result.story), MAX_FRAMES)) as step:
            result.story.gif(gif, step)
    if as_json:
        print_json(result.as_dict())
    else:
        _show(result, origin, draw)
    if not result.trip.reached:
        context.exit(EXIT_NOT_REACHED)


def _check_outputs(save: str | None, story: str | None, gif: str | None) -> None:
    """Raise an error if a file cannot be written. Called before the trip begins."""
    if gif is not None:
        check_gif_suffix(gif)
        need_pillow()
    for path in (save, story, gif):
        if path is not None:
            refuse_unwritable(path)


def _problem(map_name: str, grid: Grid, choice: ProblemChoice) -> tuple[StartAndGoal, str]:
    """Return the problem, and a description of its source."""
    if choice.scenario is not None or choice.scenario_file is not None:
        return _scenario(map_name, grid, choice)
    if choice.start is not None and choice.goal is not None:
        return StartAndGoal(choice.start, choice.goal), "as given"
    drawn = "goal" if choice.start is not None else "start" if choice.goal is not None else "both"
    return distant_problem(grid, choice.seed, choice.start, choice.goal), f"{drawn} drawn with seed {choice.seed}"


def _scenario(map_name: str, grid: Grid, choice: ProblemChoice) -> tuple[StartAndGoal, str]:
    if choice.start is not None or choice.goal is not None:
        raise click.UsageError("a scenario has its own start and goal: leave --start and --goal out, or the scenario")
    path, problems = scenario_problems(map_name, grid.shape, choice.scenario_file)
    if choice.scenario is None:
        raise click.UsageError(f"choose a problem of {path}: --scenario N with N from 1 to {len(problems)}")
    if choice.scenario > len(problems):
        raise InputError(f"there is no scenario {choice.scenario}; the file has 1 to {len(problems)}", path)
    return problems[choice.scenario - 1], f"scenario {choice.scenario} of {path.name}"


def _run_trip(
    map_name: str,
    grid: Grid,
    setting: TripSettings,
    choice: NamedPlanner,
    problem: StartAndGoal,
    max_seconds: float | None,
    is_recorded: bool,
    file: str | None,
) -> RunResult:
    world = setting.world(grid)
    optimal = OptimalCostSearch(world).cost(problem)
    limit = resolve_max_moves(grid, setting.max_moves)
    if optimal is None:
        print_note(f"no way leads from {problem.start} to {problem.goal}")
    limits: dict[str, Any] = {"timing": "episode", "max_seconds": max_seconds}
    ends_and_limit = problem.start, problem.goal, limit
    story = watch(world, choice.make(), *ends_and_limit, **limits, file=file) if is_recorded else None
    trip = simulate(world, choice.make(), *ends_and_limit, **limits) if story is None else story.finish()
    return RunResult(map_name, grid, setting, choice, problem, trip, optimal, story)


def _show(result: RunResult, origin: str, draw: bool) -> None:
    console, trip, problem = stdout_console(), result.trip, result.problem
    rows, cols = result.grid.shape
    console.print(f"{result.map_name}: {rows} x {cols} cells, {result.setting}")
    console.print(f"from {problem.start} to {problem.goal}, {origin}")
    hint = HINTS.get(trip.why, "")
    console.print(
        planner_table(f"{trip.end_text}{hint}", [single_trip_row(result.planner.label, result.metrics)], console)
    )
    if result.optimal is not None:
        console.print(f"the shortest path on the known map costs {result.optimal:,.3f}{_listed_length_text(result)}")
    if draw and result.story is not None:
        console.print(result.story.draw())


def _listed_length_text(result: RunResult) -> str:
    """Return the length that the scenario file lists, as text; empty without one."""
    listed, optimal = result.problem.optimal_cost, result.optimal
    if listed is None or optimal is None:
        return ""
    is_equal = abs(listed - optimal) <= ROUNDING * max(1.0, optimal)
    remark = "" if is_equal else " (for 8 neighbors, corners strict, no weights)"
    return f", the scenario lists {listed:,.3f}{remark}"
