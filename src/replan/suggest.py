"""Suggestions for an unknown name: "(did you mean maze?)"."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches

MAX_SUGGESTIONS = 3
SIMILARITY_CUTOFF = 0.6  # 1: the same letters; 0: no letter in common


def did_you_mean(word: str, choices: Iterable[str] | Mapping[str, str]) -> str:
    """Return the end of an error message: " (did you mean maze?)", or "" if no choice resembles the word.

    choices: the valid names, or a mapping of spellings to names. Only letters and digits are compared.

    >>> did_you_mean("mzae", ["cave", "maze", "rooms"])
    ' (did you mean maze?)'
    >>> did_you_mean("dstar lite", ["A*", "D* Lite"])
    ' (did you mean D* Lite?)'
    >>> did_you_mean("labyrinth", {"maze": "maze", "labyrinth": "maze"})
    ' (did you mean maze?)'
    >>> did_you_mean("moon", ["cave", "maze"])
    ''
    """
    spellings = choices if isinstance(choices, Mapping) else {name: name for name in choices}
    names: dict[str, list[str]] = {}
    for spelling, name in spellings.items():
        names.setdefault(normalized(spelling), []).append(name)
    key = normalized(word)
    if not key:
        return ""
    similar = [key] if key in names else get_close_matches(key, names, MAX_SUGGESTIONS, SIMILARITY_CUTOFF)
    longer = [each for each in names if len(key) > 1 and each.startswith(key) and key not in names]
    suggestions = list(dict.fromkeys(name for each in similar + longer for name in names[each]))[:MAX_SUGGESTIONS]
    if not suggestions:
        return ""
    *others, last = suggestions
    return f" (did you mean {', '.join(others)}{' or ' if others else ''}{last}?)"


def normalized(text: str) -> str:
    """Return the lower-case letters and digits of a name, with `*` as "star".

    >>> normalized("Plain_heap") == normalized("plain heap"), normalized("D* Lite")
    (True, 'dstarlite')
    """
    return "".join(c for c in text.lower().replace("*", "star") if c.isalnum())
