"""Allocations that fail, and Ctrl-C at any moment, in the calls of the cases; afterwards every answer is still right.

    python -m fuzz.failing memory --every 7          in tests/: each planner, every seventh allocation fails in turn
    python -m fuzz.failing interrupts --times 5      each planner, interrupts at random moments
    python -m fuzz.failing lines --every 7           an interrupt before every seventh line of Python in the package

A call that has failed is made once more, as a program does that has freed memory, and the case goes on beside its
oracle. A crash ends the process: the last line says in which case.
"""

from __future__ import annotations

import argparse
import contextlib
import faulthandler
import multiprocessing
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import count, starmap
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import replan
from fuzz import drive, throng, watch
from fuzz.belief import Belief
from fuzz.draw import draw_asking, draw_frame, draw_turn
from fuzz.drive import Drive, Driver, Rider, Unit
from fuzz.ground import GridGround
from fuzz.judging import JUDGES, REFUSED
from fuzz.planning import Plan
from fuzz.query import Question
from fuzz.throng import Host, Throng
from fuzz.verdict import Script, must
from fuzz.watch import Watch, Watched
from fuzz.worlds import Walk
from replan import faults
from trip_parts import Draw

PATIENCE = 60  # seconds for one failure; those in which both processes are stopped do not count
SIDE = 7  # of the maps
TURNS = 10
OFTEN = 0.3  # the share of calls that an alarm is set for
LONGEST = 0.002  # seconds until it rings
CALLED = "Crowd", "planner", "simulate", "find_path"
TRACED = str(Path(replan.__file__).parent), contextlib.__file__


class FailingAllocation:
    """The k-th allocation of the library fails, once."""

    def __init__(self, k: int) -> None:
        self.left, self.failures = k, 0

    def attempt(self, do: Callable[[], Any]) -> Any:
        faults.fail_at(self.left)
        try:
            return do()
        finally:
            self.left = faults.allocations_left()
            faults.fail_at(0)

    def close(self) -> None:
        """Nothing is changed."""


class Interrupts:
    """An alarm rings during some calls, a random time after they have begun."""

    def __init__(self, seed: int) -> None:
        self.random, self.failures, self.armed = Random(seed), 0, False
        self.before = signal.signal(signal.SIGALRM, self.ring)

    def ring(self, number: int, frame: Any) -> None:
        if self.armed:
            self.armed = False
            raise KeyboardInterrupt

    def attempt(self, do: Callable[[], Any]) -> Any:
        if self.random.random() > OFTEN:
            return do()
        answer: list[Any] = []
        try:
            self.armed = True
            signal.setitimer(signal.ITIMER_REAL, max(1e-6, LONGEST * self.random.random() ** 3))
            answer.extend(starmap(do, [()]))  # without a bytecode between the end of the call and the answer
        except KeyboardInterrupt:
            if not answer:
                raise
        finally:
            self.armed = False
            signal.setitimer(signal.ITIMER_REAL, 0)
        return answer[0]

    def close(self) -> None:
        signal.signal(signal.SIGALRM, self.before)


class LineInterrupt:
    """Ctrl-C before the k-th line that is run of the package's own Python, once. (Compiled lines are not seen.)"""

    def __init__(self, k: int) -> None:
        self.left, self.failures = k, 0

    def attempt(self, do: Callable[[], Any]) -> Any:
        if self.left <= 0:
            return do()
        before = sys.gettrace()
        sys.settrace(self.called)
        try:
            return do()
        finally:
            sys.settrace(before)

    def called(self, frame: Any, event: str, given: Any) -> Any:
        return self.line if frame.f_code.co_filename.startswith(TRACED) else None

    def line(self, frame: Any, event: str, given: Any) -> Any:
        if event == "line" and self.left > 0:
            self.left -= 1
            if self.left == 0:
                raise KeyboardInterrupt
        return self.line

    def close(self) -> None:
        """Nothing is changed."""


