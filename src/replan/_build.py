"""What the sources are, and what the extensions were built from: the build records it, whoever runs them compares.

The standard library alone: setup.py runs this file when the package cannot be imported yet.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

#: No trip depends on these rooms: they may change, and results stay results of the same code.
OUTER_PACKAGES = {"bridges", "cli", "course", "drawings", "experiments", "papers", "viewer"}

EXTENSION_SUFFIX = EXTENSION_SUFFIXES[0]  # of extensions that are built for this Python
RECORD_NAME = f"_built{EXTENSION_SUFFIX.rpartition('.')[0]}.txt"  # stands in the package, beside the extensions that it tells of


def package_files(home: Path) -> list[str]:
    """The files of the inner rooms of the package in `home`, by their names from there."""
    found = []
    for folder, rooms, names in os.walk(home):
        inside = Path(folder).relative_to(home)
        rooms[:] = set(rooms) - {"__pycache__"} - (OUTER_PACKAGES if inside == Path() else set())
        found += [(inside / name).as_posix() for name in names]
    return sorted(found)


def source_files(names: Iterable[str]) -> list[str]:
    """All that a trip depends on: every .py and .pxd."""
    return [name for name in names if name.endswith((".py", ".pxd"))]


def core_files(names: Iterable[str]) -> list[str]:
    """What is compiled: every .py that has a .pxd beside it, and every .pxd, for any module may use any of them."""
    everything = set(names)
    return [n for n in source_files(names) if n.endswith(".pxd") or n.removesuffix("py") + "pxd" in everything]


def file_digests(home: Path, names: Iterable[str]) -> dict[str, str]:
    """The digest of what is in each file."""
    return {name: hashlib.sha256((home / name).read_bytes()).hexdigest() for name in names}


def code_digest(home: Path) -> str:
    """One digest of all that a trip depends on."""
    return hashlib.sha256(repr(file_digests(home, source_files(package_files(home)))).encode()).hexdigest()


def core_digests(home: Path) -> dict[str, str]:
    """The digests of what is compiled."""
    return file_digests(home, core_files(package_files(home)))


def write_record(home: Path, built: dict[str, str]) -> None:
    """Note that the extensions in `home` were built from files of these digests."""
    (home / RECORD_NAME).write_text("".join(f"{value}  {name}\n" for name, value in built.items()), encoding="utf-8")


def stale_files(home: Path) -> list[str]:
    """The files of the core that the extensions in `home` were not built from."""
    record, names = home / RECORD_NAME, package_files(home)
    lines = record.read_text(encoding="utf-8").splitlines() if record.exists() else []
    built = {name: value for value, name in (line.split("  ", 1) for line in lines)}
    now = file_digests(home, core_files(names))
    differ = {name for name in built.keys() | now.keys() if built.get(name) != now.get(name)}
    lost = {name for name in now if name.endswith(".py") and name.removesuffix(".py") + EXTENSION_SUFFIX not in set(names)}
    return sorted(differ | lost)


def remove_extensions(package: Path, keep: Iterable[Path] = ()) -> None:
    """Remove this Python's extensions in `package` and their record, but for those to keep."""
    kept = {path.resolve() for path in keep}
    for path in [*package.rglob(f"*{EXTENSION_SUFFIX}"), package / RECORD_NAME]:
        if path.resolve() not in kept:
            path.unlink(missing_ok=True)
