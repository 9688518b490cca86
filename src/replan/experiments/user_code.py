"""Code that a user wrote outside the package: a planner as `module:Class`, an experiment as `FILE.py:NAME`.

It is imported as any module is, by its name and from a directory on the path: worker processes, which have the same
path, find it by that name, too.
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
    """A module from the working directory or the path. Raises InputError; missing: what it says if there is none."""
    _look_in(Path.cwd())
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:  # it is there, and something that it imports is not
            raise _broken(name, error) from error
        raise InputError(missing) from None
    except Exception as error:  # whatever the user's module does wrong
        raise _broken(name, error) from error


def import_file(file: Path) -> ModuleType:
    """The module in a file. Raises InputError."""
    if not file.is_file():
        raise InputError("there is no such file", file)
    name = file.stem
    if not name.isidentifier():
        raise InputError(f"{name!r} is no name for a module: use letters, digits and underscores", file)
    other = _file_of(name)
    if other is not None and other != file.resolve():
        raise InputError(f"Python has another module named {name!r} already; rename the file", file)
    _look_in(file.resolve().parent)
    return import_module(name, f"the module {name!r} is gone")


def _file_of(module: str) -> Path | None:
    """The file that Python takes for a module of this name, if it knows one."""
    try:
        spec = importlib.util.find_spec(module)
    except ValueError:  # it has no file: `__main__`
        return Path(module)
    return None if spec is None else Path(spec.origin or module).resolve()


def _look_in(directory: Path) -> None:
    if os.fspath(directory) not in sys.path:
        sys.path.insert(0, os.fspath(directory))


def _broken(name: str, error: Exception) -> InputError:
    """What is wrong with a module, and in which of its lines."""
    what = error.msg if isinstance(error, SyntaxError) else error
    reason = f"the module {name} does not import: {type(error).__name__}: {what}"
    if isinstance(error, SyntaxError):
        return InputError(reason, error.filename, error.lineno)
    frames = traceback.extract_tb(error.__traceback__)
    first = next((f for f in frames if f.filename not in (__file__, importlib.__file__) and f.filename[0] != "<"), None)
    return InputError(reason, first.filename, first.lineno) if first is not None else InputError(reason)


def refuse_unimportable(function: object, what: str) -> None:
    """Workers get a function by its name: it has to be one of a module, defined there by `def`. Raises InputError."""
    name, module = getattr(function, "__qualname__", ""), getattr(function, "__module__", "")
    if name and getattr(sys.modules.get(module), name, None) is function:
        return
    shown = f"{module}.{name}" if name else repr(function)
    raise InputError(f"{what} is {shown}, which workers cannot find: define it by `def` at the top of a module")
