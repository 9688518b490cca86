"""Replan plans while the agent moves: real-time and incremental heuristic search in unknown and changing terrain."""

from replan._core import compiled  # first: it decides how the other modules are imported
from replan._version import __version__
from replan.budget import Budget, Deadline, Expansions, Unlimited
from replan.crowds.crowd import Crowd
from replan.errors import InputError, MissingExtra
from replan.experiments.advise import advise
from replan.experiments.compare import compare
from replan.maps import cave, maze, random_obstacles, rooms
from replan.planners.base import Planner
from replan.planners.flow_field import FlowField
from replan.planners.lpa import LPAStar
from replan.planners.path_query import find_path
from replan.planners.path_result import PathResult
from replan.planners.registry import planner, planners
from replan.queues.user_queue import Queue
from replan.search.choosing import ChoosingRule
from replan.search.learning import LearningRule
from replan.simulation.agent import Agent
from replan.simulation.simulate import simulate
from replan.simulation.status import Status
from replan.simulation.story import Story
from replan.simulation.trip import Trip
from replan.simulation.watching import watch
from replan.spaces.graph import Graph
from replan.spaces.grid import Grid
from replan.spaces.space import Space
from replan.worlds.doors import rooms_with_doors
from replan.worlds.dynamic_scenario import DynamicScenario
from replan.worlds.sensors import Radius, Sensor
from replan.worlds.targets import Flee, Route, Target, Wander
from replan.worlds.world import World

__all__ = [
    "Agent",
    "Budget",
    "ChoosingRule",
    "Crowd",
    "Deadline",
    "DynamicScenario",
    "Expansions",
    "Flee",
    "FlowField",
    "Graph",
    "Grid",
    "InputError",
    "LPAStar",
    "LearningRule",
    "MissingExtra",
    "PathResult",
    "Planner",
    "Queue",
    "Radius",
    "Route",
    "Sensor",
    "Space",
    "Status",
    "Story",
    "Target",
    "Trip",
    "Unlimited",
    "Wander",
    "World",
    "__version__",
    "advise",
    "cave",
    "compare",
    "compiled",
    "find_path",
    "maze",
    "planner",
    "planners",
    "random_obstacles",
    "rooms",
    "rooms_with_doors",
    "simulate",
    "watch",
]
