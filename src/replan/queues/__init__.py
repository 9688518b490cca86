"""Open lists: the states that a search has yet to expand, in the order of their expansion.

A module here holds states and keys (a heap, buckets, a queue of the user) and knows neither spaces nor goals. `base` is
the interface, `factory` makes open lists by name, and `order` states how equal keys are ordered. No other package is
imported.
"""
