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

import public_names
import replan
from trip_parts import Draw, Greedy, OneSweep, OnGraph, OnGrid, Pacer, Wary, edge_cost

HANGS = 120  # seconds: no trip takes as long
MAX_MOVES = 600
MEANT = {"even_if_blocked": True} if "even_if_blocked" in str(replan.Agent.move.__doc__) else {}  # older cores lack it
NOT_COMPARED = ("search_ns", "intake_ns", "episode_ns")

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
    for name in map(public_names.first_option, spec.options):
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
    found = {public_names.first_attribute(name): value for name, value in trip.as_dict().items()}
    said = {name: value for name, value in found.items() if name not in NOT_COMPARED}
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
    bounded = planner.spec is not None and public_names.attribute(planner.spec, "realtime")
    log: list[Any] = []
    for _ in range(100):
        if draw.chance(0.1) and case.all:
            place, value = case.edit(draw)
            public_names.set_value(truth, place, value)
        seen = case.around(agent.cell)
        agent.observe(seen, weights=[case.value(place) for place in seen])
        if draw.chance(0.04):
            agent.retarget(draw.pick(case.cells) if draw.chance(0.7) else set(case.cells[-3:]))
        if draw.chance(0.03):
            agent.restart(draw.pick(case.cells))
        if draw.chance(0.03):
            agent.move(draw.pick(case.cells), **MEANT)
        tight = bounded and draw.chance(0.1)
        budget = replan.Expansions(1 + draw.below(30)) if tight else None
        path = agent.plan(budget)
        log.append([] if path == [agent.cell] else path)  # both say: wait
        if path and edge_cost(truth, truth.state(agent.cell), truth.state(path[0])) < 1 << 61:
            agent.move(path[0])
    counts = ("expansions", "percolations", "h_increase", "refreshes", "intakes")
    counted = [public_names.attribute(planner, name) for name in counts]
    return [log if whole else short(log), agent.episodes, agent.cell, counted]


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
    unit_costs, plain_grid = (public_names.attribute(spec, name) for name in ("unit_costs", "plain_grid"))
    plain = unit_costs or plain_grid or draw.chance(0.2)
    case = OnGraph(draw) if draw.chance(0.25) and not plain_grid else OnGrid(draw, plain)
    several = draw.chance(0.1) and len(case.cells) > 3
    goal = {draw.pick(case.cells), *case.cells[:3]} if several else draw.pick(case.cells)
    options = options_for(partial(Draw, seed, i), spec, case, goal)
    if like is not None:
        options = {name: value for name, value in options.items() if name in like["options"]}
    way = draw.pick(["walk", "walk", "walk", "drive"]) if draw.chance(0.95) else "query"
    named = {name: str(value) if isinstance(value, (int, float, str)) else "own" for name, value in options.items()}
    told = {"trip": i, "planner": spec.name, "options": named, "way": way, "space": repr(case.space)}
    try:
        planner = Greedy() if draw.chance(0.03) else replan.planner(spec.name, **public_names.options(options))
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
