"""Rows of one character a cell, as bytes: the shape is checked by row, the characters by NumPy."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from replan.errors import InputError
from replan.maps.terrain import ByteGrid

NO_CODE = 255
"""What a code table gives for a character the format does not have."""


def code_table(codes: dict[str, int]) -> ByteGrid:
    """A table from each of the 256 bytes to its code, UNKNOWN where `codes` has none."""
    table = np.full(256, NO_CODE, dtype=np.uint8)
    for characters, code in codes.items():
        table[list(characters.encode("ascii"))] = code
    return table


def read_block(body: bytes, height: int, width: int, path: Path, first_line: int) -> tuple[ByteGrid, bytes]:
    """The first `height` rows of `body` as a (height, width) array of bytes, and what follows them.

    Rows end with LF or CR LF, the last one also with the end of the file. `first_line` is the
    number of the first row's line in the file, from 1. Memory follows the file, not the numbers of
    its header. Raises InputError naming the line for a missing, short or long row.
    """
    pieces = body.split(b"\n", height)
    rest = b""
    if len(pieces) > height:
        rest = pieces.pop()
    elif not pieces[-1]:
        pieces.pop()  # only the end of the line before it, not a row
    rows = [piece.removesuffix(b"\r") for piece in pieces]
    for number, row in enumerate(rows):
        if len(row) != width:
            raise InputError(f"row has {len(row)} characters, expected {width}", path, first_line + number)
    if len(rows) < height:
        raise InputError(f"the file ends after {len(rows)} of {height} rows", path, first_line + len(rows))
    return np.frombuffer(b"".join(rows), dtype=np.uint8).reshape(height, width), rest


def refuse_trailing_rows(rest: bytes, height: int, path: Path, line: int) -> None:
    """Raise InputError if anything but blank lines follows the last row; `line` is where `rest` begins."""
    text = rest.lstrip()
    if text:
        line += rest[: len(rest) - len(text)].count(b"\n")
        raise InputError(f"more than the {height} rows expected", path, line)


def cell_codes(block: ByteGrid, table: ByteGrid, known: str, path: Path, first_line: int) -> ByteGrid:
    """The codes of a block of characters; InputError naming the first one that is not in the table."""
    codes = table[block]
    if codes.max() == NO_CODE:
        row, col = divmod(int((codes == NO_CODE).argmax()), block.shape[1])
        found = quote_bytes(bytes([block[row, col]]))
        raise InputError(f"unknown character {found} in column {col + 1}; known: {known}", path, first_line + row)
    return codes


def join_rows(characters: ByteGrid) -> bytes:
    """Characters as lines, each ended by LF."""
    height, width = characters.shape
    lines = np.full((height, width + 1), ord("\n"), dtype=np.uint8)
    lines[:, :width] = characters
    return lines.tobytes()


def quote_bytes(raw: bytes, max_bytes: int = 40) -> str:
    """Raw bytes of a file, quoted and cut so that they fit in a one-line message.

    >>> quote_bytes(b"width 5"), quote_bytes(bytes([0, 233]))
    ("'width 5'", "'\\\\x00\\\\xe9'")
    """
    text = ascii(raw[:max_bytes].decode("latin-1"))
    return text if len(raw) <= max_bytes else text + "..."
