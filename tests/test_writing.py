"""Files are there whole or as they were."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import replan
from replan.atomic_write import write_bytes, write_text

LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs Linux")


def test_a_new_file_and_a_replaced_one(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    write_text(path, "one\n")
    path.chmod(0o640)
    write_text(str(path), "zwei ß\n")
    assert path.read_bytes() == "zwei ß\n".encode()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert os.listdir(tmp_path) == ["a.txt"]


def test_the_umask_decides_who_may_read(tmp_path: Path) -> None:
    old = os.umask(0o022)
    try:
        write_bytes(tmp_path / "a", b"")
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o644


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("file")
    write_bytes(tmp_path / "link", b"1")
    write_bytes(tmp_path / "link", b"2")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "file").read_bytes() == b"2"


def full(*_: object) -> None:
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize("call", ["os.fsync", "os.replace"])
def test_on_a_full_disk_the_old_file_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    path = tmp_path / "trip.json"
    path.write_text("precious")
    monkeypatch.setattr(call, full)
    with pytest.raises(replan.InputError, match=r"trip.json: cannot be written: No space left on device"):
        write_bytes(path, b"x" * 100)
    assert path.read_text() == "precious"
    assert os.listdir(tmp_path) == ["trip.json"]


@LINUX
def test_a_disk_that_fills_while_writing(tmp_path: Path) -> None:
    """A real limit, in a process of its own: 64 kB a file."""
    script = f"""
import resource, replan
from replan.atomic_write import write_bytes
resource.setrlimit(resource.RLIMIT_FSIZE, (2**16, 2**16))
try:
    write_bytes({str(tmp_path / "a")!r}, b"x" * 2**20)
except replan.InputError as error:
    print(error)
"""
    (tmp_path / "a").write_text("precious")
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == f"{tmp_path / 'a'}: cannot be written: File too large\n"
    assert (tmp_path / "a").read_text() == "precious" and len(os.listdir(tmp_path)) == 1


@LINUX
def test_a_device_is_written_into_and_not_replaced() -> None:
    write_bytes("/dev/null", b"x")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    with pytest.raises(replan.InputError, match="/dev/full: cannot be written: No space left on device"):
        write_bytes("/dev/full", b"x")
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)


@pytest.mark.parametrize("name", [".", "none/a", "a\0b", "x" * 300])
def test_what_cannot_be_written_is_said(tmp_path: Path, name: str) -> None:
    with pytest.raises(replan.InputError, match="cannot be written: "):
        write_bytes(str(tmp_path / name), b"")
    assert os.listdir(tmp_path) == []
