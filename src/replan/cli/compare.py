"""`replan compare`: several planners on the same problems."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from replan import Grid, InputError
from replan.cli.console import note, note_interpreted, output, print_json, progress
from replan.cli.figures import figures_table, left_out
from replan.cli.group import INTERRUPTED
from replan.cli.options import (
    Setting,
    json_option,
    planners_option,
    refuse_unwritable,
    seed_option,
    setting_options,
)
from replan.experiments.compare import Contest, means, patience
from replan.experiments.planner_names import NamedPlanner, every_planner
from replan.experiments.rows import Rows
from replan.extras import need
from replan.worlds.problems import StartAndGoal, random_problems, refuse_blocked, scenario_problems, some_of

PROBLEMS = 10


@dataclass
class MapContest:
    """A map, and the planners on its problems."""

    map_name: str
    contest: Contest

    def as_dict(self) -> dict[str, Any]:
        contest = self.contest
        solved = [
            {"start": problem.start, "goal": problem.goal, "optimal": optimal}
            for problem, optimal in zip(contest.problems, contest.optimal, strict=False)
        ]
        return {
            "map": self.map_name,
            "problems": solved,
            "planners": contest.rows(),
            "left_out": contest.left_out,
        }


@click.command("compare")
@click.argument("map_names", metavar="[MAP]...", nargs=-1)
@planners_option("every planner there is")
@click.option(
    "--problems",
    "count",
    type=click.IntRange(1, 1_000_000),
    metavar="N",
    help=f"Problems on each map, drawn by --seed.  [default: {PROBLEMS}, or all scenarios]",
)
@click.option("--scenarios", is_flag=True, help="Take the problems from the .scen file beside each map.")
@setting_options
@seed_option
@json_option
@click.option(
    "--csv",
    "csv_file",
    metavar="FILE",
    help="Write all means, with intervals of 95 %, a line for each map and planner (extra: experiments).",
)
@click.pass_context
def command(
    context: click.Context,
    map_names: tuple[str, ...],
    planners: list[NamedPlanner],
    count: int | None,
    scenarios: bool,
    setting: Setting,
    seed: int,
    as_json: bool,
    csv_file: str | None,
) -> None:
    """Give several planners the same problems and compare the means.

    Each MAP is a file or a built-in map; without any, the built-in maze. Ctrl-C shows what is finished so far.
    """
    note_interpreted()
    if csv_file is not None:
        refuse_unwritable(csv_file)
        need("scipy", extra="experiments", what="an interval")
    named = planners or every_planner()
    courses = []
    for name in map_names or ("maze",):
        grid = setting.load(name)
        problems = _problems(name, grid, count, scenarios, seed)
        made = {planner.label: planner.make() for planner in named}
        limit = patience(grid, setting.max_moves)
        courses.append(MapContest(name, Contest(setting.world(grid), made, problems, limit, strict=bool(planners))))
    interrupted = not _run(courses)
    if csv_file is not None:
        _table(courses, intervals=True).write_csv(Path(csv_file))
    if as_json:
        print_json({"setting": setting.as_dict(), "interrupted": interrupted, "maps": [c.as_dict() for c in courses]})
    else:
        _show(courses, setting)
    if interrupted:
        context.exit(INTERRUPTED)


def _problems(name: str, grid: Grid, count: int | None, scenarios: bool, seed: int) -> list[StartAndGoal]:
    if not scenarios:
        return random_problems(grid, count or PROBLEMS, seed)
    path, listed = scenario_problems(name, grid.shape, None)
    return [problem for problem in some_of(listed, count, seed) if _possible(grid, problem, str(path))]


def _possible(grid: Grid, problem: StartAndGoal, source: str) -> bool:
    """Some published scenarios do not agree with their maps."""
    try:
        refuse_blocked(grid, problem.start, "start")
        refuse_blocked(grid, problem.goal, "goal")
    except InputError as error:
        note(f"{source}: a problem is left out: {error}")
        return False
    return True


def _run(courses: list[MapContest]) -> bool:
    """Let all planners walk; False when interrupted."""
    total = sum(len(course.contest.problems) * len(course.contest.planners) for course in courses)
    finished = True
    try:
        with progress(total) as step:
            for course in courses:
                course.contest.play(lambda label, name=course.map_name: step(f"{name}: {label}"))  # type: ignore[misc]
    except KeyboardInterrupt:
        finished = False
        note("interrupted; these are the trips that were finished")
    for course in courses:
        for problem, optimal in zip(course.contest.problems, course.contest.optimal, strict=False):
            if optimal is None:
                note(f"{course.map_name}: no way leads from {problem.start} to {problem.goal}; the problem is left out")
    return finished


def _table(courses: list[MapContest], intervals: bool) -> Rows:
    return Rows({"map": course.map_name, **row} for course in courses for row in course.contest.rows(intervals))


def _show(courses: list[MapContest], setting: Setting) -> None:
    console = output()
    console.print(str(setting))
    for course in courses:
        rows = course.contest.rows()
        if rows:
            trips = max(row["trips"] for row in rows)
            console.print(figures_table(f"{course.map_name}: means of {trips} problems", rows, console))
        else:
            console.print(f"{course.map_name}: no trip was finished")
        for label, reason in course.contest.left_out.items():
            console.print(left_out(label, reason), style="dim")
    if len(courses) > 1:
        labels = dict.fromkeys(label for course in courses for label in course.contest.trials)
        together = {label: [t for c in courses for t in c.contest.trials.get(label, ())] for label in labels}
        rows = Rows(means(label, trials) for label, trials in together.items() if trials)
        console.print(figures_table("all maps", rows, console))
