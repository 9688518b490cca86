"""Compile every `name.py` with a `name.pxd` beside it. Everything else about the package is in pyproject.toml.

Environment variables:
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

SHARED = "replan._cyutility"  # one module with Cython's helpers, which are then not repeated in each module
DIRECTIVES = {
    "language_level": 3,
    "annotation_typing": False,  # annotations in the .py are for readers and mypy; the C types are in the .pxd
    "infer_types": True,
    "cdivision": True,
    "embedsignature": True,
    "auto_pickle": False,  # Cython's pickle methods crash on objects that are not initialized
    "wraparound": False,
    "nonecheck": False,
    "boundscheck": CHECKS,
    "initializedcheck": CHECKS,
}

records = SimpleNamespace(**runpy.run_path(str(HOME / "_build.py")))


class Build(build):
    """Build step that runs also without extensions: it removes extensions of an earlier build."""

    sub_commands = [("build_py", build.has_pure_modules), ("build_ext", None)]


class AllOrNothing(build_ext):
    """Build of all extensions or none, because a partly compiled package cannot be imported.

    It also records the digests of the sources, and removes the extensions of an earlier build.
    """

    def initialize_options(self):
        super().initialize_options()
        self.parallel = os.cpu_count() or 1  # set here, because an editable install resets `setup(options=...)`

    def run(self):
        sources = records.core_digests(HOME)  # before the build: a file may be edited during the build
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

        cythonized = cythonize(
            self.extensions,
            compiler_directives=DIRECTIVES,
            shared_utility_qualified_name=SHARED,
            include_path=[str(SRC)],
            build_dir=str(Path(self.build_temp) / "cython"),
            nthreads=os.cpu_count() or 1,
            force=True,  # times of copied files are wrong, and Cython is only a tenth of the work
        )
        c_files = {e.name: e.sources for e in cythonized}
        for e in self.extensions:
            e.sources = c_files[e.name]
        super().build_extensions()


def uses_gcc():
    """True if the compiler is GCC, which may be named cc. (On macOS, gcc is Clang.)"""
    if os.name == "nt":
        return False
    command = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")
    try:
        version = subprocess.run([*command, "--version"], capture_output=True, text=True).stdout
    except OSError:
        return False
    return "clang" not in version


def extensions():
    """Return the extensions to build."""
    if PURE:
        return []
    windows = os.name == "nt"
    flags = [] if windows else ["-O1" if CHECKS else "-O3", "-g0", "-Wno-unused-function", "-fno-tree-slp-vectorize"]
    flags += [] if windows else ["-ffp-contract=off"]  # costs of trips are the same numbers on ARM
    macros = [] if CHECKS else [("CYTHON_WITHOUT_ASSERTIONS", "1")]
    if not uses_gcc():
        # Cython writes `inline` also before pointers to functions of other modules, which only GCC accepts. Clang and
        # MSVC inline functions without this keyword.
        macros.append(("CYTHON_INLINE", ""))

    def extension(name, source):
        return Extension(name, [source], extra_compile_args=flags, define_macros=macros, optional=not REQUIRED)

    files = records.core_files(records.package_files(HOME))
    modules = [name.removesuffix(".py") for name in files if name.endswith(".py")]
    compiled = [extension(f"replan.{name.replace('/', '.')}", str(HOME / f"{name}.py")) for name in modules]
    return [extension(SHARED, "_cyutility.c"), *compiled]


setup(
    ext_modules=extensions(),
    cmdclass={"build": Build, "build_ext": AllOrNothing},
)
