"""Planners as people type them: `rtaa:lookahead=9`, `Repeated Forward A*:ties=random,seed=3`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from replan.errors import InputError
from replan.planners.base import Planner
from replan.planners.recipes import PlannerSpec
from replan.planners.registry import find, planner, planners

HOW = "write name:option=value,option=value such as rtaa:lookahead=9"
WORDS: dict[str, Any] = {"none": None, "true": True, "false": False}
LARGEST = 2**62
LOOKAHEAD = 9  # where neither the user nor the planner says how far to look


@dataclass(frozen=True)
class Choice:
    """A planner and the options that were chosen for it."""

    spec: PlannerSpec
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """The planner's name with what tells it apart: its lookahead if it keeps one, and the options given."""
        bound = {"lookahead": self.spec.options["lookahead"]} if "lookahead" in self.spec.options else {}
        if self.options.get("deadline") is not None:
            bound = {}
        return f"{self.spec.name} {option_text({**bound, **self.options})}".rstrip()

    def make(self) -> Planner:
        """The planner itself. Raises InputError for options that it does not take."""
        try:
            return planner(self.spec.name, **self.options)
        except InputError:
            raise
        except (TypeError, ValueError, OverflowError):
            given, usual = option_text(self.options), option_text(self.spec.options)
            raise InputError(f"{self.spec.name} does not take {given}; its options are usually {usual}") from None


def parse_choice(text: str) -> Choice:
    """A planner from `name[:option=value[,option=value...]]`. Raises InputError.

    >>> parse_choice("Repeated Forward A*:ties=random,seed=3").options
    {'ties': 'random', 'seed': 3}
    """
    name, colon, rest = text.partition(":")
    spec = find(name)
    if colon and not rest.strip():
        raise InputError(f"there are no options behind the colon of {text!r}; {HOW}")
    options: dict[str, Any] = {}
    for item in rest.split(",") if colon else ():
        key, equals, value = (part.strip() for part in item.partition("="))
        if not key or not equals or not value:
            raise InputError(f"{item.strip()!r} in {text!r} is no option=value; {HOW}")
        if key in options:
            raise InputError(f"option {key!r} is given twice in {text!r}")
        options[key] = parse_value(value)
    choice = Choice(spec, options)
    choice.make()  # refuses unknown options now rather than in the middle of a run
    return choice


def parse_value(text: str) -> Any:
    """None, a truth value, a whole number, a number, or the text itself.

    >>> [parse_value(text) for text in ("none", "True", "9", "1.5", "last-in")]
    [None, True, 9, 1.5, 'last-in']
    """
    if text.lower() in WORDS:
        return WORDS[text.lower()]
    for number in (int, float):
        try:
            value = number(text)
        except ValueError:
            continue
        if not abs(value) <= LARGEST:  # not a number either
            raise InputError(f"{text!r} is no number that a planner can take")
        return value
    return text


def every_choice() -> list[Choice]:
    """All planners that there are, each with options fit for a first look."""
    return [Choice(spec, _first_options(spec)) for spec in planners()]


def _first_options(spec: PlannerSpec) -> dict[str, Any]:
    unbounded = "lookahead" in spec.options and spec.options["lookahead"] is None
    return {"lookahead": LOOKAHEAD} if unbounded else {}


def option_text(options: dict[str, Any]) -> str:
    """Options as people type them, with room between."""
    return ", ".join(f"{key}={_word(value)}" for key, value in options.items())


def _word(value: Any) -> str:
    return str(value).lower() if value is None or isinstance(value, bool) else str(value)
