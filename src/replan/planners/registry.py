"""Planners by name.

Each module of `replan.planners` that holds planners declares at its end:

- `PLANNERS`: a `PlannerSpec` for each of its planners;
- `OPTIONS`: the options that no other module has, if there are any;
- `PSEUDO_CODE`: the pseudo-code of its methods (`explanations`).

The registry imports all modules of the package and collects these. So a module that declares planners cannot import
the registry at its top.
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

SPECS: list[PlannerSpec] = []  # by sort_order
BY_NAME: dict[str, PlannerSpec] = {}
OPTIONS: dict[str, Option] = dict(SHARED_OPTIONS)
SUGGESTED_NAMES = {"D*": "d-star-lite", "Dijkstra": "repeated-forward-a-star"}  # names that users may try


def planners() -> list[PlannerSpec]:
    """List all planners.

    Returns
    -------
    list of PlannerSpec
        An entry for each planner: its name, recipe, paper, and options with their defaults.

    Examples
    --------
    >>> spec = planners()[0]
    >>> spec.name, spec.slug, spec.is_optimal, spec.is_realtime
    ('Repeated Forward A*', 'repeated-forward-a-star', True, False)
    >>> spec.recipe
    'A* from the agent, again when the path is blocked'
    """
    return list(SPECS)


def is_known(name: str) -> bool:
    """True if there is a planner of this name."""
    return _find_or_none(name) is not None


def _find_or_none(name: str) -> PlannerSpec | None:
    """Return the spec of this name, or None."""
    return BY_NAME.get(name.strip().lower())


def find_spec(name: str) -> PlannerSpec:
    """Return the spec of a planner by its name or slug. Raise InputError, with a suggestion, if there is none."""
    if (spec := _find_or_none(name)) is not None:
        return spec
    first, colon, _ = name.partition(":")
    if colon and _find_or_none(first) is not None:
        raise InputError(
            f"{name!r} is a name with options, as compare and the command line take it; here options are given apart, "
            f"as in replan.planner({first!r}, lookahead=9)"
        )
    spellings = {**SUGGESTED_NAMES, **{text: spec.slug for spec in SPECS for text in spec.names}}
    hint = f"`replan planners` and replan.planners() list all {len(SPECS)}"
    raise InputError(f"there is no planner {name!r}{did_you_mean(name, spellings)}; {hint}")


def planner(name: str, **options: Any) -> Planner:
    """Make a planner by its name. `replan.planners()` lists the names, options and defaults.

    Parameters
    ----------
    name
        Name as papers write it, such as "D* Lite", or a slug, such as "d-star-lite".
    **options
        Options of this planner (see Notes). The others keep their defaults.

    Returns
    -------
    Planner
        The planner, for one agent at a time.

    Raises
    ------
    InputError
        If there is no such planner, or it does not have the option or cannot honour its value.

    Examples
    --------
    >>> planner("Repeated Forward A*", ties="random", seed=7)
    <Repeated Forward A*: A* from the agent, again when the path is blocked; smaller f, larger g, random (seed 7)>
    """
    spec = find_spec(name)
    settings = {**spec.options}
    for option, value in options.items():
        if option == "lookahead" and value is None and option not in settings:
            continue
        if option not in settings:
            valid_options = ", ".join(settings) or "none"
            hint = did_you_mean(option, list(settings))
            raise InputError(f"{spec.name} has no option {option!r}{hint}; its options are: {valid_options}")
        settings[option] = OPTIONS[option].parse(_plain(value))
    if "lookahead" not in options and settings.get("deadline") is not None:
        settings["lookahead"] = None  # a deadline alone bounds the episode
    _check_queue(settings, options)
    result = spec.make(settings)
    result.spec, result.is_optimal = spec, spec.is_optimal
    return result


def make_planner(planner_or_name: Planner | str, options: dict[str, Any]) -> Planner:
    """Make a planner from its name and options, or return a planner as it is. Raise InputError for other values."""
    if isinstance(planner_or_name, str):
        return planner(planner_or_name, **options)
    if options:
        raise InputError(f"give {', '.join(options)} when you make the planner: it is taken as it is")
    return planner_or_name


def _plain(value: Any) -> Any:
    """Return the value of an option as a plain Python value."""
    if isinstance(value, Deadline):
        return value.nanoseconds / 1000
    return value.item() if isinstance(value, np.generic) else value


def _check_queue(settings: dict[str, Any], options: dict[str, Any]) -> None:
    """Raise InputError for options of order that the queue cannot honour."""
    if "queue" not in settings:
        return
    has_order_options = (
        options.get("ties", "last-in") != "last-in" or options.get("prefer") is not None or options.get("seed", 0) != 0
    )
    if has_order_options and orders_by_f_alone(settings["queue"]):
        raise InputError(f"{settings['queue']} order by f alone, last in first out: leave out prefer, ties and seed")


def _collect() -> None:
    """Import all modules of the package and collect what they declare."""
    package = __name__.rpartition(".")[0]  # the attribute replan.planners is a function
    modules = [import_module(f"{package}.{info.name}") for info in iter_modules(import_module(package).__path__)]
    for module in modules:
        classes = [item for item in vars(module).values() if isinstance(item, type) and issubclass(item, Planner)]
        register_savable(*(item for item in classes if item.__module__ == module.__name__))
    declaring = [module for module in modules if hasattr(module, "PLANNERS")]
    for module in sorted(declaring, key=lambda module: module.PLANNERS[0].sort_order):
        SPECS.extend(module.PLANNERS)
        options = {option.name: option for option in getattr(module, "OPTIONS", ())}
        if duplicates := options.keys() & OPTIONS.keys():
            raise ValueError(f"{module.__name__} declares options that exist already: {', '.join(sorted(duplicates))}")
        OPTIONS.update(options)
    SPECS.sort(key=lambda spec: spec.sort_order)
    for spec in SPECS:
        for name in spec.names:
            if BY_NAME.setdefault(name.lower(), spec) is not spec:
                raise ValueError(f"{spec.name} and {BY_NAME[name.lower()].name} are both called {name!r}")


_collect()
if planner.__doc__ is not None:  # None under python -OO
    table = indent(describe_options(OPTIONS.values()), "    ")
    notes = f"Notes\n    -----\n    The options of all planners:\n\n{table}\n\n    "
    planner.__doc__ = planner.__doc__.replace("Examples\n", f"{notes}Examples\n", 1)
