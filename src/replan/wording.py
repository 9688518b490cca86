"""Numbers in sentences."""

from __future__ import annotations


def counted(count: int, thing: str, things: str | None = None) -> str:
    """So many of a thing. things: of several, unless an s makes it.

    >>> counted(1, "cell"), counted(2000, "cell"), counted(0, "search", "searches")
    ('1 cell', '2,000 cells', '0 searches')
    """
    return f"{count:,} {thing if count == 1 else things or f'{thing}s'}"


def printable(text: str) -> str:
    """One line that changes nothing in a terminal: a file's name, or what a program says, may hold anything.

    >>> print(printable("a\\nb\\x1b[2J"))
    a\\nb\\x1b[2J
    """
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)
