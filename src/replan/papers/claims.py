"""The table of claims: all that the papers say and that is tested here, a row each, in one place.

The rows of a paper are in its package, in `claims.py`; its report is made from them. See `replan.experiments.claims`
for what a row has.
"""

from __future__ import annotations

from replan.experiments.claims import Claim
from replan.papers.buckets.claims import CLAIMS as BUCKETS
from replan.papers.course.claims import CLAIMS as COURSE
from replan.papers.depression.claims import CLAIMS as DEPRESSION
from replan.papers.rtaa.claims import CLAIMS as RTAA

#: The rows by the name of the experiment that tests them.
CLAIMS: dict[str, tuple[Claim, ...]] = {
    "rtaa": RTAA,
    "depression": DEPRESSION,
    "buckets": BUCKETS,
    "course": COURSE,
}
