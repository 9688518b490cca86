"""What a map file may ask of the machine that reads it. What a cell may weigh is in `replan.limits`."""

from __future__ import annotations

MAX_CELLS = 2**28
"""The most cells of a map (16384 x 16384)."""

MAX_FILE_BYTES = 2**30
"""The largest file that is read as a whole: MAX_CELLS characters, line ends and room to spare."""

MAX_SCENARIO_BYTES = 2**28
"""The largest `.scen` file: each of its lines becomes an object."""

MAX_YAML_BYTES = 2**16
MAX_YAML_DEPTH = 20
"""A map's YAML file is a page of text."""

MAX_SUGGESTION_NAMES = 2_000
"""How many files of a folder are looked at for one whose name is similar."""
