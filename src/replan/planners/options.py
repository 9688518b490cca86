"""The options of planners: what each means, what it may be, and in which unit. Here and nowhere else.

`replan planners NAME` and `help(replan.planner)` print this table, and `replan.planner` refuses what does not fit it.
Which planner has which of them, and with which default, is in its recipe.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from textwrap import fill
from typing import Any

import numpy as np

from replan.budget import LEAST_MICROSECONDS, MICROSECONDS, MOST_MICROSECONDS, if_seconds
from replan.errors import InputError
from replan.limits import LARGEST_UPDATE_WEIGHT
from replan.queues.make import QUEUES
from replan.queues.order import PREFER, TIES
from replan.queues.own import Queue
from replan.search.named_rules import CHOOSING, LEARNING
from replan.suggest import did_you_mean, letters

MOST = 1 << 60  # of what is counted
WIDTH = 100

Hint = Callable[[Any], str]


@dataclass(frozen=True)
class Option:
    """allowed: what it may be, in words that follow "is". words: those of its values that are words."""

    name: str
    meaning: str
    allowed: str
    fits: Callable[[Any], bool]
    words: tuple[str, ...] = ()
    hint: Hint = lambda value: ""  # of a value that does not fit: what may have been meant

    def read(self, value: Any) -> Any:
        """The value; a word as it is spelt here ("plain_heap" is "plain heap"). Raises InputError if it cannot be."""
        hint = ""
        if isinstance(value, str) and self.words and value not in self.words:
            hint = did_you_mean(value, {word: repr(word) for word in self.words})
            value = next((word for word in self.words if letters(word) == letters(value)), value)
        if not self.fits(value):
            raise InputError(f"{self.name} is {self.allowed}, not {value!r}{hint or self.hint(value)}")
        return value


def _one_of(name: str, meaning: str, *words: str) -> Option:
    allowed = f"one of {', '.join(map(repr, words))}"
    return Option(name, meaning, allowed, lambda value: isinstance(value, str) and value in words, words)


def _truth(name: str, meaning: str) -> Option:
    return Option(name, meaning, "True or False", lambda value: isinstance(value, (bool, np.bool_)))


def _whole(name: str, meaning: str, allowed: str, least: int = 1, most: int = MOST, none: bool = True) -> Option:
    def fits(value: Any) -> bool:
        return (none and value is None) or (type(value) is int and least <= value <= most)

    return Option(name, meaning, allowed, fits)


def _number(
    name: str, meaning: str, allowed: str, least: float, most: float, none: bool = False, hint: Hint = lambda value: ""
) -> Option:
    def fits(value: Any) -> bool:
        return (none and value is None) or (type(value) in (int, float) and least <= value <= most)

    return Option(name, meaning, allowed, fits, hint=hint)


def _tenths(name: str, meaning: str, least: float) -> Option:
    number = _number(name, meaning, f"from {least:g} to 100 in tenths, such as 1.5", least, 100)
    return Option(name, meaning, number.allowed, lambda v: number.fits(v) and abs(v * 10 - round(v * 10)) < 1e-9)


def _hundredths(name: str, meaning: str) -> Option:
    number = _number(name, meaning, "from 1 to 10 in hundredths, such as 1.05", 1, 10)
    return Option(name, meaning, number.allowed, lambda v: number.fits(v) and abs(v * 100 - round(v * 100)) < 1e-9)


def _any(name: str, meaning: str, allowed: str) -> Option:
    """What the planner itself looks at more closely."""
    return Option(name, meaning, allowed, lambda value: not isinstance(value, (bool, np.bool_)))


def _rule(name: str, meaning: str, kind: str, words: tuple[str, ...]) -> Option:
    """A rule of the user's, or one of ours by its name."""

    def fits(value: Any) -> bool:
        return value in words if isinstance(value, str) else not isinstance(value, (bool, np.bool_))

    allowed = f"a replan.{kind}, {', '.join(map(repr, words))}, or None for the planner's own rule"
    return Option(name, meaning, allowed, fits, words)


def _is_heuristic(value: Any) -> bool:
    return value is None or callable(value) or isinstance(value, (str, list, tuple, np.ndarray))


def _is_queue(value: Any) -> bool:
    return value in QUEUES if isinstance(value, str) else isinstance(value, type) and issubclass(value, Queue)


