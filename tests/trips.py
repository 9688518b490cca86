"""Ten thousand random trips, one line each, to lay two cores side by side: the same trips, move for move.

    python tests/trips.py record FILE [--count 10000] [--seed 0]    writes the trips of the replan that is importable
    python tests/trips.py compare FILE [--count N] [--shown 10]     makes them again and tells the first differences
    python tests/trips.py show NUMBER [--seed 0]                    makes one trip and prints all of it

All planners and their options, queues and ties; grids and graphs of all kinds; sensors, changes, targets, trials, LPA*,
agents that are driven by hand. Only what is public is used, so the same file runs with an older core. Trip i depends on
the seed and on i alone: fewer trips are the first ones. REPLAN_INTERPRETED=1 runs the .py files of the core.
"""

from __future__ import annotations

import argparse
import faulthandler
import hashlib
import json
import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice, tee
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

import replan

HANGS = 120  # seconds: no trip takes as long
MAX_MOVES = 600
NOT_COMPARED = ("search_ns", "intake_ns", "episode_ns")


class Draw:
    """Random choices that depend on the seed and on the number of the trip alone (and on what they are for)."""

    def __init__(self, seed: int, i: int, what: str = "") -> None:
        self.rng = np.random.default_rng([seed, i, crc32(what.encode())])

    def below(self, n: int) -> int:
        return int(self.rng.integers(n))

    def pick(self, among: Any) -> Any:
        return among[self.below(len(among))]

    def chance(self, share: float) -> bool:
        return bool(self.rng.random() < share)

    def mask(self, shape: tuple[int, int], share: float) -> Any:
        return self.rng.random(shape) < share


# Terrain.


def blocked_map(draw: Draw, shape: tuple[int, int]) -> Any:
    """Scattered obstacles, rooms with doors, or a comb of dead ends."""
    kind = draw.pick(["scattered", "scattered", "rooms", "comb"])
    if kind == "scattered":
        return draw.mask(shape, draw.pick([0.0, 0.1, 0.25, 0.35, 0.45]))
    blocked = np.zeros(shape, bool)
    every = draw.pick([2, 3, 5])
    blocked[every - 1 :: every, :] = True
    if kind == "rooms":
        blocked[:, every - 1 :: every] = True
        return blocked & ~draw.mask(shape, 0.25)
    for i, row in enumerate(range(every - 1, shape[0], every)):
        blocked[row, 0 if i % 2 else -1] = False
    return blocked


def a_grid(draw: Draw, plain: bool) -> dict[str, Any]:
    """The arguments of a Grid."""
    largest = draw.pick([5, 12, 12, 20, 40])
    shape = 1 + draw.below(largest), 2 + draw.below(largest)
    made: dict[str, Any] = {"blocked": blocked_map(draw, shape), "neighbors": 4 if plain else draw.pick([4, 8, 8])}
    if plain:
        return made
    made["corners"] = draw.pick(["strict", "either", "free"])
    if draw.chance(0.35):
        table = draw.pick([[1, 2], [1, 1, 2, 3, 5], [1, 300, 65_535]])
        made["weights"] = np.array(table)[draw.rng.integers(len(table), size=shape)]
    if draw.chance(0.2):
        made["walls"] = draw.mask(shape, 0.15) + 2 * draw.mask(shape, 0.15)
    return made


