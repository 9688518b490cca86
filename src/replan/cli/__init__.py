"""The command line: `main` is the console script `replan`; each command has a file of its own here.

What belongs here reads words that people type, shows progress, tables and drawings, and sets exit codes. What a command
computes is a function elsewhere, which can be called without it (`replan.simulate`, `compare`, `advise`). It may import
everything; nothing imports it. Commands are imported when they are called, so that `replan --help` stays quick.
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
        "demo": "Cross a maze and a cave with every planner there is.",
        "run": "Send one agent across a map and look at its trip.",
        "replay": "Show a story that `run --story` or `story.save` has written.",
        "view": "See agents think: a page that plays trips, in your browser.",
        "compare": "Give several planners the same problems and compare the means.",
        "planners": "List the planners: their parts, papers and options.",
        "maps": "Look at maps, make new ones, convert them.",
        "advise": "Say which planner and lookahead to use when time is limited.",
        "crowd": "Say how many characters this machine can afford.",
        "benchmark": "Run planners on the published scenarios of a folder of maps.",
        "course": "Check programs of the fast-replanning project.",
        "reproduce": "Run the experiments of the papers again.",
        "results": "Hand the results of experiments to other programs.",
    },
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Print the version and which core runs: compiled or interpreted.",
)
def main() -> None:
    """Replan plans while the agent moves: search in unknown and changing terrain.

    Begin with `replan demo`. Each command explains itself with --help.
    """
