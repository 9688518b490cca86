"""Whatever is altered in what a planner was saved as: it is refused, or what is loaded can be used. No crash."""

from __future__ import annotations

import os
import pickle
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import numpy as np
import pytest

import replan
from replan import serialization
from saving.rides import PLANNERS, agent_on, planner, ride, spaces
from saving.ways import Damaging, objects_in, pickled

THOROUGH = os.environ.get("REPLAN_THOROUGH") == "1"
TRIES = 2000 if THOROUGH else 120 if replan.compiled else 12
SECONDS = 20


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


@pytest.mark.parametrize("which", PLANNERS)
def test_damaged_ones_are_refused_or_can_be_used(which: str) -> None:
    random, refused, tried = Random(which), 0, 0
    saved = []
    for name, space in spaces().items():
        for stop in (2, 11, 25):
            agent = agent_on(pickled(space), planner(which))
            if agent is not None and name in ("4", "graph"):
                ride(agent, 0, stop)
                saved.append((pickle.dumps(agent), stop))
    counts = [objects_in(data) for data, _ in saved]
    for i in range(TRIES):
        data, stop = saved[i % len(saved)]
        loader = Damaging(data, random.randrange(counts[i % len(saved)]), random)
        try:
            agent = loader.load()
        except replan.InputError:
            refused += 1
            continue
        except Exception as error:
            raise AssertionError(f"{loader.did}: {error!r}") from error
        tried += 1
        with in_time(loader.did):
            use(agent, stop, loader.did)
    assert refused > TRIES // 8 and tried > 0


def use(agent: Any, stop: int, what: str) -> None:
    try:
        ride(agent, stop, stop + 12)
        agent.planner.snapshot()
        ride(pickled(agent), stop + 12, stop + 15)
    except (ValueError, RuntimeError, AttributeError, TypeError, KeyError, IndexError):
        pass  # what a lying queue, rule or estimate says is refused when it is asked
    except Exception as error:
        raise AssertionError(f"{what}: {error!r}") from error


def test_bytes_that_are_flipped_or_missing() -> None:
    """Of the whole file, not only of what is ours in it: an error of pickle's, or of ours, or nothing at all."""
    agent = agent_on(spaces()["4"], planner("D* Lite"))
    assert agent is not None
    ride(agent, 0, 9)
    data, random = pickle.dumps(agent), Random(5)
    for _ in range(TRIES):
        i = random.randrange(len(data))
        for spoilt in (data[:i], data[:i] + bytes([data[i] ^ (1 << random.randrange(8))]) + data[i + 1 :]):
            try:
                loaded = pickle.loads(spoilt)
            except Exception:
                continue
            if isinstance(loaded, replan.Agent):
                use(loaded, 9, f"byte {i}")


def test_nothing_is_loaded_over_what_is_in_use() -> None:
    agent = agent_on(spaces()["4"], planner("RTAA*"))
    assert agent is not None
    ride(agent, 0, 5)
    for thing in (agent, agent.planner, agent.belief):
        _, (_, kind, args, fields, _), *_ = thing.__reduce__()
        with pytest.raises(replan.InputError, match="made already"):
            thing._restore(kind, args, fields)
    assert ride(agent, 5, 10)


@pytest.mark.parametrize("which", PLANNERS)
def test_half_made_ones(which: str) -> None:
    kind = type(planner(which))
    for thing in (kind.__new__(kind), replan.Agent.__new__(replan.Agent), replan.LPAStar.__new__(replan.LPAStar)):
        with pytest.raises(replan.InputError, match="not made yet"):
            pickle.dumps(thing)


@pytest.mark.parametrize("name", ["TBA*", "TBAA*"])
@pytest.mark.parametrize("field", ["last_state", "expected_state"])
def test_states_where_an_agent_has_stood_are_states_of_the_map(name: str, field: str) -> None:
    tba = replan.planner(name, lookahead=5)
    agent = replan.Agent(tba, replan.Grid(np.zeros((9, 9), bool)), (0, 0), (8, 8))
    agent.plan()
    _, (cls, kind, args, fields, _) = tba.__reduce__()
    fields = {**fields, field: agent.belief.n}
    with pytest.raises(replan.InputError, match=field):
        serialization.rebuild(cls, kind, args, fields, serialization._checksum(cls, kind, args, fields))
