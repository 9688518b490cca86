"""The header of Moving AI maps (`.map`): `type octile` and `type octile-corner` share it.

Format: movingai.com/benchmarks/formats.html. Four lines: `type octile` (or `type octile-corner`), `height H`,
`width W`, `map`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from replan.errors import InputError
from replan.maps.limits import MAX_CELLS
from replan.maps.rows import quote_bytes
from replan.maps.terrain import check_size

OCTILE_TYPE = "octile"
OCTILE_CORNER_TYPE = "octile-corner"
HEADER_LINES = 4


@dataclass(frozen=True)
class Header:
    """The four header lines, and the bytes after them."""

    map_type: str
    height: int
    width: int
    body: bytes


def parse_header(content: bytes, path: Path) -> Header:
    """The header of a file of this content. The size is held against the limit, not yet against the rows.

    Raises InputError naming the line of the header that is missing or wrong.
    """
    lines = content.split(b"\n", HEADER_LINES)
    body = lines.pop() if len(lines) > HEADER_LINES else b""
    kind = _value(lines, 1, "type", f"'type {OCTILE_TYPE}' or 'type {OCTILE_CORNER_TYPE}'", path)
    if kind not in (OCTILE_TYPE.encode(), OCTILE_CORNER_TYPE.encode()):
        raise InputError(f"unknown map type {quote_bytes(kind)}; known: {OCTILE_TYPE}, {OCTILE_CORNER_TYPE}", path, 1)
    height = _size(lines, 2, "height", path)
    width = _size(lines, 3, "width", path)
    if len(lines) < HEADER_LINES or lines[3].strip() != b"map":
        raise _unexpected(lines, 4, "'map'", path)
    check_size(height, width, path, 3)
    return Header(kind.decode("ascii"), height, width, body)


def _value(lines: list[bytes], number: int, key: str, expected: str, path: Path) -> bytes:
    words = lines[number - 1].split() if len(lines) >= number else []
    if len(words) != 2 or words[0] != key.encode("ascii"):
        raise _unexpected(lines, number, expected, path)
    return words[1]


def _size(lines: list[bytes], number: int, key: str, path: Path) -> int:
    value = _value(lines, number, key, f"'{key}' and a number", path)
    # Digits only: int() would also take +5, 1_000 and a number of a million digits.
    size = int(value) if value.isdigit() and len(value) < 20 else 0
    if not 1 <= size <= MAX_CELLS:
        reason = f"{key} must be a whole number from 1 to {MAX_CELLS}, found {quote_bytes(value)}"
        raise InputError(reason, path, number)
    return size


def _unexpected(lines: list[bytes], number: int, expected: str, path: Path) -> InputError:
    if len(lines) < number or lines == [b""]:
        return InputError(f"the file ends, expected {expected}", path, number)
    found = quote_bytes(lines[number - 1].rstrip(b"\r"))
    return InputError(f"expected {expected}, found {found}", path, number)
