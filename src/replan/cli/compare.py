"""`replan compare`: several planners on the same problems."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

import click

from replan import Grid, InputError, simulate
from replan.cli.console import note, note_interpreted, output, print_json, progress
from replan.cli.group import INTERRUPTED
from replan.cli.options import PLANNER, Setting, json_option, parse_planners, seed_option, setting_options
from replan.cli.trials import Figures, Optimum, Trial, figures_table, left_out, patience
from replan.experiments.planner_names import NamedPlanner, every_planner
from replan.worlds.problems import Problem, random_problems, refuse_blocked, scenario_problems, some_of

PROBLEMS = 10


@dataclass
class Course:
    """A map with its problems, and the trials of each planner on them so far."""

    map_name: str
    grid: Grid
    problems: list[Problem]
    solved: list[dict[str, Any]] = field(default_factory=list)
    trials: dict[str, list[Trial]] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)

    def rows(self) -> list[Figures]:
        return [Figures.of(label, trials) for label, trials in self.trials.items() if trials]

    def as_dict(self) -> dict[str, Any]:
        rows = [asdict(row) for row in self.rows()]
        return {"map": self.map_name, "problems": self.solved, "planners": rows, "left_out": self.left_out}


@click.command("compare")
@click.argument("map_names", metavar="[MAP]...", nargs=-1)
@click.option(
    "--planner",
    "choices",
    metavar=PLANNER,
    callback=parse_planners,
    multiple=True,
    help="May be repeated.  [default: every planner there is]",
)
@click.option(
    "--problems",
    "count",
    type=click.IntRange(1, 1_000_000),
    metavar="N",
    help=f"Problems a map, drawn by --seed.  [default: {PROBLEMS}, or all scenarios]",
)
@click.option("--scenarios", is_flag=True, help="Take the problems from the .scen file beside each map.")
@setting_options
@seed_option
@json_option
@click.pass_context
def command(
    context: click.Context,
    map_names: tuple[str, ...],
    choices: list[NamedPlanner],
    count: int | None,
    scenarios: bool,
    setting: Setting,
    seed: int,
    as_json: bool,
) -> None:
    """Give several planners the same problems and compare the means.

    Each MAP is a file or a built-in map; without any, the built-in maze. Ctrl-C shows what is finished so far.
    """
    note_interpreted()
    courses = [_course(name, setting, count, scenarios, seed) for name in map_names or ("maze",)]
    chosen = choices or every_planner()
    interrupted = False
    try:
        with progress(sum(len(course.problems) for course in courses) * len(chosen)) as step:
            for course in courses:
                _run(course, setting, chosen, strict=bool(choices), step=step)
    except KeyboardInterrupt:
        interrupted = True
        note("interrupted; these are the trips that were finished")
    if as_json:
        print_json({"setting": setting.as_dict(), "interrupted": interrupted, "maps": [c.as_dict() for c in courses]})
    else:
        _show(courses, setting)
    if interrupted:
        context.exit(INTERRUPTED)


def _course(name: str, setting: Setting, count: int | None, scenarios: bool, seed: int) -> Course:
    grid = setting.load(name)
    if not scenarios:
        return Course(name, grid, random_problems(grid, count or PROBLEMS, seed))
    path, listed = scenario_problems(name, grid.shape, None)
    problems = [problem for problem in some_of(listed, count, seed) if _possible(grid, problem, str(path))]
    return Course(name, grid, problems)


def _possible(grid: Grid, problem: Problem, source: str) -> bool:
    """Some published scenarios do not agree with their maps."""
    try:
        refuse_blocked(grid, problem.start, "start")
        refuse_blocked(grid, problem.goal, "goal")
    except InputError as error:
        note(f"{source}: a problem is left out: {error}")
        return False
    return True


def _run(course: Course, setting: Setting, choices: list[NamedPlanner], strict: bool, step: Callable[[str], None]) -> None:
    """All planners on one problem after the other, so that an early end leaves comparable figures.

    strict: the user named the planners, so one that cannot do it is an error.
    """
    optimum, world, limit = Optimum(course.grid), setting.world(course.grid), patience(course.grid, setting.max_moves)
    planners = {choice.label: choice.make() for choice in choices}
    course.trials = {label: [] for label in planners}
    for problem in course.problems:
        optimal = optimum.cost(problem)
        course.solved.append({"start": problem.start, "goal": problem.goal, "optimal": optimal})
        if optimal is None:
            note(f"{course.map_name}: no way leads from {problem.start} to {problem.goal}; the problem is left out")
        for label, planner in planners.items():
            step(f"{course.map_name}: {label}")
            if optimal is None or label in course.left_out:
                continue
            try:
                trip = simulate(world, planner, problem.start, problem.goal, limit, timing="episode")
            except InputError as error:
                if strict:
                    raise
                course.left_out[label] = str(error)
            else:
                course.trials[label].append(Trial.of(trip, optimal))


def _show(courses: list[Course], setting: Setting) -> None:
    console = output()
    console.print(str(setting))
    for course in courses:
        rows = course.rows()
        if rows:
            trips = max(row.trips for row in rows)
            console.print(figures_table(f"{course.map_name}: means of {trips} problems", rows, console))
        else:
            console.print(f"{course.map_name}: no trip was finished")
        for label, reason in course.left_out.items():
            console.print(left_out(label, reason), style="dim")
    if len(courses) > 1:
        labels = dict.fromkeys(label for course in courses for label in course.trials)
        together = {label: [t for course in courses for t in course.trials.get(label, ())] for label in labels}
        rows = [Figures.of(label, trials) for label, trials in together.items() if trials]
        console.print(figures_table("all maps", rows, console))
