"""Planners: one search episode at a time, from where an agent stands, and the trail that it leaves.

What belongs here is a planner (a family a file) or the table of planners: `recipes` is the table, `making` builds its
entries from options, `options` says what those mean, `registry` finds them by name, `base` is the contract, with the
`trail` that an episode leaves. Planners know nothing of worlds, agents or simulations. They may import `search`,
`queues` and `spaces`.
"""
