"""All cases."""

from __future__ import annotations

import replan
from border import (
    crowds,
    derived,
    false_spaces,
    fuzz,
    lying_functions,
    lying_parts,
    lying_rules,
    lying_spaces,
    meddling_spaces,
    sharing,
    wrong_calls,
)
from border.case import Battery

#: Interpreted, everything can be reached and set, and none of it can end the process: these are for the compiled core.
COMPILED = (
    "fuzz ",
    "bare ",
    "half made/",
    "overridden ",
    "planner settings/",
    "planner meanwhile/makes its trail anew/",
    "target meanwhile/moves ",
    "target meanwhile/divides ",
    "learning rule meanwhile/lets ",
    "choosing rule meanwhile/lets ",
    "kept look/lets ",
)
LIARS = (lying_spaces, meddling_spaces, false_spaces, lying_parts, lying_rules, lying_functions)

BATTERY = Battery()
for _module in (*LIARS, wrong_calls, derived, sharing, crowds, fuzz):
    for _name, _case in _module.BATTERY.cases.items():
        if replan.compiled or not _name.startswith(COMPILED):
            BATTERY.cases[_name] = _case
