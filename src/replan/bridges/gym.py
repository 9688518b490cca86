"""Fog-of-war navigation as a Gymnasium environment, with planners as baselines.

    import gymnasium, replan.bridges.gym                       # pip install 'replan[gym]'
    env = gymnasium.make("replan/FogNavigation-v0", map="cave", size=(32, 32), sensor=replan.Radius(4))

An agent moves to a goal on a map that it does not know. It sees what its sensor shows.

- Observations: "map", 2-D: 0 not seen yet, 1 free, 2 blocked; "agent" and "goal", (row, column).
- Actions: a step to the right, down, left, up (with 8 neighbours also down-right, down-left, up-left, up-right); the
  last action waits. A step into a blocked cell is a wait.
- Reward: minus the length of the step, times the terrain's weight; -1 for a wait. An episode ends at the goal, and is
  truncated after `max_steps`.
- `reset(seed=...)` draws a map, a start and a goal; `info["optimal_cost"]` is the cost of a cheapest path on the true
  map.

`compare_policy(env, policy, ...)` runs a policy and planners through the same episodes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from replan.errors import InputError
from replan.maps.generators import cave, maze, random_obstacles, rooms
from replan.planners.base import Planner
from replan.simulation.simulate import simulate
from replan.simulation.trip import Trip
from replan.simulation.watching import LiveStory, watch
from replan.spaces.grid import Grid
from replan.worlds.changes import Change
from replan.worlds.doors import rooms_with_doors
from replan.worlds.problems import random_problems
from replan.worlds.sensors import Sensor
from replan.worlds.targets import Flee, Target, Wander
from replan.worlds.world import World

ENV_ID = "replan/FogNavigation-v0"
UNSEEN, FREE, BLOCKED = range(3)
MAP_MAKERS: dict[str, Callable[[int, int, int], Any]] = {
    "maze": lambda rows, cols, seed: maze(rows | 1, cols | 1, openings=rows * cols // 50, seed=seed)[:rows, :cols],
    "cave": lambda rows, cols, seed: cave(rows, cols, seed=seed),
    "rooms": lambda rows, cols, seed: rooms(rows, cols, room_size=max(3, min(rows, cols) // 6), seed=seed),
    "random": lambda rows, cols, seed: random_obstacles(rows, cols, density=0.25, seed=seed),
}
DOORS_MAP = "doors"
TARGETS: dict[str, Callable[..., Target]] = {"flees": Flee, "wanders": Wander}
CELL_COLORS = {UNSEEN: (60, 64, 72), FREE: (255, 255, 255), BLOCKED: (20, 22, 26)}
Policy = Callable[[dict[str, Any]], int]


class ManualPlanner(Planner):
    """Planner that makes the single steps that it is given.

    Examples
    --------
    >>> policy = ManualPlanner()
    >>> policy.next_state = 7
    >>> policy.plan(6, None), policy.plan(7, None)
    ([7], [])
    """

    def __init__(self) -> None:
        super().__init__()
        self.next_state: int | None = None

    def plan(self, state: int, budget: Any) -> list[int]:
        """Return the next state, once; then wait.

        Parameters
        ----------
        state
            State of the agent.
        budget
            Not used.

        Returns
        -------
        list of int
            The next state, or an empty list.
        """
        to, self.next_state = self.next_state, None
        return [] if to is None else [to]

    def retarget(self, goals: Any) -> None:
        """Ignore other goals.

        Parameters
        ----------
        goals
            Not used.
        """


class FogNavigation(gymnasium.Env[dict[str, Any], Any]):
    """Environment: an agent moves to a goal on a map that it does not know. See the text of this module.

    Parameters
    ----------
    map
        "maze", "cave", "rooms", "random", "doors" (rooms whose doors open and close), or a Grid.
    size
        Rows and columns of generated maps.
    sensor
        Sensor of the agent, as in a World.
    neighbors
        4 or 8 steps from a cell.
    target
        "stays", "flees" or "wanders".
    speed
        Moves of the target a step.
    max_steps
        Steps after which an episode is truncated. None: 4 for each cell of the map.
    render_mode
        "ansi", "rgb_array" or None.

    Raises
    ------
    InputError
        If an argument is not possible.

    Examples
    --------
    >>> env = FogNavigation(map="cave", size=(12, 16), sensor="adjacent", neighbors=8, render_mode="ansi")
    >>> observation, info = env.reset(seed=1)
    >>> observation["map"].shape, observation["agent"].tolist(), observation["goal"].tolist(), info["optimal_cost"] > 0
    ((12, 16), [3, 7], [5, 3], True)
    >>> observation, reward, terminated, truncated, info = env.step(8)  # the last action waits
    >>> reward, terminated, truncated, info["steps"]
    (-1.0, False, False, 1)
    >>> env.make_world().sensor, env.render().count("A"), int(env.action_space.n)
    ('adjacent', 1, 9)
    """

    metadata = {"render_modes": ["ansi", "rgb_array"], "render_fps": 10}

    def __init__(
        self,
        map: str | Grid = "maze",
        size: tuple[int, int] = (21, 21),
        sensor: str | Sensor = "adjacent",
        neighbors: int = 4,
        target: str = "stays",
        speed: float = 0.5,
        max_steps: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        if not isinstance(map, Grid) and map not in (*MAP_MAKERS, DOORS_MAP):
            raise InputError(f"map is one of {', '.join([*MAP_MAKERS, DOORS_MAP])}, or a Grid, not {map!r}")
        if target not in ("stays", *TARGETS):
            raise InputError(f"target is one of stays, {', '.join(TARGETS)}, not {target!r}")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise InputError(f"render_mode is None, 'ansi' or 'rgb_array', not {render_mode!r}")
        self.map, self.sensor, self.target, self.speed = map, sensor, target, speed
        self.neighbors = map.neighbors if isinstance(map, Grid) else neighbors
        rows, cols = map.shape if isinstance(map, Grid) else (int(size[0]), int(size[1]))
        self.size = rows, cols
        self.max_steps = 4 * rows * cols if max_steps is None else max_steps
        self.render_mode = render_mode
        cell = spaces.Box(0, np.array([rows - 1, cols - 1]), (2,), np.int64)
        self.observation_space = spaces.Dict(
            {"map": spaces.Box(UNSEEN, BLOCKED, (rows, cols), np.uint8), "agent": cell, "goal": cell}
        )
        self.action_space = spaces.Discrete(self.neighbors + 1)
        self._story: LiveStory | None = None

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[dict[str, Any], dict[str, Any]]:
        """Draw a map, a start and a goal.

        Parameters
        ----------
        seed
            Seed of the environment, as in Gymnasium.
        options
            Not used.

        Returns
        -------
        tuple
            The observation, and the info: `optimal_cost`, `cost`, `steps`, `was_blocked`.
        """
        super().reset(seed=seed)
        self._episode_seed = int(self.np_random.integers(2**31))
        self.grid, self.start, self.goal, self._changes = self._draw_episode(self._episode_seed)
        self._manual_planner = ManualPlanner()
        goal = None if self.target in TARGETS else self.goal
        self._story = watch(self.make_world(), self._manual_planner, self.start, goal)
        self._cost = 0.0
        optimal = simulate(self.grid, "Repeated Forward A*", self.start, self.goal)
        self._story.step()
        return self._observation(), {"optimal_cost": optimal.cost, "cost": 0.0, "steps": 0, "was_blocked": False}

    def _draw_episode(self, number: int) -> tuple[Grid, Any, Any, list[Change] | None]:
        """Return the map, start, goal and changes of an episode."""
        if self.map == DOORS_MAP:
            doors = rooms_with_doors(*self.size, room_size=max(3, min(self.size) // 4), seed=number)
            return Grid(doors.grid.blocked, self.neighbors), doors.start, doors.goal, doors.changes
        grid = self.map if isinstance(self.map, Grid) else None
        for attempt in range(100):
            candidate = grid or Grid(MAP_MAKERS[str(self.map)](*self.size, number + attempt), self.neighbors)
            try:
                problem = random_problems(candidate, 1, number + attempt)[0]
            except InputError:
                if grid is not None:
                    raise
                continue
            return candidate, problem.start, problem.goal, None
        raise InputError(f"no map {self.map!r} of {self.size[0]} x {self.size[1]} cells has two connected cells")

    def make_world(self) -> World:
        """Make the world of this episode, for example for a planner.

        Returns
        -------
        World
            The world.
        """
        target = TARGETS[self.target](self.goal, self.speed) if self.target in TARGETS else None
        return World(self.grid, self.sensor, "nothing", self._changes, target)

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Take an action.

        Parameters
        ----------
        action
            Number of the action.

        Returns
        -------
        tuple
            Observation, reward, terminated, truncated and info. The info has `cost` and `steps` so far, and
            `was_blocked`:
            True if the step led into a blocked cell.

        Raises
        ------
        InputError
            If there is no such action, or before `reset`.
        """
        if self._story is None or self._story.has_ended:
            raise InputError("call reset() first: there is no episode")
        if not self.action_space.contains(action):
            raise InputError(f"an action is a whole number from 0 to {self.neighbors}, not {action!r}")
        story, before = self._story, self._story[len(self._story) - 1]
        self._manual_planner.next_state = self._entered_state(before.state, int(action))
        was_blocked = self._manual_planner.next_state is None and int(action) < self.neighbors
        if self._manual_planner.next_state is not None:
            story.change([], "free")  # so that the planner is called again
        after = story.step()
        assert after is not None
        step_cost = (after.counts.cost - before.counts.cost) / self.grid.units_per_step
        self._cost += step_cost
        info = {"cost": self._cost, "steps": after.time, "was_blocked": was_blocked}
        terminated, truncated = after.why == "reached", after.time >= self.max_steps
        reward = -1.0 if after.state == before.state else -step_cost
        return self._observation(), reward, terminated, truncated and not terminated, info

    def _entered_state(self, state: int, action: int) -> int | None:
        """Return the state to which an action leads; None if it waits, or if the state is blocked."""
        if action == self.neighbors:
            return None
        assert self._story is not None
        width = self.grid.cols + 2
        entered = state + (1, width, -1, -width, width + 1, width - 1, -width - 1, 1 - width)[action]
        successors = [v for v, _ in self._story.world.truth.successors(state)]
        return entered if entered in successors else None

    def _observation(self) -> dict[str, Any]:
        assert self._story is not None
        moment, belief = self._story[len(self._story) - 1], self._story.world.belief
        assert isinstance(belief, Grid)
        shown = np.where(belief.blocked, BLOCKED, FREE).astype(np.uint8)
        shown[~self.grid.to_map_shape(self._story.seen()) & (shown == FREE)] = UNSEEN
        goal = moment.target if moment.target >= 0 else int(moment.goals[0])
        return {
            "map": shown,
            "agent": np.array(self.grid.key(moment.state), np.int64),
            "goal": np.array(self.grid.key(goal), np.int64),
        }

    def render(self) -> Any:
        """Draw what the agent knows.

        Returns
        -------
        str, ndarray or None
            Text for "ansi"; a picture with 8 x 8 points a cell for "rgb_array"; None without a render mode.
        """
        if self._story is None or self.render_mode is None:
            return None
        shown = self._observation()
        if self.render_mode == "ansi":
            signs = np.array(["?", ".", "#"])[shown["map"]]
            signs[tuple(shown["goal"])], signs[tuple(shown["agent"])] = "G", "A"
            return "\n".join("".join(row) for row in signs)
        picture = np.array([CELL_COLORS[k] for k in range(3)], np.uint8)[shown["map"]]
        picture[tuple(shown["goal"])], picture[tuple(shown["agent"])] = (194, 24, 91), (91, 22, 184)
        return picture.repeat(8, axis=0).repeat(8, axis=1)


