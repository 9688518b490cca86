"""The planners by name: what the command line, the tests and the documents go through.

A planner is one module of `replan.planners`, which declares at its end

- `PLANNERS`: a `PlannerSpec` for each of its planners;
- `OPTIONS`: the options that no other module has, if there are any;
- `PSEUDO_CODE`: the pseudo-code of its methods (`explained`).

The registry imports all modules of the package and collects these. A module that declares planners cannot import the
registry at its top.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from textwrap import indent
from typing import Any

import numpy as np

from replan.budget import Deadline
from replan.errors import InputError
from replan.planners.base import Planner
from replan.planners.options import SHARED_OPTIONS, Option, describe_options
from replan.planners.saved_file import register_savable
from replan.planners.spec import PlannerSpec
from replan.queues.factory import orders_by_f_alone
from replan.suggest import did_you_mean

SPECS: list[PlannerSpec] = []  # in the order of lists
BY_NAME: dict[str, PlannerSpec] = {}
OPTIONS: dict[str, Option] = dict(SHARED_OPTIONS)
SUGGESTED_NAMES = {"D*": "d-star-lite", "Dijkstra": "repeated-forward-a-star"}  # what people try


def planners() -> list[PlannerSpec]:
    """All planners there are, each as an entry of the table: name, recipe, paper, options with their defaults.

    >>> spec = planners()[0]
    >>> spec.name, spec.slug, spec.is_optimal, spec.is_realtime
    ('Repeated Forward A*', 'repeated-forward-a-star', True, False)
    >>> spec.recipe
    'A* from the agent, anew when the path is blocked'
    """
    return list(SPECS)


def is_known(name: str) -> bool:
    """Is there a planner of this name?"""
    return _find_or_none(name) is not None


def _find_or_none(name: str) -> PlannerSpec | None:
    return BY_NAME.get(name.strip().lower())


def find_spec(name: str) -> PlannerSpec:
    """A planner's entry by its name as the papers write it, or by its slug. Raises InputError."""
    if (spec := _find_or_none(name)) is not None:
        return spec
    first, colon, _ = name.partition(":")
    if colon and _find_or_none(first) is not None:
        raise InputError(
            f"{name!r} is a name with options, as compare and the command line take it; here options are given apart, "
            f"as in replan.planner({first!r}, lookahead=9)"
        )
    spellings = {**SUGGESTED_NAMES, **{text: spec.slug for spec in SPECS for text in spec.names}}
    where = f"`replan planners` and replan.planners() list all {len(SPECS)}"
    raise InputError(f"there is no planner {name!r}{did_you_mean(name, spellings)}; {where}")


def planner(name: str, **options: Any) -> Planner:
    """Make a planner by its name. `replan.planners()` lists them, with their options and defaults.

    Raises InputError for a name that there is not, and an option that the planner does not have or cannot honour.

    >>> planner("Repeated Forward A*", ties="random", seed=7)
    <Repeated Forward A*: A* from the agent, anew when the path is blocked; smaller f, larger g, random (seed 7)>
    """
    spec = find_spec(name)
    settings = {**spec.options}
    for option, value in options.items():
        if option == "lookahead" and value is None and option not in settings:
            continue
        if option not in settings:
            able = ", ".join(settings) or "none"
            hint = did_you_mean(option, list(settings))
            raise InputError(f"{spec.name} has no option {option!r}{hint}; its options are: {able}")
        settings[option] = OPTIONS[option].parse(_plain(value))
    if "lookahead" not in options and settings.get("deadline") is not None:
        settings["lookahead"] = None  # a deadline alone bounds the episode
    _check_queue(settings, options)
    made = spec.make(settings)
    made.spec, made.is_optimal = spec, spec.is_optimal
    return made


def make_planner(planner_or_name: Planner | str, options: dict[str, Any]) -> Planner:
    """A planner by its name, with options, or one that somebody made, without. Raises InputError."""
    if isinstance(planner_or_name, str):
        return planner(planner_or_name, **options)
    if options:
        raise InputError(f"give {', '.join(options)} when you make the planner: it is taken as it is")
    return planner_or_name


def _plain(value: Any) -> Any:
    """The value of an option as a plain number, whoever made it."""
    if isinstance(value, Deadline):
        return value.nanoseconds / 1000
    return value.item() if isinstance(value, np.generic) else value


def _check_queue(settings: dict[str, Any], given: dict[str, Any]) -> None:
    if "queue" not in settings:
        return
    asked = given.get("ties", "last-in") != "last-in" or given.get("prefer") is not None or given.get("seed", 0) != 0
    if asked and orders_by_f_alone(settings["queue"]):
        raise InputError(f"{settings['queue']} order by f alone, last in first out: leave out prefer, ties and seed")


def _collect() -> None:
    """Import all modules of the package, and collect what they declare."""
    package = __name__.rpartition(".")[0]  # replan.planners is a function, too
    modules = [import_module(f"{package}.{found.name}") for found in iter_modules(import_module(package).__path__)]
    for module in modules:
        found = [item for item in vars(module).values() if isinstance(item, type) and issubclass(item, Planner)]
        register_savable(*(item for item in found if item.__module__ == module.__name__))
    declaring = [module for module in modules if hasattr(module, "PLANNERS")]
    for module in sorted(declaring, key=lambda module: module.PLANNERS[0].sort_order):
        SPECS.extend(module.PLANNERS)
        own = {option.name: option for option in getattr(module, "OPTIONS", ())}
        if twice := own.keys() & OPTIONS.keys():
            raise ValueError(f"{module.__name__} declares options that others have: {', '.join(sorted(twice))}")
        OPTIONS.update(own)
    SPECS.sort(key=lambda spec: spec.sort_order)
    for spec in SPECS:
        for name in spec.names:
            if BY_NAME.setdefault(name.lower(), spec) is not spec:
                raise ValueError(f"{spec.name} and {BY_NAME[name.lower()].name} are both called {name!r}")


_collect()
planner.__doc__ = f"{planner.__doc__}\n    Options:\n\n{indent(describe_options(OPTIONS.values()), '    ')}\n"
