"""The ways in which an object is copied, and a way to damage what it is saved as."""

from __future__ import annotations

import copy
import io
import pickle
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

from replan import serialization
from replan.serialization import PackedArray, pack, unpack


def pickled(thing: Any) -> Any:
    return pickle.loads(pickle.dumps(thing))


def oldest(thing: Any) -> Any:
    """By Python's own pickler, in its oldest protocol."""
    file = io.BytesIO()
    pickle._Pickler(file, protocol=0).dump(thing)  # type: ignore[attr-defined]
    return pickle._loads(file.getvalue())  # type: ignore[attr-defined]


WAYS = [pickled, oldest, copy.copy, copy.deepcopy]
DEEP = [pickled, oldest, copy.deepcopy]

PLAIN = [None, True, False, -1, 0, 1, 7, 10**3, 10**6, 2**31, 2**32, 2**60, 2**62, 2**63 - 1, 2**63, -(2**63), 10**30]
STRANGE = [*PLAIN, 0.5, float("nan"), float("inf"), "", "x", b"x", (), [], {}, [1, 2], (0, 1, 2), object, object(), len]
STRANGE += [
    PackedArray("<i4", (1,), b"x"),
    PackedArray("<i4", (2**40,), b""),
    PackedArray("|b1", (3, 3), pack(np.ones(9, bool)).data),
]
STRANGE += [pack(np.zeros(0, int)), pack(np.array([-1, 2**40, 5])), pack(np.ones((3, 3), bool)), pack(np.ones(4))]


class Damaging(pickle.Unpickler):
    """Loads a pickle in which one field of one of its objects is not what it was; its check sum is made to fit."""

    def __init__(self, data: bytes, which: int, random: Random) -> None:
        super().__init__(io.BytesIO(data))
        self.which, self.random, self.met, self.did = which, random, 0, "nothing"

    def find_class(self, module: str, name: str) -> Any:
        return (
            self.rebuild if (module, name) == ("replan.serialization", "rebuild") else super().find_class(module, name)
        )

    def rebuild(self, cls: Any, kind: Any, args: Any, fields: Any, seal: Any) -> Any:
        self.met += 1
        if self.met == self.which + 1:
            names: list[Any] = [*range(len(args)), *fields]
            if names:
                name = self.random.choice(names)
                old = args[name] if isinstance(name, int) else fields[name]
                new = damaged(old, self.random)
                self.did = f"{cls.__name__} {name}: {str(old)[:60]} -> {str(new)[:60]}"
                if isinstance(name, int):
                    args = (*args[:name], new, *args[name + 1 :])
                else:
                    fields = {**fields, name: new}
                    if self.random.random() < 0.05:
                        del fields[name]
                seal = serialization._checksum(cls, kind, args, fields)
        return serialization.rebuild(cls, kind, args, fields, seal)


def objects_in(data: bytes) -> int:
    """How many objects of ours are in a pickle."""
    loader = Damaging(data, -5, Random(0))
    loader.load()
    return loader.met


def damaged(old: Any, random: Random) -> Any:
    """Something else in the place of a field: mostly much like it."""
    choices: list[Callable[[], Any]] = [lambda: random.choice(STRANGE)]
    if type(old) is int:
        choices += 3 * [lambda: old + random.choice([-2, -1, 1, 2, 10, -old, 1 << 20, 1 << 40]), lambda: -old]
    if type(old) is bool:
        choices += 3 * [lambda: not old]
    if isinstance(old, PackedArray):
        choices += 9 * [lambda: _damaged_array(old, random)]
        choices += [lambda: old._replace(data=old.data[:-1]), lambda: old._replace(data=_flipped(old.data, random))]
    return random.choice(choices)()


def _flipped(data: bytes, random: Random) -> bytes:
    i = random.randrange(max(1, len(data)))
    return data[:i] + bytes([random.randrange(256)]) + data[i + 1 :]


def _damaged_array(old: PackedArray, random: Random) -> Any:
    array = unpack(old).copy()
    flat = array.reshape(-1)
    how = random.randrange(8)
    if flat.size == 0:
        return pack(np.array(random.sample(range(9), 3)))
    i, j = random.randrange(flat.size), random.randrange(flat.size)
    if how == 0:
        return pack(flat[:-1])
    if how == 1:
        return pack(np.concatenate([flat, flat[:1]]))
    if how == 2:
        flat[i], flat[j] = flat[j], flat[i]
    elif how == 3:
        flat[i] = flat[j]
    elif flat.dtype == bool:
        flat[i] = not flat[i]
    elif how == 4:
        flat[:] = flat[i]
    else:
        flat[i] = random.choice([-1, 0, 1, int(flat[i]) + 1, int(flat[i]) - 1, 5, 10**6, 2**31, 2**40, 2**62, -(2**62)])
    return pack(array)
