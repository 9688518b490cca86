"""Threads that plan, observe, copy, pickle and show the same agents, field, query, world and belief for some seconds.

`python -m saving.busy SECONDS` ends without a crash, and each call ends well or says that something is busy.
"""

from __future__ import annotations

import copy
import pickle
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

import replan

SIDE = 40
NAMES = ["RTAA*", "D* Lite", "RTD*", "AD*", "TBAA*", "MPGAA*", "FRIT(A*)", "Moving-Target D* Lite"]
SAID = ("in the middle of", "being changed", "being searched", "taking in", "being copied", "serves one")
SAID += ("was used while", "was changed while", "its path leads from elsewhere")  # a pickle of different moments


class Shared:
    """What the threads have in common."""

    def __init__(self) -> None:
        self.belief = replan.Grid(np.zeros((SIDE, SIDE), bool))
        self.agents = [replan.Agent(name, self.belief, (0, 0), (SIDE - 1, SIDE - 1)) for name in NAMES]
        self.field = replan.FlowField(self.belief, (SIDE - 1, SIDE - 1))
        self.query = replan.LPAStar(self.belief, (0, 0), (SIDE - 1, SIDE - 1))
        self.world = replan.World(self.truth())
        self.story = replan.watch(replan.World(self.truth()), "RTAA*", (0, 0), (SIDE - 1, SIDE - 1), trials=1000)

    def truth(self) -> replan.Grid:
        blocked = replan.random_obstacles(SIDE, SIDE, 0.2, seed=3)
        blocked[0, 0] = blocked[-1, -1] = False
        return replan.Grid(blocked)


def plan(shared: Shared, random: Random) -> None:
    agent = random.choice(shared.agents)
    path = agent.plan()
    if path:
        agent.move(path[0], even_if_blocked=True)
    else:
        agent.restart((0, 0))


def ask(shared: Shared, random: Random) -> None:
    shared.field.path((random.randrange(SIDE), random.randrange(SIDE)))
    shared.query.path()
    shared.world.begin()
    shared.story.step()


def observe(shared: Shared, random: Random) -> None:
    cells = [(random.randrange(1, SIDE), random.randrange(SIDE)) for _ in range(5)]
    random.choice([*shared.agents, shared.field]).observe(cells, [random.random() < 0.3 for _ in cells])
    shared.query.notify(cells[:1], [False])


def copies(how: Callable[[Any], Any]) -> Callable[[Shared, Random], None]:
    def work(shared: Shared, random: Random) -> None:
        use(how(random.choice([*shared.agents, *shared.agents, shared.field, shared.query, shared.world])))

    return work


def use(copied: Any) -> None:
    if isinstance(copied, replan.Agent):
        for _ in range(3):
            path = copied.plan()
            if path:
                copied.move(path[0], even_if_blocked=True)
        copied.observe([(3, 3), (7, 7)], [True, False])
        copied.plan()
    elif isinstance(copied, replan.World):
        replan.simulate(copied, "RTAA*", (0, 0), (SIDE - 1, SIDE - 1), max_moves=50)
    else:
        copied.path((0, 0)) if isinstance(copied, replan.FlowField) else copied.path()


def show(shared: Shared, random: Random) -> None:
    agent = random.choice(shared.agents)
    for thing in (agent, agent.planner, shared.field, shared.query):
        thing.snapshot()
        repr(thing)
    shared.story[-1], shared.story.belief(), shared.story.to_bytes()


def maps(shared: Shared, random: Random) -> None:
    other = shared.belief.copy()
    other.assign(shared.belief)
    pickle.loads(pickle.dumps(shared.belief))
    repr(shared.belief)


def pickled(thing: Any) -> Any:
    return pickle.loads(pickle.dumps(thing))


WORKS = [plan, plan, ask, observe, copies(copy.copy), copies(copy.deepcopy), copies(pickled), show, maps]


def main(seconds: float) -> Counter[str]:
    shared, told, end = Shared(), Counter[str](), time.monotonic() + seconds

    def loop(work: Callable[[Shared, Random], None]) -> None:
        random = Random(work.__name__)
        while time.monotonic() < end:
            try:
                work(shared, random)
                told["done"] += 1
            except (RuntimeError, replan.InputError) as error:
                busy = any(said in str(error) for said in SAID)
                told["busy" if busy else f"{type(error).__name__}: {error}"] += 1
            except IndexError:  # the story has no moment yet
                told["done"] += 1
            except Exception as error:
                told[f"{type(error).__name__}: {error}"] += 1

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    threads = [threading.Thread(target=loop, args=(work,)) for work in WORKS]
    try:
        for one in threads:
            one.start()
        for one in threads:
            one.join()
    finally:
        sys.setswitchinterval(before)
    return told


if __name__ == "__main__":
    found = main(float(sys.argv[1]))
    print(found["done"], "done,", found["busy"], "busy")
    for what in found.keys() - {"done", "busy"}:
        print(found[what], what)
