"""All cases."""

from __future__ import annotations

from border import (
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

BATTERY = Battery()
for _module in (lying_spaces, meddling_spaces, false_spaces, lying_parts, lying_rules, lying_functions):
    BATTERY.cases.update(_module.BATTERY.cases)
for _module in (wrong_calls, sharing, fuzz):
    BATTERY.cases.update(_module.BATTERY.cases)
