"""`replan view`: a page on which trips are played, and worlds changed while agents walk."""

from __future__ import annotations

import json
import threading
import webbrowser
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from replan.cli.console import note_if_interpreted, progress_bar, stdout_console
from replan.cli.options import TripSettings, parse_cell, planners_option, refuse_unwritable, seed_option, trip_options
from replan.errors import InputError
from replan.experiments.planner_names import NamedPlanner, format_options
from replan.extras import import_extra
from replan.maps.library import builtin_names
from replan.worlds.problems import Cell
from replan.worlds.sensors import Radius

HOST = "127.0.0.1"


@click.command("view")
@click.argument("map_name", metavar="[MAP | FILE.replan]", required=False)
@planners_option("RTAA* with a lookahead of 33")
@click.option("--start", metavar="R,C", callback=parse_cell, help="Row and column, from 0.  [default: drawn by --seed]")
@click.option("--goal", metavar="R,C", callback=parse_cell, help="Row and column, from 0.  [default: far away]")
@trip_options
@seed_option
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="[default: one that is free]")
@click.option("--host", default=HOST, metavar="ADDRESS", help="Another address than this machine's own.")
@click.option("--no-browser", is_flag=True, help="Open no browser, print the address alone.")
@click.option("--save", metavar="FILE", help="Write one page that plays the trip without a server, and end.")
@click.option("--trace", metavar="FILE", help="Write the trip as a trace for the Posthoc visualiser, and end.")
def command(
    map_name: str | None,
    planners: list[NamedPlanner],
    start: Cell | None,
    goal: Cell | None,
    setting: TripSettings,
    seed: int,
    port: int,
    host: str,
    no_browser: bool,
    save: str | None,
    trace: str | None,
) -> None:
    """See agents think: serve a page on this machine that plays trips and lets you change the world.

    MAP is a file or a built-in map; without it a cave is made. FILE.replan is a story to be played (`replan run --story
    FILE.replan`, or `story.save`). Several --planner walk in lockstep, up to four. The page is for this machine alone;
    Ctrl-C ends it.
    """
    from replan.viewer.session import Session

    note_if_interpreted()
    if len(planners) > 4:
        raise InputError("at most four planners fit on the page")
    for file in (save, trace):
        if file is not None:
            refuse_unwritable(file)
    if save is None and trace is None:
        for module in ("starlette", "uvicorn", "websockets"):
            import_extra(module, extra="viewer", purpose="the viewer")
    played: Any
    if map_name is not None and map_name.lower().endswith(".replan"):
        played = _story(map_name, planners)
    else:
        played = Session(_settings(map_name, planners, start, goal, setting, seed))
    if save is not None:
        _save(played, save)
    if trace is not None:
        _trace(played, trace)
    if save is None and trace is None:
        _serve(played, host, port, browser=not no_browser)


def _story(file: str, planners: list[NamedPlanner]) -> Any:
    from replan import Story
    from replan.viewer.playback import Playback

    if planners:
        raise InputError("a story has its planner: leave --planner out", file)
    return Playback([Story.load(file)])


def _settings(
    map_name: str | None,
    planners: list[NamedPlanner],
    start: Cell | None,
    goal: Cell | None,
    setting: TripSettings,
    seed: int,
) -> Any:
    from replan.viewer.settings import Settings

    sensor = f"{setting.sensor.radius:g}" if isinstance(setting.sensor, Radius) else str(setting.sensor)
    chosen = Settings(
        seed=seed or 1,
        neighbors=setting.neighbors,
        corners=setting.corners,
        sensor=sensor,
        known=setting.known,
        start=start,
        goal=goal,
    )
    if planners:
        named = [f"{p.name}:{format_options(p.options)}" if p.options else p.name for p in planners]
        chosen = replace(chosen, planners=tuple(named))
    if map_name is not None:
        chosen = replace(chosen, map=map_name if map_name in builtin_names() else Path(map_name).name)
        if map_name not in builtin_names():
            chosen = replace(chosen, user_grid=setting.load(map_name))
    return chosen


def _save(played: Any, file: str) -> None:
    from replan.atomic_write import write_text
    from replan.viewer.saved_page import page_within_limit

    with progress_bar(None) as step:
        page = page_within_limit(played, step)
    write_text(Path(file), page)
    stdout_console().print(f"{file}: {len(page) / 1e6:.2f} MB, plays in any browser.")


def _trace(played: Any, file: str) -> None:
    from replan.atomic_write import write_text
    from replan.viewer.posthoc_trace import make_trace, validate_trace

    if len(played.stories) > 1:
        raise InputError("a trace has one planner: give one --planner")
    with progress_bar(None) as step:
        played.run_to_end(step)
        made = make_trace(played.stories[0])
    validate_trace(made)
    write_text(Path(file), json.dumps(made, separators=(",", ":")))
    stdout_console().print(f"{file}: {len(made['events']):,} events for Posthoc.")


def _serve(played: Any, host: str, port: int, browser: bool) -> None:
    from replan.viewer.page_server import PageServer

    server = PageServer(played, host, port)  # what is wrong with a map or a planner has been said before
    stdout_console().print(f"Replan shows its page at {server.url} (Ctrl-C ends it)", soft_wrap=True)
    if browser:
        threading.Timer(0.3, webbrowser.open, [server.one_time_url]).start()
    server.run()