Failing = FailingAllocation | Interrupts | LineInterrupt
FAILURES = {"memory": FailingAllocation, "lines": LineInterrupt}  # those that are counted off


def insist(failing: Failing, do: Callable[..., Any], *given: Any, **more: Any) -> Any:
    """Make a call until it does not fail."""
    while True:
        try:
            return failing.attempt(partial(do, *given, **more))
        except (MemoryError, KeyboardInterrupt):
            failing.failures += 1


class Insisting:
    """Something of the library whose methods are called until they do not fail."""

    def __init__(self, failing: Failing, made: Any) -> None:
        self._failing, self._made = failing, made

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._made, name)
        return partial(insist, self._failing, found) if callable(found) else found

    def __len__(self) -> int:
        return len(self._made)

    def __getitem__(self, i: int) -> Any:
        return self._made[i]


class InsistingStory(Insisting):
    """A call that has told a moment before it failed is not made once more."""

    def step(self) -> Any:
        return self.tell(self._made.step)

    def change(self, *given: Any) -> Any:
        return self.tell(self._made.change, *given)

    def retarget(self, goal: Any) -> Any:
        return self.tell(self._made.retarget, goal)

    def tell(self, do: Callable[..., Any], *given: Any) -> Any:
        told = len(self._made)
        while True:
            try:
                return self._failing.attempt(partial(do, *given))
            except (MemoryError, KeyboardInterrupt):
                self._failing.failures += 1
                if len(self._made) > told:
                    return self._made[told]


INSISTING = {"Agent": Insisting, "FlowField": Insisting, "LPAStar": Insisting, "watch": InsistingStory}

# What the oracles have to know of failures.


class FailingRider(Rider):
    """Counts begin anew in a planner that begins anew."""

    failures = 0

    def count(self) -> dict[str, int]:
        failing = self.driver.failing
        if failing.failures == self.failures:
            return super().count()
        self.failures, before = failing.failures, self.counts["episodes"]
        self.counts = {name: getattr(self.planner, name) for name in drive.COUNTS} | {"episodes": self.agent.episodes}
        self.broken = True
        return dict.fromkeys(drive.COUNTS, 0) | {"episodes": min(1, self.agent.episodes - before)}


class FailingDriver(Driver):
    failing: Failing

    def do_put(self, place: Any, value: int) -> None:
        if self.ground.fits(place, value):
            insist(self.failing, self.space.set_value, self.space.location(place), value)
            self.put(self.ground.named(place), value)

    def do_copy(self, i: int, how: str) -> None:
        super().do_copy(i, how)
        rider = self.riders[i]
        insist(self.failing, repr, rider.agent._made)
        rider.agent.snapshot()
        rider.planner.snapshot()

    def copied(self, agent: Any, how: str) -> Any:
        return Insisting(self.failing, insist(self.failing, super().copied, agent._made, how))


class Broken(Exception):
    """A crowd says that it can no longer be used."""


class FailingHost(Host):
    """A call that fails has moved nobody, or the crowd is broken and says so; a tick may have lost its answer alone."""

    failing: Failing

    def ask(self, crowd: Any, do: Callable[..., Any], *given: Any, **more: Any) -> Any:
        while True:
            try:
                return self.failing.attempt(partial(do, *given, **more))
            except (MemoryError, KeyboardInterrupt):
                self.failing.failures += 1
                self.look_at_everybody(crowd, do.__name__)

    def look_at_everybody(self, crowd: Any, name: str) -> None:
        try:
            now = dict(zip(crowd.ids.tolist(), throng.keys(crowd.cells), strict=True))
        except RuntimeError as error:
            must("is now inconsistent" in str(error), "a crowd that fails says why", says=str(error))
            raise Broken from None
        before = {number: one.at for number, one in self.people.items()}
        if name == "tick":
            self.look_at({number: to for number, to in now.items() if to != before[number]}, None, all_planned=False)
        else:
            must(now == before, "a call that fails has moved nobody", call=name, before=before, now=now)


