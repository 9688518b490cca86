"""What `dir()` shows of the classes that users call: their public members, and nothing that is internal.

Compiled classes only: interpreted, the internal members are visible too.
"""

from __future__ import annotations

import pytest

import replan

MEMBERS = {
    "Agent": """
        belief cell episodes goal goals load move observe observe_map path plan planner planner_name
        remaining_cost restart retarget save snapshot state status sync warm_up
    """,
    "Crowd": """
        add belief cells goals ids load observe observe_map remove report retarget save set_positions
        status sync tick
    """,
    "World": """
        applied_changes begin belief can_change change_function changes is_fully_known is_static known
        rewind sensor space target target_state time truth
    """,
    "FlowField": """
        advance cost expansions goals load observe observe_map path retarget save snapshot space step
        sync
    """,
    "LPAStar": """
        cost expansions load notify path save snapshot space sync
    """,
}


@pytest.mark.parametrize("name", MEMBERS)
@pytest.mark.skipif(not replan.compiled, reason="interpreted classes show their internal members")
def test_dir_shows_what_users_call(name):
    shown = {member for member in dir(getattr(replan, name)) if not member.startswith("_")}
    assert shown == set(MEMBERS[name].split())
