"""A session: one to four stories in lockstep on equal worlds, controlled by a page.

A tick is one step of all stories that have not ended, or one edit. An edit at an earlier tick continues from there: the
stories are replayed up to that tick, with the same result, and then the edit is applied.
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
MAX_STEPS_PER_BATCH, BATCH_SECONDS = 256, 0.02  # steps and time of a batch


class Session:
    """Stories that one tab of a browser shows."""

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
        self.edits_done = 0  # number of edits that were applied
        self.needs_weights = any(_sets_weight(edit) for edit in chosen.edits)  # then the grid has weights
        self.grid = with_weights(self.initial_grid) if self.needs_weights else self.initial_grid
        goal = None if chosen.target != "stays" else chosen.goal
        self.stories = [
            watch(
                chosen.make_world(self.grid),
                planner,
                chosen.start,
                goal,
                record_arrays=self.grid.n <= MAX_RECORDED_STATES,
            )
            for planner in chosen.make_planners()
        ]
        self.encoders = [StoryEncoder(story_index, story) for story_index, story in enumerate(self.stories)]
        self.shown_ticks: list[list[int]] = [[] for _ in self.stories]  # tick of each step of each story

    def world_message(self, note: str = "") -> bytes:
        """Return the first message."""
        return world_message(self.stories, self.settings.page_fields(), note)

    def run_to_end(self, progress: Callable[[str], None]) -> None:
        """Run all stories to their end, without messages. progress: called now and then with a text."""
        while self._advance_stories(MAX_STEPS_PER_BATCH):
            progress(f"move {self.tick:,}")

    def messages(self, with_expansions: bool = True, with_values: bool = True, note: str = "") -> Iterator[bytes]:
        """Return all messages so far. with_expansions: include expanded states. with_values: include g and h."""
        yield self.world_message(note)
        encoders = [
            StoryEncoder(story_index, story, with_expansions, with_values)
            for story_index, story in enumerate(self.stories)
        ]
        yield from self._new_messages(encoders)

    def advance(self, ticks: int, seconds: float = 1e9) -> Iterator[bytes]:
        """Return the messages of the next ticks; fewer if all trips end, or this number of seconds has passed."""
        until, stop = time.monotonic() + seconds, self.tick + ticks
        while self.tick < stop and time.monotonic() < until:
            if not self._advance_stories(stop - self.tick):
                return
            yield from self._new_messages(self.encoders)

    def _new_messages(self, encoders: list[StoryEncoder]) -> Iterator[bytes]:
        """Return the messages of the steps that these encoders have not encoded yet, in order."""
        due = [
            (tick, story_index)
            for story_index in range(len(encoders))
            for tick in self.shown_ticks[story_index][encoders[story_index].encoded_count :]
        ]
        for tick, story_index in sorted(due):
            yield encoders[story_index].encode_next(tick)

    def _advance_stories(self, max_steps: int) -> bool:
        """Apply an edit that is due, or run at most this number of steps. Returns False at the end."""
        edits = self.settings.edits
        if self.edits_done < len(edits) and edits[self.edits_done][0] <= self.tick + 1:
            self.edits_done += 1
            self._apply_edit(edits[self.edits_done - 1])
            return True
        max_steps = min(max_steps, self.steps_per_batch, MAX_TICKS - self.tick)
        if self.edits_done < len(edits):
            max_steps = min(max_steps, edits[self.edits_done][0] - self.tick - 1)
        if all(story.has_ended for story in self.stories) or max_steps <= 0:
            return False
        start = time.monotonic()
        counts = [story.run_steps(max_steps) for story in self.stories]
        for ticks, count in zip(self.shown_ticks, counts, strict=True):
            ticks.extend(range(self.tick + 1, self.tick + 1 + count))
        self.tick += max(counts)
        is_fast = time.monotonic() - start < BATCH_SECONDS
        self.steps_per_batch = (
            min(MAX_STEPS_PER_BATCH, 2 * self.steps_per_batch) if is_fast else max(1, self.steps_per_batch // 2)
        )
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
            ticks.extend([self.tick] * (len(story) - before))  # a story without a step yet gets two

    @property
    def has_ended(self) -> bool:
        return all(story.has_ended for story in self.stories) and self.edits_done == len(self.settings.edits)

    def edit_at(self, tick: int, edit: tuple[Any, ...]) -> list[bytes]:
        """Go back to a tick and apply an edit. Returns messages that replace those after the tick.

        The first edit of weights needs a grid with weights: then all messages are sent again.
        """
        self._check_edit(edit)
        if not 0 <= tick <= self.tick:
            raise InputError("there was no such step")
        before, last_tick = self.settings, self.tick
        earlier_edits = tuple(earlier for earlier in before.edits[: self.edits_done] if earlier[0] <= tick)
        self.settings = replace(before, edits=(*earlier_edits, (tick + 1, *edit[1:])))
        needs_new_grid = _sets_weight(edit) and not self.needs_weights
        try:
            replayed = self._replay_until(tick) if needs_new_grid or tick < last_tick else []
            return [*([self.world_message(), *replayed] if needs_new_grid else []), *self.advance(1)]
        except InputError:  # for example from a planner without weights: restore the session
            self.settings = before
            self._replay_until(last_tick)
            raise

    def _replay_until(self, tick: int) -> list[bytes]:
        """Replay the stories from the beginning up to a tick."""
        self._start_stories()
        return list(self.advance(tick + 1))

    def _check_edit(self, edit: tuple[Any, ...]) -> None:
        cells: dict[str, list[Cell]] = {"retarget": [edit[2]], "change": edit[2], "target": []}
        for cell in cells[edit[1]]:
            self.grid.state(cell)  # raises InputError for cells outside the map

    def close(self) -> None:
        """Free the stories."""
        self.stories, self.encoders = [], []


def story_files(stories: Sequence[Story]) -> list[tuple[str, bytes]]:
    """Return stories as files with different names."""
    names = ["".join(sign if sign.isalnum() else "-" for sign in story.planner_name.lower()) for story in stories]
    return [
        (f"{name.strip('-')}{f'-{story_index + 1}' if len(stories) > 1 else ''}.replan", story.to_bytes())
        for story_index, (name, story) in enumerate(zip(names, stories, strict=True))
    ]


def _sets_weight(edit: tuple[Any, ...]) -> bool:
    """True if an edit sets a weight."""
    return edit[1] == "change" and isinstance(edit[3], int)
