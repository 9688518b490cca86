"""Planners as people name them: `rtaa:lookahead=9`, `Repeated Forward A*:ties=random,seed=3`, `mine.py:MyPlanner`.

The commands run, compare, advise and reproduce, and the functions of the same names, all read them here.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

from replan.errors import InputError
from replan.experiments.user_code import import_file, import_module
from replan.experiments.user_sources import SourceFiles, find_sources
from replan.planners.base import Planner
from replan.planners.registry import find_spec, is_known, planner, planners
from replan.planners.spec import PlannerSpec
from replan.queues.factory import orders_by_f_alone
from replan.suggest import did_you_mean

SYNTAX_HINT = "write a name and options, such as rtaa:lookahead=9, or your own planner as mine.py:MyPlanner"
LITERAL_WORDS: dict[str, Any] = {"none": None, "true": True, "false": False}
MAX_NUMBER = 2**62
DEFAULT_LOOKAHEAD = 9  # where neither the user nor the planner says how far to look
_USER_PLANNER = re.compile(r"\s*([^:=]+):\s*([A-Za-z_]\w*)\s*(?::(.*))?", re.DOTALL)


@dataclass(frozen=True)
class NamedPlanner:
    """A planner by its name, with options.

    Parameters
    ----------
    name
        Name in the registry, or `module:Class` for a planner of the user. `FILE.py:Class` becomes that.
    options
        Options that the user gave.

    Raises
    ------
    InputError
        By the methods, if there is no such planner or option.

    Examples
    --------
    >>> rtaa = NamedPlanner("RTAA*", {"lookahead": 25})
    >>> rtaa.spec.slug, rtaa.uses_lookahead, rtaa.accepts_option("ties"), rtaa.accepts_option("depth")
    ('rtaa', True, True, False)
    >>> rtaa.with_options(lookahead=9, ties="random", depth=3)
    {'lookahead': 25, 'ties': 'random'}
    >>> rtaa.make(ties="random")
    <RTAA*: A* lookahead; learn: h := f(best) - g in one pass; choose: best f; smaller f, larger g, random (seed 0)>
    """

    name: str
    options: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        file, _, attribute = self.name.partition(":")
        if file.endswith(".py") and attribute:
            object.__setattr__(self, "name", user_planner_name(file, attribute))

    @property
    def is_user_defined(self) -> bool:
        """True if the planner comes from outside the package."""
        return ":" in self.name

    @property
    def spec(self) -> PlannerSpec:
        """Entry of the registry. Raises InputError for a planner of the user."""
        return find_spec(self.name)

    @property
    def uses_lookahead(self) -> bool:
        """True if the planner has a lookahead, and no deadline was given instead."""
        return self.accepts_option("lookahead") and "deadline" not in self.options

    @property
    def label(self) -> str:
        """Name with the lookahead, if the planner has one, and the options that were given.

        Examples
        --------
        >>> NamedPlanner("RTAA*").label, NamedPlanner("D* Lite", {"ties": "random"}).label
        ('RTAA* lookahead=9', 'D* Lite ties=random')
        """
        usual = {} if self.is_user_defined or "deadline" in self.options else self.spec.options
        bound = {} if usual.get("lookahead") is None else {"lookahead": usual["lookahead"]}
        return f"{self.name} {format_options({**bound, **self.options})}".rstrip()

    def accepts_option(self, option: str) -> bool:
        """True if the planner has this option.

        Parameters
        ----------
        option
            Name of the option.

        Returns
        -------
        bool
            True if it has.
        """
        if not self.is_user_defined:
            return option in self.spec.options
        return any(p.name == option or p.kind is p.VAR_KEYWORD for p in self.parameters())

    def parameters(self) -> list[inspect.Parameter]:
        """Parameters of the user's class or function.

        Returns
        -------
        list of Parameter
            The parameters, as far as Python knows them.

        Examples
        --------
        >>> named = NamedPlanner("replan.planners.factories:set_detect_unreachable")
        >>> [parameter.name for parameter in named.parameters()]
        ['planner', 'options']
        """
        try:
            return list(inspect.signature(user_planner_class(self.name)).parameters.values())
        except ValueError:  # it has no __init__ of its own, and a compiled class does not tell its parameters
            return []

    def with_options(self, **defaults: Any) -> dict[str, Any]:
        """Options that were given, completed by defaults that the planner has.

        Parameters
        ----------
        **defaults
            Defaults.

        Returns
        -------
        dict
            The options.
        """
        usable = {name: value for name, value in defaults.items() if self.accepts_option(name)}
        if orders_by_f_alone(self.options.get("queue")):
            usable = {name: value for name, value in usable.items() if name not in ("ties", "prefer", "seed")}
        return usable | self.options

    def make(self, **more: Any) -> Planner:
        """Make the planner.

        Parameters
        ----------
        **more
            Further options.

        Returns
        -------
        Planner
            The planner.

        Raises
        ------
        InputError
            If the planner does not take an option.
        """
        options = {**self.options, **more}
        if not self.is_user_defined:
            return planner(self.name, **options)
        try:
            made = user_planner_class(self.name)(**options)
        except Exception as error:
            given = format_options(options) or "no options"
            raise InputError(f"{self.name} cannot be made with {given}: {type(error).__name__}: {error}") from error
        if not isinstance(made, Planner):
            raise InputError(f"{self.name} makes a {type(made).__name__}, not a planner: derive it from replan.Planner")
        return made


def all_planners() -> list[NamedPlanner]:
    """All planners that there are, each with options fit for a first look."""
    return [NamedPlanner(spec.name, _initial_options(spec)) for spec in planners()]


def _initial_options(spec: PlannerSpec) -> dict[str, Any]:
    unbounded = "lookahead" in spec.options and spec.options["lookahead"] is None
    return {"lookahead": DEFAULT_LOOKAHEAD} if unbounded else {}


def make_experiment_planner(name: str, options: dict[str, Any], seed: int) -> Planner:
    """Make a planner as in its paper: without `detect_unreachable`. Random ties use the seed."""
    more: dict[str, Any] = {}
    if ":" not in name:
        if options.get("ties") == "random":
            more["seed"] = seed
        if "detect_unreachable" in find_spec(name).options and "detect_unreachable" not in options:
            more["detect_unreachable"] = False
    return NamedPlanner(name, options).make(**more)


# From text.


def parse_planner(text: str) -> NamedPlanner:
    """A planner from `name[:option=value[,option=value...]]`. Raises InputError.

    >>> parse_planner("Repeated Forward A*:ties=random,seed=3")
    NamedPlanner(name='Repeated Forward A*', options={'ties': 'random', 'seed': 3})
    """
    name, colon, options = text.partition(":")
    own = _USER_PLANNER.fullmatch(text)
    if own is not None and not is_known(name):
        named = NamedPlanner(user_planner_name(own[1].strip(), own[2]), _parse_options(own[3], text))
    else:
        named = NamedPlanner(find_spec(name).name, _parse_options(options if colon else None, text))
    named.make()  # refuses unknown options now rather than in the middle of a run
    return named


def parse_planners(text: str) -> list[NamedPlanner]:
    """Planners from `name,name:option=value,option=value,mine.py:MyPlanner`. Raises InputError.

    >>> [(e.name, e.options) for e in parse_planners("RTAA*:lookahead=9,ties=random,lss-lrta")]
    [('RTAA*', {'lookahead': 9, 'ties': 'random'}), ('LSS-LRTA*', {})]
    """
    groups: list[str] = []
    for piece in (piece.strip() for piece in text.split(",")):
        if not piece:
            raise InputError(f"a name is missing between commas in {text!r}; {SYNTAX_HINT}")
        if "=" in piece and ":" not in piece.split("=")[0]:  # one more option of the planner before it
            if not groups:
                raise InputError(f"{piece!r} is an option without a planner before it; {SYNTAX_HINT}")
            groups[-1] += f",{piece}"
        else:
            groups.append(piece)
    return [parse_planner(group) for group in groups]


def _parse_options(text: str | None, whole: str) -> dict[str, Any]:
    if text is None:
        return {}
    if not text.strip():
        raise InputError(f"there are no options behind the colon of {whole!r}; {SYNTAX_HINT}")
    options: dict[str, Any] = {}
    for item in text.split(","):
        key, equals, value = (part.strip() for part in item.partition("="))
        if not key or not equals or not value:
            raise InputError(f"{item.strip()!r} in {whole!r} is no option=value; {SYNTAX_HINT}")
        if key in options:
            raise InputError(f"option {key!r} is given twice in {whole!r}")
        options[key] = parse_option_value(value)
    return options


def parse_option_value(text: str) -> Any:
    """None, a truth value, a whole number, a number, or the text itself.

    >>> [parse_option_value(text) for text in ("none", "True", "9", "1.5", "last-in")]
    [None, True, 9, 1.5, 'last-in']
    """
    if text.lower() in LITERAL_WORDS:
        return LITERAL_WORDS[text.lower()]
    for number in (int, float):
        try:
            value = number(text)
        except ValueError:
            continue
        if not abs(value) <= MAX_NUMBER:  # not a number either
            raise InputError(f"{text!r} is no number that a planner can take")
        return value
    return text


def format_options(options: dict[str, Any]) -> str:
    """Options as people type them, with room between."""
    return ", ".join(f"{key}={_format_value(value)}" for key, value in options.items())


def _format_value(value: Any) -> str:
    return str(value).lower() if value is None or isinstance(value, bool) else str(value)


# A user's own.


def user_planner_name(module: str, attribute: str) -> str:
    """`module:Class`, by which workers find it, too, for a module or a file `mine.py`. Raises InputError."""
    if module.endswith(".py"):
        module = import_file(Path(module)).__name__
    name = f"{module}:{attribute}"
    user_planner_class(name)
    return name


def user_planner_class(name: str) -> Any:
    """The class (or function) behind `module:Class`, from the working directory or the path. Raises InputError."""
    module_name, _, attribute = name.partition(":")
    missing = f"there is no planner and no module {module_name!r}; run where {module_name}.py is, or {SYNTAX_HINT}"
    module = import_module(module_name, missing)
    found = getattr(module, attribute, None)
    if not callable(found):
        classes = [name for name, thing in vars(module).items() if inspect.isclass(thing) and name != "Planner"]
        hint = did_you_mean(attribute, classes)
        raise InputError(f"the module {module_name} has no class {attribute!r}{hint}; {SYNTAX_HINT}")
    return found


def user_planner_module(name: str) -> ModuleType:
    """The module of `module:Class`. Raises InputError."""
    user_planner_class(name)
    return sys.modules[name.partition(":")[0]]


def user_planner_files(names: Iterable[str]) -> list[Path]:
    """The files of a user's planners, each after those that it imports; files in packages are left out."""
    found = {path: name for own in names for name, path in user_planner_sources(own).files.items()}
    return [path for path, name in found.items() if "/" not in name]


def user_planner_sources(name: str) -> SourceFiles:
    """What a user's planner is made of; nothing for one of the registry."""
    return find_sources(user_planner_module(name)) if ":" in name else SourceFiles()


def user_planner_version(name: str) -> str:
    """Tells versions of a user's planner and of what it imports apart; empty for one of the registry."""
    return f"+{user_planner_sources(name).digest()}" if ":" in name else ""