def run_baseline(env: gymnasium.Env[Any, Any], planner: Planner | str) -> Trip:
    """Run a planner through the present episode of an environment: same map, start, goal and changes.

    Parameters
    ----------
    env
        A FogNavigation environment after its `reset`.
    planner
        A planner, or the name of one.

    Returns
    -------
    Trip
        The trip.

    Raises
    ------
    InputError
        If the environment is another one, or was not reset.

    Examples
    --------
    >>> env = gymnasium.make(ENV_ID, map="maze", size=(15, 15))
    >>> _, info = env.reset(seed=3)
    >>> trip = run_baseline(env, "D* Lite")
    >>> trip.reached, trip.cost >= info["optimal_cost"]
    (True, True)
    """
    fog = env.unwrapped
    if not isinstance(fog, FogNavigation) or fog._story is None:
        raise InputError("a baseline needs a FogNavigation environment after its reset()")
    goal = None if fog.target in TARGETS else fog.goal
    return simulate(fog.make_world(), planner, fog.start, goal, max_moves=fog.max_steps)


def compare_policy(
    env: gymnasium.Env[Any, Any],
    policy: Policy,
    planners: Sequence[Planner | str] = ("RTAA*", "Repeated Forward A*", "D* Lite"),
    episodes: int = 20,
    seed: int = 0,
    policy_name: str = "policy",
) -> list[dict[str, Any]]:
    """Run a policy and planners through the same episodes.

    Parameters
    ----------
    env
        A FogNavigation environment.
    policy
        Function from an observation to an action.
    planners
        Planners, or their names.
    episodes
        Number of episodes.
    seed
        Seed of the first episode.
    policy_name
        Name of the policy in the result.

    Returns
    -------
    list of dict
        A row for each: `planner`, `success_rate` (share of goals reached), and over the episodes that it finished the
        means of `cost`, `steps` and `cost_ratio` (cost divided by that of a cheapest path).

    Examples
    --------
    >>> env = gymnasium.make(ENV_ID, map="maze", size=(9, 9), max_steps=100)
    >>> def rightwards(observation):
    ...     return 0
    >>> rows = compare_policy(env, rightwards, planners=["D* Lite"], episodes=3, policy_name="rightwards")
    >>> [(row["planner"], row["success_rate"]) for row in rows]
    [('D* Lite', 1.0), ('rightwards', 0.0)]
    """
    results: dict[str, list[tuple[bool, float, int, float]]] = {}
    for episode in range(episodes):
        observation, info = env.reset(seed=seed + episode)
        optimal = max(info["optimal_cost"], 1e-9)
        for planner in planners:
            trip = run_baseline(env, planner)
            results.setdefault(trip.planner, []).append((trip.reached, trip.cost, trip.steps, trip.cost / optimal))
        terminated = truncated = False
        while not (terminated or truncated):
            observation, _, terminated, truncated, info = env.step(policy(observation))
        row = (terminated, info["cost"], info["steps"], info["cost"] / optimal)
        results.setdefault(policy_name, []).append(row)
    return [_summary_row(name, of_name) for name, of_name in results.items()]


def _summary_row(name: str, results: list[tuple[bool, float, int, float]]) -> dict[str, Any]:
    done = [result for result in results if result[0]]
    cost, steps, ratio = [float(np.mean([r[i] for r in done])) if done else None for i in (1, 2, 3)]
    return {
        "planner": name,
        "success_rate": len(done) / len(results),
        "cost": cost,
        "steps": steps,
        "cost_ratio": ratio,
    }


if ENV_ID not in gymnasium.registry:
    gymnasium.register(id=ENV_ID, entry_point=f"{__name__}:FogNavigation")
