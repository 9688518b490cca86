"""Every field of everything that can be saved, altered in every way of a list; its check sum is made to fit.

`python -m saving.tamper WHICH LOG` tries all of them for one object, and writes each to a file before it is tried: a
crash is then named. What is loaded is refused by InputError, or can be used.
"""

from __future__ import annotations

import io
import os
import pickle
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np

import replan
from border.honest import Board
from replan import serialization
from replan.serialization import PackedArray, pack, unpack
from saving.rides import PLANNERS, agent_on, ends, planner, ride, spaces

SECONDS = 20
NUMBERS = [-(2**62), -1, 0, 1, 2, 3, 5, 2**16, 2**31 - 1, 2**31, 2**40, 2**60, 2**62]


@contextmanager
def in_time(what: str) -> Iterator[None]:
    """A search that never ends looks for signals like any other. (Time of the processor: machines may be busy.)"""

    def late(*_: Any) -> None:
        raise AssertionError(f"{what}: this does not end")

    before = signal.signal(signal.SIGVTALRM, late)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


class Tampering(pickle.Unpickler):
    """Loads a pickle in which one field of one object is `alter`ed. `fields` are those that there are."""

    def __init__(self, data: bytes, which: tuple[int, Any] | None = None, new: Any = None) -> None:
        super().__init__(io.BytesIO(data))
        self.which, self.new, self.met, self.fields = which, new, 0, {}

    def find_class(self, module: str, name: str) -> Any:
        return (
            self.rebuild if (module, name) == ("replan.serialization", "rebuild") else super().find_class(module, name)
        )

    def rebuild(self, cls: Any, kind: Any, args: Any, fields: Any, seal: Any) -> Any:
        here, self.met = self.met, self.met + 1
        self.fields |= {(here, i): (cls.__name__, value) for i, value in enumerate(args)}
        self.fields |= {(here, name): (cls.__name__, value) for name, value in fields.items()}
        if self.which is not None and self.which[0] == here:
            name = self.which[1]
            if isinstance(name, int):
                args = (*args[:name], self.new, *args[name + 1 :])
            else:
                fields = {**fields, name: self.new}
            seal = serialization._checksum(cls, kind, args, fields)
        return serialization.rebuild(cls, kind, args, fields, seal)


def altered(old: Any, n: int) -> Iterator[Any]:
    """What stands there instead."""
    if type(old) is bool:
        yield not old
    elif type(old) is int:
        yield from (new for new in (*NUMBERS, n - 1, n, n + 1, old - 1, old + 1, old ^ 2, -old) if new != old)
    elif type(old) is float:
        yield from (0.0, -1.0, 1e-300, 1e300, float("inf"), float("nan"))
    elif isinstance(old, PackedArray):
        yield from altered_arrays(unpack(old), n)


