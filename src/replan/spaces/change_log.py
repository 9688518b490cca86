"""The changes of a space, for the agents and planners that share it: each applies them when it next plans."""

from __future__ import annotations

from typing import Any
from weakref import WeakValueDictionary

from replan.log import EventLog
from replan.spaces.neighbours import ChangedStates

MAX_KEPT_CHANGES = 1 << 14  # changes that are kept; when there are more, all idle subscribers apply them at once


class ChangeLog:
    """The subscribers of a space, and the changes that some of them have not applied yet.

    A change costs the same for two subscribers as for a thousand: it is added here once, and each subscriber reads on
    from its own position when it next plans. Changes are numbered from 0. `log` holds the changes from `first_number`
    to `end_number() - 1`. Each entry has the state that a changed step leaves (the id), whether the cost increased (the
    kind), and the state that the step enters (the value).
    """

    subscriber_count: int  # subscribers that exist, or more: deleted ones are subtracted by count_subscribers
    first_number: int

    def __init__(self) -> None:
        self.subscribers_by_id: WeakValueDictionary[int, Any] = WeakValueDictionary()  # by id()
        self.log, self.capacity = EventLog(), MAX_KEPT_CHANGES
        self.subscriber_count = self.first_number = 0

    def subscribe(self, subscriber: Any) -> int:
        """Call `subscriber._on_external_change()` from now on before changes are forgotten; return the next number."""
        self.subscribers_by_id[id(subscriber)] = subscriber
        self.count_subscribers()
        return self.end_number()

    def count_subscribers(self) -> int:
        """Count the subscribers that still exist."""
        self.subscriber_count = len(self.subscribers_by_id)
        return self.subscriber_count

    def subscribers(self) -> list[Any]:
        """List the subscribers. Other threads may subscribe meanwhile."""
        references = self.subscribers_by_id.valuerefs()
        return [subscriber for reference in references if (subscriber := reference()) is not None]

    def end_number(self) -> int:
        """Return the number that the next change gets."""
        return self.first_number + self.log.count

    def reserve(self, changed: ChangedStates) -> int:
        """Reserve memory for one change, before the space changes: a change must not be lost for lack of memory."""
        return self.log.reserve(self.log.count + changed.capacity)

    def add(self, changed: ChangedStates, k: int, costs_increased: bool) -> int:
        """Log the steps from changed.state[:k] to changed.entered[:k], whose costs increased or decreased."""
        try:
            if self.log.count + k > self.capacity:
                self.flush()
        finally:  # also if a subscriber raises: the others must learn of this change
            for i in range(k):
                self.log.add(changed.state[i], costs_increased, changed.entered[i])
        return 0

    def flush(self) -> int:
        """Let all idle subscribers apply all changes, and clear the log if none is busy in another thread."""
        busy = [subscriber for subscriber in self.subscribers() if not subscriber._on_external_change()]
        self.count_subscribers()
        self.capacity = MAX_KEPT_CHANGES
        if busy:
            self.capacity = 2 * max(MAX_KEPT_CHANGES, self.log.count)  # until the busy subscribers have read the log
        else:
            self.first_number += self.log.count
            self.log.clear()
        return 0

    def sync_planner(self, planner: Any) -> None:
        """Let the subscriber that owns this planner apply all changes."""
        if self.log.count > 0:
            for subscriber in self.subscribers():
                if getattr(subscriber, "planner", None) is planner:
                    subscriber.sync()

    def entered_since(self, number: int) -> list[int]:
        """Return the states that the changed steps enter, from change `number` on."""
        return [self.log.values[i] for i in range(max(0, number - self.first_number), self.log.count)]
