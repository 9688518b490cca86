"""The planners by name: what the command line, the tests and the documents go through."""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.errors import InputError
from replan.planners.base import Planner
from replan.planners.compositions import COMPOSITIONS
from replan.planners.recipes import RECIPES, PlannerSpec
from replan.queues.make import open_list
from replan.queues.order import Order

SPECS = [*RECIPES, *COMPOSITIONS]


def planners() -> list[PlannerSpec]:
    """All planners there are."""
    return list(SPECS)


def find(name: str) -> PlannerSpec:
    """A planner's entry by its name as the papers write it, or by its slug."""
    wanted = name.strip().lower()
    for spec in SPECS:
        if wanted in (spec.name.lower(), spec.slug):
            return spec
    known = ", ".join(spec.slug for spec in SPECS)
    raise InputError(f"there is no planner {name!r}; the planners are {known}")


def planner(name: str, **options: Any) -> Planner:
    """Make a planner.

    Common options: lookahead (expansions per episode, None for no limit), ties ("first-in", "last-in", "random"),
    prefer ("larger g", "smaller g"), queue ("heap", "buckets", or "plain heap", whose percolations are those that
    papers count), seed, heuristic (None for the space's own, "zero", an array or a function of two cells, in steps),
    check (refuse a heuristic that is not consistent). One that a planner cannot honour is refused.

    >>> planner("Repeated Forward A*", ties="random", seed=7)
    <Repeated Forward A*: A* from the agent, anew when the path is blocked; smaller f, larger g, random (seed 7)>
    """
    spec = find(name)
    settings = {**spec.options}
    for option, value in options.items():
        if option == "lookahead" and value is None and option not in settings:
            continue
        if option not in settings:
            able = ", ".join(settings) or "none"
            raise InputError(f"{spec.name} has no option {option!r}; its options are: {able}")
        _refuse_odd(option, value, settings[option])
        settings[option] = value
    _check_queue(settings, options)
    made = spec.make(settings)
    made.spec, made.cheapest = spec, spec.optimal
    return made


def _refuse_odd(option: str, value: Any, usual: Any) -> None:
    """Python takes True for the number 1, and any text for true. We do not."""
    is_truth = isinstance(value, (bool, np.bool_))
    if isinstance(usual, bool) and not is_truth:
        raise InputError(f"{option} is True or False, not {value!r}")
    if is_truth and not isinstance(usual, bool):
        raise InputError(f"{option} cannot be {value!r}; usually it is {usual!r}")


def _check_queue(settings: dict[str, Any], given: dict[str, Any]) -> None:
    if "queue" not in settings:
        return
    order = Order(settings.get("prefer", "larger g"), settings["ties"], settings["seed"])
    if open_list(settings["queue"], order).order is None:
        if given.get("ties", "last-in") != "last-in" or given.get("prefer") is not None or given.get("seed", 0) != 0:
            raise InputError("buckets order by f alone, last in first out: leave out prefer, ties and seed")
