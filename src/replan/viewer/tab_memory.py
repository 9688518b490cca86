"""How much memory the tabs of a server may take together."""

from __future__ import annotations

import os
import threading

from replan.errors import InputError

# bytes a state: measured by `benchmarks/viewer.py --memory`, on mazes that are searched as a whole, and rounded up
MAP_BYTES_PER_STATE = 30
STORY_BYTES_PER_STATE, ARRAY_BYTES_PER_STATE = 80, 240
DEFAULT_MEMORY = 8 << 30  # of a machine that does not tell


def bytes_needed(states: int, stories: int, arrays: bool) -> int:
    """An estimate for stories on a map, without what they record. arrays: are the planners' values kept?"""
    return states * (MAP_BYTES_PER_STATE + stories * (STORY_BYTES_PER_STATE + arrays * ARRAY_BYTES_PER_STATE))


def half_of_system_memory() -> int:
    """Half of the memory of this machine, in bytes."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    except (AttributeError, ValueError, OSError):  # Windows has no sysconf
        return DEFAULT_MEMORY // 2


class TabMemory:
    """What each tab holds, by an estimate. Safe for several threads."""

    def __init__(self, most: int) -> None:
        self.max_bytes = most
        self.bytes_by_tab: dict[object, int] = {}
        self.lock = threading.Lock()

    def fits(self, tab: object, needed: int) -> bool:
        """Is there room for so many bytes, if this tab holds nothing else?"""
        return needed <= self.max_bytes - self._bytes_of_others(tab)

    def check(self, tab: object, needed: int) -> None:
        """Raise InputError unless it fits."""
        if not self.fits(tab, needed):
            raise InputError(
                f"this trip takes about {_gigabytes(needed)} of memory; the tabs of this server may take "
                f"{_gigabytes(self.max_bytes)}, and the others hold {_gigabytes(self._bytes_of_others(tab))}: "
                "close a tab, or choose a smaller map or fewer planners"
            )

    def reserve(self, tab: object, needed: int) -> None:
        """From now on this tab holds so many bytes. Raises InputError if there is no room for them."""
        with self.lock:
            self.check(tab, needed)
            self.bytes_by_tab[tab] = needed

    def release(self, tab: object) -> None:
        with self.lock:
            self.bytes_by_tab.pop(tab, None)

    def _bytes_of_others(self, tab: object) -> int:
        return sum(held for other, held in list(self.bytes_by_tab.items()) if other is not tab)


def _gigabytes(count: int) -> str:
    return f"{count / 1e9:.1f} GB"
