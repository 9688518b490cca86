"""The packages inside the package, and which of them each may import."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import replan

PACKAGE = Path(replan.__file__).parent

# Each package may import itself and those before it. Modules beside the packages (limits, errors, ...) belong to all.
ORDER = (
    "maps < spaces < queues < search < planners < worlds < drawings < simulation < crowds < experiments < papers "
    "< course < bridges < viewer < cli"
)
PACKAGES = ORDER.split(" < ")


def imports(path: Path) -> set[str]:
    """The packages that a file imports, also inside functions; not what only the type checker sees."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = set()
    skipped = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if node in skipped:
            continue
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module] if node.module != "replan" else [f"replan.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        found |= {name.split(".")[1] for name in names if name.startswith("replan.")}
    return found


def test_every_package_is_in_the_order():
    assert {path.parent.name for path in PACKAGE.glob("*/__init__.py")} == set(PACKAGES)


def test_packages_import_only_those_before_them():
    wrong = [
        f"{path.relative_to(PACKAGE)} imports {other}"
        for i, name in enumerate(PACKAGES)
        for path in sorted((PACKAGE / name).rglob("*.py"))
        for other in imports(path) & set(PACKAGES[i + 1 :])
    ]
    assert not wrong, "\n".join(["the order of packages is " + ORDER, *wrong])


def test_only_the_command_line_imports_papers():
    """What only reproductions need is no part of the library."""
    other = [path for path in PACKAGE.rglob("*.py") if path.relative_to(PACKAGE).parts[0] not in ("papers", "cli")]
    assert [str(path) for path in other if "papers" in imports(path)] == []


def test_the_library_runs_without_papers():
    program = (
        "import replan, sys\n"
        "for spec in replan.planners(): replan.planner(spec.name)\n"
        "grid = replan.Grid([[0, 0, 0]])\n"
        "replan.compare(grid, ['RTAA*'], problems=[((0, 0), (0, 2))])\n"
        "print([name for name in sys.modules if name.startswith('replan.papers')])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_what_all_packages_share_imports_none_of_them():
    shared = [path for path in sorted(PACKAGE.glob("*.py")) if path.name not in ("__init__.py", "__main__.py")]
    allowed = {"interpreted.py": {"queues"}}  # BATCH, which stands with the contract of queues
    wrong = [f"{p.name} imports {r}" for p in shared for r in imports(p) & set(PACKAGES) - allowed.get(p.name, set())]
    assert not wrong, "\n".join(wrong)


def test_every_package_says_what_belongs_there():
    for path in sorted(PACKAGE.rglob("__init__.py")):
        told = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        assert len(told) > 80, f"{path.relative_to(PACKAGE)} does not say what belongs into this package"
