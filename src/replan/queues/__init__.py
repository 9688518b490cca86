"""Open lists: the states that a search has yet to expand, in the order in which it takes them.

What belongs here holds states and keys (a heap, buckets, a queue of the user's) and knows nothing of spaces or goals.
`make` has them by name, `order` says how equal keys are ordered, `base` is the contract. It imports nothing of the
other rooms.
"""
