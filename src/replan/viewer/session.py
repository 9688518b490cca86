"""One to four stories in lockstep on worlds of the same kind, as somebody at a page drives them.

A tick is one step of all stories that go on, or one edit. Whoever goes back and edits there goes on from there: the
stories are told again up to that tick (they are the same, for nothing in them is left to chance), and then go another
way.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from replan.errors import InputError
from replan.simulation.story import Story
from replan.simulation.watching import watch
from replan.viewer.frames import Teller, world_frame
from replan.viewer.settings import MOST_STATES, Cell, Settings, goal_of, with_weights

MOST_TICKS = 2_000_000
MOST_AT_ONCE, AT_ONCE_SECONDS = 256, 0.02  # steps that are taken before their moments are read


class Session:
    """What one tab of a browser watches."""

    def __init__(self, settings: Settings) -> None:
        grid = settings.grid()
        self.settings = settings.placed(grid)
        self.at_first = grid
        self._begin()

    def _begin(self) -> None:
        chosen = self.settings
        self.tick = -1
        self.at_once = 1
        self.moving = chosen.target, chosen.speed
        self.done = 0  # how many of the edits have happened
        self.weights = any(_slow(edit) for edit in chosen.edits)  # do the edits need a grid that has weights?
        self.grid = with_weights(self.at_first) if self.weights else self.at_first
        goal = None if chosen.target != "stays" else chosen.goal
        self.stories = [
            watch(chosen.world(self.grid), planner, chosen.start, goal, arrays=self.grid.n <= MOST_STATES)
            for planner in chosen.made_planners()
        ]
        self.tellers = [Teller(who, story) for who, story in enumerate(self.stories)]
        self.ticks: list[list[int]] = [[] for _ in self.stories]  # when each moment of each story is shown

    def opening(self, note: str = "") -> bytes:
        """The first message."""
        return world_frame(self.stories, self.settings.shared(), note)

    def finish(self, step: Callable[[str], None]) -> None:
        """Let everything happen, and tell nothing yet. step: called every now and then, with how far it is."""
        while self._happen(MOST_AT_ONCE):
            step(f"move {self.tick:,}")

    def told(self, shown: bool = True, numbers: bool = True, note: str = "") -> Iterator[bytes]:
        """All messages of what has happened so far. shown: with what was expanded. numbers: with g and h."""
        yield self.opening(note)
        tellers = [Teller(who, story, shown, numbers) for who, story in enumerate(self.stories)]
        yield from self._tell(tellers)

    def advance(self, ticks: int, seconds: float = 1e9) -> Iterator[bytes]:
        """The messages of the next ticks; fewer when all trips have ended, or so many seconds have passed."""
        until, stop = time.monotonic() + seconds, self.tick + ticks
        while self.tick < stop and time.monotonic() < until:
            if not self._happen(stop - self.tick):
                return
            yield from self._tell(self.tellers)

    def _tell(self, tellers: list[Teller]) -> Iterator[bytes]:
        """The messages of all moments that these have not told yet, in their order."""
        due = [(tick, who) for who in range(len(tellers)) for tick in self.ticks[who][tellers[who].told :]]
        for tick, who in sorted(due):
            yield tellers[who].next(tick)

    def _happen(self, most: int) -> bool:
        """An edit that is due, or at most so many steps of all stories. False at the end."""
        edits = self.settings.edits
        if self.done < len(edits) and edits[self.done][0] <= self.tick + 1:
            self.done += 1
            self._edit(edits[self.done - 1])
            return True
        most = min(most, self.at_once, MOST_TICKS - self.tick)
        if self.done < len(edits):
            most = min(most, edits[self.done][0] - self.tick - 1)
        if all(story.ended for story in self.stories) or most <= 0:
            return False
        begun = time.monotonic()
        taken = [story.steps(most) for story in self.stories]
        for ticks, count in zip(self.ticks, taken, strict=True):
            ticks.extend(range(self.tick + 1, self.tick + 1 + count))
        self.tick += max(taken)
        quick = time.monotonic() - begun < AT_ONCE_SECONDS
        self.at_once = min(MOST_AT_ONCE, 2 * self.at_once) if quick else max(1, self.at_once // 2)
        return True

    def _edit(self, edit: tuple[Any, ...]) -> None:
        self.tick += 1
        if edit[1] == "target":
            self.moving = edit[2:]
        for story, ticks in zip(self.stories, self.ticks, strict=True):
            before = len(story)
            if edit[1] == "change":
                story.change(edit[2], edit[3])
            elif edit[1] == "retarget":
                story.retarget(goal_of(self.moving, edit[2]))
            else:
                goals, target = story.agent.goals.states, story.world.target_at
                story.retarget(goal_of(edit[2:], self.grid.key(target if target >= 0 else next(iter(goals)))))
            ticks.extend([self.tick] * (len(story) - before))  # one that had no moment yet gets two

    @property
    def ended(self) -> bool:
        return all(story.ended for story in self.stories) and self.done == len(self.settings.edits)

    def edit_at(self, tick: int, edit: tuple[Any, ...]) -> list[bytes]:
        """Go back to a tick and do something there: what happens then, for the page to take the place of the rest.

        The first slow terrain makes another grid of the map, one with weights: then everything is told anew.
        """
        self._check_edit(edit)
        if not 0 <= tick <= self.tick:
            raise InputError("this is not a moment that has been")
        before, furthest = self.settings, self.tick
        kept = tuple(one for one in before.edits[: self.done] if one[0] <= tick)
        self.settings = replace(before, edits=(*kept, (tick + 1, *edit[1:])))
        anew = _slow(edit) and not self.weights
        try:
            past = self._again(tick) if anew or tick < furthest else []
            return [*([self.opening(), *past] if anew else []), *self.advance(1)]
        except InputError:  # as from a planner that takes no weights: all stays as it was
            self.settings = before
            self._again(furthest)
            raise

    def _again(self, tick: int) -> list[bytes]:
        """From the beginning up to a tick."""
        self._begin()
        return list(self.advance(tick + 1))

    def _check_edit(self, edit: tuple[Any, ...]) -> None:
        cells: dict[str, list[Cell]] = {"retarget": [edit[2]], "change": edit[2], "target": []}
        for cell in cells[edit[1]]:
            self.grid.state(cell)  # refuses those outside

    def free(self) -> None:
        """Forget everything."""
        self.stories, self.tellers = [], []


def story_files(stories: Sequence[Story]) -> list[tuple[str, bytes]]:
    """Stories as files, each with a name of its own."""
    names = ["".join(sign if sign.isalnum() else "-" for sign in story.planner_name.lower()) for story in stories]
    return [
        (f"{name.strip('-')}{f'-{who + 1}' if len(stories) > 1 else ''}.replan", story.to_bytes())
        for who, (name, story) in enumerate(zip(names, stories, strict=True))
    ]


def _slow(edit: tuple[Any, ...]) -> bool:
    """Does an edit give a weight?"""
    return edit[1] == "change" and isinstance(edit[3], int)
