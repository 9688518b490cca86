"""Planners: each runs one search episode at a time, from the state of the agent, and leaves a path.

A module holds one family of planners and declares them (`registry` says how). The other modules are: `base` (the
contract of planners), `options` and `factories` (their options), `spec` (what a module declares of a planner),
`registry` (planners by name), `path_query` (`find_path`), `flow_field`, `lpa` and `saved_file`. Planners know nothing
of worlds, agents or simulations. They may import `search`, `queues` and `spaces`.
"""