class OnGrid:
    """A grid as the truth, and what can be said about its cells."""

    def __init__(self, draw: Draw, plain: bool) -> None:
        self.arguments = a_grid(draw, plain)
        blocked = self.arguments["blocked"]
        blocked[0, 0] = False
        self.space = replan.Grid(**self.arguments)
        self.cells = [tuple(c) for c in np.argwhere(~blocked).tolist()]
        self.all = [tuple(c) for c in np.argwhere(blocked | True).tolist()]
        self.weighted = "weights" in self.arguments

    def free(self) -> Any:
        """What one believes who knows nothing."""
        ones = np.ones(self.space.shape, int) if self.weighted else None
        return replan.Grid(**{**self.arguments, "blocked": np.zeros(self.space.shape, bool), "weights": ones})

    def other(self, draw: Draw) -> Any:
        """Another map of the same kind, as a belief that is wrong."""
        return replan.Grid(**{**self.arguments, "blocked": draw.mask(self.space.shape, 0.2)})

    def change(self, draw: Draw) -> tuple[Any, Any]:
        to = draw.pick(["blocked", "free", *([1, 2, 7] if self.weighted else [])])
        return draw.pick(self.all), to

    def edit(self, draw: Draw) -> tuple[Any, int]:
        return draw.pick(self.all), draw.pick([0, 0, 1, 1, *([2, 7] if self.weighted else [])])

    def around(self, cell: Any) -> list[Any]:
        """The places that one sees from a cell."""
        row, col = cell
        near = [(row + r, col + c) for r in (-1, 0, 1) for c in (-1, 0, 1)]
        return [(r, c) for r, c in near if 0 <= r < self.space.rows and 0 <= c < self.space.cols]

    def value(self, cell: Any) -> int:
        return int(self.space.get(self.space.state(cell)))

    def estimate(self, share: float) -> Callable[[Any, Any], float]:
        """A consistent heuristic, less informed than the grid's own."""
        if self.space.neighbors == 4:
            return lambda a, b: share * (abs(a[0] - b[0]) + abs(a[1] - b[1]))
        return lambda a, b: share * max(abs(a[0] - b[0]), abs(a[1] - b[1]))

    def estimates(self, share: float, goal: Any) -> Any:
        h = self.estimate(share)
        return np.array([h(c, goal) for c in self.all]).reshape(self.space.shape)


class OnGraph:
    """A graph as the truth."""

    def __init__(self, draw: Draw) -> None:
        n = 2 + draw.below(24)
        self.directed = draw.chance(0.5)
        largest = draw.pick([1, 3, 20, 1 << 20])
        ends = draw.rng.integers(n, size=(draw.pick([1, 2, 4]) * n, 2)).tolist()
        edges = [(f"n{u}", f"n{v}", 1 + draw.below(largest)) for u, v in ends]
        self.cells = [f"n{i}" for i in range(n)]
        spots = {node: (draw.below(50), draw.below(50)) for node in self.cells}
        positions = spots if draw.chance(0.5) else None
        self.space = replan.Graph(edges, self.directed, positions=positions, nodes=self.cells)
        self.costs = {(u, v): self.cost(u, v) for u, v, _ in edges if u != v}
        self.all = list(self.costs)
        self.open = self.space.copy()
        for edge in self.all:
            if draw.chance(0.15):
                self.space.block(*edge)

    def cost(self, u: Any, v: Any) -> int:
        return int(self.space.edge(self.space.state(u), self.space.state(v)))

    def free(self) -> Any:
        return self.open.copy()

    def other(self, draw: Draw) -> Any:
        made = self.open.copy()
        for edge in self.all:
            if draw.chance(0.2):
                made.block(*edge)
        return made

    def change(self, draw: Draw) -> tuple[Any, Any]:
        edge = draw.pick(self.all)
        return edge, draw.pick(["blocked", "free", self.costs[edge] + draw.below(5)])

    def edit(self, draw: Draw) -> tuple[Any, int]:
        edge = draw.pick(self.all)
        return edge, draw.pick([0, self.costs[edge], self.costs[edge] + 3])

    def around(self, node: Any) -> list[Any]:
        return [edge for edge in self.all if edge[0] == node]

    def value(self, edge: Any) -> int:
        return int(self.space.get(self.space.place(edge)))

    def estimate(self, share: float) -> Callable[[Any, Any], float]:
        return lambda a, b: 0.0 if a == b else share

    def estimates(self, share: float, goal: Any) -> Any:
        return np.array([0.0 if self.space.key(s) == goal else share for s in range(self.space.n)])


# Parts in plain Python.


class OneSweep(replan.LearningRule):
    """One LRTA* update of every expanded state, the last expanded first."""

    def learn(self, look: Any) -> int:
        h, increase = look.h, 0
        for s in reversed(look.closed):
            best = min((cost + h[v] for v, cost in look.successors(s)), default=h[s])
            if best > h[s]:
                increase += best - h[s]
                h[s] = best
        return increase


