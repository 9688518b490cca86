"""Digests of the source files: the build records them, and a running program compares them with the present files.

This module uses only the standard library: setup.py runs it when the package cannot be imported yet.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

#: Packages on which no trip depends: a change in them does not change the digest of the code.
OUTER_PACKAGES = {"bridges", "cli", "course", "drawings", "experiments", "papers", "viewer"}

EXTENSION_SUFFIX = EXTENSION_SUFFIXES[0]  # suffix of extensions that are built for this Python
RECORD_NAME = f"_built{EXTENSION_SUFFIX.rpartition('.')[0]}.txt"  # file in the package, beside the extensions


def package_files(home: Path) -> list[str]:
    """List the files of the package in `home` without OUTER_PACKAGES, by their paths relative to `home`."""
    files = []
    for folder, subfolders, names in os.walk(home):
        relative = Path(folder).relative_to(home)
        subfolders[:] = set(subfolders) - {"__pycache__"} - (OUTER_PACKAGES if relative == Path() else set())
        files += [(relative / name).as_posix() for name in names]
    return sorted(files)


def source_files(names: Iterable[str]) -> list[str]:
    """Select every .py and .pxd: the files on which a trip depends."""
    return [name for name in names if name.endswith((".py", ".pxd"))]


def core_files(names: Iterable[str]) -> list[str]:
    """Select the files that are compiled: every .pxd, and every .py with a .pxd beside it."""
    all_names = set(names)
    return [n for n in source_files(names) if n.endswith(".pxd") or n.removesuffix("py") + "pxd" in all_names]


def file_digests(home: Path, names: Iterable[str]) -> dict[str, str]:
    """Return the digest of the content of each file."""
    return {name: hashlib.sha256((home / name).read_bytes()).hexdigest() for name in names}


def code_digest(home: Path) -> str:
    """Return one digest of all files on which a trip depends."""
    return hashlib.sha256(repr(file_digests(home, source_files(package_files(home)))).encode()).hexdigest()


def core_digests(home: Path) -> dict[str, str]:
    """Return the digests of the files that are compiled."""
    return file_digests(home, core_files(package_files(home)))


def write_record(home: Path, built: dict[str, str]) -> None:
    """Record the digests of the files from which the extensions in `home` were built."""
    (home / RECORD_NAME).write_text("".join(f"{value}  {name}\n" for name, value in built.items()), encoding="utf-8")


def stale_files(home: Path) -> list[str]:
    """List the files that differ from those of which the extensions in `home` were built."""
    record, names = home / RECORD_NAME, package_files(home)
    lines = record.read_text(encoding="utf-8").splitlines() if record.exists() else []
    built = {name: value for value, name in (line.split("  ", 1) for line in lines)}
    now = file_digests(home, core_files(names))
    changed = {name for name in built.keys() | now.keys() if built.get(name) != now.get(name)}
    modules = {name.removesuffix(".py") for name in now if name.endswith(".py")}
    without_extension = {f"{module}.py" for module in modules if module + EXTENSION_SUFFIX not in set(names)}
    return sorted(changed | without_extension)


def remove_extensions(package: Path, keep: Iterable[Path] = ()) -> None:
    """Remove this Python's extensions in `package` and their record, except the files in `keep`."""
    kept_paths = {path.resolve() for path in keep}
    for path in [*package.rglob(f"*{EXTENSION_SUFFIX}"), package / RECORD_NAME]:
        if path.resolve() not in kept_paths:
            path.unlink(missing_ok=True)
