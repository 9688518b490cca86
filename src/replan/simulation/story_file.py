r"""The file of a story: blocks of compressed columns, appended during the trip, and an index at the end.

All numbers in it are little-endian.

    file     MAGIC, version (u32), block HEAD, any number of blocks PART, block DONE, offset of DONE (u64), END
    block    tag (4 bytes), bytes of the directory (u32), bytes of the columns (u64), CRC-32 of all these and of the
             directory (u32), directory, columns
    directory  zlib-compressed JSON: {"columns": [[name, type, coding, items, bytes], ...], ...}
    column   zlib-compressed; its offset is the sum of the bytes of the columns before it

The type of a column is "b1" (bits, eight to a byte, the first one in the highest bit), "i1", "i2", "i4", "i8" (whole
numbers with so many bytes) or "f8". Its coding is a sum. 1: each item is the difference to the one before (at first: to
0). 2: the lowest bytes of all items come first, then the next higher ones. `record_columns.py` defines the columns.

The file of an interrupted story ends before DONE: its blocks are then found one after the other. A reader checks
everything: the directory by its CRC, the columns by the checksum of zlib, and lengths before it decompresses. Since a
few bytes can become a thousand times as many, the caller says how many items a column may have, such as the number of
states of the map. A directory has at most `max_directory_bytes`.
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
Columns: TypeAlias = Mapping[str, tuple[Array, bool]]  # by name: items, and True to store differences

MAGIC = b"\x89REPLAN\r\n\x1a\nstory"
END = b"end\x1a\n\x00\x00\x00"
VERSION = 1
HEAD, PART, DONE = b"HEAD", b"PART", b"DONE"

MAX_PART_STEPS = 1024  # steps in a part at most
MIN_PART_BYTES = 64  # a block with its directory is longer

_BLOCK = struct.Struct("<4sIQI")
_TAIL = struct.Struct("<Q8s")
_VERSION = struct.Struct("<I")
FIRST_BLOCK = len(MAGIC) + _VERSION.size
_TYPES = {"b1": np.bool_, "i1": np.int8, "i2": np.int16, "i4": np.int32, "i8": np.int64, "f8": np.float64}
_DIFFERENCES, _BY_BYTES = 1, 2


def encode_column(array: Array, differences: bool = False) -> tuple[str, int, bytes]:
    """Return the type, the coding and the bytes of a column."""
    if array.dtype == bool:
        return "b1", 0, zlib.compress(np.packbits(array).tobytes(), 6)
    if array.dtype.kind == "f":
        return "f8", 0, zlib.compress(array.astype("<f8").tobytes(), 6)
    numbers = array.astype(np.int64)
    if differences and len(numbers):
        numbers = np.diff(numbers, prepend=np.int64(0))
    item_type = _smallest_type(numbers)
    items = np.ascontiguousarray(numbers, "<" + item_type)
    coding, level = _DIFFERENCES if differences else 0, 6 if items.nbytes < 1 << 18 else 1
    content = items.tobytes()
    if items.itemsize > 1:
        coding, content = coding | _BY_BYTES, items.view(np.uint8).reshape(-1, items.itemsize).T.tobytes()
    return item_type, coding, zlib.compress(content, level)


def _smallest_type(numbers: Array) -> str:
    """Return the smallest type for whole numbers."""
    low, high = (int(numbers.min()), int(numbers.max())) if len(numbers) else (0, 0)
    sizes = (("i1", 7), ("i2", 15), ("i4", 31), ("i8", 63))
    return next(item_type for item_type, bits in sizes if -(1 << bits) <= low and high < 1 << bits)


def decode_column(column: StoredColumn, content: bytes) -> Array:
    """Return the items of a column (bool, int64 or float64) from the bytes of `encode_column`. Raises InputError."""
    item_type = np.dtype(_TYPES[column.kind]).newbyteorder("<")
    size = -(-column.items // 8) if column.kind == "b1" else column.items * item_type.itemsize
    raw = decompress(content, size, exactly=True)
    if column.kind == "b1":
        return np.unpackbits(np.frombuffer(raw, np.uint8), count=column.items).view(bool)
    if column.coding & _BY_BYTES:
        numbers = np.frombuffer(raw, np.uint8).reshape(item_type.itemsize, -1).T.copy().view(item_type).reshape(-1)
    else:
        numbers = np.frombuffer(raw, item_type)
    if column.kind == "f8":
        return numbers.astype(np.float64)
    return np.cumsum(numbers, dtype=np.int64) if column.coding & _DIFFERENCES else numbers.astype(np.int64)


def max_directory_bytes(stored_bytes: int) -> int:
    """Return the limit of bytes in a directory that has `stored_bytes` in the file. `encode_block` keeps to it."""
    return 2**20 + 100 * stored_bytes


def decompress(content: bytes, limit: int, exactly: bool = False) -> bytes:
    """Decompress at most, or exactly, `limit` bytes. Raises InputError."""
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
    """Position of a column in its file, and how to read it."""

    kind: str
    coding: int
    items: int
    offset: int
    size: int


class Block:
    """A block of a file: its metadata, and its columns, each of which is read on demand."""

    def __init__(self, file: StoryFile, tag: bytes, metadata: dict[str, Any], columns: dict[str, StoredColumn]) -> None:
        self.file, self.tag, self.metadata, self.columns = file, tag, metadata, columns
        self.end_offset = 0  # offset of the next block

    def __contains__(self, name: str) -> bool:
        return name in self.columns

    def item_count(self) -> int:
        """Return the number of items of all columns, without keyframes."""
        return sum(column.items for name, column in self.columns.items() if not name.startswith("="))

    def check_length(self, max_items: int) -> None:
        """Raise InputError if all columns together, without keyframes, have more items."""
        if self.item_count() > max_items:
            raise self.file.error(
                f"is damaged: it has {self.item_count():,} numbers where at most {max_items:,} are possible"
            )

    def column(self, name: str, items: int | None) -> Array:
        """Return a column. items: expected number, None for any (after `check_length`). Raises InputError."""
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
    """Position of a block PART, and its steps."""

    offset: int
    first: int
    count: int
    keyframes: int  # 1: of belief and truth, 2: of the planner's arrays

    def follows(self, first: int) -> bool:
        """True if it can be the part that begins with this step."""
        return self.first == first and 1 <= self.count <= MAX_PART_STEPS


class StoryFile:
    """Blocks in a file, or in memory: `head`, `parts` and, if the story was closed, `end_block`."""

    head: Block

    def __init__(self, handle: BinaryIO, name: Any = None) -> None:
        self.handle, self.name = handle, name
        self.parts: list[PartEntry] = []
        self.end_block: Block | None = None
        self.size = self.end_offset = 0  # end_offset: offset of the block DONE, 0 without one

    # Writing.

    @classmethod
    def new(cls, handle: BinaryIO, name: Any, metadata: Mapping[str, Any], columns: Columns) -> StoryFile:
        """Begin a story in an open file, with its head."""
        file = cls(handle, name)
        finalize(file, handle.close)
        handle.write(MAGIC + _VERSION.pack(VERSION))
        file.size = FIRST_BLOCK
        file._append(HEAD, metadata, columns)
        file.head = file.block(FIRST_BLOCK)
        return file

    def append_part(self, count: int, keyframes: int, columns: Columns) -> None:
        """Append a part with `count` steps."""
        offset, first = self.size, self.step_count
        self._append(PART, {"first": first, "count": count, "pictures": keyframes}, columns)
        self.parts.append(PartEntry(offset, first, count, keyframes))

    def finish(self, metadata: Mapping[str, Any], columns: Columns) -> None:
        """Append the block DONE: the end of the story, and the index of its parts."""
        index = np.array(
            [[part.offset, part.first, part.count, part.keyframes] for part in self.parts], np.int64
        ).reshape(-1, 4)
        self.end_offset = offset = self.size
        self._append(DONE, metadata, {**columns, "index": (index.reshape(-1), False)})
        self._write(_TAIL.pack(offset, END))

    def reopen(self) -> None:
        """Remove the block DONE, to continue a story that was finished."""
        if self.end_offset:
            self.size, self.end_offset = self.end_offset, 0
            self.handle.truncate(self.size)

    def _append(self, tag: bytes, metadata: Mapping[str, Any], columns: Columns) -> None:
        self._write(encode_block(tag, metadata, columns))

    def _write(self, content: bytes) -> None:
        """Append bytes. Raises InputError."""
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
        """Open the file of a story for reading. Raises InputError."""
        size = check_file(path, None)
        try:
            handle = path.open("rb")
        except OSError as error:
            raise InputError(f"cannot be read: {system_reason(error)}", path) from None
        return cls.read_from(handle, path, size)

    @classmethod
    def read_from(cls, handle: BinaryIO, name: Any, size: int) -> StoryFile:
        """Read a story from an open file. name: for error messages. Raises InputError."""
        file = cls(handle, name)
        finalize(file, handle.close)
        file.size = size
        start = file.handle.read(FIRST_BLOCK)
        if start[: len(MAGIC)] != MAGIC:
            raise file.error("is no story of replan")
        if len(start) < FIRST_BLOCK:
            raise file.error("is cut off")
        (version,) = _VERSION.unpack(start[len(MAGIC) :])
        if version != VERSION:
            raise file.error(f"is a story of version {version}; this replan reads version {VERSION}")
        file.head = file.block(FIRST_BLOCK)
        if file.head.tag != HEAD:
            raise file.error("is damaged: it does not begin with its head")
        if not file._read_index():
            file._scan_parts()
        return file

    def _read_index(self) -> bool:
        """Read the index at the end. False if there is no valid one."""
        if self.size < self.head.end_offset + _TAIL.size:
            return False
        offset, end = _TAIL.unpack(self.read(self.size - _TAIL.size, _TAIL.size))
        if end != END or not self.head.end_offset <= offset < self.size:
            return False
        try:
            end_block = self.block(offset)
            part_count = end_block.columns["index"].items // 4 if "index" in end_block else 0
            if part_count > self.size // MIN_PART_BYTES:
                return False
            index = end_block.column("index", 4 * part_count)
        except InputError:
            return False
        parts = [PartEntry(*row) for row in index.reshape(-1, 4).tolist()]
        ends = [0, *(part.first + part.count for part in parts)]
        if any(not part.follows(end) for part, end in zip(parts, ends, strict=False)):
            return False
        self.parts, self.end_block, self.end_offset = parts, end_block, offset
        return True

    def _scan_parts(self) -> None:
        """Find the complete parts of an interrupted story, one after the other."""
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
        """Number of steps in all parts."""
        return self.parts[-1].first + self.parts[-1].count if self.parts else 0

    def part(self, i: int) -> Block:
        """Read part i. Raises InputError."""
        block = self.block(self.parts[i].offset)
        values = [block.metadata.get(name) for name in ("first", "count", "pictures")]
        if block.tag != PART or values != [self.parts[i].first, self.parts[i].count, self.parts[i].keyframes]:
            raise self.error("is damaged: its index contradicts it")
        return block

    def read(self, offset: int, size: int) -> bytes:
        """Read bytes. Raises InputError."""
        if size > self.size - offset:
            raise self.error("is cut off")
        try:
            self.handle.seek(offset)
            content = self.handle.read(size)
        except (OSError, ValueError) as error:  # ValueError: the file is closed
            raise self.error(f"cannot be read: {system_reason(error)}") from None
        if len(content) != size:
            raise self.error("is cut off")
        return content

    def block(self, offset: int) -> Block:
        """Read the block at an offset. Raises InputError."""
        header = self.read(offset, _BLOCK.size)
        tag, size, columns_size, checksum = _BLOCK.unpack(header)
        start = offset + _BLOCK.size
        if tag not in (HEAD, PART, DONE) or size + columns_size > self.size - start:
            raise self.error("is damaged, or cut off")
        directory = self.read(start, size)
        if zlib.crc32(header[:-4] + directory) != checksum:
            raise self.error("is damaged: a checksum is wrong")
        try:
            metadata = json.loads(decompress(directory, max_directory_bytes(size)))
            columns = _checked_columns(metadata.pop("columns"), start + size, columns_size)
        except InputError as error:
            raise self.error(error.reason) from None
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise self.error("is damaged: a directory cannot be read") from None
        block = Block(self, tag, metadata, columns)
        block.end_offset = start + size + columns_size
        return block

    def error(self, reason: str) -> InputError:
        """Return an error with the name of the file."""
        return InputError(reason, self.name)


def encode_block(tag: bytes, metadata: Mapping[str, Any], columns: Columns) -> bytes:
    """Return a block as bytes."""
    column_list, payload = [], io.BytesIO()
    for name, (array, differences) in columns.items():
        item_type, coding, content = encode_column(array, differences)
        column_list.append([name, item_type, coding, len(array), len(content)])
        payload.write(content)
    text = json.dumps({**metadata, "columns": column_list}, separators=(",", ":")).encode()
    directory = zlib.compress(text, 6)
    if len(text) > max_directory_bytes(len(directory)):
        directory = zlib.compress(text, 0)
    header = _BLOCK.pack(tag, len(directory), payload.tell(), 0)[:-4]
    return header + struct.pack("<I", zlib.crc32(header + directory)) + directory + payload.getvalue()


def _checked_columns(column_list: Any, offset: int, columns_size: int) -> dict[str, StoredColumn]:
    """Return the columns that a directory lists, checked. Raises InputError."""
    columns, left = {}, columns_size
    for name, item_type, coding, items, size in column_list:
        if not all(type(number) is int and number >= 0 for number in (coding, items, size)) or coding > 3:
            raise InputError("is damaged: the size of a column is not possible")
        if type(name) is not str or item_type not in _TYPES or size > left:
            raise InputError("is damaged: a column is larger than its block")
        columns[name] = StoredColumn(item_type, coding, items, offset + columns_size - left, size)
        left -= size
    return columns
