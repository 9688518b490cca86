"""Saved files, taken apart and put together again with other contents and a checksum that fits.

`python -m saving.files WHICH SECONDS SEED LOG` alters files for a while. What is tried is written to LOG first: a crash
is then named.
"""

from __future__ import annotations

import json
import os
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from random import Random
from typing import Any

import numpy as np

import replan
from replan.planners.saved_file import _HEADER, MAGIC, VERSION, decode, encode
from replan.serialization import PackedArray, pack, unpack
from saving.rides import PLANNERS, agent_on, planner, ride, spaces
from saving.tamper import in_time

UNBOUNDED = (
    "time_limit_ns",
    "expansion_limit",
    "time_ns",
)  # any number is legal, and with a large one a search may take for ever
NUMBERS = [-(2**63), -(2**62), -1, 0, 1, 2, 3, 7, 2**16, 2**31 - 1, 2**31, 2**40, 2**60, 2**62, 2**63 - 1, 10**30]
STRANGE = [None, True, 0.5, 1e300, "text", "RTAA*", [], [1, 2], {}, {"tuple": []}, {"object": 0}, {"object": 1}]
STRANGE += [{"packed": 0}, {"array": 0}, {"class": "Buckets"}, {"class": "Grid"}, {"planner": "rtaa"}]
STRANGE += [{"float": "nan"}, {"object": 10**9}]


def parts(content: bytes) -> tuple[dict[str, Any], list[PackedArray]]:
    """The text of a file, and its arrays."""
    start = len(MAGIC) + _HEADER.size
    _, size, _ = _HEADER.unpack(content[len(MAGIC) : start])
    text, offset, arrays = json.loads(zlib.decompress(content[start : start + size])), start + size, []
    for kind, shape, length in text.pop("arrays"):
        arrays.append(PackedArray(kind, tuple(shape), content[offset : offset + length]))
        offset += length
    return text, arrays


def sealed(text: dict[str, Any], arrays: list[PackedArray]) -> bytes:
    """A file of these, with the checksum of these."""
    listed = [[kind, list(shape), len(data)] for kind, shape, data in arrays]
    packed = zlib.compress(json.dumps({"arrays": listed, **text}).encode())
    body = packed + b"".join(data for *_, data in arrays)
    return MAGIC + _HEADER.pack(VERSION, len(packed), zlib.crc32(body)) + body


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Each item of nested lists and dicts: what it is in, and its key."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in list(items):
        yield value, key
        yield from places(item)


def altered(content: bytes, random: Random) -> tuple[str, bytes]:
    """A file in which one value or one array is another; what was done."""
    text, arrays = parts(content)
    if random.random() < 0.5 and arrays:
        i = random.randrange(len(arrays))
        old = arrays[i]
        arrays[i] = other_array(old, random)
        users = [name for r in text["objects"] for name, v in r["fields"].items() if v == {"packed": i}]
        return f"array {i} {users} {tried(old)} -> {tried(arrays[i])}", sealed(text, arrays)
    where, key = random.choice([place for place in places(text["objects"]) if place[1] not in UNBOUNDED])
    old = where[key]
    where[key] = other_value(old, random, len(text["objects"]), len(arrays))
    return f"{key}: {str(old)[:80]} -> {str(where[key])[:80]}", sealed(text, arrays)


def tried(packed: PackedArray) -> str:
    with suppress(Exception):
        return str(unpack(packed).reshape(-1)[:9].tolist())
    return str(packed[:2])


def other_value(old: Any, random: Random, objects: int, arrays: int) -> Any:
    if type(old) is int and random.random() < 0.9:
        return random.choice([*NUMBERS, old + 1, old - 1, old ^ 2, -old, random.randrange(max(1, objects, arrays))])
    if type(old) is bool and random.random() < 0.9:
        return not old
    if isinstance(old, dict) and len(old) == 1 and random.random() < 0.7:
        ((word, told),) = old.items()
        if type(told) is int:
            return {random.choice(["object", "packed", "array", word]): random.randrange(max(1, objects, arrays))}
    return random.choice(STRANGE)


def other_array(old: PackedArray, random: Random) -> PackedArray:
    array = unpack(old)
    flat, how = array.reshape(-1).copy(), random.randrange(12)
    if flat.size == 0 or how == 0:
        return pack(np.array(random.sample(range(9), random.randrange(5)), np.int64))
    if how == 1:
        return pack(np.append(flat, flat[: random.randrange(flat.size + 1)]))
    if how == 2:
        return pack(flat[: random.randrange(flat.size)])
    if how == 3:
        return pack(np.roll(flat, 1).reshape(array.shape))
    if how == 4:
        return PackedArray(old.dtype, tuple(random.choice([0, 1, k, k + 1, 2**20, 2**40]) for k in old.shape), old.data)
    if how == 5:
        return PackedArray(random.choice(["|b1", "|u1", "<u2", "<i4", "<i8", "<f8"]), old.shape, old.data)
    i, j = random.randrange(flat.size), random.randrange(flat.size)
    if how == 6:
        flat[:] = flat[i]
    elif how == 7:
        flat[i] = flat[j]
    elif flat.dtype == bool:
        flat[i] = not flat[i]
    elif flat.dtype == float:
        flat[i] = random.choice([0.0, -1.0, 1e300, float("inf"), float("nan")])
    else:
        flat[i] = random.choice([*NUMBERS[:-1], int(flat[i]) + 1, int(flat[i]) - 1, int(flat[i]) ^ 2, len(flat)])
    return pack(flat.reshape(array.shape))


def agents(which: str) -> Iterator[tuple[bytes, type, Callable[[Any], Any]]]:
    """Files of agents, their class, and what is done with what is loaded."""
    for name in ("4", "weights", "graph"):
        for stop in (2, 11):
            agent = agent_on(spaces()[name], planner(which))
            if agent is not None:
                ride(agent, 0, stop)
                yield encode(agent), replan.Agent, lambda agent, stop=stop: use_agent(agent, stop)


def use_agent(agent: Any, stop: int) -> None:
    ride(agent, stop, stop + 20)
    agent.planner.snapshot()
    repr(agent), agent.path, agent.remaining_cost
    encode(agent)


def attempt(what: str, content: bytes, kind: type, use: Callable[[Any], Any]) -> bool:
    """Load and use it. False: it was refused."""
    with in_time(what):
        try:
            thing = decode(content, kind)
        except replan.InputError:
            return False
        except Exception as error:
            raise AssertionError(f"{what}: {error!r}") from error
        with suppress(ValueError, RuntimeError, TypeError, KeyError, IndexError, AttributeError, NotImplementedError):
            use(thing)  # what a search finds wrong with its own data is an error as good as any
    return True


def main(which: str, seconds: float, seed: int, log: str) -> None:
    random, refused, used = Random(seed), 0, 0
    end = time.monotonic() + seconds
    ours = [name for name in PLANNERS if "own" not in name and name != "function"]
    names = ours if which == "all" else [which]
    cases = [case for name in names for case in agents(name)]
    with open(log, "wb", buffering=0) as file:
        while time.monotonic() < end:
            content, kind, use = random.choice(cases)
            what, other = altered(content, random)
            file.seek(0)
            file.write(what.encode()[:2000].ljust(2000))
            if attempt(what, other, kind, use):
                used += 1
            else:
                refused += 1
    print(refused, "refused,", used, "used")


if __name__ == "__main__":
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    os.environ.setdefault("PYTHONFAULTHANDLER", "1")
    main(sys.argv[1], float(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
