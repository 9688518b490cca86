"""Build the documentation site: `python docs/build.py`, then open build/site/index.html. Neither needs the network.

`pip install -e '.[docs]'` first. Warnings are errors.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from building.api_pages import anchors, write_api
from building.example_pages import program_pages, write_examples
from building.links import TOP, DeadLink
from building.planner_pages import planner_places, write_planners
from building.tree import lay_out


def build(out: Path) -> None:
    """Write the site into this directory, instead of what was there."""
    with tempfile.TemporaryDirectory() as name:
        into = Path(name)
        pages = into / "pages"
        made = {
            "Planners": write_planners(pages),
            "API reference": write_api(pages),
            "Examples": write_examples(pages),
        }
        lay_out(into, made, {**anchors(), **program_pages(made["Examples"])}, planner_places())
        subprocess.run([sys.executable, "-m", "zensical", "build", "--strict"], cwd=into, check=True)
        shutil.rmtree(out, ignore_errors=True)
        shutil.copytree(into / "site", out)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", nargs="?", type=Path, default=TOP / "build/site", help="default: build/site")
    out = parser.parse_args().out
    try:
        build(out)
    except DeadLink as error:
        sys.exit(f"docs/build.py: {error}")
    except subprocess.CalledProcessError:
        sys.exit("docs/build.py: Zensical refused the pages, for the reasons above")
    print(f"open {out / 'index.html'}")


if __name__ == "__main__":
    main()
