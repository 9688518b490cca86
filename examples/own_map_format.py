"""A map format of your own: tables as spreadsheets write them (`.csv`), a weight a cell, nothing where it is blocked.

A format is a function that reads, one that writes, and a row of the table of formats. After `register` the suffix works
wherever a map file does: `Grid.load`, `replan.maps.read` and `write`.

    python examples/own_map_format.py
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

import replan
from replan import maps

HEAVIEST = 999


def read_csv(path: Path) -> maps.Terrain:
    """Read a `.csv` map. What is wrong with a file is told with its name, the line and the value."""
    lines = maps.read_bytes(path).decode("utf-8", errors="replace").splitlines()
    rows = [_weights(line, path, number) for number, line in enumerate(lines, 1)]
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            raise replan.InputError(f"{len(row)} cells, but {len(rows[0])} in line 1", path, number)
    weights = np.array(rows, dtype=np.int32)
    blocked = weights == 0
    return maps.Terrain(blocked, weights=np.where(blocked, 1, weights), name=path.stem)


def write_csv(terrain: maps.Terrain) -> bytes:
    """The content of a `.csv` file. What the format cannot hold (here: walls, larger weights) is refused before."""
    weights = np.ones(terrain.shape, dtype=np.int32) if terrain.weights is None else terrain.weights
    texts = np.where(terrain.blocked, "", weights.astype(str))
    return "".join(",".join(row) + "\n" for row in texts).encode()


def _weights(line: str, path: Path, number: int) -> list[int]:
    cells = line.split(",")
    for cell in cells:
        if cell and not (cell.isascii() and cell.isdigit() and 1 <= int(cell[:9]) <= HEAVIEST):
            raise replan.InputError(f"{cell[:20]!r} is no weight; use 1 to {HEAVIEST}, or nothing", path, number)
    return [int(cell or 0) for cell in cells]


maps.register_format(maps.Format("spreadsheet", (".csv",), read_csv, write_csv, max_weight=HEAVIEST))


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        swamp = Path(folder) / "swamp.csv"
        swamp.write_text("1,1,9,1\n1,,9,1\n1,,9,1\n1,1,1,1\n")
        grid = replan.Grid.load(swamp, neighbors=4)
        print(replan.simulate(grid, "RTAA*", start=(0, 0), goal=(0, 3)))

        maps.write(Path(folder) / "cave.csv", maps.builtin("cave"))  # as would: replan maps convert
        print(replan.Grid.load(Path(folder) / "cave.csv"))

        swamp.write_text("1,1\n1,x\n")
        try:
            maps.read(swamp)
        except replan.InputError as error:
            print(f"{swamp.name}, line {error.line}: {error.reason}")


if __name__ == "__main__":
    main()
