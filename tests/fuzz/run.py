"""Hunts: many cases in processes of their own, and the smallest script for each way in which one is wrong.

    python -m fuzz.run --cases 20000 --seed 1 --jobs 2      in tests/
    python -m fuzz.run --only 1234 --seed 1                  one case, by its number

A process that crashes or hangs is a wrong answer of the case that it was at; the next one goes on behind it.
"""

from __future__ import annotations

import argparse
import faulthandler
import multiprocessing
import sys
from collections import Counter
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from time import monotonic
from typing import Any

from fuzz.draw import draw_case
from fuzz.judging import told, verdict

PATIENCE = 300.0  # seconds for one case; those in which all processes are stopped do not count
ROUND = 5.0  # seconds between two looks at the workers, at most
TOLD = 5  # of each way to be wrong, so many numbers are listed


@dataclass
class Finding:
    """A way to be wrong: the first case that was, what it said, and the numbers of all."""

    rule: str
    seen: str
    numbers: list[int] = field(default_factory=list)

    @property
    def died(self) -> bool:
        return self.rule in ("the process crashed", "the process hangs")


@dataclass
class Worker:
    """A process at work on every `jobs`-th case."""

    process: Any
    pipe: Connection
    numbers: range
    at: int  # the case that it is at
    waited: float = 0.0  # seconds since it has begun with it


def work(seed: int, numbers: range, pipe: Connection) -> None:
    """Say the number of each case before it is judged, and what was wrong with it after."""
    faulthandler.enable()
    for i in numbers:
        pipe.send((i, "", ""))
        rule, seen = verdict(draw_case(seed, i))
        if rule:
            pipe.send((i, rule, seen))
    pipe.send((-1, "", ""))


def start(seed: int, numbers: range) -> Worker:
    here, there = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.Process(target=work, args=(seed, numbers, there), daemon=True)
    process.start()
    there.close()
    return Worker(process, here, numbers, numbers[0])


def hunt(cases: int, seed: int = 0, jobs: int = 2, first: int = 0, shown: bool = False) -> dict[str, Finding]:
    """All that is wrong with so many cases, by the rule that is broken."""
    found: dict[str, Finding] = {}
    shares = [range(first + j, first + cases, jobs) for j in range(min(jobs, cases))]
    workers = [start(seed, share) for share in shares]
    done = 0
    while workers:
        looked = monotonic()
        ready = wait([worker.pipe for worker in workers], timeout=ROUND)
        passed = min(ROUND, monotonic() - looked)
        for worker in list(workers):
            ended = ""
            if worker.pipe in ready:
                done, ended = listen(worker, found, done)
            else:
                worker.waited += passed
                if worker.waited > PATIENCE:
                    worker.process.kill()
                    ended = "the process hangs"
            if ended:
                workers.remove(worker)
                worker.process.join()
                rest = worker.numbers[worker.numbers.index(worker.at) + 1 :] if worker.at >= 0 else range(0)
                if ended != "done":
                    note(found, worker.at, ended, f"exit code {worker.process.exitcode}")
                    workers += [start(seed, rest)] if rest else []
        if shown and (sys.stdout.isatty() or done % 1000 == 0):
            wrong = sum(len(finding.numbers) for finding in found.values())
            print(f"\r{done:,} of {cases:,} cases, {wrong:,} wrong", end="", flush=True)
    return found


def listen(worker: Worker, found: dict[str, Finding], done: int) -> tuple[int, str]:
    """Take what a worker says: how many cases have begun by now, and why it has ended, if it has."""
    try:
        i, rule, seen = worker.pipe.recv()
    except EOFError:
        return done, "the process crashed"
    worker.waited = 0.0
    if i < 0:
        worker.at = i
        return done, "done"
    if rule:
        note(found, i, rule, seen)
        return done, ""
    worker.at = i
    return done + 1, ""


def note(found: dict[str, Finding], i: int, rule: str, seen: str) -> None:
    found.setdefault(rule, Finding(rule, seen)).numbers.append(i)


def report(found: dict[str, Finding], seed: int, seconds: float) -> str:
    """What is wrong, each way as a script."""
    parts = []
    for rule, finding in sorted(found.items()):
        numbers = sorted(finding.numbers)
        head = f"{rule}: {len(numbers)} cases, such as {numbers[:TOLD]} of seed {seed}"
        case = draw_case(seed, numbers[0])
        parts.append(f"{head}\n\n{finding.seen if finding.died else told(case, rule, seconds)}")
    return "\n\n".join(parts)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--first", type=int, default=0, help="the number of the first case")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", type=int, help="judge this case alone, in this process")
    parser.add_argument("--shrink", type=float, default=60.0, help="seconds for each script")
    given = parser.parse_args()
    if given.only is not None:
        case = draw_case(given.seed, given.only)
        print(case)
        rule, _ = verdict(case)
        print(told(case, rule, given.shrink) if rule else "all is well")
        return int(bool(rule))
    found = hunt(given.cases, given.seed, given.jobs, given.first, shown=True)
    print()
    if found:
        print(report(found, given.seed, given.shrink))
    counts = Counter({rule: len(finding.numbers) for rule, finding in found.items()})
    print(f"{given.cases:,} cases of seed {given.seed}, {counts.total():,} wrong")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
