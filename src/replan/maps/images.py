"""Images as maps, through Pillow (extra `images`): one pixel a cell, row 0 at the top.

A pixel is blocked if it is dark (luminance below 128 of 255) or more transparent than not (alpha
below 128): where nothing is drawn there is no ground. An animation counts by its first picture.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import IO, Any

import numpy as np

from replan.errors import InputError, system_reason
from replan.extras import import_extra
from replan.maps.files import check_file
from replan.maps.terrain import ByteGrid, Terrain, check_size

READ_ONLY_SUFFIXES = (".pgm", ".pbm", ".ppm", ".pnm", ".bmp", ".gif", ".tif", ".tiff", ".jpg", ".jpeg", ".webp")
"""The suffixes of images that are read; `.png` is written, too."""

# Named, because Pillow would otherwise try every format it has, also those that start other programs.
_PILLOW_FORMATS = ("PNG", "PPM", "BMP", "GIF", "TIFF", "JPEG", "WEBP")
_AVERAGE_MATRIX = (1 / 3, 1 / 3, 1 / 3, 0)
MID_VALUE = 128


def read_image(path: Path) -> Terrain:
    """Read an image as a map. Raises InputError, or MissingExtra without Pillow."""
    return _terrain(*read_pixels(path), path)


def parse_image(content: bytes, path: Path) -> Terrain:
    """The same from what a file holds; path: its name, for messages."""
    return _terrain(*_pixels(io.BytesIO(content), path, average=False), path)


def image_size(content: bytes, path: Path) -> tuple[int, int]:
    """Rows and columns, without unpacking the pixels."""
    size: tuple[int, int] = _with_image(io.BytesIO(content), path, lambda image: (image.height, image.width))
    return size


def _terrain(grey: ByteGrid, alpha: ByteGrid | None, path: Path) -> Terrain:
    blocked = grey < MID_VALUE
    return Terrain(blocked if alpha is None else blocked | (alpha < MID_VALUE), name=path.stem)


def read_pixels(path: Path, average: bool = False) -> tuple[ByteGrid, ByteGrid | None]:
    """The brightness of each pixel, 0 (black) to 255, and its alpha, 0 (nothing) to 255 (None: all have 255).

    average: the brightness of a colour is the average of red, green and blue, not its luminance for the eye.

    The size is checked before the pixels are unpacked: against MAX_CELLS and against Pillow's own
    limit for images that are small on disk and huge in memory. Raises InputError, MissingExtra.
    """
    check_file(path)
    return _pixels(path, path, average)


def _pixels(source: Path | IO[bytes], path: Path, average: bool) -> tuple[ByteGrid, ByteGrid | None]:
    pixels: tuple[ByteGrid, ByteGrid | None] = _with_image(source, path, lambda image: _to_pixels(image, path, average))
    return pixels


def _with_image(source: Path | IO[bytes], path: Path, use: Callable[[Any], Any]) -> Any:
    pillow = import_extra("PIL.Image", extra="images", purpose="reading an image")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", pillow.DecompressionBombWarning)
        try:
            with pillow.open(source, formats=_PILLOW_FORMATS) as image:
                check_size(image.height, image.width, path)
                return use(image)
        except (pillow.DecompressionBombWarning, pillow.DecompressionBombError):
            reason = f"the image has more than Pillow's safe limit of {pillow.MAX_IMAGE_PIXELS} pixels"
            raise InputError(reason, path) from None
        except InputError:
            raise
        except pillow.UnidentifiedImageError:
            raise InputError("not an image, or of a kind that is not supported", path) from None
        except Exception as error:  # Pillow's readers raise a dozen kinds for a damaged file
            raise InputError(f"the image cannot be read: {system_reason(error)}", path) from None


def png_bytes(terrain: Terrain) -> bytes:
    """A PNG of 8-bit grey: black for blocked cells, white for free ones."""
    pillow: ModuleType = import_extra("PIL.Image", extra="images", purpose="writing an image")
    buffer = io.BytesIO()
    pillow.fromarray(np.where(terrain.blocked, np.uint8(0), np.uint8(255))).save(buffer, format="PNG")
    return buffer.getvalue()


def _to_pixels(image: Any, path: Path, average: bool) -> tuple[ByteGrid, ByteGrid | None]:
    if image.mode == "F":
        raise InputError("the image has fractional pixels; save it with 8 or 16 bits", path)
    if image.mode.startswith("I"):  # 16 bits a pixel: Pillow would cut off at 255 instead of scaling
        return np.clip(np.asarray(image) // 256, 0, 255).astype(np.uint8), None
    alpha = None
    if "A" in image.getbands() or "transparency" in image.info:
        image = image.convert("RGBA")
        alpha = np.array(image.getchannel("A"))
    if average and image.mode not in ("1", "L"):
        return np.array(image.convert("RGB").convert("L", matrix=_AVERAGE_MATRIX)), alpha
    return np.array(image.convert("L")), alpha
