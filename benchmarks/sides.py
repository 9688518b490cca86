"""Two cores side by side in one run: the same pieces of work, in turn, as ratios of their times.

    python benchmarks/sides.py OLD_CHECKOUT [NEW_CHECKOUT] [--rounds 15] [--starts 3] [--only WORD] [--interpreted]

NEW_CHECKOUT is this one unless given. Each side is a process with the Python of its checkout's .venv (this Python if it
has none) and the sources of its checkout. They take turns, and of each trip the best time counts, in processor time:
what else the machine does disturbs that least. Where memory happens to lie can make one process a few hundredths slower
than another, so each side is started `--starts` times, and the rounds are spread over these. "same" says whether both
expanded and walked the same. What `notice` costs (benchmarks/unreachable.py measures it) is left out on both sides:
older cores have no such thing.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import json
import math
import os
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parents[1]
ALLOWED_MEAN, ALLOWED_ROW, ALLOWED_INTERPRETED = 1.02, 1.05, 1.25

Part = Callable[[], Any]  # one trip: returns what must be the same on both sides


# What is timed. A piece of work is a list of parts, each of them timed by itself.


class Terrain:
    """The maps, smaller and fewer ones where the core runs interpreted."""

    def __init__(self, small: bool) -> None:
        import replan

        self.replan, self.small = replan, small

    def few(self, count: int) -> int:
        return max(1, count // 10) if self.small else count

    def mazes(self, count: int, side: int = 151) -> list[Any]:
        """Grids with 4 neighbours, and two ends of each."""
        side = 41 if self.small else side
        made = [self.replan.maze(side, side, seed=i) for i in range(self.few(count))]
        return [self.ends(blocked, i, neighbors=4) for i, blocked in enumerate(made)]

    def levels(self, count: int, weighted: bool = False) -> list[Any]:
        """Something like the maps of games, 8 neighbours: caves and rooms by turns, four trips through each."""
        import numpy as np

        side, found = (64 if self.small else 256), []
        for i in range(self.few(count)):
            blocked = self.replan.cave(side, side, seed=i) if i % 2 else self.replan.rooms(side, side, 9, 1, seed=i)
            weights = np.random.default_rng(i).integers(1, 6, blocked.shape) if weighted else None
            found += [self.ends(blocked, 4 * i + j, weights=weights) for j in range(4)]
        return found

    def ends(self, blocked: Any, seed: int, **kinds: Any) -> Any:
        import numpy as np

        free = np.argwhere(~blocked)
        start, goal = np.random.default_rng(seed).choice(len(free), 2, replace=False)
        return self.replan.Grid(blocked, **kinds), tuple(free[start].tolist()), tuple(free[goal].tolist())

    def graph(self) -> Any:
        """Points in a square, each with directed edges to its nearest ones."""
        import numpy as np

        n = 400 if self.small else 10_000
        xy = np.random.default_rng(5).integers(0, 1000, (n, 2))
        order = np.argsort(xy[:, 0] // 40 * 10_000 + xy[:, 1])
        edges = []
        for i, u in enumerate(order.tolist()):
            for j in (1, 2, 3, 40):
                if i + j < n:
                    v = int(order[i + j])
                    cost = 1 + int(np.abs(xy[u] - xy[v]).sum())
                    edges += [(u, v, cost), (v, u, cost + j)]
        where = {i: (float(x), float(y)) for i, (x, y) in enumerate(xy.tolist())}
        graph = self.replan.Graph(edges, directed=True, positions=where)
        rng = np.random.default_rng(6)
        for i in rng.choice(len(edges), len(edges) // 5, replace=False).tolist():
            graph.block(*edges[i][:2])
        return graph

    def doors(self, count: int) -> list[Any]:
        side = 33 if self.small else 100
        return [self.replan.rooms_with_doors(side, side, seed=i) for i in range(self.few(count))]


def made(replan: Any, name: str, **options: Any) -> Any:
    """A planner that does not watch out for goals that cannot be reached, if that can be told it."""
    try:
        return replan.planner(name, notice=False, **options)
    except replan.InputError:
        return replan.planner(name, **options)


def said(trip: Any) -> list[Any]:
    return [trip.why, trip.moves, trip.episodes, trip.expansions]


def walks(land: Terrain, problems: list[Any], name: str, most: int | None = None, **options: Any) -> list[Part]:
    """A trip of one planner through each of these maps, none of which it knows."""
    replan = land.replan
    planner = made(replan, name, **options)

    def part(world: Any, start: Any, goal: Any) -> Part:
        return lambda: said(replan.simulate(world, planner, start, goal, max_moves=most))

    return [part(replan.World(grid), start, goal) for grid, start, goal in problems]


def graph_walks(land: Terrain, count: int, name: str, **options: Any) -> list[Part]:
    graph = land.graph()
    problems = [(graph, (i * 7919) % graph.n, (i * 104_729 + 50) % graph.n) for i in range(land.few(count))]
    return walks(land, problems, name, most=5000, **options)


def door_walks(land: Terrain, count: int, name: str, **options: Any) -> list[Part]:
    """A known map that changes."""
    replan = land.replan
    planner = made(replan, name, **options)

    def part(doors: Any, world: Any) -> Part:
        return lambda: said(replan.simulate(world, planner, doors.start, doors.goal, max_moves=3000))

    return [part(doors, doors.world()) for doors in land.doors(count)]


def by_hand(land: Terrain, count: int, name: str, **options: Any) -> list[Part]:
    """The loop of a game: observe, plan, move."""
    replan = land.replan
    planner = made(replan, name, **options)

    def part(grid: Any, start: Any, goal: Any) -> Part:
        import numpy as np

        blocked = np.pad(grid.blocked, 1, constant_values=True)

        def loop() -> Any:
            agent = replan.Agent(planner, replan.Grid(np.zeros(grid.shape, bool), neighbors=4), start, goal)
            moves = 0
            while moves < 3000:
                row, col = agent.cell
                near = [(row, col + 1), (row + 1, col), (row, col - 1), (row - 1, col)]
                near = [(r, c) for r, c in near if 0 <= r < grid.rows and 0 <= c < grid.cols]
                agent.observe(near, [blocked[r + 1, c + 1] for r, c in near])
                path = agent.plan()
                if not path:
                    break
                agent.move(path[0])
                moves += 1
            return [moves, agent.episodes]

        return loop

    return [part(*problem) for problem in land.mazes(count, 101)]


def short_trips(land: Terrain, count: int) -> list[Part]:
    """Many worlds and planners that are used once: what making them takes."""
    replan = land.replan
    problems = land.mazes(1, 31)

    def part() -> Any:
        grid, start, goal = problems[0]
        trip = None
        for _ in range(land.few(count)):
            trip = replan.simulate(replan.World(grid), made(replan, "RTAA*", lookahead=33), start, goal)
        return said(trip)

    return [part]


def queries(land: Terrain, count: int) -> list[Part]:
    """LPA*: a path after each of some changes."""
    import numpy as np

    replan = land.replan
    rng = np.random.default_rng(1)
    side = 31 if land.small else 101
    edits = [tuple(cell) for cell in rng.integers(1, side - 1, (land.few(count), 2)).tolist()]

    def part() -> Any:
        asked = replan.LPAStar(replan.Grid(np.zeros((side, side), bool)), (0, 0), (side - 1, side - 1))
        lengths = []
        for i, cell in enumerate(edits):
            asked.notify([cell], blocked=[i % 3 != 2])
            path = asked.path()
            lengths.append(-1 if path is None else len(path))
        return [lengths, asked.expansions]

    return [part]


BUCKETS = {"queue": "buckets"}
LOOKAHEADS = (9, 33, 89, None)


def pieces() -> dict[str, Callable[[Terrain], list[Part]]]:
    """What is timed, by name. The numbers of maps are such that each takes some 20 to 100 ms compiled."""
    table: dict[str, Callable[[Terrain], list[Part]]] = {}

    def row(name: str, make: Callable[[Terrain], list[Part]]) -> None:
        table[name] = make

    def mazes(name: str, planner: str, count: int, **options: Any) -> None:
        row(f"{name}, mazes", lambda land: walks(land, land.mazes(count), planner, **options))

    def levels(name: str, planner: str, count: int, weighted: bool = False, **options: Any) -> None:
        kind = "weighted levels" if weighted else "levels"
        row(f"{name}, {kind}", lambda land: walks(land, land.levels(count, weighted), planner, **options))

    for queue, options in (("heap", {}), ("buckets", BUCKETS)):
        for lookahead in LOOKAHEADS:
            mazes(f"RTAA* {queue} {lookahead or 'inf'}", "RTAA*", 7, lookahead=lookahead, **options)
    for lookahead in (9, 89):
        mazes(f"LSS-LRTA* heap {lookahead}", "LSS-LRTA*", 4, lookahead=lookahead)
        mazes(f"LSS-LRTA* buckets {lookahead}", "LSS-LRTA*", 4, lookahead=lookahead, **BUCKETS)
        levels(f"RTAA* heap {lookahead}", "RTAA*", 12, lookahead=lookahead)
        levels(f"LSS-LRTA* heap {lookahead}", "LSS-LRTA*", 8, lookahead=lookahead)
    levels("RTAA* heap inf", "RTAA*", 10, lookahead=None)
    mazes("daRTAA* heap 33", "daRTAA*", 5, lookahead=33)
    mazes("LRTA* depth 3", "LRTA*", 1, depth=3)
    for name, planner, in_mazes, in_levels, options in (
        ("D* Lite heap", "D* Lite", 5, 10, {}),
        ("D* Lite buckets", "D* Lite", 6, 0, BUCKETS),
        ("Repeated A*", "Repeated Forward A*", 2, 10, {}),
        ("Repeated Backward A*", "Repeated Backward A*", 1, 0, {}),
        ("Adaptive A*", "Adaptive A*", 5, 12, {}),
        ("TBA*", "TBA*", 5, 0, {}),
        ("AD*", "AD*", 2, 5, {}),
        ("ARA*", "ARA*", 1, 5, {}),
        ("Repeated BFS", "Repeated BFS", 1, 0, {}),
        ("Compact A*", "Compact A*", 3, 0, {}),
    ):
        mazes(name, planner, in_mazes, **options)
        if in_levels:
            levels(name, planner, in_levels, **options)
    levels("RTAA* heap 33", "RTAA*", 8, weighted=True, lookahead=33)
    levels("D* Lite heap", "D* Lite", 4, weighted=True)
    levels("Repeated A*", "Repeated Forward A*", 4, weighted=True)
    for name in ("RTD*", "RTD* NoOp", "TBA*"):
        row(f"{name}, doors", partial(door_walks, count=8, name=name, lookahead=256))
    for name, count, options in (("RTAA*", 10, {"lookahead": 33}), ("D* Lite", 30, {}), ("Repeated Forward A*", 5, {})):
        row(f"{name}, graph", partial(graph_walks, count=count, name=name, **options))
    for name, options in (("RTAA*", {"lookahead": 33}), ("D* Lite", {})):
        row(f"Agent.plan loop, {name}", partial(by_hand, count=3, name=name, **options))
    row("short trips", partial(short_trips, count=50))
    row("LPA*, changes", partial(queries, count=600))
    return table


# A side: a process that does what it is told, a line each.


def work(checkout: Path, interpreted: bool) -> None:
    if interpreted and (checkout / "tests" / "interpret.py").exists():  # before REPLAN_INTERPRETED was enough
        sys.path.insert(0, str(checkout / "tests"))
        importlib.import_module("interpret").use_sources(checkout / "src" / "replan")
    import replan

    if Path(replan.__file__).resolve().parent != checkout / "src" / "replan" or replan.compiled == interpreted:
        core = "compiled" if replan.compiled else "interpreted"
        sys.exit(f"{checkout}: imports {replan.__file__}, {core}")
    land, table, ready = Terrain(small=interpreted), pieces(), ""
    parts: list[Part] = []
    gc.disable()
    for line in sys.stdin:
        name = json.loads(line)
        if name != ready:
            ready, parts = name, table[name](land)
        gc.collect()
        times, answers = [], []
        for part in parts:
            start = time.process_time_ns()
            answer = part()
            times.append(time.process_time_ns() - start)
            answers.append(answer)
        print(json.dumps([times, answers]), flush=True)


class Side:
    """One of the two processes."""

    def __init__(self, checkout: Path, interpreted: bool) -> None:
        python = checkout / ".venv" / "bin" / "python"
        call = [str(python if python.exists() else sys.executable), str(Path(__file__).resolve()), str(checkout)]
        environment = {**os.environ, "PYTHONPATH": str(checkout / "src"), "REPLAN_INTERPRETED": str(int(interpreted))}
        self.process = subprocess.Popen(
            [*call, "--work", *(["--interpreted"] if interpreted else [])],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, name: str) -> tuple[list[int], Any]:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(json.dumps(name) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"a side ended in {name!r} with exit code {self.process.wait()}")
        times, answers = json.loads(line)
        return times, answers

    def end(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def measure(checkouts: tuple[Path, Path], names: list[str], rounds: int, starts: int, interpreted: bool) -> Any:
    """The best time of each part of each piece, on both sides; and whether both did the same."""
    best: dict[tuple[str, int], list[int]] = {}
    same = dict.fromkeys(names, True)
    for begun in range(starts):
        sides = [Side(checkout, interpreted) for checkout in checkouts]
        for name in names:
            print(f"\r{begun + 1} of {starts}: {name:<40}", end="", file=sys.stderr, flush=True)
            for turn in range(max(1, rounds // starts) + 1):
                answers = {}
                for i in (0, 1) if turn % 2 else (1, 0):
                    times, answers[i] = sides[i].run(name)
                    if turn > 0:  # the first time memory is taken
                        best[name, i] = [min(pair) for pair in zip(times, best.get((name, i), times), strict=True)]
                same[name] = same[name] and answers[0] == answers[1]
        for side in sides:
            side.end()
    print("\r" + " " * 60 + "\r", end="", file=sys.stderr)
    return {name: (sum(best[name, 0]), sum(best[name, 1]), same[name]) for name in names}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path, nargs="?", default=HERE)
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--starts", type=int)
    parser.add_argument("--only", action="append", help="rows whose name contains this")
    parser.add_argument("--interpreted", action="store_true")
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    old, new = options.old.resolve(), options.new.resolve()
    if options.work:
        work(old, options.interpreted)
        return 0
    rounds = options.rounds or (5 if options.interpreted else 15)
    starts = options.starts or (1 if options.interpreted else 3)
    row_limit = mean_limit = ALLOWED_INTERPRETED
    if not options.interpreted:
        row_limit, mean_limit = ALLOWED_ROW, ALLOWED_MEAN
    names = [name for name in pieces() if not options.only or any(word in name for word in options.only)]
    found = measure((old, new), names, rounds, starts, options.interpreted)
    print(f"{'':34} {'old ms':>8} {'new ms':>8} {'ratio':>6} {'allowed':>7}")
    for name, (before, after, same) in found.items():
        ratio = after / before
        verdict = f"{row_limit:.2f} {'yes' if ratio <= row_limit else 'NO'}"
        alike = "" if same else "  NOT THE SAME WORK"
        print(f"{name:<34} {before / 1e6:8.2f} {after / 1e6:8.2f} {ratio:6.3f} {verdict:>8}{alike}")
    mean = math.exp(sum(math.log(after / before) for before, after, _ in found.values()) / len(found))
    print(f"{'geometric mean':<52} {mean:6.3f} {mean_limit:.2f} {'yes' if mean <= mean_limit else 'NO'}")
    kept = mean <= mean_limit and all(b <= row_limit * a and same for a, b, same in found.values())
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
