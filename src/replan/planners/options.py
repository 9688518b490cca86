"""Options of planners: the class `Option`, functions that make options, and the options that several modules share.

A module declares the options that no other module has in its `OPTIONS`. `registry.OPTIONS` is the table of all.
`replan planners NAME` and `help(replan.planner)` print that table, and `replan.planner` refuses a value that does not
fit it. The defaults are in the `PlannerSpec` of each planner.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from textwrap import fill
from typing import Any

import numpy as np

from replan.budget import DEADLINE_IN_WORDS, MAX_MICROSECONDS, MIN_MICROSECONDS, seconds_hint
from replan.errors import InputError
from replan.queues.factory import QUEUES
from replan.queues.order import PREFER, TIES
from replan.queues.user_queue import Queue
from replan.suggest import did_you_mean, normalized

MAX_COUNT = 1 << 60  # largest value of an option that counts something
TEXT_WIDTH = 100

Hint = Callable[[Any], str]


@dataclass(frozen=True)
class Option:
    """An option of planners.

    Parameters
    ----------
    name
        Name of the option.
    meaning
        What it does, as a sentence.
    allowed
        The values that it may have, in words that follow "is".
    is_valid
        Function that tells whether a value is allowed.
    choices
        The allowed values that are words.
    hint
        Function that returns, for a value that is not allowed, a suggestion to append to the error message.
    """

    name: str
    meaning: str
    allowed: str
    is_valid: Callable[[Any], bool]
    choices: tuple[str, ...] = ()
    hint: Hint = lambda value: ""

    def parse(self, value: Any) -> Any:
        """Return the checked value; a word in its exact spelling ("plain_heap" is "plain heap"). Raise InputError."""
        hint = ""
        if isinstance(value, str) and self.choices and value not in self.choices:
            hint = did_you_mean(value, {word: repr(word) for word in self.choices})
            value = next((word for word in self.choices if normalized(word) == normalized(value)), value)
        if not self.is_valid(value):
            raise InputError(f"{self.name} is {self.allowed}, not {value!r}{hint or self.hint(value)}")
        return value


def choice_option(name: str, meaning: str, *words: str) -> Option:
    """Make an option that is one of several words."""
    allowed = f"one of {', '.join(map(repr, words))}"
    return Option(name, meaning, allowed, lambda value: isinstance(value, str) and value in words, words)


def bool_option(name: str, meaning: str) -> Option:
    """Make an option that is True or False."""
    return Option(name, meaning, "True or False", lambda value: isinstance(value, (bool, np.bool_)))


def int_option(
    name: str, meaning: str, allowed: str, minimum: int = 1, maximum: int = MAX_COUNT, allows_none: bool = True
) -> Option:
    """Make an option that is a whole number from minimum to maximum, or None if that is allowed."""

    def is_valid(value: Any) -> bool:
        return (allows_none and value is None) or (type(value) is int and minimum <= value <= maximum)

    return Option(name, meaning, allowed, is_valid)


def float_option(
    name: str,
    meaning: str,
    allowed: str,
    minimum: float,
    maximum: float,
    allows_none: bool = False,
    hint: Hint = lambda value: "",
) -> Option:
    """Make an option that is a number from minimum to maximum, or None if that is allowed."""

    def is_valid(value: Any) -> bool:
        return (allows_none and value is None) or (type(value) in (int, float) and minimum <= value <= maximum)

    return Option(name, meaning, allowed, is_valid, hint=hint)


def tenths_option(name: str, meaning: str, minimum: float) -> Option:
    """Make an option that is a number from minimum to 100 with at most one decimal."""
    as_float = float_option(name, meaning, f"from {minimum:g} to 100 in tenths, such as 1.5", minimum, 100)
    return Option(
        name, meaning, as_float.allowed, lambda v: as_float.is_valid(v) and abs(v * 10 - round(v * 10)) < 1e-9
    )


def hundredths_option(name: str, meaning: str) -> Option:
    """Make an option that is a number from 1 to 10 with at most two decimals."""
    as_float = float_option(name, meaning, "from 1 to 10 in hundredths, such as 1.05", 1, 10)
    return Option(
        name, meaning, as_float.allowed, lambda v: as_float.is_valid(v) and abs(v * 100 - round(v * 100)) < 1e-9
    )


def any_option(name: str, meaning: str, allowed: str) -> Option:
    """Make an option whose value the planner itself checks."""
    return Option(name, meaning, allowed, lambda value: not isinstance(value, (bool, np.bool_)))


def _is_heuristic(value: Any) -> bool:
    """True if the value has a type that a heuristic can have."""
    return value is None or callable(value) or isinstance(value, (str, list, tuple, np.ndarray))


def _is_queue(value: Any) -> bool:
    """True if the value is the name of a queue or a class derived from Queue."""
    return value in QUEUES if isinstance(value, str) else isinstance(value, type) and issubclass(value, Queue)


SHARED_OPTIONS = {
    option.name: option
    for option in (
        int_option(
            "lookahead",
            "The most expansions in an episode (for RTD*, TBA*, TBAA* and FRIT: in a time step).",
            "a whole number of expansions from 1, or None for no limit",
        ),
        float_option(
            "deadline",
            "The longest time of an episode in microseconds, learning included. Given alone, it replaces the "
            "lookahead. All memory is then reserved when the agent is made, so that no episode waits for it: about 80 "
            "bytes a cell, 20 MB and some milliseconds on a map of 512 x 512. (With a lookahead alone, memory is "
            "reserved as states are generated: less than 1 MB there.)",
            f"{DEADLINE_IN_WORDS}, or None for no limit",
            MIN_MICROSECONDS,
            MAX_MICROSECONDS,
            allows_none=True,
            hint=seconds_hint,
        ),
        int_option(
            "moves",
            "How many moves the agent makes along a path before the next search.",
            "a whole number from 1, or None for the whole path",
        ),
        choice_option(
            "on_cost_decrease",
            "What happens to learned h-values when costs fall: 'keep' them, although they may then overestimate; "
            "'repair' them until they are consistent again, in unbounded time; or 'reset' them to their first values. "
            "(TBA*: to its search; TBAA*: to both; FRIT: to its tree.)",
            "keep",
            "repair",
            "reset",
        ),
        bool_option(
            "detect_unreachable",
            "Detect that no goal can be reached on the believed map, also where no lookahead shows it. Takes about "
            "1 % of the time, and changes no path as long as a goal can be reached.",
        ),
        bool_option(
            "pathmax", "Let f never fall along a path of the lookahead; without it an agent can run in circles."
        ),
        tenths_option(
            "weight",
            "The factor of h in the first search: a larger weight finds a path sooner, which costs at most that many "
            "times the cheapest.",
            1,
        ),
        tenths_option(
            "weight_decrease", "The decrease of the weight from one search to the next, while the budget lasts.", 0.1
        ),
        choice_option(
            "replan_when",
            "What starts a new search: a step of the path that is blocked or costs more, or any cost that fell "
            "('blocked'); or every change that is observed ('changed').",
            "blocked",
            "changed",
        ),
        choice_option(
            "when_unreachable",
            "What to do when no path is known: 'wait' as long as the world has changes to come, or 'report' it, which "
            "ends the trip.",
            "wait",
            "report",
        ),
        Option(
            "heuristic",
            "The estimate of the cost from a cell to the goal, in steps.",
            "None for the one of the space, 'zero', an array (a number for each cell) or a function of two cells",
            _is_heuristic,
        ),
        bool_option("check_heuristic", "Refuse a heuristic that is not consistent, before the trip begins."),
        Option(
            "queue",
            f"The open list: {'; '.join(kind.description for kind in QUEUES.values())}; or a class of your own.",
            f"one of {', '.join(map(repr, QUEUES))}, or a class derived from replan.Queue",
            _is_queue,
            tuple(QUEUES),
        ),
        choice_option("prefer", "Which of two states with equal f goes first.", *PREFER),
        choice_option(
            "ties",
            "Which of two states with equal f and g goes first: by the time of generation. 'none': the heap decides.",
            *TIES,
        ),
        int_option(
            "seed",
            "The seed of the random numbers of ties='random'.",
            "a whole number from 0 to 2,147,483,647",
            minimum=0,
            maximum=2**31 - 1,
            allows_none=False,
        ),
    )
}


def describe_options(options: Iterable[Option]) -> str:
    """Return a table of options as text."""
    entries = (f"- {option.name}: {option.meaning} [{option.allowed}]" for option in options)
    return "\n".join(fill(entry, TEXT_WIDTH, subsequent_indent="    ", break_on_hyphens=False) for entry in entries)
