"""Import code of the user: a planner as `module:Class`, an experiment as `FILE.py:NAME`.

Such code is imported as any module, by its name and from a directory on the module search path. Worker processes have
the same path, so they find it by the same name.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
import traceback
from pathlib import Path
from types import ModuleType

from replan.errors import InputError


def import_module(name: str, missing: str) -> ModuleType:
    """Import a module from the working directory or the path. Raises InputError, with `missing` if there is none."""
    _add_to_path(Path.cwd())
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:  # a module that it imports is missing
            raise _broken(name, error) from error
        raise InputError(missing) from None
    except Exception as error:  # the user's module may raise anything
        raise _broken(name, error) from error


def import_file(file: Path) -> ModuleType:
    """Import the module in a file. Raises InputError."""
    if not file.is_file():
        raise InputError("there is no such file", file)
    name = file.stem
    if not name.isidentifier():
        raise InputError(f"{name!r} is no name for a module: use letters, digits and underscores", file)
    known_file = _file_of(name)
    if known_file is not None and known_file != file.resolve():
        raise InputError(f"Python has another module named {name!r} already; rename the file", file)
    _add_to_path(file.resolve().parent)
    return import_module(name, f"the module {name!r} is gone")


def _file_of(module: str) -> Path | None:
    """Return the file from which Python would import a module of this name; None if there is none."""
    try:
        spec = importlib.util.find_spec(module)
    except ValueError:  # `__main__` has no file
        return Path(module)
    return None if spec is None else Path(spec.origin or module).resolve()


def _add_to_path(directory: Path) -> None:
    if os.fspath(directory) not in sys.path:
        sys.path.insert(0, os.fspath(directory))


def _broken(name: str, error: Exception) -> InputError:
    """Return the error of a module that cannot be imported, with its file and line."""
    message = error.msg if isinstance(error, SyntaxError) else error
    reason = f"the module {name} does not import: {type(error).__name__}: {message}"
    if isinstance(error, SyntaxError):
        return InputError(reason, error.filename, error.lineno)
    frames = traceback.extract_tb(error.__traceback__)
    first = next((f for f in frames if f.filename not in (__file__, importlib.__file__) and f.filename[0] != "<"), None)
    return InputError(reason, first.filename, first.lineno) if first is not None else InputError(reason)


def refuse_unimportable(function: object, what: str) -> None:
    """Raise InputError unless workers can import a function by its name. `what` begins the error message."""
    name, module = getattr(function, "__qualname__", ""), getattr(function, "__module__", "")
    if name and getattr(sys.modules.get(module), name, None) is function:
        return
    shown = f"{module}.{name}" if name else repr(function)
    raise InputError(f"{what} is {shown}, which workers cannot find: define it by `def` at the top of a module")
