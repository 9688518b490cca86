"""`replan replay`: show a story file in the terminal, or write it as an animation."""

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

DEFAULT_SECONDS = 12.0  # duration of a story without --speed
MAX_FRAMES_PER_SECOND = 12.0


@click.command("replay")
@click.argument("file", metavar="FILE")
@click.option("--step", type=int, metavar="N", help="Show only this step: 0 is the first, -1 the last.")
@click.option("--speed", type=click.FloatRange(min=0, min_open=True), metavar="N", help="Steps per second.")
@click.option("--play/--no-play", default=True, help="Play the story, if the output is a terminal.  [default: play]")
@click.option("--gif", metavar="FILE", help="Write an animation (extra: images).")
@json_option
def command(file: str, step: int | None, speed: float | None, play: bool, gif: str | None, as_json: bool) -> None:
    """Show a story: the path of an agent, its belief, and the states it searched.

    FILE is a file written by `replan run --story FILE` or `story.save(FILE)`. An interrupted story is shown up to its
    last step.
    """
    if gif is not None:
        check_gif_suffix(gif)
        need_pillow()
        refuse_unwritable(gif)
    with Story.load(file) as story:
        number = len(story) - 1 if step is None else _number(story, step)
        if gif is not None:
            with progress_bar(min(len(story), MAX_FRAMES)) as progress:
                story.gif(gif, progress)
        if as_json:
            print_json(_as_dict(story, story[number]))
            return
        console = stdout_console()
        is_drawable = story.space.cell_layout is not None
        if play and is_drawable and step is None and console.is_terminal:
            _play(story, console, len(story) / DEFAULT_SECONDS if speed is None else speed)
        console.print(_caption(story, story[number]))
        if is_drawable:
            console.print(story.draw(number))
        _print_trips(story, console)


def _number(story: Story, step: int) -> int:
    """Return the index of a step from 0. Raise UsageError if there is none."""
    try:
        return story.index_of(step)
    except IndexError as error:
        raise click.UsageError(str(error)) from None


def _as_dict(story: Story, step: StoryStep) -> dict[str, Any]:
    space = story.space
    return {
        "planner": story.planner_name,
        "steps": len(story),
        "step": step.index,
        "time": step.time,
        "at": space.key(step.state),
        "path": space.keys(step.path),
        "counts": vars(step.counts),
        "trip": None if story.trip is None else story.trip.as_dict(),
    }


def _play(story: Story, console: Console, speed: float) -> None:
    """Show the steps in turn; steps are skipped if drawing is too slow. Ctrl-C skips to the end."""
    start = time.monotonic()
    with Live(console=console, auto_refresh=False, transient=True) as live:
        try:
            while (i := int((time.monotonic() - start) * speed)) < len(story):
                live.update(Group(_caption(story, story[i]), story.draw(i)), refresh=True)
                time.sleep(1 / MAX_FRAMES_PER_SECOND)
        except KeyboardInterrupt:
            pass


def _caption(story: Story, step: StoryStep) -> Text:
    cell, counts = story.space.key(step.state), step.counts
    text = f"step {step.index:,} of {len(story):,}: {story.planner_name} at {cell}, time {step.time:,}"
    return Text(f"{text}, {format_count(counts.episodes, 'episode')}, {format_count(counts.expansions, 'expansion')}")


def _print_trips(story: Story, console: Console) -> None:
    if not story.trips:
        console.print("the trip was interrupted: the story ends here")
    for trip in story.trips:
        console.print(
            planner_table(trip.end_text, [single_trip_row(story.planner_name, trip_metrics(trip, None))], console)
        )
