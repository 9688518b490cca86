"""Generated maps: mazes, rooms, random obstacles, caves.

Each function returns a 2-D bool array, True for blocked cells. The same arguments and seed give the same map (with the
same NumPy).
"""

from __future__ import annotations

import itertools
import operator

import numpy as np

from replan.errors import InputError
from replan.maps.regions import largest_region
from replan.maps.terrain import BoolGrid, check_size


def maze(rows: int, cols: int, openings: int = 0, border: bool = False, seed: int = 0) -> BoolGrid:
    """Generate a maze of corridors one cell wide, by a randomized depth-first search.

    Parameters
    ----------
    rows
        Number of rows, odd; at least 3 with a border.
    cols
        Number of columns, odd; at least 3 with a border.
    openings
        Number of blocked cells that are freed afterwards, drawn at random. With 0 there is exactly one path between
        any two free cells.
    border
        True: a closed ring of blocked cells surrounds the maze. The cells of corridors then have odd coordinates,
        otherwise even ones.
    seed
        Seed of the random numbers.

    Returns
    -------
    ndarray of bool
        The map, True for blocked cells.

    Raises
    ------
    InputError
        If an argument is out of range.

    Examples
    --------
    >>> for row in maze(5, 9, seed=1):
    ...     print("".join("#" if cell else "_" for cell in row))
    ___#_____
    _###_###_
    ___#___#_
    ##_#####_
    _________
    """
    rows, cols, openings = whole_number("rows", rows), whole_number("cols", cols), whole_number("openings", openings)
    check_size(rows, cols)
    ring = 1 if border else 0
    for name, length in (("rows", rows), ("cols", cols)):
        if length % 2 == 0 or length < 1 + 2 * ring:
            raise InputError(f"{name} of a maze must be odd and at least {1 + 2 * ring}, got {length}")
    rng = rng_from_seed(seed)
    blocked = np.ones((rows, cols), dtype=bool)
    inside = blocked[ring : rows - ring, ring : cols - ring]
    inside[::2, ::2] = False
    heights, widths = inside.shape
    here, there = _spanning_tree((heights + 1) // 2, (widths + 1) // 2, rng)
    # Corridor cell (r, c) is cell (2r, 2c), so the cell between two neighbours is the sum of both.
    inside[here[0] + there[0], here[1] + there[1]] = False
    _free_random_cells(inside, openings, rng)
    return blocked


def rooms(rows: int, cols: int, room_size: int = 8, doors: int = 1, seed: int = 0) -> BoolGrid:
    """Generate square rooms in rows and columns, all connected by doors.

    Parameters
    ----------
    rows
        Number of rows.
    cols
        Number of columns.
    room_size
        Side of a room in cells, at least 1. The rooms at the right and lower edge may be smaller, or one cell larger.
    doors
        Free cells in the wall between two neighbouring rooms, at least 1, at random places.
    seed
        Seed of the random numbers.

    Returns
    -------
    ndarray of bool
        The map, True for blocked cells.

    Raises
    ------
    InputError
        If an argument is out of range.

    Examples
    --------
    >>> for row in rooms(7, 15, room_size=3, seed=1):
    ...     print("".join("#" if cell else "_" for cell in row))
    ___#___#___#___
    ___#___________
    _______#___#___
    _###_#####_##_#
    _______#___#___
    ___#___#_______
    ___#_______#___
    """
    rows, cols, room_size, doors = (
        whole_number("rows", rows),
        whole_number("cols", cols),
        whole_number("room_size", room_size),
        whole_number("doors", doors),
    )
    check_size(rows, cols)
    for name, value in (("room_size", room_size), ("doors", doors)):
        if value < 1:
            raise InputError(f"{name} must be at least 1, got {value}")
    rng = rng_from_seed(seed)
    blocked = np.zeros((rows, cols), dtype=bool)
    # No wall on the last line, behind which there would be no room.
    across = np.arange(room_size, rows - 1, room_size + 1)
    down = np.arange(room_size, cols - 1, room_size + 1)
    blocked[across, :] = True
    blocked[:, down] = True
    _open_doors(blocked, across, down, doors, rng)
    _open_doors(blocked.T, down, across, doors, rng)
    return blocked


def random_obstacles(rows: int, cols: int, density: float = 0.2, seed: int = 0) -> BoolGrid:
    """Block cells at random, independently of each other.

    Parameters
    ----------
    rows
        Number of rows.
    cols
        Number of columns.
    density
        Probability that a cell is blocked, from 0 to 1.
    seed
        Seed of the random numbers.

    Returns
    -------
    ndarray of bool
        The map, True for blocked cells.

    Raises
    ------
    InputError
        If an argument is out of range.

    Notes
    -----
    The free cells need not be connected.

    Examples
    --------
    >>> for row in random_obstacles(3, 12, density=0.3, seed=1):
    ...     print("".join("#" if cell else "_" for cell in row))
    ____##__#___
    #_#___##____
    ____#_#__#__
    """
    rows, cols = whole_number("rows", rows), whole_number("cols", cols)
    check_size(rows, cols)
    if not (isinstance(density, (int, float)) and 0 <= density <= 1):
        raise InputError(f"density must be from 0 to 1, got {density!r}")
    return rng_from_seed(seed).random((rows, cols), dtype=np.float32) < density


def cave(rows: int, cols: int, seed: int = 0) -> BoolGrid:
    """Generate a cave by a cellular automaton. Its free cells are connected.

    Parameters
    ----------
    rows
        Number of rows.
    cols
        Number of columns.
    seed
        Seed of the random numbers.

    Returns
    -------
    ndarray of bool
        The map, True for blocked cells.

    Raises
    ------
    InputError
        If no free cell is left.

    Notes
    -----
    At first, 45 % of the cells are blocked. Five times, a cell becomes blocked if at least five of the nine cells
    around and on it are blocked; cells outside count as blocked. Only the largest free region is kept.

    Examples
    --------
    >>> for row in cave(8, 24, seed=3):
    ...     print("".join("#" if cell else "_" for cell in row))
    ######__################
    ###______##___###____###
    ##____________________##
    #_____________________##
    #______________________#
    _______##______________#
    _____#########____##__##
    #__#####################
    """
    rows, cols = whole_number("rows", rows), whole_number("cols", cols)
    check_size(rows, cols)
    rng = rng_from_seed(seed)
    for _ in range(20):  # a small grid may end without a free cell: draw again
        blocked = rng.random((rows, cols), dtype=np.float32) < 0.45
        for _ in range(5):
            blocked = _automaton_step(blocked)
        if not blocked.all():
            return ~largest_region(~blocked)
    raise InputError(f"no free cell is left in a cave of {rows} x {cols}; use at least 10 x 10 or another seed")


def _spanning_tree(
    height: int, width: int, rng: np.random.Generator
) -> tuple[tuple[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]:
    """The edges of a random depth-first tree over height x width cells: (rows, cols) of both ends."""
    stride = width + 1  # one column of visited cells at the right end guards both sides
    unvisited = bytearray(stride * (height + 2))
    for row in range(1, height + 1):
        unvisited[row * stride : row * stride + width] = b"\x01" * width
    # Trying the directions in a random order that is the cell's own is as random as drawing among
    # the unvisited neighbours each time, and lets all random numbers be drawn at once.
    orders = list(itertools.permutations((-stride, stride, -1, 1)))
    order_of = rng.integers(len(orders), size=len(unvisited), dtype=np.uint8).tobytes()
    here = (1 + int(rng.integers(height))) * stride + int(rng.integers(width))
    unvisited[here] = 0
    stack: list[int] = []  # the cells to come back to, the cell here not among them
    tree_from, tree_to = [], []
    while True:
        for step in orders[order_of[here]]:
            there = here + step
            if unvisited[there]:
                unvisited[there] = 0
                tree_from.append(here)
                tree_to.append(there)
                stack.append(here)
                here = there
                break
        else:
            if not stack:
                break
            here = stack.pop()
    ends = [np.divmod(np.array(cells, dtype=np.int64), stride) for cells in (tree_from, tree_to)]
    (rows_from, cols_from), (rows_to, cols_to) = ends
    return (rows_from - 1, cols_from), (rows_to - 1, cols_to)


def _free_random_cells(inside: BoolGrid, openings: int, rng: np.random.Generator) -> None:
    """Free that many blocked cells."""
    inner = np.argwhere(inside)
    if not 0 <= openings <= len(inner):
        raise InputError(f"openings must be from 0 to the {len(inner)} blocked cells of the maze, got {openings}")
    chosen = inner[rng.permutation(len(inner))[:openings]]
    inside[chosen[:, 0], chosen[:, 1]] = False


def _open_doors(blocked: BoolGrid, across: np.ndarray, down: np.ndarray, doors: int, rng: np.random.Generator) -> None:
    """Open doors in all walls that run down (the columns `down`), in each stretch between two walls across."""
    edges = [-1, *across.tolist(), blocked.shape[0]]
    for above, below in itertools.pairwise(edges):
        # A random order of the stretch's cells for each wall; the first ones become doors.
        order = rng.random((len(down), below - above - 1)).argsort(axis=1)
        blocked[above + 1 + order[:, :doors], down[:, np.newaxis]] = False


def _automaton_step(blocked: BoolGrid) -> BoolGrid:
    """One step of the cave's automaton."""
    padded = np.pad(blocked, 1, constant_values=True).astype(np.uint8)
    three_rows = padded[:-2] + padded[1:-1] + padded[2:]
    count = three_rows[:, :-2] + three_rows[:, 1:-1] + three_rows[:, 2:]
    return np.asarray(count >= 5)


def whole_number(name: str, value: int) -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise InputError(f"{name} must be a whole number, got {value!r}") from None


def rng_from_seed(seed: int) -> np.random.Generator:
    number = whole_number("seed", seed)
    if number < 0:
        raise InputError(f"seed must be at least 0, got {number}")
    return np.random.default_rng(number)
