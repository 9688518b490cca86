r"""A file that holds an agent, a crowd, a flow field or a query. It can be loaded without trust in its author.

The file holds the same description as a pickle (`serialization.py`): for each object its class, the arguments of its
constructor, and its fields. A class is found by its name in a table of this package. Nothing is imported or executed.

All numbers are little-endian::

    file     MAGIC, version (u32), bytes of the text (u64), CRC-32 of all that follows (u32), text, arrays
    text     zlib-compressed JSON: {"arrays": [[kind, shape, bytes], ...], "objects": [...]}
    array    zlib-compressed items; where it begins follows from the bytes of those before it

An array's kind is "|b1" (bits: eight to a byte, the first in the highest), "|u1", "<u2", "<i4", "<i8" or "<f8"; its
shape has one or two lengths. An object is {"class": name, "args": [...], "fields": {...}}, with "made by" if its base
class makes it and "state" if it takes more than fields. The last object is the one that was saved. Each object names
only objects before it.

A value is null, true, false, a number or a text; a list; {"tuple": [...]}; {"dict": {...}}; {"float": "inf"};
{"object": index}; {"packed": index} and {"array": index} for arrays; {"value": class, "args": [...]}; {"class": name};
or {"planner": name}, a planner of the registry.

A reader checks the sizes before it unpacks anything: the text has at most MAX_TEXT_SIZE bytes + 12 times its length in
the file, a space has at most MAX_SPACE_STATES states, and the arrays have at most MAX_ARRAY_ITEMS items +
ITEMS_PER_STATE for each state of the spaces + ITEMS_PER_BYTE for each byte of the file.
"""

from __future__ import annotations

import json
import struct
import zlib
from dataclasses import fields as fields_of
from dataclasses import is_dataclass
from math import prod
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from replan.atomic_write import write_bytes
from replan.errors import InputError, short_repr
from replan.locking import read_lock
from replan.maps.coordinate_frame import CoordinateFrame
from replan.maps.files import PathLike, read_bytes
from replan.planners.spec import PlannerSpec
from replan.queues.base import OpenList
from replan.queues.buckets import Buckets
from replan.queues.heap import BinaryHeap
from replan.queues.order import Order
from replan.search.choosing import AvoidRaised, BestF, LeastRaised, PopBestF
from replan.search.h_repair import HRepair
from replan.search.learning import CurrentOnly, FromFrontier, OnePass
from replan.search.rule import Rule
from replan.serialization import (
    BOOL_DTYPE,
    DAMAGED_MESSAGE,
    FLOAT_DTYPE,
    INTEGER_DTYPES,
    PackedArray,
    pack,
    restore_object,
    unpack,
)
from replan.spaces.edge_layout import EdgeLayout
from replan.spaces.goals import Goals
from replan.spaces.graph import Graph
from replan.spaces.grid import Grid
from replan.spaces.space import Space

Thing = TypeVar("Thing")

MAGIC = b"\x89REPLAN\r\n\x1a\nsaved"
VERSION = 1
_HEADER = struct.Struct("<IQI")  # version, bytes of the text, CRC-32

MAX_TEXT_SIZE = 1 << 22
MAX_NESTING = 20
MAX_SPACE_STATES = 1 << 25
MAX_SEARCHED_STATES = 1 << 28  # sum of the states of the spaces of all objects that search
MAX_ARRAY_ITEMS, ITEMS_PER_STATE, ITEMS_PER_BYTE = 1 << 21, 32, 16
#: Exceptions that a damaged file can cause.
DECODE_ERRORS = (TypeError, ValueError, LookupError, AttributeError, ArithmeticError, RuntimeError, zlib.error)

#: Classes that a file can hold, by name. Values are made from their fields, objects by `restore_object`.
OBJECT_CLASSES: dict[str, Any] = {
    kind.__name__: kind
    for kind in (
        *(Grid, Graph, EdgeLayout, Goals, BinaryHeap, Buckets, Rule),
        *(OnePass, FromFrontier, CurrentOnly, BestF, PopBestF, AvoidRaised, LeastRaised),
    )
}
VALUE_CLASSES: dict[str, Any] = {kind.__name__: kind for kind in (Order, HRepair, CoordinateFrame)}


