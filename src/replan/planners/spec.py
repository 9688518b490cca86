"""What a planner module declares of each planner: a `PlannerSpec`, in its `PLANNERS`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from replan.planners.base import Planner

# Papers that several modules name.
COURSE = "Koenig, Yeoh: A Project on Fast Trajectory Replanning for Computer Games"
KORF_1990 = "Korf: Real-Time Heuristic Search, 1990"
RTAA_2006 = "Koenig, Likhachev: Real-Time Adaptive A*, AAMAS 2006"
RTD_2010 = "Bond, Widger, Ruml, Sun: Real-Time Search in Dynamic Worlds, SoCS 2010"


@dataclass(frozen=True)
class PlannerSpec:
    """A planner as a recipe of parts: what `replan.planners()` lists.

    name: as papers write it. slug: for the command line and file names. recipe: the parts in words. options: the
    default of each. make: makes the planner from all of its options. family: a key of `explained.FAMILIES`. order: its
    place in lists. explanation: its idea, guarantees, limits and parts, as `explained` reads them.

    >>> import replan
    >>> spec = next(spec for spec in replan.planners() if spec.name == "TBAA*")
    >>> spec.names, spec.options["lookahead"], spec.is_realtime, spec.may_wait
    (('TBAA*', 'tbaa'), 256, True, True)
    >>> spec.describe(replan.planner("TBAA*")).split("; ")[-1]
    'smaller f, larger g, first-in'
    """

    name: str
    slug: str
    paper: str
    recipe: str
    options: dict[str, Any]
    make: Callable[[dict[str, Any]], Planner]
    aliases: tuple[str, ...] = ()  # other names
    needs_unit_costs: bool = False  # needs steps of equal cost
    is_optimal: bool = True  # follows cheapest presumed paths
    bound_option: str = ""  # the option that bounds the cost of a path, as a multiple of the cheapest
    is_realtime: bool = False  # keeps a lookahead or deadline
    may_wait: bool = False  # may stand still while it searches
    needs_plain_grid: bool = False  # needs a grid with 4 neighbors, without weights and walls, and one goal
    keeps_own_map: bool = False  # keeps what is believed in a form of its own
    family: str = ""
    sort_order: int = 0
    explanation: str = ""

    def __reduce__(self) -> Any:
        """A spec of the registry is known by its name: its `make` cannot be saved."""
        from replan.planners.registry import find_spec, is_known

        ours = is_known(self.slug) and find_spec(self.slug) is self
        return (find_spec, (self.slug,)) if ours else object.__reduce__(self)

    @property
    def can_be_shared(self) -> bool:
        """Can a crowd share it? What the class says, and what it declares to keep of each state."""
        return self.make(dict(self.options)).can_be_shared()

    @property
    def names(self) -> tuple[str, ...]:
        """All by which it is found."""
        return self.name, self.slug, *self.aliases

    def describe(self, planner: Planner) -> str:
        """Its name, its parts and its order; and which rules it has been given instead of those of its recipe."""
        queue = getattr(planner, "open", None)
        order = "" if queue is None else f"; {queue.describe()}"
        rules = [type(getattr(planner, kind, None)) for kind in ("learning", "choosing")]
        ours = ("replan", "builtins")  # None is of the second
        given = [rule.__name__ for rule in rules if str(rule.__module__).partition(".")[0] not in ours]
        instead = f"; but with {' and '.join(given)}" if given else ""
        return f"{self.name}: {self.recipe}{order}{instead}"
