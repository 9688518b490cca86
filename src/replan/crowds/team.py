"""The workers of a crowd: the first works for whoever calls, the others in threads of their own that help it."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from replan.clock import now_ns
from replan.crowds.frame import CrowdFrame
from replan.crowds.people import People
from replan.crowds.post import Post
from replan.crowds.worker import Worker
from replan.limits import INF
from replan.planners.realtime import RealTimePlanner
from replan.spaces.space import Space

FEW = 64  # for so few one worker is quicker than to wake another one


class Team:
    """A worker for each of these planners."""

    frame: CrowdFrame
    first: Worker

    def __init__(self, planners: list[RealTimePlanner], people: People, frame: CrowdFrame) -> None:
        self.frame = frame
        self.workers = [Worker(one, people, self.frame.standing, self.frame.risen) for one in planners]
        self.first = self.workers[0]
        self.frame.post = Post(len(self.workers))
        self.helpers: dict[int, Future[int]] = {}
        self.pool: ThreadPoolExecutor | None = None
        self.working = self.begun = False

    def begin(self, space: Space, goal: int) -> None:
        """The first characters come: now the arrays of the searches are needed."""
        if not self.begun:
            for place, worker in enumerate(self.workers):
                worker.place = place
                worker.begin(space, goal)
                if self.frame.by_place and self.frame.world is not None:
                    worker.eye = self.frame.world.new_eye()
            self.begun = True

    def call(self, count: int) -> None:
        """A frame begins, with so many to look after: have the others help if that is worth it."""
        self.frame.alone = len(self.workers) == 1 or count <= FEW
        self.working = not self.frame.alone
        if not self.working:
            return
        if self.pool is None:
            self.pool = ThreadPoolExecutor(len(self.workers) - 1, "replan-crowd")
        for i in range(1, len(self.workers)):
            if i not in self.helpers or self.helpers[i].done():
                self.helpers[i] = self.pool.submit(self.help, i)

    def help(self, i: int) -> int:
        """What a thread of this team does."""
        worker: Worker = self.workers[i]
        return self.frame.help(worker) if self.working else 0

    def failure(self) -> BaseException:
        """What has gone wrong in a thread."""
        self.frame.post.forgive()
        errors = [helper.exception() for helper in self.helpers.values()]
        return next(error for error in errors if error is not None)

    def go(self) -> None:
        """The frame is over. (Whoever helps stays a while, for the next one.)"""
        self.working = False

    def plan(self, expansions: int, until: int, fields: Any) -> int:
        """Plan for those who are due, within the budget: how many expansions has it taken?

        In rounds: those for whom the budget lasts in any case plan, then what they left over is shared.
        """
        frame, planner = self.frame, self.first.planner
        longest, dues = planner.longest(), frame.dues
        if frame.solid and longest < INF:
            longest *= 2  # who stands in the way is searched around
        frame.set_clock(until, planner.time_ns, longest)
        start = used = entered = 0
        whole = False
        try:
            for worker in self.workers:
                worker.enter()
                worker.used = 0
                entered += 1
            if fields is not None:
                used = fields.plan(frame, self.first, expansions, until)
                start = dues
            while start < dues and (start == 0 or until == 0 or now_ns() < until):
                left, limit = expansions - used, planner.limit
                if expansions == INF:
                    stop = dues
                elif longest <= left:
                    stop = min(dues, start + left // longest)
                elif left > 0 and (start == 0 or longest == INF):
                    stop, limit = start + 1, left
                else:
                    break
                frame.plan(self.first, start, stop, limit)
                used = self.used()
                start = stop
            whole = True
        finally:
            for worker in self.workers[:entered]:
                worker.leave(whole)
        return used

    def used(self) -> int:
        """Expansions of this frame so far."""
        total = 0
        for worker in self.workers:
            total += worker.used
        return total
