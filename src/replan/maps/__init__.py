"""Map files: reading and writing them, making new maps, and the few that come along.

What belongs here knows maps as arrays (a `Terrain`) and files; it does not search, and knows nothing of planners or
agents. It imports nothing of Replan but `errors`, `extras`, `limits`, `suggest` and `writing`. A new format is a module
with its reader and writer and a row of the table in `formats.py`; `register` adds one from outside.

>>> from replan import maps
>>> maps.builtin("figure-3").shape
(5, 5)
"""

from replan.maps.coordinate_frame import CoordinateFrame
from replan.maps.files import PathLike, read_bytes
from replan.maps.formats import Format, read, register_format, write
from replan.maps.generators import cave, maze, random_obstacles, rooms
from replan.maps.library import builtin, builtin_names, open_map
from replan.maps.limits import MAX_CELLS
from replan.maps.scenarios import Scenario, read_scenarios
from replan.maps.terrain import WALL_BELOW, WALL_RIGHT, Terrain

__all__ = [
    "MAX_CELLS",
    "WALL_BELOW",
    "WALL_RIGHT",
    "CoordinateFrame",
    "Format",
    "PathLike",
    "Scenario",
    "Terrain",
    "builtin",
    "builtin_names",
    "cave",
    "maze",
    "open_map",
    "random_obstacles",
    "read",
    "read_bytes",
    "read_scenarios",
    "register_format",
    "rooms",
    "write",
]
