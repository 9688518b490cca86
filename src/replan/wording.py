"""Numbers in sentences."""

from __future__ import annotations


def counted(count: int, thing: str, things: str | None = None) -> str:
    """So many of a thing. things: of several, unless an s makes it.

    >>> counted(1, "cell"), counted(2000, "cell"), counted(0, "search", "searches")
    ('1 cell', '2,000 cells', '0 searches')
    """
    return f"{count:,} {thing if count == 1 else things or f'{thing}s'}"