class FailingWatched(Watched):
    """An error in the middle of a step ends a story: what was told before can still be read."""

    def tell(self) -> None:
        try:
            super().tell()
        except RuntimeError as error:
            if "in the middle of a step" not in str(error):
                raise
            for i in range(len(self.story)):
                moment = self.story[i]
                must(moment.index == i, "a story that failed can be read", moment=i, says=moment.index)
                self.story.belief(i), self.story.truth(i)


# Fields.


@dataclass(frozen=True)
class Fielded:
    """A field: (place, value) that are observed in each turn, and cells that ask for their ways."""

    ground: GridGround
    goal: Any
    turns: tuple[tuple[tuple[Any, int], ...], ...]


def judge_field(case: Fielded, script: Script) -> None:
    values = case.ground.free_values()
    belief, space = Belief(case.ground, values), case.ground.space(values)
    field = replan.FlowField(space, case.goal)
    for seen in case.turns:
        field.observe([place for place, _ in seen], weights=[value for _, value in seen])
        for place, value in seen:
            belief.put(place, value)
        far = belief.distances([case.goal])
        for cell in case.ground.cells:
            path = field.path(cell)
            cost = None if path is None else belief.cost([cell, *path])
            must(cost == far.get(cell), "a field leads along cheapest ways", cell=cell, path=path, cost=cost)


@contextmanager
def failing_in(failing: Failing) -> Iterator[None]:
    """The calls of cases fail as this says."""
    FailingDriver.failing = FailingHost.failing = failing
    with ExitStack() as stack:
        for module, name, kind in ((drive, "Driver", FailingDriver), (drive, "Rider", FailingRider)):
            stack.enter_context(patch.object(module, name, kind))
        stack.enter_context(patch.object(throng, "Host", FailingHost))
        stack.enter_context(patch.object(watch, "Watched", FailingWatched))
        for name in (*INSISTING, *CALLED):
            stack.enter_context(patch.object(replan, name, insistent(failing, name)))
        try:
            yield
        finally:
            failing.close()


def insistent(failing: Failing, name: str) -> Callable[..., Any]:
    """A function or class of the library, called until it does not fail."""
    original = getattr(replan, name)

    def call(*given: Any, **more: Any) -> Any:
        made = insist(failing, original, *given, **more)
        return INSISTING[name](failing, made) if name in INSISTING else made

    return call


# Cases.


def variants(spec: Any) -> Iterator[Plan]:
    """A planner with the options that have queues and arrays of their own."""
    yield Plan(spec.name)
    if "queue" in spec.options:
        yield Plan(spec.name, {"queue": "buckets"})
    for falling in ("repair", "reset") if "on_cost_decrease" in spec.options else ():
        if falling == "reset" or not (spec.slug.startswith("frit") or "tracing" in spec.options):
            yield Plan(spec.name, {"on_cost_decrease": falling})
    if "global_" in spec.options:
        yield Plan(spec.name, {"global_": "AD*", "lookahead": 20})
    elif spec.options.get("lookahead") == 256:
        yield Plan(spec.name, {"lookahead": 10})
    if spec.slug == "tbaa":
        yield Plan(spec.name, {"on_cost_decrease": "repair", "lookahead": 20})


def a_ground(spec: Any, draw: Draw) -> GridGround:
    plain = spec.needs_unit_costs or spec.needs_plain_grid
    weights = [1] if plain else [1, 1, 2, 5]
    rows = [[0 if draw.chance(0.2) else draw.pick(weights) for _ in range(SIDE)] for _ in range(SIDE)]
    rows[0][0] = rows[-1][-1] = 1
    return GridGround(tuple(map(tuple, rows)), 4 if plain else 8, "strict", not plain)


