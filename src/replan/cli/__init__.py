"""Command line. `main` is the console script `replan`; each command is a module of this package.

A command parses its arguments, shows progress, tables and drawings, and sets the exit code. The computation is a
function of another package (`replan.simulate`, `compare`, `advise`). This package may import every other one; none
imports it. A command's module is imported when the command is called, so `replan --help` is fast.
"""

from __future__ import annotations

import click

from replan import __version__, _core
from replan.cli.group import LazyGroup


def _show_version(context: click.Context, parameter: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        click.echo(f"replan {__version__}, {_core.description()}")
        context.exit()


@click.group(
    cls=LazyGroup,
    package=__name__,
    lazy_commands={
        "demo": "Run every planner on a built-in maze and a built-in cave.",
        "run": "Run one agent on a map and show its trip.",
        "replay": "Show a story written by `run --story` or `story.save`.",
        "view": "Show trips and searches on a page in your browser.",
        "compare": "Run several planners on the same problems and compare the means.",
        "planners": "List the planners: their parts, papers and options.",
        "maps": "Show, generate and convert maps.",
        "advise": "Recommend a planner and a lookahead for a time limit.",
        "crowd": "Measure how many characters this machine can plan for.",
        "benchmark": "Run planners on the published scenarios of the maps in a folder.",
        "course": "Check student programs for the fast-replanning project.",
        "reproduce": "Repeat the experiments of the papers.",
        "results": "Export the results of experiments.",
    },
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Print the version, and whether the core is compiled or interpreted.",
)
def main() -> None:
    """Replan plans while the agent moves: search in unknown and changing terrain.

    Begin with `replan demo`. `replan COMMAND --help` explains a command.
    """
