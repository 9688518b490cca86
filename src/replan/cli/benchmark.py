"""`replan benchmark`: run planners on the published scenarios of Moving AI maps."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from replan.cli.options import planners_option
from replan.cli.reproduce import MAX_PROBLEMS, execution_options, run_experiment
from replan.experiments.planner_names import NamedPlanner


@click.command("benchmark")
@click.argument("directory", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--sample", type=click.IntRange(1, MAX_PROBLEMS), metavar="N", help="Number of problems per map.  [default: 10]"
)
@click.option("--full", is_flag=True, help="Run all problems of each map.")
@planners_option("seven different ones")
@execution_options
@click.pass_context
def command(
    context: click.Context,
    /,
    directory: Path,
    sample: int | None,
    full: bool,
    planners: list[NamedPlanner],
    **options: Any,
) -> None:
    """Run planners on the scenarios of all maps in DIR and its subfolders, with the map known and unknown.

    DIR has .map files with their .map.scen files beside them, as on movingai.com. The report (report.md, report.html)
    has a figure and one table for each kind of terrain; runs.csv has all rows, with version and machine. Ctrl-C keeps
    finished runs; --resume continues.
    """
    run_experiment(context, "moving-ai", sample, full, planners=tuple(planners), maps=directory, **options)
