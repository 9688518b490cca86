"""What a user's planner is made of: its module, and those that it imports from beside it."""

from __future__ import annotations

import ast
import sysconfig
from collections.abc import Iterator
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from types import ModuleType

from replan.errors import InputError

SUFFIXES = (".py", "/__init__.py", *EXTENSION_SUFFIXES)


def files_of(module: ModuleType) -> dict[str, Path]:
    """The module's own file and those of all modules that it imports from the folder where it was found.

    By their names in that folder, each after those that it imports. Goes by the import statements, also those in
    functions; where everything is installed side by side, only the module's own package counts. Raises InputError for
    a file that is no Python.
    """
    if not module.__file__:
        return {}
    name, own = module.__name__, Path(module.__file__)
    folder = own.parents[name.count(".") + hasattr(module, "__path__")]
    installed = str(folder) in (sysconfig.get_path("purelib"), sysconfig.get_path("platlib"))
    seen, ordered = set(), {}

    def visit(file: Path) -> None:
        if file in seen or folder not in file.parents:
            return
        inside = file.relative_to(folder)
        top = inside.parts[0].partition(".")[0]
        if top == "replan" or (installed and top != name.partition(".")[0]):
            return
        seen.add(file)
        for other in _imports(file, folder) if file.suffix == ".py" else ():
            visit(other)
        ordered[inside.as_posix()] = file

    for file in [*_found(folder, name), own]:
        visit(file)
    return ordered


def _imports(file: Path, folder: Path) -> Iterator[Path]:
    """The files in `folder` that a file's import statements may mean."""
    try:
        tree = ast.parse(file.read_bytes())
    except SyntaxError as error:
        raise InputError(f"the file is imported and is no Python: {error.msg}", file, error.lineno) from None
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _found(folder, alias.name)
        elif isinstance(node, ast.ImportFrom):
            start = [folder, *file.parents][node.level]
            for alias in node.names:  # a module, or a name in one
                yield from _found(start, f"{node.module}.{alias.name}" if node.module else alias.name)


def _found(start: Path, name: str) -> Iterator[Path]:
    """The files of the module `name`, seen from a folder, and of the packages that it is in."""
    path = start
    for part in name.split("."):
        path = path / part
        yield from (file for suffix in SUFFIXES if (file := Path(f"{path}{suffix}")).is_file())
