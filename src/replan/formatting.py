"""Numbers and names in messages."""

from __future__ import annotations


def format_count(count: int, singular: str, plural: str | None = None) -> str:
    """Return a number with its noun; the plural is by default the singular with an s.

    >>> format_count(1, "cell"), format_count(2000, "cell"), format_count(0, "search", "searches")
    ('1 cell', '2,000 cells', '0 searches')
    """
    return f"{count:,} {singular if count == 1 else plural or f'{singular}s'}"


def escape_unprintable(text: str) -> str:
    """Return a text with its control characters escaped, so that it cannot change a terminal.

    >>> print(escape_unprintable("a\\nb\\x1b[2J"))
    a\\nb\\x1b[2J
    """
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)
