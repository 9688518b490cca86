"""How soon any moment of a story is back, how large its page is, and how much memory a long one takes.

    python benchmarks/story.py                # about a minute
    python benchmarks/story.py --moves 1000000

Times are the longest of many random moments, of a story that was loaded from its file.
"""

from __future__ import annotations

import argparse
import random
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import replan
from replan.worlds.problems import distant_problem

SIDE, ASKED = 1024, 40
BELIEF_MS, ARRAYS_MS, PAGE_BYTES, PAGE_MOVES = 50, 300, 1_000_000, 5_000


def milliseconds(ask: Callable[[int], Any], moments: int) -> float:
    found = []
    for i in random.Random(1).sample(range(moments), min(ASKED, moments)):
        start = time.perf_counter()
        ask(i)
        found.append(1e3 * (time.perf_counter() - start))
    return max(found)


def say(what: str, found: float, unit: str, allowed: float) -> None:
    print(f"{what:<58}{found:>12,.1f} {unit:<4}{allowed:>12,.0f} {unit:<4}{'yes' if found <= allowed else 'NO'}")


def seek(folder: Path, blocked: Any, planner: Any, name: str) -> None:
    grid = replan.Grid(blocked, neighbors=4)
    problem = distant_problem(grid, 1)
    file = folder / "seek.replan"
    ends = problem.start, problem.goal, 20_000
    with replan.watch(replan.World(grid), planner, *ends, record_arrays=True, file=file) as story:
        story.finish()
    loaded = replan.Story.load(file)
    text = f"{name}, {len(loaded):,} moments on {SIDE} x {SIDE}"

    def place(i: int) -> None:
        loaded.belief(i)
        _ = loaded[i].path

    say(f"belief, agent and path: {text}", milliseconds(place, len(loaded)), "ms", BELIEF_MS)
    say(f"arrays: {text}", milliseconds(loaded.arrays, len(loaded)), "ms", ARRAYS_MS)


def long_trip() -> replan.Story:
    """5,000 moves of RTAA* with a lookahead of 17 on 512 x 512."""
    for seed in range(1, 100):
        grid = replan.Grid(replan.maze(511, 511, seed=seed), neighbors=4)
        problem = distant_problem(grid, seed)
        planner = replan.planner("RTAA*", lookahead=17)
        story = replan.watch(
            replan.World(grid), planner, problem.start, problem.goal, max_moves=PAGE_MOVES, record_arrays=True
        )
        story.finish()
        if story[-1].counts.moves == PAGE_MOVES:
            return story
    raise RuntimeError("no trip was long enough")


def memory(folder: Path, moves: int) -> None:
    """The most memory that this process has had, before and after a long story was written."""
    grid = replan.Grid(replan.maze(301, 301, seed=1), neighbors=4)
    problem = distant_problem(grid, 1)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    taken, part = 0, 0
    while taken < moves:  # trips one after the other in one file
        planner = replan.planner("RTAA*", lookahead=1)
        world = replan.World(grid)
        file = folder / f"long{part}.replan"
        with replan.watch(world, planner, problem.start, problem.goal, max_moves=moves - taken, file=file) as story:
            story.finish()
            taken += len(story) - 1
        part += 1
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    size = sum(file.stat().st_size for file in folder.glob("long*.replan")) / 1e6
    print(f"{taken:,} moves in {part} stories, {size:.1f} MB of files: {after - before:,.0f} MB more memory at most")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--moves", type=int, default=200_000)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        seek(folder, replan.maze(SIDE - 1, SIDE - 1, seed=1), replan.planner("RTAA*", lookahead=17), "RTAA*")
        seek(folder, replan.cave(SIDE, SIDE, seed=1), "D* Lite", "D* Lite")
        story = long_trip()
        page = story.to_html()
        searched = sum(1 for moment in story if moment.episode)
        text = f"page of {PAGE_MOVES:,} moves, {searched:,} searches of RTAA* on 512 x 512"
        say(text, len(page) / 1e3, "kB", PAGE_BYTES / 1e3)
        print("  it says:", "all is there" if "left out" not in _note(page) else _note(page))
        memory(folder, wanted.moves)


def _note(page: str) -> str:
    import base64
    import re
    import zlib

    from replan.viewer.messages import unpack

    text = re.search(r'<script id="frames" type="text/plain">([^<]*)</script>', page)
    assert text is not None
    content = zlib.decompress(base64.b64decode(text.group(1)))
    return str(unpack(content[4 : 4 + int.from_bytes(content[:4], "little")])["note"])


if __name__ == "__main__":
    main()
