"""Compiles every `name.py` that has a `name.pxd` beside it; everything else about the package is in pyproject.toml.

Switches, as environment variables:
  REPLAN_PURE=1      compile nothing: the same files run interpreted, with the same results
  REPLAN_CHECKS=1    compile with bounds checks and assertions, for the test suite
  REPLAN_REQUIRED=1  fail when an extension does not compile, instead of installing without
"""

import os
import runpy
import shlex
import subprocess
import sysconfig
from pathlib import Path
from types import SimpleNamespace

from setuptools import Extension, setup
from setuptools.command.build import build
from setuptools.command.build_ext import build_ext

SRC = Path("src")
HOME = SRC / "replan"
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
    "auto_pickle": False,  # the methods that Cython would add crash on objects that are half made
    "wraparound": False,
    "nonecheck": False,
    "boundscheck": CHECKS,
    "initializedcheck": CHECKS,
}

records = SimpleNamespace(**runpy.run_path(str(HOME / "_build.py")))


class Build(build):
    """Builds the extensions even if there are none: those of an earlier build have to go."""

    sub_commands = [("build_py", build.has_pure_modules), ("build_ext", None)]


class AllOrNothing(build_ext):
    """All extensions or none, for a half-compiled package does not import, and a record of what they were built from.

    Extensions that an earlier build left, of modules that have gone or of all of them, are removed.
    """

    def initialize_options(self):
        super().initialize_options()
        self.parallel = os.cpu_count() or 1  # here, because an editable install resets what `setup(options=...)` says

    def run(self):
        sources = records.core_digests(HOME)  # before: what is edited meanwhile is not what was built
        super().run()
        root = SRC if self.inplace else Path(self.build_lib)
        built = [Path(self.get_ext_filename(e.name)) for e in self.extensions]
        complete = all((Path(self.build_lib) / path).exists() for path in built)
        if not complete:
            print("replan: not every module compiled; the package will run interpreted")
        records.remove_extensions(root / "replan", keep=[root / path for path in built] if complete else [])
        if built and complete:
            records.write_record(root / "replan", sources)

    def build_extensions(self):
        from Cython.Build import cythonize

        made = cythonize(
            self.extensions,
            compiler_directives=DIRECTIVES,
            shared_utility_qualified_name=SHARED,
            include_path=[str(SRC)],
            build_dir=str(Path(self.build_temp) / "cython"),
            nthreads=os.cpu_count() or 1,
            force=True,  # the times of files lie where they were copied, and it is a tenth of the work
        )
        c_files = {e.name: e.sources for e in made}
        for e in self.extensions:
            e.sources = c_files[e.name]
        super().build_extensions()


def gcc():
    """Is the compiler GCC? It may be called cc, and what is called gcc may be Clang."""
    if os.name == "nt":
        return False
    command = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")
    try:
        told = subprocess.run([*command, "--version"], capture_output=True, text=True).stdout
    except OSError:
        return False
    return "clang" not in told


def extensions():
    if PURE:
        return []
    windows = os.name == "nt"
    flags = [] if windows else ["-O1" if CHECKS else "-O3", "-g0", "-Wno-unused-function", "-fno-tree-slp-vectorize"]
    flags += [] if windows else ["-ffp-contract=off"]  # the cost of a trip is the same number on ARM, too
    macros = [] if CHECKS else [("CYTHON_WITHOUT_ASSERTIONS", "1")]
    if not gcc():
        # Cython writes `inline` also before pointers to functions of other modules, where only GCC tolerates it.
        # Clang and MSVC do not need the word to inline what is worth it.
        macros.append(("CYTHON_INLINE", ""))

    def extension(name, source):
        return Extension(name, [source], extra_compile_args=flags, define_macros=macros, optional=not REQUIRED)

    modules = [name.removesuffix(".py") for name in records.core_files(records.package_files(HOME)) if name.endswith(".py")]
    named = [extension(f"replan.{name.replace('/', '.')}", str(HOME / f"{name}.py")) for name in modules]
    return [extension(SHARED, "_cyutility.c"), *named]


setup(
    ext_modules=extensions(),
    cmdclass={"build": Build, "build_ext": AllOrNothing},
)
