"""Agents, fields and queries go on from a file as they would have. Altered files are refused, or can be used."""

from __future__ import annotations

import os
import subprocess
import sys
import tracemalloc
import zlib
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import replan
from border.honest import Board
from replan.planners.saved_file import _HEADER, MAGIC, MAX_ARRAY_ITEMS, VERSION, decode, encode
from replan.serialization import PackedArray
from saving.files import agents, altered, attempt, parts, sealed
from saving.rides import PLANNERS, Wanderer, agent_on, planner, ride, spaces
from saving.test_saved_field import lead
from saving.test_saved_planners import same_arrays

THOROUGH = os.environ.get("REPLAN_THOROUGH") == "1"
TRIES = 1000 if THOROUGH else 10 if replan.compiled else 3
OWN = ("own queue", "own rules", "function", "D* Lite, own queue")
OURS = [name for name in PLANNERS if name not in OWN]
SPACES = ("4", "8", "weights", "graph")


def filed(thing: Any) -> Any:
    return decode(encode(thing), type(thing))


@pytest.mark.parametrize("which", OURS)
def test_an_agent_goes_on_the_same(which: str) -> None:
    for number, name in enumerate(SPACES):
        agent = agent_on(spaces()[name], planner(which))
        if agent is not None:
            stop = (0, 4, 11, 25)[(len(which) + number) % 4]
            ride(agent, 0, stop)
            twin = filed(agent)
            assert same_arrays(twin.planner.snapshot(), agent.planner.snapshot())
            assert ride(twin, stop, 40) == ride(agent, stop, 40), (name, stop)


def test_a_field_and_a_query_go_on_the_same(tmp_path: Path) -> None:
    field = replan.FlowField(spaces()["4"], {(5, 6), (2, 4)})
    lead(field, 0, 7)
    field.save(tmp_path / "field")
    assert lead(replan.FlowField.load(tmp_path / "field"), 7, 15) == lead(field, 7, 15)
    query = replan.LPAStar(spaces()["8"], (0, 0), (10, 12))
    query.path()
    query.notify([(5, 5)], [True])  # not taken in yet
    query.save(tmp_path / "query")
    twin = replan.LPAStar.load(tmp_path / "query")
    assert (twin.path(), twin.expansions) == (query.path(), query.expansions)


def test_the_other_core_goes_on_the_same(tmp_path: Path) -> None:
    """A game that was saved by the compiled core is loaded by the interpreted one, and the other way round."""
    names = ["RTAA*", "D* Lite", "RTD*", "random ties", "TBA*, buckets"]
    saved = [agent_on(spaces()["weights"], planner(name)) for name in names]
    for name, agent in zip(names, saved, strict=True):
        ride(agent, 0, 9)
        agent.save(tmp_path / name)
    program = (
        "import sys, replan\n"
        "from saving.rides import ride\n"
        "for file in sys.argv[1:]:\n"
        "    agent = replan.Agent.load(file)\n"
        "    print(ride(agent, 9, 20), replan.compiled)\n"
        "    agent.save(file)\n"
    )
    env = {**os.environ, "REPLAN_INTERPRETED": "1" if replan.compiled else "0"}
    command = [sys.executable, "-c", program, *(str(tmp_path / name) for name in names)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[1], env=env, check=True)
    for name, agent, told in zip(names, saved, done.stdout.splitlines(), strict=True):
        assert told in [f"{ride(agent, 9, 20)} {not replan.compiled}"]
        assert ride(replan.Agent.load(tmp_path / name), 20, 40) == ride(agent, 20, 40)


@pytest.mark.parametrize("which", OWN)
def test_what_is_not_ours_is_named(which: str, tmp_path: Path) -> None:
    agent = agent_on(spaces()["4"], planner(which))
    assert agent is not None
    with pytest.raises(replan.InputError, match=r"cannot be saved to a file: its \w+ has <.*: .* use pickle"):
        agent.save(tmp_path / "saved")
    assert list(tmp_path.iterdir()) == []


def test_own_planners_and_spaces_are_named() -> None:
    for space, made in ((spaces()["4"], Wanderer(3)), (Board(6, 7, ()), planner("RTAA*"))):
        with pytest.raises(replan.InputError, match=r"its \w+ has <.*(Wanderer|Board)"):
            encode(agent_on(space, made))
    with pytest.raises(replan.InputError, match=r"its \w+ has <Grid.*of a class that is not Replan's"):
        encode(replan.Agent("A*", type("Island", (replan.Grid,), {})([[0, 0]]), (0, 0), (0, 1)))


