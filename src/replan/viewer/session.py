"""One to four stories in lockstep on worlds of the same kind, as somebody at a page drives them.

A tick is one step of all stories that go on, or one edit. Whoever goes back and edits there goes on from there: the
stories are told again up to that tick (they are the same, for nothing in them is left to chance), and then go another
way.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from replan.errors import InputError
from replan.simulation.moments import Moment
from replan.simulation.watching import watch
from replan.viewer.frames import moment_frame, world_frame
from replan.viewer.settings import Cell, Settings
from replan.viewer.values import Values

MOST_TICKS = 2_000_000


class Session:
    """What one tab of a browser watches."""

    def __init__(self, settings: Settings) -> None:
        grid = settings.grid()
        self.settings = settings.placed(grid)
        self.grid = grid
        self._begin()

    def _begin(self) -> None:
        chosen = self.settings
        self.tick = -1
        self.done = 0  # how many of the edits have happened
        planners = chosen.made_planners()
        goal = None if chosen.target != "stays" else chosen.goal
        self.stories = [watch(chosen.world(self.grid), planner, chosen.start, goal) for planner in planners]
        self.values = [Values(self.grid) for _ in self.stories]

    def opening(self, note: str = "") -> bytes:
        """The first message."""
        return world_frame(self.stories, self.settings.shared(), note)

    def told(self, shown: bool = True, numbers: bool = True, note: str = "") -> Iterator[bytes]:
        """All messages from the beginning to the end. shown: with what was expanded. numbers: with g and h."""
        self._begin()
        for values in self.values:
            values.shown, values.numbers = shown, values.numbers and numbers
        yield self.opening(note)
        yield from self.advance(MOST_TICKS)

    def advance(self, ticks: int) -> Iterator[bytes]:
        """The messages of the next ticks; fewer when all trips have ended."""
        for _ in range(ticks):
            made = self._next()
            if made is None:
                return
            yield from made

    def _next(self) -> list[bytes] | None:
        edits = self.settings.edits
        if self.done < len(edits) and edits[self.done][0] <= self.tick + 1:
            self.done += 1
            return self._edit(edits[self.done - 1])
        if all(story.ended for story in self.stories) or self.tick >= MOST_TICKS:
            return None
        self.tick += 1
        moments = [(who, story.step()) for who, story in enumerate(self.stories)]
        return [self._frame(who, moment) for who, moment in moments if moment is not None]

    def _edit(self, edit: tuple[Any, ...]) -> list[bytes]:
        self.tick += 1
        made = []
        for who, story in enumerate(self.stories):
            moment = story.retarget(edit[2]) if edit[1] == "retarget" else story.change(edit[2], edit[3])
            made.append(self._frame(who, moment))
        return made

    def _frame(self, who: int, moment: Moment) -> bytes:
        story = self.stories[who]
        values = self.values[who]
        shot = story.planner._arrays() if moment.episode is not None and values.numbers else None
        return moment_frame(who, self.tick, self.grid, moment, values, shot)

    @property
    def ended(self) -> bool:
        return all(story.ended for story in self.stories) and self.done == len(self.settings.edits)

    def edit_at(self, tick: int, edit: tuple[Any, ...]) -> list[bytes]:
        """Go back to a tick and do something there: what happens then, for the page to take the place of the rest."""
        self._check_edit(edit)
        if not 0 <= tick <= self.tick:
            raise InputError("this is not a moment that has been")
        kept = tuple(one for one in self.settings.edits[: self.done] if one[0] <= tick)
        self.settings = replace(self.settings, edits=kept)
        if tick < self.tick:
            self._begin()
            while self.tick < tick and self._next() is not None:
                pass
        self.settings = replace(self.settings, edits=(*kept, (self.tick + 1, *edit[1:])))
        return list(self.advance(1))

    def _check_edit(self, edit: tuple[Any, ...]) -> None:
        cells: list[Cell] = [edit[2]] if edit[1] == "retarget" else list(edit[2])
        for cell in cells:
            self.grid.state(cell)  # refuses those outside
        if edit[1] == "retarget" and self.settings.target != "stays":
            raise InputError("the target moves by itself: choose one that stays to drag the goal")
        if edit[1] == "change" and isinstance(edit[3], int) and not self.grid.weighted:
            raise InputError("this map has no weights: slow terrain can be drawn on maps that have some")

    def free(self) -> None:
        """Forget everything."""
        self.stories, self.values = [], []