class Wary(replan.ChoosingRule):
    """Best f, plus twice what h has risen by."""

    def choose(self, look: Any) -> int:
        g, h = look.g, look.h
        return min(look.frontier, key=lambda s: (g[s] + h[s] + 2 * (h[s] - look.first_h(s)), -g[s], s))


class Greedy(replan.Planner):
    """A planner in Python: a step to the neighbour that it has planned from least often."""

    def begin(self, space: Any, goals: Any) -> None:
        super().begin(space, goals)
        self.visits: dict[int, int] = {}

    def plan(self, state: int, budget: Any) -> list[int] | None:
        self.visits[state] = self.visits.get(state, 0) + 1
        there = [s for s in range(self.space.n) if self.space.edge(state, s) < 1 << 61]
        return [min(there, key=lambda s: (self.visits.get(s, 0), s))] if there else None


class Pacer(replan.Target):
    """A target in Python: to a state beside it, by turns."""

    def step(self, space: Any, at: int, agent: int) -> int:
        self.turn = getattr(self, "turn", 0) + 1
        there = [s for s in range(space.n) if space.edge(at, s) < 1 << 61]
        return there[self.turn % len(there)] if there else at


VALUES: dict[str, list[Any]] = {
    "queue": ["heap", "plain heap", "buckets", "buckets"],
    "prefer": ["larger g", "smaller g"],
    "ties": ["first-in", "last-in", "random"],
    "seed": [0, 7, 2**31 - 1],
    "check": [True],
    "lookahead": [1, 2, 3, 5, 9, 17, 33, 100, None],
    "moves": [1, 2, 5, None],
    "falling": ["keep", "repair", "reset"],
    "replan": ["blocked", "changed"],
    "weight": [1.0, 1.5, 3.0, 100.0],
    "down": [0.1, 0.5, 2.0],
    "up": [0.0, 0.1, 1.0],
    "depth": [1, 2, 3],
    "pathmax": [True, False],
    "global_": ["D* Lite", "AD*"],
    "local": ["LSS-LRTA*", "RTAA*", "daRTAA*", "LRTA*", "TLA*"],
    "local_ratio": [0.0, 0.3, 0.5, 1.0],
    "local_moves": [1, 3, None],
    "no_path": ["wait", "report"],
    "tracing": [0.0, 0.1, 1.0],
    "room": [4, 64, 10_000],
}


def options_for(draws: Callable[[str], Draw], spec: Any, case: Any, goal: Any) -> dict[str, Any]:
    """Each is drawn by itself: an option that a planner gets one day changes no other."""
    options: dict[str, Any] = {}
    for name in spec.options:
        draw = draws(name)
        if name in VALUES and draw.chance(0.35):
            options[name] = draw.pick(VALUES[name])
        elif name == "heuristic" and draw.chance(0.3):
            share = draw.pick([0.5, 1.0])
            kinds = ["zero", case.estimate(share)]
            options[name] = draw.pick(kinds if isinstance(goal, set) else [*kinds, case.estimates(share, goal)])
        elif name == "learning" and draw.chance(0.1):
            options[name] = OneSweep()
        elif name == "choosing" and draw.chance(0.1):
            options[name] = Wary()
    if options.get("queue") == "buckets":
        options = {name: value for name, value in options.items() if name not in ("prefer", "ties", "seed")}
    return options


# Trips.