def test_files_that_are_none(tmp_path: Path) -> None:
    agent = agent_on(spaces()["4"], planner("D* Lite"))
    assert agent is not None
    file = tmp_path / "saved"
    agent.save(file)
    content = file.read_bytes()
    wrong = {
        "checksum": [content[:40], content[:-1], content + b"\0", content[:50] + b"?" + content[51:]],
        "no file that": [b"PK\3\4", content[1:]],
        "cut off": [content[:20]],
        "version 2": [MAGIC + _HEADER.pack(2, 0, 0)],
    }
    for words, contents in wrong.items():
        for other in contents:
            file.write_bytes(other)
            with pytest.raises(replan.InputError, match=f"saved: .*{words}"):
                replan.Agent.load(file)
    file.write_bytes(content)
    with pytest.raises(replan.InputError, match="holds a saved 'Agent', not a saved FlowField"):
        replan.FlowField.load(file)
    with pytest.raises(replan.InputError, match="no such file"):
        replan.Agent.load(tmp_path / "absent")


def test_every_byte_counts() -> None:
    agent = agent_on(spaces()["4"], planner("RTAA*"))
    assert agent is not None
    ride(agent, 0, 5)
    content, random = encode(agent), Random(1)
    for _ in range(200):
        i = random.randrange(len(content))
        for other in (content[:i], content[:i] + bytes([content[i] ^ (1 << random.randrange(8))]) + content[i + 1 :]):
            with pytest.raises(replan.InputError):
                decode(other, replan.Agent)


@pytest.mark.parametrize("which", OURS)
def test_altered_ones_are_refused_or_can_be_used(which: str) -> None:
    random, cases, refused = Random(which), list(agents(which)), 0
    for i in range(TRIES):
        content, kind, use = cases[i % len(cases)]
        what, other = altered(content, random)
        refused += not attempt(what, other, kind, use)
    assert refused >= TRIES // 8


def test_no_file_takes_much_memory() -> None:
    agent = agent_on(spaces()["4"], planner("RTAA*"))
    assert agent is not None
    text, arrays = parts(encode(agent))
    bomb = zlib.compress(bytes(2**24), 9)
    long = zlib.compress(b"[" + b"[]," * 2**22 + b"[]]", 9)
    files = [MAGIC + _headed(body) for body in (bomb, long)]
    for i in range(0, len(arrays), 4):
        for shape in ((2**24,), (2**12, 2**13), (2**62, 2**62)):
            files.append(sealed(text, [*arrays[:i], PackedArray("|u1", shape, bomb), *arrays[i + 1 :]]))
    files += [MAGIC + _headed(zlib.compress(b"[" * depth + b"]" * depth)) for depth in (50, 5000, 10**6)]
    tracemalloc.start()
    for content in files:
        with pytest.raises(replan.InputError):
            decode(content, replan.Agent)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 400 * 2**20 + 8 * MAX_ARRAY_ITEMS


def _headed(body: bytes) -> bytes:
    return _HEADER.pack(VERSION, len(body), zlib.crc32(body)) + body


def test_nothing_is_imported_by_its_name() -> None:
    agent = agent_on(spaces()["4"], planner("RTAA*"))
    assert agent is not None
    text, arrays = parts(encode(agent))
    for name in ("os", "system", "replan.planner", "Path", "Planner", "Space", "dict", "object", "__class__"):
        for record in range(len(text["objects"])):
            other = {**text, "objects": [dict(one) for one in text["objects"]]}
            other["objects"][record]["class"] = name
            with pytest.raises(replan.InputError):
                decode(sealed(other, arrays), replan.Agent)


def test_memory_that_lacks_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    agent = agent_on(spaces()["4"], planner("RTAA*"))
    content = encode(agent)

    def fails(*_: Any) -> None:
        raise MemoryError

    monkeypatch.setattr(np, "frombuffer", fails)
    with pytest.raises(MemoryError):
        decode(content, replan.Agent)


def test_a_large_map_is_saved_small() -> None:
    grid = replan.Grid(np.zeros((1500, 1500), bool))
    agent = replan.Agent("RTAA*", grid, (0, 0), (1499, 1499))
    agent.plan()
    content = encode(agent)
    assert len(content) < 20_000
    assert decode(content, replan.Agent).plan() == agent.plan()
