r"""The file of a story: blocks of compressed columns that are appended as the trip goes, and an index at the end.

All numbers in it are little-endian.

    file     MAGIC, version (u32), block HEAD, any number of blocks PART, block DONE, offset of DONE (u64), END
    block    tag (4 bytes), bytes of the directory (u32), bytes of the columns (u64), CRC-32 of all these and of the
             directory (u32), directory, columns
    directory  zlib-compressed JSON: {"columns": [[name, type, coding, items, bytes], ...], ...}
    column   zlib-compressed; where it begins follows from the bytes of those before it

A column's type is one of "b1" (bits: eight to a byte, the first in the highest), "i1", "i2", "i4", "i8" (whole numbers
of so many bytes) and "f8". Its coding is a sum: 1: the items are differences to the one before (0 before the first); 2:
not item by item but first the lowest bytes of all, then the next higher ones. What the columns are: `tape.py`.

A story that was interrupted lacks DONE and what follows: its blocks are then found one after the other. Everything that
is read is checked: the directory by its CRC, the columns by the checksum of zlib, lengths before anything is unpacked.
A few bytes can be unpacked to a thousand times as many, so a reader says how many items a column may have: as many as
the map has states, say. A directory has no such measure: it is at most `directory_limit` long.
"""

from __future__ import annotations

import io
import json
import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias
from weakref import finalize

import numpy as np

from replan.errors import InputError, system_reason
from replan.maps.files import check_file

Array: TypeAlias = np.ndarray[Any, Any]
Columns: TypeAlias = Mapping[str, tuple[Array, bool]]  # by name, with whether to store differences

MAGIC = b"\x89REPLAN\r\n\x1a\nstory"
END = b"end\x1a\n\x00\x00\x00"
VERSION = 1
HEAD, PART, DONE = b"HEAD", b"PART", b"DONE"

MAX_PART_STEPS = 1024  # at most, in a part
MIN_PART_BYTES = 64  # bytes: a directory that lists the columns is longer

_BLOCK = struct.Struct("<4sIQI")
_TAIL = struct.Struct("<Q8s")
_VERSION = struct.Struct("<I")
FIRST_BLOCK = len(MAGIC) + _VERSION.size
_TYPES = {"b1": np.bool_, "i1": np.int8, "i2": np.int16, "i4": np.int32, "i8": np.int64, "f8": np.float64}
_DIFFERENCES, _BY_BYTES = 1, 2


def encode_column(array: Array, differences: bool = False) -> tuple[str, int, bytes]:
    """A column as its type, its coding and its bytes."""
    if array.dtype == bool:
        return "b1", 0, zlib.compress(np.packbits(array).tobytes(), 6)
    if array.dtype.kind == "f":
        return "f8", 0, zlib.compress(array.astype("<f8").tobytes(), 6)
    numbers = array.astype(np.int64)
    if differences and len(numbers):
        numbers = np.diff(numbers, prepend=np.int64(0))
    kind = _smallest_type(numbers)
    narrow = np.ascontiguousarray(numbers, "<" + kind)
    coding, level = _DIFFERENCES if differences else 0, 6 if narrow.nbytes < 1 << 18 else 1
    content = narrow.tobytes()
    if narrow.itemsize > 1:
        coding, content = coding | _BY_BYTES, narrow.view(np.uint8).reshape(-1, narrow.itemsize).T.tobytes()
    return kind, coding, zlib.compress(content, level)


def _smallest_type(numbers: Array) -> str:
    low, high = (int(numbers.min()), int(numbers.max())) if len(numbers) else (0, 0)
    sizes = (("i1", 7), ("i2", 15), ("i4", 31), ("i8", 63))
    return next(kind for kind, bits in sizes if -(1 << bits) <= low and high < 1 << bits)


