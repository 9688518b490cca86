"""Images as maps, through Pillow (extra `images`): one pixel a cell, row 0 at the top.

A pixel is blocked if it is dark (luminance below 128 of 255) or more transparent than not (alpha
below 128): where nothing is drawn there is no ground. An animation counts by its first picture.
"""

from __future__ import annotations

import io
import warnings
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from replan.errors import InputError, reason_of
from replan.extras import need
from replan.maps.files import check_file
from replan.maps.terrain import BoolGrid, ByteGrid, Terrain, check_size

SUFFIXES = (".png", ".pgm", ".pbm", ".ppm", ".pnm", ".bmp", ".gif", ".tif", ".tiff", ".jpg", ".jpeg", ".webp")

# Named, because Pillow would else try every format it has, also those that start other programs.
_PILLOW_FORMATS = ("PNG", "PPM", "BMP", "GIF", "TIFF", "JPEG", "WEBP")
_HALF = 128


def read_image(path: Path) -> Terrain:
    """Read an image as a map. Raises InputError, or MissingExtra without Pillow."""
    grey, opaque = read_pixels(path)
    blocked = grey < _HALF
    return Terrain(blocked if opaque is None else blocked | ~opaque, name=path.stem)


def read_pixels(path: Path) -> tuple[ByteGrid, BoolGrid | None]:
    """The luminance of each pixel, 0 (black) to 255, and which are opaque (None: all).

    The size is checked before the pixels are unpacked: against MAX_CELLS and against Pillow's own
    limit for images that are small on disk and huge in memory. Raises InputError, MissingExtra.
    """
    pillow = need("PIL.Image", extra="images", what="reading an image")
    check_file(path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", pillow.DecompressionBombWarning)
        try:
            with pillow.open(path, formats=_PILLOW_FORMATS) as image:
                check_size(image.height, image.width, path)
                return _unpack(image, path)
        except (pillow.DecompressionBombWarning, pillow.DecompressionBombError):
            reason = f"the image has more than Pillow's safe limit of {pillow.MAX_IMAGE_PIXELS} pixels"
            raise InputError(reason, path) from None
        except InputError:
            raise
        except pillow.UnidentifiedImageError:
            raise InputError("not an image, or of a kind that is not supported", path) from None
        except Exception as error:  # Pillow's readers raise a dozen kinds for a damaged file
            raise InputError(f"the image cannot be read: {reason_of(error)}", path) from None


def png_bytes(terrain: Terrain) -> bytes:
    """A PNG of 8-bit grey: black for blocked cells, white for free ones. Weights and walls are not written."""
    pillow: ModuleType = need("PIL.Image", extra="images", what="writing an image")
    buffer = io.BytesIO()
    pillow.fromarray(np.where(terrain.blocked, np.uint8(0), np.uint8(255))).save(buffer, format="PNG")
    return buffer.getvalue()


def _unpack(image: Any, path: Path) -> tuple[ByteGrid, BoolGrid | None]:
    if image.mode == "F":
        raise InputError("the image has fractional pixels; save it with 8 or 16 bits", path)
    if image.mode.startswith("I"):  # 16 bits a pixel: Pillow would cut off at 255 instead of scaling
        return np.clip(np.asarray(image) // 256, 0, 255).astype(np.uint8), None
    if "A" not in image.getbands() and "transparency" not in image.info:
        return np.array(image.convert("L")), None
    with_alpha = image.convert("RGBA")
    return np.array(with_alpha.convert("L")), np.array(with_alpha.getchannel("A")) >= _HALF
