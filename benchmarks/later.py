"""The planners that came after the papers, on the maps of games: what their trips cost and how much they expand.

    python benchmarks/later.py [PART ...] [--maps DIR] [--problems 3]

Parts: real-time, cheapest, why, team, targets, truncated, speed; all, if none is named. Unknown terrain, 8 neighbours,
corners not cut, the agent sees the cells beside it. Expansions and costs are means over trips: they do not depend on
the machine. Milliseconds are of all searches of a trip, the best of three rounds in which the planners take turns.
`speed` says what an expansion takes, beside one of the planner's nearest relative. Costs and expansions have long
tails: with three problems a map read factors, not digits. `weights.py` has what weights do.
"""

from __future__ import annotations

import argparse
import heapq
import os
from collections.abc import Iterator
from math import dist
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

import replan

DRAGON_AGE = ["den312d", "lak303d", "lak503d", "ost003d", "arena2", "den520d", "brc000d", "hrt201d"]
SMALL = [("dao", name) for name in DRAGON_AGE]
LARGE = [("dao", "orz900d"), ("dao", "ost100d"), ("sc1", "Ramparts"), ("sc1", "Enigma")]
LARGE += [("wc3", "gnollwood"), ("wc3", "darkforest"), ("bg", "AR0012SR"), ("bg", "AR0700SR")]
SLICES = (8, 32, 128)
REAL_TIME: list[tuple[str, dict[str, Any]]] = [
    ("RTAA*", {}),
    ("daRTAA*", {}),
    ("LSS-LRTA*", {}),
    ("wLSS-LRTA*", {"update_weight": 4}),
    ("wLSS-LRTA*", {"update_weight": 16}),
    ("daLSS-LRTA*", {}),
    ("wdaLSS-LRTA*", {"update_weight": 2}),
    ("wdaLSS-LRTA*", {"update_weight": 4}),
    ("TBA*", {}),
    ("TBAA*", {}),
    ("FRIT", {}),
]
CHEAPEST = ("D* Lite", "D* Extra Lite", "Generalized Adaptive A*", "MPGAA*")
SETS = {
    "rooms": "room 16room_000 32room_000 64room_000 8room_000",
    "random 10 %": "random random512-10-0",
    "wc3": "wc3 gnollwood darkforest riverrun heart2heart scorchedbasin",
    "dao": "dao brc202d orz702d ost000a orz103d brc204d hrt201d",
    "sc1": "sc1 Ramparts Enigma JungleSiege WheelofWar",
    "random 40 %": "random random512-40-0",
    "mazes 512": "maze maze512-16-0",
}


