"""Compiles every `name.py` that has a `name.pxd` beside it; everything else about the package is in pyproject.toml.

Switches, as environment variables:
  REPLAN_PURE=1      compile nothing: the same files run interpreted, with the same results
  REPLAN_CHECKS=1    compile with bounds checks and assertions, for the test suite
  REPLAN_REQUIRED=1  fail when an extension does not compile, instead of installing without
"""

import os
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

SRC = Path("src")
PURE = os.environ.get("REPLAN_PURE") == "1"
CHECKS = os.environ.get("REPLAN_CHECKS") == "1"
REQUIRED = os.environ.get("REPLAN_REQUIRED") == "1"

SHARED = "replan._cyutility"  # Cython's own helpers once, not in each module
DIRECTIVES = {
    "language_level": 3,
    "annotation_typing": False,  # the hints in the .py serve readers and mypy; the C types stand in the .pxd
    "infer_types": True,
    "cdivision": True,
    "embedsignature": True,
    "wraparound": False,
    "nonecheck": False,
    "boundscheck": CHECKS,
    "initializedcheck": CHECKS,
}


class AllOrNothing(build_ext):
    """A half-compiled package does not import: one failure removes all extensions."""

    def build_extensions(self):
        super().build_extensions()
        built = [Path(self.get_ext_fullpath(e.name)) for e in self.extensions]
        if not all(path.exists() for path in built):
            print("replan: not every module compiled; the package will run interpreted")
            for path in built:
                path.unlink(missing_ok=True)


def extensions():
    if PURE:
        return []
    from Cython.Build import cythonize

    windows = os.name == "nt"
    flags = [] if windows else ["-O1" if CHECKS else "-O3", "-g0", "-Wno-unused-function", "-fno-tree-slp-vectorize"]
    macros = [] if CHECKS else [("CYTHON_WITHOUT_ASSERTIONS", "1")]

    def extension(name, source):
        return Extension(name, [source], extra_compile_args=flags, define_macros=macros)

    found = sorted(p for p in SRC.rglob("*.py") if p.with_suffix(".pxd").exists())
    modules = [extension(".".join(p.relative_to(SRC).with_suffix("").parts), str(p)) for p in found]
    built = cythonize(
        [extension(SHARED, "build/_cyutility.c"), *modules],
        compiler_directives=DIRECTIVES,
        shared_utility_qualified_name=SHARED,
        include_path=[str(SRC)],
        build_dir="build/cython",
        nthreads=os.cpu_count() or 1,
        force=CHECKS,
    )
    for e in built:
        e.optional = not REQUIRED  # cythonize() drops the flag
    return built


setup(
    ext_modules=extensions(),
    cmdclass={"build_ext": AllOrNothing},
    options={"build_ext": {"parallel": os.cpu_count() or 1}},
)
