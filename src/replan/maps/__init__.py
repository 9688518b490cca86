"""Maps: reading and writing files, making new ones, and the few that come along.

>>> from replan import maps
>>> maps.builtin("figure-3").shape
(5, 5)
"""

from replan.maps.files import PathLike
from replan.maps.formats import read, write
from replan.maps.generators import cave, maze, random_obstacles, rooms
from replan.maps.library import builtin, builtin_names, open_map
from replan.maps.ros import RosMap, read_ros
from replan.maps.scenarios import Scenario, read_scenarios
from replan.maps.terrain import MAX_CELLS, WALL_BELOW, WALL_RIGHT, Terrain

__all__ = [
    "MAX_CELLS",
    "WALL_BELOW",
    "WALL_RIGHT",
    "PathLike",
    "RosMap",
    "Scenario",
    "Terrain",
    "builtin",
    "builtin_names",
    "cave",
    "maze",
    "open_map",
    "random_obstacles",
    "read",
    "read_ros",
    "read_scenarios",
    "rooms",
    "write",
]