OPTIONS = {
    option.name: option
    for option in (
        _whole(
            "lookahead",
            "The most expansions in an episode (for RTD*, TBA* and TBAA*: in a step of time).",
            "a whole number of expansions from 1, or None for no limit",
        ),
        _number(
            "deadline",
            "The longest that an episode may take, learning included. Given alone, it replaces the lookahead. So that "
            "no episode waits for memory, all of it is taken when the agent is made: about 80 bytes a cell, 20 MB and "
            "some milliseconds on a map of 512 x 512. (A lookahead takes memory as it comes by: less than 1 MB there.)",
            f"{MICROSECONDS}, or None for no limit",
            LEAST_MICROSECONDS,
            MOST_MICROSECONDS,
            none=True,
            hint=if_seconds,
        ),
        _whole(
            "moves",
            "How many moves the agent makes along a path before the next search.",
            "a whole number from 1, or None for as far as the search has seen",
        ),
        _one_of(
            "falling",
            "What becomes of learned h-values when costs fall: 'keep' them, although they may then overestimate; "
            "'repair' them until they are consistent again, in time that no limit bounds; or 'reset' them to what they "
            "were at first. (For TBA*, what becomes of its search; for TBAA*, of both.)",
            "keep",
            "repair",
            "reset",
        ),
        _truth(
            "notice",
            "Notice that no goal can be reached, as far as is known, also where no lookahead shows it. Takes about a "
            "hundredth of the time, and changes no path as long as there is a way.",
        ),
        _whole(
            "update_weight",
            "How many times steps count when h is learned: with a larger weight the agent leaves depressions sooner, "
            "and h is at most that many times too large. (Of the planner's own rule: it does nothing to `learning`.)",
            f"a whole number from 1 to {LARGEST_UPDATE_WEIGHT}",
            most=LARGEST_UPDATE_WEIGHT,
            none=False,
        ),
        _rule(
            "learning",
            "Another rule by which h-values rise after a lookahead.",
            "LearningRule",
            tuple(LEARNING),
        ),
        _rule(
            "choosing",
            "Another rule by which the state to walk to is chosen. ('taken' is 'best', but takes the state out of the "
            "open list, so that percolations are those of a program behind depression avoidance 2011.)",
            "ChoosingRule",
            tuple(CHOOSING),
        ),
        _whole(
            "depth",
            "How many steps to look ahead.",
            "a whole number from 1 to 24, or None for 1, or as many as lookahead or deadline allow",
            most=24,
        ),
        _truth("pathmax", "Let f never fall along a path that is looked at; without it an agent can run in circles."),
        _tenths(
            "weight",
            "How many times h counts, at first: a larger weight finds a path sooner, which costs at most that many "
            "times the cheapest.",
            1,
        ),
        _hundredths(
            "bound",
            "How many times the cheapest a path may cost at most, when it is found: less is repaired for it.",
        ),
        _tenths("down", "By how much the weight falls from one search to the next, while the budget lasts.", 0.1),
        _tenths("up", "By how much the weight rises when changed costs have made the path dearer.", 0),
        _one_of(
            "replan",
            "What starts a new search: a step of the path that has become dearer, or a cost that has fallen "
            "('blocked'); or every change that is seen ('changed').",
            "blocked",
            "changed",
        ),
        _any(
            "global_",
            "The search from the goal that repairs itself when costs change.",
            "'D* Lite', 'D* Extra Lite', 'AD*' or such a planner",
        ),
        _any(
            "local",
            "The search that moves the agent until the global one has arrived.",
            "a real-time planner or the name of one",
        ),
        _number("local_ratio", "The share of the limit that the local search gets.", "from 0 to 1", 0, 1),
        _whole(
            "local_moves",
            "How many moves the agent makes along the path of a local search before the next one.",
            "a whole number from 1, or None for the whole local path",
        ),
        _one_of(
            "no_path",
            "What to do when no way is known: 'wait' as long as the world has changes to come, or 'report' it, which "
            "ends the trip.",
            "wait",
            "report",
        ),
        _number(
            "tracing",
            "The share of the limit spent on following the best path found back to the agent, not on expansions.",
            "from 0 to 1",
            0,
            1,
        ),
        _whole(
            "room",
            "How many cells the open list holds.",
            "a number of cells from 4, or None for 12 for each row and column",
            least=4,
            most=2**31 - 1,
        ),
        Option(
            "heuristic",
            "What the way to the goal is estimated to cost, in steps.",
            "None for the space's own, 'zero', an array (a number for each cell) or a function of two cells",
            _is_heuristic,
        ),
        _truth("check", "Refuse a heuristic that is not consistent, before the trip begins."),
        Option(
            "queue",
            f"The open list: {'; '.join(kind.about for kind in QUEUES.values())}; or a class of your own.",
            f"one of {', '.join(map(repr, QUEUES))}, or a class derived from replan.Queue",
            _is_queue,
            tuple(QUEUES),
        ),
        _one_of("prefer", "Which of two states with equal f goes first.", *PREFER),
        _one_of(
            "ties",
            "Which of two states with equal f and g goes first: by when it was generated. 'none': as the heap has it.",
            *TIES,
        ),
        _whole(
            "seed",
            "Where the random numbers of ties='random' begin.",
            "a whole number from 0 to 2,147,483,647",
            least=0,
            most=2**31 - 1,
            none=False,
        ),
    )
}


def described() -> str:
    """The table as text."""
    entries = (f"- {option.name}: {option.meaning} [{option.allowed}]" for option in OPTIONS.values())
    return "\n".join(fill(entry, WIDTH, subsequent_indent="    ", break_on_hyphens=False) for entry in entries)