def problems(maps: Path, names: list[tuple[str, str]], each: int) -> Iterator[tuple[replan.World, Any, Any]]:
    """Scenarios from the middle of a map's list to its end, where the ways are long."""
    for folder, name in names:
        grid = replan.Grid.load(maps / folder / f"{name}.map")
        listed = replan.maps.read_scenarios(maps / folder / f"{name}.map.scen")
        fit = [one for one in listed if not grid.blocked[one.start] and not grid.blocked[one.goal]]
        for i in np.linspace(len(fit) // 2, len(fit) - 1, each).astype(int):
            yield replan.World(grid), fit[i].start, fit[i].goal


def mean_of(cases: list[Any], name: str, **options: Any) -> tuple[float, float, float]:
    """Cost, steps and expansions of a trip."""
    planner = replan.planner(name, **options)
    trips = [replan.simulate(world, planner, start, goal, max_moves=10**7) for world, start, goal in cases]
    late = sum(not trip.reached for trip in trips)
    if late:
        print(f"{name} {options}: {late} trips did not arrive")
    return tuple(np.mean([[trip.cost, trip.steps, trip.expansions] for trip in trips], axis=0))


def label(name: str, options: dict[str, Any]) -> str:
    return " ".join([name, *(f"{key}={value}" for key, value in options.items())])


def real_time(maps: Path, each: int) -> None:
    for title, names in (("small maps", SMALL), ("large maps", LARGE)):
        cases = list(problems(maps, names, each))
        known = [replan.simulate(world.truth, "Repeated Forward A*", a, b).cost for world, a, b in cases]
        print(f"\n{title}, {len(cases)} problems, cheapest {np.mean(known):.0f}: cost (expansions) of a trip")
        print(f"{'':28}" + "".join(f"{f'k = {k}':>22}" for k in SLICES))
        for name, options in REAL_TIME:
            cells = []
            for k in SLICES:
                cost, steps, expansions = mean_of(cases, name, lookahead=k, **options)
                shown = f"{cost:,.0f} in {steps:,.0f}" if name == "FRIT" else f"{cost:,.0f}"  # it waits, too
                cells.append(f"{shown} ({expansions / 1000:,.0f}k)")
            print(f"{label(name, options):28}" + "".join(f"{cell:>22}" for cell in cells), flush=True)


def cheapest(maps: Path, each: int) -> None:
    print(f"\n{'expansions (ms) of a trip':28}" + "".join(f"{name:>26}" for name in CHEAPEST) + "   MPGAA* is")
    for title, cases in sets(maps, each):
        rounds = [[summed(cases, name) for name in CHEAPEST] for _ in range(3)]
        best = np.min(rounds, axis=0) / len(cases)
        cells = [f"{expansions:14,.0f} ({ns / 1e6:8.2f})" for expansions, ns in best]
        faster = f"{best[0, 1] / best[-1, 1]:8.2f} x as fast as D* Lite, which refreshes {refreshed(cases):,.0f} keys"
        print(f"{title:28}" + "".join(f"{cell:>26}" for cell in cells) + faster, flush=True)


class FirstIn(replan.Queue):
    """Smaller f first, and nothing said of g: of equal ones that which came first."""

    def __init__(self, order: Any) -> None:
        self.clear()

    def push(self, state: int, f: int, g: int) -> None:
        self.count += 1
        self.current[state] = entry = (f, self.count, state)
        heapq.heappush(self.heap, entry)

    def remove(self, state: int) -> None:
        del self.current[state]

    def first(self) -> int | None:
        while self.heap and self.current.get(self.heap[0][2]) != self.heap[0]:
            heapq.heappop(self.heap)
        return self.heap[0][2] if self.heap else None

    def clear(self) -> None:
        self.heap: list[Any] = []
        self.current: dict[int, Any] = {}
        self.count = 0


def why(maps: Path, each: int) -> None:
    """Radius 10 with line of sight, 12 problems a set: what h and ties do to MPGAA* and to D* Lite."""
    rows = [("MPGAA*", queue, h) for h in ("octile", "straight line") for queue in ("heap", FirstIn)]
    rows += [("D* Lite", "heap", "octile"), ("D* Lite", "heap", "straight line")]
    eye, found = replan.Radius(10, line_of_sight=True), []
    for title in ("rooms", "wc3", "random 10 %"):
        folder, *names = SETS[title].split()
        chosen = [(folder, name) for name in names[:4]]
        listed = problems(maps, chosen, 12 // len(chosen))
        cases = [(replan.World(world.truth, sensor=eye), start, goal) for world, start, goal in listed]
        more = [{"queue": queue, "heuristic": None if h == "octile" else dist} for _, queue, h in rows]
        found.append([mean_of(cases, row[0], **given)[2] for row, given in zip(rows, more, strict=True)])
    print(f"\n{'expansions':44}{'rooms':>14}{'wc3':>14}{'random 10 %':>14}")
    for (name, queue, h), *line in zip(rows, *found, strict=True):
        ties = "larger g" if queue == "heap" else "no rule"
        print(f"{f'{name}, {h}, {ties}':44}" + "".join(f"{one:14,.0f}" for one in line), flush=True)


def sets(maps: Path, each: int) -> Iterator[tuple[str, list[Any]]]:
    for title, listed in SETS.items():
        folder, *names = listed.split()
        yield title, list(problems(maps, [(folder, name) for name in names], each))
    for title, size, openings in (("maze 151, acyclic", 151, 0), ("maze 201, 750 openings", 201, 750)):
        made = [replan.maze(size, size, openings=openings, seed=seed) for seed in range(2 * each)]
        end = (size - 1, size - 1)
        yield title, [(replan.World(replan.Grid(blocked, neighbors=4)), (0, 0), end) for blocked in made]


def summed(cases: list[Any], name: str, **options: Any) -> tuple[int, int]:
    """Expansions and nanoseconds."""
    planner = replan.planner(name, **options)
    trips = [replan.simulate(world, planner, start, goal, timing="episode") for world, start, goal in cases]
    return sum(trip.expansions for trip in trips), sum(trip.search_ns for trip in trips)


def refreshed(cases: list[Any]) -> float:
    """Keys that D* Lite takes out because they have gone stale, and puts back: a trip."""
    total = 0
    for world, start, goal in cases:
        planner = replan.planner("D* Lite")
        replan.simulate(world, planner, start, goal)
        total += planner.key_updates
    return total / len(cases)


def team(maps: Path, each: int) -> None:
    """One field for all, beside a D* Lite for each: the first plan, and rounds in which 20 cells change."""
    print(f"\n{'ms: first plan / a round':34}{'Field':>20}{'D* Lite each':>20}   the field is")
    for folder, name in (("dao", "brc000d"), ("sc1", "Ramparts")):
        grid = replan.Grid.load(maps / folder / f"{name}.map")
        free, rng = np.argwhere(~grid.blocked), np.random.default_rng(1)
        goal = tuple(free[len(free) // 2].tolist())
        cells = near_by(grid, goal)
        for count in (1, 5, 10, 100):
            starts = [cells[i] for i in rng.integers(0, len(cells), count)]
            edits = rng.integers(0, len(free), (10 * each, 20))
            one = timed(Shared(grid.copy(), starts, goal), free, edits)
            many = timed(Apart(grid.copy(), starts, goal), free, edits)
            cells_of = f"{name}, {count} agents"
            shown = [f"{first:9.2f} / {later:6.3f}" for first, later in (one, many)]
            ratio = f"{many[0] / one[0]:8.1f}, {many[1] / one[1]:.1f} x as fast"
            print(f"{cells_of:34}" + "".join(f"{cell:>20}" for cell in shown) + ratio, flush=True)


def near_by(grid: replan.Grid, goal: Any) -> list[Any]:
    """The cells from which the goal can be reached."""
    field = replan.FlowField(grid, goal)
    cells = [tuple(cell) for cell in np.argwhere(~grid.blocked).tolist()]
    field.advance(cells)
    g = field.snapshot()["g"]
    return [cell for cell in cells if g[grid.state(cell)] >= 0]


CHASERS = ("Moving-Target D* Lite", "Moving-Target Adaptive A*", "D* Lite")


def targets(maps: Path, each: int) -> None:
    """Targets of half the agent's speed, terrain known and unknown: expansions, and nanoseconds for each."""
    print(f"\n{'expansions (ns each)':34}" + "".join(f"{name:>28}" for name in CHASERS))
    mazes = [anywhere(replan.maze(201, 201, openings=750, seed=seed), seed) for seed in range(5 * each)]
    games = [(world.truth, a, b) for world, a, b in problems(maps, LARGE, each)]
    for title, cases in (("mazes", mazes), ("game maps", games)):
        for kind in (replan.Wander, replan.Flee):
            for known in ("everything", "nothing"):
                worlds = [
                    (replan.World(grid, known=known, target=kind(b, speed=0.5, seed=i)), a, None)
                    for i, (grid, a, b) in enumerate(cases)
                ]
                found = [summed(worlds, name) for name in CHASERS]
                cells = [f"{n / len(cases):,.0f} ({ns / n:.0f})" for n, ns in found]
                row = f"{title}, {kind.__name__}, knows {known}"
                print(f"{row:34}" + "".join(f"{cell:>28}" for cell in cells), flush=True)


def anywhere(blocked: Any, seed: int) -> tuple[replan.Grid, Any, Any]:
    """An agent and a target somewhere in a maze. (No target flees out of a corner.)"""
    free = np.argwhere(~blocked)
    agent, target = (tuple(cell) for cell in free[np.random.default_rng(seed).integers(0, len(free), 2)].tolist())
    return replan.Grid(blocked, 4), agent, target


TOGGLED: list[tuple[str, dict[str, Any]]] = [
    ("A*", {}),
    ("D* Lite", {}),
    ("D* Extra Lite", {}),
    ("Truncated D* Lite", {"bound": 1.01}),
    ("Truncated D* Lite", {"bound": 1.05}),
]


def truncated(maps: Path, each: int) -> None:
    """Before each plan a share of the cells of a known map, 128 x 128, changes: half are freed, half are blocked."""
    print(f"\n{'expansions (us) of a plan':28}" + "".join(f"{label(name, more):>30}" for name, more in TOGGLED))
    for title, make in (("rooms", replan.rooms), ("random 20 %", sprinkled)):
        for share in (0.002, 0.01, 0.05):
            rounds = [[replans(make, share, each, name, more) for name, more in TOGGLED] for _ in range(3)]
            best = np.min(rounds, axis=0)
            cells = [f"{expansions:12,.0f} ({ns / 1e3:7,.0f})" for expansions, ns in best]
            print(f"{f'{title}, {share:.1%}':28}" + "".join(f"{cell:>30}" for cell in cells), flush=True)


def sprinkled(rows: int, cols: int, seed: int) -> Any:
    return np.random.default_rng(seed).random((rows, cols)) < 0.2


def replans(make: Any, share: float, each: int, name: str, options: dict[str, Any]) -> tuple[float, float]:
    """Expansions and nanoseconds of a plan, the first of each map left out."""
    expansions = ns = plans = 0
    for seed in range(2 * each):
        blocked, rng, around = make(128, 128, seed=seed), np.random.default_rng(seed), np.zeros((128, 128), bool)
        around[:4, :4] = around[-4:, -4:] = True  # start and goal stay free
        blocked[around] = False
        planner = replan.planner(name, **options)
        agent = replan.Agent(planner, replan.Grid(blocked), (0, 0), (127, 127))
        agent.plan()
        before = planner.expansions
        for _ in range(20):
            kinds = [np.argwhere(blocked), np.argwhere(~blocked & ~around)]
            cells = np.concatenate([rng.permutation(kind)[: int(blocked.size * share) // 2] for kind in kinds])
            blocked[tuple(cells.T)] ^= True
            agent.observe(cells, blocked[tuple(cells.T)])
            start = perf_counter()
            agent.plan()
            ns += int(1e9 * (perf_counter() - start))
        expansions, plans = expansions + planner.expansions - before, plans + 20
    return expansions / plans, ns / plans


RELATIVES = [  # a newer planner and its nearest relative
    (("TBAA*", {"lookahead": 32}), ("TBA*", {"lookahead": 32})),
    (("wLSS-LRTA*", {"lookahead": 32}), ("LSS-LRTA*", {"lookahead": 32})),
    (("wdaLSS-LRTA*", {"lookahead": 32}), ("daLSS-LRTA*", {"lookahead": 32})),
    (("MPAA*", {}), ("Adaptive A*", {})),
    (("MPGAA*", {}), ("Generalized Adaptive A*", {})),
    (("FRIT", {"lookahead": 32}), ("TBA*", {"lookahead": 32})),
    (("D* Extra Lite", {}), ("D* Lite", {})),
    (("Moving-Target D* Lite", {}), ("D* Lite", {})),
    (("Truncated D* Lite", {}), ("D* Lite", {})),
]


def speed(maps: Path, each: int) -> None:
    """Nanoseconds an expansion: of whole trips, and of one search of a known map, in which nothing else happens.

    A planner that follows pointers has a third figure, that of trips if ten pointers count as an expansion, as they do
    for its limit.
    """
    cases = list(problems(maps, LARGE, each))
    known = [(replan.World(world.truth, known="everything"), start, goal) for world, start, goal in cases]
    for newer, relative in RELATIVES:
        print(f"{label(*newer):36}", end="")
        for title, listed in (("trips in fog", cases), ("one search", known)):
            (ns, expansions, pointers), (other_ns, others, _) = beside(listed, newer, relative)
            one, other = ns / max(1, expansions), other_ns / max(1, others)
            print(f"{title}: {one:6.0f} ns to {other:6.0f} of {relative[0]}: {one / other:5.2f}   ", end="")
            if pointers > 0 and listed is cases:
                counted = ns / (expansions + pointers / 10)
                follows = f"{pointers / expansions:.0f} pointers an expansion"
                print(f"with {follows}, ten as one: {counted:6.0f} ns: {counted / other:5.2f}   ", end="")
        print(flush=True)


def beside(cases: list[Any], *both: tuple[str, dict[str, Any]]) -> Any:
    """Nanoseconds, expansions and pointers of all trips together of each planner.

    The planners take turns; of each trip the best of five is taken, with a planner that has its memory already.
    """
    total = np.zeros((len(both), 3), np.int64)
    for world, start, goal in cases:
        planners = [replan.planner(name, **options) for name, options in both]
        found = np.array([[measured(planner, world, start, goal) for planner in planners] for _ in range(6)])
        total += found[1:].min(axis=0)
    return total.tolist()


def measured(planner: Any, world: replan.World, start: Any, goal: Any) -> tuple[int, int, int]:
    """Nanoseconds, expansions and pointers of a trip. (FRIT follows a tree.)"""
    before = planner.ideal_tree.pointers if hasattr(planner, "tree") else 0
    trip = replan.simulate(world, planner, start, goal, timing="episode")
    return trip.search_ns, trip.expansions, planner.ideal_tree.pointers - before if hasattr(planner, "tree") else 0


class Shared:
    def __init__(self, grid: replan.Grid, starts: list[Any], goal: Any) -> None:
        self.field, self.starts = replan.FlowField(grid, goal), starts

    def plan(self) -> None:
        self.field.advance(self.starts)

    def observe(self, cells: Any, blocked: Any) -> None:
        self.field.observe(cells, blocked)


class Apart:
    def __init__(self, grid: replan.Grid, starts: list[Any], goal: Any) -> None:
        self.agents = [replan.Agent(replan.planner("D* Lite", queue="buckets"), grid, start, goal) for start in starts]

    def plan(self) -> None:
        for agent in self.agents:
            agent.plan()

    def observe(self, cells: Any, blocked: Any) -> None:
        self.agents[0].observe(cells, blocked)


def timed(crowd: Any, free: Any, edits: Any) -> tuple[float, float]:
    """Milliseconds of the first plan, and of a round: 20 cells are blocked, or free again, and all plan."""
    start = perf_counter()
    crowd.plan()
    first, later = perf_counter() - start, 0.0
    for i, chosen in enumerate(np.repeat(edits, 2, axis=0)):
        start = perf_counter()
        crowd.observe(free[chosen], np.full(len(chosen), i % 2 == 0))
        crowd.plan()
        later += perf_counter() - start
    return 1e3 * first, 1e3 * later / (2 * len(edits))


PARTS = {
    "real-time": real_time, "cheapest": cheapest, "why": why, "team": team, "targets": targets,
    "truncated": truncated, "speed": speed,
}  # fmt: skip


def run(parts: dict[str, Any], about: str | None) -> None:
    """The parts that are named on the command line."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", choices=[*parts, []], help="all, if none is named")
    nearby = [above / "shared" / "maps" for above in Path(__file__).resolve().parents]
    usual = os.environ.get("REPLAN_MAPS") or next((str(path) for path in nearby if path.is_dir()), ".")
    parser.add_argument("--maps", type=Path, default=Path(usual), help="a directory of Moving AI maps")
    parser.add_argument("--problems", type=int, default=3, help="of each map")
    given = parser.parse_args()
    for part in given.parts or parts:
        parts[part](given.maps, given.problems)


if __name__ == "__main__":
    run(PARTS, __doc__)