def two_agents(plan: Plan, seed: int) -> Drive:
    """Two agents on one belief, in which something gets much dearer."""
    draw = Draw(seed, 0, repr(plan))
    ground = a_ground(plan.spec, draw)
    units = [Unit(plan, (0, 0), ((SIDE - 1, SIDE - 1),)), Unit(plan, (SIDE - 1, 0), ((0, SIDE - 1),))]
    calls: list[Any] = [("plan", 0), ("plan", 1)]
    for turn in range(TURNS):
        if turn == TURNS // 2 and ground.weighted:  # keys and queues no longer fit
            calls.append(("observe", 0, [((3, 3), 60), ((3, 4), 900 if "queue" not in plan.options else 60)], True))
        calls += draw_turn(draw, ground, units, True)
        if turn in (2, 6):
            calls += [("ready", turn // 4), ("copy", turn // 4, "pickle"), ("copy", turn // 4, "copy")]
    calls += [("retarget", 0, ((0, SIDE - 1),)), ("plan", 0), ("finish", 0), ("finish", 1)]
    return Drive(ground, (), tuple(units), (), tuple(calls))


def a_query(queue: str, seed: int) -> Drive:
    draw = Draw(seed, 0, queue)
    ground = a_ground(Plan("D* Lite").spec, draw)
    queries = (Question((0, 0), (SIDE - 1, SIDE - 1), (("queue", queue),)),)
    calls: list[Any] = [("ask", 0)]
    for _ in range(TURNS):
        calls += [call for call in draw_asking(draw, ground, queries) if call[0] != "find"]
    return Drive(ground, (), (), queries, tuple(calls))


def a_crowd(plan: Plan | None, world: bool, seed: int) -> Throng:
    draw = Draw(seed, 0, repr(plan))
    ground = a_ground(Plan("RTAA*").spec if plan is None else plan.spec, draw)
    calls: list[Any] = [("add", [((0, i), (SIDE - 1, i)) for i in range(SIDE)])]
    for _ in range(TURNS):
        calls += draw_frame(draw, ground, True, heavy=False)
    calls = [call for call in calls if call[0] != "tick" or (call[1] or ("expansions",))[0] == "expansions"]
    return Throng(ground, (), plan, world, False, 1, (*calls, ("finish",)))


def a_walk(plan: Plan, seed: int) -> Walk:
    draw = Draw(seed, 0, repr(plan))
    ground = a_ground(plan.spec, draw)
    changes = tuple((draw.below(9), draw.pick(ground.cells), draw.pick([0, 1])) for _ in range(8))
    ends = (0, 0), ((SIDE - 1, SIDE - 1),)
    return Walk(
        ground, "nothing", "adjacent", False, changes, False, None, plan, *ends, 1, 200, "episode", ("again",), 0
    )


def a_field(seed: int) -> Fielded:
    draw = Draw(seed, 0, "field")
    ground = a_ground(Plan("RTAA*").spec, draw)
    cells, heavier = ground.cells[1:], [0, 0, 1, 2, 60]
    turns = [tuple((place, draw.pick(heavier)) for place in {draw.pick(cells): 0 for _ in range(5)}) for _ in range(6)]
    return Fielded(ground, (0, 0), tuple(turns))


def cases(seed: int) -> Iterator[tuple[str, Any]]:
    """Each planner with its options, and all else that searches."""
    for spec in replan.planners():
        for plan in variants(spec):
            yield f"{plan.name} {plan.options}", two_agents(plan, seed)
        yield f"a trip of {spec.name}", a_walk(Plan(spec.name), seed)
        yield f"a story of {spec.name}", Watch(a_walk(Plan(spec.name), seed), ((3, "change", [((2, 2), 0)]),))
        if spec.can_be_shared:
            for world in (False, True):
                falling = {"on_cost_decrease": "keep"} if "on_cost_decrease" in spec.options else {}
                yield f"a crowd of {spec.name}, {world=}", a_crowd(Plan(spec.name, falling), world, seed)
    yield "a field", a_field(seed)
    yield "a crowd by fields", a_crowd(None, False, seed)
    for queue in ("heap", "buckets"):
        yield f"LPA* with {queue}", a_query(queue, seed)


def judged(case: Any, failing: Failing) -> str:
    """What is wrong with a case whose calls fail; "": nothing."""
    try:
        with failing_in(failing):
            {**JUDGES, Fielded: judge_field}[type(case)](case, Script(False))
    except replan.InputError as refused:
        if not any(words in str(refused) for words in REFUSED):
            return traceback.format_exc()
    except Broken:
        return ""
    except Exception:
        return traceback.format_exc()
    return ""


def sweep(kind: str, case: Any, every: int, offset: int, say: Callable[[Any], None]) -> None:
    """Let every so manieth allocation of a case fail in turn, or interrupt each such line, until there is none left."""
    for k in count(1 + offset, every):
        say((k, "", 0))
        failing = FAILURES[kind](k)
        seen = judged(case, failing)
        say((k, seen, failing.failures))
        if failing.left > 0:
            return


def interrupt(case: Any, times: int, first: int, say: Callable[[Any], None]) -> None:
    """Let an alarm ring at random moments."""
    for k in range(first, times):
        say((k, "", 0))
        failing = Interrupts(k)
        seen = judged(case, failing)
        say((k, seen, failing.failures))


def in_child(work: Callable[[Callable[[Any], None]], None]) -> tuple[int, int, list[tuple[int, str]]]:
    """Do this in a process of its own: the last number that it said, failures, what was wrong. -1: it has ended."""
    here, there = multiprocessing.Pipe(duplex=False)
    child = multiprocessing.get_context("fork").Process(target=work, args=(there.send,), daemon=True)
    child.start()
    there.close()
    at, failures, wrong = 0, 0, []
    while any(here.poll(1) for _ in range(PATIENCE)):
        try:
            at, seen, failed = here.recv()
        except EOFError:
            break
        failures += failed
        if seen:
            wrong.append((at, seen))
    else:
        child.kill()
    child.join()
    if child.exitcode != 0:
        return at, failures, [*wrong, (at, f"exit code {child.exitcode}")]
    return -1, failures, wrong


def tried(kind: str, name: str, case: Any, every: int, offset: int, times: int) -> tuple[int, list[str]]:
    """All failures of a case, and what was wrong; a process that crashes or hangs is, and another one goes on."""
    failures, wrong, at = 0, [], offset % every
    while at >= 0:
        if kind in FAILURES:
            last, failed, seen = in_child(partial(sweep, kind, case, every, at))
            at = last - 1 + every if last >= 0 else -1
        else:
            last, failed, seen = in_child(partial(interrupt, case, times, at))
            at = last + 1 if last >= 0 else -1
        failures += failed
        wrong += [f"{name}, {kind} {k}: {told}" for k, told in seen]
    return failures, wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=[*FAILURES, "interrupts"])
    parser.add_argument(
        "--every", type=int, default=1, help="of so many allocations one fails, of so many lines one is interrupted"
    )
    parser.add_argument("--times", type=int, default=5, help="how often each case is interrupted at random moments")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--share", type=int, nargs=2, default=(0, 1), help="which of how many parts of the cases")
    parser.add_argument("--only", default="", help="the cases whose name has this in it")
    given = parser.parse_args()
    faulthandler.enable()
    part, parts = given.share
    failures, wrong = 0, []
    for i, (name, case) in enumerate(cases(given.seed)):
        if i % parts == part and given.only in name:
            failed, seen = tried(given.kind, name, case, given.every, i, given.times)
            failures, wrong = failures + failed, wrong + seen
            print(f"{name}: {failed} failures, {len(seen)} wrong", *seen, sep="\n", flush=True)
    print(f"{failures} failures, {len(wrong)} wrong")
    return int(bool(wrong) or failures == 0)


if __name__ == "__main__":
    sys.exit(main())