def altered_arrays(old: Any, n: int) -> Iterator[PackedArray]:
    yield pack(old.reshape(-1)[:0])
    yield pack(np.arange(3))
    if old.size == 0:
        return
    flat = old.reshape(-1)
    for other in (flat[:-1], np.append(flat, flat[:1]), np.append(flat, flat), flat[::-1], np.roll(flat, 1)):
        yield pack(other)
    for i in sorted({0, flat.size // 2, flat.size - 1}):
        for new in (*NUMBERS, n - 1, n, int(flat[i]) + 1, int(flat[i]) - 1, int(flat[i]) ^ 2, int(flat[0])):
            other = flat.copy()
            other[i] = bool(new) if flat.dtype == bool else new
            yield pack(other.reshape(old.shape))
    for new in (0, 1, n - 1, int(flat.max()), int(flat.min())):
        yield pack(np.full_like(old, new))


def cases(which: str) -> Iterator[tuple[bytes, Callable[[Any], None]]]:
    """Pickles, and what is done with what is loaded."""
    if which in PLANNERS:
        for name in ("4", "graph"):
            for stop in (2, 11):
                agent = agent_on(spaces()[name], planner(which))
                if agent is not None:
                    ride(agent, 0, stop)
                    yield pickle.dumps(agent), lambda agent, stop=stop: use_agent(agent, stop)
    else:
        yield from OTHERS[which]()


def use_agent(agent: Any, stop: int) -> None:
    ride(agent, stop, stop + 25)  # the goal moves at the 17th
    agent.planner.snapshot()
    repr(agent), agent.path, agent.remaining_cost
    ride(pickle.loads(pickle.dumps(agent)), stop + 25, stop + 28)


def queries() -> Iterator[tuple[bytes, Callable[[Any], None]]]:
    for name, space in spaces().items():
        for options in ({}, {"queue": "buckets"}, {"prefer": "smaller g", "ties": "random"}):
            start, goals = ends(space)
            query = replan.LPAStar(space, start, goals[0], **options)
            query.path()
            change(query.notify, space, 0)
            yield pickle.dumps(query), lambda query, name=name: use_query(query)
            if name in ("own", "weights"):
                break


def change(tell: Callable[..., Any], space: Any, turn: int) -> None:
    if isinstance(space, replan.Graph):
        tail, head = list(space._arc_of_pair)[7 + turn]
        tell([(space.nodes[tail], space.nodes[head])], weights=[0 if turn % 2 else 9])
    else:
        tell([(3, 3 + turn % 3), (2, turn % 5)], blocked=[turn % 2 == 0, turn % 3 == 0])


def use_query(query: Any) -> None:
    for turn in range(6):
        query.path(), query.cost, query.snapshot()
        change(query.notify, query.space, turn)
    pickle.loads(pickle.dumps(query)).path()


def flows() -> Iterator[tuple[bytes, Callable[[Any], None]]]:
    for space in spaces().values():
        start, goals = ends(space)
        field = replan.FlowField(space, goals[0])
        field.advance([start], replan.Expansions(30))
        change(field.observe, space, 0)
        yield pickle.dumps(field), use_field


def use_field(field: Any) -> None:
    start, goals = ends(field.space)
    for turn in range(5):
        field.path(start), field.step(start), field.advance([goals[1]], replan.Expansions(9)), field.snapshot()
        change(field.observe, field.space, turn)
    field.retarget(goals[1])
    pickle.loads(pickle.dumps(field)).path(start)


def worlds() -> Iterator[tuple[bytes, Callable[[Any], None]]]:
    grid = spaces()["weights"]
    changes = [(3, (5, 5), "blocked"), (6, (5, 5), 4)]
    for target in (None, [(10, 12), (10, 11)], replan.Flee((10, 12), 0.5), replan.Wander((10, 12), 0.5, seed=2)):
        world = replan.World(grid, changes=changes, target=target)
        goal = (10, 12) if target is None else None
        replan.simulate(world, "Moving-Target Adaptive A*" if target else "RTAA*", (0, 0), goal, max_moves=9)
        yield pickle.dumps(world), lambda world, goal=goal: use_world(world, goal)


def use_world(world: Any, goal: Any) -> None:
    planner = "Moving-Target Adaptive A*" if goal is None else "RTAA*"
    replan.simulate(world, planner, (0, 0), goal, max_moves=40)
    world.rewind()
    pickle.loads(pickle.dumps(world)).begin()


def maps() -> Iterator[tuple[bytes, Callable[[Any], None]]]:
    walls = np.zeros((6, 7), int)
    walls[2, 2:5] = 2
    walled = replan.Grid(np.zeros((6, 7), bool), 8, walls=walls)
    for space in (*spaces().values(), walled):
        yield pickle.dumps(space), use_space


def use_space(space: Any) -> None:
    start, goals = (0, 0), [(5, 6)]
    for name in ("A*", "D* Lite", "RTAA*"):
        agent = replan.Agent(name, space, start, goals[0])
        ride(agent, 0, 12)
    other = space.copy() if not isinstance(space, Board) else pickle.loads(pickle.dumps(space))
    repr(other), replan.find_path(other, start, goals[0])


OTHERS: dict[str, Callable[[], Iterator[tuple[bytes, Callable[[Any], None]]]]] = {
    "LPAStar": queries,
    "FlowField": flows,
    "World": worlds,
    "Space": maps,
}


def attempts(which: str) -> Iterator[tuple[str, bytes, tuple[int, Any], Any, Callable[[Any], None]]]:
    for number, (data, use) in enumerate(cases(which)):
        loader = Tampering(data)
        loader.load()
        for (here, name), (owner, old) in loader.fields.items():
            for new in altered(old, 195 if number == 0 else 49):
                what = f"{which} {number}: {owner} {name}: {shown(old)} -> {shown(new)}"
                yield what, data, (here, name), new, use


def shown(value: Any) -> str:
    return str(unpack(value).reshape(-1)[:12].tolist() if isinstance(value, PackedArray) else value)[:150]


def attempt(what: str, data: bytes, where: tuple[int, Any], new: Any, use: Callable[[Any], None]) -> bool:
    """Load and use it. False: it was refused."""
    with in_time(what):
        try:
            thing = Tampering(data, where, new).load()
        except replan.InputError:
            return False
        except Exception as error:
            raise AssertionError(f"{what}: {error!r}") from error
        with suppress(ValueError, RuntimeError, TypeError, KeyError, IndexError, NotImplementedError):
            use(thing)  # what a search finds wrong with its own data is an error as good as any
    return True


def main(which: str, log: str, first: int = 0, step: int = 1) -> None:
    refused = used = 0
    with open(log, "wb", buffering=0) as file:
        for i, one in enumerate(attempts(which)):
            if i < first or i % step:
                continue
            file.seek(0)
            file.write(f"{i} {one[0]}".encode()[:2000].ljust(2000))
            if attempt(*one):
                used += 1
            else:
                refused += 1
    print(refused, used)


if __name__ == "__main__":
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    os.environ.setdefault("PYTHONFAULTHANDLER", "1")
    main(sys.argv[1], sys.argv[2], *map(int, sys.argv[3:]))
