from __future__ import annotations

import io
import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from replan import maps
from replan.errors import InputError

Save = Callable[[str, bytes | str], Path]


def npy(array: npt.ArrayLike, allow_pickle: bool = False) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, np.asarray(array), allow_pickle=allow_pickle)
    return buffer.getvalue()


def header(text: str, version: int = 1) -> bytes:
    return b"\x93NUMPY" + bytes([version, 0]) + struct.pack("<H", len(text)) + text.encode()


def test_true_is_blocked(save: Save) -> None:
    terrain = maps.read(save("field.npy", npy([[True, False, False]])))
    assert terrain.blocked.tolist() == [[True, False, False]]
    assert terrain.weights is None and terrain.name == "field"


@pytest.mark.parametrize("dtype", ["u1", "i1", "<i2", ">i4", "<u4", "<i8", ">u8"])
def test_integers_are_weights_and_0_is_blocked(save: Save, dtype: str) -> None:
    terrain = maps.read(save("field.npy", npy(np.array([[0, 1, 7], [2, 1, 0]], dtype=dtype))))
    assert terrain.blocked.tolist() == [[True, False, False], [False, False, True]]
    assert terrain.weights is not None and terrain.weights.tolist() == [[1, 1, 7], [2, 1, 1]]
    assert terrain.weights.dtype == np.dtype(np.int32)


def test_integers_0_and_1_are_a_plain_map(save: Save) -> None:
    assert maps.read(save("field.npy", npy([[0, 1]]))).weights is None


def test_fortran_order(save: Save) -> None:
    array = np.asfortranarray(np.arange(6).reshape(2, 3))
    terrain = maps.read(save("field.npy", npy(array)))
    assert terrain.weights is not None and terrain.weights.tolist() == [[1, 1, 2], [3, 4, 5]]
    assert terrain.blocked.flags.c_contiguous and terrain.weights.flags.c_contiguous


def test_odd_bytes_in_a_bool_array_become_true(save: Save) -> None:
    content = npy([[True, False]])
    terrain = maps.read(save("field.npy", content[:-2] + b"\x02\x00"))
    assert terrain.blocked.view(np.uint8).tolist() == [[1, 0]]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"hello, this is no array", "not a NumPy file: "),
        (b"\x93NUM", "not a NumPy file: "),
        (npy(np.zeros(3, dtype=bool)), "holds a 1-D array of bool; expected a 2-D array of bool or integers"),
        (npy(np.zeros((1, 1, 1), dtype=bool)), "holds a 3-D array"),
        (npy([[0.5]]), "holds a 2-D array of float64"),
        (npy([["a"]]), "holds a 2-D array of <U1"),
        (npy(np.array([[{}]]), allow_pickle=True), "holds a 2-D array of object"),
        (npy(np.zeros((0, 5), dtype=bool)), "has no cell"),
        (npy([[1, 1], [-3, 1]]), r"cell \(1, 0\) is -3; expected 0 \(blocked\) or a weight of 1 to 65,535"),
        (npy(np.array([[1, 2**63]], dtype=np.uint64)), r"cell \(0, 1\) is 9223372036854775808"),
        (npy(np.ones((9, 9), dtype=bool))[:-1], "the file is cut off: 208 bytes, its header promises 209"),
        (header("{'descr': '|b1', 'fortran_order': False, 'shape': (100000, 100000), }\n"), "more than the limit"),
        (header("{'descr': '|b1', 'fortran_order': False, 'shape': (16384, 16384), }\n"), "the file is cut off"),
        (header("{'descr': '|b1', 'fortran_order': False, 'shape': (-4, -4), }\n"), "has no cell"),
        (header("{'descr': '|b1'}\n"), "not a NumPy file: "),
        (header("{}", version=3), "NumPy file of version 3.0; supported: 1.0, 2.0"),
    ],
)
def test_names_file_and_reason(save: Save, content: bytes, reason: str) -> None:
    path = save("bad.npy", content)
    with pytest.raises(InputError, match=reason) as caught:
        maps.read(path)
    assert caught.value.path == path
