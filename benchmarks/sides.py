"""Two cores side by side in one run: the same pieces of work, in turn, as ratios of their times or instructions.

    python benchmarks/sides.py OLD_CHECKOUT [NEW_CHECKOUT] [--rounds 15] [--starts 3] [--only WORD] [--interpreted]
    python benchmarks/sides.py OLD_CHECKOUT [NEW_CHECKOUT] --instructions [--only WORD]

NEW_CHECKOUT is this one unless given. Each side is a process with the Python of its checkout's .venv (this Python if it
has none) and the sources of its checkout. They take turns, and of each trip the best time counts, in processor time:
what else the machine does disturbs that least. Where memory happens to lie can make one process a few hundredths slower
than another, so each side is started `--starts` times, and the rounds are spread over these. A row whose sides did not
expand and walk the same is marked.

`--instructions` counts instructions by callgrind (valgrind) instead: each row once, after one run that is not counted.
Other work on the machine does not disturb that count.

Planners that can detect unreachable goals are measured without that (`notice=False`; benchmarks/unreachable.py measures
what it costs). A checkout that lacks an option, a class or a planner of a row does not run that row: the row says what
is missing, is no part of the mean, and the exit code is 1. `--drop OPTION` measures an older checkout all the same: the
planners on both sides are made without that option. What was only renamed is not missing: tests/public_names.py knows
the names of older and newer checkouts.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(HERE / "tests"))  # public_names.py, imported by a side: it imports replan
ALLOWED_MEAN, ALLOWED_ROW, ALLOWED_INTERPRETED, ALLOWED_INSTRUCTIONS = 1.02, 1.05, 1.25, 1.02
MARK = "getppid"  # a function of the C library that nothing else calls: callgrind writes its counts when it is called
DETECTS = {"RTAA*", "LSS-LRTA*", "daRTAA*", "LRTA*", "TBA*", "RTD*", "RTD* NoOp"}  # planners that have `notice`

Part = Callable[[], Any]  # one trip: returns what must be the same on both sides


# What is timed. A piece of work is a list of parts, each of them timed by itself.


class Terrain:
    """The maps, smaller and fewer ones where the core runs interpreted."""

    def __init__(self, small: bool, dropped: frozenset[str] = frozenset()) -> None:
        import public_names
        import replan

        self.replan, self.names, self.small, self.dropped = replan, public_names, small, dropped

    def options(self, planner: str, options: dict[str, Any]) -> dict[str, Any]:
        """The options that a planner is made with: without the detection of unreachable goals, and without --drop."""
        quiet = {"notice": False} if planner in DETECTS else {}
        kept = {name: value for name, value in {**quiet, **options}.items() if name not in self.dropped}
        return self.names.options(kept)

    def planner(self, name: str, **options: Any) -> Any:
        return self.replan.planner(name, **self.options(name, options))

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


def said(trip: Any) -> list[Any]:
    return [trip.why, trip.moves, trip.episodes, trip.expansions]


def walks(land: Terrain, problems: list[Any], name: str, most: int | None = None, **options: Any) -> list[Part]:
    """A trip of one planner through each of these maps, none of which it knows."""
    replan = land.replan
    planner = land.planner(name, **options)

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
    planner = land.planner(name, **options)

    def part(doors: Any, world: Any) -> Part:
        return lambda: said(replan.simulate(world, planner, doors.start, doors.goal, max_moves=3000))

    return [part(doors, land.names.attribute(doors, "world")()) for doors in land.doors(count)]


def by_hand(land: Terrain, count: int, name: str, **options: Any) -> list[Part]:
    """The loop of a game: observe, plan, move."""
    replan = land.replan
    planner = land.planner(name, **options)

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
            trip = replan.simulate(replan.World(grid), land.planner("RTAA*", lookahead=33), start, goal)
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


def crowds(land: Terrain, count: int, frames: int, name: str, goals: int = 0, **options: Any) -> list[Part]:
    """A crowd on each of these maps: characters that arrive are sent elsewhere. `goals` of them; 0: one each."""
    import numpy as np

    replan = land.replan
    problems = land.levels(4)[::4]  # a cave, and rooms

    def part(grid: Any, seed: int) -> Part:
        def loop() -> Any:
            rng = np.random.default_rng(seed)
            free = np.argwhere(~grid.blocked)
            aims = free[rng.choice(len(free), goals or len(free), replace=False)]
            crowd = replan.Crowd(
                replan.World(grid), land.names.attribute_name(replan, name), **land.options(name, options)
            )
            people = land.few(count)
            starts = free[rng.choice(len(free), people, replace=False)]
            ids = crowd.add(starts, aims[rng.integers(0, len(aims), people)])
            for frame in range(land.few(frames)):
                crowd.tick()
                if frame % 8 == 0:
                    there = ids[(crowd.cells == crowd.goals).all(axis=1)]
                    crowd.retarget(there, aims[rng.integers(0, len(aims), len(there))])
            return [crowd.cells.tolist(), crowd.report().expansions]

        return loop

    return [part(grid, seed) for seed, (grid, _, _) in enumerate(problems)]


def fields(land: Terrain, count: int, changes: int) -> list[Part]:
    """Ways of many agents to one goal, and again after each of some changes."""
    import numpy as np

    replan = land.replan

    def part(grid: Any, goal: Any, seed: int) -> Part:
        def loop() -> Any:
            rng = np.random.default_rng(seed)
            free = np.argwhere(~grid.blocked)
            free = free[(free != goal).any(axis=1)]
            cells = free[rng.choice(len(free), land.few(count), replace=False)]
            believed = replan.Grid(grid.blocked)
            field = land.names.attribute(replan, "Field")(believed, goal)
            known = [int(field.advance(cells).sum())]
            for i in range(land.few(changes)):
                edited = free[rng.choice(len(free), 20, replace=False)]
                field.observe(edited, np.full(20, i % 2 == 0))
                known.append(int(field.advance(cells, replan.Expansions(2000)).sum()))
            return [known, field.expansions, [field.step(tuple(cell)) for cell in cells[:20].tolist()]]

        return loop

    return [part(grid, goal, seed) for seed, (grid, _, goal) in enumerate(land.levels(4)[::4])]


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
        ("Truncated D* Lite", "Truncated D* Lite", 3, 5, {}),
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
    for name, goals, options in (
        ("crowd, RTAA* 9", 0, {"lookahead": 9}),
        ("crowd, RTAA* 9, solid", 0, {"lookahead": 9, "solid": True}),
        ("crowd, field", 2, {}),
        ("crowd, field, solid", 2, {"solid": True}),
    ):
        planner = "Field" if goals else "RTAA*"
        count, frames = (60, 40) if goals else (300, 60)
        row(name, partial(crowds, count=count, frames=frames, name=planner, goals=goals, **options))
    row("field, changes", partial(fields, count=200, changes=40))
    return table


# A side: a process that does what it is told, a line each.


def work(checkout: Path, interpreted: bool, dropped: frozenset[str]) -> None:
    if interpreted and (checkout / "tests" / "interpret.py").exists():  # before REPLAN_INTERPRETED was enough
        sys.path.insert(0, str(checkout / "tests"))
        importlib.import_module("interpret").use_sources(checkout / "src" / "replan")
    import replan

    if Path(replan.__file__).resolve().parent != checkout / "src" / "replan" or replan.compiled == interpreted:
        core = "compiled" if replan.compiled else "interpreted"
        sys.exit(f"{checkout}: imports {replan.__file__}, {core}")
    land, table, ready = Terrain(interpreted, dropped), pieces(), ""
    parts: list[Part] = []
    gc.disable()
    for line in sys.stdin:
        name = json.loads(line)
        times, answers = [], []
        try:
            if name != ready:
                ready, parts = name, table[name](land)
            gc.collect()
            os.getppid()
            for part in parts:
                start = time.process_time_ns()
                answer = part()
                times.append(time.process_time_ns() - start)
                answers.append(answer)
            os.getppid()
        except (replan.InputError, AttributeError, TypeError) as error:  # what an older checkout does not have
            print(json.dumps({"missing": f"{type(error).__name__}: {error}"}), flush=True)
        else:
            print(json.dumps({"times": times, "answers": answers}), flush=True)


class Missing(Exception):
    """A side lacks what a row needs."""


class Side:
    """One of the two processes. counts: the folder in which callgrind writes; None: times are measured."""

    def __init__(self, checkout: Path, options: argparse.Namespace, counts: Path | None = None) -> None:
        python = checkout / ".venv" / "bin" / "python"
        call = [str(python if python.exists() else sys.executable), str(Path(__file__).resolve()), str(checkout)]
        call += ["--work", *(["--interpreted"] if options.interpreted else [])]
        call += [word for name in options.drop for word in ("--drop", name)]
        if counts is not None:
            output = [f"--callgrind-out-file={counts / 'out'}", f"--dump-before={MARK}"]
            call = ["valgrind", "--quiet", "--tool=callgrind", *output, *call]
        environment = {
            **os.environ,
            "PYTHONPATH": str(checkout / "src"),
            "PYTHONHASHSEED": "0",
            "REPLAN_INTERPRETED": str(int(options.interpreted)),
        }
        self.checkout, self.counts = checkout, counts
        self.process = subprocess.Popen(call, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(self, name: str) -> tuple[list[int], Any]:
        """The time of each part, and what must be the same on both sides. Raises Missing."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(json.dumps(name) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"a side ended in {name!r} with exit code {self.process.wait()}")
        told = json.loads(line)
        if "missing" in told:
            raise Missing(f"{self.checkout}: {told['missing']}")
        return told["times"], told["answers"]

    def count(self, name: str) -> tuple[int, Any]:
        """The instructions of all parts, the second time that they run, and what must be the same on both sides."""
        assert self.counts is not None
        self.run(name)
        _, answers = self.run(name)
        dumps = sorted(self.counts.glob("out.*"), key=lambda path: int(path.suffix[1:]))
        totals = [line for line in dumps[-1].read_text().splitlines() if line.startswith("totals:")]
        for path in dumps[:-1]:  # the last one stays: callgrind numbers on from it
            path.unlink()
        return int(totals[0].split()[1]), answers

    def end(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


class Row:
    """What was found of one row: a figure of each part on both sides."""

    def __init__(self) -> None:
        self.best: list[list[int]] = [[], []]
        self.same, self.missing = True, ""

    @property
    def sums(self) -> tuple[int, int]:
        return sum(self.best[0]), sum(self.best[1])

    @property
    def ratio(self) -> float:
        return self.sums[1] / self.sums[0]

    def keep(self, i: int, figures: list[int]) -> None:
        self.best[i] = [min(pair) for pair in zip(figures, self.best[i] or figures, strict=True)]

    def judge(self, limit: float) -> tuple[str, bool]:
        """The end of its line, and whether it keeps the limit."""
        if self.missing:
            return f"NOT MEASURED: {self.missing}", False
        kept = self.ratio <= limit
        figures = " ".join(f"{figure / 1e6:8.2f}" for figure in self.sums)
        alike = "" if self.same else "  NOT THE SAME WORK"
        return f"{figures} {self.ratio:6.3f} {limit:6.2f} {'yes' if kept else 'NO':>3}{alike}", kept and self.same


def measure(checkouts: tuple[Path, Path], names: list[str], options: argparse.Namespace) -> dict[str, Row]:
    """The best time of each part of each row, on both sides."""
    found = {name: Row() for name in names}
    for begun in range(options.starts):
        sides = [Side(checkout, options) for checkout in checkouts]
        for name, row in found.items():
            progress(f"{begun + 1} of {options.starts}: {name}")
            try:
                for turn in range(max(1, options.rounds // options.starts) + 1):
                    answers = {}
                    for i in (0, 1) if turn % 2 else (1, 0):
                        times, answers[i] = sides[i].run(name)
                        if turn > 0:  # the first time memory is taken
                            row.keep(i, times)
                    row.same = row.same and answers[0] == answers[1]
            except Missing as missing:
                row.missing = str(missing)
        for side in sides:
            side.end()
    progress("")
    return found


def count(checkouts: tuple[Path, Path], names: list[str], options: argparse.Namespace) -> dict[str, Row]:
    """The instructions of each row, on both sides."""
    if shutil.which("valgrind") is None:
        sys.exit("--instructions needs valgrind, which is not installed")
    found = {name: Row() for name in names}
    with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
        sides = [Side(at, options, Path(into)) for at, into in zip(checkouts, (first, second), strict=True)]
        for name, row in found.items():
            progress(name)
            answers = []
            try:
                for i, side in enumerate(sides):
                    instructions, answer = side.count(name)
                    row.keep(i, [instructions])
                    answers.append(answer)
                row.same = answers[0] == answers[1]
            except Missing as missing:
                row.missing = str(missing)
        for side in sides:
            side.end()
    progress("")
    return found


def progress(what: str) -> None:
    print(f"\r{what:<60}\r", end="", file=sys.stderr, flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path, nargs="?", default=HERE)
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--starts", type=int)
    parser.add_argument("--only", action="append", help="rows whose name contains this")
    parser.add_argument("--drop", action="append", default=[], help="an option that no planner is given")
    parser.add_argument("--instructions", action="store_true", help="count instructions by callgrind instead of times")
    parser.add_argument("--interpreted", action="store_true")
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    old, new = options.old.resolve(), options.new.resolve()
    if options.work:
        work(old, options.interpreted, frozenset(options.drop))
        return 0
    options.rounds = options.rounds or (5 if options.interpreted else 15)
    options.starts = options.starts or (1 if options.interpreted else 3)
    row_limit, mean_limit = ALLOWED_ROW, ALLOWED_MEAN
    if options.interpreted:
        row_limit = mean_limit = ALLOWED_INTERPRETED
    if options.instructions:
        row_limit = mean_limit = ALLOWED_INSTRUCTIONS
    names = [name for name in pieces() if not options.only or any(word in name for word in options.only)]
    if not names:
        parser.error(f"no row has {' or '.join(options.only)} in its name")
    found = (count if options.instructions else measure)((old, new), names, options)
    for option in options.drop:
        print(f"planners on both sides are made without {option}=")
    unit = "M" if options.instructions else "ms"
    print(f"{'':34} {f'old {unit}':>8} {f'new {unit}':>8} {'ratio':>6} {'allowed':>10}")
    all_kept = True
    for name, row in found.items():
        line, kept = row.judge(row_limit)
        all_kept = all_kept and kept
        print(f"{name:<34} {line}")
    ratios = [row.ratio for row in found.values() if not row.missing]
    if not ratios:
        return 1
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    print(f"{'geometric mean':<52} {mean:6.3f} {mean_limit:6.2f} {'yes' if mean <= mean_limit else 'NO':>3}")
    return 0 if all_kept and mean <= mean_limit else 1


if __name__ == "__main__":
    sys.exit(main())
