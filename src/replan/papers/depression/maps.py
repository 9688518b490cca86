"""The maps of depression avoidance 2011: those of the paper, or stand-ins of our own."""

from __future__ import annotations

from pathlib import Path

from replan.experiments.map_problems import file_source, generated_source, map_files
from replan.experiments.runs import MapSource
from replan.maps.generators import cave, maze, rooms

DRAGON_AGE = ("brc202d", "orz103d", "orz702d", "ost000a", "ost000t", "ost100d")
STARCRAFT = ("Enigma", "FadingRealm", "JungleSiege", "Ramparts", "TwistedFate", "WheelofWar")
CORNERS = "free"  # which fits the paper's figures
PAPER_MAPS = [("dao", name) for name in DRAGON_AGE] + [("sc1_2011", name) for name in STARCRAFT]
CASES_PER_MAP = 500
PAPER_CASES = CASES_PER_MAP * len(PAPER_MAPS)


def paper_maps(directory: Path) -> list[MapSource]:
    """The twelve maps of the paper, from a directory of Moving AI maps."""
    return [file_source(file, corners=CORNERS) for file in map_files(directory, PAPER_MAPS)]


def substitute_maps() -> list[MapSource]:
    """Return generated maps, used if no directory of the games' maps is given."""
    return [
        generated_source("cave", cave, CORNERS, rows=200, cols=240, seed=1),
        generated_source("rooms 12", rooms, CORNERS, rows=194, cols=194, room_size=12, seed=1),
        generated_source("rooms 32", rooms, CORNERS, rows=197, cols=197, room_size=32, seed=2),
        generated_source("maze", maze, CORNERS, rows=121, cols=121, openings=400, seed=1),
    ]
