"""What an agent is apart from what people call: where it stands, what it believes, and which path is still good.

The compiled loop of a trip (`simulation/walk.py`) calls these, and `simulation/agent.py` for people.
"""

from __future__ import annotations

from typing import Any

from replan.clock import deadline_in
from replan.limits import COMPLETE, PARTIAL, UNREACHABLE, WAITING
from replan.planners.base import Planner
from replan.saving import Bag
from replan.spaces.goals import Goals
from replan.spaces.grid import Grid
from replan.spaces.neighbours import Touched
from replan.spaces.news import News
from replan.spaces.plain import PlainSights
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import ints


ANSWERS = (COMPLETE, PARTIAL, UNREACHABLE, WAITING)


class Follower:
    """Follows the trail of its planner as long as that is good, and believes what it is told."""

    planner: Planner
    believed: Space
    goals: Goals
    at: int
    episodes: int
    answer: int  # of the last episode: COMPLETE, PARTIAL, UNREACHABLE or WAITING
    fresh: bool  # is the planner's trail still good?
    spot: int  # then the agent stands on trail[spot]
    stop: int  # and walks to trail[stop] before it searches again
    trip: int  # the planner's number of this trip: another one, and somebody else has taken it over
    time_ns: int  # of its own deadline, 0: the planner's
    heard: int  # the number of the next change of the belief to take in
    touched: Touched
    grid: Grid | None  # the belief, if it is one

    def settle(self, believed: Space, goals: Goals, at: int) -> None:
        """Believe in this space from now on. The planner comes next."""
        self.believed, self.goals, self.at, self.cells = believed, goals, at, believed.cells
        self.touched = self.believed.touched()
        self.grid, self.plain = believed if isinstance(believed, Grid) else None, PlainSights()
        self.fresh, self.spot, self.stop, self.episodes, self.answer = False, 0, 0, 0, PARTIAL
        self.reading = False

    # Searching, and walking.

    def arrived(self) -> bool:
        return self.goals.has(self.at)

    def search(self, limit: int, time_ns: int) -> int:
        """An episode, for whoever does not hold the planner yet."""
        done = False
        self.enter_planner()
        try:
            self.think(limit, time_ns)
            done = True
        finally:
            self.planner.leave(done)
        return 0

    def enter_planner(self) -> int:
        """Hold the planner for a search. Another thread may have begun a trip with it since the last check."""
        self.planner.enter()
        if self.planner.trips != self.trip:
            self.planner.leave(True)
            self._refuse_other_trip()
        return 0

    def _refuse_other_trip(self) -> None:
        raise RuntimeError(
            "the planner of this agent has been given to another one since: make one planner for each agent, as in "
            "[Agent(replan.planner('RTAA*'), ...) for ...]"
        )

    def think(self, limit: int, time_ns: int) -> int:
        """One episode of the planner; its answer."""
        self.answer = self.planner.episode(self.at, limit, deadline_in(time_ns))
        self.episodes += 1
        self.spot = self.planner.ahead
        self.stop = max(0, self.spot - self.planner.moves)
        self.fresh = self.answer == COMPLETE or self.answer == PARTIAL
        return self.answer

    def next_state(self) -> int:
        """The next state of the path, -1 when a search is due."""
        if self.fresh and self.spot > self.stop:
            return self.planner.trail[self.spot - 1]
        return -1

    def search_is_due(self) -> bool:
        """Is the path used up, or is the agent where it was after the last slice of a search that is not over?"""
        if self.planner.sliced and self.answer == PARTIAL and self.spot == self.planner.ahead:
            return True
        return self.next_state() < 0

    def stand_on(self, s: int) -> int:
        if self.fresh and self.spot > self.stop and self.planner.trail[self.spot - 1] == s:
            self.spot -= 1
        elif s != self.at:
            self.fresh = False
            self.planner.carried = True
        self.at = s
        return 0

    def stand_at(self, spot: int) -> int:
        """Stand on a state of the path."""
        self.spot = spot
        self.at = self.planner.trail[spot]
        return 0

    def stand_free(self) -> int:
        """Where an agent stands nothing is blocked, whatever it believed."""
        if self.cells and self.believed.read(self.at) == 0:
            value = self.believed.value_if_free(self.at)
            self.believed.hold()
            try:
                self.refuse_other_use()
                self.accept(self.at, value)
            finally:
                self.believed.release()
        return 0

    def chase(self, state: int) -> None:
        """The target has moved to this state."""
        self.set_goals(Goals([state], self.believed.n))

    def set_goals(self, goals: Goals) -> None:
        busy = self.planner.busy
        self.planner.set_busy(False)  # a trip that is going on does this between searches
        try:
            self.planner.retarget(goals)
        finally:
            self.planner.set_busy(busy)
        self.planner.goals = self.goals = goals
        i = self.planner.spot_of(goals.single) if self.fresh and goals.single >= 0 else -1
        if self.stop < i < self.spot and self.answer == COMPLETE and self.planner.cheapest:
            self.stop = i  # the path leads there too: walk no further
        else:
            self.fresh = False

    # What it is told, and what others have changed.

    def take_plain(self, grid: Grid, cells: list[Any], given: Any, weighing: bool) -> int:
        """Believe all of this, if it is plain: then how many are news, otherwise -1."""
        self.believed.hold()  # first of all: whoever believes something at this moment reads from these arrays
        try:
            self.refuse_other_use()
            if self.plain.read(grid, cells, given, weighing):
                return self.accept_all(self.plain.places, self.plain.values, self.plain.count)
        finally:
            self.believed.release()
        return -1

    def take_window(self, grid: Grid, window: memoryview, cols: int, at: int) -> int:
        self.believed.hold()
        try:
            self.refuse_other_use()
            self.plain.compare(grid, window, cols, at)
            return self.accept_all(self.plain.places, self.plain.values, self.plain.count)
        finally:
            self.believed.release()

    def take_in(self, places: memoryview, values: memoryview) -> int:
        """Believe all of this; how many are news?"""
        self.believed.hold()
        try:
            self.refuse_other_use()
            return self.accept_all(places, values, len(places))
        finally:
            self.believed.release()

    def refuse_other_use(self) -> int:
        """Raise RuntimeError if another agent or thread uses the planner: it is told of changes between searches."""
        if self.planner.trips != self.trip:
            self._refuse_other_trip()
        if self.planner.busy:
            self.planner._refuse_busy()
        return 0

    def accept_all(self, places: memoryview, values: memoryview, count: int) -> int:
        news, told = 0, False
        try:
            for i in range(count):
                news += self.believe(places[i], values[i])
            told = True
        finally:
            if not told:
                self.tear()
        return news

    def accept(self, place: int, value: int) -> int:
        """Believe that a place has this value (0 blocked, else weight or cost). 1 if that is news."""
        news, told = 0, False
        try:
            news = self.believe(place, value)
            told = True
        finally:
            if not told:
                self.tear()
        return news

    def believe(self, place: int, value: int) -> int:
        """The same, where somebody else sees to it that a planner which raises begins anew."""
        old = self.believed.read(place)
        if old == value or (value == 0 and self.cells and place == self.at):
            return 0
        if self.heard < self.believed.news.before + self.believed.news.log.count:  # news.end(), without a call
            self.read(self.believed.news)
        self.change(place, value, value == 0 or (old != 0 and value > old))
        return 1

    def change(self, place: int, value: int, rise: bool) -> int:
        """Give a place of the belief another value, and tell the others and the planner."""
        shared = self.believed.news.sharing > 1
        if shared:
            with cython.gil:
                self.believed.news.reserve(self.touched)
        k = self.believed.write(self.touched, place, value)
        if shared:
            with cython.gil:
                self.believed.news.add(self.touched, k, rise)
            self.heard = self.believed.news.end()
        if k == 0:
            return 0
        self.doubt(not rise or self.planner.eager)
        if self.planner.trips != self.trip:  # Python code of others may have run since the last check
            with cython.gil:
                self._refuse_other_trip()
        told = ints(self.touched.entered) if self.planner.forward else ints(self.touched.state)
        self.doubt(self.planner.changed(told, k, rise) != 0)
        for i in range(k if self.fresh else 0):
            self.doubt(self.planner.dearer(self.touched.state[i], self.spot, self.stop))
        return 0

    def doubt(self, why: bool) -> int:
        """If there is reason to, take the path for one that may no longer be the best, or be cut."""
        if why:
            self.fresh = False
        return 0

    def tear(self) -> int:
        """An error, of a user's class, has come between: the planner knows a part of what has changed."""
        self.fresh = False
        self.planner.torn = True
        return 0

    def read(self, news: News) -> int:
        """Take in what is new. Planners may run Python, and other threads with it: nobody else may come here then."""
        if self.reading:
            return 0
        self.reading, told = True, False
        try:
            self.take_news(news)
            told = True
        finally:
            self.reading = False
            if not told:
                self.tear()
        return 0

    def take_news(self, news: News) -> int:
        # where the path is shorter than the news, its own steps are looked at instead of all that have changed
        end = news.end()  # a planner that changes the belief when it hears of a change hears of that the next time
        along = self.fresh and end - self.heard > self.spot - self.stop
        while self.heard < end:
            i = self.heard - news.before
            self.heard += 1
            self.notice(news.log.numbers[i], news.log.values[i], news.log.kinds[i] != 0, not along)
        i = self.stop
        while along and self.fresh and i < self.spot:
            i += 1
            self.fresh = not self.planner.dearer(self.planner.trail[i], self.spot, self.stop)
        return 0

    def notice(self, u: int, v: int, rise: bool, on_path: bool) -> int:
        """Steps from u, to v, cost more or less: tell the planner, and, if asked to, look whether the path is cut."""
        self.touched.state[0] = v if self.planner.forward else u
        self.doubt(self.planner.changed(ints(self.touched.state), 1, rise) != 0)
        self.doubt(not rise or self.planner.eager)  # a cheaper way may have opened
        if on_path and self.fresh:
            self.doubt(self.planner.dearer(u, self.spot, self.stop))
        return 0

    # Saving: see `replan/saving.py`.

    def carry(self, bag: Bag) -> None:
        used = bag.whole("used", self.planner.expansions)
        bag.require(used == self.planner.expansions, "its planner was used while it was saved")
        self.at = bag.whole("at", self.at, 0, self.believed.n - 1)
        self.trip = bag.whole("trip", self.trip, 0)
        self.time_ns = bag.whole("time_ns", self.time_ns, 0)
        self.episodes = bag.whole("episodes", self.episodes, 0)
        self.answer = bag.whole("answer", self.answer, min(ANSWERS), max(ANSWERS))
        most = 0 if self.planner.torn else self.planner.ahead  # what an error has left begins anew
        # the planner may have been used without its agent since: then the path is not to be gone on with
        follows = self.spot <= most and self.planner.trail[self.spot] == self.at
        self.fresh = bag.truth("fresh", self.fresh and follows)
        self.spot = bag.whole("spot", min(self.spot, most), 0, most)
        bag.require(not self.fresh or self.planner.trail[self.spot] == self.at, "its path leads from elsewhere")
        self.stop = bag.whole("stop", self.stop, 0)