def register_savable(*kinds: type) -> None:
    """Let files hold objects of these classes, or values if they are dataclasses."""
    for kind in kinds:
        (VALUE_CLASSES if is_dataclass(kind) else OBJECT_CLASSES)[kind.__name__] = kind


def save(value: Any, path: PathLike) -> None:
    """Write a file that `load` reads. An existing file is replaced when the new one is complete."""
    write_bytes(Path(path), encode(value))


def load(path: PathLike, kind: type[Thing], **overrides: Any) -> Thing:
    """Return the object in a file, with `overrides` for its fields. Raise InputError unless it is a `kind`."""
    file_path = Path(path)
    return decode(read_bytes(file_path), kind, file_path, **overrides)


# Writing.


def encode(value: Any) -> bytes:
    """Return the bytes that `save` writes. Raise InputError for parts that a file cannot hold."""
    with read_lock(value):
        writer = _Writer(type(value).__name__)
        writer.to_json(value, value)
    text = json.dumps({"arrays": writer.arrays, "objects": writer.objects}, separators=(",", ":")).encode()
    packed = zlib.compress(text, 6)
    if len(text) > _max_text_size(len(packed)):
        packed = zlib.compress(text, 0)
    body = packed + b"".join(writer.data)
    return MAGIC + _HEADER.pack(VERSION, len(packed), zlib.crc32(body)) + body


def _max_text_size(packed: int) -> int:
    """Return the largest size of a text whose compressed size is `packed`."""
    return MAX_TEXT_SIZE + 12 * packed


class _Writer:
    """Lists objects and arrays. Each object comes after those that it refers to."""

    def __init__(self, root_name: str) -> None:
        self.root_name = root_name
        self.objects: list[dict[str, Any]] = []
        self.arrays: list[Any] = []
        self.data: list[bytes] = []
        self.index: dict[int, int] = {}
        self.alive: list[Any] = []  # keeps the objects alive, so that their ids stay unique

    def index_of(self, item: Any) -> int:
        """Return the index of an object; append it if it is new."""
        if id(item) not in self.index:
            _, (cls, kind, args, fields, _), *state = item.__reduce_ex__(4)
            record: dict[str, Any] = {"class": cls.__name__, "args": [self.to_json(arg, item) for arg in args]}
            if kind is not cls:
                record["made by"] = kind.__name__
            record["fields"] = {name: self.to_json(value, item) for name, value in fields.items()}
            if state:
                record["state"] = self.to_json(state[0], item)
            self.index[id(item)] = len(self.objects)
            self.objects.append(record)
            self.alive.append(item)
        return self.index[id(item)]

    def unsupported_error(self, part: Any, owner: Any) -> InputError:
        """Return the error for a part that a file cannot hold."""
        subject = "it is" if part is owner else f"its {type(owner).__name__} has"
        return InputError(
            f"this {self.root_name} cannot be saved to a file: {subject} {short_repr(part)}, of a class that is not "
            "Replan's; a file that needs no trust holds only parts of Replan: for parts of your own, use pickle"
        )

    def to_json(self, value: Any, owner: Any) -> Any:
        """Return a value in the form that JSON can hold."""
        if isinstance(value, np.generic):
            value = value.item()
        if value is None or type(value) in (bool, int, str):
            return value
        if type(value) is float:
            return value if np.isfinite(value) else {"float": repr(value)}
        if type(value) is PackedArray:
            return {"packed": self.add_array(value)}
        if type(value) in (list, tuple):
            items = [self.to_json(item, owner) for item in value]
            return items if type(value) is list else {"tuple": items}
        if type(value) is dict and all(type(key) is str for key in value):
            return {"dict": {key: self.to_json(item, owner) for key, item in value.items()}}
        if type(value) is np.ndarray and value.dtype.kind in "biuf" and 1 <= value.ndim <= 2:
            return {"array": self.add_array(pack(value))}
        if isinstance(value, type) and value in OBJECT_CLASSES.values():
            return {"class": value.__name__}
        if isinstance(value, PlannerSpec) and _registered_spec(value.slug) is value:
            return {"planner": value.slug}
        if VALUE_CLASSES.get(type(value).__name__) is type(value):
            fields = [getattr(value, field.name) for field in fields_of(value)] if is_dataclass(value) else []
            return {"value": type(value).__name__, "args": self.to_json(fields, owner)}
        if OBJECT_CLASSES.get(type(value).__name__) is type(value):
            return {"object": self.index_of(value)}
        raise self.unsupported_error(value, owner)

    def add_array(self, packed: PackedArray) -> int:
        """Append an array, and return its index."""
        self.arrays.append([packed.dtype, list(packed.shape), len(packed.data)])
        self.data.append(packed.data)
        return len(self.arrays) - 1