def decode_column(column: StoredColumn, content: bytes) -> Array:
    """What `pack` has packed: bool, int64 or float64. Raises InputError."""
    kind = np.dtype(_TYPES[column.kind]).newbyteorder("<")
    size = -(-column.items // 8) if column.kind == "b1" else column.items * kind.itemsize
    raw = decompress(content, size, exactly=True)
    if column.kind == "b1":
        return np.unpackbits(np.frombuffer(raw, np.uint8), count=column.items).view(bool)
    if column.coding & _BY_BYTES:
        numbers = np.frombuffer(raw, np.uint8).reshape(kind.itemsize, -1).T.copy().view(kind).reshape(-1)
    else:
        numbers = np.frombuffer(raw, kind)
    if column.kind == "f8":
        return numbers.astype(np.float64)
    return np.cumsum(numbers, dtype=np.int64) if column.coding & _DIFFERENCES else numbers.astype(np.int64)


def max_directory_bytes(stored: int) -> int:
    """How many bytes a directory may have, by how many it has in the file. `encoded` packs none that is longer."""
    return 2**20 + 100 * stored


def decompress(content: bytes, limit: int, exactly: bool = False) -> bytes:
    """At most `limit` bytes, or so many exactly. Raises InputError."""
    unpacker = zlib.decompressobj()
    try:
        raw = unpacker.decompress(content, limit + 1)
    except zlib.error as error:
        raise InputError(f"is damaged ({error})") from None
    if len(raw) > limit or not unpacker.eof or unpacker.unused_data or (exactly and len(raw) != limit):
        raise InputError("is damaged: a part of it has another length than it says")
    return raw


@dataclass(frozen=True)
class StoredColumn:
    """Where a column stands in its file, and how to read it."""

    kind: str
    coding: int
    items: int
    offset: int
    size: int


class Block:
    """A block of a file: what its directory says, and its columns, each read when it is asked for."""

    def __init__(self, file: StoryFile, tag: bytes, facts: dict[str, Any], columns: dict[str, StoredColumn]) -> None:
        self.file, self.tag, self.metadata, self.columns = file, tag, facts, columns
        self.end_offset = 0  # where the next one begins

    def __contains__(self, name: str) -> bool:
        return name in self.columns

    def item_count(self) -> int:
        """How many items all columns have together, but for pictures."""
        return sum(column.items for name, column in self.columns.items() if not name.startswith("="))

    def check_length(self, most: int) -> None:
        """Raise InputError if all columns together, but for pictures, have more items."""
        if self.item_count() > most:
            raise self.file.error(f"is damaged: {self.item_count():,} numbers where there can be {most:,}")

    def column(self, name: str, items: int | None) -> Array:
        """A column that has so many items; None: as many as it says, after `refuse_longer`. Raises InputError."""
        column = self.columns.get(name)
        if column is None:
            raise self.file.error(f"is damaged: it lacks {name!r}")
        if items is not None and column.items != items:
            raise self.file.error(f"is damaged: {name} has {column.items:,} items instead of {items:,}")
        try:
            return decode_column(column, self.file.read(column.offset, column.size))
        except InputError as error:
            raise self.file.error(error.reason) from None


@dataclass(frozen=True)
class PartEntry:
    """Where a PART stands, and which moments it has."""

    offset: int
    first: int
    count: int
    keyframes: int  # 1: of belief and truth, 2: of the planner's arrays

    def follows(self, first: int) -> bool:
        """True if it can be the part whose moments begin with this number."""
        return self.first == first and 1 <= self.count <= MAX_PART_STEPS


class StoryFile:
    """Blocks in a file, or in memory: `head`, `parts` and, if the story was closed, `done`."""

    head: Block

    def __init__(self, handle: BinaryIO, name: Any = None) -> None:
        self.handle, self.name = handle, name
        self.parts: list[PartEntry] = []
        self.end_block: Block | None = None
        self.size = self.end_offset = 0  # finished_at: where the block DONE begins, 0 without one

    # Writing.

    @classmethod
    def new(cls, handle: BinaryIO, name: Any, facts: Mapping[str, Any], columns: Columns) -> StoryFile:
        file = cls(handle, name)
        finalize(file, handle.close)
        handle.write(MAGIC + _VERSION.pack(VERSION))
        file.size = FIRST_BLOCK
        file._append(HEAD, facts, columns)
        file.head = file.block(FIRST_BLOCK)
        return file

    def append_part(self, count: int, pictures: int, columns: Columns) -> None:
        """Add a part with so many moments."""
        offset, first = self.size, self.step_count
        self._append(PART, {"first": first, "count": count, "pictures": pictures}, columns)
        self.parts.append(PartEntry(offset, first, count, pictures))

    def finish(self, facts: Mapping[str, Any], columns: Columns) -> None:
        """Add the block that tells how it ended, and where everything is."""
        index = np.array([[p.offset, p.first, p.count, p.keyframes] for p in self.parts], np.int64).reshape(-1, 4)
        self.end_offset = offset = self.size
        self._append(DONE, facts, {**columns, "index": (index.reshape(-1), False)})
        self._write(_TAIL.pack(offset, END))

    def reopen(self) -> None:
        """Go on with a story that was finished."""
        if self.end_offset:
            self.size, self.end_offset = self.end_offset, 0
            self.handle.truncate(self.size)

    def _append(self, tag: bytes, facts: Mapping[str, Any], columns: Columns) -> None:
        self._write(encode_block(tag, facts, columns))

    def _write(self, content: bytes) -> None:
        try:
            self.handle.seek(self.size)
            self.handle.write(content)
            self.handle.flush()
        except OSError as error:
            raise self.error(f"cannot be written: {system_reason(error)}") from None
        self.size += len(content)

    # Reading.

    @classmethod
    def open(cls, path: Path) -> StoryFile:
        """Raises InputError."""
        size = check_file(path, None)
        try:
            handle = path.open("rb")
        except OSError as error:
            raise InputError(f"cannot be read: {system_reason(error)}", path) from None
        return cls.read_from(handle, path, size)

    @classmethod
    def read_from(cls, handle: BinaryIO, name: Any, size: int) -> StoryFile:
        """What somebody has opened. Raises InputError."""
        file = cls(handle, name)
        finalize(file, handle.close)
        file.size = size
        beginning = file.handle.read(FIRST_BLOCK)
        if beginning[: len(MAGIC)] != MAGIC:
            raise file.error("is no story of replan")
        if len(beginning) < FIRST_BLOCK:
            raise file.error("is cut off")
        (version,) = _VERSION.unpack(beginning[len(MAGIC) :])
        if version != VERSION:
            raise file.error(f"is a story of version {version}; this replan reads version {VERSION}")
        file.head = file.block(FIRST_BLOCK)
        if file.head.tag != HEAD:
            raise file.error("is damaged: it does not begin with its head")
        if not file._read_index():
            file._scan_parts()
        return file

    def _read_index(self) -> bool:
        """The index at the end, if there is one that fits."""
        if self.size < self.head.end_offset + _TAIL.size:
            return False
        offset, end = _TAIL.unpack(self.read(self.size - _TAIL.size, _TAIL.size))
        if end != END or not self.head.end_offset <= offset < self.size:
            return False
        try:
            done = self.block(offset)
            listed = done.columns["index"].items // 4 if "index" in done else 0
            if listed > self.size // MIN_PART_BYTES:
                return False
            index = done.column("index", 4 * listed)
        except InputError:
            return False
        parts = [PartEntry(*row) for row in index.reshape(-1, 4).tolist()]
        ends = [0, *(part.first + part.count for part in parts)]
        if any(not part.follows(end) for part, end in zip(parts, ends, strict=False)):
            return False
        self.parts, self.end_block, self.end_offset = parts, done, offset
        return True

    def _scan_parts(self) -> None:
        """A story that was interrupted: as far as its parts are whole."""
        offset = self.head.end_offset
        while True:
            try:
                block = self.block(offset)
                part = PartEntry(offset, *(int(block.metadata[name]) for name in ("first", "count", "pictures")))
            except (InputError, KeyError, TypeError, ValueError, OverflowError):
                return
            if block.tag != PART or not part.follows(self.step_count):
                return
            self.parts.append(part)
            offset = block.end_offset

    @property
    def step_count(self) -> int:
        """How many moments the parts have."""
        return self.parts[-1].first + self.parts[-1].count if self.parts else 0

    def part(self, i: int) -> Block:
        """Raises InputError."""
        block = self.block(self.parts[i].offset)
        facts = [block.metadata.get(name) for name in ("first", "count", "pictures")]
        if block.tag != PART or facts != [self.parts[i].first, self.parts[i].count, self.parts[i].keyframes]:
            raise self.error("is damaged: its index contradicts it")
        return block

    def read(self, offset: int, size: int) -> bytes:
        if size > self.size - offset:
            raise self.error("is cut off")
        try:
            self.handle.seek(offset)
            content = self.handle.read(size)
        except (OSError, ValueError) as error:  # ValueError: it has been closed
            raise self.error(f"cannot be read: {system_reason(error)}") from None
        if len(content) != size:
            raise self.error("is cut off")
        return content

    def block(self, offset: int) -> Block:
        """The block that begins there. Raises InputError."""
        frame = self.read(offset, _BLOCK.size)
        tag, size, payload, check = _BLOCK.unpack(frame)
        start = offset + _BLOCK.size
        if tag not in (HEAD, PART, DONE) or size + payload > self.size - start:
            raise self.error("is damaged, or cut off")
        packed = self.read(start, size)
        if zlib.crc32(frame[:-4] + packed) != check:
            raise self.error("is damaged: a checksum is wrong")
        try:
            facts = json.loads(decompress(packed, max_directory_bytes(size)))
            columns = _checked_columns(facts.pop("columns"), start + size, payload)
        except InputError as error:
            raise self.error(error.reason) from None
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise self.error("is damaged: a directory cannot be read") from None
        block = Block(self, tag, facts, columns)
        block.end_offset = start + size + payload
        return block

    def error(self, reason: str) -> InputError:
        return InputError(reason, self.name)


def encode_block(tag: bytes, facts: Mapping[str, Any], columns: Columns) -> bytes:
    """A block as bytes."""
    listed, payload = [], io.BytesIO()
    for name, (array, differences) in columns.items():
        kind, coding, content = encode_column(array, differences)
        listed.append([name, kind, coding, len(array), len(content)])
        payload.write(content)
    text = json.dumps({**facts, "columns": listed}, separators=(",", ":")).encode()
    directory = zlib.compress(text, 6)
    if len(text) > max_directory_bytes(len(directory)):
        directory = zlib.compress(text, 0)
    frame = _BLOCK.pack(tag, len(directory), payload.tell(), 0)[:-4]
    return frame + struct.pack("<I", zlib.crc32(frame + directory)) + directory + payload.getvalue()


def _checked_columns(listed: Any, offset: int, payload: int) -> dict[str, StoredColumn]:
    """The directory's list of columns, checked."""
    columns, left = {}, payload
    for name, kind, coding, items, size in listed:
        if not all(type(number) is int and number >= 0 for number in (coding, items, size)) or coding > 3:
            raise InputError("is damaged: a column has an odd size")
        if type(name) is not str or kind not in _TYPES or size > left:
            raise InputError("is damaged: a column is larger than its block")
        columns[name] = StoredColumn(kind, coding, items, offset + payload - left, size)
        left -= size
    return columns
