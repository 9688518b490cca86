"""`replan view`: serve a page that shows trips and lets the user change the world."""

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
@click.option(
    "--goal", metavar="R,C", callback=parse_cell, help="Row and column, from 0.  [default: far from the start]"
)
@trip_options
@seed_option
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Port of the page.  [default: a free port]")
@click.option("--host", default=HOST, metavar="ADDRESS", help="Address to listen on.")
@click.option("--no-browser", is_flag=True, help="Do not open a browser; only print the address.")
@click.option("--save", metavar="FILE", help="Write the trip as a page that needs no server, and end.")
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
    """Show trips and searches on a page in your browser. There you can change the world while agents move.

    MAP is a file or a built-in map; the default is a generated cave. FILE.replan is a story (`replan run --story
    FILE.replan`, or `story.save`). Up to four planners run in lockstep. Only this machine can open the page, unless you
    give --host. Ctrl-C ends the server.
    """
    from replan.viewer.session import Session

    note_if_interpreted()
    if len(planners) > 4:
        raise InputError("the page shows at most four planners")
    for file in (save, trace):
        if file is not None:
            refuse_unwritable(file)
    if save is None and trace is None:
        for module in ("starlette", "uvicorn", "websockets"):
            import_extra(module, extra="viewer", purpose="the viewer")
    source: Any
    if map_name is not None and map_name.lower().endswith(".replan"):
        source = _story(map_name, planners)
    else:
        source = Session(_settings(map_name, planners, start, goal, setting, seed))
    if save is not None:
        _save(source, save)
    if trace is not None:
        _trace(source, trace)
    if save is None and trace is None:
        _serve(source, host, port, browser=not no_browser)


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
    settings = Settings(
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
        settings = replace(settings, planners=tuple(named))
    if map_name is not None:
        settings = replace(settings, map=map_name if map_name in builtin_names() else Path(map_name).name)
        if map_name not in builtin_names():
            settings = replace(settings, user_grid=setting.load(map_name))
    return settings


def _save(source: Any, file: str) -> None:
    from replan.atomic_write import write_text
    from replan.viewer.saved_page import page_within_limit

    with progress_bar(None) as step:
        page = page_within_limit(source, step)
    write_text(Path(file), page)
    stdout_console().print(f"{file}: {len(page) / 1e6:.2f} MB, opens in any browser.")


def _trace(source: Any, file: str) -> None:
    from replan.atomic_write import write_text
    from replan.viewer.posthoc_trace import make_trace, validate_trace

    if len(source.stories) > 1:
        raise InputError("a trace has one planner: give one --planner")
    with progress_bar(None) as step:
        source.run_to_end(step)
        trace = make_trace(source.stories[0])
    validate_trace(trace)
    write_text(Path(file), json.dumps(trace, separators=(",", ":")))
    stdout_console().print(f"{file}: {len(trace['events']):,} events for Posthoc.")


def _serve(source: Any, host: str, port: int, browser: bool) -> None:
    from replan.viewer.page_server import PageServer

    server = PageServer(source, host, port)  # errors of maps and planners have been raised before
    stdout_console().print(f"Replan shows its page at {server.url} (Ctrl-C ends it)", soft_wrap=True)
    if browser:
        threading.Timer(0.3, webbrowser.open, [server.one_time_url]).start()
    server.run()
