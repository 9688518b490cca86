"""What a user's code is made of: its module, and every module that it imports, but for what is installed."""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import site
import sys
import sysconfig
from dataclasses import dataclass, field
from functools import cache
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

from replan.errors import InputError

IMPORT_CALLS = ("import_module", "__import__")  # calls that import what their first argument names
# Names that run code, or load libraries, from anywhere: functions of Python, and those of modules.
CODE_LOADERS = ("exec", "eval", "__import__", "__builtins__", "builtins")
MODULE_CODE_LOADERS = (
    *("run_path", "run_module", "spec_from_file_location", "exec_module", "load_module", "import_module"),
    *("CDLL", "PyDLL", "LoadLibrary", "load_library", "dlopen"),
)


@dataclass
class SourceFiles:
    """The files that code is made of, each after those that it imports, and why there may be others.

    files: by the names of their modules as paths. unknown: imports that cannot be followed, in sentences.
    """

    files: dict[str, Path] = field(default_factory=dict)
    unresolved: list[str] = field(default_factory=list)

    def digest(self) -> str:
        """Differs where any of the files does."""
        found = hashlib.sha256()
        for name, path in sorted(self.files.items()):
            found.update(f"{name}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
        return found.hexdigest()[:8]


def find_sources(module: ModuleType) -> SourceFiles:
    """The module's own file and those of all modules that it imports, and that these import, wherever they lie.

    Not those of the standard library, of site-packages (but for the module's own package), and of Replan.
    Follows the import statements, also those in functions, by the module search path as it is now. A compiled module
    has none; what it holds tells what it has imported. Raises InputError for a file that is no Python.
    """
    walk = _ImportVisitor(module.__name__.partition(".")[0])
    walk.visit(module.__name__)
    return walk.sources


class _ImportVisitor:
    """own: the package or module whose files count even where it is installed."""

    def __init__(self, own: str) -> None:
        self.top_package, self.sources = own, SourceFiles()
        self.visited: set[str] = set()

    def visit(self, name: str) -> None:
        """A module, and the packages that it is in."""
        if name in self.visited:
            return
        self.visited.add(name)
        package, _, _ = name.rpartition(".")
        if package:
            self.visit(package)
        spec = _spec(name)
        if spec is None or self._is_excluded(name, spec) or _is_namespace(spec):
            return
        file = _file(spec)
        if file is None:
            self.sources.unresolved.append(f"the module {name} has no file")
            return
        if file.suffix == ".py":
            self._visit_source(name, spec, file)
        else:
            self._visit_compiled(name, file)
        inside = name.replace(".", "/") + "/" if spec.submodule_search_locations else "/".join(name.split(".")[:-1])
        self.sources.files[(Path(inside) / file.name).as_posix()] = file

    def _is_excluded(self, name: str, spec: ModuleSpec) -> bool:
        """Whether the version of Replan or of Python tells what it is, or it is installed."""
        top = name.partition(".")[0]
        if top == "replan" or spec.origin in ("built-in", "frozen"):
            return True
        return top != self.top_package and bool(spec.origin) and _is_installed(str(spec.origin))

    def _visit_source(self, name: str, spec: ModuleSpec, file: Path) -> None:
        """All import statements of a file, and the calls that import."""
        try:
            tree = ast.parse(file.read_bytes())
        except SyntaxError as error:
            raise InputError(f"the file is imported and is no Python: {error.msg}", file, error.lineno) from None
        package = name if spec.submodule_search_locations is not None else name.rpartition(".")[0]
        followed: set[ast.AST] = set()
        for node in ast.walk(tree):  # a call comes before the name of what it calls
            if isinstance(node, ast.Import):
                for alias in node.names:
                    self._check_alias(alias, node.lineno, file)
                    self.visit(alias.name)
            elif isinstance(node, ast.ImportFrom):
                self._visit_from(node, package, file)
            elif isinstance(node, ast.Call):
                if self._visit_call(node, package, file):
                    followed.add(node.func)
            elif node not in followed and (name := _loader(node)):
                self.sources.unresolved.append(f"{file}, line {getattr(node, 'lineno', 1)}: {name} may load any code")

    def _visit_from(self, node: ast.ImportFrom, package: str, file: Path) -> None:
        try:
            start = importlib.util.resolve_name("." * node.level + (node.module or ""), package)
        except ImportError:  # beyond the top
            return
        self.visit(start)
        for alias in node.names:  # a module, or a name in one
            self._check_alias(alias, node.lineno, file)
            names = getattr(sys.modules.get(start), "__all__", ()) if alias.name == "*" else (alias.name,)
            for name in names:
                self.visit(f"{start}.{name}")

    def _check_alias(self, alias: ast.alias, line: int, file: Path) -> None:
        """A name that loads code, under another one, which is not recognized where it is used."""
        if alias.name in (*CODE_LOADERS, *MODULE_CODE_LOADERS) and alias.asname not in (None, alias.name):
            called = f"{alias.name} as {alias.asname}"
            self.sources.unresolved.append(f"{file}, line {line}: {called} may load any code")

    def _visit_call(self, node: ast.Call, package: str, file: Path) -> bool:
        """An import by a function: followed where the name is written there. True if it was."""
        called = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        given = node.args[0] if node.args else None
        if called not in IMPORT_CALLS or not isinstance(given, ast.Constant) or not isinstance(given.value, str):
            return False
        try:
            self.visit(importlib.util.resolve_name(given.value, package))
        except ImportError:
            self.sources.unresolved.append(f"{file}, line {node.lineno}: {called}({given.value!r}) leads nowhere")
        return True

    def _visit_compiled(self, name: str, file: Path) -> None:
        """The modules that a compiled module holds, and those that what it holds comes from."""
        module = sys.modules.get(name)
        if module is None:
            self.sources.unresolved.append(f"{file} is compiled and not imported yet: it may import anything")
            return
        for value in list(vars(module).values()):
            other = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
            if isinstance(other, str):
                self.visit(other)


def _loader(node: ast.AST) -> str:
    """The name that is used here, if it is one that runs code or loads libraries from anywhere; else empty."""
    if not isinstance(getattr(node, "ctx", None), ast.Load):
        return ""
    if isinstance(node, ast.Name):
        return node.id if node.id in (*CODE_LOADERS, *MODULE_CODE_LOADERS) else ""
    return node.attr if isinstance(node, ast.Attribute) and node.attr in MODULE_CODE_LOADERS else ""


def _spec(name: str) -> ModuleSpec | None:
    """Where a module is, without importing it; None if there is none."""
    loaded = sys.modules.get(name)
    if loaded is not None:
        spec = getattr(loaded, "__spec__", None)
        return spec if spec is not None else ModuleSpec(name, None, origin=getattr(loaded, "__file__", None) or "")
    package, _, leaf = name.rpartition(".")
    path = None
    if package:
        parent = _spec(package)
        if parent is None or parent.submodule_search_locations is None:
            return None
        path = list(parent.submodule_search_locations)
    for finder in sys.meta_path:
        try:
            spec = finder.find_spec(name, path)
        except KeyError:  # a folder without __init__.py, in a package that is not imported yet
            spec = ModuleSpec(name, None, is_package=True)
            spec.submodule_search_locations = [str(Path(place) / leaf) for place in path or ()]
        except (ImportError, AttributeError, ValueError):  # a finder of the user's, or an odd name
            continue
        if spec is not None:
            return spec
    return None


def _is_namespace(spec: ModuleSpec) -> bool:
    return spec.origin is None and spec.submodule_search_locations is not None


def _file(spec: ModuleSpec) -> Path | None:
    """The file of a module; of one in an archive, the archive."""
    if not spec.origin:
        return None
    file = Path(spec.origin)
    return next((place for place in (file, *file.parents) if place.is_file()), None)


@cache
def _installed() -> tuple[Path, ...]:
    """The standard library, and where packages are installed."""
    python = (sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib"))
    return tuple(Path(p).resolve() for p in {*python, *site.getsitepackages(), site.getusersitepackages()})


def _is_installed(place: str) -> bool:
    path = Path(place).resolve()
    return any(path.is_relative_to(home) for home in _installed())
