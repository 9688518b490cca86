"""Find the source files of a user's code: its module and every module that it imports, without installed packages."""

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

IMPORT_CALLS = ("import_module", "__import__")  # calls that import the module that their first argument names
# Names that run code or load libraries from anywhere: builtins, and functions of modules.
CODE_LOADERS = ("exec", "eval", "__import__", "__builtins__", "builtins")
MODULE_CODE_LOADERS = (
    *("run_path", "run_module", "spec_from_file_location", "exec_module", "load_module", "import_module"),
    *("CDLL", "PyDLL", "LoadLibrary", "load_library", "dlopen"),
)


@dataclass
class SourceFiles:
    """The source files of some code.

    files: the files by the names of their modules as paths, each after the files that it imports.
    unresolved: imports that cannot be followed, in sentences.
    """

    files: dict[str, Path] = field(default_factory=dict)
    unresolved: list[str] = field(default_factory=list)

    def digest(self) -> str:
        """Return a hash of all files."""
        combined = hashlib.sha256()
        for name, path in sorted(self.files.items()):
            combined.update(f"{name}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
        return combined.hexdigest()[:8]


def find_sources(module: ModuleType) -> SourceFiles:
    """Return the file of a module and the files of all modules that it imports, directly or indirectly.

    Excluded are the standard library, site-packages (except the module's own package) and Replan. Import statements are
    followed, also in functions, by the current module search path. A compiled module has no import statements: its
    contents show what it imported. Raises InputError for a file that is no Python.
    """
    visitor = _ImportVisitor(module.__name__.partition(".")[0])
    visitor.visit(module.__name__)
    return visitor.sources


class _ImportVisitor:
    """Collects source files by following imports.

    top_package: package or module whose files count even if it is installed.
    """

    def __init__(self, top_package: str) -> None:
        self.top_package, self.sources = top_package, SourceFiles()
        self.visited: set[str] = set()

    def visit(self, name: str) -> None:
        """Visit a module and the packages that contain it."""
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
        folder = name.replace(".", "/") + "/" if spec.submodule_search_locations else "/".join(name.split(".")[:-1])
        self.sources.files[(Path(folder) / file.name).as_posix()] = file

    def _is_excluded(self, name: str, spec: ModuleSpec) -> bool:
        """True if the module belongs to Replan or Python, or is installed."""
        top = name.partition(".")[0]
        if top == "replan" or spec.origin in ("built-in", "frozen"):
            return True
        return top != self.top_package and bool(spec.origin) and _is_installed(str(spec.origin))

    def _visit_source(self, name: str, spec: ModuleSpec, file: Path) -> None:
        """Follow all import statements of a file, and the calls that import."""
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
        """Record an alias of a name that loads code: its uses cannot be recognized."""
        if alias.name in (*CODE_LOADERS, *MODULE_CODE_LOADERS) and alias.asname not in (None, alias.name):
            called = f"{alias.name} as {alias.asname}"
            self.sources.unresolved.append(f"{file}, line {line}: {called} may load any code")

    def _visit_call(self, node: ast.Call, package: str, file: Path) -> bool:
        """Follow a call that imports a module by a literal name. Return True if it was followed."""
        called = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        argument = node.args[0] if node.args else None
        if called not in IMPORT_CALLS or not isinstance(argument, ast.Constant) or not isinstance(argument.value, str):
            return False
        try:
            self.visit(importlib.util.resolve_name(argument.value, package))
        except ImportError:
            self.sources.unresolved.append(f"{file}, line {node.lineno}: {called}({argument.value!r}) leads nowhere")
        return True

    def _visit_compiled(self, name: str, file: Path) -> None:
        """Visit the modules in the namespace of a compiled module, and the modules that its objects come from."""
        module = sys.modules.get(name)
        if module is None:
            self.sources.unresolved.append(f"{file} is compiled and not imported yet: it may import anything")
            return
        for value in list(vars(module).values()):
            imported = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
            if isinstance(imported, str):
                self.visit(imported)


def _loader(node: ast.AST) -> str:
    """Return the name that a node loads if it runs code or loads libraries from anywhere; else an empty string."""
    if not isinstance(getattr(node, "ctx", None), ast.Load):
        return ""
    if isinstance(node, ast.Name):
        return node.id if node.id in (*CODE_LOADERS, *MODULE_CODE_LOADERS) else ""
    return node.attr if isinstance(node, ast.Attribute) and node.attr in MODULE_CODE_LOADERS else ""


def _spec(name: str) -> ModuleSpec | None:
    """Return the spec of a module without importing it; None if there is none."""
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
            spec.submodule_search_locations = [str(Path(directory) / leaf) for directory in path or ()]
        except (ImportError, AttributeError, ValueError):  # a finder of the user, or an unusual name
            continue
        if spec is not None:
            return spec
    return None


def _is_namespace(spec: ModuleSpec) -> bool:
    return spec.origin is None and spec.submodule_search_locations is not None


def _file(spec: ModuleSpec) -> Path | None:
    """Return the file of a module, or the archive that contains it."""
    if not spec.origin:
        return None
    file = Path(spec.origin)
    return next((path for path in (file, *file.parents) if path.is_file()), None)


@cache
def _installed() -> tuple[Path, ...]:
    """Return the directories of the standard library and of installed packages."""
    python = (sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib"))
    return tuple(Path(p).resolve() for p in {*python, *site.getsitepackages(), site.getusersitepackages()})


def _is_installed(origin: str) -> bool:
    path = Path(origin).resolve()
    return any(path.is_relative_to(directory) for directory in _installed())
