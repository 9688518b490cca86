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
from replan.viewer.messages import StoryEncoder, world_message
from replan.viewer.settings import MAX_RECORDED_STATES, Cell, Settings, goal_or_target, with_weights

MAX_TICKS = 2_000_000
MAX_STEPS_PER_BATCH, BATCH_SECONDS = 256, 0.02  # steps that are taken before their moments are read


class Session:
    """What one tab of a browser watches."""

    def __init__(self, settings: Settings) -> None:
        grid = settings.make_grid()
        self.settings = settings.with_start_and_goal(grid)
        self.initial_grid = grid
        self._start_stories()

    def _start_stories(self) -> None:
        chosen = self.settings
        self.tick = -1
        self.steps_per_batch = 1
        self.target_motion = chosen.target, chosen.speed
        self.edits_done = 0  # how many of the edits have happened
        self.needs_weights = any(_sets_weight(edit) for edit in chosen.edits)  # do the edits need a grid that has weights?
        self.grid = with_weights(self.initial_grid) if self.needs_weights else self.initial_grid
        goal = None if chosen.target != "stays" else chosen.goal
        self.stories = [
            watch(chosen.make_world(self.grid), planner, chosen.start, goal, record_arrays=self.grid.n <= MAX_RECORDED_STATES)
            for planner in chosen.make_planners()
        ]
        self.encoders = [StoryEncoder(who, story) for who, story in enumerate(self.stories)]
        self.shown_ticks: list[list[int]] = [[] for _ in self.stories]  # when each moment of each story is shown

    def world_message(self, note: str = "") -> bytes:
        """The first message."""
        return world_message(self.stories, self.settings.page_fields(), note)

    def run_to_end(self, progress: Callable[[str], None]) -> None:
        """Let everything happen, and tell nothing yet. step: called every now and then, with how far it is."""
        while self._advance_stories(MAX_STEPS_PER_BATCH):
            progress(f"move {self.tick:,}")

    def messages(self, with_expansions: bool = True, with_values: bool = True, note: str = "") -> Iterator[bytes]:
        """All messages of what has happened so far. shown: with what was expanded. numbers: with g and h."""
        yield self.world_message(note)
        tellers = [StoryEncoder(who, story, with_expansions, with_values) for who, story in enumerate(self.stories)]
        yield from self._new_messages(tellers)

    def advance(self, ticks: int, seconds: float = 1e9) -> Iterator[bytes]:
        """The messages of the next ticks; fewer when all trips have ended, or so many seconds have passed."""
        until, stop = time.monotonic() + seconds, self.tick + ticks
        while self.tick < stop and time.monotonic() < until:
            if not self._advance_stories(stop - self.tick):
                return
            yield from self._new_messages(self.encoders)

    def _new_messages(self, tellers: list[StoryEncoder]) -> Iterator[bytes]:
        """The messages of all moments that these have not told yet, in their order."""
        due = [(tick, who) for who in range(len(tellers)) for tick in self.shown_ticks[who][tellers[who].encoded_count :]]
        for tick, who in sorted(due):
            yield tellers[who].encode_next(tick)

    def _advance_stories(self, most: int) -> bool:
        """An edit that is due, or at most so many steps of all stories. False at the end."""
        edits = self.settings.edits
        if self.edits_done < len(edits) and edits[self.edits_done][0] <= self.tick + 1:
            self.edits_done += 1
            self._apply_edit(edits[self.edits_done - 1])
            return True
        most = min(most, self.steps_per_batch, MAX_TICKS - self.tick)
        if self.edits_done < len(edits):
            most = min(most, edits[self.edits_done][0] - self.tick - 1)
        if all(story.has_ended for story in self.stories) or most <= 0:
            return False
        begun = time.monotonic()
        taken = [story.run_steps(most) for story in self.stories]
        for ticks, count in zip(self.shown_ticks, taken, strict=True):
            ticks.extend(range(self.tick + 1, self.tick + 1 + count))
        self.tick += max(taken)
        quick = time.monotonic() - begun < BATCH_SECONDS
        self.steps_per_batch = min(MAX_STEPS_PER_BATCH, 2 * self.steps_per_batch) if quick else max(1, self.steps_per_batch // 2)
        return True

    def _apply_edit(self, edit: tuple[Any, ...]) -> None:
        self.tick += 1
        if edit[1] == "target":
            self.target_motion = edit[2:]
        for story, ticks in zip(self.stories, self.shown_ticks, strict=True):
            before = len(story)
            if edit[1] == "change":
                story.change(edit[2], edit[3])
            elif edit[1] == "retarget":
                story.retarget(goal_or_target(self.target_motion, edit[2]))
            else:
                goals, target = story.agent.goals.states, story.world.target_state
                story.retarget(goal_or_target(edit[2:], self.grid.key(target if target >= 0 else next(iter(goals)))))
            ticks.extend([self.tick] * (len(story) - before))  # one that had no moment yet gets two

    @property
    def has_ended(self) -> bool:
        return all(story.has_ended for story in self.stories) and self.edits_done == len(self.settings.edits)

    def edit_at(self, tick: int, edit: tuple[Any, ...]) -> list[bytes]:
        """Go back to a tick and do something there: what happens then, for the page to take the place of the rest.

        The first slow terrain makes another grid of the map, one with weights: then everything is told anew.
        """
        self._check_edit(edit)
        if not 0 <= tick <= self.tick:
            raise InputError("this is not a moment that has been")
        before, furthest = self.settings, self.tick
        kept = tuple(one for one in before.edits[: self.edits_done] if one[0] <= tick)
        self.settings = replace(before, edits=(*kept, (tick + 1, *edit[1:])))
        anew = _sets_weight(edit) and not self.needs_weights
        try:
            past = self._replay_until(tick) if anew or tick < furthest else []
            return [*([self.world_message(), *past] if anew else []), *self.advance(1)]
        except InputError:  # as from a planner that takes no weights: all stays as it was
            self.settings = before
            self._replay_until(furthest)
            raise

    def _replay_until(self, tick: int) -> list[bytes]:
        """From the beginning up to a tick."""
        self._start_stories()
        return list(self.advance(tick + 1))

    def _check_edit(self, edit: tuple[Any, ...]) -> None:
        cells: dict[str, list[Cell]] = {"retarget": [edit[2]], "change": edit[2], "target": []}
        for cell in cells[edit[1]]:
            self.grid.state(cell)  # refuses those outside

    def close(self) -> None:
        """Forget everything."""
        self.stories, self.encoders = [], []


def story_files(stories: Sequence[Story]) -> list[tuple[str, bytes]]:
    """Stories as files, each with a name of its own."""
    names = ["".join(sign if sign.isalnum() else "-" for sign in story.planner_name.lower()) for story in stories]
    return [
        (f"{name.strip('-')}{f'-{who + 1}' if len(stories) > 1 else ''}.replan", story.to_bytes())
        for who, (name, story) in enumerate(zip(names, stories, strict=True))
    ]


def _sets_weight(edit: tuple[Any, ...]) -> bool:
    """Does an edit give a weight?"""
    return edit[1] == "change" and isinstance(edit[3], int)
