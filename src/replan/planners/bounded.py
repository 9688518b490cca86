"""What planners with bounded episodes have in common: each sees a part of the map, and has to know of the whole.

Such a planner could run to and fro before a wall for ever. Beside its searches it therefore looks, for about a
hundredth of its time, whether a goal can be reached at all: `search/reach.py`.
"""

from __future__ import annotations

from replan.errors import InputError
from replan.planners.base import Planner
from replan.saving import Bag
from replan.search.reach import Reach
from replan.spaces.goals import Goals
from replan.spaces.space import Space


class BoundedPlanner(Planner):
    """A planner that notices when no goal can be reached, unless `notice` is False when a trip begins.

    A class that derives from it tells `reach` of changed costs, and asks `knows_no_way` before an episode and
    `finds_no_way` after one that has not come to a goal.
    """

    reach: Reach
    notice: bool

    def __init__(self) -> None:
        Planner.__init__(self)
        self.reach, self.notice = Reach(), True

    def set_out(self, space: Space, goals: Goals, anew: bool) -> None:
        if getattr(self, "reach", None) is None:
            raise InputError(f"this {type(self).__name__} is not made yet: its __init__ has not run")
        Planner.set_out(self, space, goals, anew)
        self.reach.begin(space, self.notice)

    def retarget(self, goals: Goals) -> None:
        Planner.retarget(self, goals)
        self.reach.aim(goals)

    def _touch(self) -> None:
        Planner._touch(self)
        self.reach.touch()

    def carry(self, bag: Bag) -> None:
        self.notice = bag.truth("notice", self.notice)
        Planner.carry(self, bag)

    def carry_trip(self, bag: Bag) -> None:
        Planner.carry_trip(self, bag)
        self.reach.carry(bag.inner("reach"), self.space, self.goals)

    def knows_no_way(self, at: int) -> bool:
        return self.reach.no_way and self.reach.stays(self.goals, at)

    def finds_no_way(self, at: int, expanded: int) -> bool:
        if not self.reach.due(expanded):
            return False
        carried, self.carried = self.carried, False
        return self.reach.work(self.goals, at, carried)
