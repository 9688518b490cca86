"""NumPy files (`.npy`) as maps: a 2-D array, row 0 at the top.

An array of bool has True for blocked cells; one of integers has 0 for them, and a weight of 1 and more (see
`Terrain.weights`) for free ones.
"""

from __future__ import annotations

import io
import warnings
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt
from numpy.lib import format as npy

from replan.errors import InputError, system_reason
from replan.limits import MAX_WEIGHT
from replan.maps.files import check_file
from replan.maps.terrain import Terrain, check_size, drop_unit_weights


def read_npy(path: Path) -> Terrain:
    """Read a `.npy` map. The header is checked before the array takes memory; pickles are refused.

    Raises InputError.
    """
    size = check_file(path, limit=None)
    try:
        with path.open("rb") as file:
            _check_header(file, size, path)
            file.seek(0)
            array = np.load(file, allow_pickle=False)
    except InputError:
        raise
    except Exception as error:  # a damaged header ends in whatever NumPy trips over
        raise InputError(f"not a NumPy file: {system_reason(error)}", path) from None
    return _terrain(np.ascontiguousarray(array), path)


def npy_bytes(terrain: Terrain) -> bytes:
    """A `.npy` file: bool, or int32 if the terrain has weights."""
    array: npt.NDArray[Any] = terrain.blocked
    if terrain.weights is not None:
        array = np.where(terrain.blocked, np.int32(0), terrain.weights)
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=False)
    return buffer.getvalue()


def _check_header(file: IO[bytes], size: int, path: Path) -> None:
    version = npy.read_magic(file)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of headers written by Python 2
        if version == (1, 0):
            shape, _, dtype = npy.read_array_header_1_0(file)
        elif version == (2, 0):
            shape, _, dtype = npy.read_array_header_2_0(file)
        else:
            raise InputError(f"NumPy file of version {version[0]}.{version[1]}; supported: 1.0, 2.0", path)
    if len(shape) != 2 or dtype.kind not in "biu":
        reason = f"holds a {len(shape)}-D array of {dtype}; expected a 2-D array of bool or integers"
        raise InputError(reason, path)
    check_size(*shape, path=path)
    expected = file.tell() + shape[0] * shape[1] * dtype.itemsize
    if size < expected:
        raise InputError(f"the file is cut off: {size} bytes, its header promises {expected}", path)


def _terrain(array: npt.NDArray[Any], path: Path) -> Terrain:
    if array.dtype == np.bool_:
        # By its bytes: a file can hold other bytes than 0 and 1, which no bool array should carry on.
        return Terrain(array.view(np.uint8) != 0, name=path.stem)
    for extreme, wrong in ((array.argmin(), array.min() < 0), (array.argmax(), array.max() > MAX_WEIGHT)):
        if wrong:
            row, col = divmod(int(extreme), array.shape[1])
            reason = (
                f"cell ({row}, {col}) is {array[row, col]}; expected 0 (blocked) or a weight of 1 to {MAX_WEIGHT:,}"
            )
            raise InputError(reason, path)
    blocked = array == 0
    weights = np.where(blocked, 1, array).astype(np.int32)
    return Terrain(blocked, weights=drop_unit_weights(weights), name=path.stem)