def a_world(draw: Draw, case: Any, moving: bool) -> Any:
    made: dict[str, Any] = {"sensor": draw.pick(["adjacent", "adjacent", "everything"]), "known": "nothing"}
    if isinstance(case, OnGrid) and draw.chance(0.3):
        made["sensor"] = replan.Radius(draw.pick([1, 1.5, 2.5, 4]), draw.chance(0.5))
    if draw.chance(0.4):
        made["known"] = "everything" if draw.chance(0.5) else case.other(draw)
    if draw.chance(0.35) and case.all:
        listed = [(draw.below(40), *case.change(draw)) for _ in range(1 + draw.below(12))]
        made["changes"] = listed
        if draw.chance(0.3):  # the same, as a function of the step and the cell
            made["changes"] = lambda step, cell: [c[1:] for c in listed if (c[0] + len(str(cell))) % 9 == step % 9]
    if moving:
        start, speed = draw.pick(case.cells), draw.pick([0.3, 0.5, 1, 2])
        kinds = [
            lambda: replan.Flee(start, speed, seed=draw.below(9)),
            lambda: replan.Wander(start, speed, seed=draw.below(9)),
            lambda: replan.Route([draw.pick(case.cells) for _ in range(5)], speed),
            lambda: [draw.pick(case.cells) for _ in range(20)],
            lambda: Pacer(start, speed),
        ]
        made["target"] = draw.pick(kinds)()
    return replan.World(case.space, **made)


def short(thing: Any) -> str:
    return hashlib.blake2b(json.dumps(thing).encode(), digest_size=8).hexdigest()


def figures(trip: Any, whole: bool) -> dict[str, Any]:
    """All that a trip says but times; what is long as a hash."""
    said = {name: value for name, value in trip.as_dict().items() if name not in NOT_COMPARED}
    said["path"] = [list(c) if isinstance(c, tuple) else c for c in said["path"]]
    if not whole:
        said["path"], said["episode_expansions"] = short(said["path"]), short(said["episode_expansions"])
    return json.loads(json.dumps(said))


def walk(draw: Draw, case: Any, planner: Any, goal: Any, whole: bool) -> list[Any]:
    """Trips through a world; sometimes a second one, with the same planner, through another."""
    trips = []
    for _ in range(draw.pick([1, 1, 1, 2])):
        moving = draw.chance(0.25)
        trials = draw.pick([None, None, None, 3])
        ends = draw.pick(case.cells), None if moving else goal
        timing = draw.pick(["trip", "episode"])
        made = replan.simulate(a_world(draw, case, moving), planner, *ends, MAX_MOVES, timing, trials=trials)
        trips += made if trials else [made]
    return [figures(trip, whole) for trip in trips] + [getattr(planner, "bound", None)]


def drive(draw: Draw, case: Any, planner: Any, goal: Any, whole: bool) -> list[Any]:
    """An agent by hand, in a loop as a game has it: it sees, plans, moves; sometimes it is put elsewhere."""
    truth, agent = case.space, replan.Agent(planner, case.free(), draw.pick(case.cells), goal)
    bounded = planner.spec is not None and planner.spec.realtime
    log: list[Any] = []
    for _ in range(100):
        if draw.chance(0.1) and case.all:
            place, value = case.edit(draw)
            truth.put(truth.place(place), value)
        seen = case.around(agent.cell)
        agent.observe(seen, weights=[case.value(place) for place in seen])
        if draw.chance(0.04):
            agent.retarget(draw.pick(case.cells) if draw.chance(0.7) else set(case.cells[-3:]))
        if draw.chance(0.03):
            agent.restart(draw.pick(case.cells))
        if draw.chance(0.03):
            agent.move(draw.pick(case.cells))
        tight = bounded and draw.chance(0.1)
        budget = replan.Expansions(1 + draw.below(30)) if tight else None
        path = agent.plan(budget)
        log.append([] if path == [agent.cell] else path)  # both say: wait
        if path and truth.edge(truth.state(agent.cell), truth.state(path[0])) < 1 << 61:
            agent.move(path[0])
    counts = [getattr(planner, name) for name in ("expansions", "percolations", "h_increase", "refreshes", "intakes")]
    return [log if whole else short(log), agent.episodes, agent.cell, counts]


def query(draw: Draw, case: Any, goal: Any, whole: bool) -> list[Any]:
    """What LPA* says after each of some edits."""
    order = {name: draw.pick(VALUES[name]) for name in ("queue", "prefer", "ties", "seed")}
    asked = replan.LPAStar(case.space, draw.pick(case.cells), goal, **order)
    log = [asked.path()]
    for _ in range(20 if case.all else 0):
        place, value = case.edit(draw)
        asked.notify([place], weights=[value])
        log.append(asked.path())
    return [log if whole else short(log), asked.expansions]


