from __future__ import annotations

import io
import struct
import warnings
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from replan import maps
from replan.errors import InputError, MissingExtra

Save = Callable[[str, bytes | str], Path]

Image = pytest.importorskip("PIL.Image")

GREY = np.array([[0, 127, 128], [255, 200, 10]], dtype=np.uint8)
BLOCKED = [[True, True, False], [False, False, True]]


@pytest.mark.parametrize("suffix", [".png", ".pgm", ".bmp", ".tif", ".PNG"])
@pytest.mark.parametrize("mode", ["L", "RGB"])
def test_dark_pixels_are_blocked(tmp_path: Path, suffix: str, mode: str) -> None:
    path = tmp_path / f"field{suffix}"
    if suffix == ".pgm" and mode == "RGB":
        pytest.skip("a PGM is grey")
    Image.fromarray(GREY).convert(mode).save(path)
    terrain = maps.read(path)
    assert terrain.blocked.tolist() == BLOCKED
    assert terrain.name == "field" and terrain.weights is None


def test_transparent_pixels_are_blocked(tmp_path: Path) -> None:
    alpha = np.array([[255, 255, 127], [0, 128, 255]], dtype=np.uint8)
    Image.fromarray(np.dstack([GREY, GREY, GREY, alpha])).save(tmp_path / "a.png")
    assert maps.read(tmp_path / "a.png").blocked.tolist() == [[True, True, True], [True, False, True]]


def test_sixteen_bits_are_scaled(tmp_path: Path) -> None:
    deep = GREY.astype(np.uint16) * 256 + 255
    Image.fromarray(deep).save(tmp_path / "a.png")
    assert maps.read(tmp_path / "a.png").blocked.tolist() == BLOCKED
    (tmp_path / "a.pgm").write_bytes(b"P5 3 2 65535\n" + deep.astype(">u2").tobytes())
    assert maps.read(tmp_path / "a.pgm").blocked.tolist() == BLOCKED


def test_one_bit_and_palette(tmp_path: Path) -> None:
    expected = [[True, False], [False, True]]
    grey = Image.fromarray(np.array([[0, 255], [255, 0]], dtype=np.uint8))
    for mode in ("1", "P"):
        grey.convert(mode).save(tmp_path / "a.png")
        assert maps.read(tmp_path / "a.png").blocked.tolist() == expected


def png(width: int, height: int, pixels: bytes) -> bytes:
    """A PNG of one byte a pixel whose header may lie about the pixels that follow."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(pixels)) + chunk(b"IEND", b"")


@pytest.mark.parametrize(("width", "height"), [(10000, 10000), (15000, 15000), (10**6, 10**6)])
def test_refuses_a_bomb_without_a_warning(save: Save, width: int, height: int) -> None:
    path = save("bomb.png", png(width, height, b"\0" * 100))
    with warnings.catch_warnings(), pytest.raises(InputError, match=r"Pillow's safe limit of [0-9]+ pixels"):
        warnings.simplefilter("error")
        maps.read(path)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "the file is empty"),
        (b"hello", "not an image"),
        (b"type octile\nheight 1\n", "not an image"),
        (png(50, 50, b"\0" * 50), "the image cannot be read"),
        (b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n", "not an image"),
    ],
)
def test_refuses_what_is_no_image(save: Save, content: bytes, reason: str) -> None:
    path = save("bad.png", content)
    with pytest.raises(InputError, match=reason) as caught:
        maps.read(path)
    assert caught.value.path == path


def test_refuses_fractional_pixels(tmp_path: Path) -> None:
    Image.fromarray(np.zeros((2, 2), dtype=np.float32)).save(tmp_path / "a.tif")
    with pytest.raises(InputError, match="fractional pixels"):
        maps.read(tmp_path / "a.tif")


def test_writes_black_and_white(tmp_path: Path) -> None:
    maps.write(tmp_path / "a.png", maps.Terrain(np.array(BLOCKED)))
    with Image.open(io.BytesIO((tmp_path / "a.png").read_bytes())) as image:
        assert image.mode == "L"
        assert np.array_equal(np.asarray(image) == 0, BLOCKED)


def test_says_which_extra_is_missing(save: Save, monkeypatch: pytest.MonkeyPatch) -> None:
    path = save("a.png", png(1, 1, b"\0\0"))
    monkeypatch.setitem(__import__("sys").modules, "PIL.Image", None)
    with pytest.raises(MissingExtra, match=r"reading an image needs an extra: pip install 'replan\[images\]'"):
        maps.read(path)
