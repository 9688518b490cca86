"""What somebody may have meant by a name that there is not: "(did you mean maze?)"."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches

MAX_SUGGESTIONS = 3  # suggestions
SIMILARITY_CUTOFF = 0.6  # 1: the same letters; 0: none in common


def did_you_mean(word: str, choices: Iterable[str] | Mapping[str, str]) -> str:
    """A remark to put behind a message: " (did you mean maze?)", or "" if no choice resembles the word.

    choices: the names there are; or a mapping of spellings to names, where a thing has more than one spelling.
    Of each, `letters` count.

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
    wanted = normalized(word)
    if not wanted:
        return ""
    alike = [wanted] if wanted in names else get_close_matches(wanted, names, MAX_SUGGESTIONS, SIMILARITY_CUTOFF)
    begun = [each for each in names if len(wanted) > 1 and each.startswith(wanted) and wanted not in names]
    found = list(dict.fromkeys(name for each in alike + begun for name in names[each]))[:MAX_SUGGESTIONS]
    if not found:
        return ""
    *others, last = found
    return f" (did you mean {', '.join(others)}{' or ' if others else ''}{last}?)"


def normalized(text: str) -> str:
    """What counts of a name: capitals, blanks and punctuation do not, and `*` is read as "star".

    >>> normalized("Plain_heap") == normalized("plain heap"), normalized("D* Lite")
    (True, 'dstarlite')
    """
    return "".join(c for c in text.lower().replace("*", "star") if c.isalnum())
