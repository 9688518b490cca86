"""Import the core from its .py files, even where extensions stand beside them."""

from __future__ import annotations

import sys
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, SourceFileLoader
from pathlib import Path


def use_sources(package: Path) -> None:
    """Take only .py files below `package` from now on. Call it before the first `import replan`."""
    if any(name.partition(".")[0] == "replan" for name in sys.modules):
        raise RuntimeError("replan is imported already")
    inside = package.resolve()

    def hook(path: str) -> FileFinder:
        where = Path(path).resolve()
        if where != inside and inside not in where.parents:
            raise ImportError(f"{path} is not part of the package")
        return FileFinder(path, (SourceFileLoader, SOURCE_SUFFIXES))

    sys.path_hooks.insert(0, hook)
    sys.path_importer_cache.clear()
