"""What is wrong with an answer, and the script that shows it."""

from __future__ import annotations

from typing import Any


class Wrong(Exception):
    """An answer that cannot be. rule: which one is broken, always in the same words, so that shrinking keeps to it."""

    def __init__(self, rule: str, **seen: Any) -> None:
        told = "; ".join(f"{name}: {value!r}" for name, value in seen.items())
        super().__init__(f"{rule} ({told})" if told else rule)
        self.rule = rule


def must(holds: Any, rule: str, **seen: Any) -> None:
    if not holds:
        raise Wrong(rule, **seen)


class Script:
    """The calls of a case as Python that can be pasted. Kept only when it is asked for: it takes time."""

    def __init__(self, kept: bool) -> None:
        self.kept = kept
        self.imports, self.lines = ["import replan"], []

    def say(self, *lines: str) -> None:
        for line in lines if self.kept else ():
            into = self.imports if line.startswith(("from ", "import ")) else self.lines
            if into is self.lines or line not in into:
                into.append(line)

    def text(self) -> str:
        return "\n".join([*self.imports, "", *self.lines])
