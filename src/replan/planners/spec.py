"""The declaration of a planner: a module lists a `PlannerSpec` for each of its planners in `PLANNERS`."""

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
    """A planner as a recipe of parts. `replan.planners()` lists them.

    Parameters
    ----------
    name
        Name as papers write it.
    slug
        Name for the command line and for files.
    paper
        The paper that describes the planner.
    recipe
        The parts of the planner in words.
    options
        The default of each option, by name.
    make
        Function that makes the planner from all of its options.
    aliases
        Further names.
    needs_unit_costs
        True if all steps must cost the same.
    is_optimal
        True if the planner follows cheapest presumed paths.
    bound_option
        The option that bounds the cost of a path, as a multiple of the cheapest. Empty if there is none.
    is_realtime
        True if the planner keeps a lookahead or a deadline.
    may_wait
        True if the agent may wait while the planner searches.
    needs_plain_grid
        True if the planner needs a grid with 4 neighbours, without weights and walls, and one goal.
    keeps_own_map
        True if the planner keeps what is believed in a form of its own.
    family
        A key of `explanations.FAMILIES`.
    sort_order
        Position in lists.
    explanation
        Idea, guarantees, limits and parts, in the form that `explanations` reads.

    Examples
    --------
    >>> import replan
    >>> spec = replan.planner("TBAA*").spec
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
    aliases: tuple[str, ...] = ()
    needs_unit_costs: bool = False
    is_optimal: bool = True
    bound_option: str = ""
    is_realtime: bool = False
    may_wait: bool = False
    needs_plain_grid: bool = False
    keeps_own_map: bool = False
    family: str = ""
    sort_order: int = 0
    explanation: str = ""

    def __reduce__(self) -> Any:
        """Return what `pickle` needs: the slug of a registered planner, because its `make` cannot be pickled."""
        from replan.planners.registry import find_spec, is_known

        is_registered = is_known(self.slug) and find_spec(self.slug) is self
        return (find_spec, (self.slug,)) if is_registered else object.__reduce__(self)

    @property
    def can_be_shared(self) -> bool:
        """True if a crowd can use one such planner for all its characters. See `Planner.can_be_shared`."""
        return self.make(dict(self.options)).can_be_shared()

    @property
    def names(self) -> tuple[str, ...]:
        """All names by which the planner is found."""
        return self.name, self.slug, *self.aliases

    def describe(self, planner: Planner) -> str:
        """Describe a planner in one line.

        Parameters
        ----------
        planner
            A planner that was made from this spec.

        Returns
        -------
        str
            Its name, its recipe and the order of its queue; and the rules of your own that replace those of the recipe.
        """
        queue = getattr(planner, "open", None)
        order = "" if queue is None else f"; {queue.describe()}"
        rules = [type(getattr(planner, kind, None)) for kind in ("learning", "choosing")]
        own_packages = ("replan", "builtins")  # the type of None is of the second
        user_rules = [rule.__name__ for rule in rules if str(rule.__module__).partition(".")[0] not in own_packages]
        replaced = f"; but with {' and '.join(user_rules)}" if user_rules else ""
        return f"{self.name}: {self.recipe}{order}{replaced}"