def a_trip(seed: int, i: int, whole: bool = False, like: dict[str, Any] | None = None) -> dict[str, Any]:
    """Trip number i: what it was, and what came of it; with the planner and the options of one like it."""
    draw, specs = Draw(seed, i), replan.planners()
    spec = Draw(seed, i, "planner").pick(specs)
    if like is not None:
        spec = next(one for one in specs if one.name == like["planner"])
    plain = spec.unit_costs or spec.plain_grid or draw.chance(0.2)
    case = OnGraph(draw) if draw.chance(0.25) and not spec.plain_grid else OnGrid(draw, plain)
    several = draw.chance(0.1) and len(case.cells) > 3
    goal = {draw.pick(case.cells), *case.cells[:3]} if several else draw.pick(case.cells)
    options = options_for(partial(Draw, seed, i), spec, case, goal)
    if like is not None:
        options = {name: value for name, value in options.items() if name in like["options"]}
    way = draw.pick(["walk", "walk", "walk", "drive"]) if draw.chance(0.95) else "query"
    named = {name: str(value) if isinstance(value, (int, float, str)) else "own" for name, value in options.items()}
    told = {"trip": i, "planner": spec.name, "options": named, "way": way, "space": repr(case.space)}
    try:
        planner = Greedy() if draw.chance(0.03) else replan.planner(spec.name, **options)
        if way == "query":
            came = query(draw, case, goal, whole)
        else:
            came = (walk if way == "walk" else drive)(draw, case, planner, goal, whole)
    except Exception as error:
        if whole:
            raise
        came = ["refused" if isinstance(error, ValueError) else type(error).__name__]
    return json.loads(json.dumps({**told, "came": came}))


def trips(seed: int, count: int, like: Iterator[str] | None = None) -> Iterator[dict[str, Any]]:
    """Trips one after the other, like those of some lines of a record."""
    shown = sys.stderr.isatty()
    for i in range(count):
        faulthandler.dump_traceback_later(HANGS, exit=True)
        if shown or i % 1000 == 0:
            print(f"\r{i:,} of {count:,}", end="" if shown else "\n", file=sys.stderr, flush=True)
        yield a_trip(seed, i, like=None if like is None else json.loads(next(like)))
    faulthandler.cancel_dump_traceback_later()
    print(f"\r{count:,} of {count:,}", file=sys.stderr)


def record(file: Path, count: int, seed: int) -> None:
    with file.open("w", encoding="utf-8") as out:
        out.write(json.dumps({"seed": seed, "count": count, "compiled": replan.compiled}) + "\n")
        for told in trips(seed, count):
            out.write(json.dumps(told) + "\n")
            out.flush()


def compare(file: Path, count: int | None, shown: int) -> int:
    with file.open(encoding="utf-8") as lines:
        head = json.loads(next(lines))
        number = min(head["count"], count or head["count"])
        different = 0
        these, those = tee(islice(lines, number))
        for now, line in zip(trips(head["seed"], number, these), those, strict=True):
            then = json.loads(line)
            if now == then:
                continue
            different += 1
            if different <= shown:
                about = {name: value for name, value in now.items() if name != "came"}
                print(f"\n{about}\n  then {then['came']}\n  now  {now['came']}")
    core = "compiled" if replan.compiled else "interpreted"
    print(f"{number:,} trips, now {core}: {different or 'none'} different")
    return 1 if different else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["record", "compare", "show"])
    parser.add_argument("which", help="a file; for show the number of a trip")
    parser.add_argument("--count", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--shown", type=int, default=10)
    options = parser.parse_args()
    faulthandler.enable()
    if options.what == "show":
        print(json.dumps(a_trip(options.seed, int(options.which), whole=True), indent=1))
        return 0
    if options.what == "record":
        record(Path(options.which), options.count or 10_000, options.seed)
        return 0
    return compare(Path(options.which), options.count, options.shown)


if __name__ == "__main__":
    sys.exit(main())
