"""Planners as a user names them for an experiment: those of the registry, and own ones as `module:Class`."""

from __future__ import annotations

import hashlib
import inspect
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from replan.errors import InputError
from replan.experiments.user_code import import_module
from replan.planners.base import Planner
from replan.planners.choice import parse_choice, parse_value
from replan.planners.registry import find, planner

HOW = "name planners as in RTAA*,rtaa:lookahead=9,mine:MyPlanner"


@dataclass(frozen=True)
class NamedPlanner:
    """A planner that a user named, with the options that were given for it."""

    name: str
    options: dict[str, Any]

    @property
    def bounded(self) -> bool:
        """Is it run with a lookahead: does it know one, and was no deadline given instead?"""
        return self.takes("lookahead") and "deadline" not in self.options

    @property
    def label(self) -> str:
        """
        >>> NamedPlanner("RTAA*", {"lookahead": 9, "ties": "random"}).label
        'RTAA*, lookahead=9, ties=random'
        """
        return ", ".join([self.name, *(f"{option}={value}" for option, value in self.options.items())])

    def takes(self, option: str) -> bool:
        """Does the planner know this option?"""
        if ":" not in self.name:
            return option in find(self.name).options
        try:
            parameters = inspect.signature(own_class(self.name)).parameters.values()
        except ValueError:  # it has no __init__ of its own, and a compiled class does not tell its parameters
            return False
        return any(p.name == option or p.kind is p.VAR_KEYWORD for p in parameters)

    def with_options(self, **more: Any) -> dict[str, Any]:
        """The given options, and those of `more` that the planner knows and that were not given."""
        usable = {name: value for name, value in more.items() if self.takes(name)}
        if self.options.get("queue") == "buckets":  # which have an order of their own
            usable = {name: value for name, value in usable.items() if name not in ("ties", "prefer", "seed")}
        return usable | self.options


def parse_planners(text: str) -> list[NamedPlanner]:
    """Planners from `name,name:option=value,option=value,module:Class`. Raises InputError.

    >>> [(e.name, e.options) for e in parse_planners("RTAA*:lookahead=9,ties=random,lss-lrta")]
    [('RTAA*', {'lookahead': 9, 'ties': 'random'}), ('LSS-LRTA*', {})]
    """
    groups: list[str] = []
    for piece in (piece.strip() for piece in text.split(",")):
        if not piece:
            raise InputError(f"a name is missing between commas in {text!r}; {HOW}")
        if "=" in piece and ":" not in piece.split("=")[0]:  # one more option of the planner before it
            if not groups:
                raise InputError(f"{piece!r} is an option without a planner before it; {HOW}")
            groups[-1] += f",{piece}"
        else:
            groups.append(piece)
    return [_parse_planner(group) for group in groups]


def _parse_planner(text: str) -> NamedPlanner:
    parts = text.split(":")
    if len(parts) == 1 or "=" in parts[1]:
        choice = parse_choice(text)
        return NamedPlanner(choice.spec.name, choice.options)
    name, options = ":".join(parts[:2]), ":".join(parts[2:])
    own_class(name)
    given = (item.partition("=") for item in options.split(",") if options)
    named = NamedPlanner(name, {key.strip(): parse_value(value.strip()) for key, _, value in given})
    make_planner(named.name, named.options, 0)  # refuses what it does not take now rather than in the middle
    return named


def own_class(name: str) -> Any:
    """The class (or function) behind `module:Class`, from the working directory or the path. Raises InputError."""
    module_name, _, attribute = name.partition(":")
    missing = f"there is no planner and no module {module_name!r}; run where {module_name}.py is, or {HOW}"
    module = import_module(module_name, missing)
    found = getattr(module, attribute, None)
    if not callable(found):
        raise InputError(f"the module {module_name} has no class {attribute!r}; {HOW}")
    return found


def own_files(names: list[str]) -> list[Path]:
    """The files that a user's planners come from."""
    modules = {own_class(name) and sys.modules[name.partition(":")[0]] for name in names if ":" in name}
    return sorted(Path(module.__file__) for module in modules if module.__file__)


def own_version(name: str) -> str:
    """Tells versions of a user's planner apart; empty for one of the registry."""
    text = b"".join(file.read_bytes() for file in own_files([name]))
    return f"+{hashlib.sha256(text).hexdigest()[:8]}" if text else ""


def make_planner(name: str, options: dict[str, Any], seed: int) -> Planner:
    """A planner, ready for a trip. Remaining ties at random are drawn with the seed."""
    if ":" not in name:
        if options.get("ties") == "random":
            options = options | {"seed": seed}
        return planner(name, **options)
    try:
        made = own_class(name)(**options)
    except Exception as error:
        raise InputError(f"{name} cannot be made with {options}: {type(error).__name__}: {error}") from error
    if not isinstance(made, Planner):
        raise InputError(f"{name} makes a {type(made).__name__}, not a planner: derive it from replan.Planner")
    return made
