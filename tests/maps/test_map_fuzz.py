"""Damaged files of every format end in an InputError or in a map, never in anything else."""

from __future__ import annotations

import io
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from replan import maps
from replan.errors import InputError
from replan.maps.formats import FORMATS

SUFFIXES = [".scen", *(suffix for row in FORMATS for suffix in row.suffixes)]
few = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])

OCTILE = b"type octile\nheight 3\nwidth 4\nmap\n..@.\nGSTW\n....\n"
CORNER = b"type octile-corner\r\nheight 3\r\nwidth 3\r\nmap\r\n012\r\n233\r\n222\r\nGgT\r\nsSO\r\nWGG\r\n"
TEXT = b"..#.\n1 9_\n@...\n"
SCEN = b"version 1\n0\tmaps/a.map\t4\t3\t0\t0\t3\t2\t4.41421\n0 a.map 4 3 1 1 2 2 1.0\n"
YAML = b"image: a.pgm\nresolution: 0.05\norigin: [0.0, 1.5, 0.0]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.2\n"
PGM = b"P5\n4 3\n255\n" + bytes(range(0, 240, 20))


def image(kind: str) -> bytes:
    pillow = pytest.importorskip("PIL.Image")
    buffer = io.BytesIO()
    pillow.fromarray(np.arange(0, 240, 20, dtype=np.uint8).reshape(3, 4)).save(buffer, format=kind)
    return buffer.getvalue()


def npy() -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, np.arange(12).reshape(3, 4))
    return buffer.getvalue()


def samples() -> list[tuple[str, bytes]]:
    pictures = [(f".{kind.lower()}", image(kind)) for kind in ("png", "bmp", "gif", "tiff", "jpeg")]
    texts = [(".map", OCTILE), (".map", CORNER), (".txt", TEXT), (".scen", SCEN), (".yaml", YAML), (".pgm", PGM)]
    return [*texts, *pictures, (".npy", npy())]


@st.composite
def damage(draw: st.DrawFn, content: bytes) -> bytes:
    """A valid file with a few bytes changed, cut out, doubled or put in."""
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(content)))
        stop = draw(st.integers(start, min(len(content), start + 20)))
        new = draw(st.one_of(st.binary(max_size=4), st.just(content[start:stop] * 2), st.sampled_from([b"-1", b"\n"])))
        content = content[:start] + new + content[stop:]
    return content


def read_or_refuse(suffix: str, content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"a{suffix}"
        (path.parent / "a.pgm").write_bytes(PGM)
        path.write_bytes(content)
        try:
            if suffix == ".scen":
                assert all(isinstance(problem, maps.Scenario) for problem in maps.read_scenarios(path))
            else:
                assert isinstance(maps.read(path), maps.Terrain)
        except InputError as error:
            assert str(error).startswith(str(path)) and "\n" not in str(error)


@pytest.mark.parametrize(("suffix", "content"), samples(), ids=lambda part: part if isinstance(part, str) else "")
def test_damaged_files(suffix: str, content: bytes) -> None:
    read_or_refuse(suffix, content)

    @few
    @given(damage(content))
    def check(damaged: bytes) -> None:
        read_or_refuse(suffix, damaged)

    check()


@few
@given(st.sampled_from(SUFFIXES), st.binary(max_size=300))
def test_random_bytes(suffix: str, content: bytes) -> None:
    read_or_refuse(suffix, content)


@few
@given(st.text(max_size=200))
def test_random_text_after_a_good_beginning(text: str) -> None:
    tail = text.encode("utf-8", errors="surrogatepass")
    read_or_refuse(".map", b"type octile\nheight " + tail)
    read_or_refuse(".scen", b"version 1\n" + tail)
    read_or_refuse(".yaml", b"image: a.pgm\nresolution: " + tail)
