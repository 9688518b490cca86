"""`replan replay`: a story from its file, in the terminal or as an animation."""

from __future__ import annotations

import time
from typing import Any

import click
from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from replan import Story
from replan.cli.console import print_json, progress_bar, stdout_console
from replan.cli.options import json_option, refuse_unwritable
from replan.cli.planner_table import planner_table
from replan.drawings.animation import MAX_FRAMES, check_gif_suffix, need_pillow
from replan.experiments.compare import single_trip_row, trip_metrics
from replan.formatting import format_count
from replan.simulation.steps import StoryStep

DEFAULT_SECONDS = 12.0  # how long a story lasts unless --speed says otherwise
MAX_FRAMES_PER_SECOND = 12.0  # a second, at most


@click.command("replay")
@click.argument("file", metavar="FILE")
@click.option("--moment", type=int, metavar="N", help="Show this moment alone: 0 is the first, -1 the last.")
@click.option("--speed", type=click.FloatRange(min=0, min_open=True), metavar="N", help="Moments a second.")
@click.option("--play/--no-play", default=True, help="Show how it went, in a terminal.  [default: play]")
@click.option("--gif", metavar="FILE", help="Write an animation (extra: images).")
@json_option
def command(file: str, moment: int | None, speed: float | None, play: bool, gif: str | None, as_json: bool) -> None:
    """Show a story: how an agent went, what it believed and where it searched.

    FILE is what `replan run --story FILE` has written, or `story.save(FILE)`. A story that was interrupted is shown as
    far as it goes.
    """
    if gif is not None:
        check_gif_suffix(gif)
        need_pillow()
        refuse_unwritable(gif)
    with Story.load(file) as story:
        chosen = len(story) - 1 if moment is None else _number(story, moment)
        if gif is not None:
            with progress_bar(min(len(story), MAX_FRAMES)) as step:
                story.gif(gif, step)
        if as_json:
            print_json(_as_dict(story, story[chosen]))
            return
        console = stdout_console()
        drawn = story.space.cell_layout is not None
        if play and drawn and moment is None and console.is_terminal:
            _play(story, console, len(story) / DEFAULT_SECONDS if speed is None else speed)
        console.print(_caption(story, story[chosen]))
        if drawn:
            console.print(story.draw(chosen))
        _print_trips(story, console)


def _number(story: Story, moment: int) -> int:
    try:
        return story.index_of(moment)
    except IndexError as error:
        raise click.UsageError(str(error)) from None


def _as_dict(story: Story, moment: StoryStep) -> dict[str, Any]:
    space = story.space
    return {
        "planner": story.planner_name,
        "moments": len(story),
        "moment": moment.index,
        "step": moment.time,
        "at": space.key(moment.state),
        "path": space.keys(moment.path),
        "counts": vars(moment.counts),
        "trip": None if story.trip is None else story.trip.as_dict(),
    }


def _play(story: Story, console: Console, speed: float) -> None:
    """The moments one after the other, as many as there is time for. Ctrl-C goes on to the end."""
    begun = time.monotonic()
    with Live(console=console, auto_refresh=False, transient=True) as live:
        try:
            while (i := int((time.monotonic() - begun) * speed)) < len(story):
                live.update(Group(_caption(story, story[i]), story.draw(i)), refresh=True)
                time.sleep(1 / MAX_FRAMES_PER_SECOND)
        except KeyboardInterrupt:
            pass


def _caption(story: Story, moment: StoryStep) -> Text:
    at, counts = story.space.key(moment.state), moment.counts
    told = f"moment {moment.index:,} of {len(story):,}: {story.planner_name} at {at}, step {moment.time:,}"
    return Text(f"{told}, {format_count(counts.episodes, 'episode')}, {format_count(counts.expansions, 'expansion')}")


def _print_trips(story: Story, console: Console) -> None:
    if not story.trips:
        console.print("the trip was interrupted: its story ends here")
    for trip in story.trips:
        console.print(planner_table(trip.end_text, [single_trip_row(story.planner_name, trip_metrics(trip, None))], console))
