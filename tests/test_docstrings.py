"""Public docstrings are in numpydoc form: parameters, results and summaries are where readers and IDEs look."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]

#: Rules of numpydoc's validation: a docstring exists, names all parameters in order, says what is returned, and begins
#: with one line that is a sentence.
RULES = (
    *("GL08", "SS01", "SS02", "SS03", "SS06"),
    *("PR01", "PR02", "PR03", "PR07", "PR08", "PR09", "RT01", "RT03", "RT04", "RT05"),
)

PROGRAM = """
import json, sys, warnings
sys.path.insert(0, "docs")
from building import api_names
from numpydoc.validate import validate
warnings.simplefilter("ignore")
names = set()
for theme in api_names.THEMES.values():
    for name in theme:
        found = api_names.find(name)
        objects = [found] if not found.is_module else list(api_names.public_members(found).values())
        for each in objects:
            if (each.is_class or each.is_function) and "Enum" not in map(str, getattr(each, "bases", [])):
                names.add(each.path)  # the constructor of an Enum is not for users
            if each.is_class:
                members = api_names.public_members(each).values()
                names |= {m.path for m in members if m.is_function or "property" in m.labels}
errors = {}
for name in sorted(names):
    wrong = [f"{code} {text}" for code, text in validate(name)["errors"] if code in sys.argv[1:]]
    if wrong:
        errors[name] = wrong
print(json.dumps({"names": len(names), "errors": errors}))
"""


def validated() -> dict[str, object]:
    """Errors of all public docstrings, read from the sources: a compiled function has no signature to inspect."""
    environment = {**os.environ, "REPLAN_INTERPRETED": "1", "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *RULES], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    answer: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return answer


def test_public_docstrings_are_in_numpydoc_form():
    answer = validated()
    assert answer["errors"] == {}
    assert answer["names"] > 200
