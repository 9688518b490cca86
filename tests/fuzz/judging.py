"""One case: run it, say what was wrong, shrink it, tell it as a script."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any

import replan
from fuzz import drive, leading, throng, walk, watch
from fuzz.shrink import shrink
from fuzz.verdict import Script, Wrong

JUDGES: dict[type, Callable[[Any, Script], None]] = {
    drive.Drive: drive.judge,
    walk.Walk: walk.judge,
    watch.Watch: watch.judge,
    throng.Throng: throng.judge,
    leading.Leading: leading.judge,
}


#: What may be refused: which planner can do what is not worth knowing here a second time.
REFUSED = (
    "spread too far for buckets",
    "needs estimates between any two cells",
)


def verdict(case: Any, script: Script | None = None) -> tuple[str, str]:
    """Which rule is broken ("": none), and what was seen."""
    try:
        JUDGES[type(case)](case, script or Script(False))
    except Wrong as wrong:
        return wrong.rule, str(wrong)
    except replan.InputError as refused:
        if not any(words in str(refused) for words in REFUSED):
            return f"InputError: {str(refused)[:40]}", traceback.format_exc()
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:40]}", traceback.format_exc()
    return "", ""


def told(case: Any, rule: str, seconds: float = 60.0) -> str:
    """The smallest script that shows how a case fails."""
    small = shrink(case, lambda smaller: verdict(smaller)[0] == rule, seconds)
    script = Script(True)
    _, seen = verdict(small, script)
    return f"{script.text()}\n# {seen}".replace("\n# Traceback", "\n#\n# Traceback")
