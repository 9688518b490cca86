"""Values that nobody should hand to the core, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

import numpy as np


class Grumpy:
    """Something that raises when it is taken for a number."""

    def __index__(self) -> int:
        raise ZeroDivisionError("mine")

    def __repr__(self) -> str:
        return "Grumpy()"


class NotANumber:
    """Something that says it is a number and gives a text."""

    def __index__(self) -> Any:
        return "x"

    def __int__(self) -> Any:
        return "x"

    def __float__(self) -> Any:
        return "x"

    def __repr__(self) -> str:
        return "NotANumber()"


def for_ever(item: Any) -> Iterator[Any]:
    while True:
        yield item


#: Not a whole number at all.
NO_WHOLE_NUMBERS: dict[str, Any] = {
    "None": None,
    "text": "3",
    "bytes": b"3",
    "half": 2.5,
    "nan": float("nan"),
    "infinity": float("inf"),
    "complex": 1j,
    "list": [3],
    "pair": (3, 4),
    "dict": {3: 4},
    "object": object(),
    "class": int,
    "function": len,
    "array": np.arange(3),
    "odd number": NotANumber(),
}

#: Whole numbers that fit nothing: no state, no cost.
HUGE: dict[str, int] = {
    "2**31 - 1": 2**31 - 1,
    "2**31": 2**31,
    "2**32": 2**32,
    "2**32 + 1": 2**32 + 1,  # 1, if somebody keeps 32 bits of it
    "2**40": 2**40,
    "2**62": 2**62,
    "2**63 - 1": 2**63 - 1,
    "2**63": 2**63,
    "2**64 + 1": 2**64 + 1,
    "10**30": 10**30,
}

NEGATIVE: dict[str, int] = {
    "-1": -1,
    "-2": -2,
    "-2**31": -(2**31),
    "-2**62": -(2**62),
    "-2**63": -(2**63),
    "-10**30": -(10**30),
}

#: Whole numbers in other clothes: taken for what they are, or refused.
DRESSED: dict[str, Callable[[int], Any]] = {
    "numpy int64": np.int64,
    "numpy int32": np.int32,
    "numpy uint8": lambda x: np.uint8(x % 256),
    "0-dimensional array": np.array,
    "float": float,
    "numpy float": np.float64,
    "decimal": Decimal,
    "true": lambda x: True,
}
