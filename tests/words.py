"""Words that the code and the documents do not use: CONTRIBUTING, "Names and texts", says what stands for them."""

from __future__ import annotations

import re

#: Words that no identifier contains, as a part between underscores or capitals.
IDENTIFIER_PARTS = frozenset(
    [
        "bag",
        "bill",
        "despair",
        "diary",
        "doubt",
        "doubtful",
        "eager",
        "eye",
        "intakes",
        "loose",
        "luck",
        "meddle",
        "mood",
        "news",
        "overhear",
        "patience",
        "patient",
        "refreshes",
        "sitting",
        "spot",
        "tape",
        "teller",
        "toll",
        "told",
        "torn",
        "touched",
        "trail",
        "twin",
        "whoever",
    ]
)

#: Identifiers as a whole that must not come back.
IDENTIFIERS = frozenset(
    [
        "Asked",
        "CrowdFrame",
        "Decided",
        "Field",
        "Follower",
        "FoundPath",
        "Given",
        "Ground",
        "House",
        "Judged",
        "Moment",
        "NO_WAY",
        "People",
        "Post",
        "Recording",
        "Roll",
        "Steps",
        "Team",
        "Tested",
        "Touched",
        "Walk",
        "Wanted",
        "Worked",
        "carry",
        "carry_trip",
        "catch_up",
        "cost_back",
        "falling",
        "get_ready",
        "has_met",
        "keys_back",
        "lay",
        "let_go",
        "let_happen",
        "made_from",
        "no_path",
        "own_method",
        "solid",
        "stand_on",
        "take_in",
        "whole_way",
    ]
)

#: Forms of sentences that neither documents nor docstrings use.
SENTENCES = re.compile(
    r"\b(?:[Ww]hoever|[Ss]omebody|[Nn]obody|[Tt]hose (?:who|of these|that nobody)|[Hh]ang together|"
    r"[Aa]t rest|[Bb]e had|"
    r"[Tt]ake[sn]? in\b(?! turn)|[Ww]ho (?:is|has|keeps|may|wants|stands|searches|can)\b(?![^.\n]*\?))"
)


def parts(identifier: str) -> set[str]:
    """Parts of an identifier, in small letters."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|_|(?<=[A-Z])(?=[A-Z][a-z])", " ", identifier)
    return {part.lower() for part in spaced.split()}
