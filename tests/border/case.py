"""A case of the battery: something that should not be done, and how the package has to answer it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

SENTENCES = (ValueError, TypeError, RuntimeError)  # InputError is a ValueError, NotImplementedError a RuntimeError


class Unnoticed(Exception):
    """A lie was told and nobody said a word."""


class Mine(Exception):
    """An error of the user's, which has to come out as it is."""


@dataclass(frozen=True)
class Case:
    """One of them.

    name: "group/what/with what". do: does it. It may return: then all is well (it has checked that the answer is right,
    by assert). Or it raises one of `errors`, and the message contains one of `words`. must: returning is not enough.
    """

    name: str
    do: Callable[[], Any]
    words: tuple[str, ...] = ()
    errors: tuple[type[BaseException], ...] = SENTENCES
    must: bool = False

    @property
    def group(self) -> str:
        """What is reported together."""
        return "/".join(self.name.split("/")[:2])


@dataclass
class Battery:
    """Cases by name, in the order in which they were added."""

    cases: dict[str, Case] = field(default_factory=dict)

    def add(self, name: str, do: Callable[[], Any], *words: str, **how: Any) -> None:
        if name in self.cases:
            raise ValueError(f"there are two cases {name!r}")
        self.cases[name] = Case(name, do, words, **how)

    def case(self, name: str, *words: str, **how: Any) -> Callable[[Callable[[], Any]], Callable[[], Any]]:
        """The same for a function that is a case."""

        def note(do: Callable[[], Any]) -> Callable[[], Any]:
            self.add(name, do, *words, **how)
            return do

        return note


def judge(case: Case) -> str:
    """Do it: an empty text if the answer was right, otherwise what was wrong with it."""
    swallowed: list[str] = []
    old = sys.unraisablehook
    sys.unraisablehook = lambda told: swallowed.append(f"{told.exc_type.__name__}: {told.exc_value}")
    try:
        case.do()
        verdict = "went unnoticed" if case.must else ""
    except Unnoticed as error:
        verdict = f"went unnoticed: {error}"
    except AssertionError as error:
        verdict = f"wrong without a word: {error}"
    except BaseException as error:
        verdict = _verdict(case, error)
    finally:
        sys.unraisablehook = old
    if swallowed:
        return f"an error was swallowed: {swallowed[0]}"
    return verdict


def _verdict(case: Case, error: BaseException) -> str:
    told = f"{type(error).__name__}: {error}"
    if not isinstance(error, case.errors):
        return f"not a sentence: {told}"
    if case.words and not any(word in str(error) for word in case.words):
        return f"names neither of {', '.join(case.words)}: {told}"
    return ""
