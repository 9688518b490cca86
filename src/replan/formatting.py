"""Numbers in sentences."""

from __future__ import annotations


def format_count(count: int, singular: str, plural: str | None = None) -> str:
    """So many of a thing. things: of several, unless an s makes it.

    >>> format_count(1, "cell"), format_count(2000, "cell"), format_count(0, "search", "searches")
    ('1 cell', '2,000 cells', '0 searches')
    """
    return f"{count:,} {singular if count == 1 else plural or f'{singular}s'}"


def escape_unprintable(text: str) -> str:
    """One line that changes nothing in a terminal: a file's name, or what a program says, may hold anything.

    >>> print(escape_unprintable("a\\nb\\x1b[2J"))
    a\\nb\\x1b[2J
    """
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)