# Reading.


def decode(content: bytes, kind: type[Thing], name: Any = None, **overrides: Any) -> Thing:
    """Return the object that `load` returns, from the bytes of a file. Raise InputError."""
    try:
        return _Reader(content).read(kind, overrides)
    except InputError as error:
        raise InputError(error.reason, name) from None
    except DECODE_ERRORS as error:
        raise InputError(f"{DAMAGED_MESSAGE} ({error})", name) from error


class _Reader:
    """Makes the objects of a file, one after the other."""

    def __init__(self, content: bytes) -> None:
        start = len(MAGIC) + _HEADER.size
        if content[: len(MAGIC)] != MAGIC:
            raise InputError("is no file that `save` has written")
        if len(content) < start:
            raise InputError("is cut off")
        version, size, check = _HEADER.unpack(content[len(MAGIC) : start])
        if version != VERSION:
            raise InputError(f"has version {version}; this Replan reads version {VERSION}: save it again")
        if size > len(content) - start or zlib.crc32(memoryview(content)[start:]) != check:
            raise InputError("is damaged or cut off: its checksum is wrong")
        text = json.loads(_unzip(content[start : start + size], _max_text_size(size)))
        self.records, self.objects = _checked_list(text["objects"]), list[Any]()
        self.arrays: list[PackedArray] = []
        self.is_making_space = False  # its arrays are not counted: each may be as large as a map
        self.items_left = MAX_ARRAY_ITEMS + ITEMS_PER_BYTE * len(content)
        self.searched_states_left = MAX_SEARCHED_STATES
        self.locate_arrays(content, start + size, _checked_list(text["arrays"]))

    def locate_arrays(self, content: bytes, offset: int, records: list[Any]) -> None:
        """Find the bytes of each array. They are unpacked when an object asks for them."""
        for kind, shape, size in records:
            lengths = tuple(_checked_index(length) for length in _checked_list(shape))
            if (
                kind not in (BOOL_DTYPE, FLOAT_DTYPE, *INTEGER_DTYPES)
                or len(lengths) not in (1, 2)
                or _checked_index(size) > len(content) - offset
            ):
                raise InputError(DAMAGED_MESSAGE)
            self.arrays.append(PackedArray(kind, lengths, content[offset : offset + size]))
            offset += size

    def read(self, kind: type[Thing], overrides: dict[str, Any]) -> Thing:
        """Return the last object, with `overrides` for its fields."""
        saved = self.records[-1]["class"]
        if saved != kind.__name__:
            hint = f": {saved}.load reads it" if hasattr(OBJECT_CLASSES.get(saved), "load") else ""
            raise InputError(f"holds a saved {short_repr(saved)}, not a saved {kind.__name__}{hint}")
        for record in self.records[:-1]:
            self.objects.append(self.make_object(record, {}))
        result: Thing = self.make_object(self.records[-1], overrides)
        return result

    def make_object(self, record: dict[str, Any], overrides: dict[str, Any]) -> Any:
        """Return an object, made from its record."""
        cls = OBJECT_CLASSES[record["class"]]
        kind = OBJECT_CLASSES[record.get("made by", record["class"])]
        self.is_making_space = issubclass(cls, (Space, EdgeLayout))
        args = tuple(self.from_json(arg) for arg in _checked_list(record["args"]))
        fields = {name: self.from_json(value) for name, value in record["fields"].items()} | overrides
        for part in (*args, *fields.values()):
            self.charge_states(part)
        item = restore_object(cls, kind, args, fields)
        if "state" in record:
            item.__setstate__(self.from_json(record["state"]))
        if isinstance(item, Space):
            self.charge_states(item)
            self.items_left += ITEMS_PER_STATE * (item.n + item.n_locations)
        return item

    def charge_states(self, part: Any) -> None:
        """Raise InputError if the searches of this file need too much memory. (Any object with a space may.)"""
        if isinstance(part, Space):
            self.searched_states_left -= part.n
        if self.searched_states_left < 0:
            raise InputError(
                f"asks for too much memory: its searches have more than {MAX_SEARCHED_STATES:,} states in all"
            )

    def from_json(self, plain: Any, depth: int = 0) -> Any:
        """Return the value that `to_json` has written."""
        if depth > MAX_NESTING:
            raise InputError(f"is damaged: its values are nested more than {MAX_NESTING} deep")
        if isinstance(plain, list):
            return [self.from_json(item, depth + 1) for item in plain]
        if not isinstance(plain, dict):
            return plain
        if "value" in plain:
            return VALUE_CLASSES[plain["value"]](*self.from_json(_checked_list(plain["args"]), depth + 1))
        ((word, content),) = plain.items()
        if word == "tuple":
            return tuple(self.from_json(_checked_list(content), depth + 1))
        if word == "dict":
            return {name: self.from_json(item, depth + 1) for name, item in content.items()}
        if word == "float":
            return {"inf": float("inf"), "-inf": -float("inf"), "nan": float("nan")}[content]
        if word == "object":
            return self.objects[_checked_index(content)]
        if word == "packed":
            return self.array(content)
        if word == "array":
            return unpack(self.array(content))
        if word == "class" and issubclass(OBJECT_CLASSES[content], OpenList):
            return OBJECT_CLASSES[content]
        if word == "planner" and (spec := _registered_spec(content)) is not None:
            return spec
        raise InputError(DAMAGED_MESSAGE)

    def array(self, index: Any) -> PackedArray:
        """Return a packed array. Raise InputError if it is too large to be unpacked."""
        packed = self.arrays[_checked_index(index)]
        count = prod(packed.shape)
        if self.is_making_space and count > MAX_SPACE_STATES:
            raise InputError(f"holds a map of {count:,} cells or edges; a file may have at most {MAX_SPACE_STATES:,}")
        self.items_left -= 0 if self.is_making_space else count
        if self.items_left < 0:
            raise InputError("is damaged: its arrays are too large for its map")
        return packed


def _registered_spec(name: Any) -> PlannerSpec | None:
    """Return the spec of the registered planner with this name, or None."""
    from replan.planners.registry import find_spec, is_known

    return find_spec(name) if is_known(name) else None


def _checked_index(value: Any) -> int:
    """Return a valid index. Raise InputError."""
    if type(value) is not int or value < 0:
        raise InputError(DAMAGED_MESSAGE)
    return value


def _checked_list(value: Any) -> list[Any]:
    """Return a list. Raise InputError for other values."""
    if type(value) is not list:
        raise InputError(DAMAGED_MESSAGE)
    return value


def _unzip(packed: bytes, limit: int) -> bytes:
    """Return the decompressed bytes, at most `limit`. Raise InputError for more."""
    stream = zlib.decompressobj()
    text = stream.decompress(packed, limit + 1)
    if len(text) > limit or not stream.eof or stream.unused_data:
        raise InputError(DAMAGED_MESSAGE)
    return text
