"""What has changed in a space that several believe in, for each of them to take in when it next plans."""

from __future__ import annotations

from typing import Any
from weakref import WeakValueDictionary

from replan.log import EventLog
from replan.spaces.neighbours import ChangedStates

MAX_KEPT_CHANGES = 1 << 14  # changes that are kept; then whoever lags behind takes them in at once, if it is idle


class ChangeLog:
    """Who watches a space, and what has happened there that some of them do not know yet.

    To change a space that a thousand agents share takes no longer than one that two share: the change is added here,
    and each agent reads on from where it stopped when it needs to know. Changes have numbers, from 0 on: `log`
    holds those from `before` to `end() - 1`. Each is the state that a changed step leaves, whether its cost rose (the
    kind) and the state that it enters (the value).
    """

    subscriber_count: int  # how many watch, or a few more: those that are gone are counted out from time to time
    first_number: int

    def __init__(self) -> None:
        self.subscribers_by_id: WeakValueDictionary[int, Any] = WeakValueDictionary()  # by identity
        self.log, self.capacity = EventLog(), MAX_KEPT_CHANGES
        self.subscriber_count = self.first_number = 0

    def subscribe(self, who: Any) -> int:
        """From now on `who.overhear()` is called before changes are forgotten. The number of the next change."""
        self.subscribers_by_id[id(who)] = who
        self.count_subscribers()
        return self.end_number()

    def count_subscribers(self) -> int:
        """How many watch now."""
        self.subscriber_count = len(self.subscribers_by_id)
        return self.subscriber_count

    def subscribers(self) -> list[Any]:
        """Those that watch now. Other threads may begin to watch meanwhile."""
        return [who for one in self.subscribers_by_id.valuerefs() if (who := one()) is not None]

    def end_number(self) -> int:
        return self.first_number + self.log.count

    def reserve(self, touched: ChangedStates) -> int:
        """Have memory for a change. Before the space changes: what has changed there must not stay unknown."""
        return self.log.reserve(self.log.count + touched.capacity)

    def add(self, touched: ChangedStates, k: int, rise: bool) -> int:
        """The steps out of touched.state[:k], which enter touched.entered[:k], cost more (rise) or less now."""
        try:
            if self.log.count + k > self.capacity:
                self.flush()
        finally:  # also when somebody who hears of the old ones raises: the others have to know of these
            for i in range(k):
                self.log.add(touched.state[i], rise, touched.entered[i])
        return 0

    def flush(self) -> int:
        """Have everybody know everything, and begin anew. Whoever is searching, in another thread, is not disturbed."""
        lagging = [who for who in self.subscribers() if not who._on_external_change()]
        self.count_subscribers()
        self.capacity = MAX_KEPT_CHANGES
        if lagging:
            self.capacity = 2 * max(MAX_KEPT_CHANGES, self.log.count)  # room for those who lag behind to read
        else:
            self.first_number += self.log.count
            self.log.clear()
        return 0

    def sync_planner(self, planner: Any) -> None:
        """Have the one whom this planner serves know everything."""
        if self.log.count > 0:
            for who in self.subscribers():
                if getattr(who, "planner", None) is planner:
                    who.sync()

    def entered_since(self, number: int) -> list[int]:
        """The states that the steps enter that have changed from this number on."""
        return [self.log.values[i] for i in range(max(0, number - self.first_number), self.log.count)]
