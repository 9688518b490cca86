"""How much memory the tabs of a server may take together."""

from __future__ import annotations

import os
import threading

from replan.errors import InputError

# bytes a state: measured by `benchmarks/viewer.py --memory`, on mazes that are searched as a whole, and rounded up
OF_A_MAP = 30
OF_A_STORY, OF_ITS_ARRAYS = 80, 240
USUAL_MEMORY = 8 << 30  # of a machine that does not tell


def bytes_needed(states: int, stories: int, arrays: bool) -> int:
    """An estimate for stories on a map, without what they record. arrays: are the planners' values kept?"""
    return states * (OF_A_MAP + stories * (OF_A_STORY + arrays * OF_ITS_ARRAYS))


def half_of_the_memory() -> int:
    """Half of the memory of this machine, in bytes."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    except (AttributeError, ValueError, OSError):  # Windows has no sysconf
        return USUAL_MEMORY // 2


class Memory:
    """What each tab holds, by an estimate. Safe for several threads."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.held: dict[object, int] = {}
        self.lock = threading.Lock()

    def fits(self, tab: object, needed: int) -> bool:
        """Is there room for so many bytes, if this tab holds nothing else?"""
        return needed <= self.most - self._of_others(tab)

    def check(self, tab: object, needed: int) -> None:
        """Raise InputError unless it fits."""
        if not self.fits(tab, needed):
            raise InputError(
                f"this trip takes about {_gigabytes(needed)} of memory; the tabs of this server may take "
                f"{_gigabytes(self.most)}, and the others hold {_gigabytes(self._of_others(tab))}: "
                "close a tab, or choose a smaller map or fewer planners"
            )

    def hold(self, tab: object, needed: int) -> None:
        """From now on this tab holds so many bytes. Raises InputError if there is no room for them."""
        with self.lock:
            self.check(tab, needed)
            self.held[tab] = needed

    def release(self, tab: object) -> None:
        with self.lock:
            self.held.pop(tab, None)

    def _of_others(self, tab: object) -> int:
        return sum(held for other, held in list(self.held.items()) if other is not tab)


def _gigabytes(count: int) -> str:
    return f"{count / 1e9:.1f} GB"
